"""The settings of UCT: the user's, the game's, and the two combined."""

import math
from typing import NamedTuple, Self

from outplay.game import offers
from outplay.search.mcts.choice import CHOICES
from outplay.search.mcts.playout import MAX_THREADS

C = 0.7  # 0.35 and 0.5 play no worse and no better: Connect Four at 2,000 iterations, Othello at 1,000


class Parameters(NamedTuple):
    """The settings that a game may declare in its `uct`, such as `uct = {"rave": 1000}`."""

    c: float = C
    rave: float = 0
    prior: float = 10
    expand: int = 1


class Settings(NamedTuple):
    """The user's settings; None: the game's default."""

    c: float | None = None  # the exploration constant C
    memory: float = 256  # maximum size of the trees in MB
    threads: int = 1  # each with its own tree
    seed: int = 0  # for the random numbers
    solver: bool = True  # back up proven values (MCTS-Solver)
    rave: float | None = None  # the equivalence parameter k of RAVE; 0: off
    # how many visits the game's `prior` counts as; 0: actions are tried in random order
    prior: float | None = None
    expand: int | None = None  # visits of a node before its children are created
    hints: bool = True  # use the game's knowledge: its `playout` in simulations, its `prior`, its settings
    choice: str = "robust"  # the final choice: see `choice.chosen`
    score: float | None = None  # the utility that earns the full reward; 0: only winning counts

    def checked(self) -> Self:
        """The settings, checked."""
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
        """The settings for a game: the user's, or else the class's."""
        own = getattr(cls, "uct", {}) if self.hints else {}
        given = {name: number for name in Parameters._fields if (number := getattr(self, name)) is not None}
        chosen = Parameters()._replace(**{**own, **given})
        return chosen if self.hints and offers(cls, "prior") else chosen._replace(prior=0)


class Growth(NamedTuple):
    """The settings of a tree's growth."""

    c: float = C
    rave: float = 0
    prior: float = 0
    expand: int = 1
    solver: bool = True
    hinted: bool = False  # simulations use the game's own `playout`
    scale: float = 0.0  # the utility that earns the reward 1; 0: the margin does not count
    bounds: tuple[float, float] = (0.0, 1.0)  # of rewards
