"""The processes in which games, bots and searches run, so that their crashes do not affect the server.

The server sends a worker one job at a time as a JSON object, `{"what": ..., "id": ..., "asked": ...}`, and possibly
`{"stop": why}` while it runs. The worker sends the job's messages as objects, until one of type "done" or "error"; the
answer to an HTTP request is sent as raw bytes after a mark. A worker that does not stop when told to is killed, and the
next job gets a new one.
"""

import contextlib
import json
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Mapping
from typing import Any

from outplay.compile import on_compile
from outplay.files import describe
from outplay.memory import kept
from outplay.standard import Known
from outplay.ui.wait import STACK
from outplay.ui.web.answers import QUESTIONS
from outplay.ui.web.catalogue import MAX_KEPT, Catalogue
from outplay.ui.web.jobs import LEFT, Job
from outplay.ui.web.processes import APART, FORKED, confine, environment, kill
from outplay.ui.web.task import Stopped, Task, encoded
from outplay.ui.web.thinking import WORK
from outplay.ui.web.view import Positions

START = 120.0  # seconds to import the games
TICK = 0.02  # seconds between checks whether a job must stop
GRACE = 1.0  # seconds to stop
READY = b"ready"  # a new worker has loaded its games
ANSWER = b"="  # the mark before an answer
PLAIN = {"OUTPLAY_JIT": "0"}
RETIRED = 75  # the exit status of a worker whose memory is full of trees

# --- the server's side ----------------------------------------------------------------------------------


class NotStarted(Exception):
    """A worker could not load the games; one line says why."""


class Process:
    """A worker on the server's side; its process is started on demand, also after it was killed."""

    def __init__(
        self, files: Mapping[str, Known], key: bytes, polite: bool = False, plain: bool = False
    ) -> None:
        """`files`: each with what the catalogue knows of it; `plain`: it never compiles."""
        self.given = dict(files), key, polite, plain
        self.plain = plain
        self.start()

    def start(self) -> None:
        self.ready = False
        context = APART if self.plain else FORKED
        self.channel, theirs = context.Pipe()
        self.process = context.Process(target=main, args=(theirs, *self.given), daemon=True)
        with environment(PLAIN if self.plain else {}):
            self.process.start()
        theirs.close()

    def run(self, job: Job, due: Callable[[], str]) -> bool:
        """Run a job; stop it when `due` gives a reason; False if it had to be killed."""
        why, since = "", 0.0
        try:
            self._get_ready()
            job.began = time.monotonic()
            self._send(what=job.what, id=job.id, asked=job.asked)
            while True:
                if self.channel.poll(TICK) and self._hear(job):
                    return True
                if not why and (why := due()):
                    since = time.monotonic()
                    self._send(stop=why)
                if why and not job.compiling and time.monotonic() - since > GRACE:
                    self._renew()
                    job.say("error", message=f"ended: {why}, and it did not stop")
                    return False
        except NotStarted as error:
            self._renew()
            job.say("error", message=str(error))
            return True
        except (EOFError, OSError):  # the process is gone
            self.process.join(5)
            code = self.process.exitcode
            self._renew()
            if code == RETIRED:
                return self.run(job, due)
            job.say("error", message=_epitaph(code))
            return False

    def _get_ready(self) -> None:
        """Wait for a new worker to load its games, without counting that as a job's time."""
        if not self.ready:
            if not self.channel.poll(START):
                raise EOFError
            if (said := self.channel.recv_bytes()) != READY:
                raise NotStarted(said.decode())
            self.ready = True

    def _send(self, **message: Any) -> None:
        self.channel.send_bytes(json.dumps(message).encode())

    def _hear(self, job: Job) -> bool:
        """Forward a message of the worker; True if it was the job's last."""
        said = self.channel.recv_bytes()
        if said.startswith(ANSWER):
            job.tell(said[len(ANSWER) :])
            return True
        message = json.loads(said)
        job.compiling = message["type"] in ("loading", "compiling")
        if job.compiling or message["type"] == "ready":
            job.began = time.monotonic()
        if message["type"] not in ("loading", "ready"):
            job.tell(message)
        return message["type"] in ("done", "error", "large")

    def _renew(self) -> None:
        self.close()
        self.start()

    def close(self) -> None:
        self.channel.close()
        kill(self.process)


def _epitaph(code: int | None) -> str:
    """Why a worker's process ended."""
    if code is not None and code < 0:
        with contextlib.suppress(ValueError):
            return f"the game or player crashed ({signal.Signals(-code).name})"
    return f"the game or player ended its process (exit status {code})"


# --- the worker's side ----------------------------------------------------------------------------------


def main(channel: Any, files: dict[str, Known], key: bytes, polite: bool, plain: bool) -> None:
    """Receive jobs and stop orders in this thread, and run the jobs in another."""
    confine(polite)
    orders: queue.SimpleQueue[tuple[dict[str, Any], Task]] = queue.SimpleQueue()
    threading.stack_size(STACK)
    threading.Thread(target=_work, args=(channel, files, key, orders), daemon=True).start()
    task = None
    while True:
        try:
            message = json.loads(channel.recv_bytes())
        except (EOFError, OSError):  # the server is gone
            os._exit(0)
        if "stop" not in message:
            task = Task(message["id"], lambda said: channel.send_bytes(said), plain)
            orders.put((message, task))
        elif task is not None:
            task.stop_for("" if message["stop"] == LEFT else message["stop"])


def _work(
    channel: Any,
    files: dict[str, Known],
    key: bytes,
    orders: "queue.SimpleQueue[tuple[dict[str, Any], Task]]",
) -> None:
    try:
        catalogue = Catalogue([*files], files)
    except BaseException as error:  # a user's file has changed since the server started
        channel.send_bytes(_line(error).encode())
        os._exit(1)
    positions = Positions(catalogue, key)
    try:
        channel.send_bytes(READY)
    except BrokenPipeError:  # the server has stopped
        return
    while True:
        message, task = orders.get()
        stop_listening = on_compile(task.compiling)
        try:
            if message["what"] in QUESTIONS:
                model, answer = QUESTIONS[message["what"]]
                found = answer(positions, model.model_validate_json(message["asked"]))
                channel.send_bytes(ANSWER + encoded(found))
            else:
                model, work = WORK[message["what"]]
                work(positions, model.model_validate_json(message["asked"]), task)
        except Stopped:
            task.say("error", message=f"ended: {task.reason}") if task.reason else task.say(
                "done", stopped=True
            )
        except BaseException as error:  # a user's own rules or bot may raise anything
            own = catalogue.own(json.loads(message["asked"]))
            task.say("error", message=_line(error), fault=not own and not isinstance(error, ValueError))
        finally:
            stop_listening()
        if kept() > MAX_KEPT:  # user-made trees stay in memory until the process ends
            os._exit(RETIRED)


def _line(error: BaseException) -> str:
    return " ".join(str(error).split())[:500] if isinstance(error, ValueError) else describe(error)
