"""Minimax: MINIMAX-DECISION with MAX-VALUE and MIN-VALUE, as on the slides; depth-limited if a depth is given.

The value of a state is its utility if the game is over, else the best of its successors' values for the player
to move. The choice is optimal against the best opponent; against a weaker one MAX does at least as well. Time
O(b^m), space O(bm).
"""

from collections.abc import Callable
from typing import Any

from outplay.compile import kernel
from outplay.game import estimate, is_terminal, outcome
from outplay.search.protocol.control import (
    count,
    end_line,
    extend_line,
    highest,
    horizon,
    lowest,
    moves,
)
from outplay.search.trace.events import EDGE, ENTER, LEAF, VALUE, record

MAX = 0


# --- as on the slides ------------------------------------------------------------------------------------


def minimax_decision(
    state: Any, depth: int | None = None, visit: Callable[[Any], None] = lambda s: None
) -> int:
    """The action with the best minimax value; the first among equals."""
    visit(state)
    best = max if state.player() == MAX else min
    return best(state.actions(), key=lambda a: value(state.result(a), less(depth), visit))


def value(
    state: Any,
    depth: int | None = None,
    visit: Callable[[Any], None] = lambda s: None,
    evaluate: Callable[[Any], Any] = estimate,
) -> Any:
    """The minimax value of a state, for MAX. `visit` is called at every node; `evaluate` replaces the game's own."""
    visit(state)
    if is_terminal(state):
        return outcome(state)
    if depth == 0:
        return evaluate(state)
    side = max_value if state.player() == MAX else min_value
    return side(state, depth, visit, evaluate)


def max_value(state: Any, depth: int | None, visit: Callable[[Any], None], evaluate: Any) -> Any:
    return max(value(state.result(a), less(depth), visit, evaluate) for a in state.actions())


def min_value(state: Any, depth: int | None, visit: Callable[[Any], None], evaluate: Any) -> Any:
    return min(value(state.result(a), less(depth), visit, evaluate) for a in state.actions())


def less(depth: int | None) -> int | None:
    """One ply less; None (no limit) stays None."""
    return None if depth is None else depth - 1


# --- at the speed of the machine -------------------------------------------------------------------------


@kernel
def minimax(s: Any, depth: int, base: int, memory: Any, trace: Any) -> Any:
    """The same value, from the same nodes in the same order."""
    count(memory)
    record(trace, memory, ENTER, 0, 0, 0, 0)
    over = s.terminal()
    if over or depth == 0:
        end_line(memory, depth)
        best = s.utility() if over else horizon(s, memory)
        record(trace, memory, LEAF, 0, 0, 0, best)
        return best
    end = base + moves(s, memory, base)
    is_max = s.player() == MAX
    best = lowest(s) if is_max else highest(s)
    for i in range(base, end):
        action = memory.stack[i]
        record(trace, memory, EDGE, action, 0, 0, 0)
        v = minimax(s.result(action), depth - 1, end, memory, trace)
        if (v > best) if is_max else (v < best):
            best = v
            extend_line(memory, depth, action)
    record(trace, memory, VALUE, 0, 0, 0, best)
    return best


@kernel
def start(s: Any, depth: int, memory: Any, trace: Any) -> Any:
    """Search from the root."""
    return minimax(s, depth, 0, memory, trace)
