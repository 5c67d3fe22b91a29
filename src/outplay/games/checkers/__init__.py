"""Checkers: the rules (`position`), and endgame indexing (`endgames`)."""

from outplay.games.checkers.position import Checkers

__all__ = ["Checkers"]
