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
    NamesOption,
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
from outplay.ui import interrupt

if TYPE_CHECKING:
    from outplay.limits import Analysis
    from outplay.record import Record
    from outplay.search.proof.solve import Solution

TABLE = 128.0  # MB of a solver's table
NETS, CANDIDATES = (
    ("td", "rollout"),
    5,
)  # default number of moves that value-net searches list


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
    multipv: Annotated[
        int | None,
        typer.Option(
            "--multipv", metavar="N", help="show the N best moves [default: 1; with a value net: 5]"
        ),
    ] = None,
    rote: Annotated[
        Path | None,
        typer.Option(
            "--rote", metavar="FILE", help="save the transposition table in FILE, and load it next time"
        ),
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """Find the best move in a position, or the N best."""
    from outplay.players import can_choose, judge_for
    from outplay.players import player as make
    from outplay.search.searches import usual
    from outplay.ui.terminal import think

    if search and player:
        raise ValueError("give --search or --player, not both")
    limits = limits_of(depth, nodes, time)
    record = begin(game, position, moves)
    cls = type(record.state)
    if player and not can_choose(record.state):
        raise ValueError("no player moves here: the game is over, or chance moves")
    if multipv is not None and (multipv < 1 or player and multipv > 1):
        raise ValueError("--multipv must be 1 or more, and needs a search: a player gives one move")
    timed = limits.time is not None or limits.nodes is not None
    named = search or (judge_for(cls) if timed else usual(cls, limits, multipv or 1).name)
    lines = multipv or (CANDIDATES if named.startswith(NETS) and not player else 1)
    chosen = make(player or named, seed or 0, weights_of(weights))
    searching: Any = getattr(chosen, "search", None)
    if rote is not None and not hasattr(searching, "recall"):
        raise ValueError("--rote saves the engine's table: add --search engine")
    if rote is not None:
        searching.recall(rote, record.state)
    limits = limits_of(depth, nodes, time, chosen)
    with redirect_stdout(sys.stderr):  # a user's player may print: keep that out of the result
        analysis = think(chosen, record, limits, anytime=True, lines=lines)
    if interrupt.heard.is_set() and analysis.depth == 0:
        raise KeyboardInterrupt  # nothing was searched, so there is nothing to report
    if rote is not None:
        searching.keep(rote, record.state)
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
    """Explain why a move is bad: the line that refutes it.

    The best line is shown beside it.
    """
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
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="PGN, SGF, .mat or saved games; a game of your own goes before them"
        ),
    ],
    named: Annotated[str, typer.Argument(metavar="SAVED", help="saved games of your own game")] = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    pgn: Annotated[
        Path | None, typer.Option("--pgn", metavar="FILE", help="write annotated PGN (chess)")
    ] = None,
    records: Annotated[
        Path | None, typer.Option("--records", metavar="FILE", help="write annotated records (any game)")
    ] = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="draw the values as SVG")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="print one JSON object per game")] = False,
    names: NamesOption = None,
) -> int:
    """Judge every move of a game: values, better lines, blunders. Limits are per position.

    Ctrl-C stops it and keeps the results so far. A game that cannot be read stops it too.
    """
    from outplay.ui.analysis import analyse_file

    game, file = (file, named) if named else ("", file)
    done = analyse_file(file, game, limits_of(depth, nodes, time), pgn, records, svg, as_json, names)
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
    time: Annotated[float | None, typer.Option("--time", help="give up after this many seconds")] = None,
    table: Annotated[
        float, typer.Option("--table", metavar="MB", help="size of the transposition table")
    ] = TABLE,
    as_json: JsonOption = False,
) -> int:
    """Prove the value of a position with best play to the end.

    Exit status: 0 if solved, 1 if the time ran out, 130 if interrupted; bounds proven so far are printed.
    """
    from outplay.search.proof.solve import Solving
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
    net: Annotated[
        str,
        typer.Option(
            "--net",
            metavar="FILE",
            help="show a network's policy and value instead; own: the net that comes with the game",
        ),
    ] = "",
    simulations: Annotated[
        int,
        typer.Option("--simulations", help="with --net: simulations of a search with it; 1: the net alone"),
    ] = 100,
    as_json: JsonOption = False,
) -> None:
    """Explain a position's value: terms, or a network's output.

    With --net also a search guided by the network: P, N, W and Q of each action.
    """
    from outplay.explain import explain as explained
    from outplay.weights import NotLinear

    record = begin(game, position, moves)
    if net:
        _explain_net(record, net, simulations, as_json)
        return
    judged = "" if as_json else _by_value_net(record.state)
    if judged:
        print(judged)
    try:
        found = explained(record.state, weights_of(weights))
    except NotLinear:
        if judged:  # the net's output is already printed; the evaluation has no separable terms
            return
        raise
    if as_json:
        terms = [term._asdict() | {"entries": [e._asdict() for e in term.entries]} for term in found.terms]
        print(json.dumps(found._asdict() | {"terms": terms}))
        return
    from outplay.ui.terms import show

    show(found)


def _explain_net(record: "Record", net: str, simulations: int, as_json: bool) -> None:
    """The edges of a position: P from a network, N, W and Q from a search."""
    from outplay.game import action_text
    from outplay.search.mcts.edges import edges_of
    from outplay.search.mcts.network import Network, own_net
    from outplay.search.protocol import terms

    inner = terms.inward(record)
    cls: Any = type(inner.state)
    network = own_net(cls) if net == "own" else Network(net)
    if network is None:
        raise ValueError(
            f"{record.game} comes without a net: train one with `outplay learn zero`, and name it"
        )
    found = edges_of(network, inner.state, simulations, inner.past())
    if as_json:
        edges = [
            {"move": action_text(inner.state, edge.action), "P": edge.prior, "N": edge.visits, "W": edge.total,
             "Q": edge.mean}
            for edge in found.edges
        ]  # fmt: skip
        print(json.dumps(found._asdict() | {"edges": edges}))
        return
    from outplay.ui.edges import show

    show(found, inner.state)


def _by_value_net(state: Any) -> str:
    """The output of a game's own value net for a state; empty if it has none."""
    from outplay.players import judge_for

    if not judge_for(type(state)).startswith(NETS):
        return ""
    from outplay.analysis.equity import is_backgammon
    from outplay.search.valuenet.td import TD
    from outplay.ui.analysis import chances_text

    told = [f"value net: {text}" for text in chances_text(state, TD().chances(state))]
    if is_backgammon(type(state)):
        from outplay.ui.equities import cube_text

        told += filter(None, [cube_text(state)])
    return "\n".join(told)


def _print_equities(state: Any, lines: "tuple[Analysis, ...]") -> None:
    """A value net's output for moves: in backgammon as equities, else the chances of the best move."""
    from outplay.analysis.equity import is_backgammon
    from outplay.ui.analysis import chances_text, lines_text

    if is_backgammon(type(state)):
        from outplay.ui.equities import candidates_text, cube_text

        print(candidates_text(state, lines))
        if cube := cube_text(state):
            print(cube)
        return
    for text in chances_text(state, lines[0].chances):
        print(f"chance  {text}")
    if len(lines) > 1:
        print(lines_text(state, lines))


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
    if lines and any(one.chances for one in lines):
        _print_equities(record.state, lines)
    elif len(lines) > 1:
        print(lines_text(record.state, lines))
    elif line:
        print(f"line    {' '.join(line)}")
    print(f"depth   {analysis.depth}")
    print(f"nodes   {analysis.nodes:,}")
    if isinstance(analysis, Analysis) and analysis.tbhits:
        print(f"tables  {analysis.tbhits:,} table hit{'s' * (analysis.tbhits > 1)}")
    print(f"time    {analysis.time:.3f} s")
    if "solver" in answer:
        print(f"solver  {answer['solver']}")
