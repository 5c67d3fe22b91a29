"""How long a GUI waits for a chess engine that it starts: for `uciok`, and for the answer to `go depth 1`.

Each time `outplay uci` is a new process, once with an empty cache, so that native code has to be built, and once
with the cache that this has filled. The least of several times counts, as in `bench.startup`.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator

from bench.measure import Row, Size
from bench.startup import Wait, row
from outplay.compile.cache import home

HELLO = "uci"
FIRST_MOVE = "uci\nisready\nposition startpos\ngo depth 1"
CEILINGS = {"empty cache": 30.0, "second process": 1.5}  # seconds to the first move


def run(size: Size) -> Iterator[Row]:
    repeats, caches = size.pick((3, 2), (1, 2), (1, 1))
    waits: dict[tuple[str, str], list[Wait]] = {}
    for _ in range(repeats):
        with tempfile.TemporaryDirectory() as folder:
            cache = str(home()) if size is Size.SMOKE else folder  # building takes long
            for state in ("empty cache", "second process")[-caches:]:
                for conversation, word in ((HELLO, "uciok"), (FIRST_MOVE, "bestmove")):
                    waits.setdefault((word, state), []).append(wait(conversation, word, cache))
    for (word, state), found in waits.items():
        ceiling = CEILINGS[state] if word == "bestmove" else None
        yield row(f"chess, from start to {word}, {state}", found, ceiling)


def wait(conversation: str, word: str, cache: str) -> Wait:
    """Start the engine, say all that at once, and hear it out to a line that begins with the word."""
    before, began = os.times(), time.perf_counter()
    with subprocess.Popen(
        [sys.executable, "-m", "outplay", "uci"],
        env=os.environ | {"OUTPLAY_CACHE": cache},
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as engine:  # fmt: skip
        assert engine.stdin is not None and engine.stdout is not None
        engine.stdin.write(f"{conversation}\n")
        engine.stdin.flush()
        if not any(line.startswith(word) for line in engine.stdout):
            raise RuntimeError(f"outplay uci ended before it said {word}")
        elapsed = time.perf_counter() - began
        engine.stdin.write("quit\n")
    after = os.times()
    user, system = after.children_user - before.children_user, after.children_system - before.children_system
    return Wait(elapsed, user + system)
