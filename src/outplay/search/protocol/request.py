"""What a search is asked: where, within which limits, and who listens."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.limits import Analysis, Limits
from outplay.record import Record

Report = Callable[[Analysis], None]
Past = tuple[Any, ...]  # the states before the one that is searched that could come back


class Request(NamedTuple):
    """One search of one position."""

    record: Record
    limits: Limits
    report: Report | None = None  # hears how the search stands whenever it knows more
    stop: threading.Event | None = None  # ends it with the best that was found so far
    lines: int = 1  # how many best actions are wanted
    past: Past = ()

    @property
    def state(self) -> Any:
        """The root of the search."""
        return self.record.state
