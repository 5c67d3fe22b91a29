"""The commands that list games, play them in the terminal and show them again."""

import inspect
import secrets
from datetime import date
from enum import StrEnum
from typing import Annotated

import typer

from outplay.cli.arguments import (
    DepthOption,
    GameArgument,
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


def games(
    name: Annotated[str, typer.Argument(metavar="[GAME]", help="one game, in more words")] = "",
) -> None:
    """List the games, or describe one."""
    from outplay.game import kind
    from outplay.games import TABLE, load
    from outplay.variants import name_of, parameters

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
    from outplay.game import kind
    from outplay.players import player as make
    from outplay.players import search_for
    from outplay.ui.terminal import Table, name_of

    limits = limits_of(depth, nodes, time)
    record = begin(game, position, moves)
    seed = secrets.randbits(32) if seed is None else seed
    numbers = weights_of(weights)
    hidden = kind(type(record.start)).hidden  # then no search fits, and somebody who knows nothing plays
    helper = make(search or ("random" if hidden else search_for(type(record.start))), seed, numbers)
    machine = make(player, seed, numbers) if player else helper
    first, second = (None if side in (seat, Side.both) else machine for seat in (Side.first, Side.second))
    names = ["human" if seat is None else name_of(seat) for seat in (first, second)]
    headers = dict(record.headers) | {"first": names[0], "second": names[1], "date": f"{date.today()}"}
    Table(record._replace(headers=tuple(headers.items())), (first, second), helper, limits, seed).run()


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
