"""The functions that rewritten code calls: in plain Python (for the interpreted lane), each with its native twin.

`NATIVE` maps the name used in rewritten code to (plain function, compiled function).
"""

import ctypes
import operator
from typing import Any

from numba import njit, types
from numba.extending import overload

import outplay.memory as memory
from outplay import words
from outplay.compile import arithmetic, intrinsics, jit, lanes, rows
from outplay.game import GameError


class TooManyActions(Exception):
    """A generator wrote more actions than the class declares in `max_actions`."""


class WrongNumber(Exception):
    """A utility, evaluation or probability is not a number, or out of range."""


class WrongPlayer(Exception):
    """`player` did not return a player."""


class WrongPlace(Exception):
    """A rule returned an index out of range: of a network's policy, or of a row of a net."""


class WrongPlanes(Exception):
    """`planes` did not yield the number of words that `plane_shape` implies."""


def wrap(value: Any) -> Any:
    """A field's value as in compiled code: ints wrapped to 64 bits."""
    if isinstance(value, tuple):
        return tuple(map(wrap, value))
    return words.wrap(operator.index(value))


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
    return memory.word_at(address, start + range(size)[index])


def weight_float(address: int, start: int, size: int, index: int) -> float:
    """The same for float weights."""
    return memory.float_at(address, start + range(size)[index])


def scratch(size: int) -> list[int]:
    """Memory for `size` words."""
    return [0] * size


def pointer(array: Any) -> Any:
    """What kernels pass instead of an array; here a memoryview, whose items are plain ints."""
    return memoryview(getattr(array, "_ary", array))  # the GPU simulator wraps arrays


def load_now(array: Any, i: int) -> int:
    """array[i], read from memory each time."""
    return int(array[i])


def prefetch(words: Any, i: int) -> None:
    """Prefetch words[i]; does nothing in plain Python."""


def words_at(address: int) -> Any:
    """The words at an address."""
    return _Words(address)


def store_state(words: Any, base: int, s: Any) -> None:
    """Write a state's words from words[base] on."""
    for i, word in enumerate(flat(s)):
        words[base + i] = word


def load_state(words: Any, base: int, like: Any) -> Any:
    """The state whose words begin at words[base]; `like` gives its type."""
    if hasattr(like, "interpreted"):
        return type(like).__outplay__.by_number[int(words[base])]
    fields: list[Any] = []
    for field in like:
        size = len(field) if isinstance(field, tuple) else 1
        here = [int(words[base + i]) for i in range(size)]
        fields.append(tuple(here) if isinstance(field, tuple) else here[0])
        base += size
    return type(like)(*fields)


def flat(s: Any) -> list[int]:
    """All words of a state."""
    if hasattr(s, "interpreted"):
        return [type(s).__outplay__.keep(s)]
    return [word for field in s for word in (field if isinstance(field, tuple) else (field,))]


class _Words:
    """Memory at an address, as a sequence of words."""

    def __init__(self, address: int) -> None:
        self.address = address

    def __getitem__(self, i: int) -> int:
        return memory.word_at(self.address, i)

    def __setitem__(self, i: int, value: int) -> None:
        ctypes.c_int64.from_address(self.address + 8 * i).value = value


def bit_count(x: int) -> int:
    return x.bit_count()


def bit_length(x: int) -> int:
    return x.bit_length()


MIX = -7046029254386353131  # odd, and about 2^64 / golden ratio


def mix(x: int) -> int:
    """A hash of a word: every bit depends on every bit of x."""
    x = words.wrap((x ^ words.shr(x, 32)) * MIX)
    x = words.wrap((x ^ words.shr(x, 29)) * MIX)
    return x ^ words.shr(x, 32)


def fold(fields: Any, seed: int) -> int:
    """A hash of a state: its fields are mixed in, one after another."""
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
    if isinstance(fields, types.UniTuple) and isinstance(fields.dtype, types.Integer):  # of any length

        def folded(fields, seed):  # type: ignore[no-untyped-def]
            for word in fields:
                seed = native_mix(seed ^ word)
            return seed

        return folded
    return lambda fields, seed: fold(fields[1:], fold(fields[0], seed))


@overload(operator.contains)
def native_contains(t, item):  # type: ignore[no-untyped-def]
    """`item in t` for a tuple of mixed ints, bools and floats: Numba only supports items of one type."""
    if not isinstance(t, types.Tuple):
        return None
    if len(t) == 0:
        return lambda t, item: False
    if len(t) == 1:
        return lambda t, item: t[0] == item
    return lambda t, item: t[0] == item or item in t[1:]


EVEN, PAIRS, NIBBLES = 0x5555555555555555, 0x3333333333333333, 0x0F0F0F0F0F0F0F0F
BYTES, TOPS = (
    0x0101010101010101,
    words.wrap(0x8080808080808080),
)  # the lowest and the highest bit of each byte


_shr, _popcount = intrinsics.shr, intrinsics.popcount


@njit(nogil=True)
def broadword_nth(x, n):  # type: ignore[no-untyped-def]
    """The index of the n-th set bit by byte sums (Vigna 2008), for processors without PDEP."""
    sums = x - (_shr(x, 1) & EVEN)
    sums = (sums & PAIRS) + (_shr(sums, 2) & PAIRS)
    sums = (sums + _shr(sums, 4) & NIBBLES) * BYTES  # byte i: the number of bits set in bytes 0 to i
    place = 8 * _popcount((n * BYTES | TOPS) - sums & TOPS)  # the bytes below that of the bit
    n -= _shr(sums << 8, place) & 255
    for half in (4, 2, 1):
        passed = _popcount(_shr(x, place) & (1 << half) - 1)
        above = 1 if n >= passed else 0
        n -= passed * above
        place += half * above
    return place


native_nth = intrinsics.deposited_nth if intrinsics.CAN_DEPOSIT else broadword_nth


def power(x: Any, n: Any) -> Any:
    """x ** n."""
    return x**n


def count(sequence: Any, item: Any) -> int:
    """sequence.count(item) of a tuple or a list."""
    return int(sequence.count(item))


@overload(count)
def native_count(sequence, item):  # type: ignore[no-untyped-def]
    def counted(sequence, item):  # type: ignore[no-untyped-def]
        found = 0
        for other in sequence:
            found += other == item
        return found

    return counted


NATIVE: dict[str, tuple[Any, Any]] = {
    "wrap": (wrap, intrinsics.wrap),
    "as_action": (as_action, intrinsics.as_action),
    "as_index": (operator.index, intrinsics.as_index),
    "alike": (tuple, intrinsics.alike),
    "truth": (bool, intrinsics.truth),
    "several": (tuple, intrinsics.several),
    "at": (at, intrinsics.at),
    "weight": (weight, intrinsics.weight),
    "weight_float": (weight_float, intrinsics.weight_float),
    "put": (words.put, intrinsics.put),
    "scratch": (scratch, intrinsics.scratch),
    "popcount": (words.popcount, intrinsics.popcount),
    "lsb": (words.lsb, intrinsics.lsb),
    "some_lsb": (words.lsb, intrinsics.some_lsb),
    "msb": (words.msb, intrinsics.msb),
    "bswap": (words.bswap, intrinsics.bswap),
    "shr": (words.shr, intrinsics.shr),
    "nth": (words.nth, native_nth),
    "invert": (operator.invert, intrinsics.invert),
    "range": (range, range),
    "power": (power, arithmetic.power),
    **{name: (function, native) for function, (name, native) in arithmetic.CHECKED.items()},
    "count": (count, count),
    "bit_count": (bit_count, intrinsics.bit_count),
    "bit_length": (bit_length, intrinsics.bit_length),
    "word_at": (memory.word_at, intrinsics.word_at),
    "float_at": (memory.float_at, intrinsics.float_at),
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
    "sum_rows": (rows.sum_rows, rows.native_sum_rows),
    "TooManyActions": (TooManyActions, TooManyActions),
}

jit.PLAIN.update((id(native), plain) for plain, native in NATIVE.values())

# The plain functions that rules may use, and their names in NATIVE.
TWINS: dict[Any, str] = {
    getattr(module, name): name
    for module, names in (
        (words, ("wrap", "popcount", "lsb", "msb", "bswap", "shr", "nth", "put")),
        (memory, ("peek", "peek_float")),
    )
    for name in names
}
