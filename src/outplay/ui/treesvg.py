"""A trace as SVG: the searched game tree, drawn as in lectures.

MAX is a triangle that points up, MIN one that points down, chance is a circle, a leaf a box. Next to each node
is the window on entry; pruned branches are dashed, the principal variation is bold.
"""

import math
from html import escape
from itertools import accumulate
from typing import NamedTuple

from outplay.search.trace.trace import Trace
from outplay.search.trace.tree import Node
from outplay.ui.layout import tidy
from outplay.ui.treetext import UNICODE, edge_text, node_text, reason, score, summary, who

MAX_DRAWN = 3000  # nodes
# In pixels: the distance of plies, the height of a shape and of a leaf's box, the gap of neighbours, the margin.
LEVEL, TALL, BOX, GAP, MARGIN = 100, 44, 28, 16, 24
VALUE, SMALL = 8.0, 6.6  # the width of a character of a value, and of all smaller text

STYLE = """
.paper { fill: #ffffff }
text { font: 14px "Helvetica Neue", Helvetica, Arial, sans-serif; fill: #1c2430 }
.value, .leaf .window { text-anchor: middle }
.value { font-weight: 600 }
.window, .why, .caption { font-size: 12px; fill: #56606f }
.why { fill: #b3261e }
.action { font-size: 13px }
.halo { stroke: #ffffff; stroke-width: 4; stroke-linejoin: round }
.edge { stroke: #7b8594; stroke-width: 1.3 }
.shape { stroke-width: 1.5 }
.MAX .shape { fill: #fff0c2; stroke: #a87900 }
.MIN .shape { fill: #d8efff; stroke: #1a6ea8 }
.chance .shape { fill: #e6e0f8; stroke: #6b4fb3 }
.leaf .shape { fill: #f1f3f6; stroke: #7b8594 }
.principal .edge { stroke: #1c2430; stroke-width: 4 }
.principal .shape { stroke-width: 3.5 }
.principal .action { font-weight: 700 }
.pruned .edge, .pruned .shape { stroke: #a9b0ba; stroke-dasharray: 4 4 }
.pruned .shape { fill: none }
.pruned text { fill: #78818f; font-weight: 400 }
.cutoff { stroke: #b3261e; stroke-width: 2 }
@media (prefers-color-scheme: dark) {
.paper { fill: #161a21 }
text { fill: #e8ebf0 }
.window, .caption { fill: #a6afbd }
.why { fill: #ff8a80 }
.halo { stroke: #161a21 }
.MAX .shape { fill: #4b3c0d; stroke: #ffd54a }
.MIN .shape { fill: #0f3850; stroke: #5fd0ff }
.chance .shape { fill: #35285c; stroke: #b9a3ff }
.leaf .shape { fill: #262c36; stroke: #a6afbd }
.principal .edge { stroke: #ffffff }
.pruned .edge, .pruned .shape { stroke: #5b6472 }
.pruned .shape { fill: none }
.pruned text { fill: #8f97a3 }
.cutoff { stroke: #ff8a80 }
}
"""


def svg(trace: Trace) -> str:
    """The tree as a self-contained picture, for light and dark pages."""
    root = trace.tree()
    nodes = sum(1 for _ in root.walk())
    if nodes > MAX_DRAWN:
        raise ValueError(
            f"the tree has {nodes:,} nodes, too many to draw (at most {MAX_DRAWN:,}): "
            "search to a smaller depth, or print it as text"
        )
    shapes = _place(root)
    caption = summary(root)
    width = max(2 * MARGIN + SMALL * len(caption), MARGIN + max(s.x + s.right for s in shapes))
    height = MARGIN + max(s.y for s in shapes) + 60
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-labelledby="title desc" '
            f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.0f} {height:.0f}">',
            f'<title id="title">{escape(f"{trace.search} on {trace.game}: {trace.start}")}</title>',
            f'<desc id="desc">{escape(caption)}</desc>',
            f"<style>{STYLE}</style>",
            '<rect class="paper" width="100%" height="100%"/>',
            *(_grouped(shape, draw(shape)) for draw in (_line, _action, _outline) for shape in shapes),
            _text("caption", MARGIN, height - MARGIN, caption),
            "</svg>\n",
        ]
    )


class Shape(NamedTuple):
    """A node and its place in the picture."""

    node: Node
    parent: "Shape | None"
    x: float  # of its centre
    y: float
    half: float  # half its width
    right: float  # how far its texts extend to the right of the centre


def _place(root: Node) -> list[Shape]:
    """The nodes in the order of the search, with their coordinates."""
    nodes, parents, plies, children = _numbered(root)
    leaves = [i for i, below in enumerate(children) if not below]
    inner = [i for i, below in enumerate(children) if below]
    halves = [_half([nodes[i] for i in group], leaf) for leaf, group in enumerate((inner, leaves))]
    widths = [_reach(node, halves[not node.children]) for node in nodes]
    widest = max(max(widths[i]) for i in leaves)
    for i in leaves:  # evenly spaced
        widths[i] = (widest, widest)
    places = tidy(children, widths, GAP)
    fans = [0.0] * (max(plies) + 1)  # the widest fan of edges on each ply
    for i in inner:
        fans[plies[i]] = max(fans[plies[i]], places[children[i][-1]] - places[children[i][0]])
    heights = [min(max(LEVEL, fan / 6), 2 * LEVEL) for fan in fans]  # no flat edges
    tops = list(accumulate(heights, initial=MARGIN + TALL / 2))
    shapes: list[Shape] = []
    for i, node in enumerate(nodes):
        above = shapes[parents[i]] if i else None
        half = halves[not node.children]
        shapes.append(Shape(node, above, MARGIN + places[i], tops[plies[i]], half, widths[i][1]))
    return shapes


def _numbered(root: Node) -> tuple[list[Node], list[int], list[int], list[list[int]]]:
    """The nodes in the order of the search, with the numbers of their parents, plies and children."""
    nodes: list[Node] = []
    parents: list[int] = []
    plies: list[int] = []
    children: list[list[int]] = []
    waiting = [(root, -1, 0)]
    while waiting:
        node, parent, ply = waiting.pop()
        if nodes:
            children[parent].append(len(nodes))
        waiting += [(child, len(nodes), ply + 1) for child in reversed(node.children)]
        nodes.append(node)
        parents.append(parent)
        plies.append(ply)
        children.append([])
    return nodes, parents, plies, children


def _half(nodes: list[Node], leaf: int) -> float:
    """Half the width of a shape that fits the longest value."""
    longest = max((len(_value(node)) for node in nodes), default=1) * VALUE / 2
    return max(longest + 9, 18) if leaf else max(longest * 1.75, TALL / 2)  # a triangle has less space inside


def _reach(node: Node, half: float) -> tuple[float, float]:
    """How far a node with its texts extends to the left and to the right."""
    beside = max((SMALL * len(line) for line in _beside(node)), default=0.0)
    action = SMALL * len(edge_text(node))
    if not node.children:
        return (max(half, beside / 2, action * 0.8),) * 2
    return max(half, action * 0.8), max(half + (beside and beside + 6), action * 0.8)


def _value(node: Node) -> str:
    """The text inside a shape: a leaf's own value, or another node's value with its bound."""
    if not node.children:
        return "…" if node.static is None else _minus(score(node, node.static, 4))
    return (
        ""
        if node.value is None
        else UNICODE.bound[node.bound].strip("=") + _minus(score(node, node.value, 4))
    )


def _beside(node: Node) -> list[str]:
    """The texts beside a shape, or below a leaf's: the window, and the reason for a cutoff."""
    if node.alpha is None or node.beta is None:
        return []
    alpha, beta = (_minus(score(node, x, 4).replace("inf", "∞")) for x in (node.alpha, node.beta))
    if not node.children:
        return [f"[{alpha}, {beta}]"]
    cut = reason(node).replace("beta", "β").replace("alpha", "α").replace("<=", "≤")
    return [f"α {alpha}", f"β {beta}", *([_minus(cut)] if cut else [])]


def _minus(text: str) -> str:
    return text.replace("-", "−")


def _grouped(shape: Shape, parts: list[str]) -> str:
    node = shape.node
    marks = " principal" * node.principal + " pruned" * node.pruned
    return f'<g class="{who(node)}{marks}">{"".join(parts)}</g>' if parts else ""


def _line(shape: Shape) -> list[str]:
    """The edge from the parent, with two strokes across it if it was pruned."""
    if shape.parent is None:
        return []
    x1, y1, x2, y2, dx, dy = _ends(shape)
    line = f'<path class="edge" d="M{x1:.1f} {y1:.1f}L{x2:.1f} {y2:.1f}"/>'
    if shape.parent.node.pruned or not shape.node.pruned:
        return [line]
    strokes = []
    for back in (10, 16):
        x, y = x2 - back * dx, y2 - back * dy
        ends = f"M{x - 7 * dy:.1f} {y + 7 * dx:.1f}L{x + 7 * dy:.1f} {y - 7 * dx:.1f}"
        strokes.append(f'<path class="cutoff" d="{ends}"/>')
    return [line, *strokes]


def _action(shape: Shape) -> list[str]:
    """The action's name just above the edge, with a halo against other edges; the root's label beside the root."""
    if shape.parent is None:
        named = edge_text(shape.node)
        return [_text("action", shape.x - shape.half, shape.y, named, "end")] if named else []
    x1, y1, x2, y2, dx, dy = _ends(shape)
    side, anchor = (-9, "end") if dx < -0.02 else (9, "start")
    x, y = x1 + 0.62 * (x2 - x1) + side * dy, y1 + 0.62 * (y2 - y1) - abs(side * dx) + 4
    return [_text(kind, x, y, edge_text(shape.node), anchor) for kind in ("action halo", "action")]


def _ends(shape: Shape) -> tuple[float, float, float, float, float, float]:
    """The start and end of the edge from the parent, and its direction."""
    assert shape.parent is not None
    x1, y1, x2, y2 = shape.parent.x, shape.parent.y + TALL / 2, shape.x, shape.y - TALL / 2
    length = math.hypot(x2 - x1, y2 - y1)
    return x1, y1, x2, y2, (x2 - x1) / length, (y2 - y1) / length


def _outline(shape: Shape) -> list[str]:
    """The shape with its value inside, and the window beside it or, for a leaf, below it."""
    node, x, y, half = shape.node, shape.x, shape.y, shape.half
    base = {"MAX": TALL / 2, "MIN": -TALL / 2}.get(who(node), 0)
    if not node.children:
        y -= (TALL - BOX) / 2
        place = f'x="{x - half:.1f}" y="{y - BOX / 2:.1f}" width="{2 * half:.1f}" height="{BOX}"'
        outline = f'<rect class="shape" {place} rx="5"/>'
    elif base:
        corners = f"M{x:.1f} {y - base:.1f}L{x - half:.1f} {y + base:.1f}L{x + half:.1f} {y + base:.1f}Z"
        outline = f'<path class="shape" d="{corners}"/>'
    else:
        outline = f'<ellipse class="shape" cx="{x:.1f}" cy="{y:.1f}" rx="{half:.1f}" ry="{TALL / 2}"/>'
    parts = [f"<title>{escape(node_text(node))}</title>", outline]
    parts.append(_text("value", x, y + 5 + 0.4 * base, _value(node)))
    for i, line in enumerate(_beside(node)):
        place_x, place_y = (x + half + 6, y - 7 + 14 * i) if node.children else (x, y + BOX)
        parts.append(_text("why" if i == 2 else "window", place_x, place_y, line))
    return parts


def _text(kind: str, x: float, y: float, words: str, anchor: str = "") -> str:
    align = f' text-anchor="{anchor}"' if anchor else ""
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}"{align}>{escape(words)}</text>'
