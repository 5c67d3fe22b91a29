"""Chess with its own endgame tables against itself without, from endgames with four men: points, nodes to mate.

From every start both games of a pair are played, each side once with the tables. It must never score worse: a won
position is won, a drawn one is held. Both search as many nodes a move at most. Of the pairs that both win, the nodes
are compared that the winner needed for the whole game.

`TABLES` names a folder with all tables of three and four men (outplay table build chess 4); without it they are built
first, in a folder of their own. `PROCESSES` says how many play at the same time, otherwise one on each core; the result
is the same.
"""

import os
import random
import tempfile
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

from bench.measure import Row, Size, short
from outplay.games import Chess
from outplay.limits import Limits
from outplay.record import Record
from outplay.search.engine.engine import Engine
from outplay.tables.build import Work
from outplay.tables.families import build_families

NODES = 5000  # a move
SEED = 1977


class Game(NamedTuple):
    """What came of a game."""

    points: float  # of the side with the tables
    helped: int  # nodes that it searched
    alone: int  # nodes of the other


def run(size: Size) -> Iterator[Row]:
    pairs, families = size.pick((1000, "4"), (50, "4"), (2, "KPK"))
    with tempfile.TemporaryDirectory() as made:
        folder = Path(os.environ.get("TABLES", made)) if size is not Size.SMOKE else Path(made)
        for _ in build_families(Chess, families, folder, Work(threads=os.cpu_count() or 1)):
            pass
        worse, gained, nodes = 0, 0.0, [0, 0]
        for both in pairs_of(list(starts(families, pairs)), str(folder)):
            points = sum(game.points for game in both)
            worse += points < 1
            gained += points - 1
            if points == 1 and both[0].points != 0.5:  # each has won with the better side
                won, lost = sorted(both, key=lambda game: -game.points)
                nodes[0], nodes[1] = nodes[0] + won.helped, nodes[1] + lost.alone
    work = f"chess with endgame tables, {pairs:,} starts"
    yield Row(work, "without", figure=worse, unit="pairs worse", bound=0, at_most=True)
    yield Row(work, "without", figure=gained, unit="points more", bound=0)
    ratio = nodes[0] / nodes[1] if nodes[1] else 0.0
    yield Row(
        "nodes to mate",
        "without",
        f"{short(nodes[0])} nodes",
        f"{short(nodes[1])} nodes",
        ratio,
        "x",
        1,
        True,
    )


def pairs_of(positions: list[Any], folder: str) -> Iterator[tuple[Game, Game]]:
    """Both games from each position; the first by this process, so that the others find everything compiled."""
    first, *others = positions
    yield play_both(folder, first)
    processes = int(os.environ.get("PROCESSES", os.cpu_count() or 1))
    with ProcessPoolExecutor(processes, get_context("spawn")) as pool:
        yield from pool.map(partial(play_both, folder), others)


def play_both(folder: str, start: Any) -> tuple[Game, Game]:
    helped, alone = engines(folder)
    return play(start, 0, helped, alone), play(start, 1, helped, alone)


@cache
def engines(folder: str) -> tuple[Engine, Engine]:
    return Engine(16, tables=folder), Engine(16)


def starts(families: str, count: int) -> Iterator[Any]:
    """Positions of the families at random, with moves left."""
    rng = random.Random(SEED)
    examples = list(Chess.families(families).values())
    found = 0
    while found < count:
        example = rng.choice(examples)
        slot = rng.randrange(example.slots())
        state = example.slot_state(slot)
        if state.slot() == slot and not state.terminal():
            found += 1
            yield state


def play(start: Any, side: int, helped: Engine, alone: Engine) -> Game:
    """A game in which `side` has the tables."""
    record = Record("chess", start)
    nodes = [0, 0]
    for engine in (helped, alone):
        engine.forget()
    while not record.is_over:
        mover = record.state.player()
        engine = helped if mover == side else alone
        found = engine.search(record, Limits(nodes=NODES))
        assert found.action is not None
        nodes[mover] += found.nodes
        record = record.play(found.action)
    value = record.outcome() or 0
    points = 0.5 + 0.5 * (value if side == 0 else -value)
    return Game(points, nodes[side], nodes[1 - side])
