"""The steps of games in lockstep: the same games as one after the other, on the CPU and with the kernels of a GPU."""

import importlib.util
import os
import subprocess
import sys
from typing import Any

import numpy as np
import pytest

from outplay.compile import ENABLED, gpu, twin
from outplay.compile.runtime import flat
from outplay.game import FEATURE, max_actions
from outplay.games import load
from outplay.learn.td import lockstep
from outplay.learn.td.lockstep import LENGTH, NUMBER, TOTALS, games_of, in_16_bits, rows_of
from outplay.learn.td.selfplay import LONGEST, MOVES, UPDATES, mind_for, play_games
from outplay.learn.td.settings import Settings
from outplay.search.valuenet.inputs import count_inputs
from outplay.search.valuenet.net import ValueNet

has_numba_cuda = importlib.util.find_spec("numba_cuda") is not None
GAMES = ["backgammon:checkers=3", "pig:goal=20", "tictactoe", "go:size=2", "einstein"]


class Steps:
    """Games in lockstep whose net, in NumPy, does not learn."""

    def __init__(self, game: str, number: int, rows: int, explore: float = 0.0) -> None:
        self.start = load(game).position()
        cls: Any = type(self.start)
        self.twin = twin(cls)
        self.like: Any = self.twin.state(self.start)
        self.net = ValueNet.new(game, self.start, 5, 1, second=3)
        self.plan = Settings(game, explore=explore, alpha=1e-30, last_alpha=1e-30).plan()
        self.bias, answers = count_inputs(self.start), len(self.net.answers)
        self.games = games_of(flat(self.like), number, answers, max_actions(cls), LONGEST + 1)
        self.rows = rows_of(number + rows, self.bias, answers)
        self.launch("begin", number, self.games, self.plan)

    def launch(self, name: str, threads: int, *arguments: Any) -> None:
        if name == "write":
            arguments = (*arguments[:-1], np.zeros(self.bias + 1, np.int64), self.bias)
        getattr(lockstep, name)(*arguments)

    def step(self) -> None:
        number, rows, scale = len(self.games.facts), len(self.rows.kinds), float(self.net.layers.scale[0])
        self.launch("deal", number, self.like, self.games, self.plan)
        self.games.ends[:] = self.games.counts.cumsum()
        self.rows.inputs[:] = 0
        self.launch("write", rows, self.like, self.games, self.rows, self.bias)
        self.evaluate()
        self.launch("rate", rows, self.rows, scale)
        self.launch("settle", number, self.like, self.games, self.rows, scale, self.plan)

    def evaluate(self) -> None:
        hidden, middle, output, _ = self.net.layers
        x = self.rows.inputs.view(np.float16)[:, : self.bias + 1].astype(np.float32)
        units = np.maximum(x @ hidden, 0)
        units = np.maximum(units @ middle[:-1] + middle[-1], 0)
        self.rows.raw[:] = 1 / (1 + np.exp(-(units @ output[:-1] + output[-1])))


# --- the same games -------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES)
def test_games_in_lockstep_are_those_played_one_after_the_other(game: str) -> None:
    """As many moves, and as many afterstates that would have learned."""
    steps = Steps(game, 4, 400, 0.2)
    lengths, learned, last = {}, {}, [0] * 4
    for _ in range(300):
        before = steps.games.facts.copy()
        steps.step()
        for b, after in enumerate(steps.games.facts):
            if after[NUMBER] != before[b, NUMBER]:
                number, updates = int(before[b, NUMBER]), int(after[TOTALS + UPDATES])
                lengths[number], learned[number] = int(before[b, LENGTH]), updates - last[b]
                last[b] = updates
    assert len(lengths) > 4
    mind = mind_for(steps.start, steps.net.layers, 0.0)
    for number in sorted(lengths)[:6]:
        mind.counts[:] = 0
        play_games(steps.like, number, number + 1, steps.net.layers, steps.plan, mind)
        moves = int(mind.counts[MOVES])
        assert lengths[number] in (moves - 1, moves)  # the last move is played in the step that ends the game
        assert learned[number] == mind.counts[UPDATES]


def test_games_whose_moves_do_not_fit_wait() -> None:
    """With room for few rows, each game is the same; it only takes more steps."""
    ended: list[dict[int, int]] = []
    waited = 0
    for rows in (600, 30):
        steps = Steps("backgammon:checkers=3", 6, rows)
        lengths: dict[int, int] = {}
        while steps.games.facts[:, NUMBER].min() < 12:
            before = steps.games.facts.copy()
            steps.step()
            waited += int(steps.games.ends[-1]) > rows
            for b in np.flatnonzero(steps.games.facts[:, NUMBER] != before[:, NUMBER]):
                lengths[int(before[b, NUMBER])] = int(before[b, LENGTH])
        ended.append({number: length for number, length in lengths.items() if number < 12})
    assert waited > 0 and len(ended[0]) == 12 and ended[0] == ended[1]


def test_inputs_in_16_bits() -> None:
    for value in [0, 1, -1, 2520, -2520, 1260, 168, 7 * 168, 7 * 1260, -3 * 840, 2**31 - 1, 12345, 99]:
        told = np.array([in_16_bits(value & 0xFFFFFFFF)], np.int64).astype(np.int16).view(np.float16)[0]
        wanted = np.float16(min(value / FEATURE, 65504))
        assert abs(float(told) - float(wanted)) <= abs(float(wanted)) * 2**-11 + 2**-24


# --- on a GPU -------------------------------------------------------------------------------------------------


@pytest.mark.skipif(not (ENABLED and has_numba_cuda), reason="nothing is compiled for a GPU")
@pytest.mark.parametrize("game", ["backgammon", "go", "kalah", "pig"])
def test_the_kernels_are_compiled(game: str) -> None:
    from numba import typeof, types

    from outplay.compile.cuda import ptx
    from outplay.learn.td import gpukernels

    state = load(game).position()
    like, plan = typeof(twin(type(state)).state(state)), types.float64[::1]
    games, rows = typeof(games_of([0], 2, 5, 3, 1)), typeof(rows_of(2, 8, 5))
    kernels = {
        gpukernels.begin: (games, plan),
        gpukernels.deal: (like, games, plan),
        gpukernels.writer(count_inputs(state) + 1): (like, games, rows, types.int64),
        gpukernels.rate: (rows, types.float64),
        gpukernels.settle: (like, games, rows, types.float64, plan),
    }
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
def test_the_same_simulated(game: str) -> None:
    from outplay.learn.td import gpukernels

    class There(Steps):
        """With the kernels of a GPU, in the simulator."""

        def launch(self, name: str, threads: int, *arguments: Any) -> None:
            kernel = gpukernels.writer(self.bias + 1) if name == "write" else getattr(gpukernels, name)
            gpu.kernel(kernel, self.twin)[(threads + gpu.BLOCK - 1) // gpu.BLOCK, gpu.BLOCK](*arguments)

    here, there = (kind(game, 3, 40, 0.1) for kind in (Steps, There))
    for _ in range(6):
        here.step()
        there.step()
    for mine, yours in zip((*here.games, *here.rows), (*there.games, *there.rows), strict=True):
        assert np.array_equal(mine, yours)
