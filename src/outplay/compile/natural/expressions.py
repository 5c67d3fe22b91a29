"""Expressions: names, constants, operators, subscripts and displays."""

import ast
import dataclasses
import enum
import functools
import inspect
import re
import types
from typing import Any

import numpy as np

from outplay.compile.natural import library
from outplay.compile.natural.iterate import Noted
from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    INT,
    NONE,
    TEXT,
    UNKNOWN,
    Bound,
    Cannot,
    Dict,
    Items,
    Kind,
    Maybe,
    Member,
    Range,
    Record,
    Run,
    Set,
    Simple,
    Static,
    is_word,
    join,
    join_all,
    may_share,
    own_method,
    words,
)
from outplay.compile.natural.objects import attribute, is_object, static_member
from outplay.compile.natural.unfinished import Unfinished
from outplay.compile.natural.values import NEVER, NOTHING, ROOM, Site, Value, item_origin, member_word, number
from outplay.compile.source import Missing, lookup, plain

FIRST_ITEMS = 32  # the initial capacity of a list
SIMPLE = (int, float, str, bool, type(None), enum.Enum)


class Expressions(Unfinished):
    """Compiles expressions."""

    here: Any = None  # the expression being compiled
    nesting: int  # the number of loops and conditions around it

    # --- names and constants ------------------------------------------------------------------------------

    def static(self, node: ast.expr) -> Any:
        """The object that an expression refers to at compile time, or Missing."""
        match node:
            case ast.Name(id=name):
                if name in self.locals:
                    var = self.env.get(name)
                    kind = getattr(var, "kind", None)
                    return kind.value if isinstance(kind, Static) else Missing
                found = lookup(self.function, name)
                self.program.watch(self.function, name, found)
                return found
            case ast.Attribute(value=base, attr=attr):
                owner = self.static(base)
                if owner is Missing:
                    return Missing
                if isinstance(owner, enum.EnumMeta) and attr in owner.__members__:
                    return owner[attr]
                if inspect.ismodule(owner) or isinstance(owner, type | enum.Enum):
                    found = getattr(owner, attr, Missing)
                    if not isinstance(owner, enum.Enum):
                        self.program.watch(owner, attr, inspect.getattr_static(owner, attr, Missing))
                    return found
                if is_object(owner):
                    self.program.watch(owner, attr, static_member(owner, attr))
                    return attribute(owner, attr)
        return Missing

    def embed(self, value: Any) -> Value:
        """A constant as a value of the program."""
        if isinstance(value, enum.Enum):
            return Value(Member(type(value)), (str(member_word(value)),), constant=value)
        if isinstance(value, np.integer | np.bool_):
            value = int(value)
        if isinstance(value, bool | int | float):
            return number(value)
        if value is None:
            return NOTHING
        if isinstance(value, str) and len(value) == 1:
            return Value(CHAR, (str(ord(value)),), constant=value)
        if isinstance(value, types.MappingProxyType):
            value = dict(value)
        if isinstance(value, np.ndarray):
            value = self._tuples(value.tolist())
        if isinstance(value, range):
            given = tuple(str(part) for part in (value.start, value.stop, value.step))
            return Value(Range(), given, constant=value)
        if isinstance(value, str | tuple | list | dict | set | frozenset) or (
            dataclasses.is_dataclass(value) and self.program.is_record(type(value))
        ):
            return self.program.constant(value)
        return Value(Static(value))

    def _tuples(self, value: Any) -> Any:
        return tuple(map(self._tuples, value)) if isinstance(value, list) else value

    def expr(self, node: ast.expr) -> Value:
        """An expression's value."""
        return self.wide(self.cells(node))

    def quiet(self, node: ast.expr) -> Kind:
        """The kind of an expression, without its code."""
        with self.captured():
            return self.expr(node).kind

    def cells(self, node: ast.expr) -> Value:
        """The same; a run's items may stay as compact as in a state."""
        before, self.line = self.line, getattr(node, "lineno", self.line)
        found = getattr(self, f"visit_{type(node).__name__}", None)
        if found is None:
            raise Cannot(
                f"{_NAMES.get(type(node), type(node).__name__)} cannot be compiled", "write it in another way"
            )
        above, self.here = self.here, node
        with self.careful():  # what uses the value may look at the order of what is in it
            value: Value = found(node)
        self.line, self.here = before, above
        return value

    def visit_Constant(self, node: ast.Constant) -> Value:
        if node.value is ... or isinstance(node.value, bytes | complex):
            raise Cannot(f"{node.value!r} cannot be compiled", "use numbers and texts")
        return self.embed(node.value)

    def visit_Name(self, node: ast.Name) -> Value:
        if node.id in self.locals:
            return self.read(node.id)
        found = self.static(node)
        if found is Missing:
            raise Cannot(f"the name {node.id} is not known", "define or import it at the top of the file")
        return self.embed(found)

    def visit_Attribute(self, node: ast.Attribute) -> Value:
        found = self.static(node)
        if found is not Missing and not isinstance(self.static(node.value), enum.Enum):
            return self.embed(found)
        if self.makes is not None and isinstance(node.value, ast.Name) and node.value.id == self.me:
            return self.of_new(node)
        if (place := self.place_name(node)) is not None:
            return self.read(place)
        if self.is_unfinished(node.value):
            return self.answer(self.attribute_of(self.asked(node.value), node))
        return self.attribute_of(self.expr(node.value), node)

    def attribute_of(self, value: Value, node: ast.Attribute) -> Value:
        """An attribute of a value."""
        value = self.present(value) if isinstance(value.kind, Maybe) else value
        match value.kind:
            case Record(cls, _):
                fields = self.program.fields(cls)
                if node.attr in fields:
                    return self.parts(value)[fields.index(node.attr)]
                member = inspect.getattr_static(cls, node.attr, Missing)
                self.program.watch(cls, node.attr, member)
                if isinstance(member, property | functools.cached_property):
                    return self.call_function(
                        plain(member) if isinstance(member, property) else member.func, [value]
                    )
                if inspect.isfunction(member):
                    return Value(Bound(value.kind, node.attr), value.words)
                if member is not Missing:
                    return self.embed(getattr(cls, node.attr))
                raise Cannot(
                    f"{cls.__name__} has no field or constant {node.attr}",
                    f"use one of its fields ({', '.join(fields)})",
                )
            case Member(cls):
                return self.of_member(value, cls, node.attr)
            case Static(owner) if is_object(owner):
                return self.of_object(value, owner, node.attr)
            case Range() if node.attr in ("start", "stop", "step"):
                return Value(INT, (value.words[("start", "stop", "step").index(node.attr)],))
            case Simple("unknown"):
                return NEVER
        if self.has_method(value.kind, node.attr):
            return Value(Bound(value.kind, node.attr), value.words, origin=value.origin)
        raise Cannot(f"{value.kind} has no attribute {node.attr}", "compute with ints, texts and tuples")

    def of_object(self, value: Value, owner: Any, attr: str) -> Value:
        """An attribute of a constant object: a constant, a method or a property."""
        found = static_member(owner, attr)
        self.program.watch(owner, attr, found)
        if (known := attribute(owner, attr)) is not Missing:
            return self.embed(known)
        if isinstance(found, property | functools.cached_property):
            return self.call_function(plain(found) if isinstance(found, property) else found.func, [value])
        if callable(found) or isinstance(found, classmethod):
            return Value(Bound(value.kind, attr), value.words)
        raise Cannot(f"{type(owner).__name__} has no attribute {attr}", "set it where the object is made")

    makes: Any  # the class whose __init__ is being compiled, and its name for `self`
    me: str

    def of_new(self, node: ast.Attribute) -> Value:
        """An attribute of the object that __init__ initialises."""
        if f"{self.me}.{node.attr}" in self.env:
            return self.read(f"{self.me}.{node.attr}")
        member = inspect.getattr_static(self.makes, node.attr, Missing)
        if member is Missing or callable(member) or isinstance(member, property | staticmethod | classmethod):
            raise Cannot("__init__ uses the unfinished object", "compute it from the arguments")
        self.program.watch(self.makes, node.attr, member)
        return self.embed(member)

    @staticmethod
    def has_method(kind: Any, name: str) -> bool:
        """Whether a Python value has a method, which may be passed on without calling it."""
        match kind:
            case Items() | Run(_, "tuple"):
                return hasattr(tuple, name)
            case Run(_, "str") | Simple("character"):
                return hasattr(str, name)
            case Run():
                return hasattr(list, name)
            case Dict():
                return hasattr(dict, name)
            case Set():
                return hasattr(set, name)
        return False

    def of_member(self, value: Value, cls: Any, attr: str) -> Value:
        """`.value`, `.name`, a property or an attribute of an enum member: a table with a row for each member."""
        member = inspect.getattr_static(cls, attr, Missing)
        if isinstance(member, property):
            return self.call_function(plain(member), [value])
        if isinstance(value.constant, enum.Enum):
            return self.embed(getattr(value.constant, attr))
        if attr == "value" and issubclass(cls, int | enum.Flag):
            return Value(INT, value.words)
        try:
            table = self.embed(tuple(getattr(m, attr) for m in cls))
        except AttributeError:
            raise Cannot(f"{cls.__name__} has no attribute {attr}", "give its members one") from None
        return self.indexed(table, Value(INT, (self.member_place(value, cls),)))

    def member_place(self, value: Value, cls: Any) -> str:
        """A member's position in its enum."""
        if not issubclass(cls, int | enum.Flag):
            return value.word
        numbers = self.embed(tuple(int(m.value) for m in cls))
        data, count, _ = self.run(numbers)
        place = self.temp(f"find_word({data}, {count}, 1, {value.word})")
        if issubclass(cls, enum.Flag):  # a combination of flags is not a member
            with self.block(f"if {place} < 0:"):
                self.beyond(f"several flags of {cls.__name__}, or none, are used as one member")
        return place

    def member_named(self, cls: Any, name: Value) -> Value:
        """Color["RED"], with a name unknown at compile time."""
        place = self.find(self.embed(tuple(cls.__members__)), name)
        with self.block(f"if {place} < 0:"):
            self.fail("KeyError", f"no member of {cls.__name__} has this name")
        return self.indexed(self.embed(tuple(cls.__members__.values())), Value(INT, (place,)))

    # --- displays -----------------------------------------------------------------------------------------

    def visit_Tuple(self, node: ast.Tuple) -> Value:
        starred = [e.value for e in node.elts if isinstance(e, ast.Starred)]
        if not all(isinstance(self.quiet(e), Items | Record) for e in starred):
            made = self.with_starred(node)
            data, count, inner = self.run(made)
            return Value(Run(inner), (data, count))
        parts = [part for e in node.elts for part in self.kept_parts(e)]
        made = self.tuple_of([self.held(p) if not p.fresh else p for p in parts])
        if all(p.constant is not Missing or p.kind == NONE for p in parts):
            return made._replace(constant=tuple(None if p.kind == NONE else p.constant for p in parts))
        return made

    def kept_parts(self, node: ast.expr) -> list[Value]:
        if isinstance(node, ast.Starred):
            return self.unpacked(self.expr(node.value))
        return [self.kept_part(node)]

    def kept_part(self, node: ast.expr) -> Value:
        """What is kept in a tuple, list or dict."""
        value = self.expr(node)
        self.refuse_iterator(value)
        return value

    def with_starred(self, node: ast.Tuple | ast.List | ast.Set) -> Value:
        """(*a, b, *c): a list, item by item."""

        def fill(keep: Any) -> None:
            for element in node.elts:
                if isinstance(element, ast.Starred):
                    self.each(element.value, keep)
                else:
                    keep(self.expr(element))

        return self.collected(fill, (node, "starred"))

    def visit_List(self, node: ast.List) -> Value:
        if any(isinstance(e, ast.Starred) for e in node.elts):
            return self.with_starred(node)
        parts = [self.kept_part(e) for e in node.elts]
        kind = join(join_all(p.kind for p in parts), self.site_kinds.get((node, "list"), UNKNOWN))
        made = self.new_list(kind, str(max(len(parts), 4 if self.nesting else FIRST_ITEMS)))
        for part in parts:
            self.push(made.word, kind, part)
        return made._replace(origin=Site((node, "list")))

    def visit_Set(self, node: ast.Set) -> Value:
        parts = [self.expr(e) for e in node.elts]
        return self.set_of(lambda keep: [keep(p) for p in parts], (node, "set"))

    def set_of(self, fill: Any, site: Any) -> Value:
        """A new set of the items that `fill` yields."""
        kind = self.site_kinds.get(site, UNKNOWN)
        made = Value(Set(kind), self.new_list(kind).words, fresh=True)

        def keep(value: Value) -> None:
            known = join(self.site_kinds.get(site, UNKNOWN), value.kind)
            if known != self.site_kinds.get(site, UNKNOWN):
                self.site_kinds[site] = known
                self.learned = True
            elif kind == known:
                self.add_to_set(made, value)

        fill(keep)
        return made

    def refuse_constant(self, kind: Any) -> None:
        """Refuse to change data outside the state."""
        if isinstance(kind, Dict) and kind.default == "constant" or isinstance(kind, Set) and kind.constant:
            raise Cannot(
                f"a {kind} outside the state is changed", "keep what changes in a field of the state"
            )

    def add_to_set(self, target: Value, value: Value) -> None:
        self.refuse_constant(target.kind)
        inner = target.kind.inner
        value = Value(inner, self.convert(value, inner))
        with self.block(f"if {self.find(target, value)} < 0:"):
            self.push(target.word, inner, value)

    def visit_Dict(self, node: ast.Dict) -> Value:
        pairs = [
            (self.expr(k) if k is not None else None, self.kept_part(v))
            for k, v in zip(node.keys, node.values, strict=True)
        ]

        def fill(keep: Any) -> None:
            for key, value in pairs:
                if key is not None:
                    keep(key, value)
                else:
                    self.copy_dict(value, keep)

        return self.dict_of(fill, (node, "dict"))

    def dict_part(self, value: Value, which: int) -> Value:
        kind = value.kind
        assert isinstance(kind, Dict)
        handle = value.words[which]
        inner = (kind.key, kind.value)[which]
        return Value(Run(inner), (self.temp(f"word({handle}, 2)"), self.temp(f"word({handle}, 0)")))

    def dict_there(self, node: ast.expr) -> Value | None:
        """What an expression gives, if that is a dict."""
        lists = isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp)
        return None if lists or not isinstance(self.quiet(node), Dict) else self.expr(node)

    def copied_dict(self, value: Value, default: Any) -> Value:
        """A new dict with the same keys and values; `default` says what it gives for other keys."""
        kind, made = value.kind, []
        for handle, each in zip(value.words, (kind.key, kind.value), strict=True):
            stride = max(len(words(each)), 1)
            made.append(self.temp(f"list_of({ROOM}, word({handle}, 2), word({handle}, 0), {stride})"))
        return Value(kind._replace(default=default), tuple(made), fresh=True)

    def copy_dict(self, value: Value, keep: Any) -> None:
        """Call `keep` for each key of a dict and its value."""
        if value.kind == UNKNOWN:
            return
        if not isinstance(value.kind, Dict):
            raise Cannot("** of what is no dict", "give it a dict")
        self.refuse_order(value)
        items = self.zipped([self.view_value(self.dict_part(value, i)) for i in (0, 1)])
        self.turns(items, lambda pair: keep(*map(self.held, self.parts(pair))))

    def merged_dicts(self, a: Value, b: Value) -> Value:
        """a | b"""

        def fill(keep: Any) -> None:
            self.copy_dict(a, keep)
            self.copy_dict(b, keep)

        return self.dict_of(fill, (self.here, "merged"))

    def dict_of(self, fill: Any, site: Any, items: bool = False) -> Value:
        """A new dict of the pairs that `fill` yields; `items`: of a loop, which may be over a set.

        Then the dict has no order, either, and only plain Python knows which of two pairs with one key is the last.
        """
        kind = self.site_kinds.get(site, Dict(UNKNOWN, UNKNOWN))
        keys, values = self.new_list(kind.key), self.new_list(kind.value)
        made = Value(kind, (keys.word, values.word), fresh=True, origin=Site(site))

        def keep(key: Value, value: Value) -> None:
            known = join(self.site_kinds.get(site, Dict(UNKNOWN, UNKNOWN)), Dict(key.kind, value.kind))
            if known != self.site_kinds.get(site, Dict(UNKNOWN, UNKNOWN)):
                self.site_kinds[site] = known
                self.learned = True
            elif kind == known:
                if items and not kind.ordered:
                    self.refuse_twice(made, key, value)
                self.set_key(made, key, value)

        before, self.careless = self.careless, Noted()
        fill(keep)
        noted, self.careless = self.careless, before
        if noted.used and kind.ordered:
            known = self.site_kinds.get(site, Dict(UNKNOWN, UNKNOWN))
            self.site_kinds[site], self.learned = known._replace(ordered=False), True
            return made._replace(kind=kind._replace(ordered=False))
        return made

    def refuse_twice(self, made: Value, key: Value, value: Value) -> None:
        """Leave it to plain Python if a dict has another value for a key."""
        kind = made.kind
        place = self.find(made, self.held(Value(kind.key, self.convert(key, kind.key))))
        with self.block(f"if {place} >= 0:"):
            there = self.item(self.temp(f"word({made.words[1]}, 2)"), place, kind.value)
            given = Value(kind.value, self.convert(value, kind.value))
            same = "False" if may_share(kind.value) else self.equal(there, given)
            with self.block(f"if not ({same}):"):
                self.beyond("a dict is made of a set, with one key twice")

    def set_key(self, target: Value, key: Value, value: Value) -> None:
        """d[key] = value."""
        kind = target.kind
        assert isinstance(kind, Dict)
        self.refuse_constant(kind)
        key = self.held(Value(kind.key, self.convert(key, kind.key)))
        given = self.convert(value, kind.value)
        place = self.find(target, key)
        stride = max(len(words(kind.value)), 1)
        with self.block(f"if {place} >= 0:"):
            self.put(f"word({target.words[1]}, 2) + {8 * stride} * {place}", kind.value, given)
        with self.block("else:"):
            self.push(target.words[0], kind.key, key)
            self.push(target.words[1], kind.value, Value(kind.value, given))

    def visit_ListComp(self, node: ast.ListComp) -> Value:
        return self.materialized(node)

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> Value:
        return self.made_early(node)._replace(once=self.looks_at(node))

    def visit_SetComp(self, node: ast.SetComp) -> Value:
        def fill(keep: Any) -> None:
            self.comprehend(node.generators, lambda: keep(self.made_in_turn(node.elt, node.generators)))

        self.see_symmetry(node.generators, node.elt)
        before, self.careless = self.careless, True
        made = self.set_of(fill, (node, "set"))
        self.careless = before
        return made

    def set_from(self, source: ast.expr, site: Any) -> Value:
        """A new set of the items of an expression, in any order."""
        before, self.careless = self.careless, True
        made = self.set_of(lambda keep: self.each(source, keep), site)
        self.careless = before
        return made

    def visit_DictComp(self, node: ast.DictComp) -> Value:
        def fill(keep: Any) -> None:
            self.comprehend(
                node.generators,
                lambda: keep(self.held(self.expr(node.key)), self.made_in_turn(node.value, node.generators)),
            )

        return self.dict_of(fill, (node, "dict"), True)

    def visit_Lambda(self, node: ast.Lambda) -> Value:
        return self.local_function(node)

    def visit_NamedExpr(self, node: ast.NamedExpr) -> Value:
        value = self.held(self.expr(node.value))
        self.assign_name(node.target.id, value, node)
        return self.read(node.target.id)

    def visit_IfExp(self, node: ast.IfExp) -> Value:
        condition = self.condition(node.test)
        if condition in ("True", "False"):
            return self.expr(node.body if condition == "True" else node.orelse)
        with self.captured() as lines:
            one = self.cells(node.body)
        with self.captured() as others:
            two = self.cells(node.orelse)
        one, two = self.there(node.body, one, node.test, True), self.there(node.orelse, two, node.test, False)
        if one.constant is not Missing and two.constant is not Missing:
            one, two = one._replace(constant=Missing), two._replace(constant=Missing)
        return self.chosen(condition, one, lines, two, others)

    def there(self, node: ast.expr, value: Value, test: ast.expr, holds: bool) -> Value:
        """The x in `x if x is not None else 0`: where it is chosen it is not None, so it is a T, not `T | None`."""
        match test:
            case ast.Compare(tested, [ast.Is() | ast.IsNot() as op], [ast.Constant(None)]):
                same = is_place(tested) and ast.dump(node) == ast.dump(tested)
                if same and holds == isinstance(op, ast.IsNot) and isinstance(value.kind, Maybe):
                    return self.inside(value)
        return value

    def tag(self, value: Value) -> str:
        match value.kind:
            case Run(_, "table" | "array"):
                return "list"
            case Run(_, tag):
                return tag
            case Items() | Record():
                return "tuple"
            case Simple("character"):
                return "str"
        raise Cannot(f"{value.kind} is used as a sequence", "use a tuple or a list")

    def run_kind(self, value: Value) -> Any:
        match value.kind:
            case Run(inner):
                return inner
            case Items(kinds) | Record(_, kinds):
                return join_all(kinds)
        return CHAR

    def as_run(self, value: Value, kind: Run) -> tuple[str, str]:
        """A value's items converted to a run of this kind: their address and number."""
        if isinstance(value.kind, Run) and value.kind.type in ("list", "table", "array"):
            data, count, inner = self.run(value)
            value = Value(Run(inner), (data, count))
        if value.kind == CHAR:
            value = Value(TEXT, self.convert(value, TEXT))
        data, count = self.convert(value, kind)
        return data, count

    # --- subscripts ---------------------------------------------------------------------------------------

    def visit_Subscript(self, node: ast.Subscript) -> Value:
        owner = self.static(node.value)
        if isinstance(owner, enum.EnumMeta):
            key = self.expr(node.slice)
            if isinstance(key.constant, str) and key.constant in owner.__members__:
                return self.embed(owner[key.constant])
            if key.kind in (TEXT, CHAR):
                return self.member_named(owner, key)
            raise Cannot(
                f"{owner.__name__}[...] of a name unknown at compile time", "use a tuple of its members"
            )
        value = self.cells(node.value)
        value = self.present(value) if isinstance(value.kind, Maybe) else value
        if isinstance(node.slice, ast.Slice):
            return self.sliced(value, node.slice)
        place = self.expr(node.slice)
        return self.indexed(value, place)

    def indexed(self, value: Value, place: Value) -> Value:
        kind = value.kind
        if isinstance(kind, Record) and (own := own_method(kind.cls, "__getitem__")):
            return self.call_function(own, [value, place])
        match kind:
            case Dict(_, inner, "zero"):  # a Counter
                at = self.find(value, place)
                with self.captured() as lines:
                    found = self.item(self.temp(f"word({value.words[1]}, 2)"), at, inner)
                return self.chosen(f"{at} >= 0", found, lines, number(0), [])
            case Dict(_, inner, default):
                if default not in (None, "constant"):
                    return self.or_default(value, place)
                at = self.find(value, place)
                with self.block(f"if {at} < 0:"):
                    self.fail("KeyError", "a key is missing")
                item = self.item(self.temp(f"word({value.words[1]}, 2)"), at, inner)
                return item._replace(origin=item_origin(value.origin, inner))
            case Items(kinds) | Record(_, kinds):
                if isinstance(place.constant, int):
                    if not -len(kinds) <= place.constant < len(kinds):
                        self.fail("IndexError", "an index is out of range")
                        return NEVER
                    return self.parts(value)[place.constant]
            case Simple("unknown"):
                return NEVER
            case Range():
                count = self.temp(f"range_length({', '.join(value.words)})")
                i = self.temp(f"index({self.word_of(place)}, {count})")
                return self.of(INT, f"{value.words[0]} + {i} * {value.words[2]}")
        if isinstance(value.constant, tuple | str | list) and isinstance(place.constant, int):
            if -len(value.constant) <= place.constant < len(value.constant):
                known: Any = value.constant[place.constant]
                if isinstance(known, SIMPLE):
                    return self.embed(known)
        data, count, inner, size = self.lane(value)
        item = self.item(data, self.at_index(self.word_of(place), count), inner, size)
        return item._replace(origin=item_origin(value.origin, inner))

    def or_default(self, value: Value, key: Value) -> Value:
        """d[key] for a defaultdict."""
        raise NotImplementedError

    def stepwise(self, value: Value, node: ast.Slice) -> Value:
        """A slice with a step unknown at compile time."""
        tag, inner = self.tag(value), self.run_kind(value)
        data, count = self.as_run(value, Run(inner, "str" if tag == "str" else "tuple"))
        assert node.step is not None
        lower = self.word_of(self.expr(node.lower)) if node.lower is not None else "0"
        upper = self.word_of(self.expr(node.upper)) if node.upper is not None else "0"
        step = self.word_of(self.expr(node.step))
        start = self.temp(f"first_of_slice({lower}, {int(node.lower is not None)}, {count}, {step})")
        stop = self.temp(f"end_of_slice({upper}, {int(node.upper is not None)}, {count}, {step})")
        size = self.temp(f"range_length({start}, {stop}, {step})")
        stride = max(len(words(inner)), 1)
        made = self.temp(f"stepped({ROOM}, {data}, {start}, {step}, {size}, {stride})")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made}, {size}, {stride})"),), fresh=True
            )
        return Value(Run(inner, tag), (made, size))

    def size_of(self, value: Value) -> int | None:
        """The length of a tuple or text, if known at compile time."""
        if isinstance(value.kind, Run) and value.kind.type != "list" and self.is_length(value.words[1]):
            return self.span(value.words[1])[0]
        return None

    def is_length(self, word: str) -> bool:
        low, high = self.span(word)
        return low == high

    def sliced(self, value: Value, node: ast.Slice) -> Value:
        if value.kind == UNKNOWN:
            return NEVER
        if isinstance(value.kind, Record):
            value = Value(Items(value.kind.kinds), value.words)
        step = self.expr(node.step).constant if node.step is not None else 1
        if not isinstance(step, int) or step == 0:
            return self.stepwise(value, node)
        if isinstance(value.kind, Items) and all(
            part is None or isinstance(self.constant_of(part), int) for part in (node.lower, node.upper)
        ):
            bounds = [None if part is None else self.constant_of(part) for part in (node.lower, node.upper)]
            return self.tuple_of(self.parts(value)[slice(bounds[0], bounds[1], step)])
        tag, inner = self.tag(value), self.run_kind(value)
        size_of_item = value.kind.size if isinstance(value.kind, Run) and step == 1 and tag != "list" else 8
        kind = Run(inner, "str" if tag == "str" else "tuple", size_of_item)
        data, count = self.as_run(value, kind)
        stride = max(len(words(inner)), 1)
        far = stride * size_of_item  # from one item to the next
        known = self.known_slice(value, node, step)
        if known is not None and step == 1 and tag != "list":
            at = f"{data} + {far * known.start}" if known.start else data
            return Value(kind, (self.temp(at), str(len(known))))
        lower = self.word_of(self.expr(node.lower)) if node.lower is not None else None
        upper = self.word_of(self.expr(node.upper)) if node.upper is not None else None
        if step > 0:
            start = self.temp(f"bound({lower}, {count})") if lower is not None else "0"
            stop = self.temp(f"bound({upper}, {count})") if upper is not None else count
        else:
            start = (
                self.temp(f"last_bound({lower}, {count})") if lower is not None else self.temp(f"{count} - 1")
            )
            stop = self.temp(f"last_bound({upper}, {count})") if upper is not None else "-1"
        size = self.temp(f"range_length({start}, {stop}, {step})")
        if step == 1 and tag != "list":
            return Value(kind, (self.temp(f"{data} + {far} * {start}"), size))
        made = self.temp(f"stepped({ROOM}, {data}, {start}, {step}, {size}, {stride})")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made}, {size}, {stride})"),), fresh=True
            )
        return Value(Run(inner, tag), (made, size))

    def known_slice(self, value: Value, node: ast.Slice, step: int) -> range | None:
        """The indices of a slice, if known at compile time."""
        size = self.size_of(value)
        bounds = [None if part is None else self.constant_of(part) for part in (node.lower, node.upper)]
        if size is None or not all(b is None or isinstance(b, int) for b in bounds):
            return None
        return range(size)[slice(bounds[0], bounds[1], step)]

    def constant_of(self, node: ast.expr) -> Any:
        """The number that a node writes, or Missing."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(ast.USub(), ast.Constant(value=int() as value)):
                return -value
        return Missing

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Value:
        """f'...': the parts joined."""
        if all(isinstance(part, ast.Constant) for part in node.values):
            return self.embed(
                "".join(str(part.value) for part in node.values if isinstance(part, ast.Constant))
            )
        made = self.new_list(CHAR)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                if part.conversion not in (-1, 115):
                    raise Cannot("f'{...!r}' cannot be compiled", "texts belong in __str__ and action_text")
                value = self.expr(part.value)
                text = self.as_text(value)
                if part.format_spec is not None:
                    text = self.formatted(value, self.expr(part.format_spec).constant)
            else:
                text = self.expr(part)
            data, count, _ = self.run(text)
            self.emit(f"append_run({ROOM}, {made.word}, {data}, {count})")
        return Value(TEXT, (self.temp(f"word({made.word}, 2)"), self.temp(f"word({made.word}, 0)")))

    def formatted(self, value: Value, how: Any) -> Value:
        """format(value, how) for an int."""
        found = re.fullmatch(r"(0?)(\d*)([bdox]?)", how) if isinstance(how, str) else None
        if found is None or not is_word(value.kind) or isinstance(value.kind, Member) or value.kind == BOOL:
            raise Cannot("this format cannot be compiled", "texts belong in __str__ and action_text")
        base = {"b": 2, "o": 8, "x": 16}.get(found[3], 10)
        given = [value, number(base), self.embed(""), number(int(found[2] or 0)), self.embed(found[1] or " ")]
        return self.call_function(library.in_base, given)

    def as_text(self, value: Value) -> Value:
        """str(value)."""
        value = self.present(value)
        if value.kind in (CHAR, TEXT, UNKNOWN):
            return value
        if value.kind == INT:
            made = self.temp(f"digits({ROOM}, {value.word})")
            return Value(TEXT, (self.temp(f"word({made}, 2)"), self.temp(f"word({made}, 0)")))
        raise Cannot(f"str() of {value.kind} cannot be compiled", "texts belong in __str__ and action_text")

    def visit_Starred(self, node: ast.Starred) -> Value:
        raise Cannot("* cannot be compiled here", "write the items out")


_NAMES: dict[Any, str] = {
    ast.Yield: "yield inside an expression",
    ast.Await: "await",
    ast.JoinedStr: "f'...'",
}


def is_place(node: ast.expr) -> bool:
    """Whether an expression only looks something up, so that it means the same when it is looked at again."""
    looks = ast.Name | ast.Attribute | ast.Subscript | ast.Constant | ast.expr_context
    return all(isinstance(part, looks) for part in ast.walk(node))
