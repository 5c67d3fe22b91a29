"""Processes for what a user's rules and bots may do: they can be ended, and their memory has a limit."""

import contextlib
import multiprocessing
import os
import signal
import sys
import threading
from collections.abc import Iterator
from typing import Any

MEMORY = 4 << 30  # bytes of a process's address space
POLITE = 5  # the niceness of a polite process

_forks = "forkserver" in multiprocessing.get_all_start_methods()
FORKED: Any = multiprocessing.get_context("forkserver" if _forks else "spawn")
APART: Any = multiprocessing.get_context("spawn")  # a fresh process: it can run without the compiler
_starting = threading.Lock()


def get_ready() -> None:
    """Start the process from which others are forked; it imports all that they need."""
    if _forks:
        from multiprocessing import forkserver

        FORKED.set_forkserver_preload(["outplay.ui.web.nursery"])
        forkserver.ensure_running()


@contextlib.contextmanager
def environment(more: dict[str, str]) -> Iterator[None]:
    """Extend the environment of processes started meanwhile."""
    with _starting:
        before = {name: os.environ.get(name) for name in more}
        os.environ.update(more)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name) if value is None else os.environ.update({name: value})


def confine(polite: bool = False) -> None:
    """Called by such a process at its beginning."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server
    if sys.platform == "win32":
        return
    import resource

    os.setsid()  # a bot's child processes are killed with it
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, hard))
    if polite:
        os.nice(POLITE)


def kill(process: Any) -> None:
    """End a process, and those that it has started."""
    if process.pid is not None and process.is_alive():
        with contextlib.suppress(ProcessLookupError, PermissionError, AttributeError):
            os.killpg(process.pid, signal.SIGKILL)
        process.kill()
    process.join(5)
