"""The coefficient of each weight at a state: the features f1(s), f2(s) ... of a linear evaluation.

The compiled evaluation itself is called with probe weights. With all weights of a range set and the rest 0,
it returns 0 exactly if none of them counts at the state (the weights are large random numbers, so that
counts do not cancel). So a range is bisected recursively, and only halves that count are searched:
a few evaluations per weight that counts, however many weights there are. Every result is verified against the
evaluation with the real weights; `explain.linear` is the slow, plain way to the same numbers.
"""

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.explain import linear
from outplay.game import GameError, adopt, fitting_weights, kind
from outplay.weights import NotLinear, Weights

STEP = 57_657_600  # divisible by all numbers up to 16, by 24, 64, 100, 256: // by them leaves no remainder
NOISE = 64  # below this an answer is the remainder of another division
LARGEST = 1 << 16  # of the random factors: sums of many counts stay below 64 bits
SLACK = 16  # points: the largest sum of rounding errors in evaluate


class Features(NamedTuple):
    """The coefficients of many states: three parallel arrays, and the part of each value without weights."""

    rows: np.ndarray  # (entries,) int64: which state
    columns: np.ndarray  # (entries,) int64: which weight
    counts: np.ndarray  # (entries,) float64: its coefficient
    constants: np.ndarray  # (states,) float64
    size: int  # weights

    def values(self, weights: np.ndarray) -> np.ndarray:
        """The evaluation of every state with these weights, before rounding."""
        found = np.bincount(self.rows, self.counts * weights[self.columns], len(self.constants))
        return found + self.constants

    def gradient(self, slopes: np.ndarray) -> np.ndarray:
        """The gradient of a loss by the weights, from its derivatives by the states' values (chain rule)."""
        return np.bincount(self.columns, self.counts * slopes[self.rows], self.size)

    def select(self, chosen: np.ndarray) -> "Features":
        """The features of some of the states, by index."""
        place = np.full(len(self.constants), -1)
        place[chosen] = np.arange(len(chosen))
        rows = place[self.rows]
        kept = rows >= 0
        return Features(rows[kept], self.columns[kept], self.counts[kept], self.constants[chosen], self.size)


def features(cls: type, states: Iterable[Any]) -> Features:
    """The coefficients of a class's weights at states; a NotLinear error if evaluate is not linear."""
    cls = adopt(cls)
    weights = fitting_weights(cls)
    if weights is None:
        raise GameError(f"{cls.__name__} has no weights: its evaluate() takes none")
    find = _symbolic if kind(cls).float_scores else _Finder(cls, weights).find
    rows, columns, counts, constants = [], [], [], []
    for row, state in enumerate(states):
        places, found, constant = find(state, weights)
        rows.append(np.full(len(places), row))
        columns.append(places)
        counts.append(found)
        constants.append(constant)
    if not constants:
        raise ValueError("no positions given")
    return Features(
        np.concatenate(rows),
        np.concatenate(columns),
        np.concatenate(counts),
        np.array(constants, np.float64),
        len(weights),
    )


def _symbolic(state: Any, weights: Weights) -> tuple[np.ndarray, np.ndarray, float]:
    form = linear(state, weights)
    places = np.array(sorted(form.terms), np.int64)
    return places, np.array([float(form.terms[p]) for p in places.tolist()]), float(form.constant)


class _Finder:
    """The fast way, on compiled code, with its memory."""

    def __init__(self, cls: type, weights: Weights) -> None:
        self.twin = twin(cls)
        size = len(weights)
        rng = np.random.default_rng(1)
        factors = LARGEST // 2 + rng.choice(LARGEST // 2, size, replace=size > LARGEST // 2)
        self.numbers = STEP * factors.astype(np.int64)
        self.real = np.array(weights.flat(), np.int64)
        self.block = np.zeros(size, np.int64)
        self.stack = np.zeros(3 * 80, np.int64)  # ranges to search: two for each bisection
        self.places = np.zeros(size, np.int64)
        self.answers = np.zeros(size, np.int64)

    def find(self, state: Any, weights: Weights) -> tuple[np.ndarray, np.ndarray, float]:
        s = self.twin.state(state)
        with explained(self.twin, s):
            n = _find(s, self.block, self.numbers, self.stack, self.places, self.answers)
            constant, value = _values(s, self.block, self.real)
        places = self.places[:n].copy()
        counts = self.answers[:n] / self.numbers[places]
        if abs(constant + counts @ self.real[places] - value) <= SLACK:
            return places, counts, float(constant)
        places, counts, exact = _symbolic(state, weights)
        if abs(exact + counts @ self.real[places] - value) > SLACK:
            raise NotLinear(
                f"evaluate must be linear in its weights; at {state} it is not, or rounds too much"
            )
        return places, counts, exact


@kernel
def _find(s: Any, block: Any, numbers: Any, stack: Any, places: Any, answers: Any) -> int:
    """Write the indices of the weights that count and the evaluation with each alone; returns their number."""
    address = block.ctypes.data
    size = len(block)
    constant = s.weighed(address)
    block[:] = numbers
    stack[0], stack[1], stack[2] = 0, size, s.weighed(address) - constant
    block[:] = 0
    top = 3
    n = 0
    while top > 0:
        top -= 3
        low, high, answer = stack[top], stack[top + 1], stack[top + 2]
        if -NOISE <= answer <= NOISE:
            continue
        if high - low == 1:
            places[n], answers[n] = low, answer
            n += 1
            continue
        middle = (low + high) // 2
        block[low:middle] = numbers[low:middle]
        left = s.weighed(address) - constant
        block[low:middle] = 0
        stack[top], stack[top + 1], stack[top + 2] = middle, high, answer - left
        stack[top + 3], stack[top + 4], stack[top + 5] = low, middle, left
        top += 6
    return n


@kernel
def _values(s: Any, block: Any, real: Any) -> tuple[int, int]:
    """The evaluation with weights of 0, and with the real ones."""
    return s.weighed(block.ctypes.data), s.weighed(real.ctypes.data)
