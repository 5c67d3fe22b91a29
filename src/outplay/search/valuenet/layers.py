"""The net: one hidden layer of sigmoids (TD-Gammon's), or two of rectified units, and a sigmoid for each answer.

A rectified unit is max(0, x). Most of them are 0 at a time, and these cost nothing in the second layer.
"""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined
from outplay.search.valuenet.answers import result, turned, worth_of
from outplay.search.valuenet.inputs import see, viewer

HALF, ZERO = np.float32(0.5), np.float32(0.0)
FAR = np.float32(7.90531110763549805)  # beyond it tanh is 1 in 32 bits
# tanh(x) = x P(x^2) / Q(x^2) to 32 bits: a quotient of polynomials, which processors do for many units at once
P = tuple(
    map(
        np.float32,
        (
            4.89352455891786e-03, 6.37261928875436e-04, 1.48572235717979e-05, 5.12229709037114e-08,
            -8.60467152213735e-11, 2.00018790482477e-13, -2.76076847742355e-16,
        ),
    )
)  # fmt: skip
Q = tuple(
    map(np.float32, (4.89352518554385e-03, 2.26843463243900e-03, 1.18534705686654e-04, 1.19825839466702e-06))
)
P0, P1, P2, P3, P4, P5, P6 = P
Q0, Q1, Q2, Q3 = Q


class Layers(NamedTuple):
    """The weights."""

    hidden: np.ndarray  # float32[inputs + 1, units]: a row for each input; the last is the bias
    # float32[units + 1, second]: from the first hidden layer to the second; no rows: there is none
    middle: np.ndarray
    # float32[units + 1, answers]: a row for each unit of the last hidden layer; then the bias
    output: np.ndarray
    scale: np.ndarray  # float64[1]: what an answer of 1 is worth, where there is one answer


NO_MIDDLE = np.zeros((0, 0), np.float32)  # of a net with one hidden layer


@inlined
def sigmoid(x: Any) -> Any:
    """1 / (1 + exp(-x)), as (1 + tanh(x / 2)) / 2."""
    x = max(-FAR, min(FAR, HALF * x))
    y = x * x
    p = x * (P0 + y * (P1 + y * (P2 + y * (P3 + y * (P4 + y * (P5 + y * P6))))))
    # np.divide looks for no zero to complain of, so that many quotients are taken at once
    return HALF + HALF * np.divide(p, Q0 + y * (Q1 + y * (Q2 + y * Q3)))


@inlined
def propagate(n: int, net: Any, room: Any) -> None:
    """From n inputs to hidden units and answers, forwards."""
    units, hidden = room.units, net.hidden
    bias = hidden[len(hidden) - 1]
    for j in range(len(units)):
        units[j] = bias[j]
    for i in range(n):
        row, value = hidden[room.places[i]], room.values[i]
        for j in range(len(units)):
            units[j] += value * row[j]
    last, output, raw = activate(net, room), net.output, room.raw
    for k in range(len(raw)):
        raw[k] = output[len(last), k]
    for j in range(len(last)):
        for k in range(len(raw)):
            raw[k] += last[j] * output[j, k]
    for k in range(len(raw)):
        raw[k] = sigmoid(raw[k])


@inlined
def activate(net: Any, room: Any) -> Any:
    """From the sums of the hidden units to the units of the last hidden layer."""
    units, second, middle = room.units, room.second, net.middle
    if len(middle) == 0:
        for j in range(len(units)):
            units[j] = sigmoid(units[j])
        return units
    bias = middle[len(units)]
    for k in range(len(second)):
        second[k] = bias[k]
    for j in range(len(units)):
        unit = max(ZERO, units[j])
        units[j] = unit
        if unit > ZERO:
            row = middle[j]
            for k in range(len(second)):
                second[k] += unit * row[k]
    for k in range(len(second)):
        second[k] = max(ZERO, second[k])
    return second


@inlined
def judge(s: Any, net: Any, room: Any, answers: Any) -> float:
    """MAX's answers at a state, by the net, or as it is where the game is over; their value."""
    if s.terminal():
        result(s.utility() / s.worth(), net.scale[0], answers)
        return worth_of(answers, net.scale[0])
    propagate(see(s, room), net, room)
    turned(room.raw, viewer(s, room), answers)
    return worth_of(answers, net.scale[0])
