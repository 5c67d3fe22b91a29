"""Searches, one file each, named by its textbook word. `best`, `solve`, `perft` and `playouts` run them."""

from outplay.limits import Analysis, Limits
from outplay.search.driver import SEARCHES, best
from outplay.search.perft import divide, perft
from outplay.search.playout import Playouts, playouts
from outplay.search.solve import Solution, solve

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
