"""What a search is allowed, and what it answers."""

import math
from typing import NamedTuple

LARGEST = {"depth": 1000, "nodes": 10**18, "time": 10**6}


class Limits(NamedTuple):
    """How long a search may go on; None means no limit of that sort."""

    depth: int | None = None  # plies
    nodes: int | None = None
    time: float | None = None  # seconds

    def checked(self) -> "Limits":
        """The same limits, if each makes sense."""
        for name, value in zip(self._fields, self, strict=True):
            if value is None:
                continue
            if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value < math.inf:
                raise ValueError(f"{name} must be a positive number, not {value!r}")
            if name != "time" and value != int(value):
                raise ValueError(f"{name} must be a whole number, not {value!r}")
            if value > LARGEST[name]:
                raise ValueError(f"{name} must be at most {LARGEST[name]:,}, not {value!r}")
        return self


class Analysis(NamedTuple):
    """A search's answer."""

    action: int | None  # None where the game is over
    value: float | None  # for MAX: the utility if proven, else an evaluation; None if the player has none
    depth: int  # plies searched
    line: tuple[int, ...]  # both sides' best play, beginning with action
    nodes: int
    time: float  # seconds
    proven: bool = False  # the value is the outcome of best play, not an estimate
