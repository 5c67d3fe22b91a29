"""`outplay bench`: the node signature. The same positions, the same searches, the same number of nodes on every
machine; a change of the number is a change of the rules or of a search.
"""

import time as clock
from typing import Any, NamedTuple

from outplay.games import load
from outplay.search.driver import best
from outplay.search.perft import perft
from outplay.search.solve import solve


class Work(NamedTuple):
    """A search of the bench; depth None searches to the end of the game."""

    game: str
    position: str
    search: str
    depth: int | None


WORKS = (
    Work("tictactoe", "", "minimax", None),
    Work("tictactoe", "", "alphabeta", None),
    Work("hexapawn:width=4,height=4", "", "alphabeta", None),
    Work("hexapawn:width=4,height=5", "", "alphabeta-hard", None),
    Work("connect4", "", "alphabeta", 11),
    Work("connect4", "44444325", "alphabeta", 13),
    Work("connect4:width=5,height=4", "", "alphabeta", None),
    Work("othello", "", "alphabeta", 8),
    Work("othello:size=4", "", "alphabeta", None),
    Work("checkers", "", "alphabeta", 10),
    Work("kalah", "", "alphabeta", 10),
    Work("kalah:pits=3,seeds=2", "", "alphabeta", None),
    Work("pig:goal=10", "", "expectiminimax", 11),
    Work("[[[3,17],[2,12]],[[15],[25,0]],[[2,5],[3]]]", "", "alphabeta", None),
    Work("checkers", "", "perft", 8),
    Work("othello", "", "perft", 7),
)


class Row(NamedTuple):
    """What came of one of them."""

    work: Work
    nodes: int
    time: float  # seconds


def bench(works: tuple[Work, ...] = WORKS) -> list[Row]:
    """Run the works, each once to compile and once to count."""
    return [_run(work) for work in works]


def signature(rows: list[Row]) -> int:
    """The number that commits record."""
    return sum(row.nodes for row in rows)


def _run(work: Work) -> Row:
    state = load(work.game).position(work.position)
    _search(work, state)
    began = clock.perf_counter()
    nodes = _search(work, state)
    return Row(work, nodes, clock.perf_counter() - began)


def _search(work: Work, state: Any) -> int:
    if work.search == "perft":
        assert work.depth is not None
        return perft(state, work.depth)
    found = solve(state, work.search) if work.depth is None else best(state, work.search, depth=work.depth)
    return found.nodes
