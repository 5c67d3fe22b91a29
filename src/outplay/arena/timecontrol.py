"""Time controls, and the clock that the runner keeps for a player.

    10+0.1       10 seconds for the game, plus a tenth per move
    40/60+0.5    60 seconds per 40 moves, plus half a second per move
    none         no limit

In addition a fixed time per move, a depth or a number of nodes: the limits of a search.
"""

import re
from typing import NamedTuple

from outplay.limits import Limits

_CLOCK = re.compile(
    r"(?:(?P<moves>\d+)/)?(?P<base>\d+(?:\.\d*)?|\.\d+)(?:\+(?P<increment>\d+(?:\.\d*)?|\.\d+))?"
)


class TimeControl(NamedTuple):
    """What a player is allowed; None means no limit of that sort."""

    depth: int | None = None
    nodes: int | None = None
    time: float | None = None  # seconds per move
    base: float | None = None  # seconds on the clock at the start
    increment: float = 0.0  # seconds added after each move
    moves: int | None = None  # after this many moves the base is added again

    @classmethod
    def clock(cls, text: str) -> "TimeControl":
        """Parse a text such as `40/60+0.5`."""
        if text == "none":
            return cls()
        match = _CLOCK.fullmatch(text.strip())
        if match is None or float(match["base"]) == 0 or match["moves"] == "0":
            raise ValueError(f"{text!r} is not a time control: write 10+0.1, 40/60+0.5 or none")
        moves = int(match["moves"]) if match["moves"] else None
        return cls(base=float(match["base"]), increment=float(match["increment"] or 0), moves=moves)

    def checked(self) -> "TimeControl":
        """Return the control; raise a ValueError if it makes no sense."""
        Limits(self.depth, self.nodes, self.time, self.base, self.increment or None, self.moves).checked()
        if self.time is not None and self.base is not None:
            raise ValueError("give a time per move or a clock, not both")
        return self

    def __str__(self) -> str:
        parts = [f"{name} {value:g}" for name, value in zip(("depth", "nodes"), self, strict=False) if value]
        if self.time is not None:
            parts.append(f"{self.time:g} s a move")
        if self.base is not None:
            parts.append(
                f"{f'{self.moves}/' if self.moves else ''}{self.base:g}"
                + (f"+{self.increment:g}" if self.increment else "")
            )
        return ", ".join(parts) or "no limit"


class Clock:
    """One player's clock in one game. Exceeding a limit by `margin` seconds is tolerated at every move."""

    def __init__(self, control: TimeControl, margin: float) -> None:
        self.control = control
        self.margin = margin
        self.left = control.base
        self.made = 0  # moves

    def limits(self) -> Limits:
        """The limits sent to the player before its move."""
        control = self.control
        if self.left is None:
            return Limits(control.depth, control.nodes, control.time)
        to_go = None if control.moves is None else control.moves - self.made % control.moves
        left = max(self.left, 0.001)
        return Limits(control.depth, control.nodes, None, left, control.increment or None, to_go)

    def allowed(self) -> float | None:
        """Seconds that its next move may take; None for no limit."""
        most = self.control.time if self.left is None else self.left
        return None if most is None else most + self.margin

    def spend(self, seconds: float) -> bool:
        """Subtract a move's seconds; False if the player is out of time."""
        allowed = self.allowed()
        if allowed is not None and seconds > allowed:
            return False
        self.made += 1
        if self.left is not None:
            assert self.control.base is not None
            self.left = max(0.0, self.left - seconds) + self.control.increment
            if self.control.moves is not None and self.made % self.control.moves == 0:
                self.left += self.control.base
        return True
