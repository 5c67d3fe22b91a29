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

STATUS = 130  # of a process that was interrupted: 128 and the number of the signal
GRACE = 2.0  # seconds to stop, and to say what is known
TOLD = "outplay: interrupted"
heard = threading.Event()  # somebody has pressed Ctrl-C


def _hear(number: int, frame: FrameType | None) -> None:
    heard.set()
    signal.default_int_handler(number, frame)


def listen() -> None:
    """From now on no Ctrl-C is lost."""
    woken, wakes = socket.socketpair()
    wakes.setblocking(False)
    signal.signal(signal.SIGINT, _hear)
    signal.set_wakeup_fd(wakes.fileno(), warn_on_full_buffer=False)
    threading.Thread(target=_watch, args=(woken, wakes), daemon=True).start()


def _watch(woken: socket.socket, wakes: socket.socket) -> None:
    """End the process where the first thread hears nothing; `wakes` is kept open by being here."""
    while number := woken.recv(1):  # of any signal
        if number[0] != signal.SIGINT:
            continue
        if signal.getsignal(signal.SIGINT) is _hear and not heard.wait(GRACE):
            os.write(2, f"{TOLD}\n".encode())
            os._exit(STATUS)


def leave() -> None:
    """End the process with the status of an interrupted one.

    Python itself would end it by the signal if the Ctrl-C came inside an `eval` of a text, as `namedtuple` runs one.
    """
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        if stream is not None:
            with contextlib.suppress(OSError, ValueError):
                stream.flush()
    os._exit(STATUS)
