"""A seat at the board: the runner's interface to any kind of player."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from outplay.limits import Analysis, Limits
from outplay.record import Record


class Turn(NamedTuple):
    """What a player is asked: a record, what it may use, and until when the runner waits."""

    record: Record
    limits: Limits
    opponent: Limits  # what the other was last allowed: some protocols tell both clocks
    deadline: float  # a time of `time.monotonic`


class Seat(Protocol):
    """A player that is ready to play. Every method may raise a Fault; after one the seat is only closed."""

    def new_game(self, record: Record, deadline: float) -> None:
        """Forget the last game; the record is where the next one begins."""

    def choose(self, turn: Turn) -> Analysis:
        """The player's move; whether it is legal, the runner looks for itself."""
        ...

    def spent(self) -> float | None:
        """Seconds of the last move that are the player's own; None where all of them are."""

    def close(self) -> None:
        """End whatever runs."""


class Follower:
    """Knows how much of a record a player has been told."""

    def __init__(self) -> None:
        self.told = 0  # actions

    def follow(self, record: Record) -> Iterator[tuple[Any, int]]:
        """Go on to where the record stands: each new action, with the state where it was chosen."""
        told, self.told = self.told, len(record.actions)
        return zip(record.trail()[told:], record.actions[told:], strict=False)  # the last state has none yet
