"""Backgammon: plays against gnubg-nn and known counts, the rules one by one, Position IDs, notation, the board."""

import random

import pytest

from bench.backgammon_plays import ROLLS, anywhere, compare, numbers
from outplay.game import CHANCE, GameError, adopt, legal
from outplay.games.backgammon import Backgammon
from outplay.games.backgammon.side import NOBODY, Side, across, add, number, pips, remove, total
from outplay.ui.board import plain
from outplay.variants import variant

adopt(Backgammon)
START = "4HPwATDgc/ABMA"
COUNTS = {  # distinct plays from the start
    21: 15, 31: 16, 32: 17, 41: 14, 42: 18, 43: 17, 51: 8, 52: 8, 53: 9, 54: 9, 61: 10, 62: 14, 63: 14, 64: 14, 65: 7,
    11: 42, 22: 75, 33: 73, 44: 52, 55: 4, 66: 11,
}  # fmt: skip


def side(**points: int) -> Side:
    """p6=2, bar=1: two checkers on the six point and one on the bar."""
    made = NOBODY
    for name, count in points.items():
        for _ in range(count):
            made = add(made, 25 if name == "bar" else int(name[1:]))
    return made


def texts(own: Side, opp: Side, roll: int) -> set[str]:
    state = Backgammon(own, opp, 0, 8 * (roll // 10) + roll % 10)
    return {state.action_text(action) for action in state.actions()}


@pytest.mark.parametrize("roll", COUNTS)
def test_plays_from_the_start(roll: int) -> None:
    assert len(legal(Backgammon.parse(f"{START} X {roll}"))) == COUNTS[roll]


def test_planes_count_checkers() -> None:
    made = NOBODY
    for count in range(1, 16):
        made = add(made, 13)
        assert number(made, 13) == total(made) == count and pips(made) == 13 * count
    for count in range(14, -1, -1):
        made = remove(made, 13)
        assert number(made, 13) == count
    for point in range(26):
        assert across(1 << point) == 1 << 25 - point
        assert pips(add(NOBODY, point)) == point


@pytest.mark.lanes
def test_gnubg_finds_the_same_positions() -> None:
    gnubg_nn = pytest.importorskip("gnubg_nn", reason="gnubg-nn is not installed")
    source, state = random.Random(3), Backgammon()
    for _ in range(60):
        if state.terminal():
            state = Backgammon()
        for tried in (state, anywhere(source)) if state.dice > 0 else ():
            assert gnubg_nn.position_id([numbers(tried.opp), numbers(tried.own)]) == str(tried).split()[0]
            for high, low in ROLLS:
                assert not compare(tried._replace(dice=8 * high + low), gnubg_nn)[1], tried
        state = state.result(source.choice(legal(state)))


def test_both_dice_if_possible() -> None:
    far = side(p23=2)
    last = Backgammon(side(p2=1), far, 0, 8 * 4 + 1)
    assert [last.action_text(action) for action in last.actions()] == ["2/off"]
    hit = Backgammon(side(p2=1), side(p24=1), 0, 8 * 4 + 1)
    assert [hit.action_text(action) for action in hit.actions()] == ["2/1*/off"]
    blocked = side(p24=1, p13=2)  # the other side's 13 point is 12 here
    assert texts(side(p18=1), blocked, 65) == {"18/7"}


def test_the_greater_die_if_only_one() -> None:
    wall = side(p19=2, p18=2, p17=2, p16=2, p15=2, p14=2)  # points 6 to 11 of the mover
    assert texts(side(p17=1), wall, 53) == {"17/12"}  # either die, but not both
    assert texts(side(p17=1), wall, 64) == {"17/13"}
    assert texts(side(p12=1), wall, 61) == {"pass"}


def test_the_bar_first() -> None:
    assert texts(side(bar=1, p6=2), side(p2=2), 31) == {"bar/22 6/5", "bar/21", "bar/24 6/3"}
    assert texts(side(bar=2, p6=2), side(p3=2, p1=1), 31) == {"bar/24*"}  # one of them stays
    shut = side(p1=2, p2=2, p3=2, p4=2, p5=2, p6=2)
    assert texts(side(bar=1, p6=2), shut, 66) == texts(side(bar=1, p6=2), shut, 21) == {"pass"}


def test_bearing_off() -> None:
    far = side(p12=2)
    assert texts(side(p6=1, p2=1), far, 61) == {"6/off 2/1", "6/off"}
    assert texts(side(p3=1, p2=1), far, 65) == {"3/off 2/off"}
    assert texts(side(p7=1, p1=1), side(p23=2), 65) == {"7/off"}  # 7/1, then either checker
    assert texts(side(p4=3), far, 66) == {"4/off(3)"}


def test_a_run_may_hit_on_the_way() -> None:
    blots = side(p6=1, p24=1)  # the mover's 19 and 1
    found = texts(side(p24=1), blots, 53)
    assert found == {"24/19*/16", "24/16"}


def test_the_opening_roll_says_who_begins() -> None:
    start = Backgammon()
    assert start.player() == CHANCE and len(legal(start)) == 30
    assert sum(start.probability(roll) for roll in legal(start)) == pytest.approx(1)
    first, second = start.result(8 * 5 + 2), start.result(8 * 2 + 5)
    assert (first.turn, first.dice, second.turn, second.dice) == (0, 8 * 5 + 2, 1, 8 * 5 + 2)
    rolling = first.result(legal(first)[0])
    assert rolling.player() == CHANCE and rolling.turn == 1 and len(legal(rolling)) == 21
    assert sum(rolling.probability(roll) for roll in legal(rolling)) == pytest.approx(1)


@pytest.mark.parametrize(
    ("loser", "points"),
    (
        (side(p6=14), 1),
        (side(p18=15), 2),
        (side(p18=14, p19=1), 3),
        (side(p6=14, bar=1), 3),
        (side(p24=2), 1),
    ),
)
def test_what_a_win_is_worth(loser: Side, points: int) -> None:
    state = Backgammon(side(p1=1), loser, 0, 8 * 6 + 5)
    over = state.result(legal(state)[0])
    assert over.terminal() and over.utility() == points
    assert over._replace(turn=0).utility() == -points


def test_texts_along_random_games() -> None:
    source = random.Random(1)
    for _ in range(3):
        state = Backgammon()
        while not state.terminal():
            assert Backgammon.parse(str(state)) == state
            actions = legal(state)
            written = [state.action_text(action) for action in actions]
            assert len(set(written)) == len(actions)
            chosen = source.randrange(len(actions))
            assert state.parse_action(written[chosen]) == actions[chosen]
            state = state.result(actions[chosen])
        assert Backgammon.parse(str(state)) == state


def test_plays_are_read_in_any_order_and_by_steps() -> None:
    state = Backgammon.parse(f"{START} X 31")
    for written in ("8/5 6/5", "6/5 8/5", "6/5  8/5 "):
        assert state.action_text(state.parse_action(written)) == "8/5 6/5"
    for written in ("24/20", "24/21/20", "24/23/20", "24/23 23/20", "24/21 21/20"):
        assert state.action_text(state.parse_action(written)) == "24/20"
    double = Backgammon.parse(f"{START} X 11")
    assert double.action_text(double.parse_action("6/5(2) 8/7(2)")) == "8/7(2) 6/5(2)"
    assert Backgammon.parse(START).parse_action("13") == 8 * 3 + 1
    for written, complaint in (("8/4 6/5", "not legal"), ("", "not legal"), ("what", "not legal")):
        with pytest.raises(ValueError, match=complaint):
            state.parse_action(written)
    both = Backgammon(side(p24=1), side(p6=1, p3=1, p24=1), 0, 8 * 5 + 2)  # blots on 19 and 22
    with pytest.raises(ValueError, match="write the points where it hits"):
        both.parse_action("24/17")
    assert both.action_text(both.parse_action("24/22/17")) == "24/22*/17"


@pytest.mark.parametrize(
    ("text", "complaint"),
    (
        ("", "write a Position ID"),
        ("4HPwATDgc/ABM", "is not a Position ID"),
        ("//////////////", "is not a Position ID"),
        ("4HPwATDgc/ABMA Y", "write a Position ID"),
        ("4HPwATDgc/ABMA X 71", "write a Position ID"),
        ("4HPwATDgc/ABMA X 3", "write a Position ID"),
        ("/38AgAAAAAAAAA X", "16 checkers; the maximum is 15"),
        ("4HPwATDgc/ABMA opening 31", "write a Position ID"),
        ("AAAAAAAAAAAAAA X", "no checkers"),
    ),
)
def test_bad_text_is_refused(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        Backgammon.parse(text)
    assert "\n" not in str(caught.value)


def test_hypergammon() -> None:
    cls = variant(Backgammon, CHECKERS=3)
    start = cls()
    assert total(start.own) == 3 and pips(start.own) == 69
    assert cls.parse(str(start)) == start
    with pytest.raises(GameError, match="hypergammon"):
        variant(Backgammon, CHECKERS=7)
    with pytest.raises(ValueError, match="the maximum is 3"):
        cls.parse(START)


def test_board() -> None:
    drawn = plain(Backgammon.parse(f"{START} X 31"))
    assert "X to play 3-1; pips X 167, O 167; off X 0, O 0" in drawn
    assert drawn.splitlines()[0].split() == list("X...O..O....X")
    tall = Backgammon(side(p6=9, bar=2), side(p1=6), 1, 0).board()
    assert "9" in tall.rows[4] and "6" in tall.rows[6]
    assert Backgammon(side(p18=15), NOBODY, 1, 0).board().note.startswith("X wins a gammon")
