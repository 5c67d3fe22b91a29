"""The searches as on the slides and their compiled twins: the same values from the same number of nodes."""

import math
import random
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.compile import twin
from outplay.game import adopt_state, is_terminal, kind, legal, max_actions
from outplay.games import TABLE, load
from outplay.games.tree import random_tree, tree
from outplay.limits import Limits
from outplay.search import SEARCHES
from outplay.search.protocol import control
from outplay.search.textbook import alphabeta, expectiminimax, minimax
from outplay.search.textbook.deepening import Run, Textbook

TEXTBOOK = [name for name, search in SEARCHES.items() if issubclass(search, Textbook)]
GAMES = {
    "tictactoe": 3,
    "hexapawn": 4,
    "connect4": 3,
    "othello": 3,
    "checkers": 3,
    "chess": 2,
    "kalah": 3,
    "backgammon": 2,
    "einstein": 3,
    "pig": 4,
}

PLAIN: dict[str, Callable[..., Any]] = {
    "minimax": minimax.value,
    "alphabeta": lambda state, depth, visit: alphabeta.value(state, depth=depth, visit=visit),
    "alphabeta-hard": lambda state, depth, visit: alphabeta.hard_value(state, depth=depth, visit=visit),
    "expectiminimax": expectiminimax.value,
}

trees = st.builds(
    random_tree,
    seed=st.integers(0, 1_000_000),
    depth=st.integers(2, 5),
    branching=st.integers(1, 4),
    low=st.just(-4),
    high=st.sampled_from([0, 4, 99]),
    alternate=st.booleans(),
)
chance_trees = st.builds(
    random_tree,
    seed=st.integers(0, 1_000_000),
    depth=st.integers(2, 5),
    branching=st.integers(1, 4),
    chance=st.just(True),
    alternate=st.booleans(),
)


def plain(search: str, state: Any, depth: int | None) -> tuple[Any, int]:
    """The value and the number of nodes of the search as on the slides."""
    visited: list[Any] = []
    return PLAIN[search](state, depth, visited.append), len(visited)


def compiled(search: str, state: Any, depth: int | None) -> tuple[Any, int]:
    """The same of its twin."""
    run = run_of(search, state)
    memory = run.memory(depth)
    return run.call(control.MAX_PLIES if depth is None else depth, memory, None), memory.nodes


def run_of(search: str, state: Any) -> Run:
    found: Any = SEARCHES[search]
    return found.run_by(adopt_state(state), found)


# --- trees ----------------------------------------------------------------------------------------------


@pytest.mark.lanes
@pytest.mark.parametrize("search", PLAIN)
@given(state=trees, depth=st.sampled_from([None, 1, 2, 3]))
def test_trees(search: str, state: Any, depth: int | None) -> None:
    assert compiled(search, state, depth) == plain(search, state, depth)


@pytest.mark.lanes
@given(state=chance_trees, depth=st.sampled_from([None, 1, 2, 3]))
def test_chance_trees(state: Any, depth: int | None) -> None:
    (value, nodes), (expected, visited) = (
        compiled("expectiminimax", state, depth),
        plain("expectiminimax", state, depth),
    )
    assert value == pytest.approx(expected, abs=1e-12)
    assert nodes == visited


@pytest.mark.lanes
@given(state=trees, depth=st.sampled_from([None, 1, 2, 3]))
def test_every_search_finds_the_minimax_value(state: Any, depth: int | None) -> None:
    truth, all_nodes = plain("minimax", state, depth)
    for search in TEXTBOOK:
        value, nodes = compiled(search, state, depth)
        assert value == truth
        assert nodes <= all_nodes


@pytest.mark.lanes
@given(state=trees)
def test_decisions_are_the_first_best(state: Any) -> None:
    values = [minimax.value(state.result(a)) for a in state.actions()]
    first = values.index((max if state.player() == 0 else min)(values))
    assert minimax.minimax_decision(state) == alphabeta.alphabeta_decision(state) == first
    for search in TEXTBOOK:
        assert run_of(search, state).deepen(Limits()).action == first


# --- windows --------------------------------------------------------------------------------------------


@pytest.mark.lanes
@given(
    state=trees, depth=st.sampled_from([None, 2, 3]), ends=st.tuples(st.integers(-6, 7), st.integers(1, 9))
)
def test_windows(state: Any, depth: int | None, ends: tuple[int, int]) -> None:
    """The contract at the top of alphabeta.py, for any window; and the two twins agree in it."""
    alpha, beta = float(ends[0]), float(sum(ends))
    truth = minimax.value(state, depth)
    soft = alphabeta.value(state, alpha, beta, depth)
    if soft <= alpha:
        assert truth <= soft
    elif soft >= beta:
        assert truth >= soft
    else:
        assert truth == soft
    hard = alphabeta.hard_value(state, alpha, beta, depth)
    assert hard == min(max(truth, alpha), beta)
    assert within(state, alpha, beta, depth, None) == soft
    assert within(state, alpha, beta, depth, True) == hard


def within(state: Any, alpha: Any, beta: Any, depth: int | None, hard: bool | None) -> Any:
    """The compiled search with a window."""
    state = adopt_state(state)
    memory = control.new(max_actions(type(state)), depth)
    plies = control.MAX_PLIES if depth is None else depth
    return alphabeta.start_window(twin(type(state)).state(state), plies, alpha, beta, memory, hard)


# --- games ----------------------------------------------------------------------------------------------


def test_no_game_is_forgotten() -> None:
    others = {
        "tree",
        "chancetree",
        "go",
    }  # trees are tested above; go has no evaluation to stop with at a depth
    assert GAMES.keys() | others >= {entry.name for entry in TABLE}


def fits(name: str, search: str) -> bool:
    return SEARCHES[search].chance or not kind(load(name).cls).chance


def positions(name: str) -> list[Any]:
    """The start, and what is reached from it by some random moves."""
    choose = random.Random(name)
    found = [load(name).start]
    for plies in (5, 20):
        state = found[0]
        for _ in range(plies):
            if not is_terminal(state):
                state = state.result(choose.choice(legal(state)))
        found.append(state)
    return found


LANES = ("tictactoe", "checkers", "pig")  # the searches are the same for all games: some suffice


@pytest.mark.parametrize(
    ("name", "search"),
    [
        pytest.param(name, search, marks=[pytest.mark.lanes] * (name in LANES))
        for name in GAMES
        for search in PLAIN
        if fits(name, search)
    ],
)
def test_games(name: str, search: str) -> None:
    for state in positions(name):
        for depth in range(1, GAMES[name] + 1):
            (value, nodes), (expected, visited) = compiled(search, state, depth), plain(search, state, depth)
            assert value == pytest.approx(expected, abs=1e-12)
            assert nodes == visited


@pytest.mark.lanes
def test_tic_tac_toe_to_the_end() -> None:
    state = load("tictactoe").position("x.o/.x./..o")
    for search in ("minimax", "alphabeta", "alphabeta-hard"):
        assert compiled(search, state, None) == plain(search, state, None)


# --- the lectures' numbers ------------------------------------------------------------------------------


@pytest.mark.lanes
def test_the_plain_searches_prune_what_the_slides_prune() -> None:
    leaves: list[float] = []

    def visit(state: Any) -> None:
        if is_terminal(state):
            leaves.append(state.utility())

    assert alphabeta.value(tree("[[3, 12, 8], [2, 4, 6], [14, 5, 2]]"), visit=visit) == 3
    assert leaves == [3, 12, 8, 2, 14, 5, 2]
    assert alphabeta.value(tree("[[5], [2, [1, 9]]]"), 6, math.inf) == 5
