"""Ctrl-C at any moment, in every command.

Python handles a Ctrl-C between two bytecode instructions of the main thread: native code or compilation
there delays it. So a second thread is woken by the signal itself, and ends the process if the main thread has not
reacted after a while.
"""

import atexit
import contextlib
import os
import signal
import socket
import sys
import threading
from types import FrameType

STATUS = 130  # the exit status of an interrupted process: 128 + the signal's number
GRACE = 2.0  # seconds to stop and report results
TOLD = "outplay: interrupted"
heard = threading.Event()  # set by Ctrl-C


def _hear(number: int, frame: FrameType | None) -> None:
    heard.set()
    signal.default_int_handler(number, frame)


def listen() -> None:
    """Install the handler."""
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.signal(signal.SIGINT, _hear)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(woken, wakes), daemon=True).start()


def _watch(woken: socket.socket, wakes: socket.socket) -> None:
    """End the process if the main thread does not react; holding `wakes` keeps it open."""
    while number := woken.recv(1):  # of any signal
        if number[0] != signal.SIGINT:
            continue
        if signal.getsignal(signal.SIGINT) is _hear and not heard.wait(GRACE):
            os.write(2, f"{TOLD}\n".encode())
            os._exit(STATUS)


def leave() -> None:
    """Say that it was interrupted, and end the process with that status.

    Python itself would end it by the signal if Ctrl-C came inside an `eval`, such as `namedtuple` uses.
    """
    print(TOLD, file=sys.stderr)
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(STATUS)
