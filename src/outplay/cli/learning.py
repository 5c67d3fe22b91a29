"""The commands `outplay learn ...`: tune evaluations, and make positions to learn from."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outplay.cli.arguments import GameArgument, PositionArgument, WeightsOption, begin, weights_of

app = typer.Typer()


@app.callback(invoke_without_command=True)
def learn(context: typer.Context) -> None:
    """Learn: tune evaluations, and make positions to learn from."""
    if context.invoked_subcommand is None:
        print(context.get_help())


class Method(StrEnum):
    """What weights are fitted to."""

    logistic = "logistic"
    squares = "squares"


@app.command()
def tune(
    game: GameArgument,
    positions: Annotated[
        Path, typer.Option("--positions", metavar="FILE", help="positions with results (or scores)")
    ],
    method: Annotated[
        Method, typer.Option("--method", help="fit game results, or the scores of a search")
    ] = Method.logistic,
    out: Annotated[Path | None, typer.Option("--out", metavar="FILE", help="write the weights here")] = None,
    epochs: Annotated[int, typer.Option("--epochs", help="steps at most")] = 200,
    held_out: Annotated[
        float, typer.Option("--held-out", help="share of the positions kept for the test")
    ] = 0.1,
    pull: Annotated[
        float, typer.Option("--pull", help="how strongly weights are held where they were")
    ] = 1.0,
    weights: WeightsOption = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="NAME", help="a weight that stays as it is")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="of what is held out")] = 1,
) -> None:
    """Fit the weights of a game's evaluation to positions whose outcome is known."""
    from outplay.games import load
    from outplay.learn.positions import read
    from outplay.learn.tune import tune as fit
    from outplay.ui.learn import show_progress, show_tuning

    cls = load(game).cls
    samples = read(cls, positions)
    found = fit(
        cls,
        samples,
        method.value,
        held_out=held_out,
        epochs=epochs,
        pull=pull,
        seed=seed,
        start=weights_of(weights),
        keep=keep or (),
        report=show_progress,
    )
    show_tuning(found)
    if out is not None:
        found.weights.save(out)


@app.command()
def positions(
    game: GameArgument,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="write them here, as JSON lines")],
    position: PositionArgument = "",
    rounds: Annotated[int, typer.Option("--games", help="games to play")] = 200,
    nodes: Annotated[int, typer.Option("--nodes", help="nodes for each move")] = 2000,
    weights: WeightsOption = None,
    seed: Annotated[int, typer.Option("--seed", help="of the openings")] = 1,
) -> None:
    """Let the engine play itself, and keep the quiet positions with the results of their games."""
    from outplay.learn.positions import lines
    from outplay.learn.selfplay import self_play
    from outplay.ui.learn import show_games

    start = begin(game, position).start
    with out.open("w", encoding="utf-8") as file:
        for samples in show_games(self_play(start, rounds, nodes, seed, weights_of(weights)), rounds):
            file.writelines(lines(samples))
