"""The outputs of a value net: the probability of each result.

A game whose maximum utility is small (backgammon: 3) has several outputs, as in GNU Backgammon:

    0               the chance to win
    1 .. most - 1   to win at least two points, three, ...
    most ..         to lose at least two points, three, ...

so that a value is 2 win - 1 + all other chances to win more - those to lose more. A drawn game counts as half a win.
Any other game has one answer: the value, from 0 (the greatest loss) to 1 (the greatest win). `scale` is what an answer
of 1 is worth. Answers are told for the viewer or for MAX; `mirror` says where one is found for the other player.
"""

from typing import Any

import numpy as np

from outplay.compile import inlined

MOST_POINTS = 4  # a game of more is learned as one value
HALF, ONE, TWO = np.float32(0.5), np.float32(1.0), np.float32(2.0)


def points_of(cls: Any) -> int:
    """How many points a game is about, where each has a chance of its own; else 1."""
    win: Any = getattr(cls, "win", None)
    if not isinstance(win, int) or getattr(cls, "points", False):
        return 1
    return win if 1 < win <= MOST_POINTS else 1


def names(count: int) -> tuple[str, ...]:
    """What answers are called."""
    if count == 1:
        return ("win",)
    if count == 5:
        return ("win", "win gammon", "win backgammon", "lose gammon", "lose backgammon")
    most = (count + 1) // 2
    more = range(2, most + 1)
    return ("win", *(f"win {n}" for n in more), *(f"lose {n}" for n in more))


@inlined
def mirror(k: int, count: int) -> int:
    """Where the other player has an answer; the chance to win is 1 less the other's."""
    most = (count + 1) // 2
    if k == 0:
        return 0
    return k + most - 1 if k < most else k - most + 1


@inlined
def result(u: float, scale: float, answers: Any) -> None:
    """The answers at the end of a game, from MAX's utility."""
    count = len(answers)
    most = (count + 1) // 2
    share = u / scale if count == 1 else u
    answers[0] = HALF + HALF * np.float32(max(-1.0, min(1.0, share)))
    for k in range(1, most):
        answers[k] = ONE if u > k else ONE - ONE
        answers[most - 1 + k] = ONE if -u > k else ONE - ONE


@inlined
def worth_of(answers: Any, scale: float) -> float:
    """The value that answers stand for."""
    count = len(answers)
    most = (count + 1) // 2
    value = 2.0 * float(answers[0]) - 1.0
    for k in range(1, most):
        value += float(answers[k]) - float(answers[most - 1 + k])
    return value * scale if count == 1 else value


@inlined
def turned(raw: Any, viewer: int, answers: Any) -> None:
    """The viewer's answers as MAX's, or the other way round."""
    for k in range(len(answers)):
        answers[k] = raw[k] if viewer == 0 else ONE - raw[k] if k == 0 else raw[mirror(k, len(answers))]
