"""The engine against plain minimax: whatever exact switches are on, the value is the same."""

from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from outplay.game import GameError, legal
from outplay.games import load
from outplay.limits import Limits
from outplay.search import best, minimax, solve
from outplay.search.deepen import PLAY, Engine
from outplay.search.switches import BIT, SWITCHES
from tests.search.randomtree import RandomTree


def sets(*kinds: str) -> st.SearchStrategy[int]:
    """Sets of switches of these kinds."""
    names = [s.name for s in SWITCHES if s.kind in kinds]
    return st.sets(st.sampled_from(names)).map(lambda chosen: sum(BIT[n] for n in chosen))


exact_sets = sets("exact")
trees = st.builds(
    RandomTree,
    node=st.integers(1, 1 << 60),
    left=st.integers(1, 8),
    spread=st.sampled_from([1, 3, 100]),
    merge=st.sampled_from([0, 52, 58]),
)
# The engine is built anew for each game: one for each kind of knowledge that the games offer. With fixed=False one
# build serves all sets of switches.
SMALL = ["hexapawn", "connect4:width=4,height=4", "othello:size=4", "kalah:pits=2,seeds=2"]


@pytest.mark.lanes
@settings(max_examples=300)
@given(trees, exact_sets, st.integers(1, 6), st.sampled_from(["two-tier", "always", "deeper", "effort"]))
def test_exact_switches_on_random_trees(tree: RandomTree, on: int, depth: int, scheme: str) -> None:
    if not legal(tree):
        return
    engine = Engine(0.01, on, scheme=scheme, fixed=False)
    found = engine.search(tree, Limits(depth=depth))
    if found.depth == depth:
        assert found.value == minimax.value(tree, depth)
    else:
        assert found.proven
        assert found.value == minimax.value(tree, depth)


@pytest.mark.parametrize("spec", SMALL)
@settings(max_examples=25)
@given(on=exact_sets, plies=st.integers(0, 6), depth=st.integers(1, 7), pick=st.randoms())
def test_exact_switches_on_small_games(spec: str, on: int, plies: int, depth: int, pick) -> None:
    state = load(spec).start
    for _ in range(plies):
        if legal(state):
            state = state.result(pick.choice(legal(state)))
    if not legal(state):
        return
    found = Engine(0.1, on, fixed=False).search(state, Limits(depth=depth))
    plain = best(state, "minimax", depth=depth)
    assert found.value == plain.value


@pytest.mark.parametrize("spec", SMALL)
@settings(max_examples=15)
@given(on=sets("exact", "sound"), plies=st.integers(3, 8), pick=st.randoms())
def test_sound_switches_solve_small_games(spec: str, on: int, plies: int, pick) -> None:
    state = load(spec).start
    for _ in range(plies):
        if legal(state):
            state = state.result(pick.choice(legal(state)))
    found = Engine(0.1, on, fixed=False).search(state, Limits())
    assert found.proven
    assert found.value == solve(state, "alphabeta").value


@pytest.mark.parametrize(("spec", "on"), [("checkers", PLAY), ("connect4:width=4,height=4", "all")])
def test_both_builds_visit_the_same_nodes(spec: str, on: str) -> None:
    state = load(spec).start
    reading = Engine(1, on, fixed=False).search(state, Limits(depth=7))
    fixed = Engine(1, on, fixed=True).search(state, Limits(depth=7))
    assert reading._replace(time=0) == fixed._replace(time=0)


def test_exact_switches_save_nodes() -> None:
    state = load("othello:size=4").start
    plain = best(state, depth=8)
    found = Engine(1, "exact", fixed=False).search(state, Limits(depth=8))
    assert found.value == plain.value
    assert found.nodes < plain.nodes


def test_a_depth_needs_an_evaluation() -> None:
    class Countdown(NamedTuple):
        left: int = 9
        mover: int = 0

        def player(self):
            return self.mover

        def actions(self):
            yield from range(1, min(self.left, 2) + 1)

        def result(self, n):
            return Countdown(self.left - n, 1 - self.mover)

        def utility(self):
            return -1 if self.mover == 0 else 1

    with pytest.raises(GameError, match="has no evaluate"):
        Engine(1).search(Countdown(), Limits(depth=3))
