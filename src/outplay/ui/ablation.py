"""An ablation as a table with a plot: how much larger the search is without each switch."""

import math
from collections.abc import Sequence
from xml.sax.saxutils import escape

from rich.console import Console
from rich.table import Table

from outplay.search.engine.ablation import Ablation
from outplay.ui.board import value_text

BAR = 24  # the longest bar, in characters


def share(row: Ablation, rows: Sequence[Ablation]) -> tuple[float, str]:
    """A run compared with the first one, in which no switch is removed.

    The ratio of nodes if both prove the value or reach the same depth; otherwise the difference in proof or depth.
    """
    first = rows[0]
    nodes = row.nodes / max(first.nodes, 1)
    if row.proven != first.proven:
        return nodes, "proven" if row.proven else "not proven"
    if row.proven or row.depth == first.depth:
        return nodes, f"{nodes:.2f}x nodes"
    return row.branching / max(first.branching, 1e-9), f"{row.depth - first.depth:+d} plies"


def bar(ratio: float, most: float) -> str:
    """A bar on a logarithmic scale: to the right if the switch saves work, to the left if it costs some."""
    if ratio <= 0 or most <= 1:
        return ""
    length = round(BAR * abs(math.log(ratio)) / math.log(most))
    return ("+" if ratio > 1 else "-") * length


def show(rows: Sequence[Ablation], console: Console | None = None) -> None:
    """Print the table; bars of + mean that the switch saves work."""
    table = Table(box=None, pad_edge=False)
    table.add_column("without")
    for name in ("nodes", "seconds", "depth", "branching", "value", "against all"):
        table.add_column(name, justify="right")
    table.add_column("plot (log scale; + the switch saves work, - it costs work)")
    most = max((max(r, 1 / r) for r, _ in (share(row, rows) for row in rows) if r > 0), default=1)
    for row in rows:
        ratio, words = share(row, rows)
        value = "" if row.value is None else value_text(row.value)
        cells = (f"{row.nodes:,}", f"{row.time:.3f}", str(row.depth), f"{row.branching:.2f}", value, words)
        table.add_row(row.removed, *cells, bar(ratio, most))
    (console or Console()).print(table)


def svg(rows: Sequence[Ablation], title: str) -> str:
    """The same as bars for a slide: nodes, or branching factors if depths differ, on a logarithmic scale."""
    ratios = [share(row, rows) for row in rows[1:]]
    most = max((max(r, 1 / r) for r, _ in ratios if r > 0), default=1)
    scale = 260 / math.log(most) if most > 1 else 0
    height = 24 * len(ratios) + 60
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 860 {height}" font-family="sans-serif" '
        'font-size="13"><style>text{fill:#222}.more{fill:#2b6cb0}.less{fill:#c05621}'
        "@media(prefers-color-scheme:dark){text{fill:#ddd}}</style>",
        f'<text x="10" y="24" font-size="16">{escape(title)}</text>',
    ]
    for i, (row, (ratio, words)) in enumerate(zip(rows[1:], ratios, strict=True)):
        y = 40 + 24 * i
        length = abs(math.log(ratio)) * scale if ratio > 0 else 0
        x = 440 if ratio >= 1 else 440 - length
        parts.append(f'<text x="10" y="{y + 14}">without {escape(row.removed)}</text>')
        kind = "more" if ratio >= 1 else "less"
        parts.append(f'<rect class="{kind}" x="{x:.1f}" y="{y}" width="{length:.1f}" height="18"/>')
        parts.append(f'<text x="720" y="{y + 14}">{escape(words)}</text>')
    return "\n".join([*parts, "</svg>\n"])
