"""The principal variation, continued from the table where an entry cut it short."""

from typing import Any

from outplay.compile import kernel
from outplay.search.engine.negamax import promising
from outplay.search.engine.probe import key_of, lookup
from outplay.search.engine.table import EXACT, bound_of, index_of
from outplay.search.engine.workspace import MAX_PAST, MAX_PLY, Context


@kernel
def identity_at_root(s: Any) -> int:
    """The key that detects repetition of the state."""
    return s.identity()


@kernel
def complete_line(s: Any, memory: Any, on: Any) -> None:
    """Continue the principal variation as long as the table has an exact value and no position repeats."""
    c = Context(memory, on, None)
    line, identities = memory.lines, memory.identities
    length = line[0]
    identities[MAX_PAST] = s.identity()
    for i in range(1, length + 1):
        s = s.result(line[i])
        identities[MAX_PAST + i] = s.identity()
    while length < MAX_PLY - 1 and not s.terminal() and not s.chance():
        key, upright = key_of(s, 0, c)
        data = lookup(key, c)
        n = promising(s, 0, c)
        if not upright or data == 0 or bound_of(data) != EXACT or index_of(data) >= n:
            break
        action = memory.stack[index_of(data)]
        s = s.result(action)
        identity = s.identity()
        comes_back = False
        for i in range(length + 1):
            comes_back = comes_back or identities[MAX_PAST + i] == identity
        if comes_back:
            break
        length += 1
        line[length] = action
        identities[MAX_PAST + length] = identity
    line[0] = length
