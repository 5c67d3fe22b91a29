"""A position in a line: `4HPwATDgc/ABMA X 31 cube 2 O score 3-1 crawford`.

The Position ID is seen from the side on roll, which is named next: X or O. Then comes the roll or that side's action:
`rolls` (though it might double), `doubles`, `beavered 1` (its double was), `drops`. Anything omitted is as at the
start: the cube at 1 in the middle, no points, not the Crawford game. `opening` stands for the first roll.
"""

import re
from collections.abc import Callable
from typing import Any

from outplay.games.backgammon.cube import CENTRED, DOUBLED, DROPPED, OPENING, TO_DOUBLE, TO_ROLL
from outplay.games.backgammon.ids import position_id, read_gnubg_id, read_id
from outplay.games.backgammon.rules import Rules, class_for
from outplay.games.backgammon.setup import NAMES, Setup, build, setup_of
from outplay.games.backgammon.xgid import PREFIX, read_xgid

BEGINNING = "opening"
PHASES = {"rolls": TO_ROLL, "doubles": DOUBLED, "drops": DROPPED}
LINE = re.compile(
    rf"(?P<id>\S+)"
    rf"(?:\s+(?P<opening>{BEGINNING})|(?:\s+(?P<side>[XO])"
    rf"(?:\s+(?:(?P<dice>[1-6][1-6])|(?P<phase>{'|'.join(PHASES)})|beavered\s+(?P<beavers>[123])))?)?)"
    r"(?:\s+cube\s+(?P<value>\d{1,5})(?:\s+(?P<owner>[XO]))?)?"
    r"(?:\s+score\s+(?P<x>\d{1,4})-(?P<o>\d{1,4}))?(?:\s+(?P<crawford>crawford))?"
)


def write(state: Any) -> str:
    """A state as one line."""
    told = setup_of(state)
    words = [position_id(told.own, told.opp)]
    words += [BEGINNING] if told.dice == OPENING else [NAMES[told.on_roll], *phase_text(state, told)]
    if told.owner != CENTRED:
        words += ["cube", str(told.value), NAMES[told.owner]]
    if any(told.score):
        words += ["score", f"{told.score[0]}-{told.score[1]}"]
    return " ".join(words + ["crawford"] * told.crawford)


def phase_text(state: Any, told: Setup) -> list[str]:
    """The roll, or the action of the side on roll; nothing if it is to roll or may double."""
    if told.dice > 0:
        return [f"{told.dice >> 3}{told.dice & 7}"]
    if told.beavers:
        return ["beavered", str(told.beavers)]
    if told.dice == TO_ROLL and not (state.may_double() and not state.terminal()):
        return []
    return [word for word, phase in PHASES.items() if phase == told.dice]


def read(cls: Any, text: str) -> Any:
    """The state for a line, a GNUbg ID or an XGID; the latter two also include the rules."""
    told = text.strip()
    if told.upper().startswith(PREFIX):
        return read_by(read_xgid, cls, PREFIX + told[len(PREFIX) :], text)
    if re.fullmatch(r"\S+:\S+", told):
        return read_by(read_gnubg_id, cls, told, text)
    return read_line(cls, told, text)


def read_by(reader: Callable[[str], tuple[Setup, Rules]], cls: Any, told: str, text: str) -> Any:
    """The state found by a reader, of the class for its rules."""
    try:
        setup, rules = reader(told)
        return build(class_for(cls, rules, setup.value), setup)
    except ValueError as error:
        raise ValueError(explained(text, error)) from None


def explained(text: str, error: ValueError) -> str:
    """An error message that quotes the text."""
    return str(error) if str(error)[:1] in "'\"" else f"{text[:100]!r}: {error}"


def read_line(cls: Any, told: str, text: str) -> Any:
    """The inverse of write."""
    match = LINE.fullmatch(told)
    if not match:
        raise ValueError(
            f"not a position of backgammon: {text[:100]!r}; write a Position ID, the side on roll and the dice, "
            "as in 4HPwATDgc/ABMA X 31; a GNUbg ID; or an XGID"
        )
    own, opp = read_id(match["id"])
    dice = PHASES.get(match["phase"], DOUBLED if match["beavers"] else TO_DOUBLE)
    if match["opening"]:
        dice = OPENING
    elif match["dice"]:
        high, low = sorted(map(int, match["dice"]), reverse=True)
        dice = 8 * high + low
    setup = Setup(
        own,
        opp,
        NAMES.index(match["side"] or "X"),
        dice,
        int(match["value"] or 1),
        NAMES.index(match["owner"]) if match["owner"] else CENTRED,
        (int(match["x"] or 0), int(match["o"] or 0)),
        bool(match["crawford"]),
        int(match["beavers"] or 0),
    )
    try:
        return build(cls, setup)
    except ValueError as error:
        raise ValueError(explained(text, error)) from None
