"""Values during compilation: the lines of code that compute them, words in memory, conversions.

The compiler walks through a function as an interpreter would, but each step writes lines of code and returns the kind
of the value with the names of its words. The kinds of locals are unknown at first, so the walk is repeated until
nothing new is learned.
"""

import ast
import contextlib
import enum
from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

from outplay.compile.natural import spans
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
    Kind,
    Local,
    Maybe,
    OneOf,
    Range,
    Record,
    Run,
    Set,
    Simple,
    alike,
    is_lane,
    is_word,
    join,
    join_all,
    may_share,
    words,
)
from outplay.compile.natural.once import Once, either
from outplay.compile.natural.spans import Span
from outplay.compile.source import Missing

ROOM = "room"  # every generated function's first parameter: the memory in which it builds values, an arena
FAULT = 4  # the word of a room with the number of the exception that was raised
OUTGROWN = -1  # the number for "a value outgrew its space", not one of the user's exceptions
MOST_BYTES = 128  # up to so many bytes are copied word by word
# words that a list lies behind: how many items it has, for how many there is room, and where they are
LIST = 3
EXACT = 1 << 53  # up to so far a float holds every int
MOST_AMONG = 64  # up to so many items are all rewritten to change one


class Value(NamedTuple):
    """A value of the program: its kind and its words, which are names or literals."""

    kind: Kind
    words: tuple[str, ...] = ()
    fresh: bool = False  # nothing else refers to it yet, so its kind may still change
    constant: Any = Missing  # its value, if known at compile time
    origin: Any = None  # the expression it was read from, Either, or the Site where it is made
    once: Once | None = None  # what it depends on, if Python computes its items later: `once.py`

    @property
    def word(self) -> str:
        return self.words[0]


class Either(NamedTuple):
    """The origin of what is one of two values: `flags if late else other`."""

    origins: tuple[Any, ...]


class Each(NamedTuple):
    """The origins of a tuple's items."""

    origins: tuple[Any, ...]


class Captured(NamedTuple):
    """The origin of what an inner function has captured: the function's own origin and kind, and the name."""

    function: Any
    kind: Kind
    name: str


class Site(NamedTuple):
    """The origin of a fresh list or dict: where it is made, what is put in later becomes known."""

    key: Any


class Var:
    """A local of a function; `kind` grows from pass to pass."""

    def __init__(self, name: str) -> None:
        self.name, self.kind, self.sure = name, UNKNOWN, True
        self.given = self.shared = (
            False  # whether it is a list that a call gave, or that something else means, too
        )
        self.spans: list[Span | None] = []  # of its words
        self.moves = 0  # how often the spans grew

    def names(self, kind: Kind | None = None) -> tuple[str, ...]:
        return tuple(f"{self.name}_{i}" for i in range(len(words(self.kind if kind is None else kind))))


NOTHING = Value(NONE)
NEVER = Value(UNKNOWN)


def number(value: int | float | bool) -> Value:
    kind = BOOL if isinstance(value, bool) else INT if isinstance(value, int) else FLOAT
    if kind == INT and not -(1 << 63) <= value < 1 << 63:
        raise Cannot(f"{value} has more than 64 bits", "keep numbers below 2 ** 63")
    text = repr(int(value)) if kind != FLOAT else _float_text(value)
    return Value(kind, (text,), constant=value)


def _float_text(value: float) -> str:
    if value != value:
        return "NAN"
    return repr(value) if abs(value) != float("inf") else ("INFINITY" if value > 0 else "MINUS_INFINITY")


def zeros(kind: Kind) -> tuple[str, ...]:
    return tuple("0.0" if word == "f" else "0" for word in words(kind))


class Writer:
    """Writes the lines of one function and converts values."""

    proving = False  # whether the program checks its spans at run time, for a test
    returning = False  # whether the value is returned at once, so that nothing else can change it
    known: dict[str, str] = {}  # noqa: RUF012  (words with a constant value)
    suspect: tuple[int, Cannot] | None = None  # an error to raise unless more is learned, and its line

    def __init__(self) -> None:
        self.lines: list[tuple[int, str, int]] = []  # indent, text, the user's line
        self.indent = 1
        self.line = 0
        self.counter = 0
        self.reserved = 0  # words of an entry's block used by fields
        self.spans: dict[str, Span] = {}  # of words that never change

    # --- lines --------------------------------------------------------------------------------------------

    def emit(self, text: str) -> None:
        self.lines.append((self.indent, text, self.line))

    @contextlib.contextmanager
    def block(self, head: str) -> Iterator[None]:
        self.emit(head)
        self.indent += 1
        before = len(self.lines)
        yield
        if len(self.lines) == before:
            self.emit("pass")
        self.indent -= 1

    @contextlib.contextmanager
    def captured(self, deeper: int = 1) -> Iterator[list[tuple[int, str, int]]]:
        """Collect lines to insert later, by `paste`."""
        outer, self.lines = self.lines, []
        self.indent += deeper
        found = self.lines
        try:
            yield found
        finally:
            self.lines, self.indent = outer, self.indent - deeper

    def paste(self, lines: list[tuple[int, str, int]]) -> None:
        self.lines += lines

    def fresh(self) -> str:
        self.counter += 1
        return f"t{self.counter}"

    def temp(self, text: str) -> str:
        """A new name for an expression's value."""
        made = self.fresh()
        self.emit(f"{made} = {text}")
        return made

    def of(self, kind: Kind, text: str) -> Value:
        """A one-word value with an expression's result."""
        return Value(kind, (self.temp(text),))

    def within(self, span: Span, text: str) -> str:
        """A new name for an int in a span."""
        made = self.temp(text)
        if span != spans.ANY:
            self.spans[made] = span
            if Writer.proving:
                self.lines.append((self.indent, f"prove({made}, {span[0]}, {span[1]})", self.line))
        return made

    def span(self, word: str) -> Span:
        """The span of a word."""
        word = self.known.get(word, word)
        if word.lstrip("-").isdigit():
            return int(word), int(word)
        return self.spans.get(word, spans.ANY)

    def flag(self, condition: str) -> Value:
        """True or False."""
        if condition in ("True", "False"):
            return number(condition == "True")
        return Value(BOOL, (self.within(spans.TRUTH, f"1 if {condition} else 0"),))

    def held(self, value: Value) -> Value:
        """The same value in names of its own, which nothing else changes."""
        kept = tuple(
            w if is_numeral(w) or _is_temp(w) or w in self.known else self.within(self.span(w), w)
            for w in value.words
        )
        return value._replace(words=kept)

    def fail(self, error: str, said: str = "", like: tuple[type, ...] | None = None) -> None:
        self.lines.append((self.indent, f"raise {error}({said!r})", self.line))

    def beyond(self, said: str) -> None:
        """Raise `Beyond`: only plain Python can go on here, and no `try` of the user may catch it."""
        self.lines.append((self.indent, f"raise Beyond({said!r})", self.line))

    def embed(self, value: Any) -> Value:
        """A constant as a value of the program."""
        raise NotImplementedError

    def of_member(self, value: Value, cls: Any, attr: str) -> Value:
        """An attribute of an enum member."""
        raise NotImplementedError

    def take(self, count: str) -> str:
        return self.temp(f"take({ROOM}, {count})")

    # --- memory -------------------------------------------------------------------------------------------

    def at_index(self, i: str, count: str) -> str:
        """An index counted from the start of a sequence, with a bounds check unless it is surely in range."""
        low, high = self.span(i)
        least = self.span(count)[0]
        if low >= 0:
            return i if high < least else self.temp(f"index_up({i}, {count})")
        if high < 0 and low >= -least and self.span(count)[1] == least:
            return self.temp(f"{i} + {count}")
        return self.temp(f"index({i}, {count})")

    def put(self, address: str, kind: Kind, given: Sequence[str]) -> None:
        for i, (word, letter) in enumerate(zip(given, words(kind), strict=True)):
            self.emit(f"{'put_float' if letter == 'f' else 'put_word'}({address}, {i}, {word})")

    def load(self, address: str, kind: Kind) -> Value:
        made = [
            self.temp(f"{'float_word' if letter == 'f' else 'word'}({address}, {i})")
            for i, letter in enumerate(words(kind))
        ]
        return Value(kind, tuple(made))

    def wide(self, value: Value) -> Value:
        """A run in the form that every step can use, each item in a word."""
        kind = value.kind
        if not is_lane(kind):
            return value
        (data, count), tag = value.words, "table" if kind.type == "array" else kind.type
        if kind.size < 8:
            source, data, i = data, self.take(count), self.fresh()
            with self.block(f"for {i} in range({count}):"):
                self.emit(f"put_word({data}, {i}, cell({source}, {i}, {kind.size}))")
        return value._replace(kind=Run(kind.inner, tag), words=(data, count))

    def narrow(self, data: str, count: str, size: int) -> str:
        """A copy of words as smaller items; if one does not fit, the class is compiled again with larger ones."""
        made, i, lost = self.take_cells(count, size), self.fresh(), self.temp("0")
        with self.block(f"for {i} in range({count}):"):
            self.emit(f"{lost} |= put_cell({made}, {i}, {size}, word({data}, {i}))")
        self.refuse_lost(lost)
        return made

    def refuse_lost(self, lost: str) -> None:
        with self.block(f"if {lost} != 0:"):
            self.outgrown("a number has too many bits")

    def outgrown(self, said: str) -> None:
        """Raise `Outgrown`: the state needs more space than was seen; no `try` of the user may catch it."""
        self.lines.append((self.indent, f"put_word({ROOM}, {FAULT}, {OUTGROWN})", self.line))
        self.lines.append((self.indent, f"raise Outgrown({said!r})", self.line))

    def take_cells(self, count: str, size: int) -> str:
        return self.take(count if size == 8 else f"({count} * {size} + 7) // 8")

    def copied(self, data: str, count: str, stride: int, size: int = 8) -> str:
        """A copy of items."""
        if size < 8:
            made = self.take_cells(count, size)
            self.copy_cells(made, data, count, size)
        else:
            made = self.take(f"{count} * {stride}")
            self.emit(f"copy({made}, {data}, {count} * {stride})")
        return made

    def put_text(self, data: str, count: str, place: str, size: int, word: str) -> str:
        """A call that stores a number in a cell; it returns 0 if the number fits."""
        low, high = self.span(count)
        if low == high and high * size <= MOST_AMONG and not self.is_repeated():
            return f"put_among({data}, {high}, {place}, {size}, {word})"
        return f"put_cell({data}, {place}, {size}, {word})"

    def is_repeated(self) -> bool:
        """Whether the code being written stands in a loop."""
        indent = self.indent
        for at, text, _ in reversed(self.lines):
            if at < indent:
                if text.startswith(("for ", "while ")):
                    return True
                indent = at
        return False

    def copy_cells(self, to: str, data: str, count: str, size: int) -> None:
        low, high = self.span(count)
        if low == high and high * size <= MOST_BYTES:
            self.emit(f"copy_few({to}, {data}, {high * size})")
        else:
            self.emit(f"copy_bytes({to}, {data}, {count} * {size})")

    def lane(self, value: Value) -> tuple[str, str, Kind, int]:
        """A value's items as stored: their address, number, kind and size."""
        if is_lane(value.kind):
            return value.words[0], value.words[1], value.kind.inner, value.kind.size
        return *self.run(value), 8

    def item(self, data: str, i: str, kind: Kind, size: int = 8) -> Value:
        """Item i of a run, without a bounds check."""
        if size < 8:
            most = 1 << 8 * size - 1
            span = {BOOL: spans.TRUTH, CHAR: (0, most - 1)}.get(kind, (-most, most - 1))
            return Value(kind, (self.within(span, f"cell({data}, {i}, {size})"),))
        stride = len(words(kind))
        if stride == 0:
            return Value(kind)
        if stride == 1 and words(kind) == ("i",):
            span = {BOOL: spans.TRUTH, CHAR: spans.CHARACTER}.get(kind, spans.ANY)
            return Value(kind, (self.within(span, f"word({data}, {i})"),))
        return self.load(self.temp(f"{data} + {8 * stride} * {i}"), kind)

    def run(self, value: Value) -> tuple[str, str, Kind]:
        """A value's items: their address, number and kind."""
        match value.kind:
            case Run(inner, "list") | Set(inner):
                return self.temp(f"word({value.word}, 2)"), self.temp(f"word({value.word}, 0)"), inner
            case Dict(key, _, _):
                return self.temp(f"word({value.word}, 2)"), self.temp(f"word({value.word}, 0)"), key
            case Run(inner):
                value = self.wide(value)
                return value.words[0], value.words[1], inner
            case Simple("character"):
                data, count = self.convert(value, TEXT)
                return data, count, CHAR
            case Items(kinds):
                inner = join_all(kinds)
                if value.constant is not Missing and kinds:
                    return self.run(self.embed(value.constant))
                data, count = self.convert(value, Run(inner))
                return data, count, inner
            case Range():
                return self.run(self.listed_range(value))
            case Record(_, kinds):
                return self.run(Value(Items(kinds), value.words))
            case Maybe():
                return self.run(self.present(value))
            case OneOf(kinds):
                if all(map(_is_sequence, kinds)):
                    return self.run_of_several(value)
                return self.run(self.only(value, _is_sequence, "sequence"))
            case Simple("unknown"):
                return "0", "0", UNKNOWN
        raise Cannot(f"{value.kind} is used as a sequence", "use a tuple or a list")

    def run_of_several(self, value: Value) -> tuple[str, str, Kind]:
        """The same for a tuple or a text, a row of ints or one of pairs."""
        data, count, found = self.temp("0"), self.temp("0"), []
        for part in self.alternatives(value):
            with self.captured() as lines:
                found.append((self.run(part), lines))
        inner = join_all(kind for (_, _, kind), _ in found)
        for i, ((at, size, kind), lines) in enumerate(found):
            with self.block(f"if {value.words[0]} == {i + 1}:"):
                self.paste(lines)
                self.set((data, count), self.convert(Value(Run(kind), (at, size)), Run(inner)))
        return data, count, inner

    def listed_range(self, value: Value) -> Value:
        start, _, step = value.words
        count = self.temp(f"range_length({', '.join(value.words)})")
        data = self.take(count)
        i = self.fresh()
        with self.block(f"for {i} in range({count}):"):
            self.emit(f"put_word({data}, {i}, {start} + {i} * {step})")
        return Value(Run(INT), (data, count))

    def new_list(self, kind: Kind, count: str = "4") -> Value:
        """An empty list."""
        count = "0" if kind == UNKNOWN else count  # items of unknown kind need no space yet
        made = self.temp(f"new_list({ROOM}, {count}, {max(len(words(kind)), 1)})")
        return Value(Run(kind, "list"), (made,), fresh=True)

    def push(self, target: str, kind: Kind, value: Value) -> None:
        """Append to a list, or to the items of a set."""
        given = self.convert(value, kind)
        place = self.temp(f"one_more({ROOM}, {target}, {max(len(words(kind)), 1)})")
        self.put(place, kind, given)

    # --- conversions --------------------------------------------------------------------------------------

    def convert(self, value: Value, kind: Kind) -> tuple[str, ...]:
        """A value's words converted to another kind."""
        have = value.kind
        if have == kind or words(have) == () == words(kind):
            return value.words
        if have == UNKNOWN:
            return zeros(kind)
        if is_lane(have):
            return self.convert(self.wide(value), kind)
        if isinstance(kind, Run) and kind.size < 8:
            data, count = self.convert(value, kind._replace(size=8))
            return self.narrow(data, count, kind.size), count
        if isinstance(kind, Run) and kind.type == "array":
            return self.convert(value, kind._replace(type="table"))
        if isinstance(have, Maybe) or isinstance(kind, Maybe) or have == NONE:
            return self.convert_maybe(value, kind)
        if isinstance(have, OneOf) or isinstance(kind, OneOf):
            return self.convert_several(value, kind)
        if isinstance(have, Run | Range | Items | Record) or isinstance(kind, Run):
            return self.convert_sequence(value, kind)
        match have, kind:
            case (_, Simple("unknown")):
                return ()
            case (one, Simple("int")) if is_word(one):
                return value.words
            case (Simple("int"), Simple("bool")):
                return value.words
            case (one, Simple("float")) if is_word(one):
                return (self.as_float(value),)
            case (Set(Simple("unknown")), Set()) if value.fresh:
                return value.words
            case (Set(one), Set(two)) if value.fresh:
                return self.convert_run(value, one, two, "list")
            case (Dict(), Dict()) if kind.ordered and not have.ordered:
                raise Cannot("the order of a dict made of a set might matter", "make it of sorted(...)")
            case (Dict(one, v, _), Dict(two, w, _)) if one == two and v == w:
                return value.words
            case (Dict(one, v, _), Dict(two, w, _)) if value.fresh:
                self.tell_site(value, kind)
                keys, values = (
                    Value(Run(inner, "list"), (word,), fresh=True)
                    for inner, word in zip((one, v), value.words, strict=True)
                )
                return *self.convert(keys, Run(two, "list")), *self.convert(values, Run(w, "list"))
            case (Set(), Set(two)):
                return self.widened(value, have._replace(inner=two))
            case (Dict(), Dict(two, w, _)):
                return self.widened(value, have._replace(key=two, value=w))
            case (Bound(one, _), Bound(two, _)):
                return self.convert(value._replace(kind=one), two)
            case (Local(a, _, _), Local(b, _, two)) if a is b and have.near == kind.near:
                parts = self.parts(value)
                pairs = zip(parts, two, strict=True)
                return tuple(w for part, (_, k) in pairs for w in self.convert(part, k))
        raise Cannot(f"{have} is given where {kind} is expected", "give it one type")

    def as_float(self, value: Value) -> str:
        """An int where a float may be as well: in Python it stays an int, so no digit may be lost."""
        word = self.held(value).word
        if not spans.holds((-EXACT, EXACT), self.span(word)):
            with self.block(f"if {word} < {-EXACT} or {word} > {EXACT}:"):
                self.beyond("an int is too large for the float that it may also be")
        return f"float({word})"

    def convert_maybe(self, value: Value, kind: Kind) -> tuple[str, ...]:
        match value.kind, kind:
            case (_, Simple("unknown")):
                return ()
            case (Simple("None"), Maybe(_)):
                return zeros(kind)
            case (Maybe(_), Maybe(inner)):
                return value.words[0], *self.convert(self.inside(value), inner)
            case (Maybe(_), _):
                return self.convert(self.present(value), kind)
            case (_, Maybe(inner)):
                return "1", *self.convert(value, inner)
        raise Cannot(f"{value.kind} is given where {kind} is expected", "give it one type")

    def convert_several(self, value: Value, kind: Kind) -> tuple[str, ...]:
        """Conversion to and from a union of several kinds."""
        if kind == UNKNOWN:
            return ()
        if not isinstance(value.kind, OneOf):
            made = ["0"]
            for i, each in enumerate(kind.kinds):
                fits = made[0] == "0" and _fits(value.kind, each)
                if fits:
                    made[0] = str(i + 1)
                made += self.convert(value, each) if fits else zeros(each)
            if made[0] == "0":
                raise Cannot(f"{value.kind} is given where {kind} is expected", "give it one type")
            return tuple(made)
        if not isinstance(kind, OneOf):
            return self.convert(self.only(value, lambda each: _fits(each, kind), str(kind)), kind)
        names = [self.temp(zero) for zero in zeros(kind)]
        for i, part in enumerate(self.alternatives(value)):
            with self.block(f"if {value.words[0]} == {i + 1}:"):
                self.set(names, self.convert_several(part, kind))
        return tuple(names)

    def alternatives(self, value: Value) -> list[Value]:
        """A union's possible values, one for each kind."""
        return self.parts(Value(Items(value.kind.kinds), value.words[1:]))

    def only(self, value: Value, fits: Callable[[Kind], bool], wanted: str) -> Value:
        """A union's value as the one kind that fits; TypeError if it is another at run time."""
        if not isinstance(value.kind, OneOf):
            return value
        for i, part in enumerate(self.alternatives(value)):
            if fits(part.kind):
                with self.block(f"if {value.words[0]} != {i + 1}:"):
                    self.beyond(f"a value is not a {wanted} here")
                return part
        raise Cannot(f"{value.kind} is used where {wanted} is expected", "give it one type")

    def convert_sequence(self, value: Value, kind: Kind) -> tuple[str, ...]:
        match value.kind, kind:
            case (_, Simple("unknown")):
                return ()
            case (Simple("character"), Run(_, "str")):
                data = self.take("1")
                self.emit(f"put_word({data}, 0, {value.word})")
                return data, "1"
            case (Items(one), Items(two)) if len(one) == len(two):
                return tuple(
                    w for part, k in zip(self.parts(value), two, strict=True) for w in self.convert(part, k)
                )
            case (Record(_, one), Record(_, two)):
                return tuple(
                    w for part, k in zip(self.parts(value), two, strict=True) for w in self.convert(part, k)
                )
            case (Record(_, kinds), _):
                return self.convert(Value(Items(kinds), value.words), kind)
            case (Items(kinds), Run(inner, "tuple")):
                stride = max(len(words(inner)), 1)
                data = self.take(str(stride * len(kinds)))
                for i, part in enumerate(self.parts(value)):
                    self.put(f"{data} + {8 * stride * i}", inner, self.convert(part, inner))
                return data, str(len(kinds))
            case (Run(one, tag), Run(two, other)) if tag == other:
                return self.convert_run(value, one, two, tag)
            case (Run(one, "table"), Run(two, "list")):
                data, count = self.convert(Value(Run(one), value.words), Run(two))
                return (self.temp(f"list_of({ROOM}, {data}, {count}, {max(len(words(two)), 1)})"),)
            case (Run(one, "list"), Run(two, "table")):
                data, count, _ = self.run(value)
                return self.convert(Value(Run(one), (data, count)), Run(two))
            case (Items(), Run(inner, "table")):
                return self.convert_sequence(value, Run(inner))
            case (Run(_, "tuple"), Items(kinds)):
                data, count, inner = self.run(value)
                with self.block(f"if {count} != {len(kinds)}:"):
                    self.beyond("a tuple has the wrong length")
                made = [self.item(data, str(i), inner) for i in range(len(kinds))]
                return tuple(w for part, k in zip(made, kinds, strict=True) for w in self.convert(part, k))
            case (Range(), Run(_, tag)):
                listed = self.listed_range(value)
                if tag == "list":
                    listed = Value(
                        Run(INT, "list"), (self.temp(f"list_of({ROOM}, {', '.join(listed.words)}, 1)"),), True
                    )
                return self.convert(listed, kind)
        raise Cannot(f"{value.kind} is given where {kind} is expected", "give it one type")

    def convert_run(self, value: Value, one: Kind, two: Kind, tag: str) -> tuple[str, ...]:
        if tag == "list" and not value.fresh and not (self.returning and self.may_copy(value)):
            return self.widened(value, Run(two, "list"))
        if one == UNKNOWN:
            if tag == "list" and not value.fresh and value.origin is None:
                self.doubt("what a list holds is not clear", "let it hold something when it is made")
            return value.words
        if value.fresh or isinstance(value.origin, Site):
            self.tell_site(value, Run(two, "list"))
        data, count, _ = self.run(value)
        stride = max(len(words(two)), 1)
        made = self.take(f"{stride} * {count}")
        i = self.fresh()
        with self.block(f"for {i} in range({count}):"):
            given = self.convert(self.item(data, i, one), two)
            self.put(f"{made} + {8 * stride} * {i}", two, given)
        if tag == "list":
            return (self.temp(f"list_of({ROOM}, {made}, {count}, {stride})"),)
        return made, count

    def may_copy(self, value: Value) -> bool:
        """Whether a list that is returned is known to nobody else here, so that a copy will do."""
        raise NotImplementedError

    def widened(self, value: Value, kind: Kind) -> tuple[str, ...]:
        """The words of what may change, where more kinds are held: its own name is to know that."""
        raise NotImplementedError

    def tell_site(self, value: Value, kind: Kind) -> None:
        """Lists in a fresh list or dict are to be made for what they will hold."""
        raise NotImplementedError

    def doubt(self, what: str, cure: str) -> None:
        """An error to raise unless more is learned in this pass."""
        self.suspect = self.suspect or (self.line, Cannot(what, cure))

    def parts(self, value: Value) -> list[Value]:
        """The items of a tuple with separate kinds, or the fields of a record."""
        kinds = (
            value.kind.kinds if isinstance(value.kind, Items | Record) else [k for _, k in value.kind.outer]
        )
        made, at = [], 0
        for i, kind in enumerate(kinds):
            size = len(words(kind))
            origin = None
            if isinstance(value.kind, Items) or isinstance(value.origin, Each):
                origin = item_origin(value.origin, kind, i)
            elif isinstance(value.kind, Local) and value.origin is not None:
                origin = Captured(value.origin, value.kind, value.kind.outer[i][0])
            made.append(Value(kind, value.words[at : at + size], value.fresh, origin=origin))
            at += size
        if isinstance(value.constant, tuple) and len(value.constant) == len(made):
            made = [part._replace(constant=c) for part, c in zip(made, value.constant, strict=True)]
        return made

    def inside(self, value: Value) -> Value:
        """A `T | None` as the T that it holds."""
        assert isinstance(value.kind, Maybe)
        return Value(value.kind.inner, value.words[1:])

    def present(self, value: Value, said: str = "None is used as a value") -> Value:
        """The same with a check: TypeError if it is None."""
        if not isinstance(value.kind, Maybe):
            return value
        with self.block(f"if {value.words[0]} == 0:"):
            self.fail("TypeError", said, (TypeError, AttributeError))
        return self.inside(value)

    def chosen(self, condition: str, one: Value, lines: Any, two: Value, others: Any) -> Value:
        """One value if a condition holds, otherwise another; `lines` and `others` compute them."""
        kind = join(one.kind, two.kind)
        names = [self.fresh() for _ in words(kind)]
        with self.block(f"if {condition}:"):
            self.paste(lines)
            first = self.convert(one, kind)
            self.set(names, first)
        with self.block("else:"):
            self.paste(others)
            second = self.convert(two, kind)
            self.set(names, second)
        for name, a, b in zip(names, first, second, strict=True):
            self.spans[name] = spans.hull(self.span(a), self.span(b))
        origins = tuple(value.origin for value in (one, two) if not value.fresh or value.origin is not None)
        origin = Either(origins) if origins and None not in origins else None
        return Value(
            kind, tuple(names), one.fresh and two.fresh, origin=origin, once=either(one.once, two.once)
        )

    def set(self, names: Sequence[str], given: Sequence[str]) -> None:
        if len(names) == 1:
            self.emit(f"{names[0]} = {given[0]}")
        elif names:
            self.emit(f"{', '.join(names)} = {', '.join(given)}")


def item_origin(origin: Any, kind: Kind, place: int = 0) -> Any:
    """The origin of an item of a value with this origin."""
    if origin is None or not may_share(kind):
        return None
    if isinstance(origin, Each):
        return origin.origins[place]
    if isinstance(origin, Either):
        found = tuple(item_origin(each, kind, place) for each in origin.origins)
        return None if None in found else Either(found)
    return ast.Subscript(origin, ast.Constant(place), ast.Load()) if isinstance(origin, ast.expr) else None


def _fits(one: Kind, two: Kind) -> bool:
    """Whether a value of one kind can be converted to another."""
    try:
        return alike(one, two) == two or is_word(one) and is_word(two)
    except Cannot:
        return False


def _is_sequence(kind: Kind) -> bool:
    return isinstance(kind, Run | Items | Record) or kind == CHAR


def is_numeral(word: str) -> bool:
    return word[0].isdigit() or word[0] == "-"


def _is_temp(word: str) -> bool:
    """Whether a word is a temporary name."""
    return word[0] == "t" and word[1:].isdigit()


def member_word(member: enum.Enum) -> int:
    """The word of an enum member."""
    if isinstance(member, int | enum.Flag):
        return int(member.value)
    return list(type(member)).index(member)


Body = Callable[[Value], None]
