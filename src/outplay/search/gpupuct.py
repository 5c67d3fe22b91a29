"""PUCT on a GPU: a thread for each tree, thousands of trees in the GPU's memory.

The kernels are those of `puctsteps.py`, so the trees are the CPU's, edge by edge. With `uniform` and `rollouts` a
search never leaves the GPU. Any other evaluator is given a `DeviceBatch` and may answer with arrays of the GPU (what
has a `__cuda_array_interface__`: torch, CuPy, Numba) or with NumPy's.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from time import perf_counter
from typing import Any

import numpy as np

from outplay.compile import gpu
from outplay.game import GameError, max_actions, offers, plane_words
from outplay.search.puct import PUCT, Batch, policy_size
from outplay.search.puctsteps import (
    Trees,
    add_noise_one,
    backup_one,
    grow_one,
    planes_one,
    select_one,
)

cuda = gpu.numba_cuda()

BLOCK = 4 if gpu.SIMULATED else 64
SECONDS = 0.5  # that one launch should take: between launches a user may interrupt


class DeviceBatch(Batch):
    """The leaves that are to be evaluated, in the GPU's memory."""

    def __init__(self, compiled: Any, like: Any, words: Any) -> None:
        self.compiled, self.like, self.device_words = compiled, like, words

    @property
    def words(self) -> np.ndarray:  # type: ignore[override]
        return np.asarray(self.device_words.copy_to_host())

    def __len__(self) -> int:
        return len(self.device_words)

    def device_planes(self) -> Any:
        """What a network sees, in the GPU's memory: float32[B, planes, rows, columns]."""
        cls = self.compiled.cls
        if not offers(cls, "planes"):
            raise GameError(f"{cls.__name__} has no planes(): what should a network see?")
        planes, rows, columns = cls.plane_shape
        seen = cuda.device_array((len(self), planes * rows * columns), np.float32)
        room = cuda.device_array((len(self), plane_words(cls)), np.int64)
        launch = gpu.kernel(_planes, self.compiled)[blocks(len(self)), BLOCK]
        launch(self.like, self.device_words, seen, room, planes, rows * columns)
        return seen.reshape(len(self), planes, rows, columns)


class GPUPUCT(PUCT):
    """As PUCT, on the GPU."""

    def allocate(self, trees: int, simulations: int, edges: int | None) -> Trees:
        gpu.require()
        gpu.fits(self.twin)
        with gpu.explained(f"{trees} trees of {simulations} simulations"):
            self.ended = cuda.to_device(np.zeros(trees, np.int32))  # 1: the tree's thread came to its end
            return super().allocate(trees, simulations, edges)

    def memory(self) -> float:
        free = (1 << 33) if gpu.SIMULATED else cuda.current_context().get_memory_info().free
        return float(free) / (1 << 20)

    def zeros(self, shape: Any, kind: Any = np.int64) -> Any:
        return cuda.device_array(shape, kind)  # kernels fill what they read

    def place(self, array: Any, values: np.ndarray) -> None:
        array.copy_to_device(np.ascontiguousarray(values, array.dtype))

    def checked(self, priors: Any, values: Any) -> tuple[Any, Any]:
        """The evaluator's answer as arrays of the GPU; what comes from NumPy is looked at first."""
        if not (hasattr(priors, "__cuda_array_interface__") and hasattr(values, "__cuda_array_interface__")):
            priors, values = super().checked(priors, values)
            return cuda.to_device(priors), cuda.to_device(values)
        wanted = (len(self.states), policy_size(self.cls))
        if tuple(priors.shape) != wanted or tuple(values.shape) != wanted[:1]:
            raise ValueError(
                f"the evaluator gave priors {tuple(priors.shape)} and values {tuple(values.shape)}: "
                f"{wanted} and {wanted[:1]} are wanted"
            )
        return cuda.as_cuda_array(priors), cuda.as_cuda_array(values)

    # --- the kernels ---

    def run(self, function: Any, *arguments: Any) -> None:
        """Launch a kernel with a thread for each tree."""
        with gpu.explained("its trees"):
            gpu.kernel(function, self.twin)[blocks(len(self.states)), BLOCK](*arguments)

    def plant(self) -> None:
        self.is_new = True
        self.run(_plant, self.trees)

    def batch(self) -> DeviceBatch:
        return DeviceBatch(self.twin, self.like, self.trees.leaves)

    def select(self) -> None:
        self.run(_select, self.like, self.trees, self.ended, self.c)

    def backup(self, priors: Any, values: Any) -> None:
        with self.running():
            self.run(_backup, self.like, self.trees, self.ended, priors, values)

    def grow(self, simulations: int, random_games: bool) -> None:
        left, share = simulations, min(simulations, 8)
        while left:
            began = perf_counter()
            with self.running():
                self.run(_grow, self.like, self.trees, self.ended, self.c, share, random_games)
            left -= share
            share = min(left, share if perf_counter() - began > SECONDS else 4 * share)

    def mix_in(self, noise: np.ndarray, share: float) -> None:
        self.run(_add_noise, self.trees, cuda.to_device(noise), share)

    def roots(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        shape = len(self.states), max_actions(self.cls)
        counts = cuda.device_array(shape[0], np.int32)
        found = [cuda.to_device(np.zeros(shape, kind)) for kind in (np.int64, np.float64, np.float64)]
        self.run(_roots, self.trees, counts, *found)
        actions, visits, totals = (array.copy_to_host() for array in found)
        return counts.copy_to_host(), actions, visits, totals

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run a kernel; a tree whose thread has broken off is searched on the CPU, which says what is wrong."""
        yield
        ended = self.ended.copy_to_host()
        if not ended.all():
            state, most = self.states[int(ended.argmin())], self.trees.first.shape[1]
            PUCT([state], self.evaluate, most, c=self.c).search(most)
            raise GameError(
                f"{self.cls.__name__} cannot be searched on the GPU: its rules call themselves too deeply"
            )


def blocks(trees: int) -> int:
    return (trees + BLOCK - 1) // BLOCK


def _plant(trees: Any) -> None:
    t = cuda.grid(1)
    if t < len(trees.run):
        trees.branches[t, 0] = 0


def _select(like: Any, trees: Any, ended: Any, c: float) -> None:
    t = cuda.grid(1)
    if t < len(trees.run):
        ended[t] = 0
        select_one(like, t, trees, c)
        ended[t] = 1


def _backup(like: Any, trees: Any, ended: Any, priors: Any, values: Any) -> None:
    t = cuda.grid(1)
    if t < len(trees.run) and ended[t]:
        ended[t] = 0
        backup_one(like, t, trees, priors, values)
        ended[t] = 1


def _grow(like: Any, trees: Any, ended: Any, c: float, simulations: int, rollouts: int) -> None:
    t = cuda.grid(1)
    if t < len(trees.run):
        ended[t] = 0
        grow_one(like, t, trees, c, simulations, rollouts)
        ended[t] = 1


def _add_noise(trees: Any, noise: Any, share: float) -> None:
    t = cuda.grid(1)
    if t < len(trees.run):
        add_noise_one(t, trees, noise, share)


def _roots(trees: Any, counts: Any, actions: Any, visits: Any, totals: Any) -> None:
    """The roots' edges, which are the first of their trees."""
    t = cuda.grid(1)
    if t < len(trees.run):
        counts[t] = trees.branches[t, 0]
        for edge in range(counts[t]):
            actions[t, edge] = trees.action[t, edge]
            visits[t, edge] = trees.visits[t, edge]
            totals[t, edge] = trees.total[t, edge]


def _planes(like: Any, words: Any, seen: Any, room: Any, planes: int, cells: int) -> None:
    b = cuda.grid(1)
    if b < len(words):
        planes_one(like, b, words, seen, room[b], planes, cells)
