"""A network's output for a position, and the result of a search guided by it, as a table."""

from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from outplay.game import action_text
from outplay.search.mcts.edges import Edges
from outplay.ui.terminal import side_name

BAR = 20  # characters of the greatest share


def show(found: Edges, state: Any, console: Console | None = None) -> None:
    """Print the values, then each action with its edge."""
    console = console or Console(highlight=False)
    mover = side_name(state, state.player())
    console.print(f"value for {mover}, to move: {found.value:+.3f} by the network alone", end="")
    searched = found.simulations > 1
    console.print(f", {found.searched:+.3f} after {found.simulations:,} simulations" if searched else "")
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("action")
    for name in ("P", "", *(("N", "W", "Q") if searched else ())):
        table.add_column(name, justify="left" if not name else "right")
    for edge in found.edges:
        row = [action_text(state, edge.action), f"{100 * edge.prior:.1f} %", bar(edge.prior)]
        if searched:
            row += [f"{edge.visits:,}", f"{edge.total:+.2f}", f"{edge.mean:+.3f}" if edge.visits else ""]
        table.add_row(*row)
    console.print(table)


def bar(share: float) -> str:
    """A share as a line of blocks."""
    return "\u2588" * round(BAR * share)
