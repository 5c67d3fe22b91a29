"""HTTP connections with timeouts, so that slow or silent clients cannot block others."""

import asyncio
from collections import Counter
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_OPEN = 800  # connections; a new one replaces an idle one
HEADER_SECONDS = 10.0  # until a request's header is complete; guard.py waits for its body


class Connection(H11Protocol):
    """One connection, with a time limit for a request's header."""

    deadline: asyncio.TimerHandle | None = None
    since = 0.0  # when it was last active

    def connection_made(self, transport: Any) -> None:
        super().connection_made(transport)
        self.since = self.loop.time()
        self._watch()
        if len(self.connections) > MAX_OPEN:
            self._make_room()

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        self.since = self.loop.time()
        super().on_response_complete()

    def handle_websocket_upgrade(self, event: Any) -> None:
        self._unwatch()
        super().handle_websocket_upgrade(event)

    def connection_lost(self, exc: Exception | None) -> None:
        self._unwatch()
        super().connection_lost(exc)

    def waits(self) -> bool:
        """Whether a complete request is being answered."""
        return self.cycle is not None and not self.cycle.response_complete and not self.cycle.more_body

    def _watch(self) -> None:
        """Start the timeout while waiting for a header; after that other limits apply."""
        under_way = self.cycle is not None and not self.cycle.response_complete
        if under_way or self not in self.connections:
            self._unwatch()
        elif self.deadline is None:
            self.deadline = self.loop.call_later(HEADER_SECONDS, self.transport.abort)

    def _unwatch(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    def _make_room(self) -> None:
        """Close an idle connection: of the address with the most, preferably one without a request, the oldest."""
        idle = [c for c in self.connections if isinstance(c, Connection) and c is not self and not c.waits()]
        of = Counter(c.client and c.client[0] for c in idle)
        if idle:
            min(
                idle, key=lambda c: (-of[c.client and c.client[0]], c.cycle is not None, c.since)
            ).transport.abort()
        else:
            self.transport.abort()
