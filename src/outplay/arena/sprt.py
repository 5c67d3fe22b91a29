"""Wald's sequential probability ratio test (1945) for matches: stop as soon as the results are conclusive.

H0: the difference is elo0; H1: it is elo1. After every pair the log-likelihood ratio (LLR) of the two is compared
with bounds that keep the errors below alpha and beta. How the pairs' five results are distributed is not known;
each hypothesis gets the distribution that makes the results most likely among those with its Elo (the generalised
SPRT; Van den Bergh, *Comments on normalised Elo*, 2020). Elo is logistic, or normalised by the games' deviation.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from outplay.arena.elo import PAIR, SCALE, expected, moments

RARE = 1e-3  # used instead of a count of 0: what was not seen yet may happen


class Sprt(NamedTuple):
    """A test with its hypotheses and error bounds."""

    elo0: float
    elo1: float
    alpha: float = 0.05  # probability of accepting H1 if H0 is true
    beta: float = 0.05  # probability of accepting H0 if H1 is true
    normalised: bool = False

    def checked(self) -> "Sprt":
        if not self.elo0 < self.elo1:
            raise ValueError(f"an SPRT needs elo0 < elo1, not {self.elo0:g} and {self.elo1:g}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError("alpha and beta of an SPRT must be between 0 and 0.5")
        return self

    @property
    def bounds(self) -> tuple[float, float]:
        """The LLR's bounds: H0 is accepted at or below the first, H1 at or above the second."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def llr(self, pairs: Sequence[int]) -> float:
        """The log-likelihood ratio of H1 to H0 after pairs with these counts."""
        if not sum(pairs):
            return 0.0
        counts = [max(n, RARE) for n in pairs]
        total = sum(counts)
        seen = [n / total for n in counts]
        null, other = (self._likeliest(seen, elo) for elo in (self.elo0, self.elo1))
        return total * sum(p * math.log(q1 / q0) for p, q0, q1 in zip(seen, null, other, strict=True))

    def decision(self, pairs: Sequence[int]) -> str | None:
        """`H0` or `H1`, once one of them is accepted."""
        low, high = self.bounds
        ratio = self.llr(pairs)
        return "H0" if ratio <= low else "H1" if ratio >= high else None

    def _likeliest(self, seen: list[float], elo: float) -> list[float]:
        return (
            likeliest_deviation(seen, elo / (2 * SCALE))
            if self.normalised
            else likeliest(seen, expected(elo))
        )


def likeliest(seen: Sequence[float], mean: float) -> list[float]:
    """The maximum-likelihood distribution over PAIR with this mean."""
    return _tilted(seen, [score - mean for score in PAIR])


def likeliest_deviation(seen: Sequence[float], distance: float) -> list[float]:
    """The same, with a mean `distance` standard deviations of a game away from 1/2.

    The condition is not linear: iterate, each time with its tangent at the last solution.
    """
    distance *= math.sqrt(2)  # the deviation of a pair's mean score is so much smaller
    found = [1 / len(PAIR)] * len(PAIR)
    for _ in range(50):
        mean, variance = moments(found)
        deviation = math.sqrt(variance)
        slopes = [x - 0.5 - distance * deviation * (1 + ((x - mean) / deviation) ** 2) / 2 for x in PAIR]
        last, found = found, _tilted(seen, slopes)
        if max(abs(p - q) for p, q in zip(last, found, strict=True)) < 1e-9:
            break
    return found


def _tilted(seen: Sequence[float], values: Sequence[float]) -> list[float]:
    """The maximum-likelihood distribution in which these values have mean 0: p / (1 + t v), by Lagrange.

    t is the root of sum p v / (1 + t v), which decreases between its poles.
    """
    low, high = -1 / max(values), -1 / min(values)
    for _ in range(64):  # bisections: more than a float has bits
        middle = (low + high) / 2
        slope = sum(p * v / (1 + middle * v) for p, v in zip(seen, values, strict=True))
        low, high = (middle, high) if slope > 0 else (low, middle)
    t = (low + high) / 2
    return [p / (1 + t * v) for p, v in zip(seen, values, strict=True)]
