"""Tuning: fit the weights of an evaluation to positions with known outcomes.

logistic    game results, as in Texel tuning (Österlund 2014): MAX's winning probability is modelled as
            sigmoid(K e), where e is the evaluation; K is fitted with the current weights, then the weights are
            fitted with that K, minimising the log loss.
squares     search scores: the mean squared error.

The evaluation is linear in its weights, so both losses are convex: there is one minimum, and L-BFGS (Nocedal
1980) finds it. Some of the positions are held out: the loss on them, before and after, is what counts.
"""

import hashlib
import json
import math
from collections import deque
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from outplay.game import UNIT, adopt, fitting_weights, kind
from outplay.learn.coefficients import Features, features
from outplay.learn.positions import Sample
from outplay.storage import from_json, sealed, unsealed, write_whole
from outplay.weights import Weights

METHODS = ("logistic", "squares")
EPOCHS = 200
PULL = 1.0
MEMORY = 10  # steps that L-BFGS remembers
SMALLEST = 1e-9  # stop when a step gains less


class Progress(NamedTuple):
    """Tuning's progress: the loss on the training positions and on those held out."""

    epoch: int
    train: float
    held_out: float


class Tuning(NamedTuple):
    """The result of tuning."""

    weights: Weights
    method: str
    positions: int  # for training
    held_out: int  # for testing
    scale: float  # K; 1 for squares
    before: float  # loss on the held-out positions with the old weights
    after: float  # and with the new ones, rounded as they are used
    epochs: int


class Fit(NamedTuple):
    """How weights are fitted."""

    method: str = "logistic"
    held_out: float = 0.1  # the share of the positions kept for testing
    epochs: int = EPOCHS  # at most
    # regularisation: moving a weight by one `unit` costs as much as this many positions may gain
    pull: float = PULL
    seed: int = 1  # for the choice of held-out positions
    keep: Collection[str] = ()  # weights that do not change: results tell little about how to win a won game

    def checked(self) -> Self:
        """The settings; a ValueError if they make no sense."""
        if not 0 < self.held_out < 1 or self.epochs < 1 or not 0 <= self.pull < math.inf or self.seed < 0:
            raise ValueError("held-out must be between 0 and 1, epochs 1 or more, pull and seed 0 or more")
        return self


USUAL = Fit()


def tune(
    cls: type,
    samples: Sequence[Sample],
    fit: Fit = USUAL,
    *,
    start: Weights | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
    checkpoint: str | Path | None = None,
) -> Tuning:
    """Fit the weights of a class's evaluation; Ctrl-C stops it with the best weights so far.

    `checkpoint` is a file written after each step, from which a killed run resumes.
    """
    cls = adopt(cls)
    weights = fitting_weights(cls, start)
    targets = _targets(samples, fit.method)
    fit.checked()
    found = features(cls, (sample.state for sample in samples))
    assert weights is not None  # features() checks this
    objective = Objective(cls, weights, fit, _Part(found, targets))
    kept = Checkpoint(checkpoint, objective.digest()) if checkpoint else None
    epoch, found_point, past = kept.load(len(objective.begin)) if kept else (0, None, None)
    best = point = objective.begin if found_point is None else found_point
    try:
        for best, value, steps in descend(objective.cost, point, fit.epochs - epoch, past):
            epoch += 1
            if kept:
                kept.save(epoch, best, steps)
            report(Progress(epoch, value, objective.test_loss(best)))
    except KeyboardInterrupt:
        pass
    numbers = best.tolist() if kind(cls).float_scores else [round(x) for x in best.tolist()]
    return Tuning(
        weights.with_flat(numbers),
        fit.method,
        len(objective.train.targets),
        len(objective.test.targets),
        objective.scale,
        objective.test_loss(objective.begin),
        objective.test_loss(np.array(numbers, np.float64)),
        epoch,
    )


class Objective:
    """The objective: the loss on the training positions, plus a penalty for leaving the old weights."""

    def __init__(self, cls: type, weights: Weights, fit: Fit, every: "_Part") -> None:
        number = len(every.targets)
        order = np.random.default_rng(fit.seed).permutation(number)
        apart = max(1, round(fit.held_out * number))
        if apart >= number:
            raise ValueError(f"{number} position(s) are too few to train on some and hold out others")
        self.fit, self.loss = fit, _LOSSES[fit.method]
        self.test, self.train = every.select(order[:apart]), every.select(order[apart:])
        self.begin = np.array(weights.flat(), np.float64)
        self.free = _free(weights, fit.keep)
        self.scale = _fit_scale(self.train, self.begin, cls) if fit.method == "logistic" else 1.0
        self.strength = fit.pull / len(self.train.targets) / getattr(cls, "unit", UNIT) ** 2

    def cost(self, w: np.ndarray) -> tuple[float, np.ndarray]:
        """The objective's value and gradient."""
        value, slopes = self.loss(self.train.features.values(w), self.train.targets, self.scale)
        away = w - self.begin
        gradient = self.train.features.gradient(slopes) + 2 * self.strength * away
        return value + self.strength * float(away @ away), gradient * self.free

    def test_loss(self, w: np.ndarray) -> float:
        """The loss on the held-out positions."""
        return self.loss(self.test.features.values(w), self.test.targets, self.scale)[0]

    def digest(self) -> str:
        """A hash of everything that determines the run."""
        digest = hashlib.sha256(f"{self.fit.method} {self.fit.pull} {self.scale}".encode())
        parts = self.train, self.test
        arrays = [self.begin, self.free, *(part.targets for part in parts)]
        for array in (*arrays, *(part.features.values(self.begin) for part in parts)):
            digest.update(np.ascontiguousarray(array).tobytes())
        return digest.hexdigest()


Steps = deque[tuple[np.ndarray, np.ndarray]]  # L-BFGS's memory: the steps, and the changes of the gradient


class Checkpoint:
    """Tuning's progress in a file; a ValueError if it belongs to other positions or settings."""

    def __init__(self, path: str | Path, settings: str) -> None:
        self.path, self.settings = Path(path), settings

    def load(self, numbers: int) -> tuple[int, np.ndarray | None, Steps | None]:
        """The epoch, the weights and the last steps; nothing if there is no file."""
        if not self.path.exists():
            return 0, None, None
        try:
            found = from_json(unsealed(self.path.read_bytes()).decode())
            point = np.array(found["weights"], float).reshape(numbers)
            steps = np.array(found["steps"], float).reshape(-1, 2, numbers)
            epoch, settings = int(found["epoch"]), found["settings"]
            if epoch < 0 or not (np.isfinite(point).all() and np.isfinite(steps).all()):
                raise ValueError
        except (ValueError, KeyError, TypeError, OverflowError):
            raise ValueError(f"{self.path} is damaged, or not a tuning checkpoint: remove it") from None
        if settings != self.settings:
            raise ValueError(
                f"{self.path} belongs to a tuning run with other positions or settings: finish that, or remove it"
            )
        return epoch, point, deque(((moved, turned) for moved, turned in steps), MEMORY)

    def save(self, epoch: int, point: np.ndarray, steps: Steps) -> None:
        said = {
            "settings": self.settings,
            "epoch": epoch,
            "weights": point.tolist(),
            "steps": [[moved.tolist(), turned.tolist()] for moved, turned in steps],
        }
        write_whole(self.path, sealed(json.dumps(said).encode()))


class _Part(NamedTuple):
    """Some of the positions."""

    features: Features
    targets: np.ndarray

    def select(self, chosen: np.ndarray) -> "_Part":
        return _Part(self.features.select(chosen), self.targets[chosen])


def _free(weights: Weights, keep: Collection[str]) -> np.ndarray:
    """1 for each weight that may change, 0 for those to keep."""
    layout, free = weights.layout(), np.ones(len(weights))
    for name in keep:
        if name not in layout:
            raise ValueError(f"unknown weight {name} to keep; choose from {', '.join(layout)}")
        start, size = layout[name]
        free[start : start + (size or 1)] = 0
    return free


def _targets(samples: Sequence[Sample], method: str) -> np.ndarray:
    if method not in METHODS:
        raise ValueError(f"unknown method {method!r}; choose from {', '.join(METHODS)}")
    known = [sample.result if method == "logistic" else sample.score for sample in samples]
    if None in known:
        wanted, has = ("results", "squares") if method == "logistic" else ("scores", "logistic")
        raise ValueError(
            f"the method {method} needs {wanted} for all positions: use the method {has} for these"
        )
    return np.array(known, np.float64)


# --- losses: (values, targets, K) -> mean loss and its derivative by each value ---------------------------


def logistic_loss(values: np.ndarray, results: np.ndarray, scale: float) -> tuple[float, np.ndarray]:
    """The mean of -r log p - (1 - r) log(1 - p), p = sigmoid(K value)."""
    x = scale * values
    loss = np.logaddexp(0, x) - results * x
    return float(loss.mean()), scale * (sigmoid(x) - results) / len(x)


def square_loss(values: np.ndarray, scores: np.ndarray, scale: float) -> tuple[float, np.ndarray]:
    """The mean square of the difference."""
    error = values - scores
    return float((error * error).mean()), 2 * error / len(error)


_LOSSES = {"logistic": logistic_loss, "squares": square_loss}


def sigmoid(x: Any) -> Any:
    """1 / (1 + e^-x), without overflow."""
    return 0.5 * (1 + np.tanh(0.5 * x))


def _fit_scale(part: _Part, weights: np.ndarray, cls: type) -> float:
    """The K that minimises the loss for these weights, by golden-section search over its logarithm."""
    values = part.features.values(weights)
    if not values.any():
        return math.log(10) / 4 / getattr(cls, "unit", UNIT)  # four units: odds of ten to one
    low, high, golden = math.log(1e-6), math.log(10.0), (math.sqrt(5) - 1) / 2

    def loss(k: float) -> float:
        return logistic_loss(values, part.targets, math.exp(k))[0]

    while high - low > 1e-4:
        a, b = high - golden * (high - low), low + golden * (high - low)
        low, high = (low, b) if loss(a) < loss(b) else (a, high)
    return math.exp((low + high) / 2)


# --- L-BFGS ----------------------------------------------------------------------------------------------


def descend(cost: Any, start: np.ndarray, steps: int, past: Steps | None = None) -> Any:
    """Minimise a function that returns its value and gradient; yields (point, value, past) after every step.

    Given a point and its `past`, it continues as if it had never stopped.

    Limited-memory BFGS: the direction is the gradient times an estimate of the inverse Hessian, made from the
    last steps; a step is halved until it gains enough (Armijo). The value never increases.
    """
    x = start
    value, gradient = cost(x)
    past = deque(maxlen=MEMORY) if past is None else past
    for _ in range(steps):
        direction = -_precondition(gradient, past)
        slope = float(gradient @ direction)
        if slope >= 0:  # not a descent direction: use the gradient
            past.clear()
            direction, slope = -gradient, -float(gradient @ gradient)
        if slope == 0:
            return
        length = 1.0 if past else min(1.0, 1.0 / float(np.abs(gradient).max()))
        for _ in range(40):
            new = x + length * direction
            new_value, new_gradient = cost(new)
            if new_value <= value + 1e-4 * length * slope:
                break
            length /= 2
        else:
            return  # converged to machine precision
        moved, turned = new - x, new_gradient - gradient
        if float(moved @ turned) > 0:
            past.append((moved, turned))
        gain = value - new_value
        x, value, gradient = new, new_value, new_gradient
        yield x, value, past
        if gain <= SMALLEST * max(1.0, abs(value)):
            return


def _precondition(gradient: np.ndarray, past: deque[tuple[np.ndarray, np.ndarray]]) -> np.ndarray:
    """The estimated inverse Hessian times the gradient: the two-loop recursion of Nocedal 1980."""
    q = gradient.copy()
    factors = []
    for moved, turned in reversed(past):
        factor = float(moved @ q) / float(moved @ turned)
        q -= factor * turned
        factors.append(factor)
    if past:
        moved, turned = past[-1]
        q *= float(moved @ turned) / float(turned @ turned)
    for (moved, turned), factor in zip(past, reversed(factors), strict=True):
        q += moved * (factor - float(turned @ q) / float(moved @ turned))
    return q
