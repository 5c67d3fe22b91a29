"""Games in lockstep: the same games as one after the other, the plain update summed, and the kernels of a GPU."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay.compile import ENABLED, gpu, twin
from outplay.game import FEATURE
from outplay.games import load
from outplay.learn.folder import CHECKPOINT, NET, Folder
from outplay.learn.td import loop
from outplay.learn.td.lockstep import LENGTH, NUMBER, TOTALS, in_16_bits, width_of
from outplay.learn.td.selfplay import FINISHED, UPDATES, mind_for, play_games
from outplay.learn.td.settings import Settings
from outplay.learn.td.update import Plain
from outplay.search.valuenet.inputs import count_inputs
from outplay.search.valuenet.net import ValueNet

torch = pytest.importorskip("torch", reason="games in lockstep learn by torch: pip install 'outplay[train]'")
torch.set_num_threads(1)

from outplay.learn.td.batch import BatchNet  # noqa: E402
from outplay.learn.td.crowd import Crowd  # noqa: E402

has_numba_cuda = importlib.util.find_spec("numba_cuda") is not None
GAMES = ["backgammon:checkers=3", "pig:goal=20", "tictactoe", "go:size=2", "einstein"]


def settings_of(game: str, **given: Any) -> Settings:
    usual = {
        "games": 200,
        "hidden": 6,
        "alpha": 0.01,
        "last_alpha": 0.001,
        "parallel": 5,
        "trial": 4,
        "points": 4,
    }
    return Settings(game, **(usual | given))


def crowd_of(settings: Settings, path: Path, kind: Any = Crowd) -> Any:
    return kind(settings, Folder(path, settings), load(settings.game).position())


class Still(Crowd):
    """Games whose net does not learn."""

    def step(self) -> None:
        self.play_step()


# --- the same games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_games_in_lockstep_are_those_played_one_after_the_other(game: str, tmp_path: Path) -> None:
    """With a net that does not learn: as many moves, and as many afterstates that would have learned."""
    settings = settings_of(game, explore=0.2, parallel=4, hidden=5, second=3)
    crowd = crowd_of(settings, tmp_path / "run", Still)
    start, plan = crowd.native, settings._replace(alpha=1e-30, last_alpha=1e-30).plan()
    mind = mind_for(crowd.start, crowd.net.layers, 0.0)
    lengths, learned, last = {}, {}, [0] * 4
    for _ in range(400):
        before = crowd.games.numpy().copy()
        crowd.play_step()
        for b, after in enumerate(crowd.games.numpy()):
            if after[NUMBER] != before[b, NUMBER]:
                number, updates = int(before[b, NUMBER]), int(after[TOTALS + UPDATES])
                lengths[number], learned[number], last[b] = int(before[b, LENGTH]), updates - last[b], updates
    assert len(lengths) > 4
    for number in sorted(lengths)[:6]:
        mind.counts[:] = 0
        play_games(start, number, number + 1, crowd.net.layers, plan, mind)
        moves = int(mind.counts[2])
        assert lengths[number] in (moves - 1, moves)  # the last move is played in the step that ends the game
        assert learned[number] == mind.counts[UPDATES]


def test_one_game_learns_as_the_plain_version(tmp_path: Path) -> None:
    """Step by step, with gradient descent in place of Adam."""

    class Descending(Crowd):
        def step(self) -> None:
            self.play_step()
            self.student.descend(self.inputs[:1], self.targets, self.learns)
            self.student.weights.add_(self.student.gradient, alpha=0.1)

    settings = settings_of("backgammon:checkers=3", parallel=1, hidden=7, alpha=0.1, last_alpha=0.1)
    crowd = crowd_of(settings, tmp_path / "run", Descending)
    net = ValueNet.new("backgammon", crowd.start, 7, settings.seed)
    while crowd.games[0, TOTALS + FINISHED] < 3:
        crowd.step()
    crowd.student.write(crowd.net.layers)
    mind = mind_for(crowd.start, net.layers, 0.0)
    fresh = net.layers.hidden.copy()
    play_games(crowd.native, 0, 3, net.layers, settings.plan(), mind)
    assert (
        np.abs(net.layers.hidden - crowd.net.layers.hidden).max()
        < 1e-4
        < np.abs(net.layers.hidden - fresh).max()
    )
    assert np.abs(net.layers.output - crowd.net.layers.output).max() < 1e-4


@pytest.mark.parametrize("second", [0, 4])
def test_a_batch_learns_the_sum_of_plain_updates(second: int) -> None:
    start, dice = load("backgammon").position(), np.random.default_rng(3)
    net = ValueNet.new("backgammon", start, 6, 2, second=second)
    settings = settings_of("backgammon", second=second)
    width = width_of(198)
    student = BatchNet(net.layers, settings, "cpu", width)
    x = (dice.random((9, width)) < 0.1).astype(np.float16)
    x[:, 198], x[:, 199:] = 1, 0
    targets, learns = dice.random((9, 5)).astype(np.float32), (dice.random(9) < 0.7).astype(np.float32)
    student.descend(torch.from_numpy(x.view(np.int16)), torch.from_numpy(targets), torch.from_numpy(learns))
    wanted = [np.zeros(part.shape) for part in student.gradients]
    for row in np.flatnonzero(learns):
        plain = Plain(net.layers.hidden, net.layers.output, net.layers.middle)
        plain.learn(x[row, :199].tolist(), 0, targets[row].tolist(), 1.0, 0.0)
        learned = [part for part in (plain.hidden, plain.middle, plain.output) if len(part)]
        for total, new, old in zip(wanted, learned, student.parts, strict=True):
            total += np.array(new) - old.numpy()
    for part, total in zip(student.gradients, wanted, strict=True):
        assert np.abs(part.numpy() - total).max() < 1e-5 < np.abs(total).max()


def test_inputs_in_16_bits() -> None:
    for value in [0, 1, -1, 2520, -2520, 1260, 168, 7 * 168, 7 * 1260, -3 * 840, 2**31 - 1, 12345, 99]:
        told = np.array([in_16_bits(value & 0xFFFFFFFF)], np.int64).astype(np.int16).view(np.float16)[0]
        wanted = np.float16(min(value / FEATURE, 65504))
        assert abs(float(told) - float(wanted)) <= abs(float(wanted)) * 2**-11 + 2**-24


# --- runs -------------------------------------------------------------------------------------------------------


def silent(line: dict[str, Any]) -> None:
    pass


def test_a_run_learns_survives_a_crash_and_ends_with_the_same_net(tmp_path: Path) -> None:
    settings = settings_of("tictactoe", games=3000, hidden=20, second=10, parallel=40, trial=50, explore=0.1)
    heard: list[dict[str, Any]] = []
    assert loop.train(settings, tmp_path / "whole", heard.append, silent, make=Crowd)
    assert heard[-1]["games"] >= 3000 and heard[-1]["random"] > 0.5 and heard[-1]["error"] > 0

    class Crash(Exception):
        pass

    def crash(line: dict[str, Any]) -> None:
        if line.get("game", line.get("games", 0)) >= 1500:
            raise Crash

    with pytest.raises(Crash):
        loop.train(settings, tmp_path / "broken", crash, crash, make=Crowd)
    assert loop.train(settings, tmp_path / "broken", silent, silent, make=Crowd)
    whole, broken = (ValueNet.load(tmp_path / name / NET) for name in ("whole", "broken"))
    for part, other in zip(whole.layers, broken.layers, strict=True):
        assert np.array_equal(part, other)
    assert loop.train(settings, tmp_path / "whole", silent, silent, make=Crowd)  # it is at its end
    (tmp_path / "whole" / CHECKPOINT).write_bytes(b"PK nothing")
    with pytest.raises(ValueError, match="is damaged"):
        loop.train(settings, tmp_path / "whole", silent, silent, make=Crowd)


def test_games_whose_moves_do_not_fit_wait(tmp_path: Path) -> None:
    """With room for few rows, each game is the same; it only takes more steps."""
    settings = settings_of("backgammon:checkers=3", parallel=6)
    wide, narrow = (crowd_of(settings, tmp_path / name, Still) for name in ("wide", "narrow"))
    narrow.make_rows(30)
    waited = 0
    for crowd in (wide, narrow):
        while crowd.games[:, NUMBER].min() < 12:
            crowd.play_step()
            waited += int(crowd.ends[-1]) > crowd.rows
    assert waited > 0
    assert wide.games[:, TOTALS + UPDATES].min() > 0
    narrow.look()
    assert int(narrow.ends[-1]) <= narrow.rows


# --- on a GPU -------------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not (ENABLED and has_numba_cuda), reason="nothing is compiled for a GPU")
@pytest.mark.parametrize("game", ["backgammon", "go", "kalah", "pig"])
def test_the_kernels_are_compiled(game: str) -> None:
    from numba import typeof, types

    from outplay.compile.cuda import ptx
    from outplay.learn.td import gpukernels

    state = load(game).position()
    like, words, numbers = typeof(twin(type(state)).state(state)), types.int64[:, ::1], types.float32[:, ::1]
    column, bytes_, plan, values = types.int64[::1], types.int8[::1], types.float64[::1], types.float64[::1]
    common = like, words, words, words, column
    kernels = {
        gpukernels.begin: (words, plan),
        gpukernels.deal: (*common, words, words, plan),
        gpukernels.writer(count_inputs(state) + 1): (
            *common, column, words, words, types.int64, types.int16[:, ::1], bytes_, bytes_, values,
        ),
        gpukernels.rate: (bytes_, bytes_, values, numbers, types.float64),
        gpukernels.settle: (
            *common, column, words, bytes_, bytes_, values, numbers, numbers, numbers, types.float32[::1],
            types.float64, plan,
        ),
    }  # fmt: skip
    for kernel, kinds in kernels.items():
        assert ".visible .entry" in ptx(kernel, *kinds, optimised=False)


@pytest.mark.skipif(not has_numba_cuda, reason="numba-cuda is not installed")
def test_in_the_simulator() -> None:
    """The test below, each function of a kernel being plain Python."""
    if gpu.SIMULATED:
        return
    plain = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "OUTPLAY_JIT": "0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", __file__]
    run = subprocess.run(
        [*command, "-k", "simulated"], env=plain, capture_output=True, text=True, timeout=300
    )
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout


@pytest.mark.skipif(not gpu.SIMULATED, reason="this test runs in the simulator alone")
@pytest.mark.parametrize("game", ["tictactoe", "pig:goal=8", "go:size=2", "backgammon:checkers=3"])
def test_the_same_simulated(game: str, tmp_path: Path) -> None:
    from outplay.learn.td import gpukernels

    class There(Crowd):
        """With the kernels of a GPU, in the simulator."""

        def launch(self, name: str, threads: int, *arguments: Any) -> None:
            found = [self.arrays[part] if isinstance(part, str) else part for part in arguments]
            kernel = gpukernels.writer(self.bias + 1) if name == "write" else getattr(gpukernels, name)
            gpu.kernel(kernel, self.twin)[(threads + gpu.BLOCK - 1) // gpu.BLOCK, gpu.BLOCK](*found)

        def write_rows(self, before: Any, after: Any) -> None:
            self.launch("write", len(self.kinds), *before, *after)

        def make_rows(self, rows: int) -> None:
            super().make_rows(min(rows, 40))

    class Here(Crowd):
        def make_rows(self, rows: int) -> None:
            super().make_rows(min(rows, 40))

    settings = settings_of(game, parallel=3, explore=0.1)
    here, there = crowd_of(settings, tmp_path / "here", Here), crowd_of(settings, tmp_path / "there", There)
    for _ in range(6):
        here.step()
        there.step()
    for name in ("states", "games", "inputs", "kinds", "targets", "learns"):
        assert np.array_equal(getattr(here, name).numpy(), getattr(there, name).numpy())
    assert np.array_equal(here.student.weights.numpy(), there.student.weights.numpy())
