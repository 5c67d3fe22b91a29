"""docs/python.md's game made faster in three steps: lines of play counted a second, each step beside the first.

`outplay perft FILE DEPTH` counts the same; here it is counted in turns, so that the ratios hold on a busy machine.
Then games as they are first written (`naive.py`): nodes of alpha-beta a second beside our packed version of the same
game, and beside the same class and the same search in CPython.
"""

import math
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench import naive
from bench.measure import Row, Size, in_turns, ratio_row, speed_of
from outplay.files import load_module
from outplay.games import load
from outplay.search import perft
from outplay.search.textbook import deepening
from outplay.standard import is_wrapped, standard

FOLDER = Path(__file__).parents[1] / "examples" / "four"
FIRST = "naive"
STEPS = {"tuples": 4, "last": 5, "bits": 7}  # and how deep each is counted
FLOOR = 100.0  # of the last step
PACKED = 0.1  # what a game as it is first written has of the packed one's speed
NAIVE: dict[str, tuple[Any, Any, int]] = {  # each with the packed one, and how deep both are searched
    "Connect Four on 42 cells": (naive.Four, "connect4", 9),
    "Breakthrough with list(board)": (naive.Breakthrough, naive.PackedBreakthrough, 6),
    "tic-tac-toe on a text": (naive.TicTacToe, "tictactoe", 9),
}


def count(name: str, depth: int) -> int:
    return perft(load_module(str(FOLDER / f"{name}.py")).Four(), depth)


def run(size: Size) -> Iterator[Row]:
    """For `python -m bench steps`."""
    turns, seconds = size.pick((5, 1.0), (3, 0.3), (1, 0.01))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for name, depth in [*STEPS.items()][size.pick(0, 0, -1) :]:
            found = in_turns(
                lambda name=name, depth=depth: speed_of(lambda: count(name, depth), seconds),
                lambda: speed_of(lambda: count(FIRST, 3), seconds),
                turns,
            )
            floor = FLOOR if name == list(STEPS)[-1] else None
            yield ratio_row(f"Connect Four, {name}.py", f"{FIRST}.py", "lines/s", found, floor)
    yield from first_written(turns, seconds, size is Size.SMOKE)


def first_written(turns: int, seconds: float, shallow: bool) -> Iterator[Row]:
    """Games as they are first written, beside packed ones and CPython; the class and CPython visit the same nodes."""
    for work, (own, packed, deep) in [*NAIVE.items()][-1 if shallow else 0 :]:
        depth = 2 if shallow else deep
        ours, theirs = (
            Searched(own, depth),
            Searched(load(packed).cls if isinstance(packed, str) else packed, depth),
        )
        found = in_turns(
            lambda ours=ours: speed_of(ours.nodes, seconds),
            lambda theirs=theirs: speed_of(theirs.nodes, seconds),
            turns,
        )
        yield ratio_row(f"{work}, alpha-beta", "packed", "nodes/s", found, PACKED)
        visited = plain_nodes(own(), depth)[1]
        assert ours.nodes() == visited, f"{ours.nodes()} nodes compiled, {visited} in CPython"
        found = in_turns(
            lambda ours=ours: speed_of(ours.nodes, seconds),
            lambda own=own, depth=depth: speed_of(lambda: plain_nodes(own(), depth)[1], seconds),
            turns,
        )
        yield ratio_row(f"{work}, alpha-beta", "CPython", "nodes/s", found, FLOOR)


class Searched:
    """A game that is searched again and again to one depth."""

    def __init__(self, cls: Any, depth: int) -> None:
        form = standard(cls)
        self.depth = depth
        self.run = deepening.Run(form(cls()) if is_wrapped(form) else cls(), deepening.AlphaBeta)

    def nodes(self) -> int:
        """Search it; how many nodes were visited."""
        memory = self.run.memory(self.depth)
        self.run.call(self.depth, memory, None)
        return int(memory.nodes)


def plain_nodes(
    state: Any, depth: int, alpha: float = -math.inf, beta: float = math.inf
) -> tuple[float, int]:
    """Alpha-beta as on the slides, by the class's own methods: the value, and how many nodes were visited."""
    if state.terminal():
        return state.utility(), 1
    if depth == 0:
        return state.evaluate() if hasattr(state, "evaluate") else 0, 1
    sign = 1 if state.player() == 0 else -1
    best, visited = -math.inf, 1
    for action in state.actions():
        value, more = plain_nodes(state.result(action), depth - 1, alpha, beta)
        visited += more
        best = max(best, sign * value)
        if sign == 1:
            alpha = max(alpha, value)
        else:
            beta = min(beta, value)
        if beta <= alpha:
            break
    return sign * best, visited
