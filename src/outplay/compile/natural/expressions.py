"""Expressions: names, constants, operators, subscripts and displays."""

import ast
import dataclasses
import enum
import functools
import inspect
import operator
import re
import types
from typing import Any

import numpy as np

from outplay.compile.natural import library, spans
from outplay.compile.natural.iterate import Iterating
from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    NONE,
    TEXT,
    UNKNOWN,
    Bound,
    Cannot,
    Dict,
    Items,
    Maybe,
    Member,
    OneOf,
    Range,
    Record,
    Run,
    Set,
    Simple,
    Static,
    is_number,
    is_word,
    join,
    join_all,
    own_method,
    words,
)
from outplay.compile.natural.values import NEVER, NOTHING, ROOM, Value, member_word, number
from outplay.compile.source import Missing, lookup, plain

FIRST_ITEMS = 32  # for which a list has room that is made once, before it grows
SIMPLE = (int, float, str, bool, type(None), enum.Enum)
FOLDED: dict[Any, Any] = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.Pow: operator.pow, ast.LShift: operator.lshift, ast.RShift: operator.rshift, ast.Div: operator.truediv,
}  # fmt: skip
INTS = {  # what computes an operation on ints
    ast.Add: "add({}, {})", ast.Sub: "sub({}, {})", ast.Mult: "mul({}, {})", ast.FloorDiv: "floor_div({}, {})",
    ast.Mod: "modulo({}, {})", ast.BitAnd: "{} & {}", ast.BitOr: "{} | {}", ast.BitXor: "{} ^ {}",
    ast.Pow: "power({}, {})", ast.LShift: "shift_left({}, {})", ast.RShift: "shift_right({}, {})",
}  # fmt: skip
SURE = {
    ast.Add: "{} + {}",
    ast.Sub: "{} - {}",
    ast.Mult: "{} * {}",
}  # where the result has no more than 64 bits
UNSIGNED = {
    ast.FloorDiv: "quotient({}, {})",
    ast.Mod: "remainder({}, {})",
}  # of numbers that are not negative
FLOATS = {
    ast.Add: "{} + {}", ast.Sub: "{} - {}", ast.Mult: "{} * {}", ast.FloorDiv: "float_floor_div({}, {})",
    ast.Mod: "float_modulo({}, {})", ast.Pow: "float_power({}, {})",
}  # fmt: skip


class Expressions(Iterating):
    """Compiles expressions."""

    here: Any = None  # the expression that is compiled
    nesting: int  # how many loops and conditions it stands in

    # --- names and constants ------------------------------------------------------------------------------

    def static(self, node: ast.expr) -> Any:
        """The object that an expression means before the program runs, or Missing."""
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
                if isinstance(owner, range) or inspect.isfunction(owner):
                    return Missing
        return Missing

    def embed(self, value: Any) -> Value:
        """A value known now."""
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
        """What an expression computes."""
        return self.wide(self.cells(node))

    def cells(self, node: ast.expr) -> Value:
        """The same; the items of a run may lie as they do in a state."""
        before, self.line = self.line, getattr(node, "lineno", self.line)
        found = getattr(self, f"visit_{type(node).__name__}", None)
        if found is None:
            raise Cannot(
                f"{_NAMES.get(type(node), type(node).__name__)} cannot be compiled", "write it in another way"
            )
        above, self.here = self.here, node
        value = found(node)
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
        value = self.expr(node.value)
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
                    f"{cls.__name__} has no field or constant {node.attr}", f"fields: {', '.join(fields)}"
                )
            case Member(cls):
                return self.of_member(value, cls, node.attr)
            case Range() if node.attr in ("start", "stop", "step"):
                return Value(INT, (value.words[("start", "stop", "step").index(node.attr)],))
            case Simple("unknown"):
                return NEVER
        if self.has_method(value.kind, node.attr):
            return Value(Bound(value.kind, node.attr), value.words, origin=value.origin)
        raise Cannot(f"{value.kind} has no attribute {node.attr}", "compute with ints, texts and tuples")

    makes: Any  # the class whose __init__ is compiled, and what that calls the object
    me: str

    def of_new(self, node: ast.Attribute) -> Value:
        """An attribute of the object that __init__ makes."""
        if f"{self.me}.{node.attr}" in self.env:
            return self.read(f"{self.me}.{node.attr}")
        member = inspect.getattr_static(self.makes, node.attr, Missing)
        if member is Missing or callable(member) or isinstance(member, property | staticmethod | classmethod):
            raise Cannot("__init__ asks the object that it makes", "compute it from the arguments")
        self.program.watch(self.makes, node.attr, member)
        return self.embed(member)

    @staticmethod
    def has_method(kind: Any, name: str) -> bool:
        """Whether a value of Python's has a method, which may be passed on without calling it."""
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
        """`.value`, `.name`, a property or an attribute of a member of an enum: a table with a row for each."""
        member = inspect.getattr_static(cls, attr, Missing)
        if isinstance(member, property):
            return self.call_function(plain(member), [value])
        if isinstance(value.constant, enum.Enum):
            return self.embed(getattr(value.constant, attr))
        if attr == "value" and issubclass(cls, int):
            return Value(INT, value.words)
        try:
            table = self.embed(tuple(getattr(m, attr) for m in cls))
        except AttributeError:
            raise Cannot(f"{cls.__name__} has no attribute {attr}", "give its members one") from None
        return self.indexed(table, Value(INT, (self.member_place(value, cls),)))

    def member_place(self, value: Value, cls: Any) -> str:
        """The position of a member among all."""
        if not issubclass(cls, int):
            return value.word
        numbers = self.embed(tuple(int(m) for m in cls))
        data, count, _ = self.run(numbers)
        return self.temp(f"find_word({data}, {count}, 1, {value.word})")

    # --- displays -----------------------------------------------------------------------------------------

    def visit_Tuple(self, node: ast.Tuple) -> Value:
        if any(isinstance(e, ast.Starred) for e in node.elts):
            made = self.with_starred(node)
            data, count, inner = self.run(made)
            return Value(Run(inner), (data, count))
        parts = [self.expr(e) for e in node.elts]
        made = self.tuple_of([self.held(p) if not p.fresh else p for p in parts])
        if all(p.constant is not Missing or p.kind == NONE for p in parts):
            return made._replace(constant=tuple(None if p.kind == NONE else p.constant for p in parts))
        return made

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
        parts = [self.expr(e) for e in node.elts]
        kind = join(join_all(p.kind for p in parts), self.site_kinds.get((node, "list"), UNKNOWN))
        made = self.new_list(kind, str(max(len(parts), 4 if self.nesting else FIRST_ITEMS)))
        for part in parts:
            self.push(made.word, kind, part)
        return made

    def visit_Set(self, node: ast.Set) -> Value:
        parts = [self.expr(e) for e in node.elts]
        return self.set_of(lambda keep: [keep(p) for p in parts], (node, "set"))

    def set_of(self, fill: Any, site: Any) -> Value:
        """A new set of what `fill` gives."""
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
        """What lies outside the state must not change."""
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
        if any(key is None for key in node.keys):
            raise Cannot("** cannot be compiled", "write the items out")
        pairs = [
            (self.expr(k), self.expr(v)) for k, v in zip(node.keys, node.values, strict=True) if k is not None
        ]
        return self.dict_of(lambda keep: [keep(k, v) for k, v in pairs], (node, "dict"))

    def dict_of(self, fill: Any, site: Any) -> Value:
        """A new dict of what `fill` gives."""
        kind = self.site_kinds.get(site, Dict(UNKNOWN, UNKNOWN))
        keys, values = self.new_list(kind.key), self.new_list(kind.value)
        made = Value(kind, (keys.word, values.word), fresh=True)

        def keep(key: Value, value: Value) -> None:
            known = join(self.site_kinds.get(site, Dict(UNKNOWN, UNKNOWN)), Dict(key.kind, value.kind))
            if known != self.site_kinds.get(site, Dict(UNKNOWN, UNKNOWN)):
                self.site_kinds[site] = known
                self.learned = True
            elif kind == known:
                self.set_key(made, key, value)

        fill(keep)
        return made

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
        return self.materialized(node)

    def visit_SetComp(self, node: ast.SetComp) -> Value:
        def fill(keep: Any) -> None:
            self.comprehend(node.generators, lambda: keep(self.expr(node.elt)))

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
                node.generators, lambda: keep(self.held(self.expr(node.key)), self.expr(node.value))
            )

        return self.dict_of(fill, (node, "dict"))

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
        if one.constant is not Missing and two.constant is not Missing:
            one, two = one._replace(constant=Missing), two._replace(constant=Missing)
        return self.chosen(condition, one, lines, two, others)

    # --- operators ----------------------------------------------------------------------------------------

    def word_of(self, value: Value) -> str:
        """The word of an int."""
        value = self.only(self.present(value), is_word, "int")
        if not is_word(value.kind) and value.kind != UNKNOWN:
            raise Cannot(f"{value.kind} is used where an int is wanted", "use an int")
        return value.word if value.words else "0"

    def visit_BinOp(self, node: ast.BinOp) -> Value:
        if (
            isinstance(node.op, ast.Add)
            and isinstance(node.left, ast.BinOp)
            and isinstance(node.left.op, ast.Add)
        ):
            return self.summed(node)
        left = self.expr(node.left)
        if not left.fresh:
            left = self.held(left)
        return self.operate(type(node.op), left, self.expr(node.right))

    def operate(self, op: Any, a: Value, b: Value) -> Value:
        a, b = self.present(a), self.present(b)
        if UNKNOWN in (a.kind, b.kind):
            return NEVER
        if isinstance(a.kind, OneOf):
            a = self.only(a, lambda each: is_number(each) == is_number(b.kind), "number")
        if isinstance(b.kind, OneOf):
            b = self.only(b, lambda each: is_number(each) == is_number(a.kind), "number")
        own = self.own_operator(op, a, b)
        if own is not None:
            return own
        if _plain_numbers(a.constant, b.constant) and op in FOLDED:
            try:
                made = FOLDED[op](a.constant, b.constant)
                if isinstance(made, int | float) and not isinstance(made, complex):
                    return number(made)
            except (ArithmeticError, ValueError, TypeError):
                pass
        if (
            isinstance(a.kind, Member)
            and issubclass(a.kind.enum, enum.Flag)
            and a.kind == b.kind
            and op in _BITS
        ):
            return self.of(a.kind, INTS[op].format(a.word, b.word))
        if is_number(a.kind) and is_number(b.kind):
            if op is ast.Div:
                return self.of(FLOAT, f"divide(float({a.word}), float({b.word}))")
            if is_word(a.kind) and is_word(b.kind):
                if op in (ast.BitAnd, ast.BitOr, ast.BitXor) and a.kind == b.kind == BOOL:
                    return self.of(BOOL, INTS[op].format(a.word, b.word))
                if op is ast.Pow and isinstance(b.constant, int) and b.constant < 0:
                    return self.of(FLOAT, f"float_power(float({a.word}), float({b.word}))")
                if (plain_ := _same_number(op, a, b)) is not None:
                    return plain_
                if op in INTS:
                    return self.on_ints(op, a, b)
            elif op in FLOATS:
                one, two = (v.word if v.kind == FLOAT else f"float({v.word})" for v in (a, b))
                return self.of(FLOAT, FLOATS[op].format(one, two))
        if op is ast.Add and not is_number(a.kind):
            return self.concatenated(a, b)
        if op is ast.Mult and (is_word(b.kind) or is_word(a.kind)):
            return self.times(a, b) if is_word(b.kind) else self.times(b, a)
        if isinstance(a.kind, Set) and isinstance(b.kind, Set):
            return self.of_sets(op, a, b)
        raise Cannot(
            f"`{_SIGNS.get(op, '?')}` of {a.kind} and {b.kind} cannot be compiled", "compute with numbers"
        )

    def on_ints(self, op: Any, a: Value, b: Value) -> Value:
        """An operation on ints, tested unless its result is sure to fit into a word."""
        one, two = self.span_of(a), self.span_of(b)
        found = spans.of_operation(op, one, two)
        text = INTS[op]
        if op in SURE and spans.holds(spans.ANY, found):
            text = SURE[op]
        elif op in UNSIGNED and one[0] >= 0 and two[0] > 0:
            text = UNSIGNED[op]
        return Value(INT, (self.within(spans.clipped(found), text.format(a.word, b.word)),))

    def span_of(self, value: Value) -> spans.Span:
        return spans.TRUTH if value.kind == BOOL else self.span(value.word)

    def own_operator(self, op: Any, a: Value, b: Value) -> Value | None:
        """An operator that the user's class has."""
        for one, other, name in ((a, b, _DUNDERS.get(op)), (b, a, f"__r{_DUNDERS.get(op, '')[2:]}")):
            if name and isinstance(one.kind, Record | Member):
                function = own_method(one.kind[0], name)
                if function is not None:
                    return self.call_function(function, [one, other])
        return None

    def add(self, a: Value, b: Value) -> Value:
        return self.operate(ast.Add, a, b)

    def concatenated(self, a: Value, b: Value) -> Value:
        """a + b of tuples, lists or texts."""
        if isinstance(a.kind, Items) and isinstance(b.kind, Items):
            return self.tuple_of([*self.parts(a), *self.parts(b)])
        tags = {self.tag(v) for v in (a, b)}
        if len(tags) > 1:
            raise Cannot(f"{a.kind} + {b.kind}", "add two of one type")
        (tag,) = tags
        inner = join(self.run_kind(a), self.run_kind(b))
        kind = Run(inner, "tuple" if tag != "str" else "str")
        data, count, other, size = (w for v in (a, b) for w in self.as_run(v, kind))
        stride = max(len(words(inner)), 1)
        made = self.temp(f"joined({ROOM}, {data}, {count}, {other}, {size}, {stride})")
        total = self.temp(f"{count} + {size}")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made}, {total}, {stride})"),), fresh=True
            )
        return Value(kind, (made, total))

    def summed(self, node: ast.BinOp) -> Value:
        """a + b + c ...: runs are put together at once."""
        terms: list[ast.expr] = [node.right]
        first = node.left
        while isinstance(first, ast.BinOp) and isinstance(first.op, ast.Add):
            terms.insert(0, first.right)
            first = first.left
        values = [self.expr(t) for t in (first, *terms)]
        values = [v if v.fresh else self.held(v) for v in values]
        tags = {self.tag(v) for v in values if isinstance(v.kind, Run | Items)}
        if (
            len(tags) != 1
            or not all(isinstance(v.kind, Run | Items) for v in values)
            or all(isinstance(v.kind, Items) for v in values)
        ):
            made = values[0]
            for value in values[1:]:
                made = self.operate(ast.Add, made, value)
            return made
        (tag,) = tags
        inner = join_all(self.run_kind(v) for v in values)
        if inner == UNKNOWN:
            return values[0]
        stride = max(len(words(inner)), 1)
        kind = Run(inner, "tuple" if tag != "str" else "str")
        runs = [self.as_run(v, kind) for v in values]
        total = self.temp(" + ".join(count for _, count in runs))
        made_at = self.take(f"{total} * {stride}")
        at = made_at
        for i, (data, count) in enumerate(runs):
            self.emit(f"copy({at}, {data}, {count} * {stride})")
            if i + 1 < len(runs):
                at = self.temp(f"{at} + {8 * stride} * {count}")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made_at}, {total}, {stride})"),), fresh=True
            )
        return Value(kind, (made_at, total))

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
        """The items of a value as those of a run of this kind: where they lie, and how many."""
        if isinstance(value.kind, Run) and value.kind.type in ("list", "table", "array"):
            data, count, inner = self.run(value)
            value = Value(Run(inner), (data, count))
        if value.kind == CHAR:
            value = Value(TEXT, self.convert(value, TEXT))
        data, count = self.convert(value, kind)
        return data, count

    def times(self, value: Value, times: Value) -> Value:
        tag, inner = self.tag(value), self.run_kind(value)
        data, count = self.as_run(value, Run(inner, "str" if tag == "str" else "tuple"))
        stride = max(len(words(inner)), 1)
        made = self.temp(f"repeated({ROOM}, {data}, {count}, {times.word}, {stride})")
        total = self.temp(f"{count} * max({times.word}, 0)")
        if tag == "list":
            return Value(
                Run(inner, "list"), (self.temp(f"list_of({ROOM}, {made}, {total}, {stride})"),), fresh=True
            )
        return Value(Run(inner, tag), (made, total))

    def of_sets(self, op: Any, a: Value, b: Value) -> Value:
        inner = join(a.kind.inner, b.kind.inner)
        site = (self.here, op, "sets")
        self.site_kinds.setdefault(site, inner)

        def fill(keep: Any) -> None:
            one, two = self.loose(a), self.loose(b)
            if op is ast.BitOr:
                self.turns(one, keep)
                self.turns(two, keep)
                return
            if op not in (ast.BitAnd, ast.Sub, ast.BitXor):
                raise Cannot("this operation on sets cannot be compiled", "use &, |, - and ^")

            def other(of: Value) -> Any:
                def test(item: Value) -> None:
                    item = self.held(item)
                    with self.block(f"if {self.find(of, item)} {'>=' if op is ast.BitAnd else '<'} 0:"):
                        keep(item)

                return test

            self.turns(one, other(b))
            if op is ast.BitXor:
                self.turns(two, other(a))

        return self.set_of(fill, site)

    def loose(self, value: Value) -> Any:
        """A view of a set in any order."""
        before, self.careless = self.careless, True
        view = self.view_value(value)
        self.careless = before
        return view

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Value:
        if isinstance(node.op, ast.Not):
            condition = self.condition(node.operand)
            if condition in ("True", "False"):
                return number(condition == "False")
            return self.flag(f"not ({condition})")
        value = self.present(self.expr(node.operand))
        name = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}[type(node.op)]
        if isinstance(value.kind, Record | Member) and (own := own_method(value.kind[0], name)):
            return self.call_function(own, [value])
        if isinstance(value.kind, Member) and issubclass(value.kind.enum, enum.Flag) and name == "__invert__":
            every = 0
            for member in value.kind.enum:
                every |= int(member.value)
            return self.of(value.kind, f"{every} & ~{value.word}")
        if _plain_numbers(value.constant):
            fold: Any = {ast.USub: operator.neg, ast.UAdd: operator.pos, ast.Invert: operator.invert}[
                type(node.op)
            ]
            if isinstance(value.constant, int) or not isinstance(node.op, ast.Invert):
                return number(fold(value.constant))
        if value.kind == UNKNOWN:
            return NEVER
        if isinstance(node.op, ast.USub):
            if value.kind == FLOAT:
                return self.of(FLOAT, f"-{value.word}")
            return self.of(INT, f"sub(0, {self.word_of(value)})")
        if isinstance(node.op, ast.UAdd):
            return value if value.kind == FLOAT else Value(INT, (self.word_of(value),))
        return self.of(INT, f"~{self.word_of(value)}")

    def visit_BoolOp(self, node: ast.BoolOp) -> Value:
        """`a and b`, `a or b`: one of them."""
        first, *rest = node.values
        value = self.expr(first)
        if not rest:
            return value
        value = self.held(value) if not value.fresh else value
        is_and = isinstance(node.op, ast.And)
        with self.captured() as lines:
            other = self.visit_BoolOp(ast.copy_location(ast.BoolOp(node.op, rest), node))
        condition = self.truth(value)
        if not is_and and isinstance(value.kind, Maybe):
            inner = self.inside(value)
            if self.truth(inner) == "True" or join(inner.kind, other.kind) == inner.kind:
                value = inner
        if value.kind == NONE and not is_and:
            self.paste([(i - 1, t, n) for i, t, n in lines])
            return other
        if is_and:
            return self.chosen(condition, other, lines, value, [])
        return self.chosen(condition, value, [], other, lines)

    def condition(self, node: ast.expr) -> str:
        """An expression of which only the truth counts."""
        before, self.line = self.line, getattr(node, "lineno", self.line)
        try:
            match node:
                case ast.BoolOp(op, values):
                    return self.all_or_any(isinstance(op, ast.And), values)
                case ast.UnaryOp(ast.Not(), operand):
                    inner = self.condition(operand)
                    return {"True": "False", "False": "True"}.get(inner, f"not ({inner})")
                case ast.Compare():
                    return self.compared(node)
            value = self.cells(node)
            if isinstance(value.kind, Record) and (own := own_method(value.kind.cls, "__bool__")):
                return self.truth(self.call_function(own, [value]))
            if value.constant is not Missing and not isinstance(value.kind, Static):
                return str(bool(value.constant))
            return self.truth(value)
        finally:
            self.line = before

    def all_or_any(self, is_all: bool, values: list[ast.expr]) -> str:
        first = self.condition(values[0])
        if len(values) == 1:
            return first
        if first == str(is_all):
            return self.all_or_any(is_all, values[1:])
        if first == str(not is_all):
            return first
        made = self.fresh()
        with self.captured() as lines:
            rest = self.all_or_any(is_all, values[1:])
        if not lines:
            return self.both((first, rest)) if is_all else f"({first} or {rest})"
        self.emit(f"{made} = 1 if {first} else 0")
        with self.block(f"if {made} {'!=' if is_all else '=='} 0:"):
            self.paste(lines)
            self.emit(f"{made} = 1 if {rest} else 0")
        return f"{made} != 0"

    def visit_Compare(self, node: ast.Compare) -> Value:
        return self.flag(self.compared(node))

    def compared(self, node: ast.Compare) -> str:
        left = self.expr(node.left)
        left = self.held(left) if not left.fresh else left
        if len(node.ops) == 1:
            return self.comparison(node.ops[0], left, node.comparators[0])
        if (simple := self.compared_at_once(node, left)) is not None:
            return simple
        made = self.temp("1")
        depth = 0
        for op, comparator in zip(node.ops, node.comparators, strict=True):
            right = self.held(self.expr(comparator))
            self.emit(f"{made} = 1 if {self.compare_values(op, left, right)} else 0")
            self.emit(f"if {made} != 0:")
            self.indent += 1
            depth += 1
            left = right
        self.emit("pass")
        self.indent -= depth
        return f"{made} != 0"

    def compared_at_once(self, node: ast.Compare, left: Value) -> str | None:
        """a < b < c of names and constants: one condition, for nothing has to be computed."""
        if not all(isinstance(c, ast.Name | ast.Constant | ast.Attribute) for c in node.comparators):
            return None
        tests = []
        with self.captured() as lines:
            for op, comparator in zip(node.ops, node.comparators, strict=True):
                right = self.expr(comparator)
                tests.append(self.compare_values(op, left, right))
                left = right
        return self.both(tests) if not lines else None

    def comparison(self, op: ast.cmpop, left: Value, node: ast.expr) -> str:
        if isinstance(op, ast.In | ast.NotIn):
            inside = self.contains(node, left)
            return (
                inside
                if isinstance(op, ast.In)
                else {"True": "False", "False": "True"}.get(inside, f"not ({inside})")
            )
        return self.compare_values(op, left, self.expr(node))

    def compare_values(self, op: ast.cmpop, a: Value, b: Value) -> str:
        known = _plain_numbers(a.constant, b.constant)
        match op:
            case ast.Eq() | ast.Is():
                if isinstance(op, ast.Is) and not _may_be(a, b):
                    raise Cannot("`is` compares objects", "write == instead of `is`")
                return str(a.constant == b.constant) if known else self.equal(a, b)
            case ast.NotEq() | ast.IsNot():
                if isinstance(op, ast.IsNot) and not _may_be(a, b):
                    raise Cannot("`is not` compares objects", "write != instead of `is not`")
                test = str(a.constant == b.constant) if known else self.equal(a, b)
                return {"True": "False", "False": "True"}.get(test, f"not ({test})")
            case ast.In() | ast.NotIn():
                test = f"{self.find(b, a)} >= 0"
                return test if isinstance(op, ast.In) else f"not ({test})"
        if isinstance(a.kind, Set) and isinstance(b.kind, Set):
            return self.subset(op, a, b)
        match op:
            case ast.Lt():
                return self.less(a, b)
            case ast.Gt():
                return self.less(b, a)
            case ast.LtE():
                if is_number(a.kind) and is_number(b.kind):
                    return f"{a.word} <= {b.word}"
                return f"not ({self.less(b, a)})"
            case _:
                if is_number(a.kind) and is_number(b.kind):
                    return f"{a.word} >= {b.word}"
                return f"not ({self.less(a, b)})"

    def subset(self, op: ast.cmpop, a: Value, b: Value) -> str:
        if isinstance(op, ast.Gt | ast.GtE):
            a, b = b, a
        made = self.temp("1")

        def test(item: Value) -> None:
            with self.block(f"if {self.find(b, item)} < 0:"):
                self.emit(f"{made} = 0")

        self.turns(self.loose(a), test)
        if isinstance(op, ast.Lt | ast.Gt):
            return f"({made} == 1 and word({a.word}, 0) < word({b.word}, 0))"
        return f"{made} == 1"

    def contains(self, node: ast.expr, item: Value) -> str:
        """The condition that an item is in what an expression gives."""
        if isinstance(node, ast.Tuple | ast.List | ast.Set) and not any(
            isinstance(e, ast.Starred) for e in node.elts
        ):
            return self.among(node.elts, item)
        if isinstance(node, ast.GeneratorExp) or self.view_is_lazy(node):
            found = self.temp("0")

            def test_item(other: Value) -> None:
                with self.block(f"if {self.equal(item, other)}:"):
                    self.emit(f"{found} = 1")

            self.each(node, test_item, found)
            return f"{found} != 0"
        value = self.cells(node)
        if (
            isinstance(value.kind, Member)
            and issubclass(value.kind.enum, enum.Flag)
            and item.kind == value.kind
        ):
            return f"{value.word} & {item.word} == {item.word}"
        if isinstance(value.kind, Record) and (own := own_method(value.kind.cls, "__contains__")):
            return self.truth(self.call_function(own, [value, item]))
        if isinstance(value.kind, Run) and value.kind.type != "list":
            total = self.tally_cells(value, item)
            if total is not None:
                return f"{total} != 0"
            if item.kind != CHAR or value.kind.inner != CHAR:
                value = self.wide(value)
        match value.kind:
            case Range():
                if not is_number(item.kind):
                    return "False"
                start, stop, step = value.words
                if step == "1":
                    return f"({start} <= {item.word} and {item.word} < {stop})"
                value = self.listed_range(value)
            case Static(cls) if isinstance(cls, enum.EnumMeta):
                value = self.embed(tuple(cls))
            case Simple("character") | Run(_, "str"):
                value = self.wide(value)
                data, count, _ = self.run(value)
                if item.kind == CHAR:
                    return f"find_word({data}, {count}, 1, {item.word}) >= 0"
                part, size, _ = self.run(item)
                return f"find_run({data}, {count}, {part}, {size}, 0) >= 0"
            case Items() if not value.words:
                return "False"
            case Items():
                made = self.temp("0")
                for each in self.parts(value):
                    with self.block(f"if {made} == 0 and {self.equal(item, each)}:"):
                        self.emit(f"{made} = 1")
                return f"{made} != 0"
            case Maybe():
                value = self.present(value)
        return f"{self.find(value, item)} >= 0"

    def among(self, elements: list[ast.expr], item: Value) -> str:
        """The condition that an item is one of those that are written out."""
        made = self.temp("0")
        for element in elements:
            test = self.equal(item, self.expr(element))
            self.emit(f"if {made} == 0 and {test}:")
            self.lines.append((self.indent + 1, f"{made} = 1", self.line))
        return f"{made} != 0"

    def view_is_lazy(self, node: ast.expr) -> bool:
        return self.is_lazy(node) or (
            isinstance(node, ast.Call) and self.static(node.func) in (map, zip, reversed)
        )

    # --- subscripts ---------------------------------------------------------------------------------------

    def visit_Subscript(self, node: ast.Subscript) -> Value:
        owner = self.static(node.value)
        if isinstance(owner, enum.EnumMeta):
            key = self.expr(node.slice).constant
            if isinstance(key, str) and key in owner.__members__:
                return self.embed(owner[key])
            raise Cannot(
                f"{owner.__name__}[...] of a name that is not known now", "use a tuple of its members"
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
                    self.fail("KeyError", "a key is not there")
                return self.item(self.temp(f"word({value.words[1]}, 2)"), at, inner)
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
        return self.item(data, self.at_index(self.word_of(place), count), inner, size)

    def or_default(self, value: Value, key: Value) -> Value:
        """d[key] of a defaultdict."""
        raise NotImplementedError

    def stepwise(self, value: Value, node: ast.Slice) -> Value:
        """A slice with a step that is not known before the program runs."""
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
        """How many items a tuple or text has, if that is known before the program runs."""
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
        """The places of a slice, where they are known before the program runs."""
        size = self.size_of(value)
        bounds = [None if part is None else self.constant_of(part) for part in (node.lower, node.upper)]
        if size is None or not all(b is None or isinstance(b, int) for b in bounds):
            return None
        return range(size)[slice(bounds[0], bounds[1], step)]

    def constant_of(self, node: ast.expr) -> Any:
        """The number that is written there, or Missing."""
        match node:
            case ast.Constant(value=value):
                return value
            case ast.UnaryOp(ast.USub(), ast.Constant(value=int() as value)):
                return -value
        return Missing

    def visit_JoinedStr(self, node: ast.JoinedStr) -> Value:
        """f'...': texts one after the other."""
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
        """format(value, how) of an int."""
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


def _plain_numbers(*constants: Any) -> bool:
    return all(isinstance(c, bool | int | float) and not isinstance(c, enum.Enum) for c in constants)


def _same_number(op: Any, a: Value, b: Value) -> Value | None:
    """x + 0, x * 1 and the like."""
    for one, other in ((a, b), (b, a)):
        known = one.constant if _plain_numbers(one.constant) else None
        if known == 0 and (op is ast.Add or op is ast.Sub and one is b) or known == 1 and op is ast.Mult:
            return Value(INT, other.words)
        if known == 0 and op is ast.Mult:
            return number(0)
    return None


def _may_be(a: Value, b: Value) -> bool:
    """Whether `is` says the same as ==."""
    one, two = (kind.inner if isinstance(kind, Maybe) else kind for kind in (a.kind, b.kind))
    return bool({NONE, UNKNOWN} & {one, two}) or one == two and (one == BOOL or isinstance(one, Member))


_NAMES: dict[Any, str] = {
    ast.Yield: "yield inside an expression",
    ast.Await: "await",
    ast.JoinedStr: "f'...'",
}
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor)
_DUNDERS: dict[Any, str] = {
    ast.Add: "__add__", ast.Sub: "__sub__", ast.Mult: "__mul__", ast.FloorDiv: "__floordiv__", ast.Mod: "__mod__",
    ast.BitAnd: "__and__", ast.BitOr: "__or__", ast.BitXor: "__xor__", ast.Div: "__truediv__",
}  # fmt: skip
_SIGNS: dict[Any, str] = {
    ast.Add: "+", ast.Sub: "-", ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.LShift: "<<", ast.RShift: ">>", ast.MatMult: "@",
}  # fmt: skip
