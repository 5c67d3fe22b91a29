"""Fixed-depth alpha-beta on Connect Four, the shipped class as it stands, against the same search in C++."""

import ctypes
import itertools
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from time import process_time
from typing import Any

from bench.measure import Row, Size, Speed, in_turns, left_out, ratio_row
from outplay.games import ConnectFour
from outplay.search import best

SOURCE = Path(__file__).with_name("connect4.cpp")
COMPILE = ("g++", "-std=c++20", "-O3", "-march=native", "-shared", "-fPIC")
WORK = "alpha-beta, Connect Four"
TWINS = {  # by their names in connect4.cpp: what they do, and the floor; without one, for information
    "listed": ("C++, actions listed first", 0.8),
    "in_place": ("C++, columns tested in place", None),
}

Found = tuple[int, int, tuple[int, ...]]  # value, nodes, best line


def run(size: Size) -> Iterator[Row]:
    depths, turns = size.pick(
        ((13, 14), 31), ((12, 13), 15), ((8, 9), 1)
    )  # trees of odd depth have another shape
    if shutil.which(COMPILE[0]) is None:
        yield left_out(WORK, "C++", f"there is no {COMPILE[0]}")
        return
    with tempfile.TemporaryDirectory() as folder:
        library = build(Path(folder))
        for depth, (name, (peer, floor)) in itertools.product(depths, TWINS.items()):
            theirs = theirs_by(getattr(library, name))
            if ours(depth) != theirs(depth):
                raise AssertionError(f"not the same search: we found {ours(depth)}, {peer} {theirs(depth)}")
            speeds = in_turns(nodes_per_second(ours, depth), nodes_per_second(theirs, depth), turns)
            yield ratio_row(f"{WORK}, depth {depth}", peer, "nodes/s", speeds, floor)


def build(folder: Path) -> ctypes.CDLL:
    library = folder / "connect4.so"
    subprocess.run([*COMPILE, str(SOURCE), "-o", str(library)], check=True)
    return ctypes.CDLL(str(library))


def ours(depth: int) -> Found:
    found = best(ConnectFour(), "alphabeta", depth=depth)
    return found.score, found.nodes, found.line


def theirs_by(function: Any) -> Callable[[int], Found]:
    numbers = ConnectFour.weights.flat()
    weights = (ctypes.c_int64 * len(numbers))(*numbers)
    nodes, length, line = ctypes.c_int64(), ctypes.c_int(), (ctypes.c_int * 64)()

    def theirs(depth: int) -> Found:
        value = function(depth, weights, ctypes.byref(nodes), ctypes.byref(length), line)
        return value, nodes.value, tuple(line[: length.value])

    return theirs


def nodes_per_second(search: Callable[[int], Found], depth: int) -> Speed:
    def measure() -> float:
        began = process_time()
        nodes = search(depth)[1]
        return nodes / (process_time() - began)

    return measure
