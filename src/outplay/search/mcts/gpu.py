"""PUCT and UCT on a GPU: one thread per tree, thousands of trees in GPU memory.

The kernels are those of `grow.py`, so the trees equal the CPU's, node by node. With `uniform` and `rollouts` a PUCT
search never leaves the GPU. Any other evaluator receives a `DeviceBatch` and may return GPU arrays (anything with
a `__cuda_array_interface__`: torch, CuPy, Numba) or NumPy arrays.
"""

from collections.abc import Callable, Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numba.cuda import libdevice

from outplay.compile import gpu, twin
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE, flat
from outplay.game import FORBIDDEN, GameError, checked_state, max_actions, offers, plane_words
from outplay.limits import Limits
from outplay.search.mcts.choice import Child, child_of, chosen
from outplay.search.mcts.grow import children_of, from_leaf, iterate, iterate_puct, mix_in, planes_of, to_leaf
from outplay.search.mcts.playout import pointer
from outplay.search.mcts.puct import PUCT, Batch, Pasts
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.tree import (
    MARKS,
    ROOT,
    Tree,
    any_tree,
    check_size,
    clear,
    log_roots,
    new_tree,
    node_bytes,
    past_keys,
    product,
    proven,
    puct_tree,
    uct_tree,
)
from outplay.search.mcts.uct import UCT, seed_of, set_up
from outplay.search.protocol.search import checked_root

cuda = gpu.numba_cuda()
load_state = NATIVE["load_state"][ENABLED]

BLOCK = 4 if gpu.SIMULATED else 64
SECONDS = 0.5  # target time of one launch: between launches a user may interrupt


class Forest:
    """The trees on a GPU, each a row of words, and operations on all of them."""

    def __init__(self, compiled: Any, states: int, pattern: Tree) -> None:
        self.twin, self.pattern, self.number = compiled, pattern, states
        with gpu.explained(f"{states} trees of {pattern.size} nodes"):
            self.logs = cuda.to_device(log_roots())
            self.ended = cuda.to_device(np.zeros(states, np.int32))  # 1: the tree's thread finished
            self.words = cuda.device_array((states, len(pattern.words)), np.int64)
        pattern.logs = gpu.address_of(self.logs)

    def run(self, function: Any, *arguments: Any) -> None:
        """Launch a kernel with one thread per tree."""
        with gpu.explained("its trees"):
            gpu.kernel(function, self.twin)[blocks(self.number), BLOCK](*arguments)

    def plant(self, heads: np.ndarray) -> None:
        """Empty trees, each with its own header words."""
        self.common = tuple(heads[0, : len(Tree.parts)].tolist())  # settings, which all trees share
        self.run(_plant, self.words, self.common, cuda.to_device(np.ascontiguousarray(heads)))

    def grow(self, simulations: int, launch: Callable[[int], None]) -> None:
        """Call `launch` for all simulations, in shares that take about SECONDS."""
        left, share = simulations, min(simulations, 8)
        while left:
            began = perf_counter()
            launch(share)
            left -= share
            share = min(left, share if perf_counter() - began > SECONDS else 4 * share)

    def broken(self) -> int | None:
        """The number of a tree whose thread was aborted, if there is one."""
        ended = self.ended.copy_to_host()
        return None if ended.all() else int(ended.argmin())

    def children(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each root: the number of children, then their actions and the four numbers of `children_of`."""
        shape = self.number, max_actions(self.twin.cls)
        counts = cuda.device_array(self.number, np.int64)
        actions, numbers = cuda.to_device(np.zeros(shape, np.int64)), cuda.to_device(np.zeros((*shape, 4)))
        self.run(_children, self.words, self.common, counts, actions, numbers)
        return counts.copy_to_host(), actions.copy_to_host(), numbers.copy_to_host()

    def words_of(self, name: str) -> np.ndarray:
        """One number per tree."""
        found = cuda.device_array(self.number, np.int64)
        self.run(_column, self.words, Tree.parts[name].at, found)
        return np.asarray(found.copy_to_host())

    def tree(self, number: int) -> Tree:
        """A copy of one of the trees."""
        return self.pattern.over(self.words[number].copy_to_host())

    @property
    def full(self) -> int:
        """The number of trees that ran out of memory."""
        return int((self.words_of("full") > 0).sum())

    def too_deep(self) -> GameError:
        return GameError(
            f"{self.twin.cls.__name__} cannot be searched on the GPU: its rules call themselves too deeply"
        )


def free_megabytes() -> float:
    return gpu.free_memory() / (1 << 20)


def blocks(trees: int) -> int:
    return (trees + BLOCK - 1) // BLOCK


# --- PUCT ------------------------------------------------------------------------------------------------


class DeviceBatch(Batch):
    """The leaves to evaluate, in GPU memory."""

    def __init__(self, compiled: Any, like: Any, words: Any) -> None:
        self.compiled, self.like, self.device_words = compiled, like, words

    @property
    def words(self) -> np.ndarray:  # type: ignore[override]
        return np.asarray(self.device_words.copy_to_host())

    def __len__(self) -> int:
        return len(self.device_words)

    def device_planes(self) -> Any:
        """The network's input in GPU memory: float32[B, planes, rows, columns]."""
        cls = self.compiled.cls
        if not offers(cls, "planes"):
            raise GameError(f"{cls.__name__} has no planes(), the input of a network")
        planes, rows, columns = cls.plane_shape
        seen = cuda.device_array((len(self), planes * rows * columns), np.float32)
        room = cuda.device_array((len(self), plane_words(cls) + 1), np.int64)
        launch = gpu.kernel(_planes, self.compiled)[blocks(len(self)), BLOCK]
        launch(self.like, self.device_words, seen, room, planes)
        return seen.reshape(len(self), planes, rows, columns)


class GPUPUCT(PUCT):
    """PUCT on the GPU."""

    def memory(self) -> float:
        gpu.require()
        gpu.fits(self.twin)
        return free_megabytes()

    def allocate(self, trees: int) -> None:
        self.forest = Forest(self.twin, trees, self.pattern)
        self.trees = self.forest.words
        words = len(flat(self.like))
        with gpu.explained(f"{trees} states"):
            self.roots, self.leaves = (cuda.device_array((trees, words), np.int64) for _ in range(2))

    @property
    def memory_of_trees(self) -> Any:
        """The arguments of kernels from which `puct_tree` makes a thread's tree."""
        return self.forest.words, self.forest.common

    def plant(self, heads: np.ndarray) -> None:
        self.is_new = True
        self.forest.plant(heads)

    def set_roots(self, words: np.ndarray) -> None:
        self.roots.copy_to_device(words)

    def checked(self, priors: Any, values: Any) -> tuple[Any, Any]:
        """The evaluator's result as GPU arrays; NumPy arrays are checked first."""
        if not (hasattr(priors, "__cuda_array_interface__") and hasattr(values, "__cuda_array_interface__")):
            priors, values = super().checked(priors, values)
            return cuda.to_device(priors), cuda.to_device(values)
        wanted = (len(self.states), self.answers)
        if tuple(priors.shape) != wanted or tuple(values.shape) != wanted[:1]:
            raise ValueError(
                f"the evaluator returned priors {tuple(priors.shape)} and values {tuple(values.shape)}: "
                f"expected {wanted} and {wanted[:1]}"
            )
        return cuda.as_cuda_array(priors), cuda.as_cuda_array(values)

    # --- the kernels ---

    def batch(self) -> DeviceBatch:
        return DeviceBatch(self.twin, self.like, self.leaves)

    def select(self) -> None:
        self.forest.run(_select, self.like, self.roots, *self.memory_of_trees, self.leaves, self.forest.ended)

    def backup(self, priors: Any, values: Any) -> None:
        leaves, ended = self.leaves, self.forest.ended
        self.forest.run(_backup, self.like, self.roots, *self.memory_of_trees, leaves, ended, priors, values)
        self.look()

    def grow(self, simulations: int, random_games: bool) -> None:
        def launch(share: int) -> None:
            self.forest.run(
                _grow, self.like, self.roots, *self.memory_of_trees, self.forest.ended, share, random_games
            )
            self.look()

        self.forest.grow(simulations, launch)

    def look(self) -> None:
        """A tree whose thread was aborted is searched again on the CPU, which reports the error."""
        number = self.forest.broken()
        if number is not None:
            PUCT([self.states[number]], self.evaluate, c=self.c).search(800)
            raise self.forest.too_deep()

    def mix_in(self, noise: np.ndarray, share: float) -> None:
        self.forest.run(_mix_in, *self.memory_of_trees, cuda.to_device(noise), share)

    def children(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return self.forest.children()

    def tree(self, number: int) -> Tree:
        return self.forest.tree(number)

    @property
    def full(self) -> int:
        return self.forest.full


# --- UCT -------------------------------------------------------------------------------------------------


class GPUUCT:
    """Searches many positions of a game in parallel.

    Tree number i is the one that thread i of the CPU's `UCT` would grow from the same position.

    simulations  maximum per tree
    player       the settings (C, solver, RAVE, hints, final choice, seed); its threads and memory do not count
    nodes        maximum per tree; by default enough for `simulations` nodes with many actions
    past         for each state the earlier ones of its game, if the rules forbid repetition
    """

    def __init__(
        self,
        states: Sequence[Any],
        simulations: int = 1000,
        player: UCT | None = None,
        *,
        nodes: int | None = None,
        past: Pasts = None,
    ) -> None:
        if simulations < 1 or not states:
            raise ValueError("UCT needs at least one state and one simulation")
        self.player = player or UCT()
        self.cls = type(checked_state(states[0]))
        UCT.refuse(self.cls)
        gpu.require()
        self.twin = twin(self.cls)
        gpu.fits(self.twin)
        self.states = list(states)
        self.like = self.twin.state(states[0])
        words = {state: flat(self.twin.state(checked_root(state, self.cls))) for state in set(states)}
        most = max_actions(self.cls)
        size = nodes or max(simulations + 1, most // 64 + 1) * min(most, 64) + 1
        chosen = self.player.settings.parameters(self.cls)
        rave, informed = chosen.rave > 0, chosen.prior > 0
        check_size(self.cls, len(states), size, node_bytes(rave, informed), free_megabytes())
        forbidden = getattr(self.cls, "repetition", 0) == FORBIDDEN
        keys = past_keys(self.twin, past if past and forbidden else [()] * len(states))
        pattern = new_tree(self.cls, size, rave=rave, informed=informed, past=max(map(len, keys)))
        self.forest = Forest(self.twin, len(states), pattern)
        self.roots = cuda.to_device(np.array([words[state] for state in states]))
        self.forest.plant(self.heads(pattern, keys))

    def heads(self, pattern: Tree, keys: list[list[int]]) -> np.ndarray:
        """Write the settings and the history of each tree."""
        growths = {state: self.player.growth(state) for state in set(self.states)}
        longest = max(map(len, keys))
        heads = []
        for number, (state, known) in enumerate(zip(self.states, keys, strict=True)):
            set_up(pattern, growths[state], seed_of(self.player.settings.seed, number))
            pattern.past = len(known)
            pattern.array("keys")[: len(known)] = known
            heads.append(pattern.head(longest).copy())
        return np.array(heads)

    def search(self, simulations: int) -> None:
        """Run simulations in every tree until its root is proven."""
        if simulations < 1:
            raise ValueError(f"simulations must be 1 or more, not {simulations}")
        self.forest.grow(simulations, self.iterate)

    def iterate(self, simulations: int) -> None:
        forest = self.forest
        forest.run(_iterate, self.like, self.roots, forest.words, forest.common, forest.ended, simulations)
        number = self.forest.broken()
        if number is not None:
            UCT(Settings(hints=self.player.settings.hints)).search(self.states[number], Limits(nodes=10_000))
            raise self.forest.too_deep()

    # --- results -----------

    def children(self) -> list[list[Child]]:
        """The visited actions of each root."""
        movers = (state.player() for state in self.states)
        return [
            [
                child_of(mover, action, *four)
                for action, four in zip(actions[:count].tolist(), numbers[:count].tolist(), strict=True)
                if four[0] > 0
            ]
            for mover, count, actions, numbers in zip(movers, *self.forest.children(), strict=True)
        ]

    def visits(self) -> list[dict[int, int]]:
        """The visit counts of the actions at each root."""
        return [{child.action: child.visits for child in children} for children in self.children()]

    def choose(self) -> list[int]:
        """The final choice at each root."""
        return [chosen(children, self.player.settings.choice) for children in self.children()]

    @property
    def full(self) -> int:
        """The number of trees that ran out of memory."""
        return self.forest.full


# --- kernels ---------------------------------------------------------------------------------------------


@gpu.instead(product)
def _product(x: float, y: float) -> float:
    return libdevice.dmul_rn(x, y)


def _plant(trees: Any, common: Any, heads: Any) -> None:
    """Unvisited roots."""
    t = cuda.grid(1)
    if t < len(trees):
        for i in range(heads.shape[1]):
            trees[t, i] = heads[t, i]
        tree = any_tree(t, trees, common)
        if tree.rave:
            for i in range(MARKS):
                tree.mark_stamps[i] = 0
        clear(tree)


def _iterate(like: Any, roots: Any, trees: Any, common: Any, ended: Any, simulations: int) -> None:
    t = cuda.grid(1)
    if t < len(trees):
        ended[t] = 0
        tree = uct_tree(t, trees, common)
        s = load_state(pointer(roots[t]), 0, like)
        for _ in range(simulations):
            if proven(ROOT, tree):
                break
            tree.nodes += 1
            iterate(s, tree)
        ended[t] = 1


def _grow(
    like: Any, roots: Any, trees: Any, common: Any, ended: Any, simulations: int, rollouts: int
) -> None:
    t = cuda.grid(1)
    if t < len(trees):
        ended[t] = 0
        tree = puct_tree(t, trees, common)
        s = load_state(pointer(roots[t]), 0, like)
        for _ in range(simulations):
            iterate_puct(s, tree, rollouts)
        ended[t] = 1


def _select(like: Any, roots: Any, trees: Any, common: Any, leaves: Any, ended: Any) -> None:
    t = cuda.grid(1)
    if t < len(trees):
        ended[t] = 0
        to_leaf(load_state(pointer(roots[t]), 0, like), puct_tree(t, trees, common), pointer(leaves[t]))
        ended[t] = 1


def _backup(
    like: Any, roots: Any, trees: Any, common: Any, leaves: Any, ended: Any, priors: Any, values: Any
) -> None:
    t = cuda.grid(1)
    if t < len(trees) and ended[t]:
        ended[t] = 0
        s = load_state(pointer(roots[t]), 0, like)
        found = load_state(pointer(leaves[t]), 0, like)
        from_leaf(s, found, puct_tree(t, trees, common), priors[t], values[t])
        ended[t] = 1


def _mix_in(trees: Any, common: Any, noise: Any, share: float) -> None:
    t = cuda.grid(1)
    if t < len(trees):
        mix_in(puct_tree(t, trees, common), noise[t], share)


def _children(trees: Any, common: Any, counts: Any, actions: Any, numbers: Any) -> None:
    t = cuda.grid(1)
    if t < len(trees):
        counts[t] = children_of(any_tree(t, trees, common), actions[t], numbers[t])


def _column(trees: Any, place: int, found: Any) -> None:
    t = cuda.grid(1)
    if t < len(trees):
        found[t] = trees[t, place]


def _planes(like: Any, words: Any, seen: Any, room: Any, planes: int) -> None:
    b = cuda.grid(1)
    if b < len(words):
        s = load_state(pointer(words[b]), 0, like)
        planes_of(s, seen[b], pointer(room[b]), planes, seen.shape[1])
