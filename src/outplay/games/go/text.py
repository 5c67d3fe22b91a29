"""Points and positions as text: the coordinates of GTP, `E5`, and rows of `X`, `O` and `.`."""

import re
from typing import TYPE_CHECKING, Any

from outplay.words import MASK

if TYPE_CHECKING:
    from outplay.games.go.points import Points
    from outplay.games.go.position import Go

FILES = "ABCDEFGHJKLMNOPQRST"  # there is no I
PASS, PASSES = "pass", "pass-pass"
NONE = "-"


def point_text(point: int, side: int) -> str:
    """`A1` is the lower left corner."""
    return f"{FILES[point % side]}{point // side + 1}"


def read_point(text: str, side: int) -> int:
    """The point with this name; raises a ValueError if the board has none."""
    found = re.fullmatch(r"([A-HJ-T])(\d{1,2})", text.strip().upper())
    if found:
        column, row = FILES.index(found[1]), int(found[2]) - 1
        if column < side and 0 <= row < side:
            return side * row + column
    raise ValueError(
        f"{text.strip()!r} is not a point of the board: A1 to {point_text(side * side - 1, side)}"
    )


def members(points: "Points") -> int:
    """A set of points as one long int."""
    return sum((word & MASK) << 64 * i for i, word in enumerate(points))


def rows(state: "Go") -> tuple[str, ...]:
    """The board, its top row first: X is Black's stone, O White's."""
    own, opp = members(state.own), members(state.opp)
    black, white = (own, opp) if state.player() == 0 else (opp, own)
    symbols = [
        "X" if black >> point & 1 else "O" if white >> point & 1 else "." for point in range(state.POINTS)
    ]
    lines = ["".join(symbols[at : at + state.SIZE]) for at in range(0, state.POINTS, state.SIZE)]
    return tuple(reversed(lines))


def write(state: "Go") -> str:
    """The rows from the top, the player to move, the ko point, the last move, and the number of moves made."""
    last = PASSES if state.passes >= 2 else state.action_text(state.last) if state.last >= 0 else NONE
    ko = state.action_text(state.ko) if state.ko >= 0 else NONE
    return f"{'/'.join(rows(state))} {'XO'[state.player()]} {ko} {last} {state.ply}"


def read(cls: Any, text: str) -> "Go":
    """The state that `write` wrote; everything after the player to move is optional."""
    board, mover, *rest = (*text.split(), "", "")[: max(2, len(text.split()))]
    lines = board.upper().split("/")
    if len(lines) != cls.SIZE or any(len(line) != cls.SIZE or set(line) - set("XO.") for line in lines):
        raise ValueError(
            f"not a position of Go: {text!r}; write {cls.SIZE} rows of {cls.SIZE} points from the top, each X, O "
            "or ., with / between them, then X or O to move"
        )
    if mover.upper() not in ("X", "O") or len(rest) > 3:
        raise ValueError(
            f"not a position of Go: {text!r}; after the board write X or O to move, the ko point or -, the "
            "last move or -, the number of moves"
        )
    turn = "XO".index(mover.upper())
    ko, last, ply = (*rest, *(NONE, NONE, str(turn))[len(rest) :])
    if not ply.isdecimal() or int(ply) % 2 != turn or int(ply) >= 1 << 32:
        wanted = ("even", "odd")[turn]
        raise ValueError(f"after {ply!r} moves {mover} is not to move: the number must be {wanted}")
    joined = "".join(reversed(lines))
    black, white = (sum(1 << i for i, symbol in enumerate(joined) if symbol == side) for side in "XO")
    own, opp = (black, white) if turn == 0 else (white, black)
    passes = {PASS: 1, PASSES: 2}.get(last.lower(), 0)
    state = cls(
        cls.points_of(own),
        cls.points_of(opp),
        -1 if ko == NONE else read_point(ko, cls.SIZE),
        cls.PASS if passes else -1 if last == NONE else read_point(last, cls.SIZE),
        passes,
        int(ply),
    )
    return checked(state, text)


def checked(state: "Go", text: str) -> "Go":
    """The state, checked for impossible positions."""
    empty = state.empty()
    for stones in (state.own, state.opp):
        if state.reached(stones, empty) != stones:
            raise ValueError(f"impossible: stones without a liberty in {text!r}")
    if state.ko >= 0 and not members(empty) >> state.ko & 1:
        raise ValueError(f"impossible: a stone is on the ko point in {text!r}")
    return state
