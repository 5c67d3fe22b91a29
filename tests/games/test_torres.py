"""Torres y Quevedo's automaton, proven by exhaustion: every defence of the black king is tried."""

import chess
import pytest

from outplay.games import load
from outplay.games.chess import Chess, torres
from outplay.limits import Limits
from outplay.players import PlayerError, player
from outplay.record import begin


def set_ups() -> dict[str, Chess]:
    """White king a8, rook b8, the black king on the first six ranks and not in check, White to move."""
    found = {}
    for place in chess.SQUARES[:48]:
        board = chess.Board("KR6/8/8/8/8/8/8/8 w - - 0 1")
        board.set_piece_at(place, chess.Piece.from_symbol("k"))
        if board.is_valid():
            found[chess.square_name(place)] = Chess.parse(board.fen())
    return found


def test_every_defence_but_one_is_mated() -> None:
    """The lecture has mate within 61 moves with the black king on a6: it takes 62, and up to 67 from elsewhere.

    From c6 the black king reaches f7 with the rook on g8: it has to flee to a8, and its own king is in the way.
    """
    known: dict[Chess, int] = {}
    moves = {}
    escapes = {}
    for name, state in set_ups().items():
        try:
            moves[name] = torres.longest_mate(state, known)
        except ValueError as error:
            escapes[name] = str(error)
            known = {position: count for position, count in known.items() if count}
    assert len(moves) == 41 and moves["a6"] == 62
    assert max(moves.values()) == 67 and {name for name in moves if moves[name] == 67} == {"d5", "e5", "e6"}
    assert list(escapes) == ["c6"] and "not a legal move" in escapes["c6"]


def test_torres_is_a_player() -> None:
    record = begin(load("chess"), "KR6/8/8/8/8/8/3k4/8 w - - 0 1")
    automaton = player("torres")
    found = automaton(record, Limits(depth=1))
    assert record.state.uci(found.action) == "b8b7"
    for text in ("KQ6/8/8/8/8/8/3k4/8 w - - 0 1", "KR6/8/8/8/8/8/3k4/8 b - - 0 1"):
        with pytest.raises(PlayerError, match="torres plays White with king and rook against a king"):
            automaton(begin(load("chess"), text), Limits(depth=1))
    with pytest.raises(PlayerError, match="torres plays chess, not TicTacToe"):
        automaton(begin(load("tictactoe")), Limits(depth=1))
