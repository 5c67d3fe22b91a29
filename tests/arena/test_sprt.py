"""The sequential test: figures that fastchess publishes in its tests, and its errors by simulation."""

import math
import random

import pytest

from outplay.arena.elo import PAIR, SCALE, expected, moments
from outplay.arena.sprt import Sprt, likeliest, likeliest_deviation


@pytest.mark.parametrize(
    ("test", "pairs", "ratio"),
    [
        (Sprt(0.5, 2.5), (223, 9863, 20279 + 1000, 10037, 246), -3.07),
        (Sprt(0, 2), (871, 26175, 55003 + 980, 26678, 821), -4.98),
        (Sprt(0, 2, normalised=True), (365, 16618, 36029 + 200, 16974, 390), 2.25),
        (Sprt(-1.75, 0.25, normalised=True), (127, 4883, 10311 + 401, 5150, 104), 3.01),
    ],
)
def test_published_ratios(test: Sprt, pairs, ratio: float) -> None:
    assert test.llr(pairs) == pytest.approx(ratio, rel=0.01)


def test_only_wins_by_hand() -> None:
    """All pairs won: then p of them are won and 1 - p lost, with (p - 1/2) / sqrt(2 p (1 - p)) as H1 says."""
    t = 5 / (2 * SCALE) * math.sqrt(2)
    p = 0.5 + t / (2 * math.sqrt(1 + t * t))
    assert Sprt(0, 5, normalised=True).llr((0, 0, 0, 0, 104)) == pytest.approx(
        104 * math.log(2 * p), rel=1e-3
    )
    won = expected(5)
    assert Sprt(0, 5).llr((0, 0, 0, 0, 104)) == pytest.approx(104 * math.log(2 * won), rel=1e-3)


def test_bounds_are_walds() -> None:
    low, high = Sprt(0, 5).bounds
    assert (low, high) == (pytest.approx(-math.log(19)), pytest.approx(math.log(19)))
    assert Sprt(0, 5).llr((0, 0, 0, 0, 0)) == 0
    assert Sprt(0, 5).decision((10, 20, 40, 20, 10)) is None
    assert Sprt(0, 5).decision((0, 100, 4000, 500, 0)) == "H1"
    assert Sprt(0, 5).decision((0, 500, 4000, 100, 0)) == "H0"


def test_the_likeliest_distribution_keeps_its_condition() -> None:
    seen = (0.1, 0.2, 0.4, 0.2, 0.1)
    found = likeliest(seen, expected(50))
    assert sum(found) == pytest.approx(1)
    assert moments(found)[0] == pytest.approx(expected(50))
    assert likeliest(seen, 0.5) == pytest.approx(seen)
    mean, variance = moments(likeliest_deviation(seen, 30 / (2 * SCALE)))
    assert (mean - 0.5) / math.sqrt(2 * variance) * 2 * SCALE == pytest.approx(30)


@pytest.mark.parametrize("shift", [0.0, 0.02])
def test_errors_are_as_rare_as_asked_for(shift: float) -> None:
    """At the edge of each hypothesis the other one is accepted in about 5 of 100 tests."""
    chances = (0.1 - shift, 0.2 - shift, 0.4, 0.2 + shift, 0.1 + shift)
    truth = sum(p * x for p, x in zip(chances, PAIR, strict=True))
    step = 40.0
    centre = SCALE * math.log(truth / (1 - truth))
    wrong, dice = 0, random.Random(5)
    for number in range(200):
        under_null = number % 2 == 0
        test = Sprt(centre, centre + step) if under_null else Sprt(centre - step, centre)
        counts, decision = [0] * 5, None
        while decision is None:
            for kind in dice.choices(range(5), chances, k=10):
                counts[kind] += 1
            decision = test.decision(counts)
        wrong += decision == ("H1" if under_null else "H0")
    assert wrong / 200 < 0.1


@pytest.mark.parametrize(
    ("test", "complaint"),
    [(Sprt(5, 0), "an SPRT needs elo0 < elo1, not 5 and 0"), (Sprt(0, 5, alpha=0.7), "between 0 and 0.5")],
)
def test_tests_that_make_no_sense(test: Sprt, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        test.checked()
