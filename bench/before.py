"""This tree against an earlier commit: `BEFORE=COMMIT python -m bench before` (the last commit without it).

Both run the same commands in turns, each with a cache of its own: what a command takes of the processor beyond the
same command with next to nothing to do, and what the first one takes with an empty cache.
"""

import io
import os
import statistics
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from bench.measure import Row, Size, left_out

ROOT = Path(__file__).parent.parent
FLOOR = 0.97  # of the speed before


class Work(NamedTuple):
    """A command with a number of its own, and that number when it is to take long, and next to nothing."""

    name: str
    command: str
    much: int
    little: int


WORKS = (
    Work("Connect Four, alpha-beta, depth", "best connect4 --search alphabeta --depth {}", 17, 4),
    Work("chess, engine, nodes", "best chess --search engine --nodes {}", 4_000_000, 1000),
    Work("chess, perft", "perft chess {}", 6, 2),
    Work("Othello, UCT, simulations", "best othello --search uct --nodes {}", 100_000, 100),
)


class Tree:
    """Sources, and a cache for the code that they compile to."""

    def __init__(self, source: Path, cache: str) -> None:
        self.environment = os.environ | {"PYTHONPATH": str(source), "OUTPLAY_CACHE": cache}

    def takes(self, work: Work, number: int) -> float:
        """The seconds of the processor that a command takes."""
        before = os.times()
        command = [sys.executable, "-m", "outplay", *work.command.format(number).split()]
        subprocess.run(command, env=self.environment, capture_output=True, check=True)
        after = os.times()
        return after.children_user + after.children_system - before.children_user - before.children_system


def run(size: Size) -> Iterator[Row]:
    commit = os.environ.get("BEFORE", "HEAD")
    packed = subprocess.run(["git", "-C", ROOT, "archive", commit, "src"], capture_output=True)
    if packed.returncode:
        yield left_out("before and after", commit, packed.stderr.decode() or "git knows no such commit")
        return
    with tempfile.TemporaryDirectory() as folder:
        with tarfile.open(fileobj=io.BytesIO(packed.stdout)) as sources:
            sources.extractall(folder, filter="data")
        caches = [f"{folder}/cache {i}" for i in (1, 2)]
        ours, theirs = Tree(ROOT / "src", caches[0]), Tree(Path(folder) / "src", caches[1])
        for work in WORKS if size is not Size.SMOKE else WORKS[:1]:
            yield from compared(work, ours, theirs, commit, size)


def compared(work: Work, ours: Tree, theirs: Tree, commit: str, size: Size) -> Iterator[Row]:
    cold = [tree.takes(work, work.little) for tree in (ours, theirs)]
    told = [f"{seconds:.1f} s" for seconds in cold]
    yield Row(f"{work.name}: empty cache", commit, *told, cold[1] / cold[0], "x", FLOOR)
    much = work.much if size is not Size.SMOKE else work.little
    pairs = []
    for turn in range(size.pick(7, 3, 1)):
        pair = [
            tree.takes(work, much) - (tree.takes(work, work.little) if size is not Size.SMOKE else 0)
            for tree in ((ours, theirs) if turn % 2 else (theirs, ours))
        ]
        pairs.append(pair if turn % 2 else pair[::-1])
    ratio = statistics.median(their / our for our, their in pairs)
    told = [f"{statistics.median(times):.2f} s" for times in zip(*pairs, strict=True)]
    yield Row(f"{work.name}: {much:,}", commit, *told, ratio, "x", FLOOR if size is Size.FULL else None)
