"""How the engine probes the table, when it trusts an entry, and how it stores one."""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import WIN
from outplay.search.engine.switches import BIT, enabled
from outplay.search.engine.table import (
    EXACT,
    LOWER,
    UPPER,
    bound_of,
    depth_of,
    ended_of,
    find,
    keep,
    pack,
    prefetch_entry,
)

SYMMETRY, DEEPER = BIT["symmetry"], BIT["deeper"]
DECIDED = WIN // 2  # scores beyond this are outcomes
MOST_SCORE = 0x7FFFFFFF  # an entry's score has 32 bits

mix = NATIVE["mix"][ENABLED]


@kernel
def to_table(s: Any, value: int, ply: int) -> int:
    """Distances in the table count from the position, not from the root."""
    if not s.outranks() or -DECIDED < value < DECIDED:
        return value
    return value + ply if value > 0 else value - ply


@kernel
def from_table(s: Any, value: int, ply: int) -> int:
    if not s.outranks() or -DECIDED < value < DECIDED:
        return value
    return value - ply if value > 0 else value + ply


@kernel
def key_of(s: Any, base: int, c: Any) -> tuple[int, bool]:
    """The table key of a position, and whether it is its own and not a mirror image's."""
    if enabled(c.on, SYMMETRY):
        stack = c.memory.stack
        n = s.symmetries(stack, base)
        if n > 0:
            least = stack[base]
            for i in range(base + 1, base + n):
                least = min(least, stack[i])
            return mix(least) ^ c.memory.salt, least == stack[base]
    return s.hash() ^ c.memory.salt, True


@kernel
def identity_of(s: Any, key: int, c: Any) -> int:
    """The key that detects repetition, given the table key: a mirror image is another position."""
    return s.identity() if s.has_own_identity() else key ^ c.memory.salt


@kernel
def lookup(key: int, c: Any) -> int:
    """The data of the entry under a key; 0 if there is none."""
    return find(c.memory.table, c.memory.mask, key)


@kernel
def prefetch_child(s: Any, base: int, c: Any) -> int:
    """Prefetch the entry of a state that will be probed soon; return its key, 0 if it is a mirror image's."""
    key, upright = key_of(s, base, c)
    prefetch_entry(c.memory.table, c.memory.mask, key)
    return key if upright else 0


@kernel
def is_usable(data: int, depth: int, c: Any) -> bool:
    """Whether an entry is as good as a search to that depth."""
    known = depth_of(data)
    deep = known > depth and enabled(c.on, DEEPER)
    return known == depth or deep or (ended_of(data) == 1 and known <= depth)


@kernel
def decides(data: int, value: int, alpha: int, beta: int) -> bool:
    """Whether an entry's bound decides a search with this window."""
    bound = bound_of(data)
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)


@kernel
def bound_for(value: int, alpha: int, beta: int) -> int:
    """The bound type of a fail-soft value found with this window."""
    return UPPER if value <= alpha else LOWER if value >= beta else EXACT


@kernel
def store(
    key: int, score: int, depth: int, bound: int, ended: int, effort: int, index: int, memory: Any
) -> None:
    """Write an entry; `score` counts distances from the position."""
    if -MOST_SCORE < score < MOST_SCORE:
        data = pack(score, min(depth, 255), bound, ended, effort, memory.age, index)
        keep(memory.table, memory.mask, memory.scheme, key, data)
