"""The attacks of chess pieces, as bitboards.

A square is a number from 0 (a1) over 7 (h1) to 63 (h8); a bitboard has one bit per square.

    56 57 58 59 60 61 62 63    rank 8
    ...
     8  9 10 11 12 13 14 15    rank 2
     0  1  2  3  4  5  6  7    rank 1
     a  b  c  d  e  f  g  h

King and knight attacks come from tables. Sliders attack up to the first blocker: for a single slider
with hyperbola quintessence (Gerd Isenberg), a subtraction per direction of a line; for a set of sliders
at once with a parallel-prefix fill (Steffan Westcott's Kogge-Stone), which spreads in one direction by 1, 2 and 4
squares. Neither needs a large table or a branch. chessprogramming.org explains both.
"""

from collections.abc import Iterable

from outplay.words import bswap, popcount, shr

FILE_A = 0x0101010101010101
ALL = 0xFFFFFFFFFFFFFFFF
NOT_A, NOT_H = 0xFEFEFEFEFEFEFEFE, 0x7F7F7F7F7F7F7F7F  # all files but one
NOT_AB, NOT_GH = 0xFCFCFCFCFCFCFCFC, 0x3F3F3F3F3F3F3F3F
RANK_1, RANK_3, RANK_6, RANK_8 = 0xFF, 0xFF << 16, 0xFF << 40, 0xFF << 56
LIGHT, DARK = 0x55AA55AA55AA55AA, 0xAA55AA55AA55AA55  # the light and the dark squares

STRAIGHT_STEPS = ((1, 0), (0, 1), (-1, 0), (0, -1))
DIAGONAL_STEPS = ((1, 1), (-1, 1), (-1, -1), (1, -1))


def ray(square: int, file_step: int, rank_step: int, reach: int = 7) -> int:
    """The squares from here on in one direction, at most `reach` of them."""
    found = 0
    file, rank = square % 8 + file_step, square // 8 + rank_step
    while 0 <= file < 8 and 0 <= rank < 8 and reach:
        found |= 1 << 8 * rank + file
        file, rank, reach = file + file_step, rank + rank_step, reach - 1
    return found


def _each(steps: Iterable[tuple[int, int]], reach: int = 7) -> tuple[int, ...]:
    """For each square, its rays in these directions."""
    return tuple(sum(ray(square, *step, reach) for step in steps) for square in range(64))


KING = _each(STRAIGHT_STEPS + DIAGONAL_STEPS, 1)
KNIGHT = _each(((1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)), 1)
STRAIGHT_LINES = _each(STRAIGHT_STEPS)  # rook, bishop and queen attacks on an empty board
DIAGONAL_LINES = _each(DIAGONAL_STEPS)
LINES = _each(STRAIGHT_STEPS + DIAGONAL_STEPS)
FILE_OF = _each(((0, 1), (0, -1)))  # the other squares of its file, diagonal and anti-diagonal
DIAGONAL_OF = _each(((1, 1), (-1, -1)))
ANTIDIAGONAL_OF = _each(((1, -1), (-1, 1)))


def _between(a: int, b: int) -> int:
    """The squares strictly between two squares of a line; empty if no line joins them."""
    for file_step, rank_step in STRAIGHT_STEPS + DIAGONAL_STEPS:
        there = ray(a, file_step, rank_step)
        if there >> b & 1:
            return there & ray(b, -file_step, -rank_step)
    return 0


BETWEEN = tuple(tuple(_between(a, b) for b in range(64)) for a in range(64))


def _in_rank(file: int, occupied: int) -> int:
    """Rook attacks along a rank, given the eight squares of the rank."""
    east, west = ray(file, 1, 0), ray(file, -1, 0)
    blocked_east, blocked_west = east & occupied, west & occupied
    if blocked_east:
        east ^= ray((blocked_east & -blocked_east).bit_length() - 1, 1, 0)
    if blocked_west:
        west ^= ray(blocked_west.bit_length() - 1, -1, 0)
    return east | west


IN_RANK = tuple(_in_rank(file, inner << 1) for file in range(8) for inner in range(64))


def along(square: int, occupied: int, line: int) -> int:
    """A slider's attacks in both directions of a line, up to the first blocker.

    Subtracting 2s from the occupied squares o of the line, where s is the slider's bit, borrows from the next
    piece above: o ^ (o - 2s) are the attacks upward. Downward is the same on the flipped board.
    """
    pieces = occupied & line
    up = pieces - (2 << square)
    down = bswap(bswap(pieces) - (2 << (square ^ 56)))
    return (up ^ down) & line


def bishop(square: int, occupied: int) -> int:
    """Bishop attacks, including the first blocker in each direction."""
    return along(square, occupied, DIAGONAL_OF[square]) | along(square, occupied, ANTIDIAGONAL_OF[square])


def rook(square: int, occupied: int) -> int:
    """Rook attacks; along the rank from a table indexed by the six inner squares, since edge squares block nothing."""
    rank = square & 56
    in_rank = IN_RANK[(square & 7) << 6 | shr(occupied, rank + 1) & 63]
    return along(square, occupied, FILE_OF[square]) | in_rank << rank


# --- sets of pieces, all at once ---------------------------------------------------------------------------


def by_knights(pieces: int) -> int:
    """The union of these knights' attacks."""
    near = shr(pieces & NOT_A, 1) | (pieces & NOT_H) << 1
    far = shr(pieces & NOT_AB, 2) | (pieces & NOT_GH) << 2
    return near << 16 | shr(near, 16) | far << 8 | shr(far, 8)


def by_pawns_up(pieces: int) -> int:
    """The attacks of pawns that move up the board."""
    return (pieces & NOT_A) << 7 | (pieces & NOT_H) << 9


def by_pawns_down(pieces: int) -> int:
    """The attacks of pawns that move down the board."""
    return shr(pieces & NOT_A, 9) | shr(pieces & NOT_H, 7)


def upward(pieces: int, empty: int, step: int, room: int) -> int:
    """The sliders' attacks in a direction of increasing squares; `room` prevents wrapping at the board's edge."""
    empty = empty & room
    pieces |= empty & pieces << step
    empty &= empty << step
    pieces |= empty & pieces << 2 * step
    empty &= empty << 2 * step
    pieces |= empty & pieces << 4 * step
    return pieces << step & room


def downward(pieces: int, empty: int, step: int, room: int) -> int:
    """The sliders' attacks in a direction of decreasing squares."""
    empty = empty & room
    pieces |= empty & shr(pieces, step)
    empty &= shr(empty, step)
    pieces |= empty & shr(pieces, 2 * step)
    empty &= shr(empty, 2 * step)
    pieces |= empty & shr(pieces, 4 * step)
    return shr(pieces, step) & room


def by_sliders(diagonal: int, straight: int, empty: int) -> int:
    """The union of the attacks of bishops (and queens), and of rooks (and queens)."""
    return (
        upward(straight, empty, 8, ALL)
        | upward(straight, empty, 1, NOT_A)
        | upward(diagonal, empty, 9, NOT_A)
        | upward(diagonal, empty, 7, NOT_H)
        | downward(straight, empty, 8, ALL)
        | downward(straight, empty, 1, NOT_H)
        | downward(diagonal, empty, 9, NOT_H)
        | downward(diagonal, empty, 7, NOT_A)
    )


def slides(diagonal: int, straight: int, empty: int, goal: int) -> int:
    """The number of moves of these sliders that end on a goal.

    In one direction no two sliders attack the same square, since one would block the other.
    """
    return (
        popcount(upward(straight, empty, 8, ALL) & goal)
        + popcount(upward(straight, empty, 1, NOT_A) & goal)
        + popcount(upward(diagonal, empty, 9, NOT_A) & goal)
        + popcount(upward(diagonal, empty, 7, NOT_H) & goal)
        + popcount(downward(straight, empty, 8, ALL) & goal)
        + popcount(downward(straight, empty, 1, NOT_H) & goal)
        + popcount(downward(diagonal, empty, 9, NOT_H) & goal)
        + popcount(downward(diagonal, empty, 7, NOT_A) & goal)
    )
