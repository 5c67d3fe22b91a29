"""All benchmarks, or some by name: `python -m bench [NAME ...] [--quick] [--positions N] [--json FILE]`."""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from bench import (
    chess_perft,
    chess_speed,
    connect4_sets,
    connect4_solve,
    cpp,
    go_positions,
    gpu,
    othello_ffo,
    othello_nodes,
    perft,
    python_peers,
    random_play,
    rules,
    startup,
    threads,
    uct,
    web_load,
)
from bench.measure import Row

WIDTH = 140  # of the table where there is no terminal


def main() -> int:
    options = arguments()
    benchmarks: dict[str, Callable[[bool], Iterator[Row]]] = BENCHMARKS | {
        "rules": partial(rules.run, positions=options.positions)
    }
    screen = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    rows: list[Row] = []
    for name in options.names or benchmarks:
        with screen.status(f"{name} ..."):
            rows += benchmarks[name](options.quick)
    screen.print(table(rows))
    for row in rows:
        if row.note:
            screen.print(row.note, markup=False)
    if options.json:
        lines = [row._asdict() | {"ok": row.ok} for row in rows]
        Path(options.json).write_text(json.dumps(lines, indent=1) + "\n", encoding="utf-8")
    return 1 if any(row.ok is False for row in rows) else 0


BENCHMARKS: dict[str, Callable[[bool], Iterator[Row]]] = {
    "connect4": connect4_solve.run,
    "sets": connect4_sets.run,
    "cpp": cpp.run,
    "ffo": othello_ffo.run,
    "nodes": othello_nodes.run,
    "python": python_peers.run,
    "random": random_play.run,
    "uct": uct.run,
    "threads": threads.run,
    "gpu": gpu.run,
    "startup": startup.run,
    "perft": perft.run,
    "chess": chess_perft.run,
    "chess-speed": chess_speed.run,
    "go-positions": go_positions.run,
    "rules": rules.run,
    "web": web_load.run,
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
