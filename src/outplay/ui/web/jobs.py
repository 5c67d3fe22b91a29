"""Work for many at once: so much at a time, the rest in a queue that is fair, and none that nobody waits for.

Questions (a position, a roll), searches, trees, typed trees and compiling have lanes of their own, each with one
worker. Where several wait for a lane, moves go before analyses, and then the client goes first that has used the least
time lately. A search that keeps others waiting makes way. One lane for questions and one for searches are kept free of
analyses, and of what had to be ended by force lately: a user's own bot or game, whoever asks for it (a client that is
turned away comes back under another name), else all that the client asks for. Such work also goes after all other.
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
PATIENCE = 10.0  # seconds that an analysis has for itself when other analyses wait
MAKE_WAY = 1.0  # and when a move waits
SLICE = {
    "questions": 3.0,
    "searches": 5.0,
    "compiling": 600.0,
}  # that others wait for a client who has used more
COMPILING = 300.0  # seconds for the compiler to build one function
HALF = 30.0  # seconds after which used time counts half
DEBT = 120.0  # seconds in the common lanes, after work was ended by force
LEFT = "nobody waits for it"


class Kind(NamedTuple):
    """What sort of work it is."""

    lanes: str
    rank: int = 0  # the lower goes first; from 1 on it can wait

    @property
    def patient(self) -> bool:
        return self.rank > 0


QUESTION = Kind("questions")
KINDS = {
    "think": Kind("searches"),
    "analyse": Kind("searches", 1),
    "review": Kind("searches", 1),
    "tree": Kind("trees", 1),  # a tree does not hear that it should stop: its worker is ended, and no other
    "grow": Kind("trees", 1),
    "quiz": Kind("trees", 1),
    "prepare": Kind("compiling"),
}


TYPED = Kind("typed", 1)  # trees that somebody types in are small: no compiler is waited for


class Job:
    """Work that somebody waits for; `tell` hears what it says, the answer to a question as bytes."""

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
        )  # the user's own bot or game, or who asks: who is to blame for its faults
        self.kind = KINDS.get(what, QUESTION)
        if typed and self.kind.lanes == "trees":
            self.kind = TYPED
        self.seconds = seconds  # that it may take
        self.entered = 0.0  # when it began to run
        self.began = 0.0  # when its time began: after the compiler's
        self.compiling = False  # or loading what was compiled
        self.left = False  # whether nobody waits for it any more

    def say(self, kind: str, **what: Any) -> None:
        self.tell({"type": kind, "id": self.id, **what})

    def age(self) -> float:
        return time.monotonic() - self.began


class Worker(Protocol):
    """What runs one job after the other; see worker.py."""

    def run(self, job: Job, due: Callable[[], str]) -> bool:
        """Run it to its end; stop it when `due` says why; False if it had to be ended by force."""

    def close(self) -> None: ...


class Lane(NamedTuple):
    """A worker's share of the work."""

    kind: str
    kept: bool  # for moves that keep to the rules


class Jobs:
    """The lanes and their queue."""

    def __init__(self, worker: Callable[[bool, bool], Worker], workers: int | None = None) -> None:
        """`worker(polite, plain)` makes one; a polite one lets others go first, a plain one compiles nothing."""
        self.waiting: list[Job] = []
        self.running: set[Job] = set()
        self.used: dict[str, tuple[float, float]] = {}  # seconds by client, and when that was
        self.owing: dict[
            tuple[str, str], float
        ] = {}  # until when who answers for it stays in the common lanes
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
        """Let the job run when its turn comes; Refused if too many wait already."""
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
        """Nobody waits for it any more."""
        with self.changed:
            job.left = True
            if job in self.waiting:
                self.waiting.remove(job)
                job.say("done", stopped=True)

    def drop(self, job: Job) -> None:
        """Nobody waits for it any more; but if it has begun, it may go on."""
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
        """The next job of a lane; None when the server ends."""
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
        """Whose turn it is."""
        fitting = [job for job in self.waiting if job.kind.lanes == lane.kind]
        if lane.kept:
            fitting = [job for job in fitting if not job.kind.patient and not self._owes(job)]
        used = {client: self._used(client) for client in {job.client for job in fitting}}
        return min(fitting, key=lambda job: (self._owes(job), job.kind.rank, used[job.client]), default=None)

    def _due(self, job: Job) -> str:
        """Why a job that runs has to stop; nothing if it may go on."""
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

    # --- who has used how much ---

    def _used(self, client: str) -> float:
        """Seconds that a client has used lately."""
        seconds, then = self.used.get(client, (0.0, 0.0))
        return float(seconds * 0.5 ** ((time.monotonic() - then) / HALF))

    def _owes(self, job: Job) -> bool:
        return self.owing.get((job.kind.lanes, job.answers), 0.0) > time.monotonic()

    def _charge(self, job: Job, fine: bool) -> None:
        now = time.monotonic()
        self.used[job.client] = self._used(job.client) + now - job.entered, now
        if not fine:
            self.owing[job.kind.lanes, job.answers] = now + DEBT
        if len(self.used) > 1000:  # those who came long ago
            self.used = {who: kept for who, kept in self.used.items() if now - kept[1] < 10 * HALF}
            self.owing = {who: until for who, until in self.owing.items() if until > now}
