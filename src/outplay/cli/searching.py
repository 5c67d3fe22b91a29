"""The commands that show searches at work."""

import json
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from outplay.cli.arguments import (
    DepthOption,
    GameArgument,
    JsonOption,
    MovesOption,
    NodesOption,
    PositionArgument,
    SearchOption,
    TimeOption,
    begin,
    limits_of,
)

if TYPE_CHECKING:
    from outplay.record import Record


def search(
    listed: Annotated[bool, typer.Option("--list", help="list them, as it does in any case")] = False,
) -> None:
    """List the searches, and the switches of the engine."""
    from outplay.search import SEARCHES
    from outplay.search.switches import SWITCHES

    for search in SEARCHES.values():
        print(f"{search.name:<15} {search.description}")
    print(
        "\nThe engine's switches; an exact one never changes a value, a sound one never that of a search "
        "to the end of the game, a selective one may:"
    )
    for switch in SWITCHES:
        print(f"\n{switch.name} ({switch.kind}; {switch.source})")
        print(textwrap.fill(switch.about, 100, initial_indent="    ", subsequent_indent="    "))


def trace(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    search: SearchOption = "",
    depth: DepthOption = None,
    iterations: Annotated[int | None, typer.Option("--iterations", help="of uct (10)")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="draw the tree as SVG")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print the events, one JSON object a line")] = False,
) -> None:
    """Show every step of a search: windows, values, cutoffs; of uct every iteration."""
    from outplay.search.trace import record_search
    from outplay.ui import tree
    from outplay.ui.wait import patiently

    record = begin(game, position, moves)
    if search.partition(":")[0] == "uct":
        if depth is not None or svg is not None:
            raise ValueError("the trace of uct has no --depth and no --svg: give --iterations")
        _trace_uct(record, search, 10 if iterations is None else iterations, as_json)
        return
    if iterations is not None:
        raise ValueError("--iterations is for --search uct")
    recorded = patiently(lambda: record_search(record.state, search or None, depth, record.game), "searching")
    if svg is not None:
        svg.write_text(tree.svg(recorded), encoding="utf-8")
    elif as_json:
        for line in recorded.json_lines():
            print(line)
    else:
        print(tree.text(recorded))


def _trace_uct(record: "Record", search: str, iterations: int, as_json: bool) -> None:
    from outplay.players import options_of
    from outplay.search.ucttrace import record_uct
    from outplay.ui.ucttext import text
    from outplay.ui.wait import patiently

    options = options_of(*search.partition(":")[::2])
    recorded = patiently(lambda: record_uct(record.state, iterations, record.game, **options), "searching")
    for line in recorded.json_lines() if as_json else [text(recorded)]:
        print(line)


def ablate(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    on: Annotated[str, typer.Option("--on", metavar="SET", help="the switches to begin with")] = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="draw the plot as SVG")] = None,
    as_json: JsonOption = False,
) -> None:
    """Run the engine without each of its switches, to see what each one is worth."""
    from outplay.search.ablate import ablate as runs
    from outplay.search.deepen import PLAY
    from outplay.ui import ablation
    from outplay.ui.wait import patiently

    limits = limits_of(depth, nodes, time)
    record = begin(game, position, moves)
    found = []
    work = runs(record.state, limits, on or PLAY)
    while row := patiently(lambda: next(work, None), "searching"):
        found.append(row)
    if svg is not None:
        svg.write_text(
            ablation.svg(found, f"{game}: the engine without each of its switches"), encoding="utf-8"
        )
    if as_json:
        print(json.dumps([row._asdict() for row in found]))
    else:
        ablation.show(found)
