"""The GPU's kernels of retrograde analysis: one thread for each slot, or for each position that became known.

The same analysis as in `family.py` and `retrograde.py`. What differs: predecessors lie in no order, positions of a
level become known in any order, and a position is known if it has a code.
"""

import functools
from typing import Any, NamedTuple

from outplay.compile import gpu, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.tables.code import NO_CODE, is_better
from outplay.tables.family import NOBODY, end_code, followed
from outplay.tables.verify import is_right

cuda = gpu.numba_cuda()
scratch = NATIVE["scratch"][ENABLED]

UNSEEN = -2  # owner of a slot that no thread has come to the end of
# What is counted; in two places, in turns, the time of the next event.
MOVES, EDGES, KNOWN, POSITIONS, BROKEN, NEXT, _, COUNTERS = range(8)
RIGHT, WRONG, EMPTY, FIRST_WRONG, VERDICTS = range(5)  # what comes of verifying slots
LATER = 1 << 40  # than any event


class Column(NamedTuple):
    """A family of n slots in the GPU's memory: `Graph`, without the predecessors."""

    owner: Any  # int8[n]
    open: Any  # int32[n]
    event: Any  # int32[n]
    begin: Any  # int64[n]: where the moves of a slot are kept
    number: Any  # int32[n]: how many stay in the family
    degree: Any  # int32[n]: predecessors
    first: Any  # int64[n]: where they begin
    codes: Any  # int32[n]: 0 where nothing is known
    counts: Any  # int64[COUNTERS]


@functools.cache
def expansion(room: int) -> Any:
    """The kernel that looks at slots; `room`: for a state's actions."""

    def expand(
        like: Any, asked: Any, column: Any, moves: Any, parents: Any, begin: int, end: int, again: int
    ) -> None:
        """Owner, event and moves of the slots from `begin` on. Predecessors are counted, and moves are kept while there
        is room for them; `again`: predecessors are written down.
        """
        i = begin + cuda.grid(1)
        if i < end:
            s = like.slot_state(i)
            owner, number, still_open, event = NOBODY, 0, 0, 0
            if s.slot() == i:
                owner = s.player()
                if s.terminal():
                    event = end_code(s, asked.ranks)
                    still_open = 0 if event < 0 else 1
                else:
                    stack = scratch(room)
                    family, actions = like.family(), s.actions(stack, 0)
                    place = 0 if again else cuda.atomic.add(column.counts, MOVES, actions)
                    column.begin[i] = place
                    for a in range(actions):
                        stays, found = followed(s, stack[a], family, asked)
                        if stays:
                            if again:
                                put(parents, column, i, found)
                            else:
                                cuda.atomic.add(column.degree, found if found >= 0 else ~found, 1)
                                if place + number < len(moves):
                                    moves[place + number] = found
                            number += 1
                            continue
                        if found >= 0:
                            still_open += 1
                        if found != 0 and (event == 0 or is_better(found, event)):
                            event = found
            column.number[i] = number
            column.open[i] = number + still_open
            column.event[i] = event
            column.owner[i] = owner

    return expand


@functools.cache
def verification(room: int) -> Any:
    """The kernel that compares the slots of a table with their moves."""

    def verify(like: Any, asked: Any, own: int, verdicts: Any, begin: int, end: int) -> None:
        i = begin + cuda.grid(1)
        if i < end:
            s = like.slot_state(i)
            if s.slot() != i:
                cuda.atomic.add(verdicts, EMPTY, 1)
            elif is_right(s, own, asked, scratch(room)):
                cuda.atomic.add(verdicts, RIGHT, 1)
            else:
                cuda.atomic.add(verdicts, WRONG, 1)
                cuda.atomic.min(verdicts, FIRST_WRONG, i)

    return verify


@kernel
def put(parents: Any, column: Any, i: int, found: int) -> None:
    """Write down slot i as the predecessor that a move leads from."""
    child, parent = (found, i) if found >= 0 else (~found, ~i)
    parents[cuda.atomic.sub(column.first, child, 1) - 1] = parent


def transpose(column: Any, moves: Any, parents: Any) -> None:
    """Write down predecessors from the moves that were kept."""
    i = cuda.grid(1)
    if i < len(column.owner):
        for e in range(column.begin[i], column.begin[i] + column.number[i]):
            put(parents, column, i, moves[e])


def clear(column: Any) -> None:
    i = cuda.grid(1)
    if i < len(column.owner):
        column.owner[i] = UNSEEN
        column.begin[i] = 0
        column.degree[i] = 0
        column.codes[i] = 0
    if i < COUNTERS:
        column.counts[i] = LATER if i >= NEXT else 0


def place(column: Any) -> None:
    """Each slot's place for its predecessors: where it ends. Then writing them down moves it to where it begins."""
    i = cuda.grid(1)
    if i < len(column.owner):
        degree = column.degree[i]
        if degree > 0:
            column.first[i] = cuda.atomic.add(column.counts, EDGES, degree) + degree
        if column.owner[i] >= 0:
            cuda.atomic.add(column.counts, POSITIONS, 1)
        elif column.owner[i] == UNSEEN:
            cuda.atomic.add(column.counts, BROKEN, 1)


def seed(event: Any, still_open: Any, codes: Any, counts: Any, queue: Any, time: int, turn: int) -> None:
    """Positions whose event is now, unless they are known or have a move left that may not lose; the next event."""
    i = cuda.grid(1)
    if i == 0:
        counts[NEXT + 1 - turn] = LATER
    if i < len(event) and event[i] != 0:
        size = abs(event[i])
        if size > time:
            if size < counts[NEXT + turn]:
                cuda.atomic.min(counts, NEXT + turn, size)
        elif size == time and codes[i] == 0 and (event[i] > 0 or still_open[i] == 0):
            codes[i] = event[i]
            queue[cuda.atomic.add(counts, KNOWN, 1)] = i


def level(
    event: Any, still_open: Any, codes: Any, counts: Any, queue: Any,
    first: Any, degree: Any, parents: Any, done: int, known: int, size: int,
) -> None:  # fmt: skip
    """The predecessors of positions that were known last; those that become known get a code of this size."""
    at = done + cuda.grid(1)
    if at < known:
        s = queue[at]
        won = codes[s] > 0
        for e in range(first[s], first[s] + degree[s]):
            p = parents[e]
            again = p < 0  # the same player is to move
            if again:
                p = ~p
            if codes[p] != 0:
                continue
            code = size
            if won != again:
                if cuda.atomic.sub(still_open, p, 1) > 1 or -event[p] > size:
                    continue  # a move is left, or one out of the graph holds longer: its event comes
                code = -size
            if cuda.atomic.cas(codes, p, 0, code) == 0:
                queue[cuda.atomic.add(counts, KNOWN, 1)] = p


def tally(column: Any, times: Any, counted: Any) -> None:
    """How many positions of each player have each code: 0, then those of the sorted `times`, won and lost."""
    i = cuda.grid(1)
    drawn_by_max = drawn_by_min = 0
    while i < len(column.owner):
        owner = column.owner[i]
        if owner >= 0:
            code = column.codes[i]
            if code != 0:
                number = 1 + 2 * found_in(times, abs(code)) + (1 if code < 0 else 0)
                cuda.atomic.add(counted, owner * (1 + 2 * len(times)) + number, 1)
            elif owner == 0:
                drawn_by_max += 1
            else:
                drawn_by_min += 1
        i += cuda.gridsize(1)
    cuda.atomic.add(counted, 0, drawn_by_max)
    cuda.atomic.add(counted, 1 + 2 * len(times), drawn_by_min)


def pack(column: Any, known: Any, data: Any) -> None:
    """The codes of slots as numbers of the sorted known codes."""
    i = cuda.grid(1)
    if i < len(data):
        number = 0
        if i < len(column.owner):
            number = found_in(known, column.codes[i] if column.owner[i] >= 0 else NO_CODE)
        data[i] = number


@kernel
def found_in(numbers: Any, number: int) -> int:
    """The place of a number in a sorted array that has it."""
    low, high = 0, len(numbers)
    while high - low > 1:
        middle = (low + high) >> 1
        if numbers[middle] <= number:
            low = middle
        else:
            high = middle
    return low
