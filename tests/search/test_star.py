"""Chance in the engine: Star1, Star2 and chance nodes in the table find what expectiminimax finds, in fewer nodes."""

from typing import NamedTuple

import pytest

from outplay.game import CHANCE, GameError, adopt
from outplay.games import load
from outplay.games.backgammon import Backgammon
from outplay.limits import Limits
from outplay.search.engine.ablation import ablate
from outplay.search.engine.engine import Engine
from outplay.search.textbook import expectiminimax, star
from outplay.variants import variant
from outplay.words import shr, wrap

MIX = -7046029254386353131


def mixed(x: int) -> int:
    x = wrap((x ^ shr(x, 29)) * MIX)
    return x ^ shr(x, 32)


@adopt
class Dicey(NamedTuple):
    """A random tree in which MAX, MIN and chance move in any order."""

    SEED = 1
    scores = int
    unit = 1000
    win = 2
    max_actions = 4

    node: int = SEED
    ply: int = 0

    def player(self):
        return shr(mixed(self.node), 40) % 3 - 1 if self.ply else 0

    def actions(self):
        yield from range(2 + shr(mixed(self.node), 20) % 3)

    def probability(self, outcome):
        if shr(mixed(self.node), 20) % 3 == 0:
            return (0.75, 0.25)[outcome]
        if shr(mixed(self.node), 20) % 3 == 1:
            return (0.5, 0.375, 0.125)[outcome]
        return (0.25, 0.0, 0.5, 0.25)[outcome]

    def result(self, action):
        return Dicey(mixed(self.node + action + 1), self.ply + 1)

    def terminal(self):
        return self.ply > 2 and shr(mixed(self.node), 10) % 8 == 0

    def utility(self):
        return shr(mixed(self.node), 15) % 5 - 2

    def evaluate(self):
        return shr(mixed(self.node), 5) % 4501 - 2250  # some are beyond a win, and count as one


def values(cls: type, depth: int, on: str) -> tuple[int, int]:
    found = Engine(1, on, fixed=False).search(cls(), Limits(depth=depth))
    return found.score, found.nodes


@pytest.mark.lanes
@pytest.mark.parametrize("on", ["none", "star1", "star1 star2", "chances", "exact", "default"])
def test_values_are_those_of_expectiminimax(on: str) -> None:
    engine = Engine(1, on, fixed=False)
    for seed in range(40):
        start = Dicey(seed)
        for depth in (1, 3, 4, 5):
            engine.forget()
            assert engine.search(start, Limits(depth=depth)).score == expectiminimax.value(start, depth), seed


def test_the_plain_star_finds_them_too() -> None:
    for seed in range(40):
        start = Dicey(seed)
        for depth in (1, 3, 5):
            want = expectiminimax.value(start, depth)
            assert star.star1(start, depth) == star.star2(start, depth) == want


def test_fewer_nodes() -> None:
    totals = [
        sum(Engine(1, on, fixed=False).search(Dicey(seed), Limits(depth=6)).nodes for seed in range(20))
        for on in ("none", "star1", "star1 star2 table order chances")
    ]
    assert totals[0] > totals[1] > totals[2]


def test_a_window_keeps_its_promise() -> None:
    """Fail-soft at any window: a bound on the right side of the value."""
    for seed in range(60):
        start = Dicey(seed)
        value = star.star1(start, 4)
        for alpha in range(-2000, 2000, 400):
            found = star.star2(start, 4, alpha, alpha + 300)
            assert (
                found == value
                or (found <= alpha and value <= found)
                or (found >= alpha + 300 and value >= found)
            )


def test_the_end_of_the_game_is_a_proof() -> None:
    start = load("examples/race.py:end=6").start
    found = Engine(1, fixed=False).search(start, Limits(nodes=100_000))
    assert found.proven and found.score == expectiminimax.value(start)


def test_floats_are_refused_in_one_line() -> None:
    with pytest.raises(
        GameError, match="engine does not fit Pig, a game with chance whose scores are floats"
    ):
        Engine(1).search(load("pig").start, Limits(depth=2))


def test_a_chance_node_has_one_line() -> None:
    state = next(s for s in (Dicey(node, 1) for node in range(1, 99)) if s.player() == CHANCE)
    found = Engine(1, "exact", fixed=False).search(state, Limits(depth=2), lines=3)
    assert (found.action, found.others) == (None, ())
    assert found.score == expectiminimax.value(state, 2)


def test_a_trace_and_an_ablation() -> None:
    trace = Engine(1, "exact").trace(Dicey(3), Limits(depth=4), "dicey", 100_000)
    assert any(event.kind == "cutoff" for event in trace.events)
    removed = [run.removed for run in ablate(Dicey(3), Limits(depth=3), "exact", 1)]
    assert {"star1", "star2", "chances"} <= set(removed)


def test_hypergammon_at_a_depth() -> None:
    cls = variant(Backgammon, CHECKERS=3)
    start = cls(dice=8 * 4 + 2)
    assert Engine(1, fixed=False).search(start, Limits(depth=2)).score == expectiminimax.value(start, 2)
    assert start.player() != CHANCE
