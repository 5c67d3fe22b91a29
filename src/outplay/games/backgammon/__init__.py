"""Backgammon: the rules of the checkers, its texts and its drawing."""

from outplay.games.backgammon.position import Backgammon

__all__ = ["Backgammon"]
