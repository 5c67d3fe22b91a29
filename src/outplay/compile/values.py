"""Names and values: what is known before the program runs is written into it."""

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
from outplay.compile.syntax import PREFIX, call, name
from outplay.game import MAX_FIELD
from outplay.weights import Weights

if TYPE_CHECKING:
    from outplay.compile.program import Program

WEIGHTS = "weights"  # what the weights are called wherever they are passed on
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
    ast.JoinedStr: (
        "text cannot be compiled",
        "rules compute with ints; texts belong in __str__ and action_text",
    ),
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


class Values(ast.NodeTransformer):
    """Rewrites names, attributes, constants and subscripts. `self_name` is the state's name in a method."""

    def __init__(
        self,
        program: "Program",
        function: types.FunctionType,
        place: Place,
        self_name: str | None,
        fills: bool,
    ) -> None:
        self.program = program
        self.function = function
        self.place = place
        self.self_name = self_name
        self.fills = fills  # writes into memory: a generator, or `actions`
        self.counter = 0
        self.locals: set[str] = set()
        self.handed: set[ast.expr] = set()  # where `weights` stands as an argument

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

    # --- weights -----------------------------------------------------------------------------------------

    def is_weights(self, node: ast.expr) -> bool:
        """Whether a name means the weights: in a class that has some, any local that is called so."""
        named = isinstance(node, ast.Name) and node.id == WEIGHTS
        return named and WEIGHTS in self.locals and self.program.weights is not None

    def weight(self, node: ast.expr, index: ast.expr | None = None) -> ast.expr | None:
        """`weights.NAME` or `weights.NAME[index]` as a read from their block; None if it is something else."""
        if not isinstance(node, ast.Attribute) or not self.is_weights(node.value):
            return None
        layout = self.program.layout()
        if node.attr not in layout:
            raise self.error(node, f"there is no weight {node.attr}", f"weights: {', '.join(layout)}")
        start, size = layout[node.attr]
        if size is None:
            if index is not None:
                raise self.error(node, f"weights.{node.attr} is one number", "leave the index out")
            return self.read_weight(start)
        if index is None:
            if size > MAX_FIELD:
                raise self.error(
                    node, f"weights.{node.attr} is used as a whole", f"index it: weights.{node.attr}[i]"
                )
            return ast.Tuple([self.read_weight(start + i) for i in range(size)], ast.Load())
        if isinstance(index, ast.Slice):
            raise self.error(
                node, f"a slice of weights.{node.attr} cannot be compiled", "index it with an int"
            )
        known = _constant(index)
        if known is None:
            which = self.program.native("weight_float" if self.program.float_weights else "weight")
            return call(which, name(WEIGHTS), ast.Constant(start), ast.Constant(size), self.visit(index))
        if not isinstance(known, int) or not -size <= known < size:
            raise self.error(node, f"weights.{node.attr}[{known}] is not there", f"it has {size} numbers")
        return self.read_weight(start + known % size)

    def read_weight(self, place: int) -> ast.expr:
        which = self.program.native("peek_float" if self.program.float_weights else "peek")
        return call(which, name(WEIGHTS), ast.Constant(place))

    def hand_on_weights(self, node: ast.Call, function: Any, bound: bool) -> None:
        """Where `weights` is an argument, the parameter is called so too; and where it is called so, it is given."""
        if self.program.weights is None:
            return
        known = isinstance(function, types.FunctionType) and function not in TWINS
        names = function.__code__.co_varnames[: function.__code__.co_argcount] if known else ()
        given: dict[str, ast.expr] = dict(zip(names[bound:], node.args, strict=False))
        given |= {str(k.arg): k.value for k in node.keywords}
        called = ast.unparse(node.func)
        for parameter, argument in given.items():
            if self.is_weights(argument):
                if parameter != WEIGHTS:
                    raise self.error(
                        node, f"{called}() takes the weights as {parameter}", "call that parameter weights"
                    )
                self.handed.add(argument)
        if WEIGHTS in names and (WEIGHTS not in given or given[WEIGHTS] not in self.handed):
            raise self.error(
                node,
                f"{called}() is called without the weights",
                "pass `weights` on; only evaluate receives them",
            )

    def visit_Name(self, node: ast.Name) -> Any:
        if self.is_weights(node) and node not in self.handed:
            raise self.error(
                node,
                "weights is used as a value, or assigned to",
                "write weights.NAME or weights.NAME[i], or pass weights on to a function",
            )
        if not isinstance(node.ctx, ast.Load) or node.id in self.locals or node.id.startswith(PREFIX):
            return node
        found = self.static(node)
        if found is Missing:
            raise self.error(
                node, f"the name {node.id} is not known", "define or import it at the top of the file"
            )
        return self.embed(found, node, node.id)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        if not isinstance(node.ctx, ast.Load):
            raise self.error(
                node, f"{ast.unparse(node)} is assigned to", "a state never changes: build a new one"
            )
        weight = self.weight(node)
        if weight is not None:
            return weight
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
                node,
                f"{cls.__name__} has no field or constant {node.attr}",
                f"fields: {', '.join(cls._fields)}",
            )
        return self.generic_visit(node)

    def embed(self, value: Any, node: ast.AST, written: str = "") -> ast.expr:
        """A value known now, as it stands in the compiled code."""
        if isinstance(value, enum.IntEnum | np.integer):
            value = int(value)
        if isinstance(value, bool | int | float | None):
            return ast.copy_location(self.literal(value, node), node)
        if isinstance(value, tuple | list | range | np.ndarray) and not isinstance(value, str):
            return self.table(value, node, written)
        if isinstance(value, Weights):
            raise self.error(
                node,
                f"{written} would be compiled in",
                "take weights as evaluate's parameter: `def evaluate(self, weights=weights)`",
            )
        if isinstance(value, str | bytes):
            raise self.error(
                node, "text cannot be compiled", "rules compute with ints; texts belong in __str__"
            )
        if isinstance(value, dict | set | frozenset):
            raise self.error(
                node, f"{written} is a {type(value).__name__}", "use a tuple, or the bits of an int"
            )
        if inspect.ismodule(value) or isinstance(value, type) and value is self.program.cls:
            raise self.error(node, f"{written} is used as a value", "use one of its names")
        if isinstance(value, type) and issubclass(value, Exception):
            return ast.copy_location(name(self.program.external(value, written)), node)
        if getattr(builtins, written, Missing) is value:
            if written not in BUILTINS:
                raise self.error(
                    node, f"{written}() cannot be compiled", "rules compute with ints; leave it out"
                )
            return ast.copy_location(name(written), node)
        function = plain(value)
        if function in TWINS:
            return ast.copy_location(name(self.program.native(TWINS[function])), node)
        module = getattr(value, "__module__", None) or ""
        if module in IMPURE or module.startswith("numpy.random"):
            raise self.error(
                node, f"{written} is not a function of the state", "chance goes through CHANCE nodes"
            )
        if isinstance(function, types.FunctionType) and not in_standard_library(function):
            if function.__module__.partition(".")[0] not in ("numpy", "numba"):
                return ast.copy_location(name(self.program.include(function)), node)
        if isinstance(value, type) and not issubclass(value, np.generic):
            raise self.error(
                node, f"{value.__name__} cannot be used in a rule", f"only {self.program.cls.__name__} can"
            )
        if isinstance(function, types.FunctionType) and module not in ("math", "operator"):
            if in_standard_library(function):
                raise self.error(
                    node, f"{written} comes from the standard library", "write it as a function of yours"
                )
        if not callable(value):
            raise self.error(
                node, f"{written} is a {type(value).__name__}", "rules use ints, floats and tuples of them"
            )
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
            raise self.error(
                node, "text cannot be compiled", "rules compute with ints; texts belong in __str__"
            )
        return ast.copy_location(self.literal(node.value, node), node)

    def table(self, value: Any, node: ast.AST, written: str) -> ast.expr:
        """A constant sequence: a short one is written in place, a longer one becomes an array."""
        listed = value.tolist() if isinstance(value, np.ndarray) else list(value)
        if len(listed) <= SMALL_TABLE and all(isinstance(v, int | float | np.number) for v in listed):
            return ast.copy_location(self.literal(tuple(listed), node), node)
        try:
            array = np.array(listed)
            if array.dtype != np.int64:  # words with bit 63 set, written without a sign
                array = np.array(_signed(listed))
        except (ValueError, OverflowError):
            array = np.array(None)
        if array.dtype.kind not in "biuf" or array.size == 0:
            raise self.error(
                node,
                f"{written} is not a full table of numbers",
                "give all rows one length, numbers of 64 bits",
            )
        array = array.astype(np.float64 if array.dtype.kind == "f" else np.int64)
        self.program.watch_content(value, listed)
        return ast.copy_location(self.program.constant(array, value, written), node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        if isinstance(node.ctx, ast.Store):
            base = node.value
            while isinstance(base, ast.Subscript):
                base = base.value
            if not isinstance(base, ast.Name) or base.id not in self.locals:
                raise self.error(
                    node, f"{ast.unparse(node)} is changed", "keep what changes in a field of the state"
                )
            return self.generic_visit(node)
        weight = self.weight(node.value, node.slice)
        if weight is not None:
            return weight
        indices: list[ast.expr] = []
        base = node
        while isinstance(base, ast.Subscript):
            indices.insert(0, base.slice)
            base = base.value
        found = self.static(base)
        if (
            ENABLED
            and len(indices) > 1
            and isinstance(found, tuple | list | np.ndarray)
            and _depth(found) == len(indices)
        ):
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
        exception = node.exc
        if isinstance(exception, ast.Call):  # what it says may be text: that is no value of a rule
            said: list[ast.expr] = [a for a in exception.args if isinstance(a, ast.Constant)]
            return ast.Raise(ast.Call(self.visit(exception.func), said, []))
        return ast.Raise(self.visit(exception)) if exception is not None else node


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
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None
