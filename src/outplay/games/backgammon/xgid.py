"""XGIDs, eXtreme Gammon's notation: `XGID=-b----E-C---eE---c-e----B-:0:0:1:31:2:1:0:5:10`.

The board is seen from X, at the bottom: O's bar, points 1 to 24, X's bar; capitals are X's checkers (A is one),
small letters O's. Then, between colons: the cube as a power of 2, its owner (1 X, -1 O, 0 nobody), the side on roll
(1 X, -1 O), the dice (00 before the roll, D after a double, B after a beaver, R after a raccoon), X's points, O's
points, the Crawford game (in a money game 1 for Jacoby plus 2 for beavers), the match length, and the cube's limit
as a power of 2. Until a double is answered, the cube has its old value.
"""

import re
import string
from typing import Any

from outplay.games.backgammon.cube import CENTRED, DOUBLED, DROPPED, OPENING, TO_DOUBLE
from outplay.games.backgammon.ids import side_of
from outplay.games.backgammon.rules import USUAL_CUBE, Rules
from outplay.games.backgammon.setup import Setup, setup_of
from outplay.games.backgammon.side import BAR, Side, number

PREFIX = "XGID="
FORM = re.compile(
    r"(?P<board>[-A-Pa-p]{26}):(?P<cube>\d{1,2}):(?P<owner>-1|0|1):(?P<turn>-1|1):(?P<dice>[0-6][0-6]|[DBR])"
    r":(?P<x>\d{1,4}):(?P<o>\d{1,4}):(?P<flag>[0-3]):(?P<match>\d{1,3}):(?P<most>\d{1,2})"
)
OFFERS = "DBR"  # a double, a beaver, a raccoon
SIGNS = {0: 1, 1: -1, CENTRED: 0}  # of X, O and nobody


def write_xgid(state: Any) -> str:
    """The XGID of a state; a ValueError if it has none."""
    told, cls = setup_of(state), type(state)
    if told.dice == OPENING or told.dice == DROPPED or state.terminal():
        raise ValueError("an XGID needs a side on roll, before the end of the game")
    sides = (told.own, told.opp) if told.on_roll == 0 else (told.opp, told.own)
    dice = f"{max(told.dice, 0) >> 3}{max(told.dice, 0) & 7}"
    value, owner = told.value, told.owner
    if told.dice == DOUBLED:
        if told.beavers >= len(OFFERS):
            raise ValueError("an XGID can express a double, a beaver and a raccoon, but no further turn")
        dice = OFFERS[told.beavers]
        value >>= told.beavers
        owner = CENTRED if value == 1 else told.on_roll
    flag = int(told.crawford) if cls.MATCH else cls.JACOBY + 2 * (cls.BEAVERS > 0)
    fields = (
        write_board(*sides), value.bit_length() - 1, SIGNS[owner], SIGNS[told.on_roll], dice, *told.score, flag,
        cls.MATCH, cls.HIGHEST.bit_length() - 1,
    )  # fmt: skip
    return PREFIX + ":".join(map(str, fields))


def write_board(x: Side, o: Side) -> str:
    """The 26 letters of a board."""
    letters = ["-"] * (BAR + 1)
    for point in range(1, BAR + 1):
        if count := number(x, point):
            letters[point] = string.ascii_uppercase[count - 1]
        if count := number(o, point):
            letters[BAR - point] = string.ascii_lowercase[count - 1]
    return "".join(letters)


def read_xgid(text: str) -> tuple[Setup, Rules]:
    """The position and the rules that an XGID encodes."""
    match = FORM.fullmatch(text.removeprefix(PREFIX))
    if not match:
        raise ValueError(
            f"{text[:100]!r} is not an XGID: expected ten fields, as in "
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:5:10"
        )
    sides = read_board(match["board"])
    turn = 0 if match["turn"] == "1" else 1
    value, owner = 1 << int(match["cube"]), {1: 0, -1: 1, 0: CENTRED}[int(match["owner"])]
    beavers = max(OFFERS.find(match["dice"]), 0)
    if beavers:
        value, owner = value << beavers, 1 - turn
    length, flag = int(match["match"]), int(match["flag"])
    if length and flag > 1:
        raise ValueError(f"{text[:100]!r}: in a match the eighth field is 1 in the Crawford game, else 0")
    score = int(match["x"]), int(match["o"])
    setup = Setup(
        sides[turn], sides[1 - turn], turn, read_dice(match["dice"], text), value, owner, score,
        bool(length and flag), beavers,
    )  # fmt: skip
    return setup, Rules(length, flag & 1, max(flag >> 1, beavers), min(USUAL_CUBE, 1 << int(match["most"])))


def read_board(letters: str) -> tuple[Side, Side]:
    """X's checkers and O's."""
    if letters[0].isupper() or letters[BAR].islower():
        raise ValueError(f"{letters!r}: the first place is O's bar, the last one X's")
    x = [string.ascii_uppercase.find(letters[point]) + 1 for point in range(1, BAR + 1)]
    o = [string.ascii_lowercase.find(letters[BAR - point]) + 1 for point in range(1, BAR + 1)]
    return side_of(x), side_of(o)


def read_dice(dice: str, text: str) -> int:
    """The dice, or the phase."""
    if dice in OFFERS:
        return DOUBLED
    if dice == "00":
        return TO_DOUBLE
    if "0" in dice:
        raise ValueError(f"{text[:100]!r} has one die: expected two, or 00")
    high, low = sorted(map(int, dice), reverse=True)
    return 8 * high + low
