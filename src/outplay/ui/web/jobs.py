"""The job queue: limited concurrency, fair among clients, and abandoned jobs are cancelled.

Requests (a position, a roll), searches, trees, user-made trees and compiling have lanes of their own, each with one
worker. In a lane, moves go before analyses, then the client goes first that has used the least time lately. A search
that keeps others waiting makes way. One lane for requests and one for searches are reserved: they take no analyses, and
nothing that was killed lately. That is a user's own bot or game, whoever requests it (a rejected client could return
under another name), or else every job of the client. Such work also has the lowest priority.
"""

import os
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

from outplay.ui.web.catalogue import Refused

MAX_WAITING = 1000  # jobs
MAX_OF_ONE = {
    "questions": 32,
    "searches": 8,
    "trees": 8,
    "typed": 8,
    "compiling": 4,
}  # of one client, waiting and running
PATIENCE = 10.0  # seconds that an analysis may run when other analyses wait
MAKE_WAY = 1.0  # and when a move waits
SLICE = {
    "questions": 3.0,
    "searches": 5.0,
    "compiling": 600.0,
}  # that others wait for a client with more used time
COMPILING = 300.0  # seconds for the compiler to build one function
HALF = 30.0  # the half-life of used time, in seconds
DEBT = 120.0  # seconds without access to reserved lanes after a job was killed
LEFT = "nobody waits for it"


class Kind(NamedTuple):
    """A kind of work."""

    lanes: str
    rank: int = 0  # lower goes first; from 1 on it can wait

    @property
    def patient(self) -> bool:
        return self.rank > 0


QUESTION = Kind("questions")
KINDS = {
    "think": Kind("searches"),
    "analyse": Kind("searches", 1),
    "review": Kind("searches", 1),
    "tree": Kind("trees", 1),  # a tree search cannot be stopped: its worker is killed, and no other
    "grow": Kind("trees", 1),
    "quiz": Kind("trees", 1),
    "prepare": Kind("compiling"),
}


TYPED = Kind("typed", 1)  # small user-made trees, which need no compiler


class Job:
    """A client's job; `tell` receives its messages, or the answer to a request as bytes."""

    def __init__(
        self,
        what: str,
        asked: str,
        client: str,
        tell: Callable[[Any], None],
        seconds: float,
        id: int = 0,
        own: str = "",
        typed: bool = False,
    ) -> None:
        self.what, self.asked, self.client, self.tell, self.id = what, asked, client, tell, id
        self.answers = (
            own or client
        )  # who is responsible for its faults: the user's own bot or game, or the client
        self.kind = KINDS.get(what, QUESTION)
        if typed and self.kind.lanes == "trees":
            self.kind = TYPED
        self.seconds = seconds  # its time limit
        self.entered = 0.0  # when it started to run
        self.began = 0.0  # when its time started, after compiling
        self.compiling = False  # or loading compiled code
        self.left = False  # whether it was cancelled

    def say(self, kind: str, **what: Any) -> None:
        self.tell({"type": kind, "id": self.id, **what})

    def age(self) -> float:
        return time.monotonic() - self.began


class Worker(Protocol):
    """Runs jobs one by one; see worker.py."""

    def run(self, job: Job, due: Callable[[], str]) -> bool:
        """Run a job; stop it when `due` gives a reason; False if it had to be killed."""

    def close(self) -> None: ...


class Lane(NamedTuple):
    """A worker's kinds of work."""

    kind: str
    kept: bool  # reserved for well-behaved moves


class Jobs:
    """The lanes and their queue."""

    def __init__(self, worker: Callable[[bool, bool], Worker], workers: int | None = None) -> None:
        """`worker(polite, plain)` creates a worker; a polite one has low priority, a plain one compiles nothing."""
        self.waiting: list[Job] = []
        self.running: set[Job] = set()
        self.used: dict[str, tuple[float, float]] = {}  # by client: seconds used, and at what time
        self.owing: dict[
            tuple[str, str], float
        ] = {}  # until when the one responsible has no access to reserved lanes
        self.changed = threading.Condition()
        self.open = True
        searching = workers or max(2, os.cpu_count() or 1)
        self.lanes = [Lane("searches", number > 0) for number in range(min(2, searching))]
        self.lanes += [Lane("searches", False)] * (searching - 2)
        self.lanes += [Lane("questions", False), Lane("questions", True)]
        self.lanes += [Lane("trees", False), Lane("typed", False), Lane("compiling", False)]
        self.threads = [
            threading.Thread(target=self._serve, args=(lane, worker), daemon=True) for lane in self.lanes
        ]
        for thread in self.threads:
            thread.start()

    def submit(self, job: Job) -> None:
        """Queue a job; Refused if too many are waiting."""
        with self.changed:
            same = [other for other in (*self.waiting, *self.running) if other.kind.lanes == job.kind.lanes]
            if sum(other.client == job.client for other in same) >= MAX_OF_ONE[job.kind.lanes]:
                raise Refused("you have too many requests waiting: wait for them, or stop some")
            if len(self.waiting) >= MAX_WAITING:
                raise Refused("the server is busy: try again later")
            self.waiting.append(job)
            busy = sum(lane.kind == job.kind.lanes for lane in self.lanes)
            if job.kind.lanes == "searches" and len(same) >= busy:
                job.say("queued", ahead=len(same) - busy)
            self.changed.notify_all()

    def cancel(self, job: Job) -> None:
        """Cancel a job."""
        with self.changed:
            job.left = True
            if job in self.waiting:
                self.waiting.remove(job)
                job.say("done", stopped=True)

    def drop(self, job: Job) -> None:
        """Cancel a job unless it is running."""
        with self.changed:
            waits = job in self.waiting
        if waits:
            self.cancel(job)

    def close(self) -> None:
        """Stop everything."""
        with self.changed:
            self.open = False
            self.waiting.clear()
            for job in self.running:
                job.left = True
            self.changed.notify_all()
        for thread in self.threads:
            thread.join(5)

    # --- the lanes ---

    def _serve(self, lane: Lane, worker: Callable[[bool, bool], Worker]) -> None:
        mine = worker(lane.kind != "questions" and not lane.kept, lane.kind == "typed")
        while (job := self._wait(lane)) is not None:
            fine = mine.run(job, lambda job=job: self._due(job))  # type: ignore[misc]
            with self.changed:
                self.running.discard(job)
                self._charge(job, fine)
                self.changed.notify_all()
        mine.close()

    def _wait(self, lane: Lane) -> Job | None:
        """The next job of a lane; None when the server stops."""
        with self.changed:
            while self.open and (job := self._next(lane)) is None:
                self.changed.wait()
            if not self.open or job is None:
                return None
            self.waiting.remove(job)
            self.running.add(job)
            job.entered = job.began = time.monotonic()
            return job

    def _next(self, lane: Lane) -> Job | None:
        """The job whose turn it is."""
        fitting = [job for job in self.waiting if job.kind.lanes == lane.kind]
        if lane.kept:
            fitting = [job for job in fitting if not job.kind.patient and not self._owes(job)]
        used = {client: self._used(client) for client in {job.client for job in fitting}}
        return min(fitting, key=lambda job: (self._owes(job), job.kind.rank, used[job.client]), default=None)

    def _due(self, job: Job) -> str:
        """Why a running job must stop; empty if it may go on."""
        if job.left:
            return LEFT
        if job.age() > (COMPILING if job.compiling else job.seconds):
            return "its time is up"
        with self.changed:
            others = [other for other in self.waiting if other.kind.lanes == job.kind.lanes]
            if job.compiling or not others:
                return ""
            if self._owes(job):
                crowded = job.age() > MAKE_WAY and not all(map(self._owes, others))
            elif job.kind.patient:
                crowded = job.age() > (PATIENCE if all(other.kind.patient for other in others) else MAKE_WAY)
            else:
                mine = self._used(job.client) + job.age()
                less = [
                    other for other in others if not other.kind.patient and self._used(other.client) < mine
                ]
                crowded = (
                    any(other.client != job.client for other in less) and job.age() > SLICE[job.kind.lanes]
                )
        return "others are waiting" if crowded else ""

    # --- used time ---------------

    def _used(self, client: str) -> float:
        """The seconds that a client has used lately."""
        seconds, then = self.used.get(client, (0.0, 0.0))
        return float(seconds * 0.5 ** ((time.monotonic() - then) / HALF))

    def _owes(self, job: Job) -> bool:
        return self.owing.get((job.kind.lanes, job.answers), 0.0) > time.monotonic()

    def _charge(self, job: Job, fine: bool) -> None:
        now = time.monotonic()
        self.used[job.client] = self._used(job.client) + now - job.entered, now
        if not fine:
            self.owing[job.kind.lanes, job.answers] = now + DEBT
        if len(self.used) > 1000:  # drop clients from long ago
            self.used = {who: kept for who, kept in self.used.items() if now - kept[1] < 10 * HALF}
            self.owing = {who: until for who, until in self.owing.items() if until > now}
