"""Two threads against one: nodes a second of the engine, simulations a second of UCT, by the wall clock.

Each must do half as much again at least: 1.5 times. It takes two cores that do nothing else; on a busy machine
the figure says how busy it is.
"""

import os
from collections.abc import Callable, Iterator
from functools import partial
from time import perf_counter
from typing import Any, NamedTuple

from bench.measure import Row, Size, in_turns, left_out, ratio_row
from outplay.games import Checkers, ConnectFour, Othello
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.search.mcts.settings import Settings
from outplay.search.mcts.uct import UCT

FLOOR = 1.5


class Work(NamedTuple):
    """A search from the initial state."""

    name: str
    unit: str
    start: Any
    search: Callable[[int], Any]  # with so many threads


WORKS = (
    Work("engine, Othello", "nodes/s", Othello(), lambda threads: Engine(threads=threads)),
    Work("engine, checkers", "nodes/s", Checkers(), lambda threads: Engine(threads=threads)),
    Work(
        "UCT, Connect Four",
        "sims/s",
        ConnectFour(),
        lambda threads: UCT(Settings(threads=threads, solver=False)),
    ),
)


def run(size: Size) -> Iterator[Row]:
    turns, seconds = size.pick((11, 2.0), (5, 0.5), (1, 0.1))
    for work in WORKS:
        name = f"{work.name}, two threads"
        if (os.cpu_count() or 1) < 2:
            yield left_out(name, "one thread", "this machine has one core")
            continue
        found = in_turns(partial(speed, work, 2, seconds), partial(speed, work, 1, seconds), turns)
        yield ratio_row(name, "one thread", work.unit, found, FLOOR)


def speed(work: Work, threads: int, seconds: float) -> float:
    """Units a second of a search with nothing known before."""
    search = work.search(threads)
    search.prepare(work.start)
    began = perf_counter()
    done = search.search(work.start, Limits(time=seconds)).nodes
    return done / (perf_counter() - began)
