"""Root probing of Syzygy tables, using python-chess."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import chess.syzygy


class Endings:
    """Syzygy tables: the moves that keep the outcome, and among these the fastest."""

    def __init__(self, path: str) -> None:
        import chess.syzygy

        self.tables: chess.syzygy.Tablebase = chess.syzygy.Tablebase()
        for folder in path.replace(";", ":").split(":"):
            if not Path(folder).is_dir():
                raise ValueError(f"SyzygyPath: {folder} is not a folder")
            self.tables.add_directory(folder)
        self.most = max((name.count("K") and len(name) - 1 for name in self.tables.wdl), default=0)

    def best(self, state: Any) -> list[int]:
        """The best moves; empty if the position is not in the tables."""
        import chess.syzygy

        from outplay.games.chess import notation

        board = notation.board(state)
        if chess.popcount(board.occupied) > self.most or board.castling_rights:
            return []
        ranks: dict[int, tuple[int, int]] = {}
        try:
            for move in board.legal_moves:
                ranks[notation.action(state, move)] = self.rank(board, move)
        except (KeyError, chess.syzygy.MissingTableError):
            return []
        best = max(ranks.values(), default=None)
        return [action for action, rank in ranks.items() if rank == best]

    def rank(self, board: "chess.Board", move: "chess.Move") -> tuple[int, int]:
        """The outcome for the mover (2 won ... -2 lost), then the nearness of a capture or pawn move that keeps it."""
        board.push(move)
        try:
            if board.is_checkmate():
                return 2, 1000
            outcome = -self.tables.probe_wdl(board)
            distance = 0 if board.halfmove_clock == 0 else abs(self.tables.probe_dtz(board))
        finally:
            board.pop()
        return outcome, -distance if outcome > 0 else distance if outcome < 0 else 0
