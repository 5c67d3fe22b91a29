"""Evaluations by results alone: Monte Carlo, and category expectation."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from outplay.game import GameError
from outplay.games import Hexapawn, TicTacToe
from outplay.learn.estimates import Categories, MonteCarlo, Rates, term_counts
from outplay.learn.positions import Sample, lines


def test_category_of_the_slides() -> None:
    assert Rates(wins=72, draws=8, losses=20).expectation() == pytest.approx(0.76)


def test_categories() -> None:
    middle, corner = TicTacToe.parse(".../.X./... o"), TicTacToe.parse(".../.../X.. o")
    samples = [Sample(middle, r) for r in [1.0] * 18 + [0.5] * 2 + [0.0] * 5] + [Sample(corner, 0.0)]
    rated = Categories(samples)
    assert rated.expectation(middle) == pytest.approx(0.76)
    assert rated(middle) == pytest.approx(52)  # hundredths of a win
    assert rated(corner) == -100
    assert rated.expectation(TicTacToe()) == pytest.approx(19 / 26)  # unknown: all together
    by_marks = Categories(samples, features=lambda state: state.opp.bit_count())
    assert by_marks.expectation(corner) == pytest.approx(19 / 26)
    assert term_counts(middle) == ((0, 4),)
    with pytest.raises(GameError, match="Hexapawn has no weights"):
        term_counts(Hexapawn())
    with pytest.raises(ValueError, match="categories need positions"):
        Categories([])
    with pytest.raises(ValueError, match="not scores"):
        Categories([Sample(middle, score=3.0)])


def test_monte_carlo() -> None:
    won = TicTacToe.parse("XX./OO./... x").result(8)
    assert MonteCarlo(10)(won) == 100
    start = MonteCarlo(4000)(TicTacToe())
    assert start == pytest.approx(100 * (0.585 - 0.288), abs=5)  # X wins 58.5 % of random games, O 28.8 %
    assert MonteCarlo(50)(TicTacToe()) == MonteCarlo(50)(TicTacToe())


def test_players(outplay: Callable[..., Any], tmp_path: Path) -> None:
    answer = outplay("best", "tictactoe", "XX./OO./... x", "--player", "montecarlo:games=30", "--depth", 1)
    assert answer.out.splitlines()[:2] == ["action  c3", "value   +1 (proven)"]
    file = tmp_path / "p.jsonl"
    middle, corner = TicTacToe.parse(".../.X./... o"), TicTacToe.parse(".../.../X.. o")
    file.write_text("".join(lines([Sample(middle, 1.0), Sample(corner, 0.0), Sample(TicTacToe(), 0.5)])))
    answer = outplay("best", "tictactoe", "--player", f"categories:positions={file}", "--depth", 1)
    assert answer.out.splitlines()[0] == "action  b2"
    for spec in ("montecarlo:games=0", "montecarlo:x", "categories", "categories:positions="):
        answer = outplay("best", "tictactoe", "--player", spec, "--depth", 1)
        assert answer.status == 2 and "is not understood: write" in answer.err
