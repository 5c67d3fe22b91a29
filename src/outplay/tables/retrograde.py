"""Retrograde analysis in linear time: backwards from the ends of the game, each move handled once.

Positions become known in the order of their distance from the end. A position that is lost for its mover is won for
whoever can move there; one that is won takes away one move of each predecessor, and whose every move is taken away is
lost. (Where the same player moves again, won stays won.) What never becomes known is a draw.

Outcomes come in the order of their size: first all that wins most, or loses most, then the next. A move that leads to
a greater loss is taken away before, so nobody chooses it who has a smaller one. `plain.py` does the same as the
lectures do, in passes over all positions.
"""

from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.compile import kernel
from outplay.game import GameError
from outplay.tables.code import PLIES
from outplay.tables.graph import Graph

RESOLVED = -1  # `open` of a position that is known

Progress = Callable[[int, int], None]  # is told the plies of the level, and how many positions are known


def solve(graph: Graph, progress: Progress = lambda plies, known: None) -> np.ndarray:
    """The code of each position, for its mover; 0 where neither side can force a win. `open` is used up."""
    codes = np.zeros(graph.size, np.int32)
    seeds = np.flatnonzero(graph.event)
    times = np.abs(graph.event[seeds])
    order = np.argsort(times, kind="stable")
    seeds, times = seeds[order].astype(np.int32), times[order]
    queue = np.empty(graph.size, np.int32)
    done = known = at = 0
    while at < len(seeds) or done < known:
        time = _next_time(codes, queue, times, done, known, at)
        if time & PLIES == PLIES:
            raise GameError(f"the longest win takes more than {PLIES - 1:,} plies: too many for a table")
        upto = int(np.searchsorted(times, time, side="right"))
        known = int(_seed(graph, codes, seeds[at:upto], queue, known))
        at = upto
        last = known
        known = int(_level(graph, codes, queue, done, known))
        done = last
        progress((time & PLIES) - 1, known)
    return codes


def _next_time(codes: Any, queue: Any, times: Any, done: int, known: int, at: int) -> int:
    """The next level: the size of its codes."""
    waiting = [abs(int(codes[queue[done]]))] if done < known else []
    seeds = [int(times[at])] if at < len(times) else []
    return min(waiting + seeds)


@kernel
def _seed(graph: Any, codes: Any, seeds: Any, queue: Any, known: int) -> int:
    """Positions whose event is now, unless they are known already, or have a move left that may not lose."""
    for i in range(len(seeds)):
        s = seeds[i]
        event = graph.event[s]
        if graph.open[s] != RESOLVED and (event > 0 or graph.open[s] == 0):
            graph.open[s] = RESOLVED
            codes[s] = event
            queue[known] = s
            known += 1
    return known


@kernel
def _level(graph: Any, codes: Any, queue: Any, done: int, known: int) -> int:
    """The predecessors of the positions of the queue from `done` on; those that are known now go to its end."""
    for i in range(done, known):
        s = queue[i]
        size = abs(codes[s]) + 1
        for e in range(graph.first[s], graph.first[s + 1]):
            p = graph.parents[e]
            again = p < 0  # the same player is to move
            if again:
                p = ~p
            if graph.open[p] == RESOLVED:
                continue
            if (codes[s] > 0) == again:
                codes[p] = size
            else:
                graph.open[p] -= 1
                if graph.open[p] > 0 or -graph.event[p] > size:
                    continue  # a move out of the graph holds longer: its event comes
                codes[p] = -size
            graph.open[p] = RESOLVED
            queue[known] = p
            known += 1
    return known
