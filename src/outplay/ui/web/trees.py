"""Trees for the viewer and the quiz: recorded searches, and trees to solve by hand."""

import random
import time
from typing import Any

from outplay.game import is_terminal, kind, legal, offers
from outplay.games import Game
from outplay.games.tree import random_tree
from outplay.search.engine.switches import switches
from outplay.search.protocol.control import MAX_PLIES
from outplay.search.searches import fitting
from outplay.search.trace.record import record_search
from outplay.ui.treedata import told
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.moveorder import record_in_order
from outplay.ui.web.schema import AskedQuiz, AskedTree
from outplay.ui.web.view import Position

MAX_EVENTS = 1 << 16
MANY = 4_000  # nodes: larger trees take plain Python too long
MOMENT = 1.5  # seconds


def searched(game: Game, position: Position, asked: AskedTree) -> dict[str, Any]:
    """Search a position and return the tree."""
    if position.over:
        raise Refused("the game is over there: there is nothing to search")
    switches(asked.on)
    search = fitting(type(position.state), asked.search or None)
    if asked.order:
        if search.samples or search.selective:
            raise Refused(f"{search.name} chooses its moves itself: another order is for textbook searches")
        return told(
            record_in_order(position.state, search.name, asked.depth, asked.order, game.spec, MAX_EVENTS)
        )
    options = {"on": asked.on, "seed": asked.seed} if asked.on else {"seed": asked.seed}
    taken = {name: value for name, value in options.items() if name in search.options}
    iterations = asked.iterations if search.samples else None
    return told(
        record_search(position.state, search.name, asked.depth, game.spec, MAX_EVENTS, iterations, **taken)
    )


def is_small(state: Any, asked: AskedTree) -> bool:
    """Whether plain Python can search it quickly, without waiting for the compiler."""
    if is_terminal(state):
        return True
    if fitting(type(state), asked.search or None).samples:
        return asked.iterations * _playout_time(state) < MOMENT
    began = time.perf_counter()
    if offers(type(state), "evaluate"):
        state.evaluate()
    each = time.perf_counter() - began
    nodes = _count(state, MAX_PLIES if asked.depth is None else asked.depth, began + MOMENT / 2)
    return nodes is not None and nodes * each < MOMENT


def _count(state: Any, depth: int, end: float) -> int | None:
    """The nodes of a tree to a depth; None if there are too many to count in time."""
    waiting, nodes = [(state, depth)], 0
    while waiting:
        state, left = waiting.pop()
        nodes += 1
        if nodes > MANY or time.perf_counter() > end:
            return None
        if left:
            waiting += [(state.result(action), left - 1) for action in legal(state)]
    return nodes


def _playout_time(state: Any) -> float:
    """The seconds for a random game."""
    began, rng = time.perf_counter(), random.Random(0)
    while (actions := legal(state)) and time.perf_counter() - began < MOMENT:
        state = state.result(rng.choice(actions))
    return time.perf_counter() - began


# --- the quiz -------------------------------------------------------------------------------------------


def quiz(asked: AskedQuiz) -> dict[str, Any]:
    """A tree of this seed that is worth solving: not a single line, and if possible with something to prune."""
    if asked.chance and asked.depth < 2:
        raise Refused("a tree with chance needs at least two plies")
    tree = None
    for attempt in range(64):
        tree = random_tree(asked.seed * 64 + attempt, asked.depth, asked.branching, chance=asked.chance)
        if _worth_solving(tree, asked):
            break
    assert tree is not None
    name = "chancetree" if kind(type(tree)).chance else "tree"
    return {"game": name, "start": str(tree)}


def _worth_solving(tree: Any, asked: AskedQuiz) -> bool:
    if len(list(tree.actions())) < min(2, asked.branching):
        return False
    if kind(type(tree)).chance:
        return True
    root = record_search(tree, "alphabeta").tree()
    plies = max(ply for ply, _ in root.walk())
    leaves = sum(not node.children for _, node in root.walk())
    prunes = root.work().pruned or asked.depth < 2 or asked.branching < 2
    return plies == asked.depth and leaves >= asked.branching ** min(2, asked.depth) - 1 and bool(prunes)
