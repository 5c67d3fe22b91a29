"""Evaluations from results alone: random games from a state, and the mean result of its category.

Both are called as evaluate(state) and return MAX's value, in hundredths of a win or in the points of a game of
points, so that they work wherever an evaluation does: `--player montecarlo:games=200`,
`--player categories:positions=FILE`.
"""

from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from typing import Any, NamedTuple

from outplay.explain import linear
from outplay.game import UNIT, GameError, fitting_weights, is_terminal, outranks
from outplay.learn.positions import Sample
from outplay.search.mcts.playout import playouts

GAMES = 100


@dataclass(frozen=True)
class MonteCarlo:
    """The Monte Carlo estimate: the mean utility of random games from the state."""

    games: int = GAMES
    seed: int = 1  # the same seed gives the same games, so the estimate is a function of the state

    def __call__(self, state: Any) -> float:
        if is_terminal(state):
            return _points(state, state.utility())
        return _points(state, playouts(state, self.games, self.seed).mean)


class Rates(NamedTuple):
    """How often positions of a category were won, drawn and lost by MAX; shares count as well as games."""

    wins: float
    draws: float
    losses: float

    def expectation(self) -> float:
        """The expected result, a draw being half a win: 72 % won, 8 % drawn and 20 % lost give 0.76."""
        return (self.wins + self.draws / 2) / sum(self)


class Categories:
    """Category expectation: the mean result of all recorded states with the same features.

    A state whose features never occurred gets the mean of all states.
    """

    def __init__(self, samples: Iterable[Sample], features: Callable[[Any], Hashable] | None = None) -> None:
        self.features = features or term_counts
        counts: dict[Hashable, list[float]] = {}
        for sample in samples:
            if sample.result is None:
                raise ValueError("categories need results with all positions, not scores")
            row = counts.setdefault(self.features(sample.state), [0.0, 0.0, 0.0])
            row[0 if sample.result == 1 else 2 if sample.result == 0 else 1] += 1
        if not counts:
            raise ValueError("categories need positions with results")
        self.rates = {category: Rates(*row) for category, row in counts.items()}
        self.all = Rates(*map(sum, zip(*counts.values(), strict=True)))

    def expectation(self, state: Any) -> float:
        """The expected result for MAX: 1 is won, 0 lost."""
        return self.rates.get(self.features(state), self.all).expectation()

    def __call__(self, state: Any) -> float:
        return _points(state, 2 * self.expectation(state) - 1)


def _points(state: Any, utility: float) -> float:
    """A mean utility in points of an evaluation."""
    return utility * (UNIT if outranks(type(state)) else 1)


def term_counts(state: Any) -> tuple[Any, ...]:
    """The features that define a state's category: the coefficients of its evaluation's weights."""
    weights = fitting_weights(type(state))
    if weights is None:
        raise GameError(f"{type(state).__name__} has no weights to define its categories: give features")
    return tuple(sorted((place, count) for place, count in linear(state, weights).terms.items() if count))
