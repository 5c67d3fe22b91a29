"""How strong a machine plays: named levels, the same scale for every game.

A level is a number of nodes, or simulations for MCTS, several times that of the level before; with a network fewer
simulations, each of which tells and takes more. For a value net, which plays well without search, it is the number of
candidate plays, then the plies of lookahead. No level is a time, so that it means the same on every machine.
"""

from typing import Any, NamedTuple


class Level(NamedTuple):
    """A named strength."""

    name: str
    nodes: int
    simulations: int
    guided: int  # simulations with a network
    plays: int  # a value net's candidate plays; 0: all
    plies: int = 0  # its lookahead


LEVELS = (
    Level("Beginner", 8, 8, 2, 1),
    Level("Novice", 30, 20, 4, 2),
    Level("Casual", 120, 60, 8, 3),
    Level("Club", 500, 180, 20, 5),
    Level("Strong", 2_500, 600, 60, 9),
    Level("Expert", 15_000, 2_000, 200, 0),
    Level("Master", 100_000, 8_000, 800, 0, 1),
    Level("Champion", 1_000_000, 40_000, 3_000, 0, 2),
)
USUAL = 4  # the default level, counted from 1


def described() -> list[dict[str, Any]]:
    """The levels as data for the page."""
    return [level._asdict() for level in LEVELS]
