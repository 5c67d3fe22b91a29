"""NNUE: an efficiently updatable neural network (Yu Nasu, for shogi, 2018).

A game with a net returns the *feature* of each cell of its board, a piece of some kind, from the point of view of the
player to move and of the opponent. Each feature has a row of numbers. The rows of all features of a view are added:
its hidden units. A unit x, clipped to [0, 1], contributes w x^2:

    value = bias + sum over both views and all units of  w * clip(row + row + ...)^2

In integers a unit's 1 is ONE, and x * x is divided by 256, which leaves it 8 bits. There are several sets of weights
and biases ("buckets"), selected by the number of features. A move changes few features, so a search
adds and subtracts a few rows instead of adding all: `outplay.search.engine.accumulator`.

The trick: four numbers share a word, 16 bits to each, so one addition adds four. No lane may become negative, or its
borrow would reach the next: every number of a row is stored with OFFSET added, and OFFSET times the number of features
is subtracted at the end. With at most 32 features, and numbers below OFFSET, no lane overflows either.
"""

import sys
from array import array
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from outplay.words import wrap

LANES = 4  # numbers in a word
CHUNK = 32  # words of a vector: rows are multiples of it
LINE = 8  # words of a line of the processor's cache
OFFSET = 1024
ONE = 255  # a unit's 1
HALF = 128  # what makes x * x >> 8 round
SQUARE = ONE * ONE + HALF >> 8  # ONE's square
POINT = 64  # a weight's point of the evaluation
MOST = 32  # features of a view


class NNUE(NamedTuple):
    """The numbers of a net, four to a word."""

    width: int  # words of a row
    rows: tuple[int, ...]  # of each feature
    weights: tuple[int, ...]  # of each bucket and view, as many words as a row has; numbers with a sign
    biases: tuple[int, ...]  # of each bucket

    @classmethod
    def load(cls, path: Path, features: int, units: int, buckets: int) -> "NNUE":
        """From a file of little-endian 16-bit numbers: rows, then weights by bucket, view and unit, then biases."""
        content = path.read_bytes()
        numbers = array("h", content[: len(content) // 2 * 2])
        if sys.byteorder == "big":
            numbers.byteswap()
        ends = (0, features * units, (features + buckets * 2) * units, len(numbers))
        rows, weights, biases = (numbers[start:end].tolist() for start, end in pairwise(ends))
        if len(biases) != buckets or len(content) % 2:
            raise ValueError(
                f"{path} is not a net with {features} features, {units} units and {buckets} buckets"
            )
        if not all(-OFFSET <= number < OFFSET for number in rows):
            raise ValueError(
                f"{path} is not a net: a number in a row is not between {-OFFSET} and {OFFSET - 1}"
            )
        return cls(units // LANES, _words(rows, OFFSET), _words(weights, 0), tuple(biases))

    @property
    def features(self) -> int:
        """How many rows there are."""
        return len(self.rows) // max(self.width, 1)


NO_NET = NNUE(0, (), (), ())


def views(mine: int, yours: int) -> int:
    """What `net_feature(cell)` returns: the feature that the player to move sees, and the one that the other sees."""
    return mine | yours << 16


def bucket(features: int, buckets: int) -> int:
    """Which weights count."""
    return min(max(features - 2, 0) * buckets // (MOST - 1), buckets - 1)


def _words(numbers: list[int], offset: int) -> tuple[int, ...]:
    """Four numbers in the lanes of each word."""
    return tuple(
        wrap(sum((x + offset & 0xFFFF) << 16 * lane for lane, x in enumerate(numbers[i : i + LANES])))
        for i in range(0, len(numbers), LANES)
    )
