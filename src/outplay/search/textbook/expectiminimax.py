"""Expectiminimax: minimax with chance nodes, whose value is the mean of their outcomes' values, weighted by
their probabilities. In a game where only MAX and chance move it is expectimax.

If scores are ints (`scores = int`), the mean is rounded to the nearest int: fixed-point values.
"""

import math
from collections.abc import Callable
from typing import Any

from outplay.compile import kernel
from outplay.game import CHANCE, chances, estimate, is_terminal, kind, outcome
from outplay.search.protocol.control import (
    check_sum,
    checked_chance,
    count,
    end_line,
    extend_line,
    has_floats,
    horizon,
    moves,
)
from outplay.search.textbook.minimax import MAX, less
from outplay.search.trace.events import EDGE, ENTER, LEAF, VALUE, record

# --- as on the slides ------------------------------------------------------------------------------------


def value(
    state: Any,
    depth: int | None = None,
    visit: Callable[[Any], None] = lambda s: None,
    evaluate: Callable[[Any], float] | None = None,
) -> float:
    """The expectiminimax value of a state for MAX.

    `visit` is called at every node; `evaluate` replaces the game's own.
    """
    visit(state)
    if is_terminal(state):
        return float(outcome(state))
    if depth == 0 and evaluate is not None:
        return float(evaluate(state))
    if depth == 0:
        return float(estimate(state)) if hasattr(state, "evaluate") else 0.0
    if state.player() == CHANCE:
        return exp_value(state, depth, visit, evaluate)
    best = max if state.player() == MAX else min
    return best(value(state.result(a), less(depth), visit, evaluate) for a in state.actions())


def exp_value(state: Any, depth: int | None, visit: Callable[[Any], None], evaluate: Any) -> float:
    total = 0.0
    for roll, probability in chances(state):
        total += probability * value(state.result(roll), less(depth), visit, evaluate)
    return total if kind(type(state)).float_scores else float(math.floor(total + 0.5))


# --- at the speed of the machine -------------------------------------------------------------------------


@kernel
def expectiminimax(s: Any, depth: int, base: int, memory: Any, trace: Any) -> Any:
    """The same value, from the same nodes in the same order. The principal variation ends at chance nodes."""
    count(memory)
    record(trace, memory, ENTER, 0, 0.0, 0.0, 0.0)
    over = s.terminal()
    if over or depth == 0:
        end_line(memory, depth)
        best = float(s.utility()) if over else float(horizon(s, memory))
        record(trace, memory, LEAF, 0, 0.0, 0.0, best)
        return best
    end = base + moves(s, memory, base)
    chance = s.chance()
    is_max = s.player() == MAX
    best = 0.0
    total = 0.0
    for i in range(base, end):
        action = memory.stack[i]
        record(trace, memory, EDGE, action, 0.0, 0.0, 0.0)
        v = expectiminimax(s.result(action), depth - 1, end, memory, trace)
        if chance:
            probability = checked_chance(s, action)
            total += probability
            best += probability * v
        elif i == base or ((v > best) if is_max else (v < best)):
            best = v
            extend_line(memory, depth, action)
    if chance:
        check_sum(total)
        end_line(memory, depth)
        if not has_floats(s):
            best = math.floor(best + 0.5)
    record(trace, memory, VALUE, 0, 0.0, 0.0, best)
    return best


@kernel
def start(s: Any, depth: int, memory: Any, trace: Any) -> Any:
    """Search from the root."""
    return expectiminimax(s, depth, 0, memory, trace)
