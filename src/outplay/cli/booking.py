"""The commands `outplay book ...`: build opening books from games, and show them."""

from pathlib import Path
from typing import Annotated

import typer

from outplay.cli.arguments import (
    DepthOption,
    GameArgument,
    MovesOption,
    NamesOption,
    NodesOption,
    PositionArgument,
    TimeOption,
    begin,
)

app = typer.Typer()


@app.callback(invoke_without_command=True)
def book(context: typer.Context) -> None:
    """Build opening books from games, and show them."""
    if context.invoked_subcommand is None:
        print(context.get_help())


@app.command()
def build(
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE", help="games: PGN, SGF, .mat, or saved by outplay"),
    ],
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="the book: *.bin is in Polyglot format, for chess")
    ],
    game: Annotated[
        str, typer.Option("--game", metavar="GAME", help="your own game, if the files are records of it")
    ] = "",
    plies: Annotated[int, typer.Option("--plies", help="use the first plies of each game")] = 30,
    games: Annotated[int, typer.Option("--games", help="minimum number of games with a move")] = 1,
    score: Annotated[
        float, typer.Option("--score", help="minimum score of a move for its mover, 0 to 1")
    ] = 0.0,
) -> None:
    """Build a book from games.

    It has the moves of each position, how often they were played, and how they scored.
    """
    from outplay.book.book import Wanted, to_polyglot
    from outplay.book.book import build as built
    from outplay.gamefile import read_games
    from outplay.games import load
    from outplay.storage import check_writable
    from outplay.ui.wait import patiently

    check_writable(out)
    own = [load(game)] if game else []
    wanted = Wanted(plies, games, score).checked()
    made = patiently(
        lambda: built((record for file in files for record in read_games(file, own)), wanted), "reading games"
    )
    if out.suffix == ".bin":  # moves without a point are left out
        moves = patiently(lambda: to_polyglot(made, out), "writing")
        print(f"{out}: {moves:,} moves of {made.game}")
        return
    made.save(out)
    moves = sum(map(len, made.positions.values()))
    print(f"{out}: {moves:,} moves in {len(made.positions):,} positions of {made.game}")


@app.command()
def learn(
    game: GameArgument,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="the book: *.bin is in Polyglot format, for chess")
    ],
    moves: MovesOption = "",
    positions: Annotated[int, typer.Option("--positions", help="maximum number of positions")] = 100,
    weight: Annotated[
        float,
        typer.Option("--weight", help="cost in plies of giving away a pawn: high means narrow and deep"),
    ] = 10.0,
    depth: DepthOption = None,
    nodes: NodesOption = None,
    time: TimeOption = None,
) -> int:
    """Let the engine build a book without games.

    Drop-out expansion from a position, in any two-player game without chance.

    Limits are per search (default: 20,000 nodes). Ctrl-C keeps the book; the same command resumes it.
    """
    import threading

    from outplay.book import learn as learning
    from outplay.limits import Limits
    from outplay.storage import check_writable
    from outplay.ui.wait import patiently

    check_writable(out)
    limits = Limits(depth, nodes, time).checked()
    record = begin(game, moves=moves)
    stop, told = threading.Event(), [""]
    learner = patiently(
        lambda: learning.grown(record, limits if any(limits) else Limits(nodes=20_000), out, (positions, weight),
                               stop, lambda text: told.__setitem__(0, text)),
        "learning a book", lambda: told[0], stop.set,
    )  # fmt: skip
    print(
        f"{out}: {len(learner.nodes):,} positions of {learner.game}{', all there are' * learner.is_complete}"
    )
    return 130 if stop.is_set() else 0


@app.command()
def show(
    game: GameArgument,
    position: PositionArgument = "",
    moves: MovesOption = "",
    file: Annotated[Path | None, typer.Option("--book", metavar="FILE", help="a book")] = None,
    names: NamesOption = None,
) -> None:
    """Show a book's moves in a position, and the name of the opening."""
    from outplay.book.lookup import listed
    from outplay.book.names import opening_of, read_names
    from outplay.game import action_text

    if file is None and names is None:
        raise ValueError("say which book to show (--book), or which names of openings (--names)")
    record = begin(game, position, moves)
    if names is not None:
        print(opening_of(record, read_names(names)) or "no named opening")
    if file is None:
        return
    found = listed(file, record.state)
    width = max((len(action_text(record.state, action)) for action in found), default=0)
    for action, told in found.items():
        print(f"{action_text(record.state, action):<{width}}  {told}")
    if not found:
        print("this position is not in the book")
