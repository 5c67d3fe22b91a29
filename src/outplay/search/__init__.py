"""Searches, one file each, named by its textbook word. `best`, `solve`, `perft` and `playouts` run them."""

from outplay.limits import Analysis, Limits
from outplay.search.best import best
from outplay.search.mcts.playout import Playouts, playouts
from outplay.search.perft import divide, perft
from outplay.search.proof.solve import Solution, solve
from outplay.search.searches import SEARCHES

__all__ = [
    "SEARCHES",
    "Analysis",
    "Limits",
    "Playouts",
    "Solution",
    "best",
    "divide",
    "perft",
    "playouts",
    "solve",
]
