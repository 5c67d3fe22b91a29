"""Bitboards for boards with more than 64 points: tuples of words; bit i is point i.

Each function loops over the words of its arguments. Their number is known at compile time, so the
loops are unrolled and the words stay in registers.
"""

from outplay.words import lsb, popcount, put, shr, wrap
from outplay.words import nth as nth_bit

Points = tuple[int, ...]


def both(a: Points, b: Points) -> Points:
    """The points in both sets."""
    for i in range(len(a)):
        a = put(a, i, a[i] & b[i])
    return a


def either(a: Points, b: Points) -> Points:
    """The points in one of the sets, or in both."""
    for i in range(len(a)):
        a = put(a, i, a[i] | b[i])
    return a


def without(a: Points, b: Points) -> Points:
    """The points of a that are not in b."""
    for i in range(len(a)):
        a = put(a, i, a[i] & ~b[i])
    return a


def some(a: Points) -> bool:
    """Whether there is a point in the set."""
    word = 0
    for i in range(len(a)):
        word |= a[i]
    return word != 0


def meet(a: Points, b: Points) -> bool:
    """Whether a point is in both sets."""
    word = 0
    for i in range(len(a)):
        word |= a[i] & b[i]
    return word != 0


def within(a: Points, b: Points) -> bool:
    """Whether all points of a are in b."""
    word = 0
    for i in range(len(a)):
        word |= a[i] & ~b[i]
    return word == 0


def has(a: Points, point: int) -> bool:
    """Whether the point is in the set."""
    found = 0
    for i in range(len(a)):
        found |= shr(a[i], point & 63) & (point >> 6 == i)
    return found != 0


def add(a: Points, point: int) -> Points:
    """The set with the point."""
    for i in range(len(a)):
        a = put(a, i, wrap(a[i] | (point >> 6 == i) << (point & 63)))
    return a


def remove(a: Points, point: int) -> Points:
    """The set without the point."""
    for i in range(len(a)):
        a = put(a, i, wrap(a[i] & ~((point >> 6 == i) << (point & 63))))
    return a


def size(a: Points) -> int:
    """The number of points in the set."""
    count = 0
    for i in range(len(a)):
        count += popcount(a[i])
    return count


def first(a: Points) -> int:
    """The lowest point of a set that is not empty."""
    point = 0
    for i in range(len(a) - 1, -1, -1):
        if a[i] != 0:
            point = 64 * i + lsb(a[i])
    return point


def nth(a: Points, n: int) -> int:
    """The n-th point of the set, counted from 0."""
    word, base = a[0], 0
    for i in range(1, len(a)):
        passed = popcount(word)
        if base == 64 * (i - 1) and n >= passed:
            n -= passed
            word, base = a[i], 64 * i
    return base + nth_bit(word, n)


def other_bits(random: int) -> int:
    """The next random bits (a step of Knuth's generator, with its better half xored into the other)."""
    random = wrap(random * 6364136223846793005 + 1442695040888963407)
    return random ^ shr(random, 32)
