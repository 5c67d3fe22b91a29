"""Heuristic pruning: nodes and moves that most likely do not matter are not searched.

Never in PV nodes, nor with mate scores. Margins are multiples of the game's `unit`, the value of a pawn; margins and
depths were tuned in matches and on problem sets.
"""

from typing import Any

from outplay.compile import inlined
from outplay.search.engine.probe import DECIDED
from outplay.search.engine.switches import BIT, enabled

STATIC, RAZORING = BIT["static"], BIT["razoring"]
LATE, FUTILITY, EXCHANGE = BIT["late"], BIT["futility"], BIT["exchange"]
NEAR_ROOT = 12  # plies: prune fewer late moves this close to the root, where surprises matter most
FAILED = -4000  # history threshold per ply of depth: the move has nearly always failed


# --- before any move is made -----------------------------------------------------------------------------


@inlined
def is_far_ahead(s: Any, depth: int, beta: int, facts: Any, c: Any) -> bool:
    """Reverse futility: the static evaluation is so far above beta that a few plies will not change it."""
    if not (enabled(c.on, STATIC) and facts.prunable and depth <= 7):
        return False
    margin = s.unit() * 4 // 5 * (depth - (1 if facts.improving else 0))
    return facts.static - margin >= beta and facts.static < DECIDED


@inlined
def is_far_behind(s: Any, depth: int, alpha: int, facts: Any, c: Any) -> bool:
    """Razoring: one ply above the horizon, only noisy actions could bring the value up to alpha."""
    return enabled(c.on, RAZORING) and facts.prunable and depth == 1 and facts.static + 3 * s.unit() <= alpha


@inlined
def null_depth(s: Any, depth: int, beta: int, static: int) -> int:
    """The reduced depth after a null move: the further above beta, the shallower."""
    return depth - 4 - depth // 6 - min((static - beta) // (2 * s.unit() + 1), 2)


@inlined
def probcut_beta(s: Any, beta: int, facts: Any) -> int:
    """The bound that a shallow search must beat for ProbCut."""
    return beta + s.unit() * 3 // 2 - (s.unit() // 2 if facts.improving else 0)


# --- in the loop over the moves --------------------------------------------------------------------------


@inlined
def is_late(s: Any, move: Any, depth: int, facts: Any, ply: int, c: Any) -> bool:
    """Late-move pruning: near the horizon, quiet moves after the first few."""
    if not (enabled(c.on, LATE) and move.quiet and depth <= 8 and not facts.principal):
        return False
    return move.tried >= few(depth, facts.improving, ply)


@inlined
def few(depth: int, improving: bool, ply: int) -> int:
    """The number of moves before the late ones."""
    if ply <= NEAR_ROOT:
        return 6 + 3 * depth * depth // 2 if improving else 4 + depth * depth
    return 4 + depth * depth if improving else 3 + depth * depth // 2


@inlined
def has_failed(move: Any, late: Any, c: Any) -> bool:
    """History pruning: near the horizon, quiet moves that have nearly always failed."""
    return enabled(c.on, LATE) and move.quiet and late.depth <= 4 and late.merit < FAILED * late.depth


@inlined
def is_futile(s: Any, move: Any, late: Any, alpha: int, facts: Any, c: Any) -> bool:
    """Futility pruning: near the horizon, quiet moves if the static evaluation is too far below alpha."""
    if not (enabled(c.on, FUTILITY) and move.quiet and late.depth <= 6 and alpha > -DECIDED):
        return False
    return facts.static + s.unit() * (7 + 6 * late.depth) // 5 <= alpha


@inlined
def loses_exchange(s: Any, move: Any, depth: int, c: Any) -> bool:
    """Near the horizon, moves that lose much by static exchange evaluation."""
    if not (enabled(c.on, EXCHANGE) and s.has_exchange() and depth <= 6 and (move.quiet or move.bad)):
        return False
    least = -s.unit() * depth * depth // 3 if move.quiet else -s.unit() * depth
    return s.exchange(move.action) < least
