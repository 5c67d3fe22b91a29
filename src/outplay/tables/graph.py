"""Positions as numbers: the input of retrograde analysis.

A position has predecessors among the positions of the graph, a number of successors there, and an event: what is
known about it from elsewhere (the game is over; a move leads into a finished table).
"""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel

NEVER = 0  # no event


class Graph(NamedTuple):
    """Of n positions and the moves between them."""

    owner: Any  # int8[n]: the player to move
    # int32[n]: moves of which it is not known that they lose. A move out of the graph to a draw is one of them.
    open: Any
    # int32[n]: a code that the position has at the latest (a win) or at the earliest (a loss, once `open` is 0)
    event: Any
    first: Any  # int64[n + 1]: where the predecessors of a position begin
    # int32: the predecessors, a position as often as moves lead from it; p where the other player moves there, ~p where
    # the same one does. The owners do not tell: two positions that differ in who is to move may share a number.
    parents: Any

    @property
    def size(self) -> int:
        return len(self.owner)


class Transposition:
    """From the successors of positions to their predecessors: `first` and `parents` of a graph.

    All successors are counted, then all are written down, some positions at a time, so that they need not lie in memory
    at once. A successor is c where the other player is to move there, ~c where the same one is.
    """

    def __init__(self, size: int) -> None:
        self.first = np.zeros(size + 1, np.int64)  # how many, then where they end, at last where they begin
        self.parents = np.empty(0, np.int32)

    def count(self, children: Any) -> None:
        _count(children, self.first)

    def counted(self) -> int:
        """How many there are; from now on they are written down."""
        np.cumsum(self.first, out=self.first)
        self.parents = np.empty(int(self.first[-1]), np.int32)
        return len(self.parents)

    def fill(self, begin: int, degree: Any, children: Any) -> None:
        """The successors of the positions from `begin` on, which have so many each."""
        _fill(begin, degree, children, self.first, self.parents)


@kernel
def _count(children: Any, first: Any) -> None:
    for e in range(len(children)):
        child = children[e]
        first[child if child >= 0 else ~child] += 1


@kernel
def _fill(begin: int, degree: Any, children: Any, first: Any, parents: Any) -> None:
    e = 0
    for i in range(len(degree)):
        for _ in range(degree[i]):
            child, parent = children[e], begin + i
            if child < 0:
                child, parent = ~child, ~parent
            first[child] -= 1
            parents[first[child]] = parent
            e += 1
