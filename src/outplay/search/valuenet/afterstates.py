"""All afterstates of a state judged together: they are much alike, and so are the sums of their hidden units.

The first one is summed from its inputs, as `layers.propagate` does. Each other one begins with the sums of the first
and adds, or takes away, only the rows of inputs between the first and the last that differ. So answers may differ from
those of `layers.judge`, which is the plain version, in the last digits of 32 bits.

What is done for each afterstate takes addresses: Numba counts arrays that are passed on, which would take
longer than all the rest.
"""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.valuenet.answers import result, turned, worth_of
from outplay.search.valuenet.inputs import look_at, seen_by
from outplay.search.valuenet.judging import is_settled
from outplay.search.valuenet.layers import sigmoid
from outplay.search.valuenet.memory import EVALUATES

pointer, sum_rows = NATIVE["pointer"][ENABLED], NATIVE["sum_rows"][ENABLED]
ZERO = np.float32(0.0)
LEAST = -1e300


class Lines(NamedTuple):
    """Where the arrays of `Room` and `Sums` lie."""

    words: Any
    places: Any
    values: Any
    first: Any
    first_places: Any
    first_values: Any
    hidden: Any
    middle: Any
    output: Any
    biases: Any
    units: Any
    second: Any
    answers: Any
    rows: Any
    weights: Any


class Sizes(NamedTuple):
    """How many numbers there are: words of the game, units of both hidden layers, answers; columns of their tables."""

    words: int
    units: int
    second: int
    answers: int
    wide: int
    second_wide: int
    answers_wide: int


@kernel
def rate(s: Any, base: int, n: int, net: Any, memory: Any) -> int:
    """MAX's answers after each of n actions on the stack, and what it is worth to the mover; the best one's place."""
    room, sums, scale = memory.room, memory.sums, net.scale[0]
    stack, ratings = pointer(memory.stack), pointer(memory.ratings)
    lines = Lines(
        pointer(room.words), pointer(room.places), pointer(room.values), pointer(sums.first),
        pointer(sums.places), pointer(sums.values), pointer(sums.hidden), pointer(sums.middle),
        pointer(sums.output), pointer(sums.biases), pointer(sums.units), pointer(sums.second),
        pointer(sums.answers), pointer(sums.rows), pointer(sums.weights),
    )  # fmt: skip
    sizes = Sizes(
        len(room.words) - 1, len(room.units), len(room.second), len(room.raw), len(sums.units), len(sums.second),
        len(sums.answers),
    )  # fmt: skip
    knows = memory.counters[EVALUATES] != 0 or len(memory.table) > 0
    sign = 1.0 if s.player() == 0 else -1.0
    known = -1  # inputs of the first afterstate
    best, most = base, LEAST
    for i in range(base, base + n):
        after, answers = s.result(stack[i]), memory.answers[i]
        if not knows and after.terminal():
            result(after.utility() / after.worth(), scale, answers)
        elif not knows or not is_settled(after, net, memory, answers):
            count = look_at(after, lines.words, sizes.words, lines.places, lines.values)
            if known < 0:
                known = remember(count, lines, sizes)
            sum_up(count, known, lines, sizes)
            answer(lines, sizes)
            turned(lines.answers, seen_by(after, lines.words), answers)
        rating = sign * worth_of(answers, scale)
        ratings[i] = rating
        if rating > most:
            best, most = i, rating
    return best


@kernel
def rate_all(s: Any, net: Any, memory: Any) -> int:
    """The same for all actions of a state; how many there are."""
    n = s.actions(pointer(memory.stack), 0)
    rate(s, 0, n, net, memory)
    return n


@inlined
def remember(n: int, lines: Any, sizes: Any) -> int:
    """The first afterstate: its inputs, and the sums of its hidden units. How many inputs it has."""
    for i in range(n):
        lines.first_places[i] = lines.places[i]
        lines.first_values[i] = lines.values[i]
    sum_rows(lines.first, lines.biases, 0, lines.hidden, sizes.wide, lines.places, lines.values, n)
    return n


@inlined
def sum_up(n: int, known: int, lines: Any, sizes: Any) -> None:
    """The sums of the hidden units from n inputs, by way of the first afterstate's, which has `known` of them.

    Both lists of inputs are in the same order. What differs lies between their common beginning and end.
    """
    places, values, old_places, old_values = (
        lines.places,
        lines.values,
        lines.first_places,
        lines.first_values,
    )
    first, end, gap = 0, n, known - n
    shorter = min(n, known)
    while first < shorter and places[first] == old_places[first] and values[first] == old_values[first]:
        first += 1
    while end > first and end + gap > first:
        same = places[end - 1] == old_places[end - 1 + gap]
        if not same or values[end - 1] != old_values[end - 1 + gap]:
            break
        end -= 1
    count = 0
    for i in range(first, end + gap):
        lines.rows[count] = old_places[i]
        lines.weights[count] = -old_values[i]
        count += 1
    for i in range(first, end):
        lines.rows[count] = places[i]
        lines.weights[count] = values[i]
        count += 1
    sum_rows(lines.units, lines.first, 0, lines.hidden, sizes.wide, lines.rows, lines.weights, count)


@inlined
def answer(lines: Any, sizes: Any) -> None:
    """The viewer's answers, from the sums of the hidden units."""
    start = sizes.wide
    if sizes.second > 0:
        count = active(lines.units, sizes.units, lines)
        sum_rows(
            lines.second,
            lines.biases,
            start,
            lines.middle,
            sizes.second_wide,
            lines.rows,
            lines.weights,
            count,
        )
        start += sizes.second_wide
        count = active(lines.second, sizes.second, lines)
    else:
        count = sizes.units
        for j in range(sizes.wide):
            lines.units[j] = sigmoid(lines.units[j])
        for j in range(count):
            lines.rows[j] = j
            lines.weights[j] = lines.units[j]
    sum_rows(
        lines.answers, lines.biases, start, lines.output, sizes.answers_wide, lines.rows, lines.weights, count
    )
    for k in range(sizes.answers):
        lines.answers[k] = sigmoid(lines.answers[k])


@inlined
def active(units: Any, many: int, lines: Any) -> int:
    """List the rectified units that are not 0; how many they are."""
    count = 0
    for j in range(many):
        lines.rows[count] = j
        lines.weights[count] = units[j]
        count += 1 if units[j] > ZERO else 0
    return count
