"""How strong a machine plays: named levels, the same scale for every game.

A level is a number of nodes, of simulations for a search that samples; each is several times the one before. For a
value net, which plays well at once, it is how many plays of a roll it looks at, and then how many plies ahead. No level
is a time, so that it means the same on every machine.
"""

from typing import Any, NamedTuple


class Level(NamedTuple):
    """A strength that people can choose by its name."""

    name: str
    nodes: int
    simulations: int
    plays: int  # that a value net chooses from; 0: all
    plies: int = 0  # that it looks ahead


LEVELS = (
    Level("Beginner", 8, 8, 1),
    Level("Novice", 30, 20, 2),
    Level("Casual", 120, 60, 3),
    Level("Club", 500, 180, 5),
    Level("Strong", 2_500, 600, 9),
    Level("Expert", 15_000, 2_000, 0),
    Level("Master", 100_000, 8_000, 0, 1),
    Level("Champion", 1_000_000, 40_000, 0, 2),
)
USUAL = 4  # the level that the page proposes, counted from 1


def described() -> list[dict[str, Any]]:
    """For the page."""
    return [level._asdict() for level in LEVELS]
