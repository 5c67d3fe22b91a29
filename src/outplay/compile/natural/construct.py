"""Calls of classes: new states, records, enum members, tuples, lists, sets and dicts."""

import ast
import collections
import enum
import functools
import operator
from typing import Any

from outplay.compile.natural.calls import Calls
from outplay.compile.natural.kinds import (
    INT,
    UNKNOWN,
    Applied,
    Cannot,
    Dict,
    Member,
    Record,
    Static,
    holds_list,
    join,
    own_method,
)
from outplay.compile.natural.syntax import is_plain
from outplay.compile.natural.values import Value, number
from outplay.compile.source import Missing


class Constructors(Calls):
    """Compiles calls of classes."""

    def construct(self, cls: Any, node: ast.Call) -> Value:
        """A new state, record, enum member or collection."""
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
                raise Cannot(f"{cls.__name__}() of something unknown at compile time", "write a lambda")
            return Value(Static(cls(*known)))
        if not self.program.is_record(cls):
            if issubclass(cls, Exception):
                raise Cannot("an exception is used as a value", "raise it")
            raise Cannot(f"{cls.__name__} is a class whose objects cannot be compiled", "use a NamedTuple")
        size = None if is_plain(cls) else len(self.program.fields(cls))
        return self.build(cls, self.arguments(node, size, as_is=True), self.keywords(node))

    leaving = False  # whether the value is returned at once

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
                raise Cannot(
                    f"{name} is not a field, or given twice", f"use one of its fields ({', '.join(fields)})"
                )
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
        """A new record with the settled kinds of its fields."""
        known = self.program.record_kind(made.kind)
        return Value(known, self.convert(made, known))

    def member_of(self, cls: Any, value: Value) -> Value:
        """Color(1): the member with this value."""
        if value.kind == Member(cls):
            return value
        if value.constant is not Missing:
            try:
                return self.embed(cls(value.constant))
            except ValueError:
                self.fail("ValueError", f"no member of {cls.__name__} has this value")
                return Value(Member(cls), ("0",))
        if issubclass(cls, enum.Flag):
            return self.flags_of(cls, value)
        table = self.embed(tuple(m.value for m in cls))
        place = self.find(table, value)
        with self.block(f"if {place} < 0:"):
            self.fail("ValueError", f"no member of {cls.__name__} has this value")
        if issubclass(cls, int):
            return Value(Member(cls), (self.word_of(value),))
        return Value(Member(cls), (place,))

    def flags_of(self, cls: Any, value: Value) -> Value:
        """Light(5): the flags that are set in a number."""
        boundary = getattr(cls, "_boundary_", None)
        if boundary not in (enum.STRICT, enum.KEEP):
            raise Cannot(f"{cls.__name__}(...) of flags with another boundary", "use a tuple of its members")
        word = self.word_of(value)
        with self.block(f"if {word} < 0:"):
            self.beyond("flags are made of a negative number")
        if boundary is enum.STRICT:
            every = functools.reduce(operator.or_, (int(member.value) for member in cls), 0)
            with self.block(f"if {word} & ~{every} != 0:"):
                self.fail("ValueError", f"{cls.__name__} has no such flags")
        return Value(Member(cls), (word,))

    def collection(self, cls: Any, node: ast.Call) -> Value:
        if node.keywords or cls is collections.deque and len(node.args) > 1:
            raise Cannot(f"{cls.__name__}() with names cannot be compiled", "leave them out")
        if cls is collections.deque:
            return self.materialized(node.args[0]) if node.args else self.new_list(UNKNOWN)
        if cls is collections.Counter:
            if node.args and (counted := self.dict_there(node.args[0])) is not None:
                if counted.kind.value not in (INT, UNKNOWN):
                    raise Cannot("a Counter of what is no int", "count ints")
                return self.copied_dict(counted, "zero")
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
