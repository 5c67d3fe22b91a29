"""The solvers against plain minimax: whatever proves a value proves the right one."""

import math

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outplay.game import WIN, GameError, legal
from outplay.games import ConnectFour, Kalah, load
from outplay.search import solve
from outplay.search.proof.conspiracy import INFINITE, Conspiracies, conspiracy_number_search
from outplay.search.proof.mtdf import Windows, mtdf
from outplay.search.proof.proofnumber import ProofNumbers, proof_number_search
from outplay.search.proof.solve import Solving, halve
from outplay.search.textbook import minimax
from outplay.variants import variant
from tests.search.randomtree import RandomTree

SOLVERS = ["mtdf", "dfpn", "conspiracy"]


trees = st.builds(
    RandomTree,
    node=st.integers(1, 1 << 60),
    left=st.integers(1, 7),
    spread=st.sampled_from([1, 3, 20]),
    merge=st.sampled_from([0, 52, 58]),
)


@pytest.mark.parametrize(
    "solver", [*(pytest.param(name, marks=pytest.mark.lanes) for name in SOLVERS), "engine"]
)
@settings(max_examples=60)
@given(tree=trees, megabytes=st.sampled_from([0.001, 1]))
def test_random_trees(solver: str, tree: RandomTree, megabytes: float) -> None:
    found = solve(tree, solver, megabytes=megabytes if solver != "conspiracy" else 4)
    value = minimax.value(tree)
    assert (found.value, found.proven, found.lower, found.upper) == (value, True, value, value)
    for action in found.line:
        assert action in legal(tree)
        tree = tree.result(action)
    assert legal(tree) or tree.utility() == value


@pytest.mark.lanes
@settings(max_examples=60)
@given(tree=trees, goal=st.integers(-4, 4))
def test_both_forms_of_proof_number_search_agree(tree: RandomTree, goal: int) -> None:
    reached = minimax.value(tree) >= goal
    assert proof_number_search(tree, goal) == reached
    assert ProofNumbers(RandomTree, 0.1).at_least(tree, goal) == (goal if reached else goal - 1)


@pytest.mark.lanes
@settings(max_examples=60)
@given(tree=trees, threshold=st.sampled_from([1, 3, INFINITE - 1]))
def test_both_forms_of_conspiracy_number_search_grow_the_same_tree(tree: RandomTree, threshold: int) -> None:
    plain = conspiracy_number_search(tree, threshold)
    fast = Conspiracies(RandomTree, 4)
    value, up, down = fast.grow(tree, threshold)
    assert (value, up, down) == (plain.value, plain.up, plain.down)
    assert fast.nodes == sum(1 for _ in plain.all())
    if threshold == INFINITE - 1:
        assert value == minimax.value(tree)


@given(value=st.integers(-9, 9), guess=st.integers(-9, 9), bounded=st.booleans(), slack=st.integers(0, 3))
def test_where_the_answers_change(value: int, guess: int, bounded: bool, slack: int) -> None:
    asked = []

    def loose(goal: int) -> int:
        """A bound on the right side of the goal, but perhaps not tight."""
        asked.append(goal)
        return max(goal, value - slack) if value >= goal else min(goal - 1, value + slack)

    limits = (-9, 9) if bounded else (-math.inf, math.inf)
    assert mtdf(loose, guess, *limits) == value
    assert len(asked) == len(set(asked))
    assert halve(lambda goal: goal if value >= goal else goal - 1, guess, *limits) == value


@pytest.mark.parametrize("solver", ["mtdf", "dfpn"])
def test_a_small_board_of_connect_four(solver: str) -> None:
    """John Tromp's table (tromp.github.io/c4/c4.html): 4x4 is drawn."""
    assert solve(variant(ConnectFour, WIDTH=4, HEIGHT=4)(), solver).value == 0


@given(pick=st.randoms(use_true_random=False))
@settings(max_examples=25)
def test_what_connect_four_knows_is_true(pick) -> None:
    """On 4x4, against minimax: the ceiling is one, and a promising move is a best one."""
    state = variant(ConnectFour, WIDTH=4, HEIGHT=4)()
    for _ in range(pick.randint(7, 12)):
        if legal(state):
            state = state.result(pick.choice(legal(state)))
    assume(legal(state))
    sign = WIN if state.player() == 0 else -WIN
    value = minimax.value(state) // sign
    assert state.ceiling() >= value
    promising = list(state.promising())
    assert set(promising) <= set(legal(state))
    assert max((minimax.value(state.result(column)) // sign for column in promising), default=-1) == value


def test_kalah_as_published() -> None:
    """Irving, Donkers & Uiterwijk, Solving Kalah (2000), table 9: four pits with 1, 2, 3, 4 seeds in each."""
    board = variant(Kalah, PITS=4)
    rows = [",".join([str(seeds)] * 4) + ":0" for seeds in (1, 2, 3, 4)]
    starts = [board.parse(f"{row} {row} S") for row in rows]
    assert [solve(start, "dfpn", megabytes=16).value for start in starts] == [2, 6, 8, 2]


def test_a_position_that_is_over() -> None:
    found = solve(load("tictactoe").position("XXX/OO./... o"), "dfpn")
    assert (found.action, found.value, found.proven, found.line) == (None, 1, True, ())


def test_what_is_proven_when_the_time_is_up() -> None:
    found = solve(ConnectFour(), "dfpn", time=0.2, megabytes=1)
    assert (found.proven, found.value, found.action, found.line) == (False, None, None, ())
    assert (found.lower, found.upper) == (-1, 1)


@pytest.mark.parametrize("solver", [*SOLVERS, "alphabeta", "engine"])
def test_a_solver_that_is_stopped_says_what_is_proven(solver: str) -> None:
    task = Solving(RandomTree(12345, 40, 3), solver, megabytes=1)
    task.stop()
    found = task.run()
    assert (found.proven, found.value, found.line, found.solver) == (False, None, (), solver)


def test_solvers_refuse_what_does_not_fit() -> None:
    for solver in SOLVERS:
        with pytest.raises(GameError, match="a game with chance"):
            solve(load("pig").start, solver)
        with pytest.raises(GameError, match="int scores"):
            solve(load("[[3,12,8],[2,4,6]]").start, solver)
    with pytest.raises(ValueError, match="choose from mtdf, dfpn, conspiracy"):
        solve(load("tictactoe").start, "sorcery")
    with pytest.raises(ValueError, match="does not fit: at most"):
        Windows(ConnectFour, 1e9)
    with pytest.raises(ValueError, match="does not fit: at most"):
        Conspiracies(ConnectFour, 0)
    with pytest.raises(ValueError, match="time must be a positive number"):
        Solving(ConnectFour(), time=0)


def test_a_tree_that_does_not_fit() -> None:
    with pytest.raises(GameError, match="does not fit into 0.01 MB"):
        solve(RandomTree(12345, 40, 3), "conspiracy", megabytes=0.01)
