"""The trace of UCT: every step of every iteration.

It runs the plain version, which grows the same tree as the compiled one from the same seed, and records its steps
as events. docs/uct.md describes them.
"""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from outplay.display import tree_html
from outplay.game import CHANCE, action_text, checked_state, is_terminal, worth
from outplay.games import spec
from outplay.limits import Limits
from outplay.search.mcts.uct import UCT
from outplay.search.textbook.uct import Dice, Node, PlainUCT

MAX_ITERATIONS = 100_000
ITERATIONS = 10  # default number


class UctTrace(NamedTuple):
    """The events of UCT in order, and the resulting tree."""

    game: str  # as `outplay.games.load` reads it
    start: Any
    c: float
    seed: int
    iterations: int
    events: tuple[dict[str, Any], ...]
    search: PlainUCT

    def _repr_html_(self) -> str:
        """For notebooks: the tree, to step through."""
        return tree_html(self)

    def json_lines(self) -> Iterator[str]:
        """A header, then the events, each a JSON object."""
        start = str(self.start) if hasattr(self.start, "parse") else repr(self.start)
        yield json.dumps(
            {
                "game": self.game,
                "start": start,
                "search": "uct",
                "depth": None,
                "c": self.c,
                "seed": self.seed,
                "iterations": self.iterations,
            }
        )
        for event in self.events:
            yield json.dumps(event)


def traced(uct: UCT, state: Any, limits: Limits, game: str = "") -> UctTrace:
    """Trace iterations on a state; fewer if its value is proven earlier."""
    iterations = ITERATIONS if limits.nodes is None else limits.nodes
    if limits != Limits(nodes=limits.nodes):
        raise ValueError("a trace of uct takes iterations, and no other limit")
    if not 1 <= iterations <= MAX_ITERATIONS:
        raise ValueError(f"iterations must be 1 to {MAX_ITERATIONS:,}, not {iterations}")
    state = checked_state(state)
    cls = type(state)
    uct.refuse(cls)
    if is_terminal(state):
        raise ValueError(f"there is nothing to search: the game is over at {state}")
    growth = uct.growth(state)
    seed = uct.settings.seed
    search = PlainUCT(state, growth._replace(scale=growth.scale / worth(cls)), seed)
    events: list[dict[str, Any]] = []
    numbers = {id(search.root): 0}
    while search.turn < iterations and not search.root.proven:
        events += _iteration(search, numbers)
    return UctTrace(game or spec(cls), state, growth.c, seed, search.turn, tuple(events), search)


def _iteration(search: PlainUCT, numbers: dict[int, int]) -> Iterator[dict[str, Any]]:
    """One iteration of the search, step by step; `numbers` numbers the nodes in order of creation."""
    search.dice = Dice(search.seed, search.turn)
    yield {"event": "iteration", "number": search.turn + 1}
    path = search.selection()
    known = len(path) - (not path[-1].visits and len(path) > 1)
    for node, child in zip(path[: known - 1], path[1:known], strict=True):
        yield {"event": "select"} | _step(node, child, numbers) | _chances(search, node, child)
    search.expansion(path)
    for node, child in zip(path[known - 1 : -1], path[known:], strict=True):
        numbers[id(child)] = len(numbers)
        yield {"event": "expand"} | _step(node, child, numbers)
    reward, moves = search.simulation(path[-1])
    yield {"event": "simulate", "node": numbers[id(path[-1])], "plies": len(moves), "result": reward}
    search.backup(path, reward, moves)
    for node in reversed(path):
        least, most = node.bounds
        said = {"event": "backup", "node": numbers[id(node)], "visits": node.visits, "mean": node.mean}
        yield said | ({"value": least} if least == most else {})
    search.turn += 1


def _step(node: Node, child: Node, numbers: dict[int, int]) -> dict[str, Any]:
    return {
        "node": numbers[id(node)],
        "child": numbers[id(child)],
        "action": child.action,
        "text": action_text(node.state, child.action or 0),
    }


def _chances(search: PlainUCT, node: Node, child: Node) -> dict[str, Any]:
    """The reason for selecting the child: the terms of its upper confidence bound, or its probability."""
    if node.state.player() == CHANCE:
        return {"probability": node.state.probability(child.action)}
    return {"visits": child.visits, "mean": child.mean, "ucb": search.ucb(node, child)}
