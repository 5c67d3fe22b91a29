"""FEN, SAN and UCI: what is read and written, and what is refused with which reason."""

import sys

import chess
import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.game import parse_action
from outplay.games import Chess
from outplay.games.chess import fen, notation

START = str(Chess())


def test_start() -> None:
    assert START == chess.STARTING_FEN
    assert Chess.parse(START) == Chess()


@pytest.mark.parametrize(
    "text",
    [
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R b KQkq - 12 34",
        "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
        "4k3/8/8/8/8/8/8/R3K2R w KQ - 99 120",
        "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w KQkq - 2 9",
        "1r2kr1r/8/8/8/8/8/8/R3KR1R w FQfq - 0 1",  # an inner rook castles: its file
    ],
)
def test_there_and_back(text: str) -> None:
    assert str(Chess.parse(text)) == text == chess.Board(text, chess960=True).fen()


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),  # as in EPD
        ("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", None),  # nobody can take
        ("8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1", None),  # he who can may not
        ("4k3/8/8/8/8/8/8/4K2R w H - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("  4k3/8/8/8/8/8/8/4K2R   w K - 0 1 ", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
    ],
)
def test_normal_form(text: str, written: str | None) -> None:
    expected = written or chess.Board(text).fen()
    assert str(Chess.parse(text)) == expected
    assert expected.split()[3] == "-"


def test_shredder_fen() -> None:
    text = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9"
    assert fen.write(Chess.parse(text), shredder=True) == text


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "0 parts"),
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP w - - 0 1", "7 ranks, not 8"),
        ("4k3/9/8/8/8/8/8/4K3 w - - 0 1", "'9' is not a piece"),
        ("4k3/44/8/8/8/8/8/4K3 w - - 0 1", "does not describe 8 squares"),
        ("4k3/8p/8/8/8/8/8/4K3 w - - 0 1", "does not describe 8 squares"),
        ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "w or b"),
        ("8/8/8/8/8/8/8/4K3 w - - 0 1", "Black has one king"),
        ("4k3/8/8/8/8/8/8/3KK3 w - - 0 1", "White has one king"),
        ("4k2P/8/8/8/8/8/8/4K3 w - - 0 1", "no pawn can stand on the first or last rank"),
        ("4k3/pppppppp/p7/8/8/8/8/4K3 w - - 0 1", "at most 8 pawns"),
        ("4k3/8/8/8/8/QQ6/PPPPPPPP/4K3 w - - 0 1", "together at most 8"),
        ("4k3/8/8/8/8/8/PPPPPPPP/RNB1KBBR w - - 0 1", "together at most 8"),
        ("4k3/8/8/NNNNNNNN/8/QQQQQQQQ/8/4K3 w - - 0 1", "at most 16 pieces"),
        ("8/8/8/8/8/8/3k4/4K3 w - - 0 1", "side by side"),
        ("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "Black is in check on e8"),
        ("4k3/4r3/8/b7/8/3n4/8/4K3 w - - 0 1", "at most two checks"),
        ("4k3/8/8/8/8/3n1n2/8/4K3 w - - 0 1", "neither of which can have been uncovered"),
        ("4k3/8/8/8/8/8/8/4K3 w K - 0 1", "no rook for it"),
        ("4k3/8/8/8/8/8/4K3/7R w K - 0 1", "not on its first rank"),
        ("4k3/8/8/8/8/8/8/K6R w K - 0 1", "in a corner"),
        ("4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "given twice"),
        ("4k3/8/8/8/8/8/8/4KR1R w HF - 0 1", "one rook on each side"),
        ("4k3/8/8/8/8/8/8/4K2R w qk - 0 1", "no rook for it"),
        ("4k3/8/8/8/8/8/8/4K2R w KX - 0 1", "letters of KQkq"),
        ("4k3/8/8/8/8/8/8/4K3 w - e3 0 1", "on rank 6 when White is to move"),
        ("4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "no pawn on e5"),
        ("4k3/8/4n3/4p3/8/8/8/4K3 w - e6 0 1", "not both empty"),
        ("4k3/8/8/4p3/8/8/8/4K3 w - e6 3 1", "plies since a pawn move are 0"),
        ("4k3/8/8/4p3/8/8/4r3/4K3 w - e6 0 1", "was in check before"),
        ("4k3/8/8/8/8/8/8/4K3 w - - -1 1", "whole number from 0"),
        ("4k3/8/8/8/8/8/8/4K3 w - - 0 0", "whole number from 1"),
    ],
)
def test_impossible_positions(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason) as error:
        Chess.parse(text)
    assert "\n" not in str(error.value)


@given(st.text())
def test_no_text_crashes_it(text: str) -> None:
    with pytest.raises(ValueError):
        Chess.parse(text)


LETTERS = "pnbrqkPNBRQK12345678/ wb-KQkqHAha01e36"


@given(st.integers(0, len(START)), st.integers(0, 4), st.text(alphabet=LETTERS, max_size=4))
def test_no_edit_crashes_it(at: int, gone: int, new: str) -> None:
    """What is read is what is written: a text that is accepted has a normal form."""
    try:
        state = Chess.parse(START[:at] + new + START[at + gone :])
    except ValueError:
        return
    assert Chess.parse(str(state)) == state
    assert chess.Board(str(state), chess960=True).status() in (
        chess.STATUS_VALID,
        chess.STATUS_TOO_MANY_CHECKERS,
    )


# --- moves ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "move", "san", "uci"),
    [
        (START, "Nf3", "Nf3", "g1f3"),
        (START, "g1f3", "Nf3", "g1f3"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "0-0-0", "O-O-O", "e8c8"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", "O-O", "e1g1"),
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", "O-O", "e1g1"),
        ("1k6/8/8/8/8/8/8/1K3R2 w F - 0 1", "O-O", "O-O", "b1f1"),  # Chess960
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=N", "a8=N", "a7a8n"),
        ("7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8Q", "a8=Q+", "a7a8q"),
        ("4k3/8/8/8/8/8/8/RN2K2R w - - 0 1", "Nd2", "Nd2", "b1d2"),
        ("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "exd6", "e5d6"),
        ("k7/8/1K6/8/8/8/8/7R w - - 0 1", "Rh8", "Rh8#", "h1h8"),
    ],
)
def test_moves(text: str, move: str, san: str, uci: str) -> None:
    state = Chess.parse(text)
    action = parse_action(state, move)
    assert state.action_text(action) == san
    assert state.uci(action) == uci
    assert notation.action(state, notation.move(state, action)) == action


@pytest.mark.parametrize(
    "move", ["", "e5", "Ke2", "e2e5", "e7e5", "O-O", "xyzzy", "e2e4q", "--", "0000", "e4 e5"]
)
def test_no_move(move: str) -> None:
    with pytest.raises(ValueError, match="is not a legal move here; legal: "):
        parse_action(Chess(), move)


@given(st.text(max_size=8))
def test_no_move_crashes_it(text: str) -> None:
    try:
        action = parse_action(Chess(), text)
    except ValueError:
        return
    assert action in list(Chess().actions())


def test_board() -> None:
    board = Chess.parse("r3k2r/8/8/8/8/8/4P3/4K3 b kq - 0 1").board()
    assert board.rows[0] == "r   k  r"
    assert board.rows[6] == "    P   "
    assert "Black" in board.note


def test_threads_write_moves_at_the_same_time() -> None:
    """python-chess plays a move on the board that it writes it for; no thread may see another's."""
    from concurrent.futures import ThreadPoolExecutor

    states = [Chess(), Chess().result(next(iter(Chess().actions())))]
    wanted = [[state.action_text(action) for action in state.actions()] for state in states]

    def texts(number: int) -> list[str]:
        state = states[number % 2]
        return [state.action_text(action) for action in state.actions()]

    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        with ThreadPoolExecutor(4) as pool:
            assert list(pool.map(texts, range(60))) == wanted * 30
    finally:
        sys.setswitchinterval(interval)
