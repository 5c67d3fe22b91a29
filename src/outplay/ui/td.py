"""Learning with TD(lambda), or from recorded games, in the terminal."""

import sys
from functools import partial
from pathlib import Path
from typing import Any

from outplay.learn.folder import NET
from outplay.learn.td.settings import Settings, exploration, read_run
from outplay.ui.curves import curves_svg
from outplay.ui.resumable import resumable
from outplay.ui.zero import best_device, wanted_device

CURVES = "curves.svg"
GAMES = 300_000  # of self-play
ALPHA, BATCH_ALPHA = 0.1, 0.001  # learning rates of single games, and of games in lockstep
EPOCHS = 20  # how often each recorded game is used
SHOWN = {
    "predicted": "moves predicted (share, held-out games)",
    "pubeval": "points per game against pubeval",
    "random": "points per game against random play",
    "error": "error (mean square)",
    "games_per_second": "games/s",
}


def show_line(line: dict[str, Any]) -> None:
    """Print a line of the log when it is written."""
    against = "".join(f"  {name} {line[name]:+.3f}" for name in ("random", "pubeval") if name in line)
    if line.get("predicted") is not None:
        against += f"  predicts {100 * line['predicted']:.1f} %"
    print(
        f"{line['games']:>11,} games  {line['games_per_second']:>8,.0f}/s  {line['moves']:6.1f} moves  "
        f"error {line['error']:.5f}{against}",
        file=sys.stderr,
        flush=True,
    )


def show_progress(now: dict[str, Any]) -> None:
    """Show the progress of a run on the terminal's last line."""
    if sys.stderr.isatty():
        share = 100 * now["game"] / now["games"]
        told = f"{now['game']:>11,} games  {now['games_per_second']:>8,}/s  {share:.0f} %"
        print(f"{told}  ", end="\r", file=sys.stderr, flush=True)


def show_run(path: Path) -> None:
    """Print a run's settings and progress, and draw its curves into the folder."""
    settings, told = read_run(path)
    lines = list({line["games"]: line for line in told}.values())  # a resumed run may repeat lines
    print(
        f"{settings.game}: {settings.games:,} games, {shape_of(settings)} hidden units, lambda {settings.lam:g}, "
        f"alpha {settings.alpha:g} to {settings.last_alpha:g}, seed {settings.seed}"
        + (f"; from {settings.lessons}" if settings.lessons else "")
    )
    if not lines:
        print("no line yet")
        return
    last = lines[-1]
    done = min(100.0, 100 * last["games"] / settings.games)  # in lockstep a few more games are played
    print(f"{done:.0f} % done: {last['games']:,} games in {last['seconds']:,.0f} s")
    for name, title in (("random", "random play"), ("pubeval", "pubeval")):
        score, error = last.get(name), last.get(f"{name}_error")
        if score is not None and error is not None:
            print(f"against {title} {score:+.3f} +- {1.96 * error:.3f} points per game")
    if last.get("predicted") is not None:
        print(f"held-out games: {100 * last['predicted']:.1f} % of the moves are predicted")
    curves_svg(lines, path / CURVES, SHOWN, "games", "games")
    print(f"curves: {path / CURVES}")
    if (path / NET).exists():
        print(f"net: {path / NET}")


def shape_of(settings: Settings) -> str:
    """The hidden units of each layer."""
    return f"{settings.hidden} and {settings.second}" if settings.second else f"{settings.hidden}"


def learn(
    game: str, files: list[str], out: Path | None, minutes: float | None, given: dict[str, Any]
) -> None:
    """Start or resume training, from recorded games if files are given."""
    from outplay.games import load
    from outplay.learn.td.loop import train

    if files and (given["lam"] or given.get("explore") is not None):
        raise ValueError(
            "recorded games are learned from as they are: --lambda and --explore are for self-play"
        )
    found = load(game)
    if given.get("explore") is None:
        given["explore"] = exploration(type(found.position()))
    given["device"] = device_for(given)
    if given.get("alpha") is None:
        given["alpha"] = BATCH_ALPHA if given["parallel"] else ALPHA
    if given.get("last_alpha") is None:
        given["last_alpha"] = given["alpha"] / 10
    if minutes is not None and not minutes > 0:
        raise ValueError(f"minutes must be more than 0, not {minutes}")
    make = crowd_on(given["device"]) if given["parallel"] else None
    if files:
        make, lessons, games = lessons_in(found, files)
        given |= {"lessons": lessons, "games": EPOCHS * games if given["games"] is None else given["games"]}
    if given["games"] is None:
        given["games"] = GAMES
    name = "".join(c if c.isalnum() else "-" for c in found.spec)
    path = out or Path(f"{'lessons' if files else 'td'}-{name}")
    settings = Settings(found.spec, **given).checked()
    with resumable(path):
        done = train(settings, path, show_line, show_progress, minutes, make)
    show_run(path)
    if not done:
        print("not finished: the same command resumes it")


def device_for(given: dict[str, Any]) -> str:
    """Where games are played: in lockstep on a GPU, if there is one and nothing else was asked for."""
    if not given["parallel"]:
        return given["device"] or "cpu"
    return wanted_device(given["device"]) or best_device()


def crowd_on(device: str) -> Any:
    """What makes a run of games in lockstep; one line where torch is missing."""
    try:
        import torch
    except ImportError:
        raise ValueError(
            "games in lockstep need torch, which is not installed: pip install 'outplay[train]'"
        ) from None
    if device == "cuda":
        from outplay.learn.td.gpu import GPUCrowd

        return GPUCrowd
    from outplay.learn.td.crowd import Crowd

    torch.set_num_threads(1)  # nets for a CPU are small: more threads would wait for each other
    return Crowd


def lessons_in(found: Any, files: list[str]) -> tuple[Any, str, int]:
    """A maker of runs that learn from the games in files, the games' fingerprint, and their number."""
    from outplay.gamefile import read_games
    from outplay.learn.td.lessons import HELD_OUT, Lessons, digest, lessons_of

    records = lessons_of(found.position(), [game for file in files for game in read_games(file, [found])])
    return partial(Lessons, records=records), digest(records), len(records) - len(records) // HELD_OUT
