"""Pig: the turn, the end, published chances, and notation."""

import itertools
import random
from typing import Any

import pytest

from bench.pig_policy import chances
from outplay.game import CHANCE, GameError, adopt, parse_action
from outplay.games.pig import HOLD, ROLL, Pig
from outplay.variants import variant

adopt(Pig)


def test_a_turn_begins_with_a_roll() -> None:
    start = Pig()
    assert start.player() == 0 and list(start.actions()) == [ROLL]
    rolling = start.result(ROLL)
    assert rolling.player() == CHANCE
    assert list(rolling.actions()) == [1, 2, 3, 4, 5, 6]
    assert sum(rolling.probability(outcome) for outcome in rolling.actions()) == pytest.approx(1)


def test_a_one_loses_the_turns_points() -> None:
    state = Pig(own=20, opp=30, total=14, turn=0).result(ROLL).result(1)
    assert state == Pig(own=30, opp=20, total=0, turn=1)


def test_other_numbers_add_up() -> None:
    state = Pig(own=20, opp=30, total=14, turn=1).result(ROLL).result(6)
    assert state == Pig(own=20, opp=30, total=20, turn=1)
    assert sorted(state.actions()) == [HOLD, ROLL]


def test_holding_scores_and_passes() -> None:
    assert Pig(own=20, opp=30, total=14, turn=1).result(HOLD) == Pig(own=30, opp=34, total=0, turn=0)


def test_the_first_to_hold_the_goal_wins() -> None:
    almost = Pig(own=90, opp=30, total=10, turn=0)
    assert not almost.terminal()
    over = almost.result(HOLD)
    assert over.terminal() and over.utility() == 1 and not list(over.actions())
    assert Pig(own=90, opp=30, total=10, turn=1).result(HOLD).utility() == -1


def test_the_goal_is_a_parameter() -> None:
    short = variant(Pig, GOAL=10)
    assert short(own=4, opp=0, total=6).result(HOLD).terminal()
    assert not Pig(own=4, opp=0, total=6).result(HOLD).terminal()
    with pytest.raises(GameError, match="at least 1"):
        variant(Pig, GOAL=0)


def test_evaluate_stays_within_a_half() -> None:
    assert Pig().evaluate() == 0
    assert Pig(own=30, opp=20, total=10).evaluate() == pytest.approx(0.1)
    assert Pig(own=30, opp=20, total=10, turn=1).evaluate() == pytest.approx(-0.1)
    assert Pig(own=90, opp=0, total=60).evaluate() == pytest.approx(0.5)


def test_hold_at_twenty() -> None:
    """What a turn yields to a player who holds at 20: the table of Neller & Presser (2004)."""
    yields: dict[int, float] = {}

    def turn(state: Pig, chance: float) -> None:
        if state.turn or state.total >= 20:
            yields[state.total] = yields.get(state.total, 0) + chance
            return
        rolling = state.result(ROLL)
        for outcome in rolling.actions():
            turn(rolling.result(outcome), chance * rolling.probability(outcome))

    turn(Pig(), 1.0)
    published = {0: 0.6245, 20: 0.0997, 21: 0.0950, 22: 0.0742, 23: 0.0542, 24: 0.0352, 25: 0.0172}
    assert yields == pytest.approx(published, abs=5e-5)


def test_texts_along_random_games() -> None:
    source = random.Random(1)
    for _ in range(20):
        state = Pig()
        while not state.terminal():
            assert Pig.parse(str(state)) == state
            texts = [state.action_text(action) for action in state.actions()]
            assert [parse_action(state, text) for text in texts] == list(state.actions())
            state = state.result(source.choice(list(state.actions())))
        assert Pig.parse(str(state)) == state


def test_texts() -> None:
    state = Pig(own=35, opp=28, total=12, turn=1)
    assert str(state) == "28 35 2 +12"
    assert str(state.result(ROLL)) == "28 35 2 +12 rolling"
    assert [state.action_text(action) for action in state.actions()] == ["roll", "hold"]
    assert state.result(ROLL).action_text(6) == "6"


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        ("", "write scores"),
        ("28 35 3 +12", "write scores"),
        ("28 35 1 +12 flying", "write scores"),
        ("100 35 1 +12", "had 100 points"),
        ("100 35 2 +12", "had 100 points"),
    ),
)
def test_bad_text_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        Pig.parse(text)
    assert "\n" not in str(caught.value)


def test_board() -> None:
    board = Pig(own=35, opp=28, total=12, turn=1).board()
    assert board.rows == ("XX        ", "OOO+      ")
    assert board.note == "28 : 35, player 2 to move, 12 this turn"
    assert (
        Pig(own=35, opp=28, total=12, turn=1, rolling=1).board().note.endswith("player 2 rolls, 12 this turn")
    )
    assert Pig(own=35, opp=100, turn=1).board().note == "100 : 35, player 1 wins"


def test_value_iteration_is_a_fixed_point_of_the_rules() -> None:
    """At every state of a short game the chance is the better action's, by the class's own rules."""
    goal, cls = 10, variant(Pig, GOAL=10)
    table = chances(goal)

    def chance(state: Any) -> float:
        """Of the player whose turn it is."""
        if state.terminal():
            return 0.0
        if state.rolling:
            values = [(chance(state.result(die)), state.result(die)) for die in state.actions()]
            return sum(value if after.turn == state.turn else 1 - value for value, after in values) / 6
        points = state.own + state.total
        return 1.0 if points >= goal else float(table[state.own, state.opp, state.total])

    for own, opp, total in itertools.product(range(goal), repeat=3):
        if own + total >= goal:
            continue
        state = cls(own, opp, total)
        after = [state.result(action) for action in state.actions()]
        best = max(chance(s) if s.turn == 0 else 1 - chance(s) for s in after)
        assert table[own, opp, total] == pytest.approx(best, abs=1e-9)
