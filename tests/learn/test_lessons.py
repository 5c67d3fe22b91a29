"""A value net from recorded games, by comparison: the kernel beside plain Python, runs that go on, bad input."""

import math
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay.compile import ENABLED, twin
from outplay.gamefile import open_game
from outplay.games import load
from outplay.learn.folder import LOG, NET, Folder
from outplay.learn.td import loop
from outplay.learn.td.comparison import SHARPNESS, study
from outplay.learn.td.lessons import Lessons, digest, lessons_of
from outplay.learn.td.selfplay import mind_for
from outplay.learn.td.settings import Settings
from outplay.learn.td.update import Plain
from outplay.record import Record, write
from outplay.search.valuenet.inputs import count_inputs, room_for, see, viewer
from outplay.search.valuenet.net import ValueNet

START = load("tictactoe").start
LINES = (
    "a1 b2 a2 a3 c1 b1 b3 c3 c2",
    "b2 a1 c3 a3 a2 c2 b3 b1 c1",
    "a1 a2 b2 b3 c3",
)  # drawn, drawn, won by X


def games(count: int) -> list[Record]:
    found = [open_game("tictactoe", moves=LINES[i % len(LINES)]) for i in range(count)]
    return [record._replace(result=record.state.utility()) for record in found]


def inputs(state: Any) -> tuple[list[float], int]:
    """All inputs of a state, with a 1 for the bias, and who looks."""
    room = room_for(state, ValueNet.new("tictactoe", START, 1, 1).layers)
    native = twin(type(state)).state(state)
    n = see(native, room)
    x = [0.0] * count_inputs(state) + [1.0]
    for place, value in zip(room.places[:n], room.values[:n], strict=True):
        x[place] = float(value)
    return x, int(viewer(native, room))


class Student:
    """Comparison as the paper has it, in plain Python; one answer."""

    def __init__(self, net: ValueNet, alpha: float) -> None:
        self.plain, self.alpha = Plain(net.layers.hidden, net.layers.output), alpha

    def answer(self, state: Any) -> float:
        """MAX's."""
        x, seen_by = inputs(state)
        raw = self.plain.propagate(x)[1][0]
        return 1 - raw if seen_by else raw

    def learn(self, state: Any, target: float) -> None:
        x, seen_by = inputs(state)
        self.plain.learn(x, seen_by, [target], self.alpha, 0.0)

    def study(self, record: Record) -> None:
        for state, played in zip(record.states(), record.actions, strict=False):
            sign, better = (1 if state.player() == 0 else -1), state.result(played)
            if better.terminal():
                continue
            for action in state.actions():
                other = state.result(action)
                if action == played or other.terminal():
                    continue
                gap = sign * 2 * (self.answer(better) - self.answer(other))
                push = 1 / (1 + math.exp(SHARPNESS * gap))
                self.learn(better, self.answer(better) + 2 * sign * push)
                self.learn(other, self.answer(other) - 2 * sign * push)
            self.learn(better, (record.result + 1) / 2)


@pytest.mark.lanes
def test_the_kernel_learns_what_the_plain_version_learns() -> None:
    net = ValueNet.new("tictactoe", START, 6, 3)
    student, mind = Student(net, 0.2), mind_for(START, net.layers, 0.0)
    plan = Settings("tictactoe", games=10, alpha=0.2, last_alpha=0.2).plan()
    for number, record in enumerate(games(3)):
        student.study(record)
        native = twin(type(START)).state(START)
        study(native, np.array(record.actions), float(record.result), number, net.layers, plan, mind)
    assert np.abs(net.layers.hidden - np.array(student.plain.hidden)).max() < 1e-4
    assert np.abs(net.layers.output - np.array(student.plain.output)).max() < 1e-4


def silent(line: dict[str, Any]) -> None:
    pass


def test_moves_are_predicted_and_a_run_goes_on(tmp_path: Path) -> None:
    records = lessons_of(START, games(40))
    settings = Settings(
        "tictactoe",
        games=720,
        hidden=16,
        alpha=0.3,
        last_alpha=0.05,
        trial=20,
        points=4,
        lessons=digest(records),
    )
    make = partial(Lessons, records=records)
    whole: list[dict[str, Any]] = []
    assert loop.train(settings, tmp_path / "whole", whole.append, silent, make=make)
    assert whole[-1]["predicted"] > 0.8  # where the games part no net can predict every move
    assert len(whole) == 4

    class Killed(BaseException):
        """The process ends."""

    def killed(line: dict[str, Any]) -> None:
        if line["games"] >= 360:
            raise Killed

    with pytest.raises(Killed):
        loop.train(settings, tmp_path / "parts", killed, silent, make=make)
    assert loop.train(settings, tmp_path / "parts", silent, silent, make=make)
    one, other = (ValueNet.load(tmp_path / name / NET).layers for name in ("whole", "parts"))
    assert (one.hidden == other.hidden).all() and (one.output == other.output).all()


def test_an_order_that_depends_on_the_seed_alone(tmp_path: Path) -> None:
    records = lessons_of(START, games(20))
    run = Lessons(Settings("tictactoe", games=36, hidden=2), None, START, records)  # type: ignore[arg-type]
    assert sorted(run.lesson(n) for n in range(18)) == list(range(18))
    assert [run.lesson(n) for n in range(18)] != [run.lesson(n) for n in range(18, 36)]
    assert len(run.held) == 2


def test_what_cannot_be_learned_from() -> None:
    with pytest.raises(ValueError, match="9 games with moves and a result: 10 or more"):
        lessons_of(START, games(9))
    with pytest.raises(ValueError, match="game 2 is one of connect4"):
        lessons_of(START, [*games(1), open_game("connect4")])


def test_the_command(outplay: Any, tmp_path: Path) -> None:
    file, run = tmp_path / "games.txt", tmp_path / "run"
    file.write_text("\n".join(map(write, games(10))))
    short = ("--games", "60", "--hidden", "8", "--trial", "10", "--out", str(run))
    learned = outplay("learn", "td", "tictactoe", str(file), *short)
    assert "of the moves are predicted" in learned.out and "from 10 games" in learned.out
    assert (run / LOG).exists()
    absent = outplay("learn", "td", "tictactoe", str(tmp_path / "none.txt"), *short)
    assert absent.status == 2 and absent.err.count("\n") == 1
    other = outplay("learn", "td", "connect4", str(file), *short)
    assert other.status == 2 and "game 1 is one of tictactoe" in other.told
    for unused in (("--lambda", "0.5"), ("--explore", "0.1")):
        refused = outplay("learn", "td", "tictactoe", str(file), *short, *unused)
        assert refused.status == 2 and "--lambda and --explore are for self-play" in refused.told


@pytest.mark.parametrize("recorded", [True, False])
def test_no_games_are_not_the_usual_number(outplay: Any, tmp_path: Path, recorded: bool) -> None:
    file = tmp_path / "games.txt"
    file.write_text("\n".join(map(write, games(10))))
    files = [str(file)] if recorded else []
    refused = outplay("learn", "td", "tictactoe", *files, "--games", "0", "--out", str(tmp_path / "run"))
    assert refused.status == 2 and "games must be 1 to" in refused.told


@pytest.mark.skipif(not ENABLED, reason="nothing is compiled")
def test_all_is_compiled_before_the_clock_starts(tmp_path: Path) -> None:
    settings = Settings("tictactoe", games=9, hidden=3, trial=2, points=1, lessons="some")
    run = Lessons(settings, Folder(tmp_path / "run", settings), START, games(10))
    built = set(study.overloads)
    run.play()
    assert set(study.overloads) == built
