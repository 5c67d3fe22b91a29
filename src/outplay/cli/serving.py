"""The commands that serve other programs: the browser, UCI and GTP."""

from typing import Annotated

import typer


def web(
    files: Annotated[
        list[str] | None,
        typer.Argument(metavar="FILE", help="your own games, bots (bot.py:Bot), a saved game, tables, books"),
    ] = None,
    host: Annotated[str, typer.Option("--host", help="address to listen on")] = "127.0.0.1",
    port: Annotated[
        int | None,
        typer.Option("--port", min=0, max=65535, help="port (default: 8000, or the next free one)"),
    ] = None,
    browse: Annotated[bool, typer.Option("--open", help="open the page in the browser")] = False,
) -> None:
    """Play, analyse and watch searches in the browser."""
    from outplay.ui.web.server import serve

    serve(files or [], host, port, browse)


def uci() -> int:
    """Speak UCI, for chess GUIs (`outplay-uci` does the same)."""
    from outplay.ui.uci.protocol import main as converse

    return converse()


def gtp(
    game: Annotated[str, typer.Argument(metavar="GAME", help="go, go:size=19, othello")] = "go",
    search: Annotated[
        str, typer.Option("--search", help="the player: uct:threads=2, engine, random ...")
    ] = "",
    seconds: Annotated[
        float, typer.Option("--time", min=0.01, help="seconds per move, unless the controller sets clocks")
    ] = 1.0,
    nodes: Annotated[
        int | None, typer.Option("--nodes", min=1, help="nodes (or simulations) per move, instead of a time")
    ] = None,
    resign: Annotated[
        float,
        typer.Option(
            "--resign", min=0, max=50, help="resign below this winning chance, in percent; 0: never"
        ),
    ] = 3.0,
) -> int:
    """Speak GTP, for Go and Othello GUIs and servers.

    Such GUIs are GoGui, Sabaki and Quarry.
    """
    from outplay.limits import Limits
    from outplay.ui.gtp.protocol import main as converse

    limits = Limits(nodes=nodes) if nodes else Limits(time=seconds)
    return converse(game, search, limits.checked(), resign)
