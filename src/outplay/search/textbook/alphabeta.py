"""Alpha-beta: the minimax value, with the branches that cannot matter pruned.

alpha is the best value that MAX is assured of along the path, beta that of MIN; once beta <= alpha, the rest of a
node is pruned. The contract of a search with the window (alpha, beta), where m is the true minimax value:

    fail-soft   v <= alpha  =>  m <= v        v >= beta  =>  m >= v        otherwise  m == v
    fail-hard   the same with v clamped to [alpha, beta]

Fail-soft is MAX-VALUE / MIN-VALUE returning v, fail-hard the version that returns alpha or beta. With the
best move first, b^ceil(d/2) + b^floor(d/2) - 1 of the b^d leaves are evaluated (Knuth & Moore 1975).
"""

import math
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
from outplay.search.textbook.minimax import MAX, less
from outplay.search.trace.events import CUTOFF, EDGE, ENTER, LEAF, VALUE, record

Visit = Callable[[Any], None]


# --- as on the slides: fail-soft -------------------------------------------------------------------------


def alphabeta_decision(state: Any, depth: int | None = None, visit: Visit = lambda s: None) -> int:
    """ALPHA-BETA-DECISION: the action with the best value; the first among equals."""
    visit(state)
    alpha, beta, choice = -math.inf, math.inf, None
    for action in state.actions():
        v = value(state.result(action), alpha, beta, less(depth), visit)
        if choice is None or (v > alpha if state.player() == MAX else v < beta):
            choice = action
        if state.player() == MAX:
            alpha = max(alpha, v)
        else:
            beta = min(beta, v)
    assert choice is not None
    return choice


def value(
    state: Any,
    alpha: float = -math.inf,
    beta: float = math.inf,
    depth: int | None = None,
    visit: Visit = lambda s: None,
    evaluate: Callable[[Any], float] | None = None,
) -> Any:
    """The fail-soft value of a state for MAX. `visit` is called at every node; `evaluate` replaces the game's own."""
    visit(state)
    if is_terminal(state):
        return outcome(state)
    if depth == 0:
        return estimate(state) if evaluate is None else evaluate(state)
    side = max_value if state.player() == MAX else min_value
    return side(state, alpha, beta, depth, visit, evaluate)


def max_value(state: Any, alpha: Any, beta: Any, depth: int | None, visit: Visit, evaluate: Any) -> Any:
    v = -math.inf
    for action in state.actions():
        v = max(v, value(state.result(action), alpha, beta, less(depth), visit, evaluate))
        alpha = max(alpha, v)
        if beta <= alpha:
            return v
    return v


def min_value(state: Any, alpha: Any, beta: Any, depth: int | None, visit: Visit, evaluate: Any) -> Any:
    v = math.inf
    for action in state.actions():
        v = min(v, value(state.result(action), alpha, beta, less(depth), visit, evaluate))
        beta = min(beta, v)
        if beta <= alpha:
            return v
    return v


# --- as on the slides: fail-hard -------------------------------------------------------------------------


def hard_value(
    state: Any,
    alpha: float = -math.inf,
    beta: float = math.inf,
    depth: int | None = None,
    visit: Visit = lambda s: None,
    evaluate: Callable[[Any], Any] = estimate,
) -> Any:
    """The fail-hard value of a state for MAX: never outside [alpha, beta]."""
    visit(state)
    if is_terminal(state):
        return min(max(outcome(state), alpha), beta)
    if depth == 0:
        return min(max(evaluate(state), alpha), beta)
    if state.player() == MAX:
        for action in state.actions():
            alpha = max(alpha, hard_value(state.result(action), alpha, beta, less(depth), visit, evaluate))
            if beta <= alpha:
                return beta
        return alpha
    for action in state.actions():
        beta = min(beta, hard_value(state.result(action), alpha, beta, less(depth), visit, evaluate))
        if beta <= alpha:
            return alpha
    return beta


# --- at the speed of the machine -------------------------------------------------------------------------


@kernel
def alphabeta(
    s: Any, depth: int, alpha: Any, beta: Any, base: int, memory: Any, trace: Any, hard: Any
) -> Any:
    """The same value, from the same nodes in the same order; fail-hard if `hard` is not None.

    The game is not over at s, and depth is left. Most nodes of a tree are leaves: their parent evaluates
    them inline, without a call.
    """
    end = base + moves(s, memory, base)
    is_max = s.player() == MAX
    best = lowest(s) if is_max else highest(s)
    if hard is not None:
        best = alpha if is_max else beta
    for i in range(base, end):
        action = memory.stack[i]
        record(trace, memory, EDGE, action, alpha, beta, 0)
        child = s.result(action)
        count(memory)
        record(trace, memory, ENTER, 0, alpha, beta, 0)
        over = child.terminal()
        if over or depth == 1:
            if depth > 1:  # the line of depth 0 is always empty
                end_line(memory, depth - 1)
            v = child.utility() if over else horizon(child, memory)
            if hard is not None:
                v = min(max(v, alpha), beta)
            record(trace, memory, LEAF, 0, alpha, beta, v)
        else:
            v = alphabeta(child, depth - 1, alpha, beta, end, memory, trace, hard)
        if (v > best) if is_max else (v < best):
            best = v
        if (v <= alpha) if is_max else (v >= beta):
            continue
        if is_max:
            alpha = v
        else:
            beta = v
        if beta <= alpha:
            record(trace, memory, CUTOFF, action, alpha, beta, best)
            break
        extend_line(memory, depth, action)
    record(trace, memory, VALUE, 0, alpha, beta, best)
    return best


@kernel
def root(s: Any, depth: int, alpha: Any, beta: Any, memory: Any, trace: Any, hard: Any) -> Any:
    """The value of the root, which may be a leaf itself."""
    count(memory)
    record(trace, memory, ENTER, 0, alpha, beta, 0)
    over = s.terminal()
    if not over and depth > 0:
        return alphabeta(s, depth, alpha, beta, 0, memory, trace, hard)
    v = s.utility() if over else horizon(s, memory)
    if hard is not None:
        v = min(max(v, alpha), beta)
    record(trace, memory, LEAF, 0, alpha, beta, v)
    return v


@kernel
def start(s: Any, depth: int, memory: Any, trace: Any) -> Any:
    """Search from the root, fail-soft."""
    return root(s, depth, lowest(s), highest(s), memory, trace, None)


@kernel
def start_hard(s: Any, depth: int, memory: Any, trace: Any) -> Any:
    """Search from the root, fail-hard."""
    return root(s, depth, lowest(s), highest(s), memory, trace, True)


@kernel
def start_window(s: Any, depth: int, alpha: Any, beta: Any, memory: Any, hard: Any) -> Any:
    """Search from the root with a given window."""
    return root(s, depth, alpha, beta, memory, None, hard)
