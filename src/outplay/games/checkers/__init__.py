"""Checkers: the rules (`position`), and its endgames by number (`endgames`)."""

from outplay.games.checkers.position import Checkers

__all__ = ["Checkers"]
