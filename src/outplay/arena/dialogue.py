"""The protocol between two of our processes: requests one way, replies the other, each a line of JSON with one object.

    {"new": {"start": "-...XO---OX...- X"}}      {}
    {"play": {...}}                              {"played": {...}}

A request may fail: {"fault": [kind, detail]} is a player's fault, {"refused": why} anything else. The server ends when
the other process has closed the pipe or was killed.
"""

import json
import os
import queue
import sys
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, TextIO

import outplay
from outplay.arena.external import Program
from outplay.arena.faults import Fault

Answer = dict[str, Any]


def start(module: str) -> Program:
    """A process that runs the `main` of a module of this package, wherever the package lies.

    Its environment is ours: programs that it starts find what they would find if they were started from here.
    """
    root = str(Path(outplay.__file__).parent.parent)
    code = f"import sys; sys.path.insert(0, {root!r}); from {module} import main; main()"
    return Program([sys.executable, "-c", code])


def ask(program: Program, request: dict[str, Any], deadline: float | None = None) -> Answer:
    """Send a request and return the reply; raise a Fault if the process fails."""
    program.send(json.dumps(request))
    line = program.receive(deadline)
    try:
        answer: Answer = json.loads(line)
    except ValueError:
        raise Fault("garbage", line[:80]) from None
    return answer


def accepted(answer: Answer) -> Answer:
    """Return the reply; raise the fault or the refusal that it reports."""
    if "refused" in answer:
        raise ValueError(answer["refused"])
    if "fault" in answer:
        raise Fault(*answer["fault"])
    return answer


def serve(answer: Callable[[str, dict[str, Any]], Answer | None], leave: Callable[[], None]) -> None:
    """Answer requests forever. When the pipe is closed, call `leave` and end the process.

    For None no reply is sent. Prints go to standard error, so that they cannot be mistaken for replies.
    """
    requests, answers = _private_streams()
    waiting: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_hear, args=(requests, waiting, leave), daemon=True).start()
    while True:
        ((name, arguments),) = json.loads(waiting.get()).items()
        said = answer(name, arguments)
        if said is not None:
            answers.write(json.dumps(said, default=_plain) + "\n")
            answers.flush()


def _hear(requests: TextIO, waiting: "queue.SimpleQueue[str]", leave: Callable[[], None]) -> None:
    """Read in a separate thread: the main thread may be busy or hang when the other process is gone."""
    try:
        for line in requests:
            waiting.put(line)
        leave()
    finally:
        os._exit(0)


def _private_streams() -> tuple[TextIO, TextIO]:
    """Take over standard input and output; from now on stdin is empty and prints go to stderr."""
    requests, answers = os.fdopen(os.dup(0)), os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(2, 1)
    return requests, answers


def _plain(value: Any) -> Any:
    """A NumPy number as JSON writes it."""
    return value.item()
