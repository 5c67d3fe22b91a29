"""Searches for many at once: so many at a time, the rest in a queue, and none that nobody waits for.

A move that somebody waits for goes before an analysis, and analyses never take all the workers if there are
two or more. An analysis ends when its time is up, sooner if others wait. What is compiled before it is needed has
a worker of its own. Search runs in native code without
Python's lock, so the threads here really run at once.
"""

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from typing import Any

from outplay.compile import on_compile
from outplay.files import describe
from outplay.game import GameError
from outplay.ui.wait import STACK
from outplay.ui.web.catalogue import Refused

MAX_WAITING = 100
PATIENCE = 10.0  # seconds that an analysis has for itself when another waits
TICK = 0.1  # seconds between looks at who has had enough


class Job:
    """A search that somebody waits for. `work(job)` runs it; what it finds it says with `say`."""

    def __init__(
        self, work: Callable[["Job"], None], tell: Callable[[dict[str, Any]], None], id: int, seconds: float
    ) -> None:
        self.work, self.tell, self.id, self.seconds = work, tell, id, seconds
        self.patient = False  # whether it can wait: an analysis, not a move
        self.builds = False  # whether it only compiles
        self.stop = threading.Event()
        self.began: float | None = None
        self.timed = True  # whether its time runs: not while something is compiled for it
        self.reason = ""  # why it was stopped, if not because its owner said so

    def say(self, kind: str, **what: Any) -> None:
        self.tell({"type": kind, "id": self.id, **what})

    def prepare(self, work: Callable[[], None]) -> None:
        """Get ready; the job's time begins after that."""
        self.timed = False
        try:
            work()
        finally:
            self.began, self.timed = time.monotonic(), True

    def run(self) -> None:
        try:
            self.work(self)
        except (ValueError, GameError) as error:
            self.say("error", message=" ".join(str(error).split()))
        except Exception as error:  # a user's own rules or bot may do anything
            self.say("error", message=describe(error))


class Jobs:
    """The workers and their queue."""

    def __init__(self, workers: int | None = None) -> None:
        self.workers = workers or max(1, os.cpu_count() or 1)
        self.waiting: deque[Job] = deque()
        self.running: set[Job] = set()
        self.changed = threading.Condition()
        self.open = True
        lanes = [False] * self.workers + [True]
        self.threads = [threading.Thread(target=self._serve, args=(lane,), daemon=True) for lane in lanes]
        self.threads.append(threading.Thread(target=self._watch, daemon=True))
        default = threading.stack_size(STACK)
        for thread in self.threads:
            thread.start()
        threading.stack_size(default)
        self.stop_listening = on_compile(self._compiling)

    def submit(self, job: Job) -> None:
        """Let the job run when its turn comes; Refused if too many wait already."""
        with self.changed:
            if len(self.waiting) >= MAX_WAITING:
                raise Refused(
                    f"the machine is busy: {MAX_WAITING} searches are waiting; try again in a while"
                )
            self.waiting.append(job)
            ahead = sum(not other.builds for other in self.waiting) - 1
            busy = sum(not other.builds for other in self.running) >= self.workers
            if not job.builds and (ahead or busy):
                job.say("queued", ahead=ahead)
            self.changed.notify_all()

    def cancel(self, job: Job) -> None:
        """Nobody waits for it any more."""
        with self.changed:
            if job in self.waiting:
                self.waiting.remove(job)
                job.say("done", stopped=True)
        job.stop.set()

    def close(self) -> None:
        """Stop everything."""
        with self.changed:
            self.open = False
            self.waiting.clear()
            for job in self.running:
                job.stop.set()
            self.changed.notify_all()
        self.stop_listening()

    # --- the workers ---

    def _serve(self, builds: bool) -> None:
        while True:
            with self.changed:
                job = self._next(builds)
                while job is None and self.open:
                    self.changed.wait()
                    job = self._next(builds)
                if job is None:
                    return
                self.running.add(job)
                job.began = time.monotonic()
            job.run()
            with self.changed:
                self.running.discard(job)
                self.changed.notify_all()

    def _next(self, builds: bool) -> Job | None:
        """The job whose turn it is: the first move, or else the first analysis if there is room for one."""
        mine = [job for job in self.waiting if job.builds == builds]
        room = sum(job.patient for job in self.running) < max(1, self.workers - 1)
        turn = next((job for job in mine if not job.patient), None)
        if turn is None and room:
            turn = next(iter(mine), None)
        if turn is not None:
            self.waiting.remove(turn)
        return turn

    def _watch(self) -> None:
        """Stop what has had its time, and analyses that keep others waiting."""
        while self.open:
            time.sleep(TICK)
            with self.changed:
                others = [job for job in self.waiting if not job.builds]
                moves = any(not job.patient for job in others)
                for job in self.running:
                    if not job.timed:
                        continue
                    assert job.began is not None
                    age = time.monotonic() - job.began
                    crowded = job.patient and others and age > (1.0 if moves else PATIENCE)
                    if age > job.seconds or crowded:
                        job.reason = job.reason or ("others are waiting" if crowded else "its time is up")
                        job.stop.set()

    def _compiling(self, text: str) -> None:
        with self.changed:
            running = list(self.running)
        game = text.rpartition(" ")[2]  # or a function that all games share
        what = f"compiling {game}" if game[:1].isupper() else "compiling"
        for job in running:
            job.say("compiling", message=f"{what} (once; kept for next time)")
