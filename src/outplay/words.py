"""Bit tricks on 64-bit words, in plain Python.

A word is a signed 64-bit int, so bit 63 is its sign: `wrap(1 << 63) == -(1 << 63)`. Each function here has
a native twin of one or two machine instructions (`compile/intrinsics.py`) that gives the same result.
"""

from collections.abc import Iterator

MASK = (1 << 64) - 1


def wrap(x: int) -> int:
    """The signed 64-bit int with the same low 64 bits as x."""
    x &= MASK
    return x - (1 << 64) if x >> 63 else x


def shr(x: int, n: int) -> int:
    """x shifted right by n with zeros coming in (`>>` copies the sign bit instead); n is from 0 to 63."""
    return wrap((x & MASK) >> (n & 63))


def popcount(x: int) -> int:
    """How many bits of the word are set."""
    return (x & MASK).bit_count()


def lsb(x: int) -> int:
    """Index of the lowest set bit; 64 if none is set."""
    return (x & -x).bit_length() - 1 if x & MASK else 64


def msb(x: int) -> int:
    """Index of the highest set bit; -1 if none is set."""
    return (x & MASK).bit_length() - 1


def nth(x: int, n: int) -> int:
    """Index of the set bit that has n set bits below it; x must have more than n."""
    for _ in range(n):
        x &= x - 1
    return lsb(x)


def bits(x: int) -> Iterator[int]:
    """The indices of the set bits, lowest first: `for square in bits(board): ...`."""
    x &= MASK
    while x:
        yield lsb(x)
        x &= x - 1


def bswap(x: int) -> int:
    """The word with its eight bytes in reverse order: an 8x8 board turned upside down."""
    return wrap(int.from_bytes((x & MASK).to_bytes(8, "little"), "big"))


def put(t: tuple[int, ...], i: int, v: int) -> tuple[int, ...]:
    """A copy of tuple t with v at index i."""
    if not 0 <= i < len(t):
        raise IndexError(f"put: index {i} outside a tuple of {len(t)}")
    return (*t[:i], v, *t[i + 1 :])
