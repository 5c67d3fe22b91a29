"""What rewritten code calls while it runs, in plain Python (the interpreted lane) with its native twin.

`NATIVE` maps the name used in rewritten code to the pair (plain function, compiled function).
"""

import ctypes
import operator
from typing import Any

from numba import config, njit, types
from numba.core.errors import TypingError
from numba.extending import overload

import outplay.bits as bits
import outplay.memory as memory
from outplay.compile import intrinsics, lanes
from outplay.game import GameError

CHECKED = bool(config.BOUNDSCHECK)  # the test lane in which every index is looked at


class TooManyActions(Exception):
    """A generator wrote more actions than the class declares in `max_actions`."""


class UtilityTooLarge(Exception):
    """A utility is beyond what can be compared with evaluations."""


def wrap(value: Any) -> Any:
    """A field's value, as the compiled code has it."""
    if isinstance(value, tuple):
        return tuple(map(wrap, value))
    return bits.wrap(operator.index(value))


def as_action(value: Any) -> int:
    """An action: an int."""
    if not hasattr(value, "__index__"):
        raise GameError(f"action {value!r} is a {type(value).__name__}: actions are ints")
    return wrap(value)


def at(sequence: Any, index: int) -> Any:
    """sequence[index]."""
    return sequence[index]


def weight(address: int, start: int, size: int, index: int) -> int:
    """The weight at an index of a group: `weights.NAME[index]`."""
    return memory.peek(address, start + range(size)[index])


def weight_float(address: int, start: int, size: int, index: int) -> float:
    """The same where weights are floats."""
    return memory.peek_float(address, start + range(size)[index])


def scratch(size: int) -> list[int]:
    """Room for `size` words."""
    return [0] * size


def pointer(array: Any) -> Any:
    """What a kernel passes on instead of an array; here a view of it, whose items are plain ints."""
    return memoryview(getattr(array, "_ary", array))  # which is inside what the simulator of a GPU has for it


def load_now(array: Any, i: int) -> int:
    """array[i], read each time it is asked for."""
    return int(array[i])


def prefetch(words: Any, i: int) -> None:
    """words[i] will be read soon; nothing to do in plain Python."""


def words_at(address: int) -> Any:
    """The words at an address."""
    return _Words(address)


def store_state(words: Any, base: int, s: Any) -> None:
    """Write a state's words from words[base] on."""
    for i, word in enumerate(flat(s)):
        words[base + i] = word


def load_state(words: Any, base: int, like: Any) -> Any:
    """The state whose words begin at words[base], of the type of another."""
    fields: list[Any] = []
    for field in like:
        size = len(field) if isinstance(field, tuple) else 1
        here = [int(words[base + i]) for i in range(size)]
        fields.append(tuple(here) if isinstance(field, tuple) else here[0])
        base += size
    return type(like)(*fields)


def flat(s: Any) -> list[int]:
    """All words of a state."""
    return [word for field in s for word in (field if isinstance(field, tuple) else (field,))]


class _Words:
    """Memory at an address, read and written a word at a time."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __getitem__(self, i: int) -> int:
        return memory.peek(self.address, i)

    def __setitem__(self, i: int, value: int) -> None:
        ctypes.c_int64.from_address(self.address + 8 * i).value = value


def bit_count(x: int) -> int:
    return x.bit_count()


def bit_length(x: int) -> int:
    return x.bit_length()


MIX = -7046029254386353131  # odd, and about 2^64 / golden ratio


def mix(x: int) -> int:
    """A word whose every bit depends on every bit of x."""
    x = bits.wrap((x ^ bits.shr(x, 32)) * MIX)
    x = bits.wrap((x ^ bits.shr(x, 29)) * MIX)
    return x ^ bits.shr(x, 32)


def fold(fields: Any, seed: int) -> int:
    """A hash of a state: its fields mixed in, one after the other."""
    for field in fields:
        seed = fold(field, seed) if isinstance(field, tuple) else mix(seed ^ field)
    return seed


@njit(nogil=True)
def native_mix(x):  # type: ignore[no-untyped-def]
    x = (x ^ intrinsics.shr(x, 32)) * MIX
    x = (x ^ intrinsics.shr(x, 29)) * MIX
    return x ^ intrinsics.shr(x, 32)


@overload(fold)
def native_fold(fields, seed):  # type: ignore[no-untyped-def]
    if isinstance(fields, types.Integer):
        return lambda fields, seed: native_mix(seed ^ fields)
    if len(fields) == 0:
        return lambda fields, seed: seed
    return lambda fields, seed: fold(fields[1:], fold(fields[0], seed))


@njit(nogil=True)
def native_put(t, i, v):  # type: ignore[no-untyped-def]
    if i < 0 or i >= len(t):
        raise IndexError
    return intrinsics.unsafe_put(t, i, v)


EVEN, PAIRS, NIBBLES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
BYTES, TOPS = 0x0101010101010101, bits.wrap(0x8080808080808080)  # the lowest and the highest bit of each byte


_shr, _popcount = intrinsics.shr, intrinsics.popcount


@njit(nogil=True)
def broadword_nth(x, n):  # type: ignore[no-untyped-def]
    """The place of the n-th set bit by sums of bytes (Vigna 2008), where no instruction finds it."""
    sums = x - (_shr(x, 1) & EVEN)
    sums = (sums & PAIRS) + (_shr(sums, 2) & PAIRS)
    sums = (sums + _shr(sums, 4) & NIBBLES) * BYTES  # byte i: the bits that are set in bytes 0 to i
    place = 8 * _popcount((n * BYTES | TOPS) - sums & TOPS)  # the bytes below that of the bit
    n -= _shr(sums << 8, place) & 255
    for half in (4, 2, 1):
        passed = _popcount(_shr(x, place) & (1 << half) - 1)
        above = 1 if n >= passed else 0
        n -= passed * above
        place += half * above
    return place


native_nth = intrinsics.deposited_nth if intrinsics.CAN_DEPOSIT else broadword_nth


@overload(at, inline="never")
def native_at(sequence, index):  # type: ignore[no-untyped-def]
    if not isinstance(index, types.Integer | types.Boolean):
        raise TypingError(f"@outplay index {index}")
    if isinstance(sequence, types.UniTuple) and not isinstance(index, types.IntegerLiteral):

        def at_tuple(sequence, index):  # type: ignore[no-untyped-def]
            place = index + len(sequence) if index < 0 else index
            if place < 0 or place >= len(sequence):
                raise IndexError
            return intrinsics.unsafe_at(sequence, place)

        return at_tuple
    return lambda sequence, index: sequence[index]


def _native_weight(peek: Any) -> Any:
    def build(address, start, size, index):  # type: ignore[no-untyped-def]
        if not isinstance(index, types.Integer | types.Boolean):
            raise TypingError(f"@outplay index {index}")

        def read(address, start, size, index):  # type: ignore[no-untyped-def]
            place = index + size if index < 0 else index
            if CHECKED and (place < 0 or place >= size):
                raise IndexError
            return peek(address, start + place)

        return read

    return build


native_weight = overload(weight)(_native_weight(intrinsics.peek))
native_weight_float = overload(weight_float)(_native_weight(intrinsics.peek_float))


NATIVE: dict[str, tuple[Any, Any]] = {
    "wrap": (wrap, intrinsics.wrap),
    "as_action": (as_action, intrinsics.as_action),
    "at": (at, at),
    "weight": (weight, weight),
    "weight_float": (weight_float, weight_float),
    "put": (bits.put, native_put),
    "scratch": (scratch, intrinsics.scratch),
    "popcount": (bits.popcount, intrinsics.popcount),
    "lsb": (bits.lsb, intrinsics.lsb),
    "msb": (bits.msb, intrinsics.msb),
    "bswap": (bits.bswap, intrinsics.bswap),
    "shr": (bits.shr, intrinsics.shr),
    "nth": (bits.nth, native_nth),
    "bit_count": (bit_count, intrinsics.bit_count),
    "bit_length": (bit_length, intrinsics.bit_length),
    "peek": (memory.peek, intrinsics.peek),
    "peek_float": (memory.peek_float, intrinsics.peek_float),
    "pointer": (pointer, intrinsics.pointer),
    "words_at": (words_at, intrinsics.words_at),
    "prefetch": (prefetch, intrinsics.prefetch),
    "load_now": (load_now, intrinsics.load_now),
    "store_state": (store_state, intrinsics.store_state),
    "load_state": (load_state, intrinsics.load_state),
    "mix": (mix, native_mix),
    "add_rows": (lanes.add_rows, lanes.native_add_rows),
    "weigh": (lanes.weigh, lanes.native_weigh),
    "TooManyActions": (TooManyActions, TooManyActions),
}

# The plain functions that a rule may name, and their names in NATIVE.
TWINS: dict[Any, str] = {
    getattr(module, name): name
    for module, names in (
        (bits, ("wrap", "popcount", "lsb", "msb", "bswap", "shr", "nth", "put")),
        (memory, ("peek", "peek_float")),
    )
    for name in names
}
