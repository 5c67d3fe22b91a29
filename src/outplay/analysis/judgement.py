"""How good a move is: how much it lowers its mover's expected score.

A win is 1, a draw 1/2, a loss 0. An evaluation becomes an expected score by the logistic function
1 / (1 + 10^(-v/4)), v in units (pawns in chess): four pawns ahead mean ten wins for each loss. So a pawn counts much in
an even game and little in one that is won anyway, as human annotators judge it, too. Backgammon is judged by equity:
see equity.py.
"""

from typing import Any

from outplay.analysis import equity
from outplay.analysis.equity import is_backgammon, stake
from outplay.game import UNIT, has_fractions, is_outcome, kind
from outplay.limits import Analysis

TENFOLD = 4  # units ahead: ten wins for each loss
VERDICTS = ((0.20, "blunder"), (0.10, "mistake"), (0.05, "inaccuracy"))  # losses of at least so much
SIGNS = {"blunder": "??", "mistake": "?", "inaccuracy": "?!", "": ""}


def expected_score(cls: type, found: Analysis) -> float:
    """MAX's expected score, 0 to 1."""
    value = found.value
    if value is None:
        return 0.5
    sampled = found.visits > 0 and not found.proven  # a mean of outcomes
    if found.chances:
        return found.chances[0]
    if has_fractions(cls) or kind(cls).chance or sampled:  # already an expectation
        return (1 + max(-1.0, min(1.0, value))) / 2
    if found.proven or is_outcome(cls, found.score):
        return (1 + (value > 0) - (value < 0)) / 2
    return 1 / (1 + 10 ** (-max(-99.0, min(99.0, value / unit(cls))) / TENFOLD))


def unit(cls: type) -> float:
    """The value of a small advantage in points of `evaluate`; in a game of points it is one point."""
    return getattr(cls, "unit", 1 if getattr(cls, "points", False) else UNIT)


def loss(state: Any, best: Analysis, played: Analysis) -> float:
    """The mover's loss of expected score, or equity, by playing one line and not the other; never negative."""
    if is_backgammon(type(state)):
        fall = ((best.value or 0.0) - (played.value or 0.0)) / stake(state)
        return max(0.0, fall if state.player() == 0 else -fall)
    fall = expected_score(type(state), best) - expected_score(type(state), played)
    return max(0.0, fall if state.player() == 0 else -fall)


def verdict(lost: float, cls: type | None = None) -> str:
    """`blunder`, `mistake`, `inaccuracy`, or an empty text."""
    classes = equity.VERDICTS if cls is not None and is_backgammon(cls) else VERDICTS
    return next((name for least, name in classes if lost >= least), "")
