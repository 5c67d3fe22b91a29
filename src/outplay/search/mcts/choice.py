"""The result of a search: the root's children, summed over several trees, and the final choice among them."""

import math
from collections.abc import Callable
from typing import NamedTuple

from outplay.search.mcts.tree import ROOT, Tree, clear, keep

CHOICES = ("robust", "max", "max-robust", "secure")


class Child(NamedTuple):
    """The statistics of an action at the root."""

    action: int
    visits: int
    mean: float  # reward for the player to move
    least: float  # proven bounds on it
    most: float

    @property
    def value(self) -> float:
        """The mean, or the proven value."""
        return min(max(self.mean, self.least), self.most)


def children_in(tree: Tree, node: int, mover: int) -> list[Child]:
    """The visited children of a node."""
    row = slice(tree.first[node], tree.first[node] + tree.count[node])
    names = ("action", "visits", "total", "least", "most")
    return [
        child_of(mover, *numbers)
        for numbers in zip(*(tree.array(name)[row].tolist() for name in names), strict=True)
        if numbers[1] > 0
    ]


def child_of(mover: int, action: int, visits: float, total: float, least: float, most: float) -> Child:
    """A child from its numbers in the tree, where bounds are for MAX."""
    bounds = (1.0 - most, 1.0 - least) if mover == 1 else (least, most)
    return Child(int(action), int(visits), total / visits, *bounds)


def merged(lists: list[list[Child]]) -> list[Child]:
    """Merge the children of several trees by action."""
    found: dict[int, Child] = {}
    for child in (child for children in lists for child in children):
        other = found.get(child.action)
        if other is not None:
            visits = child.visits + other.visits
            mean = (child.visits * child.mean + other.visits * other.mean) / visits
            least, most = max(child.least, other.least), min(child.most, other.most)
            child = Child(child.action, visits, mean, least, most)
        found[child.action] = child
    return list(found.values())


def children_of(trees: list[Tree], node: int, mover: int) -> list[Child]:
    return merged([children_in(tree, node, mover) for tree in trees])


def all_visits(tree: Tree) -> int:
    """The visits of all nodes."""
    return int(tree.array("visits")[: tree.used].sum())


def child_by(tree: Tree, node: int, action: int) -> int | None:
    """The visited child of an action."""
    first = tree.first[node]
    for child in range(first, first + tree.count[node]):
        if tree.action[child] == action and tree.visits[child] > 0:
            return child
    return None


def chosen(children: list[Child], choice: str) -> int:
    """The final choice among visited children (Chaslot et al. 2008).

    A proven value is exact: the best proven child is taken unless the best of the others has a higher value.
    """
    total = sum(child.visits for child in children)
    keys: dict[str, Callable[[Child], float]] = {
        "robust": lambda child: child.visits,
        "max": lambda child: child.value,
        "secure": lambda child: child.value - math.sqrt(math.log(total) / child.visits),
    }
    key = keys["robust" if choice == "max-robust" else choice]
    best = max((child for child in children if child.least < child.most), key=key, default=None)
    proven = [child for child in children if child.least == child.most]
    sure = max(proven, key=lambda child: (child.least, child.visits), default=None)
    if sure is None or best is not None and best.value > sure.least:
        assert best is not None
        return best.action
    return sure.action


def descend(tree: Tree, actions: tuple[int, ...]) -> None:
    """Make the node after the actions the root; empty the tree if it has no such node."""
    node: int | None = ROOT
    for action in actions:
        node = child_by(tree, node, action) if node is not None else None
    if node is None:
        clear(tree)
    elif node != ROOT:
        keep(tree, node)
