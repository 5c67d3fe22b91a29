"""Bear-off tables, built and probed in the terminal."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outplay.games.backgammon.side import Side, number, total
from outplay.storage import check_writable
from outplay.tables.bearoff.onesided import OneSided
from outplay.tables.bearoff.twosided import NAMES, TwoSided

SIDES = "XO"


def table_path(folder: Path, kind: str, points: int, checkers: int) -> Path:
    return folder / f"bearoff-{kind}-{points}x{checkers}.npz"


def build(folder: Path, points: int, checkers: int, both: int) -> Iterator[str]:
    """Build missing tables, with a line for each. `both`: checkers of the two-sided one, or 0 for none."""
    if both:
        TwoSided.positions(points, both)  # too many are refused before the other table is built
    folder.mkdir(parents=True, exist_ok=True)
    path = table_path(folder, "one-sided", points, checkers)
    if not path.exists():
        check_writable(path)
        OneSided.build(points, checkers).save(path)
    yield f"{path}: {len(OneSided.load(path).means):,} positions of one side"
    if both:
        path = table_path(folder, "two-sided", points, both)
        if not path.exists():
            check_writable(path)
            TwoSided.build(points, both).save(path)
        positions = len(TwoSided.load(path).equities)
        yield f"{path}: {positions * positions:,} positions of both sides"


def counts_of(side: Side, points: int) -> tuple[int, ...]:
    """The checkers on the points of a side's home; a ValueError if some are elsewhere."""
    counts = tuple(number(side, point) for point in range(1, points + 1))
    if sum(counts) != total(side):
        raise ValueError(f"not a bear-off position: a checker is beyond point {points}")
    return counts


def probed(folder: Path, state: Any, points: int, checkers: int, both: int) -> Iterator[str]:
    """The tables' values for a position."""
    if state.terminal() or state.dice > 0:
        raise ValueError("bear-off tables have positions before the roll: remove the dice")
    mine, yours = counts_of(state.own, points), counts_of(state.opp, points)
    table = OneSided.load(table_path(folder, "one-sided", points, checkers))
    on_roll, other = SIDES[state.turn], SIDES[1 - state.turn]
    for side, counts in ((on_roll, mine), (other, yours)):
        rolls = table.distribution(counts)
        likely = ", ".join(f"{n}: {100 * share:.2f} %" for n, share in enumerate(rolls) if share >= 0.0005)
        yield f"{side} needs {table.mean(counts):.4f} rolls on average ({likely})"
    yield f"{on_roll} is on roll and wins {100 * table.win(mine, yours):.2f} % (one-sided)"
    if both and max(sum(mine), sum(yours)) <= both:
        sides = TwoSided.load(table_path(folder, "two-sided", points, both))
        exact = sides.equity(mine, yours)
        yield "equity " + ", ".join(f"{name} {value:+.5f}" for name, value in zip(NAMES, exact, strict=True))
        yield f"the cube in the middle: {sides.cube(mine, yours)}"
