"""The settings of a TD(lambda) run. Frozen when it begins: the first line of its log."""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.game import kind, max_actions, worth
from outplay.learn.folder import MOST_SEED, read_lines, settings_from, within
from outplay.learn.td.selfplay import ALPHA, EXPLORE, GAMES, LAMBDA, LAST_ALPHA, PLAN, SEED
from outplay.search.mcts.grow import largest
from outplay.search.mcts.uct import endless
from outplay.search.protocol import control
from outplay.search.valuenet.answers import points_of
from outplay.search.valuenet.net import MOST_UNITS

FORMAT = "outplay td 1"
LINES = ("seconds", "games", "games_per_second", "moves", "error")  # of each line of a log
RANDOM_GAMES = 100  # whose largest utility is what an answer of 1 is worth, where the class does not say it
EXPLORING = 0.1  # moves at random where no dice make games differ
MOST_GAMES = 10**12
MOST_ALPHA = 100.0
MOST_PARALLEL, MOST_UPDATES = 1 << 20, 1 << 10
BOUNDS = {
    "games": (1, MOST_GAMES),
    "hidden": (1, MOST_UNITS),
    "second": (0, MOST_UNITS),
    "trial": (1, 10**6),
    "parallel": (0, MOST_PARALLEL),
    "updates": (1, MOST_UPDATES),
    "points": (1, 10**4),
    "seed": (0, MOST_SEED),
}


class Settings(NamedTuple):
    """TD-Gammon's own are 40 or 80 hidden units, lambda 0.7 and alpha 0.1; lambda 0 needs no traces."""

    game: str
    games: int = 300_000
    hidden: int = 40  # units
    second: int = 0  # units of a second hidden layer; 0: there is none
    alpha: float = 0.1  # the learning rate at first
    last_alpha: float = 0.01  # at the end; it falls by the same share after each game
    lam: float = 0.0  # how slowly traces fade; 0: each afterstate learns from the next one alone
    explore: float = 0.0  # share of moves at random, from which nothing is learned
    seed: int = 1
    trial: int = 500  # games against each fixed opponent, for the curve
    points: int = 40  # of the curve
    parallel: int = 0  # games in lockstep, which learn together; 0: one game after the other
    updates: int = 1  # of a step in lockstep, each from its share of the games
    device: str = "cpu"  # of games in lockstep; or cuda
    base: str = ""  # the file of a net that it begins with, of as many units or fewer; "": random weights
    lessons: str = ""  # the recorded games that it learns from; "": it plays against itself

    def line(self) -> dict[str, Any]:
        """The first line of the log."""
        return {"format": FORMAT, **self._asdict()}

    def checked(self) -> "Settings":
        """The same settings, if each makes sense."""
        within(self, BOUNDS)
        for name in ("alpha", "last_alpha"):
            if not 0 < getattr(self, name) <= MOST_ALPHA:
                raise ValueError(
                    f"{name} must be more than 0 and at most {MOST_ALPHA:g}, not {getattr(self, name)}"
                )
        for name, title in (("lam", "lambda"), ("explore", "explore")):
            if not 0 <= getattr(self, name) <= 1:
                raise ValueError(f"{title} must be from 0 to 1, not {getattr(self, name)}")
        if self.device not in ("cpu", "cuda"):
            raise ValueError(f"device is cpu or cuda, not {self.device!r}")
        if self.device == "cuda" and not self.parallel:
            raise ValueError("a GPU plays games in lockstep: say how many, such as --parallel 65536")
        if self.updates > max(self.parallel, 1):
            raise ValueError(f"{self.updates} updates in each step need as many games in lockstep")
        if self.parallel and (self.lam or self.lessons):
            raise ValueError(
                "games in lockstep are self-play without traces: no recorded games, and lambda 0"
            )
        if self.second and self.lam:
            raise ValueError("a net with a second hidden layer learns without traces: lambda must be 0")
        return self

    def plan(self) -> np.ndarray:
        """The numbers that kernels read."""
        plan = np.zeros(PLAN)
        plan[[ALPHA, LAST_ALPHA, LAMBDA, EXPLORE]] = self.alpha, self.last_alpha, self.lam, self.explore
        plan[[GAMES, SEED]] = self.games, self.seed % 2**32
        return plan

    def alpha_at(self, game: int) -> float:
        """The learning rate of a game."""
        share = min(1.0, game / max(self.games - 1, 1))
        return self.alpha * math.pow(self.last_alpha / self.alpha, share)

    def mark(self, game: int) -> int:
        """The next number of games after which a point of the curve is due."""
        every = max(1, self.games // self.points)
        return min(self.games, (game // every + 1) * every)


def settings_of(line: dict[str, Any]) -> Settings:
    """The settings that a log begins with."""
    settings: Settings = settings_from(line, Settings, FORMAT)
    return settings


def read_run(path: Path) -> tuple[Settings, list[dict[str, Any]]]:
    """The settings and the log of a run, as it stands."""
    return read_lines(path, Settings, FORMAT, LINES)


def exploration(cls: type) -> float:
    """How much a run explores where nobody says: not at all where there are dice."""
    return 0.0 if kind(cls).chance else EXPLORING


def scale_of(start: Any) -> float:
    """What an answer of 1 is worth: the greatest utility, as the class says it, or as random games find it."""
    cls: Any = type(start)
    if points_of(cls) > 1:
        return 1.0
    if getattr(cls, "win", 0):
        return float(cls.win)
    compiled = twin(cls)
    native = compiled.state(start)
    with explained(compiled, native), endless(cls), control.explained(cls):
        most = float(largest(native, RANDOM_GAMES, np.zeros(max_actions(cls) + 1, np.int64)))
    return most / worth(cls) or 1.0
