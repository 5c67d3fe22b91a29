"""A network in training, and its averaged weights, used for play.

The loss is the cross-entropy of the policy with the search's policy, plus that of win, draw and loss with the game's
result, plus a growing share of the squared difference from the search's value, plus a small share of the score's
error. Rows of unfinished games have weight 0. The optimiser is AdamW; the learning rate warms up, then decays along a
cosine. Every position is transformed by a random symmetry of the board.
"""

import copy
import math
from typing import Any

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from outplay.learn.zero.moves import AFTER_VIEW, FIXED, MOVER, OUTCOME, SCORE, UNKNOWN, VALUE
from outplay.learn.zero.net import Net, value_of
from outplay.learn.zero.symmetry import Symmetries
from outplay.search.mcts.view import View

LAST_RATE = 0.025  # the final learning rate, as a share of the greatest
SCORE_SHARE = 0.25  # of the loss
CLIP = 1.0  # the greatest norm of a gradient


class Learner:
    """Evaluates views for self-play, and learns from rows of the replay buffer.

    settings  of a run: `Settings`, or `PolicySettings` of `supervised.py`
    scale     a large score; 0 if the game is not about points
    """

    def __init__(self, view: View, settings: Any, turns: Symmetries, scale: float) -> None:
        torch.manual_seed(settings.seed)
        self.view, self.settings, self.scale = view, settings, scale
        self.device = torch.device(settings.device)
        self.on_gpu = settings.device == "cuda"
        layout = torch.channels_last if self.on_gpu and view.planes else torch.preserve_format
        self.net = Net(view, settings.channels, settings.blocks, scale > 0).to(
            self.device, memory_format=layout
        )
        self.averaged = copy.deepcopy(self.net).eval().requires_grad_(False)
        self.player = copy.deepcopy(self.averaged)
        if self.on_gpu:
            torch.backends.cudnn.benchmark = True
            self.player = halved(self.player)
        self.answer = torch.compile(self.player) if settings.compiled else self.player
        self.trained = torch.compile(self.net) if settings.compiled else self.net
        self.followed = _floats(self.averaged), _floats(self.net)
        self.optimiser = torch.optim.AdamW(
            self.net.parameters(), settings.rate, weight_decay=settings.decay, fused=self.on_gpu
        )
        self.updates = 0
        self.bits = torch.arange(64, device=self.device)
        self.cells = torch.as_tensor(turns.cells, device=self.device)
        self.answers = torch.as_tensor(turns.answers, device=self.device)

    # --- play ---

    def inputs(self, views: Any, kind: torch.dtype) -> Any:
        """The bits of views as floats."""
        bits = views.unsqueeze(-1) >> self.bits & 1
        if self.view.planes is None:
            return bits.flatten(1).to(kind)
        planes, height, width = self.view.planes
        cells = bits.reshape(len(views), planes, -1)[:, :, : height * width].to(kind)
        return cells.reshape(len(views), planes, height, width)

    @torch.inference_mode()
    def evaluate(self, views: Any, priors: Any, values: Any) -> None:
        """Write the averaged net's outputs for views into NumPy arrays or GPU tensors."""
        x = self.inputs(torch.as_tensor(views), torch.bfloat16 if self.on_gpu else torch.float32)
        if self.on_gpu and self.view.planes:
            x = x.contiguous(memory_format=torch.channels_last)
        policy, outcome, _ = self.answer(x)
        torch.as_tensor(priors).copy_(torch.softmax(policy.float(), 1))
        torch.as_tensor(values).copy_(value_of(outcome))

    def publish(self) -> None:
        """Use the averaged weights for play."""
        with torch.no_grad():
            for mine, theirs in zip(_floats(self.player), _floats(self.averaged), strict=True):
                mine.copy_(theirs)

    # --- learning ---

    def rate(self, share: float) -> float:
        """The learning rate after this share of the time."""
        cosine = 0.5 * (1 + math.cos(math.pi * min(share, 1.0)))
        warm = min(1.0, (self.updates + 1) / self.settings.warm_up)
        return self.settings.rate * warm * (LAST_RATE + (1 - LAST_RATE) * cosine)

    def update(self, rows: Any, policies: Any, filled: int, share: float) -> Any:
        """One step on a batch of the first rows, drawn at random; see `learn`."""
        rows, policies = torch.as_tensor(rows), torch.as_tensor(policies)
        chosen = torch.randint(0, filled, (self.settings.batch,), device=self.device)
        return self.learn(rows[chosen], policies[chosen], share)

    def learn(self, rows: Any, policies: Any, share: float) -> Any:
        """One step on a batch of rows; the losses of policy, outcome and score, as a tensor."""
        for group in self.optimiser.param_groups:
            group["lr"] = self.rate(share)
        rows, policies = (torch.as_tensor(part, device=self.device) for part in (rows, policies))
        x, target, facts = self.turned(rows, policies)
        self.net.train()
        with torch.autocast("cuda", torch.bfloat16, enabled=self.on_gpu):
            answer = self.trained(x)
        losses = self.losses(answer, target, facts)
        trust = self.settings.trust * share
        loss = losses[0] + losses[1] + trust * losses[3] + SCORE_SHARE * losses[2]
        self.optimiser.zero_grad(set_to_none=True)
        loss.backward()
        nn.utils.clip_grad_norm_(self.net.parameters(), CLIP)
        self.optimiser.step()
        self.updates += 1
        self.follow()
        return torch.stack(losses[:3]).detach()

    def turned(self, rows: Any, policies: Any) -> Any:
        """Inputs, policies and the rows' other data, each transformed by a random symmetry."""
        words = rows.shape[1] - AFTER_VIEW
        x = self.inputs(rows[:, :words], torch.float32)
        if len(self.cells) > 1:
            turn = torch.randint(0, len(self.cells), (len(rows),), device=self.device)
            flat = x.flatten(2)
            places = self.cells[turn].unsqueeze(1).expand_as(flat)
            x = flat.gather(2, places).reshape(x.shape)
            policies = policies.gather(1, self.answers[turn])
        if self.on_gpu and self.view.planes:
            x = x.contiguous(memory_format=torch.channels_last)
        return x, policies, rows[:, words:]

    def losses(self, answer: Any, target: Any, facts: Any) -> list[Any]:
        """The losses of policy, outcome, score and value, as means over the rows with known results."""
        policy, outcome, score = answer
        known = (facts[:, OUTCOME] != UNKNOWN).float()
        count = known.sum().clamp(min=1.0)
        sign = 1 - 2 * (facts[:, MOVER] == 1).long()
        result = torch.where(facts[:, OUTCOME] == UNKNOWN, 0, facts[:, OUTCOME]) * sign  # of the mover
        by_policy = -(target * functional.log_softmax(policy.float(), 1)).sum(1)
        by_outcome = functional.cross_entropy(outcome.float(), 1 - result, reduction="none")
        by_value = (value_of(outcome) - facts[:, VALUE] / FIXED) ** 2
        by_score = torch.zeros_like(known)
        if score is not None:
            wanted = facts[:, SCORE] * sign / (FIXED * self.scale)
            by_score = functional.smooth_l1_loss(score.float().squeeze(1), wanted, reduction="none")
        return [(part * known).sum() / count for part in (by_policy, by_outcome, by_score, by_value)]

    @torch.no_grad()
    def follow(self) -> None:
        """Move the averaged weights towards the net's; quickly at first."""
        share = max(1 - self.settings.average, 1 / (1 + self.updates / 10))
        torch._foreach_lerp_(*self.followed, share)

    # --- on disk ---

    def weights(self) -> dict[str, np.ndarray]:
        """The averaged net's weights, by name."""
        return {name: value.float().cpu().numpy() for name, value in self.averaged.state_dict().items()}

    def state(self) -> dict[str, np.ndarray]:
        """Everything needed to resume training."""
        made = {f"net/{name}": value.cpu().numpy() for name, value in self.net.state_dict().items()}
        made |= {
            f"averaged/{name}": value.cpu().numpy() for name, value in self.averaged.state_dict().items()
        }
        for number, slot in self.optimiser.state_dict()["state"].items():
            made |= {f"optimiser/{number}/{name}": value.cpu().numpy() for name, value in slot.items()}
        return made | {"updates": np.array(self.updates)}

    def load(self, state: dict[str, np.ndarray]) -> None:
        """Resume from a state."""
        parts: dict[str, dict[str, Any]] = {"net": {}, "averaged": {}, "optimiser": {}}
        for name, value in state.items():
            part, _, rest = name.partition("/")
            if part in parts:
                parts[part][rest] = torch.from_numpy(np.asarray(value))
        self.net.load_state_dict(parts["net"])
        self.averaged.load_state_dict(parts["averaged"])
        slots: dict[int, dict[str, Any]] = {}
        for name, value in parts["optimiser"].items():
            number, _, key = name.partition("/")
            slots.setdefault(int(number), {})[key] = value
        whole = self.optimiser.state_dict()
        self.optimiser.load_state_dict({"state": slots, "param_groups": whole["param_groups"]})
        self.updates = int(state["updates"])
        self.publish()


def _floats(net: nn.Module) -> list[Any]:
    """Weights and running means."""
    return [value for value in net.state_dict().values() if value.is_floating_point()]


def halved(net: nn.Module) -> nn.Module:
    """The net with 16-bit weights, except in its normalisations."""
    net = net.bfloat16()
    for part in net.modules():
        if isinstance(part, nn.BatchNorm1d | nn.BatchNorm2d):
            part.float()
    return net
