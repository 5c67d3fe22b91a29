"""The terms of an evaluation as a table."""

from rich import box
from rich.console import Console
from rich.table import Table

from outplay.explain import Explanation
from outplay.weights import Number

LARGEST = 4  # entries of a group that are shown


def show(found: Explanation, console: Console | None = None) -> None:
    """Print each term, its weight, its count and its share of the value."""
    console = console or Console(highlight=False)
    if not found.terms:
        console.print(f"evaluate() is {number(found.value)}; it has no weights, so it has no terms to show")
        return
    table = Table(box=box.SIMPLE_HEAD)
    table.add_column("term")
    for name in ("weight", "count", "share"):
        table.add_column(name, justify="right")
    for term in found.terms:
        weight = "" if term.weight is None else number(term.weight)
        table.add_row(term.name, weight, number(term.times), number(term.share))
        shown = term.entries[:LARGEST]
        for entry in shown:
            row = (number(entry.weight), number(entry.times), number(entry.share))
            table.add_row(f"  {entry.text}", *row, style="dim")
        if term.entries[LARGEST:]:
            rest = sum(entry.share for entry in term.entries[LARGEST:])
            table.add_row(f"  {len(term.entries) - LARGEST} others", "", "", number(rest), style="dim")
    for name, share in (("constant", found.constant), ("rounding", found.rounding)):
        if share:
            table.add_row(name, "", "", number(share))
    table.add_section()
    table.add_row("value for MAX", "", "", number(found.value), style="bold")
    console.print(table)


def number(x: Number) -> str:
    """A whole number as it is, another with two digits after the point."""
    return f"{int(x):,}" if x == int(x) else f"{x:,.2f}"
