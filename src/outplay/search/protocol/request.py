"""The input of a search: position, limits, listeners."""

import threading
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.limits import Analysis, Limits
from outplay.record import Record

Report = Callable[[Analysis], None]
Past = tuple[Any, ...]  # the earlier states that could repeat


class Request(NamedTuple):
    """One search of one position."""

    record: Record
    limits: Limits
    report: Report | None = None  # called with intermediate results
    stop: threading.Event | None = None  # ends it with the best result so far
    lines: int = 1  # number of best actions to find
    past: Past = ()

    @property
    def state(self) -> Any:
        """The root of the search."""
        return self.record.state
