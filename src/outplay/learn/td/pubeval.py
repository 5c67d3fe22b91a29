"""Tesauro's pubeval as an opponent at backgammon.

pubeval, two linear functions that Tesauro gave to the public in 1993, is the field's yardstick. The package gnubg-nn
has it, where that is installed.
"""

import importlib.util
from typing import Any

from outplay.games import is_ours
from outplay.games.backgammon.plays import LOW_FIRST
from outplay.games.backgammon.side import BAR, number
from outplay.learn.td.trial import Choice

PUBEVAL = "gnubg_nn"


def has_pubeval(cls: type) -> bool:
    """Whether pubeval plays this game, and is installed."""
    return (
        is_ours(cls, "backgammon")
        and getattr(cls, "CHECKERS", 0) == 15
        and importlib.util.find_spec(PUBEVAL) is not None
    )


def pubeval() -> Choice:
    """pubeval as a player."""
    best: Any = importlib.import_module(PUBEVAL).pub_best_move

    def choose_play(s: Any) -> int:
        board = [[number(side, point) for point in range(1, BAR + 1)] for side in (s.opp, s.own)]
        high, low = s.dice >> 3, s.dice & 7
        return packed(high, low, best(board, high, low))

    return choose_play


def packed(high: int, low: int, steps: list[int]) -> int:
    """A play as an action, from points that are left and reached in turn, as gnubg-nn counts them from 0."""
    sources = [point + 1 for point in steps[::2]]
    targets = [point + 1 for point in steps[1::2]]
    for first, dice in ((0, [high, low] * 2), (LOW_FIRST, [low, high] * 2)):
        moves = zip(sources, targets, dice, strict=False)
        if all(source - die == target or target < 1 and source <= die for source, target, die in moves):
            return first | sum(source << 5 * i for i, source in enumerate(sources))
    raise ValueError(f"pubeval plays {steps} with {high}-{low}, which is no play")
