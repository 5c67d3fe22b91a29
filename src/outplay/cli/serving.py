"""The commands that serve other programs: the browser, and those that speak a protocol."""

from typing import Annotated

import typer


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


def uci() -> int:
    """Speak UCI, for chess programs that show boards (they may start `outplay-uci`, too)."""
    from outplay.ui.uci.protocol import main as converse

    return converse()


def gtp(
    game: Annotated[str, typer.Argument(help="go, go:size=19, othello")] = "go",
    search: Annotated[
        str, typer.Option("--search", help="the player: uct:threads=2, engine, random ...")
    ] = "",
    seconds: Annotated[
        float, typer.Option("--time", min=0.01, help="seconds a move, unless the controller sets clocks")
    ] = 1.0,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="nodes, or simulations, a move instead")
    ] = None,
    resign: Annotated[
        float, typer.Option("--resign", min=0, max=50, help="give up below so many percent; 0: never")
    ] = 3.0,
) -> int:
    """Speak GTP, for programs and servers of Go and Othello (GoGui, Sabaki, Quarry)."""
    from outplay.limits import Limits
    from outplay.ui.gtp.protocol import main as converse

    return converse(game, search, Limits(nodes=nodes) if nodes else Limits(time=seconds), resign)
