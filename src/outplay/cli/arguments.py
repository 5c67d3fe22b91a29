"""What commands share: the arguments and options they have in common, and how those are read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from outplay.limits import Limits
    from outplay.record import Record
    from outplay.weights import Weights

SECONDS = 1.0  # to think, where no limit is given

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


def begin(game: str, position: str = "", moves: str = "") -> "Record":
    """The game at the position that the arguments name."""
    from outplay.record import open_game

    return open_game(game, position, moves)


def limits_of(depth: int | None, nodes: int | None, time: float | None) -> "Limits":
    """The limits of a search as they were given; without any, a second."""
    from outplay.limits import Limits

    limits = Limits(depth, nodes, time).checked()
    return limits if any(limits) else Limits(time=SECONDS)


def weights_of(file: Path | None) -> "Weights | None":
    """The weights in a file; None, the game's own, where no file is named."""
    from outplay.weights import Weights

    return None if file is None else Weights.load(file)
