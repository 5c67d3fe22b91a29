"""Truth, equality, order and membership of values: each method returns a condition as source text."""

import enum
from typing import Any

from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    INT,
    TEXT,
    UNKNOWN,
    Cannot,
    Dict,
    Items,
    Kind,
    Maybe,
    Member,
    OneOf,
    Range,
    Record,
    Run,
    Set,
    Simple,
    Static,
    is_cell,
    is_flat,
    is_number,
    is_word,
    join_all,
    words,
)
from outplay.compile.natural.objects import is_object
from outplay.compile.natural.syntax import is_plain
from outplay.compile.natural.values import Value, Writer

MOST_AT_ONCE = 600  # up to so many items all are compared, without a branch at the first match


class Comparing(Writer):
    """Compiles comparisons."""

    def truth(self, value: Value) -> str:
        """The condition that a value is true."""
        if value.once is not None and not value.once.again:
            return "True"  # an iterator, whatever it has
        match value.kind:
            case Simple("float"):
                return f"{value.word} != 0.0"
            case Simple("int" | "bool"):
                return f"{value.word} != 0"
            case Member(cls):
                return f"{value.word} != 0" if issubclass(cls, int | enum.Flag) else "True"
            case Simple("None" | "unknown"):
                return "False"
            case Maybe():
                return f"({value.words[0]} != 0 and {self.truth(self.inside(value))})"
            case Items(kinds):
                return str(bool(kinds))
            case OneOf():
                parts = enumerate(self.alternatives(value))
                return (
                    f"({' or '.join(f'({value.words[0]} == {i + 1} and {self.truth(p)})' for i, p in parts)})"
                )
            case Run(_, "list") | Set() | Dict():
                return f"word({value.word}, 0) != 0"
            case Run():
                return f"{value.words[1]} != 0"
            case Static(owner):
                self.refuse_object(owner)
            case Range():
                return f"range_length({', '.join(value.words)}) != 0"
        return "True"

    @staticmethod
    def refuse_object(owner: Any) -> None:
        """An object's class says whether it is true, and what it equals."""
        if is_object(owner):
            raise Cannot(f"a {type(owner).__name__} is compared", "compare its attributes")

    def equal(self, a: Value, b: Value) -> str:
        """The condition that two values are equal."""
        a, b = self.wide(a), self.wide(b)
        one, two = a.kind, b.kind
        if UNKNOWN in (one, two):
            return "False"
        if is_number(one) and is_number(two):
            return f"{a.word} == {b.word}"
        match one, two:
            case (Simple("None"), Simple("None")):
                return "True"
            case (Maybe(), Simple("None")):
                return f"{a.words[0]} == 0"
            case (Simple("None"), Maybe()):
                return f"{b.words[0]} == 0"
            case (Maybe(), Maybe()):
                both = f"{a.words[0]} == {b.words[0]}"
                return f"({both} and ({a.words[0]} == 0 or {self.equal(self.inside(a), self.inside(b))}))"
            case (Maybe(), _):
                return f"({a.words[0]} != 0 and {self.equal(self.inside(a), b)})"
            case (_, Maybe()) | (_, OneOf()) if not isinstance(one, OneOf):
                return self.equal(b, a)
            case (OneOf(), _):
                each = [(i, self.equal(part, b)) for i, part in enumerate(self.alternatives(a))]
                known = [f"({a.words[0]} == {i + 1} and {test})" for i, test in each if test != "False"]
                return f"({' or '.join(known)})" if known else "False"
            case (Member(x), _) if issubclass(x, str) and (two == CHAR or isinstance(two, Run)):
                return self.equal(self.of_member(a, x, "value"), b)
            case (_, Member(y)) if issubclass(y, str) and (one == CHAR or isinstance(one, Run)):
                return self.equal(b, a)
            case (Member(x), Member(y)):
                return f"{a.word} == {b.word}" if x is y else "False"
            case (Simple("character"), Simple("character")):
                return f"{a.word} == {b.word}"
            case (Simple("character"), Run(_, "str")):
                return f"({b.words[1]} == 1 and word({b.words[0]}, 0) == {a.word})"
            case (Run(_, "str"), Simple("character")):
                return self.equal(b, a)
        if isinstance(one, Dict) and isinstance(two, Dict):
            raise Cannot("dicts are compared", "compare their items")
        return self.equal_sequences(a, b)

    def equal_sequences(self, a: Value, b: Value) -> str:
        """The same for tuples, lists, texts and sets."""
        one = a.kind
        for kind in (one, b.kind):
            if isinstance(kind, Static):
                self.refuse_object(kind.value)
            if isinstance(kind, Record) and is_plain(kind.cls):
                raise Cannot("objects are compared", "compare their fields")
        match one, b.kind:
            case (Static(x), Static(y)):
                return str(bool(x == y))
            case (Items(x), Items(y)):
                if len(x) != len(y):
                    return "False"
                return self.both(map(self.equal, self.parts(a), self.parts(b)))
            case (Record(_, x), _):
                return self.equal(Value(Items(x), a.words), b)
            case (_, Record(_, y)):
                return self.equal(a, Value(Items(y), b.words))
            case (Items(x), Run(_, "tuple")) | (Run(_, "tuple"), Items(x)):
                value, other = (a, b) if isinstance(one, Items) else (b, a)
                data, count, inner = self.run(other)
                tests = [f"{count} == {len(x)}"]
                if is_flat(inner) and all(k == inner for k in x) and len(words(inner)) == 1:
                    tests += [f"word({data}, {i}) == {p.word}" for i, p in enumerate(self.parts(value))]
                    return self.both(tests)
                return self.equal_runs(Value(Run(join_all(x)), self.convert(value, Run(join_all(x)))), other)
            case (Run(_, tag), Run(_, other)):
                lists = {tag, other} <= {"list", "table"}
                return self.equal_runs(a, b) if tag == other or lists else "False"
            case (Set(), Set()):
                return self.equal_sets(a, b)
            case (Range(), Range()):
                return self.equal_runs(self.listed_range(a), self.listed_range(b))
        return "False"

    @staticmethod
    def both(conditions: Any) -> str:
        found = [c for c in conditions if c != "True"]
        if "False" in found:
            return "False"
        return f"({' and '.join(found)})" if found else "True"

    def equal_runs(self, a: Value, b: Value) -> str:
        data, count, one = self.run(a)
        other, size, two = self.run(b)
        if UNKNOWN in (one, two):
            return f"({count} == 0 and {size} == 0)"
        if one == two and is_flat(one):
            return f"({count} == {size} and same({data}, {other}, {count} * {len(words(one))}) == 1)"
        made, i = self.temp(f"1 if {count} == {size} else 0"), self.temp("0")
        with self.block(f"while {made} == 1 and {i} < {count}:"):
            test = self.equal(self.item(data, i, one), self.item(other, i, two))
            with self.block(f"if not ({test}):"):
                self.emit(f"{made} = 0")
            self.emit(f"{i} += 1")
        return f"{made} == 1"

    def equal_sets(self, a: Value, b: Value) -> str:
        data, count, inner = self.run(a)
        made, i = self.temp(f"1 if {count} == word({b.word}, 0) else 0"), self.temp("0")
        with self.block(f"while {made} == 1 and {i} < {count}:"):
            with self.block(f"if {self.find(b, self.item(data, i, inner))} < 0:"):
                self.emit(f"{made} = 0")
            self.emit(f"{i} += 1")
        return f"{made} == 1"

    def find(self, value: Value, wanted: Value, start: str = "0") -> str:
        """The index of an item in a run, or of a key in a dict, as a name; -1 if absent."""
        data, count, inner, size = self.lane(value)
        if inner == UNKNOWN:
            return self.temp("-1")
        if size < 8:
            return self.find_cell(data, count, (inner, size), wanted, start)
        if start == "0" and (
            is_flat(inner) and inner == wanted.kind or inner == INT and is_word(wanted.kind)
        ):
            if len(words(inner)) == 1:
                return self.temp(f"find_word({data}, {count}, 1, {wanted.word})")
            held = self.take(str(len(words(inner))))
            self.put(held, inner, wanted.words)
            return self.temp(f"find_words({data}, {count}, {len(words(inner))}, {held})")
        found, i = self.temp("-1"), self.temp(start)
        with self.block(f"while {found} < 0 and {i} < {count}:"):
            with self.block(f"if {self.equal(self.item(data, i, inner), wanted)}:"):
                self.emit(f"{found} = {i}")
            self.emit(f"{i} += 1")
        return found

    def find_cell(self, data: str, count: str, what: tuple[Kind, int], wanted: Value, start: str) -> str:
        """The same for items smaller than a word."""
        wanted = self.held(wanted)
        found, i = self.temp("-1"), self.temp(start)
        with self.block(f"while {found} < 0 and {i} < {count}:"):
            with self.block(f"if {self.equal(self.item(data, i, *what), wanted)}:"):
                self.emit(f"{found} = {i}")
            self.emit(f"{i} += 1")
        return found

    def tally_cells(self, value: Value, wanted: Value) -> str | None:
        """The number of items equal to one, by a loop without exits, which LLVM vectorises."""
        data, count, inner, size = self.lane(value)
        if size == 8 and (words(inner) != ("i",) or not self.span(count)[1] <= MOST_AT_ONCE):
            return None
        if not (inner == wanted.kind and is_cell(inner) or inner == INT and is_word(wanted.kind)):
            return None
        low, high = self.span(count)
        if low == high <= MOST_AT_ONCE:
            return self.within((0, high), f"tally({data}, {high}, {size}, {wanted.word})") if high else "0"
        total, i = self.temp("0"), self.fresh()
        with self.block(f"for {i} in range({count}):"):
            item = f"cell({data}, {i}, {size})" if size < 8 else f"word({data}, {i})"
            self.emit(f"{total} += 1 if {item} == {wanted.word} else 0")
        self.spans[total] = (0, self.span(count)[1])
        return total

    def less(self, a: Value, b: Value) -> str:
        """The condition that a < b."""
        a, b = self.wide(a), self.wide(b)
        one, two = a.kind, b.kind
        if UNKNOWN in (one, two):
            return "False"
        if is_number(one) and is_number(two) or one == two == CHAR:
            return f"{a.word} < {b.word}"
        if isinstance(one, OneOf) or isinstance(two, OneOf):
            return self.less(self.only(a, is_number, "number"), self.only(b, is_number, "number"))
        match one, two:
            case (Maybe(), _) | (_, Maybe()):
                return self.less(self.present(a), self.present(b))
            case (Simple("character"), Run(_, "str")) | (Run(_, "str"), Simple("character")):
                return self.less(Value(TEXT, self.convert(a, TEXT)), Value(TEXT, self.convert(b, TEXT)))
            case (Items(), Items()):
                return self.less_items(self.parts(a), self.parts(b))
            case (Record(), Record()):
                return self.less_items(self.parts(a), self.parts(b))
            case (Run(_, tag), Run(_, other)) if tag == other or {tag, other} <= {"list", "table"}:
                data, count, inner = self.run(a)
                data2, count2, inner2 = self.run(b)
                if inner in (INT, BOOL, CHAR) and inner2 in (INT, BOOL, CHAR):
                    return f"less_run({data}, {count}, {data2}, {count2}) == 1"
                return self.less_runs((data, count, inner), (data2, count2, inner2))
            case (Items(x), Run(_, "tuple")):
                return self.less(Value(Run(join_all(x)), self.convert(a, Run(join_all(x)))), b)
            case (Run(_, "tuple"), Items(x)):
                return self.less(a, Value(Run(join_all(x)), self.convert(b, Run(join_all(x)))))
        raise Cannot(f"{one} and {two} are compared by size", "compare numbers")

    def less_runs(self, a: tuple[str, str, Kind], b: tuple[str, str, Kind]) -> str:
        """The same for nested tuples: the first items that differ decide, otherwise the lengths."""
        (data, count, inner), (data2, count2, inner2) = a, b
        made, i = self.temp("-1"), self.temp("0")
        with self.block(f"while {made} < 0 and {i} < min({count}, {count2}):"):
            one, two = self.item(data, i, inner), self.item(data2, i, inner2)
            test = self.less(one, two)
            with self.block(f"if {test}:"):
                self.emit(f"{made} = 1")
            with self.block("else:"):
                back = self.less(two, one)
                with self.block(f"if {back}:"):
                    self.emit(f"{made} = 0")
            self.emit(f"{i} += 1")
        return f"({made} == 1 or ({made} < 0 and {count} < {count2}))"

    def less_items(self, a: list[Value], b: list[Value]) -> str:
        if not a or not b:
            return str(len(a) < len(b))
        first = self.less(a[0], b[0])
        rest = self.less_items(a[1:], b[1:])
        return first if rest == "False" else f"({first} or ({self.equal(a[0], b[0])} and {rest}))"
