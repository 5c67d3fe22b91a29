"""Backgammon as its players judge it: candidate plays, cube actions, errors, error rate and luck."""

import json
from pathlib import Path
from typing import Any

import pytest

from outplay.analysis.equity import error_rate, luck, luck_of, stake
from outplay.analysis.judgement import expected_score, loss, verdict
from outplay.games import Backgammon, load
from outplay.limits import Analysis
from outplay.players import judge_for
from outplay.record import Record
from outplay.search.valuenet.td import TD
from outplay.ui.equities import candidates_text, cube_text

START = "4HPwATDgc/ABMA"
MATCH = """
 3 point match

 Game 1
 gnubg : 0                          me : 0
  1)                             31: 24/20
  2) 61: 13/7 8/7                  52: 13/8 24/22
"""


def analysis(value: float, action: int = 0) -> Analysis:
    return Analysis(action, value, 1, (action,), 1, 0.0)


def test_who_judges() -> None:
    assert judge_for(Backgammon) == judge_for(load("backgammon:match=5").cls) == "td:plies=2"
    assert judge_for(load("connect4").cls) == "engine"


def test_errors_are_points_of_the_cube() -> None:
    state = Backgammon.parse(f"{START} O 31")
    assert loss(state, analysis(-0.2), analysis(-0.1)) == pytest.approx(0.1)
    assert loss(state, analysis(-0.2), analysis(-0.3)) == 0
    cubed = load("backgammon:cube=64").cls.parse(f"{START} X 31 cube 4 O")
    assert stake(cubed) == 4 and loss(cubed, analysis(0.4), analysis(0.0)) == pytest.approx(0.1)
    last = load("backgammon:match=3").cls.parse(f"{START} X 31 score 2-2")
    assert stake(last) == 1  # the game is the match
    assert [verdict(x, Backgammon) for x in (0.03, 0.05, 0.1, 0.2)] == [
        "",
        "inaccuracy",
        "mistake",
        "blunder",
    ]
    assert verdict(0.1) == "mistake" and verdict(0.05, load("connect4").cls) == "inaccuracy"
    assert expected_score(Backgammon, analysis(0.5)) == 0.75


def test_the_error_rate_counts_where_there_was_a_choice() -> None:
    free, forced = Backgammon.parse(f"{START} X 31"), Backgammon.parse("AwAAGAAAAAAAAA X 61")
    assert error_rate([(free, 0, 0.02), (free, 0, 0.0)]) == pytest.approx(5)
    assert len([*forced.actions()]) == 1 and error_rate([(free, 0, 0.02), (forced, 0, 0.0)]) == pytest.approx(
        10
    )
    rolling = load("backgammon:cube=64").cls.parse(f"{START} X")
    assert error_rate([(free, 0, 0.02), (rolling, 0, 0.0)]) == pytest.approx(10)
    assert error_rate([(rolling, 1, 0.3), (rolling, 0, 0.1)]) == pytest.approx(100)
    assert error_rate([]) == 0


@pytest.mark.parametrize("side", ["X", "O"])
def test_luck_is_nothing_on_the_average(side: str) -> None:
    state, search = Backgammon.parse(f"{START} {side}"), TD()
    rolls = {roll: luck_of(search, state, roll) for roll in state.actions()}
    assert sum(state.probability(roll) * x for roll, x in rolls.items()) == pytest.approx(0, abs=1e-5)
    sign = 1 if side == "X" else -1
    assert (
        sign * rolls[8 * 3 + 1] > 0.05 > sign * rolls[8 * 4 + 1]
    )  # the golden point, and a roll that makes nothing
    record = Record("backgammon", state, (8 * 3 + 1,))
    assert luck(record)["XO".index(side)] == pytest.approx(sign * rolls[8 * 3 + 1])


def test_candidate_plays_are_a_table_of_the_mover() -> None:
    search = TD()
    for side in "XO":
        state = Backgammon.parse(f"{START} {side} 31")
        found = search.search(state, load_limits(), lines=3)
        rows = candidates_text(state, (found, *found.others)).splitlines()
        assert len(rows) == 4 and rows[1].split()[:4] == ["1.", "8/5", "6/5", f"{abs(found.value):+.3f}"]
        assert rows[2].split()[-7].startswith("-0.")  # what it is short of the best
        win, *_, lose = (float(rows[1].split()[-6]), float(rows[1].split()[-3]))
        assert win > 50 and win + lose == pytest.approx(100, abs=0.11)


def load_limits() -> Any:
    from outplay.limits import Limits

    return Limits(depth=1)


@pytest.mark.parametrize("score", ["0-0", "2-1", "1-2", "0-3"])
@pytest.mark.parametrize("side", "XO")
def test_equities_at_a_score_are_those_of_the_cube(side: str, score: str) -> None:
    """0 is the middle between winning and losing the game, wherever the match stands."""
    state = load("backgammon:match=5").cls.parse(f"{START} {side} score {score}")
    found = TD(plies=0).search(state, load_limits(), lines=2)
    rows = candidates_text(state, (found, *found.others)).splitlines()
    told = {row.split()[1]: float(row.split()[2]) for row in rows[1:]}
    cube = cube_text(state, 0)
    assert told["roll"] == pytest.approx(float(cube.splitlines()[1].split()[2]), abs=2e-3)
    assert "beaver" not in cube


def test_cube_actions_in_words() -> None:
    money = load("backgammon:cube=64").cls
    assert cube_text(Backgammon.parse(f"{START} X")) == ""
    rows = cube_text(money.parse(f"{START} X"), 0).splitlines()
    assert (
        rows[0].startswith("cube    no double")
        and len(rows) == 4
        and rows[3].endswith("double, drop  +1.000")
    )
    rows = cube_text(load("backgammon:match=5").cls.parse(f"{START} X score 1-2"), 0).splitlines()
    assert rows[1].endswith("% of matches")
    assert cube_text(money.parse(f"{START} X cube 2 O"), 0).startswith("cube    no cube action")


def test_best_and_explain_and_analyse(outplay: Any, tmp_path: Path) -> None:
    said = outplay("best", "backgammon", f"{START} X 31", "--search", "td:plies=0").out
    assert "play" in said and " 5. " in said and " 6. " not in said
    said = outplay("best", "backgammon:cube=64", f"{START} X", "--search", "td:plies=0").out
    assert "action  roll" in said and "double, take" in said
    said = outplay("explain", "backgammon:cube=64", f"{START} X").out
    assert "value net: X wins" in said and "cube    no double" in said
    file = tmp_path / "match.mat"
    file.write_text(MATCH)
    answer = outplay("analyse", str(file), "--depth", "1", "--json")
    told = json.loads(answer.out)
    assert [side["moves"] for side in told["sides"]] == [3, 2]
    assert told["moves"][0]["verdict"] in ("mistake", "blunder")  # 24/20 leaves the golden point
    assert all({"error_rate", "luck"} <= set(side) for side in told["sides"])
    assert "error rate (PR)" in outplay("analyse", str(file), "--depth", "1").out
