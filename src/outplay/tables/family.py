"""A family of positions that a game numbers by itself, as a graph for retrograde analysis.

A move stays in the family, or leads to one whose table is finished (a capture, a promotion), or ends the game.
"""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import ENABLED, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.runtime import NATIVE
from outplay.game import NO_SLOT, GameError, max_actions
from outplay.tables.code import NO_CODE, PLIES_BITS, before, is_better
from outplay.tables.graph import Graph, transposed
from outplay.tables.memory import require
from outplay.tables.probe import probe

pointer = NATIVE["pointer"][ENABLED]

CHUNK = 1 << 16  # slots that a thread looks at before it hears anything
NOBODY = -1  # owner of a slot that holds no position
MOST = (1 << 31) - 1  # slots of a family

Progress = Callable[[int, int], None]  # is told how many slots were looked at, of how many


class Missing(Exception):
    """A move leads to a position that no table has."""


class Part(NamedTuple):
    """What a run of slots comes to."""

    owner: Any  # int8
    open: Any  # int32
    event: Any  # int32
    degree: Any  # int32: moves that stay in the family
    children: Any  # int32: where they lead, c or ~c as `transposed` has it
    stack: Any  # int64: room for a state's actions


def ranks_of(cls: Any) -> tuple[int, ...]:
    """The outcomes of a game with families: those up to the class's `win`."""
    win = getattr(cls, "win", 0)
    if not isinstance(win, int) or not 1 <= win <= 1000:
        raise GameError(
            f"{cls.__name__} has families of positions, but no `win`: say what the greatest utility is"
        )
    return tuple(range(win, 0, -1))


def family_graph(state: Any, shelf: int, threads: int, progress: Progress = lambda done, of: None) -> Graph:
    """The graph of a state's family; `shelf` is the address of the tables that its moves lead to."""
    cls = type(state)
    compiled = twin(cls)
    native, size = compiled.state(state), int(state.slots())
    if not 0 < size <= MOST:
        raise GameError(f"a family of {cls.__name__} has {size:,} slots: 1 to {MOST:,} are possible")
    require(13 * size, f"the {size:,} slots")
    ranks = np.array(ranks_of(cls), np.int64)

    def look(begin: int) -> Part:
        end = min(begin + CHUNK, size)
        part = _room(end - begin, max_actions(cls))
        while True:
            try:
                moves = int(_expand(native, shelf, begin, ranks, part))
            except Missing:
                raise GameError(
                    f"{cls.__name__}: a move of {state} leads to a family without a table: `families` must "
                    "name it before"
                ) from None
            if moves >= 0:
                return part._replace(children=part.children[:moves].copy(), stack=None)
            part = part._replace(children=np.empty(2 * len(part.children), np.int32))

    parts = []
    with explained(compiled, native):
        for part in _in_order(look, range(0, size, CHUNK), threads):
            parts.append(part)
            progress(min(len(parts) * CHUNK, size), size)
    return _joined(parts, size)


def _in_order(look: Callable[[int], Part], begins: range, threads: int) -> Iterator[Part]:
    """The parts one after the other; the threads are never far ahead of who reads them."""
    if threads == 1:
        yield from map(look, begins)
        return
    with ThreadPoolExecutor(threads) as pool:
        yield look(begins[0])  # compiled once, not by each thread
        rest = begins[1:]
        for at in range(0, len(rest), 4 * threads):
            yield from pool.map(look, rest[at : at + 4 * threads])


def _room(slots: int, actions: int) -> Part:
    return Part(
        np.empty(slots, np.int8),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.zeros(slots, np.int32),
        np.empty(16 * slots + actions, np.int32),
        np.zeros(actions + 1, np.int64),
    )


def _joined(parts: list[Part], size: int) -> Graph:
    owner, still_open, event, degree = (
        np.concatenate([part[column] for part in parts]) for column in range(4)
    )
    start = np.zeros(size + 1, np.int64)
    np.cumsum(degree, out=start[1:])
    moves = int(start[-1])
    require(8 * moves + 16 * size, f"the {moves:,} moves")
    children = np.concatenate([part.children for part in parts])
    parts.clear()
    first, parents = transposed(size, start, children)
    return Graph(owner, still_open, event, first, parents)


@kernel
def _expand(like: Any, shelf: int, begin: int, ranks: Any, part: Any) -> int:
    """Look at the slots from `begin` on; how many moves stay in the family, or -1 where there is no room for them."""
    family, moves = like.family(), 0
    for i in range(len(part.owner)):
        s = like.slot_state(begin + i)
        part.owner[i] = NOBODY
        part.open[i] = 1
        part.event[i] = 0
        part.degree[i] = 0
        if s.slot() != begin + i:
            continue
        part.owner[i] = s.player()
        if s.terminal():
            part.event[i] = end_code(s, ranks)
            part.open[i] = 0 if part.event[i] < 0 else 1
            continue
        if moves + len(part.stack) > len(part.children):
            return -1
        degree = _moves(s, i, family, shelf, ranks, moves, part)
        part.degree[i] = degree
        moves += degree
    return moves


@kernel
def _moves(s: Any, i: int, family: int, shelf: int, ranks: Any, moves: int, part: Any) -> int:
    """Look at a position's moves: those into the family are written down, the others come to an event."""
    stack = pointer(part.stack)
    degree = still_open = event = 0
    for a in range(s.actions(stack, 0)):
        child = s.result(stack[a])
        slot = child.slot() if child.family() == family else NO_SLOT
        if slot >= 0:
            part.children[moves + degree] = slot if child.player() != s.player() else ~slot
            degree += 1
            continue
        code = outside(child, shelf, ranks)
        code = before(code if child.player() == s.player() else -code)
        if code >= 0:
            still_open += 1
        if code != 0 and (event == 0 or is_better(code, event)):
            event = code
    part.open[i] = degree + still_open
    part.event[i] = event
    return degree


@kernel
def outside(s: Any, shelf: int, ranks: Any) -> int:
    """The code of a state of another family."""
    code = probe(s, shelf)
    if code == NO_CODE:
        if not s.terminal():
            raise Missing
        code = end_code(s, ranks)
    return code


@kernel
def end_code(s: Any, ranks: Any) -> int:
    """The code of a state in which the game is over."""
    value = s.utility_for(s.player()) // s.worth()
    for rank in range(len(ranks)):
        if ranks[rank] == abs(value):
            size = rank << PLIES_BITS | 1
            return size if value > 0 else -size
    return 0
