"""The Elo difference of two players with its 95 % interval, from pairs of games.

The two games of a pair have the same opening, so their results depend on each other, but pairs do not. A pair's
score is 0, 1/4, 1/2, 3/4 or 1: five kinds of pairs (the pentanomial model of Van den Bergh). With mean score m and
standard deviation s over n pairs, m lies within 1.96 s / sqrt(n) of the true score, and Elo's logistic curve (The
Rating of Chessplayers, 1978) turns scores into differences.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

PAIR = (0.0, 0.25, 0.5, 0.75, 1.0)  # possible scores of a pair
NORMAL = 1.959963984540054  # the 97.5 % quantile of the normal distribution
SCALE = 400 / math.log(10)  # Elo points per natural logarithm of the odds


class Estimate(NamedTuple):
    """A value, and the interval that holds the true one with 95 % confidence."""

    value: float
    low: float
    high: float


def expected(elo: float) -> float:
    """The expected score, given a difference in Elo."""
    return 1 / (1 + math.exp(-elo / SCALE))


def difference(score: float) -> float:
    """The difference in Elo that explains a score."""
    if score <= 0 or score >= 1:
        return math.copysign(math.inf, score - 0.5)
    return SCALE * math.log(score / (1 - score))


def moments(counts: Sequence[float], scores: Sequence[float] = PAIR) -> tuple[float, float]:
    """The mean and the variance of the scores, weighted by their counts."""
    total = sum(counts)
    mean = sum(n * x for n, x in zip(counts, scores, strict=True)) / total
    return mean, sum(n * (x - mean) ** 2 for n, x in zip(counts, scores, strict=True)) / total


def score_interval(counts: Sequence[int], scores: Sequence[float] = PAIR) -> Estimate:
    """The mean score. If all results are equal, the sample deviation is 0: see `_unanimous`."""
    mean, variance = moments(counts, scores)
    total = sum(counts)
    if variance == 0:
        return _unanimous(mean, total)
    reach = NORMAL * math.sqrt(variance / total)
    return Estimate(mean, max(0.0, mean - reach), min(1.0, mean + reach))


def _unanimous(score: float, total: int) -> Estimate:
    """The confidence interval after n equal results.

    If they have the probability p, n in a row have p^n, which is above 5 % down to p = 0.05^(1/n); the rest of the
    probability may lie at 0 or at 1.
    """
    likely = 0.05 ** (1 / total)
    return Estimate(score, score * likely, score * likely + 1 - likely)


def elo(counts: Sequence[int], scores: Sequence[float] = PAIR) -> Estimate:
    """The difference in Elo, with its interval."""
    return Estimate(*map(difference, score_interval(counts, scores)))


def normalised_elo(counts: Sequence[int], scores: Sequence[float] = PAIR) -> float:
    """Normalised Elo: the difference in units of one game's standard deviation (Van den Bergh 2020).

    It determines how many games are needed to detect the difference, whatever the draw rate.
    """
    mean, variance = moments(counts, scores)
    games = 2 if len(scores) == len(PAIR) else 1  # per observation
    if variance == 0:
        return 0.0 if mean == 0.5 else math.copysign(math.inf, mean - 0.5)
    return (mean - 0.5) / math.sqrt(games * variance) * 2 * SCALE
