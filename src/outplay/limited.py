"""A limit for rules that are run by Python: one that does not come to an end is ended."""

import contextlib
import ctypes
import sys
import threading
import time
from collections.abc import Iterator

PATIENCE = 2.0  # CPU seconds after which a running rule is aborted
WAITING = 30.0  # seconds in all: it may wait for something
LOOKING = 0.25  # seconds between two checks


class Late(BaseException):
    """A rule has not come to an end; no rule of the user's is to catch it."""


@contextlib.contextmanager
def limited() -> Iterator[None]:
    """End a rule that does not end by itself: `Late` is raised in it. Under a debugger it may take its time."""
    if sys.gettrace() is not None:
        yield
        return
    watch = _Watch(threading.get_ident())
    watch.start()
    try:
        yield
    finally:
        watch.end()


class _Watch(threading.Thread):
    """Looks now and then how long a thread has been at work.

    A trace function would be called at every line, and take as long as the rules themselves.
    """

    def __init__(self, watched: int) -> None:
        super().__init__(daemon=True)
        self.watched = watched
        self.over = threading.Event()
        self.lock = threading.Lock()  # so that nothing is raised once it is over
        self.has_raised = False
        self.began, self.last = _used_by(watched), time.perf_counter() + WAITING

    def run(self) -> None:
        while not self.over.wait(LOOKING):
            if _used_by(self.watched) - self.began > PATIENCE or time.perf_counter() > self.last:
                with self.lock:
                    if not self.over.is_set():
                        self.has_raised = True
                        _raise_in(self.watched, Late)  # and again: where an object is disposed of, it is lost

    def end(self) -> None:
        """Look no longer. Called by the watched thread, which may have a Late still to come: it is caught here.

        It cannot be taken back: CPython would look for it at every call from then on, and hang under a profiler.
        """
        while True:
            try:
                with self.lock:
                    self.over.set()
                if self.has_raised:
                    _raise_in(self.watched, Late)  # in place of the one that may be pending
                    while True:
                        pass
                return
            except Late:
                if self.over.is_set():
                    return


def _used_by(thread: int) -> float:
    """Seconds of the processor that a thread has used; where that cannot be known, seconds."""
    if hasattr(time, "pthread_getcpuclockid"):
        return time.clock_gettime(time.pthread_getcpuclockid(thread))
    return time.perf_counter()


def _raise_in(thread: int, error: type[BaseException]) -> None:
    """Have a thread raise an exception at its next step."""
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(thread), ctypes.py_object(error))
