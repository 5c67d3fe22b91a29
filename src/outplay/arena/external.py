"""External programs with a line-based protocol: started, read with a time limit, and terminated, whatever they do."""

import collections
import contextlib
import io
import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from collections.abc import Iterator
from typing import IO

from outplay.arena.faults import Fault

MOST_LINES = 10_000  # unread; a program that floods its pipe must wait
FAREWELL = 1.0  # seconds that a program has to exit after its quit command
CHATTER = 1000  # lines of it to keep
LONGEST_LINE = 1 << 16  # bytes
Lines = collections.deque[str | None]  # None: the end
GAMES = "/usr/games"  # where Debian installs engines; often not on PATH


def command_line(text: str) -> list[str]:
    """Split a command line as a shell would; raise a ValueError if the program is not found."""
    try:
        words = shlex.split(text, posix=os.name == "posix")
    except ValueError as error:
        raise ValueError(f"{text!r} is not a command line: {error}") from None
    if not words:
        raise ValueError("missing name of a program")
    program = shutil.which(words[0]) or shutil.which(words[0], path=GAMES)
    if program is None:
        raise ValueError(f"program {words[0]!r} not found, or not executable")
    return [program, *words[1:]]


class Program:
    """A running program. Whatever keeps it from answering is a Fault: a hang, or a crash.

    Lines that begin with `chatter` are delivered together with the next other line: waking the runner for each
    of them would take CPU time from the players.
    """

    def __init__(self, command: list[str], chatter: str | None = None) -> None:
        try:
            self.process = subprocess.Popen(
                command, bufsize=0,
                stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                start_new_session=os.name == "posix",  # Ctrl-C goes to the runner only, which ends its programs
            )  # fmt: skip
        except OSError as error:
            raise Fault("crash", f"{command[0]} failed to start: {error.strerror}") from None
        self.chatter = chatter
        self.heard: queue.Queue[tuple[Lines, float]] = queue.Queue(MOST_LINES)  # and the time of the last one
        self.lines: Lines = collections.deque()  # read from the pipe, not yet received
        self.asked = self.answered = 0.0  # times: last line sent, last received line read
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

    def receive(self, deadline: float | None) -> str:
        """Its next line; `deadline` is a time of `time.monotonic`, None for no limit."""
        left = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            if not self.lines:
                self.lines, self.answered = self.heard.get(timeout=left)
        except queue.Empty:
            raise Fault("hang", "no reply") from None
        line = self.lines[0]
        if line is None:  # left in place: later calls see the end, too
            raise Fault("crash", self.last_words())
        self.lines.popleft()
        return line

    @property
    def spent(self) -> float:
        """Seconds from the last line sent to the last one received, without the runner's own delay."""
        return max(0.0, self.answered - self.asked)

    def last_words(self) -> str:
        """Why it ended: its exit status and its last line on standard error."""
        try:
            status = self.process.wait(1.0)
        except subprocess.TimeoutExpired:
            return "closed its output"
        self.listeners[1].join(1.0)  # standard error has been read to its end
        how = f"ended with status {status}" if status >= 0 else f"killed by signal {-status}"
        return f"{how}: {self.complaints[-1]}" if self.complaints else how

    @contextlib.contextmanager
    def closed_on_error(self) -> Iterator[None]:
        """End the program on any exception, Ctrl-C included."""
        try:
            yield
        except BaseException:
            self.close()
            raise

    def hang_up(self) -> None:
        """Close its input: a program that reads to the end of it exits."""
        assert self.process.stdin is not None
        with contextlib.suppress(OSError):
            self.process.stdin.close()

    def close(self, farewell: str = "", patience: float = 0.0) -> None:
        """End it: send its quit command, close its input, and kill it after so many seconds."""
        self.closing = True
        try:
            if farewell:
                self.send(farewell)
            self.hang_up()
            self.process.wait(patience)
        except (Fault, subprocess.TimeoutExpired):
            self.process.kill()
            self.process.wait()
        finally:
            self._end_children()

    def _end_children(self) -> None:
        """Kill its process group, with any processes that it started and left behind."""
        if os.name == "posix":
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def _hear(self) -> None:
        lines: Lines = collections.deque(maxlen=CHATTER)
        for line in _lines_of(self.process.stdout):
            lines.append(line)
            if self.chatter is None or not line.startswith(self.chatter):
                self._put(lines)
                lines = collections.deque(maxlen=CHATTER)
        lines.append(None)
        self._put(lines)

    def _put(self, lines: Lines) -> None:
        """Queue lines. While the queue is full the program has to wait, unless it is being closed."""
        came = time.monotonic()
        while not self.closing:
            try:
                return self.heard.put((lines, came), timeout=0.5)
            except queue.Full:
                continue
        with contextlib.suppress(queue.Full):  # a reader may still wait for the end
            self.heard.put_nowait((lines, came))

    def _hear_complaints(self) -> None:
        self.complaints.extend(line.strip() for line in _lines_of(self.process.stderr) if line.strip())


def _lines_of(stream: IO[bytes] | None) -> Iterator[str]:
    """Yield a program's lines to the end. Buffered: otherwise each byte would be a system call."""
    assert isinstance(stream, io.RawIOBase)
    with io.BufferedReader(stream) as buffered:
        for line in iter(lambda: buffered.readline(LONGEST_LINE), b""):
            yield line.decode(errors="replace").rstrip("\r\n")
