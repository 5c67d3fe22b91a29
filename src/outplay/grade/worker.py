"""The process in which a student's code runs: it receives `FILE:function`, then answers case by case.

Requests and replies are lines of JSON. Nothing is decided here, since a student's code can change all of this module;
the other side (process.py) checks every reply.
"""

import contextlib
import faulthandler
import json
import os
from typing import Any

from outplay.grade.student import load_function, student

LOADING = 20.0  # seconds for the file itself, with whatever it imports
MEMORY = 2 << 30  # bytes


def limit_memory() -> None:
    """Limit this process's memory, if the system supports that."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main() -> None:
    """Answer the questions on standard input; whatever the student's code prints is lost."""
    questions, answers = (
        os.fdopen(os.dup(end), mode, encoding="utf-8") for end, mode in ((0, "r"), (1, "w"))
    )
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)

    def say(thing: Any) -> None:
        answers.write(json.dumps(thing) + "\n")
        answers.flush()

    spec, kind, seed, seconds = json.loads(questions.readline())
    limit_memory()
    faulthandler.dump_traceback_later(LOADING, exit=True)  # works even if the code is stuck
    try:
        who = student(load_function(spec), kind)
    except ValueError as error:
        say({"fault": str(error)})
        return
    faulthandler.cancel_dump_traceback_later()
    say({"name": who.name, "kind": who.kind, "roles": who.roles, "needed": [*who.needed]})
    every = who.cases(seed)
    for question in questions:
        case = every[int(question)]
        faulthandler.dump_traceback_later(seconds, exit=True)
        run = who.run(case)
        say(run if case.is_tree else run._replace(visits=()))
        faulthandler.cancel_dump_traceback_later()
