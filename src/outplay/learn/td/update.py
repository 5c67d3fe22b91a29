"""The update of TD(lambda) with a net: plain as in the book, and as a kernel.

After each move the outputs at the last afterstate are moved towards those at the new one (at the end of the game: the
result), and with decaying weight those at all earlier afterstates:

    e <- lambda e + gradient of answer(s)
    w <- w + alpha (answer(s') - answer(s)) e

There is a trace e for each output. Outputs are for MAX here, whoever the viewer is. Sutton 1988; Tesauro 1992; Sutton &
Barto, Reinforcement Learning, 12.2 and 16.1.
"""

import math
import operator
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined, kernel
from outplay.search.valuenet.answers import mirror

ONE = np.float32(1.0)
ZERO = np.float32(0.0)

# --- as in the book ----------------------------------------------------------------------------------------


class Plain:
    """A net that learns, in plain Python: lists of floats, every weight and every trace at each step.

    One with a second hidden layer has no traces.
    """

    def __init__(self, hidden: Any, output: Any, middle: Any = ()) -> None:
        """Weights as `Layers` has them."""
        self.hidden = [[float(w) for w in row] for row in hidden]
        self.middle = [[float(w) for w in row] for row in middle]
        self.output = [[float(w) for w in row] for row in output]
        self.forget()

    def forget(self) -> None:
        """A new game: no traces."""
        rows, units, answers = len(self.hidden), len(self.hidden[0]), len(self.output[0])
        self.hidden_traces = [[[0.0] * units for _ in range(rows)] for _ in range(answers)]
        self.output_traces = [[[0.0] * answers for _ in range(units + 1)] for _ in range(answers)]

    def propagate(self, x: list[float]) -> tuple[list[float], list[float]]:
        """Units of the last hidden layer, with a 1 for the bias, and the viewer's answers; x are inputs and a 1."""
        units = [*map(rectified if self.middle else sigmoid, weighted(x, self.hidden)), 1.0]
        if self.middle:
            units = [*map(rectified, weighted(units, self.middle)), 1.0]
        return units, [*map(sigmoid, weighted(units, self.output))]

    def learn(self, x: list[float], viewer: int, target: list[float], alpha: float, lam: float) -> None:
        """Move MAX's answers at inputs x towards a target."""
        if self.middle:
            self.descend(x, viewer, target, alpha)
            return
        units, raw = self.propagate(x)
        errors = []
        for m, wanted in enumerate(target):
            sign = -1.0 if viewer and m == 0 else 1.0
            k = mirror(m, len(raw)) if viewer else m
            answer = 1.0 - raw[0] if viewer and m == 0 else raw[k]
            errors.append(wanted - answer)
            slope = sign * raw[k] * (1 - raw[k])
            for row in (*self.hidden_traces[m], *self.output_traces[m]):
                row[:] = [lam * trace for trace in row]
            for j, h in enumerate(units):
                self.output_traces[m][j][k] += slope * h
            for i, xi in enumerate(x):
                for j, h in enumerate(units[:-1]):
                    self.hidden_traces[m][i][j] += slope * self.output[j][k] * h * (1 - h) * xi
        for m, error in enumerate(errors):
            step(self.hidden, self.hidden_traces[m], alpha * error)
            step(self.output, self.output_traces[m], alpha * error)

    def descend(self, x: list[float], viewer: int, target: list[float], alpha: float) -> None:
        """The same with a second hidden layer: a step down the gradient of half the squared errors."""
        first = [*map(rectified, weighted(x, self.hidden)), 1.0]
        second, raw = self.propagate(x)
        pushes = [0.0] * len(raw)  # on the sum of each answer
        for m, wanted in enumerate(target):
            k = mirror(m, len(raw)) if viewer else m
            error = 1 - wanted - raw[k] if viewer and m == 0 else wanted - raw[k]
            pushes[k] = error * raw[k] * (1 - raw[k])
        deeper = [
            sum(map(operator.mul, pushes, row)) * (h > 0) for h, row in zip(second, self.output, strict=True)
        ]
        deepest = [
            sum(map(operator.mul, deeper[:-1], row)) * (h > 0)
            for h, row in zip(first, self.middle, strict=True)
        ]
        for weights, units, push in ((self.output, second, pushes), (self.middle, first, deeper[:-1]),
                                     (self.hidden, x, deepest[:-1])):  # fmt: skip
            step(weights, [[h * p for p in push] for h in units], alpha)


def sigmoid(x: float) -> float:
    return 1 / (1 + math.exp(-x))


def rectified(x: float) -> float:
    return max(0.0, x)


def weighted(x: list[float], weights: list[list[float]]) -> list[float]:
    """The sums of each column's weights times x."""
    return [sum(xi * row[j] for xi, row in zip(x, weights, strict=True)) for j in range(len(weights[0]))]


def step(weights: list[list[float]], traces: list[list[float]], size: float) -> None:
    """Go along the traces."""
    for row, trace in zip(weights, traces, strict=True):
        row[:] = [w + size * e for w, e in zip(row, trace, strict=True)]


# --- at the speed of the machine -----------------------------------------------------------------------------


class Traces(NamedTuple):
    """Eligibility traces of one game; without room where lambda is 0."""

    hidden: np.ndarray  # float32[inputs + 1, answers, units]
    # float32[units + 1, answers, answers]: of each weight, by the answer whose trace it is
    output: np.ndarray
    rows: np.ndarray  # int64[inputs + 1]: the inputs that were not 0 in this game; no other row has a trace
    marks: np.ndarray  # int64[inputs + 2]: whether an input is one of them; the last says how many there are
    gradient: np.ndarray  # float32[answers, units]: of each answer, along the sums of the hidden units
    deeper: np.ndarray  # float32[second]: what moves the sums of a second hidden layer
    steps: np.ndarray  # float32[2, answers]: alpha times the errors; slopes of the answers


def traces_for(layers: Any, lam: float) -> Traces:
    inputs, units, answers = len(layers.hidden) - 1, layers.hidden.shape[1], layers.output.shape[1]
    rows = inputs + 1 if lam > 0 else 0
    return Traces(
        np.zeros((rows, answers, units), np.float32),
        np.zeros((units + 1 if rows else 0, answers, answers), np.float32),
        np.zeros(inputs + 1, np.int64),
        np.zeros(inputs + 2, np.int64),
        np.zeros((answers, units), np.float32),
        np.zeros(layers.middle.shape[1], np.float32),
        np.zeros((2, answers), np.float32),
    )


@kernel
def forget(traces: Any) -> None:
    """A new game: no traces."""
    last = len(traces.marks) - 1
    for t in range(traces.marks[last]):
        row = traces.rows[t]
        traces.marks[row] = 0
        traces.hidden[row] = ZERO
    traces.marks[last] = 0
    for j in range(len(traces.output)):
        traces.output[j] = ZERO


@kernel
def learn(net: Any, at: Any, n: int, viewer: int, target: Any, rates: Any, traces: Any) -> float:
    """Move MAX's answers at an afterstate towards a target; the mean square of the errors.

    `at` is the room where the net was asked of the afterstate: n inputs, hidden units, the viewer's answers. `rates`
    are alpha and lambda.
    """
    error = errors(at, viewer, target, np.float32(rates[0]), traces)
    if len(net.middle) > 0:
        descend(net, at, n, viewer, traces)
        return error
    gradients(net, at, viewer, traces)
    if rates[1] > 0.0:
        traced(net, at, n, viewer, np.float32(rates[1]), traces)
    else:
        direct(net, at, n, viewer, traces)
    return error


@inlined
def errors(at: Any, viewer: int, target: Any, alpha: Any, traces: Any) -> float:
    """What each answer is to be moved by, times alpha, and its slope."""
    raw, steps, total = at.raw, traces.steps, 0.0
    for m in range(len(raw)):
        k = mirror(m, len(raw)) if viewer else m
        turned = viewer != 0 and m == 0
        error = target[m] - (ONE - raw[k] if turned else raw[k])
        slope = raw[k] * (ONE - raw[k])
        steps[0, m] = alpha * error
        steps[1, m] = -slope if turned else slope
        total += error * error
    return total / len(raw)


@inlined
def gradients(net: Any, at: Any, viewer: int, traces: Any) -> None:
    """The gradient of each answer along the sums of the hidden units."""
    units, answers = len(at.units), len(at.raw)
    for m in range(answers):
        k = mirror(m, answers) if viewer else m
        slope = traces.steps[1, m]
        for j in range(units):
            h = at.units[j]
            traces.gradient[m, j] = slope * net.output[j, k] * h * (ONE - h)


@inlined
def direct(net: Any, at: Any, n: int, viewer: int, traces: Any) -> None:
    """Without traces: one step along the gradient, for the inputs that are not 0."""
    units, answers, steps, gradient = len(at.units), len(at.raw), traces.steps, traces.gradient
    for m in range(answers):
        k = mirror(m, answers) if viewer else m
        size = steps[0, m] * steps[1, m]
        for j in range(units):
            net.output[j, k] += size * at.units[j]
        net.output[units, k] += size
        for j in range(units):
            gradient[m, j] *= steps[0, m]
    total = gradient[0]
    for m in range(1, answers):
        for j in range(units):
            total[j] += gradient[m, j]
    move_inputs(net, at, n, total)


@inlined
def descend(net: Any, at: Any, n: int, viewer: int, traces: Any) -> None:
    """One step along the gradient, with a second hidden layer."""
    units, second, steps, answers = at.units, at.second, traces.steps, len(at.raw)
    deeper, total = traces.deeper, traces.gradient[0]
    for k in range(len(second)):
        deeper[k] = ZERO
    for m in range(answers):
        place = mirror(m, answers) if viewer else m
        size = steps[0, m] * steps[1, m]
        for k in range(len(second)):
            deeper[k] += size * net.output[k, place] if second[k] > ZERO else ZERO
            net.output[k, place] += size * second[k]
        net.output[len(second), place] += size
    for j in range(len(units)):
        total[j] = ZERO
        if units[j] > ZERO:
            row, push = net.middle[j], ZERO
            for k in range(len(second)):
                push += deeper[k] * row[k]
                row[k] += units[j] * deeper[k]
            total[j] = push
    bias = net.middle[len(units)]
    for k in range(len(second)):
        bias[k] += deeper[k]
    move_inputs(net, at, n, total)


@inlined
def move_inputs(net: Any, at: Any, n: int, total: Any) -> None:
    """The weights of the inputs that are not 0, and the bias, by what moves the sums of the hidden units."""
    units = len(at.units)
    for i in range(n):
        row, value = net.hidden[at.places[i]], at.values[i]
        for j in range(units):
            row[j] += value * total[j]
    bias = net.hidden[len(net.hidden) - 1]
    for j in range(units):
        bias[j] += total[j]


@inlined
def touch(traces: Any, row: int) -> None:
    """An input that is not 0 has traces from now on."""
    if traces.marks[row] == 0:
        last = len(traces.marks) - 1
        traces.marks[row] = 1
        traces.rows[traces.marks[last]] = row
        traces.marks[last] += 1


@inlined
def traced(net: Any, at: Any, n: int, viewer: int, lam: Any, traces: Any) -> None:
    """Traces fade, the gradient is added to them, and the weights go along them."""
    bias = len(net.hidden) - 1
    for i in range(n):
        touch(traces, at.places[i])
    touch(traces, bias)
    rows = traces.marks[len(traces.marks) - 1]
    answers, units, steps = len(at.raw), len(at.units), traces.steps
    for t in range(rows):
        for m in range(answers):
            trace = traces.hidden[traces.rows[t], m]
            for j in range(units):
                trace[j] *= lam
    for i in range(n + 1):
        place, value = (at.places[i], at.values[i]) if i < n else (bias, ONE)
        for m in range(answers):
            trace = traces.hidden[place, m]
            for j in range(units):
                trace[j] += value * traces.gradient[m, j]
    for t in range(rows):
        weights = net.hidden[traces.rows[t]]
        for m in range(answers):
            trace, size = traces.hidden[traces.rows[t], m], steps[0, m]
            for j in range(units):
                weights[j] += size * trace[j]
    for j in range(units + 1):
        h = at.units[j] if j < units else ONE
        for m in range(answers):
            for k in range(answers):
                traces.output[j, m, k] *= lam
            traces.output[j, m, mirror(m, answers) if viewer else m] += steps[1, m] * h
            for k in range(answers):
                net.output[j, k] += steps[0, m] * traces.output[j, m, k]
