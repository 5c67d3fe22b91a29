"""Watching a solver: the bounds proven so far, on standard error; Ctrl-C keeps them."""

import math
from typing import NamedTuple

from outplay.game import outranks
from outplay.search.proof.solve import Solution, Solving
from outplay.ui.board import value_text
from outplay.ui.wait import patiently


class Watched(NamedTuple):
    """A solution, and whether the work was interrupted."""

    solution: Solution
    interrupted: bool


def watch(task: Solving) -> Watched:
    """Solve and show the progress; Ctrl-C stops and keeps the proven bounds."""
    interrupted = []

    def interrupt() -> None:
        interrupted.append(True)
        task.stop()

    solution = patiently(
        task.run,
        "solving",
        progress=lambda: progress_text(task),
        interrupt=interrupt,
        limit=task.seconds,
    )
    return Watched(solution, bool(interrupted))


def progress_text(task: Solving) -> str:
    """`solving by mtdf: 12 s, 30.1 M nodes, 2.5 M/s; at least a draw`."""
    if not task.nodes:
        return ""
    millions = task.nodes / 1e6
    known = bounds_text(task.cls, task.lower, task.upper)
    speed = millions / max(task.time, 1e-9)
    text = f"solving by {task.solver}: {task.time:.0f} s, {millions:.1f} M nodes, {speed:.1f} M/s"
    return f"{text}; {known}" if known else text


def bounds_text(cls: type, lower: float | None, upper: float | None) -> str:
    """The proven bounds on MAX's value: `at least a draw`, `at most +3`; empty if there are none."""
    win = getattr(cls, "win", None)
    named = {-win: "a loss", 0: "a draw", win: "a win"} if win == 1 and outranks(cls) else {}
    parts = []
    for words, bound, trivial in (("at least", lower, -win if win else None), ("at most", upper, win)):
        if bound is not None and not math.isinf(bound) and bound != trivial:
            parts.append(f"{words} {named.get(bound, value_text(bound))}")
    return " and ".join(parts)
