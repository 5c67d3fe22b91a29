"""Helpers for syntax trees, and the expansion of comprehensions into loops."""

import ast
import itertools
import re
from collections.abc import Iterator
from typing import Any

PREFIX = "_outplay_"
OURS = re.compile(
    r"(native|external|checked)_|(out|at|end|depth|total|found|value)$|.*\d$"
)  # prefix of the names that rewriting adds


def symbols(name: str) -> Iterator[str]:
    """Possible symbols for a user's function or constant, distinct from the names that rewriting adds."""
    name = name.strip("<>")
    wanted = f"{PREFIX}{name}_" if OURS.match(name) else f"{PREFIX}{name}"
    yield wanted
    for i in itertools.count(2):
        yield f"{wanted}_{i}_"


def name(id: str) -> ast.Name:
    return ast.Name(id, ast.Load())


def store(id: str) -> ast.Name:
    return ast.Name(id, ast.Store())


def call(function: str, *args: ast.expr) -> ast.Call:
    return ast.Call(name(function), list(args), [])


def assign(id: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([store(id)], value)


def local_names(function: ast.FunctionDef) -> set[str]:
    """All names that are bound somewhere in the function."""
    names = {a.arg for a in [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]}
    return names | bound_names(function)


def bound_names(*nodes: ast.AST) -> set[str]:
    """The names that are bound somewhere in these nodes."""
    found = {
        part.id if isinstance(part, ast.Name) else part.name
        for node in nodes
        for part in ast.walk(node)
        if isinstance(part, ast.Name)
        and isinstance(part.ctx, ast.Store)
        or isinstance(part, ast.MatchAs | ast.MatchStar)
    }
    return {name for name in found if name is not None}


def changed_names(node: ast.AST) -> set[str]:
    """The names of lists with an item assignment: x in x[i] = ..."""
    found = set()
    for part in ast.walk(node):
        if isinstance(part, ast.Subscript) and isinstance(part.ctx, ast.Store):
            base: ast.expr = part
            while isinstance(base, ast.Subscript):
                base = base.value
            found |= {base.id} if isinstance(base, ast.Name) else set()
    return found


def arguments(node: ast.Call, names: tuple[str, ...]) -> dict[str, ast.expr]:
    """A call's arguments by parameter."""
    return dict(zip(names, node.args, strict=False)) | {str(k.arg): k.value for k in node.keywords}


class OwnNames(ast.NodeTransformer):
    """Renames the variables of comprehensions, which have a scope of their own: x becomes _outplay_x_1."""

    def __init__(self) -> None:
        self.count = 0
        self.names: dict[str, str] = {}

    def visit_Name(self, node: ast.Name) -> Any:
        return ast.copy_location(ast.Name(self.names.get(node.id, node.id), node.ctx), node)

    def comprehension(self, node: Any) -> Any:
        first = node.generators[0]
        first.iter = self.visit(first.iter)  # evaluated in the enclosing scope
        around = self.names
        self.names = dict(around)
        for name in sorted(bound_names(*[g.target for g in node.generators])):
            self.count += 1
            self.names[name] = f"{PREFIX}{name}_{self.count}"
        for generator in node.generators:
            generator.target = self.visit(generator.target)
            if generator is not first:
                generator.iter = self.visit(generator.iter)
            generator.ifs = [self.visit(test) for test in generator.ifs]
        node.elt = self.visit(node.elt)
        self.names = around
        return node

    visit_ListComp = visit_GeneratorExp = comprehension


class ReturnsToYields(ast.NodeTransformer):
    """Turns an `actions` that returns a sequence into one that yields its items."""

    def visit_Return(self, node: ast.Return) -> Any:
        done = ast.copy_location(ast.Return(None), node)
        return [*(self.items(node.value) if node.value is not None else []), done]

    def items(self, value: ast.expr) -> list[ast.stmt]:
        made: ast.stmt
        match value:
            case ast.List(elts=items) | ast.Tuple(elts=items):
                statements: list[ast.stmt] = [ast.Expr(ast.Yield(item)) for item in items]
            case (
                ast.ListComp(elt=item, generators=generators)
                | ast.GeneratorExp(elt=item, generators=generators)
            ):
                made = nest(generators, [ast.Expr(ast.Yield(item))])
                statements = [made]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                statements = [
                    ast.If(test, self.items(body) or [ast.Pass()], self.items(orelse) or [ast.Pass()])
                ]
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner]):
                statements = self.items(inner)
            case _:
                statements = [ast.Expr(ast.YieldFrom(value))]
        return [ast.fix_missing_locations(ast.copy_location(s, value)) for s in statements]


def is_sequence(value: ast.expr) -> bool:
    """Whether an expression that `actions` returns is a list, tuple or range, judged by its syntax."""
    match value:
        case ast.IfExp(body=body, orelse=orelse):
            return is_sequence(body) and is_sequence(orelse)
        case ast.Call(func=ast.Name(id="list" | "tuple" | "range" | "sorted")):
            return True
        case ast.GeneratorExp() | ast.Call():
            return False
    return True


def nest(generators: list[ast.comprehension], innermost: list[ast.stmt]) -> ast.stmt:
    """A comprehension's loops as statements."""
    body = innermost
    for generator in reversed(generators):
        for condition in reversed(generator.ifs):
            body = [ast.If(condition, body, [])]
        body = [ast.For(generator.target, generator.iter, body, [])]
    return body[0]


def consumer(what: str, source: Any, default: ast.expr | None) -> list[ast.stmt]:
    """The body of a function that applies the builtin to the items of a comprehension."""
    assert what in ("any", "all", "sum", "len", "next", "list", "min", "max")
    total, found, value = PREFIX + "total", PREFIX + "found", PREFIX + "value"
    item = source.elt
    true, false = ast.Constant(True), ast.Constant(False)
    if what in ("any", "all"):
        test = item if what == "any" else ast.UnaryOp(ast.Not(), item)
        answer, otherwise = (true, false) if what == "any" else (false, true)
        return [nest(source.generators, [ast.If(test, [ast.Return(answer)], [])]), ast.Return(otherwise)]
    if what in ("sum", "len"):
        add = ast.AugAssign(store(total), ast.Add(), item if what == "sum" else ast.Constant(1))
        made: list[ast.stmt] = [add] if what == "sum" else [ast.Expr(item), add]  # the item may fail
        return [
            assign(total, default or ast.Constant(0)),
            nest(source.generators, made),
            ast.Return(name(total)),
        ]
    if what == "next":
        last = ast.Return(default) if default is not None else ast.Raise(name("StopIteration"))
        return [nest(source.generators, [ast.Return(item)]), last]
    if what == "list":
        append = ast.Expr(ast.Call(ast.Attribute(name(total), "append", ast.Load()), [item], []))
        return [
            assign(total, ast.List([], ast.Load())),
            nest(source.generators, [append]),
            ast.Return(name(total)),
        ]
    better = ast.Compare(name(value), [ast.Lt() if what == "min" else ast.Gt()], [name(total)])
    keep = ast.If(
        ast.BoolOp(ast.Or(), [ast.UnaryOp(ast.Not(), name(found)), better]),
        [assign(total, name(value)), assign(found, true)],
        [],
    )
    last = ast.Return(default) if default is not None else ast.Raise(name("ValueError"))
    return [
        assign(total, ast.Constant(0)),
        assign(found, false),
        nest(source.generators, [assign(value, item), keep]),
        ast.If(name(found), [ast.Return(name(total))], []),
        last,
    ]
