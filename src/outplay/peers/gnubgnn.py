"""Backgammon opponents from the package gnubg-nn, if installed.

`pubeval`, two linear functions that Tesauro published in 1993, is a standard benchmark; `gnubg-nn` is GNU Backgammon's
nets without lookahead.
"""

import importlib
import importlib.util
from collections.abc import Callable
from typing import Any

from outplay.games import is_ours
from outplay.games.backgammon.plays import LOW_FIRST
from outplay.games.backgammon.side import BAR, number

PACKAGE = "gnubg_nn"
PUBEVAL, NET = "pubeval", "gnubg-nn"  # names of players


def plays(cls: type) -> bool:
    """Whether the package's players play this game, and are installed."""
    return is_backgammon(cls) and is_installed()


def is_backgammon(cls: type) -> bool:
    """Whether a game is backgammon with fifteen checkers on each side."""
    return is_ours(cls, "backgammon") and getattr(cls, "CHECKERS", 0) == 15


def is_installed() -> bool:
    return importlib.util.find_spec(PACKAGE) is not None


def chooser(name: str) -> Callable[[Any], int]:
    """The choice function of a player, for states with dice; a ValueError if the package is missing."""
    if not is_installed():
        raise ValueError(f"{name} needs the package gnubg-nn: pip install gnubg-nn")
    package = importlib.import_module(PACKAGE)
    best: Any = package.pub_best_move if name == PUBEVAL else zero_ply(package)

    def choose_play(s: Any) -> int:
        high, low = s.dice >> 3, s.dice & 7
        return packed(high, low, best(board_of(s), high, low))

    return choose_play


def zero_ply(package: Any) -> Callable[[Any, int, int], list[int]]:
    """The best play by the nets alone, in pubeval's form: source and target points in turn, counted from 0."""
    return lambda board, high, low: [
        point - 1 for move in package.best_move(board, high, low, 0) for point in move
    ]


def board_of(s: Any) -> list[list[int]]:
    """The checkers on points 1 to 24 and the bar: first of the side not on roll, then of the side on roll."""
    return [[number(side, point) for point in range(1, BAR + 1)] for side in (s.opp, s.own)]


def packed(high: int, low: int, steps: list[int]) -> int:
    """A play as an action, given source and target points in turn, counted from 0 as gnubg-nn does."""
    sources = [point + 1 for point in steps[::2]]
    targets = [point + 1 for point in steps[1::2]]
    for first, dice in ((0, [high, low] * 2), (LOW_FIRST, [low, high] * 2)):
        moves = zip(sources, targets, dice, strict=False)
        if all(source - die == target or target < 1 and source <= die for source, target, die in moves):
            return first | sum(source << 5 * i for i, source in enumerate(sources))
    raise ValueError(f"{steps} with {high}-{low} is not a play")
