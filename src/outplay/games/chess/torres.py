"""Torres y Quevedo's automaton (1912), the first machine that played a chess endgame: king and rook against king.

It drives the black king down the board. The rook guards a rank, the white king follows, and when the kings are in
opposition the rook checks on the next rank; on the first rank that is mate. The automaton considers only files and
ranks and no replies, so it is far from the shortest mate, but it needs only six rules and no memory.

The lecture's position: white king a8, rook b8, the black king anywhere on the first six ranks, White to move.
"""

from typing import TYPE_CHECKING

from outplay.words import bits, lsb, popcount

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess

A, C, F, H = 0, 2, 5, 7  # files
LEFT, RIGHT = range(A, C + 1), range(F, H + 1)  # the zones at the edges


def choose(state: "Chess") -> str:
    """The automaton's move in UCI notation; a ValueError if it does not know the position."""
    rook, king, black = pieces(state)
    rook_file, rook_rank = rook & 7, rook >> 3
    black_file, black_rank = black & 7, black >> 3
    apart = abs((king & 7) - black_file)

    if rook_file in LEFT and black_file in LEFT:  # 1. The rook moves away to the other side,
        return written(rook, square(H, rook_rank))
    if rook_file in RIGHT and black_file in RIGHT:  # from either zone.
        return written(rook, square(A, rook_rank))
    if rook_rank - black_rank > 1:  # 2. The rook descends to the rank above the black king.
        return written(rook, rook - 8)
    if (king >> 3) - black_rank > 2:  # 3. The king follows.
        return written(king, king - 8)
    if apart % 2 == 1:  # 4. Wrong side to move: the rook waits, a to b or h to g, or back.
        return written(rook, rook ^ 1)
    if apart > 0:  # 5. The king approaches.
        return written(king, king + 1 if black_file > king & 7 else king - 1)
    return written(rook, rook - 8)  # 6. Opposition: check, and the black king must go down.


def pieces(state: "Chess") -> tuple[int, int, int]:
    """The squares of rook, king and black king; a ValueError if there are other pieces."""
    king, rooks = state.own & state.kings, state.own & state.straight & ~state.diagonal
    alone = popcount(state.own | state.opp) == 3 and popcount(rooks) == 1
    if not alone or state.ply & 1:
        raise ValueError("torres plays White with king and rook against a king, and is to move")
    (rook,) = bits(rooks)
    return rook, lsb(king), lsb(state.opp)


def square(file: int, rank: int) -> int:
    return 8 * rank + file


def written(start: int, stop: int) -> str:
    return "".join("abcdefgh"[place & 7] + str((place >> 3) + 1) for place in (start, stop))


def longest_mate(state: "Chess", known: "dict[Chess, int]") -> int:
    """The number of moves that the automaton needs against the best defence, by exhaustive search.

    `known` caches results. A ValueError if a defence succeeds: the automaton's move is illegal, the rook is lost, Black
    is stalemated, or a position repeats.
    """
    here = state._replace(clock=0, ply=0)
    if here in known:
        if known[here] == 0:
            raise ValueError(f"Black goes in circles at {state}")
        return known[here]
    known[here] = 0
    after = state.result(state.parse_action(choose(state)))
    replies = list(after.actions())
    if not replies and not after.forced():
        raise ValueError(f"Black is stalemated at {after}")
    moves = 1
    for reply in replies:
        follows = after.result(reply)
        if popcount(follows.own | follows.opp) < 3:
            raise ValueError(f"the rook is lost at {after}")
        moves = max(moves, 1 + longest_mate(follows, known))
    known[here] = moves
    return moves
