"""The commands `outplay table ...`: build, probe and verify endgame tables."""

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Annotated, Any, TypeVar

import typer

from outplay.cli.arguments import GameArgument, MovesOption, begin
from outplay.cli.learning import check_device

app = typer.Typer()
T = TypeVar("T")

FamilyArgument = Annotated[
    str,
    typer.Argument(
        metavar="FAMILY",
        help="a family of positions, as in KQKR, or 4 for all with up to four pieces; "
        "default: all states reachable from the start",
    ),
]
FamiliesArgument = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="FAMILY",
        help="families of positions, as in KQKR KRK, or 4 for all with up to four pieces; "
        "default: all states reachable from the start",
    ),
]
FolderOption = Annotated[Path, typer.Option("--tables", metavar="FOLDER", help="the folder of the tables")]
FOLDER = Path("tables")
PositionOption = Annotated[
    str,
    typer.Option(
        "--position", metavar="POSITION", help="start from this position instead of the initial one"
    ),
]
MetricOption = Annotated[
    str,
    typer.Option(
        "--metric",
        metavar="METRIC",
        help="count plies to the end of the game (end), or to the next irreversible move (conversion)",
    ),
]
ThreadsOption = Annotated[int | None, typer.Option("--threads", help="number of threads")]
DeviceOption = Annotated[str, typer.Option("--device", help="cpu or cuda: families on the CPU or on a GPU")]


@app.callback(invoke_without_command=True)
def table(context: typer.Context) -> None:
    """Build, probe and verify endgame tables (retrograde analysis)."""
    if context.invoked_subcommand is None:
        print(context.get_help())


def gpu_of(device: str, cls: Any) -> Any:
    """The GPU, if a device says so."""
    check_device(device)
    if device != "cuda":
        return None
    from outplay.compile import gpu

    gpu.require()
    from outplay.tables.gpu import GPU

    return GPU(cls)


def threads_of(wanted: int | None) -> int:
    if wanted is not None and not 1 <= wanted <= 256:
        raise ValueError(f"--threads must be 1 to 256, not {wanted}")
    return wanted or min(os.cpu_count() or 1, 16)


@app.command()
def build(
    game: GameArgument,
    families: FamiliesArgument = None,
    position: PositionOption = "",
    moves: MovesOption = "",
    folder: FolderOption = FOLDER,
    metric: MetricOption = "",
    threads: ThreadsOption = None,
    estimate: Annotated[bool, typer.Option("--estimate", help="only estimate time and memory")] = False,
    device: DeviceOption = "cpu",
) -> None:
    """Build tables: each position's value and distance to the end."""
    from outplay.tables import build as building
    from outplay.tables.families import build_families, has_families
    from outplay.ui import tables as ui
    from outplay.ui.wait import patiently

    number = threads_of(threads)
    latest = [""]
    work = building.Work(lambda text: latest.__setitem__(0, text), number)
    state = begin(game, position, moves).state
    cls: Any = type(state)

    def wait(make: Callable[[], T], doing: str) -> T:
        try:
            return patiently(make, doing, lambda: latest[0], work.stop.set)
        except building.Stopped:
            raise KeyboardInterrupt from None

    if not families:
        if estimate or metric or device != "cpu":
            raise ValueError("--estimate, --metric and --device are for families: name one")
        print(ui.built(wait(lambda: building.build_states(state, folder, work), "building")))
        return
    if not has_families(cls):
        raise ValueError(f"{cls.__name__} has no families of positions: leave {families[0]!r} out")
    if position or moves:
        raise ValueError("a family has all its positions: leave --position and --moves out, or the family")
    gpu = gpu_of(device, cls)
    left = {
        name: example
        for family in families
        for name, example in cls.families(family).items()
        if estimate or not building.table_file(folder, cls, name).exists()
    }
    told = ui.estimates(left, number, gpu)
    while (text := wait(lambda: next(told, None), f"estimating {' '.join(families)}")) is not None:
        print(text)
    for family in [] if estimate else families:
        made = build_families(cls, family, folder, work, metric, gpu)
        while (one := wait(partial(next, made, None), f"building {family}")) is not None:
            print(ui.built(one))


@app.command()
def probe(
    game: GameArgument,
    position: Annotated[str, typer.Argument(metavar="POSITION", help="the position to look up")] = "",
    moves: MovesOption = "",
    folder: FolderOption = FOLDER,
    metric: MetricOption = "",
) -> None:
    """Probe a position: its value and distance, and those of each move."""
    from outplay.tables.shelf import Shelf
    from outplay.ui import tables as ui

    state = begin(game, position, moves).state
    shelf = Shelf.wanted(folder, type(state), metric)
    for text in ui.probed(shelf, Shelf.open(folder, type(state)), state):
        print(text)


@app.command()
def bearoff(
    position: Annotated[str, typer.Argument(metavar="POSITION", help="a position to look up")] = "",
    folder: FolderOption = FOLDER,
    points: Annotated[int, typer.Option("--points", help="number of points with checkers")] = 6,
    checkers: Annotated[int, typer.Option("--checkers", help="checkers in the one-sided table")] = 15,
    both: Annotated[
        int, typer.Option("--two-sided", help="checkers per side in the two-sided table; 0: none")
    ] = 6,
) -> None:
    """Build backgammon's bear-off tables.

    The one-sided table has the rolls needed, the two-sided one the equities, cubeless and with the cube.
    """
    from outplay.games import Backgammon
    from outplay.ui.bearoff import build as building
    from outplay.ui.bearoff import probed

    if both < 0:
        raise ValueError(f"--two-sided must be 0 or more, not {both}")
    state = Backgammon.parse(position) if position else None
    for text in building(folder, points, checkers, both):
        print(text)
    if state is not None:
        for text in probed(folder, state, points, checkers, both):
            print(text)


@app.command()
def stats(
    game: GameArgument, family: FamilyArgument = "", folder: FolderOption = FOLDER, metric: MetricOption = ""
) -> None:
    """Count the won, drawn and lost positions, as the literature does."""
    from outplay.game import parse
    from outplay.games import load
    from outplay.tables.shelf import Shelf
    from outplay.ui import tables as ui

    cls = load(game).cls
    shelf = Shelf.wanted(folder, cls, metric)
    for table in [shelf.named(family)] if family else shelf.tables:
        for text in ui.statistics(table, parse(cls, table.header.start)):
            print(text)


@app.command()
def verify(
    game: GameArgument,
    family: FamilyArgument = "",
    folder: FolderOption = FOLDER,
    metric: MetricOption = "",
    threads: ThreadsOption = None,
    device: DeviceOption = "cpu",
) -> None:
    """Verify tables: each value must be that of the best move."""
    from outplay.games import load
    from outplay.tables.shelf import Shelf
    from outplay.tables.verify import verify as verified
    from outplay.ui import tables as ui
    from outplay.ui.wait import patiently

    number = threads_of(threads)
    cls = load(game).cls
    shelf, ends = Shelf.wanted(folder, cls, metric), Shelf.open(folder, cls)
    gpu = gpu_of(device, cls)
    wrong = 0
    for table in [shelf.named(family)] if family else shelf.tables:
        name = ui.title(table.header)
        look = (
            partial(gpu.verify, ends, table)
            if gpu and table.header.family >= 0
            else partial(verified, ends, table, number)
        )
        verdict = patiently(look, f"verifying {name}")
        print(ui.verified(name, verdict))
        wrong += verdict.wrong
    if wrong:
        raise typer.Exit(1)


@app.command()
def longest(
    game: GameArgument, family: FamilyArgument = "", folder: FolderOption = FOLDER, metric: MetricOption = ""
) -> None:
    """Show a position with the longest win, and its best line."""
    from outplay.games import load
    from outplay.tables.shelf import Shelf
    from outplay.tables.statistics import longest as found
    from outplay.ui import tables as ui
    from outplay.ui.wait import patiently

    cls = load(game).cls
    shelf, ends = Shelf.wanted(folder, cls, metric), Shelf.open(folder, cls)
    table = shelf.named(family)
    state = patiently(lambda: found(shelf, table), "looking")
    if state is None:
        print(f"{family or game}: nothing is won")
        return
    for text in ui.longest_line(shelf, ends, state):
        print(text)
