"""The GPU gives the CPU's numbers: in numba-cuda's simulator, without a GPU, and on the GPU if there is one."""

import importlib.util
import os
import subprocess
import sys

import pytest

from outplay.compile import gpu
from outplay.games import load
from outplay.search import playouts

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed", allow_module_level=True)

from numba import cuda

HERE = gpu.SIMULATED or cuda.is_available()
on_gpu = pytest.mark.skipif(not HERE, reason="there is no GPU: these tests run in the simulator alone")
SMALL = ("tictactoe", "connect4:width=4,height=4", "pig:goal=8", "kalah:pits=2,seeds=2", "hexapawn")
GAMES = ("connect4", "othello", "checkers", "chess", "go", "kalah", "pig")


def test_in_the_simulator() -> None:
    """The tests below, each function of a kernel being plain Python."""
    if gpu.SIMULATED:
        return
    plain = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "OUTPLAY_JIT": "0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", __file__]
    run = subprocess.run(command, env=plain, capture_output=True, text=True, timeout=300)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout


@on_gpu
@pytest.mark.parametrize("game", SMALL if gpu.SIMULATED else SMALL + GAMES)
def test_the_same_random_games(game: str) -> None:
    from outplay.search.gpu import playouts as on_the_gpu

    state = load(game).start
    games = 20 if gpu.SIMULATED else 3000
    assert on_the_gpu(state, games, seed=5) == playouts(state, games, seed=5)
