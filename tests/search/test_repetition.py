"""Positions that come back: every search and every record calls the same ones a repetition."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outplay.game import WIN, GameError, identity, is_terminal, legal
from outplay.games import load
from outplay.limits import Limits
from outplay.players import player as make
from outplay.record import Record
from outplay.search import best, solve
from outplay.search.engine.engine import PLAY, Engine
from outplay.search.engine.switches import switches
from outplay.search.searches import made
from tests.search.graphs import Mirrored, Ticking

games = st.integers(1, 1 << 40)


def value(state: Any, depth: int, line: Sequence[Any], past: Sequence[Any]) -> int:
    """The score for MAX by the definition: a position of the line, or the third of the game, is a draw."""
    ply = len(line)
    if is_terminal(state):
        return state.utility() * (WIN - ply)
    here = identity(state)
    if ply and (here in line or list(past).count(here) + 1 >= state.repetition):
        return 0
    if depth == 0:
        return state.evaluate()
    best = max if state.player() == 0 else min
    return best(value(state.result(a), depth - 1, [*line, here], past) for a in legal(state))


def played(state: Any, plies: int, pick: Any) -> list[Any]:
    """The states of a game, the last one still open."""
    states = [state]
    while len(states) <= plies:
        after = [s for a in legal(states[-1]) if not is_terminal(s := states[-1].result(a))]
        if not after:
            break
        states.append(pick.choice(after))
    return states


@pytest.mark.lanes
@pytest.mark.parametrize("cls", [Mirrored, Ticking])
@settings(max_examples=200)
@given(seed=games, plies=st.integers(0, 8), depth=st.integers(1, 6), pick=st.randoms(use_true_random=False))
def test_the_engine_repeats_what_a_record_repeats(
    cls: Any, seed: int, plies: int, depth: int, pick: Any
) -> None:
    assume(not is_terminal(cls(seed)))
    *past, state = played(cls(seed), plies, pick)
    found = Engine(0.01, switches("symmetry"), fixed=False).search(state, Limits(depth=depth), past=past)
    expected = value(state, found.depth, [], [identity(earlier) for earlier in past])
    assert found.score == expected
    line = [identity(state)]
    for action in found.line:
        state = state.result(action)
        assert identity(state) not in line[:-1] or action == found.line[-1]
        line.append(identity(state))


def outcome_of(root: Any) -> int:
    """Who wins by force if play without end is a draw: from the ends of the game backwards."""
    nodes = {identity(root): root}
    waiting = [root]
    while waiting:
        state = waiting.pop()
        for action in legal(state):
            child = state.result(action)
            if identity(child) not in nodes:
                nodes[identity(child)] = child
                waiting.append(child)
    for player, sign in ((0, 1), (1, -1)):
        won = {key for key, state in nodes.items() if is_terminal(state) and state.utility() == sign}
        grown = True
        while grown:
            grown = False
            for key, state in nodes.items():
                if key in won or is_terminal(state):
                    continue
                after = [identity(state.result(action)) in won for action in legal(state)]
                if any(after) if state.player() == player else all(after):
                    won.add(key)
                    grown = True
        if identity(root) in won:
            return sign
    return 0


@pytest.mark.parametrize("on", [PLAY, "all"])
@pytest.mark.parametrize("cls", [Mirrored, Ticking])
@settings(max_examples=150)
@given(seed=games, plies=st.integers(0, 3), pick=st.randoms(use_true_random=False), lines=st.integers(1, 3))
def test_what_is_proven_among_repetitions_is_true(
    cls: Any, on: str, seed: int, plies: int, pick: Any, lines: int
) -> None:
    assume(not is_terminal(cls(seed)))
    engine = Engine(0.1, switches(on), fixed=False)
    for state in played(cls(seed), plies, pick):
        found = engine.search(state, Limits(nodes=3000), lines=lines)
        if found.proven:
            assert found.value == outcome_of(state)
        for line in found.others:
            if line.proven:
                assert line.value == outcome_of(state.result(line.action))


class Returning(NamedTuple):
    """MIN may win at once, or stay where it is: the second time is a draw."""

    max_actions = 2
    win = 1
    repetition = 2
    square: int = 0

    def player(self):
        return 1

    def actions(self):
        yield 0
        yield 1

    def result(self, step):
        return Returning(self.square + step)

    def terminal(self):
        return self.square == 1

    def utility(self):
        return -1

    def evaluate(self):
        return 0


def test_a_win_by_way_of_a_draw_is_not_proven() -> None:
    """To a search that ignores repetition both moves win; the first that it finds draws."""
    for search in ("minimax", "alphabeta", "uct"):
        limits = Limits(nodes=100) if search == "uct" else Limits(depth=2)
        found = made(search).search(Returning(), limits)
        assert (search, found.proven) == (search, False)
    found = Engine(0.01, fixed=False).search(Returning(), Limits(depth=4))
    assert (found.action, found.value, found.proven) == (1, -1, True)


class Corridor(NamedTuple):
    """MAX wins on the fifth square; MIN waits."""

    max_actions = 2
    win = 1
    repetition = 3
    square: int = 0
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        yield 1
        if self.mover == 0 and self.square > 0:
            yield -1

    def result(self, step):
        return Corridor(self.square + (step if self.mover == 0 else 0), 1 - self.mover)

    def terminal(self):
        return self.square == 4

    def utility(self):
        return 1

    def evaluate(self):
        return self.square


def test_a_win_that_the_table_remembers_may_be_a_draw_by_now() -> None:
    engine = Engine(1, switches(PLAY), fixed=False)
    won = engine.search(Corridor(), Limits(depth=12))
    assert (won.value, won.proven) == (1, True)
    twice = [Corridor(2, 1), Corridor(2, 1)]
    found = engine.search(Corridor(), Limits(depth=12), past=twice)
    assert (found.score, found.proven) == (0, False)


@pytest.mark.parametrize("solver", ["minimax", "alphabeta", "conspiracy", "mtdf", "engine"])
def test_no_solver_proves_what_depends_on_the_past(solver: str) -> None:
    with pytest.raises(GameError, match="cannot solve Go"):
        solve(load("go:size=3").start, solver)


@pytest.mark.parametrize("search", ["minimax", "alphabeta", "expectimax"])
def test_a_search_that_knows_no_past_calls_nothing_proven_that_depends_on_it(search: str) -> None:
    states = (Ticking(seed) for seed in range(1, 1000))
    ending = (s for s in states if legal(s) and all(is_terminal(s.result(action)) for action in legal(s)))
    assert not best(next(ending), search, depth=2).proven


def test_a_search_that_ignores_the_past_calls_nothing_proven_that_it_may_change() -> None:
    state = Corridor(3)
    for search in ("minimax", "alphabeta", "uct"):
        limits = Limits(nodes=100) if search == "uct" else Limits(depth=1)
        for past, proven in (((), True), ([Corridor(2, 1)], True), ([Corridor(2, 1)] * 2, False)):
            found = made(search).search(state, limits, past=past)
            assert (search, found.value, found.proven) == (search, 1, proven)


THERE_AND_BACK = (1, 1, 1, 1, 1, 1, -1, 1, 1, 1)  # to the third square, for the second time


@pytest.mark.parametrize(
    ("player", "lines"),
    [("alphabeta", 1), ("alphabeta", 2), ("uct", 1), ("uct", 2), ("montecarlo:games=1", 1)],
)
def test_players_tell_their_search_of_the_past(player: str, lines: int) -> None:
    """MAX has gone back from the goal once: another time would be a draw, and the second line begins so."""
    limits = Limits(nodes=1000) if player == "uct" else Limits(depth=8)
    options = {} if lines == 1 else {"lines": lines}
    for record, proven in (
        (Record("corridor", Corridor(), THERE_AND_BACK), False),
        (Record("corridor", Corridor(3)), True),
    ):
        found = make(player)(record, limits, **options)
        assert record.state == Corridor(3)
        assert [found, *found.others][-1].proven is proven


@pytest.mark.lanes
def test_puct_calls_the_third_time_of_a_record_a_draw() -> None:
    """Whether the step back is a draw depends on the record alone."""
    for actions, is_draw in ((THERE_AND_BACK, True), (THERE_AND_BACK[:6], False)):
        record = Record("corridor", Corridor(), actions)
        found = make("puct")(record, Limits(nodes=200), lines=2)
        assert record.state == Corridor(3)
        values = {line.action: line.value for line in (found, *found.others)}
        assert values[1] == 1
        assert values[-1] == 0 if is_draw else values[-1] > 0
