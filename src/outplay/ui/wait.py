"""Waiting for native code: handles Ctrl-C, and shows compilation progress."""

import math
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from rich.console import Console
from rich.status import Status

from outplay.compile import is_building, on_compile
from outplay.compile.cache import folder, home
from outplay.game import GameError
from outplay.ui import endless
from outplay.ui.interrupt import GRACE

T = TypeVar("T")
NAME = "outplay work"
OVERTIME = 10.0  # seconds that a search may exceed its time
STACK = 64 << 20  # bytes of a worker thread's stack, since some systems' default is very small


def patiently(
    work: Callable[[], T],
    doing: str = "",
    progress: Callable[[], str] | None = None,
    interrupt: Callable[[], None] | None = None,
    limit: float | None = None,
    asks: Callable[[], list[str]] | None = None,
) -> T:
    """The work's result, with a line on standard error for `doing` it and for whatever must be compiled.

    It runs in a thread of its own, since native code does not react to Ctrl-C. After Ctrl-C the thread is abandoned
    (see `abandoned`); if there is an `interrupt`, that is called instead and the result awaited for a moment, and a
    second Ctrl-C abandons the thread at once. `progress` returns a text on the progress. `limit`: the seconds within
    which the work should end by itself, without compiling; work that takes much longer is abandoned with a GameError.
    So is work that waits too long for one answer: `asks` returns what it waits for, a new list each time.
    """
    outcome: list[Any] = []
    done = threading.Event()

    def run() -> None:
        try:
            outcome.extend((True, work()))
        except BaseException as error:
            outcome.extend((False, error))
        done.set()

    default = threading.stack_size(STACK)
    thread = threading.Thread(target=run, name=NAME, daemon=True)
    with Progress(doing) as shown:
        thread.start()
        threading.stack_size(default)
        patience = Patience(limit, asks)
        while not done.is_set():
            try:
                done.wait(0.1)  # without a limit, Windows would not hear Ctrl-C
                if progress is not None:
                    shown.update(progress())
                patience.look()
            except KeyboardInterrupt:
                if interrupt is None:
                    raise
                interrupt()
                interrupt, patience.given_up = None, time.monotonic() + GRACE
            patience.check()
    succeeded, result = outcome
    if not succeeded:
        raise result
    return result


class Patience:
    """The time limits of some work."""

    def __init__(self, limit: float | None, asks: Callable[[], list[str]] | None) -> None:
        self.limit, self.asks = limit, asks
        self.latest = math.inf if limit is None else time.monotonic() + limit + OVERTIME
        self.given_up = math.inf  # when work that was asked to stop is abandoned
        self.asked: list[str] | None = None  # what it waits for, and since when
        self.since = 0.0

    def look(self) -> None:
        """Update the clock; compiling does not count."""
        if self.limit is not None and is_building():
            self.latest = time.monotonic() + self.limit + OVERTIME
        if self.asks is not None and (self.asks() is not self.asked or is_building()):
            self.asked, self.since = self.asks(), time.process_time()

    def check(self) -> None:
        """Raise an error if it takes too long."""
        now = time.monotonic()
        if now > self.given_up:
            raise KeyboardInterrupt
        if now > self.latest:
            raise GameError(
                f"no result {OVERTIME:g} seconds after the time was up: a rule seems to loop forever"
            )
        if self.asked is not None and time.process_time() - self.since > endless.PATIENCE:
            raise GameError(f"{'.'.join(self.asked)}: {endless.TOLD.format(endless.PATIENCE)}")


def abandoned() -> bool:
    """Whether abandoned work is still running, which only the end of the process stops."""
    return any(thread.name == NAME for thread in threading.enumerate())


def kept() -> str:
    """Whether compiled code is cached; each command needs other code of a game."""
    return (
        "once: the code is kept"
        if os.access(folder(), os.W_OK)
        else f"again each time: {home()} cannot be written"
    )


@contextmanager
def listening(hears: Callable[[str], None]) -> Iterator[None]:
    """While this lasts, `hears` is called with what is being compiled."""
    stop = on_compile(hears)
    try:
        yield
    finally:
        stop()


class Progress:
    """Shows progress on standard error: a spinner on a terminal, elsewhere one plain line."""

    def __init__(self, doing: str = "") -> None:
        self.console = Console(file=sys.stderr)
        self.status = Status(doing, console=self.console) if self.console.is_terminal else None
        self.doing = doing
        self.told = False

    def __enter__(self) -> "Progress":
        if self.status and self.doing:
            self.status.start()
        self.stop_listening = on_compile(self.compiling)
        return self

    def compiling(self, text: str) -> None:
        text = f"{text} for this command ({kept()})"
        if self.status:
            self.status.update(text)
            self.status.start()
        elif not self.told:
            self.console.print(text, highlight=False, soft_wrap=True)
        self.told = True

    def update(self, text: str) -> None:
        """Update the progress, if the line can be rewritten."""
        if self.status and text:
            self.status.update(text)

    def __exit__(self, *error: object) -> None:
        self.stop_listening()
        if self.status:
            self.status.stop()
