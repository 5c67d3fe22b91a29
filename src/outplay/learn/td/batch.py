"""The net in torch: all rows evaluated together, and one update from all games.

The update is that of `update.py` without traces, summed over the games and taken from the same weights; instead of
alpha times that sum, the weights move as Adam says (Kingma & Ba 2015), at the rate alpha. On a GPU rows are evaluated
in 16 bits, and learned from in 32.
"""

from typing import Any

import torch

from outplay.learn.td.settings import Settings
from outplay.search.valuenet.layers import Layers

FIRST, SECOND = 0.9, 0.999  # how slowly Adam's means of gradients, and of their squares, forget
LEAST = 1e-8


class BatchNet:
    """The weights, all in one vector, with Adam's means."""

    def __init__(self, layers: Layers, settings: Settings, device: str, width: int) -> None:
        self.settings, self.on_gpu = settings, device == "cuda"
        if self.on_gpu:
            torch.set_float32_matmul_precision("high")
        parts = [part for part in (layers.hidden, layers.middle, layers.output) if len(part)]
        size = sum(part.size for part in parts)
        self.rectifies = len(layers.middle) > 0
        self.weights, self.mean, self.square, self.gradient = (
            torch.zeros(size, device=device) for _ in range(4)
        )
        self.counts = torch.zeros(1, dtype=torch.float64, device=device)  # updates
        self.error = torch.zeros(1, dtype=torch.float64, device=device)
        self.parts, self.gradients = (
            [
                piece.view(*part.shape)
                for piece, part in zip(whole.split([p.size for p in parts]), parts, strict=True)
            ]
            for whole in (self.weights, self.gradient)
        )
        kind = torch.float16 if self.on_gpu else torch.float32
        self.halves = [torch.zeros(part.shape, dtype=kind, device=device) for part in self.parts[:-1]]
        self.halves[0] = torch.zeros(width, parts[0].shape[1], dtype=kind, device=device)
        self.none = torch.zeros(parts[0].shape[1], dtype=kind, device=device)
        self.set(layers)

    def set(self, layers: Layers) -> None:
        """Take over weights."""
        given = [part for part in (layers.hidden, layers.middle, layers.output) if len(part)]
        for part, content in zip(self.parts, given, strict=True):
            part.copy_(torch.from_numpy(content))

    def write(self, layers: Layers) -> None:
        """Write the weights into a net's arrays."""
        wanted = [part for part in (layers.hidden, layers.middle, layers.output) if len(part)]
        for part, content in zip(self.parts, wanted, strict=True):
            content[:] = part.cpu().numpy()

    # --- forwards ---

    def rectified(self, bias: Any, x: Any, weights: Any) -> Any:
        """A layer of rectified units; a GPU does it in one go."""
        if self.on_gpu:
            return torch._addmm_activation(bias, x, weights)
        return torch.addmm(bias, x, weights).relu_()

    def answer(self, inputs: Any, raw: Any) -> None:
        """The answers of all rows."""
        for half, part in zip(self.halves, self.parts, strict=False):
            half[: len(part)].copy_(part)
        hidden, x = self.halves[0], inputs.view(torch.float16).to(self.halves[0].dtype)
        if self.rectifies:
            units = self.rectified(self.none, x, hidden)
            units = self.rectified(self.halves[1][-1], units, self.halves[1][:-1])
        else:
            units = (x @ hidden).sigmoid_()
        output = self.parts[-1]
        torch.sigmoid(torch.addmm(output[-1], units.float(), output[:-1]), out=raw)

    # --- learning ---

    def learn(self, inputs: Any, targets: Any, learns: Any, alpha: Any) -> None:
        """One update, from rows of inputs, what their answers are to be, and which of them learn (1 or 0)."""
        self.descend(inputs, targets, learns)
        self.move(learns.sum(), alpha)

    def descend(self, inputs: Any, targets: Any, learns: Any) -> None:
        """The sum of what the plain update moves the weights by, for alpha 1."""
        hidden, output = self.parts[0], self.parts[-1]
        x = inputs.view(torch.float16)[:, : len(hidden)].float()
        units = [(x @ hidden).relu_() if self.rectifies else (x @ hidden).sigmoid_()]
        if self.rectifies:
            units.append(torch.addmm(self.parts[1][-1], units[0], self.parts[1][:-1]).relu_())
        answers = torch.sigmoid(torch.addmm(output[-1], units[-1], output[:-1]))
        errors = (targets - answers) * learns[:, None]
        self.error += errors.square().mean(1).sum(dtype=torch.float64)
        push = errors * answers * (1 - answers)
        for layer in range(len(units) - 1, -1, -1):
            weights, gradient, below = self.parts[layer + 1], self.gradients[layer + 1], units[layer]
            torch.mm(below.T, push, out=gradient[:-1])
            torch.sum(push, 0, out=gradient[-1])
            push = push @ weights[:-1].T
            push *= (below > 0) if self.rectifies else below * (1 - below)
        torch.mm(x.T, push, out=self.gradients[0])

    def move(self, rows: Any, alpha: Any) -> None:
        """Adam's step along the mean of the gradients of so many rows."""
        gradient = self.gradient / rows.clamp(min=1)
        self.counts += 1
        self.mean.lerp_(gradient, 1 - FIRST)
        self.square.lerp_(gradient.square_(), 1 - SECOND)
        mean = self.mean / (1 - FIRST**self.counts).float()
        spread = (self.square / (1 - SECOND**self.counts).float()).sqrt_().add_(LEAST)
        self.weights.add_(alpha * mean / spread)

    # --- checkpoints ---

    def kept(self) -> dict[str, Any]:
        """What a checkpoint has beside the weights."""
        return {"mean": self.mean, "square": self.square, "updates": self.counts, "total_error": self.error}
