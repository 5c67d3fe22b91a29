"""`explain`: an evaluation is the sum of its terms."""

import json
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from outplay.explain import Term, explain
from outplay.games import Checkers, ConnectFour, Kalah, TicTacToe, load
from outplay.weights import Weights


def test_open_lines_on_the_slides() -> None:
    found = explain(TicTacToe.parse("O../.X./... x"))  # X may still fill 5 lines, O 4
    assert found.value == 1
    assert found.terms == (Term("open_lines", 1, 1, 1),)


def test_groups_and_who_counts() -> None:
    state = Checkers.parse("W:W22,30:B9,K10")
    weights = Checkers.weights.replace(men=100, kings=150, rows=(7, 1, 2, 3, 4, 5, 6), mobility=0, turn=9)
    found = explain(state, weights)
    terms = {term.name: term for term in found.terms}
    assert (terms["men"].times, terms["kings"].share) == (-1, 150)
    assert terms["turn"].share == -9  # White is MIN, and to move
    assert [(e.place, e.times, e.share) for e in terms["rows"].entries] == [(0, -1, -7)]
    assert terms["rows"].share == -7


@pytest.mark.parametrize("game", [TicTacToe, Checkers, ConnectFour, Kalah, ConnectFour, "othello"])
def test_the_terms_add_up(game: Any) -> None:
    start = load(game).start if isinstance(game, str) else game()
    rng = random.Random(3)
    for _ in range(10):
        state = start
        for _ in range(rng.randint(0, 20)):
            actions = [] if state.terminal() else list(state.actions())
            if not actions:
                break
            state = state.result(rng.choice(actions))
        found = explain(state)
        assert found.value == state.evaluate()
        if found.terms:
            total = sum(term.share for term in found.terms) + found.constant + found.rounding
            assert total == pytest.approx(found.value)
            assert abs(found.rounding) < 1 + len(found.terms)


@pytest.mark.parametrize(
    ("game", "position", "texts"),
    [
        ("checkers", "W:W22,30:B9,K10", {"rows[0]"}),
        (
            "chess",
            "4k3/8/8/8/8/5N2/8/4K3 w - - 0 1",
            {"knight_squares on f3, middlegame", "knights, endgame"},
        ),
        (
            "othello",
            "X--------------------------OX------XO--------------------------- X",
            {"edge X......., phase 1"},
        ),
    ],
)
def test_numbers_of_a_group_say_what_they_stand_for(game: str, position: str, texts: set[str]) -> None:
    found = explain(load(game).cls.parse(position))
    assert texts <= {entry.text for term in found.terms for entry in term.entries}


def test_command(outplay: Callable[..., Any], tmp_path: Path) -> None:
    answer = outplay("explain", "tictactoe", "O../.X./... x")
    assert answer.status == 0
    assert "open_lines" in answer.out and "value for MAX" in answer.out
    told = json.loads(outplay("explain", "checkers", "--moves", "11-15", "--json").out)
    assert [term["name"] for term in told["terms"]][:2] == ["men", "kings"]
    file = tmp_path / "w.json"
    file.write_text('{"open_lines": 7}')
    told = json.loads(outplay("explain", "tictactoe", "O../.X./... x", "--weights", file, "--json").out)
    assert told["value"] == 7
    assert "it has no weights" in outplay("explain", "hexapawn").out
    file.write_text('{"lines": 7}')
    answer = outplay("explain", "tictactoe", "--weights", file)
    assert answer.status == 2
    assert answer.err == (
        "outplay: the weights do not fit TicTacToe: unknown weight lines; there are open_lines\n"
    )


def test_games_without_evaluation(outplay: Callable[..., Any], tmp_path: Path) -> None:
    (tmp_path / "bare.py").write_text(
        "from typing import NamedTuple\nclass Bare(NamedTuple):\n    left: int = 3\n"
        "    def player(self): return 0\n    def actions(self): return range(self.left)\n"
        "    def result(self, a): return Bare(a)\n    def utility(self): return 0\n"
    )
    answer = outplay("explain", tmp_path / "bare.py")
    assert answer.status == 2 and "has no evaluate(), so there is nothing to explain" in answer.err


def test_weights_must_be_used_linearly() -> None:
    with pytest.raises(ValueError, match="evaluate must be linear"):
        max(Weights(a=1).symbolic().a, 0)
