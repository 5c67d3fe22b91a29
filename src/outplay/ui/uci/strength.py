"""Limited strength: for a lower Elo the engine searches fewer nodes, and its evaluation has noise that grows with the
number of moves.

No move is random: the engine plays the best it finds. With few pieces on the board it searches more nodes, as
people do, so that every level can mate with king and rook.
"""

from typing import Any, NamedTuple

from outplay.words import popcount

ALL_MEN = 32


class Strength(NamedTuple):
    """How much the engine may see."""

    nodes: int  # a move, with all pieces on the board
    noise: int  # how far an evaluation may be off, in hundredths of a pawn

    def nodes_at(self, state: Any) -> int:
        """How many nodes it looks at in a position: the more the fewer pieces there are."""
        return self.nodes * ALL_MEN // popcount(state.own | state.opp)


# Elo, nodes a move, noise: set by matches from 1350 to 2000, guessed beyond (docs/strength.md); between by the power.
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
    """What a player of that Elo sees."""
    for (low, nodes, noise), (high, more, less) in zip(SCALE, SCALE[1:], strict=False):
        if elo <= high:
            share = max(0.0, (elo - low) / (high - low))
            return Strength(round(nodes * (more / nodes) ** share), round(noise * (less / noise) ** share))
    return Strength(*SCALE[-1][1:])
