"""Limited strength: for a lower Elo the engine searches fewer nodes, and its evaluation has noise that grows with the
number of moves.

No move is random: the engine plays the best move it finds. With few pieces on the board it searches more nodes, as
people do, so that every level can mate with king and rook.
"""

from typing import Any, NamedTuple

from outplay.words import popcount

ALL_MEN = 32


class Strength(NamedTuple):
    """The limits of a weakened engine."""

    nodes: int  # per move, with all pieces on the board
    noise: int  # the noise of an evaluation, in centipawns

    def nodes_at(self, state: Any) -> int:
        """The nodes for a position: more if there are fewer pieces."""
        return self.nodes * ALL_MEN // popcount(state.own | state.opp)


# Elo, nodes per move, noise: measured in matches from 1350 to 2000, extrapolated beyond (docs/strength.md), and
# interpolated geometrically.
SCALE = (
    (800, 150, 700),
    (1200, 350, 400),
    (1350, 400, 300),
    (1600, 750, 165),
    (2000, 45_000, 10),
    (2400, 250_000, 2),
    (2800, 2_000_000, 1),
)


def strength(elo: int) -> Strength:
    """The limits for an Elo."""
    for (low, nodes, noise), (high, more, less) in zip(SCALE, SCALE[1:], strict=False):
        if elo <= high:
            share = max(0.0, (elo - low) / (high - low))
            return Strength(round(nodes * (more / nodes) ** share), round(noise * (less / noise) ** share))
    return Strength(*SCALE[-1][1:])
