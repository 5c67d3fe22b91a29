"""Random games a second on one core against OpenSpiel's Python API."""

import random
from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.measure import Row, Size, Speed, in_turns, left_out, ratio_row, speed_of
from outplay.games import Backgammon, Checkers, Chess, ConnectFour, Go, Kalah, Othello, TicTacToe
from outplay.search import playouts
from outplay.variants import variant


class Pair(NamedTuple):
    """The same game here and there, with the floor of the ratio."""

    name: str
    cls: type
    theirs: str
    floor: float
    batch: int  # games of ours that take some hundredths of a second


# OpenSpiel's mancala is kalah without captures of an empty pit. Its checkers counts each jump of a multi-jump
# as an action, and draws after 40 plies without a capture, where ours goes on for longer. Its chess ends with the
# third repetition of a position, its Go when a board comes back, which no state of ours knows of. A play of its
# backgammon is one action of two moves; of a double it is two such actions.
PAIRS = (
    Pair("tic-tac-toe", TicTacToe, "tic_tac_toe", 50, 500_000),
    Pair("Connect Four", ConnectFour, "connect_four", 120, 200_000),
    Pair("Othello", Othello, "othello", 50, 10_000),
    Pair("checkers", Checkers, "checkers", 50, 20_000),
    Pair("kalah", variant(Kalah, EMPTY_CAPTURE=0), "mancala", 25, 100_000),
    Pair("chess", Chess, "chess", 25, 500),
    Pair("backgammon", Backgammon, "backgammon", 50, 2000),
    Pair("Go 9x9", variant(Go, LIMIT=2), "go(board_size=9,komi=7.5)", 25, 2000),
)


def run(size: Size) -> Iterator[Row]:
    turns, seconds = size.pick((21, 0.2), (5, 0.1), (1, 0.01))
    for pair in size.pick(PAIRS, PAIRS, PAIRS[:2]):
        work = f"random games, {pair.name}"
        try:
            theirs = open_spiel(pair.theirs, seconds)
        except ImportError as error:
            yield left_out(work, "OpenSpiel", error)
            continue
        speeds = in_turns(ours(pair, seconds), theirs, turns)
        yield ratio_row(work, "OpenSpiel", "games/s", speeds, pair.floor)


def ours(pair: Pair, seconds: float) -> Speed:
    seeds = iter(range(1, 1_000_000))
    start: Any = pair.cls()
    return lambda: speed_of(lambda: playouts(start, pair.batch, next(seeds)).games, seconds)


def open_spiel(name: str, seconds: float) -> Speed:
    import pyspiel

    game = pyspiel.load_game(name)
    choose = random.Random(1).choice

    def play() -> int:
        state = game.new_initial_state()
        while not state.is_terminal():
            state.apply_action(choose(state.legal_actions()))
        return 1

    return lambda: speed_of(play, seconds)
