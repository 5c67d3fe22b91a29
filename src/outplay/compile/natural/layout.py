"""A state's layout in memory: its fields as cells of one, two, four or eight bytes, packed into words.

States of random games show what the fields hold. A tuple that always has the same length is only its items; any other
stores its length, with space for more items than were seen. A cell is as small as the numbers seen allow, with some
margin. If a number or a tuple outgrows its space later, `Outgrown` is raised, and the class is compiled again with
more space: for every field, as long as a state is not too large, otherwise less for the largest ones.
"""

import dataclasses
import enum
import math
import struct
from collections.abc import Iterator
from typing import Any, NamedTuple

from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    NONE,
    UNKNOWN,
    Cannot,
    Items,
    Kind,
    Maybe,
    Member,
    OneOf,
    Record,
    Run,
    Set,
    alike,
    holds,
    is_cell,
    is_lane,
    is_word,
    kind_of,
)
from outplay.compile.natural.values import Value, Writer, member_word
from outplay.words import wrap

MOST_WORDS = 256
SPARE = 2  # a variable tuple has space for so many times what was seen, plus FEW
FEW = 8
LARGEST = {
    1: 100,
    2: 30_000,
    4: 2_000_000_000,
}  # the largest number seen, by cell size: larger ones still fit
CHARACTERS = {1: 127, 2: 32_767}  # code points that fit
# How a field is laid out: as seen; with larger cells; with lengths that change, too; with much space.
SEEN, WIDER, LOOSE, FREE = range(4)

Path = tuple[int, ...]  # indices to a nested part of a field


class Field(NamedTuple):
    """One field: its kind, the size of its cells in bytes, their number, and their first word."""

    kind: Kind
    size: int
    cells: int
    start: int
    lengths: dict[Path, int]  # of tuples with a fixed length
    rooms: dict[Path, int]  # the space for other tuples


class Layout:
    """All fields of a state. `grown` counts how often it was too small before."""

    def __init__(self, kinds: tuple[Kind, ...], states: list[tuple[Any, ...]], grown: int) -> None:
        self.grown = grown
        growth = [FREE if grown else SEEN] * len(kinds)
        self.lay_out(kinds, states, growth)
        while self.words > MOST_WORDS and any(growth):
            sizes = [field.cells * field.size if growth[i] else -1 for i, field in enumerate(self.fields)]
            growth[sizes.index(max(sizes))] -= 1
            self.lay_out(kinds, states, growth)
        if self.words > MOST_WORDS:
            raise Cannot(
                f"a state takes {self.words} words, {MOST_WORDS} are the most", "make the board smaller"
            )

    def lay_out(self, kinds: tuple[Kind, ...], states: list[tuple[Any, ...]], growth: list[int]) -> None:
        """Lay out the fields one after another, each with space to grow as it is said."""
        self.fields: list[Field] = []
        start = 0
        for i, kind in enumerate(kinds):
            field = self.field(kind, [state[i] for state in states], start, growth[i])
            self.fields.append(field)
            start += -(-field.cells * field.size // 8)
        self.words = max(start, 1)

    def field(self, kind: Kind, values: list[Any], start: int, growth: int) -> Field:
        """One field by the values that were seen."""
        seen: dict[Path, set[int]] = {}
        numbers, characters = [0], [0]
        for value in values:
            self.look(kind, value, (), seen, numbers, characters)
        lengths, rooms = {}, {}
        for path in _runs(kind):
            found = seen.get(path, set())
            if len(found) == 1 and growth < LOOSE:
                lengths[path] = min(found)
            else:
                more = 4**self.grown if growth == FREE else 1
                rooms[path] = (SPARE * max(found, default=0) + FEW) * more
        size = self.size_of(kind, numbers, characters, growth)
        field = Field(_narrow(kind, size), size, 0, start, lengths, rooms)
        return field._replace(cells=cells(kind, (), field))

    def size_of(self, kind: Kind, numbers: list[int], characters: list[int], growth: int) -> int:
        """The bytes of a cell."""
        if next(_runs(kind), None) is None or growth == FREE or holds(kind, FLOAT):
            return 8
        for size, most in LARGEST.items():
            if max(map(abs, numbers)) <= most and max(characters) <= CHARACTERS.get(size, math.inf):
                return size if growth == SEEN else min(size * 2**self.grown, 8)
        return 8

    def look(
        self, kind: Kind, value: Any, path: Path, seen: Any, numbers: list[int], characters: list[int]
    ) -> None:
        """Record a value's lengths and numbers."""
        match kind:
            case Maybe(inner):
                if value is not None:
                    self.look(inner, value, path, seen, numbers, characters)
            case OneOf(kinds):
                try:
                    i = _which(kinds, value)
                except TypeError:
                    what = (
                        f"a field holds a {type(value).__name__} in some states and something else in others"
                    )
                    cure = "make it a tuple: tuple(...)" if isinstance(value, list) else "give it one type"
                    raise Cannot(what, cure) from None
                self.look(kinds[i], value, (*path, i), seen, numbers, characters)
            case Items(kinds) | Record(_, kinds):
                for i, (each, part) in enumerate(zip(kinds, _parts(value), strict=True)):
                    self.look(each, part, (*path, i), seen, numbers, characters)
            case Run(inner) | Set(inner):
                seen.setdefault(path, set()).add(len(value))
                for part in value:
                    self.look(inner, part, (*path, 0), seen, numbers, characters)
            case _ if kind == CHAR:
                characters.append(ord(value))
            case Member():
                numbers.append(member_word(value))
            case _ if is_word(kind):
                numbers.append(int(value))

    # --- Python values to words and back ------------------------------------------------------------------

    def pack(self, values: tuple[Any, ...]) -> tuple[int, ...]:
        """The words of a state."""
        from outplay.compile.natural.native import Outgrown

        made = bytearray(8 * self.words)
        for field, value in zip(self.fields, values, strict=True):
            numbers = list(self._flat(field, field.kind, value, ()))
            for i, number in enumerate(numbers):
                at = 8 * field.start + i * field.size
                try:
                    made[at : at + field.size] = int(number).to_bytes(field.size, "little", signed=True)
                except OverflowError:
                    raise Outgrown("a number has too many bits") from None
        return struct.unpack(f"<{self.words}q", made)

    def _flat(self, field: Field, kind: Kind, value: Any, path: Path) -> Iterator[int]:
        from outplay.compile.natural.native import Outgrown

        match kind:
            case Maybe(inner):
                yield int(value is not None)
                if value is not None:
                    yield from self._flat(field, inner, value, path)
                else:
                    yield from [0] * cells(inner, path, field)
            case OneOf(kinds):
                which = _which(kinds, value)
                yield which + 1
                for i, each in enumerate(kinds):
                    if i == which:
                        yield from self._flat(field, each, value, (*path, i))
                    else:
                        yield from [0] * cells(each, (*path, i), field)
            case Items(kinds) | Record(_, kinds):
                for i, (each, part) in enumerate(zip(kinds, _parts(value), strict=True)):
                    yield from self._flat(field, each, part, (*path, i))
            case Run(inner) | Set(inner):
                items = sorted(value, key=_order) if isinstance(kind, Set) else value
                room = field.lengths.get(path, field.rooms.get(path, 0))
                if path in field.rooms:
                    yield len(items)
                if len(items) > room or path in field.lengths and len(items) != room:
                    raise Outgrown("a tuple changed its length")
                for part in items:
                    yield from self._flat(field, inner, part, (*path, 0))
                yield from [0] * ((room - len(items)) * cells(inner, (*path, 0), field))
            case _ if kind in (NONE, UNKNOWN):
                pass
            case _ if kind == FLOAT:
                yield struct.unpack("<q", struct.pack("<d", value))[0]
            case _ if kind == CHAR:
                yield ord(value)
            case Member():
                yield member_word(value)
            case _:
                yield wrap(int(value))

    def unpack(self, words: tuple[int, ...]) -> list[Any]:
        """The fields of a state."""
        memory = struct.pack(f"<{self.words}q", *words)
        made = []
        for field in self.fields:
            at = 8 * field.start
            ends = range(at, at + field.cells * field.size, field.size)
            numbers = iter([int.from_bytes(memory[i : i + field.size], "little", signed=True) for i in ends])
            made.append(self._value(field, field.kind, numbers, ()))
        return made

    def _value(self, field: Field, kind: Kind, numbers: Iterator[int], path: Path) -> Any:
        match kind:
            case Maybe(inner):
                some = next(numbers)
                if some:
                    return self._value(field, inner, numbers, path)
                for _ in range(cells(inner, path, field)):
                    next(numbers)
                return None
            case OneOf(kinds):
                which = next(numbers) - 1
                made = [self._value(field, each, numbers, (*path, i)) if i == which
                        else [next(numbers) for _ in range(cells(each, (*path, i), field))]
                        for i, each in enumerate(kinds)]  # fmt: skip
                return made[which]
            case Record(cls, kinds):
                return cls(*[self._value(field, each, numbers, (*path, i)) for i, each in enumerate(kinds)])
            case Items(kinds):
                return tuple(self._value(field, each, numbers, (*path, i)) for i, each in enumerate(kinds))
            case Run(inner) | Set(inner):
                room = field.lengths.get(path, field.rooms.get(path, 0))
                count = next(numbers) if path in field.rooms else room
                found = [self._value(field, inner, numbers, (*path, 0)) for _ in range(count)]
                for _ in range((room - count) * cells(inner, (*path, 0), field)):
                    next(numbers)
                if isinstance(kind, Set):
                    return frozenset(found)
                if kind.type == "table":
                    return found
                return "".join(found) if kind.type == "str" else tuple(found)
            case _ if kind in (NONE, UNKNOWN):
                return None
        number = next(numbers)
        if kind == FLOAT:
            return struct.unpack("<d", struct.pack("<q", number))[0]
        if kind == CHAR:
            return chr(number)
        if kind == BOOL:
            return bool(number)
        if isinstance(kind, Member):
            return (
                kind.enum(number)
                if issubclass(kind.enum, int | enum.Flag)
                else list(getattr(kind, "enum", ()))[number]
            )  # noqa: B009
        return number

    # --- the same in generated code -----------------------------------------------------------------------

    def write_read(self, writer: Writer, base: str, field: Field) -> Value:
        """Write the lines that read a field of the state at an address."""
        return Cells(writer, writer.temp(f"{base} + {8 * field.start}"), field).read(field.kind, ())

    def write_writes(self, writer: Writer, base: str, parts: list[Value]) -> None:
        """Write the lines that store all fields."""
        for word in self.words_to_clear():
            writer.emit(f"put_word({base}, {word}, 0)")
        lost = writer.temp("0")
        for field, part in zip(self.fields, parts, strict=True):
            cells = Cells(writer, writer.temp(f"{base} + {8 * field.start}"), field, lost)
            cells.write(Value(field.kind, writer.convert(part, field.kind)), ())
        with writer.block(f"if {lost} != 0:"):
            writer.outgrown("a number has too many bits")

    def words_to_clear(self) -> Iterator[int]:
        """The words that writing all fields may leave unset."""
        for field in self.fields:
            size, whole = field.cells * field.size, isinstance(field.kind, Run) and is_cell(field.kind.inner)
            known = whole and not field.rooms or is_word(field.kind) or field.kind in (FLOAT, CHAR)
            yield from range(field.start + (size // 8 if known else 0), field.start + -(-size // 8))
        if not self.fields:
            yield 0


class Cells:
    """Writes the lines that read or store the cells of one field, in order."""

    def __init__(self, writer: Writer, base: str, field: Field, lost: str = "") -> None:
        self.writer, self.base, self.field, self.lost = writer, base, field, lost
        self.at = writer.temp("0")  # the next cell

    def next(self, count: str = "1") -> None:
        self.writer.emit(f"{self.at} += {count}")

    def put(self, at: str, word: str) -> None:
        """Store a cell; whether all numbers fit is checked once, at the end."""
        self.writer.emit(f"{self.lost} |= put_cell({self.base}, {at}, {self.field.size}, {word})")

    def read(self, kind: Kind, path: Path) -> Value:
        writer, size = self.writer, self.field.size
        match kind:
            case Maybe(inner):
                some = writer.temp(f"cell({self.base}, {self.at}, {size})")
                self.next()
                return Value(kind, (some, *self.read(inner, path).words))
            case Items(kinds) | Record(_, kinds):
                parts = [self.read(each, (*path, i)) for i, each in enumerate(kinds)]
                return Value(kind, tuple(w for p in parts for w in p.words))
            case OneOf(kinds):
                return Value(kind, (self.read(INT, path).word, *self.read(Items(kinds), path).words))
            case Run(inner) | Set(inner):
                return self.read_run(kind, inner, path)
            case _ if kind in (NONE, UNKNOWN):
                return Value(kind)
        if kind == FLOAT:
            found = writer.temp(f"float_word({self.base}, {self.at})")
        else:
            found = writer.temp(f"cell({self.base}, {self.at}, {size})")
        self.next()
        return Value(kind, (found,))

    def place(self, size: int, path: Path) -> str:
        """Memory for items; if its size is fixed it is reserved in advance, so that LLVM sees that nothing overlaps."""
        if path:
            return self.writer.take(str(size))
        self.writer.reserved += size
        return f"base + {8 * (self.writer.reserved - size)}"

    def read_run(self, kind: Any, inner: Kind, path: Path) -> Value:
        from outplay.compile.natural.kinds import words

        writer, size = self.writer, self.field.size
        room = self.field.lengths.get(path, self.field.rooms.get(path, 0))
        count = str(room)
        if path in self.field.rooms:
            count = writer.temp(f"cell({self.base}, {self.at}, {size})")
            self.next()
        if is_lane(kind):
            data = writer.temp(f"{self.base} + {size} * {self.at}")
            self.next(str(room))
            return Value(kind, (data, count))
        stride = max(len(words(inner)), 1)
        data = self.place(max(stride * room, 1), path)
        i = writer.fresh()
        if is_cell(inner):
            with writer.block(f"for {i} in range({count}):"):
                writer.emit(f"put_word({data}, {i}, cell({self.base}, {self.at} + {i}, {size}))")
            self.next(str(room))
        else:
            start = writer.temp(self.at)
            with writer.block(f"for {i} in range({count}):"):
                writer.put(f"{data} + {8 * stride} * {i}", inner, self.read(inner, (*path, 0)).words)
            writer.emit(f"{self.at} = {start} + {room * cells(inner, (*path, 0), self.field)}")
        if isinstance(kind, Set):
            return Value(kind, (writer.temp(f"list_of(room, {data}, {count}, {stride})"),), fresh=True)
        return Value(kind, (data, count))

    def write(self, value: Value, path: Path) -> None:
        writer, kind = self.writer, value.kind
        match kind:
            case Maybe(inner):
                self.put(self.at, value.words[0])
                self.next()
                after = writer.temp(f"{self.at} + {cells(inner, path, self.field)}")
                with writer.block(f"if {value.words[0]} != 0:"):
                    self.write(writer.inside(value), path)
                writer.emit(f"{self.at} = {after}")
            case Items() | Record():
                for i, part in enumerate(writer.parts(value)):
                    self.write(part, (*path, i))
            case OneOf():
                self.put(self.at, value.words[0])
                self.next()
                for i, part in enumerate(writer.alternatives(value)):
                    after = writer.temp(f"{self.at} + {cells(part.kind, (*path, i), self.field)}")
                    with writer.block(f"if {value.words[0]} == {i + 1}:"):
                        self.write(part, (*path, i))
                    writer.emit(f"{self.at} = {after}")
            case Run(inner) | Set(inner):
                self.write_run(value, inner, path)
            case _ if kind in (NONE, UNKNOWN):
                pass
            case _:
                if kind == FLOAT:
                    writer.emit(f"put_float({self.base}, {self.at}, {value.word})")
                else:
                    self.put(self.at, value.word)
                self.next()

    def write_run(self, value: Value, inner: Kind, path: Path) -> None:
        writer, size = self.writer, self.field.size
        if isinstance(value.kind, Set):
            data, count, _ = writer.run(writer.ordered(value, []))  # type: ignore[attr-defined]
        else:
            data, count, _, _ = writer.lane(value)
        room = self.field.lengths.get(path, self.field.rooms.get(path, 0))
        fixed = path in self.field.lengths
        with writer.block(f"if {count} {'!=' if fixed else '>'} {room}:"):
            writer.outgrown("a tuple changed its length")
        if not fixed:
            self.put(self.at, count)
            self.next()
        if is_lane(value.kind):
            there = f"{self.base} + {size} * {self.at}"
            writer.copy_cells(there, data, str(room) if fixed else count, size)
            self.next(str(room))
            return
        i = writer.fresh()
        if is_cell(inner):
            with writer.block(f"for {i} in range({room if fixed else count}):"):
                self.put(f"{self.at} + {i}", f"word({data}, {i})")
            self.next(str(room))
            return
        start = writer.temp(self.at)
        with writer.block(f"for {i} in range({count}):"):
            self.write(writer.item(data, i, inner), (*path, 0))
        writer.emit(f"{self.at} = {start} + {room * cells(inner, (*path, 0), self.field)}")


def _narrow(kind: Kind, size: int) -> Kind:
    """The kind of a field as stored in a state: rows of small numbers stay compact."""
    if not isinstance(kind, Run):
        return kind
    return kind._replace(size=size) if is_cell(kind.inner) else kind._replace(inner=_narrow(kind.inner, size))


def _order(value: Any) -> Any:
    """The sort key of a set's items: their words."""
    if isinstance(value, tuple):
        return tuple(map(_order, value))
    if isinstance(value, str):
        return tuple(map(ord, value))
    return member_word(value) if isinstance(value, enum.Enum) else value


def _which(kinds: tuple[Kind, ...], value: Any) -> int:
    """The index of a value's kind among several."""
    have = kind_of(value)
    for i, kind in enumerate(kinds):
        try:
            if alike(have, kind) == kind:
                return i
        except Cannot:
            continue
    raise TypeError(f"{value!r} is of another kind")


def _parts(value: Any) -> Any:
    return value if isinstance(value, tuple) else [getattr(value, f.name) for f in dataclasses.fields(value)]


def _runs(kind: Kind, path: Path = ()) -> Iterator[Path]:
    """The paths of the tuples in a kind."""
    match kind:
        case Maybe(inner):
            yield from _runs(inner, path)
        case Items(kinds) | Record(_, kinds) | OneOf(kinds):
            for i, each in enumerate(kinds):
                yield from _runs(each, (*path, i))
        case Run(inner) | Set(inner):
            yield path
            yield from _runs(inner, (*path, 0))


def cells(kind: Kind, path: Path, field: Field) -> int:
    """The number of cells that a value takes."""
    match kind:
        case Maybe(inner):
            return 1 + cells(inner, path, field)
        case OneOf(kinds):
            return 1 + sum(cells(each, (*path, i), field) for i, each in enumerate(kinds))
        case Items(kinds) | Record(_, kinds):
            return sum(cells(each, (*path, i), field) for i, each in enumerate(kinds))
        case Run(inner) | Set(inner):
            room = field.lengths.get(path, field.rooms.get(path, 0))
            return (path in field.rooms) + room * cells(inner, (*path, 0), field)
    return 0 if kind in (NONE, UNKNOWN) else 1
