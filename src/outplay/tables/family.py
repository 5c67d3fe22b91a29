"""A family of positions that a game indexes, as a graph for retrograde analysis.

A move stays in the family, or leads to one whose table is finished (a capture, a promotion), or ends the game.
"""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import ENABLED, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.runtime import NATIVE
from outplay.freememory import SPARE, available, require
from outplay.game import NO_SLOT, GameError, max_actions, offers
from outplay.tables.code import NO_CODE, TooGreat, before, coded, converted, is_better, value_of
from outplay.tables.graph import Graph, Transposition
from outplay.tables.metric import CONVERSION, END
from outplay.tables.probe import probe

pointer = NATIVE["pointer"][ENABLED]

CHUNK = 1 << 16  # slots that a thread looks at before it hears anything
NOBODY = -1  # owner of a slot that holds no position
MOST = (1 << 31) - 1  # slots of a family
POINTS = 255  # the most that can be made in a game of points
# of memory for a slot: the columns of a graph, the codes, a queue, and what is made of the codes
SLOT_BYTES = 33

Progress = Callable[[int, int], None]  # is told how many slots were looked at, of how many


class Missing(Exception):
    """A move leads to a position that no table has."""


class Asked(NamedTuple):
    """What a move's code depends on."""

    shelf: int  # the address of the tables to the end
    ranks: Any  # int64: outcomes
    converts: bool  # whether distances end at the next family
    undone: bool  # and at moves that cannot be undone


class Part(NamedTuple):
    """What a run of slots comes to."""

    begin: int
    owner: Any  # int8
    open: Any  # int32
    event: Any  # int32
    degree: Any  # int32: moves that stay in the family
    children: Any  # int32: where they lead, c or ~c as a transposition has it


def ranks_of(cls: Any) -> tuple[int, ...]:
    """The outcomes of a game with families: those up to the class's `win`; of a game of points up to POINTS."""
    win = POINTS if offers(cls, "banked") else getattr(cls, "win", 0)
    if not isinstance(win, int) or not 1 <= win <= 1000:
        raise GameError(
            f"{cls.__name__} has families of positions, but no `win`: declare the maximum utility"
        )
    return tuple(range(win, 0, -1))


def asked(cls: Any, shelf: int, ranks: tuple[int, ...], metric: str) -> Asked:
    """What moves are judged by."""
    converts = metric == CONVERSION
    return Asked(shelf, np.array(ranks, np.int64), converts, converts and not offers(cls, "banked"))


def stack_of(cls: Any) -> Any:
    """Room for a state's actions, in a thread."""
    return np.zeros(max_actions(cls) + 1, np.int64)


class Expansion:
    """The slots of a state's family, looked at in runs; `shelf` is the address of the tables that moves lead to."""

    def __init__(self, state: Any, shelf: int, metric: str, threads: int) -> None:
        self.state, self.cls = state, type(state)
        self.compiled = twin(self.cls)
        self.native, self.size = self.compiled.state(state), int(state.slots())
        if not 0 < self.size <= MOST:
            raise GameError(
                f"a family of {self.cls.__name__} has {self.size:,} slots: expected 1 to {MOST:,}"
            )
        require(SLOT_BYTES * self.size, f"the {self.size:,} slots")
        self.asked = asked(self.cls, shelf, ranks_of(self.cls), metric)
        self.threads = threads
        self.owner = np.empty(self.size, np.int8)
        self.open, self.event = np.empty(self.size, np.int32), np.empty(self.size, np.int32)
        self.local = threading.local()

    def parts(self, progress: Progress) -> Iterator[Part]:
        """In order; the threads are never far ahead of the reader."""
        begins = range(0, self.size, CHUNK)
        with explained(self.compiled, self.native), ThreadPoolExecutor(self.threads) as pool:
            yield self.look(0)  # compiled once, not by each thread
            for at in range(1, len(begins), 4 * self.threads):
                for part in pool.map(self.look, begins[at : at + 4 * self.threads]):
                    yield part
                    progress(part.begin + len(part.owner), self.size)

    def look(self, begin: int) -> Part:
        end = min(begin + CHUNK, self.size)
        if not hasattr(self.local, "stack"):
            self.local.stack = stack_of(self.cls)
            self.local.children = np.empty(16 * CHUNK + max_actions(self.cls), np.int32)
        degree = np.empty(end - begin, np.int32)
        run = slice(begin, end)
        part = Part(begin, self.owner[run], self.open[run], self.event[run], degree, self.local.children)
        while (moves := self.expanded(part)) < 0:
            self.local.children = np.empty(2 * len(part.children), np.int32)
            part = part._replace(children=self.local.children)
        return part._replace(children=part.children[:moves].copy())

    def expanded(self, part: Part) -> int:
        name = self.cls.__name__
        try:
            return int(_expand(self.native, self.asked, self.local.stack, part))
        except Missing:
            raise GameError(
                f"{name}: a move of {self.state} leads to a family without a table: `families` must name it before"
            ) from None
        except TooGreat:
            most = ranks_of(self.cls)[0]
            raise GameError(f"{name}: an outcome of {self.state} is beyond {most}, the maximum") from None


def family_graph(
    state: Any, shelf: int, threads: int, progress: Progress = lambda done, of: None, metric: str = END
) -> Graph:
    """The graph of a state's family.

    Moves are kept from the first look to the second, which writes them down backwards, if there is memory for them
    twice; otherwise they are made again.
    """
    expansion = Expansion(state, shelf, metric, threads)
    moved = Transposition(expansion.size)
    kept: list[tuple[int, Any, Any]] | None = []
    for part in expansion.parts(progress):
        moved.count(part.children)
        if kept is not None:
            kept.append((part.begin, part.degree, part.children))
            kept = kept if _fits_twice(kept, expansion.size) else None
    require(4 * int(moved.first.sum()), "the moves")
    moved.counted()
    if kept is None:
        for part in expansion.parts(progress):
            moved.fill(part.begin, part.degree, part.children)
    else:
        for run in kept:
            moved.fill(*run)
    return Graph(expansion.owner, expansion.open, expansion.event, moved.first, moved.parents)


def _fits_twice(kept: list[tuple[int, Any, Any]], size: int) -> bool:
    """Whether the moves to come fit into memory beside those that are kept, and all of them once more backwards."""
    if len(kept) % 64:  # it takes a look at the machine
        return True
    have = sum(degree.nbytes + children.nbytes for _, degree, children in kept)
    whole = have * size // (len(kept) * CHUNK)
    return 2 * whole - have < available() - SPARE


@kernel
def _expand(like: Any, asked: Any, stack: Any, part: Any) -> int:
    """Look at the slots of a part; how many moves stay in the family, or -1 where there is no room for them."""
    family, moves = like.family(), 0
    for i in range(len(part.owner)):
        s = like.slot_state(part.begin + i)
        part.owner[i] = NOBODY
        part.open[i] = 1
        part.event[i] = 0
        part.degree[i] = 0
        if s.slot() != part.begin + i:
            continue
        part.owner[i] = s.player()
        if s.terminal():
            part.event[i] = end_code(s, asked.ranks)
            part.open[i] = 0 if part.event[i] < 0 else 1
            continue
        if moves + len(stack) > len(part.children):
            return -1
        degree = _moves(s, i, family, asked, pointer(stack), moves, part)
        part.degree[i] = degree
        moves += degree
    return moves


@kernel
def _moves(s: Any, i: int, family: int, asked: Any, stack: Any, moves: int, part: Any) -> int:
    """Look at a position's moves: those into the family are written down, the others come to an event."""
    degree = still_open = event = 0
    for a in range(s.actions(stack, 0)):
        stays, found = followed(s, stack[a], family, asked)
        if stays:
            part.children[moves + degree] = found
            degree += 1
            continue
        if found >= 0:
            still_open += 1
        if found != 0 and (event == 0 or is_better(found, event)):
            event = found
    part.open[i] = degree + still_open
    part.event[i] = event
    return degree


@kernel
def followed(s: Any, action: int, family: int, asked: Any) -> tuple[bool, int]:
    """Where a move leads: true and the slot c in the family, ~c where the same player is to move there.

    Out of the family: false and its code, for who moves.
    """
    child = s.result(action)
    again = child.player() == s.player()
    stays = child.family() == family and not (asked.undone and s.irreversible(action) != 0)
    slot = child.slot() if stays else NO_SLOT
    if slot >= 0:
        return True, ~slot if again else slot
    code = outside(child, asked)
    return False, before(code if again else -code)


@kernel
def outside(s: Any, asked: Any) -> int:
    """The code of a state of another family, or behind a conversion."""
    code = probe(s, asked.shelf)
    if code == NO_CODE:
        if not s.terminal():
            raise Missing
        return end_code(s, asked.ranks)
    if asked.converts:
        banked = s.banked()
        code = converted(code) if banked == 0 else coded(value_of(code, asked.ranks) + banked, asked.ranks)
    return code


@kernel
def end_code(s: Any, ranks: Any) -> int:
    """The code of a state in which the game is over."""
    return coded(int(s.utility_for(s.player()) // s.worth()), ranks)
