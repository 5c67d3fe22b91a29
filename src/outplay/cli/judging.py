"""The commands that judge positions, moves and whole games."""

import json
import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from outplay.cli.arguments import (
    DepthOption,
    GameArgument,
    JsonOption,
    MovesOption,
    NodesOption,
    PlayerOption,
    PositionArgument,
    SearchOption,
    SeedOption,
    TimeOption,
    WeightsOption,
    begin,
    limits_of,
    weights_of,
)

if TYPE_CHECKING:
    from outplay.limits import Analysis
    from outplay.record import Record
    from outplay.search.solve import Solution

TABLE = 128.0  # MB of a solver's table


def best(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    search: SearchOption = "",
    player: PlayerOption = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    weights: WeightsOption = None,
    seed: SeedOption = None,
    multipv: Annotated[int, typer.Option("--multipv", metavar="N", help="show the N best moves")] = 1,
    rote: Annotated[
        Path | None,
        typer.Option("--rote", metavar="FILE", help="keep the engine's table there, for the next time"),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best move in a position, or the best few."""
    from outplay.players import can_choose
    from outplay.players import player as make
    from outplay.search.driver import usual
    from outplay.ui.terminal import think

    if search and player:
        raise ValueError("give --search or --player, not both")
    limits = limits_of(depth, nodes, time)
    record = begin(game, position, moves)
    if player and not can_choose(record.state):
        raise ValueError("there is nothing to choose here: the game is over, or chance moves")
    if multipv < 1 or (player and multipv > 1):
        raise ValueError("--multipv is 1 or more, and for searches: a player of its own makes one move")
    named = search or usual(type(record.state), limits, multipv).name
    chosen = make(player or named, seed or 0, weights_of(weights))
    engine: Any = getattr(chosen, "engine", None)
    if rote is not None and not hasattr(engine, "recall"):
        raise ValueError("--rote keeps the engine's table: search with the engine (--search engine)")
    if rote is not None:
        engine.recall(rote, record.state)
    with redirect_stdout(sys.stderr):  # what a user's own player prints is no part of the answer
        analysis = think(chosen, record, limits, anytime=True, lines=multipv)
    if rote is not None:
        engine.keep(rote, record.state)
    _print_analysis(record, analysis, as_json)


def why(
    game: GameArgument,
    move: Annotated[str, typer.Argument(metavar="MOVE", help="the move in question")],
    position: PositionArgument = "",
    moves: MovesOption = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    as_json: JsonOption = False,
) -> None:
    """Say why not to play a move: the line that refutes it, beside the best one."""
    from outplay.game import parse_action
    from outplay.ui.analysis import line_json, why_not, why_sentence, why_text

    limits = limits_of(depth, nodes, time)
    record = begin(game, position, moves)
    found = why_not(record, parse_action(record.state, move), limits)
    if not as_json:
        print(why_text(found))
        return
    lines = {name: line_json(found.state, getattr(found, name)) for name in ("played", "best")}
    print(json.dumps({"sentence": why_sentence(found), "verdict": found.verdict, "loss": found.loss} | lines))


def analyse(
    file: Annotated[str, typer.Argument(metavar="FILE", help="games: PGN, or saved ones of any game")],
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    pgn: Annotated[Path | None, typer.Option("--pgn", metavar="FILE", help="annotated PGN (chess)")] = None,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FILE", help="annotated records (any game)")
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="draw the value as SVG")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object a game")] = False,
) -> int:
    """Judge the moves of games: values, better lines, blunders. The limits are for each position.

    Ctrl-C ends it with what is done so far; a game that cannot be read ends it too, after those before it.
    """
    from outplay.ui.analysis import analyse_file

    done = analyse_file(file, limits_of(depth, nodes, time), pgn, records, svg, as_json)
    return 0 if done else 130


def solve(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    solver: Annotated[
        str,
        typer.Option(
            "--solver", "--search", metavar="NAME", help="mtdf, dfpn, conspiracy, or a search's name"
        ),
    ] = "",
    time: Annotated[float | None, typer.Option("--time", help="give up after so many seconds")] = None,
    table: Annotated[float, typer.Option("--table", metavar="MB", help="size of the table")] = TABLE,
    as_json: JsonOption = False,
) -> int:
    """Prove the value of a position with best play to the end.

    Exit status: 0 solved, 1 not within the time, 130 interrupted; what is proven by then is printed.
    """
    from outplay.search.solve import Solving
    from outplay.ui.solving import bounds_text, watch

    record = begin(game, position, moves)
    solution, interrupted = watch(Solving(record.state, solver or None, time=time, megabytes=table))
    unsolved = (
        ""
        if solution.proven
        else "not solved; "
        + (bounds_text(type(record.state), solution.lower, solution.upper) or "nothing is proven")
    )
    _print_analysis(record, solution, as_json, unsolved)
    return 0 if solution.proven else 130 if interrupted else 1


def explain(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    weights: WeightsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a position's evaluation is made of: each term, its weight, its share."""
    from outplay.explain import explain as explained

    record = begin(game, position, moves)
    found = explained(record.state, weights_of(weights))
    if as_json:
        terms = [term._asdict() | {"entries": [e._asdict() for e in term.entries]} for term in found.terms]
        print(json.dumps(found._asdict() | {"terms": terms}))
        return
    from outplay.ui.terms import show

    show(found)


def _print_analysis(
    record: "Record", analysis: "Analysis | Solution", as_json: bool, unsolved: str = ""
) -> None:
    from outplay.game import is_terminal, line_texts
    from outplay.limits import Analysis
    from outplay.ui.analysis import lines_json, lines_text
    from outplay.ui.board import value_text

    line = line_texts(record.state, analysis.line)
    answer = analysis._asdict() | {"action": line[0] if line else None, "line": line}
    lines = (analysis, *analysis.others) if isinstance(analysis, Analysis) else ()
    if len(lines) > 1:
        answer["others"] = lines_json(record.state, lines[1:])
    if as_json:
        print(json.dumps(answer))
        return
    nobody = "none: the game is over" if is_terminal(record.state) else "none: chance moves"
    if unsolved:
        print(f"value   {unsolved}")
    else:
        print(f"action  {answer['action'] or nobody}")
    if analysis.value is not None:
        print(f"value   {value_text(analysis.value)}{' (proven)' if analysis.proven else ''}")
    if len(lines) > 1:
        print(lines_text(record.state, lines))
    elif line:
        print(f"line    {' '.join(line)}")
    print(f"depth   {analysis.depth}")
    print(f"nodes   {analysis.nodes:,}")
    print(f"time    {analysis.time:.3f} s")
    if "solver" in answer:
        print(f"solver  {answer['solver']}")
