"""The command that lets players meet."""

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
