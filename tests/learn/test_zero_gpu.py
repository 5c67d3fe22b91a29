"""Self-play on a GPU: its kernels are compiled without one, and play the CPU's games in numba-cuda's simulator."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

from outplay.compile import ENABLED, gpu, twin
from outplay.games import load
from outplay.learn.zero.games import Games
from outplay.learn.zero.settings import settings_for
from outplay.search.mcts.tree import Tree
from outplay.search.mcts.view import view_of

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed", allow_module_level=True)

from numba import cuda, typeof, types

WORDS, NUMBERS = types.int64[:, ::1], types.float32[:, ::1]
COMMON = types.UniTuple(types.int64, len(Tree.parts))


@pytest.mark.skipif(not ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize("game", ["connect4", "go", "kalah", "pig"])
def test_the_kernels_are_compiled(game: str) -> None:
    from outplay.compile.cuda import ptx
    from outplay.learn.zero import gpukernels

    state = load(game).start
    like, plan = typeof(twin(type(state)).state(state)), types.int64[::1]
    kernels = {
        gpukernels.deal: (WORDS, WORDS, COMMON, WORDS, plan),
        gpukernels.find: (WORDS, WORDS, COMMON, WORDS, WORDS),
        gpukernels.take_back: (WORDS, WORDS, COMMON, WORDS, NUMBERS, types.float32[::1]),
        gpukernels.play: (WORDS, WORDS, COMMON, WORDS, NUMBERS, WORDS, plan, types.int32[::1]),
    }
    for kernel, kinds in kernels.items():
        assert ".visible .entry" in ptx(kernel, like, *kinds, optimised=False)


def test_in_the_simulator() -> None:
    """The test below, each function of a kernel being plain Python."""
    if gpu.SIMULATED:
        return
    plain = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "OUTPLAY_JIT": "0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", __file__]
    run = subprocess.run(command, env=plain, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout


def by_bits(views, priors, values) -> None:
    """A made-up network."""
    priors[:] = 1 + (views[:, :1] >> np.arange(priors.shape[1]) & 1)
    values[:] = (views[:, 0] % 7 - 3) / 10


@pytest.mark.skipif(not gpu.SIMULATED, reason="this test runs in the simulator alone")
@pytest.mark.parametrize("game", ["tictactoe", "kalah:pits=2,seeds=2", "pig:goal=8", "go:size=2"])
def test_the_same_games(game: str) -> None:
    from outplay.learn.zero import gpukernels
    from outplay.search.mcts.gpu import BLOCK, GPUPUCT, blocks

    class There(Games):
        """On the GPU, with arrays of its own."""

        def grower(self):
            return GPUPUCT

        def launch(self, kernel, *arrays) -> None:
            kernel = gpu.kernel(kernel, self.search.twin)
            kernel[blocks(self.settings.games), BLOCK](self.like, *arrays)

        def deal(self) -> None:
            self.launch(gpukernels.deal, self.roots, *self.search.memory_of_trees, self.games, self.plan)

        def simulate(self, simulations: int) -> None:
            for _ in range(simulations):
                trees = self.roots, *self.search.memory_of_trees, self.search.leaves
                self.launch(gpukernels.find, *trees, self.views)
                self.evaluate(self.views, self.priors, self.values)
                self.launch(gpukernels.take_back, *trees, self.priors, self.values)

        def play(self) -> None:
            ended = np.zeros(self.settings.games, np.int32)
            written = self.rows, self.policies, self.games, self.plan, ended
            self.launch(gpukernels.play, self.roots, *self.search.memory_of_trees, *written)
            assert ended.all()

    assert cuda.is_available()
    start = load(game).start
    settings = settings_for(game, start, 1, games=3, simulations=(6,))
    here, there = (kind(start, view_of(start), settings, by_bits) for kind in (Games, There))
    for _ in range(8):
        here.move(6)
        there.move(6)
    assert np.array_equal(here.rows, there.rows)
    assert np.array_equal(here.policies, there.policies)
    assert np.array_equal(here.counts(), there.counts())
