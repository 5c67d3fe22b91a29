"""Endgame indexing by material (Thompson 1977).

A family is the material of both sides; the strong side, with more of the greatest pieces, is named first: KQKR. A slot
encodes the side to move and all squares, seen from the strong side:

    slot = (turn * kings + place of the kings) * pieces + place of the pieces

Symmetry reduces the king's squares: without pawns the strong king is in the triangle a1-d1-d4, by rotation and
reflection (8 symmetries); with pawns on the files a to d (2 symmetries). Identical pieces are interchangeable: k of
them on n squares have C(n, k) placements. A position with an en passant capture has its own slot after all
others. Positions with castling rights have none.

With five or more pieces a single pawn's square is part of the family, as in KNNKPd4. Pawns only move forward, so such a
table depends only on those with the pawn further ahead, and each is small. The pawn is then on the files a to d, and
the kings anywhere.
"""

import itertools
import re
from typing import TYPE_CHECKING

from outplay.games.chess.attacks import KING, RANK_1, RANK_6, RANK_8
from outplay.words import bits, bswap, lsb, popcount, shr, wrap

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess

KINDS = "QRBNP"  # by worth, as a family is named
MOST = 6  # maximum pieces of a family, kings included
SLICED = 5  # with so many pieces a single pawn's square belongs to the family
MATERIAL = (1 << 40) - 1  # the bits of a family without that square
SHIFTS = (16, 12, 8, 4, 0)  # the bit offsets of the counts of KINDS in a side's material
TRIANGLE = (0, 1, 2, 3, 9, 10, 11, 18, 19, 27)  # a1-d1-d4
IN_TRIANGLE = tuple(TRIANGLE.index(square) if square in TRIANGLE else -1 for square in range(64))
ON_SIDE = tuple(
    4 * (square >> 3) + (square & 7) if square & 7 < 4 else -1 for square in range(64)
)  # files a-d
RIGHT_HALF = wrap(0xF0F0_F0F0_F0F0_F0F0)  # the files e to h
LEFT_HALF = tuple(square for square in range(64) if square & 7 < 4)
CHOOSE = tuple(  # CHOOSE[65 * (k - 1) + n]: the number of ways to choose k of n squares
    n if k == 1 else n * (n - 1) // 2 if k == 2 else n * (n - 1) * (n - 2) // 6 if k == 3
    else n * (n - 1) * (n - 2) * (n - 3) // 24
    for k in range(1, 5) for n in range(65)
)  # fmt: skip
PAIRS = tuple(wrap(1 << one | 1 << two) for two in range(64) for one in range(two))  # by combination
WAYS = 16  # of capturing en passant: the pawn's file, and the side it captures from


def side_material(s: "Chess", pieces: int) -> int:
    """A side's piece counts, four bits each."""
    queens = popcount(pieces & s.diagonal & s.straight)
    return (
        queens << 16
        | popcount(pieces & s.straight) - queens << 12
        | popcount(pieces & s.diagonal) - queens << 8
        | popcount(pieces & s.knights) << 4
        | popcount(pieces & s.pawns)
    )


def family(s: "Chess") -> int:
    """Both sides' material, the greater first, and a single pawn's square; -1 for too many pieces, or castling."""
    if popcount(s.own | s.opp) > MOST or s.special & (RANK_1 | RANK_8) or s.own & s.kings == 0:
        return -1
    mine, yours = side_material(s, s.own), side_material(s, s.opp)
    pawn = 0
    if is_sliced(s):
        square = lsb(s.pawns) ^ (56 if mine < yours else 0)
        pawn = square ^ 7 if square & 4 else square
    return pawn << 40 | max(mine, yours) << 20 | min(mine, yours)


def is_sliced(s: "Chess") -> bool:
    """Whether the only pawn's square belongs to the family."""
    return s.pawns != 0 and s.pawns & (s.pawns - 1) == 0 and popcount(s.own | s.opp) >= SLICED


def choose(n: int, k: int) -> int:
    """The binomial coefficient: the number of ways to choose k of n squares."""
    return 1 if k == 0 else CHOOSE[65 * (k - 1) + n]


def places(material: int, passed: int) -> int:
    """The number of placements of a side's pieces; `passed`: pawns with a separate index."""
    ways = choose(48, (material & 15) - passed)
    for shift in (16, 12, 8, 4):
        ways *= choose(64, material >> shift & 15)
    return ways


def king_places(material: int) -> int:
    return 2048 if (material >> 20 | material) & 15 else 640


def turns(material: int) -> int:
    """The number of sides to move that slots distinguish: 1 if both sides have the same material, otherwise 2."""
    return 1 if material >> 20 == material & 0xFFFFF else 2


def ordinary(material: int) -> int:
    """The number of slots without en passant."""
    strong, weak = material >> 20, material & 0xFFFFF
    return turns(material) * king_places(material) * places(strong, 0) * places(weak, 0)


def slots(s: "Chess") -> int:
    material = family(s)
    if material < 0:
        return 0
    if material > MATERIAL:
        material &= MATERIAL
        return (
            2 * 4096 * places(material >> 20, material >> 20 & 15) * places(material & 0xFFFFF, material & 15)
        )
    strong, weak = material >> 20, material & 0xFFFFF
    passing = 0
    if strong & 15 and weak & 15:
        passing = turns(material) * 2048 * WAYS * places(strong, 1) * places(weak, 1)
    return ordinary(material) + passing


# --- from a position to its slot -------------------------------------------------------------------------


def slot(s: "Chess") -> int:
    """The slot of a position, seen from the strong side."""
    if s.own & s.kings == 0 or s.special & (RANK_1 | RANK_8) or popcount(s.own | s.opp) > MOST:
        return -1
    turn = 1 if lead(s) < 0 else 0
    turned = 56 if turn else 0  # squares are seen from the mover
    strong, weak = (s.opp, s.own) if turn else (s.own, s.opp)
    if is_sliced(s):
        turned ^= 7 if s.pawns & RIGHT_HALF else 0
        number = turn * 4096 + 64 * (lsb(strong & s.kings) ^ turned) + (lsb(weak & s.kings) ^ turned)
        return with_pieces(s, weak, with_pieces(s, strong, number, turned, False), turned, False)
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


def lead(s: "Chess") -> int:
    """The mover's surplus of the greatest unbalanced kind of piece: negative if the other side is the strong one."""
    more = surplus(s, s.diagonal & s.straight)
    if more == 0:
        more = surplus(s, s.straight)
    if more == 0:
        more = surplus(s, s.diagonal)
    if more == 0:
        more = surplus(s, s.knights)
    return surplus(s, s.pawns) if more == 0 else more


def surplus(s: "Chess", kind: int) -> int:
    return popcount(s.own & kind) - popcount(s.opp & kind)


def numbered(s: "Chess", strong: int, weak: int, turn: int, turned: int, swapped: bool) -> int:
    """The slot after a symmetry: squares are xored with `turned`, and transposed if `swapped`."""
    k, w = moved(lsb(strong & s.kings), turned, swapped), moved(lsb(weak & s.kings), turned, swapped)
    if s.pawns == 0:
        number = turn * 640 + 64 * IN_TRIANGLE[k] + w
        number = with_pieces(s, strong, number, turned, swapped)
        return with_pieces(s, weak, number, turned, swapped)
    king_place = turn * 2048 + 64 * ON_SIDE[k] + w
    white, black = pawn_set(s.pawns & strong, turned), pawn_set(s.pawns & weak, turned)
    if s.special == 0:
        number = with_pieces(s, strong, king_place, turned, False) * choose(48, popcount(white))
        number = with_pieces(s, weak, number + combination(shr(white, 8)), turned, False)
        return number * choose(48, popcount(black)) + combination(shr(black, 8))
    victim = moved(lsb(s.special & RANK_6) - 8, turned, False)
    takers, others = (black, white) if turn else (white, black)
    from_left = victim & 7 > 0 and shr(takers, victim - 1) & 1
    taker = victim - 1 if from_left else victim + 1
    takers, others = takers & ~(1 << taker), others & ~(1 << victim)
    white, black = (others, takers) if turn else (takers, others)
    number = king_place * WAYS + 2 * (victim & 7) + (0 if from_left else 1)
    number = with_pieces(s, strong, number, turned, False) * choose(48, popcount(white))
    number = with_pieces(s, weak, number + combination(shr(white, 8)), turned, False)
    return ordinary(family(s)) + number * choose(48, popcount(black)) + combination(shr(black, 8))


def moved(square: int, turned: int, swapped: bool) -> int:
    """The image of a square."""
    square ^= turned
    return square >> 3 | (square & 7) << 3 if swapped else square


def pawn_set(pawns: int, turned: int) -> int:
    found = 0
    for square in bits(pawns):
        found |= 1 << (square ^ turned)
    return found


def with_pieces(s: "Chess", side: int, number: int, turned: int, swapped: bool) -> int:
    """The index extended by the squares of a side's queens, rooks, bishops and knights."""
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
    """The index of a set of squares among all of its size."""
    number, k = 0, 0
    for square in bits(squares):
        k += 1  # noqa: SIM113  (native code does not enumerate generators)
        number += choose(square, k)
    return number


# --- from a slot to its position -------------------------------------------------------------------------


def chosen(number: int, k: int, n: int) -> int:
    """The set of k of n squares with this index."""
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
    """The set of k of n squares encoded last, and the remaining index."""
    if k == 0:
        return 0, number
    if k == 1:
        return 1 << number % n, number // n
    ways = choose(n, k)
    return (PAIRS[number % ways] if k == 2 else chosen(number % ways, k, n)), number // ways


def pieces_in(number: int, material: int, passed: int) -> tuple[int, int, int, int, int]:
    """A side's pawns, knights, diagonal and straight pieces, and the remaining index."""
    pawns, number = last(number, (material & 15) - passed, 48)
    knights, number = last(number, material >> 4 & 15, 64)
    bishops, number = last(number, material >> 8 & 15, 64)
    rooks, number = last(number, material >> 12 & 15, 64)
    queens, number = last(number, material >> 16 & 15, 64)
    return pawns << 8, knights, bishops | queens, rooks | queens, number


def slot_state(s: "Chess", number: int) -> "Chess":
    """The position in a slot of this position's family; one without pieces if the slot is invalid."""
    nothing = s._replace(own=0, opp=0, pawns=0, knights=0, diagonal=0, straight=0, kings=0, special=0)
    material = family(s)
    pawn, material = material >> 40, material & MATERIAL
    passed = 0
    if pawn:
        strong_pawns, weak_pawns = material >> 20 & 15, material & 15
    elif number >= ordinary(material):
        number -= ordinary(material)
        passed = strong_pawns = weak_pawns = 1
    else:
        strong_pawns = weak_pawns = 0
    black_pawns, black_knights, black_diagonal, black_straight, number = pieces_in(
        number, material & 0xFFFFF, weak_pawns
    )
    white_pawns, white_knights, white_diagonal, white_straight, number = pieces_in(
        number, material >> 20, strong_pawns
    )
    way = 0
    if passed:
        way, number = number % WAYS, number // WAYS
    all_kings = 4096 if pawn else king_places(material)
    turn, number = number // all_kings, number % all_kings
    k, w = number >> 6, number & 63
    if pawn:
        white_pawns, black_pawns = (1 << pawn, 0) if strong_pawns else (0, 1 << pawn)
    else:
        k = LEFT_HALF[k] if all_kings == 2048 else TRIANGLE[k]
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
    total = popcount(s.own | s.opp)
    if popcount(white | black) < total or (white | black) & must_be_free:
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
    """The board seen from the other side, which is to move."""
    return s._replace(
        own=bswap(s.opp), opp=bswap(s.own), pawns=bswap(s.pawns), knights=bswap(s.knights),
        diagonal=bswap(s.diagonal), straight=bswap(s.straight), kings=bswap(s.kings), special=bswap(s.special),
        clock=0, ply=1,
    )  # fmt: skip


# --- texts -----------------------------------------------------------------------------------------------


Square = tuple[int, int]  # file and rank, from 0 on
Sides = tuple[
    str, str, Square | None
]  # both sides' pieces, the strong side's first, and the square of a single pawn


def families(text: str) -> dict[str, tuple[int, ...]]:
    """The families of a text, `KQKR` or `4` (all with up to four pieces), after those that they lead to.

    Each comes with the fields of one of its positions; a family that nobody can win has no table.
    """
    written = text.strip().upper()
    if written.isdigit():
        wanted = [
            sides for total in range(3, min(int(written), MOST + 1) + 1) for sides in _with_pieces(total)
        ]
        if not 3 <= int(written) <= MOST:
            raise ValueError(f"{text[:40]!r}: families have 3 to {MOST} pieces")
    else:
        wanted = _read(written)
    reached: set[Sides] = set()
    while wanted:
        sides = wanted.pop()
        if sides not in reached:
            reached.add(sides)
            wanted += _after(sides)
    ordered = sorted(reached, key=_order)
    return {_name(sides): _example(*sides) for sides in ordered if not _is_dead(sides[0] + sides[1])}


def _order(sides: Sides) -> tuple[int, int, int, str]:
    """The order of building: fewer pieces first, then fewer pawns, then a more advanced pawn."""
    one, two, pawn = sides
    left = 0 if pawn is None else 7 - pawn[1] if "P" in one else pawn[1]
    return len(one + two), (one + two).count("P"), left, _name(sides)


def _name(sides: Sides) -> str:
    one, two, pawn = sides
    return f"K{one}K{two}" + ("" if pawn is None else f"{'abcd'[pawn[0]]}{pawn[1] + 1}")


def _is_dead(pieces: str) -> bool:
    """Whether nobody can win (insufficient material): two kings, at most with one knight or bishop."""
    return pieces in ("", "B", "N")


def _read(text: str) -> list[Sides]:
    found = re.fullmatch("K([QRBNP]*)V?K([QRBNP]*)(?:([A-H])([2-7]))?", text)
    if found is None or not 1 <= len(found[1] + found[2]) <= MOST - 2:
        raise ValueError(
            f"{text[:40]!r} is not an endgame family: write both sides' pieces, as in KQKR, with 3 to {MOST} in all; "
            "or a number for all with up to that many pieces"
        )
    if found[3] is None:
        return _placed(found[1], found[2], None)
    if not _has_slices(found[1] + found[2]):
        raise ValueError(f"{text[:40]!r}: only a single pawn among {SLICED} or more pieces has a square")
    return _placed(found[1], found[2], ("ABCDEFGH".index(found[3]), int(found[4]) - 1))


def _has_slices(pieces: str) -> bool:
    return pieces.count("P") == 1 and len(pieces) + 2 >= SLICED


def _placed(one: str, two: str, pawn: Square | None) -> list[Sides]:
    """Both sides' pieces by value, the strong side first; a sliced pawn on its square, or on every square."""
    one, two = ("".join(sorted(side, key=KINDS.index)) for side in (one, two))
    strength = [tuple(side.count(kind) for kind in KINDS) for side in (one, two)]
    if strength[0] < strength[1]:
        one, two = two, one
        pawn = None if pawn is None else (pawn[0], 7 - pawn[1])
    if not _has_slices(one + two):
        return [(one, two, None)]
    squares = [pawn] if pawn is not None else itertools.product(range(4), range(1, 7))
    return [(one, two, (min(file, 7 - file), rank)) for file, rank in squares]


def _with_pieces(total: int) -> list[Sides]:
    return [
        sides
        for count in range(total - 1)
        for one in itertools.combinations_with_replacement(KINDS, count)
        for two in itertools.combinations_with_replacement(KINDS, total - 2 - count)
        for sides in _placed("".join(one), "".join(two), None)
    ]


def _after(sides: Sides) -> list[Sides]:
    """The material after a capture, a promotion, both at once, or a move of the only pawn."""
    one, two, pawn = sides
    found = []
    for mine, yours, up in ((one, two, 1), (two, one, -1)):
        after = [
            (mine, yours.replace(kind, "", 1), None if kind == "P" else pawn) for kind in sorted(set(yours))
        ]
        if "P" in mine:
            after += _of_pawn(mine, yours, pawn, up)
        for pieces, others, square in after:
            found += _placed(pieces, others, square) if up > 0 else _placed(others, pieces, square)
    return found


def _of_pawn(mine: str, yours: str, pawn: Square | None, up: int) -> list[tuple[str, str, Square | None]]:
    """The material after a pawn's move: its side's pieces, the other's, its square; `up`: its direction."""
    taken = [yours.replace(kind, "", 1) for kind in sorted(set(yours))]
    found: list[tuple[str, str, Square | None]] = []
    if pawn is None or pawn[1] + up in (0, 7):
        promoted = [mine.replace("P", kind, 1) for kind in "QRBN"]
        return [(more, less, None) for more in promoted for less in (yours, *taken)]
    file, rank = pawn
    steps = (1, 2) if rank == (1 if up > 0 else 6) else (1,)
    found += [(mine, yours, (file, rank + step * up)) for step in steps]
    beside = [file + side for side in (-1, 1) if 0 <= file + side <= 7]
    return found + [(mine, less, (other, rank + up)) for other in beside for less in taken]


def _example(one: str, two: str, pawn: Square | None) -> tuple[int, ...]:
    """The fields of a legal position with these pieces: White's on the a-file, where none attacks the king on h8."""
    sets = dict.fromkeys("QRBNP", 0)
    sides = []
    fixed = -1 if pawn is None else pawn[0] + 8 * pawn[1]
    for king, first, pieces in ((0, 8, one), (63, 15, two)):
        side = 1 << king
        free = [square for square in range(first, 56, 8) if square != fixed]
        for square, kind in zip(free, pieces, strict=False):
            place = 1 << (fixed if kind == "P" and pawn is not None else square)
            side |= place
            sets[kind] |= place
        sides.append(side)
    return (
        *sides, sets["P"], sets["N"], sets["B"] | sets["Q"], sets["R"] | sets["Q"], 1 | -(1 << 63), 0, 0, 0,
    )  # fmt: skip
