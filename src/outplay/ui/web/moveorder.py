"""Move ordering: search a position with the moves of every node in another order.

The whole tree is expanded, ordered by its minimax values, and searched as a user-made tree. The events are then
translated back to the position itself.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from outplay.game import CHANCE, kind, legal
from outplay.games.tree import MAX_DEPTH, ChanceTree, Node, stored
from outplay.search.textbook.minimax import MAX
from outplay.search.trace.events import CLOSING
from outplay.search.trace.record import record_search
from outplay.search.trace.trace import Event, Trace, refuse_depth
from outplay.search.trace.tree import leaf_value
from outplay.ui.web.catalogue import Refused

MAX_NODES = 20_000
ORDERS: dict[str, Callable[[list[tuple[float, Node]], bool], list[tuple[float, Node]]]] = {
    "best": lambda found, maximises: sorted(found, key=_value, reverse=maximises),
    "worst": lambda found, maximises: sorted(found, key=_value, reverse=not maximises),
    "mirror": lambda found, _: found[::-1],
}


def record_in_order(state: Any, search: str, depth: int | None, order: str, game: str, most: int) -> Trace:
    """The trace of a search of the whole tree; chance outcomes keep their order."""
    refuse_depth(type(state), depth)
    root = _ordered(_Layout().node(state, depth), order)[1]
    tree = stored(root)
    found = record_search(ChanceTree(*tree) if kind(type(state)).chance else tree, search, most=most)
    return Trace(game, state, search, depth, tuple(_translated(found.events, root)))


class _Layout:
    """Expands the tree of a position; an action becomes the label of its child."""

    def __init__(self) -> None:
        self.room = MAX_NODES

    def node(
        self, state: Any, left: int | None, label: str = "", probability: float = 1.0, ply: int = 0
    ) -> Node:
        """A node with its subtree, `left` plies deep."""
        if self.room == 0 or ply > MAX_DEPTH:
            raise Refused(
                f"only trees of at most {MAX_NODES:,} nodes can be reordered: choose a smaller depth"
            )
        self.room -= 1
        actions = legal(state) if left != 0 else []
        if not actions:
            return Node(label, None, leaf_value(state, left) + 0.0, probability, [])
        player, below = state.player(), None if left is None else left - 1
        children = [
            self.node(
                state.result(action),
                below,
                str(action),
                state.probability(action) if player == CHANCE else 1.0,
                ply + 1,
            )
            for action in actions
        ]
        return Node(label, player, 0.0, probability, children)


def _value(found: tuple[float, Node]) -> float:
    return found[0]


def _ordered(node: Node, order: str) -> tuple[float, Node]:
    """A node's minimax value, and the node with its moves in that order."""
    if not node.children:
        return node.value, node
    found = [_ordered(child, order) for child in node.children]
    if node.player == CHANCE:
        value = sum(value * child.probability for value, child in found)
    else:
        value = (max if node.player == MAX else min)(map(_value, found))
        found = ORDERS[order](found, node.player == MAX)
    return value, node._replace(children=[child for _, child in found])


def _translated(events: Iterable[Event], root: Node) -> Iterator[Event]:
    """The events of the expanded tree's search, with the actions of the position."""
    path: list[Node] = []
    due = root
    for event in events:
        if event.kind == "enter":
            path.append(due)
        if event.action is not None:
            due = path[-1].children[event.action]
            event = event._replace(action=int(due.label))
        yield event
        if event.kind in CLOSING:
            path.pop()
