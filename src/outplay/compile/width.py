"""Width: which expressions may exceed int64, and where that matters.

Python's ints have any number of bits, compiled ones wrap at 64. So an unsigned constant such as 1 << 63 is allowed
where only the lowest 64 bits count, as in bit operations; elsewhere, as in a comparison, it is refused.
"""

import ast
import types
from typing import Any

from outplay import words
from outplay.compile.constants import Constants
from outplay.compile.runtime import TWINS
from outplay.compile.source import Missing, in_standard_library, plain
from outplay.compile.syntax import PREFIX, arguments, bound_names, changed_names

# The lowest 64 bits of these operations' results depend only on the lowest 64 bits of the operands.
RING = (ast.Add, ast.Sub, ast.Mult, ast.LShift, ast.BitAnd, ast.BitOr, ast.BitXor)
# Functions whose results contain their arguments' numbers.
CARRYING = (enumerate, zip, reversed, next, sum, min, max, list, tuple, sorted, words.put)
RETURNED = "return"  # stands for a function's result among the names of its parameters


class Width(Constants):
    """Tracks which locals, parameters and results may exceed int64."""

    def visit(self, node: ast.AST) -> Any:
        """Rewrite a node, after checking where its parts may exceed int64."""
        self.check_width(node)
        return super().visit(node)

    def check_width(self, node: ast.AST) -> None:
        """Refuse a node with a part that may exceed int64 if more than its lowest 64 bits count."""
        if not self.takes_wide(node):
            parts = [p.value if isinstance(p, ast.keyword) else p for p in ast.iter_child_nodes(node)]
            self.refuse_wide(*[part for part in parts if isinstance(part, ast.expr)])

    def refuse_wide(self, *nodes: ast.expr) -> None:
        """Refuse expressions that may exceed int64."""
        for node in nodes:
            if self.is_wide(node):
                raise self.error(
                    node, f"{ast.unparse(node)} may exceed a signed 64-bit int", "write wrap(...) around it"
                )

    def takes_wide(self, node: ast.AST) -> bool:
        """Whether a node depends only on the lowest 64 bits of its parts, or on whether they are 0."""
        match node:
            case ast.BinOp(op=op):
                return isinstance(op, RING) or self.number(node) is not None
            case ast.UnaryOp() | ast.BoolOp() | ast.IfExp() | ast.Expr() | ast.If() | ast.While():
                return True
            case ast.keyword():
                return True  # checked with the call
            case ast.AugAssign(op=op):
                return isinstance(op, RING)
            case ast.Assign() | ast.AnnAssign() | ast.For() | ast.comprehension() | ast.Tuple() | ast.List():
                return True  # these names are tracked in `wide`
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
        """Whether a function uses only the lowest 64 bits of its arguments."""
        target = self.static(function)
        if isinstance(function, ast.Name) and function.id.startswith(PREFIX):  # our own
            return True
        if isinstance(target, types.FunctionType) and not in_standard_library(target):
            return True
        return target in (len, any, all, enumerate, zip, reversed, words.bits) or (
            callable(target) and plain(target) in TWINS
        )

    def asks_for_bits(self, node: ast.Compare) -> bool:
        """`x == 0` or `x != 0`, which do not depend on the sign."""
        match node:
            case ast.Compare(_, [ast.Eq() | ast.NotEq()], [zero]):
                return self.number(zero) == 0
        return False

    def is_wide(self, node: ast.expr) -> bool:
        """Whether an expression may exceed int64 because of a constant."""
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
        """Whether a local or a number of a constant table may exceed int64."""
        while isinstance(node, ast.Subscript):
            node = node.value
        if isinstance(node, ast.Name) and node.id in self.locals:
            return node.id in self.wide or bool(self.wide_items(node))
        found = self.static(node)
        if found is Missing and isinstance(node, ast.Attribute):
            found = self.constant(node)
        return isinstance(found, tuple | list) and self.program.holds_wide(found)

    def wide_names(self, function: ast.AST) -> None:
        """Find the locals that may be assigned a value beyond int64."""
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
        """The indices of the items of a tuple that may exceed int64, if known item by item."""
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
        """The names, and items of names, that these items of a tuple are assigned to."""
        match target:
            case ast.Name(id=whole):
                return {item(whole, i) for i in wide}
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                return bound_names(*[targets[i] for i in wide if i < len(targets)])
        return bound_names(target) | changed_names(target)

    def hand_on_wide(self, function: ast.AST) -> None:
        """Report to the program which called functions get values beyond int64, and whether this one returns one."""
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
        """The user's function that is called, or None; and whether it is bound to a state."""
        raise NotImplementedError


def item(whole: str, i: int) -> str:
    """The name of a tuple's item in sets of wide names."""
    return f"{whole} {i}"


def whole_of(part: str) -> str:
    """The tuple's name of an item; a plain name itself."""
    return part.partition(" ")[0]


def items_of(whole: str, wide: set[str]) -> list[int]:
    """The indices of a tuple's items among wide names; none if the tuple as a whole is wide."""
    start = item(whole, 0)[:-1]
    return [] if whole in wide else sorted(int(name[len(start) :]) for name in wide if name.startswith(start))


def parameters(function: types.FunctionType) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]


def is_beyond(value: Any) -> bool:
    """Whether a number, or any in a table, exceeds int64."""
    if isinstance(value, list | tuple):
        return any(map(is_beyond, value))
    return isinstance(value, int) and not -(1 << 63) <= value < 1 << 63
