"""One-sided bear-off: the number of rolls a side needs, with play that minimises the mean.

    mean(p) = 1 + sum over rolls of share * least mean(p') of the positions p' that the roll leads to

and the distribution is that of the plays with the least mean. Two distributions nearly decide a race: the
side on roll wins if it needs no more rolls than the other. `OneSided.win` computes this; it is exact except where
minimising the mean is not the best play.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.arrays import read_arrays, text_of
from outplay.compile import kernel
from outplay.freememory import require
from outplay.storage import replacing
from outplay.tables.bearoff.moves import HIGH, LOW, MOST_AFTER, SHARES, after_roll
from outplay.tables.bearoff.positions import CHOOSE, index, size, write_counts

MOST_ROLLS = 40  # of a distribution
FORMAT = "outplay bearoff 1"


class OneSided(NamedTuple):
    """The table of all positions of some points and checkers."""

    points: int
    checkers: int
    means: np.ndarray  # float64[positions]: rolls
    rolls: np.ndarray  # float32[positions, MOST_ROLLS]: the share of games that take 0, 1, 2 ... rolls

    @classmethod
    def build(cls, points: int = 6, checkers: int = 15) -> "OneSided":
        positions = size(points, checkers)
        require(
            positions * (8 + MOST_ROLLS * (8 + 4)),
            f"a table of {positions:,} positions",
            "choose fewer points or checkers",
        )
        means, rolls = np.zeros(positions), np.zeros((positions, MOST_ROLLS))
        rolls[0, 0] = 1.0
        _fill(in_order(points, positions), points, CHOOSE, (HIGH, LOW, SHARES), means, rolls)
        return cls(points, checkers, means, rolls.astype(np.float32))

    def place(self, counts: tuple[int, ...]) -> int:
        """The number of a position; a ValueError if the table does not have it."""
        if len(counts) > self.points and any(counts[self.points :]) or sum(counts) > self.checkers:
            raise ValueError(f"the table has {self.checkers} checkers on {self.points} points, not {counts}")
        padded = [*counts[: self.points], *[0] * (self.points - len(counts))]
        return index(padded)

    def mean(self, counts: tuple[int, ...]) -> float:
        """Rolls until all are off, on the average."""
        return float(self.means[self.place(counts)])

    def distribution(self, counts: tuple[int, ...]) -> np.ndarray:
        """The share of games that take 0, 1, 2 ... rolls."""
        return self.rolls[self.place(counts)].astype(float)

    def win(self, mine: tuple[int, ...], yours: tuple[int, ...]) -> float:
        """How often the side on roll wins the race."""
        first, second = self.distribution(mine), self.distribution(yours)
        return float(first @ (1.0 - np.concatenate([[0.0], np.cumsum(second)[:-1]])))

    def save(self, path: str | Path) -> None:
        """Write the table, whole or not at all."""
        about = np.array([self.points, self.checkers])
        with replacing(path) as file:
            np.savez_compressed(
                file, format=np.array(FORMAT), about=about, means=self.means, rolls=self.rolls
            )

    @classmethod
    def load(cls, path: str | Path) -> "OneSided":
        """Read a table; a ValueError that names the file if it is none."""
        parts = read_table(path, FORMAT, ("means", "rolls"))
        points, checkers = parts["about"].tolist()
        table = cls(points, checkers, parts["means"], parts["rolls"])
        positions = size(points, checkers)
        if not (
            is_of(table.means, np.float64, positions)
            and is_of(table.rolls, np.float32, positions, MOST_ROLLS)
        ):
            raise ValueError(f"{path} is damaged: build it again")
        return table


def read_table(path: str | Path, wanted: str, names: tuple[str, ...]) -> dict[str, Any]:
    """The parts of a table's file: how many points and checkers, and the arrays that are named."""
    if not Path(path).is_file():
        raise ValueError(f"no such table: {path}; `outplay table bearoff` builds it")
    try:
        parts = read_arrays(path)
        known = text_of(parts["format"]) == wanted
    except (ValueError, KeyError):
        known = False
    if not known:
        raise ValueError(f"{path} is not such a bear-off table ({wanted})")
    if not {"about", *names} <= parts.keys() or not is_of(parts["about"], np.int64, 2):
        raise ValueError(f"{path} is damaged: build it again")
    return parts


def is_of(array: np.ndarray, kind: type, *shape: int) -> bool:
    """Whether an array of a file is what is wanted: of this kind and shape, and all of it numbers."""
    return array.dtype == kind and array.shape == shape and bool(np.isfinite(array).all())


def in_order(points: int, positions: int) -> np.ndarray:
    """All positions but the empty one, by their pips: each after those that its plays lead to."""
    pips = np.zeros(positions, np.int64)
    _pips(pips, points, CHOOSE)
    return np.argsort(pips, kind="stable")[1:]


@kernel
def _pips(pips: Any, points: int, choose: Any) -> None:
    counts = np.zeros(points, np.int64)
    for number in range(len(pips)):
        pips[number] = write_counts(number, choose, counts)


@kernel
def _fill(order: Any, points: int, choose: Any, dice: Any, means: Any, rolls: Any) -> None:
    high, low, shares = dice
    counts = np.zeros(points, np.int64)
    found = np.zeros(MOST_AFTER, np.int64)
    for number in order:
        write_counts(number, choose, counts)
        means[number] = 1.0
        for roll in range(len(shares)):
            n = after_roll(counts, choose, high[roll], low[roll], found)
            best = found[0]
            for i in range(1, n):
                if means[found[i]] < means[best]:
                    best = found[i]
            means[number] += shares[roll] * means[best]
            for t in range(1, rolls.shape[1]):
                rolls[number, t] += shares[roll] * rolls[best, t - 1]
