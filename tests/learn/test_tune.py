"""Tuning finds the weights that positions were made with."""

import gzip
import json
import math
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay.explain import linear
from outplay.game import GameError
from outplay.games import Checkers, ConnectFour, Hexapawn, Kalah, TicTacToe
from outplay.learn import selfplay
from outplay.learn.coefficients import features
from outplay.learn.positions import Sample, lines, read
from outplay.learn.tune import Fit, descend, logistic_loss, square_loss, tune
from outplay.ui.learn import shortened


def positions(game: Any, count: int, plies: int, seed: int = 1) -> list[Any]:
    """States of random games."""
    rng = random.Random(seed)
    found: list[Any] = []
    while len(found) < count:
        state = game()
        for _ in range(rng.randint(2, plies)):
            if state.terminal():
                break
            state = state.result(rng.choice(list(state.actions())))
        if not state.terminal():
            found.append(state)
    return found


@pytest.mark.lanes
@pytest.mark.parametrize("game", [Checkers, Kalah, ConnectFour])
def test_coefficients_are_those_of_the_symbols(game: Any) -> None:
    states = positions(game, 25, 30)
    found = features(game, states)
    for row, state in enumerate(states):
        form = linear(state, game.weights)
        wanted = {place: float(count) for place, count in form.terms.items() if count}
        here = found.rows == row
        got = dict(zip(found.columns[here].tolist(), found.counts[here].tolist(), strict=True))
        assert got == pytest.approx(wanted)
        assert found.constants[row] == form.constant
    flat = np.array(game.weights.flat(), float)
    evaluated = [state.evaluate() for state in states]
    assert found.values(flat) == pytest.approx(np.array(evaluated), abs=1)


def test_squares_find_the_weights_again() -> None:
    true = Checkers.weights.replace(men=90, kings=170, rows=(8, 1, 2, 3, 5, 7, 9), mobility=4, turn=3)
    samples = [Sample(s, score=s.evaluate(true)) for s in positions(Checkers, 400, 90)]
    found = tune(Checkers, samples, Fit("squares", pull=0))
    assert found.after < 1 < found.before
    new, wanted = np.array(found.weights.flat()), np.array(true.flat())
    # The rows add up to the men, so one of them is free: the evaluation is what counts.
    table = features(Checkers, [s.state for s in samples])
    assert np.abs(table.values(new.astype(float)) - table.values(wanted.astype(float))).max() < 5


def test_results_teach_what_wins() -> None:
    rng = random.Random(5)
    true = Checkers.weights.replace(men=40, kings=60, mobility=30)
    samples = []
    for state in positions(Checkers, 1500, 60):
        chance = 1 / (1 + math.exp(-0.02 * state.evaluate(true)))
        samples.append(Sample(state, 1.0 if rng.random() < chance else 0.0))
    told = []
    found = tune(Checkers, samples, Fit(held_out=0.2, epochs=30), report=told.append)
    assert found.after < found.before
    assert (found.positions, found.held_out) == (1200, 300)
    assert found.scale * found.weights.mobility == pytest.approx(0.02 * 30, rel=0.2)
    assert all(type(x) is int for x in found.weights.flat())
    assert [p.epoch for p in told] == list(range(1, len(told) + 1))
    assert all(later.train <= earlier.train for earlier, later in zip(told, told[1:], strict=False))
    again = tune(Checkers, samples, Fit(held_out=0.2, epochs=30))
    assert again == found


def test_ctrl_c_keeps_the_best_so_far() -> None:
    samples = [Sample(s, score=3 * s.evaluate()) for s in positions(Checkers, 60, 60)]

    def stop(progress: Any) -> None:
        if progress.epoch == 2:
            raise KeyboardInterrupt

    found = tune(Checkers, samples, Fit("squares"), report=stop)
    assert found.epochs == 2 and found.weights != Checkers.weights


def test_minimiser_and_losses() -> None:
    matrix = np.array([[3.0, 1.0], [1.0, 40.0]])
    target = np.array([2.0, -5.0])
    *_, (point, value, _) = descend(
        lambda x: (0.5 * x @ matrix @ x - target @ x, matrix @ x - target), np.zeros(2), 60
    )
    assert point == pytest.approx(np.linalg.solve(matrix, target), abs=1e-4)
    loss, slopes = logistic_loss(np.array([0.0, 1000.0]), np.array([0.5, 1.0]), 1.0)
    assert loss == pytest.approx(math.log(2) / 2) and slopes == pytest.approx([0, 0])
    loss, slopes = square_loss(np.array([1.0, 2.0]), np.array([0.0, 2.0]), 1.0)
    assert (loss, slopes.tolist()) == (0.5, [1.0, 0.0])


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        (lambda: tune(Hexapawn, [Sample(Hexapawn(), 1.0)] * 20), "Hexapawn has no weights"),
        (lambda: tune(TicTacToe, [Sample(TicTacToe(), 1.0)]), "too few"),
        (lambda: tune(TicTacToe, [Sample(TicTacToe(), 1.0)] * 9, Fit("squares")), "squares needs scores"),
        (lambda: tune(TicTacToe, [Sample(TicTacToe(), score=1.0)] * 9), "logistic needs results"),
        (
            lambda: tune(TicTacToe, [], Fit("newton")),
            "unknown method 'newton'; choose from logistic, squares",
        ),
        (lambda: tune(TicTacToe, []), "no positions"),
        (
            lambda: tune(TicTacToe, [Sample(TicTacToe(), 1.0)] * 9, Fit(held_out=2)),
            "held-out must be between",
        ),
        (
            lambda: tune(TicTacToe, [Sample(TicTacToe(), 1.0)] * 9, Fit(pull=math.nan)),
            "pull and seed 0 or more",
        ),
        (lambda: tune(TicTacToe, [Sample(TicTacToe(), 1.0)] * 9, Fit(seed=-1)), "pull and seed 0 or more"),
    ],
)
def test_what_cannot_be_tuned(call: Any, complaint: str) -> None:
    with pytest.raises((ValueError, GameError), match=complaint):
        call()


# --- files ----------------------------------------------------------------------------------------------

STATE = TicTacToe.parse("XO./.X./..O x")


def test_forms_of_positions(tmp_path: Path) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(
        '{"position": "XO./.X./..O x", "result": 0.5}\n\n{"position": "XO./.X./..O x", "score": -3}\n'
        '{"position": "XO./.X./..O", "result": "1-0"}\nXO./.X./..O x c9 "1/2-1/2";\nXO./.X./..O x [1.0]\n'
        'XO./.X./..O c9 "0-1";\n'
    )
    samples = read(TicTacToe, file)
    assert {sample.state for sample in samples} == {STATE}
    assert [s.result for s in samples] == [0.5, None, 1.0, 0.5, 1.0, 0.0]
    assert samples[1].score == -3
    packed = tmp_path / "positions.jsonl.gz"
    with gzip.open(packed, "wt") as out:
        out.writelines(lines(samples))
    assert read(TicTacToe, packed) == samples


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("", "contains no positions"),
        ("XO./.X./..O x", "line 1: expected a result"),
        ('{"position": "XO./.X./..O x"}', "line 1: expected a position with a result or a score"),
        ('{"position": "XO./.X./..O x", "result": 3}', "line 1: the result 3 is not"),
        ('{"position": "XO./.X./..O x", "score": "x"}', "line 1: the score 'x' is not a number"),
        (
            '{"position": "XO./.X./..O x", "score": 1e200}',
            "line 1: the score 1e\\+200 is not a number from -1e",
        ),
        ("XO./.X./..O x [1.0.0]", "line 1: expected a result"),
        ('{"position": "nonsense", "result": 1}', "line 1: not a position of tic-tac-toe"),
        ('XO./.X./..O x [1.0]\nX c9 "1-0";', "line 2: not a position"),
        ("{oops", "line 1: "),
    ],
)
def test_lines_that_cannot_be_read(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "positions.txt"
    file.write_text(text)
    with pytest.raises(ValueError, match=complaint):
        read(TicTacToe, file)


def test_commands(outplay: Callable[..., Any], tmp_path: Path) -> None:
    file, out = tmp_path / "p.jsonl", tmp_path / "w.json"
    answer = outplay("learn", "positions", "checkers", "--games", 2, "--nodes", 100, "--out", file)
    assert answer.status == 0 and "2 of 2 games" in answer.err
    first = json.loads(file.read_text().splitlines()[0])
    assert first.keys() == {"position", "result"}
    answer = outplay("learn", "tune", "checkers", "--positions", file, "--epochs", 3, "--out", out)
    assert answer.status == 0
    assert "loss on the positions held out: before" in answer.out
    assert json.loads(out.read_text()).keys() == vars(Checkers.weights).keys()
    answer = outplay("best", "checkers", "--depth", 3, "--weights", out, "--json")
    assert answer.status == 0
    answer = outplay("learn", "tune", "hexapawn", "--positions", file)
    assert answer.status == 2 and answer.err.count("\n") == 1


def test_large_groups_of_weights_are_shown_in_part() -> None:
    assert shortened((1, 2)) == "(1, 2)"
    assert shortened(tuple(range(9000))) == "(0, 1, 2, 3, 4, 5, 6, 7, ...), 9,000 numbers"


def test_kept_weights_stay() -> None:
    true = Checkers.weights.replace(men=90, kings=170)
    samples = [Sample(s, score=s.evaluate(true)) for s in positions(Checkers, 200, 90)]
    found = tune(Checkers, samples, Fit("squares", pull=0, keep=("kings", "rows")))
    assert found.weights.kings == Checkers.weights.kings and found.weights.rows == Checkers.weights.rows
    assert found.weights.men != Checkers.weights.men
    with pytest.raises(ValueError, match="unknown weight queens to keep"):
        tune(Checkers, samples, Fit("squares", keep=("queens",)))


class Killed(BaseException):
    """Stands for kill -9: nothing is tidied up."""


def test_a_tuning_that_was_killed_goes_on(tmp_path: Path) -> None:
    true = Checkers.weights.replace(men=90, kings=170)
    samples = [Sample(s, score=s.evaluate(true)) for s in positions(Checkers, 200, 90)]
    whole = tune(Checkers, samples, Fit("squares", epochs=8))
    file = tmp_path / "checkpoint"

    def kill(progress: Any) -> None:
        if progress.epoch == 3:
            raise Killed

    with pytest.raises(Killed):
        tune(Checkers, samples, Fit("squares", epochs=8), report=kill, checkpoint=file)
    seen: list[int] = []
    again = tune(
        Checkers, samples, Fit("squares", epochs=8), report=lambda p: seen.append(p.epoch), checkpoint=file
    )
    assert seen == [4, 5, 6, 7, 8]
    assert again == whole
    with pytest.raises(ValueError, match="belongs to a tuning run with other positions or settings"):
        tune(Checkers, samples[1:], Fit("squares", epochs=8), checkpoint=file)
    file.write_bytes(file.read_bytes()[:-1])
    with pytest.raises(ValueError, match="is damaged, or not a tuning checkpoint: remove it"):
        tune(Checkers, samples, Fit("squares", epochs=8), checkpoint=file)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("tictactoe", "--games", 0), "games must be 1 or more"),
        (("tictactoe", "--nodes", 0), "nodes must be"),
        (("pig", "--games", 1), "Pig"),
        (("hexapawn", "--games", 1), "games end within 8 random plies"),
    ],
)
def test_positions_that_cannot_begin_leave_nothing_behind(
    outplay: Callable, tmp_path: Path, words: tuple[str, ...], told: str
) -> None:
    """The same file takes the right numbers then."""
    answer = outplay("learn", "positions", *words, "--out", tmp_path / "p.jsonl")
    assert answer.status == 2 and told in answer.told
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [("positions", "--games", 1), ("tune", "--positions", "none")])
def test_where_nothing_can_be_written_no_work_begins(
    outplay: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]
) -> None:
    name, *more = command
    monkeypatch.chdir(tmp_path)
    for out in (tmp_path, ""):
        answer = outplay("learn", name, "tictactoe", *more, "--out", out)
        assert answer.status == 2 and answer.told.endswith("Is a directory\n")
    assert list(tmp_path.iterdir()) == []


def test_positions_that_were_interrupted_go_on(
    outplay: Callable, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole, file = tmp_path / "whole.jsonl", tmp_path / "file.jsonl"
    command = ("learn", "positions", "hexapawn:width=4,height=4", "--games", 4, "--nodes", 50, "--out")
    assert outplay(*command, whole).status == 0
    file.write_text("precious\n")
    play, played = selfplay._game, []

    def two_games(*arguments: Any) -> Any:
        if len(played) == 2:
            raise Killed
        played.append(1)
        return play(*arguments)

    with monkeypatch.context() as patch, pytest.raises(Killed):
        patch.setattr(selfplay, "_game", two_games)
        outplay(*command, file)
    assert file.read_text() == "precious\n"
    assert outplay(*command, file).status == 0
    assert file.read_text() == whole.read_text()
    assert {path.name for path in tmp_path.iterdir()} == {"whole.jsonl", "file.jsonl"}
