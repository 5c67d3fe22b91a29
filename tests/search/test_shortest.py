"""The shortest win: proofs against plain recursion, and a search that is not content with a longer one."""

from typing import Any

import chess
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from outplay.game import WIN, is_terminal, legal, outcome
from outplay.games import Chess, load
from outplay.limits import Limits
from outplay.record import Record
from outplay.search.engine import workspace
from outplay.search.engine.engine import PLAY, Engine
from outplay.search.engine.switches import Fixed, switches
from outplay.search.engine.table import Table
from outplay.search.proof.mate import NO, OPEN, YES, Shortest

MATES = {  # the fewest moves to a mate
    "7k/8/5K2/6Q1/8/8/8/8 w - - 0 1": 1,
    "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1": 2,  # Morphy: 1. Ra6
    "1r4k1/8/5PP1/K7/6NR/7B/1r6/7R w - - 0 1": 3,
    "1N3b2/p1kN3p/K4PPP/P1p1P3/2R2P2/1P1P4/3pppBB/3Q1R2 w - - 0 1": 4,
}
LONG = "1N3b2/p1kN3p/K4PPP/P1p1P3/2R2P2/1P1P4/3pppBB/3Q1R2 w - - 0 1"  # a mate in 5 is seen before that in 4


def proofs(state: Any, megabytes: float = 1.0) -> Shortest:
    on = Fixed(switches(PLAY))
    return Shortest(workspace.new_memory(type(state), Table(0.01)), Table(megabytes), on)


def can_win(state: Any, plies: int, attacker: int) -> bool:
    """The same by the definition."""
    if is_terminal(state):
        return outcome(state) * (1 if attacker == 0 else -1) >= WIN
    if plies == 0:
        return False
    after = (can_win(state.result(action), plies - 1, attacker) for action in legal(state))
    return any(after) if state.player() == attacker else all(after)


@pytest.mark.lanes
@pytest.mark.parametrize("spec", ["hexapawn", "tictactoe", "connect4:width=4,height=4"])
@settings(max_examples=25)
@given(moves=st.integers(0, 8), plies=st.integers(1, 6), attacker=st.sampled_from([0, 1]), pick=st.randoms())
def test_proofs_are_right(spec: str, moves: int, plies: int, attacker: int, pick) -> None:
    state = load(spec).start
    for _ in range(moves):
        if legal(state):
            state = state.result(pick.choice(legal(state)))
    assume(not is_terminal(state))
    expected = YES if can_win(state, plies, attacker) else NO
    assert proofs(state).ask(state, plies, attacker=attacker) == expected
    assert proofs(state, 0.0001).ask(state, plies, attacker=attacker) == expected  # a table that forgets


@pytest.mark.parametrize("fen", MATES)
def test_mates(fen: str) -> None:
    state, plies = Chess.parse(fen), 2 * MATES[fen] - 1
    shortest = proofs(state)
    assert shortest.ask(state, plies - 2) == NO
    assert shortest.ask(state, plies) == YES
    line = shortest.line(state, plies)
    assert len(line) == plies
    board = chess.Board(fen)
    for action in line:
        board.push_uci(state.uci(action))
        state = state.result(action)
    assert board.is_checkmate()


def test_a_budget_leaves_a_question_open() -> None:
    shortest = proofs(Chess())
    assert shortest.ask(Chess(), 7, 1000) == OPEN
    assert shortest.ask(Chess(), 1) == NO


def test_a_line_of_proof_avoids_what_is_a_draw_by_repetition() -> None:
    state = Chess.parse("kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1")
    after = state.result(state.parse_action("Ra6"))
    engine = Engine(1)
    assert engine.search(state, Limits(win=3, nodes=10_000)).score == WIN - 3
    assert engine.search(state, Limits(win=3, nodes=10_000), past=[after, after]).score != WIN - 3


def test_a_win_may_be_asked_for_among_some_actions() -> None:
    state = Chess.parse("7k/8/5K2/6Q1/8/8/8/8 w - - 0 1")
    mates = [action for action in legal(state) if is_terminal(state.result(action))]
    others = [action for action in legal(state) if action not in mates]
    found = Engine(1).search(state, Limits(win=3, nodes=100_000), only=others)
    assert found.action in others
    assert found.score == WIN - 3


def test_the_search_goes_on_until_no_win_is_shorter() -> None:
    state = Chess.parse(LONG)
    seen: list[int] = []
    found = Engine(16).search(state, Limits(nodes=5_000_000), lambda f: seen.append(WIN - f.score))
    assert 9 in seen
    assert WIN - found.score == len(found.line) == 7
    assert found.nodes < 5_000_000


def test_a_search_to_a_depth_is_that_search() -> None:
    state = Chess.parse(LONG)
    found = Engine(16).search(state, Limits(depth=15))
    assert (WIN - found.score, found.depth) == (9, 15)


@pytest.mark.parametrize("fen", MATES)
def test_on_a_clock_the_mate_comes_nearer_with_each_move(fen: str) -> None:
    record = Record("chess", Chess.parse(fen))
    engine, before = Engine(16), 2 * MATES[fen] + 3
    while not record.is_over:
        found = engine.search(record.state, Limits(clock=600), past=record.past())
        plies = WIN - abs(found.score)
        assert plies < before
        before = plies
        record = record.play(found.action)
        if not record.is_over:  # the defender holds out, by a search of its own
            record = record.play(Engine(1).search(record.state, Limits(depth=6), past=record.past()).action)
    assert record.result == (1 if record.start.player() == 0 else -1)
