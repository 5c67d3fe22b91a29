"""Connect Four: published counts and scores, other sizes, text, and OpenSpiel's rules beside ours."""

import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outplay.game import GameError, Weights, adopt, parse_action
from outplay.games.connect4 import ConnectFour
from outplay.variants import parameters, variant

adopt(ConnectFour)
SIZES = [(7, 6), (4, 4), (5, 4), (6, 7), (9, 6), (7, 8), (3, 5), (1, 1), (12, 4), (2, 29)]
PONS = Path(__file__).parents[3] / "shared" / "data" / "connect4"


def sized(width: int, height: int) -> Any:
    return variant(ConnectFour, WIDTH=width, HEIGHT=height)


def random_games(cls: Any, games: int, seed: int) -> Iterator[Any]:
    """All positions of some random games."""
    choose = random.Random(seed)
    for _ in range(games):
        state = cls()
        while not state.terminal():
            yield state
            state = state.result(choose.choice(list(state.actions())))
        yield state


def test_perft_and_distinct_positions() -> None:
    layer = Counter({ConnectFour(): 1})  # position -> ways to reach it
    counts, distinct = [], []
    for _ in range(8):
        below: Counter[ConnectFour] = Counter()
        for state, ways in layer.items():
            if not state.terminal():
                for column in state.actions():
                    below[state.result(column)] += ways
        layer = below
        counts.append(layer.total())
        distinct.append(len(layer))
    assert counts == [7, 49, 343, 2401, 16807, 117649, 823536, 5673234]
    assert distinct == [7, 49, 238, 1120, 4263, 16422, 54859, 184275]


def test_published_scores() -> None:
    """Pons's end-game set: the sign of a score says who wins, for the player to move."""
    if not PONS.exists():
        pytest.skip("../shared/data/connect4 is absent")
    known: dict[ConnectFour, int] = {}

    def minimax(state: ConnectFour) -> int:
        if state not in known:
            if state.terminal():
                known[state] = state.utility()
            else:
                values = (minimax(state.result(column)) for column in state.actions())
                known[state] = (max, min)[state.player()](values)
        return known[state]

    lines = [line.split() for line in (PONS / "Test_L3_R1").read_text().splitlines()]
    late = [(moves, int(score)) for moves, score in lines if len(moves) >= 34]
    assert len(late) > 100
    for moves, score in late:
        state = ConnectFour.parse(moves)
        for_mover = minimax(state) if state.player() == 0 else -minimax(state)
        assert for_mover == (score > 0) - (score < 0), moves


@pytest.mark.parametrize("name", ["Test_L1_R1", "Test_L2_R1", "Test_L3_R1"])
def test_reads_published_games(name: str) -> None:
    if not PONS.exists():
        pytest.skip("../shared/data/connect4 is absent")
    for line in (PONS / name).read_text().splitlines():
        state = ConnectFour.parse(line.split()[0])
        assert not state.terminal()
        assert ConnectFour.parse(str(state)) == state


def four_in_text(rows: list[str], disc: str) -> bool:
    """Four in a line, found the slow way."""
    height, width = len(rows), len(rows[0])
    return any(
        all(
            0 <= r + i * dr < height and 0 <= c + i * dc < width and rows[r + i * dr][c + i * dc] == disc
            for i in range(4)
        )
        for r in range(height)
        for c in range(width)
        for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1))
    )


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_rules_on_any_size(width: int, height: int) -> None:
    cls = sized(width, height)
    assert parameters(cls) == {"WIDTH": width, "HEIGHT": height}
    for state in random_games(cls, 20, seed=width):
        rows = state.rows()
        wins = {disc: four_in_text(rows, disc) for disc in "XO"}
        full = all("." not in row for row in rows)
        assert state.terminal() == (wins["X"] or wins["O"] or full)
        assert sorted(state.actions()) == [c for c in range(width) if rows[0][c] == "."]
        if state.terminal():
            assert state.utility() == wins["X"] - wins["O"]
        else:
            column = min(state.actions())
            landing = max(r for r in range(height) if rows[r][column] == ".")
            expected = list(rows)
            expected[landing] = rows[landing][:column] + "XO"[state.player()] + rows[landing][column + 1 :]
            assert state.result(column).rows() == expected


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_text_round_trip(width: int, height: int) -> None:
    cls = sized(width, height)
    for state in random_games(cls, 10, seed=height):
        assert cls.parse(str(state)) == state
        assert cls.parse(str(state).split()[0]) == state  # the discs tell who moves
        if not state.terminal():
            texts = {state.action_text(column): column for column in state.actions()}
            assert all(parse_action(state, text) == column for text, column in texts.items())


def test_text() -> None:
    state = ConnectFour.parse("4435")
    assert str(state) == "......./......./......./......./...O.../..XXO.. x"
    assert state.board().rows[-2:] == ("   O   ", "  XXO  ")
    assert state.board().files == ("1", "2", "3", "4", "5", "6", "7")
    assert state.board().note == "X to move"
    assert ConnectFour.parse("1213141").board().note == "X wins"
    assert ConnectFour.parse("71212121").board().note == "O wins"
    draw = "XOOXXOO/OXXOXXO/OOXXXOO/OXXOOOX/XOOXXOX/XOXOXXO x"
    assert ConnectFour.parse(draw).board().note == "draw"


def test_actions_start_in_the_middle() -> None:
    assert list(ConnectFour().actions()) == [3, 2, 4, 1, 5, 0, 6]
    assert list(sized(4, 4)().actions()) == [1, 2, 0, 3]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("", 0),
        ("4", 7),  # of the 69 lines, those that the disc in the middle stands in
        ("1", 3),
        ("41", 4),
    ],
)
def test_evaluate_counts_open_lines(text: str, value: int) -> None:
    state = ConnectFour.parse(text) if text else ConnectFour()
    assert state.evaluate(Weights(open_lines=1, good_threats=0, other_threats=0, centre=0)) == value
    assert ConnectFour().open_lines(0) == 69


def test_evaluate_counts_threats_by_row() -> None:
    nothing = Weights(open_lines=0, good_threats=0, other_threats=0, centre=0)
    # X has three in the bottom row with both ends free: two threats in an odd row.
    state = ConnectFour.parse("......./......./......./......./..O.O../..XXX.. o")
    assert state.evaluate(nothing.replace(good_threats=1)) == 2
    assert state.evaluate(nothing.replace(other_threats=1)) == 0
    assert state.evaluate(nothing.replace(centre=1)) == 1
    # O has three in the second row, which is even, and one end free.
    state = ConnectFour.parse("......./......./......./......./.XOOO../XOXXXOX o")
    assert state.evaluate(nothing.replace(good_threats=1)) == -1


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "6 rows like"),
        ("hello", "6 rows like"),
        ("......./......./......./......./.......", "6 rows like"),
        ("......./......./......./......./......./........", "6 rows like"),
        ("......./......./......./......./......./...Z...", "6 rows like"),
        ("......./......./......./......./......./..XX...", "2 X and 0 O"),
        ("......./......./......./......./......./...O...", "0 X and 1 O"),
        ("......./......./......./......./......./...X... x", "O is to move"),
        ("......./......./......./......./...X.../....... o", "hangs over an empty square"),
        ("......./......./......./......./OOO..../XXXX... x", "O is to move"),
        ("......./......./......./......./OOOO.../XXXX...", "X has won, yet is to move"),
        ("4444444", "column 4 is full or off the board at move 7"),
        ("48", "column 8 is full or off the board at move 2"),
        ("40", "column 0 is full or off the board at move 2"),
        ("12131415", "over before its move 8"),
    ],
)
def test_parse_refuses(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as refused:
        ConnectFour.parse(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(("width", "height"), [(9, 7), (64, 1), (0, 6), (7, 0), (1, 30)])
def test_sizes_that_do_not_fit(width: int, height: int) -> None:
    with pytest.raises(GameError, match="at most 63"):
        sized(width, height)


def test_against_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("connect_four")
    choose = random.Random(3)
    for _ in range(300):
        state, other = ConnectFour(), game.new_initial_state()
        while not state.terminal():
            assert not other.is_terminal()
            assert state.player() == other.current_player()
            assert sorted(state.actions()) == other.legal_actions()
            column = choose.choice(list(state.actions()))
            state = state.result(column)
            other.apply_action(column)
        assert other.is_terminal()
        assert [state.utility(), -state.utility()] == other.returns()
