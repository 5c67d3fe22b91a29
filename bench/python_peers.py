"""Fixed-depth alpha-beta on Connect Four against easyAI and AIMA: nodes a second.

Each searches its own Connect Four with its own alpha-beta, as its documentation shows. A node is a position
that the search reaches; they are counted in a run of their own, so that counting costs the peer nothing.
"""

import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from time import process_time

from bench.cpp import WORK, nodes_per_second, ours
from bench.measure import Row, Size, Speed, Turns, in_turns, left_out, ratio_row
from outplay.compile.cache import home

OUR_DEPTH = 13  # each to a depth that takes some tenths of a second
EASYAI_DEPTH = 5
AIMA_DEPTH = 7
FLOOR = 100.0
AIMA_SEARCH = Path(__file__).with_name("aima_search.py")
AIMA_PACKAGES = ("aima3==1.0.11", "numpy", "tqdm")  # all that its games need; it pins a networkx of 2016


def run(size: Size) -> Iterator[Row]:
    turns = size.pick(9, 3, 1)
    aima_too = partial(aima, install=size is not Size.SMOKE)
    for peer, compare in (("easyAI", easyai), ("AIMA", aima_too)):
        try:
            yield ratio_row(WORK, peer, "nodes/s", compare(turns), FLOOR)
        except (ImportError, OSError, subprocess.SubprocessError) as error:
            yield left_out(WORK, peer, error)


def easyai(turns: int) -> Turns:
    from easyAI import Negamax
    from easyAI.games.ConnectFour import ConnectFour

    class Counted(ConnectFour):
        moves = 0

        def make_move(self, column: int) -> None:
            Counted.moves += 1
            super().make_move(column)

    search = Negamax(EASYAI_DEPTH)
    search(Counted([None, None]))
    nodes = Counted.moves + 1  # and the root
    peer = timed(lambda: search(ConnectFour([None, None])), nodes)
    return in_turns(nodes_per_second(ours, OUR_DEPTH), peer, turns)


def aima(turns: int, install: bool) -> Turns:
    command = [str(aima_python(install)), str(AIMA_SEARCH), str(AIMA_DEPTH)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdin is not None and process.stdout is not None
        to, answers = process.stdin, process.stdout

        def peer() -> float:
            print("go", file=to, flush=True)
            answer = answers.readline()
            if not answer:
                raise OSError(f"{AIMA_SEARCH.name} ended with status {process.wait()}")
            return float(answer)

        speeds = in_turns(nodes_per_second(ours, OUR_DEPTH), peer, turns)
        to.close()
    return speeds


def aima_python(install: bool) -> Path:
    """The interpreter of an environment with AIMA alone, made on first use if that is wanted."""
    folder = home() / f"bench-aima-python{sys.version_info[0]}.{sys.version_info[1]}"
    python = folder / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
    ready = folder / "installed"
    if not ready.exists():
        if not install:
            raise ImportError(f"there is no {folder}; `python -m bench python` makes it")
        venv.create(folder, with_pip=True, clear=True)
        subprocess.run([python, "-m", "pip", "install", "-qq", "--no-deps", *AIMA_PACKAGES], check=True)
        ready.touch()
    return python


def timed(search: Callable[[], object], nodes: int) -> Speed:
    def measure() -> float:
        began = process_time()
        search()
        return nodes / (process_time() - began)

    return measure
