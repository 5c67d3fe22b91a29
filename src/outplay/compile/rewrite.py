"""Natural Python to the Python that Numba compiles well.

The user's functions are rewritten on their syntax trees; line numbers stay, so errors point into the user's
file. What changes:

- A generator becomes a function that writes into memory it is given: `g(args, out, at, end) -> at`. `yield x`
  is `out[at] = x; at += 1`; `yield from g(...)` hands the memory on. (Numba's own generators are several times
  slower, cannot be cached and do not exist on a GPU.) `if test: yield x` is written without a branch: the
  word is stored always, and the position moves on by the truth of the test.
- A loop over a generator fills a scratch buffer first; a loop over `bits(x)` becomes shifts and masks.
- `any`, `all`, `sum`, `min`, `max`, `next`, `list` over a generator become a helper function with a loop.
- `self.method(...)`, properties, class constants and names from any module are looked up now: functions are
  compiled along, numbers are written in, sequences of numbers become tables.
- A state that is built, by the class or `_replace`, has its fields wrapped to 64 bits.

Every name that rewriting adds begins with `_outplay_`.
"""

import ast
import builtins
import enum
import inspect
import types
from typing import TYPE_CHECKING, Any

import numpy as np

import outplay.bits as plain_bits
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import TWINS
from outplay.compile.source import Missing, Place, in_standard_library, lookup, plain

if TYPE_CHECKING:
    from outplay.compile.program import Program

PREFIX = "_outplay_"
OUT, AT, END = (PREFIX + name for name in ("out", "at", "end"))
SMALL_TABLE = 8  # sequences up to this long are written in place as tuples; loops over them unroll

CURES = {
    ast.Try: ("try cannot be compiled", "test the condition with `if` instead"),
    ast.With: ("with cannot be compiled", "rules only compute; move it out of the rule"),
    ast.Lambda: ("a lambda cannot be compiled", "write a function with `def` at the top of the file"),
    ast.FunctionDef: ("a function inside a rule cannot be compiled", "move it to the top of the file"),
    ast.ClassDef: ("a class inside a rule cannot be compiled", "move it to the top of the file"),
    ast.Global: ("global keeps state outside the game state", "put the value into a field of the state"),
    ast.Nonlocal: ("nonlocal keeps state outside the game state", "put the value into a field of the state"),
    ast.Import: ("import inside a rule cannot be compiled", "move it to the top of the file"),
    ast.ImportFrom: ("import inside a rule cannot be compiled", "move it to the top of the file"),
    ast.JoinedStr: ("text cannot be compiled", "rules compute with ints; texts belong in __str__ and action_text"),
    ast.Dict: ("a dict cannot be compiled", "use a tuple indexed by an int"),
    ast.DictComp: ("a dict cannot be compiled", "use a tuple indexed by an int"),
    ast.Set: ("a set cannot be compiled", "use the bits of an int, or a tuple"),
    ast.SetComp: ("a set cannot be compiled", "use the bits of an int"),
    ast.NamedExpr: (":= cannot be compiled", "assign on a line of its own"),
    ast.Starred: ("* cannot be compiled", "write the items out, or use put(t, i, v)"),
    ast.Await: ("await cannot be compiled", "rules only compute"),
    ast.AsyncFunctionDef: ("async cannot be compiled", "rules only compute"),
    ast.Delete: ("del cannot be compiled", "leave the name alone, or build a new value"),
}
IMPURE = {"random", "time", "secrets", "os", "uuid", "datetime", "numpy.random"}
BUILTINS = {
    "abs", "bool", "divmod", "enumerate", "float", "int", "len", "list", "max", "min", "pow", "range", "round",
    "sorted", "sum", "tuple", "zip", "any", "all", "next", "reversed", "True", "False", "None",
}  # fmt: skip


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
    for node in ast.walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
    return names


class Rewriter(ast.NodeTransformer):
    """Rewrites one function. `self_name` is the state's name in a method, else None."""

    def __init__(
        self, program: "Program", function: types.FunctionType, place: Place, self_name: str | None, fills: bool
    ) -> None:
        self.program = program
        self.function = function
        self.place = place
        self.self_name = self_name
        self.fills = fills  # writes into memory: a generator, or `actions`
        self.counter = 0
        self.locals: set[str] = set()

    # --- the function itself ---------------------------------------------------------------------------

    def rewrite(self, node: ast.FunctionDef) -> ast.FunctionDef:
        self.locals = local_names(node)
        for part in ast.walk(node):
            if isinstance(part, ast.Name) and part.id.startswith(PREFIX):
                raise self.error(part, f"the name {part.id} is reserved", "choose another name")
        arguments = node.args
        if arguments.vararg or arguments.kwarg or arguments.kwonlyargs or arguments.posonlyargs:
            raise self.error(node, "only plain arguments can be compiled", "leave out *, ** and /")
        for argument in arguments.args:
            argument.annotation = None
        arguments.defaults = [self.embed(v, node) for v in self.function.__defaults__ or ()]
        body = node.body
        if ast.get_docstring(node, clean=False) is not None:
            body = body[1:]
        if self.fills and not inspect.isgeneratorfunction(self.function):
            body = [ReturnsToYields().visit(statement) for statement in body]
            body = [s for b in body for s in (b if isinstance(b, list) else [b])]
        body = self.block(body)
        if self.fills:
            arguments.args += [ast.arg(OUT), ast.arg(AT), ast.arg(END)]
            arguments.defaults = []
            body.append(ast.Return(name(AT)))
        new = ast.FunctionDef(self.program.symbol_of(self.function), arguments, body or [ast.Pass()], [])
        return ast.fix_missing_locations(ast.copy_location(new, node))

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Statements, each rewritten to any number of statements."""
        done: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            for s in new if isinstance(new, list) else [new]:
                if s is not None:
                    done.append(ast.fix_missing_locations(ast.copy_location(s, statement)))
        return done

    def error(self, node: ast.AST, what: str, cure: str) -> Exception:
        return self.place.error(getattr(node, "lineno", 0), what, cure)

    def fresh(self, what: str) -> str:
        self.counter += 1
        return f"{PREFIX}{what}{self.counter}"

    def generic_visit(self, node: ast.AST) -> Any:
        for kind, (what, cure) in CURES.items():
            if isinstance(node, kind):
                raise self.error(node, what, cure)
        return super().generic_visit(node)

    # --- yields ----------------------------------------------------------------------------------------

    def visit_Expr(self, node: ast.Expr) -> Any:
        if isinstance(node.value, ast.Yield):
            if node.value.value is None:
                raise self.error(node, "yield without a value", "yield an int, the action")
            return self.write(self.visit(node.value.value), ast.Constant(1))
        if isinstance(node.value, ast.YieldFrom):
            return self.yield_from(node.value.value)
        if isinstance(node.value, ast.Constant):
            return None  # a remark in quotes
        return self.generic_visit(node)

    def visit_Yield(self, node: ast.Yield) -> Any:
        raise self.error(node, "yield inside an expression cannot be compiled", "write `yield x` on its own line")

    def visit_YieldFrom(self, node: ast.YieldFrom) -> Any:
        raise self.error(node, "yield from inside an expression cannot be compiled", "write it on its own line")

    def write(self, value: ast.expr, step: ast.expr) -> list[ast.stmt]:
        """Store an action at the position, if there is room, and move on by `step`."""
        full = ast.Compare(name(AT), [ast.Gt()], [name(END)])
        return [
            ast.If(full, [ast.Raise(name(self.program.native("TooManyActions")))], []),
            ast.Assign(
                [ast.Subscript(name(OUT), name(AT), ast.Store())], call(self.program.native("as_action"), value)
            ),
            assign(AT, ast.BinOp(name(AT), ast.Add(), step)),
        ]

    def yield_from(self, source: ast.expr) -> list[ast.stmt]:
        filled = self.filler_call(source, OUT, name(AT), name(END))
        if filled is not None:
            return [assign(AT, filled)]
        if isinstance(source, ast.GeneratorExp | ast.ListComp):
            self.locals |= {n.id for g in source.generators for n in ast.walk(g.target) if isinstance(n, ast.Name)}
            written = _nest(source.generators, [ast.Expr(ast.Yield(source.elt))])
            return self.block([ast.fix_missing_locations(ast.copy_location(written, source))])
        item = self.fresh("item")
        self.locals.add(item)
        loop = ast.For(store(item), source, [ast.Expr(ast.Yield(name(item)))], [])
        return self.block([ast.fix_missing_locations(ast.copy_location(loop, source))])

    def visit_If(self, node: ast.If) -> Any:
        only = node.body[0] if len(node.body) == 1 and not node.orelse else None
        if isinstance(only, ast.Expr) and isinstance(only.value, ast.Yield) and only.value.value is not None:
            value = self.visit(only.value.value)
            if ENABLED and self.harmless(value):  # interpreted, an unset name would be an error
                step = self.fresh("step")
                truth = ast.IfExp(self.visit(node.test), ast.Constant(1), ast.Constant(0))
                return [assign(step, truth), *self.write(value, name(step))]
            return ast.If(self.visit(node.test), self.write(value, ast.Constant(1)), [])
        return ast.If(self.visit(node.test), self.block(node.body), self.block(node.orelse))

    def visit_While(self, node: ast.While) -> Any:
        return ast.While(self.visit(node.test), self.block(node.body), self.block(node.orelse))

    def harmless(self, value: ast.expr) -> bool:
        """Whether an expression may be evaluated where the program would not: cheap, and it cannot fail."""
        match value:
            case ast.Constant() | ast.Name():
                return True
            case ast.Attribute(value=ast.Name(id=base)):
                return base == self.self_name
            case ast.BinOp(left, ast.LShift() | ast.RShift(), ast.Constant()):
                return self.harmless(left)
            case ast.BinOp(left, ast.Add() | ast.Sub() | ast.Mult() | ast.BitAnd() | ast.BitOr() | ast.BitXor(), right):
                return self.harmless(left) and self.harmless(right)
        return False

    def visit_Return(self, node: ast.Return) -> Any:
        if not self.fills:
            return self.generic_visit(node)
        if node.value is not None and not (isinstance(node.value, ast.Constant) and node.value.value is None):
            raise self.error(node, "a generator cannot return a value", "yield the values")
        return ast.Return(name(AT))

    # --- loops -----------------------------------------------------------------------------------------

    def visit_For(self, node: ast.For) -> Any:
        source = node.iter
        if isinstance(source, ast.Call) and self.static(source.func) is plain_bits.bits:
            return self.loop_over_bits(node, source)
        if isinstance(source, ast.Call) and self.static(source.func) is reversed and len(source.args) == 1:
            node.iter = self.backwards(source.args[0])
        buffer = self.fresh("buffer")
        limit = self.program.limit
        filled = self.filler_call(source, buffer, ast.Constant(0), ast.Constant(limit))
        if filled is None:
            if isinstance(source, ast.List):
                node.iter = ast.copy_location(ast.Tuple(source.elts, ast.Load()), source)
            return ast.For(node.target, self.visit(node.iter), self.block(node.body), self.block(node.orelse))
        count, index = self.fresh("count"), self.fresh("index")
        item = ast.Assign([node.target], ast.Subscript(name(buffer), name(index), ast.Load()))
        return [
            assign(buffer, call(self.program.native("scratch"), ast.Constant(limit + 1))),
            assign(count, filled),
            ast.For(store(index), call("range", name(count)), [item, *self.block(node.body)], self.block(node.orelse)),
        ]

    def loop_over_bits(self, node: ast.For, source: ast.Call) -> list[ast.stmt]:
        left = self.fresh("left")
        lowest = ast.Assign([node.target], call(self.program.native("lsb"), name(left)))
        wrap = self.program.native("wrap")  # bit 63 is the sign: it goes away only in 64 bits
        without = ast.BinOp(name(left), ast.BitAnd(), ast.BinOp(name(left), ast.Sub(), ast.Constant(1)))
        return [
            assign(left, call(wrap, self.visit(source.args[0]))),
            ast.While(
                ast.Compare(name(left), [ast.NotEq()], [ast.Constant(0)]),
                [lowest, assign(left, call(wrap, without)), *self.block(node.body)],
                self.block(node.orelse),
            ),
        ]

    def backwards(self, source: ast.expr) -> ast.expr:
        """What `reversed(source)` runs over."""
        if isinstance(source, ast.Call) and self.static(source.func) is range and len(source.args) <= 2:
            first = source.args[0] if len(source.args) == 2 else ast.Constant(0)
            minus = lambda e: ast.BinOp(e, ast.Sub(), ast.Constant(1))  # noqa: E731
            new = call("range", minus(source.args[-1]), minus(first), ast.Constant(-1))
        elif isinstance(source, ast.Call):
            raise self.error(source, "reversed() of this cannot be compiled", "count down with range(a, b, -1)")
        else:
            new = ast.Subscript(source, ast.Slice(None, None, ast.Constant(-1)), ast.Load())  # type: ignore[assignment]
        return ast.fix_missing_locations(ast.copy_location(new, source))

    # --- calls -----------------------------------------------------------------------------------------

    def method(self, node: ast.expr) -> Any:
        """The function of the game's class that `x.method` names, if x is not a module or class."""
        if isinstance(node, ast.Attribute) and self.static(node.value) is Missing:
            member = self.program.members.get(node.attr)
            if isinstance(member, types.FunctionType | staticmethod) or hasattr(member, "__wrapped__"):
                return member
        return None

    def filler_call(self, node: ast.expr, out: str, at: ast.expr, end: ast.expr) -> ast.expr | None:
        """The call of a generator, with the memory to fill; None if node is something else."""
        if not isinstance(node, ast.Call):
            return None
        member = self.method(node.func)
        target = member if member is not None else self.static(node.func)
        function = plain(target)
        if not isinstance(function, types.FunctionType) or not self.program.fills(function):
            return None
        if function is plain_bits.bits:
            return None
        arguments = [self.visit(a) for a in node.args]
        if member is not None and not isinstance(member, staticmethod):
            assert isinstance(node.func, ast.Attribute)
            arguments.insert(0, self.visit(node.func.value))
        if node.keywords:
            raise self.error(node, "a generator is called with keywords", "pass the arguments by position")
        return call(self.program.include(function), *arguments, name(out), at, end)

    def visit_Call(self, node: ast.Call) -> Any:
        target = self.static(node.func)
        if any(isinstance(a, ast.Starred) for a in node.args) or any(k.arg is None for k in node.keywords):
            raise self.error(node, "* and ** cannot be compiled", "write the arguments out")
        if target is self.program.cls or self.is_own_class(node.func):
            return self.build(node)
        if isinstance(node.func, ast.Attribute) and node.func.attr == "_replace" and target is Missing:
            return self.replace(node)
        member = self.method(node.func)
        if member is not None:
            return self.call_method(node, member)
        if isinstance(node.func, ast.Attribute) and isinstance(self.program.members.get(node.func.attr), classmethod):
            raise self.error(node, f"{node.func.attr} is a class method", "make it a @staticmethod")
        if isinstance(node.func, ast.Attribute) and target is Missing:
            if node.func.attr in ("bit_count", "bit_length") and not node.args:
                return call(self.program.native(node.func.attr), self.visit(node.func.value))
        if target is not Missing and not isinstance(node.func, ast.Call):
            consumed = self.consume(node, target)
            if consumed is not None:
                return consumed
            if self.program.fills(plain(target)) and target is not plain_bits.bits:
                raise self.error(node, "a generator is used as a value", "loop over it with `for`")
            if target in (plain_bits.bits, reversed):
                raise self.error(node, f"{target.__name__}() outside a loop", "loop over it with `for`")
        return self.generic_visit(node)

    def call_method(self, node: ast.Call, member: Any) -> ast.expr:
        assert isinstance(node.func, ast.Attribute)
        function = plain(member)
        if self.program.fills(function):
            raise self.error(node, f"{node.func.attr}() is used as a value", "loop over it with `for`")
        bound = [] if isinstance(member, staticmethod) else [self.visit(node.func.value)]
        arguments = [self.visit(a) for a in node.args]
        keywords = [ast.keyword(k.arg, self.visit(k.value)) for k in node.keywords]
        return ast.Call(name(self.program.include(function)), [*bound, *arguments], keywords)

    def is_own_class(self, node: ast.expr) -> bool:
        """type(self) or self.__class__."""
        match node:
            case ast.Call(func=ast.Name(id="type"), args=[ast.Name(id=inner)]):
                return inner == self.self_name
            case ast.Attribute(value=ast.Name(id=inner), attr="__class__"):
                return inner == self.self_name
        return False

    def build(self, node: ast.Call) -> ast.expr:
        """A new state: every field given or its default, each wrapped."""
        cls: Any = self.program.cls
        given: dict[str, ast.expr] = dict(zip(cls._fields, [self.visit(a) for a in node.args], strict=False))
        if len(node.args) > len(cls._fields):
            raise self.error(node, f"{cls.__name__} has {len(cls._fields)} fields", "drop the extra arguments")
        for keyword in node.keywords:
            if keyword.arg not in cls._fields or keyword.arg in given:
                raise self.error(node, f"{keyword.arg} is no field, or given twice", f"fields: {', '.join(cls._fields)}")
            given[keyword.arg] = self.visit(keyword.value)
        for field in cls._fields:
            if field not in given:
                if field not in cls._field_defaults:
                    raise self.error(node, f"no value for the field {field}", "give one")
                given[field] = self.literal(cls._field_defaults[field])
        wrapped = [call(self.program.native("wrap"), given[field]) for field in cls._fields]
        return call(self.program.native("State"), *wrapped)

    def replace(self, node: ast.Call) -> ast.expr:
        """x._replace(field=value) as the building of a state from x's other fields."""
        assert isinstance(node.func, ast.Attribute)
        cls: Any = self.program.cls
        changed = {k.arg: k.value for k in node.keywords}
        for field in changed:
            if field not in cls._fields:
                raise self.error(node, f"{field} is no field", f"fields: {', '.join(cls._fields)}")
        base = node.func.value
        if isinstance(base, ast.Name):
            made = [
                call(self.program.native("wrap"), self.visit(changed[field]))
                if field in changed
                else ast.Attribute(self.visit(base), field, ast.Load())
                for field in cls._fields
            ]
            return call(self.program.native("State"), *made)
        inner = self.fresh("state")
        renamed = ast.Call(ast.Attribute(name(inner), "_replace", ast.Load()), [], node.keywords)
        return self.lift("replace", [ast.Return(renamed)], node, {inner: base})

    # --- any, all, sum, min, max, next, list over a generator --------------------------------------------

    def consume(self, node: ast.Call, target: Any) -> ast.expr | None:
        """A builtin that eats a generator, as a helper function with a loop; None if it is something else."""
        if target not in (any, all, sum, min, max, next, list, len, sorted, tuple, set) or not node.args:
            return None
        source = node.args[0]
        if target is len and isinstance(source, ast.Call) and self.static(source.func) in (list, tuple):
            inner = source.args[0] if source.args else None
            if inner is not None and self.is_generator(inner):
                loops = [ast.comprehension(store(self.fresh("each")), inner, [], 0)]
                one = ast.GeneratorExp(ast.Constant(1), inner.generators if isinstance(inner, ast.GeneratorExp) else loops)
                return self.visit_Call(ast.copy_location(ast.Call(name("sum"), [one], []), node))
        if not self.is_generator(source):
            if target in (any, all) and len(node.args) == 1:
                pass  # over a sequence: Numba has no any() of a tuple
            else:
                return None
        if target in (tuple, set, sorted):
            raise self.error(node, f"{target.__name__}() of a generator cannot be compiled", "use put(t, i, v)")
        default = node.args[1] if target is next and len(node.args) == 2 else None
        for keyword in node.keywords:
            if keyword.arg != "default" or target not in (min, max):
                raise self.error(node, f"{target.__name__}() with {keyword.arg}= cannot be compiled", "write a loop")
            default = keyword.value
        if not isinstance(source, ast.GeneratorExp | ast.ListComp):
            item = self.fresh("each")
            source = ast.GeneratorExp(name(item), [ast.comprehension(store(item), source, [], 0)])
        if target is sum and len(node.args) == 2:
            default = node.args[1]
        return self.lift(target.__name__, _consumer(target.__name__, source, default), node, {})

    def is_generator(self, node: ast.expr) -> bool:
        if isinstance(node, ast.GeneratorExp):
            return True
        if not isinstance(node, ast.Call):
            return False
        member = self.method(node.func)
        function = plain(member if member is not None else self.static(node.func))
        return function is plain_bits.bits or self.program.fills(function)

    def visit_ListComp(self, node: ast.ListComp) -> Any:
        if any(self.is_generator(g.iter) for g in node.generators):
            return self.lift("list", _consumer("list", node, None), node, {})
        for generator in node.generators:
            self.locals |= {n.id for n in ast.walk(generator.target) if isinstance(n, ast.Name)}
        return self.generic_visit(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Any:
        raise self.error(node, "a generator expression is used as a value", "use any/all/sum/min/max, or a loop")

    def lift(self, what: str, body: list[ast.stmt], node: ast.expr, extra: dict[str, ast.expr]) -> ast.expr:
        """Move statements into a helper function of their own; the locals they read become its arguments."""
        module = ast.fix_missing_locations(ast.Module(body, []))
        for part in ast.walk(module):
            ast.copy_location(part, node)
        bound = {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)}
        read = {n.id for n in ast.walk(module) if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Load)}
        needed = sorted((read & self.locals) - bound - set(extra))
        symbol = self.program.fresh_symbol(f"{self.function.__name__}_{what}")
        helper = Rewriter(self.program, self.function, self.place, self.self_name, False)
        helper.locals = {*needed, *extra, *bound}
        helper.counter = self.counter + 1000
        arguments = ast.arguments([], [ast.arg(a) for a in [*needed, *extra]], None, [], [], None, [])
        new = ast.FunctionDef(symbol, arguments, helper.block(body), [])
        self.program.add_lifted(symbol, ast.fix_missing_locations(ast.copy_location(new, node)), self.place)
        return call(symbol, *[name(n) for n in needed], *[self.visit(e) for e in extra.values()])

    # --- names and values --------------------------------------------------------------------------------

    def static(self, node: ast.expr) -> Any:
        """The object that an expression means before the program runs, or Missing."""
        if isinstance(node, ast.Name):
            if node.id in self.locals or node.id.startswith(PREFIX):
                return Missing
            found = lookup(self.function, node.id)
            self.program.watch(self.function, node.id, found)
            return found
        if isinstance(node, ast.Attribute):
            base = self.static(node.value)
            if inspect.ismodule(base) or isinstance(base, type):
                found = inspect.getattr_static(base, node.attr, Missing)
                if isinstance(base, type) and issubclass(base, enum.Enum):
                    found = getattr(base, node.attr, Missing)
                self.program.watch(base, node.attr, found)
                return found
        return Missing

    def visit_Name(self, node: ast.Name) -> Any:
        if not isinstance(node.ctx, ast.Load) or node.id in self.locals or node.id.startswith(PREFIX):
            return node
        found = self.static(node)
        if found is Missing:
            raise self.error(node, f"the name {node.id} is not known", "define or import it at the top of the file")
        return self.embed(found, node, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.ctx, ast.Load):
            raise self.error(node, f"{ast.unparse(node)} is assigned to", "a state never changes: build a new one")
        found = self.static(node)
        if found is not Missing:
            return self.embed(found, node, ast.unparse(node))
        cls: Any = self.program.cls
        member = self.program.members.get(node.attr, Missing)
        if node.attr in cls._fields:
            return self.generic_visit(node)
        if isinstance(member, property):
            return call(self.program.include(plain(member)), self.visit(node.value))
        if member is not Missing and not callable(member) and not isinstance(member, classmethod):
            self.program.watch(cls, node.attr, member)
            return self.embed(member, node, node.attr)
        if isinstance(node.value, ast.Name) and node.value.id == self.self_name:
            raise self.error(
                node, f"{cls.__name__} has no field or constant {node.attr}", f"fields: {', '.join(cls._fields)}"
            )
        return self.generic_visit(node)

    def embed(self, value: Any, node: ast.AST, written: str = "") -> ast.expr:
        """A value known now, as it stands in the compiled code."""
        if isinstance(value, enum.IntEnum | np.integer):
            value = int(value)
        if isinstance(value, bool | int | float | None):
            return ast.copy_location(self.literal(value, node), node)  # type: ignore[arg-type]
        if isinstance(value, tuple | list | range | np.ndarray) and not isinstance(value, str):
            return self.table(value, node, written)
        if isinstance(value, str | bytes):
            raise self.error(node, "text cannot be compiled", "rules compute with ints; texts belong in __str__")
        if isinstance(value, dict | set | frozenset):
            raise self.error(node, f"{written} is a {type(value).__name__}", "use a tuple, or the bits of an int")
        if inspect.ismodule(value) or isinstance(value, type) and value is self.program.cls:
            raise self.error(node, f"{written} is used as a value", "use one of its names")
        if isinstance(value, type) and issubclass(value, Exception):
            return ast.copy_location(name(self.program.external(value, written)), node)
        if getattr(builtins, written, Missing) is value:
            if written not in BUILTINS:
                raise self.error(node, f"{written}() cannot be compiled", "rules compute with ints; leave it out")
            return ast.copy_location(name(written), node)
        function = plain(value)
        if function in TWINS:
            return ast.copy_location(name(self.program.native(TWINS[function])), node)
        module = getattr(value, "__module__", None) or ""
        if module in IMPURE or module.startswith("numpy.random"):
            raise self.error(node, f"{written} is not a function of the state", "chance goes through CHANCE nodes")
        if isinstance(function, types.FunctionType) and not in_standard_library(function):
            if function.__module__.partition(".")[0] not in ("numpy", "numba"):
                return ast.copy_location(name(self.program.include(function)), node)
        if isinstance(value, type) and not issubclass(value, np.generic):
            raise self.error(node, f"{value.__name__} cannot be used in a rule", f"only {self.program.cls.__name__} can")
        if isinstance(function, types.FunctionType) and module not in ("math", "operator"):
            if in_standard_library(function):
                raise self.error(node, f"{written} comes from the standard library", "write it as a function of yours")
        if not callable(value):
            raise self.error(node, f"{written} is a {type(value).__name__}", "rules use ints, floats and tuples of them")
        return ast.copy_location(name(self.program.external(value, written)), node)

    def literal(self, value: Any, node: ast.AST | None = None) -> ast.expr:
        """A number or tuple as source, ints wrapped to 64 bits."""
        if isinstance(value, tuple):
            return ast.Tuple([self.literal(v, node) for v in value], ast.Load())
        if isinstance(value, int) and not isinstance(value, bool):
            if not -(1 << 63) <= value < 1 << 64:
                raise self.error(node or ast.Pass(), f"{value} has more than 64 bits", "use several ints")
            value = plain_bits.wrap(value)
            if value == -(1 << 63):  # Numba takes it for an unsigned number
                return call(self.program.native("wrap"), ast.Constant(value))
            if value < 0:
                return ast.UnaryOp(ast.USub(), ast.Constant(-value))
        return ast.Constant(value)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Sums of constants are worked out here: Python would write 1 << 63 in as an unsigned number."""
        new = self.generic_visit(node)
        left, right = _constant(new.left), _constant(new.right)
        if left is None or right is None:
            return new
        try:
            value = eval(compile(ast.Expression(ast.fix_missing_locations(new)), "?", "eval"))
        except (ArithmeticError, ValueError):
            raise self.error(node, f"{ast.unparse(node)} has no value", "write another number") from None
        return ast.copy_location(self.literal(value, node), node)

    def visit_Constant(self, node: ast.Constant) -> Any:
        if isinstance(node.value, str | bytes | complex):
            raise self.error(node, "text cannot be compiled", "rules compute with ints; texts belong in __str__")
        return ast.copy_location(self.literal(node.value, node), node)

    def table(self, value: Any, node: ast.AST, written: str) -> ast.expr:
        """A constant sequence: a short one is written in place, a longer one becomes an array."""
        listed = value.tolist() if isinstance(value, np.ndarray) else list(value)
        flat = all(isinstance(v, int | float | np.number) for v in listed)
        if flat and len(listed) <= SMALL_TABLE:
            return ast.copy_location(self.literal(tuple(listed), node), node)
        try:
            signed = _signed(listed)
            array = np.array(signed)
        except (ValueError, OverflowError):
            array = np.array(None)
        if array.dtype.kind not in "biuf" or array.size == 0:
            raise self.error(
                node, f"{written} is not a full table of numbers", "give all rows one length, numbers of 64 bits"
            )
        array = array.astype(np.float64 if array.dtype.kind == "f" else np.int64)
        self.program.watch_content(value, listed)
        return ast.copy_location(name(self.program.constant(array, value, written)), node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.ctx, ast.Store):
            base = node.value
            while isinstance(base, ast.Subscript):
                base = base.value
            if not isinstance(base, ast.Name) or base.id not in self.locals:
                raise self.error(node, f"{ast.unparse(node)} is changed", "keep what changes in a field of the state")
            return self.generic_visit(node)
        indices: list[ast.expr] = []
        base = node
        while isinstance(base, ast.Subscript):
            indices.insert(0, base.slice)
            base = base.value
        found = self.static(base)
        if ENABLED and len(indices) > 1 and isinstance(found, tuple | list | np.ndarray) and _depth(found) == len(indices):
            index = ast.Tuple([self.visit(i) for i in indices], ast.Load())
            return ast.Subscript(self.visit(base), index, ast.Load())
        if isinstance(node.slice, ast.Slice | ast.Constant | ast.Tuple) or _constant(node.slice) is not None:
            return self.generic_visit(node)
        return call(self.program.native("at"), self.visit(node.value), self.visit(node.slice))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def visit_Compare(self, node: ast.Compare) -> Any:
        # `x in [1, 2]`: a list would be built on the heap each time
        node.comparators = [
            ast.copy_location(ast.Tuple(c.elts, ast.Load()), c) if isinstance(c, ast.List) else c
            for c in node.comparators
        ]
        return self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        return ast.Assert(self.visit(node.test), None)

    def visit_Raise(self, node: ast.Raise) -> Any:
        exception = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
        return ast.Raise(self.visit(exception)) if exception is not None else node


class ReturnsToYields(ast.NodeTransformer):
    """`actions` that returns a sequence, as one that yields its items."""

    def visit_Return(self, node: ast.Return) -> Any:
        done = ast.copy_location(ast.Return(None), node)
        return [*(self.items(node.value) if node.value is not None else []), done]

    def items(self, value: ast.expr) -> list[ast.stmt]:
        made: ast.stmt
        match value:
            case ast.List(elts=items) | ast.Tuple(elts=items):
                statements: list[ast.stmt] = [ast.Expr(ast.Yield(item)) for item in items]
            case ast.ListComp(elt=item, generators=generators) | ast.GeneratorExp(elt=item, generators=generators):
                made = _nest(generators, [ast.Expr(ast.Yield(item))])
                statements = [made]
            case ast.IfExp(test=test, body=body, orelse=orelse):
                statements = [ast.If(test, self.items(body) or [ast.Pass()], self.items(orelse) or [ast.Pass()])]
            case ast.Call(func=ast.Name(id="list" | "tuple"), args=[inner]):
                statements = self.items(inner)
            case _:
                statements = [ast.Expr(ast.YieldFrom(value))]
        return [ast.fix_missing_locations(ast.copy_location(s, value)) for s in statements]


def _nest(generators: list[ast.comprehension], innermost: list[ast.stmt]) -> ast.stmt:
    """The loops of a comprehension as statements."""
    body = innermost
    for generator in reversed(generators):
        for condition in reversed(generator.ifs):
            body = [ast.If(condition, body, [])]
        body = [ast.For(generator.target, generator.iter, body, [])]
    return body[0]


def _consumer(what: str, source: Any, default: ast.expr | None) -> list[ast.stmt]:
    """The body of a function that does what the builtin does with the items of a comprehension."""
    total, found, value = PREFIX + "total", PREFIX + "found", PREFIX + "value"
    item = source.elt
    true, false = ast.Constant(True), ast.Constant(False)
    if what in ("any", "all"):
        test = item if what == "any" else ast.UnaryOp(ast.Not(), item)
        answer, otherwise = (true, false) if what == "any" else (false, true)
        return [_nest(source.generators, [ast.If(test, [ast.Return(answer)], [])]), ast.Return(otherwise)]
    if what == "sum":
        add = ast.AugAssign(store(total), ast.Add(), item)
        return [assign(total, default or ast.Constant(0)), _nest(source.generators, [add]), ast.Return(name(total))]
    if what == "next":
        last = ast.Return(default) if default is not None else ast.Raise(name("StopIteration"))
        return [_nest(source.generators, [ast.Return(item)]), last]
    if what == "list":
        empty = ast.ListComp(ast.Constant(0), [ast.comprehension(store(value), call("range", ast.Constant(0)), [], 0)])
        append = ast.Expr(ast.Call(ast.Attribute(name(total), "append", ast.Load()), [item], []))
        return [assign(total, empty), _nest(source.generators, [append]), ast.Return(name(total))]
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
        _nest(source.generators, [assign(value, item), keep]),
        ast.If(name(found), [ast.Return(name(total))], []),
        last,
    ]


def _signed(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return [_signed(v) for v in values]
    if isinstance(values, int) and not isinstance(values, bool):
        if not -(1 << 63) <= values < 1 << 64:
            raise OverflowError
        return plain_bits.wrap(values)
    return values


def _depth(table: Any) -> int:
    """How many indices lead to a number."""
    if isinstance(table, np.ndarray):
        return table.ndim
    return 1 + _depth(table[0]) if isinstance(table, tuple | list) and len(table) else 0


def _constant(node: ast.expr) -> int | float | None:
    """The number that a node writes, if it is one."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        return -node.operand.value
    if isinstance(node, ast.Constant) and isinstance(node.value, int | float):
        return node.value
    return None
