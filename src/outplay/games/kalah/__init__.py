"""Kalah: the rules (`position`), and its endgames by number (`endgames`)."""

from outplay.games.kalah.position import Kalah

__all__ = ["Kalah"]
