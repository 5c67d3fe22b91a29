"""Probing endgame tables as a search does: nanoseconds for a position that was asked before.

Positions of a family at random are looked up again and again, by the same compiled code that the engine calls. What it
takes to read them from memory is measured alone, and taken off.
"""

import tempfile
from collections.abc import Iterator
from time import process_time
from typing import Any

import numpy as np

from bench.measure import Row, Size
from outplay.compile import ENABLED, kernel, twin
from outplay.compile.runtime import NATIVE, flat
from outplay.games import Checkers, Chess
from outplay.tables.families import build_families
from outplay.tables.probe import answer
from outplay.tables.shelf import Shelf

pointer, load_state = NATIVE["pointer"][ENABLED], NATIVE["load_state"][ENABLED]

CEILING = 300.0  # ns
POSITIONS = 1000
TURNS = 7
WORKS = (
    (Chess, ("KRPK", "KPK", "")),  # in full, quick, and as a smoke test
    (Checkers, ("KKvKM", "KvM", "KvK")),
)


def run(size: Size) -> Iterator[Row]:
    rounds = size.pick(2000, 500, 2)
    for cls, names in WORKS[size is Size.SMOKE :]:
        name = size.pick(*names)
        with tempfile.TemporaryDirectory() as folder:
            for _ in build_families(cls, name, folder):
                pass
            shelf = Shelf.wanted(folder, cls)
            start = cls.families(name)[name]
            native = twin(cls).state(start)
            rows = np.array([flat(twin(cls).state(state)) for state in states(start)], np.int64)
            nanoseconds = probing(native, rows, shelf, rounds)
        yield Row(f"probing {name}, warm", "", figure=nanoseconds, unit="ns", bound=CEILING, at_most=True)


def states(start: Any) -> Iterator[Any]:
    """Positions of a family, spread over its slots."""
    step = max(start.slots() // (4 * POSITIONS), 1)
    found = 0
    for slot in range(0, start.slots(), step):
        state = start.slot_state(slot)
        if state.slot() == slot and found < POSITIONS:
            found += 1
            yield state


def probing(native: Any, rows: Any, shelf: Shelf, rounds: int) -> float:
    """The least of a few turns: what disturbs them makes them longer."""
    took: dict[bool, list[float]] = {False: [], True: []}
    for turn in range(TURNS + 1):
        for asked in (False, True):
            began = process_time()
            found = _probe(native, rows, shelf.address, rounds, asked)
            if turn:  # the first one compiles
                took[asked].append(process_time() - began)
            assert found == (rounds * len(rows) if asked else 0)
    return 1e9 * (min(took[True]) - min(took[False])) / (rounds * len(rows))


@kernel
def _probe(like: Any, rows: Any, shelf: int, rounds: int, asked: bool) -> int:
    """How many of the states the tables have; where none is asked for, only their fields are read."""
    found = mixed = 0
    for _ in range(rounds):
        for i in range(len(rows)):
            s = load_state(pointer(rows[i]), 0, like)
            mixed ^= s.player()
            if asked:
                found += 1 if answer(s, shelf) != 0 else 0
    return found + (mixed & 0)
