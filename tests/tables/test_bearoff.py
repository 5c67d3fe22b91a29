"""Bear-off tables beside published numbers, and beside a plain version of the rules."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay.games import Backgammon
from outplay.games.backgammon.side import Side, add, number
from outplay.tables.bearoff.onesided import OneSided
from outplay.tables.bearoff.positions import counts_of, index, size
from outplay.tables.bearoff.twosided import TwoSided
from outplay.ui.bearoff import build, probed

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]


@pytest.fixture(scope="module")
def one_sided() -> OneSided:
    return OneSided.build()


def test_positions_are_numbered_without_gaps() -> None:
    assert size(6, 15) == 54264 and size(6, 6) == 924
    assert [index(counts_of(n, 6)) for n in range(2000)] == list(range(2000))
    assert index((0,) * 6) == 0 and index((15, 0, 0, 0, 0, 0)) == 54263
    with pytest.raises(ValueError, match="1 to 12 points and 1 to 15 checkers, not 6 and 16"):
        size(6, 16)


def test_means_are_the_published_ones(one_sided: OneSided) -> None:
    """Of GNU Backgammon's own table."""
    for counts, mean in (((15,), 6.9795), ((0, 0, 0, 0, 0, 15), 12.266), ((10,), 4.408)):
        assert abs(one_sided.mean(counts) - mean) < 0.0005
    assert len(one_sided.means) == 54264
    assert np.allclose(one_sided.rolls.sum(1), 1, atol=1e-5)
    assert np.allclose(one_sided.rolls @ np.arange(one_sided.rolls.shape[1]), one_sided.means, atol=1e-3)


def test_means_are_those_of_the_rules(one_sided: OneSided) -> None:
    """The game's own plays, exactly, for few checkers."""

    @cache
    def mean(counts: tuple[int, ...]) -> Fraction:
        if not any(counts):
            return Fraction(0)
        side: Side = (0, 0, 0, 0)
        for point, count in enumerate(counts, 1):
            for _ in range(count):
                side = add(side, point)
        total = Fraction(1)
        for high, low in ROLLS:
            state = Backgammon(side, (0, 2, 0, 0), 0, 8 * high + low)  # the other side is on its ace point
            after = {tuple(number(state.result(a).opp, p) for p in range(1, 7)) for a in state.actions()}
            total += Fraction(1 if high == low else 2, 36) * min(map(mean, after))
        return total

    for counts in ((0, 0, 0, 0, 0, 2), (1, 1, 1, 0, 0, 0), (0, 0, 1, 0, 1, 1), (2, 0, 0, 2, 0, 0)):
        assert abs(one_sided.mean(counts) - float(mean(counts))) < 1e-9


def test_equities_are_the_published_ones() -> None:
    """Of GNU Backgammon's two-sided table: cubeless, owned, centred, opponent's."""
    table = TwoSided.build()
    assert table.equities.shape == (924, 924, 4)
    for counts, wanted in (
        ((0, 0, 0, 0, 0, 2), (0.50896, 0.62173, 0.60311, 0.48061)),
        ((1, 1, 1, 1, 1, 1), (0.40108, 0.63671, 0.60220, 0.35109)),
    ):
        assert np.allclose(table.equity(counts, counts), wanted, atol=6e-5)
    assert table.cube((0, 0, 0, 0, 0, 2), (0, 0, 0, 0, 0, 2)) == "double, take"
    assert table.cube((1,), (1,)) == "double, drop"
    assert table.cube((0, 0, 0, 0, 0, 6), (1,)) == "no double"
    with pytest.raises(ValueError, match="6 checkers on 6 points"):
        table.equity((7,), (1,))
    with pytest.raises(ValueError, match="the maximum is 4,000"):
        TwoSided.build(6, 12)


def test_a_position_that_is_none_is_said_before_tables_are_built(outplay: Any, tmp_path: Path) -> None:
    answer = outplay("table", "bearoff", "nonsense", "--tables", tmp_path)
    assert answer.status == 2 and "'nonsense' is not a Position ID" in answer.told
    large = outplay("table", "bearoff", "--two-sided", 15, "--tables", tmp_path)
    assert large.status == 2 and "15 checkers on 6 points are 54,264 positions per side" in large.told
    assert list(tmp_path.iterdir()) == []


def test_tables_are_files_that_are_asked(tmp_path: Path) -> None:
    assert len(list(build(tmp_path, 6, 4, 2))) == 2
    state = Backgammon((2, 0, 0, 0), (0, 2, 0, 0), 0, 0)
    texts = list(probed(tmp_path, state, 6, 4, 2))
    assert texts[0] == "X needs 1.0000 rolls on average (1: 100.00 %)"
    assert texts[2] == "X is on roll and wins 100.00 % (one-sided)"
    assert texts[3].startswith("equity cubeless +1.00000")
    assert texts[4] == "the cube in the middle: double, drop"
    with pytest.raises(ValueError, match="a checker is beyond point 6"):
        list(probed(tmp_path, Backgammon()._replace(dice=0), 6, 4, 2))
    path = tmp_path / "bearoff-one-sided-6x4.npz"
    path.write_bytes(b"nothing")
    with pytest.raises(ValueError, match="is not such a bear-off table"):
        OneSided.load(path)
    with pytest.raises(ValueError, match="no such table"):
        OneSided.load(tmp_path / "none.npz")
