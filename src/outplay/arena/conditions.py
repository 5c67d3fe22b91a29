"""The conditions of a match: everything that is fixed in advance and affects the result."""

from typing import NamedTuple, Self

from outplay.arena.adjudication import Rules
from outplay.arena.sprt import Sprt
from outplay.arena.timecontrol import TimeControl
from outplay.limits import SECONDS

PLIES = 4  # of random openings, by default
MARGIN = 0.1  # seconds over the limit that are tolerated: waking a process on a busy machine takes time
PATIENCE = 10.0  # seconds over its time after which a silent player counts as hung


class Conditions(NamedTuple):
    """The same for both players, unless a player has limits of its own."""

    games: int = 100
    control: TimeControl = TimeControl(time=1.0)
    openings: str | None = None  # a file; None: random ones
    plies: int | None = None  # of random openings
    in_order: bool = False  # openings are played in the order of their file
    seed: int = 1
    rules: Rules = Rules()
    sprt: Sprt | None = None  # ends the match as soon as it decides
    margin: float = MARGIN
    patience: float = PATIENCE

    def checked(self) -> Self:
        """Return the conditions; raise a ValueError if they make no sense."""
        if self.games < 2 or self.games % 2:
            raise ValueError(f"games must be even (every opening is played twice), not {self.games}")
        if not (0 <= self.margin <= SECONDS and 0 < self.patience <= SECONDS):
            raise ValueError(
                f"margin and patience are seconds, at most {SECONDS:,}, not {self.margin:g} and {self.patience:g}"
            )
        if self.openings is not None and self.plies is not None:
            raise ValueError("give a file of openings or a number of random plies, not both")
        sprt = None if self.sprt is None else self.sprt.checked()
        return self._replace(
            control=self.control.checked(), sprt=sprt, in_order=self.in_order or self.openings is None
        )
