"""Positions as numbers: what retrograde analysis knows of a game.

A position has predecessors among the positions of the graph, a number of successors there, and an event: what is
known of it from elsewhere (the rules say that the game is over; a move leads into a table that is finished).
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


def transposed(size: int, start: Any, children: Any) -> tuple[Any, Any]:
    """From the successors of each position (from start[i] to start[i + 1]) its predecessors: `first`, `parents`.

    A successor is c where the other player is to move there, ~c where the same one is.
    """
    first = np.zeros(size + 1, np.int64)
    _count(children, first)
    np.cumsum(first, out=first)
    parents = np.empty(len(children), np.int32)
    _fill(size, start, children, first[:-1].copy(), parents)
    return first, parents


@kernel
def _count(children: Any, first: Any) -> None:
    for e in range(len(children)):
        child = children[e]
        first[(child if child >= 0 else ~child) + 1] += 1


@kernel
def _fill(size: int, start: Any, children: Any, place: Any, parents: Any) -> None:
    for s in range(size):
        for e in range(start[s], start[s + 1]):
            child, parent = children[e], s
            if child < 0:
                child, parent = ~child, ~s
            parents[place[child]] = parent
            place[child] += 1
