"""The event stream of a search: every step, in order.

A search calls `record(trace, memory, kind, action, alpha, beta, value)` at each step. With `trace=None` the
call compiles to nothing; with an array of EVENT rows it writes one. Nesting follows from the order: ENTER
opens a node, VALUE or LEAF closes it, EDGE (written "action") gives the action that leads to the next node.
"""

from typing import Any

import numpy as np
from numba import types
from numba.extending import overload

from outplay.compile import kernel

KINDS = (
    "enter", "action", "leaf", "value", "cutoff",  # all searches; those below are the engine's
    "table", "repeated",  # close a node as "leaf" does: by a table entry, by repetition
    "reduction", "extension", "re-search", "pruned",  # concern an action
    "forced",  # the node itself is extended by a ply
    "null", "singular",  # another search of the node: after a null move, without its best move
    "quiescence",  # the horizon: below it only noisy actions are searched; its value: stand pat
)  # fmt: skip
ENTER, EDGE, LEAF, VALUE, CUTOFF = range(5)
TABLE_HIT, REPEATED, REDUCTION, EXTENSION, RESEARCH, PRUNED, FORCED, NULL, SINGULAR, QUIESCENCE = range(5, 15)
CLOSING = ("leaf", "value", "table", "repeated")  # a node is left

EVENT = np.dtype(
    [("kind", "i8"), ("action", "i8"), ("alpha", "f8"), ("beta", "f8"), ("value", "f8")]
)  # 40 bytes; unused fields are 0


class TraceFull(Exception):
    """The search had more events than the trace can hold."""


def record(trace: Any, memory: Any, kind: int, action: int, alpha: Any, beta: Any, value: Any) -> None:
    """Write an event, if there is a trace."""
    if trace is None:
        return
    if memory.events >= len(trace):
        raise TraceFull
    trace[memory.events] = (kind, action, alpha, beta, value)
    memory.events += 1


@overload(record)
def _record(trace, memory, kind, action, alpha, beta, value):  # type: ignore[no-untyped-def]
    if isinstance(trace, types.NoneType):
        return lambda trace, memory, kind, action, alpha, beta, value: None

    def write(trace, memory, kind, action, alpha, beta, value):  # type: ignore[no-untyped-def]
        i = memory.events
        if i >= len(trace):
            raise TraceFull
        trace[i].kind = kind
        trace[i].action = action
        trace[i].alpha = alpha
        trace[i].beta = beta
        trace[i].value = value
        memory.events = i + 1

    return write


@kernel
def note(s: Any, c: Any, kind: int, action: int, alpha: int, beta: int, value: int) -> None:
    """Write an event of a negamax search, with values converted to MAX's."""
    if s.player() == 1:
        record(c.trace, c.memory, kind, action, -beta, -alpha, -value)
    else:
        record(c.trace, c.memory, kind, action, alpha, beta, value)
