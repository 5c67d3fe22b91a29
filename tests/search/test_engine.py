"""The engine against plain minimax: whatever exact switches are on, the value is the same."""

import os
import subprocess
import sys
from typing import NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outplay.compile import ENABLED
from outplay.game import GameError, legal
from outplay.games import load
from outplay.limits import Analysis, Limits
from outplay.search import best, solve
from outplay.search.engine.ablation import ablate
from outplay.search.engine.engine import PLAY, Engine
from outplay.search.engine.switches import BIT, SWITCHES, switches
from outplay.search.textbook import minimax
from outplay.ui.ablation import share
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
    assume(legal(tree))
    engine = Engine(0.01, on, scheme=scheme, fixed=False)
    found = engine.search(tree, Limits(depth=depth))
    assert found.depth == depth or found.proven
    assert found.value == minimax.value(tree, depth)


@pytest.mark.parametrize("spec", SMALL)
@settings(max_examples=25)
@given(on=exact_sets, plies=st.integers(0, 6), depth=st.integers(1, 7), pick=st.randoms())
def test_exact_switches_on_small_games(spec: str, on: int, plies: int, depth: int, pick) -> None:
    state = load(spec).start
    for _ in range(plies):
        if legal(state):
            state = state.result(pick.choice(legal(state)))
    assume(legal(state))
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


def test_a_limit_of_nodes_holds_for_all_threads_together() -> None:
    state = load("connect4:width=4,height=4").start
    found = Engine(1, fixed=False, threads=3).search(state, Limits(nodes=3_000))
    assert found.nodes <= 3_000


@pytest.mark.parametrize("on", ["exact", PLAY])
def test_several_lines_are_told_in_order_and_mirror_images_alike(on: str) -> None:
    state = load("connect4:width=4,height=4").start
    told: dict[int, list[Analysis]] = {}

    def note(analysis: Analysis) -> None:
        told[analysis.depth] = [analysis, *analysis.others]

    found = Engine(1, switches(on), fixed=False).search(state, Limits(depth=9), note, lines=4)
    assert set(told) == set(range(1, 10))
    for lines in told.values():
        assert [line.number for line in lines] == [1, 2, 3, 4]
        assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
        scores = {line.action: line.score for line in lines}
        assert [scores[0], scores[1]] == [scores[3], scores[2]]
        if on == "exact":
            after = {a: minimax.value(state.result(a), lines[0].depth - 1) for a in scores}
            assert {a: round(s, -3) for a, s in scores.items()} == {a: round(v, -3) for a, v in after.items()}
    assert [found._replace(others=(), time=0), *found.others][0].action == told[9][0].action


def test_lines_beside_a_winning_move_are_those_of_the_other_moves() -> None:
    """The game itself looks at the winning column alone; of the others one keeps the opponent from winning."""
    state = load("connect4:width=4,height=4").start
    for column in (0, 1, 0, 1, 0, 1):
        state = state.result(column)
    found = Engine(1, fixed=False).search(state, Limits(depth=3), lines=4)
    lines = [found, *found.others]
    assert [line.line[0] for line in lines] == [line.action for line in lines]
    assert [line.action for line in lines[:2]] == [0, 1] and {line.action for line in lines} == {0, 1, 2, 3}
    assert [found.value, *(line.value for line in lines[2:])] == [1, -1, -1]


def test_several_lines_that_are_interrupted_are_those_of_one_depth() -> None:
    state = load("connect4:width=4,height=4").start
    for nodes in (40, 200, 1_000, 3_000):
        found = Engine(1, fixed=False).search(state, Limits(nodes=nodes), lines=4)
        lines = [found, *found.others]
        assert [line.score for line in lines] == sorted((line.score for line in lines), reverse=True)
        assert [line.number for line in lines] == list(range(1, len(lines) + 1))
        assert len({line.action for line in lines}) == len(lines)
        assert len({line.depth for line in lines}) == 1


def test_an_ablation_compares_proofs_by_their_nodes() -> None:
    rows = list(ablate(load("hexapawn:width=4,height=4").start, Limits(nodes=100_000), "table order", 1))
    first, without = rows[0], next(row for row in rows if row.removed == "table")
    assert first.proven
    assert without.proven
    assert first.nodes < without.nodes
    assert share(without, rows) == (without.nodes / first.nodes, f"{without.nodes / first.nodes:.2f}x nodes")
    assert share(without._replace(proven=False), rows)[1] == "not proven"


SAME = ("tictactoe", *SMALL)
COUNTING = """
import sys
from outplay import best
from outplay.games import load
for game in sys.argv[1:]:
    found = best(load(game).start, "engine:fixed=0", depth=5)
    print(game, found.nodes, found.value, found.line)
"""


@pytest.mark.skipif(not ENABLED, reason="compares with compiled code")
def test_compiled_and_interpreted_visit_the_same_nodes() -> None:
    """Selective switches too: a number that does not fit into 64 bits would lead them apart."""
    counts = [
        subprocess.run(
            [sys.executable, "-c", COUNTING, *SAME],
            env={**os.environ, "OUTPLAY_JIT": jit},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.splitlines()
        for jit in ("0", "1")
    ]
    assert counts[0] == counts[1] and len(counts[0]) == len(SAME)
