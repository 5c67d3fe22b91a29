"""Quiescence: at the horizon the search continues with the noisy actions until the position is quiet."""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import step
from outplay.game import WIN
from outplay.search.engine.evaluation import outcome, static
from outplay.search.engine.ordering import bring_best, rank_noisy
from outplay.search.engine.probe import (
    bound_for,
    decides,
    from_table,
    is_usable,
    key_of,
    lookup,
    prefetch_child,
    store,
    to_table,
)
from outplay.search.engine.switches import BIT, enabled
from outplay.search.engine.table import NO_INDEX, score_of
from outplay.search.engine.workspace import MAX_PLY
from outplay.search.protocol.control import NO_LIMIT, count, moves
from outplay.search.trace import events
from outplay.search.trace.events import EDGE, ENTER, LEAF, TABLE_HIT, VALUE, note

QUIESCENCE, EXCHANGE, ORDER, TABLE = BIT["quiescence"], BIT["exchange"], BIT["order"], BIT["table"]
HORIZON = events.QUIESCENCE


@kernel
def quiesce(s: Any, key: int, alpha: int, beta: int, ply: int, base: int, c: Any) -> int:
    """The value at the horizon: the static evaluation, or better after noisy actions.

    A player who is not forced may stop at any time, so the static evaluation is a lower bound ("stand pat").
    Actions that lose material by exchange, or that could not bring the value near alpha, are pruned. `key` is the
    state's table key if known, else 0.
    """
    memory = c.memory
    memory.horizon += 1
    looks_on = enabled(c.on, QUIESCENCE) and s.has_noisy() and not s.chance()
    use_table = enabled(c.on, TABLE) and looks_on
    forced = looks_on and s.forced() != 0  # computed while the entry is being fetched
    if use_table:
        if key == 0:
            key = key_of(s, base, c)[0]
        data = lookup(key, c)
        if data != 0 and is_usable(data, 0, c):
            known = from_table(s, score_of(data), ply)
            if decides(data, known, alpha, beta):
                note(s, c, TABLE_HIT, 0, alpha, beta, known)
                return known
    value = -WIN if forced else static(s, key, ply, base, memory)
    if not looks_on or value >= beta or ply >= MAX_PLY:
        if forced:
            value = static(s, key, ply, base, memory)
        note(s, c, LEAF, 0, alpha, beta, value)
        return value
    floor = alpha
    hope = value + s.unit() + s.unit() // 2  # upper bound on an action's gain besides the captured piece
    alpha = max(alpha, value)
    n = moves(s, memory, base) if forced else s.noisy(memory.stack, base)
    if n > 0:  # a forced player cannot stand pat
        note(s, c, HORIZON, 0, alpha, beta, -NO_LIMIT if forced else value)
    rank_noisy(s, n, base, c)
    for i in range(base, base + n):
        bring_best(i, base + n, memory)
        if not forced:
            if loses_by_order(s, i, c):
                break  # so do all later ones
            pruned, most = is_hopeless(s, memory.stack[i], hope, alpha, c)
            if pruned:
                value = max(value, most)
                continue
        v = value_after(s, memory.stack[i], alpha, beta, ply, base + n, c)
        if v > value:
            value = v
            alpha = max(alpha, v)
            if alpha >= beta:
                break
    if use_table:
        bound = bound_for(value, floor, beta)
        store(key, to_table(s, value, ply), 0, bound, 0, 0, NO_INDEX, memory)
    note(s, c, VALUE, 0, floor, beta, value)
    return value


@step
def loses_by_order(s: Any, i: int, c: Any) -> bool:
    """Whether the game's own order marks the move at i as losing by exchange."""
    return enabled(c.on, EXCHANGE) and s.has_exchange() and enabled(c.on, ORDER) and c.memory.scores[i] < 0


@step
def is_hopeless(s: Any, action: int, hope: int, alpha: int, c: Any) -> tuple[bool, int]:
    """Whether an action loses by exchange, or cannot bring the value near alpha (delta pruning); its upper bound."""
    if enabled(c.on, EXCHANGE) and s.has_exchange() and (hope <= alpha or not enabled(c.on, ORDER)):
        gain = s.exchange(action)
        if gain < 0:
            return True, -WIN
        if hope + gain <= alpha:
            return True, hope + gain
    return False, 0


@step
def value_after(s: Any, action: int, alpha: int, beta: int, ply: int, base: int, c: Any) -> int:
    """The value for the player to move after an action."""
    child = s.result(action)
    key = prefetch_child(child, base, c) if enabled(c.on, TABLE) else 0
    count(c.memory)
    same = (child.player() == 1) == (s.player() == 1)  # at a chance node, the value is for MAX
    note(s, c, EDGE, action, alpha, beta, 0)
    if child.terminal():
        v = outcome(child, ply + 1) if same else -outcome(child, ply + 1)
        note(s, c, ENTER, 0, alpha, beta, 0)
        note(s, c, LEAF, 0, alpha, beta, v)
        return v
    if same:
        note(child, c, ENTER, 0, alpha, beta, 0)
        return quiesce(child, key, alpha, beta, ply + 1, base, c)
    note(child, c, ENTER, 0, -beta, -alpha, 0)
    return -quiesce(child, key, -beta, -alpha, ply + 1, base, c)
