"""Chance nodes: Ballard's Star1 and Star2 (1983), and what the table keeps of a mean.

The value of a chance node is the mean of its outcomes' values, rounded to a step. It is MAX's. If no value lies
outside [least, most], the mean is bounded before all outcomes are searched: those that are left are worth `least` or
`most`, or what is known of them. Star1 gives each outcome the window outside of which the mean leaves (alpha, beta).
Star2 looks at one move of each outcome first: the mover can do no worse than that, which often settles the matter.

Bounds are rounded away from the mean by a quarter of a step, which is more than floats lose.
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
OTHER_KEY = 0x2545F4914F6CDD1D  # an upper bound is filed under the key exclusive-or this
LEAST = 2  # the depth from which a node's outcomes are probed: below, a whole outcome costs no more


class Mean(NamedTuple):
    """A mean in the making."""

    total: float  # the sum of what is known
    low: float  # at least as much comes from the outcomes that are left
    high: float  # at most as much


@inlined
def most(s: Any, c: Any) -> int:
    """No value of the game is greater; NO_LIMIT where that is not known, or not used."""
    known = s.win_score() > 0 and s.win_score() < PRECISE
    return s.win_score() if known and enabled(c.on, STAR1 | STAR2) else NO_LIMIT - 1


@inlined
def ceiling_of(mean: Any, chance: float, value: float) -> int:
    """The mean is at most this, if an outcome is worth at most `value`."""
    return int(math.floor(mean.total + chance * value + mean.high + 0.75))


@inlined
def floor_of(mean: Any, chance: float, value: float) -> int:
    """The mean is at least this, if an outcome is worth at least `value`."""
    return int(math.floor(mean.total + chance * value + mean.low + 0.25))


@kernel
def lower_window(mean: Any, chance: float, alpha: int, limit: int) -> int:
    """If an outcome is worth no more than this, the mean is no more than alpha."""
    if limit >= PRECISE or alpha < -PRECISE:
        return -limit - 1
    value = math.floor((alpha - mean.total - mean.high) / chance)
    return int(max(min(value, limit + 0.0), -limit - 1.0))


@kernel
def upper_window(mean: Any, chance: float, beta: int, limit: int) -> int:
    """If an outcome is worth no less than this, the mean is no less than beta."""
    if limit >= PRECISE or beta > PRECISE:
        return limit + 1
    value = math.ceil((beta - mean.total - mean.low) / chance)
    return int(min(max(value, -limit - 0.0), limit + 1.0))


@kernel
def known_mean(key: int, depth: int, alpha: int, beta: int, c: Any) -> tuple[bool, int]:
    """Whether what the table keeps of a chance node decides, and the value."""
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
    """Store a mean, or a bound of it: an upper one beside the other."""
    ended = 1 if c.memory.horizon == horizon else 0
    place = key ^ OTHER_KEY if bound == UPPER else key
    store(place, value, depth, bound, ended, 0, NO_INDEX, c.memory)
