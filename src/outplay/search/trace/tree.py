"""The game tree as a search visited it: windows, values and proven bounds, cutoffs, the principal variation."""

import math
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from outplay.game import CHANCE, action_text, is_terminal, legal, outcome
from outplay.search.textbook.minimax import MAX
from outplay.search.trace.events import CLOSING

MAX_EXPANDED = 256


class Node(NamedTuple):
    """A node of the game tree as a search visited it."""

    state: Any
    action: int | None = None  # that leads here; None at the root
    name: str = ""  # of the action
    probability: float | None = None  # of the action, if it is chance's
    alpha: float | None = None  # the window on entering; None in a search without one
    beta: float | None = None
    value: float | None = None  # what the search returned; None: not searched
    lower: float = -math.inf  # proven bounds: lower <= minimax value <= upper
    upper: float = math.inf
    static: float | None = None  # a leaf's own value
    children: "tuple[Node, ...]" = ()  # in the order of the search, then those not searched
    cutoff: tuple[float, float] | None = None  # alpha and beta, beta <= alpha, if children were pruned
    principal: bool = False  # is on the principal variation
    quiescence: float | None = None  # at the horizon, where only noisy actions follow: the stand-pat score
    note: str = ""  # what the engine did: "reduced by 2", "from the table" ...

    @property
    def player(self) -> int | None:
        """Who moves; None at a leaf."""
        return self.state.player() if self.children else None

    @property
    def pruned(self) -> bool:
        return self.value is None

    @property
    def bound(self) -> str:
        """The value's relation to the minimax value: "=", ">=" (at least) or "<=" (at most)."""
        return "=" if self.lower == self.upper else ">=" if self.value == self.lower else "<="

    def walk(self) -> "Iterator[tuple[int, Node]]":
        """Every node with its ply, in the order of the search."""
        waiting = [(0, self)]
        while waiting:
            ply, node = waiting.pop()
            yield ply, node
            waiting += [(ply + 1, child) for child in reversed(node.children)]

    def line(self) -> "tuple[Node, ...]":
        """The principal variation: both sides' best play from here."""
        return tuple(node for _, node in self.walk() if node.principal and node is not self)

    def work(self) -> "Work":
        """How many nodes were searched, and how many were pruned."""
        nodes = [node for _, node in self.walk()]
        searched = [node for node in nodes if not node.pruned]
        ends = [node for node in nodes if node.pruned and not node.children]
        return Work(
            nodes=len(searched),
            leaves=sum(not node.children for node in searched),
            pruned=sum(child.pruned for node in searched for child in node.children),
            pruned_leaves=len(ends) if all(node.static is not None for node in ends) else None,
        )


class Work(NamedTuple):
    """The work of a search."""

    nodes: int  # visited
    leaves: int  # evaluated
    pruned: int  # branches cut off
    pruned_leaves: int | None  # leaves below them; None if there are too many to count


class _Open:
    """A node that the search has entered and not yet left."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.children: list[Node] = []
        self.cutoff: tuple[float, float] | None = None


def grow(start: Any, depth: int | None, steps: Sequence[tuple[Any, Any]], selective: bool = False) -> Node:
    """The tree of a search of a start to a depth, from its events, each with the state where it happened.

    Pruned branches are expanded to their leaves if they have at most MAX_EXPANDED nodes together. For the engine, a
    selective search, they are not expanded, and each value proves only what its own window implies.
    """
    if selective:
        return _mark_principal(_Selective(start).grow(steps))
    try:
        return _mark_principal(_grow(start, depth, steps, MAX_EXPANDED))
    except _TooMany:
        return _mark_principal(_grow(start, depth, steps, None))


def _grow(start: Any, depth: int | None, steps: Sequence[tuple[Any, Any]], room: int | None) -> Node:
    rest = _Rest(room)
    path: list[_Open] = []
    step = Node(start)
    for state, event in steps:
        if event.kind == "enter":
            path.append(_Open(step._replace(alpha=event.alpha, beta=event.beta)))
        elif event.kind == "action":
            step = _step(state, event.action)
        elif event.kind == "cutoff":
            path[-1].cutoff = event.alpha, event.beta
        else:
            left = None if depth is None else depth - len(path)
            node = _close(path.pop(), event, rest, left)
            if not path:
                return node
            path[-1].children.append(node)
    raise ValueError("the trace has no events")


def _step(state: Any, action: Any) -> Node:
    """The child that an action leads to, not searched yet."""
    chance = state.probability(action) if state.player() == CHANCE else None
    return Node(state.result(action), action, action_text(state, action), chance)


def _close(opened: _Open, event: Any, rest: "_Rest", left: int | None) -> Node:
    """The node as the search left it; `left` is the depth left for its children."""
    node, children = opened.node, opened.children
    value = event.value
    assert value is not None
    if event.kind == "leaf":
        static = leaf_value(node.state, left)
        lower = value if value <= static else -math.inf  # a fail-hard search clipped it to the window
        upper = value if value >= static else math.inf
        return node._replace(value=value, lower=lower, upper=upper, static=static)
    searched = {child.action for child in children}
    pruned = [rest.node(_step(node.state, a), left) for a in legal(node.state) if a not in searched]
    lower, upper = _bounds(node.state.player(), value, children, bool(pruned))
    return node._replace(
        value=value,
        lower=lower,
        upper=upper,
        children=(*children, *pruned),
        cutoff=opened.cutoff if pruned else None,
    )


def _bounds(player: int, value: float, children: list[Node], cut: bool) -> tuple[float, float]:
    """The parent's bounds, from its children's."""
    if player == CHANCE:
        return value, value
    best = max if player == MAX else min
    lower, upper = best(c.lower for c in children), best(c.upper for c in children)
    if not cut:
        return lower, upper
    return (lower, math.inf) if player == MAX else (-math.inf, upper)


def leaf_value(state: Any, left: int | None) -> float:
    """A leaf's own value in a search with `left` plies left."""
    if left is None:
        return state.utility()
    return outcome(state) if is_terminal(state) else state.evaluate()


def _may_be_best(child: Node, parent: Node) -> bool:
    return child.value == parent.value and child.action is not None


class _Selective:
    """Rebuilds the engine's tree: actions may be searched twice, nodes also after a null move or an exclusion."""

    def __init__(self, start: Any) -> None:
        self.step = Node(start)
        self.path: list[_Open] = []

    def grow(self, steps: Sequence[tuple[Any, Any]]) -> Node:
        for state, event in steps:
            if event.kind in CLOSING:
                node = self.close(event)
                if not self.path:
                    return node
                self.path[-1].children.append(node)
            else:
                self.follow(state, event)
        raise ValueError("the trace has no events")

    def follow(self, state: Any, event: Any) -> None:
        match event.kind:
            case "enter":
                self.path.append(_Open(self.step._replace(alpha=event.alpha, beta=event.beta)))
            case "action":
                again = any(child.action == event.action for child in self.path[-1].children)
                self.step = _step(state, event.action)._replace(note="searched again" if again else "")
            case "reduction":
                self.step = self.step._replace(note=f"reduced by {event.value}")
            case "extension":
                self.step = self.step._replace(note=f"extended by {event.value}")
            case "null":
                self.step = Node(state.skip(), name="pass", note="null move")
            case "singular":
                self.step = Node(state, name="others", note="singular test: without the table's move")
            case "pruned":
                self.path[-1].children.append(
                    _step(state, event.action)._replace(note="too late, or hopeless")
                )
            case "forced":
                self.path[-1].node = self.path[-1].node._replace(note="extended: forced")
            case "quiescence":
                self.path[-1].node = self.path[-1].node._replace(quiescence=event.value)
            case "cutoff":
                self.path[-1].cutoff = event.alpha, event.beta

    def close(self, event: Any) -> Node:
        opened = self.path.pop()
        node, value = opened.node, event.value
        lower = value if node.alpha is None or value > node.alpha else -math.inf
        upper = value if node.beta is None or value < node.beta else math.inf
        node = node._replace(value=value, lower=lower, upper=upper)
        if event.kind != "value":
            notes = {"leaf": node.note, "table": "from the table", "repeated": "repetition: a draw"}
            return node._replace(static=value, note=notes[event.kind])
        seen = {child.action for child in opened.children}
        rest = [_step(node.state, a) for a in legal(node.state) if a not in seen] if opened.cutoff else []
        return node._replace(children=(*opened.children, *rest), cutoff=opened.cutoff if rest else None)


class _TooMany(Exception):
    """The pruned branches have more nodes than the limit."""


class _Rest:
    """Expands the pruned branches, up to a limit."""

    def __init__(self, room: int | None) -> None:
        self.room = room

    def node(self, node: Node, left: int | None) -> Node:
        """The node with its subtree, `left` plies deep."""
        if self.room is None:
            return node
        if self.room == 0:
            raise _TooMany
        self.room -= 1
        actions = legal(node.state) if left != 0 else []
        if not actions:
            return node._replace(static=leaf_value(node.state, left))
        below = None if left is None else left - 1
        return node._replace(children=tuple(self.node(_step(node.state, a), below) for a in actions))


def _mark_principal(root: Node) -> Node:
    """The tree with its principal variation marked; it ends where chance moves."""
    path, places = [root], []
    while path[-1].children and path[-1].player != CHANCE:
        best = [i for i, child in enumerate(path[-1].children) if _may_be_best(child, path[-1])]
        if not best:  # a cut before any move was made
            break
        places.append(best[0] if path[-1].children[best[0]].note == "" else best[-1])
        path.append(path[-1].children[places[-1]])
    marked = path.pop()._replace(principal=True)
    while path:
        node, place = path.pop(), places.pop()
        children = (*node.children[:place], marked, *node.children[place + 1 :])
        marked = node._replace(children=children, principal=True)
    return marked
