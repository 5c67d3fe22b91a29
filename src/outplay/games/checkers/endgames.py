"""Endgame indexing for checkers, by the pieces of both sides (as in Chinook).

A family is the kings and men of both sides, the side with more of them first: KKvKM. The board is seen from the
player to move, whose men go down, so that Black's and White's positions are the same:

    slot = turn * all places + place of his kings, of his men, of the other's kings, of the other's men

`turn` is 1 if the second side of the family is to move. k of n squares have C(n, k) placements: 32 squares for kings,
28 for men, which are never on their far row. Slots with two pieces on a square are invalid.
"""

import itertools
from typing import TYPE_CHECKING

from outplay.words import bits, bswap, popcount, shr

if TYPE_CHECKING:
    from outplay.games.checkers.position import Checkers

MOST = 6  # maximum pieces of a family
CHOOSE = tuple(  # CHOOSE[33 * k + n]: the number of ways to choose k of n squares
    1 if k == 0 else n if k == 1 else n * (n - 1) // 2 if k == 2 else n * (n - 1) * (n - 2) // 6 if k == 3
    else n * (n - 1) * (n - 2) * (n - 3) // 24 if k == 4 else n * (n - 1) * (n - 2) * (n - 3) * (n - 4) // 120
    for k in range(6) for n in range(33)
)  # fmt: skip


def material(pieces: int, kings: int) -> int:
    """A side's pieces, kings and men, four bits each."""
    crowned = popcount(pieces & kings)
    count = popcount(pieces)
    return count << 8 | crowned << 4 | count - crowned


def family(s: "Checkers") -> int:
    """Both sides' material, the greater first; -1 if there are too many pieces, or a side has none."""
    if s.own == 0 or s.opp == 0 or popcount(s.own | s.opp) > MOST:
        return -1
    mine, yours = material(s.own, s.kings), material(s.opp, s.kings)
    return max(mine, yours) << 12 | min(mine, yours)


def places(side: int) -> int:
    """The number of placements of a side's pieces."""
    return CHOOSE[33 * (side >> 4 & 15) + 32] * CHOOSE[33 * (side & 15) + 28]


def slots(s: "Checkers") -> int:
    sides = family(s)
    if sides < 0:
        return 0
    strong, weak = sides >> 12, sides & 0xFFF
    return places(strong) * places(weak) * (1 if strong == weak else 2)


# --- from a position to its slot -------------------------------------------------------------------------


def slot(s: "Checkers") -> int:
    """The slot of a position, seen from the player to move."""
    if s.own == 0 or s.opp == 0 or popcount(s.own | s.opp) > MOST:
        return -1
    mine, yours = material(s.own, s.kings), material(s.opp, s.kings)
    own, opp, kings = squares(s.own), squares(s.opp), squares(s.kings)
    if s.turn:
        own, opp, kings = turned(own), turned(opp), turned(kings)
    number = 1 if mine < yours else 0
    number = number * CHOOSE[33 * (mine >> 4 & 15) + 32] + combination(own & kings)
    number = number * CHOOSE[33 * (mine & 15) + 28] + combination(own & ~kings)
    number = number * CHOOSE[33 * (yours >> 4 & 15) + 32] + combination(opp & kings)
    return number * CHOOSE[33 * (yours & 15) + 28] + combination((opp & ~kings) >> 4)


def squares(board: int) -> int:
    """A bitboard compressed to the 32 squares."""
    return board & 0xFF | board >> 1 & 0xFF00 | board >> 2 & 0xFF_0000 | board >> 3 & 0xFF00_0000


def turned(found: int) -> int:
    """32 squares as the other side sees them."""
    found = (found & 0x5555_5555) << 1 | found >> 1 & 0x5555_5555
    found = (found & 0x3333_3333) << 2 | found >> 2 & 0x3333_3333
    found = (found & 0x0F0F_0F0F) << 4 | found >> 4 & 0x0F0F_0F0F
    return shr(bswap(found), 32)


def combination(found: int) -> int:
    """The index of a set of squares among all of its size."""
    number, row = 0, 0
    for square in bits(found):
        row += 33
        number += CHOOSE[row + square]
    return number


# --- from a slot to its position -------------------------------------------------------------------------


def chosen(number: int, k: int, n: int) -> int:
    """The set of k of n squares with this index."""
    found = 0
    square = n - 1
    while k > 0:
        if CHOOSE[33 * k + square] <= number:
            number -= CHOOSE[33 * k + square]
            found |= 1 << square
            k -= 1
        square -= 1
    return found


def side_in(number: int, side: int) -> tuple[int, int, int]:
    """The kings and men of the side encoded last, and the remaining index."""
    for_men, for_kings = CHOOSE[33 * (side & 15) + 28], CHOOSE[33 * (side >> 4 & 15) + 32]
    men = chosen(number % for_men, side & 15, 28)
    number //= for_men
    return chosen(number % for_kings, side >> 4 & 15, 32), men, number // for_kings


def board(found: int) -> int:
    """32 squares expanded to a bitboard with unused bits."""
    return found & 0xFF | (found & 0xFF00) << 1 | (found & 0xFF_0000) << 2 | (found & 0xFF00_0000) << 3


def slot_state(s: "Checkers", number: int) -> "Checkers":
    """The position in a slot of this position's family; one without pieces if the slot is invalid.

    Black has the first side's pieces, White the second's.
    """
    sides = family(s)
    mine, yours = sides >> 12, sides & 0xFFF
    turn = 0
    if number >= places(mine) * places(yours):
        number -= places(mine) * places(yours)
        mine, yours, turn = yours, mine, 1
    opp_kings, opp_men, number = side_in(number, yours)
    own_kings, own_men, number = side_in(number, mine)
    own, opp, kings = own_kings | own_men, opp_kings | opp_men << 4, own_kings | opp_kings
    if own & opp or own_kings & own_men or opp_kings & opp_men << 4:
        return s._replace(own=0, opp=0, kings=0, turn=0, quiet=0)
    if turn:
        own, opp, kings = turned(own), turned(opp), turned(kings)
    return s._replace(own=board(own), opp=board(opp), kings=board(kings), turn=turn, quiet=0)


# --- texts -----------------------------------------------------------------------------------------------

Side = tuple[int, int]  # kings and men


def families(text: str) -> dict[str, tuple[int, ...]]:
    """The families of a text, `KKvKM` or `4` (all of up to four pieces), after those that jumps and crowning lead to.

    Each with the fields of one of its positions.
    """
    written = text.strip().upper()
    if written.isdigit():
        wanted = [
            sides for count in range(2, min(int(written), MOST + 1) + 1) for sides in _with_pieces(count)
        ]
        if not 2 <= int(written) <= MOST:
            raise ValueError(f"{text[:40]!r}: families have 2 to {MOST} pieces")
    else:
        wanted = [_read(written)]
    reached: set[tuple[Side, Side]] = set()
    while wanted:
        sides = wanted.pop()
        if sides not in reached:
            reached.add(sides)
            wanted += _after(sides)
    ordered = sorted(reached, key=lambda both: (sum(map(sum, both)), both[0][1] + both[1][1], both))
    return {"v".join("K" * kings + "M" * men for kings, men in both): _example(*both) for both in ordered}


def _read(text: str) -> tuple[Side, Side]:
    sides = text.split("V")
    if len(sides) != 2 or not all(sides) or set("".join(sides)) - set("KM") or len("".join(sides)) > MOST:
        raise ValueError(
            f"{text[:40]!r} is not an endgame family: write both sides' kings and men, as in KKvKM, with 2 to {MOST} "
            "pieces in all; or a number for all with up to that many pieces"
        )
    one, two = ((side.count("K"), side.count("M")) for side in sides)
    return _ordered(one, two)


def _ordered(one: Side, two: Side) -> tuple[Side, Side]:
    """The side with more pieces, then with more kings, first."""
    return (one, two) if (sum(one), one) >= (sum(two), two) else (two, one)


def _with_pieces(count: int) -> set[tuple[Side, Side]]:
    return {
        _ordered((kings, mine - kings), (crowned, count - mine - crowned))
        for mine in range(1, count)
        for kings, crowned in itertools.product(range(mine + 1), range(count - mine + 1))
    }


def _after(sides: tuple[Side, Side]) -> list[tuple[Side, Side]]:
    """The material after a jump over one or more pieces, crowning, or both."""
    found = []
    for (kings, men), yours in (sides, sides[::-1]):
        moved = [(kings, men)] + [(kings + 1, men - 1)] * (men > 0)
        left = list(itertools.product(range(yours[0] + 1), range(yours[1] + 1)))
        found += [_ordered(mine, less) for mine in moved for less in left if sum(less)]
    return [both for both in found if both != sides]


def _example(one: Side, two: Side) -> tuple[int, ...]:
    """The fields of a position with these pieces, on any squares: a family depends only on its pieces."""
    own = ((1 << sum(one)) - 1) << 4
    opp = ((1 << sum(two)) - 1) << 16
    kings = ((1 << one[0]) - 1) << 4 | ((1 << two[0]) - 1) << 16
    return board(own), board(opp), board(kings), 0, 0
