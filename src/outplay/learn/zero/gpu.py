"""Self-play on a GPU: one thread per game, and nothing leaves the GPU between moves.

Arrays are torch's; our kernels and torch's run in one stream. A simulation (find leaves, evaluate them, back up)
is recorded once as a CUDA graph and replayed, so that launching its many small kernels costs nothing.
"""

from typing import Any

import numpy as np
import torch

from outplay.compile import gpu
from outplay.game import GameError
from outplay.learn.zero.games import Games
from outplay.learn.zero.gpukernels import deal, find, play, take_back
from outplay.learn.zero.moves import AFTER_VIEW, COUNTS, OUTCOME, UNKNOWN
from outplay.search.mcts.gpu import BLOCK, GPUPUCT, blocks
from outplay.search.mcts.puct import PUCT

cuda = gpu.numba_cuda()
WARM_UP = 3  # simulations before one is recorded


class GPUGames(Games):
    """Self-play on the GPU."""

    device = "cuda"
    recorded: Any = None  # a simulation as a CUDA graph
    eager = False  # never record one

    def grower(self) -> type[PUCT]:
        return GPUPUCT

    def allocate(self, roots: np.ndarray) -> None:
        number, view = self.settings.games, self.view

        def zeros(*shape: int, kind: torch.dtype = torch.int64) -> Any:
            return torch.zeros(shape, dtype=kind, device="cuda")

        self.roots = torch.from_numpy(roots).cuda()
        self.views = zeros(number, view.words)
        self.priors = zeros(number, view.answers, kind=torch.float32)
        self.values = zeros(number, kind=torch.float32)
        self.games = zeros(number, COUNTS)
        self.rows = zeros(self.length * number, view.words + AFTER_VIEW)
        self.rows[:, view.words + OUTCOME] = UNKNOWN
        self.policies = zeros(self.length * number, view.answers, kind=torch.float32)
        self.asked = torch.from_numpy(self.plan).cuda()
        self.ended = zeros(number, kind=torch.int32)
        self.arrays = {  # the same memory, in the form that our kernels take
            name: cuda.as_cuda_array(getattr(self, name))
            for name in ["roots", "views", "priors", "values", "games", "rows", "policies", "asked", "ended"]
        }

    def write(self, array: Any, content: np.ndarray) -> None:
        array[: len(content)] = torch.from_numpy(content).cuda()

    def launch(self, function: Any, *names: str) -> None:
        """Run a kernel of ours in torch's stream."""
        search: Any = self.search
        found = {
            "trees": search.trees,
            "common": search.forest.common,
            "leaves": search.leaves,
            **self.arrays,
        }
        current = torch.cuda.current_stream().cuda_stream
        stream = cuda.external_stream(current) if current else 0
        launched = gpu.kernel(function, self.search.twin)[blocks(self.settings.games), BLOCK, stream]
        with gpu.explained("its games"):
            launched(self.like, *(found[name] for name in names))

    def simulation(self) -> None:
        """Find leaves, evaluate them, back up."""
        self.launch(find, "roots", "trees", "common", "leaves", "views")
        self.evaluate(self.views, self.priors, self.values)
        self.launch(take_back, "roots", "trees", "common", "leaves", "priors", "values")

    def simulate(self, simulations: int) -> None:
        if self.recorded is None and not self.eager and self.step >= WARM_UP:
            self.record()
        for _ in range(simulations):
            if self.recorded is None:
                self.simulation()
            else:
                self.recorded.replay()

    def record(self) -> None:
        """Record a simulation as a CUDA graph. Recording does not execute it."""
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="relaxed"):  # Numba may free memory meanwhile
            self.simulation()
        self.recorded = graph

    def deal(self) -> None:
        self.asked.copy_(torch.from_numpy(self.plan))
        self.launch(deal, "roots", "trees", "common", "games", "asked")
        torch.cuda.synchronize()

    def play(self) -> None:
        self.asked.copy_(torch.from_numpy(self.plan))
        self.launch(play, "roots", "trees", "common", "rows", "policies", "games", "asked", "ended")
        self.look()

    def look(self) -> None:
        """Raise an error if a game's thread failed, an error of the rules that the CPU can name."""
        if not bool(self.ended.all()):
            raise GameError(
                f"{self.search.cls.__name__}: a game failed on the GPU; --device cpu reports the error"
            )

    def counts(self) -> np.ndarray:
        return np.asarray(self.games.sum(0).cpu().numpy())
