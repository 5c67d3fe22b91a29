"""The WebSocket: the page requests searches and receives reports while they run.

Messages are JSON objects (schema.Message). Each connection has at most a few jobs, which stop when it closes.
"""

import asyncio
import contextlib
import json
import time
from collections import Counter
from functools import partial
from typing import Any

from pydantic import TypeAdapter, ValidationError
from starlette.websockets import WebSocket, WebSocketDisconnect

from outplay.ui.web.catalogue import Catalogue
from outplay.ui.web.guard import client_of
from outplay.ui.web.jobs import Job, Jobs
from outplay.ui.web.schema import Message, Stop, first_problem
from outplay.ui.web.thinking import allowed

MAX_MESSAGE = 128 << 10  # bytes
MAX_JOBS = 4  # of one connection, besides ahead-of-time compiling
MAX_CONNECTIONS = 400
MAX_OF_ONE = 16  # connections of one client
MAX_RATE = 50  # messages read per second
MAX_BAD = 20  # invalid messages

_message: TypeAdapter[Any] = TypeAdapter(Message)


class Live:
    """All connections."""

    def __init__(self, catalogue: Catalogue, jobs: Jobs) -> None:
        self.catalogue, self.jobs = catalogue, jobs
        self.open: Counter[str] = Counter()  # connections by client

    async def serve(self, socket: WebSocket) -> None:
        client = client_of(socket.scope)
        if self.open.total() >= MAX_CONNECTIONS or self.open[client] >= MAX_OF_ONE:
            await socket.close(1013, "too many pages are open: close some")
            return
        await socket.accept()
        self.open[client] += 1
        try:
            await Connection(self, socket, client).run()
        finally:
            self.open[client] -= 1
            self.open += Counter()  # drop zero counts


class Connection:
    """One open page."""

    def __init__(self, live: Live, socket: WebSocket, client: str) -> None:
        self.live, self.socket, self.client = live, socket, client
        self.jobs: dict[int, Job] = {}
        self.games: dict[int, str] = {}  # the jobs' games
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
            for job in list(self.jobs.values()):  # the client is gone
                self.live.jobs.cancel(job)

    async def send(self) -> None:
        """Forward the jobs' messages."""
        with contextlib.suppress(WebSocketDisconnect, RuntimeError):
            while True:
                said = await self.out.get()
                if said["type"] in ("done", "error"):
                    self.jobs.pop(said.get("id", -1), None)
                    self.games.pop(said.get("id", -1), None)
                await self.socket.send_text(json.dumps(said))

    def tell(self, said: dict[str, Any]) -> None:
        """Queue a message; callable from any thread."""
        with contextlib.suppress(RuntimeError):  # the loop is closed: the server is stopping
            self.loop.call_soon_threadsafe(self.out.put_nowait, said)

    async def hear(self, message: Any) -> None:
        if message["type"] == "websocket.disconnect":
            raise WebSocketDisconnect
        text = message.get("text")
        await self.pace()
        if text is None or len(text) > MAX_MESSAGE:
            await self.refuse(f"a message must be a text of at most {MAX_MESSAGE:,} characters")
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
        """Read no faster than MAX_RATE."""
        now = time.monotonic()
        self.heard = [then for then in self.heard if now - then < 1] + [now]
        if len(self.heard) > MAX_RATE:
            await asyncio.sleep(1 - (now - self.heard[0]))

    def begin(self, asked: Any) -> None:
        if asked.id in self.jobs:
            return self.tell({"type": "error", "message": f"job {asked.id} is already running"})
        if asked.type == "prepare":
            self.drop_others(asked.game)
        elif sum(job.what != "prepare" for job in self.jobs.values()) >= MAX_JOBS:
            return self.tell(
                {"type": "error", "id": asked.id, "message": "stop a search before asking for more"}
            )
        seconds = allowed(asked, self.live.catalogue.bots)
        own = self.live.catalogue.own(asked.model_dump(include={"game", "seat"}))
        made = partial(Job, asked.type, asked.model_dump_json(), self.client)
        compiled = made(self.tell, seconds, asked.id, own)
        job = compiled
        if asked.type == "grow":  # a small tree needs no compiler
            job = made(lambda said: self.pass_on(said, compiled), seconds, asked.id, own, typed=True)
        self.jobs[asked.id] = job
        self.games[asked.id] = asked.game
        try:
            self.live.catalogue.admit(asked.game)
            self.live.jobs.submit(job)
        except ValueError as error:
            job.say("error", message=str(error))

    def drop_others(self, game: str) -> None:
        """Cancel queued compilations of games that the page has left; running ones go on."""
        for id, job in list(self.jobs.items()):
            if job.what == "prepare" and self.games[id] != game:
                self.live.jobs.drop(job)

    def pass_on(self, said: dict[str, Any], compiled: Job) -> None:
        """Forward the messages of a job tried without the compiler; if it is too large, run it compiled."""
        if said["type"] != "large":
            return self.tell(said)
        tried = self.jobs.get(compiled.id)
        if tried is None or tried.left:  # it was cancelled
            return compiled.say("done", stopped=True)
        self.jobs[compiled.id] = compiled
        try:
            self.live.jobs.submit(compiled)
        except ValueError as error:
            compiled.say("error", message=str(error))

    async def refuse(self, line: str) -> None:
        self.bad += 1
        self.tell({"type": "error", "message": line})
        if self.bad >= MAX_BAD:
            await self.socket.close(1008, "too many invalid messages")
            raise WebSocketDisconnect
