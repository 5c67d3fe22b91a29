"""What is known at compile time: the objects that names refer to, and the numbers of constant expressions."""

import ast
import enum
import inspect
import operator
import types
from typing import TYPE_CHECKING, Any

import numpy as np

from outplay.compile.source import Missing, Place, lookup
from outplay.compile.syntax import PREFIX

if TYPE_CHECKING:
    from outplay.compile.program import Program

LONGEST_SHIFT = 1024  # the largest shift or exponent in a constant expression
OPERATORS: dict[Any, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv,
    ast.FloorDiv: operator.floordiv, ast.Mod: operator.mod, ast.Pow: operator.pow,
    ast.LShift: operator.lshift, ast.RShift: operator.rshift,
    ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert,
}  # fmt: skip


class Constants(ast.NodeTransformer):
    """Evaluates constants in a function. `self_name` is the state's name in a method."""

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
        self.fills = fills  # whether it writes into memory: a generator, or `actions`
        self.counter = 0
        self.locals: set[str] = set()
        self.wide: set[str] = set()  # locals that may exceed int64
        self.is_rule = function in program.asked  # whether searches call it
        self.handed: set[ast.expr] = set()  # the nodes of `weights` as an argument

    def error(self, node: ast.AST, what: str, cure: str) -> Exception:
        return self.place.error(getattr(node, "lineno", 0), what, cure)

    def fresh(self, what: str) -> str:
        self.counter += 1
        return f"{PREFIX}{what}{self.counter}"

    def static(self, node: ast.expr) -> Any:
        """The object that an expression refers to at compile time, or Missing."""
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
        """The iterable of a loop or builtin; an IntEnum becomes a tuple of its numbers."""
        found = self.static(node)
        if not isinstance(found, enum.EnumMeta) or not issubclass(found, enum.IntEnum):
            return node
        numbers: list[ast.expr] = [ast.Constant(int(member)) for member in found]
        return ast.fix_missing_locations(ast.copy_location(ast.Tuple(numbers, ast.Load()), node))

    def constant(self, node: ast.Attribute) -> Any:
        """The class constant that `x.NAME` refers to for a state x, or Missing."""
        cls: Any = self.program.cls
        member = self.program.members.get(node.attr, Missing)
        if node.attr in cls._fields or isinstance(member, property | classmethod) or callable(member):
            return Missing
        self.program.watch(cls, node.attr, member)
        return member

    def number(self, node: ast.expr) -> int | float | None:
        """The exact number that a constant expression evaluates to; None if it is not constant.

        Division by zero gives None, too: it raises an error only if it is executed.
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
