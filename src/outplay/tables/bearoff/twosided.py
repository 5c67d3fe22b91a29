"""Two-sided bear-off: the exact equity of the side on roll, in units of the cube, for money.

Four equities per position: cubeless; with the cube owned by the side on roll; centred; owned by the opponent. Each is
the value N of rolling now, without doubling first, as in GNU Backgammon's tables. A side that may double before it
rolls has

    max(N, min(1, 2 N of the other's cube))        1: the other side drops

and that is the value of a play to the side on roll after it. So all doubles, takes and drops are correct.
Nobody can win a gammon: both sides have borne off a checker.
"""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel
from outplay.storage import replacing
from outplay.tables.bearoff.moves import HIGH, LOW, MOST_AFTER, SHARES, after_roll
from outplay.tables.bearoff.onesided import in_order, is_of, read_table
from outplay.tables.bearoff.positions import CHOOSE, index, size, write_counts

FORMAT = "outplay two-sided bearoff 1"
CUBELESS, OWNED, CENTRED, OTHERS = range(4)
NAMES = ("cubeless", "owned", "centred", "opponent's")
MOST_POSITIONS = 4000  # of a side: what fits into memory


class TwoSided(NamedTuple):
    """The table of all pairs of positions."""

    points: int
    checkers: int  # of each side
    # float32[positions, positions, 4]: of the side on roll, of the other, by who owns the cube
    equities: np.ndarray

    @classmethod
    def build(cls, points: int = 6, checkers: int = 6) -> "TwoSided":
        positions = cls.positions(points, checkers)
        order = np.concatenate([[0], in_order(points, positions)])
        starts, after = successors(points, positions)
        equities = np.zeros((positions, positions, 4), np.float32)
        pips = np.array([_pips_of(number, points) for number in order], np.int64)
        _fill(order, pips, SHARES, starts, after, equities)
        return cls(points, checkers, equities)

    @staticmethod
    def positions(points: int, checkers: int) -> int:
        """Of a side; a ValueError if there are too many for a table of both."""
        positions = size(points, checkers)
        if positions > MOST_POSITIONS or checkers > 14:
            raise ValueError(
                f"{checkers} checkers on {points} points are {positions:,} positions per side: "
                f"the maximum is {MOST_POSITIONS:,}"
            )
        return positions

    def equity(self, mine: tuple[int, ...], yours: tuple[int, ...]) -> tuple[float, ...]:
        """Of the side on roll: cubeless, owned, centred, opponent's."""
        places = []
        for counts in (mine, yours):
            if len(counts) > self.points and any(counts[self.points :]) or sum(counts) > self.checkers:
                raise ValueError(
                    f"the table has {self.checkers} checkers on {self.points} points, not {counts}"
                )
            places.append(index([*counts[: self.points], *[0] * (self.points - len(counts))]))
        return tuple(self.equities[places[0], places[1]].tolist())

    def cube(self, mine: tuple[int, ...], yours: tuple[int, ...]) -> str:
        """What to do with a cube in the middle: `double, take`, `double, drop` or `no double`."""
        _, _, centred, others = self.equity(mine, yours)
        if min(1.0, 2 * others) < centred:
            return "no double"
        return "double, take" if 2 * others <= 1 else "double, drop"

    def save(self, path: str | Path) -> None:
        """Write the table, whole or not at all."""
        about = np.array([self.points, self.checkers])
        with replacing(path) as file:
            np.savez(file, format=np.array(FORMAT), about=about, equities=self.equities)

    @classmethod
    def load(cls, path: str | Path) -> "TwoSided":
        """Read a table; a ValueError that names the file if it is none."""
        parts = read_table(path, FORMAT, ("equities",))
        points, checkers = parts["about"].tolist()
        table = cls(points, checkers, parts["equities"])
        positions = size(points, checkers)
        if not is_of(table.equities, np.float32, positions, positions, 4):
            raise ValueError(f"{path} is damaged: build it again")
        return table


def _pips_of(number: int, points: int) -> int:
    return int(write_counts(int(number), CHOOSE, np.zeros(points, np.int64)))


def successors(points: int, positions: int) -> tuple[np.ndarray, np.ndarray]:
    """For each position and roll the positions it leads to: where each list begins, and all lists."""
    starts = np.zeros(positions * len(SHARES) + 1, np.int64)
    after = np.zeros(positions * len(SHARES) * 128, np.int64)
    end = _successors(points, positions, CHOOSE, (HIGH, LOW), starts, after)
    return starts, after[:end]


@kernel
def _successors(points: int, positions: int, choose: Any, dice: Any, starts: Any, after: Any) -> int:
    high, low = dice
    counts = np.zeros(points, np.int64)
    found = np.zeros(MOST_AFTER, np.int64)
    end = 0
    for number in range(positions):
        write_counts(number, choose, counts)
        for roll in range(len(high)):
            n = after_roll(counts, choose, high[roll], low[roll], found) if number else 0
            for i in range(n):
                after[end] = found[i]
                end += 1
            starts[number * len(high) + roll + 1] = end
    return end


@kernel
def _fill(order: Any, pips: Any, shares: Any, starts: Any, after: Any, equities: Any) -> None:
    """All pairs, by the sum of their pips: a pair comes after those that its plays lead to."""
    value = np.zeros(4)
    for total in range(2, 2 * pips[len(pips) - 1] + 1):
        for i in range(1, len(order)):
            if pips[i] >= total:
                break
            for j in range(1, len(order)):
                if pips[i] + pips[j] == total:
                    _roll(order[i], order[j], shares, starts, after, equities, value)
                    for k in range(4):
                        equities[order[i], order[j], k] = value[k]


@kernel
def _roll(mine: int, yours: int, shares: Any, starts: Any, after: Any, equities: Any, value: Any) -> None:
    """The values of rolling now, for each cube."""
    for k in range(4):
        value[k] = 0.0
    for roll in range(len(shares)):
        begin, end = starts[mine * len(shares) + roll], starts[mine * len(shares) + roll + 1]
        for k in range(4):
            best = -4.0
            for i in range(begin, end):
                best = max(best, 1.0 if after[i] == 0 else -_on_roll(equities[yours, after[i]], k))
            value[k] += shares[roll] * best


@kernel
def _on_roll(values: Any, cube: int) -> float:
    """What the other side has after a play, being on roll; `cube` is where the first one sees it."""
    if cube == CUBELESS:
        return values[CUBELESS]
    if cube == OWNED:
        return values[OTHERS]
    value = values[OWNED] if cube == OTHERS else values[CENTRED]
    return max(value, min(1.0, 2.0 * values[OTHERS]))
