"""How long a user waits, each time in a new process: for the first move of Connect Four, of games as they are first
written (`naive.py`), and for help.

The least of several times counts, since whatever else the machine does can only make them longer. The
processor's time is shown beside it: on a busy machine it is the better measure.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import NamedTuple

from bench.measure import Row, Size

NAIVE = ("TicTacToe", "Four", "Breakthrough")
FIRST_SEARCH = "from outplay import best; from bench import naive; best(naive.{}(), 'alphabeta', nodes=1000)"
FIRST_MOVE = "from outplay import best; from outplay.games import ConnectFour; best(ConnectFour(), depth=8)"


class Wait(NamedTuple):
    """Seconds."""

    elapsed: float
    processor: float


def run(size: Size) -> Iterator[Row]:
    repeats = size.pick(5, 1, 1)
    empty, filled = [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            empty.append(wait("-c", FIRST_MOVE, cache=cache))
            filled.append(wait("-c", FIRST_MOVE, cache=cache))
    helped = [wait("-m", "outplay", "--help") for _ in range(repeats)]
    yield row("first move, Connect Four, empty cache", empty, 5.0)
    yield row("first move, Connect Four, second process", filled, 1.0)
    yield row("outplay --help", helped, 0.5)
    for name in NAIVE[: size.pick(3, 3, 1)]:
        with tempfile.TemporaryDirectory() as cache:
            first = wait("-c", FIRST_SEARCH.format(name), cache=cache)
        yield row(f"first search, {name} as first written, empty cache", [first], 10.0)


def wait(*arguments: str, cache: str | None = None) -> Wait:
    """Run Python in a new process to its end."""
    environment = os.environ | ({"OUTPLAY_CACHE": cache} if cache else {})
    before, began = os.times(), time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    elapsed, after = time.perf_counter() - began, os.times()
    user, system = after.children_user - before.children_user, after.children_system - before.children_system
    return Wait(elapsed, user + system)


def row(work: str, waits: list[Wait], ceiling: float | None = None) -> Row:
    elapsed, processor = (min(times) for times in zip(*waits, strict=True))
    return Row(work, "", f"{processor:.2f} s of CPU", "", elapsed, "s", ceiling, at_most=True)
