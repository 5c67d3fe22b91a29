"""Learning a policy from recorded games, in the terminal."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from outplay.gamefile import read_games
from outplay.games import load
from outplay.learn.folder import NET, ONNX
from outplay.learn.zero.examples import examples_of
from outplay.learn.zero.supervised import PolicySettings, learn_policy, read_run
from outplay.record import Record
from outplay.search.mcts.view import view_of
from outplay.ui.curves import curves_svg
from outplay.ui.resumable import resumable
from outplay.ui.zero import CURVES, best_torch, export, wanted_device

SHOWN = {
    "top1": "moves predicted (share, held-out games)",
    "winner": "winners predicted (share, held-out games)",
    "policy": "policy loss",
    "outcome": "outcome loss",
}


def show_line(line: dict[str, Any]) -> None:
    """Print a line of the log when it is written."""
    losses = ""
    if line["policy"] is not None:  # there was time for an update
        losses = f"policy {line['policy']:.3f}  outcome {line['outcome']:.3f}  "
    print(
        f"{line['seconds']:7.0f} s  {line['epochs']:7.2f} epochs  {line['updates']:>7,} updates  {losses}"
        f"held out: top 1 {100 * line['top1']:.1f} %, winner {100 * line['winner']:.1f} %",
        file=sys.stderr,
        flush=True,
    )


def learn(
    game: str, files: list[str], minutes: float, out: Path | None, given: dict[str, Any], device: str
) -> None:
    """Start or resume learning."""
    found = load(game)
    start = found.position()

    def records() -> Iterator[Record]:
        for file in files:
            yield from read_games(file, [found])

    def seen(number: int) -> None:
        if sys.stderr.isatty() and number % 10 == 0:
            print(f"{number} games read", end="\r", file=sys.stderr, flush=True)

    usual = PolicySettings(found.spec, minutes, device=wanted_device(device) or best_torch())
    settings = usual._replace(**given).checked()  # before games are read
    parts = examples_of(start, view_of(start), records(), settings.held_out, seen)
    settings = settings._replace(examples="; held out ".join(part.digest() for part in parts))
    path = out or Path(f"policy-{''.join(c if c.isalnum() else '-' for c in found.spec)}")
    print(settings.examples, file=sys.stderr)
    with resumable(path):
        accuracy = learn_policy(settings, *parts, path, show_line)
    print(
        f"games held out: {100 * accuracy.top1:.1f} % of the moves and {100 * accuracy.outcome:.1f} % of the winners "
        "are predicted"
    )
    show_run(path)
    export(path / NET, path / ONNX)


def show_run(path: Path) -> None:
    """Print a run's progress, and draw its curves into the folder."""
    settings, lines = read_run(path)
    print(f"{settings.game}: {settings.minutes:g} minutes on {settings.device}, {settings.examples}")
    if not lines:
        print("no line yet")
        return
    last = lines[-1]
    print(
        f"{last['epochs']:g} epochs, {last['updates']:,} updates; held out: top 1 {100 * last['top1']:.1f} %, "
        f"winner {100 * last['winner']:.1f} %"
    )
    curves_svg(lines, path / CURVES, SHOWN)
    print(f"curves: {path / CURVES}")
