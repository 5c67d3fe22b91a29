"""A trace as a picture of the tree: text for a terminal, SVG for a slide.

Both show of every node who moves, the window on entering and the backed-up value (with <= or >= where a
cutoff left a bound), the branches that were cut off and why, and the principal line. Of UCT there is text: its
iterations and the tree that they grew.
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
