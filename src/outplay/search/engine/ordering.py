"""Move ordering: the most promising moves first, so that cutoffs come early.

First the table move, then moves with `order` > 0 in the game, killers, the countermove, the rest by
their history, and last moves with `order` < 0.
"""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.engine.switches import BIT, enabled
from outplay.search.engine.table import NO_INDEX
from outplay.search.engine.workspace import NO_TRAIT, SLOTS, TRAITS

ORDER, KILLERS, HISTORY, COUNTERMOVES = (
    BIT[name] for name in ("order", "killers", "history", "countermoves")
)
TAPERED = BIT["tapered"]

FULL = 1 << 14  # the bound of a history score, either way
FIRST = 1 << 50  # the table move
KILLER_1, KILLER_2, COUNTERMOVE = 1 << 19, 1 << 18, 1 << 17

shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]


@kernel
def slot(action: int) -> int:
    """The action's index in the per-action tables."""
    return shr(wrap(action * -7046029254386353131), 52)


@kernel
def trait(s: Any, action: int) -> int:
    """The key that identifies an action across positions."""
    return s.trait(action) & SLOTS - 1 if s.has_trait() else slot(action)


@kernel
def continuation(back: int, earlier: int, here: int) -> int:
    """The index of an action `back` plies after an earlier one, by their traits: replies to one action are adjacent."""
    row = back % 2 * TRAITS + (earlier ^ earlier >> 9) % TRAITS
    return row * TRAITS + (here ^ here >> 9) % TRAITS


@kernel
def continued(place: int, memory: Any) -> int:
    """The score at an index of `continuations`; four share a word, since a smaller table stays in the cache."""
    return wrap(memory.continuations[place >> 2] << 48 - 16 * (place & 3)) >> 48


@kernel
def merit(s: Any, action: int, ply: int, memory: Any) -> int:
    """An action's history score: its own, after the last action, and after the one before it."""
    value = memory.history[s.player() * SLOTS + slot(action)]
    here = trait(s, action)
    trail = memory.trail
    if trail[ply] != NO_TRAIT:
        value += continued(continuation(1, trail[ply], here), memory)
    if ply > 0 and trail[ply - 1] != NO_TRAIT:
        value += continued(continuation(2, trail[ply - 1], here), memory)
    return value


@kernel
def noisy_place(s: Any, action: int, order: int) -> int:
    """The index of a noisy action's history: by its trait, and by its rough `order`."""
    here = trait(s, action) * 8 + min(max(order, 0) >> 11, 7)
    return s.player() * SLOTS + (here & SLOTS - 1)


@kernel
def noisy_score(s: Any, action: int, c: Any) -> int:
    """The game's `order` of an action; if positive, plus its noisy history."""
    order = s.order(action) if enabled(c.on, ORDER) else 0
    if order > 0 and enabled(c.on, HISTORY):
        order = max(order + c.memory.noisy_history[noisy_place(s, action, order)], 1)
    return order


@kernel
def put_first(index: int, base: int, memory: Any) -> None:
    """Swap the table move with the first. The others need no score unless it fails."""
    stack = memory.stack
    stack[base], stack[base + index] = stack[base + index], stack[base]
    memory.scores[base] = FIRST << 12 | NO_INDEX - min(index, NO_INDEX)


@kernel
def rank(s: Any, n: int, table_index: int, ply: int, base: int, c: Any) -> None:
    """Score each move on the stack; all but the first, if that is the table move (its index is not -1).

    The low 12 bits are the move's index counted down, so that equal moves keep their order and the index of a
    move is known after sorting.
    """
    stack, scores = c.memory.stack, c.memory.scores
    for i in range(0 if table_index < 0 else 1, n):
        index = 0 if i == table_index else i  # the first move and the table move were swapped
        score = move_score(s, stack[base + i], ply, c)
        scores[base + i] = score << 12 | NO_INDEX - min(index, NO_INDEX)


@kernel
def move_score(s: Any, action: int, ply: int, c: Any) -> int:
    """The ordering score of a move: the game's own order, killer, countermove, history."""
    memory = c.memory
    if enabled(c.on, TAPERED):  # only by a quick evaluation without a net
        value = s.result(action).informed(memory.weights, 0)
        return value << 8 if s.player() == 0 else -value << 8
    score = noisy_score(s, action, c) << 20
    if enabled(c.on, KILLERS):
        if action == memory.killers[2 * ply]:
            score += KILLER_1
        elif action == memory.killers[2 * ply + 1]:
            score += KILLER_2
    last = memory.trail[ply]
    if enabled(c.on, COUNTERMOVES) and last != NO_TRAIT and action == memory.countermoves[last]:
        score += COUNTERMOVE
    if enabled(c.on, HISTORY):
        score += merit(s, action, ply, memory) + 4 * FULL
    return score


@kernel
def rank_noisy(s: Any, n: int, base: int, c: Any) -> None:
    """The same for quiescence search: only the game's own order."""
    stack, scores = c.memory.stack, c.memory.scores
    for i in range(n):
        score = noisy_score(s, stack[base + i], c)
        scores[base + i] = score << 12 | NO_INDEX - min(i, NO_INDEX)


@kernel
def swap(i: int, j: int, memory: Any) -> None:
    """Swap two moves on the stack, and their scores."""
    stack, scores = memory.stack, memory.scores
    stack[i], stack[j] = stack[j], stack[i]
    scores[i], scores[j] = scores[j], scores[i]


@kernel
def bring_best(i: int, end: int, memory: Any) -> None:
    """Swap move i with the best of the moves from i on."""
    scores = memory.scores
    most = scores[i]
    for j in range(i + 1, end):
        most = max(most, scores[j])
    best = i
    while scores[best] != most:
        best += 1
    if best != i:
        swap(i, best, memory)


@kernel
def disturbs(s: Any, action: int) -> bool:
    """Whether an action forces the opponent to react, or ends the game."""
    if s.has_forces():
        return s.forces(action) != 0
    child = s.result(action)
    return child.terminal() or child.forced() != 0


@kernel
def prune_quiet(s: Any, begin: int, end: int, memory: Any) -> int:
    """Keep the ranked moves that lose by exchange or that force the opponent; prune the others.

    Those kept are put first; returns the index after them.
    """
    stack, scores = memory.stack, memory.scores
    for i in range(begin, end):
        if scores[i] < 0 or disturbs(s, stack[i]):
            swap(i, begin, memory)
            begin += 1
    return begin


@kernel
def adjusted(value: int, bonus: int) -> int:
    """A history score moved towards +FULL or -FULL; the closer it is, the less (history gravity)."""
    return value + bonus - (value * abs(bonus) >> 14)


@kernel
def adjust_continuation(place: int, bonus: int, memory: Any) -> None:
    """The same for the score at an index of `continuations`."""
    words, word, lane = memory.continuations, place >> 2, 16 * (place & 3)
    change = (adjusted(continued(place, memory), bonus) ^ shr(words[word], lane)) & 0xFFFF
    words[word] = wrap(words[word] ^ change << lane)


@kernel
def credit(s: Any, action: int, bonus: int, ply: int, memory: Any) -> None:
    """Update all history scores of a quiet action."""
    place = s.player() * SLOTS + slot(action)
    memory.history[place] = adjusted(memory.history[place], bonus)
    here = trait(s, action)
    trail = memory.trail
    if trail[ply] != NO_TRAIT:
        adjust_continuation(continuation(1, trail[ply], here), bonus, memory)
    if ply > 0 and trail[ply - 1] != NO_TRAIT:
        adjust_continuation(continuation(2, trail[ply - 1], here), bonus, memory)


@kernel
def credit_noisy(s: Any, action: int, order: int, bonus: int, memory: Any) -> None:
    """Update the history of a noisy action."""
    place = noisy_place(s, action, order)
    memory.noisy_history[place] = adjusted(memory.noisy_history[place], bonus)


@kernel
def reward(s: Any, i: int, base: int, quiet: bool, depth: int, ply: int, c: Any) -> None:
    """The move at i caused a cutoff: it gets a bonus, and the moves before it a malus.

    Killers and countermoves are quiet: noisy moves come early anyway, and would displace useful ones.
    """
    memory, stack = c.memory, c.memory.stack
    action = stack[i]
    bonus = min(16 * depth * depth + 220 * depth - 180, FULL // 8)
    if enabled(c.on, HISTORY):
        if not quiet:
            credit_noisy(s, action, s.order(action), bonus, memory)
        for j in range(base, i):
            order = s.order(stack[j])
            if order > 0:
                credit_noisy(s, stack[j], order, -bonus, memory)
            elif quiet and (order == 0 or not s.has_exchange()):
                credit(s, stack[j], -bonus, ply, memory)
    if not quiet:
        return
    if enabled(c.on, HISTORY):
        credit(s, action, bonus, ply, memory)
    if enabled(c.on, KILLERS):
        killers = memory.killers
        if killers[2 * ply] != action:
            killers[2 * ply + 1] = killers[2 * ply]
            killers[2 * ply] = action
    last = memory.trail[ply]
    if enabled(c.on, COUNTERMOVES) and last != NO_TRAIT:
        memory.countermoves[last] = action
