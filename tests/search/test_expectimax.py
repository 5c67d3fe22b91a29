"""Expectimax against opponents who are not optimal: the compiled search beside the plain one, and the quiz."""

from pathlib import Path

import pytest

import outplay
from outplay.games import load
from outplay.limits import Limits
from outplay.players import player
from outplay.record import Record, begin
from outplay.search.searches import made
from outplay.search.textbook.expectimax import skilled, value


@pytest.mark.lanes
@pytest.mark.parametrize(("skill", "lookahead"), [(0.0, 1), (0.8, 2), (1.0, 3)])
def test_the_plain_search_finds_the_same(skill: float, lookahead: int) -> None:
    opponent = "minimax" if skill else "random"
    search = made("expectimax", {"opponent": opponent, "skill": skill, "lookahead": lookahead})
    for text in ("X.O/.X./..O x", "X.O/.X./... o", "X../.O./... x"):
        state = load("tictactoe").position(text)
        for depth in (2, 4):
            found = search.search(state, Limits(depth=depth))
            assert found.score == pytest.approx(
                value(state, depth, state.player(), skilled(skill, lookahead))
            )
    pig = load("pig:goal=10").position("5 6 1 +0")
    found = search.search(pig, Limits(depth=4))
    assert found.score == pytest.approx(value(pig, 4, 0, skilled(skill, lookahead)))


def test_an_opponent_who_errs_is_worth_a_risk() -> None:
    """Left: a sure 3. Right: 0 if MIN plays best, 10 if not."""
    tree = load("[[3, 3], [0, 10]]").start
    assert made("minimax").search(tree, Limits()).value == 3
    random = made("expectimax").search(tree, Limits())
    assert (random.action, random.value, random.proven) == (1, 5.0, True)
    quiz = made("expectimax:opponent=minimax,skill=0.8,lookahead=2").search(tree, Limits())
    assert (quiz.action, quiz.value) == (0, 3.0)  # the risk is worth 0.8 * 0 + 0.2 * 5 = 1
    bold = made("expectimax:opponent=minimax,skill=0.3").search(tree, Limits())
    assert (bold.action, bold.value) == (1, pytest.approx(3.5))


BOT = """
def choose_last(state):
    return list(state.actions())[-1]
def choose_nothing(state):
    return -1
def choose_error(state):
    return 1 // 0
"""


@pytest.mark.lanes
def test_any_player_may_be_the_opponent() -> None:
    """Minimax as a player is the model that the search knows."""
    for skill in (0.8, 1.0):
        known = player(f"expectimax:opponent=minimax,skill={skill},lookahead=2")
        given = player(f"expectimax:opponent=minimax:,skill={skill},lookahead=2")
        for text in ("X.O/.X./..O x", "X.O/.X./... o", "X../.O./... x"):
            record = Record("", load("tictactoe").position(text))
            one, other = (each(record, Limits(depth=4)) for each in (known, given))
            assert other.score == pytest.approx(one.score)
            assert other.action == one.action


def test_a_bot_as_the_opponent(tmp_path: Path) -> None:
    """Who always plays the last move of [3, 3], [0, 10] gives away 10."""
    bot = tmp_path / "bot.py"
    bot.write_text(BOT)
    record = Record("", load("[[3, 3], [0, 10]]").start)
    found = player(f"expectimax:opponent={bot}:choose_last")(record, Limits())
    assert (found.action, found.value, found.line) == (1, 10.0, (1,))
    with pytest.raises(ValueError, match="legal") as caught:
        player(f"expectimax:opponent={bot}:choose_nothing")(record, Limits())
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError) as caught:
        player(f"expectimax:opponent={bot}:choose_error")(record, Limits())
    said = str(caught.value)
    assert said.startswith(f"the opponent: {bot}:choose_error failed: bot.py, line 7: ZeroDivisionError: ")


def test_a_player_of_python_as_the_opponent() -> None:
    found = outplay.best(
        load("[[3, 3], [0, 10]]").start, "expectimax", opponent=player("random", seed=3), skill=0.0, depth=9
    )
    assert (found.action, found.value) == (1, 5.0)


def test_limits_end_it() -> None:
    search = player("expectimax:opponent=uct,effort=20")
    assert search(begin(load("connect4")), Limits(nodes=30)).nodes <= 30


@pytest.mark.parametrize(
    ("given", "complaint"),
    (
        ("opponent=nobody", "random, minimax or a player"),
        ("skill=0.5", "opponent=random takes none"),
        ("opponent=minimax,effort=5", "an opponent that is a search"),
        ("opponent=minimax,skill=2", "from 0 to 1"),
        ("lookahead=0", "1 to 20"),
    ),
)
def test_bad_options_get_one_line(given: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as caught:
        made(f"expectimax:{given}")
    assert "\n" not in str(caught.value)
