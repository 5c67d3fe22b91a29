"""The commands that list games, play them in the terminal and replay them."""

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
    not_for_two,
    weights_of,
)


def games(
    name: Annotated[str, typer.Argument(metavar="GAME", help="the game to describe")] = "",
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
    """The side of the human: the first player is MAX."""

    first = "first"
    second = "second"
    both = "both"
    none = "none"


def play(
    game: GameArgument = "connect4",
    position: PositionArgument = "",
    moves: MovesOption = "",
    side: Annotated[
        Side | None,
        typer.Option(
            "--side", help="the side you play; first is MAX, who moves first (or as in the saved game)"
        ),
    ] = None,
    player: PlayerOption = "",
    search: SearchOption = "",
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
    weights: WeightsOption = None,
    seed: SeedOption = None,
    elo: Annotated[
        int | None, typer.Option("--elo", min=800, max=2800, help="a weaker opponent (chess), 800 to 2800")
    ] = None,
) -> None:
    """Play a game in the terminal, or resume a saved one.

    A saved game resumes with the same side, opponent and limits, unless you give others. `save` writes it back to its
    file.
    """
    from outplay.game import checked_state, kind
    from outplay.players import player as make
    from outplay.players import search_for
    from outplay.ui import resume
    from outplay.ui.terminal import Table, name_of
    from outplay.ui.weaker import elo_of, weaker

    record = begin(game, position, moves)
    if refused := not_for_two(type(record.start)):
        raise ValueError(refused)
    if elo is not None and (player or search or depth or nodes or time):
        raise ValueError(
            "--elo already limits the engine: drop --player, --search, --depth, --nodes and --time"
        )
    checked_state(record.state)
    given = (depth, nodes, time) if depth or nodes or time else resume.limits_of(record)[:3]
    limits_of(*given)  # bad ones are told before anything else
    side = side or Side(resume.side_of(record))
    player = player or ("" if search or elo is not None else resume.opponent_of(record))
    elo = elo_of(player) if elo is None else elo
    seed = secrets.randbits(32) if seed is None else seed
    numbers = weights_of(weights)
    hidden = kind(type(record.start)).hidden  # no search supports such games yet: a random player plays
    helper = make(search or ("random" if hidden else search_for(type(record.start))), seed, numbers)
    machine = (
        weaker(record.start, elo, seed)
        if elo is not None
        else make(player, seed, numbers)
        if player
        else helper
    )
    limits = limits_of(*given, machine)
    first, second = (None if side in (seat, Side.both) else machine for seat in (Side.first, Side.second))
    names = [resume.HUMAN if seat is None else name_of(seat) for seat in (first, second)]
    record = record._replace(headers=resume.headers_of(record, names, limits, f"{date.today()}"))
    Table(record, (first, second), helper, limits, seed, resume.file_of(game, position)).run()


def replay(
    file: Annotated[
        str,
        typer.Argument(
            metavar="FILE", help="PGN, SGF, .mat or saved games; a game of your own goes before them"
        ),
    ],
    named: Annotated[str, typer.Argument(metavar="SAVED", help="saved games of your own game")] = "",
    boards: Annotated[bool, typer.Option("--boards", help="show every position")] = False,
) -> None:
    """Check saved games move by move, and show them."""
    from outplay.gamefile import read_games
    from outplay.games import load
    from outplay.ui.terminal import Screen

    screen = Screen()
    for record in read_games(named, [load(file)]) if named else read_games(file):
        screen.replay(record, boards)
