"""UCT: simulations a second against OpenSpiel's C++ MCTSBot, and what it finds out."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Row, Size, Speed, in_turns, left_out, ratio_row, speed_of
from outplay.game import is_terminal
from outplay.games import Checkers, Chess, ConnectFour, Go, Kalah, Othello, TicTacToe
from outplay.limits import Limits
from outplay.search import solve
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.uct import UCT
from outplay.variants import variant

DATA = Path(__file__).parents[2] / "shared" / "data" / "connect4"
SIMULATIONS = 100_000  # for a position of a test set


class Pair(NamedTuple):
    """The same game here and there, with the floor of the ratio; what differs in rules: see random_play.py."""

    name: str
    cls: type
    theirs: str
    floor: float
    simulations: int  # of one search, from the initial state
    ours: int  # of ours, to take some hundredths of a second; more make a tree larger and slower


PAIRS = (
    Pair("tic-tac-toe", TicTacToe, "tic_tac_toe", 4, 10_000, 10_000),
    Pair("Connect Four", ConnectFour, "connect_four", 10, 10_000, 10_000),
    Pair("Othello", Othello, "othello", 20, 1000, 10_000),
    Pair("checkers", Checkers, "checkers", 15, 1000, 10_000),
    Pair("kalah", variant(Kalah, EMPTY_CAPTURE=0), "mancala", 3, 10_000, 10_000),
    Pair("chess", Chess, "chess", 15, 100, 1000),
    Pair("Go 9x9", variant(Go, LIMIT=2), "go(board_size=9,komi=7.5)", 8, 200, 5000),
)


def run(size: Size) -> Iterator[Row]:
    turns, seconds = size.pick((21, 0.2), (5, 0.1), (1, 0.01))
    for pair in size.pick(PAIRS, PAIRS, PAIRS[:2]):
        work = f"UCT simulations, {pair.name}"
        try:
            theirs = open_spiel(pair, seconds)
        except ImportError as error:
            yield left_out(work, "OpenSpiel MCTSBot", error)
            continue
        yield ratio_row(
            work, "OpenSpiel MCTSBot", "sims/s", in_turns(ours(pair, seconds), theirs, turns), pair.floor
        )
    yield from test_sets(size.pick(1000, 100, 2))


def ours(pair: Pair, seconds: float) -> Speed:
    """Plain UCT with random rollouts, as the peer does it: nothing is proven, no hints."""
    uct = UCT(Settings(solver=False, hints=False))
    seeds = count(1)

    def search() -> int:
        uct.forget()
        uct.settings = uct.settings._replace(seed=next(seeds))
        return uct.search(pair.cls(), Limits(nodes=pair.ours)).nodes

    return lambda: speed_of(search, seconds)


def open_spiel(pair: Pair, seconds: float) -> Speed:
    import pyspiel

    game = pyspiel.load_game(pair.theirs)
    state = game.new_initial_state()
    rollouts = pyspiel.RandomRolloutEvaluator(1, 1)
    bot = pyspiel.MCTSBot(game, rollouts, 1.4, pair.simulations, 1000, False, 1, False)

    def search() -> int:
        bot.mcts_search(state)
        return pair.simulations

    return lambda: speed_of(search, seconds)


def test_sets(positions: int) -> Iterator[Row]:
    """Pascal Pons's positions: a move is best if it keeps the value, won or drawn; lost ones are left out."""
    peer = f"{SIMULATIONS:,} simulations"
    if not DATA.exists():
        yield left_out("UCT best moves, Connect Four", peer, "the test sets are not here")
        return
    middle = [read(line) for line in (DATA / "Test_L2_R1").read_text().splitlines()[:positions]]
    choosing = [(state, value) for state, value in middle if value >= 0]
    good = sum(keeps(state, value) for state, value in choosing)
    work = f"UCT best moves, Connect Four, {len(choosing)} middle positions"
    yield Row(work, peer, figure=100 * good / len(choosing), unit="%", bound=95)
    endings = [read(line) for line in (DATA / "Test_L3_R1").read_text().splitlines()[:positions]]
    proven = sum(proves(state, value) for state, value in endings)
    work = f"UCT proofs, Connect Four, {len(endings)} endings"
    yield Row(work, peer, figure=100 * proven / len(endings), unit="%", bound=100)


def read(line: str) -> tuple[Any, int]:
    """A position and its value for the player to move: won, drawn or lost."""
    moves, score = line.split()
    return ConnectFour.parse(moves), (int(score) > 0) - (int(score) < 0)


def keeps(state: Any, value: int) -> bool:
    action = UCT().search(state, Limits(nodes=SIMULATIONS)).action
    after = state.result(action)
    found = after.utility() if is_terminal(after) else solve(after).value
    return found == for_max(state, value)


def proves(state: Any, value: int) -> bool:
    found = UCT().search(state, Limits(nodes=SIMULATIONS))
    return found.proven and found.value == for_max(state, value)


def for_max(state: Any, value: int) -> int:
    return value if state.player() == 0 else -value
