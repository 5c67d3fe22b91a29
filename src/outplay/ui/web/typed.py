"""Trees that somebody makes by clicking, and the same tree with its moves in another order."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from outplay.game import CHANCE, kind
from outplay.games.tree import KINDS, Node, read_nodes, stored
from outplay.record import position_text
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.schema import AskedTyped

MAX_NODES = 400  # of a tree that is made by clicking
ORDERS: dict[str, Callable[[list[tuple[float, Node]], bool], list[Node]]] = {
    "best": lambda found, maximises: [
        node for _, node in sorted(found, key=lambda one: one[0], reverse=maximises)
    ],
    "worst": lambda found, maximises: [
        node for _, node in sorted(found, key=lambda one: one[0], reverse=not maximises)
    ],
    "mirror": lambda found, _: [node for _, node in reversed(found)],
}


def changed(asked: AskedTyped) -> dict[str, Any]:
    """The text of a tree after a change of one node."""
    root = _at(read_nodes(asked.text), asked.path, asked)
    tree = stored(root)
    if _count(root) > MAX_NODES:
        raise Refused(f"a tree that is made by clicking has at most {MAX_NODES} nodes")
    return {"game": "chancetree" if kind(type(tree)).chance else "tree", "start": position_text(tree)}


def _at(node: Node, path: list[int], asked: AskedTyped) -> Node:
    """The node with a change somewhere below it."""
    if not path:
        return _changed(node, asked)
    at = path[0]
    if at >= len(node.children):
        raise Refused("there is no such node in this tree")
    children = list(node.children)
    if len(path) == 1 and asked.change == "remove":
        if len(children) == 1:
            return _leaf(node)
        del children[at]
        return node._replace(children=_spread(node, children))
    child = _at(children[at], path[1:], asked)
    children[at] = child
    if len(path) == 1 and asked.change == "probability":
        return node._replace(children=_shared(children, at, asked.value))
    return node._replace(children=children)


def _changed(node: Node, asked: AskedTyped) -> Node:
    if asked.change == "add":
        return _grown(node)
    if asked.change == "value":
        return node._replace(value=asked.value + 0.0)
    if asked.change == "kind":
        if not node.children:
            raise Refused("a leaf has no player: give it a child first")
        player = KINDS.get(asked.kind)
        children = node.children if player != CHANCE or node.player == CHANCE else _even(node.children)
        return node._replace(player=player, children=children)
    if asked.change == "remove":
        raise Refused("the root cannot be taken away")
    return node


def _grown(node: Node) -> Node:
    """A node with a child more; a leaf gets two, the first with its value."""
    new = Node("", None, 0.0, 1.0, [])
    if not node.children:
        return node._replace(value=0.0, children=[new._replace(value=node.value), new])
    share = 1 / (len(node.children) + 1)
    return node._replace(children=_spread(node, [*node.children, new._replace(probability=share)], 1 - share))


def _leaf(node: Node) -> Node:
    return node._replace(player=None, children=[])


def _spread(node: Node, children: list[Node], among: float = 1.0) -> list[Node]:
    """The children of a chance node, whose probabilities sum to 1: those that were there share what is left."""
    if node.player != CHANCE:
        return children
    kept = children if among == 1 else children[:-1]
    total = sum(child.probability for child in kept)
    shares = [child.probability * among / total if total else among / len(kept) for child in kept]
    scaled = [child._replace(probability=_plain(share)) for child, share in zip(kept, shares, strict=True)]
    return [*scaled, *children[len(kept) :]]


def _plain(probability: float) -> float:
    """The simple fraction that it is, but for rounding: 1/3."""
    simple = float(Fraction(probability).limit_denominator(1000))
    return simple if abs(simple - probability) < 1e-12 else probability


def _even(children: list[Node]) -> list[Node]:
    return [child._replace(probability=1 / len(children)) for child in children]


def _shared(children: list[Node], at: int, wanted: float) -> list[Node]:
    """One child's probability set; the others share the rest as they did."""
    if not 0 <= wanted <= 1:
        raise Refused("a probability lies between 0 and 1")
    others = sum(child.probability for i, child in enumerate(children) if i != at)
    if len(children) == 1:
        return [children[0]._replace(probability=1.0)]

    def share(i: int, child: Node) -> float:
        if i == at:
            return wanted
        return (1 - wanted) * (child.probability / others if others else 1 / (len(children) - 1))

    return [child._replace(probability=_plain(share(i, child))) for i, child in enumerate(children)]


def _count(node: Node) -> int:
    return 1 + sum(map(_count, node.children))


# --- another order --------------------------------------------------------------------------------------


def reordered(tree: Any, order: str) -> Any:
    """A typed tree whose moves are in another order, each under the name that it had."""
    return stored(_ordered(_named(read_nodes(position_text(tree)), 0), order, 0)[1])


def _named(node: Node, ply: int) -> Node:
    """The tree with names on all its moves, as they are called where they have none."""
    taken = {child.label for child in node.children}
    letter = chr(ord("a") + ply % 26)
    children = []
    for i, child in enumerate(node.children):
        usual = f"{letter}{i + 1}"
        children.append(
            _named(child._replace(label=child.label or (f"{usual}_" if usual in taken else usual)), ply + 1)
        )
    return node._replace(children=children)


def _ordered(node: Node, order: str, due: int) -> tuple[float, Node]:
    """A node's minimax value, and the node with its moves in that order; outcomes of chance stay as they are."""
    if not node.children:
        return node.value, node
    player = due if node.player is None else node.player
    below = due if player == CHANCE else 1 - player
    found = [_ordered(child._replace(player=_kept(child, below)), order, below) for child in node.children]
    values = [value for value, _ in found]
    if player == CHANCE:
        mean = sum(value * child.probability for value, child in found)
        return mean, node._replace(children=[child for _, child in found])
    return (max, min)[player](values), node._replace(children=ORDERS[order](found, player == 0))


def _kept(child: Node, due: int) -> int | None:
    """Who moves at a child: said only where it is not whose turn it is."""
    return None if child.player == due else child.player
