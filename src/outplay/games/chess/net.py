"""A small neural network: what the named terms of the evaluation miss.

It is of the kind that Yu Nasu brought to shogi in 2018 (NNUE). For each kind of man, own and opposing, on each
square there is a row of 32 numbers. The rows of all men on the board are added: 32 hidden units. That is done twice,
as each side sees the board, its king always on the files a to d. A unit x counts w x^2, x being held between 0 and 1:

    net(s) = bias + sum over both sides and 32 units of  w * clip(row + row + ...)^2

The trick: a row is eight words of four 16-bit lanes, so one addition adds four numbers. No lane may become negative,
or its borrow would reach the next: every number is stored with OFFSET added, and OFFSET times the number of men is
taken away at the end. With at most 32 men and numbers below OFFSET no lane overflows either.

`net.bin` holds 16-bit numbers: 12 x 64 rows (the mover's pawn, knight, bishop, rook, king, queen, then the other
side's, each for a1 to h8), 2 x 32 weights of the units, the bias. `bench.chess_net` trains it to what the terms leave
unexplained of scores that a strong engine gives.
"""

import sys
from array import array
from pathlib import Path
from typing import TYPE_CHECKING

from outplay.bits import bits, lsb, popcount, shr, wrap

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess

UNITS = 32
OFFSET = 1024
ONE = 255  # a unit's 1
POINT = 64  # a weight's hundredth of a pawn


def _numbers() -> list[int]:
    """The 16-bit numbers of net.bin, which are little-endian."""
    numbers = array("h", Path(__file__).with_name("net.bin").read_bytes())
    if sys.byteorder == "big":
        numbers.byteswap()
    return numbers.tolist()


def _word(four: list[int]) -> int:
    """Four numbers in the lanes of a word."""
    return wrap(sum(OFFSET + number << 16 * lane for lane, number in enumerate(four)))


_READ = _numbers()
_WEIGHTS_AT = 12 * 64 * UNITS
ROWS = tuple(_word(_READ[at : at + 4]) for at in range(0, _WEIGHTS_AT, 4))
WEIGHTS = tuple(weight for lane in range(4) for weight in _READ[_WEIGHTS_AT + lane : -1 : 4])
BIAS = _READ[-1]


def net(position: "Chess") -> int:
    """What the player to move may add to the terms, in hundredths of a pawn."""
    own, kings = position.own, position.kings
    knights, diagonal, straight = position.knights, position.diagonal, position.straight
    men = own | position.opp
    mirror = 7 if lsb(kings & own) & 4 else 0
    other_mirror = 63 if lsb(kings & position.opp) & 4 else 56
    # both sides' units, four in each word, written out since compiled code has no lists
    a0 = a1 = a2 = a3 = a4 = a5 = a6 = a7 = 0
    b0 = b1 = b2 = b3 = b4 = b5 = b6 = b7 = 0
    for square in bits(men):
        kind = (shr(knights, square) & 1) + 2 * (shr(diagonal, square) & 1)
        kind += 3 * (shr(straight, square) & 1) + 4 * (shr(kings, square) & 1)
        side = 6 * (shr(own, square) & 1)
        row = ((kind + 6 - side) * 64 + (square ^ mirror)) * 8
        a0 += ROWS[row]
        a1 += ROWS[row + 1]
        a2 += ROWS[row + 2]
        a3 += ROWS[row + 3]
        a4 += ROWS[row + 4]
        a5 += ROWS[row + 5]
        a6 += ROWS[row + 6]
        a7 += ROWS[row + 7]
        row = ((kind + side) * 64 + (square ^ other_mirror)) * 8
        b0 += ROWS[row]
        b1 += ROWS[row + 1]
        b2 += ROWS[row + 2]
        b3 += ROWS[row + 3]
        b4 += ROWS[row + 4]
        b5 += ROWS[row + 5]
        b6 += ROWS[row + 6]
        b7 += ROWS[row + 7]
    base = OFFSET * popcount(men)
    total = units(a0, 0, base) + units(a1, 1, base) + units(a2, 2, base) + units(a3, 3, base)
    total += units(a4, 4, base) + units(a5, 5, base) + units(a6, 6, base) + units(a7, 7, base)
    total += units(b0, 8, base) + units(b1, 9, base) + units(b2, 10, base) + units(b3, 11, base)
    total += units(b4, 12, base) + units(b5, 13, base) + units(b6, 14, base) + units(b7, 15, base)
    return total // (ONE * ONE * POINT) + BIAS


def units(word: int, at: int, base: int) -> int:
    """What four units count; `at` is their word's number, `base` what was added to each lane."""
    first = min(max((word & 0xFFFF) - base, 0), ONE)
    second = min(max((shr(word, 16) & 0xFFFF) - base, 0), ONE)
    third = min(max((shr(word, 32) & 0xFFFF) - base, 0), ONE)
    fourth = min(max(shr(word, 48) - base, 0), ONE)
    total = WEIGHTS[at] * (first * first) + WEIGHTS[at + 16] * (second * second)
    return total + WEIGHTS[at + 32] * (third * third) + WEIGHTS[at + 48] * (fourth * fourth)
