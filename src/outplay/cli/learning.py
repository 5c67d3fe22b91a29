"""The commands `outplay learn ...`: tune evaluations, generate training positions, and learn by self-play."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from outplay.cli.arguments import GameArgument, PositionArgument, WeightsOption, begin, weights_of

app = typer.Typer()

# What the commands that train a net share
LearnedArgument = Annotated[str, typer.Argument(metavar="GAME", help="a game's name, or your file's")]
MinutesOption = Annotated[float, typer.Option("--minutes", help="how long to train")]
RunOption = Annotated[
    Path | None, typer.Option("--out", metavar="RUN", help="the run's folder; the same command resumes it")
]
DeviceOption = Annotated[str, typer.Option("--device", help="cpu or cuda; the GPU where there is one")]
SetOption = Annotated[
    list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="a setting of the run")
]
ShowOption = Annotated[
    Path | None,
    typer.Option("--show", metavar="RUN", help="show the progress of a run, and draw its curves"),
]


def check_device(device: str) -> None:
    if device not in ("", "cpu", "cuda"):
        raise ValueError(f"--device is cpu or cuda, not {device!r}")


@app.callback(invoke_without_command=True)
def learn(context: typer.Context) -> None:
    """Tune evaluations; learn a game by self-play (TD, AlphaZero)."""
    if context.invoked_subcommand is None:
        print(context.get_help())


class Method(StrEnum):
    """The target that weights are fitted to."""

    logistic = "logistic"
    squares = "squares"


@app.command()
def tune(
    game: GameArgument,
    positions: Annotated[
        Path, typer.Option("--positions", metavar="FILE", help="positions with results or scores")
    ],
    method: Annotated[
        Method, typer.Option("--method", help="fit game results (logistic) or a search's scores (squares)")
    ] = Method.logistic,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="write the weights to FILE")
    ] = None,
    epochs: Annotated[int, typer.Option("--epochs", help="maximum number of epochs")] = 200,
    held_out: Annotated[
        float, typer.Option("--held-out", help="share of the positions held out for validation")
    ] = 0.1,
    pull: Annotated[
        float,
        typer.Option("--pull", help="regularisation: how strongly weights are pulled to their old values"),
    ] = 1.0,
    weights: WeightsOption = None,
    keep: Annotated[
        list[str] | None, typer.Option("--keep", metavar="NAME", help="do not change this weight")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="seed for choosing the held-out positions")] = 1,
) -> None:
    """Fit an evaluation's weights to positions with known results."""
    from outplay.games import load
    from outplay.learn.positions import read
    from outplay.learn.tune import Fit
    from outplay.learn.tune import tune as fitted
    from outplay.storage import check_writable
    from outplay.ui.learn import show_progress, show_tuning

    if out is not None:
        check_writable(out)
    cls = load(game).cls
    samples = read(cls, positions)
    found = fitted(
        cls,
        samples,
        Fit(method.value, held_out, epochs, pull, seed, keep or ()),
        start=weights_of(weights),
        report=show_progress,
        checkpoint=None if out is None else _unfinished(out),
    )
    if out is not None:
        found.weights.save(out)
        _unfinished(out).unlink(missing_ok=True)
    show_tuning(found, whole=out is None)


@app.command()
def positions(
    game: GameArgument,
    out: Annotated[
        Path, typer.Option("--out", metavar="FILE", help="write the positions to FILE, as JSON lines")
    ],
    position: PositionArgument = "",
    rounds: Annotated[int, typer.Option("--games", help="number of games")] = 200,
    nodes: Annotated[int, typer.Option("--nodes", help="nodes per move")] = 2000,
    weights: WeightsOption = None,
    seed: Annotated[int, typer.Option("--seed", help="seed for the openings")] = 1,
) -> None:
    """Generate training positions: the engine plays itself.

    It writes quiet positions, each with the result of its game. In a game of points it writes the final score, for
    `outplay learn tune --method squares`.
    """
    from outplay.learn.positions import lines
    from outplay.learn.selfplay import self_play
    from outplay.record import position_text
    from outplay.storage import Journal, check_writable, write_whole
    from outplay.ui.learn import show_games

    check_writable(out)
    record, numbers = begin(game, position), weights_of(weights)
    settings = {
        "format": "outplay positions 1",
        "game": record.game,
        "start": position_text(record.start),
        "nodes": nodes,
        "seed": seed,
        "weights": None if numbers is None else numbers.flat(),
    }
    journal = Journal(_unfinished(out), settings, "an unfinished file of positions")
    with journal.open(), journal.beginning():
        played = self_play(record.start, rounds, nodes, seed, numbers, len(journal.lines))
        for samples in show_games(played, rounds, len(journal.lines)):
            journal.append(list(lines(samples)))
        write_whole(out, "".join(line for game in journal.lines[:rounds] for line in game))
    journal.path.unlink()


@app.command()
def zero(
    game: LearnedArgument = "",
    minutes: MinutesOption = 10.0,
    out: RunOption = None,
    device: DeviceOption = "",
    given: SetOption = None,
    show: ShowOption = None,
) -> None:
    """Learn a game from its rules alone: AlphaZero by self-play."""
    from outplay.ui.zero import learn as train
    from outplay.ui.zero import read_settings, show_run

    if show is not None:
        show_run(show)
    elif not game:
        raise ValueError("say which game to learn, or --show RUN")
    else:
        check_device(device)
        train(game, minutes, out, read_settings(given or []), device)


@app.command()
def policy(
    game: LearnedArgument = "",
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="games: PGN, SGF, .mat, or saved by outplay")
    ] = None,
    minutes: MinutesOption = 10.0,
    out: RunOption = None,
    device: DeviceOption = "",
    given: SetOption = None,
    show: ShowOption = None,
) -> None:
    """Learn a policy from recorded games: AlphaGo's first stage."""
    from outplay.learn.zero.supervised import PolicySettings
    from outplay.ui.supervised import learn as train
    from outplay.ui.supervised import show_run
    from outplay.ui.zero import read_settings

    if show is not None:
        show_run(show)
    elif not game or not files:
        raise ValueError("say which game to learn, and from which files; or --show RUN")
    else:
        check_device(device)
        train(game, files, minutes, out, read_settings(given or [], PolicySettings), device)


@app.command()
def shrink(
    net: Annotated[Path, typer.Argument(metavar="NET", help="the net.npz of a run")],
    out: Annotated[Path, typer.Argument(metavar="FILE", help="where to write it")],
) -> None:
    """Make a net smaller: 16-bit weights; a net of `td` without the units that are never active."""
    from outplay.ui.shrink import shrink as shrunk

    shrunk(net, out)


@app.command()
def td(
    game: LearnedArgument = "",
    files: Annotated[
        list[str] | None, typer.Argument(metavar="FILE", help="recorded games, to learn from them instead")
    ] = None,
    games: Annotated[
        int | None,
        typer.Option("--games", help="number of games (300,000; from files: each game 20 times)"),
    ] = None,
    hidden: Annotated[int, typer.Option("--hidden", help="hidden units of the net")] = 40,
    second: Annotated[
        int,
        typer.Option("--second", help="units of a second hidden layer (default: none)", show_default=False),
    ] = 0,
    base: Annotated[
        str, typer.Option("--from", metavar="NET", help="begin with this net.npz, of as many units or fewer")
    ] = "",
    alpha: Annotated[
        float | None,
        typer.Option("--alpha", help="learning rate in the first game (default: 0.1; with --parallel 0.001)"),
    ] = None,
    last_alpha: Annotated[
        float | None, typer.Option("--last-alpha", help="learning rate in the last game (default: a tenth)")
    ] = None,
    lam: Annotated[float, typer.Option("--lambda", help="decay of the eligibility traces, 0 to 1")] = 0.0,
    explore: Annotated[
        float | None, typer.Option("--explore", help="share of random moves (default: 0.1, with dice 0)")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="seed for initial weights and games")] = 1,
    parallel: Annotated[
        int,
        typer.Option(
            "--parallel",
            help="games in lockstep, which learn together (default: one at a time)",
            show_default=False,
        ),
    ] = 0,
    updates: Annotated[
        int,
        typer.Option("--updates", help="with --parallel: updates per step, each from its share of the games"),
    ] = 1,
    device: DeviceOption = "",
    trial: Annotated[
        int, typer.Option("--trial", help="games against each fixed opponent per point of the curve")
    ] = 500,
    points: Annotated[int, typer.Option("--points", help="points of the curve")] = 40,
    minutes: Annotated[
        float | None, typer.Option("--minutes", help="stop after this long; the same command resumes it")
    ] = None,
    out: RunOption = None,
    show: ShowOption = None,
) -> None:
    """Learn the value of positions by TD(lambda), as TD-Gammon did.

    From self-play, or from recorded games.
    """
    from outplay.ui.td import learn as train
    from outplay.ui.td import show_run

    if show is not None:
        show_run(show)
    elif not game:
        raise ValueError("say which game to learn, or --show RUN")
    else:
        check_device(device)
        given = {"games": games, "hidden": hidden, "second": second, "base": base, "alpha": alpha,
                 "last_alpha": last_alpha, "lam": lam, "explore": explore, "seed": seed, "parallel": parallel,
                 "updates": updates, "device": device, "trial": trial, "points": points}  # fmt: skip
        train(game, files or [], out, minutes, given)


@app.command()
def errors(
    game: GameArgument,
    net: Annotated[str, typer.Argument(metavar="NET", help="a net.onnx or net.npz")],
    positions: Annotated[
        Path | None,
        typer.Option(
            "--positions", metavar="FILE", help="positions, one per line (default: all, in a small game)"
        ),
    ] = None,
    simulations: Annotated[
        list[int] | None,
        typer.Option("--simulations", help="PUCT simulations; 0: the policy alone; may be repeated"),
    ] = None,
    count: Annotated[int, typer.Option("--count", help="number of positions to test; 0: all")] = 0,
) -> None:
    """Count how often a net's moves lose value.

    Moves are compared with exact values.
    """
    from outplay.ui.zero import show_errors

    show_errors(game, net, positions, simulations or [0, 64], count)


def _unfinished(out: Path) -> Path:
    """The file with unfinished work, from which a killed run resumes."""
    return out.with_name(f"{out.name}.part")
