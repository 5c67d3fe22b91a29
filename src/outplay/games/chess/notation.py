"""The notation of moves: SAN and UCI. python-chess helps with SAN, PGN and EPD.

It is imported on first use, and searches never need it.
"""

import functools
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import chess

    from outplay.games.chess.position import Chess

CASTLE = 3


def board(state: "Chess") -> "chess.Board":
    """The position as a python-chess board without history: a copy, on which moves may be played."""
    return _board(state).copy(stack=False)


@functools.lru_cache(maxsize=64)
def _board(state: "Chess") -> "chess.Board":
    import chess

    return chess.Board(str(state), chess960=not is_classic(state))


def is_classic(state: "Chess") -> bool:
    """Whether all castling rights are those of classical chess: e-file king, a- and h-file rooks."""
    rights = state.special & ~(0xFF << 40)
    rooks_of = lambda rank: rights >> rank & 0xFF  # noqa: E731
    return all(
        rooks_of(rank) & ~0x81 == 0 and (rooks_of(rank) == 0 or state.kings >> rank & 0x10)
        for rank in (0, 56)
    )


def square_name(state: "Chess", square: int) -> str:
    """The name of a square, given from the mover's view."""
    square ^= 56 * (state.ply & 1)
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


def uci(state: "Chess", action: int, chess960: bool = False) -> str:
    """The move in UCI notation: from, to, promotion."""
    start, stop, kind = action & 63, action >> 6 & 63, action >> 12
    if kind == CASTLE and not chess960 and is_classic(state):
        stop = 6 if stop > start else 2
    promotion = "nbrq"[kind - 8] if kind >= 8 else ""
    return square_name(state, start) + square_name(state, stop) + promotion


def san(state: "Chess", action: int) -> str:
    """Standard algebraic notation."""
    return board(state).san(move(state, action))


def move(state: "Chess", action: int) -> "chess.Move":
    """The action as a python-chess move."""
    import chess

    return chess.Move.from_uci(uci(state, action))


def action(state: "Chess", move: "chess.Move") -> int:
    """The legal action for a python-chess move, even if the position is drawn by the rules."""
    for legal in state.actions():
        if move.uci() in (uci(state, legal), uci(state, legal, chess960=True)):
            return legal
    raise ValueError(f"{move.uci()} is not a legal move at {state}")


def read_move(state: "Chess", text: str) -> int:
    """The legal action with this UCI or SAN notation; a ValueError lists the legal ones."""
    wanted = text.strip()
    legal = [] if state.terminal() else list(state.actions())
    by_squares = {uci(state, action, chess960): action for chess960 in (True, False) for action in legal}
    if wanted.lower() in by_squares:
        return by_squares[wanted.lower()]
    found = by_squares.get(_squares(state, wanted.rstrip("!?")))
    if found is not None:
        return found
    texts = {san(state, action): action for action in legal}
    folded = [action for written, action in texts.items() if written.lower() == wanted.lower()]
    if len(folded) == 1:
        return folded[0]
    shown = " ".join(list(texts)[:40]) + (" ..." if len(texts) > 40 else "")
    raise ValueError(f"{wanted!r} is not a legal move here; legal: {shown or 'none, the game is over'}")


def _squares(state: "Chess", text: str) -> str:
    """SAN as UCI; empty if it is not a legal move."""
    try:
        return board(state).parse_san(text).uci()
    except ValueError:
        return ""


def ending(state: Any) -> str:
    """How a finished game ended, in words."""
    if state.dead():
        return "draw: nobody can mate"
    if state.drawn():
        return "draw: fifty moves without a capture or a pawn move"
    if not state.forced():
        return "draw by stalemate"
    return f"{('White', 'Black')[1 - (state.ply & 1)]} wins by mate"
