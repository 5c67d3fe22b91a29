"""Ablation: run the engine with a set of switches, and again with each of them removed."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from outplay.game import is_terminal, kind
from outplay.limits import Limits
from outplay.search.engine.engine import PLAY, Engine
from outplay.search.engine.switches import BIT, fitting, switches


class Ablation(NamedTuple):
    """The engine's result without one switch."""

    removed: str  # the switch; "nothing" and "everything" for the first two
    nodes: int
    time: float  # seconds
    depth: int  # reached
    value: float | None
    proven: bool  # the search then ended early, at any depth
    branching: float  # effective branching factor: that of a uniform tree of this depth and size


def ablate(
    state: Any, limits: Limits, on: str = PLAY, megabytes: float = 64, threads: int = 1
) -> Iterator[Ablation]:
    """A run with all the switches, one with none, and one without each; every run starts with an empty table.

    All use the same build (it reads the switches at run time), so the times are comparable.
    """
    if is_terminal(state):
        raise ValueError("the game is over: there is nothing to search")
    every = fitting(switches(on), kind(type(state)).chance)
    sets = {"nothing": every, "everything": 0}
    sets |= {name: every & ~bit for name, bit in BIT.items() if every & bit}
    for removed, left in sets.items():
        found = Engine(megabytes, left, threads=threads, fixed=False).search(state, limits)
        branching = branching_factor(found.nodes, found.depth)
        yield Ablation(removed, found.nodes, found.time, found.depth, found.value, found.proven, branching)


def branching_factor(nodes: int, depth: int) -> float:
    """b with 1 + b + b^2 + ... + b^depth = nodes, as the textbooks define it (Russell & Norvig, 3.6)."""
    if depth < 1:
        return 0.0
    low, high = 0.0, float(max(nodes, 2))
    for _ in range(100):
        middle = (low + high) / 2
        total, power = 1.0, 1.0
        for _ in range(depth):
            power *= middle
            total += power
            if total > nodes:
                break
        low, high = (low, middle) if total > nodes else (middle, high)
    return low
