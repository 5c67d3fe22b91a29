"""The static evaluation of a chess position, in centipawns.

The slides' w1 f1(s) + w2 f2(s) + ...: Shannon's terms of 1950 (material, pawn structure, mobility, king safety) and
later additions; the last one is a small net that has learned what the others miss. The weights are in
weights.json, fitted to positions with `outplay learn tune chess`; with a weight of 0 for `net` only the handcrafted
terms are used.

A weight is a pair: the middlegame value is at an even index, followed by the endgame value.
The game phase interpolates between the two ("tapered": Fruit, 2005). The same functions evaluate both sides, always
for the player to move of a state: the other side is evaluated on `flipped()`.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from outplay.game import Weights
from outplay.games.chess.attacks import (
    ALL,
    DARK,
    FILE_A,
    FILE_OF,
    KING,
    KNIGHT,
    LIGHT,
    NOT_A,
    NOT_H,
    RANK_1,
    RANK_3,
    RANK_6,
    RANK_8,
    bishop,
    by_pawns_down,
    by_pawns_up,
    downward,
    ray,
    rook,
    upward,
)
from outplay.words import bits, bswap, lsb, popcount, shr

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess

WEIGHTS = Weights.load(Path(__file__).with_name("weights.json"))

OPENING = 24  # the phase with all pieces on the board: a minor piece counts 1, a rook 2, a queen 4
WHOLE = 16  # the scale of a position that is not drawish

RANK_4, RANK_5, RANK_7 = 0xFF << 24, 0xFF << 32, 0xFF << 48
CENTRE = 0x0000001818000000  # d4, e4, d5, e5
OUTPOSTS = RANK_4 | RANK_5 | RANK_6

# King danger: weights of pieces that attack squares around the king, and of safe checks.
KNIGHT_NEAR, BISHOP_NEAR, ROOK_NEAR, QUEEN_NEAR = 2, 2, 3, 4
KNIGHT_CHECK, BISHOP_CHECK, ROOK_CHECK, QUEEN_CHECK = 4, 2, 4, 3
MOST_DANGER = 31


def _distance(a: int, b: int) -> int:
    """The king distance (Chebyshev) between two squares."""
    return max(abs(a % 8 - b % 8), abs(a // 8 - b // 8))


def _near_files(square: int) -> int:
    """The file of a square and the adjacent files."""
    return sum(FILE_A << file for file in range(8) if abs(file - square % 8) <= 1)


def _from_edge(square: int) -> int:
    """The sum of the distances of a square from the edges: 0 in a corner, 6 in the centre."""
    return min(square % 8, 7 - square % 8) + min(square // 8, 7 - square // 8)


DISTANCE = tuple(tuple(_distance(a, b) for b in range(64)) for a in range(64))
FROM_EDGE = tuple(_from_edge(square) for square in range(64))
TO_LIGHT_CORNER = tuple(abs(square // 8 - square % 8) for square in range(64))  # 7 on h1 and a8
AHEAD = tuple(ray(square, 0, 1) for square in range(64))
NEAR_FILES = tuple(_near_files(square) for square in range(64))
SHIELD = tuple(NEAR_FILES[square] & 0xFFFF << 8 * (square // 8 + 1) & ALL for square in range(64))
ZONE = tuple(KING[square] | KING[square] >> 8 for square in range(64))  # around the king at the upper end


def evaluate(position: "Chess", weights: Weights, learned: int) -> int:
    """The value for the player to move; `learned` is the net's output."""
    other = position.flipped()
    middle, end, passed = structure(position, weights)
    other_middle, other_end, other_passed = structure(other, weights)
    mine = activity(position, weights)
    yours = activity(other, weights)
    middle += mine[0] - yours[0] - other_middle
    end += mine[1] - yours[1] - other_end
    _, _, n, b, r, q, _ = mine
    _, _, other_n, other_b, other_r, other_q, _ = yours
    covers = by_pawns_up(position.own & position.pawns) | n | b | r | q
    other_covers = by_pawns_up(other.own & other.pawns) | other_n | other_b | other_r | other_q
    attack = contact(position, weights, passed, mine, bswap(other_covers))
    defence = contact(other, weights, other_passed, yours, bswap(covers))
    middle += attack[0] - defence[0] + weights.tempo[0]
    end += attack[1] - defence[1] + weights.tempo[1]
    end += chase(position, weights) - chase(other, weights)
    left = phase(position)
    value = middle * left + end * (OPENING - left)
    if position.own & ~position.kings and position.opp & ~position.kings:
        value += OPENING * weights.net * learned  # not against a bare king: that is `chase`
    return value * scale(position) // (OPENING * WHOLE)


def phase(position: "Chess") -> int:
    """The game phase: the pieces left. A queen is in two bitboards, so it has already counted 3."""
    queens = position.diagonal & position.straight
    minors = popcount(position.knights) + popcount(position.diagonal)
    return min(minors + 2 * popcount(position.straight) + popcount(queens), OPENING)


# --- pawns ------------------------------------------------------------------------------------------------


def structure(position: "Chess", weights: Weights) -> tuple[int, int, int]:
    """The mover's pawns, and their effect on his pieces: middlegame, endgame, and the passed pawns."""
    own, opp = position.own & position.pawns, position.opp & position.pawns
    guarded, threatened = by_pawns_up(own), by_pawns_down(opp)
    ahead, behind, theirs = upward(own, ALL, 8, ALL), downward(own, ALL, 8, ALL), downward(opp, ALL, 8, ALL)
    files = ahead | own | behind
    span = guarded | upward(guarded, ALL, 8, ALL)  # squares that his pawns may ever attack
    their_span = threatened | downward(threatened, ALL, 8, ALL)
    isolated = popcount(own & ~beside(files))
    doubled = popcount(own & behind)
    backward = popcount(own << 8 & threatened & ~span & beside(files) & ~opp)
    passed = own & ~(theirs | their_span | behind)
    middle = weights.isolated[0] * isolated + weights.doubled[0] * doubled + weights.backward[0] * backward
    end = weights.isolated[1] * isolated + weights.doubled[1] * doubled + weights.backward[1] * backward
    for square in bits(own & (guarded | beside(own))):
        middle += weights.connected[2 * (square >> 3)]
        end += weights.connected[2 * (square >> 3) + 1]
    for square in bits(own):
        middle += weights.pawn_squares[2 * square]
        end += weights.pawn_squares[2 * square + 1]
    count = popcount(own)
    middle += weights.pawns[0] * count
    end += weights.pawns[1] * count

    # pieces on good or bad squares because of them
    minors = position.own & (position.knights | position.diagonal) & ~position.straight
    knights, bishops = minors & position.knights, minors & position.diagonal
    rooks = position.own & position.straight & ~position.diagonal
    closed = theirs | opp | upward(opp, ALL, 8, ALL)
    outposts = OUTPOSTS & guarded & ~their_span
    knight_outposts, bishop_outposts = popcount(outposts & knights), popcount(outposts & bishops)
    sheltered = popcount(minors & shr(position.pawns, 8))
    hemmed = popcount(own & LIGHT) * popcount(bishops & LIGHT)
    hemmed += popcount(own & DARK) * popcount(bishops & DARK)
    half_open, open_file = popcount(rooks & ~files & closed), popcount(rooks & ~files & ~closed)
    with_knights, with_rooks = (count - 5) * popcount(knights), (count - 5) * popcount(rooks)
    middle += weights.knight_outposts[0] * knight_outposts + weights.bishop_outposts[0] * bishop_outposts
    middle += weights.sheltered[0] * sheltered + weights.bad_bishops[0] * hemmed
    middle += weights.rook_half_open[0] * half_open + weights.rook_open[0] * open_file
    middle += weights.knights_with_pawns[0] * with_knights + weights.rooks_with_pawns[0] * with_rooks
    end += weights.knight_outposts[1] * knight_outposts + weights.bishop_outposts[1] * bishop_outposts
    end += weights.sheltered[1] * sheltered + weights.bad_bishops[1] * hemmed
    end += weights.rook_half_open[1] * half_open + weights.rook_open[1] * open_file
    end += weights.knights_with_pawns[1] * with_knights + weights.rooks_with_pawns[1] * with_rooks

    # the king behind them
    king = lsb(position.kings & position.own)
    shield = popcount(own & SHIELD[king])
    bare_files = popcount(NEAR_FILES[king] & RANK_1 & ~files)
    open_files = popcount(NEAR_FILES[king] & RANK_1 & ~files & ~closed)
    storm = popcount(opp & NEAR_FILES[king] & (RANK_3 | RANK_4))
    middle += weights.shield[0] * shield + weights.bare_files[0] * bare_files
    middle += weights.open_files[0] * open_files + weights.storm[0] * storm
    end += weights.shield[1] * shield + weights.bare_files[1] * bare_files
    end += weights.open_files[1] * open_files + weights.storm[1] * storm
    return middle, end, passed


def beside(squares: int) -> int:
    """The squares to the left and right of these."""
    return shr(squares & NOT_A, 1) | (squares & NOT_H) << 1


# --- pieces -----------------------------------------------------------------------------------------------


def activity(position: "Chess", weights: Weights) -> tuple[int, int, int, int, int, int, int]:
    """The mover's pieces: piece-square values and mobility.

    Returns the values for middlegame and endgame, the attacks of knights, bishops, rooks and queens,
    and the number of pieces and attacks around the opponent's king.
    """
    own = position.own
    occupied = own | position.opp
    king = lsb(position.kings & own)
    room = ~(own & (position.pawns | position.kings) | by_pawns_down(position.opp & position.pawns))
    zone = ZONE[lsb(position.kings & position.opp)]
    knights, queens = own & position.knights, own & position.diagonal & position.straight
    bishops, rooks = (
        own & position.diagonal & ~position.straight,
        own & position.straight & ~position.diagonal,
    )
    middle, end = weights.king_squares[2 * king], weights.king_squares[2 * king + 1]
    by_knights = by_bishops = by_rooks = by_queens = near = 0
    for square in bits(knights):
        seen = KNIGHT[square]
        moves = popcount(seen & room)
        middle += weights.knight_squares[2 * square] + weights.knight_mobility[2 * moves]
        end += weights.knight_squares[2 * square + 1] + weights.knight_mobility[2 * moves + 1]
        by_knights |= seen
        near += pressure(seen & zone, KNIGHT_NEAR)
    for square in bits(bishops):
        seen = bishop(square, occupied)
        moves = popcount(seen & room)
        middle += weights.bishop_squares[2 * square] + weights.bishop_mobility[2 * moves]
        end += weights.bishop_squares[2 * square + 1] + weights.bishop_mobility[2 * moves + 1]
        by_bishops |= seen
        near += pressure(seen & zone, BISHOP_NEAR)
    for square in bits(rooks):
        seen = rook(square, occupied)
        moves = popcount(seen & room)
        middle += weights.rook_squares[2 * square] + weights.rook_mobility[2 * moves]
        end += weights.rook_squares[2 * square + 1] + weights.rook_mobility[2 * moves + 1]
        by_rooks |= seen
        near += pressure(seen & zone, ROOK_NEAR)
    for square in bits(queens):
        seen = bishop(square, occupied) | rook(square, occupied)
        moves = popcount(seen & room)
        middle += weights.queen_squares[2 * square] + weights.queen_mobility[2 * moves]
        end += weights.queen_squares[2 * square + 1] + weights.queen_mobility[2 * moves + 1]
        by_queens |= seen
        near += pressure(seen & zone, QUEEN_NEAR)
    n, b, r, q = popcount(knights), popcount(bishops), popcount(rooks), popcount(queens)
    pair = 1 if bishops & LIGHT and bishops & DARK else 0
    seventh = popcount((rooks | queens) & RANK_7)
    at_home = popcount((knights | bishops) & RANK_1)
    middle += weights.knights[0] * n + weights.bishops[0] * b + weights.rooks[0] * r + weights.queens[0] * q
    middle += weights.bishop_pair[0] * pair + weights.seventh[0] * seventh + weights.development[0] * at_home
    end += weights.knights[1] * n + weights.bishops[1] * b + weights.rooks[1] * r + weights.queens[1] * q
    end += weights.bishop_pair[1] * pair + weights.seventh[1] * seventh + weights.development[1] * at_home
    return middle, end, by_knights, by_bishops, by_rooks, by_queens, near


def pressure(squares: int, strength: int) -> int:
    """The king danger added by a piece that attacks these squares around the king."""
    return strength + popcount(squares) if squares else 0


# --- what meets the other side's pieces ----------------------------------------------------------------------


def contact(
    position: "Chess", weights: Weights, passed: int, pieces: tuple[int, ...], covered: int
) -> tuple[int, int]:
    """Threats, the opponent's king danger and passed pawns: for middlegame and endgame.

    `pieces` is the result of `activity`, `covered` are the squares that the opponent's pieces except the king attack.
    """
    _, _, by_knights, by_bishops, by_rooks, by_queens, _ = pieces
    by_minors = by_knights | by_bishops
    attacked = by_pawns_up(position.own & position.pawns) | by_minors | by_rooks | by_queens
    guarded = covered | KING[lsb(position.kings & position.opp)]
    middle, end = threats(position, weights, by_minors, by_rooks, attacked, guarded)
    passed_middle, passed_end = passed_pawns(position, weights, passed, guarded)
    danger = king_danger(position, pieces, attacked, covered)
    middle += passed_middle + weights.king_danger[2 * danger]
    end += passed_end + weights.king_danger[2 * danger + 1]
    return middle, end


def threats(
    position: "Chess", weights: Weights, by_minors: int, by_rooks: int, attacked: int, guarded: int
) -> tuple[int, int]:
    """The opponent's pieces attacked now, or by a pawn push, and control of the centre."""
    own, opp = position.own, position.opp
    king = lsb(position.kings & own)
    by_pawns = by_pawns_up(own & position.pawns)
    pieces = opp & ~(position.pawns | position.kings)
    minors, heavy = pieces & ~position.straight, pieces & position.straight
    by_pawn = popcount(by_pawns & pieces)
    on_heavy = popcount(by_minors & heavy) + popcount(by_rooks & heavy & position.diagonal)
    on_minors = popcount((by_minors | by_rooks) & minors & ~by_pawns_down(opp & position.pawns))
    steps = (own & position.pawns) << 8 & ~(own | opp | RANK_8 | by_pawns_down(opp & position.pawns))
    pushes = popcount(by_pawns_up(steps & (attacked | ~guarded)) & pieces)
    hanging = popcount(opp & (attacked | KING[king]) & ~guarded)
    centre = popcount(attacked & CENTRE) + popcount(by_pawns & CENTRE)
    middle = weights.pawn_threats[0] * by_pawn + weights.heavy_threats[0] * on_heavy
    middle += weights.minor_threats[0] * on_minors + weights.push_threats[0] * pushes
    middle += weights.hanging[0] * hanging + weights.centre[0] * centre
    end = weights.pawn_threats[1] * by_pawn + weights.heavy_threats[1] * on_heavy
    end += weights.minor_threats[1] * on_minors + weights.push_threats[1] * pushes
    end += weights.hanging[1] * hanging + weights.centre[1] * centre
    return middle, end


def king_danger(position: "Chess", pieces: tuple[int, ...], attacked: int, covered: int) -> int:
    """The opponent's king danger: attacks around the king, safe checks, missing pawns."""
    _, _, by_knights, by_bishops, by_rooks, by_queens, near = pieces
    opp, occupied = position.opp, position.own | position.opp
    target = lsb(position.kings & opp)
    safe = ~(position.own | covered | KING[target])
    straight, diagonal = rook(target, occupied) & safe, bishop(target, occupied) & safe
    danger = near + popcount(KING[target] & attacked & ~covered)
    danger += KNIGHT_CHECK if by_knights & KNIGHT[target] & safe else 0
    danger += BISHOP_CHECK if by_bishops & diagonal else 0
    danger += ROOK_CHECK if by_rooks & straight else 0
    danger += QUEEN_CHECK if by_queens & (straight | diagonal) else 0
    if danger:
        danger += max(0, 2 - popcount(opp & position.pawns & bswap(SHIELD[target ^ 56])))
    return min(danger, MOST_DANGER)


def passed_pawns(position: "Chess", weights: Weights, passed: int, guarded: int) -> tuple[int, int]:
    """Passed pawns: how far each has advanced, and what blocks it."""
    own, opp = position.own, position.opp
    king, target = lsb(position.kings & own), lsb(position.kings & opp)
    by_pawns = by_pawns_up(own & position.pawns)
    middle = end = 0
    for square in bits(passed):
        rank, step = square >> 3, square + 8
        free = 0 if shr(own | opp, step) & 1 else 1
        clear = 0 if AHEAD[square] & (opp | guarded) else 1
        ours, theirs = (rank - 1) * DISTANCE[king][step], (rank - 1) * DISTANCE[target][step]
        held = rank - 1 if shr(by_pawns, square) & 1 else 0
        driven = rank - 1 if FILE_OF[square] & (1 << square) - 1 & own & position.straight else 0
        middle += weights.passed_held[0] * held + weights.passed_rook[0] * driven
        end += weights.passed_held[1] * held + weights.passed_rook[1] * driven
        middle += weights.passed[2 * rank] + weights.passed_free[2 * rank] * free
        middle += weights.passed_clear[2 * rank] * clear
        middle += weights.passed_own_king[0] * ours + weights.passed_other_king[0] * theirs
        end += weights.passed[2 * rank + 1] + weights.passed_free[2 * rank + 1] * free
        end += weights.passed_clear[2 * rank + 1] * clear
        end += weights.passed_own_king[1] * ours + weights.passed_other_king[1] * theirs
    return middle, end


# --- endings ----------------------------------------------------------------------------------------------


def chase(position: "Chess", weights: Weights) -> int:
    """Against a bare king: drive it to the edge, with bishop and knight to the bishop's corner, and approach."""
    lonely = position.opp & position.kings
    if position.opp != lonely:
        return 0
    king, target = lsb(position.kings & position.own), lsb(lonely)
    value = weights.chase[0] * (6 - FROM_EDGE[target]) - weights.chase[1] * DISTANCE[king][target]
    if position.knights and position.diagonal and position.pawns | position.straight == 0:
        value += weights.chase[2] * TO_LIGHT_CORNER[target if position.diagonal & LIGHT else target ^ 7]
    return value


def scale(position: "Chess") -> int:
    """The scale factor of a position, in sixteenths: some material is not enough to win.

    Opposite-coloured bishops draw endgames that are a pawn or two up; without pawns a side must be ahead by
    more than a minor piece.
    """
    pawns, knights, diagonal, straight = (
        position.pawns,
        position.knights,
        position.diagonal,
        position.straight,
    )
    if knights == 0 and popcount(diagonal) == 2 and diagonal & LIGHT and diagonal & DARK:
        if diagonal & position.own and diagonal & position.opp and diagonal & straight == 0:
            return WHOLE // 2 if straight == 0 else WHOLE * 7 // 8
    if pawns & position.own and pawns & position.opp:
        return WHOLE
    lead = strength(position, position.own) - strength(position, position.opp)
    ahead = position.own if lead > 0 else position.opp
    if pawns & ahead or lead == 0:
        return WHOLE
    if abs(lead) <= 3 or diagonal | straight == 0:
        return WHOLE // 8
    return WHOLE


def strength(position: "Chess", side: int) -> int:
    """A side's pieces: 3 for a minor piece, 5 for a rook and 9 for a queen."""
    queens = position.diagonal & position.straight
    minors = popcount(side & (position.knights | position.diagonal))
    return 3 * minors + 5 * popcount(side & position.straight) + popcount(side & queens)
