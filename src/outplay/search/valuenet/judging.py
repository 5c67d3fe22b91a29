"""The value of a state: its utility if the game is over, from a bear-off table if it has the state, else from the net.

The game's own evaluation may replace a net; it is one output, which need not be between 0 and 1.
"""

from typing import Any

import numpy as np

from outplay.compile import inlined
from outplay.search.valuenet.answers import result, turned, worth_of
from outplay.search.valuenet.inputs import viewer
from outplay.search.valuenet.layers import judge
from outplay.search.valuenet.memory import EVALUATES, WEIGHTS

HALF, ZERO = np.float32(0.5), np.float32(0.0)


@inlined
def is_settled(s: Any, net: Any, memory: Any, answers: Any) -> bool:
    """Whether MAX's answers are known without a net; they are written then."""
    if memory.counters[EVALUATES]:
        value = s.utility() if s.terminal() else s.evaluate(memory.counters[WEIGHTS])
        answers[0] = HALF + HALF * np.float32(value / s.worth() / net.scale[0])
        return True
    if s.terminal():
        result(s.utility() / s.worth(), net.scale[0], answers)
        return True
    return is_in_table(s, memory, answers)


@inlined
def is_in_table(s: Any, memory: Any, answers: Any) -> bool:
    """Whether the bear-off table has the state, whose answers are written then: nobody wins a gammon."""
    if len(memory.table) == 0:
        return False
    place = s.bearoff()
    mine, yours = place >> 32, place & 0xFFFFFFFF
    if place < 0 or mine >= len(memory.table) or yours >= len(memory.table):
        return False
    raw = memory.room.raw
    for k in range(len(raw)):
        raw[k] = ZERO
    raw[0] = HALF + HALF * memory.table[mine, yours]
    turned(raw, viewer(s, memory.room), answers)
    return True


@inlined
def judged(s: Any, net: Any, memory: Any, answers: Any) -> float:
    """MAX's answers at a state; their value."""
    if is_settled(s, net, memory, answers):
        return worth_of(answers, net.scale[0])
    return judge(s, net, memory.room, answers)
