"""The checkers of one side in its home, numbered from 0 (all off) without gaps.

With c1, c2 ... checkers on the points 1, 2 ..., the numbers a1 = c1, a2 = c1 + c2 + 1, a3 = c1 + c2 + c3 + 2 ... are
different and rise, and C(a1, 1) + C(a2, 2) + ... numbers all ways to choose them (the combinatorial number system).
Fewer checkers have lower numbers: tables of six and of fifteen checkers begin alike.
"""

from math import comb
from typing import Any

import numpy as np

from outplay.compile import kernel

MOST_CHECKERS, MOST_POINTS = 15, 12
CHOOSE = np.array(
    [[comb(n, k) for k in range(MOST_POINTS + 1)] for n in range(MOST_CHECKERS + MOST_POINTS + 1)], np.int64
)


def size(points: int, checkers: int) -> int:
    """How many positions there are of so many checkers or fewer."""
    if not 1 <= points <= MOST_POINTS or not 1 <= checkers <= MOST_CHECKERS:
        raise ValueError(
            f"a bear-off table has 1 to {MOST_POINTS} points and 1 to {MOST_CHECKERS} checkers, "
            f"not {points} and {checkers}"
        )
    return comb(points + checkers, points)


def index(counts: Any) -> int:
    """The number of a position, from the checkers on its points 1, 2, ..."""
    total = number = 0
    for i, count in enumerate(counts):
        total += int(count)
        number += comb(total + i, i + 1)
    return number


def counts_of(number: int, points: int) -> tuple[int, ...]:
    """The checkers on the points of a position."""
    sums = []
    for i in range(points - 1, -1, -1):
        total = 0
        while comb(total + 1 + i, i + 1) <= number:
            total += 1
        number -= comb(total + i, i + 1)
        sums.append(total)
    sums.reverse()
    return tuple(total - before for before, total in zip([0, *sums], sums, strict=False))


@kernel
def number_of(counts: Any, choose: Any) -> int:
    """The same as `index`, compiled."""
    total = 0
    number = 0
    for i in range(len(counts)):
        total += counts[i]
        number += choose[total + i, i + 1]
    return number


@kernel
def write_counts(number: int, choose: Any, counts: Any) -> int:
    """The same as `counts_of`, compiled; the pips."""
    above = -1
    pips = 0
    for i in range(len(counts) - 1, -1, -1):
        total = 0
        while choose[total + 1 + i, i + 1] <= number:
            total += 1
        number -= choose[total + i, i + 1]
        if above >= 0:
            counts[i + 1] = above - total
            pips += (i + 2) * (above - total)
        above = total
    counts[0] = above
    return pips + above
