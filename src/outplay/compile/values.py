"""Names and values: what is known at compile time becomes part of the program."""

import ast
import builtins
import enum
import inspect
import math
import types
from typing import Any

import numpy as np

from outplay import words
from outplay.compile.arithmetic import CHECKED
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import TWINS
from outplay.compile.source import Missing, in_standard_library, plain
from outplay.compile.syntax import PREFIX, arguments, call, name
from outplay.compile.width import Width, parameters
from outplay.game import MAX_FIELD
from outplay.standard import IMPURE
from outplay.weights import Weights

WEIGHTS = "weights"  # the required name of every parameter for the weights
SMALL_TABLE = 8  # sequences up to this length become tuple literals; loops over them are unrolled

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
# The library functions that Numba compiles with Python's semantics and that access no memory but their own.
TRUSTED = {
    math.gcd, math.isnan, math.isinf, math.isfinite, np.zeros, np.ones, np.full, np.arange, np.array,
}  # fmt: skip
BUILTINS = {
    "abs", "bool", "divmod", "enumerate", "float", "int", "len", "list", "max", "min", "pow", "range", "round",
    "sorted", "sum", "tuple", "zip", "any", "all", "next", "reversed", "True", "False", "None",
}  # fmt: skip


class Values(Width):
    """Rewrites names, attributes, constants and subscripts."""

    def block(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """Statements, each rewritten to any number of statements."""
        done: list[ast.stmt] = []
        for statement in statements:
            new = self.visit(statement)
            for s in new if isinstance(new, list) else [new]:
                if s is not None:
                    done.append(ast.fix_missing_locations(ast.copy_location(s, statement)))
        return done

    def generic_visit(self, node: ast.AST) -> Any:
        for kind, (what, cure) in CURES.items():
            if isinstance(node, kind):
                raise self.error(node, what, cure)
        return super().generic_visit(node)

    # --- weights -----------------------------------------------------------------------------------------

    def is_weights(self, node: ast.expr) -> bool:
        """Whether a name means the weights: in a class with weights, any local with that name."""
        named = isinstance(node, ast.Name) and node.id == WEIGHTS
        return named and WEIGHTS in self.locals and self.program.weights is not None

    def weight(self, node: ast.expr, index: ast.expr | None = None) -> ast.expr | None:
        """`weights.NAME` or `weights.NAME[index]` as a read from the block of weights; None if it is something else."""
        if not isinstance(node, ast.Attribute) or not self.is_weights(node.value):
            return None
        layout = self.program.layout()
        if node.attr not in layout:
            raise self.error(node, f"there is no weight {node.attr}", f"weights: {', '.join(layout)}")
        start, size = layout[node.attr]
        if size is None:
            if index is not None:
                raise self.error(node, f"weights.{node.attr} is one number", "remove the index")
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
            raise self.error(node, f"weights.{node.attr}[{known}] is out of range", f"it has {size} numbers")
        return self.read_weight(start + known % size)

    def read_weight(self, place: int) -> ast.expr:
        which = self.program.native("float_at" if self.program.float_weights else "word_at")
        return call(which, name(WEIGHTS), ast.Constant(place))

    def hand_on_weights(self, node: ast.Call, function: Any, bound: bool) -> None:
        """Check that `weights` is passed exactly to the parameters with that name."""
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
        """A value known at compile time, as a node of the compiled code."""
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
                    node, f"{written}() cannot be compiled", "rules compute with ints; remove it"
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
        """Refuse data that rules cannot compute with, and names that are not values."""
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
        if getattr(type(value), "__hash__", None) is None:
            raise self.error(
                node, f"{written} is a {type(value).__name__}", "use numbers, or a class of constants"
            )
        if inspect.ismodule(value) or isinstance(value, type) and value is self.program.cls:
            raise self.error(node, f"{written} is used as a value", "use one of its names")

    def check_trusted(self, value: Any, node: ast.AST, written: str) -> None:
        """Refuse everything except library functions that compiled code may call."""
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

    def literal(self, value: Any, node: ast.AST | None = None) -> ast.expr:
        """A number or tuple as a node, with ints wrapped to 64 bits."""
        if isinstance(value, tuple):
            if len({bool, int}.intersection(map(type, value))) > 1:
                value = tuple(int(v) if isinstance(v, bool) else v for v in value)
            return ast.Tuple([self.literal(v, node) for v in value], ast.Load())
        if isinstance(value, int) and not isinstance(value, bool):
            if not -(1 << 64) <= value < 1 << 64:  # a word, or ~ of one
                raise self.error(node or ast.Pass(), f"{value} has more than 64 bits", "use several ints")
            value = words.wrap(value)
            if value == -(1 << 63):  # Numba would take it as unsigned
                return call(self.program.native("wrap"), ast.Constant(value))
            if value < 0:
                return ast.UnaryOp(ast.USub(), ast.Constant(-value))
        return ast.Constant(value)

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        """A tuple; if it may mix bools and ints, one of ints, which Numba can loop over and index."""
        new = self.generic_visit(node)
        if not ENABLED or isinstance(node.ctx, ast.Store) or len(new.elts) < 2:
            return new
        if not any(map(_may_be_bool, new.elts)):
            return new
        return ast.copy_location(call(self.program.native("alike"), new), node)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        """Constant expressions are evaluated here, with any number of bits: (1 << 64) - 1, 1 << 63 >> 60."""
        value = self.number(node)
        if value is not None:
            return ast.copy_location(self.literal(value, node), node)
        if isinstance(node.op, ast.Pow):
            return call(self.program.native("power"), self.visit(node.left), self.exponent(node.right))
        new = self.generic_visit(node)
        new.right = self.shifted_by(new.op, new.right)
        return new

    def exponent(self, node: ast.expr) -> ast.expr:
        """An exponent; a negative constant becomes a float, since Python's result is one."""
        known = self.number(node)
        if isinstance(known, int) and known < 0:
            return ast.copy_location(ast.Constant(float(known)), node)
        return self.visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        value = self.number(node)
        if value is not None:
            return ast.copy_location(self.literal(value, node), node)
        if isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Name | ast.Call):  # possibly a list
            return ast.IfExp(self.visit(node.operand), ast.Constant(False), ast.Constant(True))
        if isinstance(node.op, ast.Invert):
            return ast.copy_location(call(self.program.native("invert"), self.visit(node.operand)), node)
        return self.generic_visit(node)

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        new = self.generic_visit(node)
        new.value = self.shifted_by(new.op, new.value)
        return new

    def shifted_by(self, operator: ast.operator, by: ast.expr) -> ast.expr:
        """The right operand; of a shift only its lowest six bits, since LLVM leaves longer shifts undefined."""
        if not ENABLED or not isinstance(operator, ast.LShift | ast.RShift):
            return by
        known = _constant(by)
        return by if known is not None and 0 <= known <= 63 else ast.BinOp(by, ast.BitAnd(), ast.Constant(63))

    def visit_MatchSequence(self, node: ast.AST) -> Any:
        raise self.error(
            node, "match unpacks a sequence or an object", "compare its items with `if` and `elif`"
        )

    visit_MatchMapping = visit_MatchClass = visit_MatchStar = visit_MatchSequence

    def visit_Constant(self, node: ast.Constant) -> Any:
        if node.value is ...:
            raise self.error(node, "... is not a value", "write a number")
        if isinstance(node.value, str | bytes | complex):
            raise self.error(
                node, "text cannot be compiled", "rules compute with ints; texts belong in __str__"
            )
        return ast.copy_location(self.literal(node.value, node), node)

    def table(self, value: Any, node: ast.AST, written: str) -> ast.expr:
        """A constant sequence: a short one becomes a tuple literal, a longer one an array."""
        self.program.watch_content(value)
        if isinstance(value, np.ndarray) and value.dtype not in (np.int64, np.float64):
            raise self.error(
                node,
                f"{written} holds {value.dtype}, which has other arithmetic",
                "write .astype(int) or .tolist()",
            )
        listed = value.tolist() if isinstance(value, np.ndarray) else list(value)
        if len(listed) <= SMALL_TABLE and all(isinstance(v, int | float | np.number) for v in listed):
            return ast.copy_location(self.literal(tuple(listed), node), node)
        try:
            array = np.array(listed)
            if array.dtype != np.int64:  # unsigned words with bit 63 set
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
        """An index of a sequence; it may be a bool, which as an index of a NumPy array would be a mask."""
        value = self.visit(index)
        return value if type(_constant(index)) is int else call(self.program.native("as_index"), value)

    def visit_Assign(self, node: ast.Assign) -> Any:
        if isinstance(node.value, ast.Tuple) and all(isinstance(t, ast.Tuple) for t in node.targets):
            items = [self.visit(item) for item in node.value.elts]  # no tuple is built
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
        # `x in [1, 2]`: a list would be allocated each time
        node.comparators = [
            ast.copy_location(ast.Tuple(c.elts, ast.Load()), c) if isinstance(c, ast.List) else c
            for c in node.comparators
        ]
        return self.generic_visit(node)

    def visit_Assert(self, node: ast.Assert) -> Any:
        return ast.Assert(self.visit(node.test), None)

    def visit_Raise(self, node: ast.Raise) -> Any:
        exception = node.exc
        if isinstance(exception, ast.Call):  # its message may be text, which rules do not support
            said: list[ast.expr] = [a for a in exception.args if isinstance(a, ast.Constant)]
            return ast.Raise(ast.Call(self.visit(exception.func), said, []))
        return ast.Raise(self.visit(exception)) if exception is not None else node


def _signed(values: Any) -> Any:
    if isinstance(values, list | tuple):
        return [_signed(v) for v in values]
    if isinstance(values, int) and not isinstance(values, bool):
        if not -(1 << 63) <= values < 1 << 64:
            raise OverflowError
        return words.wrap(values)
    return values


def _depth(table: Any) -> int:
    """The number of dimensions of a table."""
    if isinstance(table, np.ndarray):
        return table.ndim
    return 1 + _depth(table[0]) if isinstance(table, tuple | list) and len(table) else 0


def _may_be_bool(node: ast.expr) -> bool:
    """Whether an expression may be a bool, judged by its syntax."""
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
    """The number that a node writes, or None."""
    match node:
        case ast.Constant(value=int() | float() as value):
            return value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as value)):
            return -value
    return None
