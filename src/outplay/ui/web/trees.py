"""Trees for the viewer and the quiz: a search of a position, recorded, and trees to be solved by hand."""

from typing import Any

from outplay.game import kind
from outplay.games import Game
from outplay.games.tree import ChanceTree, Tree, random_tree
from outplay.search.engine.switches import switches
from outplay.search.searches import fitting
from outplay.search.trace.record import record_search
from outplay.ui.treedata import told
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.schema import AskedQuiz, AskedTree
from outplay.ui.web.typed import reordered
from outplay.ui.web.view import Position

MAX_EVENTS = 1 << 16
TYPED = (Tree, ChanceTree)


def searched(game: Game, position: Position, asked: AskedTree) -> dict[str, Any]:
    """Search a position and tell the tree."""
    if position.over:
        raise Refused("the game is over there: there is nothing to search")
    switches(asked.on)
    search = fitting(type(position.state), asked.search or None)
    options = {"on": asked.on, "seed": asked.seed} if asked.on else {"seed": asked.seed}
    if asked.order and type(position.state) not in TYPED:
        raise Refused("only a tree that is typed in can be searched in another order")
    state = reordered(position.state, asked.order) if asked.order else position.state
    taken = {name: value for name, value in options.items() if name in search.options}
    iterations = asked.iterations if search.samples else None
    return told(record_search(state, search.name, asked.depth, game.spec, MAX_EVENTS, iterations, **taken))


# --- the quiz -------------------------------------------------------------------------------------------


def quiz(asked: AskedQuiz) -> dict[str, Any]:
    """A tree of this seed that is worth solving: not a single line, and where it can be, with something to prune."""
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
