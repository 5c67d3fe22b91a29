"""The code that natural Python becomes, run by CPython on a machine of bytes: the compiler's work without LLVM.

A class takes a fraction of a second so, where machine code takes many: the everyday tests compare every class of
tests/corpus with plain Python in this way.
"""

import math
import random
import struct
from collections.abc import Callable
from types import FunctionType
from typing import Any

from outplay.codec import Codec, in_order
from outplay.compile.arithmetic import CHECKED
from outplay.compile.natural import native
from outplay.compile.natural.program import Natural
from outplay.compile.natural.twin import MODULES
from outplay.compile.natural.values import Writer
from outplay.compile.runtime import NATIVE, TooManyActions
from outplay.standard import is_wrapped, standard
from outplay.words import wrap

FIRST = 1 << 12  # the first address that is given away: those below read as 0
SIZE = 1 << 20
NUMBERS = ("player", "terminal", "utility", "evaluate")
OF_PLAYERS = ("utility", "evaluate")  # to each of three and more


class Machine:
    """Memory, and what the generated code calls."""

    def __init__(self) -> None:
        self.memory = bytearray(SIZE)
        self.top = FIRST

    def take(self, count: int) -> int:
        """The address of so many words."""
        found, self.top = self.top, self.top + 8 * count
        if self.top > len(self.memory):
            self.memory.extend(bytes(self.top))
        return found

    def word(self, address: int, i: int) -> int:
        found: int = struct.unpack_from("<q", self.memory, address + 8 * i)[0]
        return found

    def put_word(self, address: int, i: int, value: int) -> None:
        struct.pack_into("<q", self.memory, address + 8 * i, int(value))

    def float_word(self, address: int, i: int) -> float:
        found: float = struct.unpack_from("<d", self.memory, address + 8 * i)[0]
        return found

    def put_float(self, address: int, i: int, value: float) -> None:
        struct.pack_into("<d", self.memory, address + 8 * i, value)

    def cell(self, address: int, i: int, size: int) -> int:
        at = address + i * size
        return int.from_bytes(self.memory[at : at + size], "little", signed=True)

    def put_cell(self, address: int, i: int, size: int, value: int) -> int:
        at, kept = address + i * size, int(value) & (1 << 8 * size) - 1
        self.memory[at : at + size] = kept.to_bytes(size, "little")
        return self.cell(address, i, size) ^ value

    def put_among(self, address: int, count: int, i: int, size: int, value: int) -> int:
        return self.put_cell(address, i, size, value)

    def copy(self, to: int, source: int, count: int) -> None:
        self.memory[to : to + 8 * count] = self.memory[source : source + 8 * count]

    def copy_bytes(self, to: int, source: int, count: int) -> None:
        self.memory[to : to + count] = self.memory[source : source + count]

    def tally(self, address: int, count: int, size: int, wanted: int) -> int:
        return sum(self.cell(address, i, size) == wanted for i in range(count))

    def names(self, program: Any) -> dict[str, Any]:
        """What the generated functions name."""
        made: dict[str, Any] = {}
        for name, value in (pair for module in MODULES for pair in vars(module).items()):
            function = getattr(value, "py_func", None)
            made[name] = value if function is None else FunctionType(function.__code__, made, name)
        made |= {
            name: getattr(self, name)
            for name in (
                "word", "put_word", "float_word", "put_float", "cell", "put_cell", "put_among", "copy",
                "copy_bytes", "tally",
            )
        }  # fmt: skip
        made |= {"copy_few": self.copy_bytes, "address": self.word, "apart": lambda: None}
        pool = self.pool(program)
        made |= {
            "add": _within(lambda a, b: a + b), "sub": _within(lambda a, b: a - b), "mul": _within(lambda a, b: a * b),
            "index": _index, "index_up": _index_up, "quotient": _quotient, "remainder": _remainder, "prove": _prove,
            "small_scratch": self.take, "_malloc": lambda size: self.take(size // 8 + 1), "_free": lambda address: None,
            "scratch": self.take, "address_of": lambda block: block, "pool_address": lambda: pool,
            "store_words": self.store_words, "load_state": self.load_state, "TooManyActions": TooManyActions,
            "INFINITY": math.inf, "MINUS_INFINITY": -math.inf, "NAN": math.nan,
        }  # fmt: skip
        known: dict[str, Any] = {f"_outplay_native_{name}": pair[0] for name, pair in NATIVE.items()}
        known |= {f"_outplay_checked_{called.__name__}": called for called in CHECKED}
        for name, value in program.externals.items():
            made[name] = known[name] if name in known else getattr(value, "py_func", value)
        return made

    def pool(self, program: Any) -> int:
        """The address of the constants."""
        words = program.pool.words
        base = self.take(max(len(words), 1))
        for i, word in enumerate(words):
            if isinstance(word, str):
                self.put_word(base, i, base + int(word.removeprefix("pool + ")))
            elif isinstance(word, float):
                self.put_float(base, i, word)
            else:
                self.put_word(base, i, word)
        return base

    def store_words(self, block: int, state: Any) -> None:
        for i, word in enumerate(state):
            self.put_word(block, i, word)

    def load_state(self, block: int, at: int, like: Any) -> tuple[int, ...]:
        return tuple(self.word(block, at + i) for i in range(len(like)))


def _within(compute: Callable[[int, int], int]) -> Callable[[int, int], int]:
    def checked(a: int, b: int) -> int:
        made = compute(a, b)
        if not -(1 << 63) <= made < 1 << 63:
            raise OverflowError("a number has more than 64 bits")
        return made

    return checked


def _index(i: int, length: int) -> int:
    if not -length <= i < length:
        raise IndexError("an index is outside its sequence")
    return i % length


def _index_up(i: int, length: int) -> int:
    if not 0 <= i < length:
        raise IndexError("an index is outside its sequence")
    return i


def _quotient(a: int, b: int) -> int:
    assert a >= 0 < b
    return a // b


def _remainder(a: int, b: int) -> int:
    assert a >= 0 < b
    return a % b


def _prove(found: int, low: int, high: int) -> None:
    assert low <= found <= high, f"{found} does not lie between {low} and {high}"


class Simulated:
    """The rules of a class as the compiler wrote them."""

    def __init__(self, program: Any) -> None:
        self.program = program
        self.machine = Machine()
        names = self.machine.names(program)
        for function in program.finished():
            text, _ = function.text()
            if "pool" in text:
                head, rest = text.split("\n", 1)
                text = f"{head}\n pool = pool_address()\n{rest}"
            exec(text, names)
        self.rules = {rule: names[symbol] for rule, symbol in program.rules.items()}
        self.top = self.machine.top

    def ask(self, rule: str, words: tuple[int, ...], *given: Any) -> Any:
        self.machine.top = self.top  # what earlier calls built is gone
        return self.rules[rule](words, *given)

    def actions(self, words: tuple[int, ...]) -> list[int]:
        out = [0] * (self.program.limit + 1)
        count = self.ask("actions", words, out, 0, self.program.limit)
        return [wrap(code) for code in out[:count]]


def difference(cls: Any, program: Any, games: int, seed: int = 1) -> str:
    """Where the generated code of a class and the class itself differ in random games; empty: nowhere."""
    for grown in range(program.grown, program.grown + 5):
        known = Writer.proving and grown == program.grown  # where all programs say it
        try:
            return first_difference(cls, program if known else proving(program.cls, grown), games, seed=seed)
        except native.Outgrown:  # as a twin does, with more room
            continue
    return "its states need too much memory"


def proving(cls: Any, grown: int) -> Natural:
    """The program of a class that also says where the compiler holds its numbers to lie."""
    before, Writer.proving = Writer.proving, True
    try:
        return Natural(cls, grown)
    finally:
        Writer.proving = before


def first_difference(cls: Any, program: Any, games: int, plies: int = 400, seed: int = 1) -> str:
    simulated, rng = Simulated(program), random.Random(seed)
    form = standard(cls)
    codec: Codec | None = getattr(form, "codec", None)
    players = getattr(cls, "players", 2)
    several = players > 2
    for _ in range(games):
        state = cls()
        for _ in range(plies):
            words = program.layout.pack(program.values(state))
            over = state.terminal() if hasattr(state, "terminal") else False
            actions = [] if over else list(in_order(state.actions()))
            for rule in NUMBERS:
                if not hasattr(state, rule) or rule not in program.rules or rule == "utility" and actions:
                    continue
                for given in [(i,) for i in range(players)] if several and rule in OF_PLAYERS else [()]:
                    told, found = getattr(state, rule)(*given), simulated.ask(rule, words, *given)
                    if bool(told) != bool(found) if rule == "terminal" else told != found:
                        return f"{rule}{given} is {told!r}, and {found!r} as compiled, in {state}"
            if not actions:
                break
            wrapped = form(state) if is_wrapped(form) else state
            codes = [codec.encode(wrapped, a) if codec else int(a) for a in actions]
            if simulated.actions(words) != codes:
                return f"actions() are {codes}, and {simulated.actions(words)} as compiled, in {state}"
            place = rng.randrange(len(actions))
            if state.player() == -1:
                told, found = (
                    state.probability(actions[place]),
                    simulated.ask("probability", words, codes[place]),
                )
                if told != found:
                    return f"probability() is {told}, and {found} as compiled, in {state}"
            child = state.result(actions[place])
            after = simulated.ask("result", words, codes[place])
            if program.layout.pack(program.values(child)) != after:
                seen = program.layout.unpack(after)
                return f"result({actions[place]!r}) is {child}, and {seen} as compiled, in {state}"
            state = child
    return ""
