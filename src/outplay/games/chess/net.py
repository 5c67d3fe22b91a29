"""A neural network for what the handcrafted terms of the evaluation miss; outplay.nnue has its formula.

Its features are the pieces, by kind (the mover's pawns, knights, bishops, rooks, king, queens, then the opponent's) and
square, from either side's view, mirrored if necessary so that the viewer's king is on the files e to h. `net.bin` holds
its weights. `bench.chess_net` trains it on the difference between a strong engine's scores and the terms.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from outplay.nnue import HALF, LANES, NNUE, OFFSET, ONE, POINT, SQUARE, bucket, views
from outplay.words import bits, popcount, shr, wrap

if TYPE_CHECKING:
    from outplay.games.chess.position import Chess

FEATURES = 12 * 64
UNITS = 128
BUCKETS = 8
NET = NNUE.load(Path(__file__).with_name("net.bin"), FEATURES, UNITS, BUCKETS)
ROWS, WEIGHTS, BIASES = NET.rows, NET.weights, NET.biases
WIDTH = UNITS // LANES  # words per row
RIGHT = wrap(0xF0F0F0F0F0F0F0F0)  # the files e to h


def feature(position: "Chess", square: int) -> int:
    """The feature of the piece on a square, in both views."""
    own, kings = position.own, position.kings
    kind = (shr(position.knights, square) & 1) + 2 * (shr(position.diagonal, square) & 1)
    kind += 3 * (shr(position.straight, square) & 1) + 4 * (shr(kings, square) & 1)
    side = 6 * (shr(own, square) & 1)
    mirror = 0 if kings & own & RIGHT else 7
    other_mirror = 56 if kings & position.opp & RIGHT else 63
    mine = (kind + 6 - side) * 64 + (square ^ mirror)
    yours = (kind + side) * 64 + (square ^ other_mirror)
    return views(mine, yours)


def changed(position: "Chess", before: "Chess") -> int:
    """The squares whose features differ from another position's: all, if a king has crossed the middle."""
    own, opp = position.own ^ before.own, position.opp ^ before.opp
    crossed = (position.own & position.kings & RIGHT == 0) != (before.own & before.kings & RIGHT == 0)
    crossed |= (position.opp & position.kings & RIGHT == 0) != (before.opp & before.kings & RIGHT == 0)
    kinds = position.knights ^ before.knights | position.diagonal ^ before.diagonal
    kinds |= position.straight ^ before.straight | position.kings ^ before.kings
    pieces = position.own | position.opp | before.own | before.opp
    return pieces if crossed else own | opp | kinds


def net(position: "Chess") -> int:
    """The net's output for the player to move, in centipawns, computed from scratch."""
    pieces = position.own | position.opp
    base = OFFSET * popcount(pieces)
    kept = 2 * WIDTH * bucket(popcount(pieces), BUCKETS)
    total = 0
    for i in range(WIDTH):
        mine = yours = 0
        for square in bits(pieces):
            seen = feature(position, square)
            mine += ROWS[(seen & 0xFFFF) * WIDTH + i]
            yours += ROWS[(seen >> 16) * WIDTH + i]
        total += counted(mine, base, WEIGHTS[kept + i])
        total += counted(yours, base, WEIGHTS[kept + WIDTH + i])
    return total // (SQUARE * POINT) + BIASES[bucket(popcount(pieces), BUCKETS)]


def counted(sums: int, base: int, factors: int) -> int:
    """The output of four units, offset by `base`, with the weights in `factors`."""
    total = 0
    for lane in range(LANES):
        x = min(max((shr(sums, 16 * lane) & 0xFFFF) - base, 0), ONE)
        total += (wrap(factors << 48 - 16 * lane) >> 48) * (x * x + HALF >> 8)
    return total
