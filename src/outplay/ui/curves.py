"""The learning curves of a run as a picture."""

from pathlib import Path
from typing import Any

from outplay.storage import write_whole

WIDTH, HEIGHT, LEFT, GAP = 640, 130, 56, 44
SHOWN = {
    "policy": "policy loss",
    "outcome": "outcome loss",
    "score": "score loss",
    "positions_per_second": "positions/s",
}


def curves_svg(
    lines: list[dict[str, Any]],
    path: Path,
    named: dict[str, str] = SHOWN,
    over: str = "seconds",
    unit: str = "s",
) -> None:
    """Write a picture with a curve for each named number of the log, over seconds or another number."""
    parts = []
    shown = {name: title for name, title in named.items() if any(line.get(name) for line in lines)}
    for number, (name, title) in enumerate(shown.items()):
        points = [(line[over], line[name]) for line in lines if line.get(name) is not None]
        parts.append(
            f'<g transform="translate(0 {number * (HEIGHT + GAP)})">{curve(points, title, unit)}</g>'
        )
    height = max(1, len(parts)) * (HEIGHT + GAP)
    write_whole(
        path,
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{height}" viewBox="0 0 {WIDTH} {height}" '
        'font-family="sans-serif" font-size="12"><rect width="100%" height="100%" fill="white"/>'
        + "".join(parts)
        + "</svg>\n",
    )


def curve(points: list[tuple[float, float]], title: str, unit: str) -> str:
    """One curve with its axes."""
    last = max(x for x, _ in points) or 1.0
    low, high = min(y for _, y in points), max(y for _, y in points)
    spread = high - low or 1.0
    wide = WIDTH - LEFT - 12

    def place(x: float, y: float) -> str:
        return f"{LEFT + wide * x / last:.1f},{24 + HEIGHT - HEIGHT * (y - low) / spread:.1f}"

    line = " ".join(place(x, y) for x, y in points)
    return (
        f'<text x="{LEFT}" y="16" fill="#333">{title}</text>'
        f'<path d="M{LEFT} 24V{24 + HEIGHT}H{WIDTH - 12}" fill="none" stroke="#bbb"/>'
        f'<text x="{LEFT - 6}" y="34" text-anchor="end" fill="#666">{high:,.4g}</text>'
        f'<text x="{LEFT - 6}" y="{24 + HEIGHT}" text-anchor="end" fill="#666">{low:,.4g}</text>'
        f'<text x="{WIDTH - 12}" y="{38 + HEIGHT}" text-anchor="end" fill="#666">{last:,.0f} {unit}</text>'
        f'<polyline points="{line}" fill="none" stroke="#1f6feb" stroke-width="1.5"/>'
    )
