"""What a search is allowed, and what it answers."""

import math
from typing import NamedTuple

SECONDS = 10**6
LARGEST = {
    "depth": 1000, "nodes": 10**18, "time": SECONDS, "clock": SECONDS, "increment": SECONDS, "moves_to_go": 1000,
}  # fmt: skip
WHOLE = ("depth", "nodes", "moves_to_go")
SHARES = 30  # a game is taken to last so many moves more


class Limits(NamedTuple):
    """How long a search may go on; None means no limit of that sort."""

    depth: int | None = None  # plies
    nodes: int | None = None
    time: float | None = None  # seconds
    clock: float | None = None  # seconds left for this and all later moves of the mover
    increment: float | None = None  # seconds that it gains by each move
    moves_to_go: int | None = None  # until the clock is set again

    def checked(self) -> "Limits":
        """The same limits, if each makes sense."""
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

    def timed(self) -> "Limits":
        """The same limits with the clock as a time for this move: an even share of what is left."""
        if self.clock is None:
            return self
        share = self.clock / (self.moves_to_go or SHARES) + 0.75 * (self.increment or 0)
        most = min(share, self.clock / 2, self.time or SECONDS)
        return Limits(self.depth, self.nodes, most)


class Analysis(NamedTuple):
    """A search's answer."""

    action: int | None  # None where the game is over
    value: float | None  # for MAX: the utility if proven, else an evaluation; None if the player has none
    depth: int  # plies searched
    line: tuple[int, ...]  # both sides' best play, beginning with action
    nodes: int
    time: float  # seconds
    proven: bool = False  # the value is the outcome of best play, not an estimate
