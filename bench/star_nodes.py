"""Star1, Star2 and chance nodes in the transposition table against expectiminimax on backgammon: nodes at depth 5.

Depth counts rolls: a play, a roll, a play, a roll and a play. Values must be equal; the figure is the share of
expectiminimax's nodes that the engine enters with these switches (`exact`: all that changes no value).
"""

import random
from collections.abc import Iterator
from typing import Any

from bench.measure import Row, Size
from outplay.games import Backgammon
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.search.textbook.deepening import Expectiminimax
from outplay.variants import variant

MOST = 0.25  # of expectiminimax's nodes, at depth 5
SETS = ("star1", "star1 star2", "exact")
HASH = 64  # MB


def run(size: Size) -> Iterator[Row]:
    depth, count = size.pick(5, 5, 3), size.pick(6, 2, 1)
    cls = variant(Backgammon, CHECKERS=3) if size is Size.SMOKE else Backgammon
    positions = list(decisions(cls, random.Random(4), count))
    textbook = [Expectiminimax().search(state, Limits(depth=depth)) for state in positions]
    theirs = sum(found.nodes for found in textbook)
    for on in SETS:
        nodes = wrong = 0
        for state, known in zip(positions, textbook, strict=True):
            found = Engine(HASH, on, fixed=False).search(state, Limits(depth=depth))
            nodes += found.nodes
            wrong += found.value != known.value
        bounded = on == "exact" and depth == 5
        yield Row(
            f"backgammon to depth {depth}, {on}",
            "expectiminimax",
            f"{nodes:,} nodes",
            f"{theirs:,} nodes",
            nodes / theirs,
            "of its nodes",
            MOST if bounded else None,
            True,
            f"values differ at {wrong} of {count} positions" if wrong else "",
        )


def decisions(cls: type, source: random.Random, count: int) -> Iterator[Any]:
    """Positions with two different dice, of games at random from the start."""
    while count:
        state: Any = cls()
        for _ in range(source.randrange(4, 30)):
            if not state.terminal():
                state = state.result(source.choice([*state.actions()]))
        if not state.terminal() and state.dice > 0 and state.dice >> 3 != state.dice & 7:
            count -= 1
            yield state
