"""The estimated cost of a family's table, from a sample of its slots: positions, moves, memory and time."""

from time import thread_time
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import ENABLED, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.runtime import NATIVE
from outplay.game import max_actions
from outplay.tables.family import SLOT_BYTES

pointer = NATIVE["pointer"][ENABLED]

# Runs of slots, anywhere in the family: at even distances pieces would stand on the same squares.
RUNS, LENGTH, SEED = 256, 256, 1977
# How much longer a position takes than its moves alone: slots of children, retrograde analysis.
OVERHEAD = 2.1


class Estimate(NamedTuple):
    """Of a table that is not there yet."""

    slots: int
    positions: int
    moves: int
    memory: int  # bytes while it is built
    seconds: float


def estimate(state: Any, threads: int = 1) -> Estimate:
    """Look at a few of the slots of a state's family."""
    cls = type(state)
    compiled = twin(cls)
    native, slots = compiled.state(state), int(state.slots())
    stack = np.zeros(max_actions(cls) + 1, np.int64)
    found = np.zeros(2, np.int64)
    length = min(LENGTH, slots)
    with explained(compiled, native):
        _sample(native, 0, 1, stack, found)
        found[:] = 0
        began = thread_time()  # others may use the processor meanwhile
        for begin in np.random.default_rng(SEED).integers(0, slots - length + 1, RUNS).tolist():
            _sample(native, begin, begin + length, stack, found)
        seconds = thread_time() - began
    share = slots / (RUNS * length)
    positions, moves = (round(int(number) * share) for number in found)
    return Estimate(
        slots, positions, moves, SLOT_BYTES * slots + 4 * moves, OVERHEAD * seconds * share / threads
    )


@kernel
def _sample(like: Any, begin: int, end: int, stack: Any, found: Any) -> None:
    """Count positions and moves in a run of slots."""
    memory = pointer(stack)
    for slot in range(begin, end):
        s = like.slot_state(slot)
        if s.slot() == slot:
            found[0] += 1
            if not s.terminal():
                n = s.actions(memory, 0)
                for a in range(n):
                    found[1] += 1 if s.result(memory[a]).slot() >= 0 else 0
