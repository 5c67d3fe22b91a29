"""A rule's entry point: it unpacks a state's words, calls the user's method and converts its answer for the search."""

import ast
import enum
import re
import types
from typing import Any

from outplay import hooks
from outplay.codec import FIRST_PLACE, PLACES, Named, leaves
from outplay.compile.natural import rooms, spans
from outplay.compile.natural.functions import Function
from outplay.compile.natural.kinds import (
    BOOL,
    CHAR,
    FLOAT,
    INT,
    TEXT,
    UNKNOWN,
    Cannot,
    Kind,
    Maybe,
    Member,
    Record,
    Run,
    Set,
    is_number,
    is_word,
)
from outplay.compile.natural.listing import GIVEN, listed
from outplay.compile.natural.native import HEADER
from outplay.compile.natural.values import ROOM, Value
from outplay.compile.source import Place
from outplay.game import kind

LISTED = ("actions", *hooks.LISTED)
STATES = ("result", "skip")  # rules that return a state
ROOM_WORDS = 1 << 13  # of machine stack; a rule that needs more allocates memory
LIGHT = 60  # lines of an entry that may be inlined into a search
SMALL = 256  # words of stack that a rule may add to each ply of a search
SIGN = -(1 << 63)


class Entry(Function):
    """The function that searches call for a rule."""

    def __init__(self, program: Any, rule: str, function: types.FunctionType) -> None:
        line = function.__code__.co_firstlineno
        node = ast.parse("lambda: 0", mode="eval").body
        node.lineno = line
        place = Place(function.__qualname__, function.__code__.co_filename)
        super().__init__(program, program.symbol(f"entry_{rule}"), function, node, place)
        self.rule, self.called = rule, function
        self.codec = getattr(program.cls, "codec", None)

    def body(self) -> None:
        layout = self.program.layout
        self.line = self.called.__code__.co_firstlineno
        self.reserved = layout.words * (2 if self.rule in STATES else 1)  # a new state has memory of its own
        state, lines = self.read_fields(layout)
        self.emit("store_words(block, self)")
        self.emit("base = address_of(block)")
        self.emit(f"{ROOM} = address_of(free)")
        with self.captured(0) as calling:
            answer = self.call_function(self.called, self.given_to_rule(state))
        said = " ".join(text for _, text, _ in (*self.lines, *calling))
        for names, reading in lines:
            if any(
                _says(said, name) for name in names
            ):  # a rule that does not use the board need not unpack it
                self.paste(reading)
        self.paste(calling)
        if self.rule in LISTED:
            if not self.list_in_place(answer):
                self.list_actions(answer)
        elif self.rule in STATES:
            self.give_state(answer)
        else:
            self.give_number(answer)

    def given_to_rule(self, state: Value) -> list[Value]:
        if self.rule in ("result", "probability", *hooks.OF_ACTIONS):
            return [state, self.decoded(state)]
        if self.takes_player():
            return [state, Value(INT, ("player",))]
        if self.rule in ("sample", "playout"):
            return [state, Value(INT, ("action",))]
        return [state]

    def read_fields(self, layout: Any) -> tuple[Value, list[Any]]:
        """The state's fields, and for each its words' names and the lines that read them."""
        parts, lines = [], []
        for field in layout.fields:
            with self.captured(0) as reading:
                part = layout.write_read(self, "base", field)
            parts += part.words
            lines.append((part.words, reading))
        return Value(self.program.state_kind, tuple(parts)), lines

    def takes_player(self) -> bool:
        return self.rule in hooks.OF_PLAYERS and kind(self.program.cls).players > 2

    def leave(self, answer: str) -> None:
        self.emit(f"end({ROOM})")
        self.emit(f"return {answer}")

    def give_number(self, answer: Value) -> None:
        if self.rule == "terminal":
            self.leave(self.temp(f"1 if {self.truth(answer)} else 0"))
            return
        if answer.kind == UNKNOWN:
            self.emit("raise ValueError('it never returns')")
            return
        value = self.present(answer, f"{self.rule} returns None: return a number on every path")
        if self.rule in ("sample", "playout"):
            self.leave(self.encoded(value))
            return
        if not is_number(value.kind):
            raise Cannot(f"{self.rule} returns {value.kind}", "return a number")
        float_scores = kind(self.program.cls).float_scores
        if self.rule in ("utility", "evaluate") and value.kind == FLOAT and not float_scores:
            raise Cannot(
                "it returns a float",
                "return ints (scale the values), or declare `estimates = float` in the class",
            )
        wants_float = self.rule == "probability" or self.rule in ("utility", "evaluate") and float_scores
        if wants_float:
            self.leave(value.word if value.kind == FLOAT else f"float({value.word})")
        elif not is_word(value.kind):
            raise Cannot(f"{self.rule} returns a float", "return an int")
        else:
            self.leave(value.word)

    def give_state(self, answer: Value) -> None:
        if answer.kind == UNKNOWN:
            self.emit("raise ValueError('it never returns')")
            self.emit("return self")
            return
        name = self.program.user.__name__
        value = self.present(answer, f"{self.rule} returns None: end with `return {name}(...)` on every path")
        if not isinstance(value.kind, Record) or value.kind.cls is not self.program.user:
            raise Cannot(f"{self.rule} returns {value.kind}, not a {name}", f"end with `return {name}(...)`")
        layout = self.program.layout
        layout.write_writes(self, self.temp(f"base + {8 * layout.words}"), self.parts(value))
        self.emit(f"made = load_state(block, {layout.words}, self)")
        self.leave("made")

    # --- actions ------------------------------------------------------------------------------------------

    def list_in_place(self, answer: Value) -> bool:
        """Write the actions straight into the search's memory, if the rule only builds a list of them."""
        indent, text, line = self.lines[-1]
        called = re.fullmatch(rf"(t\d+) = (_outplay_\w+)\({ROOM}(.*)\)", text)
        if not isinstance(answer.kind, Run) or called is None or answer.words != (called[1],):
            return False
        function, inner = self.program.by_symbol(called[2]), answer.kind.inner

        def encode(words: list[str], indent: int) -> Any:
            before = self.indent, self.spans
            self.indent, self.spans = indent, dict(function.spans)
            with self.captured(0) as lines:
                code = self.code(Value(inner, tuple(words)), "(at - first)")
            self.indent, self.spans = before
            return lines, code

        self.counter = max(self.counter, getattr(function, "counter", 0))
        made = listed(function, self.program.symbol(f"{self.rule}_listed"), encode)
        if made is None:
            return False
        self.program.listings.append(made)
        self.lines[-1] = indent, f"at = {made.symbol}({ROOM}{called[3]}, {', '.join(GIVEN)})", line
        self.leave("at")
        return True

    def code(self, item: Value, place: str) -> str:
        """The code of an action at an index among all actions."""
        if self.codec is not None and self.codec.shape is None and self.rule == "actions":
            return place
        if self.codec is not None and self.codec.shape is None and self.rule in ("noisy", "promising"):
            raise Cannot(
                f"{self.rule} of actions that are not numbers", "let actions be ints or tuples of ints"
            )
        if self.rule in ("actions", "noisy", "promising"):
            return self.encoded_or_placed(item, place)
        return self.word_of(item)

    def list_actions(self, answer: Value) -> None:
        view = self.view_value(self.sorted_set(answer))
        i = self.temp("0")
        with self.block(f"while {i} < {view.length()}:"):
            item = view.item(i)
            code = self.code(item, i)
            with self.block("if at > last:"):
                self.emit("raise TooManyActions")
            self.emit(f"out[at] = {code}")
            self.emit("at += 1")
            self.emit(f"{i} += 1")
        self.leave("at")

    def sorted_set(self, actions: Value) -> Value:
        """The actions that a rule gives; those of a set, which has no order, sorted, as codec.py sorts them."""
        actions = self.present(actions) if isinstance(actions.kind, Maybe) else actions
        if not isinstance(actions.kind, Set) or actions.kind.ordered:
            return actions
        listed = self.collected(
            lambda keep: self.turns(self.loose(actions), keep), (self.rule, "actions of a set")
        )
        return self.ordered(listed, [])

    def encoded_or_placed(self, action: Value, place: str) -> str:
        """An action's code; for None, which has no code, its index among all actions."""
        has_none = self.codec is not None and self.codec.shape is not None and isinstance(action.kind, Maybe)
        if not has_none or self.rule != "actions":
            return self.encoded(action)
        made = self.temp(f"{FIRST_PLACE} + {place}")
        with self.block(f"if {action.words[0]} != 0:"):
            self.emit(f"{made} = {self.encoded(self.inside(action))}")
        return made

    def encoded(self, action: Value) -> str:
        """An action's code, as codec.py defines it."""
        if action.kind == UNKNOWN:
            return "0"
        if self.codec is None:
            return self.word_of(action)
        shape = self.codec.shape
        if not self.codec.packs:
            return self.leaf(action, shape, alone=True)
        found = self.leaves_of(action, shape)
        if len(found) == 1:
            return self.temp(f"{found[0]} ^ {SIGN}")
        bits, bias = self.codec.bits, self.codec.bias
        code = "0"
        for word in found:
            if not spans.holds((-bias, bias - 1), self.span(word)):
                with self.block(f"if {word} < {-bias} or {word} >= {bias}:"):
                    self.beyond("a part of an action has too many bits")
            code = self.temp(f"({code} << {bits}) | ({word} + {bias})")
        return code

    def leaves_of(self, value: Value, shape: Any) -> list[str]:
        items = shape.items if isinstance(shape, Named) else shape
        if not isinstance(items, tuple):
            return [self.leaf(value, shape, alone=False)]
        parts = self.unpacked(value, len(items))
        return [word for part, each in zip(parts, items, strict=True) for word in self.leaves_of(part, each)]

    def leaf(self, value: Value, shape: Any, alone: bool) -> str:
        value = self.wide(self.only(self.present(value), lambda each: _is_leaf(each, shape), "action"))
        if shape == "char":
            if value.kind == TEXT:
                with self.block(f"if {value.words[1]} != 1:"):
                    self.beyond("an action is a text of another length")
                return self.temp(f"word({value.words[0]}, 0)")
            if value.kind == CHAR:
                return value.word
        elif isinstance(shape, type):
            if isinstance(value.kind, Member) and value.kind.enum is shape:
                return value.word if alone and issubclass(shape, int) else self.member_place(value, shape)
        elif is_word(value.kind) and not isinstance(value.kind, Member):
            if shape == "bool" and value.kind != BOOL:
                with self.block(f"if {value.word} & ~1 != 0:"):
                    self.beyond("an action is an int here, and a bool elsewhere")
            return value.word
        raise Cannot(
            f"an action is {value.kind} here, and of another type elsewhere", "give all actions one type"
        )

    def decoded(self, state: Value) -> Value:
        """The user's action for a code."""
        if self.codec is None:
            return Value(INT, ("action",))
        shape = self.codec.shape
        if shape is None:
            actions = self.sorted_set(self.call_function(_rule(self.program.user, "actions"), [state]))
            return self.held(self.indexed(self.as_sequence(actions), Value(INT, ("action",))))
        with self.captured() as lines:
            listed = self.call_function(_rule(self.program.user, "actions"), [state])
            inner = self.loose(self.present(listed)).item("0").kind if listed.kind != UNKNOWN else UNKNOWN
        coded = self.decoded_by_shape(shape)
        if not isinstance(inner, Maybe) or self.rule not in ("result", "probability"):
            return coded
        with self.captured() as lines:
            listed = self.sorted_set(self.call_function(_rule(self.program.user, "actions"), [state]))
            place = Value(INT, (self.temp(f"action - {FIRST_PLACE}"),))
            placed = self.held(self.indexed(self.as_sequence(listed), place))
        return self.chosen(f"action < {FIRST_PLACE + PLACES}", placed, lines, coded, [])

    def decoded_by_shape(self, shape: Any) -> Value:
        """The action of one shape for a code."""
        assert self.codec is not None
        if not self.codec.packs:
            is_int = isinstance(shape, type) and issubclass(shape, int)
            return Value(_leaf_kind(shape), ("action",)) if is_int else self.shaped(shape, ["action"])
        count, bits, bias = len(list(leaves(shape))), self.codec.bits, self.codec.bias
        if count == 1:
            numbers = [self.temp(f"action ^ {SIGN}")]
        else:
            mask = (1 << bits) - 1
            numbers = [
                self.temp(f"((action >> {bits * (count - 1 - i)}) & {mask}) - {bias}") for i in range(count)
            ]
        return self.shaped(shape, numbers)

    def as_sequence(self, value: Value) -> Value:
        data, count, inner = self.run(value)
        return Value(Run(inner), (data, count))

    def shaped(self, shape: Any, numbers: list[str]) -> Value:
        if isinstance(shape, Named):
            parts = [self.shaped(each, numbers) for each in shape.items]
            return Value(
                Record(shape.cls, tuple(p.kind for p in parts)), tuple(w for p in parts for w in p.words)
            )
        if isinstance(shape, tuple):
            return self.tuple_of([self.shaped(each, numbers) for each in shape])
        word = numbers.pop(0)
        if isinstance(shape, type) and issubclass(shape, int | enum.Flag):
            table = self.embed(tuple(int(m.value) for m in list(shape)))  # type: ignore[arg-type]
            data, count, _ = self.run(table)
            word = self.temp(f"word({data}, index({word}, {count}))")
        return Value(_leaf_kind(shape), (word,))

    def is_light(self) -> bool:
        """Whether passing the state would cost more than this entry itself, which only calls the user's functions."""
        lines = self.with_room()
        return len(lines) <= LIGHT and "small_scratch" in lines[0][1]

    def with_room(self) -> list[tuple[int, str, int]]:
        """The rule's lines, after those that allocate its room."""
        words, make, lines = rooms.needed(self, self.program), "small_scratch", self.lines
        if words is None or self.reserved + words > SMALL:
            words, make = ROOM_WORDS, "scratch"
        else:  # nothing was allocated, so nothing must be freed
            words, lines = words + HEADER, [each for each in lines if each[1] != f"end({ROOM})"]
        line = lines[0][2]
        made = [
            (1, f"free = {make}({words})", line),
            (1, f"block = small_scratch({max(self.reserved, 1)})", line),
            *lines,
        ]
        after = 1 + next(i for i, each in enumerate(made) if each[1].startswith(f"{ROOM} = "))
        begins = f"begin({ROOM}, {words})" if words > HEADER else f"begin_full({ROOM})"
        made.insert(after, (1, begins, line))
        return made

    def text(self) -> tuple[str, list[int]]:
        takes = {
            **dict.fromkeys(LISTED, ", out, at, last"),
            **dict.fromkeys(("result", "probability", "sample", "playout", *hooks.OF_ACTIONS), ", action"),
        }.get(self.rule, ", player" if self.takes_player() else "")
        line = self.called.__code__.co_firstlineno
        lines = [(0, f"def {self.symbol}(self{takes}):", line), *self.with_room()]
        return "\n".join(" " * i + t for i, t, _ in lines) + "\n", [n for _, _, n in lines]


def _says(text: str, name: str) -> bool:
    """Whether a name or an address occurs in a text; False for a number."""
    return not name.isdigit() and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) is not None


def _is_leaf(kind: Kind, shape: Any) -> bool:
    """Whether a value of this kind can be a part of an action of this shape."""
    if shape == "char":
        return kind in (CHAR, TEXT)
    if isinstance(shape, type):
        return kind == Member(shape)
    return is_word(kind) and not isinstance(kind, Member)


def _leaf_kind(shape: Any) -> Kind:
    if isinstance(shape, str):
        return {"int": INT, "bool": BOOL, "char": CHAR}[shape]
    return Member(shape)


def _rule(cls: Any, name: str) -> types.FunctionType:
    from outplay.compile.source import plain

    return plain(vars(cls).get(name) or getattr(cls, name))
