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
WEIGHTS = tuple(_READ[_WEIGHTS_AT:-1])
BIAS = _READ[-1]


def net(position: "Chess") -> int:
    """What the player to move may add to the terms, in hundredths of a pawn."""
    own, kings = position.own, position.kings
    knights, diagonal, straight = position.knights, position.diagonal, position.straight
    men = own | position.opp
    mirror = 7 if lsb(kings & own) & 4 else 0
    other_mirror = 63 if lsb(kings & position.opp) & 4 else 56
    a = b = c = d = e = f = g = h = 0  # the mover's units, four in each
    i = j = k = m = n = o = p = q = 0  # and the other side's
    for square in bits(men):
        kind = (shr(knights, square) & 1) + 2 * (shr(diagonal, square) & 1)
        kind += 3 * (shr(straight, square) & 1) + 4 * (shr(kings, square) & 1)
        side = 6 * (shr(own, square) & 1)
        row = ((kind + 6 - side) * 64 + (square ^ mirror)) * 8
        a += ROWS[row]
        b += ROWS[row + 1]
        c += ROWS[row + 2]
        d += ROWS[row + 3]
        e += ROWS[row + 4]
        f += ROWS[row + 5]
        g += ROWS[row + 6]
        h += ROWS[row + 7]
        row = ((kind + side) * 64 + (square ^ other_mirror)) * 8
        i += ROWS[row]
        j += ROWS[row + 1]
        k += ROWS[row + 2]
        m += ROWS[row + 3]
        n += ROWS[row + 4]
        o += ROWS[row + 5]
        p += ROWS[row + 6]
        q += ROWS[row + 7]
    base = OFFSET * popcount(men)
    mine = units(a, 0, base) + units(b, 4, base) + units(c, 8, base) + units(d, 12, base)
    mine += units(e, 16, base) + units(f, 20, base) + units(g, 24, base) + units(h, 28, base)
    yours = units(i, 32, base) + units(j, 36, base) + units(k, 40, base) + units(m, 44, base)
    yours += units(n, 48, base) + units(o, 52, base) + units(p, 56, base) + units(q, 60, base)
    return (mine + yours) // (ONE * ONE * POINT) + BIAS


def units(word: int, at: int, base: int) -> int:
    """What four units count; `at` is the first one's number, `base` what was added to each lane."""
    first = min(max((word & 0xFFFF) - base, 0), ONE)
    second = min(max((shr(word, 16) & 0xFFFF) - base, 0), ONE)
    third = min(max((shr(word, 32) & 0xFFFF) - base, 0), ONE)
    fourth = min(max(shr(word, 48) - base, 0), ONE)
    total = WEIGHTS[at] * first * first + WEIGHTS[at + 1] * second * second
    return total + WEIGHTS[at + 2] * third * third + WEIGHTS[at + 3] * fourth * fourth
