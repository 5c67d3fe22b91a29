"""Elo and its interval: by hand, against figures that fastchess publishes in its tests, and by simulation."""

import math
import random

import pytest

from outplay.arena.elo import difference, elo, expected, moments, normalised_elo, score_interval
from outplay.arena.standing import SINGLE, Standing, standing


def test_the_curve() -> None:
    assert difference(0.5) == 0
    assert difference(10 / 11) == pytest.approx(400)
    assert expected(400) == pytest.approx(10 / 11)
    assert expected(-200) == pytest.approx(0.2402530734)
    assert (difference(1), difference(0)) == (math.inf, -math.inf)


def test_moments_by_hand() -> None:
    assert moments((1, 0, 2, 0, 1)) == (0.5, 0.125)  # scores 0, 1/2, 1/2, 1


@pytest.mark.parametrize(  # pairs that scored 0 to 2; Elo, half its interval, normalised Elo (fastchess's tests)
    ("pairs", "value", "error", "normalised"),
    [
        ((34, 54, 31 + 32, 64, 75), 55.58, 27.65, 57.94),
        ((332, 433, 457 + 41, 333, 334), -8.64, 10.33, -9.17),
        ((7895, 8757, 5485 + 200, 568, 9999), -21.04, 2.95, -19.01),
    ],
)
def test_published_pairs(pairs, value: float, error: float, normalised: float) -> None:
    found = elo(pairs)
    assert found.value == pytest.approx(value, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(error, abs=0.01)
    assert normalised_elo(pairs) == pytest.approx(normalised, abs=0.01)


def test_published_single_games() -> None:
    found = elo((96, 111, 136), SINGLE)
    assert found.value == pytest.approx(40.70, abs=0.01)
    assert (found.high - found.low) / 2 == pytest.approx(30.43, abs=0.01)
    assert normalised_elo((96, 111, 136), SINGLE) == pytest.approx(49.77, abs=0.01)


def test_results_that_are_all_alike_leave_something_open() -> None:
    assert score_interval((0, 0, 0, 0, 20)) == (1, pytest.approx(0.05 ** (1 / 20)), 1)
    assert score_interval((20, 0, 0, 0, 0)) == (0, 0, pytest.approx(1 - 0.05 ** (1 / 20)))
    drawn = elo((0, 0, 500, 0, 0))
    assert drawn.value == 0 and -5 < drawn.low < 0 < drawn.high < 5
    assert normalised_elo((0, 0, 5, 0, 0)) == 0
    assert normalised_elo((0, 0, 0, 0, 5)) == math.inf


def test_the_interval_holds_the_truth_95_times_in_100() -> None:
    dice, chances, inside = random.Random(1), (0.1, 0.2, 0.3, 0.25, 0.15), 0
    truth = difference(sum(p * x for p, x in zip(chances, (0, 0.25, 0.5, 0.75, 1), strict=True)))
    for _ in range(2000):
        drawn = dice.choices(range(5), chances, k=200)
        found = elo([drawn.count(kind) for kind in range(5)])
        inside += found.low <= truth <= found.high
    assert 0.935 < inside / 2000 < 0.965


def test_standing_counts_pairs_that_are_whole() -> None:
    now = standing({0: 1.0, 1: 0.5, 2: 0.0, 3: 0.0, 4: 1.0, 7: 0.5})
    assert now == Standing(2, 2, 2, (1, 0, 0, 1, 0))
    assert (now.games, now.score) == (6, 0.5)
    assert standing({}).score is None and standing({}).elo is None
    assert standing({0: 1.0}).elo.value == math.inf
