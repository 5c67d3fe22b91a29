"""How the engine files a position in the table, and what it believes of an entry."""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import WIN
from outplay.search.switches import BIT, enabled
from outplay.search.table import EXACT, LOWER, UPPER, bound_of, depth_of, ended_of, expect
from outplay.search.workspace import MASK, TABLE

SYMMETRY, DEEPER = BIT["symmetry"], BIT["deeper"]
DECIDED = WIN // 2  # scores beyond this are outcomes

mix = NATIVE["mix"][ENABLED]
words_at = NATIVE["words_at"][ENABLED]


@kernel
def to_table(s: Any, value: int, ply: int) -> int:
    """Distances in the table count from the position, not from the root."""
    if s.worth() != WIN or -DECIDED < value < DECIDED:
        return value
    return value + ply if value > 0 else value - ply


@kernel
def from_table(s: Any, value: int, ply: int) -> int:
    if s.worth() != WIN or -DECIDED < value < DECIDED:
        return value
    return value - ply if value > 0 else value + ply


@kernel
def filed(s: Any, base: int, memory: Any, on: Any) -> tuple[int, bool]:
    """The key under which the table files a position, and whether that is its own and not a mirror image's."""
    if enabled(on, SYMMETRY):
        n = s.symmetries(memory, base)
        if n > 0:
            least = memory[base]
            for i in range(base + 1, base + n):
                least = min(least, memory[i])
            return mix(least), least == memory[base]
    return s.hash(), True


@kernel
def announced(s: Any, base: int, memory: Any, on: Any) -> int:
    """The key of a state that will be looked up soon, 0 where it is a mirror image's; its entry is sent for."""
    key, upright = filed(s, base, memory, on)
    expect(words_at(memory[TABLE]), memory[MASK], key)
    return key if upright else 0


@kernel
def is_usable(data: int, depth: int, on: Any) -> bool:
    """Whether an entry says as much as a search of that depth would."""
    known = depth_of(data)
    deep = known > depth and enabled(on, DEEPER)
    return known == depth or deep or (ended_of(data) == 1 and known <= depth)


@kernel
def decides(data: int, value: int, alpha: int, beta: int) -> bool:
    """Whether an entry's bound answers what a search with this window would ask."""
    bound = bound_of(data)
    return bound == EXACT or (bound == LOWER and value >= beta) or (bound == UPPER and value <= alpha)
