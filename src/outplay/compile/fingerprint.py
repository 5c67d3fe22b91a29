"""The fingerprint of a state: a hash of what its fields hold, the same in every process and lane.

The words of a compiled natural state are no such thing: the layout follows from the games that were played to find it.
A state of ints has the hash that searches use, `fold`. Of any other, tuples and texts count their length, sets and
dicts do not depend on an order, and 1, 1.0 and True are one. The function for compiled states is written from the
layout.
"""

import enum
import itertools
import struct
from collections.abc import Iterator, Mapping
from typing import Any

from outplay import written
from outplay.compile.natural.kinds import (
    CHAR,
    FLOAT,
    NONE,
    UNKNOWN,
    Items,
    Kind,
    Maybe,
    OneOf,
    Record,
    Run,
    Set,
)
from outplay.compile.natural.layout import Field, Layout, Path, cells
from outplay.compile.natural.values import member_word
from outplay.compile.runtime import fold, mix
from outplay.standard import is_wrapped
from outplay.words import wrap

NOTHING = 0x4E6F6E65  # in place of None
TEXT, TUPLE = 1 << 40, 1 << 41  # are added to the length of a text, of a tuple
ITEM = 0x53657473  # where the hash of an item of a set begins; it is mixed twice, since a sum hides little
EXACT = 1 << 53  # up to so far a float holds every int


def fingerprint(state: Any, seed: int) -> int:
    """The fingerprint of a state in standard form."""
    if not is_wrapped(type(state)):
        return fold(state, seed)
    own = (
        None
        if isinstance(state[0], (*written.WRITTEN, list, set, frozenset, dict))
        else written.fields(state[0])
    )
    if own is None:
        return mix(seed ^ written.number(state[0]))
    for name in sorted(own):
        seed = _of(own[name], seed)
    return seed


def _of(value: Any, seed: int) -> int:
    """The fingerprint of a value, mixed into others."""
    match value:
        case None:
            return mix(seed ^ NOTHING)
        case enum.Enum():
            return mix(seed ^ wrap(member_word(value)))
        case int() if wrap(value) == value:
            return mix(seed ^ int(value))
        case float():
            is_int = -EXACT <= value <= EXACT and value.is_integer()
            return mix(seed ^ (int(value) if is_int else struct.unpack("<q", struct.pack("<d", value))[0]))
        case str():
            return fold(map(ord, value), mix(seed ^ TEXT + len(value)))
        case set() | frozenset():
            return mix(seed ^ wrap(sum(mix(_of(item, ITEM)) for item in value)))
        case Mapping():
            return mix(seed ^ wrap(sum(mix(_of(item, ITEM)) for item in value.items())))
        case tuple() | list():
            return _of_items(value, seed)
    own = written.fields(value) if not isinstance(value, int | bytes) else None
    return mix(seed ^ written.number(value)) if own is None else _of_items(own.values(), seed)


def _of_items(items: Any, seed: int) -> int:
    seed = mix(seed ^ TUPLE + len(items))
    for item in items:
        seed = _of(item, seed)
    return seed


def function_text(symbol: str, layout: Layout, names: tuple[str, ...], counts: bool) -> str:
    """The function for compiled states with fields of these names; `counts`: lengths are mixed in."""
    order = sorted(range(len(names)), key=names.__getitem__) if counts else range(len(names))
    lines = [
        f"def {symbol}(self, seed):",
        f" block = small_scratch({max(layout.words, 1)})",
        " store_words(block, self)",
        " base = address_of(block)",
        *(f" {line}" for i in order for line in Lines(layout.fields[i], counts).of_field()),
        " return seed",
    ]
    return "\n".join(lines) + "\n"


class Lines:
    """Writes the lines that mix the cells of one field into `seed`; `at` is the next cell."""

    def __init__(self, field: Field, counts: bool) -> None:
        self.field, self.counts = field, counts
        self.numbers = itertools.count()

    def of_field(self) -> Iterator[str]:
        yield f"first = base + {8 * self.field.start}"
        yield "at = 0"
        yield from self.of(self.field.kind, (), "seed")

    def of(self, kind: Kind, path: Path, seed: str) -> Iterator[str]:
        match kind:
            case Maybe(inner):
                yield from self.chosen([(0, NONE, path), (1, inner, path)], seed)
            case OneOf(kinds):
                yield from self.chosen([(i + 1, each, (*path, i)) for i, each in enumerate(kinds)], seed)
            case Items(kinds) | Record(_, kinds):
                yield from self.length(str(TUPLE + len(kinds)), seed)
                for i, each in enumerate(kinds):
                    yield from self.of(each, (*path, i), seed)
            case Run() | Set():
                yield from self.of_run(kind, path, seed)
            case _ if kind in (NONE, UNKNOWN):
                yield f"{seed} = mix({seed} ^ {NOTHING})"
            case _ if kind == FLOAT:
                yield from self.of_float(seed)
            case _:
                if kind == CHAR:
                    yield from self.length(str(TEXT + 1), seed)
                yield from self.of_cell(seed)

    def of_cell(self, seed: str) -> Iterator[str]:
        yield f"{seed} = mix({seed} ^ cell(first, at, {self.field.size}))"
        yield "at += 1"

    def of_float(self, seed: str) -> Iterator[str]:
        yield "number, mark = float_word(first, at), word(first, at)"
        yield f"if -{EXACT} <= number <= {EXACT} and number == int(number):"
        yield " mark = int(number)"
        yield f"{seed} = mix({seed} ^ mark)"
        yield "at += 1"

    def length(self, count: str, seed: str) -> Iterator[str]:
        if self.counts:
            yield f"{seed} = mix({seed} ^ ({count}))"

    def chosen(self, choices: list[tuple[int, Kind, Path]], seed: str) -> Iterator[str]:
        """One of several kinds: a cell says which, and each has cells of its own."""
        number = next(self.numbers)
        yield f"which_{number} = cell(first, at, {self.field.size})"
        yield "at += 1"
        for tag, kind, path in choices:
            yield f"after_{number} = at + {cells(kind, path, self.field)}"
            yield f"if which_{number} == {tag}:"
            yield from (f" {line}" for line in self.of(kind, path, seed))
            yield f"at = after_{number}"

    def of_run(self, kind: Any, path: Path, seed: str) -> Iterator[str]:
        """A tuple, a text or a set: the cells behind its last item are passed over."""
        number, field, inner = next(self.numbers), self.field, (*path, 0)
        room = field.lengths.get(path, field.rooms.get(path, 0))
        count, item = f"count_{number}", f"item_{number}" if isinstance(kind, Set) else seed
        yield f"{count} = {room}"
        if path in field.rooms:
            yield f"{count} = cell(first, at, {field.size})"
            yield "at += 1"
        yield f"after_{number} = at + {room * cells(kind.inner, inner, field)}"
        text = isinstance(kind, Run) and kind.type == "str"
        if not isinstance(kind, Set):
            yield from self.length(f"{TEXT if text else TUPLE} + {count}", seed)
        yield f"total_{number} = 0"
        yield f"for turn_{number} in range({count}):"
        if isinstance(kind, Set):
            yield f" {item} = {ITEM}"
        yield from (f" {line}" for line in (self.of_cell(item) if text else self.of(kind.inner, inner, item)))
        if isinstance(kind, Set):
            yield f" total_{number} += mix({item})"
            yield f"{seed} = mix({seed} ^ total_{number})"
        yield f"at = after_{number}"
