"""PUCT with a table, and nothing, in the network's place."""

import json
import math
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest

from outplay.game import FORBIDDEN, GameError, identity, is_terminal, legal
from outplay.gamefile import open_game
from outplay.games import load
from outplay.limits import Limits
from outplay.search import best, solve
from outplay.search.mcts.choice import children_of
from outplay.search.mcts.puct import PUCT, Batch, C, policy_size, rollouts, uniform
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.tree import ROOT, Tree
from outplay.search.mcts.uct import UCT

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


def assert_same(node: PlainNode, tree: Tree, place: int = ROOT) -> int:
    """Node by node: priors, visits and sums of values; how many nodes there are."""
    first = tree.first[place]
    places = {tree.action[child]: child for child in range(first, first + tree.count[place])}
    edges = {a: [tree.weight[child], tree.visits[child], tree.total[child]] for a, child in places.items()}
    assert edges == node.edges
    return 1 + sum(assert_same(child, tree, places[a]) for a, child in node.children.items())


@pytest.mark.lanes
def test_many_trees_are_each_the_plain_one() -> None:
    states = [START, START.result(4), START.result(0).result(4)]
    puct = PUCT(states, by_table, 150)
    puct.search(150)
    for tree, state in enumerate(states):
        assert assert_same(plain_puct(state, table, 150, C), puct.tree(tree)) > 120


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
    puct = PUCT([START, load("tictactoe").position("XXO/OOX/X.. o")], simulations=20, nodes=50)
    puct.search(20, noise=0.0)
    assert puct.full == 1  # the second tree holds all that there is
    puct.search(480)
    assert puct.full == 1
    assert puct.tree(0).used <= 50
    assert sum(puct.visits()[0].values()) == 499
    puct.restart([START, START])
    assert puct.full == 0


def test_chance_falls_by_its_probabilities() -> None:
    puct = PUCT([load("pig:goal=20").start] * 2, simulations=600, seed=3)
    puct.search(600)
    assert puct.visits() == [{1: 599}] * 2
    tree, other = puct.tree(0), puct.tree(1)
    first = tree.first[tree.first[ROOT]]
    outcomes = tree.array("visits")[first : first + 6]
    assert outcomes.sum() == 599
    assert outcomes == pytest.approx([100] * 6, abs=45)
    assert (tree.array("visits") != other.array("visits")).any()


def test_noise_and_temperature() -> None:
    puct = PUCT([START] * 200, simulations=30, seed=1)
    puct.search(1, noise=0.25, alpha=0.3)
    trees = [puct.tree(number) for number in range(200)]
    priors = np.array([tree.array("weight")[1:10] for tree in trees])
    assert priors.sum(axis=1) == pytest.approx(1)
    assert priors.min() >= 0.75 / 9
    assert priors.std() > 0.02
    for tree in trees:
        tree.array("visits")[1:10] = [8, 1, 0, 0, 0, 0, 0, 0, 1]
    assert puct.choose() == [legal(START)[0]] * 200
    assert puct.choose(1.0).count(legal(START)[0]) == pytest.approx(160, abs=30)
    assert puct.choose(0.5).count(legal(START)[0]) > puct.choose(2.0).count(legal(START)[0])


def test_simulations_are_a_limit_of_their_own(outplay: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that holds where no limit is given does not cut them short; one that is given does."""
    monkeypatch.setattr(sys.modules[best.__module__], "DEFAULT_TIME", 1e-6)
    monkeypatch.setattr("outplay.cli.arguments.SECONDS", 1e-6)
    search = "puct:net=none,simulations=3000"
    assert best(START, search).nodes == best(START, search, nodes=7).nodes == 3000
    assert best(START, search, time=1e-6).nodes < 3000
    assert best(START, "puct:net=none").nodes < 3000
    assert json.loads(outplay("best", "tictactoe", "--search", search, "--json").out)["nodes"] == 3000


def test_restart() -> None:
    puct = PUCT([START], by_table, 60)
    puct.search(60)
    after = START.result(4)
    puct.restart([after])
    puct.search(60)
    assert assert_same(plain_puct(after, table, 60, C), puct.tree(0)) == 60


def test_what_a_network_sees() -> None:
    state = load("tictactoe").position("X../.O./..X o")
    planes = Batch_of(state).planes()
    assert planes.shape == (1, 2, 3, 3)
    assert planes[0].tolist() == [[[0, 0, 0], [0, 1, 0], [0, 0, 0]], [[0, 0, 1], [0, 0, 0], [1, 0, 0]]]


def Batch_of(state) -> Batch:  # noqa: N802
    puct = PUCT([state], simulations=1)
    return Batch(puct.twin, puct.like, puct.roots)


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
        ((np.ones((1, 3)), np.zeros(1)), "expected"),
        ((np.full((1, 9), -1.0), np.zeros(1)), "negative, infinite"),
        ((np.ones((1, 9)), np.full(1, math.nan)), "negative, infinite"),
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


# --- positions that come back ---


def assert_nothing_comes_back(state, node: int, tree: Tree, line: list) -> int:
    """No visited child brings back a position of its line; how many nodes were visited."""
    here, nodes = identity(state), 1
    for child in range(tree.first[node], tree.first[node] + tree.count[node]):
        if tree.visits[child] > 0:
            after = state.result(tree.action[child])
            assert identity(after) == here or identity(after) not in line
            nodes += assert_nothing_comes_back(after, child, tree, [*line, here])
    return nodes


@pytest.mark.parametrize("evaluate", [uniform, rollouts])
def test_what_may_not_come_back_is_not_chosen(evaluate) -> None:
    """Go on 2x2, where Black may not take at A1: PUCT tries the actions that UCT tries."""
    record = open_game("go:size=2,komi=0,half=0", "", "A1 B1 A2 B2 A1 A2")
    state, past = record.state, list(record.past())
    puct = PUCT([state, state], evaluate, 300, past=[past, []])
    puct.search(300)
    uct = UCT(Settings(hints=False, solver=False))
    uct.search(state, Limits(nodes=300), past=past)
    tried = [{action for action, visits in tree.items() if visits} for tree in puct.visits()]
    assert tried[0] == {child.action for child in children_of(uct.trees, ROOT, state.player())}
    assert tried[0] == set(record.legal()) < tried[1] == set(legal(state))
    assert assert_nothing_comes_back(state, ROOT, puct.tree(0), [identity(s) for s in past]) > 2
    assert assert_nothing_comes_back(state, ROOT, puct.tree(1), []) > 2


class Ring(NamedTuple):
    """A walk around a ring of three places, which goes on unless a place that comes back ends it."""

    place: int = 0
    ply: int = 0

    repetition = 3

    def player(self):
        return self.ply & 1

    def actions(self):
        return [1]

    def result(self, action):
        return Ring((self.place + action) % 3, self.ply + 1)

    def terminal(self):
        return self.ply == 100

    def utility(self):
        return 1

    def repetition_key(self):
        return self.place


class Once(NamedTuple):
    """The same where no place may come back, so that nobody can move in the end."""

    place: int = 0
    ply: int = 0

    repetition = FORBIDDEN
    win = 1

    def player(self):
        return self.ply & 1

    def actions(self):
        return [1]

    def result(self, action):
        return Once((self.place + action) % 3, self.ply + 1)

    def terminal(self):
        return self.ply == 100

    def utility(self):
        return 1

    def repetition_key(self):
        return self.place


@pytest.mark.lanes
@pytest.mark.parametrize(
    ("past", "depth"), [([], 3), ([Ring(1)], 3), ([Ring(1), Ring(2), Ring(1)], 1), ([Ring(2)] * 2, 2)]
)
def test_a_position_that_comes_back_is_a_draw(past: list, depth: int) -> None:
    """The first that is on the path, or the third of the game, is worth 0 and leads nowhere."""
    puct = PUCT([Ring()], lambda batch: (np.ones((1, policy_size(Ring))), np.ones(1)), 50, past=[past])
    puct.search(50)
    tree = puct.tree(0)
    assert (tree.used, tree.deepest) == (1 + depth, depth)
    assert tree.least[depth] == tree.most[depth] == 0
    assert tree.total[depth] == 0


def test_a_player_who_may_not_move_plays_on() -> None:
    """Where every action is forbidden the search goes on all the same, and ends."""
    puct = PUCT([Once()], rollouts, 20)
    puct.search(20)
    assert puct.visits() == [{1: 19}]
    assert UCT(Settings(solver=False)).search(Once(), Limits(nodes=20)).nodes == 20
    with pytest.raises(ValueError, match="the history of 2"):
        PUCT([Once()], past=[[], []])
