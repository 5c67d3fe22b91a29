"""Quiescence: at the horizon the search goes on over the noisy actions until the position is quiet."""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import WIN
from outplay.search.control import HORIZON, WEIGHTS, count, moves
from outplay.search.events import EDGE, ENTER, LEAF, TABLE_HIT, VALUE, note
from outplay.search.lookup import announced, decides, filed, from_table, is_usable, to_table
from outplay.search.ordering import bring_best, rank_noisy
from outplay.search.sums import learned
from outplay.search.switches import BIT, enabled
from outplay.search.table import EXACT, LOWER, NO_INDEX, UPPER, find, keep, pack, score_of
from outplay.search.workspace import (
    AGE,
    JUDGED,
    JUDGED_SLOTS,
    MASK,
    MAX_PLY,
    NOISE,
    SCHEME,
    SCORES,
    SEED,
    TABLE,
)

QUIESCENCE, EXCHANGE, ORDER, TABLE_ON = BIT["quiescence"], BIT["exchange"], BIT["order"], BIT["table"]

mix = NATIVE["mix"][ENABLED]
shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
words_at = NATIVE["words_at"][ENABLED]


@kernel
def outcome(s: Any, ply: int) -> int:
    """The utility for the player to move; a win is worth more the nearer it is, where wins are what counts."""
    value = s.utility() if s.player() == 0 else -s.utility()
    if s.worth() == WIN:
        value -= ply if value > 0 else -ply if value < 0 else 0
    return value


@kernel
def static(s: Any, key: int, ply: int, base: int, memory: Any) -> int:
    """The evaluation for the player to move; `key` is that of the state in the table, 0 if it is not known."""
    value = 0
    place = memory[JUDGED] + (key & JUDGED_SLOTS - 1)
    if key != 0 and (memory[place] ^ key) >> 16 == 0:
        value = wrap(memory[place] << 48) >> 48
    else:
        value = s.informed(memory[WEIGHTS], learned(s, ply, memory) if s.has_net() else 0)
        if key != 0 and -0x8000 <= value < 0x8000:
            memory[place] = key & ~0xFFFF | value & 0xFFFF
    if memory[NOISE] > 0:
        value += blur(s, base, memory)
    return value if s.player() == 0 else -value


@kernel
def blur(s: Any, base: int, memory: Any) -> int:
    """What a weaker player misjudges: the same in the same position, much where there is much to choose from.

    With 32 actions it is off by up to NOISE points; with half of them by a sixteenth, so simple endings are won.
    """
    word = mix(s.hash() ^ memory[SEED])
    off = (word & 0xFFFF) + (shr(word, 16) & 0xFFFF) - 0x10000  # from -65536 to 65534, near 0 more often
    n = min(s.count(memory, base), 48)
    return off * memory[NOISE] * n * n * n * n >> 36


@kernel
def quiesce(
    s: Any, key: int, alpha: int, beta: int, ply: int, base: int, memory: Any, on: Any, trace: Any
) -> int:
    """The value at the horizon: static, or after the noisy actions that somebody would want to play.

    Who is not forced may stop at any time, so the static value is a lower bound ("stand pat"). Actions that lose
    material by exchange, or that could not bring the value near alpha, are left out. `key`: as in the engine's search.
    """
    memory[HORIZON] += 1
    table = words_at(memory[TABLE])
    looks = enabled(on, TABLE_ON) and enabled(on, QUIESCENCE) and s.has_noisy()
    forced = enabled(on, QUIESCENCE) and s.has_noisy() and s.forced() != 0  # while the entry is on its way
    if looks:
        if key == 0:
            key = filed(s, base, memory, on)[0]
        data = find(table, memory[MASK], key)
        if data != 0 and is_usable(data, 0, on):
            known = from_table(s, score_of(data), ply)
            if decides(data, known, alpha, beta):
                note(s, trace, memory, TABLE_HIT, 0, alpha, beta, known)
                return known
    value = -WIN if forced else static(s, key, ply, base, memory)
    if not enabled(on, QUIESCENCE) or not s.has_noisy() or value >= beta or ply >= MAX_PLY:
        if forced:
            value = static(s, key, ply, base, memory)
        note(s, trace, memory, LEAF, 0, alpha, beta, value)
        return value
    me = s.player()
    hope = value + s.unit() + s.unit() // 2
    floor = alpha
    alpha = max(alpha, value)
    n = moves(s, memory, base) if forced else s.noisy(memory, base)
    rank_noisy(s, n, base, memory, on)
    for i in range(base, base + n):
        bring_best(i, base + n, memory)
        action = memory[i]
        if enabled(on, EXCHANGE) and s.has_exchange() and not forced:
            if enabled(on, ORDER) and memory[memory[SCORES] + i] < 0:
                break  # this one loses by exchange, and so do all that come after it
            if hope <= alpha or not enabled(on, ORDER):
                gain = s.exchange(action)
                if gain < 0:
                    continue
                if hope + gain <= alpha:
                    value = max(value, hope + gain)
                    continue
        child = s.result(action)
        label = announced(child, base + n, memory, on) if looks else 0
        count(memory)
        same = child.player() == me
        note(s, trace, memory, EDGE, action, alpha, beta, 0)
        v = 0
        if child.terminal():
            v = outcome(child, ply + 1) if same else -outcome(child, ply + 1)
            note(s, trace, memory, ENTER, 0, alpha, beta, 0)
            note(s, trace, memory, LEAF, 0, alpha, beta, v)
        elif same:
            note(child, trace, memory, ENTER, 0, alpha, beta, 0)
            v = quiesce(child, label, alpha, beta, ply + 1, base + n, memory, on, trace)
        else:
            note(child, trace, memory, ENTER, 0, -beta, -alpha, 0)
            v = -quiesce(child, label, -beta, -alpha, ply + 1, base + n, memory, on, trace)
        if v > value:
            value = v
            alpha = max(alpha, v)
            if alpha >= beta:
                break
    if looks and -0x7FFFFFFF < value < 0x7FFFFFFF:
        bound = UPPER if value <= floor else LOWER if value >= beta else EXACT
        data = pack(to_table(s, value, ply), 0, bound, 0, 0, memory[AGE], NO_INDEX)
        keep(table, memory[MASK], memory[SCHEME], key, data)
    note(s, trace, memory, VALUE, 0, floor, beta, value)
    return value
