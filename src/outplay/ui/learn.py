"""Tuning in the terminal. Progress goes to standard error, results to standard output."""

from collections.abc import Iterator
from typing import Any

from rich.console import Console

from outplay.learn.positions import Sample
from outplay.learn.tune import Progress, Tuning

EVERY = 10  # epochs per line
MOST, SHOWN = 100, 8  # a group of more numbers is shortened, to so many


def show_progress(progress: Progress) -> None:
    """Print a line every few epochs."""
    if progress.epoch == 1 or progress.epoch % EVERY == 0:
        Console(stderr=True, highlight=False).print(
            f"epoch {progress.epoch:>4}  loss {progress.train:.6f}  held out {progress.held_out:.6f}"
        )


def show_tuning(found: Tuning, whole: bool = True) -> None:
    """Print the result of tuning: all weights, or only the first of a large group."""
    console = Console(highlight=False, soft_wrap=True)
    console.print(
        f"{found.method}: {found.positions:,} positions, {found.held_out:,} held out, {found.epochs} epochs"
    )
    if found.method == "logistic":
        console.print(f"K = {found.scale:.6f}: the chance to win is 1 / (1 + exp(-K evaluate))")
    console.print(f"loss on the positions held out: before {found.before:.6f}, after {found.after:.6f}")
    for name, value in vars(found.weights).items():
        console.print(f"  {name}: {value if whole else shortened(value)}", markup=False)


def shortened(value: Any) -> str:
    """A number or a group of numbers; Othello's patterns have thousands."""
    if not isinstance(value, tuple) or len(value) <= MOST:
        return str(value)
    return f"({', '.join(map(str, value[:SHOWN]))}, ...), {len(value):,} numbers"


def show_games(games: Iterator[list[Sample]], count: int, done: int = 0) -> Iterator[list[Sample]]:
    """Pass the games through and count them; `done` were played before."""
    console, positions = Console(stderr=True, highlight=False), 0
    for number, samples in enumerate(games, done + 1):
        positions += len(samples)
        if number % 20 == 0 or number == count:
            console.print(f"{number} of {count} games, {positions:,} positions")
        yield samples
