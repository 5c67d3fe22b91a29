"""The commands that show searches at work."""

import json
import textwrap
from pathlib import Path
from typing import Annotated, Any

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


def search() -> None:
    """List the searches, their options, and the engine's switches."""
    from outplay.search import SEARCHES
    from outplay.search.engine.switches import OFF, SETS, SWITCHES

    for search in SEARCHES.values():
        print(f"{search.name:<15} {search.about}")
        print(f"{'':<15} source: {search.source}")
        for option in search.described():
            print(f"{'':<15} {option.name + '=':<12} {option.about}{written(option.default)}")
    print(f"""
Options follow a colon: uct:c=1,threads=2 (docs/players.md explains them).

Choose the engine's switches with on=...: {", ".join(SETS)}, or names of switches; + adds one, - removes one:
    engine:on=none              plain alpha-beta
    "engine:on=default -null"   the default without the null move (same as "engine:on=-null")
    "engine:on=none +table"     only the transposition table
`default` is all but {", ".join(OFF)}. An exact switch never changes a value. A sound one never changes the
value of a search to the end of the game. A selective one may.""")
    for switch in SWITCHES:
        off = "; off by default" if switch.name in OFF else ""
        print(f"\n{switch.name} ({switch.kind}{off}; {switch.source})")
        print(textwrap.fill(switch.about, 100, initial_indent="    ", subsequent_indent="    "))


def written(default: Any) -> str:
    """An option's default in parentheses, as one writes it; nothing if there is none."""
    if default in (None, ""):
        return ""
    if isinstance(default, (bool, float)):
        return f" ({float(default):g})"
    return f" ({default})"


def trace(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    search: SearchOption = "",
    depth: DepthOption = None,
    iterations: Annotated[
        int | None, typer.Option("--iterations", help="for uct: how many iterations (10)")
    ] = None,
    seed: Annotated[int | None, typer.Option("--seed", help="for uct: seed for its random games")] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="draw the tree as SVG")] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="print the events, one JSON object per line")
    ] = False,
) -> None:
    """Show every step of a search: windows, values, cutoffs.

    For UCT, every iteration.
    """
    from outplay.games.tree import ChanceTree, Tree, lacks_static_values
    from outplay.limits import Limits
    from outplay.search.trace.record import record_search
    from outplay.storage import write_whole
    from outplay.ui import tree
    from outplay.ui.wait import patiently

    record = begin(game, position, moves)
    if depth is not None and isinstance(record.state, Tree | ChanceTree):
        Limits(depth=depth).checked()
        if lacks_static_values(record.state, depth):
            raise ValueError(
                f"the tree has no static values at depth {depth}: write them before the brackets, as in 2[20, 1]"
            )
    given = {} if seed is None else {"seed": seed}
    recorded = patiently(
        lambda: record_search(
            record.state, search or None, depth, record.game, iterations=iterations, **given
        ),
        "searching",
    )
    if svg is not None:
        write_whole(svg, tree.svg(recorded))
        return
    for line in recorded.json_lines() if as_json else [tree.text(recorded)]:
        print(line)


def ablate(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    on: Annotated[
        str, typer.Option("--on", metavar="SET", help="switches to start from (the set `default`)")
    ] = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="draw the plot as SVG")] = None,
    as_json: JsonOption = False,
) -> None:
    """Measure each enhancement of the engine by switching it off."""
    from outplay.search.engine.ablation import ablate as runs
    from outplay.search.engine.engine import PLAY
    from outplay.storage import write_whole
    from outplay.ui import ablation
    from outplay.ui.wait import patiently

    limits = limits_of(depth, nodes, time)
    record = begin(game, position, moves)
    found = []
    work = runs(record.state, limits, on or PLAY)
    while row := patiently(lambda: next(work, None), "searching"):
        found.append(row)
    if svg is not None:
        write_whole(svg, ablation.svg(found, f"{game}: the engine without each of its switches"))
    if as_json:
        print(json.dumps([row._asdict() for row in found]))
    else:
        ablation.show(found)
