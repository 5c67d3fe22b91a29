"""A recorded search as data for the tree viewer, on the page and in notebooks: the nodes, and the search's steps.

Numbers are sent as text for display (`won` among evaluations, `∞`); steps are short lists:
[kind, node, alpha, beta, value].
"""

from collections.abc import Sequence
from typing import Any

from outplay.game import is_terminal, kind, state_text
from outplay.search.mcts.trace import UctTrace
from outplay.search.protocol import control
from outplay.search.textbook.deepening import Minimax, Run
from outplay.search.trace.events import CLOSING
from outplay.search.trace.trace import Trace
from outplay.search.trace.tree import Node
from outplay.ui.treetext import edge_text, score, summary, who

MAX_COUNTED = 3_000_000  # the most nodes counted for the comparison with minimax


def told(trace: Trace | UctTrace) -> dict[str, Any]:
    """A trace in the viewer's format."""
    return _told_uct(trace) if isinstance(trace, UctTrace) else _told_tree(trace)


def _told_tree(trace: Trace) -> dict[str, Any]:
    root = trace.tree()
    nodes, parents, many = _numbered(root)
    work = root.work()
    visited = [i for i, node in enumerate(nodes) if not node.pruned]
    return {
        "search": trace.search,
        "depth": trace.depth,
        "start": state_text(trace.start),
        "nodes": [_node(nodes, parents, many, i) for i in range(len(nodes))],
        "steps": _steps(trace, nodes, visited),
        "summary": summary(root),
        "work": {"nodes": work.nodes, "leaves": work.leaves, "pruned": work.pruned},
        "minimax": _minimax_nodes(trace, len(nodes), work.pruned_leaves is not None),
    }


def _numbered(root: Node) -> tuple[list[Node], list[int], dict[int, int]]:
    """The nodes in the order of the search, each node's parent, and how many branches some nodes represent.

    Pruned branches of a node without known content are merged into one node.
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
    """A node in the viewer's format, without default values."""
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
    if node.quiescence is not None:
        said["pat"] = _number(node, node.quiescence)
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
    """Why a node was cut off, and which ancestor set the bound."""
    node = nodes[i]
    assert node.cutoff is not None
    alpha, beta = node.cutoff
    maximises = node.player == 0
    at = parents[i]
    while at >= 0:  # the bound comes from the opponent's nearest ancestor with a wider window
        above = nodes[at]
        if above.player == (1 if maximises else 0) and above.alpha is not None and above.beta is not None:
            if (above.beta > beta) if maximises else (above.alpha < alpha):
                break
        at = parents[at]
    words = f"β {_number(node, beta)} ≤ α {_number(node, alpha)}"
    return {"by": at, "words": words, "bound": "β" if maximises else "α"}


def _steps(trace: Trace, nodes: Sequence[Node], visited: Sequence[int]) -> list[list[Any]]:
    """The events with their node numbers."""
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
    """The number of nodes that minimax visits on the same tree; None if too many to count."""
    if complete:
        return known
    if kind(type(trace.start)).chance:
        return None
    run = Run(trace.start, Minimax)
    memory = run.memory(trace.depth, MAX_COUNTED)
    try:
        run.once(control.MAX_PLIES if trace.depth is None else trace.depth, memory)
    except control.Stopped:
        return None
    return run.nodes


# --- UCT ------------------------------------------------------------------------------------------------


def _told_uct(trace: UctTrace) -> dict[str, Any]:
    """UCT's tree and steps: [kind, node, visits or plies, mean or result, bound or value]."""
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
        "start": state_text(trace.start),
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
