"""The FFO end-game tests 1-39 for Othello programs: every score exact, and the time beside Edax's.

Edax (github.com/abulmo/edax-reversi) is found through the environment: EDAX is the path of its program, with its
`data/eval.dat` in the folder in which it is run, EDAX_FOLDER. Both solve each position from nothing with one
thread; the clock is the processor's time.
"""

import os
import re
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from bench.measure import Row, Size, left_out
from outplay.games import Othello
from outplay.limits import Limits
from outplay.search.engine.engine import Engine

DATA = Path(__file__).parents[2] / "shared" / "data" / "othello"
FILES = ("fforum-1-19.obf", "fforum-20-39.obf")
MEGABYTES = 256
WORK = "FFO end games"


def run(size: Size) -> Iterator[Row]:
    if not DATA.exists():
        yield left_out(WORK, "Edax", f"{DATA} is absent")
        return
    lines = [line for name in FILES for line in (DATA / name).read_text().splitlines() if line]
    lines = lines[: size.pick(None, 30, 2)]
    work = f"{WORK} 1-{len(lines)}"
    wrong, seconds, nodes = solve(lines, size is not Size.SMOKE)
    yield Row(work, "known scores", f"{nodes / 1e6:,.1f} M nodes", "", wrong, "wrong", 0, at_most=True)
    program = os.environ.get("EDAX")
    if program is None:
        yield left_out(work, "Edax", "EDAX does not say where the program is")
        return
    theirs = edax_seconds(program, lines)
    ratio = seconds / theirs
    yield Row(work, "Edax", f"{seconds:.2f} s", f"{theirs:.2f} s", ratio, "x", 30, at_most=True)


def solve(lines: list[str], fixed: bool) -> tuple[int, float, int]:
    """How many scores are wrong, the seconds, the nodes; `fixed`: by a build for these switches alone."""
    engine = Engine(MEGABYTES, on="sound", fixed=fixed)
    engine.prepare(Othello())
    wrong, seconds, nodes = 0, 0.0, 0
    for line in lines:
        state = Othello.parse(line)
        wanted = max(int(score) for score in re.findall(r":([+-]\d+)", line))
        engine.table.words[:] = 0
        began = process_time()
        found = engine.search(state, Limits())
        seconds += process_time() - began
        nodes += found.nodes
        wrong += not found.proven or found.value != (wanted if state.turn == 0 else -wanted)
    return wrong, seconds, nodes


def edax_seconds(program: str, lines: list[str]) -> float:
    """The time that Edax says it took, by the processor's clock."""
    with tempfile.NamedTemporaryFile("w", suffix=".obf") as file:
        file.write("\n".join(lines) + "\n")
        file.flush()
        command = [program, "-solve", file.name, "-n", "1", "-l", "60", "-book-usage", "off"]
        told = subprocess.run(
            command, capture_output=True, text=True, check=True, cwd=os.environ.get("EDAX_FOLDER")
        ).stdout
    minutes, seconds = re.findall(r"cpu = +(\d+):([\d.]+)", told)[-1]
    return 60 * int(minutes) + float(seconds)
