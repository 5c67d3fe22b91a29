"""The command that plays matches."""

from typing import Annotated

import typer

from outplay.cli.arguments import DepthOption, GameArgument, JsonOption, NodesOption


def match(
    game: GameArgument,
    first: Annotated[
        str,
        typer.Argument(
            metavar="FIRST",
            help="a player: engine, engine:threads=2,depth=6, random, bot.py:Bot, "
            "uci:stockfish,UCI_Elo=2500, gtp:gtp-rhino --level=3 (docs/players.md)",
        ),
    ],
    second: Annotated[str, typer.Argument(metavar="SECOND", help="the other player")],
    rounds: Annotated[
        int | None,
        typer.Option("--games", help="number of games, even (default 100; with --sprt 100,000)"),
    ] = None,
    tc: Annotated[str, typer.Option("--tc", metavar="CLOCK", help="clock: 10+0.1, 40/60+0.5 or none")] = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: Annotated[float | None, typer.Option("--time", help="seconds per move")] = None,
    openings: Annotated[
        str | None, typer.Option("--openings", metavar="FILE", help="opening book: EPD, PGN, JSON or text")
    ] = None,
    plies: Annotated[
        int | None, typer.Option("--plies", help="random opening plies, instead of a book")
    ] = None,
    in_order: Annotated[bool, typer.Option("--in-order", help="use the openings in order")] = False,
    seed: Annotated[int, typer.Option("--seed", help="seed for openings, dice and random players")] = 1,
    concurrency: Annotated[int, typer.Option("--concurrency", help="games played at the same time")] = 1,
    sprt: Annotated[
        str, typer.Option("--sprt", metavar="ELO0,ELO1", help="stop as soon as an SPRT decides")
    ] = "",
    normalised: Annotated[bool, typer.Option("--normalised", help="normalised Elo in the SPRT")] = False,
    resign: Annotated[
        str, typer.Option("--resign", metavar="SCORE,MOVES|off", help="adjudicate losses")
    ] = "",
    draw: Annotated[str, typer.Option("--draw", metavar="SCORE,MOVES,PLY|off", help="adjudicate draws")] = "",
    max_plies: Annotated[int | None, typer.Option("--max-plies", help="draw longer games")] = None,
    margin: Annotated[
        float, typer.Option("--margin", help="seconds by which a move may exceed its time")
    ] = 0.1,
    patience: Annotated[
        float, typer.Option("--patience", help="seconds without a reply that count as a hang")
    ] = 10.0,
    out: Annotated[
        str | None,
        typer.Option("--out", metavar="FILE", help="write results; a stopped match resumes from here"),
    ] = None,
    records: Annotated[
        str | None, typer.Option("--records", metavar="FILE", help="write the games as records")
    ] = None,
    pgn: Annotated[
        str | None, typer.Option("--pgn", metavar="FILE", help="write the games as PGN (chess)")
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Play a match between two players. Each opening is played twice, with sides swapped."""
    from outplay.arena import Conditions, Match, TimeControl, check_files, read_rules, read_sprt, write_games
    from outplay.ui.match import MatchScreen, print_match

    control = TimeControl.clock(tc) if tc else TimeControl()
    control = control._replace(depth=depth, nodes=nodes, time=time)
    usual = control == TimeControl() and tc != "none"
    conditions = Conditions(
        games=rounds or (100_000 if sprt else 100),
        control=Conditions().control if usual else control,
        openings=openings, plies=plies, in_order=in_order, seed=seed,
        rules=read_rules(game, resign, draw, max_plies), sprt=read_sprt(sprt, normalised),
        margin=margin, patience=patience,
    )  # fmt: skip
    played = Match(game, (first, second), conditions, concurrency=concurrency, out=out)
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
