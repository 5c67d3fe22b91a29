"""Chance nodes: Ballard's Star1 and Star2 (1983), and how the table stores a mean.

The value of a chance node is the mean of its outcomes' values for MAX, rounded to a step. If all values are in
[least, most], the mean is bounded before all outcomes are searched: the remaining ones are at least `least` and at
most `most`, or within their known bounds. Star1 searches each outcome with the window outside of which the mean
leaves (alpha, beta). Star2 first probes one move of each outcome: the mover can do no worse, which often decides.

Bounds are rounded away from the mean by a quarter of a step, which exceeds floating-point error.
"""

import math
from typing import Any, NamedTuple

from outplay.compile import inlined, kernel
from outplay.search.engine.probe import is_usable, lookup, store
from outplay.search.engine.switches import BIT, enabled
from outplay.search.engine.table import EXACT, LOWER, NO_INDEX, UPPER, bound_of, ended_of, score_of
from outplay.search.protocol.control import NO_LIMIT

STAR1, STAR2, CHANCES = BIT["star1"], BIT["star2"], BIT["chances"]
PRECISE = 1 << 44  # means of greater scores are not as precise as a quarter of a step
OTHER_KEY = 0x2545F4914F6CDD1D  # an upper bound is stored under the key xor this
LEAST = 2  # minimum depth for Star2 probes: below, a full search of the outcome costs no more


class Mean(NamedTuple):
    """A partial mean."""

    total: float  # the sum over the outcomes searched
    low: float  # lower bound on the sum over the remaining outcomes
    high: float  # upper bound


@inlined
def most(s: Any, c: Any) -> int:
    """The game's maximum value; NO_LIMIT if it is unknown or not used."""
    known = s.win_score() > 0 and s.win_score() < PRECISE
    return s.win_score() if known and enabled(c.on, STAR1 | STAR2) else NO_LIMIT - 1


@inlined
def ceiling_of(mean: Any, chance: float, value: float) -> int:
    """The upper bound on the mean, if the outcome's value is at most `value`."""
    return int(math.floor(mean.total + chance * value + mean.high + 0.75))


@inlined
def floor_of(mean: Any, chance: float, value: float) -> int:
    """The lower bound on the mean, if the outcome's value is at least `value`."""
    return int(math.floor(mean.total + chance * value + mean.low + 0.25))


@kernel
def lower_window(mean: Any, chance: float, alpha: int, limit: int) -> int:
    """The greatest value of an outcome for which the mean is at most alpha."""
    if limit >= PRECISE or alpha < -PRECISE:
        return -limit - 1
    value = math.floor((alpha - mean.total - mean.high) / chance)
    return int(max(min(value, limit + 0.0), -limit - 1.0))


@kernel
def upper_window(mean: Any, chance: float, beta: int, limit: int) -> int:
    """The least value of an outcome for which the mean is at least beta."""
    if limit >= PRECISE or beta > PRECISE:
        return limit + 1
    value = math.ceil((beta - mean.total - mean.low) / chance)
    return int(min(max(value, -limit - 0.0), limit + 1.0))


@kernel
def known_mean(key: int, depth: int, alpha: int, beta: int, c: Any) -> tuple[bool, int]:
    """Whether the table entries of a chance node decide, and the value."""
    data = lookup(key, c)
    if data != 0 and is_usable(data, depth, c):
        value = score_of(data)
        if bound_of(data) == EXACT or (bound_of(data) == LOWER and value >= beta):
            c.memory.horizon += 1 - ended_of(data)
            return True, value
    data = lookup(key ^ OTHER_KEY, c)
    if data != 0 and is_usable(data, depth, c) and bound_of(data) == UPPER and score_of(data) <= alpha:
        c.memory.horizon += 1 - ended_of(data)
        return True, score_of(data)
    return False, 0


@kernel
def keep_mean(key: int, value: int, depth: int, bound: int, horizon: int, c: Any) -> None:
    """Store a mean, or a bound on it; upper bounds have their own entry."""
    ended = 1 if c.memory.horizon == horizon else 0
    place = key ^ OTHER_KEY if bound == UPPER else key
    store(place, value, depth, bound, ended, 0, NO_INDEX, c.memory)
