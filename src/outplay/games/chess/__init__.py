"""Chess and Chess960: rules (`position`), their tables (`attacks`, `castling`), texts (`fen`, `notation`, `pgn`)."""

from outplay.games.chess.position import Chess

__all__ = ["Chess"]
