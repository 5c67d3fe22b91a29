"""The order of moves: what promises most comes first, so that cutoffs come early.

First the table's move, then what the game itself calls good (`order` > 0), killers, the countermove, the rest by
their history, and last what the game calls bad (`order` < 0).
"""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.control import WEIGHTS
from outplay.search.switches import BIT, enabled
from outplay.search.table import NO_INDEX
from outplay.search.workspace import (
    COUNTERS,
    HISTORY,
    KILLERS,
    NO_SLOT,
    NOISY,
    PAIRS,
    SCORES,
    SLOTS,
    TRAIL,
    TRAITS,
)

ORDER, KILLER, HISTORY_ON, COUNTER = BIT["order"], BIT["killers"], BIT["history"], BIT["countermoves"]
TAPERED = BIT["tapered"]

FULL = 1 << 14  # the most that a word of history holds, either way
FIRST = 1 << 50  # the table's move
KILLER_1, KILLER_2, COUNTER_1 = 1 << 19, 1 << 18, 1 << 17

shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]


@kernel
def slot(action: int) -> int:
    """The action's place in the tables that are kept by action."""
    return shr(wrap(action * -7046029254386353131), 52)


@kernel
def trait(s: Any, action: int) -> int:
    """By what an action is known again in other positions."""
    return s.trait(action) & SLOTS - 1 if s.has_trait() else slot(action)


@kernel
def pair(back: int, earlier: int, here: int) -> int:
    """The place of an action `back` plies after an earlier one, by their traits: all answers to one lie together."""
    row = back % 2 * TRAITS + (earlier ^ earlier >> 9) % TRAITS
    return row * TRAITS + (here ^ here >> 9) % TRAITS


@kernel
def paired(place: int, memory: Any) -> int:
    """The number at a place of PAIRS; four share a word, since a smaller table stays nearer to the processor."""
    return wrap(memory[memory[PAIRS] + (place >> 2)] << 48 - 16 * (place & 3)) >> 48


@kernel
def merit(s: Any, action: int, ply: int, memory: Any) -> int:
    """How well an action did so far: by itself, after the last action, and after the one before it."""
    value = memory[memory[HISTORY] + s.player() * SLOTS + slot(action)]
    here = trait(s, action)
    trail = memory[TRAIL] + ply
    if memory[trail] != NO_SLOT:
        value += paired(pair(1, memory[trail], here), memory)
    if ply > 0 and memory[trail - 1] != NO_SLOT:
        value += paired(pair(2, memory[trail - 1], here), memory)
    return value


@kernel
def noisy_place(s: Any, action: int, order: int, memory: Any) -> int:
    """Where the history of a noisy action is: by what moves where to, and by about how good the game calls it."""
    here = trait(s, action) * 8 + min(max(order, 0) >> 11, 7)
    return memory[NOISY] + s.player() * SLOTS + (here & SLOTS - 1)


@kernel
def noisy_score(s: Any, action: int, memory: Any, on: Any) -> int:
    """What the game says of an action; of a good one, also how well such actions did so far."""
    order = s.order(action) if enabled(on, ORDER) else 0
    if order > 0 and enabled(on, HISTORY_ON):
        order = max(order + memory[noisy_place(s, action, order, memory)], 1)
    return order


@kernel
def put_first(hint: int, base: int, memory: Any) -> None:
    """Exchange the table's move with the first. The others need no score unless it fails."""
    memory[base], memory[base + hint] = memory[base + hint], memory[base]
    memory[memory[SCORES] + base] = FIRST << 12 | NO_INDEX - min(hint, NO_INDEX)


@kernel
def rank(s: Any, n: int, hint: int, ply: int, base: int, memory: Any, on: Any) -> None:
    """Give each move on the stack a score; all but the first, if that is the table's (`hint` is not -1).

    The low 12 bits hold the move's index counted down, so that equal moves keep their order and the index of a
    move is known after sorting.
    """
    scores = memory[SCORES]
    killers = memory[KILLERS] + 2 * ply
    last = memory[memory[TRAIL] + ply]
    for i in range(0 if hint < 0 else 1, n):
        action = memory[base + i]
        index = 0 if i == hint else i  # where the table's move was, is the first one now
        score = noisy_score(s, action, memory, on) << 20
        if enabled(on, KILLER):
            score += (
                KILLER_1 if action == memory[killers] else KILLER_2 if action == memory[killers + 1] else 0
            )
        if enabled(on, COUNTER) and last != NO_SLOT and action == memory[memory[COUNTERS] + last]:
            score += COUNTER_1
        if enabled(on, HISTORY_ON):
            score += merit(s, action, ply, memory) + 4 * FULL
        if enabled(
            on, TAPERED
        ):  # children are ranked by a quick evaluation without a net, and by nothing else
            value = s.result(action).informed(memory[WEIGHTS], 0)
            score = value << 8 if s.player() == 0 else -value << 8
        memory[scores + base + i] = score << 12 | NO_INDEX - min(index, NO_INDEX)


@kernel
def rank_noisy(s: Any, n: int, base: int, memory: Any, on: Any) -> None:
    """The same for quiescence: the game's own order alone."""
    scores = memory[SCORES]
    for i in range(n):
        score = noisy_score(s, memory[base + i], memory, on)
        memory[scores + base + i] = score << 12 | NO_INDEX - min(i, NO_INDEX)


@kernel
def swap(i: int, j: int, memory: Any) -> None:
    """Exchange two moves on the stack, and their scores."""
    scores = memory[SCORES]
    memory[i], memory[j] = memory[j], memory[i]
    memory[scores + i], memory[scores + j] = memory[scores + j], memory[scores + i]


@kernel
def bring_best(i: int, end: int, memory: Any) -> None:
    """Exchange move i with the best of the moves from i on."""
    scores = memory[SCORES]
    most = memory[scores + i]
    for j in range(i + 1, end):
        most = max(most, memory[scores + j])
    best = i
    while memory[scores + best] != most:
        best += 1
    if best != i:
        swap(i, best, memory)


@kernel
def disturbs(s: Any, action: int) -> bool:
    """Whether the opponent must react to an action, or the game is over by it."""
    if s.has_forces():
        return s.forces(action) != 0
    child = s.result(action)
    return child.terminal() or child.forced() != 0


@kernel
def leave_out_quiet(s: Any, begin: int, end: int, memory: Any) -> int:
    """Of the ranked moves on the stack keep those that lose by exchange and those that the opponent must react to.

    They are put first; returned is where they end.
    """
    scores = memory[SCORES]
    for i in range(begin, end):
        if memory[scores + i] < 0 or disturbs(s, memory[i]):
            swap(i, begin, memory)
            begin += 1
    return begin


@kernel
def adjusted(value: int, bonus: int) -> int:
    """A number of history moved towards +FULL or -FULL; the nearer it is, the less."""
    return value + bonus - (value * abs(bonus) >> 14)


@kernel
def adjust_pair(place: int, bonus: int, memory: Any) -> None:
    """The same for the number at a place of PAIRS."""
    word, lane = memory[PAIRS] + (place >> 2), 16 * (place & 3)
    change = (adjusted(paired(place, memory), bonus) ^ shr(memory[word], lane)) & 0xFFFF
    memory[word] = wrap(memory[word] ^ change << lane)


@kernel
def credit(s: Any, action: int, bonus: int, ply: int, memory: Any) -> None:
    """Let all words of an action's history know."""
    word = memory[HISTORY] + s.player() * SLOTS + slot(action)
    memory[word] = adjusted(memory[word], bonus)
    here = trait(s, action)
    trail = memory[TRAIL] + ply
    if memory[trail] != NO_SLOT:
        adjust_pair(pair(1, memory[trail], here), bonus, memory)
    if ply > 0 and memory[trail - 1] != NO_SLOT:
        adjust_pair(pair(2, memory[trail - 1], here), bonus, memory)


@kernel
def reward(s: Any, i: int, base: int, quiet: bool, depth: int, ply: int, memory: Any, on: Any) -> None:
    """The move at i cut off: it is remembered, and the moves before it as failures.

    Killers and countermoves are quiet: others come early anyway, and would drive out what is worth remembering.
    """
    action = memory[i]
    bonus = min(16 * depth * depth + 220 * depth - 180, FULL // 8)
    if enabled(on, HISTORY_ON):
        if not quiet:
            place = noisy_place(s, action, s.order(action), memory)
            memory[place] = adjusted(memory[place], bonus)
        for j in range(base, i):
            order = s.order(memory[j])
            if order > 0:
                place = noisy_place(s, memory[j], order, memory)
                memory[place] = adjusted(memory[place], -bonus)
            elif quiet and (order == 0 or not s.has_exchange()):
                credit(s, memory[j], -bonus, ply, memory)
    if not quiet:
        return
    if enabled(on, HISTORY_ON):
        credit(s, action, bonus, ply, memory)
    if enabled(on, KILLER):
        killers = memory[KILLERS] + 2 * ply
        if memory[killers] != action:
            memory[killers + 1] = memory[killers]
            memory[killers] = action
    last = memory[memory[TRAIL] + ply]
    if enabled(on, COUNTER) and last != NO_SLOT:
        memory[memory[COUNTERS] + last] = action
