"""The net: one hidden layer of sigmoids, and a sigmoid for each answer."""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined
from outplay.search.valuenet.answers import result, turned, worth_of
from outplay.search.valuenet.inputs import see, viewer

HALF = np.float32(0.5)
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
    output: np.ndarray  # float32[units + 1, answers]: a row for each unit; the last is the bias
    scale: np.ndarray  # float64[1]: what an answer of 1 is worth, where there is one answer


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
    units, hidden, output, raw = room.units, net.hidden, net.output, room.raw
    bias = hidden[len(hidden) - 1]
    for j in range(len(units)):
        units[j] = bias[j]
    for i in range(n):
        row, value = hidden[room.places[i]], room.values[i]
        for j in range(len(units)):
            units[j] += value * row[j]
    for j in range(len(units)):
        units[j] = sigmoid(units[j])
    for k in range(len(raw)):
        raw[k] = output[len(units), k]
    for j in range(len(units)):
        for k in range(len(raw)):
            raw[k] += units[j] * output[j, k]
    for k in range(len(raw)):
        raw[k] = sigmoid(raw[k])


@inlined
def judge(s: Any, net: Any, room: Any, answers: Any) -> float:
    """MAX's answers at a state, by the net, or as it is where the game is over; their value."""
    if s.terminal():
        result(s.utility() / s.worth(), net.scale[0], answers)
        return worth_of(answers, net.scale[0])
    propagate(see(s, room), net, room)
    turned(room.raw, viewer(s, room), answers)
    return worth_of(answers, net.scale[0])
