"""Tic-tac-toe: the whole tree, its value, text, and OpenSpiel's rules beside ours."""

import functools
import random
from collections import Counter
from collections.abc import Iterator

import pytest

from outplay.game import adopt, parse_action
from outplay.games.tictactoe import TicTacToe
from outplay.words import wrap

adopt(TicTacToe)


def random_games(games: int, seed: int) -> Iterator[TicTacToe]:
    """All positions of some random games."""
    choose = random.Random(seed)
    for _ in range(games):
        state = TicTacToe()
        while not state.terminal():
            yield state
            state = state.result(choose.choice(list(state.actions())))
        yield state


def test_the_whole_tree() -> None:
    layer = Counter({TicTacToe(): 1})  # position -> ways to reach it
    counts, ends = [], Counter()
    while layer:
        counts.append(layer.total())
        below: Counter[TicTacToe] = Counter()
        for state, ways in layer.items():
            if state.terminal():
                ends[state.utility()] += ways
                continue
            for action in state.actions():
                below[state.result(action)] += ways
        layer = below
    assert counts == [1, 9, 72, 504, 3024, 15120, 54720, 148176, 200448, 127872]
    assert sum(counts) == 549_946
    assert ends == {1: 131_184, -1: 77_904, 0: 46_080}  # games won by X, won by O and drawn


def test_perfect_play_is_a_draw() -> None:
    @functools.cache
    def minimax(state: TicTacToe) -> int:
        if state.terminal():
            return state.utility()
        return (max, min)[state.player()](minimax(state.result(action)) for action in state.actions())

    assert minimax(TicTacToe()) == 0
    assert minimax(TicTacToe.parse("X.O/.../...")) == 1
    assert minimax.cache_info().currsize == 5478  # all positions that can arise


@pytest.mark.parametrize(
    ("text", "value"),
    [
        (".../.../... x", 0),
        (".../.X./... o", 4),  # O has 4 lines left, X all 8
        ("O../.X./... x", 1),
        (".O./.X./... x", 2),
        ("X../.O./... x", -1),
    ],
)
def test_evaluate_counts_open_lines(text: str, value: int) -> None:
    assert TicTacToe.parse(text).evaluate() == value


def test_text_round_trip() -> None:
    for state in random_games(300, seed=1):
        assert TicTacToe.parse(str(state)) == state
        assert TicTacToe.parse(str(state).split()[0]) == state  # the marks tell who moves
        if not state.terminal():
            for action in state.actions():
                assert parse_action(state, state.action_text(action)) == action
        assert all(wrap(field) == field for field in state)


def test_text() -> None:
    state = TicTacToe()
    for square in ("b2", "a3", "c1"):
        state = state.result(parse_action(state, square))
    assert str(state) == "O../.X./..X o"
    assert TicTacToe.parse(" o../.x./..x  O ") == state
    assert state.board().rows == ("O  ", " X ", "  X")
    assert state.board().note == "O to move"
    assert TicTacToe.parse("XXX/OO./... o").board().note == "X wins"
    assert TicTacToe.parse("XX./OOO/X.. x").board().note == "O wins"
    assert TicTacToe.parse("XOX/XOO/OXX o").board().note == "draw"


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "three rows"),
        ("XO./.X.", "three rows"),
        ("XO./.X./..OO", "three rows"),
        ("XO./.Z./..O", "three rows"),
        ("XX./.../...", "2 X and 0 O"),
        ("O../.../...", "0 X and 1 O"),
        ("X../.../... x", "O is to move"),
        ("X../.../... y", "O is to move"),
        ("XXX/OOO/...", "X has won, yet is to move"),
        ("XXX/OO./O.. x", "X has won, yet is to move"),
    ],
)
def test_parse_refuses(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as refused:
        TicTacToe.parse(text)
    assert "\n" not in str(refused.value)


def test_against_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("tic_tac_toe")
    choose = random.Random(2)
    for _ in range(300):
        state, other = TicTacToe(), game.new_initial_state()
        while not state.terminal():
            assert not other.is_terminal()
            assert state.player() == other.current_player()
            # OpenSpiel counts the squares from the top row
            theirs = {square: 3 * (2 - square // 3) + square % 3 for square in state.actions()}
            assert sorted(theirs.values()) == other.legal_actions()
            square = choose.choice(list(theirs))
            state = state.result(square)
            other.apply_action(theirs[square])
        assert other.is_terminal()
        assert [state.utility(), -state.utility()] == other.returns()
