"""All benchmarks, or some by name: `python -m bench [NAME ...] [--quick] [--count N] [--json FILE]`."""

import argparse
import json
import signal
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from rich import box
from rich.console import Console
from rich.table import Table

from bench.measure import Row, Size, left_out

WIDTH = 200  # of the table where there is no terminal


def main() -> int:
    options = arguments()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that what was started is ended, too
    screen = Console() if sys.stdout.isatty() else Console(width=WIDTH)
    rows: list[Row] = []
    for name in options.names:
        with screen.status(f"{name} ..."):
            for row in run(name, options.size, options.count):
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
    "before": "before",
    "perft": "perft",
    "chess": "chess_perft",
    "chess-speed": "chess_speed",
    "chess-startup": "chess_startup",
    "go-positions": "go_positions",
    "plays": "backgammon_plays",
    "cube": "backgammon_cube",
    "pig": "pig_policy",
    "star": "star_nodes",
    "td": "td_gammon",
    "evaluations": "net_evaluations",
    "zero": "zero_speed",
    "rollouts": "backgammon_rollouts",
    "gnubg": "gnubg_games",
    "rules": "rules",
    "mutations": "mutations",
    "kills": "kills",
    "checks": "checks",
    "web": "web_load",
    "hostile": "web_hostile",
    "living": "living",
    "fuzz": "fuzz",
    "broken": "broken",
    "every-command": "every_command",
    "corpus": "corpus",
    "steps": "steps",
    "tables": "endgame_tables",
    "gpu-tables": "gpu_tables",
    "states": "states_table",
    "endings": "table_matches",
    "probing": "probing",
}
COUNTED = ("chess", "plays", "cube", "rules", "mutations", "kills", "fuzz")  # `--count` says how much they do


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench", description="Outplay beside its peers.")
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"{', '.join(BENCHMARKS)}; without any, all")
    parser.set_defaults(size=Size.FULL)
    for size, told in (
        (Size.QUICK, "fewer turns and positions"),
        (Size.SMOKE, "as little as there is: does it run?"),
    ):
        parser.add_argument(
            f"--{size.name.lower()}", action="store_const", dest="size", const=size, help=told
        )
    parser.add_argument("--count", type=int, help=f"positions, files, kills or classes: {', '.join(COUNTED)}")
    parser.add_argument("--json", metavar="FILE", help="write the rows there too")
    options = parser.parse_args()
    options.names = options.names or [*BENCHMARKS]
    for name in options.names:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
        if options.count is not None and name not in COUNTED:
            parser.error(f"--count is for {', '.join(COUNTED)}, not for {name}")
    if options.count is not None and options.count < 1:
        parser.error(f"--count must be at least 1, not {options.count}")
    return options


def run(name: str, size: Size, count: int | None = None) -> Iterator[Row]:
    """One benchmark; only what it takes itself must be installed."""
    try:
        module = import_module(f"bench.{BENCHMARKS[name]}")
    except ModuleNotFoundError as error:
        if str(error.name).startswith(("bench", "outplay")):
            raise
        return iter([left_out(name, "", error)])
    return module.run(size) if count is None else module.run(size, count)


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
