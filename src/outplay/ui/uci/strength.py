"""Weaker play: a player of some Elo looks at fewer positions, and judges them less well where there is much to see.

Nothing is played at random: the engine plays the best that it sees.
"""

from typing import NamedTuple


class Strength(NamedTuple):
    """How much the engine may see."""

    nodes: int
    noise: int  # how far an evaluation may be off, in hundredths of a pawn


# Elo, nodes a move, noise: measured in matches (docs/strength.md); between them both go by the power.
SCALE = (
    (800, 60, 500),
    (1200, 250, 260),
    (1600, 1_200, 130),
    (2000, 6_000, 60),
    (2400, 40_000, 20),
    (2800, 400_000, 1),
)


def strength(elo: int) -> Strength:
    """What a player of that Elo sees."""
    for (low, nodes, noise), (high, more, less) in zip(SCALE, SCALE[1:], strict=False):
        if elo <= high:
            share = max(0.0, (elo - low) / (high - low))
            return Strength(round(nodes * (more / nodes) ** share), round(noise * (less / noise) ** share))
    return Strength(*SCALE[-1][1:])
