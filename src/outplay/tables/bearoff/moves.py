"""The positions that a roll leads to in a one-sided bear-off, without duplicates.

A checker on a higher point than the die moves down; one on the die's own point is borne off, and so is the farthest
one if no checker is that high. Every die can be played until no checker is left.
"""

from typing import Any

import numpy as np

from outplay.compile import kernel
from outplay.tables.bearoff.positions import number_of

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
HIGH = np.array([high for high, _ in ROLLS], np.int64)
LOW = np.array([low for _, low in ROLLS], np.int64)
SHARES = np.array([1 / 36 if high == low else 1 / 18 for high, low in ROLLS])
MOST_AFTER = 2048  # positions that a roll may lead to


@kernel
def can_move(counts: Any, source: int, die: int) -> bool:
    """Whether a checker may be moved from a point (counted from 0) by a die."""
    if counts[source] == 0:
        return False
    if source + 1 >= die:
        return True
    return counts[source + 1 :].sum() == 0


@kernel
def move(counts: Any, source: int, die: int, by: int) -> None:
    """Move a checker (by 1), or take the move back (by -1)."""
    counts[source] -= by
    if source >= die:
        counts[source - die] += by


@kernel
def keep(counts: Any, choose: Any, found: Any, n: int) -> int:
    """Note a position that was reached, once; how many there are."""
    number = number_of(counts, choose)
    for i in range(n):
        if found[i] == number:
            return n
    found[n] = number
    return n + 1


@kernel
def after_double(counts: Any, choose: Any, die: int, highest: int, left: int, found: Any, n: int) -> int:
    """The positions after so many moves of a double, from `highest` down; how many were found so far."""
    moved = False
    for source in range(highest, -1, -1):
        if can_move(counts, source, die):
            moved = True
            move(counts, source, die, 1)
            if left == 1:
                n = keep(counts, choose, found, n)
            else:
                n = after_double(counts, choose, die, source, left - 1, found, n)
            move(counts, source, die, -1)
    if not moved and is_off(counts):  # no checker is left to move
        n = keep(counts, choose, found, n)
    return n


@kernel
def is_off(counts: Any) -> bool:
    """Whether all checkers are off."""
    return counts.sum() == 0


@kernel
def after_pair(counts: Any, choose: Any, first: int, second: int, found: Any, n: int) -> int:
    """The positions after two different dice, moved in this order."""
    for source in range(len(counts)):
        if can_move(counts, source, first):
            move(counts, source, first, 1)
            moved = False
            for other in range(len(counts)):
                if can_move(counts, other, second):
                    moved = True
                    move(counts, other, second, 1)
                    n = keep(counts, choose, found, n)
                    move(counts, other, second, -1)
            if not moved:  # the last checker is off
                n = keep(counts, choose, found, n)
            move(counts, source, first, -1)
    return n


@kernel
def after_roll(counts: Any, choose: Any, high: int, low: int, found: Any) -> int:
    """The positions that a roll leads to; how many they are."""
    if high == low:
        return after_double(counts, choose, high, len(counts) - 1, 4, found, 0)
    n = after_pair(counts, choose, high, low, found, 0)
    return after_pair(counts, choose, low, high, found, n)
