"""How UCT searches: what a user sets, what a game sets for itself, and what comes of both."""

import math
from typing import NamedTuple, Self

from outplay.game import offers
from outplay.search.mcts.choice import CHOICES
from outplay.search.mcts.playout import MAX_THREADS

C = 0.7  # 0.35 and 0.5 play no worse and no better: Connect Four at 2,000 iterations, Othello at 1,000


class Parameters(NamedTuple):
    """What a game may set for itself in its `uct`, such as `uct = {"rave": 1000}`."""

    c: float = C
    rave: float = 0
    prior: float = 10
    expand: int = 1


class Settings(NamedTuple):
    """What a user may set; None: as the game says."""

    c: float | None = None  # the constant C of the upper confidence bound
    memory: float = 256  # MB of the trees, which never grow past it
    threads: int = 1  # each with a tree of its own
    seed: int = 0  # of the random numbers
    solver: bool = True  # back up proven values (MCTS-Solver)
    rave: float | None = None  # the equivalence parameter k of RAVE; 0: off
    prior: float | None = (
        None  # how many visits the game's `prior` is worth; 0: actions are tried in any order
    )
    expand: int | None = None  # visits of a node before its children are made
    hints: bool = True  # use what the game knows: its `playout` in simulations, its `prior`, its parameters
    choice: str = "robust"  # the final one: see `choice.chosen`
    score: float | None = None  # the utility that is worth the full reward; 0: only winning counts

    def checked(self) -> Self:
        """The settings; a ValueError if they make no sense."""
        for name in ("c", "rave", "prior", "expand", "score"):
            number = getattr(self, name)
            if number is not None and not 0 <= number < math.inf:
                raise ValueError(f"{name} must be 0 or more, not {number}")
        if self.expand == 0:
            raise ValueError("expand must be 1 or more, not 0")
        if not 1 <= self.threads <= MAX_THREADS:
            raise ValueError(f"threads must be 1 to {MAX_THREADS}, not {self.threads}")
        if self.choice not in CHOICES:
            raise ValueError(f"unknown choice {self.choice!r}; choose from {', '.join(CHOICES)}")
        return self

    def parameters(self, cls: type) -> Parameters:
        """How a game is searched: as was asked for, or else as its class says."""
        own = getattr(cls, "uct", {}) if self.hints else {}
        given = {name: number for name in Parameters._fields if (number := getattr(self, name)) is not None}
        chosen = Parameters()._replace(**{**own, **given})
        return chosen if self.hints and offers(cls, "prior") else chosen._replace(prior=0)


class Growth(NamedTuple):
    """How a tree grows."""

    c: float = C
    rave: float = 0
    prior: float = 0
    expand: int = 1
    solver: bool = True
    hinted: bool = False  # whether the game's own `playout` chooses in simulations
    scale: float = 0.0  # the utility that is worth the reward 1; 0: the size of a win does not count
    bounds: tuple[float, float] = (0.0, 1.0)  # of rewards
