"""The limits of a search, and its result."""

import contextlib
import math
import threading
import time as clock
from collections.abc import Callable, Iterator
from typing import NamedTuple

SECONDS = 10**6
DEFAULT_TIME = 1.0  # seconds, if no limit is given
LARGEST = {
    "depth": 1000, "nodes": 10**18, "time": SECONDS, "clock": SECONDS, "increment": SECONDS, "moves_to_go": 1000,
    "win": 160,
}  # fmt: skip
WHOLE = ("depth", "nodes", "moves_to_go", "win")
SHARES = 30  # assumed number of moves left in a game


class Limits(NamedTuple):
    """The limits of a search; None means no limit of that kind."""

    depth: int | None = None  # plies
    nodes: int | None = None
    time: float | None = None  # seconds
    clock: float | None = None  # seconds left on the mover's clock
    increment: float | None = None  # seconds added per move
    moves_to_go: int | None = None  # until the next time control
    win: int | None = None  # plies: first search for a win within this many

    def checked(self) -> "Limits":
        """The same limits, checked."""
        for name, value in zip(self._fields, self, strict=True):
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"{name} must be a positive number, not {value!r}")
            if name in WHOLE and value != int(value):
                raise ValueError(f"{name} must be a whole number, not {value!r}")
            if value > LARGEST[name]:
                raise ValueError(f"{name} must be at most {LARGEST[name]:,}, not {value!r}")
        return self

    def allowance(self) -> tuple[float | None, float | None]:
        """Seconds: the target time for this move, and the hard limit.

        A fixed time may be used up. A clock is divided among the moves until the next time control, or
        among the assumed number of moves left, plus most of the increment.
        """
        if self.clock is None:
            return None, self.time
        moves = min(self.moves_to_go or SHARES, SHARES)
        share = self.clock / moves + 0.75 * (self.increment or 0)
        most = min(5 * share, self.clock * (0.9 if moves == 1 else 0.4), self.time or math.inf)
        return min(share, most), most

    def timed(self) -> "Limits":
        """The same limits with the clock's share as a fixed time, for searches without clocks."""
        soft, most = self.allowance()
        return Limits(self.depth, self.nodes, most if soft is None else soft)


GLANCE, LONG = 0.02, 60.0  # seconds between polls: of an event, and of the clock alone


@contextlib.contextmanager
def watching(seconds: float | None, stop: threading.Event | None, halt: Callable[[], None]) -> Iterator[None]:
    """Call `halt` when the time is up or the event is set, unless the work in the block is done before."""
    if seconds is None and stop is None:
        yield
        return
    done = threading.Event()
    end = math.inf if seconds is None else clock.perf_counter() + seconds

    def watch() -> None:
        while not done.wait(min(LONG if stop is None else GLANCE, max(0.0, end - clock.perf_counter()))):
            if clock.perf_counter() >= end or stop is not None and stop.is_set():
                return halt()

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        done.set()


class Analysis(NamedTuple):
    """The result of a search."""

    action: int | None  # None if the game is over
    value: float | None  # for MAX: the utility if proven, else an evaluation; None if the player has none
    depth: int  # plies searched
    line: tuple[int, ...]  # the principal variation, beginning with action
    nodes: int
    time: float  # seconds
    proven: bool = False  # the value is the outcome of best play, not an estimate
    score: int = 0  # the value as the search compares it: an outcome outranks every evaluation
    deepest: int = 0  # selective depth: plies of the longest line searched
    ended: bool = False  # every line was searched to the end of the game
    number: int = 1  # rank if several lines are searched: 1 is the best
    others: "tuple[Analysis, ...]" = ()  # the second best line, the third ...
    visits: int = 0  # visits of the line's first action (UCT), or its games (rollouts)
    values: tuple[float, ...] = ()  # from max^n: the value for each player
    tbhits: int = 0  # positions found in endgame tables
    chances: tuple[float, ...] = ()  # from a value net with several outputs, for MAX: valuenet/answers.py
    error: float = 0.0  # from rollouts: the standard error of the value
