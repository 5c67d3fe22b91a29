"""The standing of a match: results counted from the first player's point of view."""

from collections.abc import Mapping
from typing import NamedTuple

from outplay.arena.elo import PAIR, Estimate, elo

SINGLE = (0.0, 0.5, 1.0)


class Standing(NamedTuple):
    """The first player's results."""

    wins: int
    draws: int
    losses: int
    pairs: tuple[int, int, int, int, int]  # that scored 0, 1/2, 1, 1 1/2 and 2 points

    @property
    def games(self) -> int:
        return self.wins + self.draws + self.losses

    @property
    def score(self) -> float | None:
        """The fraction of points won; None before the first game."""
        return (self.wins + self.draws / 2) / self.games if self.games else None

    @property
    def elo(self) -> Estimate | None:
        """From the pairs; from single games while there is no pair yet."""
        if sum(self.pairs):
            return elo(self.pairs)
        return elo((self.losses, self.draws, self.wins), SINGLE) if self.games else None


def standing(scores: Mapping[int, float]) -> Standing:
    """The standing after some games: the first player's score by the game's number; 2k and 2k + 1 are a pair."""
    results = list(scores.values())
    pairs = [0] * len(PAIR)
    for number, score in scores.items():
        if number % 2 == 0 and number + 1 in scores:
            pairs[round(2 * (score + scores[number + 1]))] += 1
    zero, half, one, more, two = pairs
    return Standing(results.count(1), results.count(0.5), results.count(0), (zero, half, one, more, two))
