"""All benchmarks, or some by name: `python -m bench [NAME ...] [--quick] [--positions N] [--json FILE]`."""

import argparse
import json
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from bench.measure import Row

WIDTH = 140  # of the table where there is no terminal


def main() -> int:
    options = arguments()
    screen = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    rows: list[Row] = []
    for name in options.names or BENCHMARKS:
        with screen.status(f"{name} ..."):
            for row in run(name, options):
                rows.append(row)
                if options.json:  # after each row: what was measured is kept if a later one fails
                    write(rows, Path(options.json))
    screen.print(table(rows))
    for row in rows:
        if row.note:
            screen.print(row.note, markup=False)
    return 1 if any(row.ok is False for row in rows) else 0


BENCHMARKS = {  # the module of each name
    "connect4": "connect4_solve",
    "sets": "connect4_sets",
    "cpp": "cpp",
    "ffo": "othello_ffo",
    "nodes": "othello_nodes",
    "python": "python_peers",
    "random": "random_play",
    "uct": "uct",
    "threads": "threads",
    "gpu": "gpu",
    "startup": "startup",
    "perft": "perft",
    "chess": "chess_perft",
    "chess-speed": "chess_speed",
    "chess-startup": "chess_startup",
    "go-positions": "go_positions",
    "rules": "rules",
    "web": "web_load",
}


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Outplay beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)}; without any, all")
    parser.add_argument("--quick", action="store_true", help="fewer turns and positions")
    parser.add_argument("--positions", type=int, help="positions a game for `rules` (100000)")
    parser.add_argument("--json", metavar="FILE", help="write the rows there too")
    options = parser.parse_args()
    for name in options.names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
    return options


def run(name: str, options: argparse.Namespace) -> Iterator[Row]:
    """One benchmark; only what it takes itself must be installed."""
    module = import_module(f"bench.{BENCHMARKS[name]}")
    if name == "rules":
        return module.run(options.quick, positions=options.positions)
    return module.run(options.quick)


def write(rows: list[Row], file: Path) -> None:
    lines = [row._asdict() | {"ok": row.ok} for row in rows]
    file.write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")


def table(rows: list[Row]) -> Table:
    made = Table(box=box.SIMPLE)
    for heading in ("work", "peer", "ours", "theirs", "figure", "bound", ""):
        made.add_column(heading, no_wrap=True)
    for row in rows:
        made.add_row(row.work, row.peer, row.ours, row.theirs, figure(row), bound(row), verdict(row))
    return made


def figure(row: Row) -> str:
    if row.figure is None:
        return "left out"
    digits = 0 if row.figure >= 10 or row.figure == int(row.figure) else 2
    return f"{row.figure:,.{digits}f} {row.unit}"


def bound(row: Row) -> str:
    return "" if row.bound is None else f"{'<=' if row.at_most else '>='} {row.bound:g}"


def verdict(row: Row) -> str:
    return {True: "[green]ok", False: "[red]missed", None: ""}[row.ok]


if __name__ == "__main__":
    sys.exit(main())
