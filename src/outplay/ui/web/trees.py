"""Trees for the viewer and the quiz: a search of a position, recorded, and trees to be solved by hand."""

import threading
from typing import Any

from outplay.game import kind
from outplay.games import Game
from outplay.games.tree import random_tree
from outplay.search.deepen import PLAY
from outplay.search.switches import switches
from outplay.search.trace import record_search
from outplay.search.ucttrace import record_uct
from outplay.ui.treedata import told, told_uct
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.schema import AskedQuiz, AskedTree
from outplay.ui.web.view import Position

MAX_EVENTS = 1 << 16

_turn = threading.BoundedSemaphore(2)  # trees are built in Python: two at a time, so that others get on


def searched(game: Game, position: Position, asked: AskedTree) -> dict[str, Any]:
    """Search a position and tell the tree."""
    if position.over:
        raise Refused("the game is over there: no search begins at its end")
    switches(asked.on)
    if not _turn.acquire(timeout=20):
        raise Refused("others are growing trees: try again in a moment")
    try:
        if asked.search == "uct":
            return told_uct(record_uct(position.state, asked.iterations, game.spec, seed=asked.seed))
        trace = record_search(
            position.state, asked.search or None, asked.depth, game.spec, asked.on or PLAY, MAX_EVENTS
        )
        return told(trace)
    finally:
        _turn.release()


# --- the quiz -------------------------------------------------------------------------------------------


def quiz(asked: AskedQuiz) -> dict[str, Any]:
    """A tree of this seed that is worth solving: not a single line, and where it can be, with something to prune."""
    if asked.chance and asked.depth < 2:
        raise Refused("a tree with chance has two plies at least")
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
