"""A trace as text: the searched game tree, one node per line."""

import math
import sys
from collections.abc import Iterator
from fractions import Fraction
from typing import NamedTuple

from outplay.game import CHANCE, is_decided
from outplay.games.tree import ChanceTree, Tree, label
from outplay.search.textbook.minimax import MAX
from outplay.search.trace.trace import Trace
from outplay.search.trace.tree import Node

MAX_LINES = 400  # of a larger tree only the upper levels are shown


def who(node: Node) -> str:
    """The player to move at a node, or "leaf"."""
    if not node.children:
        return "leaf"
    return "chance" if node.player == CHANCE else "MAX" if node.player == MAX else "MIN"


def score(node: Node, x: float, digits: int = 6) -> str:
    """A value at a node: whole numbers in full, others rounded; "won" or "lost" among evaluations."""
    if math.isfinite(x) and is_decided(type(node.state), x):
        return "won" if x > 0 else "lost"
    return str(int(x)) if abs(x) < 1e12 and x == int(x) else f"{x:.{digits}g}"


def window(node: Node, signs: "Signs") -> str:
    """`[-∞, 3]`; empty in a search without a window."""
    if node.alpha is None or node.beta is None:
        return ""
    return f"[{score(node, node.alpha)}, {score(node, node.beta)}]".replace("inf", signs.infinity)


def reason(node: Node) -> str:
    """The reason for a cutoff: `beta 2 <= alpha 3`."""
    if node.cutoff is None:
        return ""
    alpha, beta = (score(node, x) for x in node.cutoff)
    return f"beta {beta} <= alpha {alpha}"


def edge_text(node: Node) -> str:
    """The action that leads to a node, with its probability if it is chance's: `b1 (1/3)`; the label of a root."""
    if node.action is None and isinstance(node.state, Tree | ChanceTree):
        return label(node.state)
    if node.probability is None:
        return node.name
    fraction = Fraction(node.probability).limit_denominator(99)
    exact = math.isclose(fraction, node.probability, rel_tol=1e-12)
    return f"{node.name} ({fraction if exact else format(node.probability, '.4g')})"


def summary(root: Node) -> str:
    """The value, the principal variation, and the number of nodes."""
    work = root.work()
    line = " ".join(node.name for node in root.line())
    whole = f" of {work.leaves + work.pruned_leaves:,}" if work.pruned_leaves else ""
    assert root.value is not None
    parts = [
        f"value {score(root, root.value)}" + (f", line {line}" if line else ""),
        f"{_some(work.nodes, 'node', 'nodes')}, {_some(work.leaves, 'leaf', 'leaves', whole)}",
    ]
    if work.pruned:
        parts[1] += f", {_some(work.pruned, 'branch', 'branches')} pruned"
    return "; ".join(parts)


def _some(count: int, one: str, several: str, whole: str = "") -> str:
    return f"{count:,}{whole} {one if count == 1 and not whole else several}"


class Signs(NamedTuple):
    """The characters that draw a tree; the pairs are for a child, and for the last child."""

    who: dict[str, str]
    bound: dict[str, str]
    plain: tuple[str, str]
    principal: tuple[str, str]
    pruned: tuple[str, str]
    below: tuple[str, str]
    cut: str
    infinity: str
    more: str


UNICODE = Signs(
    {"MAX": "▲ MAX", "MIN": "▽ MIN", "chance": "○ chance", "leaf": "□"},
    {"=": "=", "<=": "≤", ">=": "≥"},
    plain=("├── ", "└── "),
    principal=("╞══ ", "╘══ "),
    pruned=("├╌╌ ", "└╌╌ "),
    below=("│   ", "    "),
    cut="✂",
    infinity="∞",
    more="…",
)
ASCII = Signs(
    {"MAX": "MAX", "MIN": "MIN", "chance": "chance", "leaf": "leaf"},
    {"=": "=", "<=": "<=", ">=": ">="},
    plain=("|-- ", "`-- "),
    principal=("|== ", "`== "),
    pruned=("|.. ", "`.. "),
    below=("|   ", "    "),
    cut="x",
    infinity="inf",
    more="...",
)


def text(trace: Trace, encoding: str | None = None) -> str:
    """The tree, one node per line; in ASCII if the encoding (by default standard output's) requires it."""
    encoding = encoding or sys.stdout.encoding or "ascii"
    signs = UNICODE if _can_write(encoding) else ASCII
    root = trace.tree()
    title = f"{trace.search}{'' if trace.depth is None else f' to depth {trace.depth}'}: {trace.start}"
    lines = [title, *_lines(root, signs), summary(root)]
    return "\n".join(lines).encode(encoding, "replace").decode(encoding)


def _can_write(encoding: str) -> bool:
    try:
        str(UNICODE).encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def _lines(root: Node, signs: Signs) -> Iterator[str]:
    last_ply = _levels(root)
    # Waiting: the ply, the nodes of a line, its prefix, and the prefix of all lines below it.
    waiting: list[tuple[int, list[Node], str, str]] = [(0, [root], "", "")]
    while waiting:
        ply, nodes, before, below = waiting.pop()
        hidden = sum(1 for _ in nodes[0].walk()) - 1 if ply == last_ply else 0
        if _unknown(nodes[0]):
            yield f"{before}{' '.join(map(edge_text, nodes))} {signs.cut}"
        else:
            yield before + node_text(nodes[0], signs) + (f"  {signs.more} {hidden:,} more" if hidden else "")
        lines = _together(nodes[0]) if ply < last_ply else []
        for i, line in reversed(list(enumerate(lines))):
            last = i == len(lines) - 1
            edge = signs.principal if line[0].principal else signs.pruned if line[0].pruned else signs.plain
            waiting.append((ply + 1, line, below + edge[last], below + signs.below[last]))


def _together(node: Node) -> list[list[Node]]:
    """The children by line: one each, but those without known content together in the last."""
    known = [[child] for child in node.children if not _unknown(child)]
    unknown = [child for child in node.children if _unknown(child)]
    return [*known, unknown] if unknown else known


def _unknown(node: Node) -> bool:
    return node.pruned and not node.children and node.static is None


def _levels(root: Node) -> int:
    """The last ply for which all lines fit; at least that of the root's children."""
    sizes: list[int] = []
    for ply, node in root.walk():
        sizes += [0] * (ply + 2 - len(sizes))
        sizes[ply + 1] += len(_together(node))
    fitting = [ply for ply in range(len(sizes)) if 1 + sum(sizes[: ply + 1]) <= MAX_LINES]
    return max(1, fitting[-1])


def node_text(node: Node, signs: Signs = UNICODE) -> str:
    """A node in one line."""
    words = [edge_text(node)]
    if node.value is None:
        words += [signs.cut] if _unknown(node) else [signs.cut, signs.who[who(node)]]
        words += [] if node.static is None else [score(node, node.static)]
        return " ".join(words)
    words += [signs.who[who(node)], window(node, signs), signs.bound[node.bound], score(node, node.value)]
    if node.static is not None and node.static != node.value:  # clipped to the window
        words.append(f"(static {score(node, node.static)})")
    if node.cutoff:
        words.append(f" cut: {reason(node)}")
    if node.quiescence is not None:
        words.append(
            f" (quiescence: stand pat {score(node, node.quiescence)})".replace("inf", signs.infinity)
        )
    if node.note:
        words.append(f" ({node.note})")
    return " ".join(filter(None, words))
