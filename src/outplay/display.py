"""How a notebook shows a state or a trace.

Drawing belongs to ui/, the last layer but one. This is the only module below that refers to it: by name, so that
nothing of it is imported before something is shown.
"""

import importlib
from typing import Any


def board_svg(state: Any) -> str:
    """The state's board as a picture."""
    picture: str = importlib.import_module("outplay.ui.boardsvg").svg(state)
    return picture


def tree_svg(trace: Any) -> str | None:
    """The tree of a trace as a picture, if it is not too large for one."""
    try:
        picture: str = importlib.import_module("outplay.ui.treesvg").svg(trace)
    except ValueError:
        return None
    return picture


def tree_html(trace: Any) -> str:
    """The tree of a trace, to step through."""
    page: str = importlib.import_module("outplay.ui.notebook").html(trace)
    return page
