"""All afterstates of a state judged together: they are much alike, and so are the sums of their hidden units.

The first one is summed from its inputs, as `layers.propagate` does. Each other one begins with the sums of the first
and adds, or takes away, only the rows of inputs between the first and the last that differ.
The sums of the answers go along the units of a column, several at a time. So answers may differ from those of
`layers.judge`, which is the plain version, in the last digits of 32 bits.
"""

from typing import Any

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.valuenet.answers import turned, worth_of
from outplay.search.valuenet.inputs import see, viewer
from outplay.search.valuenet.judging import is_settled
from outplay.search.valuenet.layers import sigmoid
from outplay.search.valuenet.memory import FIRST, LANES

pointer, sum_rows = NATIVE["pointer"][ENABLED], NATIVE["sum_rows"][ENABLED]
ZERO = np.float32(0.0)
LEAST = -1e300


@kernel
def rate(s: Any, base: int, n: int, net: Any, memory: Any) -> int:
    """MAX's answers after each of n actions on the stack, and what it is worth to the mover; the best one's place."""
    room, sums = memory.room, memory.sums
    stack = pointer(memory.stack)
    sign = 1.0 if s.player() == 0 else -1.0
    sums.marks[FIRST] = -1
    best, most = base, LEAST
    for i in range(base, base + n):
        after, answers = s.result(stack[i]), memory.answers[i]
        if not is_settled(after, net, memory, answers):
            sum_up(see(after, room), room, sums)
            answer(room, sums)
            turned(room.raw, viewer(after, room), answers)
        memory.ratings[i] = sign * worth_of(answers, net.scale[0])
        if memory.ratings[i] > most:
            best, most = i, memory.ratings[i]
    return best


@kernel
def rate_all(s: Any, net: Any, memory: Any) -> int:
    """The same for all actions of a state; how many there are."""
    n = s.actions(pointer(memory.stack), 0)
    rate(s, 0, n, net, memory)
    return n


@inlined
def sum_up(n: int, room: Any, sums: Any) -> None:
    """The sums of the hidden units from n inputs, by way of the first afterstate's.

    Both lists of inputs are in the same order. What differs lies between their common beginning and end.
    """
    places, values, rows, weights, width = room.places, room.values, sums.rows, sums.weights, len(sums.units)
    if sums.marks[FIRST] < 0:
        for i in range(n):
            sums.places[i], sums.values[i] = places[i], values[i]
        sums.marks[FIRST] = n
        bias = sums.hidden[len(sums.hidden) - 1]
        sum_rows(
            pointer(sums.first),
            pointer(bias),
            pointer(sums.hidden),
            width,
            pointer(places),
            pointer(values),
            n,
        )
    first, end, gap = 0, n, sums.marks[FIRST] - n
    shorter = min(n, sums.marks[FIRST])
    while first < shorter and places[first] == sums.places[first] and values[first] == sums.values[first]:
        first += 1
    while end > first and end + gap > first:
        same = places[end - 1] == sums.places[end - 1 + gap]
        if not same or values[end - 1] != sums.values[end - 1 + gap]:
            break
        end -= 1
    count = 0
    for i in range(first, end + gap):
        rows[count], weights[count] = sums.places[i], -sums.values[i]
        count += 1
    for i in range(first, end):
        rows[count], weights[count] = places[i], values[i]
        count += 1
    sum_rows(
        pointer(sums.units),
        pointer(sums.first),
        pointer(sums.hidden),
        width,
        pointer(rows),
        pointer(weights),
        count,
    )


@inlined
def last_units(count: int, sums: Any) -> Any:
    """The units of the last hidden layer, from the sums of those of the first, of which there are `count`."""
    units, second, rows, weights = sums.units, sums.second, sums.rows, sums.weights
    if len(sums.middle) == 0:
        for j in range(len(units)):
            units[j] = sigmoid(units[j])
        return units
    active = 0
    for j in range(count):
        rows[active], weights[active] = j, units[j]
        active += 1 if units[j] > ZERO else 0
    bias = sums.middle[count]
    sum_rows(
        pointer(second),
        pointer(bias),
        pointer(sums.middle),
        len(second),
        pointer(rows),
        pointer(weights),
        active,
    )
    for k in range(len(second)):
        second[k] = max(ZERO, second[k])
    return second


@inlined
def answer(room: Any, sums: Any) -> None:
    """The viewer's answers, from the sums of the hidden units."""
    units, lanes, raw = last_units(len(room.units), sums), sums.lanes, room.raw
    count = sums.columns.shape[1] - 1
    whole = count - count % LANES
    for k in range(len(raw)):
        column = sums.columns[k]
        for lane in range(LANES):
            lanes[lane] = ZERO
        for j in range(0, whole, LANES):
            for lane in range(LANES):
                lanes[lane] += units[j + lane] * column[j + lane]
        total = column[count]
        for j in range(whole, count):
            total += units[j] * column[j]
        low, high = (
            (lanes[0] + lanes[4]) + (lanes[1] + lanes[5]),
            (lanes[2] + lanes[6]) + (lanes[3] + lanes[7]),
        )
        raw[k] = sigmoid(total + (low + high))
