"""PUCT with a table, and nothing, in the network's place."""

import math

import numpy as np
import pytest

from outplay.game import GameError, is_terminal, legal
from outplay.games import load
from outplay.search import solve
from outplay.search.puct import PUCT, Batch, C, policy_size
from outplay.search.puctsteps import EDGES, NODES

START = load("tictactoe").start


class PlainNode:
    """A node of one tree, as on the slides."""

    def __init__(self, state) -> None:
        self.state = state
        self.edges: dict[int, list[float]] = {}  # by action: P, N, W
        self.children: dict[int, PlainNode] = {}


def plain_puct(state, table, simulations: int, c: float) -> PlainNode:
    """The same search with objects, for games without chance."""
    root = PlainNode(state)
    for _ in range(simulations):
        node, path = root, []
        while node.edges:
            total = sum(n for _, n, _ in node.edges.values())
            width = c * math.sqrt(max(total, 1.0))

            def bound(action: int, node=node, width=width) -> float:
                p, n, w = node.edges[action]
                return (w / n if n else 0.0) + width * p / (1.0 + n)

            action = max(node.edges, key=bound)
            path.append((node, action))
            if action not in node.children:
                node.children[action] = PlainNode(node.state.result(action))
            node = node.children[action]
        if is_terminal(node.state):
            value = node.state.utility() * (1 if node.state.player() == 0 else -1)
        else:
            priors, value = table(node.state)
            actions = legal(node.state)
            total = sum(float(priors[a]) for a in actions)
            node.edges = {a: [float(priors[a]) / total, 0.0, 0.0] for a in actions}
        for passed, action in path:
            passed.edges[action][1] += 1.0
            passed.edges[action][2] += value if passed.state.player() == node.state.player() else -value
    return root


def table(state) -> tuple[np.ndarray, float]:
    """A network's answers, made up: the same for the same state."""
    dice = np.random.default_rng(state.own * 512 + state.opp)
    return dice.random(9), float(dice.uniform(-0.5, 0.5))


def by_table(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    answers = [table(state) for state in batch.states()]
    return np.array([priors for priors, _ in answers]), np.array([value for _, value in answers])


def assert_same(node: PlainNode, puct: PUCT, tree: int, place: int) -> int:
    trees = puct.trees
    first, count = int(trees.first[tree, place]), int(trees.branches[tree, place])
    seen = {}
    for edge in range(first, first + count):
        numbers = [float(array[tree, edge]) for array in (trees.priors, trees.visits, trees.total)]
        seen[int(trees.action[tree, edge])] = numbers, int(trees.child[tree, edge])
    assert {action: numbers for action, (numbers, _) in seen.items()} == node.edges
    return 1 + sum(assert_same(child, puct, tree, seen[a][1]) for a, child in node.children.items())


@pytest.mark.lanes
def test_many_trees_are_each_the_plain_one() -> None:
    states = [START, START.result(4), START.result(0).result(4)]
    puct = PUCT(states, by_table, 150)
    puct.search(150)
    for tree, state in enumerate(states):
        assert assert_same(plain_puct(state, table, 150, C), puct, tree, 0) > 120


def test_a_win_in_one_is_found_and_a_loss_avoided() -> None:
    positions = ["XX./OO./... x", "XX./O../... o", "OO./XX./..X o"]
    states = [load("tictactoe").position(text) for text in positions]
    puct = PUCT(states, simulations=400)
    puct.search(400)
    for state, action in zip(states, puct.choose(), strict=True):
        sign = 1 if state.player() == 0 else -1
        values = {a: sign * solve(state.result(a), "minimax").value for a in legal(state)}
        assert values[action] == max(values.values())
    assert puct.values()[0] > 0.8


def test_room_that_is_used_up_ends_the_growth_alone() -> None:
    puct = PUCT([START], simulations=20, edges=50)
    puct.search(500)
    assert int(puct.trees.run[0, EDGES]) <= 50
    assert sum(puct.visits()[0].values()) == 499
    assert int(puct.trees.run[0, NODES]) <= 22


def test_chance_falls_by_its_probabilities() -> None:
    puct = PUCT([load("pig:goal=20").start] * 2, simulations=600, seed=3)
    puct.search(600)
    assert puct.visits() == [{1: 599}] * 2
    trees = puct.trees
    node = int(trees.child[0, 0])
    first = int(trees.first[0, node])
    outcomes = trees.visits[0, first : first + 6]
    assert outcomes.sum() == 599
    assert outcomes == pytest.approx([100] * 6, abs=45)
    assert (trees.visits[0] != trees.visits[1]).any()


def test_noise_and_temperature() -> None:
    puct = PUCT([START] * 200, simulations=30, seed=1)
    puct.search(1, noise=0.25, alpha=0.3)
    priors = puct.trees.priors[:, :9]
    assert priors.sum(axis=1) == pytest.approx(1)
    assert priors.min() >= 0.75 / 9
    assert priors.std() > 0.02
    puct.trees.visits[:, :9] = [8, 1, 0, 0, 0, 0, 0, 0, 1]
    assert puct.choose() == [legal(START)[0]] * 200
    assert puct.choose(1.0).count(legal(START)[0]) == pytest.approx(160, abs=30)
    assert puct.choose(0.5).count(legal(START)[0]) > puct.choose(2.0).count(legal(START)[0])


def test_restart() -> None:
    puct = PUCT([START], by_table, 60)
    puct.search(60)
    after = START.result(4)
    puct.restart([after])
    puct.search(60)
    assert assert_same(plain_puct(after, table, 60, C), puct, 0, 0) == 60


def test_what_a_network_sees() -> None:
    state = load("tictactoe").position("X../.O./..X o")
    planes = Batch_of(state).planes()
    assert planes.shape == (1, 2, 3, 3)
    assert planes[0].tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [1, 0, 0]]]


def Batch_of(state) -> Batch:  # noqa: N802
    puct = PUCT([state], simulations=1)
    return Batch(puct.twin, puct.like, puct.trees.roots)


@pytest.mark.parametrize("name", ["tictactoe", "connect4", "othello"])
def test_policy_indices_are_distinct_and_in_range(name: str) -> None:
    state = load(name).start
    while not is_terminal(state):
        places = [state.policy_index(action) for action in legal(state)]
        assert len(set(places)) == len(places)
        assert all(0 <= place < policy_size(type(state)) for place in places)
        planes, rows, columns = type(state).plane_shape
        assert all(0 <= word % 2**64 < 1 << rows * columns for word in state.planes())
        assert len(list(state.planes())) == planes
        state = state.result(legal(state)[-1])


@pytest.mark.parametrize(
    ("answer", "what"),
    [
        ((np.ones((1, 3)), np.zeros(1)), "are wanted"),
        ((np.full((1, 9), -1.0), np.zeros(1)), "negative or infinite"),
        ((np.ones((1, 9)), np.full(1, math.nan)), "negative or infinite"),
    ],
)
def test_a_wrong_answer_of_the_evaluator(answer, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        PUCT([START], lambda batch: answer).search(2)


def test_what_cannot_be_searched() -> None:
    with pytest.raises(ValueError, match="game is over"):
        PUCT([load("tictactoe").position("XXX/OO./... o")])
    with pytest.raises(ValueError, match="at least one"):
        PUCT([])
    with pytest.raises(ValueError, match="simulations must be 1"):
        PUCT([START]).search(0)
    with pytest.raises(ValueError, match="MB"):
        PUCT([START], simulations=10**12)
    with pytest.raises(GameError, match="has no planes"):
        Batch_of(load("kalah").start).planes()
