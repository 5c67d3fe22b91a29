"""`outplay bench`: the node signature. The same positions, the same searches, the same number of nodes on every
machine; a change of the number is a change of the rules or of a search.
"""

import time as clock
from typing import Any, NamedTuple

from outplay.games import load
from outplay.limits import Limits
from outplay.search.perft import perft
from outplay.search.proof.solve import solve
from outplay.search.searches import made

OPTIONS: dict[str, dict[str, Any]] = {
    "engine": {"hash": 1},  # small enough to fill up, so that replacement is tested too
    "uct": {"memory": 16},
    "puct": {"net": "none"},  # nets change when they are trained anew
}


class Work(NamedTuple):
    """A search of the bench; its limit is a depth (None: to the end of the game), or iterations of uct and puct."""

    game: str
    position: str
    search: str
    limit: int | None


CHESS = (
    "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4",  # an opening: the Spanish game
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",  # a quiet middle game
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",  # a wild one
    "2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - 0 1",  # a mating attack: Win at Chess, number 1
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",  # an ending with rooks
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",  # one with pawns: Fine, Basic Chess Endings, number 70
)
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
    *(Work("chess", fen, "engine", 14) for fen in CHESS),
    Work("connect4", "", "engine", 16),
    Work("othello", "", "engine", 10),
    Work("checkers", "", "engine", 14),
    Work("kalah", "", "engine", 12),
    Work("connect4", "", "uct", 5_000),
    Work("pig:goal=10", "", "uct", 5_000),
    Work("go:size=7", "", "uct", 2_000),
    Work("othello", "", "puct", 5_000),
)


class Row(NamedTuple):
    """The result of one of them."""

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
    """The nodes that the search passes."""
    if work.search == "perft":
        assert work.limit is not None
        return perft(state, work.limit)
    if work.limit is None:
        return solve(state, work.search).nodes
    search = made(work.search, OPTIONS.get(work.search))
    search.search(state, Limits(nodes=work.limit) if search.samples else Limits(depth=work.limit))
    return search.passed
