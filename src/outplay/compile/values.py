"""Names and values: what is known before the program runs is written into it."""

import ast
import builtins
import enum
import inspect
import math
import operator
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from outplay import words
from outplay.compile.arithmetic import CHECKED
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import TWINS
from outplay.compile.source import Missing, Place, in_standard_library, lookup, plain
from outplay.compile.syntax import PREFIX, arguments, bound_names, call, changed_names, name
from outplay.game import MAX_FIELD
from outplay.standard import IMPURE
from outplay.weights import Weights

if TYPE_CHECKING:
    from outplay.compile.program import Program

WEIGHTS = "weights"  # what the weights are called wherever they are passed on
LONGEST_SHIFT = 1024  # bits that a constant may have on its way to 64
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
OPERATORS: dict[Any, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip
# What the lower 64 bits of two words say all about, as far as the lower 64 bits of the result go.
RING = (ast.Add, ast.Sub, ast.Mult, ast.LShift, ast.BitAnd, ast.BitOr, ast.BitXor)
# The functions of libraries that Numba compiles as Python has them, and that touch no memory but their own.
TRUSTED = {
    math.gcd, math.isnan, math.isinf, math.isfinite, np.zeros, np.ones, np.full, np.arange, np.array,
}  # fmt: skip
# What gives on the numbers that it is given.
CARRYING = (enumerate, zip, reversed, next, sum, min, max, list, tuple, sorted, words.put)
RETURNED = "return"  # what a function gives, beside the names of its parameters
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
        self.wide: set[str] = set()  # those that may be beyond a signed word
        self.is_rule = function in program.asked  # searches ask it
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
            if isinstance(base, enum.IntEnum) and node.attr == "value":
                return base.value
        return Missing

    def members(self, node: ast.expr) -> ast.expr:
        """What a loop or a builtin runs over: if it is an IntEnum, a tuple of its numbers."""
        found = self.static(node)
        if not isinstance(found, enum.EnumMeta) or not issubclass(found, enum.IntEnum):
            return node
        numbers: list[ast.expr] = [ast.Constant(int(member)) for member in found]
        return ast.fix_missing_locations(ast.copy_location(ast.Tuple(numbers, ast.Load()), node))

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
        which = self.program.native("float_at" if self.program.float_weights else "word_at")
        return call(which, name(WEIGHTS), ast.Constant(place))

    def hand_on_weights(self, node: ast.Call, function: Any, bound: bool) -> None:
        """Where `weights` is an argument, the parameter is called so too; and where it is called so, it is given."""
        if self.program.weights is None:
            return
        known = isinstance(function, types.FunctionType) and function not in TWINS
        names = parameters(function) if known else ()
        given = arguments(node, names[bound:])
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
        if isinstance(member, property):
            return call(self.program.include(plain(member)), self.visit(node.value))
        known = self.constant(node)
        if known is not Missing:
            return self.embed(known, node, node.attr)
        if node.attr in cls._fields:
            return self.generic_visit(node)
        if isinstance(node.value, ast.Name) and node.value.id == self.self_name:
            raise self.error(
                node,
                f"{cls.__name__} has no field or constant {node.attr}",
                f"use one of its fields ({', '.join(cls._fields)})",
            )
        return self.generic_visit(node)

    def embed(self, value: Any, node: ast.AST, written: str = "") -> ast.expr:
        """A value known now, as it stands in the compiled code."""
        if isinstance(value, enum.IntEnum | np.int64):
            value = int(value)
        if isinstance(value, bool | int | float | None):
            return ast.copy_location(self.literal(value, node), node)
        if isinstance(value, tuple | list | range | np.ndarray):
            return self.table(value, node, written)
        self.check_data(value, node, written)
        if isinstance(value, type) and issubclass(value, Exception):
            return ast.copy_location(name(self.program.external(value)), node)
        if callable(value) and value in CHECKED:
            return ast.copy_location(name(self.program.native(CHECKED[value][0])), node)
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
        self.check_trusted(value, node, written)
        return ast.copy_location(name(self.program.external(value)), node)

    def check_data(self, value: Any, node: ast.AST, written: str) -> None:
        """Refuse data that rules cannot compute with, and names that stand for no value."""
        if isinstance(value, Weights):
            cure = "take weights as evaluate's parameter: `def evaluate(self, weights=weights)`"
            raise self.error(node, f"{written} would be compiled in", cure)
        if isinstance(value, str | bytes):
            raise self.error(
                node, "text cannot be compiled", "rules compute with ints; texts belong in __str__"
            )
        if isinstance(value, dict | set | frozenset | types.MappingProxyType):
            what = f"{written} is a {type(value).__name__}"
            raise self.error(node, what, "use a tuple, or the bits of an int")
        if inspect.ismodule(value) or isinstance(value, type) and value is self.program.cls:
            raise self.error(node, f"{written} is used as a value", "use one of its names")

    def check_trusted(self, value: Any, node: ast.AST, written: str) -> None:
        """Refuse whatever is not a library's function that compiled code may call."""
        if isinstance(value, enum.EnumMeta):
            cure = f"name a member of {written}, or loop over {written}"
            raise self.error(node, f"{written} is used as a value", cure)
        if isinstance(value, type):
            cure = f"rules use ints, tuples of ints and {self.program.cls.__name__}"
            raise self.error(node, f"{written} cannot be used in a rule", cure)
        if not callable(value):
            what = f"{written} is a {type(value).__name__}"
            raise self.error(node, what, "rules use ints, floats and tuples of them")
        if value not in TRUSTED:
            raise self.error(node, f"{written}() cannot be compiled", "write it as a function of yours")

    def number(self, node: ast.expr) -> int | float | None:
        """The number that an expression of constants means, exactly; None if it is something else.

        A division by zero is no number either, but an error where it comes to it.
        """
        values: list[Any]
        match node:
            case ast.Constant(value=int() | float() as value):
                return value
            case ast.Name() | ast.Attribute():
                found = self.static(node)
                if found is Missing and isinstance(node, ast.Attribute):
                    found = self.constant(node)
                if isinstance(found, enum.IntEnum | np.int64):
                    return int(found)
                return found if isinstance(found, int | float) else None
            case ast.UnaryOp(ast.USub() | ast.UAdd() | ast.Invert() as op, operand):
                values = [self.number(operand)]
            case ast.BinOp(left, op, right) if type(op) in OPERATORS:
                values = [self.number(left), self.number(right)]
            case _:
                return None
        if None in values:
            return None
        if isinstance(op, ast.Pow | ast.LShift) and values[1] > LONGEST_SHIFT:
            raise self.error(node, f"{ast.unparse(node)} has more than 64 bits", "use several ints")
        try:
            made = OPERATORS[type(op)](*values)
        except ZeroDivisionError:
            return None
        except (ArithmeticError, ValueError, TypeError):
            made = None
        if not isinstance(made, int | float):
            raise self.error(node, f"{ast.unparse(node)} has no value", "write another number")
        return made

    def constant(self, node: ast.Attribute) -> Any:
        """The class's constant that `x.NAME` is, x being a state; or Missing."""
        cls: Any = self.program.cls
        member = self.program.members.get(node.attr, Missing)
        if node.attr in cls._fields or isinstance(member, property | classmethod) or callable(member):
            return Missing
        self.program.watch(cls, node.attr, member)
        return member

    def literal(self, value: Any, node: ast.AST | None = None) -> ast.expr:
        """A number or tuple as source, ints wrapped to 64 bits."""
        if isinstance(value, tuple):
            if len({bool, int}.intersection(map(type, value))) > 1:
                value = tuple(int(v) if isinstance(v, bool) else v for v in value)
            return ast.Tuple([self.literal(v, node) for v in value], ast.Load())
        if isinstance(value, int) and not isinstance(value, bool):
            if not -(1 << 64) <= value < 1 << 64:  # a word, or ~ of one
                raise self.error(node or ast.Pass(), f"{value} has more than 64 bits", "use several ints")
            value = words.wrap(value)
            if value == -(1 << 63):  # Numba takes it for an unsigned number
                return call(self.program.native("wrap"), ast.Constant(value))
            if value < 0:
                return ast.UnaryOp(ast.USub(), ast.Constant(-value))
        return ast.Constant(value)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """A tuple; where it may hold bools beside ints, one of ints, which Numba can loop over and index."""
        new = self.generic_visit(node)
        if not ENABLED or isinstance(node.ctx, ast.Store) or len(new.elts) < 2:
            return new
        if not any(map(_may_be_bool, new.elts)):
            return new
        return ast.copy_location(call(self.program.native("alike"), new), node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Sums of constants are worked out here, with all their bits: (1 << 64) - 1, 1 << 63 >> 60."""
        value = self.number(node)
        if value is not None:
            return ast.copy_location(self.literal(value, node), node)
        if isinstance(node.op, ast.Pow):
            return call(self.program.native("power"), self.visit(node.left), self.exponent(node.right))
        new = self.generic_visit(node)
        new.right = self.shifted_by(new.op, new.right)
        return new

    def exponent(self, node: ast.expr) -> ast.expr:
        """The power that a number is raised to: Python makes a float of a negative one."""
        known = self.number(node)
        if isinstance(known, int) and known < 0:
            return ast.copy_location(ast.Constant(float(known)), node)
        return self.visit(node)

    def refuse_wide(self, *nodes: ast.expr) -> None:
        """Where more than the lower 64 bits count, no constant may have more than a signed word holds."""
        for node in nodes:
            if self.is_wide(node):
                raise self.error(
                    node, f"{ast.unparse(node)} may be beyond a signed word", "write wrap(...) around it"
                )

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node. Only here and there may an expression in it be beyond a signed word."""
        self.check_width(node)
        return super().visit(node)

    def check_width(self, node: ast.AST) -> None:
        """Refuse a node with a part that may be beyond a signed word where more than its lower 64 bits count."""
        if not self.takes_wide(node):
            parts = [p.value if isinstance(p, ast.keyword) else p for p in ast.iter_child_nodes(node)]
            self.refuse_wide(*[part for part in parts if isinstance(part, ast.expr)])

    def takes_wide(self, node: ast.AST) -> bool:
        """Whether the lower 64 bits of its parts, or whether they are 0, say all that matters to a node."""
        match node:
            case ast.BinOp(op=op):
                return isinstance(op, RING) or self.number(node) is not None
            case ast.UnaryOp() | ast.BoolOp() | ast.IfExp() | ast.Expr() | ast.If() | ast.While():
                return True
            case ast.keyword():
                return True  # it is looked at with the call
            case ast.AugAssign(op=op):
                return isinstance(op, RING)
            case ast.Assign() | ast.AnnAssign() | ast.For() | ast.comprehension() | ast.Tuple() | ast.List():
                return True  # the names that are given such a value are known: `wide`
            case ast.Return():
                return not self.is_rule
            case ast.Compare():
                return self.asks_for_bits(node)
            case ast.Subscript(slice=index):
                return not self.is_wide(index)
            case ast.Call(func=function, args=[ast.GeneratorExp()]) if self.static(function) in (sum, next):
                return True
            case ast.Call(func=function):
                return self.takes_words(function)
        return False

    def takes_words(self, function: ast.expr) -> bool:
        """Whether a function looks at the lower 64 bits of its arguments alone, or at none."""
        target = self.static(function)
        if isinstance(function, ast.Name) and function.id.startswith(PREFIX):  # our own
            return True
        if isinstance(target, types.FunctionType) and not in_standard_library(target):
            return True
        return target in (len, any, all, enumerate, zip, reversed, words.bits) or (
            callable(target) and plain(target) in TWINS
        )

    def is_wide(self, node: ast.expr) -> bool:
        """Whether a constant makes an expression greater than a signed word holds."""
        value = self.number(node)
        if value is not None:
            return isinstance(value, int) and not -(1 << 63) <= value < 1 << 63
        match node:
            case ast.Subscript(value=ast.Name(id=whole) as table, slice=ast.Constant(value=int() as i)):
                is_known = whole in self.locals and whole not in self.wide and i >= 0
                return item(whole, i) in self.wide if is_known else self.holds_wide(table)
            case ast.Subscript(value=inner) if not isinstance(inner, ast.Name | ast.Attribute):
                return self.is_wide(inner)
            case ast.Attribute(attr=name) if isinstance(self.program.members.get(name), property):
                return RETURNED in self.program.wide(plain(self.program.members[name]), self.function)
            case ast.Name() | ast.Attribute() | ast.Subscript():
                return self.holds_wide(node)
            case ast.Tuple(elts=items) | ast.List(elts=items):
                return any(map(self.is_wide, items))
            case ast.GeneratorExp(elt=each) | ast.ListComp(elt=each):
                return self.is_wide(each)
            case ast.Call(func=function, args=items, keywords=keywords):
                called, _ = self.callee(node)
                if called is not None:
                    parts = self.program.wide(called, self.function)
                    return RETURNED in parts or bool(items_of(RETURNED, parts))
                items = [*items, *[keyword.value for keyword in keywords]]
                return self.static(function) in CARRYING and any(map(self.is_wide, items))
            case ast.BoolOp(values=values):
                return any(map(self.is_wide, values))
            case ast.BinOp(left, ast.BitAnd(), right):
                within = [
                    n for n in map(self.number, (left, right)) if isinstance(n, int) and 0 <= n < 1 << 63
                ]
                return not within and (self.is_wide(left) or self.is_wide(right))
            case ast.BinOp(left, op, right) if isinstance(op, RING):
                return self.is_wide(left) or self.is_wide(right)
            case ast.UnaryOp(ast.USub() | ast.UAdd() | ast.Invert(), operand):
                return self.is_wide(operand)
            case ast.IfExp(_, body, orelse):
                return self.is_wide(body) or self.is_wide(orelse)
        return False

    def holds_wide(self, node: ast.expr) -> bool:
        """Whether a number of a constant table is beyond a signed word."""
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.locals:
            return node.id in self.wide or bool(self.wide_items(node))
        found = self.static(node)
        if found is Missing and isinstance(node, ast.Attribute):
            found = self.constant(node)
        return isinstance(found, tuple | list) and self.program.holds_wide(found)

    def wide_names(self, function: ast.AST) -> None:
        """Find the locals that somewhere are given what is beyond a signed word."""
        before = set(self.wide)
        for part in ast.walk(function):
            match part:
                case ast.Assign(targets, value) if self.wide_items(value):
                    for target in targets:
                        self.wide |= self.given_items(target, self.wide_items(value))
                case ast.Assign() | ast.AugAssign() | ast.AnnAssign(value=ast.expr()):
                    if self.is_wide(part.value):  # type: ignore[arg-type]
                        self.wide |= bound_names(part) | changed_names(part)
                case ast.For(target, source) | ast.comprehension(target, source):
                    if self.is_wide(source):
                        self.wide |= bound_names(target)
        if self.wide != before:
            self.wide_names(function)

    def wide_items(self, node: ast.expr) -> list[int]:
        """Which items of a tuple are beyond a signed word, if that is known of each."""
        match node:
            case ast.Tuple(elts=items):
                return [i for i, each in enumerate(items) if self.is_wide(each)]
            case ast.Name(id=whole) if whole in self.locals:
                return items_of(whole, self.wide)
            case ast.Call():
                called, _ = self.callee(node)
                if called is not None:
                    return items_of(RETURNED, self.program.wide(called, self.function))
        return []

    @staticmethod
    def given_items(target: ast.expr, wide: list[int]) -> set[str]:
        """The names, and items of names, that are given these items of a tuple."""
        match target:
            case ast.Name(id=whole):
                return {item(whole, i) for i in wide}
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                return bound_names(*[targets[i] for i in wide if i < len(targets)])
        return bound_names(target) | changed_names(target)

    def hand_on_wide(self, function: ast.AST) -> None:
        """Tell the program which functions are given what is beyond a signed word, and whether this one returns it."""
        for part in ast.walk(function):
            match part:
                case ast.Call():
                    called, bound = self.callee(part)
                    given = arguments(part, parameters(called)[bound:]) if called is not None else {}
                    for parameter, argument in given.items():
                        for i in self.wide_items(argument):
                            self.program.note_wide(called, item(parameter, i))
                        if self.is_wide(argument) and not self.wide_items(argument):
                            self.program.note_wide(called, parameter)
                case ast.Return(value=ast.expr() as value) if items := self.wide_items(value):
                    for i in items:
                        self.program.note_wide(self.function, item(RETURNED, i))
                case ast.Return(value=ast.expr() as value) if self.is_wide(value):
                    self.program.note_wide(self.function, RETURNED)

    def callee(self, node: ast.Call) -> tuple[Any, bool]:
        """The function of the user's that is called, or None; and whether it is bound to a state."""
        raise NotImplementedError

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.number(node)
        if value is not None:
            return ast.copy_location(self.literal(value, node), node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Name | ast.Call):  # maybe a list
            return ast.IfExp(self.visit(node.operand), ast.Constant(False), ast.Constant(True))
        if isinstance(node.op, ast.Invert):
            return ast.copy_location(call(self.program.native("invert"), self.visit(node.operand)), node)
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        new = self.generic_visit(node)
        new.value = self.shifted_by(new.op, new.value)
        return new

    def shifted_by(self, operator: ast.operator, by: ast.expr) -> ast.expr:
        """The right side of an operation; of a shift the six bits that count: for LLVM there are no other shifts."""
        if not ENABLED or not isinstance(operator, ast.LShift | ast.RShift):
            return by
        known = _constant(by)
        return by if known is not None and 0 <= known <= 63 else ast.BinOp(by, ast.BitAnd(), ast.Constant(63))

    def visit_MatchSequence(self, node: ast.AST) -> Any:
        raise self.error(
            node, "match takes a sequence or an object apart", "compare its items with `if` and `elif`"
        )

    visit_MatchMapping = visit_MatchClass = visit_MatchStar = visit_MatchSequence

    def visit_Constant(self, node: ast.Constant) -> Any:
        if node.value is ...:
            raise self.error(node, "... is no value", "write a number")
        if isinstance(node.value, str | bytes | complex):
            raise self.error(
                node, "text cannot be compiled", "rules compute with ints; texts belong in __str__"
            )
        return ast.copy_location(self.literal(node.value, node), node)

    def table(self, value: Any, node: ast.AST, written: str) -> ast.expr:
        """A constant sequence: a short one is written in place, a longer one becomes an array."""
        self.program.watch_content(value)
        if isinstance(value, np.ndarray) and value.dtype not in (np.int64, np.float64):
            raise self.error(
                node,
                f"{written} holds {value.dtype}, which computes otherwise",
                "write .astype(int) or .tolist()",
            )
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
            place = self.visit if isinstance(found, np.ndarray) else self.place_in
            index = ast.Tuple([place(i) for i in indices], ast.Load())
            return ast.Subscript(self.visit(base), index, ast.Load())
        if isinstance(node.slice, ast.Tuple):
            index = ast.Tuple([self.visit(i) for i in node.slice.elts], ast.Load())
            return ast.Subscript(self.visit(node.value), index, ast.Load())
        if isinstance(node.slice, ast.Slice | ast.Constant) or _constant(node.slice) is not None:
            return self.generic_visit(node)
        return call(self.program.native("at"), self.visit(node.value), self.visit(node.slice))

    def place_in(self, index: ast.expr) -> ast.expr:
        """An index of a sequence, which may be a bool; for NumPy, whose tables we read by, that is a mask."""
        value = self.visit(index)
        return value if type(_constant(index)) is int else call(self.program.native("as_index"), value)

    def visit_Assign(self, node: ast.Assign) -> Any:
        if isinstance(node.value, ast.Tuple) and all(isinstance(t, ast.Tuple) for t in node.targets):
            items = [self.visit(item) for item in node.value.elts]  # each goes to a name of its own
            return ast.Assign([self.visit(t) for t in node.targets], ast.Tuple(items, ast.Load()))
        return self.generic_visit(node)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> Any:
        if node.value is None:
            return None
        return ast.Assign([self.visit(node.target)], self.visit(node.value))

    def visit_Compare(self, node: ast.Compare) -> Any:
        for op, left, right in zip(node.ops, [node.left, *node.comparators], node.comparators, strict=False):
            if isinstance(op, ast.Is | ast.IsNot) and not (_is_none(left) or _is_none(right)):
                raise self.error(node, f"`{ast.unparse(node)}` compares objects", "write == instead of `is`")
        # `x in [1, 2]`: a list would be built on the heap each time
        node.comparators = [
            ast.copy_location(ast.Tuple(c.elts, ast.Load()), c) if isinstance(c, ast.List) else c
            for c in node.comparators
        ]
        return self.generic_visit(node)

    def asks_for_bits(self, node: ast.Compare) -> bool:
        """`x == 0` or `x != 0`: whether any bit is set, be the word signed or not."""
        match node:
            case ast.Compare(_, [ast.Eq() | ast.NotEq()], [zero]):
                return self.number(zero) == 0
        return False

    def visit_Assert(self, node: ast.Assert) -> Any:
        return ast.Assert(self.visit(node.test), None)

    def visit_Raise(self, node: ast.Raise) -> Any:
        exception = node.exc
        if isinstance(exception, ast.Call):  # what it says may be text: that is no value of a rule
            said: list[ast.expr] = [a for a in exception.args if isinstance(a, ast.Constant)]
            return ast.Raise(ast.Call(self.visit(exception.func), said, []))
        return ast.Raise(self.visit(exception)) if exception is not None else node


def item(whole: str, i: int) -> str:
    """How an item of a tuple is called among the names of what is beyond a signed word."""
    return f"{whole} {i}"


def whole_of(part: str) -> str:
    """The name that an item of a tuple belongs to; a name's own."""
    return part.partition(" ")[0]


def items_of(whole: str, wide: set[str]) -> list[int]:
    """The items of a tuple among these names; none where it is there as a whole."""
    start = item(whole, 0)[:-1]
    return [] if whole in wide else sorted(int(name[len(start) :]) for name in wide if name.startswith(start))


def parameters(function: types.FunctionType) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def is_beyond(value: Any) -> bool:
    """Whether a number, or one of a table, is beyond a signed word."""
    if isinstance(value, list | tuple):
        return any(map(is_beyond, value))
    return isinstance(value, int) and not -(1 << 63) <= value < 1 << 63


def _signed(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return [_signed(v) for v in values]
    if isinstance(values, int) and not isinstance(values, bool):
        if not -(1 << 63) <= values < 1 << 64:
            raise OverflowError
        return words.wrap(values)
    return values


def _depth(table: Any) -> int:
    """How many indices lead to a number."""
    if isinstance(table, np.ndarray):
        return table.ndim
    return 1 + _depth(table[0]) if isinstance(table, tuple | list) and len(table) else 0


def _may_be_bool(node: ast.expr) -> bool:
    """Whether an expression may be True or False, as far as its form says."""
    match node:
        case ast.Constant(value=value):
            return isinstance(value, bool)
        case ast.BinOp(op=ast.BitAnd() | ast.BitOr() | ast.BitXor()):
            return True
        case ast.BinOp() | ast.UnaryOp(op=ast.USub() | ast.UAdd() | ast.Invert()) | ast.Tuple() | ast.List():
            return False
    return True


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _constant(node: ast.expr) -> int | float | None:
    """The number that a node writes, if it is one."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None
