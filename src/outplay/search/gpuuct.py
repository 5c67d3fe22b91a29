"""UCT on a GPU: a thread for each tree, thousands of positions at the same time.

The kernels are those of `uctsteps.py`, so tree number i is the one that thread i of the CPU's `UCT` would grow from
the same position, node by node.
"""

from collections.abc import Sequence
from time import perf_counter
from typing import Any

import numpy as np
from numba.cuda import libdevice

from outplay.compile import gpu, twin
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE, flat
from outplay.game import FORBIDDEN, GameError, checked_state, max_actions
from outplay.limits import Limits
from outplay.search.control import NODES, pointer
from outplay.search.fit import checked_root
from outplay.search.gpupuct import BLOCK, SECONDS, blocks
from outplay.search.uctplayer import UCT, Child, chosen, refuse_uct
from outplay.search.uctsteps import iterate, product, proven
from outplay.search.ucttree import (
    AMAF_BYTES,
    LEAST,
    MARKS,
    MAX_DEPTH,
    MAX_LINE,
    MOST,
    NODE_BYTES,
    PRIOR_BYTES,
    ROOT,
    SIZE,
    Tree,
    new_tree,
)

cuda = gpu.numba_cuda()
load_state = NATIVE["load_state"][ENABLED]


class GPUUCT:
    """Searches many positions of a game at the same time.

    simulations  the most that a tree is made for
    player       says how to search (C, solver, RAVE, hints, final choice, seed); its threads and memory do not count
    nodes        the most of a tree; by default enough for `simulations` nodes of many actions
    """

    def __init__(
        self,
        states: Sequence[Any],
        simulations: int = 1000,
        player: UCT | None = None,
        *,
        nodes: int | None = None,
    ) -> None:
        if simulations < 1 or not states:
            raise ValueError("UCT needs at least one state and one simulation")
        self.player = player or UCT()
        self.cls = type(checked_state(states[0]))
        refuse_uct(self.cls)
        gpu.require()
        self.twin = twin(self.cls)
        gpu.fits(self.twin)
        self.states = list(states)
        self.like = self.twin.state(states[0])
        words = {state: self.root(state) for state in set(states)}
        size = nodes or (simulations + 1) * min(max_actions(self.cls), 64) + 1
        with gpu.explained(f"{len(states)} trees of {size} nodes"):
            self.roots = cuda.to_device(np.array([words[state] for state in states]))
            self.ended = cuda.to_device(
                np.zeros(len(states), np.int32)
            )  # 1: the tree's thread came to its end
            self.trees = self.allocate(size)
        self.run(_plant, self.trees)

    def root(self, state: Any) -> list[int]:
        """A state's words, if there is something to choose."""
        return flat(self.twin.state(checked_root(state, self.cls)))

    def allocate(self, size: int) -> Tree:
        """The arrays of all trees, a row for each; what is the same in all is there once."""
        settings = self.player.settings(self.cls)
        rave, informed = settings.rave > 0, settings.prior > 0
        line = (MAX_LINE if rave else MAX_DEPTH) + 1
        bytes_each = size * (NODE_BYTES + AMAF_BYTES * rave + PRIOR_BYTES * informed) + 8 * (
            3 * line + MAX_DEPTH
        )
        megabytes = len(self.states) * (bytes_each + 16 * MARKS * rave) / (1 << 20)
        free = (1 << 33) if gpu.SIMULATED else cuda.current_context().get_memory_info().free
        if size < max_actions(self.cls) + 1 or megabytes > free / (1 << 20):
            raise ValueError(
                f"{len(self.states)} trees of {size} nodes take {megabytes:.0f} MB: at least "
                f"{max_actions(self.cls) + 1} nodes and at most {free / (1 << 20):.0f} MB are wanted"
            )
        pattern, runs, rates = self.settings(size, rave, informed)

        def rows(width: int, kind: Any = np.int64) -> Any:
            return cuda.device_array((len(self.states), width), kind)

        number = np.float64
        return Tree(
            stats=rows(2 * size, number), terms=rows(2 * size, number), links=rows(4 * size, np.int32),
            action=rows(size), bounds=rows(2 * size, number),
            amaf=rows(2 * size if rave else 2, number), expected=rows(size if informed else 1, number),
            run=cuda.to_device(runs), rates=cuda.to_device(rates), roots=cuda.to_device(pattern.roots),
            path=rows(MAX_DEPTH + 1), movers=rows(line), moves=rows(line), marks=rows(2 * MARKS if rave else 2),
            keys=rows(MAX_DEPTH + 1 if getattr(self.cls, "repetition", 0) == FORBIDDEN else 1),
        )  # fmt: skip

    def settings(self, size: int, rave: bool, informed: bool) -> tuple[Tree, np.ndarray, np.ndarray]:
        """A tree of the CPU, and the control words and constants of each of ours."""
        least = (max_actions(self.cls) + 2) * (NODE_BYTES + AMAF_BYTES + PRIOR_BYTES)
        pattern = new_tree(self.cls, least / (1 << 20), rave, informed)
        rewards = {state: self.player.rewards(state) for state in set(self.states)}
        runs, rates = [], []
        for number, state in enumerate(self.states):
            self.player.set_up(pattern, self.cls, number, *rewards[state])
            pattern.run[SIZE] = size
            runs.append(pattern.run.copy())
            rates.append(pattern.rates.copy())
        return pattern, np.array(runs), np.array(rates)

    def run(self, function: Any, *arguments: Any) -> None:
        """Launch a kernel with a thread for each tree."""
        with gpu.explained("its trees"):
            gpu.kernel(function, self.twin)[blocks(len(self.states)), BLOCK](*arguments)

    def search(self, simulations: int) -> None:
        """So many simulations in every tree whose root is not proven before."""
        if simulations < 1:
            raise ValueError(f"simulations must be 1 or more, not {simulations}")
        left, share = simulations, min(simulations, 8)
        while left:
            began = perf_counter()
            self.run(_iterate, self.like, self.roots, self.trees, self.ended, share)
            self.look()
            left -= share
            share = min(left, share if perf_counter() - began > SECONDS else 4 * share)

    def look(self) -> None:
        """See that all trees have grown; one that has not is grown on the CPU, which says what is wrong."""
        ended = self.ended.copy_to_host()
        if not ended.all():
            UCT(hints=self.player.hints).search(self.states[int(ended.argmin())], Limits(nodes=10_000))
            raise GameError(
                f"{self.cls.__name__} cannot be searched on the GPU: its rules call themselves too deeply"
            )

    # --- what came of it ---

    def children(self) -> list[list[Child]]:
        """The visited actions of each root."""
        shape = len(self.states), max_actions(self.cls)
        counts = cuda.device_array(shape[0], np.int32)
        actions = cuda.to_device(np.zeros(shape, np.int64))
        numbers = cuda.to_device(np.zeros((*shape, 4)))
        self.run(_children, self.trees, counts, actions, numbers)
        read = (array.copy_to_host() for array in (counts, actions, numbers))
        return [
            [
                Child(
                    int(action), int(n), total / n, *((1 - most, 1 - least) if mover == 1 else (least, most))
                )
                for action, (n, total, least, most) in zip(row[:count], four[:count].tolist(), strict=True)
                if n > 0
            ]
            for mover, count, row, four in zip((s.player() for s in self.states), *read, strict=True)
        ]

    def visits(self) -> list[dict[int, int]]:
        """How often each action was tried at each root."""
        return [{child.action: child.visits for child in children} for children in self.children()]

    def choose(self) -> list[int]:
        """The final choice at each root."""
        return [chosen(children, self.player.choice) for children in self.children()]


# --- kernels ---------------------------------------------------------------------------------------------


def _plant(trees: Any) -> None:
    """Unvisited roots."""
    t = cuda.grid(1)
    if t < len(trees.run):
        for i in range(2):
            trees.stats[t, i] = 0.0
            trees.terms[t, i] = 0.0
            trees.amaf[t, i] = 0.0
        for i in range(4):
            trees.links[t, i] = 0
        for i in range(trees.marks.shape[1]):
            trees.marks[t, i] = 0
        trees.action[t, 0] = 0
        trees.bounds[t, 0] = trees.rates[t, LEAST]
        trees.bounds[t, 1] = trees.rates[t, MOST]


def _iterate(like: Any, roots: Any, trees: Any, ended: Any, simulations: int) -> None:
    t = cuda.grid(1)
    if t < len(trees.run):
        ended[t] = 0
        tree = Tree(
            pointer(trees.stats[t]), pointer(trees.terms[t]), pointer(trees.links[t]), pointer(trees.action[t]),
            pointer(trees.bounds[t]), pointer(trees.amaf[t]), pointer(trees.expected[t]), pointer(trees.run[t]),
            pointer(trees.rates[t]), pointer(trees.roots), pointer(trees.path[t]), pointer(trees.movers[t]),
            pointer(trees.moves[t]), pointer(trees.marks[t]), pointer(trees.keys[t]),
        )  # fmt: skip
        s = load_state(pointer(roots[t]), 0, like)
        for _ in range(simulations):
            if proven(ROOT, tree):
                break
            tree.run[NODES] += 1
            iterate(s, tree)
        ended[t] = 1


@gpu.instead(product)
def _product(x: float, y: float) -> float:
    return libdevice.dmul_rn(x, y)


def _children(trees: Any, counts: Any, actions: Any, numbers: Any) -> None:
    t = cuda.grid(1)
    if t < len(trees.run):
        first = trees.links[t, 0]
        counts[t] = trees.links[t, 1]
        for i in range(counts[t]):
            child = first + i
            actions[t, i] = trees.action[t, child]
            numbers[t, i, 0] = trees.stats[t, 2 * child]
            numbers[t, i, 1] = trees.stats[t, 2 * child + 1]
            numbers[t, i, 2] = trees.bounds[t, 2 * child]
            numbers[t, i, 3] = trees.bounds[t, 2 * child + 1]
