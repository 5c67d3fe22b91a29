"""A policy learned from recorded games: the first stage of AlphaGo (Silver et al. 2016, "supervised learning of policy
networks").

The net, its training and its file are those of AlphaZero (`learner.py`). The policy target is the move
played, the outcome target the game's result. Whole games are held out; on their positions the log reports how often
the move is predicted (top 1: the most likely legal action is the move played).
"""

import math
import time as clock
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.games import load
from outplay.learn.folder import NET, Folder, counted, read_lines, undivided, within
from outplay.learn.zero.examples import Examples
from outplay.learn.zero.loop import large_score, torch_learner
from outplay.learn.zero.moves import AFTER_VIEW, MOVER, OUTCOME
from outplay.learn.zero.settings import LEARNING
from outplay.learn.zero.symmetry import symmetries_of
from outplay.search.mcts.netfile import NetFile, save_net
from outplay.search.mcts.view import View, view_of

FORMAT = "outplay policy 1"
LINES = ("seconds", "epochs", "updates", "top1", "winner")  # of each line of a log
LOG_EVERY = 10.0  # seconds
SAVE_EVERY = 60.0
PART = 1024  # positions tested at a time
TESTED = 10_000  # at most so many positions during training; all at the end

Report = Callable[[dict[str, Any]], None]


class PolicySettings(NamedTuple):
    """The settings of a run, fixed when it begins."""

    game: str
    minutes: float
    examples: str = ""  # the digest of its examples
    device: str = "cpu"
    seed: int = 1
    held_out: float = 0.1  # the share of games used only for testing
    batch: int = 256
    rate: float = 2e-3
    warm_up: int = 100
    decay: float = 1e-4
    average: float = 0.99
    trust: float = 0.0  # no search here
    compiled: int = 0
    channels: int = 32
    blocks: int = 3

    def line(self) -> dict[str, Any]:
        """The first line of the log."""
        return {"format": FORMAT, **self._asdict()}

    def checked(self) -> "PolicySettings":
        """The same settings; a ValueError if one makes no sense."""
        within(self, LEARNING | {"held_out": (1e-6, 0.5)})
        return self


def read_run(path: Path) -> tuple[PolicySettings, list[dict[str, Any]]]:
    """The settings and the log of a run so far."""
    return read_lines(path, PolicySettings, FORMAT, LINES)


class Accuracy(NamedTuple):
    """A net's accuracy on held-out positions."""

    top1: float  # share of the moves predicted
    outcome: float  # share of positions of decided games whose winner was predicted


def learn_policy(
    settings: PolicySettings, given: Examples, held: Examples, path: Path, report: Report
) -> Accuracy:
    """Train for the given minutes; an interrupted run saves, and resumes.

    Returns the accuracy on all held-out positions.
    """
    start = load(settings.checked().game).position()
    view, scale = view_of(start), large_score(start)
    mind = torch_learner()(view, settings, symmetries_of(start, view), scale)
    folder = Folder(path, settings)
    with folder.open():
        run = Run(settings, folder, mind, given, held)
        run.resume()
        ended = run.seconds() >= 60 * settings.minutes
        try:
            while run.seconds() < 60 * settings.minutes:
                run.learn()
                run.tell(report)
        except KeyboardInterrupt:
            run.save()
            raise
        if ended:  # a line would tell of no update
            mind.publish()
            accuracy: Accuracy | None = accuracy_of(mind, held, None)
        else:
            accuracy = run.tell(report, last=True)
        net = NetFile(settings.game, view, settings.channels, settings.blocks, scale, mind.weights())
        save_net(path / NET, net)
    assert accuracy is not None
    return accuracy


class Run:
    """The progress of a run."""

    def __init__(self, settings: PolicySettings, folder: Folder, mind: Any, *parts: Examples) -> None:
        self.settings, self.folder, self.mind = settings, folder, mind
        self.given, self.held = parts
        self.before, self.seen = 0.0, 0
        self.losses: Any = None
        self.began = self.told = self.saved = clock.perf_counter()
        self.batches = self.shuffled()

    def seconds(self) -> float:
        return self.before + clock.perf_counter() - self.began

    def shuffled(self) -> Iterator[np.ndarray]:
        """Batches in shuffled order: each position once before any repeats."""
        size = min(self.settings.batch, len(self.given.rows))
        while True:
            order = np.random.default_rng((self.settings.seed, self.seen)).permutation(len(self.given.rows))
            for begin in range(0, len(order) - size + 1, size):
                yield order[begin : begin + size]

    def learn(self) -> None:
        """One update on a batch: the policy's target is the move."""
        chosen = next(self.batches)
        policies = np.zeros((len(chosen), self.mind.view.answers), np.float32)
        policies[np.arange(len(chosen)), self.given.places[chosen]] = 1
        share = min(1.0, self.seconds() / (60 * self.settings.minutes))
        with undivided():
            self.losses = self.mind.learn(self.given.rows[chosen], policies, share)
            self.seen += len(chosen)

    def tell(self, report: Report, last: bool = False) -> Accuracy | None:
        """Write a line of the log and a checkpoint when they are due."""
        now, accuracy = clock.perf_counter(), None
        if last or now - self.told >= LOG_EVERY:
            self.mind.publish()
            accuracy = accuracy_of(self.mind, self.held, None if last else TESTED)
            line = self.line(accuracy)
            self.folder.note(line)
            report(line)
            self.told = clock.perf_counter()
        if last or now - self.saved >= SAVE_EVERY:
            self.save()
            self.saved = clock.perf_counter()
        return accuracy

    def line(self, accuracy: Accuracy) -> dict[str, Any]:
        losses = [None] * 3 if self.losses is None else [round(float(x), 4) for x in self.losses]
        if any(x is not None and not math.isfinite(x) for x in losses):
            raise ValueError("the loss is no longer finite: start over with a smaller --set rate=")
        return {
            "seconds": round(self.seconds(), 1),
            "positions": self.seen,
            "epochs": round(self.seen / len(self.given.rows), 2),
            "updates": self.mind.updates,
            "policy": losses[0],
            "outcome": losses[1],
            "score": losses[2],
            "top1": round(accuracy.top1, 4),
            "winner": round(accuracy.outcome, 4),
        }

    def save(self) -> None:
        state = {f"learner/{name}": value for name, value in self.mind.state().items()}
        self.folder.save(state | {"numbers": np.array([self.seconds(), self.seen], float)})

    def resume(self) -> None:
        """Resume from the last checkpoint, if there is one."""
        state = self.folder.load()
        if state is None:
            return
        with self.folder.resuming():
            self.mind.load(
                {n.removeprefix("learner/"): v for n, v in state.items() if n.startswith("learner/")}
            )
            self.before, seen = counted(state["numbers"], 2)
            self.seen = int(seen)
        self.began = self.told = self.saved = clock.perf_counter()


def accuracy_of(mind: Any, held: Examples, most: int | None) -> Accuracy:
    """How often the averaged net predicts moves and winners."""
    view: View = mind.view
    count = len(held.rows) if most is None else min(most, len(held.rows))
    right = winners = decided = 0
    for begin in range(0, count, PART):
        part = slice(begin, min(begin + PART, count))
        rows = held.rows[part]
        priors = np.zeros((len(rows), view.answers), np.float32)
        values = np.zeros(len(rows), np.float32)
        mind.evaluate(np.ascontiguousarray(rows[:, :-AFTER_VIEW]), priors, values)
        for policy, legal, place in zip(priors, held.legal[part], held.places[part], strict=True):
            right += bool(legal[policy[legal].argmax()] == place)
        result = rows[:, view.words + OUTCOME] * np.where(rows[:, view.words + MOVER] == 1, -1, 1)
        winners += int(((values > 0) == (result > 0))[result != 0].sum())
        decided += int((result != 0).sum())
    return Accuracy(right / count, winners / max(decided, 1))
