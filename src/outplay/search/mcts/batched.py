"""Searches that grow many trees of one position in parallel and add up their roots: PUCT, and both on a GPU.

Without a network PUCT evaluates a leaf with equal priors and one random game, as UCT does. The trees grow in batches
of simulations; the limits are checked between batches.
"""

import functools
import threading
import time as clock
from typing import Any, ClassVar, NamedTuple, Self

from outplay.game import adopt_state, max_actions, worth
from outplay.limits import Analysis, Limits, watching
from outplay.search.mcts.choice import Child, all_visits, chosen, merged
from outplay.search.mcts.network import Network, own_net
from outplay.search.mcts.puct import PUCT, rollouts
from outplay.search.mcts.puct import C as PUCT_C
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.tree import ROOT, node_bytes
from outplay.search.mcts.uct import UCT, knows_past
from outplay.search.protocol.options import Options, real, text, whole
from outplay.search.protocol.request import Past, Request
from outplay.search.protocol.search import Search, checked_root

FIRST = 8  # simulations before the limits are first checked
LOOK = 0.05  # approximate seconds between two checks
MOST_TREES = 1 << 16
CPU_TREES, GPU_TREES = 1, 1024
CPU_MEGABYTES, GPU_MEGABYTES = 256.0, 1024.0
NET_C = 2.5  # the constant c with a network
NO_NET = "none"  # use random games even if the game has a net
EDGES = 64  # average number of edges per node that memory is reserved for


def next_step(step: int, took: float) -> int:
    """The number of simulations until the next check, from the time the last ones took."""
    if took < LOOK / 2:
        return 2 * step
    return step if took < LOOK else max(1, step // 2)


class Tried(NamedTuple):
    """The statistics of an action at the root, summed over all trees."""

    action: int
    visits: int
    value: float  # for MAX
    proven: bool = False


class Batched(Search):
    """Many trees of one position."""

    chance = True
    samples = True
    finds_lines = True
    options: ClassVar[Options] = {
        "c": real("c", "the exploration constant"),
        "trees": whole("trees", "number of trees grown in parallel"),
        "memory": real("memory", "size of all trees in MB"),
        "seed": whole("seed", "seed for the random games"),
    }

    def __init__(self, c: float, trees: int, memory: float, seed: int) -> None:
        if not 0 <= c < float("inf"):
            raise ValueError(f"c must be 0 or more, not {c}")
        if not 1 <= trees <= MOST_TREES:
            raise ValueError(f"trees must be 1 to {MOST_TREES:,}, not {trees}")
        if not memory > 0:
            raise ValueError(f"memory must be more than 0, not {memory}")
        self.c, self.trees, self.memory, self.seed = c, trees, memory, seed
        self.prepared: type | None = None  # the game whose native code is compiled
        self.forget()

    # --- what a subclass knows ---

    def plant(self, state: Any, trees: int, simulations: int, past: Past = ()) -> Any:
        """Trees of the state, each with room for the simulations; call their `search` to grow them."""
        raise NotImplementedError

    def tree_bytes(self, cls: type) -> int:
        """The memory that a simulation takes in a tree."""
        raise NotImplementedError

    def tried(self, planted: Any, state: Any) -> list[Tried]:
        """The actions at the root, the best one first."""
        raise NotImplementedError

    def is_settled(self, planted: Any) -> bool:
        """Whether more simulations would change nothing."""
        return False

    # --- the protocol ---

    def prepare(self, state: Any) -> None:
        state = adopt_state(state)
        self.refuse(type(state))
        self.plant(state, 1, FIRST).search(1)
        self.prepared = type(state)

    def forget(self) -> None:
        self.planted: Any = None  # the trees of the last search
        self.found: list[Tried] = []
        self.spent = 0

    def think(self, asked: Request) -> Analysis:
        limits, state = asked.limits.timed(), checked_root(asked.state, type(asked.state))
        if limits == Limits() and asked.stop is None:
            raise ValueError(f"{self.name} searches forever: limit it by nodes or time")
        if self.prepared is not type(state):
            self.prepare(state)
        trees = self.trees if limits.nodes is None else min(self.trees, limits.nodes)
        room = int(self.memory * (1 << 20) / trees / self.tree_bytes(type(state)))
        wanted = None if limits.nodes is None else limits.nodes // trees
        self.planted = None  # free its memory before allocating more
        self.planted = self.plant(
            state, trees, max(1, room if wanted is None else min(room, wanted)), asked.past
        )
        return self.grow(asked._replace(limits=limits), trees, wanted)

    def grow(self, asked: Request, trees: int, wanted: int | None) -> Analysis:
        """Grow the trees in batches of increasing size until a limit is reached."""
        began, done, step = clock.perf_counter(), 0, FIRST
        next_report = LOOK
        halted = threading.Event()
        with watching(asked.limits.time, asked.stop, halted.set):
            while not (done and halted.is_set()) and (wanted is None or done < wanted):
                share = step if wanted is None else min(step, wanted - done)
                before = clock.perf_counter()
                self.planted.search(share)
                done += share
                self.spent = done * trees
                if self.is_settled(self.planted):
                    break
                now = clock.perf_counter()
                step = next_step(step, now - before)
                if asked.report is not None and now - began >= next_report:
                    next_report *= 2
                    asked.report(self.answer(asked, began))
        found = self.answer(asked, began)
        if asked.report is not None:
            asked.report(found)
        return found

    def answer(self, asked: Request, began: float) -> Analysis:
        """The current result: the best actions with their values."""
        allowed, tried = asked.record.legal(), self.tried(self.planted, asked.state)
        self.found = [one for one in tried if one.action in allowed] or tried  # no forbidden repetitions
        first, *others = [
            Analysis(
                tried.action, tried.value, 1, (tried.action,), tried.visits, 0.0, tried.proven,
                number=number, visits=tried.visits,
            )
            for number, tried in enumerate(self.found[: asked.lines], 1)
        ]  # fmt: skip
        return first._replace(nodes=self.spent, time=clock.perf_counter() - began, others=tuple(others))

    @property
    def nodes(self) -> int:
        return self.spent

    def visits(self) -> dict[int, int]:
        return {tried.action: tried.visits for tried in self.found}

    @classmethod
    def refuse_limits(cls, game: type, limits: Limits) -> None:
        if limits.depth is not None:
            raise ValueError(f"{cls.name} takes no depth: limit it by nodes or time")

    @classmethod
    def prover(cls, megabytes: float) -> Self:
        raise ValueError(f"{cls.name} samples and proves nothing: use another search")


class PUCTSearch(Batched):
    name = "puct"
    about = (
        "the tree search of AlphaGo Zero, with the game's own network or the one named; without a network, "
        "equal priors and random games"
    )
    source = "Silver et al. 2017; Rosin 2011"
    options: ClassVar[Options] = {
        **Batched.options,
        "net": text("net", "a network: net.onnx or net.npz from `outplay learn zero`; none: random games"),
        "simulations": whole(
            "simulations", "simulations per move, whatever the node limit; 0: use the limits"
        ),
    }

    def __init__(
        self,
        c: float | None = None,
        trees: int = CPU_TREES,
        memory: float = CPU_MEGABYTES,
        seed: int = 0,
        net: str = "",
        simulations: int = 0,
    ) -> None:
        if simulations < 0:
            raise ValueError(f"simulations must be 0 or more, not {simulations}")
        super().__init__(PUCT_C if c is None else c, trees, memory, seed)
        self.usual = c is None  # use the default constant c, which is greater with a network
        self.net, self.simulations = net, simulations
        self.given = Network(net) if net not in ("", NO_NET) else None

    @property
    def is_bounded(self) -> bool:
        return self.simulations > 0

    def network_for(self, cls: type) -> Network | None:
        """The named net, or the game's own; None: random games."""
        return self.given or (own_net(cls) if self.net == "" else None)

    def think(self, asked: Request) -> Analysis:
        if self.simulations:
            asked = asked._replace(limits=asked.limits._replace(nodes=self.simulations))
        return super().think(asked)

    def plant(self, state: Any, trees: int, simulations: int, past: Past = ()) -> Any:
        network = self.network_for(type(state))
        if network is not None:
            network.refuse(state)
        return self.grower()(
            [state] * trees,
            network or rollouts,
            simulations,
            c=NET_C if network is not None and self.usual else self.c,
            seed=self.seed,
            past=[past] * trees,
        )

    def grower(self) -> type[PUCT]:
        return PUCT

    @property
    def passed(self) -> int:
        """The visits of all nodes but the roots."""
        if self.planted is None:
            return 0
        return sum(all_visits(tree) - int(tree.visits[ROOT]) for tree in self.planted.all_trees())

    def tree_bytes(self, cls: type) -> int:
        return node_bytes(False, False) * min(max_actions(cls), EDGES)

    def tried(self, planted: Any, state: Any) -> list[Tried]:
        """The most visited first; values are the means of won (1), drawn and lost games (-1)."""
        sums: dict[int, tuple[float, float]] = {}
        for count, actions, numbers in zip(*planted.children(), strict=True):
            rows = zip(actions[:count].tolist(), numbers[:count].tolist(), strict=True)
            for action, (visits, total, *_) in rows:
                known = sums.get(action, (0.0, 0.0))
                sums[action] = known[0] + visits, known[1] + total
        cls = type(state)
        win = (1 if state.player() == 0 else -1) * (
            1 if getattr(cls, "points", False) else getattr(cls, "win", 1)
        )
        found = [Tried(a, int(visits), win * total / max(1.0, visits)) for a, (visits, total) in sums.items()]
        return sorted(found, key=lambda tried: -tried.visits)


@functools.cache
def require_gpu() -> str:
    """The reason why no GPU can be used; empty if one can."""
    from outplay.compile import gpu

    try:
        gpu.require()
    except gpu.NoGPU as missing:
        return str(missing)
    return ""


class OnGPU(Batched):
    """Searches that run only on a GPU."""

    @classmethod
    def require(cls) -> None:
        if missing := require_gpu():
            raise ValueError(f"{cls.name} runs on a GPU: {missing}")


class PUCTOnGPU(PUCTSearch, OnGPU):
    name = "puct-gpu"
    about = "PUCT without a network on a GPU, one thread per tree"
    options = Batched.options

    def __init__(
        self, c: float = PUCT_C, trees: int = GPU_TREES, memory: float = GPU_MEGABYTES, seed: int = 0
    ) -> None:
        super().__init__(c, trees, memory, seed, NO_NET)

    def grower(self) -> type[PUCT]:
        from outplay.search.mcts.gpu import GPUPUCT  # needs numba-cuda

        return GPUPUCT


class UCTOnGPU(OnGPU):
    name = "uct-gpu"
    about = "UCT on a GPU, one thread per tree"
    source = UCT.source

    def __init__(
        self,
        c: float | None = None,
        trees: int = GPU_TREES,
        memory: float = GPU_MEGABYTES,
        seed: int = 0,
    ) -> None:
        self.uct = UCT(Settings(c, seed=seed))
        super().__init__(0.0 if c is None else c, trees, memory, seed)

    def plant(self, state: Any, trees: int, simulations: int, past: Past = ()) -> Any:
        from outplay.search.mcts.gpu import GPUUCT  # needs numba-cuda

        self.certain = knows_past(type(state), (*past, state))
        return GPUUCT([state] * trees, simulations, self.uct, past=[past] * trees)

    def tree_bytes(self, cls: type) -> int:
        return node_bytes(True, True) * min(max_actions(cls), EDGES)

    def tried(self, planted: Any, state: Any) -> list[Tried]:
        """UCT's final choice first, then the most visited; proven values count as proven."""
        children = merged(planted.children())
        first = chosen(children, self.uct.settings.choice)
        scale = self.uct.rewards(state)[0] / worth(type(state))
        exact = self.certain and (scale > 0 or not getattr(type(state), "points", False))

        def summary(child: Child) -> Tried:
            gain = 2 * child.value - 1 if state.player() == 0 else 1 - 2 * child.value
            return Tried(
                child.action, child.visits, gain * (scale or 1.0), exact and child.least == child.most
            )

        return [summary(c) for c in sorted(children, key=lambda c: (c.action != first, -c.visits))]

    def is_settled(self, planted: Any) -> bool:
        """Whether no child has a better upper bound than a proven one."""
        children = merged(planted.children())
        sure = max((child.least for child in children if child.least == child.most), default=None)
        return sure is not None and sure >= max(child.most for child in children)
