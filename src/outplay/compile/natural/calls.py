"""Calls: of functions, methods, classes, builtins and the standard library's functions."""

import ast
import enum
import functools
import inspect
import math
import operator
import types
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from outplay import words as bitwords
from outplay.compile.arithmetic import CHECKED
from outplay.compile.natural import library
from outplay.compile.natural.kinds import (
    FLOAT,
    INT,
    UNKNOWN,
    Applied,
    Bound,
    Cannot,
    Items,
    Local,
    Member,
    OneOf,
    Record,
    Run,
    Simple,
    Static,
    is_function,
    is_number,
    is_word,
    join,
    own_method,
    words,
)
from outplay.compile.natural.objects import is_object
from outplay.compile.natural.operators import Operators
from outplay.compile.natural.values import NEVER, ROOM, Value
from outplay.compile.runtime import TWINS
from outplay.compile.source import Missing, in_standard_library, plain
from outplay.standard import IMPURE

OPERATORS: dict[Any, Any] = {
    operator.add: ast.Add, operator.sub: ast.Sub, operator.mul: ast.Mult, operator.floordiv: ast.FloorDiv,
    operator.mod: ast.Mod, operator.and_: ast.BitAnd, operator.or_: ast.BitOr, operator.xor: ast.BitXor,
    operator.truediv: ast.Div, operator.pow: ast.Pow, operator.lshift: ast.LShift, operator.rshift: ast.RShift,
}  # fmt: skip
COMPARED: dict[Any, Any] = {
    operator.eq: ast.Eq, operator.ne: ast.NotEq, operator.lt: ast.Lt, operator.le: ast.LtE, operator.gt: ast.Gt,
    operator.ge: ast.GtE,
}  # fmt: skip
INT_FUNCTIONS: dict[Any, str] = {
    math.gcd: "gcd", math.factorial: "factorial", math.comb: "comb", math.perm: "perm", math.isqrt: "isqrt",
}  # fmt: skip


class Calls(Operators):
    """Compiles calls."""

    deep = 0  # nesting depth of calls of Python's own functions
    given_nodes: dict[Any, Any]
    gathered: dict[ast.Call, ast.Tuple]  # by call: the arguments that a * parameter collects

    def visit_Call(self, node: ast.Call) -> Value:
        called = self.static(node.func)
        if called is not Missing and not isinstance(called, enum.Enum):
            return self.call_static(called, node)
        is_member = isinstance(called, enum.Enum)
        if not is_member and isinstance(node.func, ast.Attribute):
            return self.method(node, node.func)
        function = self.expr(node.func)
        wanted = None
        if isinstance(function.kind, Local):
            taken = function.kind.node.args
            wanted = None if taken.vararg else len(taken.args) - len(taken.defaults)
        return self.call_value(function, self.arguments(node, wanted), self.keywords(node))

    def arguments(self, node: ast.Call, wanted: int | None = None, as_is: bool = False) -> list[Value]:
        """The arguments of a call; `as_is`: a run's items may stay as compact as in a state."""
        made: list[Value] = []
        others = len(node.args) - 1 + len(node.keywords)
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                value = self.expr(argument.value)
                known = isinstance(value.kind, Items | Record) or value.kind == UNKNOWN
                size = self.size_of(value)
                if size is None and not known and wanted and isinstance(value.kind, Run):
                    size = max(wanted - others, 0)
                    with self.block(f"if {self.run(value)[1]} != {size}:"):
                        self.beyond("* passes another number of arguments")  # which Python may accept, or not
                if value.kind == UNKNOWN and wanted:  # the next pass knows more
                    made += [NEVER] * max(wanted - others, 0)
                else:
                    made += self.unpacked(value, None if known else size)
            else:
                value = self.passed(argument) if as_is else self.expr(argument)
                made.append(value if value.fresh else self.held(value))
        return made

    def passed(self, node: ast.expr) -> Value:
        """An argument of a user's function."""
        value = self.cells(node)
        return self.wide(value) if isinstance(value.kind, Run) and value.kind.type == "array" else value

    def keywords(self, node: ast.Call) -> dict[str, Value]:
        if any(k.arg is None for k in node.keywords):
            raise Cannot("** cannot be compiled", "write the arguments out")
        return {str(k.arg): self.passed(k.value) for k in node.keywords}

    def call_value(
        self, function: Value, args: list[Value], keywords: dict[str, Value] | None = None
    ) -> Value:
        """Call a function that was computed or named."""
        with self.careful():
            return self.call_given(function, args, keywords)

    def call_given(self, function: Value, args: list[Value], keywords: dict[str, Value] | None) -> Value:
        function = self.present(function, "None is called")
        match function.kind:
            case Local():
                return self.call_local(function, args, keywords or {})
            case Static(called):
                target = plain(called)
                if isinstance(called, functools.partial):
                    given = [self.embed(a) for a in called.args]
                    return self.call_value(self.embed(called.func), [*given, *args], keywords)
                if (
                    isinstance(target, types.FunctionType)
                    and called not in TWINS
                    and not in_standard_library(called)
                ):
                    return self.call_function(target, args, keywords or {})
                return self.call_with(called, args, keywords or {})
            case Bound(owner, name):
                own = Value(owner, function.words, origin=function.origin)
                return self.call_bound(own, name, args, keywords or {})
            case Applied(inner, given, names):
                first, *rest = self.parts(Value(Items((inner, *given)), function.words))
                places, named = rest[: len(rest) - len(names)], rest[len(rest) - len(names) :]
                keywords = {**dict(zip(names, named, strict=True)), **(keywords or {})}
                return self.call_value(first, [*places, *args], keywords)
            case OneOf(kinds) if all(map(is_function, kinds)):
                args = [a if a.fresh else self.held(a) for a in args]
                return self.call_one(function.words[0], 1, self.alternatives(function), args, keywords or {})
            case Record(cls, _) | Member(cls) if own_method(cls, "__call__"):
                return self.call_bound(function, "__call__", args, keywords or {})
            case Simple("unknown"):
                return NEVER
        cure = "call a function, or rename the local that hides it"
        raise Cannot(f"{function.kind} is called as a function", cure)

    def call_one(
        self, which: str, place: int, functions: list[Value], args: list[Value], keywords: dict[str, Value]
    ) -> Value:
        """Call one of several functions, chosen by a number."""
        first, *rest = functions
        if not rest:
            return self.call_value(first, args, keywords)
        with self.captured() as lines:
            one = self.call_value(first, args, keywords)
        with self.captured() as others:
            two = self.call_one(which, place + 1, rest, args, keywords)
        return self.chosen(f"{which} == {place}", one, lines, two, others)

    def call_with(self, called: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Call a Python function with values, which get temporary names."""
        with self.naming(getattr(called, "__name__", ""), args, keywords) as node:
            return self.call_static(called, node)

    def call_bound(self, owner: Value, name: str, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Call a method of a value."""
        if name == "__getitem__":
            return self.indexed(owner, args[0])
        if name == "__contains__":
            return self.flag(f"{self.find(owner, args[0])} >= 0")
        with self.naming(name, [owner, *args], keywords) as node:
            first, *rest = node.args
            key = (node, "method")
            if key not in self.given_nodes:
                self.given_nodes[key] = ast.Call(ast.Attribute(first, name, ast.Load()), rest, node.keywords)
            made = self.given_nodes[key]
            assert isinstance(made.func, ast.Attribute)
            return self.method(made, made.func)

    @contextmanager
    def naming(self, name: str, args: list[Value], keywords: dict[str, Value]) -> Iterator[ast.Call]:
        """A call node whose arguments are temporary names of values."""
        self.deep += 1
        names = [f"given {self.deep} {i}" for i in range(len(args) + len(keywords))]
        for each, value in zip(names, (*args, *keywords.values()), strict=True):
            self.env[each] = value
            self.locals.add(each)
        key = (self.here, self.deep, name, len(args), *keywords)
        if key not in self.given_nodes:  # it must be the same node in every pass
            loads: list[ast.expr] = [ast.Name(each, ast.Load()) for each in names]
            given = [ast.keyword(k, n) for k, n in zip(keywords, loads[len(args) :], strict=True)]
            self.given_nodes[key] = ast.Call(ast.Constant(0), loads[: len(args)], given)
        try:
            yield self.given_nodes[key]
        finally:
            self.deep -= 1
            for each in names:
                self.env.pop(each)

    def call_static(self, called: Any, node: ast.Call) -> Value:
        """Call a function that is known at compile time."""
        found = self.builtin(called, node)
        if found is not None:
            return found
        if hashable(called) and called in library.REPLACED:
            return self.call_function(library.REPLACED[called], self.all_arguments(node), self.keywords(node))
        if isinstance(called, operator.itemgetter | operator.attrgetter | operator.methodcaller):
            return self.call_getter(called, self.arguments(node))
        if not hashable(called):
            raise Cannot(f"{type(called).__name__} is called", "call a method of it by its name")
        if called in OPERATORS:
            a, b = self.arguments(node, 2)
            return self.operate(OPERATORS[called], a, b)
        if called in COMPARED:
            a, b = self.arguments(node, 2)
            return self.flag(self.compare_values(COMPARED[called](), a, b))
        if called in INT_FUNCTIONS:
            values = [self.word_of(v) for v in self.arguments(node)]
            if called is math.perm and len(values) == 1:
                return self.of(INT, f"factorial({values[0]})")
            return self.of(INT, f"{INT_FUNCTIONS[called]}({', '.join(values)})")
        if hashable(called) and called in CHECKED and called not in (int, round, float):
            return self.of_math(called, self.arguments(node))
        if isinstance(called, type):
            return self.construct(called, node)
        target = plain(called)
        if hashable(target) and target in TWINS:
            return self.of_words(target, self.arguments(node, as_is=target is bitwords.put))
        if isinstance(called, functools.partial):
            return self.call_value(Value(Static(called)), self.arguments(node), self.keywords(node))
        if isinstance(called, types.MethodType) and isinstance(called.__self__, type):
            own = Value(Static(called.__self__))
            return self.call_function(called.__func__, [own, *self.arguments(node)], self.keywords(node))
        if isinstance(called, types.MethodType) and is_object(called.__self__):
            return self.call_written(plain(called.__func__), node, [Value(Static(called.__self__))])
        if isinstance(target, types.FunctionType) and not in_standard_library(target):
            return self.call_written(target, node)
        if called is str.maketrans:
            known = [value.constant for value in self.arguments(node)]
            if Missing not in known:
                return self.embed(str.maketrans(*known))
        if isinstance(called, types.BuiltinMethodType) and isinstance(called.__self__, str | tuple):
            return self.call_of_constant(called, node)
        if (
            isinstance(getattr(called, "__self__", None), int | float) and not node.args
        ):  # Piece.KING.bit_length()
            return self.embed(called())
        module = getattr(called, "__module__", None) or ""
        written = getattr(called, "__name__", str(called))
        if module in IMPURE or module.startswith("numpy.random"):
            raise Cannot(f"{written} is not a function of the state", "chance goes through CHANCE nodes")
        raise Cannot(f"{written}() cannot be compiled", "compute with numbers, texts, tuples and lists")

    def call_of_constant(self, called: Any, node: ast.Call) -> Value:
        """Call a method of a constant text or tuple by a name of its own: `cat = ''.join`."""
        key = (node, called.__self__, called.__name__)
        if key not in self.given_nodes:  # it must be the same node in every pass
            function = ast.Attribute(ast.Constant(called.__self__), called.__name__, ast.Load())
            self.given_nodes[key] = ast.Call(function, node.args, node.keywords)
        made = self.given_nodes[key]
        return self.method(made, made.func)

    def call_written(self, target: types.FunctionType, node: ast.Call, bound: Sequence[Value] = ()) -> Value:
        """Call a function of the user's; `bound` is what a method is given before its arguments."""
        taken = inspect.signature(target).parameters.values()
        if any(p.kind is p.VAR_POSITIONAL for p in taken):
            return self.call_gathering(target, node, bound)
        wanted = len([p for p in taken if p.default is p.empty]) - len(bound)
        given = self.arguments(node, wanted, as_is=True)
        return self.call_function(target, [*bound, *given], self.keywords(node))

    def call_gathering(
        self, target: types.FunctionType, node: ast.Call, bound: Sequence[Value] = ()
    ) -> Value:
        """Call a function with a * parameter, whose arguments are passed as a tuple."""
        first = target.__code__.co_argcount - len(bound)
        if any(isinstance(argument, ast.Starred) for argument in node.args[:first]):
            return self.call_function(
                target, [*bound, *self.arguments(node, as_is=True)], self.keywords(node)
            )
        given, gathered = node.args[:first], node.args[first:]
        if node not in self.gathered:
            self.gathered[node] = ast.copy_location(ast.Tuple(gathered, ast.Load()), node)
        values = [self.passed(argument) for argument in given]
        values = [value if value.fresh else self.held(value) for value in values]
        rest = self.expr(self.gathered[node]) if gathered else None
        return self.call_function(target, [*bound, *values], self.keywords(node), rest)

    def all_arguments(self, node: ast.Call) -> list[Value]:
        """The arguments, with generators and the like turned into lists."""
        return [
            self.made_early(a) if isinstance(a, ast.GeneratorExp) or self.view_is_lazy(a) else self.expr(a)
            for a in node.args
        ]

    def call_getter(self, called: Any, args: list[Value]) -> Value:
        """operator.itemgetter, attrgetter and methodcaller."""
        (value,) = args
        _, given = called.__reduce__()[:2]
        if isinstance(called, operator.methodcaller):
            return self.call_bound(value, given[0], [self.embed(v) for v in given[1:]], {})
        if isinstance(called, operator.itemgetter):
            found = [self.indexed(value, self.embed(place)) for place in given]
        else:
            if not isinstance(value.kind, Record) or not set(given) <= set(
                self.program.fields(value.kind.cls)
            ):
                raise Cannot("attrgetter() of something that is not a field", "write a lambda")
            fields = self.program.fields(value.kind.cls)
            found = [self.parts(value)[fields.index(name)] for name in given]
        return found[0] if len(found) == 1 else self.tuple_of([self.held(f) for f in found])

    def of_math(self, called: Any, args: list[Value]) -> Value:
        given = [self.present(a) for a in args]
        if any(a.kind == UNKNOWN for a in given):
            return NEVER
        if not all(is_number(a.kind) for a in given):
            raise Cannot(f"{called.__name__}() is given {given[0].kind}", "give it a number")
        name = self.program.external(f"checked_{called.__name__}", CHECKED[called][1])
        exact = called in (math.floor, math.ceil, math.trunc)
        if exact and is_word(given[0].kind):
            return Value(INT, given[0].words)
        floats = [a.word if a.kind == FLOAT else f"float({a.word})" for a in given]
        return self.of(INT if exact else FLOAT, f"{name}({', '.join(floats)})")

    def of_words(self, called: Any, args: list[Value]) -> Value:
        """The functions of outplay.words: popcount, lsb, shr ..."""
        if called is bitwords.put:
            sequence, place, item = args
            if isinstance(sequence.kind, Run) and sequence.kind.size < 8 and sequence.kind.inner == item.kind:
                return self.put_in_cells(sequence, place, item)
            data, count, inner = self.run(sequence)
            kind = join(inner, item.kind)
            given = self.convert(Value(Run(inner), (data, count)), Run(kind))
            stride = len(words(kind))
            made = self.temp(f"joined({ROOM}, {given[0]}, {given[1]}, 0, 0, {stride})")
            at = self.temp(f"index({self.word_of(place)}, {count})")
            self.put(f"{made} + {8 * stride} * {at}", kind, self.convert(item, kind))
            return Value(Run(kind), (made, count))
        name = self.program.native(TWINS[called])
        return self.of(INT, f"{name}({', '.join(self.word_of(a) for a in args)})")

    def put_in_cells(self, sequence: Value, place: Value, item: Value) -> Value:
        """put(t, i, v) for a tuple with items smaller than a word."""
        data, count, _, size = self.lane(sequence)
        made = self.copied(data, count, 1, size)
        at = self.at_index(self.word_of(place), count)
        self.refuse_lost(self.temp(self.put_text(made, count, at, size, item.word)))
        return Value(sequence.kind, (made, count))

    # --- defined in subclasses------------------------------------------------------------------------------

    def construct(self, cls: Any, node: ast.Call) -> Value:
        """Call a class."""
        raise NotImplementedError

    def method(self, node: ast.Call, function: ast.Attribute) -> Value:
        """Call a method."""
        raise NotImplementedError

    def builtin(self, called: Any, node: ast.Call) -> Value | None:
        """Call a builtin function; None if it is not one."""
        raise NotImplementedError


def hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
