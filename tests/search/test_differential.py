"""All exact searches and solvers against plain minimax and expectiminimax, on random games of every kind."""

from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outplay import shr
from outplay.game import legal, worth
from outplay.limits import Limits
from outplay.search import best, solve
from outplay.search.engine.engine import Engine
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.uct import UCT
from outplay.search.textbook import expectiminimax, minimax
from tests.search.randomtree import RandomTree, scramble


class RandomWins(NamedTuple):
    """Won, drawn or lost; players move in any order."""

    max_actions = 4
    win = 1
    node: int = 1
    left: int = 5
    merge: int = 0

    def player(self):
        return shr(scramble(self.node), 40) & 1

    def actions(self):
        yield from range(1 + (shr(scramble(self.node), 10) & 3))

    def result(self, action):
        child = scramble(self.node * 5 + action + 1)
        return self._replace(node=shr(child, self.merge), left=self.left - 1)

    def terminal(self):
        return self.left == 0 or shr(scramble(self.node), 20) & 15 == 0

    def utility(self):
        return shr(scramble(self.node), 30) % 3 - 1

    def evaluate(self):
        return shr(scramble(self.node), 33) % 201 - 100


class RandomSizes(NamedTuple):
    """Wins of several sizes, none of them declared the greatest."""

    max_actions = 4
    node: int = 1
    left: int = 5
    merge: int = 0

    def player(self):
        return shr(scramble(self.node), 40) & 1

    def actions(self):
        yield from range(1 + (shr(scramble(self.node), 10) & 3))

    def result(self, action):
        child = scramble(self.node * 5 + action + 1)
        return self._replace(node=shr(child, self.merge), left=self.left - 1)

    def terminal(self):
        return self.left == 0 or shr(scramble(self.node), 20) & 7 == 0

    def utility(self):
        return shr(scramble(self.node), 30) % 11 - 5

    def evaluate(self):
        return shr(scramble(self.node), 33) % 2001 - 1000


class RandomFloats(NamedTuple):
    """Scores are floats."""

    max_actions = 4
    scores = float
    node: int = 1
    left: int = 5

    def player(self):
        return shr(scramble(self.node), 40) & 1

    def actions(self):
        yield from range(1 + (shr(scramble(self.node), 10) & 3))

    def result(self, action):
        return RandomFloats(scramble(self.node * 5 + action + 1), self.left - 1)

    def terminal(self):
        return self.left == 0 or shr(scramble(self.node), 20) & 15 == 0

    def utility(self):
        return (shr(scramble(self.node), 30) % 1001 - 500) / 7

    def evaluate(self):
        return (shr(scramble(self.node), 33) % 1001 - 500) / 7


class RandomChance(NamedTuple):
    """MAX, MIN and chance move in any order; probabilities are eighths."""

    max_actions = 3
    node: int = 1
    left: int = 5

    def player(self):
        return shr(scramble(self.node), 40) % 3 - 1

    def actions(self):
        yield from range(3)

    def result(self, action):
        return RandomChance(scramble(self.node * 5 + action + 1), self.left - 1)

    def probability(self, outcome):
        first = shr(scramble(self.node), 50) & 3
        return first / 8 if outcome == 0 else 0.25 if outcome == 1 else 0.75 - first / 8

    def terminal(self):
        return self.left == 0 or shr(scramble(self.node), 20) & 15 == 0

    def utility(self):
        return (shr(scramble(self.node), 30) % 65 - 32) / 4

    def evaluate(self):
        return (shr(scramble(self.node), 33) % 65 - 32) / 4


nodes, plies, merges = st.integers(1, 1 << 60), st.integers(1, 6), st.sampled_from([0, 52, 58])
SOLVERS = ["minimax", "alphabeta", "alphabeta-hard", "engine", "mtdf", "dfpn", "conspiracy"]


def all_agree(state: Any, value: float, solvers: list[str]) -> None:
    """Whatever proves a value proves this one."""
    for solver in solvers:
        found = solve(state, solver, megabytes=4)
        assert (solver, found.value, found.proven) == (solver, value, True)
    sampled = UCT(Settings(memory=1, score=0 if getattr(type(state), "points", False) else None))
    found = sampled.search(state, Limits(nodes=300))
    if found.proven:
        assert found.value == pytest.approx(value)


@pytest.mark.lanes
@settings(max_examples=40)
@given(node=nodes, left=plies, merge=merges, depth=st.integers(1, 5))
def test_wins_and_points(node: int, left: int, merge: int, depth: int) -> None:
    for state in (RandomWins(node, left, merge), RandomTree(node, left, 20, merge)):
        assume(legal(state))
        all_agree(state, minimax.value(state) // worth(type(state)), SOLVERS)
        shallow = minimax.value(state, depth)
        for search in ("minimax", "alphabeta", "alphabeta-hard"):
            assert best(state, search, depth=depth).score == shallow
        score = Engine(0.1, "exact", fixed=True).search(state, Limits(depth=depth)).score
        assert score == shallow or (abs(shallow) == worth(RandomWins) and abs(score - shallow) <= left)


@pytest.mark.lanes
@settings(max_examples=40)
@given(node=nodes, left=plies, depth=st.integers(1, 5))
def test_floats(node: int, left: int, depth: int) -> None:
    state = RandomFloats(node, left)
    assume(legal(state))
    all_agree(state, minimax.value(state), ["minimax", "alphabeta", "alphabeta-hard"])
    for search in ("minimax", "alphabeta", "alphabeta-hard"):
        assert best(state, search, depth=depth).value == minimax.value(state, depth)


@pytest.mark.lanes
@settings(max_examples=40)
@given(node=nodes, left=plies, depth=st.integers(1, 5))
def test_chance(node: int, left: int, depth: int) -> None:
    state = RandomChance(node, left)
    assume(legal(state))
    all_agree(state, expectiminimax.value(state), ["expectiminimax"])
    assert best(state, "expectiminimax", depth=depth).value == expectiminimax.value(state, depth)


@pytest.mark.lanes
@settings(max_examples=60)
@given(node=nodes, left=plies, merge=merges, depth=st.integers(2, 4))
def test_a_best_line_is_proven_if_no_other_can_be_better(
    node: int, left: int, merge: int, depth: int
) -> None:
    """Each action is searched by itself: the proven value of one is not yet that of the position."""
    for state in (RandomWins(node, left, merge), RandomTree(node, left, 20, merge)):
        assume(legal(state))
        value = minimax.value(state) // worth(type(state))
        for search in ("minimax", "alphabeta"):
            found = best(state, search, depth=depth, lines=3)
            assert not found.proven or found.value == value
            for line in found.others:
                after = minimax.value(state.result(line.action)) // worth(type(state))
                assert not line.proven or line.value == after


@pytest.mark.parametrize(("node", "depth"), [(3116, 2), (3421, 3), (3688, 3)])
def test_a_best_line_that_was_found_later_proves_no_value(node: int, depth: int) -> None:
    """It is searched without the lines found before; they are not proven, and might be better."""
    state = RandomSizes(node)
    found = best(state, "engine:fixed=0,hash=0.1", depth=depth, lines=3)
    assert not found.proven or found.value == minimax.value(state) // worth(RandomSizes)
