"""The command line. Each command reads what was typed, calls the library, and prints what came back.

Only `typer` is imported here; a command imports what it needs, so that `outplay --help` is quick. Whatever
goes wrong is one line on standard error: exit status 2 for bad input, 1 for a check that failed.
`OUTPLAY_DEBUG=1` shows the traceback instead.
"""

import inspect
import json
import os
import secrets
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from datetime import date
from enum import StrEnum
from functools import partial
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from outplay.record import Record
    from outplay.search.limits import Analysis, Limits
    from outplay.search.solve import Solution
    from outplay.weights import Weights

SECONDS = 1.0  # to think, where no limit is given
TABLE = 128.0  # MB of a solver's table

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="a game's name (with parameters: hexapawn:width=4), a file (mygame.py, mygame.py:Class), "
        "a tree ([[3,12,8],[2,4,6]]) or a saved game",
    ),
]
PositionArgument = Annotated[
    str, typer.Argument(metavar="[POSITION]", help="where to begin, as the game writes it")
]
MovesOption = Annotated[
    str, typer.Option("--moves", metavar="MOVES", help="moves to make first, as in '4 4 3'")
]
SearchOption = Annotated[str, typer.Option("--search", metavar="NAME", help="the search to use")]
PlayerOption = Annotated[str, typer.Option("--player", metavar="BOT", help="a player's name, or bot.py:Bot")]
DepthOption = Annotated[int | None, typer.Option("--depth", help="look at most so many plies ahead")]
NodesOption = Annotated[int | None, typer.Option("--nodes", help="look at no more than about so many nodes")]
TimeOption = Annotated[float | None, typer.Option("--time", help="think for about so many seconds")]
WeightsOption = Annotated[
    Path | None, typer.Option("--weights", metavar="FILE", help="the evaluation's weights, as JSON")
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="repeat the same random choices")]
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON object")]


def run() -> None:
    """The command `outplay`."""
    status = main()
    waiting = sys.modules.get("outplay.ui.wait")
    if waiting is not None and waiting.abandoned():  # only the end of the process stops its native code
        sys.stdout.flush()
        os._exit(status)
    sys.exit(status)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    try:
        return app(args=arguments, prog_name="outplay", standalone_mode=False) or 0
    except Exception as error:
        if os.environ.get("OUTPLAY_DEBUG"):
            raise
        print(f"outplay: {_one_line(error)}", file=sys.stderr)
        return 2


def _one_line(error: Exception) -> str:
    from outplay.files import describe
    from outplay.game import GameError

    if isinstance(error, typer.TyperException):
        return f"{error.format_message().rstrip('.')} (see outplay --help)"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    return (
        str(error) or type(error).__name__ if isinstance(error, (ValueError, GameError)) else describe(error)
    )


@app.callback(invoke_without_command=True)
def outplay(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,
) -> None:
    """Adversarial search: play, solve, search and show games that are defined in plain Python."""
    if version:
        from outplay import __version__

        print(f"outplay {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def games(
    name: Annotated[str, typer.Argument(metavar="[GAME]", help="one game, in more words")] = "",
) -> None:
    """List the games, or describe one."""
    from outplay.game import kind, name_of, parameters
    from outplay.games import TABLE, load

    if not name:
        for entry in TABLE:
            print(f"{entry.name:<12} {entry.about}")
        return
    game = load(name)
    print(f"{name_of(game.cls)}: {kind(game.cls)}")
    print(inspect.getdoc(game.cls))
    if parameters(game.cls):
        print(
            "\nparameters: "
            + ", ".join(f"{key.lower()}={value}" for key, value in parameters(game.cls).items())
        )
    if game.start is not None:
        print(f"initial state: {game.start}")


class Side(StrEnum):
    """Who is the human: the first player is MAX."""

    first = "first"
    second = "second"
    both = "both"
    none = "none"


@app.command()
def play(
    game: GameArgument = "connect4",
    position: PositionArgument = "",
    moves: MovesOption = "",
    side: Annotated[
        Side, typer.Option("--side", help="which is yours; the first player is MAX")
    ] = Side.first,
    player: PlayerOption = "",
    search: SearchOption = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    weights: WeightsOption = None,
    seed: SeedOption = None,
) -> None:
    """Play a game in the terminal."""
    from outplay.players import player as make
    from outplay.ui.terminal import Table, name_of

    limits = _limits(depth, nodes, time)
    record = _begin(game, position, moves)
    seed = secrets.randbits(32) if seed is None else seed
    numbers = _weights(weights)
    helper = make(search or _search_for(record), seed, numbers)
    machine = make(player, seed, numbers) if player else helper
    first, second = (None if side in (seat, Side.both) else machine for seat in (Side.first, Side.second))
    names = ["human" if seat is None else name_of(seat) for seat in (first, second)]
    headers = dict(record.headers) | {"first": names[0], "second": names[1], "date": f"{date.today()}"}
    Table(record._replace(headers=tuple(headers.items())), (first, second), helper, limits, seed).run()


@app.command()
def web(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="[FILE ...]", help="games, bots (bot.py:Bot) or a saved game of your own"),
    ] = None,
    host: Annotated[
        str, typer.Option("--host", help="listen beyond this machine; a token is printed")
    ] = "127.0.0.1",
    port: Annotated[
        int | None, typer.Option("--port", min=0, max=65535, help="by default 8000, or the next that is free")
    ] = None,
    browse: Annotated[bool, typer.Option("--open", help="open it in the browser")] = False,
) -> None:
    """Play, analyse and watch searches in the browser."""
    from outplay.ui.web.server import serve

    serve(files or [], host, port, browse)


@app.command()
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
    limits = _limits(depth, nodes, time)
    record = _begin(game, position, moves)
    if player and not can_choose(record.state):
        raise ValueError("there is nothing to choose here: the game is over, or chance moves")
    if multipv < 1 or (player and multipv > 1):
        raise ValueError("--multipv is 1 or more, and for searches: a player of its own makes one move")
    named = search or usual(type(record.state), limits, multipv).name
    chosen = make(player or named, seed or 0, _weights(weights))
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


@app.command()
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

    limits = _limits(depth, nodes, time)
    record = _begin(game, position, moves)
    found = why_not(record, parse_action(record.state, move), limits)
    if not as_json:
        print(why_text(found))
        return
    lines = {name: line_json(found.state, getattr(found, name)) for name in ("played", "best")}
    print(json.dumps({"sentence": why_sentence(found), "verdict": found.verdict, "loss": found.loss} | lines))


@app.command()
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

    done = analyse_file(file, _limits(depth, nodes, time), pgn, records, svg, as_json)
    return 0 if done else 130


@app.command()
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

    record = _begin(game, position, moves)
    solution, interrupted = watch(Solving(record.state, solver or None, time=time, megabytes=table))
    unsolved = (
        ""
        if solution.proven
        else "not solved; "
        + (bounds_text(type(record.state), solution.lower, solution.upper) or "nothing is proven")
    )
    _print_analysis(record, solution, as_json, unsolved)
    return 0 if solution.proven else 130 if interrupted else 1


@app.command()
def perft(
    game: GameArgument,
    depth: Annotated[int, typer.Argument(metavar="DEPTH", help="plies")],
    position: PositionArgument = "",
    moves: MovesOption = "",
    divided: Annotated[bool, typer.Option("--divide", help="count below each move")] = False,
    as_json: JsonOption = False,
) -> None:
    """Count the lines of play to a depth: the test of a game's rules."""
    from outplay.game import action_text
    from outplay.search import divide
    from outplay.search import perft as count
    from outplay.ui.wait import patiently

    if depth < 0:
        raise ValueError(f"DEPTH must be 0 or more, not {depth}")
    state = _begin(game, position, moves).state
    began = perf_counter()
    below = patiently(lambda: divide(state, depth), "counting") if divided else {}
    nodes = sum(below.values()) if divided else patiently(lambda: count(state, depth), "counting")
    named = {action_text(state, action): number for action, number in below.items()}
    if as_json:
        answer = {"depth": depth, "nodes": nodes, "time": perf_counter() - began}
        print(json.dumps(answer | ({"divide": named} if divided else {})))
        return
    width = max(map(len, named), default=0)
    for text, number in named.items():
        print(f"{text:<{width}}  {number}")
    print(f"{'':<{width}}  {nodes}" if divided else nodes)


@app.command()
def playouts(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    rounds: Annotated[int, typer.Option("--games", help="how many")] = 100_000,
    threads: Annotated[int, typer.Option("--threads", help="that play at the same time")] = 1,
    seed: Annotated[int, typer.Option("--seed", help="the same games for the same number")] = 1,
    hints: Annotated[bool, typer.Option("--hints", help="let the game's own playout() choose")] = False,
    gpu: Annotated[bool, typer.Option("--gpu", help="play on a GPU")] = False,
    as_json: JsonOption = False,
) -> None:
    """Play games at random: how fast, who wins, how long they are."""
    from outplay.search import playouts as play
    from outplay.ui.playouts import text
    from outplay.ui.wait import patiently

    if gpu:
        raise ValueError("random play on a GPU needs GPU support, which this version does not have")
    state = _begin(game, position, moves).state
    patiently(lambda: play(state, 1, seed, hinted=hints))  # compiled before the clock starts
    began = perf_counter()
    played = patiently(lambda: play(state, rounds, seed, threads=threads, hinted=hints), "playing")
    seconds = perf_counter() - began
    print(json.dumps(played._asdict() | {"time": seconds}) if as_json else text(played, seconds))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="FILE", help="saved games")],
    boards: Annotated[bool, typer.Option("--boards", help="draw every position")] = False,
) -> None:
    """Check the games in a file move by move, and show them."""
    from outplay.files import read_text
    from outplay.record import read_all
    from outplay.ui.terminal import Screen

    screen = Screen()
    for record in read_all(read_text(file)):
        screen.replay(record, boards)


@app.command()
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

    record = _begin(game, position, moves)
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


@app.command()
def check(
    game: GameArgument,
    position: PositionArgument = "",
    rounds: Annotated[int, typer.Option("--games", help="random games to play")] = 100,
    seed: Annotated[int, typer.Option("--seed", help="of the random games")] = 1,
) -> int:
    """Test a game's class: the contract, and compiled against interpreted."""
    from outplay.check import check as examine
    from outplay.game import GameError
    from outplay.ui.wait import patiently

    if rounds < 0:
        raise ValueError(f"--games must be 0 or more, not {rounds}")
    try:
        start = _begin(game, position, "").start
        report = patiently(lambda: examine(start, rounds, seed), "checking")
    except GameError as error:  # the class breaks the contract: that is what a check is for
        print(error)
        return 1
    print(report)
    return 1 if report.fault else 0


@app.command()
def grade(
    function: Annotated[str, typer.Argument(metavar="FILE:FUNCTION", help="as in homework.py:alphabeta")],
    kind: Annotated[
        str, typer.Option("--kind", help="the search it should be, if its name does not say")
    ] = "",
    seed: Annotated[int, typer.Option("--seed", help="of the trees and games")] = 1,
) -> int:
    """Compare a student's search with the textbook's and name its mistake."""
    from outplay.grade import grade as examine
    from outplay.grade import load_function

    report = examine(load_function(function), kind or None, seed)
    print(report.text())
    return 0 if report.passed else 1


@app.command()
def match(
    game: GameArgument,
    first: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            help="a player: engine, engine:threads=2,depth=6, random, bot.py:Bot, "
            "uci:stockfish,UCI_Elo=2500, gtp:gtp-rhino --level=3",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="the other player")],
    rounds: Annotated[
        int | None,
        typer.Option("--games", help="how many; each opening is played twice (100; more for a test)"),
    ] = None,
    tc: Annotated[str, typer.Option("--tc", metavar="CLOCK", help="as in 10+0.1 or 40/60+0.5")] = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: Annotated[float | None, typer.Option("--time", help="seconds a move")] = None,
    openings: Annotated[
        str | None, typer.Option("--openings", metavar="FILE", help="where games begin: EPD, PGN, JSON, text")
    ] = None,
    plies: Annotated[int | None, typer.Option("--plies", help="random plies instead of openings")] = None,
    in_order: Annotated[bool, typer.Option("--in-order", help="take the openings as they come")] = False,
    seed: Annotated[int, typer.Option("--seed", help="of openings, dice and random players")] = 1,
    concurrency: Annotated[int, typer.Option("--concurrency", help="games at a time")] = 1,
    sprt: Annotated[str, typer.Option("--sprt", metavar="ELO0,ELO1", help="stop when a test decides")] = "",
    normalised: Annotated[bool, typer.Option("--normalised", help="the test's Elo is normalised")] = False,
    resign: Annotated[
        str, typer.Option("--resign", metavar="SCORE,MOVES|off", help="adjudicate losses")
    ] = "",
    draw: Annotated[str, typer.Option("--draw", metavar="SCORE,MOVES,PLY|off", help="adjudicate draws")] = "",
    max_plies: Annotated[int | None, typer.Option("--max-plies", help="a longer game is drawn")] = None,
    margin: Annotated[float, typer.Option("--margin", help="seconds forgiven at each move")] = 0.1,
    patience: Annotated[float, typer.Option("--patience", help="seconds of silence that mean a hang")] = 10.0,
    out: Annotated[
        str | None, typer.Option("--out", metavar="FILE", help="results; a stopped match goes on from it")
    ] = None,
    records: Annotated[str | None, typer.Option("--records", metavar="FILE", help="the games, saved")] = None,
    pgn: Annotated[str | None, typer.Option("--pgn", metavar="FILE", help="the games as PGN (chess)")] = None,
    as_json: JsonOption = False,
) -> int:
    """Play a match between two players, every opening twice with the sides changed."""
    from outplay.arena import Match, TimeControl, check_files, read_rules, read_sprt, write_games
    from outplay.ui.match import MatchScreen, print_match

    control = TimeControl.clock(tc) if tc else TimeControl()
    control = control._replace(depth=depth, nodes=nodes, time=time)
    played = Match(
        game, (first, second), games=rounds or (100_000 if sprt else 100),
        openings=openings, plies=plies, in_order=in_order, seed=seed,
        control=None if control == TimeControl() and tc != "none" else control, concurrency=concurrency,
        rules=read_rules(game, resign, draw, max_plies), sprt=read_sprt(sprt, normalised),
        margin=margin, patience=patience, out=out,
    )  # fmt: skip
    check_files(played, records, pgn)
    screen = MatchScreen(played)
    stopped = False
    try:
        with screen.showing():
            played.run(screen.hear, screen.starting)
    except KeyboardInterrupt:
        stopped = True
    write_games(played, records, pgn)
    print_match(played, as_json)
    return 130 if stopped else 0


@app.command()
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

    limits = _limits(depth, nodes, time)
    record = _begin(game, position, moves)
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


@app.command()
def search(
    listed: Annotated[bool, typer.Option("--list", help="list them, as it does in any case")] = False,
) -> None:
    """List the searches, and the switches of the engine."""
    import textwrap

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


@app.command()
def uci() -> int:
    """Speak UCI, for chess programs that show boards (they may start `outplay-uci`, too)."""
    from outplay.ui.uci.protocol import main as converse

    return converse()


@app.command()
def bench() -> None:
    """Count nodes over fixed positions: the signature of rules and searches."""
    from outplay.search.bench import WORKS, signature
    from outplay.search.bench import bench as measure
    from outplay.ui.wait import patiently

    print(f"{'game':<44} {'search':<15} {'depth':>5} {'nodes':>11} {'seconds':>8} {'M nodes/s':>9}")
    rows = []
    for work in WORKS:
        (row,) = patiently(partial(measure, (work,)), work.game)
        rows.append(row)
        named = f"{work.game} {work.position}".rstrip()
        depth = "end" if work.depth is None else work.depth
        speed = row.nodes / max(row.time, 1e-9) / 1e6
        print(f"{named:<44} {work.search:<15} {depth:>5} {row.nodes:>11,} {row.time:>8.3f} {speed:>9.1f}")
    print(f"\n{signature(rows)} nodes")


@app.command()
def explain(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    weights: WeightsOption = None,
    as_json: JsonOption = False,
) -> None:
    """Show what a position's evaluation is made of: each term, its weight, its share."""
    from outplay.explain import explain as explained

    record = _begin(game, position, moves)
    found = explained(record.state, _weights(weights))
    if as_json:
        terms = [term._asdict() | {"entries": [e._asdict() for e in term.entries]} for term in found.terms]
        print(json.dumps(found._asdict() | {"terms": terms}))
        return
    from outplay.ui.terms import show

    show(found)


# --- learning -------------------------------------------------------------------------------------------

learning = typer.Typer()
app.add_typer(learning, name="learn")


@learning.callback(invoke_without_command=True)
def learn(context: typer.Context) -> None:
    """Learn: tune evaluations, and make positions to learn from."""
    if context.invoked_subcommand is None:
        print(context.get_help())


class Method(StrEnum):
    """What weights are fitted to."""

    logistic = "logistic"
    squares = "squares"


@learning.command()
def tune(
    game: GameArgument,
    positions: Annotated[
        Path, typer.Option("--positions", metavar="FILE", help="positions with results (or scores)")
    ],
    method: Annotated[
        Method, typer.Option("--method", help="fit game results, or the scores of a search")
    ] = Method.logistic,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="write the weights here")] = None,
    epochs: Annotated[int, typer.Option("--epochs", help="steps at most")] = 200,
    held_out: Annotated[
        float, typer.Option("--held-out", help="share of the positions kept for the test")
    ] = 0.1,
    pull: Annotated[
        float, typer.Option("--pull", help="how strongly weights are held where they were")
    ] = 1.0,
    weights: WeightsOption = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="NAME", help="a weight that stays as it is")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="of what is held out")] = 1,
) -> None:
    """Fit the weights of a game's evaluation to positions whose outcome is known."""
    from outplay.games import load
    from outplay.learn.positions import read
    from outplay.learn.tune import tune as fit
    from outplay.ui.learn import show_progress, show_tuning

    cls = load(game).cls
    samples = read(cls, positions)
    found = fit(
        cls,
        samples,
        method.value,
        held_out=held_out,
        epochs=epochs,
        pull=pull,
        seed=seed,
        start=_weights(weights),
        keep=keep or (),
        report=show_progress,
    )
    show_tuning(found)
    if out is not None:
        found.weights.save(out)


@learning.command()
def positions(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="write them here, as JSON lines")],
    position: PositionArgument = "",
    rounds: Annotated[int, typer.Option("--games", help="games to play")] = 200,
    nodes: Annotated[int, typer.Option("--nodes", help="nodes for each move")] = 2000,
    weights: WeightsOption = None,
    seed: Annotated[int, typer.Option("--seed", help="of the openings")] = 1,
) -> None:
    """Let the engine play itself, and keep the quiet positions with the results of their games."""
    from outplay.learn.positions import lines
    from outplay.learn.selfplay import self_play
    from outplay.ui.learn import show_games

    start = _begin(game, position, "").start
    with out.open("w", encoding="utf-8") as file:
        for samples in show_games(self_play(start, rounds, nodes, seed, _weights(weights)), rounds):
            file.writelines(lines(samples))


# --- what commands share --------------------------------------------------------------------------------


def _begin(game: str, position: str, moves: str) -> "Record":
    from outplay.record import open_game

    return open_game(game, position, moves)


def _trace_uct(record: "Record", search: str, iterations: int, as_json: bool) -> None:
    from outplay.players import options_of
    from outplay.search.ucttrace import record_uct
    from outplay.ui.ucttext import text
    from outplay.ui.wait import patiently

    options = options_of(*search.partition(":")[::2])
    recorded = patiently(lambda: record_uct(record.state, iterations, record.game, **options), "searching")
    for line in recorded.json_lines() if as_json else [text(recorded)]:
        print(line)


def _weights(file: Path | None) -> "Weights | None":
    from outplay.weights import Weights

    return None if file is None else Weights.load(file)


def _limits(depth: int | None, nodes: int | None, time: float | None) -> "Limits":
    from outplay.search.limits import Limits

    limits = Limits(depth, nodes, time).checked()
    return limits if any(limits) else Limits(time=SECONDS)


def _search_for(record: "Record") -> str:
    from outplay.players import search_for

    return search_for(type(record.start))


def _print_analysis(
    record: "Record", analysis: "Analysis | Solution", as_json: bool, unsolved: str = ""
) -> None:
    from outplay.game import is_terminal
    from outplay.search.limits import Analysis
    from outplay.ui.analysis import lines_json, lines_text
    from outplay.ui.board import value_text
    from outplay.ui.terminal import line_texts

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
