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
