"""Position IDs and Match IDs of GNU Backgammon.

A Position ID is 80 bits: for each point as many ones as it has checkers, then a zero; first the side that is not on
roll, each from its point 1 to the bar. Bits are counted from the lowest of each byte, bytes are written in base 64.

A Match ID is 67 bits in the same way, the fields of `MATCH_FIELDS` in order. Player 1 is X, who sits at the bottom,
player 0 is O. Both IDs with a colon between them are a GNUbg ID: a complete position, except that it does not show
whether a side that may double has decided to roll.
"""

import base64
import binascii
from typing import Any

from outplay.games.backgammon.cube import (
    CENTRED,
    DOUBLED,
    DROPPED,
    OPENING,
    TO_DOUBLE,
)
from outplay.games.backgammon.rules import Rules
from outplay.games.backgammon.setup import Setup, setup_of
from outplay.games.backgammon.side import BAR, Side, add, number

ID_LENGTH = 14  # of a Position ID in base 64
MATCH_LENGTH = 12  # of a Match ID
MATCH_FIELDS = {  # and their bits
    "cube": 4, "owner": 2, "on_roll": 1, "crawford": 1, "game": 3, "turn": 1, "doubled": 1, "resigned": 2,
    "die": 3, "other_die": 3, "match": 15, "o": 15, "x": 15, "no_jacoby": 1,
}  # fmt: skip
NO_GAME, PLAYING, OVER, RESIGNED, DROPPED_GAME = range(5)  # values of `game`
NOBODY = 3  # as an owner of the cube
HALF = 40  # the most bits of one side's checkers


def position_id(own: Side, opp: Side) -> str:
    """The Position ID of a board; `own` is on roll."""
    text = "".join("1" * number(side, p) + "0" for side in (opp, own) for p in range(1, BAR + 1))
    key = int(text.ljust(2 * HALF, "0")[::-1], 2)
    return base64.b64encode(key.to_bytes(10, "little")).decode()[:ID_LENGTH]


def read_id(text: str) -> tuple[Side, Side]:
    """The checkers of the side on roll, and of the other."""
    try:
        key = base64.b64decode(text + "==", validate=True)
    except binascii.Error:
        key = b""
    if len(key) != 10:
        raise ValueError(
            f"{text[:100]!r} is not a Position ID: expected {ID_LENGTH} characters, as in 4HPwATDgc/ABMA"
        )
    runs = "".join(f"{byte:08b}"[::-1] for byte in key).split("0")
    if len(runs) <= 2 * BAR or any(runs[2 * BAR :]):
        raise ValueError(f"{text!r} is not a Position ID: its bits do not encode fifteen checkers per side")
    counts = [len(run) for run in runs[: 2 * BAR]]
    return side_of(counts[BAR:]), side_of(counts[:BAR])


def side_of(counts: list[int]) -> Side:
    """A side from its numbers of checkers on points 1 to 24 and the bar."""
    if sum(counts) > 15:
        raise ValueError(f"a side has {sum(counts)} checkers; the maximum is 15")
    side: Side = (0, 0, 0, 0)
    for point, count in enumerate(counts, 1):
        for _ in range(count):
            side = add(side, point)
    return side


def match_id(state: Any) -> str:
    """The Match ID of a state."""
    told, cls = setup_of(state), type(state)
    game = {OPENING: NO_GAME, DROPPED: DROPPED_GAME}.get(state.dice, OVER if state.terminal() else PLAYING)
    values = {
        "cube": told.value.bit_length() - 1,
        "owner": NOBODY if told.owner == CENTRED else 1 - told.owner,
        "on_roll": 1 - told.on_roll,
        "crawford": told.crawford,
        "game": game,
        "turn": 1 - state.turn,
        "doubled": state.dice == DOUBLED,
        "die": max(told.dice, 0) >> 3,
        "other_die": max(told.dice, 0) & 7,
        "match": cls.MATCH,
        "o": told.score[1],
        "x": told.score[0],
        "no_jacoby": cls.MATCH > 0 or not cls.JACOBY,
    }
    key = shift = 0
    for name, bits in MATCH_FIELDS.items():
        key |= values.get(name, 0) << shift
        shift += bits
    return base64.b64encode(key.to_bytes(9, "little")).decode()


def gnubg_id(state: Any) -> str:
    """Position ID and Match ID, with a colon between them."""
    told = setup_of(state)
    return f"{position_id(told.own, told.opp)}:{match_id(state)}"


def read_gnubg_id(text: str) -> tuple[Setup, Rules]:
    """The position and the rules that a GNUbg ID encodes."""
    board, _, match = text.partition(":")
    own, opp = read_id(board)
    fields = match_fields(match)
    if fields["resigned"] or fields["game"] == RESIGNED:
        raise ValueError(f"{match!r}: a side resigns, so the position cannot be played")
    on_roll, turn, doubled = 1 - fields["on_roll"], 1 - fields["turn"], fields["doubled"]
    owner = CENTRED if fields["owner"] == NOBODY else 1 - fields["owner"]
    beavers = 0
    if doubled and turn == on_roll:
        beavers = 1
    elif doubled and owner == turn:
        beavers = 2
    elif not doubled and turn != on_roll and fields["game"] == PLAYING:
        raise ValueError(f"{match!r}: one side is on roll, the other is to act, and nobody has doubled")
    setup = Setup(
        own,
        opp,
        on_roll,
        phase(fields),
        1 << fields["cube"],
        owner,
        (fields["x"], fields["o"]),
        bool(fields["crawford"]),
        beavers,
    )
    return setup, Rules(fields["match"], 1 - fields["no_jacoby"], beavers or None)


def match_fields(text: str) -> dict[str, int]:
    """The fields of a Match ID."""
    try:
        key = base64.b64decode(text, validate=True)
    except binascii.Error:
        key = b""
    if len(text) != MATCH_LENGTH or len(key) != 9:
        raise ValueError(
            f"{text!r} is not a Match ID: expected {MATCH_LENGTH} characters, as in cAkAAAAAAAAE"
        )
    number, fields = int.from_bytes(key, "little"), {}
    for name, bits in MATCH_FIELDS.items():
        fields[name] = number & (1 << bits) - 1
        number >>= bits
    if fields["owner"] == 2 or fields["game"] > DROPPED_GAME or max(fields["die"], fields["other_die"]) > 6:
        raise ValueError(f"{text!r} is not a Match ID: its cube owner, phase or dice are impossible")
    if (fields["die"] == 0) != (fields["other_die"] == 0):
        raise ValueError(f"{text!r} has one die: expected two, or none")
    return fields


def phase(fields: dict[str, int]) -> int:
    """The dice of a Match ID, or the phase."""
    if fields["game"] == NO_GAME:
        return OPENING
    if fields["game"] == DROPPED_GAME:
        return DROPPED
    if fields["doubled"]:
        return DOUBLED
    high, low = sorted((fields["die"], fields["other_die"]), reverse=True)
    return 8 * high + low if high else TO_DOUBLE
