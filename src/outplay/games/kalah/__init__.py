"""Kalah: the rules (`position`), and endgame indexing (`endgames`)."""

from outplay.games.kalah.position import Kalah

__all__ = ["Kalah"]
