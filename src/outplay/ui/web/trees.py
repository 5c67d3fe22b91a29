"""The tree of a recorded search, as the viewer and the quiz draw it: nodes, and the steps of the search.

Numbers come as text (`won` beside evaluations, `∞`), since people read them; steps are short lists:
[kind, node, alpha, beta, value].
"""

import threading
from collections.abc import Sequence
from typing import Any

from outplay.game import is_terminal, kind
from outplay.games import Game
from outplay.games.tree import random_tree
from outplay.search import control
from outplay.search.deepen import PLAY
from outplay.search.driver import SEARCHES, Run
from outplay.search.events import CLOSING
from outplay.search.searchtree import Node
from outplay.search.switches import switches
from outplay.search.trace import Trace, record_search
from outplay.search.ucttrace import UctTrace, record_uct
from outplay.ui.treetext import edge_text, score, summary, who
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.schema import AskedQuiz, AskedTree
from outplay.ui.web.view import Position

MAX_EVENTS = 1 << 16
MAX_COUNTED = 3_000_000  # nodes that are counted to say what minimax would have visited

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


def told(trace: Trace) -> dict[str, Any]:
    """A trace as the viewer wants it."""
    root = trace.tree()
    nodes, parents, many = _numbered(root)
    work = root.work()
    visited = [i for i, node in enumerate(nodes) if not node.pruned]
    return {
        "search": trace.search,
        "depth": trace.depth,
        "start": str(trace.start),
        "nodes": [_node(nodes, parents, many, i) for i in range(len(nodes))],
        "steps": _steps(trace, nodes, visited),
        "summary": summary(root),
        "work": {"nodes": work.nodes, "leaves": work.leaves, "pruned": work.pruned},
        "minimax": _minimax_nodes(trace, len(nodes), work.pruned_leaves is not None),
    }


def _numbered(root: Node) -> tuple[list[Node], list[int], dict[int, int]]:
    """The nodes in the order of the search, the number of each one's parent, and how many some stand for.

    Branches that were cut off and of which nothing is known are one node together.
    """
    nodes: list[Node] = []
    parents: list[int] = []
    many: dict[int, int] = {}
    waiting = [(root, -1, 1)]
    while waiting:
        node, parent, count = waiting.pop()
        if count > 1:
            many[len(nodes)] = count
        known = [child for child in node.children if not _unknown(child)]
        unknown = [child for child in node.children if _unknown(child)]
        if unknown:
            names = " ".join(edge_text(child) for child in unknown)
            waiting.append((unknown[0]._replace(name=names, probability=None), len(nodes), len(unknown)))
        waiting += [(child, len(nodes), 1) for child in reversed(known)]
        nodes.append(node)
        parents.append(parent)
    return nodes, parents, many


def _unknown(node: Node) -> bool:
    return node.pruned and not node.children and node.static is None


def _node(nodes: Sequence[Node], parents: Sequence[int], many: dict[int, int], i: int) -> dict[str, Any]:
    """What the viewer is told of a node; what is usual is left out."""
    node = nodes[i]
    said: dict[str, Any] = {"up": parents[i], "who": who(node)}
    if node.action is not None:
        said |= {"action": str(node.action), "name": edge_text(node)}
    if node.value is not None:
        said |= {"value": _number(node, node.value), "bound": node.bound}
    if node.static is not None:
        said["static"] = _number(node, node.static)
    if node.pruned:
        said["pruned"] = True
    if i in many:
        said |= {"count": many[i], "name": _shortened(node.name)}
    if node.note:
        said["note"] = node.note
    if node.principal:
        said["principal"] = True
    if node.cutoff is not None:
        said["cut"] = _cut(nodes, parents, i)
    return said


def _shortened(names: str) -> str:
    return names if len(names) <= 24 else names[:22].rsplit(" ", 1)[0] + " …"


def _cut(nodes: Sequence[Node], parents: Sequence[int], i: int) -> dict[str, Any]:
    """Why the rest of a node was cut off, and which ancestor's bound did it."""
    node = nodes[i]
    assert node.cutoff is not None
    alpha, beta = node.cutoff
    maximises = node.player == 0
    at = parents[i]
    while at >= 0:  # the nearest ancestor of the other player whose own window was wider: it found the bound
        above = nodes[at]
        if above.player == (1 if maximises else 0) and above.alpha is not None and above.beta is not None:
            if (above.beta > beta) if maximises else (above.alpha < alpha):
                break
        at = parents[at]
    words = f"β {_number(node, beta)} ≤ α {_number(node, alpha)}"
    return {"by": at, "words": words, "bound": "β" if maximises else "α"}


def _steps(trace: Trace, nodes: Sequence[Node], visited: Sequence[int]) -> list[list[Any]]:
    """The events, each with the number of its node."""
    steps: list[list[Any]] = []
    path: list[int] = []
    entered = iter(visited)
    for event in trace.events:
        if event.kind == "enter":
            path.append(next(entered))
        node = nodes[path[-1]]
        numbers = [None if x is None else _number(node, x) for x in (event.alpha, event.beta, event.value)]
        steps.append([event.kind, path[-1], *numbers])
        if event.kind in CLOSING:
            path.pop()
    return steps


def _number(node: Node, x: float) -> str:
    return score(node, x).replace("inf", "∞").replace("-", "−")


def _minimax_nodes(trace: Trace, known: int, complete: bool) -> int | None:
    """How many nodes minimax visits on the same tree; None if they are too many to count."""
    if complete:
        return known
    if kind(type(trace.start)).chance:
        return None
    run = Run(trace.start, SEARCHES["minimax"])
    memory = run.memory(trace.depth, MAX_COUNTED)
    try:
        run.once(control.MAX_PLIES if trace.depth is None else trace.depth, memory)
    except control.Stopped:
        return None
    return run.nodes


# --- UCT ------------------------------------------------------------------------------------------------


def told_uct(trace: UctTrace) -> dict[str, Any]:
    """The tree that UCT grew, and its steps: [kind, node, visits or plies, mean or result, bound or value]."""
    nodes: list[dict[str, Any]] = [{"up": -1, "who": _mover(trace.start)}]
    states = [trace.start]
    steps: list[list[Any]] = []
    for event in trace.events:
        kind = event["event"]
        if kind == "expand":
            states.append(states[event["node"]].result(event["action"]))
            name = {"action": str(event["action"]), "name": event["text"]}
            nodes.append({"up": event["node"], "who": _mover(states[-1]), **name})
        node = event.get("child", event.get("node", 0))
        steps.append([kind, node, *(event.get(name) for name in UCT_SAYS[kind])])
    return {
        "search": "uct",
        "c": trace.c,
        "start": str(trace.start),
        "iterations": trace.iterations,
        "nodes": nodes,
        "steps": steps,
    }


UCT_SAYS = {
    "iteration": ("number",),
    "select": ("visits", "mean", "ucb", "probability"),
    "expand": (),
    "simulate": ("plies", "result"),
    "backup": ("visits", "mean", "value"),
}


def _mover(state: Any) -> str:
    if is_terminal(state):
        return "leaf"
    return {0: "MAX", 1: "MIN"}.get(state.player(), "chance")


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
