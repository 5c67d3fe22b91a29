"""`best` and `solve`: limits, kinds, lines, and the same answer every time."""

import json
import pickle
import re
import threading
import time
from typing import NamedTuple

import pytest

from outplay.game import GameError, legal
from outplay.games import TicTacToe, load
from outplay.search import SEARCHES, best, solve
from outplay.search.trace.record import record_search
from outplay.variants import variant


def value_of(spec: str, search: str | None = None) -> float:
    return solve(load(spec).start, search).value


@pytest.mark.parametrize("search", ["minimax", "alphabeta", "alphabeta-hard"])
def test_known_values(search: str) -> None:
    assert value_of("tictactoe", search) == 0
    assert value_of("hexapawn", search) == -1  # the second player wins
    assert value_of("[[3,12,8],[2,4,6],[14,5,2]]", search) == 3


def test_othello_4x4_is_won_by_white_by_ten() -> None:
    """11 discs to 3, and two squares that stay empty."""
    assert value_of("othello:size=4") == -10


def test_chance() -> None:
    assert value_of("chance[1/2: 8, 1/3: 24, 1/6: -12]") == pytest.approx(10)
    assert value_of("chance[0.25: 20, 0.5: 30, 0.25: 60]") == pytest.approx(35)


@pytest.mark.parametrize("search", [name for name, s in SEARCHES.items() if not s.chance])
def test_a_search_refuses_what_does_not_fit(search: str) -> None:
    with pytest.raises(GameError, match="a game with chance"):
        best(load("pig").start, search)


def test_an_unknown_search() -> None:
    with pytest.raises(ValueError, match="choose from minimax, alphabeta"):
        best(load("tictactoe").start, "alfabeta")


@pytest.mark.parametrize("limits", [{"depth": 5}, {"nodes": 20_000}])
def test_fixed_limits_give_the_same_answer_again(limits: dict[str, int]) -> None:
    state = load("othello").start
    first, second = best(state, **limits), best(state, **limits)
    assert first._replace(time=0) == second._replace(time=0)


def test_nodes_are_a_bound() -> None:
    assert best(load("checkers").start, nodes=5000).nodes <= 5000
    only = best(load("checkers").start, nodes=1)
    assert only.depth == 0
    assert only.action in legal(load("checkers").start)


@pytest.mark.parametrize("search", ["engine:threads=2", "uct:threads=2"])
def test_nodes_are_a_bound_for_all_threads_together(search: str) -> None:
    assert best(load("othello").start, search, nodes=3000).nodes <= 3000


def test_mirror_images_are_lines_of_the_same_value() -> None:
    found = best(load("connect4").start, depth=5, lines=7)
    values = {line.action: line.value for line in (found, *found.others)}
    assert values == {6 - action: value for action, value in values.items()}
    assert list(values.values()) == sorted(values.values(), reverse=True)


def test_time_ends_a_search_that_would_go_on() -> None:
    found = best(load("connect4").start, time=0.2)
    assert found.depth >= 1
    assert not found.proven


def test_a_search_to_the_end_stops_by_itself() -> None:
    found = best(load("tictactoe").start, nodes=10_000_000)
    assert found.proven
    assert found.value == 0


def test_lines_are_legal_and_lead_to_the_value() -> None:
    for spec in ("tictactoe", "othello:size=4", "connect4:width=4,height=4"):
        state = load(spec).start
        found = solve(state)
        for action in found.line:
            assert action in legal(state)
            state = state.result(action)
        assert legal(state) == []
        assert state.utility() == found.value


def test_a_position_that_is_over() -> None:
    found = best(load("tictactoe").position("XXX/OO./... o"))
    assert found.action is None
    assert found.value == 1
    assert found.line == ()


def test_other_threads_go_on_while_a_search_runs() -> None:
    ticks = []
    running = threading.Event()

    def tick() -> None:
        while not running.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.005)

    thread = threading.Thread(target=tick)
    best(load("connect4").start, depth=1)  # compiled before the clock starts
    thread.start()
    best(load("connect4").start, time=0.3)
    running.set()
    thread.join()
    assert len(ticks) > 5


class Greedy(NamedTuple):
    """Stop now for 1, or wait three plies for 5: the first win is not the best."""

    plies: int = 0
    stopped: int = 0

    def player(self):
        return 0

    def actions(self):
        return [0, 1]

    def result(self, action):
        return Greedy(self.plies + 1, action)

    def terminal(self):
        return self.stopped == 1 or self.plies == 3

    def utility(self):
        return 1 if self.stopped else 5


@pytest.mark.parametrize("search", [None, "alphabeta", "minimax"])
def test_proven_means_proven(search: str | None) -> None:
    for found in (solve(Greedy(), search), best(Greedy(), search, nodes=1000)):
        assert (found.action, found.value, found.proven) == (0, 5, True)


@pytest.mark.parametrize("search", ["engine", "alphabeta", "minimax"])
def test_no_evaluation_outranks_a_win(search: str) -> None:
    """Whatever the weights make of the other moves, the win in one is found."""
    boastful = TicTacToe.weights.replace(open_lines=600_000 * 10**6)
    found = best(TicTacToe.parse("XX./.../OO. x"), search, depth=1, weights=boastful)
    assert (TicTacToe().action_text(found.action), found.value) == ("c3", 1)


class Heap(NamedTuple):
    """Whoever takes the last one wins."""

    left: int = 5
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [take for take in (1, 2) if take <= self.left]

    def result(self, take):
        return Heap(self.left - take, 1 - self.mover)

    def utility(self):
        return 1 if self.mover else -1


@pytest.mark.parametrize(
    ("state", "what"),
    [
        (Heap(5, 7), "player is 7"),
        (Greedy(-5), None),
        (Greedy, "its initial state is Greedy"),
    ],
)
def test_where_a_search_may_begin(state: object, what: str | None) -> None:
    if what is None:
        assert solve(state).value == 5
        return
    with pytest.raises(GameError, match=what):
        solve(state)


@pytest.mark.parametrize(
    "limits", [{"time": 1e99}, {"nodes": 10**30}, {"depth": 10**6}, {"time": float("nan")}]
)
def test_limits_beyond_measure(limits: dict[str, float]) -> None:
    with pytest.raises(ValueError, match="must be"):
        best(load("tictactoe").start, **limits)


def test_states_of_variants_are_pickled() -> None:
    cls = load("hexapawn:width=4,height=5").cls
    state = cls().result(legal(cls())[0])
    assert pickle.loads(pickle.dumps(state)) == state
    assert type(pickle.loads(pickle.dumps(state))) is cls
    base = load("hexapawn").cls
    assert variant(cls, WIDTH=3, HEIGHT=3) is base


# --- options --------------------------------------------------------------------------------------------


def test_options_in_the_name_and_as_keywords_are_the_same() -> None:
    state = load("tictactoe").start
    named = best(state, "uct:c=1,seed=7,threads=2", nodes=60)
    assert named[:5] == best(state, "uct", nodes=60, c=1, seed=7, threads=2)[:5]
    assert named[:5] == best(state, "uct:c=1", nodes=60, seed=7, threads="2")[:5]
    none = best(state, "engine:fixed=0,on=none", depth=4).nodes
    assert none == best(state, "engine:fixed=0", depth=4, on="none").nodes
    assert none > best(state, "engine", depth=4, fixed=False).nodes


@pytest.mark.parametrize(
    ("search", "options", "complaint"),
    [
        ("alphabeta", {"threads": 2}, "'threads' is not an option of alphabeta; it has weights=..."),
        ("engine:dept=3", {}, "'dept' is not an option of engine; it has weights=..., hash=..."),
        ("uct:c=x", {}, "c of uct must be a number, not 'x'"),
        ("uct", {"threads": 1.5}, "threads of uct must be an int, not 1.5"),
        ("uct:solver=2", {}, "solver of uct must be 0 or 1, not '2'"),
        ("uct:c", {}, "write an option of uct as name=value, not 'c'"),
        ("engine:on=nonsense", {}, "unknown switch 'nonsense'; choose from table"),
    ],
)
def test_bad_options_are_one_line(search: str, options: dict, complaint: str) -> None:
    with pytest.raises(ValueError, match=re.escape(complaint)):
        best(load("tictactoe").start, search, nodes=10, **options)


def test_a_typed_tree_has_one_number_of_nodes() -> None:
    """AIMA, figure 5.2: of 13 nodes alpha-beta leaves out two."""
    state = load("[[3,12,8],[2,4,6],[14,5,2]]").start
    trace = record_search(state, "alphabeta", None, "tree")
    nodes = sum(event.get("event") == "enter" for event in map(json.loads, trace.json_lines()))
    found = best(state)
    assert (found.nodes, found.value, found.depth) == (11, 3, 2)
    assert nodes == solve(state, "alphabeta").nodes == best(state, time=1.0).nodes == 11
