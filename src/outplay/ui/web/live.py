"""The WebSocket: the page asks for searches, and hears of them while they run.

Messages are JSON objects (schema.Message). Each connection has at most a few jobs; when it closes they stop.
"""

import asyncio
import contextlib
import json
import time
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from outplay.ui.web.jobs import Job, Jobs
from outplay.ui.web.schema import Message, Stop, first_problem
from outplay.ui.web.thinking import new_job
from outplay.ui.web.view import Positions

MAX_MESSAGE = 128 << 10  # bytes
MAX_JOBS = 4  # of one connection
MAX_CONNECTIONS = 256
MAX_RATE = 50  # messages a second that are read
MAX_BAD = 20  # messages that make no sense

_message: TypeAdapter[Any] = TypeAdapter(Message)


class Live:
    """All connections."""

    def __init__(self, positions: Positions, jobs: Jobs) -> None:
        self.positions, self.jobs = positions, jobs
        self.connections = 0

    async def serve(self, socket: WebSocket) -> None:
        if self.connections >= MAX_CONNECTIONS:
            await socket.close(1013, "too many pages are open: close some")
            return
        await socket.accept()
        self.connections += 1
        try:
            await Connection(self, socket).run()
        finally:
            self.connections -= 1


class Connection:
    """One open page."""

    def __init__(self, live: Live, socket: WebSocket) -> None:
        self.live, self.socket = live, socket
        self.jobs: dict[int, Job] = {}
        self.out: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.loop = asyncio.get_running_loop()
        self.bad = 0
        self.heard: list[float] = []

    async def run(self) -> None:
        sender = asyncio.create_task(self.send())
        try:
            while True:
                await self.hear(await self.socket.receive())
        except (WebSocketDisconnect, RuntimeError):
            pass
        finally:
            sender.cancel()
            for job in list(self.jobs.values()):  # nobody waits for them any more
                self.live.jobs.cancel(job)

    async def send(self) -> None:
        """Pass on what the jobs say."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                said = await self.out.get()
                if said["type"] in ("done", "error"):
                    self.jobs.pop(said.get("id", -1), None)
                await self.socket.send_text(json.dumps(said, allow_nan=False, default=str))

    def tell(self, said: dict[str, Any]) -> None:
        """Called from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server stops
            self.loop.call_soon_threadsafe(self.out.put_nowait, said)

    async def hear(self, message: Any) -> None:
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        text = message.get("text")
        await self.pace()
        if text is None or len(text) > MAX_MESSAGE:
            await self.refuse("messages are short texts")
            return
        try:
            asked = _message.validate_json(text)
        except ValidationError as error:
            await self.refuse(first_problem(error.errors(include_url=False)))
            return
        if isinstance(asked, Stop):
            if asked.id in self.jobs:
                self.live.jobs.cancel(self.jobs[asked.id])
            return
        self.begin(asked)

    async def pace(self) -> None:
        """Read no faster than MAX_RATE: who sends more has to wait."""
        now = time.monotonic()
        self.heard = [then for then in self.heard if now - then < 1] + [now]
        if len(self.heard) > MAX_RATE:
            await asyncio.sleep(1 - (now - self.heard[0]))

    def begin(self, asked: Any) -> None:
        if asked.id in self.jobs:
            return self.tell({"type": "error", "message": f"job {asked.id} is under way already"})
        if len(self.jobs) >= MAX_JOBS:
            return self.tell(
                {"type": "error", "id": asked.id, "message": "stop a search before asking for more"}
            )
        job = new_job(self.live.positions, asked, self.tell)
        self.jobs[asked.id] = job
        try:
            self.live.jobs.submit(job)
        except ValueError as error:
            job.say("error", message=str(error))

    async def refuse(self, line: str) -> None:
        self.bad += 1
        self.tell({"type": "error", "message": line})
        if self.bad >= MAX_BAD:
            await self.socket.close(1008, "too many messages that make no sense")
            raise WebSocketDisconnect
