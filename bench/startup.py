"""How long a user waits, each time in a new process: for the first move of Connect Four, and for help.

The least of several times counts: whatever else the machine does can only make them longer.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from bench.measure import Row

FIRST_MOVE = "from outplay import best; from outplay.games import ConnectFour; best(ConnectFour(), depth=8)"


def run(quick: bool) -> Iterator[Row]:
    repeats = 1 if quick else 5
    empty, warm = [], []
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as cache:
            empty.append(seconds("-c", FIRST_MOVE, cache=cache))
            warm.append(seconds("-c", FIRST_MOVE, cache=cache))
    helped = [seconds("-m", "outplay", "--help") for _ in range(repeats)]
    yield waited("first move, Connect Four, empty cache", empty, 5.0)
    yield waited("first move, Connect Four, second process", warm, 1.0)
    yield waited("outplay --help", helped, 0.5)


def seconds(*arguments: str, cache: str | None = None) -> float:
    environment = os.environ | ({"OUTPLAY_CACHE": cache} if cache else {})
    began = time.perf_counter()
    subprocess.run([sys.executable, *arguments], env=environment, stdout=subprocess.DEVNULL, check=True)
    return time.perf_counter() - began


def waited(work: str, times: list[float], ceiling: float) -> Row:
    return Row(work, "", figure=min(times), unit="s", bound=ceiling, at_most=True)
