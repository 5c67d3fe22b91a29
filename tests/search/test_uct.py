"""UCT: the lectures' numbers, the plain version as oracle, proofs, limits, the final choice, kept trees."""

import json
import math
import re
from typing import NamedTuple

import pytest

from outplay.compile import twin
from outplay.game import FORBIDDEN, GameError, identity, legal, max_actions, worth
from outplay.gamefile import open_game
from outplay.games import Go, TicTacToe, load
from outplay.limits import Limits
from outplay.players import player
from outplay.record import Record
from outplay.search import best, solve
from outplay.search.mcts.choice import Child, child_by, chosen
from outplay.search.mcts.grow import grow
from outplay.search.mcts.settings import Growth, Parameters, Settings
from outplay.search.mcts.tree import NODE, ROOT, Tree, tree_of
from outplay.search.mcts.uct import UCT
from outplay.search.textbook.uct import Node, PlainUCT
from outplay.search.trace.record import record_search
from tests.search.secret import Secret

# --- the lectures' Othello example ---

SLIDES_C = 1 / (2 * math.sqrt(2))


def walk_through(iterations: int) -> PlainUCT:
    """Four moves tried once with results 1, 1, 1, 0; then m1 -> m11 lost, then m2 -> m22 won."""
    results = iter((1.0, 1.0, 1.0, 0.0, 0.0, 1.0))
    places = iter((0, 0, 0, 0, 0, 1))  # which of the untried: the last iteration takes the second one
    search = PlainUCT(
        load("othello").start,
        Growth(SLIDES_C),
        simulate=lambda state: next(results),
        choose=lambda untried: untried[next(places)],
    )
    for _ in range(iterations):
        search.iterate()
    return search


def ucbs(search: PlainUCT, node: Node) -> list[float]:
    return [round(search.ucb(node, child), 4) for child in node.children]


def test_the_lectures_othello_example_after_four_iterations() -> None:
    search = walk_through(4)
    root = search.root
    assert [(m.visits, m.total) for m in root.children] == [(1, 1), (1, 1), (1, 1), (1, 0)]
    assert (root.visits, root.total) == (4, 3)
    explored = SLIDES_C * math.sqrt(math.log(4) / 1)
    assert round(explored, 4) == 0.4163
    assert ucbs(search, root) == [1.4163, 1.4163, 1.4163, 0.4163]


def test_the_lectures_othello_example_after_five_iterations() -> None:
    search = walk_through(5)
    m1, m2, m3, m4 = search.root.children
    (m11,) = m1.children
    assert (m11.visits, m11.total, m11.mover) == (1, 1, 1)  # lost for MAX: the reward of MIN, who chose it
    assert (m1.visits, m1.total, m1.mean) == (2, 1, 0.5)
    assert (search.root.visits, search.root.total) == (5, 3)
    one, two = SLIDES_C * math.sqrt(math.log(5)), SLIDES_C * math.sqrt(math.log(5) / 2)
    assert ucbs(search, search.root) == [round(u, 4) for u in (0.5 + two, 1 + one, 1 + one, one)]
    assert ucbs(search, search.root) == [0.8172, 1.4485, 1.4485, 0.4485]


def test_the_lectures_othello_example_after_six_iterations() -> None:
    search = walk_through(6)
    m1, m2, m3, m4 = search.root.children
    (m22,) = m2.children
    assert m22.action == legal(m2.state)[1]
    assert (m22.visits, m22.total) == (1, 0)  # won for MAX
    assert [(m.visits, m.total) for m in (m1, m2, m3, m4)] == [(2, 1), (2, 2), (1, 1), (1, 0)]
    assert (search.root.visits, search.root.total) == (6, 4)
    assert ucbs(search, search.root) == [0.8346, 1.3346, 1.4733, 0.4733]  # the seventh goes to m3


# --- the compiled tree is the plain one ---


def compiled_tree(state, iterations: int, **options) -> Tree:
    uct = UCT(Settings(0.7, seed=5, memory=8, **options))
    uct.search(state, Limits(nodes=iterations))
    return uct.trees[0]


def plain_tree(state, iterations: int, tree: Tree, solver: bool = True, rave: float = 0) -> PlainUCT:
    scale = tree.scale / worth(type(state))
    bounds = (tree.lowest, tree.highest)
    search = PlainUCT(state, Growth(0.7, rave, solver=solver, scale=scale, bounds=bounds), 5)
    while search.turn < iterations and not search.root.proven:
        search.iterate()
    return search


def children(tree: Tree, place: int) -> range:
    return range(tree.first[place], tree.first[place] + tree.count[place])


def assert_same(node: Node, place: int, tree: Tree) -> int:
    """Node by node: visits, rewards, bounds, and the same children; how many nodes there are."""
    assert (node.visits, node.total) == (tree.visits[place], tree.total[place])
    assert node.bounds == (tree.least[place], tree.most[place])
    places = {tree.action[i]: i for i in children(tree, place) if tree.visits[i] > 0}
    visited = [child for child in node.children if child.visits]
    assert places.keys() == {child.action for child in visited}
    return 1 + sum(assert_same(child, places[child.action], tree) for child in visited)


@pytest.mark.lanes
@pytest.mark.parametrize("options", [{}, {"solver": False}, {"rave": 50}], ids=str)
@pytest.mark.parametrize(
    ("game", "iterations"), [("tictactoe", 800), ("kalah", 100), ("pig:goal=20", 600)], ids=str
)
def test_the_same_seed_gives_the_same_tree(game: str, iterations: int, options: dict) -> None:
    state = load(game).start
    tree = compiled_tree(state, iterations, **options)
    plain = plain_tree(state, iterations, tree, **options)
    nodes = assert_same(plain.root, 0, tree)
    assert nodes > iterations / 2
    assert plain.turn == tree.turn


@pytest.mark.lanes
@pytest.mark.parametrize(
    ("options", "moves", "iterations"),
    [
        ({}, "", 400),  # the game's own settings
        ({"rave": 0, "expand": 1, "c": 0.5}, "A1 B1 A2", 400),
        ({"hints": False}, "A1 B1 A2 B2 A1 A2", 400),  # Black may not take at A1
    ],
    ids=str,
)
def test_priors_and_what_may_not_come_back(options: dict, moves: str, iterations: int) -> None:
    """Go on 2x2, where positions come back soon."""
    record = open_game("go:size=2,komi=0,half=0", "", moves)
    state, past = record.state, record.past()
    uct = UCT(Settings(seed=5, memory=8, **options))
    uct.search(state, Limits(nodes=iterations), past=past)
    plain = PlainUCT(state, uct.growth(state), 5, past=past)
    while plain.turn < iterations and not plain.root.proven:
        plain.iterate()
    nodes = assert_same(plain.root, 0, uct.trees[0])
    assert nodes > 2
    assert not any(child.visits for child in plain.root.children if child.dropped and child.action == 0)
    assert_nothing_comes_back(plain.root, [identity(earlier) for earlier in past])


def assert_nothing_comes_back(node: Node, line: list) -> None:
    for child in node.children:
        if child.visits:
            key = identity(child.state)
            assert key == identity(node.state) or key not in line
            assert_nothing_comes_back(child, [*line, identity(node.state)])


class Cornered(NamedTuple):
    """MIN may give up, or go back where the game has been, which is forbidden."""

    max_actions = 3
    win = 1
    repetition = FORBIDDEN
    square: int = 0

    def player(self):
        return 1 if self.square else 0

    def actions(self):
        yield from range(3)

    def result(self, step):
        if self.square == 0:
            return Cornered(1)
        return Cornered(2 if step == 1 else 0)

    def terminal(self):
        return self.square == 2

    def utility(self):
        return 1


@pytest.mark.parametrize("search", ["uct", "puct"])
def test_whoever_is_lost_plays_a_legal_action(search: str) -> None:
    """A forbidden repetition is not chosen either where every other action is proven to lose."""
    record = Record("cornered", Cornered(), (0,))
    for seed in range(8):
        found = best(record, search, nodes=50, seed=seed, lines=3)
        assert (found.action, found.value, found.others) == (1, 1, ())
        assert best(record, search, nodes=50, seed=seed).line == (1,)


def test_settings_are_the_games_own_unless_others_are_given() -> None:
    go, kalah = type(load("go:size=2").start), type(load("kalah").start)
    assert Settings().parameters(go) == Parameters(**go.uct)
    assert Settings(c=0.5, rave=7).parameters(go) == Parameters(**go.uct)._replace(c=0.5, rave=7)
    assert Settings(hints=False).parameters(go) == Parameters(prior=0)
    assert Settings().parameters(kalah) == Parameters(prior=0)


def test_the_players_past_is_known_to_uct() -> None:
    record = open_game("go:size=2,komi=0,half=0", "", "A1 B1 A2 B2 A1 A2")
    for nodes in (1, 10, 300):
        assert player("uct")(record, Limits(nodes=nodes)).action in record.legal()


def test_another_seed_gives_another_tree() -> None:
    state = load("kalah").start
    answers = [UCT(Settings(seed=seed)).search(state, Limits(nodes=500)) for seed in (1, 1, 2)]
    values = [answer.value for answer in answers]
    assert values[0] == values[1] != values[2]


# --- proofs ---


def test_tic_tac_toe_is_proven_a_draw() -> None:
    found = best(load("tictactoe").start, "uct", nodes=200_000)
    assert (found.value, found.proven) == (0, True)
    assert found.nodes < 200_000


def test_what_is_proven_is_true() -> None:
    """Every position of tic-tac-toe on a game's way, against the engine; a won move is taken."""
    state = load("tictactoe").start
    while legal(state):
        found = best(state, "uct", nodes=50_000)
        assert found.proven
        assert found.value == solve(state).value
        assert solve(state.result(found.action)).value == found.value
        state = state.result(found.action)


class OfFive(NamedTuple):
    """Take a number from -5 to 3."""

    win = 5
    taken: int = 9

    def player(self):
        return 0

    def actions(self):
        yield from range(-5, 4)

    def result(self, action):
        return OfFive(action)

    def terminal(self):
        return self.taken != 9

    def utility(self):
        return self.taken


def test_a_proven_utility_is_the_int_that_it_is() -> None:
    """Though a fifth is no sum of powers of two."""
    found = best(OfFive(), "uct", nodes=500, lines=9)
    values = {line.action: line.value for line in (found, *found.others) if line.proven}
    assert (found.value, found.proven) == (3, True)
    assert values == {action: action for action in range(-5, 4)}


def test_values_of_trees_are_proven() -> None:
    assert best(load("[[3,12,8],[2,4,6],[14,5,2]]").start, "uct", nodes=100)[:2] == (0, 3)
    found = best(load("chance[1/2: 8, 1/3: 24, 1/6: -12]").start, "uct", nodes=1000)
    assert found.value == pytest.approx(10)
    assert found.proven
    assert found.action is None


def test_a_game_of_points_is_played_for_the_win_or_for_points() -> None:
    state = load("kalah").position("0,0,0,0,0,1:20 0,0,0,0,0,2:25 S")
    by_win = best(state, "uct", nodes=1000)
    assert by_win.value == -1
    assert not by_win.proven  # who wins is, but not by how much
    by_points = UCT(Settings(score=48)).search(state, Limits(nodes=1000))
    assert (by_points.value, by_points.proven) == (-6, True)


# --- limits ---


def test_a_tree_never_grows_past_its_memory() -> None:
    uct = UCT(Settings(memory=0.05))
    found = uct.search(load("connect4").start, Limits(nodes=20_000))
    (tree,) = uct.trees
    assert found.nodes == 20_000
    assert tree.size - 7 < tree.used <= tree.size
    assert node_bytes_of(tree, NODE) <= 0.05 * (1 << 20)
    assert found.action in legal(load("connect4").start)


def test_full_trees_are_counted() -> None:
    state = load("connect4").start
    uct = UCT(Settings(memory=0.05, threads=2))
    uct.search(state, Limits(nodes=100))
    assert uct.full == 0
    uct.search(state, Limits(nodes=20_000))
    assert uct.full == 2
    uct.forget()
    uct.search(state, Limits(nodes=100))
    assert uct.full == 0


def test_limits() -> None:
    state = load("connect4").start
    assert best(state, "uct", nodes=1).nodes == 1
    assert best(state, "uct", time=0.05).nodes > 10
    for limits in ({"depth": 3}, {"nodes": 0}):
        with pytest.raises(ValueError, match="depth|positive"):
            best(state, "uct", **limits)
    with pytest.raises(ValueError, match="limit it by nodes or time"):
        UCT().search(state, Limits())


def test_there_is_an_answer_however_short_the_time() -> None:
    for choice in ("robust", "max-robust"):
        found = UCT(Settings(choice=choice)).search(load("connect4").start, Limits(time=1e-9))
        assert found.action in range(7)
        assert found.nodes >= 1


@pytest.mark.parametrize(
    ("options", "what"),
    [
        ({"memory": 10**9}, "does not fit"),
        ({"memory": 0}, "does not fit"),
        ({"c": -1}, "c must be 0 or more"),
        ({"choice": "best"}, "unknown choice"),
        ({"prior": -1}, "prior must be 0 or more"),
        ({"expand": 0}, "expand must be 1 or more"),
        ({"threads": 0}, "threads must be"),
    ],
)
def test_options_beyond_measure(options: dict, what: str) -> None:
    with pytest.raises(ValueError, match=what):
        UCT(Settings(**options)).search(load("connect4").start, Limits(nodes=10))


def test_a_position_that_is_over() -> None:
    found = best(load("tictactoe").position("XXX/OO./... o"), "uct", nodes=10)
    assert (found.action, found.value, found.proven) == (None, 1, True)


def test_hidden_information_is_refused() -> None:
    with pytest.raises(GameError, match="imperfect information"):
        best(Secret(), "uct", nodes=10)


class Restless(NamedTuple):
    """A game that goes on for ever."""

    ply: int = 0

    def player(self):
        return self.ply & 1

    def actions(self):
        return [0, 1]

    def result(self, action):
        return Restless(1 - self.ply)

    def terminal(self):
        return False

    def utility(self):
        return 0


def test_a_game_without_an_end_is_told_so() -> None:
    with pytest.raises(GameError, match="did not end within"):
        best(Restless(), "uct", nodes=10)


# --- threads, the final choice, kept trees ---


def test_threads_do_the_work_together() -> None:
    state = load("connect4").start
    first, second = (UCT(Settings(threads=3)).search(state, Limits(nodes=1000)) for _ in range(2))
    assert first.nodes == 1000
    assert first._replace(time=0) == second._replace(time=0)
    assert first.value != UCT().search(state, Limits(nodes=1000)).value


def test_the_final_choice() -> None:
    children = [Child(1, 70, 0.6, 0, 1), Child(2, 25, 0.7, 0, 1), Child(3, 2, 0.9, 0, 1)]
    assert [chosen(children, choice) for choice in ("robust", "max", "secure")] == [1, 3, 1]
    draw = Child(4, 5, 0.5, 0.5, 0.5)
    assert chosen([*children, draw], "robust") == 1
    assert chosen([Child(1, 70, 0.4, 0, 1), draw], "robust") == 4
    assert chosen([Child(1, 70, 0.4, 0, 1), Child(5, 1, 0.3, 1, 1)], "robust") == 5
    assert chosen([Child(1, 70, 0.0, 0, 0), Child(2, 5, 0.0, 0, 0)], "max") == 1


def test_several_lines() -> None:
    """Every action at the root, the best one first, the others by their visits, each at the head of its line."""
    found = UCT(Settings(seed=2)).search(TicTacToe().result(4), Limits(nodes=2000), lines=9)
    lines = [found, *found.others]
    assert sorted(line.action for line in lines) == [0, 1, 2, 3, 5, 6, 7, 8]
    assert [line.number for line in lines] == list(range(1, 9))
    visits = [line.visits for line in lines]
    assert sum(visits) <= 2000 and visits[1:] == sorted(visits[1:], reverse=True)
    assert all(line.line[0] == line.action for line in lines)
    assert found.others[-1].value >= found.value  # MIN moves: what MAX likes better is worse
    assert UCT(Settings(seed=2)).search(TicTacToe(), Limits(nodes=50)).others == ()


def test_max_robust_may_stop_early() -> None:
    found = UCT(Settings(choice="max-robust")).search(load("connect4").start, Limits(nodes=6400))
    assert 4800 <= found.nodes <= 6400


def test_the_tree_is_kept_from_move_to_move() -> None:
    uct = player("uct")
    record = open_game("connect4", "", "4 4")
    first = uct(record, Limits(nodes=2000))
    record = record.play(first.action).play(first.line[1])
    tree = uct.search.trees[0]
    at = child_by(tree, child_by(tree, ROOT, first.action), first.line[1])
    known, below = tree.visits[at], subtree(tree, at)
    uct.search.follow(record.start, record.actions)
    assert subtree(tree, 0) == below
    assert tree.used == 1 + nodes_below(tree, 0)
    uct(record, Limits(nodes=100))
    assert tree.visits[ROOT] == known + 100
    uct(open_game("connect4", "", ""), Limits(nodes=100))
    assert tree.visits[ROOT] == 100


def subtree(tree: Tree, node: int) -> tuple:
    """All that lies below a node."""
    runs = (tree.visits, tree.total, tree.least, tree.most, tree.mean, tree.weight)
    below = [(tree.action[i], subtree(tree, i)) for i in children(tree, node)]
    return [run[node] for run in runs], tree.tried[node], below


def nodes_below(tree: Tree, node: int) -> int:
    return tree.count[node] + sum(nodes_below(tree, i) for i in children(tree, node))


def test_the_kernel_grows_to_its_limit() -> None:
    state = load("tictactoe").start
    uct = UCT(Settings(solver=False))
    uct.search(state, Limits(nodes=10))
    tree = uct.trees[0]
    tree.limit = 25
    grow(twin(type(state)).state(state), tree)
    assert tree.visits[ROOT] == 25


# --- the trace ---


def test_the_trace_is_that_of_the_compiled_search() -> None:
    state = load("tictactoe").start
    trace = record_search(state, "uct", iterations=300, c=0.7, seed=5)
    assert assert_same(trace.search.root, 0, compiled_tree(state, 300)) == 301
    kinds = [event["event"] for event in trace.events]
    assert kinds.count("iteration") == kinds.count("simulate") == 300
    assert kinds.count("expand") == 300
    (last,) = [event for event in trace.events[-1:] if event["node"] == 0]
    assert last["visits"] == 300


def test_the_trace_of_the_command(outplay) -> None:
    lines = outplay(
        "trace", "tictactoe", "--search", "uct:c=0.5", "--iterations", 3, "--json"
    ).out.splitlines()
    header, *events = map(json.loads, lines)
    assert (header["search"], header["c"], header["iterations"]) == ("uct", 0.5, 3)
    assert [event["event"] for event in events] == ["iteration", "expand", "simulate", "backup", "backup"] * 3
    assert "3 iterations" in outplay("trace", "tictactoe", "--search", "uct", "--iterations", 3).out
    for arguments in (("--iterations", 0), ("--depth", 2)):
        answer = outplay("trace", "tictactoe", "--search", "uct", *arguments)
        assert answer.status == 2
        assert "iterations" in answer.told


@pytest.mark.parametrize(("rave", "informed"), [(False, False), (True, False), (True, True)])
def test_a_tree_takes_as_much_memory_as_it_says(rave: bool, informed: bool) -> None:
    with pytest.raises(ValueError, match="does not fit") as refused:
        tree_of(Go, 0, rave, informed)
    least = float(re.search(r"at least (\S+) MB", str(refused.value))[1])  # type: ignore[index]
    tree = tree_of(Go, least, rave, informed)
    assert max_actions(Go) + 1 <= tree.size
    assert node_bytes_of(tree, (*NODE, "amaf_visits", "prior")) <= least * (1 << 20)


def node_bytes_of(tree: Tree, names: tuple[str, ...]) -> int:
    """What runs of a tree take, each with those that lie beside it."""
    return sum(tree.array(run.name).nbytes for name in names for run in Tree.parts[name].beside)
