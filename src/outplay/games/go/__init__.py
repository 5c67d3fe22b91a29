"""Go: the rules, the policy of its simulations, its texts and files."""

from outplay.games.go.position import Go

__all__ = ["Go"]
