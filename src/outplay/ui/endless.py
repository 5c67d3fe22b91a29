"""A watchdog for interpreted rules that never return: in every command's main thread it raises an error naming them.

Rules of a user's file run as plain Python where games are read, shown or played by hand. A signal fires after every
second of CPU time and checks what is running; a rule stopped in a debugger uses none. Other threads have their own
limits (see wait.py). Windows has no such signal: there Ctrl-C ends a rule.
"""

import atexit
import signal
from pathlib import Path
from types import FrameType

PATIENCE = 30  # CPU seconds for one call of a rule, or for reading a file
TOLD = "no answer in {} seconds of computing: it seems to loop forever"

_call: FrameType | None = None  # the rule or file that ran a second ago
_seconds = 0  # since it was first seen


class Endless(BaseException):
    """A rule or a file does not end; a BaseException, so that its one-line message reaches the user unchanged."""


def listen() -> None:
    """Start watching the rules that run in this thread."""
    if hasattr(signal, "setitimer"):
        signal.signal(signal.SIGPROF, _look)
        signal.setitimer(signal.ITIMER_PROF, 1.0, 1.0)
        # Python removes its handlers before it exits; a later signal would become the exit status.
        atexit.register(signal.setitimer, signal.ITIMER_PROF, 0.0)


def _look(number: int, frame: FrameType | None) -> None:
    global _call, _seconds
    call = _called(frame)
    _seconds = _seconds + 1 if call is _call else 0
    _call = call
    if call is not None and _seconds >= PATIENCE:
        raise Endless(f"{_place(call)}: {TOLD.format(PATIENCE)}")


def _called(frame: FrameType | None) -> FrameType | None:
    """The frame of the running rule or user's file; the outermost one if they are nested."""
    found = None
    while frame is not None:
        if _is_rule(frame) or _is_read(frame):
            found = frame
        frame = frame.f_back
    return found


def _is_rule(frame: FrameType) -> bool:
    """Whether it is a method of a game's class; bots have no limit."""
    owner = frame.f_globals.get(frame.f_code.co_qualname.partition(".")[0])
    return isinstance(owner, type) and "__outplay_adopted__" in vars(owner)


def _is_read(frame: FrameType) -> bool:
    """Whether it is the top level of a file that `files.load_module` is loading."""
    caller = frame.f_back
    return caller is not None and (caller.f_code.co_name, frame.f_code.co_name) == ("load_module", "<module>")


def _place(frame: FrameType) -> str:
    code = frame.f_code
    where = f"{Path(code.co_filename).name} line {frame.f_lineno}"
    return where if _is_read(frame) else f"{code.co_qualname}, {where}"
