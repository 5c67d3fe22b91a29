"""Backgammon: the rules, notation and drawing."""

from outplay.games.backgammon.position import Backgammon

__all__ = ["Backgammon"]
