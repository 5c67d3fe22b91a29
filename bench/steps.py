"""docs/python.md's game made faster in three steps: lines of play counted a second, each step beside the first.

`outplay perft FILE DEPTH` counts the same; here it is counted in turns, so that the ratios hold on a busy machine.
"""

import warnings
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Row, Size, in_turns, ratio_row, speed_of
from outplay.files import load_module
from outplay.search import perft

FOLDER = Path(__file__).parents[1] / "examples" / "four"
FIRST = "naive"
STEPS = {"tuples": 4, "last": 5, "bits": 7}  # and how deep each is counted
FLOOR = 100.0  # of the last step


def count(name: str, depth: int) -> int:
    return perft(load_module(str(FOLDER / f"{name}.py")).Four(), depth)


def run(size: Size) -> Iterator[Row]:
    """For `python -m bench steps`."""
    turns, seconds = size.pick((5, 1.0), (3, 0.3), (1, 0.01))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that the first runs interpreted is what is measured
        for name, depth in STEPS.items():
            found = in_turns(
                lambda name=name, depth=depth: speed_of(lambda: count(name, depth), seconds),
                lambda: speed_of(lambda: count(FIRST, 3), seconds),
                turns,
            )
            floor = FLOOR if name == list(STEPS)[-1] else None
            yield ratio_row(f"Connect Four, {name}.py", f"{FIRST}.py", "lines/s", found, floor)
