"""A seat at the board: the runner's interface to any kind of player."""

from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol

from outplay.limits import Analysis, Limits
from outplay.record import Record


class Turn(NamedTuple):
    """A request for a move: the record, the limits, and how long the runner waits."""

    record: Record
    limits: Limits
    opponent: Limits  # the opponent's last limits: some protocols send both clocks
    deadline: float  # a time of `time.monotonic`


class Seat(Protocol):
    """A player that is ready to play. Every method may raise a Fault; after that only `close` may be called."""

    def new_game(self, record: Record, deadline: float) -> None:
        """Start a new game from the record."""

    def choose(self, turn: Turn) -> Analysis:
        """The player's move; the runner checks that it is legal."""
        ...

    def spent(self) -> float | None:
        """Seconds the player itself used for the last move; None to count all of them."""

    def close(self) -> None:
        """End whatever runs."""


class Follower:
    """Keeps track of how much of a record was sent to a player."""

    def __init__(self) -> None:
        self.told = 0  # actions

    def follow(self, record: Record) -> Iterator[tuple[Any, int]]:
        """The actions not yet sent, each with the state in which it was chosen."""
        told, self.told = self.told, len(record.actions)
        return zip(record.trail()[told:], record.actions[told:], strict=False)  # the last state has none yet
