"""Go: the rules, the playout policy, notation and files."""

from outplay.games.go.position import Go

__all__ = ["Go"]
