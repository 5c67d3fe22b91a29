"""Waiting for native code: Ctrl-C is heard, and what is being compiled is shown."""

import sys
import threading
from collections.abc import Callable
from typing import Any, TypeVar

from rich.console import Console
from rich.status import Status

from outplay.compile import on_compile

T = TypeVar("T")
NAME = "outplay work"
STACK = 64 << 20  # bytes of a worker's stack: some systems give other threads than the first very little


def patiently(
    work: Callable[[], T],
    doing: str = "",
    progress: Callable[[], str] | None = None,
    interrupt: Callable[[], None] | None = None,
) -> T:
    """The work's result, with a line on standard error for `doing` it and for whatever must be compiled.

    It runs in a thread of its own, since native code hears no Ctrl-C. After one the thread is abandoned (see
    `abandoned`), or, if there is an `interrupt`, that is called and the result waited for; a second Ctrl-C abandons
    it. `progress` tells how far the work is.
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
        while not done.is_set():
            try:
                done.wait(0.1)  # without a limit, Windows would not hear Ctrl-C
                if progress is not None:
                    shown.update(progress())
            except KeyboardInterrupt:
                if interrupt is None:
                    raise
                interrupt()
                interrupt = None
    succeeded, result = outcome
    if not succeeded:
        raise result
    return result


def abandoned() -> bool:
    """Whether some work goes on that nobody waits for; only the end of the process ends it."""
    return any(thread.name == NAME for thread in threading.enumerate())


class Progress:
    """What takes time, on standard error: a spinner on a terminal, elsewhere one plain line."""

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
        text = f"{text} (once; kept for next time)"
        if self.status:
            self.status.update(text)
            self.status.start()
        elif not self.told:
            self.console.print(text, highlight=False, soft_wrap=True)
        self.told = True

    def update(self, text: str) -> None:
        """Say how far the work is, where a line can be written anew."""
        if self.status and text:
            self.status.update(text)

    def __exit__(self, *error: object) -> None:
        self.stop_listening()
        if self.status:
            self.status.stop()
