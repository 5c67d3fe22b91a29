"""Evaluations a second of backgammon's own net, as `td` makes them, beside those of gnubg-nn, on one core.

Ours judge the afterstates of all 21 rolls of a position, in one call for each position: plays, inputs and net are in
the figure. Those of gnubg-nn are calls of `probabilities` from Python, which has little to do beside its net; it
remembers positions, so none is shown to it twice. The positions are of games of the net against itself.
"""

import random
from collections.abc import Iterator
from itertools import islice
from time import process_time
from typing import Any

from bench.measure import Row, Size, in_turns, left_out, ratio_row, speed_of
from outplay.compile import twin
from outplay.games import Backgammon
from outplay.peers.gnubgnn import board_of
from outplay.search.valuenet.lookahead import look
from outplay.search.valuenet.td import TD

FLOOR = 2.0
BATCH = 4000  # positions for gnubg-nn in a turn


def run(size: Size) -> Iterator[Row]:
    work = "evaluations of backgammon's net, one core"
    try:
        import gnubg_nn
    except ImportError as error:
        yield left_out(work, "gnubg-nn", error)
        return
    looking, native = TD().looking(Backgammon()), twin(Backgammon)
    decisions = list(islice(positions(random.Random(2)), size.pick(60, 20, 2)))
    roots = [native.state(state._replace(dice=0)) for state in decisions]
    turns, batch = size.pick(15, 7, 1), size.pick(BATCH, BATCH, 50)
    boards = islice(afterstates(random.Random(3)), (turns + 1) * batch)
    waiting = [board_of(state) for state in boards]

    def ours() -> int:
        before = looking.nodes
        for root in roots:
            look(root, 1, 0, looking.layers, looking.memory)
        return looking.nodes - before

    def theirs() -> float:
        batch_now = [waiting.pop() for _ in range(batch)]
        begin = process_time()
        for board in batch_now:
            gnubg_nn.probabilities(board, 0)
        return batch / (process_time() - begin)

    measured = in_turns(lambda: speed_of(ours, size.pick(0.05, 0.02, 0.0)), theirs, turns)
    yield ratio_row(work, "gnubg-nn", "/s", measured, FLOOR)._replace(
        note=f"ours: {len(looking.layers.hidden) - 1} inputs, {shape_of(looking.layers)} hidden units; "
        "gnubg-nn's: 250 inputs, 128 hidden units (contact), called from Python"
    )


def shape_of(layers: Any) -> str:
    """The units of each hidden layer."""
    second = layers.middle.shape[1]
    return f"{layers.hidden.shape[1]} and {second}" if second else f"{layers.hidden.shape[1]}"


def positions(source: random.Random) -> Iterator[Any]:
    """Decisions of games of the net against itself."""
    looking = TD().looking(Backgammon())
    while True:
        state: Any = Backgammon()
        while not state.terminal():
            if state.dice > 0:
                yield state
                sign = 1 if state.turn == 0 else -1
                state = state.result(max(looking.afterstates(state), key=lambda line: sign * line[0])[2])
            else:
                outcomes = [*state.actions()]
                shares = [state.probability(outcome) for outcome in outcomes]
                state = state.result(source.choices(outcomes, shares)[0])


def afterstates(source: random.Random) -> Iterator[Any]:
    """Each position once that a play of such a decision leads to, and that is not the end."""
    seen = set()
    for state in positions(source):
        for action in state.actions():
            after = state.result(action)
            if not after.terminal() and (after.own, after.opp) not in seen:
                seen.add((after.own, after.opp))
                yield after
