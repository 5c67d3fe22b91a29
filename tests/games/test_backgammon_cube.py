"""The doubling cube and match play: the rules one by one, and random games against a reckoning of their own."""

import random
from typing import Any

import pytest

from outplay.game import CHANCE, GameError, adopt, legal
from outplay.games.backgammon import Backgammon
from outplay.games.backgammon.cube import (
    BEAVER,
    CENTRED,
    DOUBLE,
    DOUBLED,
    DROP,
    OPENING,
    ROLL,
    TAKE,
    TO_DOUBLE,
    TO_ROLL,
    standing,
)
from outplay.games.backgammon.side import NOBODY, Side, add, number
from outplay.ui.board import plain
from outplay.variants import variant

adopt(Backgammon)
START = "4HPwATDgc/ABMA"
Money = variant(Backgammon, CUBE=64)
Five = variant(Backgammon, MATCH=5)


def side(**points: int) -> Side:
    """p6=2, bar=1: two checkers on the six point and one on the bar."""
    made = NOBODY
    for name, count in points.items():
        for _ in range(count):
            made = add(made, 25 if name == "bar" else int(name[1:]))
    return made


def words(state: Any) -> list[str]:
    return [state.action_text(action) for action in legal(state)]


def last_roll(cls: Any, loser: Side, line: str = "") -> Any:
    """X bears off the last checker: the state after that, with the cube and the score of a line."""
    told = cls.parse(f"{START} X{line}")
    state = told._replace(own=side(p1=1), opp=loser, dice=8 * 6 + 5)
    return state.result(legal(state)[0])


# --- the cube -------------------------------------------------------------------------------------------


def test_nobody_doubles_before_the_opening_roll() -> None:
    state = Money()
    assert state.player() == CHANCE and len(legal(state)) == 30
    played = state.result(8 * 3 + 1).result(legal(state.result(8 * 3 + 1))[0])
    assert played.dice == TO_DOUBLE and played.player() == 1 and words(played) == ["roll", "double"]


def test_a_double_is_taken_by_the_other_side_who_owns_the_cube() -> None:
    state = Money.parse(f"{START} X")
    assert state.result(ROLL).player() == CHANCE and state.result(ROLL).turn == 0
    doubled = state.result(DOUBLE)
    assert doubled.player() == 1 and words(doubled) == ["take", "drop", "beaver"]
    assert standing(doubled).value == 1 and standing(doubled).on_roll == 0
    took = doubled.result(TAKE)
    assert took.dice == TO_ROLL and took.turn == 0 and standing(took)[:2] == (2, 1)
    play = took.result(8 * 2 + 1)
    after = play.result(legal(play)[0])
    assert after.dice == TO_DOUBLE and after.turn == 1  # O owns the cube
    rolled = after.result(ROLL).result(8 * 2 + 1)
    assert rolled.result(legal(rolled)[0]).dice == TO_ROLL  # X does not


def test_a_dropped_double_costs_what_the_cube_shows() -> None:
    dropped = Money.parse(f"{START} X").result(DOUBLE).result(DROP)
    assert dropped.terminal() and dropped.utility() == 1 and legal(dropped) == []
    again = Money.parse(f"{START} O cube 8 O").result(DOUBLE).result(DROP)
    assert again.utility() == -8
    assert Money.parse(str(again)) == again


def test_beavers_as_gnubg_has_them() -> None:
    """GNU Backgammon 1.07: double, redouble, redouble, take ends at 8 with the side that was doubled."""
    cls = variant(Backgammon, CUBE=64, BEAVERS=2)
    doubled = cls.parse(f"{START} X").result(DOUBLE)
    beavered = doubled.result(BEAVER)
    assert beavered.player() == 0 and standing(beavered)[:2] == (2, 1)
    raccoon = beavered.result(BEAVER)
    assert raccoon.player() == 1 and standing(raccoon)[:2] == (4, 1) and words(raccoon) == ["take", "drop"]
    for state, value in ((beavered.result(TAKE), 4), (raccoon.result(TAKE), 8)):
        assert (state.dice, state.turn, *standing(state)[:2]) == (TO_ROLL, 0, value, 1)
    assert beavered.result(DROP).utility() == -2 and raccoon.result(DROP).utility() == 4
    for state in (doubled, beavered, raccoon):
        assert cls.parse(str(state)) == state


def test_the_cube_has_an_end() -> None:
    cls = variant(Backgammon, CUBE=2)
    assert words(cls.parse(f"{START} X").result(DOUBLE)) == ["take", "drop"]  # no room for a beaver
    assert cls.parse(f"{START} X cube 2 X").dice == TO_ROLL
    assert cls.win == 6


@pytest.mark.parametrize(
    ("loser", "plain_points", "doubled"),
    ((side(p6=14), 1, 2), (side(p18=15), 1, 4), (side(p18=14, p19=1), 1, 6)),
)
def test_jacoby(loser: Side, plain_points: int, doubled: int) -> None:
    assert last_roll(Money, loser).utility() == plain_points
    assert last_roll(Money, loser, " cube 2 O").utility() == doubled
    free = variant(Backgammon, CUBE=64, JACOBY=0)
    assert last_roll(free, loser).utility() == doubled // 2


# --- matches --------------------------------------------------------------------------------------------


def test_a_match_goes_on_with_the_next_game() -> None:
    after = last_roll(Five, side(p18=15))
    assert after.dice == OPENING and after.own == Five().own
    assert standing(after)[:4] == (1, CENTRED, (2, 0), 5) and not after.terminal()
    won = last_roll(Five, side(p18=15), " cube 2 X score 1-3")
    assert won.terminal() and won.utility() == 1 and standing(won).score == (5, 3)
    assert Five.parse(str(won)) == won
    assert "X wins the match to 5" in plain(won)


def test_crawford() -> None:
    """The first game after a side has come within a point, and no other."""
    crawford = last_roll(Five, side(p6=14), " score 3-2")
    assert standing(crawford).score == (4, 2) and standing(crawford).crawford
    assert Five.parse(f"{START} O score 4-2 crawford").dice == TO_ROLL
    later = Five.parse(f"{START} O score 4-2")
    assert later.dice == TO_DOUBLE
    after = later.result(DOUBLE).result(TAKE)._replace(own=side(p1=1), opp=side(p6=14), dice=8 * 6 + 5)
    next_game = after.result(legal(after)[0])
    assert standing(next_game).score == (4, 4) and not standing(next_game).crawford
    both = last_roll(Five, side(p6=14), " score 3-4")
    assert standing(both).score == (4, 4) and not standing(both).crawford
    never = variant(Backgammon, MATCH=5, CRAWFORD=0)
    assert not standing(last_roll(never, side(p6=14), " score 3-2")).crawford


def test_a_dead_cube_is_not_turned() -> None:
    """GNU Backgammon 1.07: `The cube is dead; you can't double any more.`"""
    assert Five.parse(f"{START} X score 4-1").dice == TO_ROLL
    assert Five.parse(f"{START} X cube 2 X score 3-0").dice == TO_ROLL
    assert Five.parse(f"{START} X cube 2 X score 2-0").dice == TO_DOUBLE
    assert variant(Backgammon, MATCH=1).parse(f"{START} X").dice == TO_ROLL


def test_no_beavers_in_a_match() -> None:
    assert words(Five.parse(f"{START} X doubles")) == ["take", "drop"]


class Reckoning:
    """A game that is kept by lists and words: what the cube, the score and the result must be."""

    def __init__(self, match: int) -> None:
        self.match, self.score, self.crawford = match, [0, 0], False
        self.result: int | None = None
        self.begin()

    def begin(self) -> None:
        self.value, self.owner, self.offers = 1, None, []

    def act(self, before: Any, word: str) -> None:
        if word == "double" or word == "beaver":
            self.value *= 2 if word == "beaver" else 1
            self.offers.append(before.turn)
        elif word == "take":
            self.value *= 2
            self.owner, self.offers = 1 - self.offers[0], []
        elif word == "drop":
            self.finish(1 - before.turn, self.value)
        elif before.dice > 0 and self.count(before) == sum(m[0] > 0 for m in self.borne_off(before, word)):
            self.finish(before.turn, self.worth(before, before.opp))

    @staticmethod
    def count(state: Any) -> int:
        return sum(number(state.own, point) for point in range(1, 26))

    @staticmethod
    def borne_off(state: Any, word: str) -> list[tuple[int, str]]:
        parts = [part.partition("(") for part in word.split() if "off" in part]
        return [(1, part[0]) for part in parts for _ in range(int(part[2].rstrip(")") or 1))]

    def worth(self, before: Any, loser: Side) -> int:
        standing_there = [point for point in range(1, 26) for _ in range(number(loser, point))]
        whole = len(standing_there) == type(before).CHECKERS and (self.match or self.value > 1)
        return self.value * (1 if not whole else 3 if standing_there[-1] > 18 else 2)

    def finish(self, winner: int, points: int) -> None:
        if not self.match:
            self.result = points if winner == 0 else -points
            return
        near = [points == self.match - 1 for points in self.score]
        self.score[winner] += points
        if self.score[winner] >= self.match:
            self.result = 1 if winner == 0 else -1
            return
        self.crawford = self.score[winner] == self.match - 1 and not any(near)
        self.begin()


@pytest.mark.parametrize(("match", "games"), ((0, 30), (3, 12), (7, 6)))
def test_random_games_are_reckoned_alike(match: int, games: int) -> None:
    source = random.Random(match)
    cls = variant(Backgammon, CUBE=0 if match else 64, MATCH=match, CHECKERS=3)
    for _ in range(games):
        state, reckoned = cls(), Reckoning(match)
        while not state.terminal():
            assert reckoned.result is None
            action = source.choice(legal(state))
            before, word = state, state.action_text(action)
            assert cls.parse(str(state)) == state
            assert state.parse_action(word) == action
            state = state.result(action)
            reckoned.act(before, word)
            now = standing(state)
            assert now.score == tuple(reckoned.score)
            if not state.terminal():
                assert now.crawford == reckoned.crawford
                assert (now.value, now.owner) == (reckoned.value, _owner(reckoned, state))
        assert state.utility() == reckoned.result
        assert cls.parse(str(state)) == state


def _owner(reckoned: Reckoning, state: Any) -> int:
    if state.dice == DOUBLED and len(reckoned.offers) > 1:  # beavered: it is the other's already
        return 1 - reckoned.offers[0]
    return CENTRED if reckoned.owner is None else reckoned.owner


# --- texts ----------------------------------------------------------------------------------------------


def test_words_that_people_type() -> None:
    state = Money.parse(f"{START} X")
    assert state.parse_action("Double") == state.parse_action("redouble") == DOUBLE
    doubled = state.result(DOUBLE)
    assert doubled.parse_action("accept") == TAKE and doubled.parse_action("pass") == DROP
    assert doubled.parse_action("redouble") == BEAVER
    with pytest.raises(ValueError, match="legal: take, drop"):
        Five.parse(f"{START} X doubles").parse_action("beaver")


def test_the_line_below_the_board() -> None:
    board = plain(Five.parse(f"{START} X 31 cube 2 O score 3-1"))
    assert "X to play 3-1; cube 2, O's; match to 5: X 3, O 1; pips X 167, O 167; off X 0, O 0" in board
    assert "O to answer a double to 2; cube 1; match" in plain(Five.parse(f"{START} X doubles"))
    assert "Crawford game" in plain(Five.parse(f"{START} X score 4-1 crawford"))
    dropped = Money.parse(f"{START} X").result(DOUBLE).result(DROP)
    assert "X wins, 1 point; cube 1" in plain(dropped)


@pytest.mark.parametrize(
    ("cls", "line", "complaint"),
    (
        (Money, "X cube 3 O", "cannot be at 3"),
        (Money, "X cube 128 O", "up to 64"),
        (Money, "X cube 2", "say X or O"),
        (Money, "X cube 1 O", "no owner"),
        (Money, "X doubles cube 2 O", "X may not double to 4"),
        (Money, "X beavered 1", "may not be beavered"),
        (Money, "X crawford", "no Crawford game"),
        (Backgammon, "X cube 2 O", "without a cube"),
        (Backgammon, "X drops", "without a cube"),
        (Backgammon, "X score 1-2", "no score"),
        (Five, "X score 5-2", "is over at 5-2"),
        (Five, "X score 3-2 crawford", "one point away"),
        (Five, "X score 4-4 crawford", "one point away"),
        (Five, "X cube 2 O score 4-1 crawford", "nobody may double"),
        (Five, "X doubles score 4-1", "X may not double"),
        (Five, "X drops", "not the match"),
        (Five, "X 31 doubles", "write a Position ID"),
    ),
)
def test_a_cube_that_cannot_be_is_refused(cls: Any, line: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        cls.parse(f"{START} {line}")
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "values", ({"CUBE": 3}, {"CUBE": 1024}, {"CUBE": -2}, {"MATCH": 65}, {"JACOBY": 2}, {"BEAVERS": 4})
)
def test_parameters_that_cannot_be(values: dict[str, int]) -> None:
    with pytest.raises(GameError):
        variant(Backgammon, **values)
