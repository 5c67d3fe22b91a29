"""The networks, in torch: pre-activation residual networks (He et al. 2016).

A board goes through convolutions; every second block also sees the whole board, by the mean and the maximum of its
channels (global pooling, Wu 2019). A game without planes goes through dense layers of the same kind. There are two
outputs, and a third in games of points:

    policy  a logit per action index
    outcome logits of a win, a draw and a loss for the mover
    score   the mover's score, in units of a large one

The last layers are initialised small, so that a new net rates all actions and outcomes about equal.
"""

from typing import Any

import torch
from torch import nn

from outplay.search.mcts.view import View

HIDDEN = 64  # units before outcome and score, at most; twice the channels in small nets
SMALL = 0.1  # scale of the first weights of last layers


def layer(flat: bool, inputs: int, outputs: int) -> nn.Module:
    """A dense layer, or a convolution of 3x3."""
    if flat:
        return nn.Linear(inputs, outputs, bias=False)
    return nn.Conv2d(inputs, outputs, 3, padding=1, bias=False)


def norm(flat: bool, channels: int) -> nn.Module:
    return nn.BatchNorm1d(channels) if flat else nn.BatchNorm2d(channels)


class Block(nn.Module):
    """A residual block: x + two layers of x; with `pooled` the second also sees the whole board."""

    def __init__(self, flat: bool, channels: int, pooled: bool) -> None:
        super().__init__()
        self.norm1, self.layer1 = norm(flat, channels), layer(flat, channels, channels)
        self.norm2, self.layer2 = norm(flat, channels), layer(flat, channels, channels)
        self.pool = nn.Linear(2 * channels, channels) if pooled else None

    def forward(self, x: Any) -> Any:
        y = self.layer1(torch.relu(self.norm1(x)))
        if self.pool is not None:
            y = y + self.pool(whole(y))[:, :, None, None]
        return x + self.layer2(torch.relu(self.norm2(y)))


def whole(x: Any) -> Any:
    """The mean and the maximum of each channel."""
    return torch.cat([x.mean((2, 3)), x.amax((2, 3))], 1)


class Net(nn.Module):
    """Inputs[B, planes, rows, columns], or [B, bits], to policy, outcome and score."""

    def __init__(self, view: View, channels: int, blocks: int, scored: bool) -> None:
        super().__init__()
        self.flat = view.planes is None
        inputs, cells = (
            (view.inputs, 1) if view.planes is None else (view.planes[0], view.planes[1] * view.planes[2])
        )
        self.stem = layer(self.flat, inputs, channels)
        self.blocks = nn.ModuleList(
            Block(self.flat, channels, not self.flat and i % 2 == 1) for i in range(blocks)
        )
        self.norm = norm(self.flat, channels)
        self.squeeze = None if self.flat else nn.Conv2d(channels, 8, 1)
        features = channels if self.flat else 8 * cells
        hidden = min(HIDDEN, 2 * channels)
        self.policy = nn.Linear(features + (0 if self.flat else 2 * channels), view.answers)
        self.hidden = nn.Linear(features + (0 if self.flat else 2 * channels), hidden)
        self.outcome = nn.Linear(hidden, 3)
        self.score = nn.Linear(hidden, 1) if scored else None
        for last in (self.policy, self.outcome, self.score):
            if last is not None:
                with torch.no_grad():
                    last.weight.mul_(SMALL)
                    last.bias.zero_()

    def forward(self, x: Any) -> Any:
        x = self.stem(x)
        for block in self.blocks:
            x = block(x)
        x = torch.relu(self.norm(x))
        if self.squeeze is not None:
            x = torch.cat([torch.relu(self.squeeze(x)).flatten(1), whole(x)], 1)
        hidden = torch.relu(self.hidden(x))
        score = None if self.score is None else self.score(hidden)
        return self.policy(x), self.outcome(hidden), score


def value_of(outcome: Any) -> Any:
    """The value of logits of win, draw and loss, from -1 to 1."""
    chances = torch.softmax(outcome.float(), 1)
    return chances[:, 0] - chances[:, 2]
