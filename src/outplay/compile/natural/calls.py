"""Calls: of functions, methods, classes, builtins and the standard library's functions."""

import ast
import builtins
import collections
import copy
import dataclasses
import enum
import functools
import inspect
import itertools
import math
import operator
import types
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from outplay import words as bitwords
from outplay.compile.arithmetic import CHECKED
from outplay.compile.natural import library, spans
from outplay.compile.natural.expressions import Expressions
from outplay.compile.natural.iterate import size_of_code
from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    NONE,
    TEXT,
    UNKNOWN,
    Applied,
    Bound,
    Cannot,
    Dict,
    Items,
    Kind,
    Local,
    Maybe,
    Member,
    OneOf,
    Range,
    Record,
    Run,
    Set,
    Simple,
    Static,
    holds_list,
    is_function,
    is_lane,
    is_number,
    is_word,
    join,
    own_method,
    words,
)
from outplay.compile.natural.syntax import is_plain
from outplay.compile.natural.values import NEVER, NOTHING, ROOM, Value, number
from outplay.compile.runtime import TWINS
from outplay.compile.source import Missing, in_standard_library, plain

IMPURE = {"random", "time", "secrets", "os", "uuid", "datetime", "numpy.random"}
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


class Calls(Expressions):
    """Compiles calls."""

    deep = 0  # calls of Python's own functions with values, one within the other
    given_nodes: dict[Any, Any]

    def visit_Call(self, node: ast.Call) -> Value:
        called = self.static(node.func)
        if called is not Missing and not isinstance(called, enum.Enum):
            return self.call_static(called, node)
        if isinstance(node.func, ast.Attribute):
            return self.method(node, node.func)
        return self.call_value(self.expr(node.func), self.arguments(node), self.keywords(node))

    def arguments(self, node: ast.Call, wanted: int | None = None, as_is: bool = False) -> list[Value]:
        """The arguments of a call; `as_is` if the items of a run may lie as they do in a state."""
        made: list[Value] = []
        others = len(node.args) - 1 + len(node.keywords)
        for argument in node.args:
            if isinstance(argument, ast.Starred):
                value = self.expr(argument.value)
                known = isinstance(value.kind, Items | Record) or value.kind == UNKNOWN
                size = self.size_of(value)
                made += self.unpacked(value, None if known else size or (wanted - others if wanted else None))
            else:
                value = self.passed(argument) if as_is else self.expr(argument)
                made.append(value if value.fresh else self.held(value))
        return made

    def passed(self, node: ast.expr) -> Value:
        """An argument of a function of the user's."""
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
            case Simple("unknown"):
                return NEVER
        raise Cannot(f"{function.kind} is called as a function", "call a function")

    def call_one(
        self, which: str, place: int, functions: list[Value], args: list[Value], keywords: dict[str, Value]
    ) -> Value:
        """Call the function that a number says."""
        first, *rest = functions
        if not rest:
            return self.call_value(first, args, keywords)
        with self.captured() as lines:
            one = self.call_value(first, args, keywords)
        with self.captured() as others:
            two = self.call_one(which, place + 1, rest, args, keywords)
        return self.chosen(f"{which} == {place}", one, lines, two, others)

    def call_with(self, called: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        """Call something of Python's with values: they get names for as long as that takes."""
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
        """A call whose arguments are names of values."""
        self.deep += 1
        names = [f"given {self.deep} {i}" for i in range(len(args) + len(keywords))]
        for each, value in zip(names, (*args, *keywords.values()), strict=True):
            self.env[each] = value
            self.locals.add(each)
        key = (self.here, self.deep, name, len(args), *keywords)
        if key not in self.given_nodes:  # between passes it must be the same node
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
        """Call what is known by name."""
        found = self.builtin(called, node)
        if found is not None:
            return found
        if _hashable(called) and called in library.REPLACED:
            return self.call_function(library.REPLACED[called], self.all_arguments(node), self.keywords(node))
        if isinstance(called, operator.itemgetter | operator.attrgetter | operator.methodcaller):
            return self.call_getter(called, self.arguments(node))
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
        if _hashable(called) and called in CHECKED and called not in (int, round, float):
            return self.of_math(called, self.arguments(node))
        if isinstance(called, type):
            return self.construct(called, node)
        target = plain(called)
        if _hashable(target) and target in TWINS:
            return self.of_words(target, self.arguments(node, as_is=target is bitwords.put))
        if isinstance(called, functools.partial):
            return self.call_value(Value(Static(called)), self.arguments(node), self.keywords(node))
        if isinstance(called, types.MethodType) and isinstance(called.__self__, type):
            own = Value(Static(called.__self__))
            return self.call_function(called.__func__, [own, *self.arguments(node)], self.keywords(node))
        if isinstance(target, types.FunctionType) and not in_standard_library(target):
            wanted = len([p for p in inspect.signature(target).parameters.values() if p.default is p.empty])
            given = self.arguments(node, wanted, as_is=True)
            return self.call_function(target, given, self.keywords(node))
        module = getattr(called, "__module__", None) or ""
        written = getattr(called, "__name__", str(called))
        if module in IMPURE or module.startswith("numpy.random"):
            raise Cannot(f"{written} is not a function of the state", "chance goes through CHANCE nodes")
        raise Cannot(f"{written}() cannot be compiled", "compute with numbers, texts, tuples and lists")

    def all_arguments(self, node: ast.Call) -> list[Value]:
        """Arguments, of which generators and the like are lists."""
        return [
            self.materialized(a) if isinstance(a, ast.GeneratorExp) or self.view_is_lazy(a) else self.expr(a)
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
                raise Cannot("attrgetter() of what is no field", "write a lambda")
            fields = self.program.fields(value.kind.cls)
            found = [self.parts(value)[fields.index(name)] for name in given]
        return found[0] if len(found) == 1 else self.tuple_of([self.held(f) for f in found])

    def of_math(self, called: Any, args: list[Value]) -> Value:
        given = [self.present(a) for a in args]
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
        """put(t, i, v) of a tuple whose items are smaller than a word."""
        data, count, _, size = self.lane(sequence)
        made = self.copied(data, count, 1, size)
        at = self.at_index(self.word_of(place), count)
        self.refuse_lost(self.temp(f"put_cell({made}, {at}, {size}, {item.word})"))
        return Value(sequence.kind, (made, count))

    # --- classes ------------------------------------------------------------------------------------------

    def construct(self, cls: Any, node: ast.Call) -> Value:
        """A new state, record or member of an enum."""
        if isinstance(cls, enum.EnumMeta):
            return self.member_of(cls, self.arguments(node)[0])
        if cls in (collections.Counter, collections.defaultdict, collections.deque, collections.OrderedDict):
            return self.collection(cls, node)
        if cls is functools.partial:
            function, *given = self.arguments(node)
            named = self.keywords(node)
            values = [function, *given, *named.values()]
            kind = Applied(function.kind, tuple(v.kind for v in values[1:]), tuple(named))
            return Value(kind, tuple(w for v in values for w in v.words))
        if cls in (operator.itemgetter, operator.attrgetter, operator.methodcaller):
            known = [value.constant for value in self.arguments(node)]
            if Missing in known or node.keywords:
                raise Cannot(
                    f"{cls.__name__}() of what is not known before the program runs", "write a lambda"
                )
            return Value(Static(cls(*known)))
        if not self.program.is_record(cls):
            if issubclass(cls, Exception):
                raise Cannot("an exception is used as a value", "raise it")
            raise Cannot(f"{cls.__name__} is a class whose objects cannot be compiled", "use a NamedTuple")
        size = None if is_plain(cls) else len(self.program.fields(cls))
        return self.build(cls, self.arguments(node, size, as_is=True), self.keywords(node))

    leaving = False  # whether what is computed is returned, and the function ends

    def build(self, cls: Any, args: list[Value], keywords: dict[str, Value]) -> Value:
        lists = [value for value in (*args, *keywords.values()) if holds_list(value.kind)]
        if not self.leaving and not all(value.fresh for value in lists):
            raise Cannot(
                "a list becomes part of a state and might change later",
                "build the state where it is returned",
            )
        if is_plain(cls):
            return self.settled(self.call_init(cls, args, keywords))
        fields = self.program.fields(cls)
        if len(args) > len(fields):
            raise Cannot(f"{cls.__name__} has {len(fields)} fields", "drop the extra arguments")
        given = dict(zip(fields, args, strict=False))
        for name, value in keywords.items():
            if name not in fields or name in given:
                raise Cannot(f"{name} is no field, or given twice", f"fields: {', '.join(fields)}")
            given[name] = value
        defaults = self.program.defaults(cls)
        for name in fields:
            if name not in given:
                if name not in defaults:
                    raise Cannot(f"no value for the field {name}", "give one")
                given[name] = self.embed(defaults[name])
        parts = [given[name] for name in fields]
        made = Value(Record(cls, tuple(p.kind for p in parts)), tuple(w for p in parts for w in p.words))
        made = self.settled(made)
        checks = own_method(cls, "__post_init__")
        if checks is not None:
            self.call_function(checks, [made])
        return made

    def settled(self, made: Value) -> Value:
        """A state has fields of fixed kinds."""
        known = self.program.record_kind(made.kind)
        return Value(known, self.convert(made, known))

    def member_of(self, cls: Any, value: Value) -> Value:
        """Color(1): the member with a value."""
        if value.kind == Member(cls):
            return value
        if value.constant is not Missing:
            return self.embed(cls(value.constant))
        table = self.embed(tuple(m.value for m in cls))
        place = self.find(table, value)
        with self.block(f"if {place} < 0:"):
            self.fail("ValueError", f"no member of {cls.__name__} has this value")
        if issubclass(cls, int):
            return Value(Member(cls), (self.word_of(value),))
        return Value(Member(cls), (place,))

    def collection(self, cls: Any, node: ast.Call) -> Value:
        if node.keywords or cls is collections.deque and len(node.args) > 1:
            raise Cannot(f"{cls.__name__}() with names cannot be compiled", "leave them out")
        if cls is collections.deque:
            return self.materialized(node.args[0]) if node.args else self.new_list(UNKNOWN)
        if cls is collections.Counter:
            one = number(1)
            site = (node, "counter")
            kind = self.site_kinds.get(site, Dict(UNKNOWN, INT, "zero"))
            keys, values = self.new_list(kind.key), self.new_list(INT)
            made = Value(kind, (keys.word, values.word), fresh=True)
            if node.args:

                def learn(item: Value) -> None:
                    known = join(kind, Dict(item.kind, INT))
                    if known != kind:
                        self.site_kinds[site] = known
                        self.learned = True
                    else:
                        self.tally(made, item, one)

                self.each(node.args[0], learn)
            return made
        if cls is collections.defaultdict and len(node.args) == 1:
            kind = self.site_kinds.get((node, "dict"), Dict(UNKNOWN, UNKNOWN))._replace(default=node.args[0])
            return Value(kind, (self.new_list(kind.key).word, self.new_list(kind.value).word), fresh=True)
        raise Cannot(f"{cls.__name__}() cannot be compiled", "use a dict, with `in` or get()")

    def or_default(self, value: Value, key: Value) -> Value:
        kind = value.kind
        assert isinstance(kind, Dict)
        made = self.call_value(self.expr(kind.default), [])
        if kind.key == UNKNOWN or kind.value == UNKNOWN or join(kind.value, made.kind) != kind.value:
            if value.origin is not None:
                self.refine(value.origin, Dict(key.kind, made.kind))
            return Value(UNKNOWN) if kind.value == UNKNOWN else self.item("0", "0", kind.value)
        key = self.held(Value(kind.key, self.convert(key, kind.key)))
        with self.block(f"if {self.find(value, key)} < 0:"):
            self.set_key(value, key, made)
        return self.indexed(value._replace(kind=kind._replace(default=None)), key)

    def tally(self, target: Value, key: Value, by: Value) -> None:
        kind = target.kind
        assert isinstance(kind, Dict)
        key = self.held(Value(kind.key, self.convert(key, kind.key)))
        place = self.find(target, key)
        with self.block(f"if {place} >= 0:"):
            data = self.temp(f"word({target.words[1]}, 2)")
            self.emit(f"put_word({data}, {place}, add(word({data}, {place}), {by.word}))")
        with self.block("else:"):
            self.push(target.words[0], kind.key, key)
            self.push(target.words[1], INT, by)

    # --- methods ------------------------------------------------------------------------------------------

    def method(self, node: ast.Call, function: ast.Attribute) -> Value:
        if isinstance(function.value, ast.Call) and self.static(function.value.func) is super:
            return self.call_super(node, function)
        name = function.attr
        value = self.cells(function.value) if name == "count" else self.expr(function.value)
        value = self.present(value) if isinstance(value.kind, Maybe) else value
        value = self.only(value, lambda each: hasattr(_example(each), name), f"value with {name}()")
        match value.kind:
            case Record(cls, _):
                return self.record_method(value, cls, name, node)
            case Member(cls):
                member = inspect.getattr_static(cls, name, Missing)
                if inspect.isfunction(member):
                    return self.call_function(
                        plain(member), [value, *self.arguments(node)], self.keywords(node)
                    )
                if issubclass(cls, int):
                    return self.int_method(value, name, node)
            case Run(_, "list"):
                return self.list_method(value, name, node, function.value)
            case Run(_, "str") | Simple("character"):
                return self.text_method(value, name, node)
            case Run(_, "table") if name == "copy":
                return Value(
                    Run(value.kind.inner, "list"), self.convert(value, Run(value.kind.inner, "list")), True
                )
            case Run(_, "table") if name not in ("count", "index"):
                raise Cannot(
                    "a list outside the state is changed", "keep what changes in a field of the state"
                )
            case Run() | Items() | Range():
                return self.tuple_method(value, name, node)
            case Dict():
                return self.dict_method(value, name, node, function.value)
            case Set():
                return self.set_method(value, name, node, function.value)
            case Simple("unknown"):
                return NEVER
            case Static(owner):
                found = getattr(owner, name, Missing)
                if found is not Missing:
                    return self.call_static(found, node)
        if is_word(value.kind):
            return self.int_method(value, name, node)
        raise Cannot(f"{name}() of {value.kind} cannot be compiled", "compute with numbers, texts and tuples")

    def call_super(self, node: ast.Call, function: ast.Attribute) -> Value:
        """super().method(...): what the classes after this function's own have."""
        assert isinstance(function.value, ast.Call)
        first = next(iter(inspect.signature(self.function).parameters), "")
        value = self.read(first) if first in self.env else NEVER
        if function.value.args or not isinstance(value.kind, Record):
            raise Cannot("super() cannot be compiled here", "call the method by its class")
        classes = list(value.kind.cls.__mro__)
        for place, cls in enumerate(classes):
            if any(
                plain(member) is self.function for member in vars(cls).values() if callable(plain(member))
            ):
                for other in classes[place + 1 :]:
                    found = plain(vars(other).get(function.attr, None))
                    if isinstance(found, types.FunctionType):
                        return self.call_function(found, [value, *self.arguments(node)], self.keywords(node))
        raise Cannot(f"super().{function.attr} is not a method", "call the method by its class")

    def record_method(self, value: Value, cls: Any, name: str, node: ast.Call) -> Value:
        fields = self.program.fields(cls)
        if name == "__class__":
            return self.construct(cls, node)
        if name == "_replace":
            parts = dict(zip(fields, self.parts(value), strict=True))
            return self.build(cls, [], parts | self.keywords(node))
        if name in fields:
            return self.call_value(self.parts(value)[fields.index(name)], self.arguments(node))
        member = inspect.getattr_static(cls, name, Missing)
        self.program.watch(cls, name, member)
        if member is Missing:
            raise Cannot(f"{cls.__name__} has no method {name}", "define it in the class")
        function = plain(member) if not isinstance(member, classmethod) else member.__func__
        if name in ("count", "index") and function is getattr(tuple, name):
            return self.tuple_method(Value(Items(value.kind.kinds), value.words), name, node)
        if not isinstance(function, types.FunctionType):
            raise Cannot(f"{cls.__name__}.{name} is not a method", f"write `def {name}(self, ...)`")
        bound = (
            []
            if isinstance(member, staticmethod)
            else [Value(Static(cls))]
            if isinstance(member, classmethod)
            else [value]
        )
        given = self.arguments(node, as_is=True)
        return self.call_function(function, [*bound, *given], self.keywords(node))

    def int_method(self, value: Value, name: str, node: ast.Call) -> Value:
        if name in ("bit_count", "bit_length") and not node.args:
            return self.of(INT, f"{name}({value.word})")
        raise Cannot(f"{name}() of an int cannot be compiled", "write it out")

    def tuple_method(self, value: Value, name: str, node: ast.Call) -> Value:
        args = self.arguments(node)
        if name == "count" and len(args) == 1:
            return self.counted(value, args[0])
        if name == "index" and args:
            start = "0"
            if len(args) > 1:
                _, count, _ = self.run(value)
                start = self.temp(f"bound({self.word_of(args[1])}, {count})")
            place = self.find(value, args[0], start)
            with self.block(f"if {place} < 0:"):
                self.fail("ValueError", "index(): it is not there")
            return Value(INT, (place,))
        raise Cannot(f"{name}() of {value.kind} cannot be compiled", "write a loop")

    def counted(self, value: Value, item: Value) -> Value:
        total = self.tally_cells(value, item) if isinstance(value.kind, Run) else None
        if total is not None:
            return Value(INT, (total,))
        data, count, inner = self.run(value)
        if inner == UNKNOWN:
            return number(0)
        if len(words(inner)) == 1 and (
            inner == item.kind and inner in (INT, BOOL, CHAR) or inner == INT and is_word(item.kind)
        ):
            return self.of(INT, f"count_word({data}, {count}, {item.word})")
        total, i = self.temp("0"), self.fresh()
        with self.block(f"for {i} in range({count}):"):
            test = self.equal(self.item(data, i, inner), item)
            with self.block(f"if {test}:"):
                self.emit(f"{total} += 1")
        return Value(INT, (total,))

    def list_method(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        if name == "extend" and len(node.args) == 1:
            fits = True

            def add(item: Value) -> None:
                nonlocal fits
                fits = self.refine(owner, Run(item.kind, "list")) and fits
                if fits:
                    self.push(value.word, value.kind.inner, item)

            source = node.args[0]
            held = source if isinstance(source, ast.GeneratorExp) or self.is_lazy(source) else None
            if held is not None:
                self.each(held, add)
            else:
                items = self.expr(source)
                if items.kind == value.kind:  # it may be the list itself
                    data, count, inner = self.run(items)
                    items = Value(Run(inner), (data, count))
                self.turns(self.view_value(items), add)
            return NOTHING
        if name == "sort":
            ordered = self.ordered(value, node.keywords)
            data, count, inner = self.run(ordered)
            self.emit(f"copy(word({value.word}, 2), {data}, {count} * {max(len(words(inner)), 1)})")
            return NOTHING
        return self.change_list(value, name, node, owner)

    def call_list_function(self, value: Value, name: str, args: list[Value]) -> Value | None:
        """Methods of deques that are written in Python."""
        if name == "rotate" and len(args) <= 1:
            return self.call_function(library.rotate, [value, *args])
        if name == "extendleft" and len(args) == 1 and isinstance(args[0].kind, Run | Items):
            return self.call_function(library.extendleft, [value, *args])
        return None

    def change_list(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        """append, insert, pop, remove and the like."""
        args = self.arguments(node)
        inner = value.kind.inner
        stride = max(len(words(inner)), 1)
        if (own := self.call_list_function(value, name, args)) is not None:
            return own
        match name, len(args):
            case (("append" | "appendleft"), 1):
                if self.refine(owner, Run(args[0].kind, "list")):
                    if name == "append":
                        self.push(value.word, inner, args[0])
                    else:
                        self.put(
                            self.temp(f"open_gap({ROOM}, {value.word}, 0, {stride})"),
                            inner,
                            self.convert(args[0], inner),
                        )
                return NOTHING
            case "insert", 2:
                if self.refine(owner, Run(args[1].kind, "list")):
                    given = self.convert(args[1], inner)
                    place = self.temp(f"bound({self.word_of(args[0])}, word({value.word}, 0))")
                    self.put(self.temp(f"open_gap({ROOM}, {value.word}, {place}, {stride})"), inner, given)
                return NOTHING
            case (("pop" | "popleft"), (0 | 1)):
                if inner == UNKNOWN:
                    return NEVER
                which = self.word_of(args[0]) if args else "-1" if name == "pop" else "0"
                place = self.temp(f"index({which}, word({value.word}, 0))")
                item = self.held(self.item(self.temp(f"word({value.word}, 2)"), place, inner))
                self.emit(f"close_gap({value.word}, {place}, 1, {stride})")
                return item
            case "remove", 1:
                place = self.find(value, args[0])
                with self.block(f"if {place} < 0:"):
                    self.fail("ValueError", "remove(): it is not there")
                self.emit(f"close_gap({value.word}, {place}, 1, {stride})")
                return NOTHING
            case "copy", 0:
                data, count, _ = self.run(value)
                return Value(
                    value.kind, (self.temp(f"list_of({ROOM}, {data}, {count}, {stride})"),), fresh=True
                )
            case "clear", 0:
                self.emit(f"put_word({value.word}, 0, 0)")
                return NOTHING
            case "reverse", 0:
                data, count, _ = self.run(value)
                made = self.temp(f"stepped({ROOM}, {data}, {count} - 1, -1, {count}, {stride})")
                self.emit(f"copy({data}, {made}, {count} * {stride})")
                return NOTHING
        return self.tuple_method(value, name, node)

    def dict_method(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        kind = value.kind
        assert isinstance(kind, Dict)
        args = self.arguments(node)
        match name, len(args):
            case "get", (1 | 2):
                otherwise = args[1] if len(args) == 2 else NOTHING
                place = self.find(value, args[0])
                with self.captured() as lines:
                    found = self.item(self.temp(f"word({value.words[1]}, 2)"), place, kind.value)
                return self.chosen(f"{place} >= 0", found, lines, otherwise, [])
            case "keys", 0:
                data, count, inner = self.run(value)
                return Value(Run(inner), (data, count))
            case "values", 0:
                handle = value.words[1]
                return Value(
                    Run(kind.value), (self.temp(f"word({handle}, 2)"), self.temp(f"word({handle}, 0)"))
                )
            case "items", 0:
                pair = Items((kind.key, kind.value))
                return self.collected(
                    lambda keep: self.turns(
                        self.zipped(
                            [
                                self.view_value(self.dict_part(value, 0)),
                                self.view_value(self.dict_part(value, 1)),
                            ]
                        ),
                        keep,
                    ),
                    (node, "items", pair),
                )
            case "most_common", (0 | 1):
                return self.call_function(library.most_common, [value, *args])
            case "elements", 0:
                return self.call_function(library.elements, [value])
            case "total", 0:
                return self.call_with(sum, [self.dict_part(value, 1)], {})
            case "copy", 0:
                made = []
                for handle, each in zip(value.words, (kind.key, kind.value), strict=True):
                    stride = max(len(words(each)), 1)
                    made.append(self.temp(f"list_of({ROOM}, word({handle}, 2), word({handle}, 0), {stride})"))
                return Value(kind._replace(default=None), tuple(made), fresh=True)
        return self.change_dict(value, name, args, owner)

    def change_dict(self, value: Value, name: str, args: list[Value], owner: ast.expr) -> Value:
        """pop, update and the like."""
        kind = value.kind
        assert isinstance(kind, Dict)
        if name in ("pop", "setdefault", "update", "clear", "popitem"):
            self.refuse_constant(kind)
        match name, len(args):
            case "pop", (1 | 2):
                place = self.find(value, args[0])
                with self.captured() as lines:
                    found = self.held(self.item(self.temp(f"word({value.words[1]}, 2)"), place, kind.value))
                    for handle, each in zip(value.words, (kind.key, kind.value), strict=True):
                        self.emit(f"close_gap({handle}, {place}, 1, {max(len(words(each)), 1)})")
                with self.captured() as others:
                    if len(args) == 1:
                        self.fail("KeyError", "a key is not there")
                return self.chosen(
                    f"{place} >= 0", found, lines, args[1] if len(args) == 2 else NEVER, others
                )
            case "setdefault", 2:
                if self.refine(owner, Dict(args[0].kind, args[1].kind)):
                    key = self.held(Value(kind.key, self.convert(args[0], kind.key)))
                    with self.block(f"if {self.find(value, key)} < 0:"):
                        self.set_key(value, key, args[1])
                    return self.indexed(value, key)
                return NEVER
            case "update", 1 if isinstance(args[0].kind, Dict) and kind.default != "zero":
                other = args[0]
                pairs = self.zipped([self.view_value(self.dict_part(other, i)) for i in (0, 1)])

                def put(pair: Value) -> None:
                    key, item = self.parts(pair)
                    if self.refine(owner, Dict(key.kind, item.kind)):
                        self.set_key(value, key, item)

                self.turns(pairs, put)
                return NOTHING
            case "popitem", 0:
                if kind.key == UNKNOWN:
                    return NEVER
                with self.block(f"if word({value.word}, 0) == 0:"):
                    self.fail("KeyError", "popitem() of an empty dict")
                last = self.temp(f"word({value.word}, 0) - 1")
                found = self.tuple_of(
                    [
                        self.held(self.item(self.temp(f"word({handle}, 2)"), last, each))
                        for handle, each in zip(value.words, (kind.key, kind.value), strict=True)
                    ]
                )
                for handle, each in zip(value.words, (kind.key, kind.value), strict=True):
                    self.emit(f"close_gap({handle}, {last}, 1, {max(len(words(each)), 1)})")
                return found
            case "clear", 0:
                for handle in value.words:
                    self.emit(f"put_word({handle}, 0, 0)")
                return NOTHING
        raise Cannot(f"{name}() of a dict cannot be compiled", "write it with [] and `in`")

    def dict_part(self, value: Value, which: int) -> Value:
        kind = value.kind
        assert isinstance(kind, Dict)
        handle = value.words[which]
        inner = (kind.key, kind.value)[which]
        return Value(Run(inner), (self.temp(f"word({handle}, 2)"), self.temp(f"word({handle}, 0)")))

    def set_method(self, value: Value, name: str, node: ast.Call, owner: ast.expr) -> Value:
        signs = {
            "union": ast.BitOr,
            "intersection": ast.BitAnd,
            "difference": ast.Sub,
            "symmetric_difference": ast.BitXor,
        }
        if name in signs and len(node.args) == 1:
            other = self.set_from(node.args[0], (node, "other"))
            return self.of_sets(signs[name], value, other)
        args = self.arguments(node)
        inner = value.kind.inner
        if name in ("add", "remove", "discard", "update", "pop", "clear"):
            self.refuse_constant(value.kind)
        match name, len(args):
            case "add", 1:
                if self.refine(owner, Set(args[0].kind)):
                    self.add_to_set(value, args[0])
                return NOTHING
            case (("remove" | "discard"), 1):
                place = self.find(value, args[0])
                with self.block(f"if {place} >= 0:"):
                    self.emit(f"close_gap({value.word}, {place}, 1, {max(len(words(inner)), 1)})")
                if name == "remove":
                    with self.block("else:"):
                        self.fail("KeyError", "remove(): it is not there")
                return NOTHING
            case "copy", 0:
                stride = max(len(words(inner)), 1)
                made = self.temp(f"list_of({ROOM}, word({value.word}, 2), word({value.word}, 0), {stride})")
                return Value(Set(inner), (made,), fresh=True)
            case "issubset", 1:
                return self.flag(self.subset(ast.LtE(), value, args[0]))
            case "issuperset", 1:
                return self.flag(self.subset(ast.GtE(), value, args[0]))
            case "isdisjoint", 1:
                both = self.of_sets(ast.BitAnd, value, args[0])
                return self.flag(f"word({both.word}, 0) == 0")
            case "update", 1:

                def add(item: Value) -> None:
                    if self.refine(owner, Set(item.kind)):
                        self.add_to_set(value, item)

                self.turns(self.loose(args[0]), add)
                return NOTHING
        raise Cannot(f"{name}() of a set cannot be compiled", "use &, |, - and `in`")

    def split(self, value: Value, args: list[Value]) -> Value:
        """The parts of a text, between another text or between white space."""
        data, count, _ = self.run(value)
        part, size, _ = self.run(args[0]) if args else ("0", "0", CHAR)
        made, start, i = self.new_list(TEXT), self.temp("0"), self.temp("0")
        if not args:
            with self.block(f"while {i} <= {count}:"):
                with self.block(f"if {i} == {count} or is_of(word({data}, {i}), 4):"):
                    with self.block(f"if {i} > {start}:"):
                        self.push(made.word, TEXT, Value(TEXT, (f"{data} + 8 * {start}", f"{i} - {start}")))
                    self.emit(f"{start} = {i} + 1")
                self.emit(f"{i} += 1")
            return made
        with self.block(f"if {size} == 0:"):
            self.fail("ValueError", "split() by an empty text")
        with self.block("while True:"):
            self.emit(f"{i} = find_run({data}, {count}, {part}, {size}, {start})")
            with self.block(f"if {i} < 0:"):
                self.push(made.word, TEXT, Value(TEXT, (f"{data} + 8 * {start}", f"{count} - {start}")))
                self.emit("break")
            self.push(made.word, TEXT, Value(TEXT, (f"{data} + 8 * {start}", f"{i} - {start}")))
            self.emit(f"{start} = {i} + {size}")
        return made

    def call_text_function(self, value: Value, name: str, args: list[Value]) -> Value | None:
        """Methods of texts that are written in Python."""
        if (name, len(args)) in library.TEXTS:
            text = Value(TEXT, self.convert(value, TEXT))
            return self.call_function(library.TEXTS[name, len(args)], [text, *args])
        if name in ("strip", "lstrip", "rstrip") and len(args) == 1:
            ends = [self.embed(name != "rstrip"), self.embed(name != "lstrip")]
            return self.call_function(library.strip_of, [value, *args, *ends])
        return None

    def count_in_text(self, value: Value, node: ast.Call) -> Value:
        """count() of a text as it lies in a state."""
        total = self.tally_cells(value, self.expr(node.args[0])) if len(node.args) == 1 else None
        return (
            Value(INT, (total,)) if total is not None else self.text_method(self.wide(value), "count", node)
        )

    def text_method(self, value: Value, name: str, node: ast.Call) -> Value:
        if is_lane(value.kind):
            return self.count_in_text(value, node)
        if isinstance(value.constant, str) and all(self.expr(a).constant is not Missing for a in node.args):
            made = getattr(value.constant, name)(*[self.expr(a).constant for a in node.args])
            return self.embed(tuple(made) if isinstance(made, list) else made)
        if name == "join" and len(node.args) == 1:
            return self.joined_texts(value, node.args[0])
        args = self.arguments(node)
        if name == "split" and len(args) <= 1:
            return self.split(value, args)
        if (own := self.call_text_function(value, name, args)) is not None:
            return own
        data, count, _ = self.run(value)
        match name, len(args):
            case (("count" | "find" | "index" | "startswith" | "endswith"), 1):
                part, size, _ = self.run(args[0])
                if name == "count":
                    if args[0].kind == CHAR:
                        return self.of(INT, f"count_word({data}, {count}, {args[0].word})")
                    return self.of(INT, f"count_run({data}, {count}, {part}, {size})")
                if name == "startswith":
                    return self.flag(f"({size} <= {count} and same({data}, {part}, {size}) == 1)")
                if name == "endswith":
                    return self.flag(
                        f"({size} <= {count} and same({data} + 8 * ({count} - {size}), {part}, {size}) == 1)"
                    )
                place = self.temp(f"find_run({data}, {count}, {part}, {size}, 0)")
                if name == "index":
                    with self.block(f"if {place} < 0:"):
                        self.fail("ValueError", "index(): it is not there")
                return Value(INT, (place,))
            case "replace", (2 | 3):
                old, size, _ = self.run(args[0])
                new, length, _ = self.run(args[1])
                most = self.word_of(args[2]) if len(args) == 3 else "-1"
                made = self.temp(f"replaced({ROOM}, {data}, {count}, {old}, {size}, {new}, {length}, {most})")
                return Value(TEXT, (self.temp(f"word({made}, 2)"), self.temp(f"word({made}, 0)")))
            case (("ljust" | "rjust" | "zfill"), (1 | 2)):
                fill = args[1].word if len(args) == 2 else "48" if name == "zfill" else "32"
                width = self.word_of(args[0])
                made = self.temp(f"padded({ROOM}, {data}, {count}, {width}, {fill}, {int(name == 'ljust')})")
                return Value(TEXT, (made, self.temp(f"max({count}, {width})")))
            case (("strip" | "lstrip" | "rstrip"), 0):
                start = "0" if name == "rstrip" else self.temp(f"first_word({data}, {count})")
                stop = count if name == "lstrip" else self.temp(f"max({start}, last_word({data}, {count}))")
                return Value(TEXT, (self.temp(f"{data} + 8 * {start}"), self.temp(f"{stop} - {start}")))
            case (("upper" | "lower" | "swapcase"), 0):
                made = self.temp(
                    f"cased({ROOM}, {data}, {count}, {('upper', 'lower', 'swapcase').index(name)})"
                )
                if value.kind == CHAR:
                    return self.of(CHAR, f"word({made}, 0)")
                return Value(TEXT, (made, count))
            case (("isupper" | "islower" | "isdigit" | "isalpha" | "isspace" | "isnumeric" | "isdecimal"), 0):
                name = "isdigit" if name in ("isnumeric", "isdecimal") else name
                which = ("isupper", "islower", "isdigit", "isalpha", "isspace").index(name)
                return self.flag(f"is_all({data}, {count}, {which}) == 1")
        raise Cannot(f"{name}() of a text cannot be compiled", "use ints or tuples in rules")

    def joined_texts(self, between: Value, node: ast.expr) -> Value:
        if between.constant == "" and isinstance(node, ast.Name):
            value = self.cells(node)
            if is_lane(value.kind) and value.kind.inner == CHAR:
                return self.kept(value, "str")
        made = self.new_list(CHAR)
        data, count, _ = self.run(between)
        first = self.temp("1")

        def add(item: Value) -> None:
            if item.kind not in (CHAR, TEXT, UNKNOWN):
                raise Cannot(f"join() is given {item.kind}", "give it texts")
            with self.block(f"if {first} == 0:"):
                self.emit(f"append_run({ROOM}, {made.word}, {data}, {count})")
            self.emit(f"{first} = 0")
            if item.kind == CHAR:
                self.push(made.word, CHAR, item)
            elif item.kind == TEXT:
                self.emit(f"append_run({ROOM}, {made.word}, {item.words[0]}, {item.words[1]})")

        self.each(node, add)
        return Value(TEXT, (self.temp(f"word({made.word}, 2)"), self.temp(f"word({made.word}, 0)")))

    # --- builtins -----------------------------------------------------------------------------------------

    def builtin(self, called: Any, node: ast.Call) -> Value | None:
        """A builtin, or a function of the standard library that is known here; None if it is something else."""
        name = _BUILTINS.get(called) if _hashable(called) else None
        return getattr(self, f"call_{name}")(node) if name is not None else None

    def call_len(self, node: ast.Call) -> Value:
        value = self.cells(node.args[0])
        if isinstance(value.kind, Record) and (own := own_method(value.kind.cls, "__len__")):
            return self.call_function(own, [value])
        match value.kind:
            case Items(kinds):
                return number(len(kinds))
            case Range():
                return self.of(INT, f"range_length({', '.join(value.words)})")
            case Simple("character"):
                return number(1)
            case Static(cls) if isinstance(cls, enum.EnumMeta):
                return number(len(cls))
        if isinstance(value.constant, str | tuple | list | dict | set | frozenset):
            return number(len(value.constant))
        _, count, _, _ = self.lane(value)
        return Value(INT, (count if self.is_length(count) else self.within(spans.LENGTH, count),))

    def call_range(self, node: ast.Call) -> Value:
        args = [self.known.get(word, word) for word in map(self.word_of, self.arguments(node))]
        start, stop, step = {1: ("0", *args, "1"), 2: (*args, "1")}.get(len(args), tuple(args))
        known = all(word.lstrip("-").isdigit() for word in (start, stop, step)) and int(step) != 0
        constant = range(int(start), int(stop), int(step)) if known else Missing
        return Value(Range(), (start, stop, step), constant=constant)

    def call_abs(self, node: ast.Call) -> Value:
        value = self.present(self.expr(node.args[0]))
        if value.kind == FLOAT:
            return self.of(FLOAT, f"abs({value.word})")
        return self.of(INT, f"absolute({self.word_of(value)})")

    def call_int(self, node: ast.Call) -> Value:
        if not node.args:
            return number(0)
        value = self.present(self.expr(node.args[0]))
        if len(node.args) == 2 and value.kind in (CHAR, TEXT):
            text = Value(TEXT, self.convert(value, TEXT))
            return self.call_function(library.parsed_in_base, [text, self.expr(node.args[1])])
        if value.kind == CHAR:
            return self.of(INT, f"digit({value.word})")
        if value.kind == FLOAT:
            return self.of_number(int, value)
        if isinstance(value.constant, str):
            return number(int(value.constant))
        value = self.only(value, lambda each: each in (INT, BOOL, TEXT), "int")
        if value.kind == TEXT:
            return self.of(INT, f"parsed({value.words[0]}, {value.words[1]})")
        return Value(INT, (self.word_of(value),))

    def of_number(self, called: Any, value: Value) -> Value:
        name = self.program.external(f"checked_{called.__name__}", CHECKED[called][1])
        return self.of(INT, f"{name}({value.word})")

    def call_round(self, node: ast.Call) -> Value:
        value = self.present(self.expr(node.args[0]))
        if len(node.args) > 1:
            raise Cannot("round() takes 1 number here", "write round(x * 100) / 100")
        return self.of_number(round, value) if value.kind == FLOAT else Value(INT, (self.word_of(value),))

    def call_float(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0]) if node.args else number(0.0)
        if isinstance(value.constant, str | int | float) and not isinstance(value.constant, enum.Enum):
            return number(float(value.constant))
        value = self.present(value)
        return value if value.kind == FLOAT else self.of(FLOAT, f"float({self.word_of(value)})")

    def call_bool(self, node: ast.Call) -> Value:
        return self.flag(self.condition(node.args[0])) if node.args else number(False)

    def call_ord(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        if value.kind == TEXT:
            data, count, _ = self.run(value)
            with self.block(f"if {count} != 1:"):
                self.fail("TypeError", "ord() of more than one character")
            return self.of(INT, f"word({data}, 0)")
        if value.kind != CHAR:
            raise Cannot(f"ord() of {value.kind}", "give it a character")
        return Value(INT, value.words)

    def call_chr(self, node: ast.Call) -> Value:
        return Value(CHAR, (self.temp(f"character({self.word_of(self.expr(node.args[0]))})"),))

    def call_str(self, node: ast.Call) -> Value:
        return self.as_text(self.expr(node.args[0]))

    def call_bin(self, node: ast.Call) -> Value:
        return self.prefixed(node, 2, "0b")

    def call_hex(self, node: ast.Call) -> Value:
        return self.prefixed(node, 16, "0x")

    def call_oct(self, node: ast.Call) -> Value:
        return self.prefixed(node, 8, "0o")

    def prefixed(self, node: ast.Call, base: int, prefix: str) -> Value:
        value = Value(INT, (self.word_of(self.expr(node.args[0])),))
        given = [value, number(base), self.embed(prefix), number(0), self.embed(" ")]
        return self.call_function(library.in_base, given)

    def call_format(self, node: ast.Call) -> Value:
        how = self.expr(node.args[1]).constant if len(node.args) > 1 else ""
        return self.formatted(self.expr(node.args[0]), how)

    def call_divmod(self, node: ast.Call) -> Value:
        a, b = self.arguments(node)
        return self.tuple_of([self.operate(ast.FloorDiv, a, b), self.operate(ast.Mod, a, b)])

    def call_pow(self, node: ast.Call) -> Value:
        args = self.arguments(node)
        made = self.operate(ast.Pow, args[0], args[1])
        return made if len(args) == 2 else self.operate(ast.Mod, made, args[2])

    def call_list(self, node: ast.Call) -> Value:
        if not node.args:
            return self.new_list(self.site_kinds.get((node, "list"), UNKNOWN))
        source = node.args[0]
        if not isinstance(source, ast.GeneratorExp | ast.Call):
            value = self.cells(source)
            if isinstance(value.kind, Run) and value.kind.size < 8:
                data, count, inner = self.run(value)
                made = self.temp(f"list_at({ROOM}, {data}, {count})")
                return Value(Run(inner, "list"), (made,), fresh=True)
            if isinstance(value.kind, Run | Simple) and value.kind != UNKNOWN:
                data, count, inner = self.run(value)
                stride = max(len(words(inner)), 1)
                made = self.temp(f"list_of({ROOM}, {data}, {count}, {stride})")
                return Value(Run(inner, "list"), (made,), fresh=True)
            return self.collected(lambda keep: self.turns(self.view_value(value), keep), (source, "list"))
        return self.materialized(source)

    def call_tuple(self, node: ast.Call) -> Value:
        if not node.args:
            return Value(Items(()), constant=())
        source = node.args[0]
        if isinstance(source, ast.Name | ast.Attribute | ast.Subscript | ast.Tuple):
            value = self.cells(source)
            if isinstance(value.kind, Items) or isinstance(value.kind, Run) and value.kind.type == "tuple":
                return value
            if is_lane(value.kind):
                return self.kept(value, "tuple")
            data, count, inner = self.run(value)
            stride = max(len(words(inner)), 1)
            if isinstance(value.kind, Run) and value.kind.type == "list" and not value.fresh:
                data = self.temp(f"joined({ROOM}, {data}, {count}, 0, 0, {stride})")
            return Value(Run(inner), (data, count))
        made = self.materialized(source)
        data, count, inner = self.run(made)
        return Value(Run(inner), (data, count))

    def kept(self, value: Value, tag: str) -> Value:
        """The items of a run that may be an array; nobody changes that any more where the function returns."""
        data, count, inner, size = self.lane(value)
        if value.kind.type == "array" and (not self.leaving or self.finals):
            data = self.copied(data, count, max(len(words(inner)), 1), size)
        return Value(Run(inner, tag, size), (data, count))

    finals: list[list[ast.stmt]]  # what is done before the function returns

    def call_set(self, node: ast.Call) -> Value:
        if not node.args:
            kind = self.site_kinds.get((node, "set"), UNKNOWN)
            return Value(Set(kind), self.new_list(kind).words, fresh=True)
        return self.set_from(node.args[0], (node, "set"))

    def call_dict(self, node: ast.Call) -> Value:
        if node.keywords:
            raise Cannot("dict() with names cannot be compiled", "write {...}")
        if node.args and not isinstance(node.args[0], ast.Call | ast.GeneratorExp | ast.ListComp):
            value = self.expr(node.args[0])
            if isinstance(value.kind, Dict):
                return self.dict_method(value, "copy", ast.Call(node.func, [], []), node.args[0])

        def fill(keep: Any) -> None:
            def add(item: Value) -> None:
                key, value = self.unpacked(item, 2)
                keep(self.held(key), value)

            if node.args:
                self.each(node.args[0], add)

        return self.dict_of(fill, (node, "dict"))

    def call_fromkeys(self, node: ast.Call) -> Value:
        """dict.fromkeys(keys, value)."""
        value = self.held(self.expr(node.args[1])) if len(node.args) > 1 else NOTHING

        def fill(keep: Any) -> None:
            self.each(node.args[0], lambda key: keep(self.held(key), value))

        return self.dict_of(fill, (node, "dict"))

    def call_sorted(self, node: ast.Call) -> Value:
        by_itself = not any(k.arg == "key" and not _is_total(k.value) for k in node.keywords)
        before, self.careless = self.careless, by_itself  # else the order of those with equal keys counts
        made = self.materialized(node.args[0])
        self.careless = before
        return self.ordered(made, node.keywords)

    def ordered(self, value: Value, keywords: list[ast.keyword]) -> Value:
        """A sorted copy of a list, stable, by insertion: rules sort few things."""
        given = {k.arg: k.value for k in keywords}
        reverse = self.expr(given["reverse"]) if "reverse" in given else number(False)
        function = self.expr(given["key"]) if "key" in given and not _is_none(given["key"]) else None
        data, count, inner = self.run(value)
        if inner == UNKNOWN:
            return value
        stride = max(len(words(inner)), 1)
        made = self.temp(f"list_of({ROOM}, {data}, {count}, {stride})")
        data = self.temp(f"word({made}, 2)")
        if function is None and inner in (INT, BOOL, CHAR) and reverse.constant is False:
            self.emit(f"sort_words({data}, {count})")
            return Value(Run(inner, "list"), (made,), fresh=True)
        keys, kind, step = data, inner, stride
        if function is not None:
            listed = self.collected(
                lambda keep: self.turns(
                    self.view_value(Value(Run(inner), (data, count))),
                    lambda item: keep(self.call_value(function, [item])),
                ),
                (value.kind, given["key"], "keys"),
            )
            keys, _, kind = self.run(listed)
            if kind == UNKNOWN:
                return Value(Run(inner, "list"), (made,), fresh=True)
            step = max(len(words(kind)), 1)
        self.insertion(data, keys, count, (inner, stride), (kind, step), reverse)
        return Value(Run(inner, "list"), (made,), fresh=True)

    def insertion(self, data: str, keys: str, count: str, items: Any, by: Any, reverse: Value) -> None:
        (inner, stride), (kind, step) = items, by
        i, k = self.fresh(), self.fresh()
        with self.block(f"for {i} in range(1, {count}):"):
            key = self.held(self.item(keys, i, kind))
            item = self.held(self.item(data, i, inner))
            self.emit(f"{k} = {i}")
            with self.block(f"while {k} > 0:"):
                before = self.item(keys, self.temp(f"{k} - 1"), kind)
                up, down = self.less(key, before), self.less(before, key)
                if reverse.constant is not Missing:
                    test = down if reverse.constant else up
                else:
                    test = f"(({self.truth(reverse)} and {down}) or (not ({self.truth(reverse)}) and {up}))"
                with self.block(f"if not ({test}):"):
                    self.emit("break")
                self.emit(f"copy({data} + {8 * stride} * {k}, {data} + {8 * stride} * ({k} - 1), {stride})")
                if keys != data:
                    self.emit(f"copy({keys} + {8 * step} * {k}, {keys} + {8 * step} * ({k} - 1), {step})")
                self.emit(f"{k} -= 1")
            self.put(f"{data} + {8 * stride} * {k}", inner, item.words)
            if keys != data:
                self.put(f"{keys} + {8 * step} * {k}", kind, key.words)

    def call_reversed(self, node: ast.Call) -> Value:
        return self.materialized(node)

    def call_items(self, node: ast.Call) -> Value:
        """enumerate, zip, map, filter and itertools outside a loop: all their items."""
        return self.materialized(node)

    def call_any(self, node: ast.Call) -> Value:
        return self.any_or_all(node, True)

    def call_all(self, node: ast.Call) -> Value:
        return self.any_or_all(node, False)

    def any_or_all(self, node: ast.Call, wanted: bool) -> Value:
        found = self.temp("0")
        source = node.args[0]

        def test(item: Value) -> None:
            with self.block(f"if {self.truth(item) if wanted else f'not ({self.truth(item)})'}:"):
                self.emit(f"{found} = 1")

        def test_node(elt: ast.expr) -> None:
            condition = self.condition(elt)
            with self.block(f"if {condition if wanted else f'not ({condition})'}:"):
                self.emit(f"{found} = 1")

        before, self.careless = self.careless, True
        if isinstance(source, ast.GeneratorExp):
            self.comprehend(source.generators, lambda: test_node(source.elt), found, size_of_code(source.elt))
        else:
            self.each(source, test, found)
        self.careless = before
        return self.flag(f"{found} {'!=' if wanted else '=='} 0")

    def call_sum(self, node: ast.Call) -> Value:
        start = node.args[1] if len(node.args) > 1 else next((k.value for k in node.keywords), None)
        first = self.expr(start) if start is not None else number(0)
        site = (node, "sum")
        begins_near = is_word(first.kind) and spans.holds(spans.NEAR, self.span_of(first))

        def step(total: Value, item: Value) -> Value:
            small = is_word(item.kind) and spans.holds((-spans.STEP, spans.STEP), self.span_of(item))
            if not small and (site, "large") not in self.site_kinds:
                self.site_kinds[site, "large"] = self.learned = True
            if total.kind == INT and begins_near and (site, "large") not in self.site_kinds:
                return self.of(INT, f"{total.word} + {item.word}")
            return self.add(total, item)

        return self.folded(node.args[0], first, step, site)

    def folded(self, source: ast.expr, first: Value | None, step: Any, site: Any) -> Value:
        """A value that each item changes; the first item begins where there is no other beginning."""
        kind = join(self.site_kinds.get(site, UNKNOWN), first.kind if first is not None else UNKNOWN)
        names = tuple(self.fresh() for _ in words(kind))
        begun = self.temp("1" if first is not None else "0")
        self.set(names, self.convert(first if first is not None else NEVER, kind))

        def turn(item: Value) -> None:
            item = self.held(item)
            with self.captured() as lines:
                total = step(Value(kind, names), item)
            known = join(join(kind, total.kind), item.kind if first is None else UNKNOWN)
            known = join(known, self.site_kinds.get(site, UNKNOWN))
            if known != self.site_kinds.get(site, UNKNOWN):
                self.site_kinds[site] = known
                self.learned = True
            if known != kind:
                return
            with self.block(f"if {begun} != 0:"):
                self.paste(lines)
                self.set(names, self.convert(total, kind))
            if first is None:
                with self.block("else:"):
                    self.set(names, self.convert(item, kind))
                    self.emit(f"{begun} = 1")

        before, self.careless = self.careless, site[1] != "reduce" and kind != FLOAT
        self.each(source, turn)
        self.careless = before
        if first is None:
            with self.block(f"if {begun} == 0:"):
                self.fail("ValueError", "nothing is there to begin with")
        return self.held(Value(kind, names))

    def call_reduce(self, node: ast.Call) -> Value:
        function = self.expr(node.args[0])
        first = self.expr(node.args[2]) if len(node.args) > 2 else None
        return self.folded(
            node.args[1], first, lambda a, b: self.call_value(function, [a, b]), (node, "reduce")
        )

    def call_prod(self, node: ast.Call) -> Value:
        return self.folded(node.args[0], number(1), lambda a, b: self.operate(ast.Mult, a, b), (node, "prod"))

    def call_min(self, node: ast.Call) -> Value:
        return self.extreme(node, False)

    def call_max(self, node: ast.Call) -> Value:
        return self.extreme(node, True)

    def extreme(self, node: ast.Call, is_max: bool) -> Value:
        """min or max: of several values, or of the items of one; the first of equals."""
        given = {k.arg: k.value for k in node.keywords}
        function = self.expr(given["key"]) if "key" in given and not _is_none(given["key"]) else None
        site = (node, "extreme")
        kind, by = self.site_kinds.get(site, (UNKNOWN, UNKNOWN))
        names = tuple(self.fresh() for _ in words(kind))
        keys = tuple(self.fresh() for _ in words(by)) if function is not None else names
        begun = self.temp("0")
        self.set(names, self.convert(NEVER, kind))
        if function is not None:
            self.set(keys, self.convert(NEVER, by))

        def turn(item: Value) -> None:
            item = self.held(item)
            key = self.held(self.call_value(function, [item])) if function is not None else item
            sofar = self.site_kinds.get(site, (UNKNOWN, UNKNOWN))
            known = join(sofar[0], item.kind), join(sofar[1], key.kind)
            if known != sofar:
                self.site_kinds[site] = known
                self.learned = True
            if known != (kind, by):
                return
            better = self.temp("1")
            with self.block(f"if {begun} != 0:"):
                best = Value(by, keys)
                test = self.less(best, key) if is_max else self.less(key, best)
                self.emit(f"{better} = 1 if {test} else 0")
            with self.block(f"if {better} != 0:"):
                self.set(names, self.convert(item, kind))
                if function is not None:
                    self.set(keys, self.convert(key, by))
                self.emit(f"{begun} = 1")

        before, self.careless = self.careless, function is None
        if len(node.args) == 1:
            first = node.args[0]
            self.each(first.value if isinstance(first, ast.Starred) else first, turn)
        else:
            for value in self.arguments(node):
                turn(value)
        self.careless = before
        made = Value(kind, names)
        if "default" in given:
            with self.captured() as lines:
                otherwise = self.expr(given["default"])
            return self.chosen(f"{begun} != 0", made, [], otherwise, lines)
        with self.block(f"if {begun} == 0:"):
            self.fail("ValueError", "min() or max() of nothing")
        return self.held(made)

    def call_next(self, node: ast.Call) -> Value:
        source = node.args[0]
        if isinstance(source, ast.Call) and self.static(source.func) is iter:
            source = source.args[0]
        site = (node, "next")
        kind = self.site_kinds.get(site, UNKNOWN)
        names = tuple(self.fresh() for _ in words(kind))
        found = self.temp("0")
        self.set(names, self.convert(NEVER, kind))

        def turn(item: Value) -> None:
            known = join(self.site_kinds.get(site, UNKNOWN), item.kind)
            if known != self.site_kinds.get(site, UNKNOWN):
                self.site_kinds[site] = known
                self.learned = True
            if known != kind:
                return
            self.set(names, self.convert(item, kind))
            self.emit(f"{found} = 1")

        if isinstance(source, ast.Name):
            raise Cannot("next() of a name cannot be compiled", "write next(... for ... in ...), or a loop")
        self.each(source, turn, found)
        if len(node.args) > 1:
            with self.captured() as lines:
                otherwise = self.expr(node.args[1])
            return self.chosen(f"{found} != 0", Value(kind, names), [], otherwise, lines)
        with self.block(f"if {found} == 0:"):
            self.fail("ValueError", "next() of nothing", (StopIteration,))
        return Value(kind, names)

    def call_isinstance(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        wanted = self.static(node.args[1])
        if wanted is Missing and isinstance(node.args[1], ast.Tuple):
            wanted = tuple(self.static(e) for e in node.args[1].elts)
        wanted = wanted if isinstance(wanted, tuple) else (wanted,)
        if isinstance(value.kind, OneOf) and Missing not in wanted:
            fitting = [
                i + 1 for i, each in enumerate(value.kind.kinds) if isinstance(_example(each), tuple(wanted))
            ]
            return self.flag(" or ".join(f"{value.words[0]} == {i}" for i in fitting) or "False")
        have: Any = {INT: int, BOOL: bool, FLOAT: float, CHAR: str, TEXT: str, NONE: type(None)}.get(
            value.kind
        )
        match value.kind:
            case Items():
                have = tuple
            case Run(_, tag):
                have = {"list": list, "table": list, "tuple": tuple, "str": str}[tag]
            case Record(cls, _) | Member(cls):
                have = cls
        if have is None or Missing in wanted or isinstance(value.kind, Maybe):
            raise Cannot("isinstance() of a value of several kinds", "compare values instead")
        return number(issubclass(have, tuple(wanted)))

    def call_type(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        if isinstance(value.kind, Record | Member):
            return Value(Static(value.kind[0]))
        raise Cannot("type() of what is no state", "compare values instead")

    def call_replace(self, node: ast.Call) -> Value:
        """dataclasses.replace."""
        value = self.expr(node.args[0])
        if not isinstance(value.kind, Record):
            raise Cannot(f"replace() of {value.kind}", "give it a state")
        return self.record_method(value, value.kind.cls, "_replace", ast.Call(node.func, [], node.keywords))

    def deep_copy(self, value: Value) -> Value:
        match value.kind:
            case Run(Run(_, "list" | "table"), "list" | "table"):
                fill = lambda keep: self.turns(self.view_value(value), lambda row: keep(self.deep_copy(row)))  # noqa: E731
                return self.collected(fill, (self.here, "deep", value.kind))
            case Run(_, "list"):
                return self.list_method(value, "copy", ast.Call(ast.Constant(0), [], []), ast.Constant(0))
            case Run(inner, "table"):
                return Value(Run(inner, "list"), self.convert(value, Run(inner, "list")), True)
        return value

    def call_copied(self, node: ast.Call) -> Value:
        """copy.copy and copy.deepcopy."""
        value = self.expr(node.args[0])
        if self.static(node.func) is copy.deepcopy and isinstance(value.kind, Run):
            return self.deep_copy(value)
        if (
            isinstance(value.kind, Run)
            and value.kind.type == "list"
            and not isinstance(value.kind.inner, Run | Set | Dict)
        ):
            return self.list_method(value, "copy", ast.Call(node.func, [], []), node.args[0])
        if isinstance(value.kind, Run) and value.kind.type == "table":
            return Value(
                Run(value.kind.inner, "list"), self.convert(value, Run(value.kind.inner, "list")), True
            )
        if isinstance(value.kind, Set | Dict) or isinstance(value.kind, Run) and value.kind.type == "list":
            raise Cannot("a copy of lists in lists cannot be compiled", "write [list(row) for row in rows]")
        return value

    def call_astuple(self, node: ast.Call) -> Value:
        value = self.expr(node.args[0])
        return Value(Items(value.kind.kinds), value.words) if isinstance(value.kind, Record) else NEVER

    def call_iter(self, node: ast.Call) -> Value:
        return self.expr(node.args[0])

    def call_print(self, node: ast.Call) -> Value:
        raise Cannot("print() in a rule", "rules only compute; leave it out")


LISTED = (
    enumerate, zip, map, filter, itertools.product, itertools.combinations, itertools.permutations, itertools.chain,
    itertools.chain.from_iterable, itertools.accumulate, itertools.takewhile, itertools.pairwise, itertools.starmap,
    itertools.islice, itertools.combinations_with_replacement,
)  # fmt: skip
_BUILTINS: dict[Any, str] = {
    **{getattr(builtins, name): name for name in (
        "len", "range", "abs", "int", "round", "float", "bool", "ord", "chr", "str", "divmod", "pow", "list", "tuple",
        "set", "dict", "sorted", "reversed", "any", "all", "sum", "min", "max", "next", "isinstance", "type", "iter",
        "print", "bin", "hex", "oct", "format",
    )},
    frozenset: "set", dict.fromkeys: "fromkeys",
    **dict.fromkeys(LISTED, "items"),
    functools.reduce: "reduce", math.prod: "prod", dataclasses.replace: "replace", dataclasses.astuple: "astuple",
    copy.copy: "copied", copy.deepcopy: "copied",
}  # fmt: skip


def _example(kind: Kind) -> Any:
    """A value of Python's of a kind."""
    match kind:
        case Items() | Run(_, "tuple"):
            return ()
        case Member():
            members: Any = kind.enum
            return next(iter(members))
        case Record():
            fields = getattr(kind.cls, "_fields", None)
            return object.__new__(kind.cls) if fields is None else tuple.__new__(kind.cls, fields)
    return {INT: 0, BOOL: False, FLOAT: 0.0, NONE: None}.get(kind, "")


def _hashable(value: Any) -> bool:
    return getattr(type(value), "__hash__", None) is not None


def _is_total(key: ast.expr) -> bool:
    """Whether no two items have equal keys: there is no function, or what it gives holds the item itself."""
    match key:
        case ast.Lambda(ast.arguments(args=[ast.arg(name)]), ast.Tuple(parts)):
            return any(isinstance(part, ast.Name) and part.id == name for part in parts)
    return _is_none(key)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
