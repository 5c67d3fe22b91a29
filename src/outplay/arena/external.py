"""Programs that are talked to line by line: started, read with a time limit, and ended, whatever they do."""

import collections
import contextlib
import os
import queue
import shlex
import shutil
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import IO

from outplay.arena.faults import Fault

MOST_LINES = 10_000  # that nobody has read yet; a program that floods its pipe must wait
LONGEST_LINE = 1 << 16  # bytes
GAMES = "/usr/games"  # where Debian keeps engines; seldom on the path of those who run matches


def command_line(text: str) -> list[str]:
    """A program and its arguments, as a shell would split them; a ValueError if there is no such program."""
    try:
        words = shlex.split(text, posix=os.name == "posix")
    except ValueError as error:
        raise ValueError(f"{text!r} is no command line: {error}") from None
    if not words:
        raise ValueError("the name of a program is missing")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
    if program is None:
        raise ValueError(f"there is no program {words[0]!r} here, or it may not be run")
    return [program, *words[1:]]


class Program:
    """A running program. Whatever keeps it from answering is a Fault: a hang, or a crash."""

    def __init__(self, command: list[str], environment: dict[str, str] | None = None) -> None:
        try:
            self.process = subprocess.Popen(
                command, env=environment, bufsize=0,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",  # Ctrl-C is for the runner, who ends its programs itself
            )  # fmt: skip
        except OSError as error:
            raise Fault("crash", f"{command[0]} does not start: {error.strerror}") from None
        self.lines: queue.Queue[tuple[str | None, float]] = queue.Queue(MOST_LINES)  # and when they came
        self.asked = self.answered = 0.0  # when the last line was sent, and when the last one received came
        self.complaints: collections.deque[str] = collections.deque(maxlen=20)
        self.closing = False
        self.listeners = [
            threading.Thread(target=f, daemon=True) for f in (self._hear, self._hear_complaints)
        ]
        for listener in self.listeners:
            listener.start()

    def send(self, line: str) -> None:
        """Write one line to it."""
        assert self.process.stdin is not None
        self.asked = time.monotonic()
        try:
            self.process.stdin.write(f"{line}\n".encode())
        except OSError:
            raise Fault("crash", self.last_words()) from None

    def receive(self, deadline: float) -> str:
        """Its next line; `deadline` is a time of `time.monotonic`."""
        try:
            line, self.answered = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise Fault("hang", "no answer") from None
        if line is None:
            self.lines.put((None, self.answered))  # for whoever asks again
            raise Fault("crash", self.last_words())
        return line

    @property
    def spent(self) -> float:
        """Seconds from the last line sent to the last one received: its own time, not that of reading it."""
        return max(0.0, self.answered - self.asked)

    def last_words(self) -> str:
        """Why it is gone: its exit status, and what it complained of last."""
        try:
            status = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.listeners[1].join(1.0)  # all that it complained of has been heard
        how = f"ended with status {status}" if status >= 0 else f"killed by signal {-status}"
        return f"{how}: {self.complaints[-1]}" if self.complaints else how

    @contextlib.contextmanager
    def closed_on_error(self) -> Iterator[None]:
        """Whatever goes wrong here, Ctrl-C too, ends the program."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def close(self, farewell: str = "", patience: float = 1.0) -> None:
        """End it: by its own word for that first, then by force."""
        self.closing = True
        try:
            if farewell:
                self.send(farewell)
            if self.process.stdin is not None:
                self.process.stdin.close()
            self.process.wait(patience if farewell else 0.0)
        except (Fault, OSError, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()

    def _hear(self) -> None:
        for line in _lines_of(self.process.stdout):
            self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        """Hand a line over; while nobody takes it the program has to wait, unless it is being closed."""
        came = time.monotonic()
        while not self.closing:
            try:
                return self.lines.put((line, came), timeout=0.5)
            except queue.Full:
                continue

    def _hear_complaints(self) -> None:
        self.complaints.extend(line.strip() for line in _lines_of(self.process.stderr) if line.strip())


def _lines_of(stream: IO[bytes] | None) -> Iterator[str]:
    """What a program writes, line by line, to its end."""
    assert stream is not None
    with stream:
        for line in iter(lambda: stream.readline(LONGEST_LINE), b""):
            yield line.decode(errors="replace").rstrip("\r\n")
