"""A run in lockstep on a GPU: one thread per game or row, and nothing leaves the GPU between steps.

Arrays are torch's; our kernels and torch's run in one stream. A step is recorded once as a CUDA graph and replayed, so
that launching its many small kernels costs nothing.
"""

from typing import Any

import torch

from outplay.compile import gpu, twin
from outplay.learn.folder import Folder, undivided
from outplay.learn.td import gpukernels
from outplay.learn.td.crowd import BURST, Crowd
from outplay.learn.td.settings import Settings

cuda = gpu.numba_cuda()


class GPUCrowd(Crowd):
    """As Crowd, on the GPU."""

    device = "cuda"
    recorded: Any = None  # a step as a CUDA graph

    def __init__(self, settings: Settings, folder: Folder, start: Any) -> None:
        gpu.require()
        gpu.fits(twin(type(start)))
        super().__init__(settings, folder, start)

    def native_array(self, tensor: Any) -> Any:
        return cuda.as_cuda_array(tensor)

    def make_rows(self, capacity: int) -> None:
        self.recorded = None
        super().make_rows(capacity)

    def kernel(self, name: str) -> Any:
        function = gpukernels.writer(self.bias + 1) if name == "write" else getattr(gpukernels, name)
        return gpu.kernel(function, self.twin)

    def launch(self, name: str, threads: int, *arguments: Any) -> None:
        """Run a kernel of ours in torch's stream."""
        current = torch.cuda.current_stream().cuda_stream
        stream = cuda.external_stream(current) if current else 0
        blocks = (threads + gpu.BLOCK - 1) // gpu.BLOCK
        with gpu.explained("its games"):
            self.kernel(name)[blocks, gpu.BLOCK, stream](*arguments)

    def write_rows(self, number: int) -> None:
        self.launch("write", number, self.native, self.native_games, self.native_rows, self.bias)

    def burst(self) -> None:
        """On a GPU a burst is short: a Ctrl-C waits for its end."""
        with undivided():
            if self.recorded is None:
                self.step()  # what is done for the first time cannot be recorded
                self.record()
            for _ in range(BURST):
                self.recorded.replay()
            torch.cuda.synchronize()
            self.look()

    def record(self) -> None:
        """Record a step. What it does while it is recorded is nothing; replaying it does it."""
        torch.cuda.synchronize()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph, capture_error_mode="relaxed"):  # Numba may free memory meanwhile
            self.step()
        self.recorded = graph
