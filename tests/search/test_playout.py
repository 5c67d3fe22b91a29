"""Random play: the same games for the same seed on any number of threads, lengths, the command."""

import functools
import json
from collections import Counter
from typing import NamedTuple

import pytest

from outplay.check import check
from outplay.game import GameError, legal
from outplay.games import load
from outplay.search import playouts
from outplay.search.mcts.playout import BLOCK, LENGTHS, Playouts, plain_random_bits, random_bits
from outplay.ui.playouts import text
from outplay.words import wrap


def test_random_bits_plain_and_compiled() -> None:
    for x in (0, 1, -1, 12345, wrap(1 << 63)):
        assert plain_random_bits(x) == random_bits(x)


def test_threads_play_the_same_games() -> None:
    state = load("tictactoe").start
    games = 5 * BLOCK + 7
    assert playouts(state, games, seed=3) == playouts(state, games, seed=3, threads=3)


def test_fewer_games_are_the_first_of_more() -> None:
    state = load("tictactoe").start
    few, more = playouts(state, 100), playouts(state, 101)
    assert sum(b - a for a, b in zip((*few.lengths, 0), more.lengths, strict=False)) == 1


def test_lengths() -> None:
    seen = playouts(load("tictactoe").start, 10_000)
    assert len(seen.lengths) == 10  # nine plies at most
    assert seen.lengths[:5] == (0,) * 5  # five at least
    assert sum(seen.lengths) == seen.games == seen.wins + seen.draws + seen.losses
    assert sum(length * number for length, number in enumerate(seen.lengths)) == seen.plies


class Greedy(NamedTuple):
    """Take 1 or 2 from a heap; its hint always takes 2 while there are."""

    heap: int = 10
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        for take in (1, 2):
            if take <= self.heap:
                yield take

    def result(self, take):
        return Greedy(self.heap - take, 1 - self.mover)

    def terminal(self):
        return self.heap == 0

    def utility(self):
        return 1 if self.mover else -1

    def playout(self, random):
        return 2 if self.heap >= 2 else 1


@pytest.mark.lanes
def test_hints() -> None:
    assert playouts(Greedy(), 100, hinted=True).lengths == (0, 0, 0, 0, 0, 100)
    assert len(playouts(Greedy(), 100).lengths) > 6


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"games": 0}, "games must be 1"),
        ({"games": 10, "threads": 0}, "threads must be 1"),
        ({"games": 10, "hinted": True}, "has no playout"),
    ],
)
def test_what_cannot_be_played(options: dict, what: str) -> None:
    with pytest.raises((ValueError, GameError), match=what):
        playouts(load("tictactoe").start, **options)


def test_a_game_that_is_over() -> None:
    with pytest.raises(ValueError, match="the game is over"):
        playouts(load("tictactoe").position("XXX/OO./... o"), 10)


def test_the_histogram() -> None:
    said = text(Playouts(100, 900, 60, 10, 30, 0.3, (0,) * 8 + (50, 0, 50)), 0.5, "ascii").splitlines()
    assert said[0] == "100 games in 0.50 s: 200 games/s, 1,800 plies/s"
    assert said[1] == "MAX wins   60   60.0 %"
    assert said[5] == "plies     mean 9.0, shortest 8, longest 10"
    assert said[6:] == [f" 8 50 {'#' * 50}", " 9  0", f"10 50 {'#' * 50}"]
    assert "longest 4095 or more" in text(Playouts(1, 5000, 1, 0, 0, 1.0, (0,) * (LENGTHS - 1) + (1,)), 1.0)


def test_the_command(outplay) -> None:
    said = json.loads(outplay("playouts", "tictactoe", "--games", 1000, "--threads", 2, "--json").out)
    assert said["games"] == 1000
    assert said["wins"] == playouts(load("tictactoe").start, 1000).wins
    assert "games/s" in outplay("playouts", "tictactoe", "XO./.X./..O x", "--games", 10).out
    answer = outplay("playouts", "tictactoe", "--games", 0)
    assert answer.status == 2
    assert "games must be" in answer.told


@pytest.mark.parametrize("game", ["tictactoe", "connect4", "othello", "kalah", "checkers"])
def test_samples_are_uniform(game: str) -> None:
    """Every action comes as often as any other, within five standard deviations, along a game."""
    state = load(game).start
    while legal(state):
        actions = legal(state)
        draws = 200 * len(actions)
        seen = Counter(state.sample(plain_random_bits(i)) for i in range(draws))
        assert seen.keys() == set(actions)
        assert all(abs(number - 200) < 5 * 200**0.5 for number in seen.values())
        state = state.result(actions[len(actions) // 2])


class Cheat(NamedTuple):
    """Its hint takes more than there is."""

    heap: int = 3
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return range(1, self.heap + 1)

    def result(self, take):
        return Cheat(self.heap - take, 1 - self.mover)

    def utility(self):
        return 1 if self.mover else -1

    def playout(self, random):
        return self.heap + 1


def test_an_illegal_hint_is_found_by_a_check() -> None:
    assert not check(Greedy(), 3).fault
    assert "which is not legal" in str(check(Cheat(), 3).fault)


class Three(NamedTuple):
    """Three players in turn; the first is glad of an even number of coins."""

    players = 3
    scores = int
    turn: int = 0
    coins: int = 0

    def player(self):
        return self.turn % 3

    def actions(self):
        if self.turn < 3:
            yield 0
            yield 1

    def result(self, coin):
        return Three(self.turn + 1, self.coins + coin)

    def utility(self, player):
        return 1 - self.coins % 2 if player == 0 else -1


def test_of_three_players_the_first_is_told_of() -> None:
    played = playouts(Three(), 1000)
    said = text(played, 1.0, players=3)
    assert "player 0 wins" in said
    assert "player 0 loses" in said
    assert "mean utility for player 0" in said
    assert "MAX" not in said
    assert "MIN" not in said


def test_playouts_repeat_with_the_seed() -> None:
    state = load("connect4").start
    assert playouts(state, 1000, seed=3) == playouts(state, 1000, seed=3)
    assert playouts(state, 1000, seed=3) != playouts(state, 1000, seed=4)


def test_playouts_fall_by_their_probabilities() -> None:
    state = load("chance[0.7: 1, 0.2: 0, 0.1: -1]").start
    seen = playouts(state, 100_000)
    assert seen.wins == pytest.approx(70_000, abs=700)
    assert seen.losses == pytest.approx(10_000, abs=500)


def test_playouts_are_uniform() -> None:
    """Against the exact chances of random play, from the definition; the margin is five standard deviations."""

    @functools.cache
    def chances(state) -> tuple[float, float]:
        actions = legal(state)
        if not actions:
            return float(state.utility() > 0), float(state.utility() == 0)
        of_children = [chances(state.result(action)) for action in actions]
        return tuple(sum(column) / len(actions) for column in zip(*of_children, strict=True))

    start = load("tictactoe").start
    won, drawn = chances(start)
    seen = playouts(start, 200_000)
    assert seen.wins / seen.games == pytest.approx(won, abs=0.0056)
    assert seen.draws / seen.games == pytest.approx(drawn, abs=0.0038)
