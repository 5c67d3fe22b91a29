"""Endgames: positions numbered by material, so that a table can hold them (Thompson 1977).

A family is the material of both sides; the side with more of the greatest pieces, the strong one, is named first:
KQKR. A slot says whose move it is and where everybody stands, seen by the strong side:

    slot = (turn * kings + place of the kings) * pieces + place of the pieces

Symmetry shrinks the king's squares: without pawns the strong king stands in the triangle a1-d1-d4, since the board
can be turned and mirrored (8 ways); with pawns on the files a to d (2 ways). Like pieces are not told apart: k of them
on n squares have C(n, k) places. Where a pawn may be taken en passant, the position has a slot of its own behind all
others. Positions with a right to castle have none.
"""

import itertools
from typing import TYPE_CHECKING

from outplay.games.chess.attacks import KING, RANK_1, RANK_6, RANK_8
from outplay.words import bits, bswap, lsb, popcount, shr

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess

KINDS = "QRBNP"  # by worth, as a family is named
MOST = 6  # men of a family
SHIFTS = (16, 12, 8, 4, 0)  # of the counts of KINDS in a side's material
TRIANGLE = (0, 1, 2, 3, 9, 10, 11, 18, 19, 27)  # a1-d1-d4
IN_TRIANGLE = tuple(TRIANGLE.index(square) if square in TRIANGLE else -1 for square in range(64))
ON_SIDE = tuple(
    4 * (square >> 3) + (square & 7) if square & 7 < 4 else -1 for square in range(64)
)  # files a-d
LEFT_HALF = tuple(square for square in range(64) if square & 7 < 4)
CHOOSE = tuple(  # CHOOSE[65 * (k - 1) + n]: in how many ways k of n squares can be chosen
    n if k == 1 else n * (n - 1) // 2 if k == 2 else n * (n - 1) * (n - 2) // 6 if k == 3
    else n * (n - 1) * (n - 2) * (n - 3) // 24
    for k in range(1, 5) for n in range(65)
)  # fmt: skip
WAYS = 16  # of taking en passant: the pawn's file, and from which side


def side_material(s: "Chess", pieces: int) -> int:
    """How many of each kind a side has: four bits each."""
    queens = popcount(pieces & s.diagonal & s.straight)
    return (
        queens << 16
        | popcount(pieces & s.straight) - queens << 12
        | popcount(pieces & s.diagonal) - queens << 8
        | popcount(pieces & s.knights) << 4
        | popcount(pieces & s.pawns)
    )


def family(s: "Chess") -> int:
    """Both sides' material, the greater first; -1 with too many men, or a right to castle."""
    if popcount(s.own | s.opp) > MOST or s.special & (RANK_1 | RANK_8) or s.own & s.kings == 0:
        return -1
    mine, yours = side_material(s, s.own), side_material(s, s.opp)
    return max(mine, yours) << 20 | min(mine, yours)


def choose(n: int, k: int) -> int:
    """In how many ways k of n squares can be chosen."""
    return 1 if k == 0 else CHOOSE[65 * (k - 1) + n]


def places(material: int, passed: int) -> int:
    """How many places a side's pieces have; `passed`: pawns whose place is told apart."""
    ways = choose(48, (material & 15) - passed)
    for shift in (16, 12, 8, 4):
        ways *= choose(64, material >> shift & 15)
    return ways


def king_places(material: int) -> int:
    return 2048 if (material >> 20 | material) & 15 else 640


def turns(material: int) -> int:
    """Whose move it is matters, unless both sides have the same."""
    return 1 if material >> 20 == material & 0xFFFFF else 2


def ordinary(material: int) -> int:
    """How many slots there are without those of en passant."""
    strong, weak = material >> 20, material & 0xFFFFF
    return turns(material) * king_places(material) * places(strong, 0) * places(weak, 0)


def slots(s: "Chess") -> int:
    material = family(s)
    if material < 0:
        return 0
    strong, weak = material >> 20, material & 0xFFFFF
    passing = 0
    if strong & 15 and weak & 15:
        passing = turns(material) * 2048 * WAYS * places(strong, 1) * places(weak, 1)
    return ordinary(material) + passing


# --- from a position to its slot -------------------------------------------------------------------------


def slot(s: "Chess") -> int:
    """The slot of a position; the strong side looks at the board."""
    if s.own & s.kings == 0 or s.special & (RANK_1 | RANK_8) or popcount(s.own | s.opp) > MOST:
        return -1
    mine, yours = side_material(s, s.own), side_material(s, s.opp)
    turn = 1 if mine < yours else 0
    turned = 56 if turn else 0  # squares are seen by the mover
    strong, weak = (s.opp, s.own) if turn else (s.own, s.opp)
    k, w = lsb(strong & s.kings) ^ turned, lsb(weak & s.kings) ^ turned
    mirror = 7 if k & 4 else 0
    if s.pawns:
        return numbered(s, strong, weak, turn, turned ^ mirror, False)
    if k & 32:
        mirror ^= 56
    k, w = k ^ mirror, w ^ mirror
    turned ^= mirror
    above, other = (k >> 3) - (k & 7), (w >> 3) - (w & 7)
    if above != 0 or other != 0:
        return numbered(s, strong, weak, turn, turned, above > 0 or (above == 0 and other > 0))
    one, two = numbered(s, strong, weak, turn, turned, False), numbered(s, strong, weak, turn, turned, True)
    return min(one, two)


def numbered(s: "Chess", strong: int, weak: int, turn: int, turned: int, swapped: bool) -> int:
    """The slot, if every square is turned so, and where `swapped` is set rows and columns change places."""
    k, w = moved(lsb(strong & s.kings), turned, swapped), moved(lsb(weak & s.kings), turned, swapped)
    if s.pawns == 0:
        number = turn * 640 + 64 * IN_TRIANGLE[k] + w
        number = with_pieces(s, strong, number, turned, swapped)
        return with_pieces(s, weak, number, turned, swapped)
    material = side_material(s, strong) << 20 | side_material(s, weak)
    king_place = turn * 2048 + 64 * ON_SIDE[k] + w
    white, black = pawn_set(s.pawns & strong, turned), pawn_set(s.pawns & weak, turned)
    if s.special == 0:
        number = with_pieces(s, strong, king_place, turned, False) * choose(48, material >> 20 & 15)
        number = with_pieces(s, weak, number + combination(shr(white, 8)), turned, False)
        return number * choose(48, material & 15) + combination(shr(black, 8))
    victim = moved(lsb(s.special & RANK_6) - 8, turned, False)
    takers, others = (black, white) if turn else (white, black)
    from_left = victim & 7 > 0 and shr(takers, victim - 1) & 1
    taker = victim - 1 if from_left else victim + 1
    takers, others = takers & ~(1 << taker), others & ~(1 << victim)
    white, black = (others, takers) if turn else (takers, others)
    number = king_place * WAYS + 2 * (victim & 7) + (0 if from_left else 1)
    number = with_pieces(s, strong, number, turned, False) * choose(48, (material >> 20 & 15) - 1)
    number = with_pieces(s, weak, number + combination(shr(white, 8)), turned, False)
    return ordinary(material) + number * choose(48, (material & 15) - 1) + combination(shr(black, 8))


def moved(square: int, turned: int, swapped: bool) -> int:
    """A square of the turned board."""
    square ^= turned
    return square >> 3 | (square & 7) << 3 if swapped else square


def pawn_set(pawns: int, turned: int) -> int:
    found = 0
    for square in bits(pawns):
        found |= 1 << (square ^ turned)
    return found


def with_pieces(s: "Chess", side: int, number: int, turned: int, swapped: bool) -> int:
    """The number, and where a side's queens, rooks, bishops and knights stand."""
    number = with_kind(side & s.diagonal & s.straight, number, turned, swapped)
    number = with_kind(side & s.straight & ~s.diagonal, number, turned, swapped)
    number = with_kind(side & s.diagonal & ~s.straight, number, turned, swapped)
    return with_kind(side & s.knights, number, turned, swapped)


def with_kind(pieces: int, number: int, turned: int, swapped: bool) -> int:
    if pieces == 0:
        return number
    if pieces & (pieces - 1) == 0:
        return number * 64 + moved(lsb(pieces), turned, swapped)
    found, count = 0, 0
    for square in bits(pieces):
        found |= 1 << moved(square, turned, swapped)
        count += 1
    return number * choose(64, count) + combination(found)


def combination(squares: int) -> int:
    """The number of a set of squares among all of its size."""
    number, k = 0, 0
    for square in bits(squares):
        k += 1  # noqa: SIM113  (a generator of bits takes no enumerate in native code)
        number += choose(square, k)
    return number


# --- from a slot to its position -------------------------------------------------------------------------


def chosen(number: int, k: int, n: int) -> int:
    """The set of k of n squares that has this number."""
    found = 0
    square = n - 1
    while k > 0:
        if choose(square, k) <= number:
            number -= choose(square, k)
            found |= 1 << square
            k -= 1
        square -= 1
    return found


def last(number: int, k: int, n: int) -> tuple[int, int]:
    """The set of k of n squares that was numbered last, and the number before that."""
    if k == 0:
        return 0, number
    ways = choose(n, k)
    return chosen(number % ways, k, n), number // ways


def pieces_in(number: int, material: int, passed: int) -> tuple[int, int, int, int, int]:
    """A side's pawns, knights, diagonal and straight pieces, and the number before them."""
    pawns, number = last(number, (material & 15) - passed, 48)
    knights, number = last(number, material >> 4 & 15, 64)
    bishops, number = last(number, material >> 8 & 15, 64)
    rooks, number = last(number, material >> 12 & 15, 64)
    queens, number = last(number, material >> 16 & 15, 64)
    return pawns << 8, knights, bishops | queens, rooks | queens, number


def slot_state(s: "Chess", number: int) -> "Chess":
    """The position in a slot of this position's family; one without men where the slot holds none."""
    nothing = s._replace(own=0, opp=0, pawns=0, knights=0, diagonal=0, straight=0, kings=0, special=0)
    material = family(s)
    passed = 0
    if number >= ordinary(material):
        number -= ordinary(material)
        passed = 1
    black_pawns, black_knights, black_diagonal, black_straight, number = pieces_in(
        number, material & 0xFFFFF, passed
    )
    white_pawns, white_knights, white_diagonal, white_straight, number = pieces_in(
        number, material >> 20, passed
    )
    way = 0
    if passed:
        way, number = number % WAYS, number // WAYS
    all_kings = king_places(material)
    turn, number = number // all_kings, number % all_kings
    k, w = (LEFT_HALF[number >> 6] if all_kings == 2048 else TRIANGLE[number >> 6]), number & 63
    if shr(KING[k], w) & 1 or k == w:
        return nothing
    must_be_free = special = 0
    if passed:
        taker = (way >> 1) + (1 if way & 1 else -1)
        if taker < 0 or taker > 7:
            return nothing
        victim, by = 1 << (way >> 1) + (24 if turn else 32), 1 << taker + (24 if turn else 32)
        special = shr(victim, 8) if turn else victim << 8
        must_be_free = special | (shr(victim, 16) if turn else victim << 16)
        white_pawns |= victim if turn else by
        black_pawns |= by if turn else victim
    white = white_pawns | white_knights | white_diagonal | white_straight | 1 << k
    black = black_pawns | black_knights | black_diagonal | black_straight | 1 << w
    men = popcount(s.own | s.opp)
    if popcount(white | black) < men or (white | black) & must_be_free:
        return nothing
    made = nothing._replace(
        own=white, opp=black, pawns=white_pawns | black_pawns, knights=white_knights | black_knights,
        diagonal=white_diagonal | black_diagonal, straight=white_straight | black_straight,
        kings=1 << k | 1 << w, special=special, clock=0, ply=0,
    )  # fmt: skip
    if turn:
        made = turned_over(made)
    if made.flipped().forced() or (special and not made.passants()):
        return nothing
    return made


def turned_over(s: "Chess") -> "Chess":
    """The board seen by the other side, who is to move."""
    return s._replace(
        own=bswap(s.opp), opp=bswap(s.own), pawns=bswap(s.pawns), knights=bswap(s.knights),
        diagonal=bswap(s.diagonal), straight=bswap(s.straight), kings=bswap(s.kings), special=bswap(s.special),
        clock=0, ply=1,
    )  # fmt: skip


# --- texts -----------------------------------------------------------------------------------------------


def families(text: str) -> dict[str, tuple[int, ...]]:
    """The families of a text, `KQKR` or `4` (all of up to four men), after those that captures and promotions lead to.

    Each with the fields of one of its positions; a family that nobody can win has no table.
    """
    written = text.strip().upper()
    if written.isdigit():
        wanted = [side for men in range(3, int(written) + 1) for side in _with_men(men)]
        if not wanted or int(written) > MOST:
            raise ValueError(f"{text!r}: families have 3 to {MOST} men")
    else:
        wanted = [_read(written)]
    reached: set[tuple[str, str]] = set()
    while wanted:
        sides = wanted.pop()
        if sides not in reached:
            reached.add(sides)
            wanted += _after(sides)
    ordered = sorted(reached, key=lambda sides: (len("".join(sides)), "".join(sides).count("P"), sides))
    return {f"K{one}K{two}": _example(one, two) for one, two in ordered if not _is_dead(one + two)}


def _is_dead(men: str) -> bool:
    """Whether nobody can win whatever happens: two kings, or one knight or bishop more."""
    return men in ("", "B", "N")


def _read(text: str) -> tuple[str, str]:
    sides = text.replace("V", "").split("K")
    men = "".join(sides)
    if len(sides) != 3 or sides[0] or set(men) - set(KINDS) or not 1 <= len(men) <= MOST - 2:
        raise ValueError(
            f"{text[:40]!r} is no family of endgames: write both sides' men, as in KQKR, with 3 to {MOST} in all; "
            "or a number for all of up to so many men"
        )
    return _ordered(sides[1], sides[2])


def _ordered(one: str, two: str) -> tuple[str, str]:
    """Each side's men by worth, the stronger side first."""
    one, two = ("".join(sorted(side, key=KINDS.index)) for side in (one, two))
    strength = [tuple(side.count(kind) for kind in KINDS) for side in (one, two)]
    return (one, two) if strength[0] >= strength[1] else (two, one)


def _with_men(men: int) -> set[tuple[str, str]]:
    return {
        _ordered("".join(one), "".join(two))
        for count in range(men - 1)
        for one in itertools.combinations_with_replacement(KINDS, count)
        for two in itertools.combinations_with_replacement(KINDS, men - 2 - count)
    }


def _after(sides: tuple[str, str]) -> list[tuple[str, str]]:
    """What a capture, a promotion, or both at once may make of the material."""
    found = []
    for mine, yours in (sides, sides[::-1]):
        taken = [yours.replace(kind, "", 1) for kind in set(yours)]
        found += [_ordered(mine, less) for less in taken]
        if "P" in mine:
            promoted = [mine.replace("P", kind, 1) for kind in "QRBN"]
            found += [_ordered(more, less) for more in promoted for less in (yours, *taken)]
    return found


def _example(one: str, two: str) -> tuple[int, ...]:
    """The fields of a position with these men: any squares will do, a family is told by its material."""
    squares = iter(range(8, 56))
    sets = dict.fromkeys("QRBNP", 0)
    sides = []
    for king, men in ((0, one), (63, two)):
        side = 1 << king
        for kind in men:
            place = 1 << next(squares)
            side |= place
            sets[kind] |= place
        sides.append(side)
    return (
        *sides, sets["P"], sets["N"], sets["B"] | sets["Q"], sets["R"] | sets["Q"], 1 | -(1 << 63), 0, 0, 0,
    )  # fmt: skip
