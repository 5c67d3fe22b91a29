"""A position in any notation: the board, the dice, the cube and the score.

`setup_of` unpacks a state; `build` makes one and rejects impossible positions. A setup is seen from the side on roll,
which is not always the side whose turn it is: the other side answers a double.
"""

from typing import Any, NamedTuple

from outplay.games.backgammon.cube import (
    CENTRED,
    DOUBLED,
    DROPPED,
    OPENING,
    TO_DOUBLE,
    TO_ROLL,
    packed,
    standing,
)
from outplay.games.backgammon.side import BAR, Side, number, total

NAMES = "XO"
CURE = "a money game with the cube is backgammon:cube=64, a match to five points backgammon:match=5"


class Setup(NamedTuple):
    """The parts of a position."""

    own: Side  # of the side on roll
    opp: Side
    on_roll: int = 0  # 0 X, 1 O
    dice: int = TO_DOUBLE  # a roll or a phase; TO_DOUBLE if it is unknown whether the side may double
    value: int = 1  # of the cube
    owner: int = CENTRED
    score: tuple[int, int] = (0, 0)
    crawford: bool = False
    beavers: int = 0


def setup_of(state: Any) -> Setup:
    """The parts of a state."""
    now = standing(state)
    own, opp = (state.own, state.opp) if now.on_roll == state.turn else (state.opp, state.own)
    return Setup(
        own, opp, now.on_roll, state.dice, now.value, now.owner, now.score, now.crawford, now.beavers
    )


def build(cls: Any, setup: Setup) -> Any:
    """The state of a class with this setup; a one-line ValueError if it is impossible."""
    check_checkers(cls, setup)
    check_cube(cls, setup)
    score, turn = setup.score, setup.on_roll
    cube = packed(setup.value, setup.owner, score, setup.crawford, setup.beavers)
    if setup.dice == OPENING:
        if (setup.own, setup.opp) != (cls().own, cls().opp):
            raise ValueError("the opening roll is possible only in the initial position")
        if cls.MATCH and max(score) >= cls.MATCH:
            raise ValueError(f"the match to {cls.MATCH} is over at {score[0]}-{score[1]}")
        return cls(cube=cube)
    state = cls(setup.own, setup.opp, turn, setup.dice, cube)
    if setup.dice == DROPPED or not total(setup.opp):
        return finished(state)
    if cls.MATCH and state.terminal():
        raise ValueError(f"the match to {cls.MATCH} is over at {score[0]}-{score[1]}")
    if setup.dice == DOUBLED and setup.beavers & 1 == 0:
        return state.handed(DOUBLED, cube)
    if setup.dice == TO_DOUBLE and not state.may_double():
        return state._replace(dice=TO_ROLL)
    return state


def finished(state: Any) -> Any:
    """The state of a finished game; in a match, the match must be over."""
    if state.dice > 0:
        raise ValueError("the game is over; remove the dice")
    if state.dice == DOUBLED:
        raise ValueError("the game is over: nobody can double")
    if state.MATCH and not state.terminal():
        raise ValueError("the game is over, but not the match: write the next game's opening")
    return state if state.dice == DROPPED else state._replace(dice=TO_ROLL)


def check_checkers(cls: Any, setup: Setup) -> None:
    """Reject impossible checkers: too many, both sides on one point, or a winner on roll."""
    own, opp = setup.own, setup.opp
    for side in (own, opp):
        if total(side) > cls.CHECKERS:
            raise ValueError(f"a side has {total(side)} checkers; the maximum is {cls.CHECKERS}")
    for point in range(1, BAR):
        if number(own, point) and number(opp, BAR - point):
            raise ValueError(f"both sides have checkers on point {point} of the side on roll")
    if not total(own):
        raise ValueError("the side on roll has no checkers: the other was on roll when the game ended")


def check_cube(cls: Any, setup: Setup) -> None:
    """Reject an impossible cube or score."""
    value, owner, score = setup.value, setup.owner, setup.score
    if value < 1 or value & (value - 1):
        raise ValueError(f"the cube cannot be at {value}: expected a power of 2")
    if cls.HIGHEST == 1 and (value > 1 or setup.dice in (DOUBLED, DROPPED)):
        raise ValueError(f"this game is played without a cube; {CURE}")
    if value > cls.HIGHEST:
        raise ValueError(f"the cube goes up to {cls.HIGHEST} here, not to {value}")
    if (value > 1) != (owner != CENTRED):
        whose = "a cube of 1 has no owner" if value == 1 else f"a cube of {value} has an owner: say X or O"
        raise ValueError(whose)
    if cls.BARE and any(score):
        raise ValueError(f"a single game without a cube has no score; {CURE}")
    check_offer(cls, setup)
    check_crawford(cls, setup)


def check_offer(cls: Any, setup: Setup) -> None:
    """Reject illegal doubles and beavers."""
    if setup.dice != DOUBLED:
        if setup.beavers:
            raise ValueError("a beaver answers a double")
        return
    offered = 2 * setup.value
    if setup.beavers:
        if cls.MATCH or setup.beavers > cls.BEAVERS or setup.owner != 1 - setup.on_roll:
            raise ValueError("this double may not be beavered")
    elif not cls(
        turn=setup.on_roll, cube=packed(setup.value, setup.owner, setup.score, setup.crawford)
    ).may_double():
        raise ValueError(f"{NAMES[setup.on_roll]} may not double to {offered} here")
    if offered > cls.HIGHEST:
        raise ValueError(f"the cube goes up to {cls.HIGHEST} here, not to {offered}")


def check_crawford(cls: Any, setup: Setup) -> None:
    """Reject an impossible Crawford game."""
    if not setup.crawford:
        return
    if not cls.MATCH or not cls.CRAWFORD:
        raise ValueError(f"there is no Crawford game here; {CURE}")
    near = [points == cls.MATCH - 1 for points in setup.score]
    if sum(near) != 1:
        raise ValueError("in the Crawford game one side is one point away from the match, the other is not")
    if setup.value > 1:
        raise ValueError("nobody may double in the Crawford game: the cube must be at 1")
