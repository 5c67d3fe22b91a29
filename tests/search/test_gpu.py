"""The GPU gives the CPU's numbers: in numba-cuda's simulator, without a GPU, and on the GPU if there is one."""

import importlib.util
import os
import subprocess
import sys

import numpy as np
import pytest

from outplay.compile import ENABLED, gpu
from outplay.game import CHANCE, legal
from outplay.gamefile import open_game
from outplay.games import load
from outplay.search import Limits, playouts
from outplay.search.mcts.puct import PUCT, Batch, rollouts, uniform
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.tree import Tree
from outplay.search.mcts.uct import UCT

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed", allow_module_level=True)

from numba import cuda

HERE = gpu.SIMULATED or (ENABLED and cuda.is_available())
on_gpu = pytest.mark.skipif(not HERE, reason="there is no GPU: these tests run in the simulator alone")
SMALL = (
    "tictactoe",
    "connect4:width=4,height=4",
    "pig:goal=8",
    "kalah:pits=2,seeds=2",
    "hexapawn",
    "go:size=3",
)
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
    from outplay.search.mcts.gpuplayout import playouts as on_the_gpu

    state = load(game).start
    games = 20 if gpu.SIMULATED else 3000
    assert on_the_gpu(state, games, seed=5) == playouts(state, games, seed=5)


def assert_same(here: Tree, there: Tree) -> None:
    """Node by node, number by number."""
    for name in ("used", "turn", "counter"):
        assert getattr(here, name) == getattr(there, name), name
    known = slice(here.used) if not here.puct else np.flatnonzero(here.array("visits")[: here.used])
    for name in ("action", "visits", "total", "weight"):
        assert here.array(name)[: here.used].tolist() == there.array(name)[: here.used].tolist(), name
    for name in ("first", "count", "least", "most"):  # which PUCT writes at a node's first visit
        assert here.array(name)[known].tolist() == there.array(name)[known].tolist(), name
    if not here.puct:
        assert here.array("mean")[: here.used].tolist() == there.array("mean")[: here.used].tolist()


@on_gpu
@pytest.mark.parametrize("evaluate", [uniform, rollouts])
@pytest.mark.parametrize("game", SMALL if gpu.SIMULATED else SMALL + GAMES)
def test_the_same_trees(game: str, evaluate) -> None:
    """Every number of every edge is the CPU's; the trees of equal positions differ where chance or games fall."""
    from outplay.search.mcts.gpu import GPUPUCT

    start = load(game).start
    states = [start, start, start.result(legal(start)[0])] * (1 if gpu.SIMULATED else 40)
    states = [state for state in states if state.player() != CHANCE]
    simulations = 20 if gpu.SIMULATED else 200
    here, there = (kind(states, evaluate, simulations, seed=3) for kind in (PUCT, GPUPUCT))
    for search in (here, there):
        search.search(simulations)
    assert here.visits() == there.visits()
    assert here.values().tolist() == there.values().tolist()
    for number in range(len(states)):
        assert_same(here.tree(number), there.tree(number))
    assert here.full == there.full == 0
    there.restart(states)
    assert [there.tree(number).used for number in range(len(states))] == [1] * len(states)


@on_gpu
def test_an_evaluator_between_select_and_backup() -> None:
    from outplay.search.mcts.gpu import GPUPUCT

    def by_planes(batch: Batch):
        planes = (
            batch.planes() if not hasattr(batch, "device_planes") else batch.device_planes().copy_to_host()
        )
        return 1 + planes.reshape(len(batch), -1)[:, :9], planes.mean(axis=(1, 2, 3)) - 0.2

    states = [load("tictactoe").start, load("tictactoe").start.result(4)]
    here, there = (kind(states, by_planes, 30) for kind in (PUCT, GPUPUCT))
    for search in (here, there):
        search.search(30)
    assert here.visits() == there.visits()
    assert here.values() == pytest.approx(there.values(), abs=1e-15)
    there.restart(states)
    there.search(5, noise=0.25)
    assert sum(there.visits()[0].values()) == 4


@on_gpu
@pytest.mark.parametrize("rave", [0, 300])
@pytest.mark.parametrize("game", SMALL if gpu.SIMULATED else SMALL + GAMES)
def test_uct_grows_the_same_trees(game: str, rave: float) -> None:
    """Tree i is that of the CPU's thread i: every node's visits, rewards and bounds."""
    from outplay.search.mcts.gpu import GPUUCT

    start = load(game).start
    trees, simulations = (2, 25) if gpu.SIMULATED else (3, 400)
    here = UCT(Settings(threads=trees, seed=7, rave=rave))
    here.search(start, Limits(nodes=trees * simulations))
    there = GPUUCT([start] * trees, simulations, UCT(Settings(seed=7, rave=rave)))
    there.search(simulations)
    grown = [tree.turn for tree in here.trees]
    for number, tree in enumerate(here.trees):
        if grown[number] < max(grown):
            continue  # another thread has proven the root, and this one stopped
        assert_same(tree, there.forest.tree(number))
    assert there.choose()[0] in legal(start)
    assert sum(there.visits()[0].values()) == grown[0]


@on_gpu
def test_uct_knows_what_may_not_come_back() -> None:
    """Go on 2x2, where Black may not take at A1."""
    from outplay.search.mcts.gpu import GPUUCT

    record = open_game("go:size=2,komi=0,half=0", "", "A1 B1 A2 B2 A1 A2")
    here = UCT(Settings(seed=7))
    here.search(record, Limits(nodes=30))
    there = GPUUCT([record.state], 30, UCT(Settings(seed=7)), past=[record.past()])
    there.search(30)
    assert_same(here.trees[0], there.forest.tree(0))
    assert there.visits()[0].keys() <= set(record.legal()) < set(legal(record.state))
