"""A table of all states of a user's game, from its rules alone: processor's seconds, and a proof of every value.

The game is `examples/cops.py` on a grid of 17 by 16, a plain class of some forty lines: ten million states, and lines
of play that go in circles. The bound is a minute of two cores; one thread does the work.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from bench.measure import Row, Size
from outplay.games import load
from outplay.tables.build import build_states
from outplay.tables.shelf import Shelf
from outplay.tables.verify import verify

SECONDS = 60.0
FILE = Path(__file__).parents[1] / "examples" / "cops.py"


def run(size: Size) -> Iterator[Row]:
    width, height = size.pick((17, 16), (13, 13), (4, 3))
    small, start = (load(f"{FILE}:width={w},height={h}").start for w, h in ((4, 2), (width, height)))
    with tempfile.TemporaryDirectory() as folder:
        build_states(small, folder)  # what is compiled for one grid is compiled for another, too
        began = process_time()
        made = build_states(start, folder)
        took = process_time() - began
        work = f"table of {made.table.positions:,} states"
        yield Row(work, "", figure=took, unit="s", bound=SECONDS, at_most=True)
        shelf = Shelf.wanted(folder, type(start))
        verdict = verify(shelf, shelf.tables[0])
        yield Row(
            f"{work}, every state", "its moves", figure=verdict.wrong, unit="wrong", bound=0, at_most=True
        )
