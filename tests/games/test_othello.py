"""Othello: published counts and games, the rules written a second time, text, and OpenSpiel beside ours."""

import functools
import random
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from outplay.game import GameError, adopt, is_terminal, parse_action
from outplay.games.othello import Othello
from outplay.search import Limits, solve
from outplay.search.engine.engine import Engine
from outplay.variants import variant
from outplay.words import popcount, wrap

adopt(Othello)
SIZES = [4, 6, 8]
DATA = Path(__file__).parents[3] / "shared" / "data" / "othello"
SHORTEST_WIPE_OUT = "e6 f4 e3 f6 g5 d6 e7 f5 c5"  # Black has every disc after nine moves


def sized(size: int) -> Any:
    return variant(Othello, SIZE=size)


def play(moves: str, state: Any = None) -> Any:
    state = state or Othello()
    for text in moves.split():
        state = state.result(parse_action(state, text))
    return state


def random_games(cls: Any, games: int, seed: int) -> Iterator[Any]:
    """All positions of some random games."""
    choose = random.Random(seed)
    for _ in range(games):
        state = cls()
        while actions := list(state.actions()):
            yield state
            state = state.result(choose.choice(actions))
        yield state


def test_perft() -> None:
    layer = Counter({Othello(): 1})  # position -> ways to reach it
    counts = []
    for _ in range(7):
        below: Counter[Othello] = Counter()
        for state, ways in layer.items():
            for action in state.actions():
                below[state.result(action)] += ways
        layer = below
        counts.append(layer.total())
    assert counts == [4, 12, 56, 244, 1396, 8200, 55092]


def test_small_board_is_won_by_white() -> None:
    """4x4: White wins 11 to 3 with best play, and gets the two squares that stay empty."""

    @functools.cache
    def minimax(state: Any) -> int:
        values = [minimax(state.result(action)) for action in state.actions()]
        return (max, min)[state.player()](values) if values else state.utility()

    assert minimax(sized(4)()) == 3 - 13


def moves_on_text(squares: str, size: int, mover: str) -> dict[int, str]:
    """Where a disc may be placed and the squares after it, by the words of the rules."""
    other = "O" if mover == "X" else "X"
    moves = {}
    for start in [i for i, square in enumerate(squares) if square == "-"]:
        turned: list[int] = []
        for dr, dc in [(r, c) for r in (-1, 0, 1) for c in (-1, 0, 1) if r or c]:
            line = []
            r, c = start // size + dr, start % size + dc
            while 0 <= r < size and 0 <= c < size and squares[r * size + c] == other:
                line.append(r * size + c)
                r, c = r + dr, c + dc
            if 0 <= r < size and 0 <= c < size and squares[r * size + c] == mover:
                turned += line
        if turned:
            moves[start] = "".join(mover if i in (start, *turned) else s for i, s in enumerate(squares))
    return moves


@pytest.mark.parametrize("size", SIZES)
def test_rules_on_any_size(size: int) -> None:
    cls = sized(size)
    for state in random_games(cls, 20, seed=size):
        squares, mover = str(state).split()
        expected = moves_on_text(squares, size, mover)
        if not expected and moves_on_text(squares, size, "O" if mover == "X" else "X"):
            expected = {cls.PASS: squares}
        assert {action: str(state.result(action)).split()[0] for action in state.actions()} == expected
        assert all(state.result(action).player() != state.player() for action in expected)
        if is_terminal(state):
            black, white, empty = (squares.count(disc) for disc in "XO-")
            assert state.utility() == black - white + empty * ((black > white) - (white > black))


@pytest.mark.parametrize("size", SIZES)
def test_text_round_trip(size: int) -> None:
    cls = sized(size)
    for state in random_games(cls, 20, seed=10 + size):
        assert cls.parse(str(state)) == state
        actions = list(state.actions())
        assert [parse_action(state, state.action_text(action)) for action in actions] == actions
        assert len(actions) <= cls.max_actions
        assert all(wrap(field) == field for field in state)


def test_text() -> None:
    state = Othello()
    assert str(state) == "-" * 27 + "OX------XO" + "-" * 27 + " X"
    assert [state.action_text(action) for action in state.actions()] == ["d3", "c4", "f5", "e6"]
    state = play("f5")
    assert str(state) == "-" * 27 + "OX------XXX" + "-" * 26 + " O"
    assert Othello.parse(str(state).lower() + "; F6:+0; D6:+0;") == state
    assert state.board().rows[3:5] == ("   OX   ", "   XXX  ")
    assert state.board().ranks[0] == "1"
    assert state.board().files[0] == "a"
    assert state.board().note == "Black (X) 4, White (O) 1; White to move"


def test_wipe_out_ends_the_game() -> None:
    state = play(SHORTEST_WIPE_OUT)
    assert is_terminal(state)
    assert state.utility() == 64  # the empty squares are the winner's
    assert state.board().note == "Black (X) 13, White (O) 0; the game is over"


def test_pass_only_without_another_move() -> None:
    state = play("d3 c3 b3 b2 f5 a3 a1 c1")  # the fewest moves to a pass
    assert [state.action_text(action) for action in state.actions()] == ["pass"]
    after = play("pass", state)
    assert (after.own, after.opp, after.turn) == (state.opp, state.own, 1)
    assert [after.action_text(action) for action in after.actions()] == ["e3", "f6"]


def test_bit_63() -> None:
    """The last square, h8, is the sign of the board: here White flanks the whole diagonal with it."""
    rows = "O------- -X------ --X----- ---XX--- ---XX--- -----X-- ------X- --------"
    state = Othello.parse(rows.replace(" ", "") + " O")
    after = play("h8", state)
    assert after.opp < 0
    assert popcount(after.opp) == 8
    assert after.opp & Othello.CORNERS == wrap(1 << 63 | 1)
    assert Othello.parse(str(after)) == after


def images(state: Othello) -> Iterator[Othello]:
    """The position in the eight ways in which a board can lie."""
    squares, mover = str(state).split()
    rows = [squares[i : i + 8] for i in range(0, 64, 8)]
    for _ in range(2):
        for _ in range(4):
            yield Othello.parse("".join(rows) + " " + mover)
            rows = ["".join(row) for row in zip(*rows[::-1], strict=True)]
        rows = rows[::-1]


def test_evaluation_is_the_same_however_the_board_lies() -> None:
    for state in list(random_games(Othello, 3, seed=2))[4:]:
        assert {image.evaluate() for image in images(state)} == {state.evaluate()}
        other = Othello(state.own, state.opp, 1 - state.turn)
        assert other.evaluate() == -state.evaluate()


@pytest.mark.skipif(not DATA.exists(), reason="../shared/data/othello is absent")
def test_evaluation_foresees_the_final_score() -> None:
    """With 17 and 18 empty squares and the score of best play: it knows who wins in four of five."""
    lines = [line.split() for line in (DATA / "eg_17_18.txt").read_text().splitlines()]
    scores = [int(score) for *_, score in lines]
    estimates = [
        Othello.parse(f"{squares} {'X' if mover == 'Black' else 'O'}").evaluate()
        for squares, mover, *_ in lines
    ]
    assert sum(e * s > 0 for e, s in zip(estimates, scores, strict=True)) > 0.8 * len(lines)


def worth_to_mover(state: Any) -> int:
    """The exact final score for the player to move, in plain Python."""
    if is_terminal(state):
        return state.utility() * (1, -1)[state.player()]
    values = [worth_to_mover(after) for after in map(state.result, state.actions())]
    return max(-value for value in values)


@pytest.mark.parametrize("size", SIZES)
def test_finish_is_the_outcome_of_best_play(size: int) -> None:
    seen = 0
    for state in random_games(sized(size), 60, seed=20 + size):
        told = list(state.finish())
        assert len(told) == (1 <= state.plies_left() <= 2)
        if told:
            assert told[0] * (1, -1)[state.player()] == worth_to_mover(state)
            seen += 1
    assert seen > 40


def test_no_game_ends_above_the_ceiling() -> None:
    for seed in range(5):
        game = list(random_games(Othello, 1, seed))
        score = game[-1].utility()
        assert all(state.ceiling() >= (score, -score)[state.player()] for state in game)


def test_order_is_fastest_first() -> None:
    for state in random_games(Othello, 2, seed=5):
        for action in state.actions():
            after = state.result(action)
            replies = [reply for reply in after.actions() if reply != Othello.PASS]
            corners = sum(Othello.CORNERS >> reply & 1 for reply in replies)
            assert state.order(action) == (-len(replies) - corners if action != Othello.PASS else 0)


# --- the engine at the end of games ---


@pytest.fixture(scope="module")
def solver() -> Engine:
    return Engine(16, "sound")


def test_short_endings_as_plain_alpha_beta_solves_them(solver: Engine) -> None:
    for state in random_games(Othello, 40, seed=6):
        if state.plies_left() == 8 and not is_terminal(state):
            found = solver.search(state, Limits())
            assert found.proven
            assert found.value == solve(state, "alphabeta").value


@pytest.mark.skipif(not DATA.exists(), reason="../shared/data/othello is absent")
def test_ffo_end_games(solver: Engine) -> None:
    """Those of at most 17 empty squares."""
    for name in ("fforum-1-19.obf", "fforum-20-39.obf"):
        for line in (DATA / name).read_text().splitlines():
            state = Othello.parse(line)
            if state.plies_left() <= 17:
                scores = dict(re.findall(r"(\w\d):([+-]\d+)", line))
                found = solver.search(state, Limits())
                best = max(map(int, scores.values()))
                assert (found.value, found.proven) == ((best, -best)[state.turn], True), line
                assert int(scores[state.action_text(found.action).upper()]) == best, line


@pytest.mark.skipif(not DATA.exists(), reason="../shared/data/othello is absent")
def test_end_games_of_13_and_14_squares(solver: Engine) -> None:
    """A line is the position, who moves, the best move and Black's score, in which empty squares are nobody's."""
    for line in (DATA / "eg_13_14.txt").read_text().splitlines()[::10]:
        squares, mover, _, score = line.split()
        found = solver.search(Othello.parse(f"{squares} {'X' if mover == 'Black' else 'O'}"), Limits())
        more = (found.value - int(score)) * (1 if found.value > 0 else -1)
        assert found.proven
        assert more == 0 or (1 <= more <= 2 and found.value % 2 == 0), line  # the squares that stay empty


@pytest.mark.parametrize("name", ["fforum-1-19.obf", "fforum-20-39.obf"])
def test_reads_published_positions(name: str) -> None:
    """Each line scores every legal move: `squares X; G8:+18; H1:+12; ...`."""
    if not DATA.exists():
        pytest.skip("../shared/data/othello is absent")
    for line in (DATA / name).read_text().splitlines():
        state = Othello.parse(line)
        assert str(state) == line.partition(";")[0].strip()
        scored = {part.partition(":")[0].strip().lower() for part in line.split(";")[1:] if ":" in part}
        assert {state.action_text(action) for action in state.actions()} == scored


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "write 64 squares"),
        (f"{Othello()}"[:-2], "X or O to move"),
        (f"{Othello()}"[1:], "write 64 squares"),
        (f"-{Othello()}", "write 64 squares"),
        (f"Z{Othello()}"[:-3], "write 64 squares"),
        (f"{Othello()}"[:-1] + "B", "X or O to move"),
        ("-" * 27 + "OX------X-" + "-" * 27 + " X", "a central square is empty"),
    ],
)
def test_parse_refuses(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as refused:
        Othello.parse(text)
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize("size", [2, 5, 10])
def test_sizes_that_do_not_fit(size: int) -> None:
    with pytest.raises(GameError, match="SIZE must be 4, 6 or 8"):
        sized(size)


def test_against_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game = pyspiel.load_game("othello")
    choose = random.Random(4)
    for _ in range(200):
        state, other = Othello(), game.new_initial_state()
        while actions := list(state.actions()):
            assert not other.is_terminal()
            assert state.player() == other.current_player()
            assert sorted(actions) == other.legal_actions()  # the same numbers, the pass too
            action = choose.choice(actions)
            state = state.result(action)
            other.apply_action(action)
        assert other.is_terminal()
        sign = (state.utility() > 0) - (state.utility() < 0)  # OpenSpiel's returns say only who won
        assert [sign, -sign] == other.returns()
