"""FEN, the text of a chess position, read strictly: impossible positions are rejected with the reason.

    rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1
    pieces, rank 8 first                           |  |   | |  number of the move, from 1
              White (w) or Black (b) to move ---+  |   | +- plies since a capture or a pawn move
                                castling rights ---+   +- the en passant square, which a pawn has just passed

Castling rights are letters of the rooks: K and k for the right-most, Q and q for the left-most, or the rook's file
(X-FEN and Shredder-FEN, for Chess960). Not every impossible position is found, which is a research field of its
own; the checks are in the functions below.
"""

import contextlib
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from outplay.games.chess.attacks import (
    FILE_A,
    KNIGHT,
    LIGHT,
    RANK_1,
    RANK_6,
    RANK_8,
    bishop,
    by_pawns_down,
    by_pawns_up,
    rook,
)
from outplay.words import bits, bswap, lsb, popcount, wrap

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess

KINDS = "PNBRQK"
COLOURS = ("White", "Black")
START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
LONGEST_CLOCK, LONGEST_GAME = 9_999, 99_999  # far more than any game has had


class Pieces(NamedTuple):
    """The pieces: a bitboard for each letter, White's first rank lowest."""

    sets: dict[str, int]

    def of(self, colour: int, kinds: str = KINDS) -> int:
        """The pieces of these kinds that White (0) or Black (1) has."""
        return sum(self.sets[letter if colour == 0 else letter.lower()] for letter in kinds)

    def both(self, kinds: str) -> int:
        return self.of(0, kinds) | self.of(1, kinds)


def square_name(square: int) -> str:
    return "abcdefgh"[square & 7] + str((square >> 3) + 1)


# --- reading --------------------------------------------------------------------------------------------


def read(text: str) -> tuple[int, ...]:
    """The fields of the state that a FEN describes."""
    parts = text.split()
    if not 4 <= len(parts) <= 6:
        _refuse(f"{_short(text)} has {len(parts)} part{'s' * (len(parts) != 1)}, not 6; write it as {START}")
    pieces = _pieces(parts[0])
    if parts[1] not in ("w", "b"):
        _refuse(f"the player to move is w or b, not {_short(parts[1])}")
    turn = "wb".index(parts[1])
    _check_pieces(pieces)
    _check_kings(pieces, turn)
    rights = _rights(pieces, parts[2])
    passed = _passed(pieces, turn, parts[3])
    _check_checks(pieces, turn, passed)
    clock = _number(parts[4], 0, LONGEST_CLOCK, "plies since a capture or pawn move") if len(parts) > 4 else 0
    number = _number(parts[5], 1, LONGEST_GAME, "number of the move") if len(parts) > 5 else 1
    if passed and clock:
        _refuse(f"a pawn has just jumped over {parts[3]}: the plies since a pawn move are 0, not {clock}")
    if passed and not _can_take(pieces, turn, passed):
        passed = 0
    return _fields(pieces, turn, rights | passed, clock, 2 * (number - 1) + turn)


def _fields(pieces: Pieces, turn: int, special: int, clock: int, ply: int) -> tuple[int, ...]:
    boards = (
        pieces.of(turn),
        pieces.of(1 - turn),
        pieces.both("P"),
        pieces.both("N"),
        pieces.both("BQ"),
        pieces.both("RQ"),
        pieces.both("K"),
        special,
    )
    return (*(bswap(board) if turn else wrap(board) for board in boards), clock, ply)


def _refuse(reason: str) -> NoReturn:
    raise ValueError(f"not a chess position: {reason}")


def _short(text: str) -> str:
    return repr(text if len(text) <= 90 else text[:87] + "...")


def _pieces(text: str) -> Pieces:
    ranks = text.split("/")
    if len(ranks) != 8:
        _refuse(f"{_short(text)} has {len(ranks)} ranks, not 8")
    sets = dict.fromkeys(KINDS + KINDS.lower(), 0)
    for row, rank in enumerate(ranks):
        square, end = 56 - 8 * row, 64 - 8 * row
        for letter in rank:
            if letter in sets and square < end:
                sets[letter] |= 1 << square
            elif letter not in sets and letter not in "12345678":
                _refuse(
                    f"{letter!r} is not a piece: PNBRQK are White's, pnbrqk Black's, 1 to 8 empty squares"
                )
            square += int(letter) if letter.isdigit() else 1
        if square != end or re.search(r"\d\d", rank):
            _refuse(f"{_short(rank)} does not describe 8 squares")
    return Pieces(sets)


def _check_pieces(pieces: Pieces) -> None:
    """Check kings, pawns and the numbers of pieces: each promoted piece replaces a pawn."""
    if pieces.both("P") & (RANK_1 | RANK_8):
        square = lsb(pieces.both("P") & (RANK_1 | RANK_8))
        _refuse(f"no pawn can stand on the first or last rank, as on {square_name(square)}")
    for colour, name in enumerate(COLOURS):
        kings, total, pawns = (popcount(pieces.of(colour, kinds)) for kinds in ("K", KINDS, "P"))
        if kings != 1:
            _refuse(f"{name} has one king, not {kings}")
        if total > 16:
            _refuse(f"{name} has at most 16 pieces, not {total}")
        if pawns > 8:
            _refuse(f"{name} has at most 8 pawns, not {pawns}")
        bishops = pieces.of(colour, "B")
        extra = sum(
            max(0, popcount(found) - limit)
            for found, limit in (
                (pieces.of(colour, "N"), 2),
                (bishops & LIGHT, 1),
                (bishops & ~LIGHT, 1),
                (pieces.of(colour, "R"), 2),
                (pieces.of(colour, "Q"), 1),
            )
        )
        if extra > 8 - pawns:
            _refuse(f"{name} has {extra} promoted pieces and {pawns} pawns: together at most 8")


def _attackers(pieces: Pieces, square: int, by: int, occupied: int) -> int:
    """The pieces of a colour, except the king, that attack a square."""
    behind = by_pawns_down(1 << square) if by == 0 else by_pawns_up(1 << square)
    return (
        behind & pieces.of(by, "P")
        | KNIGHT[square] & pieces.of(by, "N")
        | bishop(square, occupied) & pieces.of(by, "BQ")
        | rook(square, occupied) & pieces.of(by, "RQ")
    ) & (1 << 64) - 1


def _check_kings(pieces: Pieces, turn: int) -> None:
    """Check that the side that has just moved is not in check, not even from a king."""
    there, here = lsb(pieces.of(1 - turn, "K")), lsb(pieces.of(turn, "K"))
    if max(abs(there % 8 - here % 8), abs(there // 8 - here // 8)) == 1:
        _refuse(f"the kings stand side by side, on {square_name(here)} and {square_name(there)}")
    if _attackers(pieces, there, turn, pieces.both(KINDS)):
        _refuse(f"{COLOURS[1 - turn]} is in check on {square_name(there)}, but {COLOURS[turn]} is to move")


def _check_checks(pieces: Pieces, turn: int, passed: int) -> None:
    """Check that one move can have given all checks: at most two, one of them discovered.

    Checks from both ends of a line, which no move can give, are accepted, since a standard perft position has them.
    """
    k = lsb(pieces.of(turn, "K"))
    occupied = pieces.both(KINDS)
    checkers = list(bits(_attackers(pieces, k, 1 - turn, occupied)))
    shown = " ".join(map(square_name, checkers))
    name = COLOURS[turn]
    if len(checkers) > 2:
        _refuse(f"{name} is in check from {shown}; a move gives at most two checks")
    if len(checkers) == 2 and all(pieces.of(1 - turn, "PN") >> checker & 1 for checker in checkers):
        _refuse(f"{name} is in check from {shown}, neither of which can have been uncovered")
    if passed:
        jumper, origin = (passed << 8, passed >> 8) if turn else (passed >> 8, passed << 8)
        if _attackers(pieces, k, 1 - turn, occupied ^ jumper ^ origin) & ~jumper:
            _refuse(f"{name} was in check before the pawn jumped to {square_name(lsb(jumper))}")


def _rights(pieces: Pieces, text: str) -> int:
    """The rooks with castling rights."""
    if text == "-":
        return 0
    if not re.fullmatch(r"[A-HKQ]{0,2}[a-hkq]{0,2}", text) or len(set(text)) != len(text):
        _refuse(f"rights to castle are letters of KQkq or the rooks' files, or -; not {_short(text)}")
    found = 0
    for letter in text:
        colour = int(letter.islower())
        square = _castling_rook(pieces, colour, letter)
        if found >> square & 1:
            _refuse(f"the right to castle with {square_name(square)} is given twice")
        found |= 1 << square
    for colour, rank in enumerate((RANK_1, RANK_8)):
        rooks = list(bits(found & rank))
        king = lsb(pieces.of(colour, "K"))
        if len(rooks) == 2 and not rooks[0] < king < rooks[1]:
            _refuse(f"{COLOURS[colour]} castles with one rook on each side of the king, not {text!r}")
    return found


def _castling_rook(pieces: Pieces, colour: int, letter: str) -> int:
    name, rank = COLOURS[colour], (RANK_1, RANK_8)[colour]
    king = pieces.of(colour, "K") & rank
    if not king:
        _refuse(f"{name} cannot castle ({letter}): the king is not on its first rank")
    if king & (FILE_A | FILE_A << 7):
        _refuse(f"{name} cannot castle ({letter}): the king stands in a corner, so it has moved")
    rooks = pieces.of(colour, "R") & rank
    kind = letter.upper()
    if kind == "K":
        outer = rooks & ~(king - 1 | king)
        square = outer.bit_length() - 1
    elif kind == "Q":
        outer = rooks & (king - 1)
        square = (outer & -outer).bit_length() - 1
    else:
        outer = rooks & FILE_A << "ABCDEFGH".index(kind)
        square = outer.bit_length() - 1
    if not outer:
        _refuse(f"{name} cannot castle ({letter}): it has no rook for it on its first rank")
    return square


def _passed(pieces: Pieces, turn: int, text: str) -> int:
    """The en passant square: it and the pawn's origin are empty, the pawn stands beyond."""
    if text == "-":
        return 0
    rank = "63"[turn]
    if not re.fullmatch(f"[a-h]{rank}", text):
        _refuse(
            f"the square of en passant is on rank {rank} when {COLOURS[turn]} is to move, or - for none; "
            f"not {_short(text)}"
        )
    passed = 1 << "abcdefgh".index(text[0]) + 8 * (int(rank) - 1)
    jumper, origin = (passed << 8, passed >> 8) if turn else (passed >> 8, passed << 8)
    if not jumper & pieces.of(1 - turn, "P"):
        _refuse(f"no pawn on {square_name(lsb(jumper))} can have jumped over {text}")
    if (passed | origin) & pieces.both(KINDS):
        _refuse(f"no pawn can have jumped: {text} and the square behind it are not both empty")
    return passed


def _can_take(pieces: Pieces, turn: int, passed: int) -> bool:
    """Whether an en passant capture is legal: only then is the square part of the position."""
    victim = passed << 8 if turn else passed >> 8
    k = lsb(pieces.of(turn, "K"))
    takers = (by_pawns_up(passed) if turn else by_pawns_down(passed)) & pieces.of(turn, "P")
    return any(
        not _attackers(pieces, k, 1 - turn, pieces.both(KINDS) ^ 1 << taker ^ passed ^ victim) & ~victim
        for taker in bits(takers)
    )


def _number(text: str, least: int, most: int, what: str) -> int:
    if not re.fullmatch(r"[0-9]{1,6}", text) or not least <= int(text) <= most:
        _refuse(f"the {what} is a whole number from {least} to {most}, not {_short(text)}")
    return int(text)


# --- writing --------------------------------------------------------------------------------------------


def rows(state: "Chess") -> list[str]:
    """The board from White's view, rank 8 first; a space is an empty square."""
    cells = [" "] * 64
    turn = state.ply & 1
    sets = (state.pawns, state.knights, state.bishops(), state.rooks(), state.queens(), state.kings)
    for letter, squares in zip(KINDS, sets, strict=True):
        for square in bits(squares):
            white = state.own >> square & 1 != turn
            cells[square ^ 56 * turn] = letter if white else letter.lower()
    return ["".join(cells[8 * rank : 8 * rank + 8]) for rank in range(7, -1, -1)]


def write(state: "Chess", shredder: bool = False) -> str:
    """FEN; with `shredder` castling rights are always the rooks' files."""
    pieces = "/".join(re.sub(" +", lambda gap: str(len(gap[0])), row) for row in rows(state))
    turn = state.ply & 1
    special = bswap(state.special) if turn else state.special
    passed = special & (RANK_6 | RANK_6 >> 24)
    square = square_name(lsb(passed)) if passed else "-"
    rights = _rights_text(state, special, shredder) or "-"
    return f"{pieces} {'wb'[turn]} {rights} {square} {state.clock} {state.ply // 2 + 1}"


def write_rows(rows: Sequence[str], turn: int, words: Sequence[str]) -> str:
    """FEN of an edited board; `words` are those of the FEN before editing."""
    pieces = "/".join(re.sub(" +", lambda gap: str(len(gap[0])), row) for row in rows)
    rights = ""
    with contextlib.suppress(ValueError):  # without one king each: `read` reports it
        found = _pieces(pieces)
        _check_pieces(found)
        for letter in words[2].strip("-"):
            with contextlib.suppress(ValueError):
                _castling_rook(found, int(letter.islower()), letter)
                rights += letter
    return f"{pieces} {'wb'[turn]} {rights or '-'} - 0 {words[5]}"


def _rights_text(state: "Chess", special: int, shredder: bool) -> str:
    turn = state.ply & 1
    rooks, kings = state.rooks(), state.kings
    own, opp = state.own, state.opp
    if turn:
        rooks, kings, own, opp = bswap(rooks), bswap(kings), bswap(opp), bswap(own)
    text = ""
    for side, rank, case in ((own, RANK_1, str.upper), (opp, RANK_8, str.lower)):
        king = kings & side & rank
        for square in sorted(bits(special & rank), reverse=True):
            right = 1 << square > king
            outer = rooks & side & rank & (~(2 << square) + 1 if right else (1 << square) - 1)
            usual = not outer and not shredder
            text += case(("K" if right else "Q") if usual else "abcdefgh"[square & 7])
    return text
