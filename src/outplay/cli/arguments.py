"""The arguments and options that commands share, and how they are parsed."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from outplay.limits import Limits
    from outplay.record import Record
    from outplay.weights import Weights

SECONDS = 1.0  # search time, if no limit is given

GameArgument = Annotated[
    str,
    typer.Argument(
        metavar="GAME",
        help="a game's name (with parameters: hexapawn:width=4), a file (mygame.py, mygame.py:Class), "
        "a tree ([[3,12,8],[2,4,6]]) or a file with a saved game",
    ),
]
PositionArgument = Annotated[
    str,
    typer.Argument(
        metavar="[POSITION]", help="the position to start from, in the game's own notation; or a saved game"
    ),
]
MovesOption = Annotated[
    str, typer.Option("--moves", metavar="MOVES", help="moves to play first, as in '4 4 3'")
]
SearchOption = Annotated[
    str,
    typer.Option("--search", metavar="NAME", help="the search to use, as in uct:c=1 (see outplay search)"),
]
PlayerOption = Annotated[
    str, typer.Option("--player", metavar="BOT", help="a player: a name, or bot.py:Bot (docs/players.md)")
]
DepthOption = Annotated[int | None, typer.Option("--depth", help="search at most this many plies deep")]
NodesOption = Annotated[int | None, typer.Option("--nodes", help="search about this many nodes at most")]
TimeOption = Annotated[float | None, typer.Option("--time", help="search for about this many seconds")]
WeightsOption = Annotated[
    Path | None, typer.Option("--weights", metavar="FILE", help="JSON file with weights for the evaluation")
]
NamesOption = Annotated[
    Path | None,
    typer.Option("--names", metavar="FILE", help="names of chess openings: a list, or a folder of lists"),
]
SeedOption = Annotated[int | None, typer.Option("--seed", help="seed for random choices")]
JsonOption = Annotated[bool, typer.Option("--json", help="print one JSON object")]


def begin(game: str, position: str = "", moves: str = "") -> "Record":
    """The record of the game at the position given by the arguments."""
    from outplay.gamefile import open_game

    return open_game(game, position, moves)


def not_for_two(cls: type) -> str:
    """What is supported for a game that is not for two players; empty for one that is."""
    from outplay.game import kind

    players = kind(cls).players
    if players == 2:
        return ""
    return (
        f"{cls.__name__} is for {players} player{'s' * (players != 1)}: it can be checked, counted (perft) and "
        "played at random (playouts); best and solve search it; play, match and the page are for two players"
    )


def limits_of(depth: int | None, nodes: int | None, time: float | None, player: Any = None) -> "Limits":
    """The limits of a search; by default one second, unless the player's own options say when its search ends."""
    from outplay.limits import Limits

    limits = Limits(depth, nodes, time).checked()
    bounded = getattr(getattr(player, "search", None), "is_bounded", False)
    return limits if any(limits) or bounded else Limits(time=SECONDS)


def weights_of(file: Path | None) -> "Weights | None":
    """The weights in a file; None (the game's own) without a file."""
    from outplay.weights import Weights

    return None if file is None else Weights.load(file)
