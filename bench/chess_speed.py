"""Nodes a second of the engine at chess against Stockfish's `bench`, one thread each, in turns, by processor time."""

import re
import resource
import shutil
import subprocess
import time
from collections.abc import Iterator
from functools import partial

from bench.measure import Row, Size, in_turns, left_out
from outplay.games.chess import Chess
from outplay.limits import Limits
from outplay.search.engine.engine import Engine

WORK, PEER = "chess, nodes a second of search", "Stockfish 15.1"
LEAST = 1.2
POSITIONS = (  # the start, and well-known test positions of move generators
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
    "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
    "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
)


def run(size: Size) -> Iterator[Row]:
    depth, turns = size.pick((13, 3), (13, 1), (5, 1))
    if shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin") is None:
        yield left_out(WORK, PEER, "stockfish is not installed")
        return
    found = in_turns(partial(ours, depth), partial(theirs, depth), turns)
    mine, peer = (f"{speed / 1e6:.2f} M/s" for speed in (found.ours, found.peer))
    yield Row(WORK, PEER, mine, peer, found.ratio, "x", LEAST)


def ours(depth: int) -> float:
    nodes, seconds = 0, 0.0
    for fen in POSITIONS:
        engine, state = Engine(16), Chess.parse(fen)
        engine.prepare(state)
        began = time.thread_time()
        nodes += engine.search(state, Limits(depth=depth)).nodes
        seconds += time.thread_time() - began
    return nodes / seconds


def theirs(depth: int) -> float:
    program = shutil.which("stockfish", path="/usr/games:/usr/bin:/usr/local/bin")
    assert program is not None
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    said = subprocess.run(
        [program, "bench", "16", "1", str(depth)], capture_output=True, text=True, check=True
    )
    seconds = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began
    found = re.search(r"Nodes searched\s*: (\d+)", said.stderr + said.stdout)
    assert found is not None
    return int(found[1]) / seconds
