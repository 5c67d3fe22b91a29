"""A trace as a picture of the tree: text for a terminal, SVG for a slide.

Both show for every node the player to move, the window on entry and the backed-up value (with <= or >= if a
cutoff left a bound), the pruned branches with the reason, and the principal variation. For UCT there is only text: its
iterations and the resulting tree.
"""

from outplay.search.mcts.trace import UctTrace
from outplay.search.trace.trace import Trace
from outplay.ui import treesvg, treetext, ucttext


def text(trace: Trace | UctTrace, encoding: str | None = None) -> str:
    return ucttext.text(trace) if isinstance(trace, UctTrace) else treetext.text(trace, encoding)


def svg(trace: Trace | UctTrace) -> str:
    if isinstance(trace, UctTrace):
        raise ValueError("a trace of uct cannot be drawn: print it as text, or as JSON")
    return treesvg.svg(trace)
