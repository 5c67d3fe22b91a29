"""What is seen of a function from its syntax alone."""

import ast
import copy
import dataclasses
import functools
import inspect
import types
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from outplay.compile.natural.kinds import Cannot, own_method
from outplay.compile.source import Place, tree_of

UNLIKE = (  # methods of Python's own that a class of values must not have in another way
    "__new__",
    "__init__",
    "__eq__",
    "__hash__",
    "__iter__",
    "__getattr__",
    "__getattribute__",
    "__setattr__",
    "__lt__",
    "__call__",
)
OWN = ("__init__", "__eq__", "__hash__")  # which a class may have that is no tuple and no dataclass
CHANGING = {  # methods that change what they are asked of
    "append", "appendleft", "extend", "extendleft", "insert", "pop", "popleft", "popitem", "remove", "discard", "clear",
    "sort", "reverse", "rotate", "add", "update", "setdefault",
}  # fmt: skip


def bound(node: Any) -> set[str]:
    """The names that belong to a function: not those of functions and comprehensions inside it."""
    arguments = node.args
    found = {a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    found |= {a.arg for a in (arguments.vararg, arguments.kwarg) if a is not None}
    waiting = list(node.body) if not isinstance(node, ast.Lambda) else [node.body]
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.FunctionDef):
            found.add(part.name)
            continue
        if isinstance(part, ast.Lambda):
            continue
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Store):
            found.add(part.id)
        if isinstance(part, ast.MatchAs) and part.name:
            found.add(part.name)
        if isinstance(part, ast.MatchStar) and part.name:
            found.add(part.name)
        if isinstance(part, ast.MatchMapping) and part.rest:
            found.add(part.rest)
        if isinstance(part, ast.comprehension):
            waiting += [part.iter, *part.ifs]
        else:
            waiting += ast.iter_child_nodes(part)
    return found


READING = {  # functions that only look at a list
    "tuple", "len", "sum", "min", "max", "any", "all", "sorted", "enumerate", "zip", "reversed", "list", "set",
    "frozenset",
}  # fmt: skip


def fixed_lists(node: ast.FunctionDef) -> set[str]:
    """The locals that are lists of fixed length which nothing else knows.

    They are made by list(...), a comprehension or [x] * n, and after that only looked at, or changed item by item.
    """
    return _lists(node, _makes_list, _only_looks)


def own_lists(node: ast.FunctionDef) -> set[str]:
    """The locals that are lists which nothing else knows once they are returned."""
    return _lists(node, _makes_new_list, _keeps)


def _lists(
    node: ast.FunctionDef, makes_list: Callable[[ast.AST], bool], fine: Callable[[ast.Name, ast.AST], bool]
) -> set[str]:
    """The locals that are only made, and used, in certain ways."""
    found: set[str] = set()
    others: set[str] = {a.arg for a in ast.walk(node.args) if isinstance(a, ast.arg)}
    waiting: list[tuple[ast.AST, ast.AST]] = [(part, node) for part in node.body]
    while waiting:
        part, above = waiting.pop()
        if isinstance(part, ast.FunctionDef | ast.Lambda | ast.Nonlocal | ast.Global | ast.MatchAs):
            others |= {n.id for n in ast.walk(part) if isinstance(n, ast.Name)} | set(
                getattr(part, "names", ())
            )
            others.add(getattr(part, "name", None) or "")
            continue
        if isinstance(part, ast.Name):
            makes = isinstance(above, ast.Assign | ast.AnnAssign) and isinstance(part.ctx, ast.Store)
            if makes and makes_list(above):
                found.add(part.id)
            elif not fine(part, above):
                others.add(part.id)
        waiting += [(each, part) for each in ast.iter_child_nodes(part)]
    return found - others


def _makes_list(node: ast.AST) -> bool:
    if isinstance(node, ast.Assign) and not (
        len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    ):
        return False
    match getattr(node, "value", None):
        case ast.Call(ast.Name("list"), [ast.expr()], []) | ast.ListComp():
            return True
        case ast.BinOp(ast.List(), ast.Mult(), _):
            return True
    return False


def _makes_new_list(node: ast.AST) -> bool:
    one = not isinstance(node, ast.Assign) or len(node.targets) == 1 and isinstance(node.targets[0], ast.Name)
    return one and isinstance(getattr(node, "value", None), ast.List | ast.ListComp)


def _keeps(name: ast.Name, above: ast.AST) -> bool:
    """Whether nothing else knows a list after what is done where its name stands."""
    match above:
        case ast.Attribute(attr=attr, ctx=ast.Load()) if attr in CHANGING:
            return True
        case ast.AugAssign(target=value) | ast.Subscript(value=value):
            return value is name
        case ast.Return() | ast.If() | ast.While() | ast.UnaryOp(op=ast.Not()):
            return True
    return _only_looks(name, above)


def _only_looks(name: ast.Name, above: ast.AST) -> bool:
    """Whether a list is only looked at where its name stands, or an item of it is changed."""
    match above:
        case ast.Subscript(value=value, slice=place, ctx=how) if value is name:
            return not isinstance(how, ast.Del) and (
                isinstance(how, ast.Load) or not isinstance(place, ast.Slice)
            )
        case ast.Call(func=ast.Name(id=called)) if called in READING:
            return name in above.args
        case ast.Call(func=ast.Attribute(value=ast.Constant(), attr="join")):
            return True
        case ast.Attribute(value=value, attr="count" | "index", ctx=ast.Load()):
            return True
        case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[value]):
            return value is name
        case ast.For(iter=value) | ast.comprehension(iter=value):
            return value is name
    return False


def yields(node: ast.FunctionDef) -> bool:
    waiting: list[Any] = list(node.body)
    while waiting:
        part = waiting.pop()
        if isinstance(part, ast.Yield | ast.YieldFrom):
            return True
        if not isinstance(part, ast.FunctionDef | ast.Lambda):
            waiting += ast.iter_child_nodes(part)
    return False


def leaves(body: list[ast.stmt]) -> bool:
    """Whether no path leads out of the end of a block."""
    match body[-1] if body else None:
        case ast.Return() | ast.Raise():
            return True
        case ast.If(_, one, two):
            return leaves(one) and bool(two) and leaves(two)
        case ast.While(ast.Constant(value=True), inner):
            return not any(isinstance(part, ast.Break) for s in inner for part in ast.walk(s))
        case ast.Try(inner, handlers, otherwise, final):
            ends = [otherwise or inner, *[handler.body for handler in handlers]]
            return bool(final) and leaves(final) or all(map(leaves, ends))
        case ast.Match(_, cases):
            last = cases[-1]
            whole = (
                isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
            )
            return whole and all(leaves(case.body) for case in cases)
    return False


def loaded(node: ast.expr) -> ast.expr:
    new = ast.parse(ast.unparse(node), mode="eval").body
    return ast.copy_location(new, node)


# --- nonlocal ---------------------------------------------------------------------------------------------


def boxed(node: Any) -> Any:
    """A function of which inner ones change names: such a name becomes a list of one item, which all share."""
    inner = [part for part in ast.walk(node) if isinstance(part, ast.FunctionDef) and part is not node]
    names = {
        n for part in inner for each in ast.walk(part) if isinstance(each, ast.Nonlocal) for n in each.names
    }
    names &= bound(node) if not isinstance(node, ast.Lambda) else set()
    if not names:
        return node
    for part in inner:
        told = {n for s in part.body if isinstance(s, ast.Nonlocal) for n in s.names}
        if (bound(part) & names) - told:
            raise Cannot("a name is nonlocal in one function and local in another", "use two names")
    made = copy.deepcopy(node)
    given = {a.arg for a in made.args.args}
    first = [_box(name, ast.Name(name, ast.Load()), made) for name in sorted(names & given)]
    waiting = names - given
    body: list[ast.stmt] = []
    for statement in made.body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value) | ast.AnnAssign(
                ast.Name(id=name), value=ast.expr() as value
            ) if name in waiting:
                waiting = waiting - {name}
                body.append(_box(name, _Boxes(names).visit(value), statement))
            case ast.Assign(targets) if first_set := waiting & _all_stored(targets):
                waiting = waiting - first_set
                renamed = {name: f"{name} at first" for name in first_set}
                statement.targets = [_Renamed(renamed).visit(each) for each in targets]
                body.append(_Boxes(names).visit(statement))
                body += [_box(n, ast.Name(renamed[n], ast.Load()), statement) for n in sorted(first_set)]
            case ast.FunctionDef():  # called later
                body.append(_Boxes(names).visit(statement))
            case _:
                used = {n.id for n in ast.walk(statement) if isinstance(n, ast.Name)}
                if used & waiting:
                    raise Cannot(
                        "nonlocal of a name that is not set at once", "set it at the top of the function"
                    )
                body.append(_Boxes(names).visit(statement))
    made.body = [*first, *body]
    return ast.fix_missing_locations(made)


def _all_stored(targets: list[ast.expr]) -> set[str]:
    parts = (part for each in targets for part in ast.walk(each))
    return {n.id for n in parts if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}


class _Renamed(ast.NodeTransformer):
    """Names called otherwise."""

    def __init__(self, names: dict[str, str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)


def _box(name: str, value: ast.expr, where: Any) -> ast.stmt:
    made = ast.Assign([ast.Name(name, ast.Store())], ast.List([value], ast.Load()))
    return ast.fix_missing_locations(ast.copy_location(made, where))


class _Boxes(ast.NodeTransformer):
    """Names that mean the item of a list."""

    def __init__(self, names: set[str]) -> None:
        self.names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id not in self.names:
            return node
        made = ast.Subscript(ast.Name(node.id, ast.Load()), ast.Constant(0), node.ctx)
        return ast.fix_missing_locations(ast.copy_location(made, node))

    def visit_Nonlocal(self, node: ast.Nonlocal) -> ast.stmt:
        left = [name for name in node.names if name not in self.names]
        return ast.copy_location(ast.Nonlocal(left) if left else ast.Pass(), node)


# --- loops whose order does not matter --------------------------------------------------------------------


def is_orderless(
    loop: ast.For, function: Any, may_change: Callable[[str], bool], counts: Callable[[str], bool]
) -> bool:
    """Whether a loop comes to the same whatever the order of its items.

    It may return one constant, set names to one constant each, count, add to sets, and compute names that nobody
    else looks at; and it looks at nothing that it changes. `counts` says whether a name is an int or a set: texts and
    lists are added in some order.
    """
    counted, added, fixed, own, ends = set[str](), set[str](), dict[str, set[str]](), set[str](), set[str]()
    ways: dict[str, str] = {}
    for part in _statements(loop.body):
        match part:
            case ast.Return(value=ast.Constant() as value):
                ends.add(ast.dump(value))
            case ast.Return(value=None) | ast.Break():
                ends.add("nothing")
            case ast.AugAssign(
                target=ast.Name(id=name), op=ast.Add() | ast.Sub() | ast.BitOr() | ast.BitAnd()
            ) if counts(name):
                counted.add(name)
                way = "sum" if isinstance(part.op, ast.Add | ast.Sub) else type(part.op).__name__
                if ways.setdefault(name, way) != way:
                    return False
            case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="add"), args=[_])):
                added.add(name)
            case ast.Assign(targets=[ast.Name(id=name)], value=ast.Constant() as value):
                fixed.setdefault(name, set()).add(ast.dump(value))
            case ast.Assign(targets=[target]):
                if part not in loop.body or not all(
                    isinstance(n, ast.Name | ast.Tuple | ast.Store) for n in ast.walk(target)
                ):
                    return False
                if _looks_before(loop, part, {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}):
                    return False
                own |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
            case ast.If() | ast.Continue() | ast.Pass():
                pass
            case ast.For(target=target, orelse=[]):
                own |= {n.id for n in ast.walk(target) if isinstance(n, ast.Name)}
            case _:
                return False
    if loop.orelse or len(ends) > 1 or any(len(values) > 1 for values in fixed.values()):
        return False
    if ends and (counted or added) and "nothing" in ends or ends - {"nothing"} and fixed:
        return False  # what was done before it ended counts
    own |= {n.id for n in ast.walk(loop.target) if isinstance(n, ast.Name)}
    changed = counted | added | set(fixed)
    return not own & changed and _is_pure(loop, changed, may_change) and not own & _outside(loop, function)


def _looks_before(loop: ast.For, assignment: ast.stmt, names: set[str]) -> bool:
    """Whether a loop looks at names before it sets them: at what an earlier turn left there."""
    looked = (
        n for s in loop.body for n in ast.walk(s) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)
    )
    return any(n.id in names and n.lineno <= (assignment.end_lineno or 0) for n in looked)


def _statements(body: list[ast.stmt]) -> Iterator[ast.stmt]:
    for part in body:
        yield part
        match part:
            case ast.If(_, one, two):
                yield from _statements(one)
                yield from _statements(two)
            case ast.For(body=inner):
                yield from _statements(inner)


def _is_pure(loop: ast.For, changed: set[str], may_change: Callable[[str], bool]) -> bool:
    """Whether what a loop computes changes nothing, and does not look at what the loop changes."""
    looked: list[str] = []
    for part in (p for s in loop.body for p in ast.walk(s)):
        if (
            isinstance(part, ast.NamedExpr | ast.Lambda | ast.Div)
            or isinstance(part, ast.Constant)
            and isinstance(part.value, float)
        ):
            return False
        if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load):
            looked.append(part.id)
        if isinstance(part, ast.Call):
            if isinstance(part.func, ast.Attribute) and part.func.attr in CHANGING:
                if not (part.func.attr == "add" and isinstance(part.func.value, ast.Name)):
                    return False
            elif any(isinstance(a, ast.Name) and may_change(a.id) for a in part.args):
                known = isinstance(part.func, ast.Name) and part.func.id in (
                    "len",
                    "sum",
                    "min",
                    "max",
                    "any",
                    "all",
                )
                if not known:
                    return False
    adding = sum(isinstance(p, ast.Attribute) and p.attr == "add" for s in loop.body for p in ast.walk(s))
    return sum(name in changed for name in looked) <= adding


def _outside(loop: ast.For, function: Any) -> set[str]:
    """The names that are looked at outside a loop."""
    inside = {id(n) for n in ast.walk(loop)}
    return {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and id(n) not in inside}


FOLDS = ("sum", "min", "max", "len", "set", "frozenset", "sorted")  # to which the order of items is all one
SYMMETRIC = (ast.Add, ast.Mult, ast.BitOr, ast.BitAnd, ast.BitXor)


def is_symmetric(target: ast.expr, parts: Iterable[ast.AST]) -> bool:
    """Whether code makes the same of a tuple of ints whatever the order of its items: sum(c), a + b + c."""
    names = [n.id for n in ast.walk(target) if isinstance(n, ast.Name)]
    plain = isinstance(target, ast.Name | ast.Tuple) and len(set(names)) == len(
        getattr(target, "elts", names)
    )
    fine: set[int] = set()
    nodes = [node for part in parts for node in ast.walk(part)]
    for node in nodes:
        match node:
            case ast.Call(func=ast.Name(id=called), args=[ast.Name() as given], keywords=[]) if (
                called in FOLDS
            ):
                fine.add(id(given))
            case ast.Compare(ops=[ast.In() | ast.NotIn()], comparators=[ast.Name() as given]):
                fine.add(id(given))
            case ast.BinOp() if isinstance(node.op, SYMMETRIC):
                _note_all(_terms(node, type(node.op)), names, target, fine)
            case ast.Set(elts=terms):
                _note_all(terms, names, target, fine)
    return plain and all(id(n) in fine for n in nodes if isinstance(n, ast.Name) and n.id in names)


def _terms(node: ast.expr, op: type[ast.operator]) -> list[ast.expr]:
    """a, b and c of a + b + c."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, op):
        return [*_terms(node.left, op), *_terms(node.right, op)]
    return [node]


def _note_all(terms: list[ast.expr], names: list[str], target: ast.expr, fine: set[int]) -> None:
    """Note the names among terms that are all items of a target, each once."""
    found = [term for term in terms if isinstance(term, ast.Name) and term.id in names]
    if isinstance(target, ast.Tuple) and sorted(term.id for term in found) == sorted(names):
        fine.update(map(id, found))


# --- named tuples with __new__ ----------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def new_defaults(cls: type) -> dict[str, Any] | None:
    """The defaults that the `__new__` of a named tuple gives its fields, if it does nothing else; otherwise None."""
    makers = [vars(base)["__new__"] for base in cls.__mro__ if "__new__" in vars(base)]
    own = own_method(cls, "__new__")
    if own is None or not hasattr(cls, "_fields") or [each.__func__ for each in makers[:1]] != [own]:
        return None
    owners = [base for base in cls.__mro__ if "__new__" in vars(base)]
    if own_method(owners[1], "__new__") is not None:
        return None
    node = tree_of(own, Place(own.__qualname__, own.__code__.co_filename))
    names = tuple(a.arg for a in node.args.args)
    body = [s for s in node.body if not (isinstance(s, ast.Expr) and isinstance(s.value, ast.Constant))]
    match body:
        case [ast.Return(ast.Call(ast.Attribute(ast.Call(ast.Name("super")), "__new__"), args, []))]:
            passed = tuple(a.id if isinstance(a, ast.Name) else "" for a in args)
        case _:
            return None
    simple = not (node.args.posonlyargs or node.args.kwonlyargs or node.args.vararg or node.args.kwarg)
    if not simple or passed != names or names[1:] != cls._fields or names[0] != "cls":
        return None
    parameters = inspect.signature(own).parameters.values()
    return {p.name: p.default for p in parameters if p.default is not p.empty}


# --- classes with __init__ --------------------------------------------------------------------------------


@functools.lru_cache(maxsize=256)
def plain_fields(cls: type) -> tuple[str, ...] | None:
    """The fields of a class whose `__init__` sets them; None if it is another. Rules may not change a state's."""
    if issubclass(cls, tuple) or dataclasses.is_dataclass(cls):
        return None
    start = own_method(cls, "__init__")
    if start is None or any(own_method(cls, name) for name in UNLIKE if name not in OWN):
        return None
    if any(base.__module__ == "builtins" for base in cls.__mro__[:-1]):
        return None
    node = tree_of(start, Place(start.__qualname__, start.__code__.co_filename))
    me = node.args.args[0].arg if node.args.args else ""
    stored = [
        part for part in ast.walk(node) if isinstance(part, ast.Attribute) and isinstance(part.ctx, ast.Store)
    ]
    if not stored or any(not isinstance(p.value, ast.Name) or p.value.id != me for p in stored):
        return None
    fields = tuple(dict.fromkeys(part.attr for part in stored))
    return None if any(_is_computed(inspect.getattr_static(cls, name, None)) for name in fields) else fields


def _is_computed(member: Any) -> bool:
    """Whether a class has a way of its own to set an attribute."""
    return hasattr(type(member), "__set__") and not isinstance(member, types.MemberDescriptorType)


def is_plain(cls: Any) -> bool:
    return plain_fields(cls) is not None


def replacement(node: ast.BinOp) -> tuple[ast.expr, ast.expr, ast.expr] | None:
    """Of t[:i] + x + t[i + 1:] the tuple, the place and what is put there; None if it is something else."""
    match node:
        case ast.BinOp(
            ast.BinOp(
                ast.Subscript(whole, ast.Slice(None | ast.Constant(0), ast.expr() as place, None)),
                ast.Add(),
                item,
            ),
            ast.Add(),
            ast.Subscript(again, ast.Slice(ast.BinOp(before, ast.Add(), ast.Constant(1)), None, None)),
        ):
            plain = all(
                isinstance(
                    part,
                    ast.Name | ast.Attribute | ast.Constant | ast.BinOp | ast.operator | ast.expr_context,
                )
                for each in (whole, place)
                for part in ast.walk(each)
            )
            alike = ast.dump(whole) == ast.dump(again) and ast.dump(place) == ast.dump(before)
            still = not any(isinstance(part, ast.NamedExpr) for part in ast.walk(item))
            return (whole, place, item) if plain and alike and still else None
    return None


def free(node: ast.AST) -> set[str]:
    """The free variables of a piece of code: names it reads that no function or comprehension in it binds."""
    match node:
        case ast.Name(id=name, ctx=ast.Load()):
            return {name}
        case ast.FunctionDef() | ast.Lambda():
            return captures(node) | _all_free([node.args])  # its defaults are computed where it is made
        case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
            first = node.generators[0].iter  # computed outside it, too
            parts = [part for part in ast.iter_child_nodes(node) if not isinstance(part, ast.comprehension)]
            parts += [part for g in node.generators for part in (g.iter, *g.ifs) if part is not first]
            return _all_free(parts) - target_names(node.generators) | free(first)
    return _all_free(ast.iter_child_nodes(node))


def target_names(generators: list[ast.comprehension]) -> set[str]:
    """The names that belong to a comprehension."""
    return {n.id for g in generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}


def captures(node: ast.FunctionDef | ast.Lambda) -> set[str]:
    """The names of functions around it that the body of a function reads."""
    return _all_free([node.body] if isinstance(node, ast.Lambda) else node.body) - bound(node)


def _all_free(nodes: Iterable[ast.AST]) -> set[str]:
    return set().union(*map(free, nodes))
