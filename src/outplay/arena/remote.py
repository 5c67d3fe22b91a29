"""A table in a separate process, so that no game delays another.

The process runs `outplay.arena.worker`; the requests, in the protocol of `outplay.arena.dialogue`, are

    {"sit": {"terms": [...]}}                     {}               once, first
    {"ready": {"player": 0}}                      {}
    {"play": {"pairing": [...], "start": "...",   {"played": {...}}
              "actions": [...], "headers": [...]}}
"""

from typing import Any

from outplay.arena.dialogue import Answer, accepted, ask, start
from outplay.arena.faults import Fault
from outplay.arena.schedule import Pairing
from outplay.arena.table import Played, Table, Terms, restored
from outplay.record import Record, position_text

FAREWELL = 5.0  # seconds to end its players and exit


class Gone(RuntimeError):
    """The process of a table has ended."""


class RemoteTable:
    """A Table in another process. Every method but the last two may raise Gone."""

    def __init__(self, terms: Terms) -> None:
        self.program = start("outplay.arena.worker")
        with self.program.closed_on_error():
            self._ask(sit={"terms": terms})

    def ready(self, player: int) -> None:
        self._ask(ready={"player": player})

    def play(self, pairing: Pairing, record: Record) -> Played:
        answer = self._ask(
            play={
                "pairing": pairing,
                "start": position_text(record.start),
                "actions": record.actions,
                "headers": record.headers,
            }
        )
        return restored(answer["played"])

    def stop(self) -> None:
        """Tell it to end its players and exit, without waiting for it."""
        self.program.hang_up()

    def leave(self) -> None:
        """End it."""
        self.program.close(patience=FAREWELL)

    def _ask(self, **request: Any) -> Answer:
        try:
            answer = ask(self.program, request)
        except Fault as fault:
            raise Gone(fault.detail) from None
        return accepted(answer)


AnyTable = Table | RemoteTable
