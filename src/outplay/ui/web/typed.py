"""Editing trees by clicking."""

from fractions import Fraction
from typing import Any

from outplay.game import CHANCE, kind
from outplay.games.tree import KINDS, Node, read_nodes, stored
from outplay.record import position_text
from outplay.ui.web.catalogue import Refused
from outplay.ui.web.schema import AskedTyped

MAX_NODES = 400  # of an edited tree


def changed(asked: AskedTyped) -> dict[str, Any]:
    """A tree's text after a change to one node."""
    root = _at(read_nodes(asked.text), asked.path, asked)
    tree = stored(root)
    if _count(root) > MAX_NODES:
        raise Refused(f"an edited tree has at most {MAX_NODES} nodes")
    return {"game": "chancetree" if kind(type(tree)).chance else "tree", "start": position_text(tree)}


def _at(node: Node, path: list[int], asked: AskedTyped) -> Node:
    """The node with a change at the end of a path below it."""
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
        raise Refused("the root cannot be removed")
    return node


def _grown(node: Node) -> Node:
    """A node with one more child; a leaf gets two, the first with its value."""
    new = Node("", None, 0.0, 1.0, [])
    if not node.children:
        return node._replace(value=0.0, children=[new._replace(value=node.value), new])
    share = 1 / (len(node.children) + 1)
    return node._replace(children=_spread(node, [*node.children, new._replace(probability=share)], 1 - share))


def _leaf(node: Node) -> Node:
    return node._replace(player=None, children=[])


def _spread(node: Node, children: list[Node], among: float = 1.0) -> list[Node]:
    """A chance node's children with probabilities that sum to 1: the old ones share the rest."""
    if node.player != CHANCE:
        return children
    kept = children if among == 1 else children[:-1]
    total = sum(child.probability for child in kept)
    shares = [child.probability * among / total if total else among / len(kept) for child in kept]
    scaled = [child._replace(probability=_plain(share)) for child, share in zip(kept, shares, strict=True)]
    return [*scaled, *children[len(kept) :]]


def _plain(probability: float) -> float:
    """The simple fraction nearest to it: 1/3."""
    simple = float(Fraction(probability).limit_denominator(1000))
    return simple if abs(simple - probability) < 1e-12 else probability


def _even(children: list[Node]) -> list[Node]:
    return [child._replace(probability=1 / len(children)) for child in children]


def _shared(children: list[Node], at: int, wanted: float) -> list[Node]:
    """Set one child's probability; the others share the rest in proportion."""
    if not 0 <= wanted <= 1:
        raise Refused("a probability must be between 0 and 1")
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
