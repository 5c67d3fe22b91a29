"""A student's code in a separate process that can be killed: the grader's side."""

import contextlib
import json
import os
import queue
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from typing import Any

from outplay.files import file_spec
from outplay.grade.cases import Case
from outplay.grade.student import ENDLESS, KINDS, ROLES, Run, Student

PATIENCE = 60.0  # seconds for the process to start and to load the file
LEAVING = 10.0  # seconds for a process to exit once it has stopped answering
SECONDS = 5.0  # for one case
TOTAL = 120.0  # seconds for all cases
LONGEST = 1 << 20  # of an answer, in characters
LEFT = "the program ended instead of answering"


class Process:
    """Runs a function of a file on cases, one at a time. Its answers are not trusted but checked."""

    def __init__(self, spec: str, kind: str | None, seed: int) -> None:
        self.file = file_spec(spec)
        self.errors = tempfile.TemporaryFile("w+", encoding="utf-8", errors="replace")  # noqa: SIM115
        self.process = subprocess.Popen(
            [sys.executable, "-c", "from outplay.grade.worker import main; main()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.errors,
            text=True,
            encoding="utf-8",
            errors="replace",
            start_new_session=True,  # its child processes are ended with it
            env=os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        )
        self.heard: queue.SimpleQueue[str] = queue.SimpleQueue()
        threading.Thread(target=self.listen, daemon=True).start()
        self.left = TOTAL
        try:
            self.student = self.introduced(spec, kind, seed)
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> "Process":
        return self

    def __exit__(self, *error: object) -> None:
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
        self.process.wait()
        self.errors.close()

    def listen(self) -> None:
        assert self.process.stdout is not None
        with contextlib.suppress(ValueError, OSError):
            while line := self.process.stdout.readline(LONGEST):
                self.heard.put(line)
        self.heard.put("")

    def ask(self, question: object, seconds: float) -> Any:
        """The answer to a question, as plain text if it is not JSON; None if there is none."""
        assert self.process.stdin is not None
        try:
            self.process.stdin.write(f"{json.dumps(question)}\n")
            self.process.stdin.flush()
            line = self.heard.get(timeout=seconds)
        except (OSError, ValueError, queue.Empty):
            return None
        try:
            return json.loads(line) if line else None
        except (ValueError, RecursionError):
            return line

    def introduced(self, spec: str, kind: str | None, seed: int) -> Student:
        """The function, as its process describes it; a ValueError if it cannot be graded."""
        said = self.ask([spec, kind, seed, SECONDS], PATIENCE)
        if isinstance(said, dict) and "fault" in said:
            raise ValueError(printable(str(said["fault"])))
        try:
            roles, needed = dict(said["roles"]), frozenset(said["needed"])
            if said["kind"] in KINDS and {*ROLES}.issuperset([*roles.values(), *needed]):
                return Student(printable(said["name"]), _elsewhere, said["kind"], "", roles, needed)
        except (TypeError, KeyError, ValueError):
            pass
        raise ValueError(f"{spec}: {self.why()}")

    def run(self, number: int, case: Case) -> Run:
        """Run its search on a case."""
        began = time.monotonic()
        said = self.ask(number, min(SECONDS + 1, max(self.left, 0.1)))
        self.left -= time.monotonic() - began
        if said is None:
            late = self.left <= 0 and self.process.poll() is None
            return Run(fault=f"not finished within {TOTAL:g} seconds" if late else self.why(), returned=False)
        try:
            run = Run.read(said, case)
        except (ValueError, TypeError, OverflowError, RecursionError):
            return Run(fault="its answer makes no sense", returned=False)
        return run._replace(fault=printable(run.fault))

    def why(self) -> str:
        """Why there is no answer: the line where the code was when its time was up, if known."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(LEAVING)
        if self.process.poll() is None:
            return ENDLESS
        self.errors.seek(0)
        told = self.errors.read().rpartition("Timeout (")[2]
        name = Path(self.file.path).name if self.file else ""
        where = re.search(rf'File "[^"]*{re.escape(name)}", line (\d+)', told)
        if "Thread 0x" in told or where:
            return f"{name}, line {where[1]}: {ENDLESS}" if where else ENDLESS
        return LEFT


def _elsewhere() -> None:
    """Stands in for a function that lives in another process."""


def printable(text: str) -> str:
    """One line without terminal escape sequences."""
    return "".join(letter if letter.isprintable() else " " for letter in text)[:500]
