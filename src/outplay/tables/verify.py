"""Verifying: a table is right if every value equals that of the best move.

This proves it, given the rules. A win and a loss name their distance, so each leans on positions nearer to the end, and
at last on ends; and a draw is one because no move wins and some move does not lose.
"""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import ENABLED, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.lane import again
from outplay.compile.runtime import NATIVE
from outplay.game import parse
from outplay.tables.code import NO_CODE, before, is_better
from outplay.tables.family import CHUNK, asked, end_code, outside, stack_of
from outplay.tables.file import Table
from outplay.tables.probe import probe
from outplay.tables.reachable import reachable
from outplay.tables.shelf import Shelf

pointer = NATIVE["pointer"][ENABLED]
load_state = NATIVE["load_state"][ENABLED]


class Verdict(NamedTuple):
    """What was found."""

    positions: int  # that were looked at
    wrong: int  # of these
    example: Any  # a state whose value is wrong; None if all are right


Progress = Callable[[int, int], None]


@again
def verify(
    shelf: Shelf, table: Table, threads: int = 1, progress: Progress = lambda done, of: None
) -> Verdict:
    """Compare every position of a table with its moves; the shelf has the tables to the end that they lead to."""
    cls: Any = shelf.cls
    header = table.header
    start = parse(cls, header.start)
    rows = reachable(start).states if header.family < 0 else None  # first: it may compile the class anew
    compiled = twin(cls)
    native = compiled.state(start)
    size = header.size if rows is None else len(rows)
    own = Shelf(cls, [table])
    ask = asked(cls, shelf.address, header.ranks, header.metric)

    def look(begin: int) -> np.ndarray:
        end = min(begin + CHUNK, size)
        found = np.array([0, 0, -1], np.int64)
        if rows is None:
            _verify_slots(native, begin, end, own.address, ask, stack_of(cls), found)
        else:
            _verify_states(native, rows[begin:end], own.address, ask, stack_of(cls), found)
            found[2] += begin if found[2] >= 0 else 0
        return found

    total = np.zeros(2, np.int64)
    example = -1
    begins = range(0, size, CHUNK)
    with explained(compiled, native), ThreadPoolExecutor(threads) as pool:
        for number in range(0, len(begins), 4 * threads):
            for found in pool.map(look, begins[number : number + 4 * threads]):
                total += found[:2]
                example = int(found[2]) if example < 0 else example
            progress(min((number + 4 * threads) * CHUNK, size), size)
    state = None
    if example >= 0:
        state = start.slot_state(example) if rows is None else compiled.back(_state(native, rows[example]))
    return Verdict(int(total[0]), int(total[1]), state)


def _state(like: Any, row: np.ndarray) -> Any:
    return NATIVE["load_state"][0](row, 0, like)


@kernel
def _verify_slots(like: Any, begin: int, end: int, own: int, asked: Any, stack: Any, found: Any) -> None:
    for slot in range(begin, end):
        s = like.slot_state(slot)
        if s.slot() == slot:
            _judge(s, slot, own, asked, stack, found)


@kernel
def _verify_states(like: Any, rows: Any, own: int, asked: Any, stack: Any, found: Any) -> None:
    for i in range(len(rows)):
        _judge(load_state(pointer(rows[i]), 0, like), i, own, asked, stack, found)


@kernel
def _judge(s: Any, number: int, own: int, asked: Any, stack: Any, found: Any) -> None:
    """Count a position, and whether its code is not what its moves make it."""
    found[0] += 1
    if not is_right(s, own, asked, pointer(stack)):
        found[1] += 1
        if found[2] < 0:
            found[2] = number


@kernel
def is_right(s: Any, own: int, asked: Any, stack: Any) -> bool:
    """Whether a state's code in its own table is what its moves make it."""
    return probe(s, own) == by_moves(s, own, asked, stack)


@kernel
def by_moves(s: Any, own: int, asked: Any, stack: Any) -> int:
    """The code that the best move gives a state; where the game is over, what the rules say."""
    if s.terminal():
        return end_code(s, asked.ranks)
    family, best = s.family(), NO_CODE
    for a in range(s.actions(stack, 0)):
        child = s.result(stack[a])
        stays = child.family() == family and not (asked.undone and s.irreversible(stack[a]) != 0)
        code = probe(child, own) if stays else NO_CODE
        if code == NO_CODE:
            code = outside(child, asked)
        code = before(code if child.player() == s.player() else -code)
        if best == NO_CODE or is_better(code, best):
            best = code
    return best
