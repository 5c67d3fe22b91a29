"""Star1 and Star2 (Ballard 1983): alpha-beta for expectiminimax, if the minimum and maximum values are known.

The contract is that of alpha-beta, fail-soft: outside the window the value is a bound, inside it is expectiminimax's.
A mean is known to be outside as soon as the remaining outcomes, each between `least` and `most`, cannot bring it
back. Star2 first probes one move of each outcome, which bounds the outcome from one side.

This is the plain version, the oracle for the engine's (engine/chance.py).
"""

import math
from typing import Any

from outplay.game import CHANCE, GameError, chances, estimate, is_terminal, kind, most_utility, outcome, worth


def star1(state: Any, depth: int, alpha: float = -math.inf, beta: float = math.inf) -> float:
    """The expectiminimax value of a state for MAX, or a bound on it outside (alpha, beta)."""
    return _value(state, depth, alpha, beta, probing=False)


def star2(state: Any, depth: int, alpha: float = -math.inf, beta: float = math.inf) -> float:
    """The same, with probes."""
    return _value(state, depth, alpha, beta, probing=True)


def _value(state: Any, depth: int, alpha: float, beta: float, probing: bool) -> float:
    if is_terminal(state):
        return float(outcome(state))
    if depth == 0:
        return float(estimate(state))
    if state.player() == CHANCE:
        return _mean(state, depth, alpha, beta, probing)
    best, sign = -math.inf, 1 if state.player() == 0 else -1
    low, high = (alpha, beta) if sign == 1 else (-beta, -alpha)
    for action in state.actions():
        window = (low, high) if sign == 1 else (-high, -low)
        best = max(best, sign * _value(state.result(action), depth - 1, *window, probing))
        low = max(low, best)
        if low >= high:
            break
    return sign * best


def _mean(state: Any, depth: int, alpha: float, beta: float, probing: bool) -> float:
    outcomes = [(chance, state.result(roll)) for roll, chance in chances(state) if chance > 0]
    most = _most(type(state))
    bounds = [(-most, most)] * len(outcomes)  # on each outcome's value
    if probing and depth > 1:
        for i, (_, child) in enumerate(outcomes):
            bounds[i] = _probe(child, depth - 1, bounds[i], probing)
            least, greatest = (
                sum(c * b[k] for (c, _), b in zip(outcomes, bounds, strict=True)) for k in (0, 1)
            )
            if least >= beta + 1 or greatest <= alpha - 1:  # one step of slack for rounding errors
                return math.floor(least) if least >= beta + 1 else math.ceil(greatest)
    total = 0.0
    for i, (chance, child) in enumerate(outcomes):
        left = list(zip(outcomes, bounds, strict=True))[i + 1 :]
        least, greatest = (total + sum(c * b[k] for (c, _), b in left) for k in (0, 1))
        low, high = (alpha - 1 - greatest) / chance, (beta + 1 - least) / chance
        value = _value(child, depth - 1, low, high, probing)
        if value <= low:
            return math.ceil(greatest + chance * value)
        if value >= high:
            return math.floor(least + chance * value)
        total += chance * value
    return total if kind(type(state)).float_scores else float(math.floor(total + 0.5))


def _probe(state: Any, depth: int, bounds: tuple[float, float], probing: bool) -> tuple[float, float]:
    """The bounds on a value, one of them narrowed by the first move."""
    if is_terminal(state) or state.player() == CHANCE:
        return bounds
    value = _value(state.result(next(iter(state.actions()))), depth - 1, -math.inf, math.inf, probing)
    return (value, bounds[1]) if state.player() == 0 else (bounds[0], value)


def _most(cls: type) -> float:
    if not hasattr(cls, "win"):
        raise GameError(f"{cls.__name__} does not declare its maximum utility: Star needs `win = ...`")
    return float(most_utility(cls) * worth(cls))
