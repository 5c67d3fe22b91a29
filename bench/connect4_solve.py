"""Who wins at Connect Four, proven without a book: our solver against Pascal Pons's in C++.

The peer is a checkout of github.com/PascalPons/connect4 in the folder that the variable PONS names; it is built with
its own makefile and runs its weak mode, which like ours asks who wins and not how fast.
"""

import os
import resource
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from bench.measure import Row, Size, left_out
from outplay.games import ConnectFour
from outplay.search.proof.solve import Solution, Solving

PEER = "Pons's solver, C++"
FULL, QUICK, SMOKE = ("44444", ""), ("444441",), ("4444411322",)  # games to go on from; "" is the empty board
MOST = 2.0  # times as long as the peer


def run(size: Size) -> Iterator[Row]:
    source = os.environ.get("PONS", "")
    with tempfile.TemporaryDirectory() as folder:
        program = build(Path(source), Path(folder)) if source and shutil.which("make") else None
        for moves in size.pick(FULL, QUICK, SMOKE):
            work = f"solve Connect Four, {f'after {moves}' if moves else 'empty board'}"
            found, seconds = ours(moves)
            if program is None:
                yield left_out(work, PEER, "PONS names no checkout of github.com/PascalPons/connect4")
                continue
            value, their_seconds = theirs(program, moves)
            if value != found.value:
                raise AssertionError(f"{work}: we say {found.value}, {PEER} {value}")
            figure = seconds / their_seconds
            note = f"{work}: {found.value:+} proven, {found.nodes:,} nodes"
            yield Row(work, PEER, f"{seconds:.1f} s", f"{their_seconds:.1f} s", figure, "x", MOST, True, note)


def build(source: Path, folder: Path) -> Path:
    built = shutil.copytree(source, folder / "pons")
    subprocess.run(["make", "-s", "c4solver"], cwd=built, check=True)
    return built / "c4solver"


def ours(moves: str) -> tuple[Solution, float]:
    """The solution and the processor's seconds, compiling not counted."""
    task = Solving(ConnectFour.parse(moves) if moves else ConnectFour())
    task.prover.prepare(task.state)
    began = process_time()
    return task.run(), process_time() - began


def theirs(program: Path, moves: str) -> tuple[int, float]:
    """MAX's value and the processor's seconds."""
    began = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
    done = subprocess.run(
        [program, "-w"], cwd=program.parent, input=f"{moves}\n", capture_output=True, text=True, check=True
    )
    score = int(done.stdout.split()[-1])
    mover = 1 if len(moves) % 2 == 0 else -1
    return mover * score, resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - began
