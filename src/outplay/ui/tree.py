"""A trace as a picture of the game tree: text for a terminal, SVG for a slide.

Both show of every node who moves, the window on entering and the backed-up value (with <= or >= where a
cutoff left a bound), the branches that were cut off and why, and the principal line.
"""

from outplay.ui.treesvg import svg
from outplay.ui.treetext import text

__all__ = ["svg", "text"]
