"""What is known about a position without a search: opening books and endgame tables, read by python-chess."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import chess.syzygy


def book_move(path: str, state: Any, roll: float) -> int | None:
    """A book's move, chosen by its weight; `roll` is a random number from 0 to 1. None: out of book."""
    import chess.polyglot

    from outplay.games.chess import notation

    board = notation.board(state)
    with chess.polyglot.open_reader(path) as reader:
        entries = list(reader.find_all(board))
    left = roll * sum(entry.weight for entry in entries)
    for entry in entries:
        left -= entry.weight
        if left <= 0:
            return notation.action(state, entry.move)
    return None


class Endings:
    """Syzygy tables: which moves keep the outcome, and of these which lead to it soonest."""

    def __init__(self, path: str) -> None:
        import chess.syzygy

        self.tables: chess.syzygy.Tablebase = chess.syzygy.Tablebase()
        for folder in path.replace(";", ":").split(":"):
            if not Path(folder).is_dir():
                raise ValueError(f"SyzygyPath: {folder} is no folder")
            self.tables.add_directory(folder)
        self.most = max((name.count("K") and len(name) - 1 for name in self.tables.wdl), default=0)

    def best(self, state: Any) -> list[int]:
        """The moves to choose among; none where the tables do not know the position."""
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
        """The outcome for the mover (2 won ... -2 lost), then how near a capture or pawn move is that keeps it."""
        board.push(move)
        try:
            if board.is_checkmate():
                return 2, 1000
            outcome = -self.tables.probe_wdl(board)
            distance = 0 if board.halfmove_clock == 0 else abs(self.tables.probe_dtz(board))
        finally:
            board.pop()
        return outcome, -distance if outcome > 0 else distance if outcome < 0 else 0
