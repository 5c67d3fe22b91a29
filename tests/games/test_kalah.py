"""Kalah: sowing by hand, published results, notation, and agreement with OpenSpiel."""

import functools
import random

import pytest

from outplay.game import GameError, adopt, parse_action
from outplay.games.kalah import Kalah
from outplay.variants import variant

adopt(Kalah)


def after(position: str, *pits: int, game: type = Kalah) -> str:
    state = game.parse(position)
    for pit in pits:
        state = state.result(parse_action(state, str(pit)))
    return str(state)


def random_games(game: type, count: int, seed: int):
    """Every position of random games."""
    source = random.Random(seed)
    for _ in range(count):
        state = game()
        yield state
        while not state.terminal():
            state = state.result(source.choice(list(state.actions())))
            yield state


# --- rules ----------------------------------------------------------------------------------------------


def test_sowing() -> None:
    assert after(str(Kalah()), 1) == "0,5,5,5,5,4:0 4,4,4,4,4,4:0 N"
    assert after(str(Kalah()), 5) == "4,4,4,4,0,5:1 5,5,4,4,4,4:0 N"


def test_the_last_seed_in_the_store_moves_again() -> None:
    assert after(str(Kalah()), 3) == "4,4,0,5,5,5:1 4,4,4,4,4,4:0 S"
    assert after(str(Kalah()), 3, 6) == "4,4,0,5,5,0:2 5,5,5,5,4,4:0 N"


def test_the_opponents_store_is_skipped() -> None:
    assert after("0,0,0,0,0,8:0 1,1,1,1,1,1:0 S", 6) == "0,0,0,0,0,0:4 2,2,2,2,2,0:0 N"
    assert after("1,0,0,0,0,8:0 1,1,1,1,1,1:7 S", 6) == "2,0,0,0,0,0:1 2,2,2,2,2,2:7 N"


def test_capture() -> None:
    assert after("1,0,4,4,4,4:0 4,4,4,4,7,4:0 S", 1) == "0,0,4,4,4,4:8 4,4,4,4,0,4:0 N"
    assert after("4,4,4,4,7,4:0 1,0,4,4,4,4:0 N", 1) == "4,4,4,4,0,4:0 0,0,4,4,4,4:8 S"


def test_a_full_lap_ends_in_the_pit_it_left_and_captures() -> None:
    assert after("0,13,0,0,0,0:0 1,1,1,1,1,1:0 S", 2) == "1,0,1,1,1,1:4 2,2,2,2,0,2:0 N"


def test_many_laps() -> None:
    assert after("0,0,0,0,0,30:5 0,0,0,0,0,1:6 S", 6) == "2,2,2,2,2,2:8 3,3,3,2,2,3:6 N"


def test_capture_opposite_an_empty_pit() -> None:
    assert after("1,0,4,4,4,4:0 4,4,4,4,0,4:0 S", 1) == "0,0,4,4,4,4:1 4,4,4,4,0,4:0 N"
    cautious = variant(Kalah, EMPTY_CAPTURE=0)
    assert after("1,0,4,4,4,4:0 4,4,4,4,0,4:0 S", 1, game=cautious) == "0,1,4,4,4,4:0 4,4,4,4,0,4:0 N"


def test_no_capture_on_the_other_side_or_in_a_full_pit() -> None:
    assert after("4,4,4,4,4,2:0 0,4,4,4,4,4:0 S", 6) == "4,4,4,4,4,0:1 1,4,4,4,4,4:0 N"
    assert after("1,1,4,4,4,4:0 4,4,4,4,4,4:0 S", 1) == "0,2,4,4,4,4:0 4,4,4,4,4,4:0 N"


@pytest.mark.parametrize(
    ("position", "utility"),
    (
        ("0,0,0,0,0,0:20 1,2,3,0,0,0:22 N", 20 - 28),
        ("0,0,0,0,0,0:20 1,2,3,0,0,0:22 S", 20 - 28),
        ("0,0,5,0,0,0:30 0,0,0,0,0,0:13 S", 35 - 13),
        ("0,0,0,0,0,0:24 0,0,0,0,0,0:24 S", 0),
    ),
)
def test_the_end(position: str, utility: int) -> None:
    state = Kalah.parse(position)
    assert state.terminal() and not list(state.actions())
    assert state.utility() == utility


def test_evaluate_counts_terms() -> None:
    nothing = Kalah.weights.with_flat([0] * len(Kalah.weights))
    for mover, sign in (("S", 1), ("N", -1)):
        state = Kalah.parse(f"4,4,4,4,4,4:5 4,4,4,4,4,4:2 {mover}")
        assert state.evaluate(nothing.replace(stores=100)) == 3
        assert state.evaluate(nothing.replace(turn=100)) == sign
        assert state.evaluate(nothing.replace(pits=100, moves=100, again=100, captures=100)) == 0
    # South may end in the store from pits 3 and 6, and capture 7 from pit 1; North moves two pits.
    state = Kalah.parse("1,0,4,4,0,1:0 9,0,0,0,7,0:0 S")
    for name, value in {"pits": 10 - 16, "moves": 4 - 2, "again": 2, "captures": 7}.items():
        assert state.evaluate(nothing.replace(**{name: 100})) == value, name


def test_no_seed_is_lost() -> None:
    for game in (Kalah, variant(Kalah, PITS=7, SEEDS=18), variant(Kalah, PITS=1, SEEDS=127)):
        for state in random_games(game, 5, seed=1):
            south, north = state.rows()
            assert sum(south) + sum(north) == 2 * game.PITS * game.SEEDS
            if state.terminal():
                assert state.utility() == sum(south) - sum(north)


def test_parameters_that_do_not_fit() -> None:
    for parameters in ({"PITS": 0}, {"PITS": 8}, {"SEEDS": 0}, {"SEEDS": 22}):
        with pytest.raises(GameError, match="at most 254 seeds"):
            variant(Kalah, **parameters)


# --- published results ----------------------------------------------------------------------------------


def winner(pits: int, seeds: int) -> str:
    """The first player's result in Kalah(pits, seeds) by minimax: a win, a draw or a loss."""

    @functools.cache
    def value(state) -> int:
        if state.terminal():
            return state.utility()
        best = max if state.player() == 0 else min
        return best(value(state.result(pit)) for pit in state.actions())

    score = value(variant(Kalah, PITS=pits, SEEDS=seeds)())
    return "LDW"[(score > 0) - (score < 0) + 1]


@pytest.mark.parametrize(("pits", "results"), ((1, "DLWLWD"), (2, "WLLLWW"), (3, "DWW"), (4, "W")))
def test_solved_games(pits: int, results: str) -> None:
    """Irving, Donkers & Uiterwijk, Solving Kalah (2000), table 10: 1, 2, 3 ... seeds a pit."""
    assert "".join(winner(pits, seeds + 1) for seeds in range(len(results))) == results


# The same paper's table 9: pits, seeds, what the first player wins by, and a perfect game. Pits are counted from 0,
# a dash is where the turn passes. (The line printed for 4 pits and 6 seeds, a draw, cannot be played.)
PERFECT_GAMES = """
4 1  +2  32-32-1
4 2  +6  3-3-230-231-1323
4 3  +8  13-1-032-2-3-0-1320-3-0-2
4 4  +2  02-2-3-0-2-21-303231-0-32-1-0
4 5  +2  0-2-1-3-0-2-1-0-32-3-021-2-0-02-2-1-3-3-313032-13031-1-2-2-3
5 1   0  43-43-2-2
5 2   0  31-32-24-0-0-31-3
5 3  +8  24-3-3-03-41-1-04342-3-3-2-2-4-414342-3
5 4 +12  12-04-03-2-20-41-1-42-32-3-2-40-0-1
5 5  +2  03-2-2-1-1-23-24-2-0-34414340-4240-2-14342
5 6  +2  2-0-0-3-3-0-2-1-440-4-42-2-121-12-3-1-4-20-0-34-24-324-1-3-3-1-41-43-2-2-3
6 1  +2  54-54-3-3-2
6 2 +10  42-42-30-0-1-1-4-5
6 3  +2  4-5-35-250-2-154-451535452-53-3-54-2
6 4 +10  25-10-3-3-5153-1-4-5-045-4-535452-53-4-1-3-2-0-54-1-3
6 5 +12  12-02-05-2-4-51-53-3-45-20-3-2-2-345-5-4-351-0-54-1-52-354-4-254-3-3
"""


@pytest.mark.parametrize("published", PERFECT_GAMES.strip().splitlines())
def test_perfect_games(published: str) -> None:
    pits, seeds, margin, line = published.split()
    state = variant(Kalah, PITS=int(pits), SEEDS=int(seeds))()
    for number, turn in enumerate(line.split("-")):
        for pit in map(int, turn):
            assert state.player() == number % 2
            assert pit in state.actions()
            state = state.result(pit)
    assert state.terminal()
    assert state.utility() == int(margin)


# --- text -----------------------------------------------------------------------------------------------


def test_texts_along_random_games() -> None:
    for game in (Kalah, variant(Kalah, PITS=7, SEEDS=18)):
        for state in random_games(game, 10, seed=2):
            assert game.parse(str(state)) == state
            assert [parse_action(state, state.action_text(a)) for a in state.actions()] == list(
                state.actions()
            )


def test_pits_are_counted_from_the_players_left() -> None:
    state = Kalah.parse("4,4,4,4,4,4:0 0,4,0,4,0,4:0 N")
    assert [state.action_text(pit) for pit in state.actions()] == ["2", "4", "6"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        ("", "write it as 4,4,4,4,4,4:0 4,4,4,4,4,4:0 S"),
        ("4,4,4,4,4:0 4,4,4,4,4,4:0 S", "kalah with 6 pits"),
        ("4,4,4,4,4,4:0 4,4,4,4,4,4:0", "write it as"),
        ("4,4,4,4,4,4:0 4,4,4,4,4,4:0 X", "write it as"),
        ("4,4,4,4,4,-4:0 4,4,4,4,4,4:0 S", "write it as"),
        ("4,4,4,4,4,4:200 4,4,4,4,4,4:200 S", "448 seeds; the maximum is 254"),
    ),
)
def test_bad_text_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        Kalah.parse(text)
    assert "\n" not in str(caught.value)


def test_board() -> None:
    board = Kalah.parse("0,1,2,3,4,10:9 5,6,7,8,9,40:3 S").board()
    assert board.rows == ("+98765", "01234a")
    assert board.ranks == ("N", "S") and board.files == ("1", "2", "3", "4", "5", "6")
    assert board.note == "stores: South 9, North 3; South to move"
    assert Kalah.parse("0,1,2,3,4,10:9 5,6,7,8,9,40:3 N").board().files == ("6", "5", "4", "3", "2", "1")
    assert Kalah.parse("0,0,0,0,0,0:9 5,6,7,8,9,9:3 N").board().note.endswith("the game is over")


# --- agreement with another -----------------------------------------------------------------------------


def test_same_games_as_open_spiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    game, ours_game = pyspiel.load_game("mancala"), variant(Kalah, EMPTY_CAPTURE=0)
    source = random.Random(3)
    for _ in range(300):
        theirs, ours = game.new_initial_state(), ours_game()
        while not theirs.is_terminal():
            first = 1 if ours.player() == 0 else 8
            assert theirs.current_player() == ours.player() and not ours.terminal()
            assert theirs.legal_actions() == [pit + first for pit in ours.actions()]
            pit = source.choice(list(ours.actions()))
            theirs.apply_action(pit + first)
            ours = ours.result(pit)
            south, north = ours.rows()
            assert theirs.observation_tensor(0)[:14] == [north[-1], *south, *north[:-1]]
        assert ours.terminal()
        assert theirs.returns()[0] == (ours.utility() > 0) - (ours.utility() < 0)
