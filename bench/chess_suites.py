"""Chess test suites: `python -m bench.chess_suites [wac] [mates] [matetrack] [--data FOLDER] [--processes N]`.

    wac         Win at Chess, 300 positions, 1 s each: the best move is played
    mates       sunfish's four files: a mate in as many moves as the file says is found, within 10 s
    matetrack   the problems of matetrack up to mate in 6: the same

A mate is asked for, as by UCI's `go mate N`; with --unasked the search is not told that there is one. One thread a
position; several positions at a time with --processes, best no more than there are cores.
"""

import argparse
import re
import sys
import threading
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import NamedTuple

from outplay.game import WIN
from outplay.games.chess import Chess
from outplay.limits import Analysis, Limits
from outplay.search.engine.engine import Engine

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "chess"


class Problem(NamedTuple):
    """A position, and what is to be found in it."""

    name: str
    fen: str
    best: tuple[str, ...] = ()  # in SAN: any of these
    avoid: tuple[str, ...] = ()
    mate: int = 0  # moves
    seconds: float = 1.0


class Found(NamedTuple):
    """What the engine made of it."""

    name: str
    solved: bool
    seconds: float
    depth: int
    nodes: int
    said: str


def wac(data: Path) -> list[Problem]:
    found = []
    for line in (data / "epd" / "wacnew.epd").read_text().splitlines():
        said = dict(re.findall(r"\b(bm|am|id) ([^;]+);", line))
        fen = " ".join(line.split()[:4]) + " 0 1"
        best, avoid = (tuple(said.get(key, "").split()) for key in ("bm", "am"))
        found.append(Problem(said["id"].strip('"'), fen, best, avoid))
    return found


def mates(data: Path) -> list[Problem]:
    found = []
    for moves in range(1, 5):
        file = data / "mates" / f"sunfish_mate{moves}.fen"
        for number, line in enumerate(file.read_text().splitlines(), 1):
            fen = " ".join(line.split()[:4]) + " 0 1"
            found.append(Problem(f"mate{moves}.{number}", fen, mate=moves, seconds=10.0))
    return found


def matetrack(data: Path, most: int = 6) -> list[Problem]:
    found = []
    for number, line in enumerate((data / "mates" / "matetrack.epd").read_text().splitlines(), 1):
        moves = int(line.split("bm #")[1].split(";")[0])  # below 0: the mover is mated
        if 0 < moves <= most:
            fen = " ".join(line.split()[:4]) + " 0 1"
            found.append(Problem(f"matetrack.{number} #{moves}", fen, mate=moves, seconds=10.0))
    return found


SUITES = {"wac": wac, "mates": mates, "matetrack": matetrack}


def solve(problem: Problem, asked: bool = True) -> Found:
    """Search one position with a new engine; `asked`: for a mate in so many moves as there is."""
    try:
        state = Chess.parse(problem.fen)
    except ValueError as error:
        return Found(problem.name, False, 0.0, 0, 0, f"refused: {error}")
    seen = threading.Event()

    def report(found: Analysis) -> None:
        sign = 1 if state.player() == 0 else -1
        if problem.mate and 0 < WIN - sign * found.score <= 2 * problem.mate:
            seen.set()

    win = 2 * problem.mate - 1 if asked and problem.mate else None
    found = Engine(64).search(state, Limits(time=problem.seconds, win=win), report, seen)
    move = state.action_text(found.action)
    plain = move.rstrip("+#")
    if problem.mate:
        solved = seen.is_set()
    else:
        best, avoid = ([text.rstrip("+#!?") for text in texts] for texts in (problem.best, problem.avoid))
        solved = plain in best if best else plain not in avoid
    return Found(problem.name, solved, found.time, found.depth, found.nodes, f"{move} {found.score}")


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_suites")
    parser.add_argument("names", nargs="*", help=f"{', '.join(SUITES)}; without any, all")
    parser.add_argument("--data", type=Path, default=DATA, help="the folder with epd/ and mates/")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--unasked", action="store_true", help="do not tell the search that there is a mate")
    options = parser.parse_args()
    Engine(1).prepare(Chess.parse("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1"))  # compile once, for all processes
    with ProcessPoolExecutor(options.processes) as pool:
        for name in options.names or SUITES:
            found = list(pool.map(partial(solve, asked=not options.unasked), SUITES[name](options.data)))
            failed = [f for f in found if not f.solved]
            for f in failed:
                print(f"  {f.name}: {f.said}, depth {f.depth}, {f.nodes:,} nodes, {f.seconds:.2f} s")
            seconds = sum(f.seconds for f in found)
            print(f"{name}: {len(found) - len(failed)} of {len(found)}, {seconds:.0f} s in all", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
