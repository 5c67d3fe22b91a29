"""Backgammon analysis: errors in points of equity, the error rate of a side, and its luck.

An error is the equity lost by a play or a cube action, normalised to the current cube; in a match, match winning
chances are converted to such points. The error rate is 500 times the mean error of a decision (a performance
rating, PR). Luck is the net's value after a roll minus its mean over all rolls.
"""

from collections.abc import Sequence
from typing import Any

from outplay.game import CHANCE
from outplay.games import is_ours
from outplay.games.backgammon.cube import DOUBLED, TO_DOUBLE, TO_ROLL, standing
from outplay.record import Record
from outplay.search.cube.decision import score_of
from outplay.search.cube.matches import won
from outplay.search.cube.player import bare
from outplay.search.valuenet.td import TD

VERDICTS = ((0.16, "blunder"), (0.08, "mistake"), (0.04, "inaccuracy"))  # errors of at least so many points
RATE = 500  # times the mean error


def is_backgammon(cls: Any) -> bool:
    """Whether a game is judged by equities: backgammon with fifteen checkers."""
    return is_ours(cls, "backgammon") and cls.CHECKERS == 15


def stake(state: Any) -> float:
    """The value of one point of the cube, in utilities of the game."""
    if type(state).BARE:
        return 1.0
    now = standing(state)
    if now.match == 0:
        return float(now.value)
    score = score_of(now)
    return won(score, now.value) - won(score, -now.value)


def equity(state: Any, value: float) -> float:
    """A value for MAX in points of the cube.

    In a match, 0 is halfway between winning and losing the cube's points at this score.
    """
    if type(state).BARE or (now := standing(state)).match == 0:
        return value / stake(state)
    score = score_of(now)
    middle = won(score, now.value) + won(score, -now.value) - 1  # as the side on roll sees it
    return (value - (-middle if now.on_roll else middle)) / stake(state)


def counts(state: Any, action: int, error: float) -> bool:
    """Whether a decision counts for the error rate: not if it was forced, nor for rolling without an error."""
    if state.dice == TO_DOUBLE and state.action_text(action) == "roll":
        return error > 0
    if state.dice in (TO_DOUBLE, DOUBLED):
        return True
    return sum(1 for _ in state.actions()) > 1


def error_rate(decisions: Sequence[tuple[Any, int, float]]) -> float:
    """500 times the mean error of the decisions that count, given as (state, action, error)."""
    counted = [error for state, action, error in decisions if counts(state, action, error)]
    return RATE * sum(counted) / max(1, len(counted))


def luck(record: Record) -> tuple[float, float]:
    """The luck of MAX and of MIN in a game, in points of the cube."""
    sums, search = [0.0, 0.0], TD()
    for state, action in zip(record.trail(), record.actions, strict=False):
        if state.player() == CHANCE and state.dice == TO_ROLL:
            side = state.roller()
            sums[side] += (1 - 2 * side) * luck_of(search, state, action)
    return sums[0], sums[1]


def luck_of(search: TD, state: Any, roll: int) -> float:
    """MAX's luck with a roll, by the net without lookahead."""
    board = bare(state)
    look = search.looking(board)
    rolled = board.result(roll)
    sign = 1 - 2 * board.roller()
    best = max(sign * value for value, _, _ in look.afterstates(rolled))
    return sign * best - look.value(board, 1)[0]
