"""How strong a machine plays: named levels, the same scale for every game.

A level is a number of nodes, or simulations for MCTS, several times that of the level before. For a value net, which
plays well without search, it is the number of candidate plays, then the plies of lookahead. No level is a time, so that
it means the same on every machine.
"""

from typing import Any, NamedTuple


class Level(NamedTuple):
    """A named strength."""

    name: str
    nodes: int
    simulations: int
    plays: int  # a value net's candidate plays; 0: all
    plies: int = 0  # its lookahead


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
USUAL = 4  # the default level, counted from 1


def described() -> list[dict[str, Any]]:
    """The levels as data for the page."""
    return [level._asdict() for level in LEVELS]
