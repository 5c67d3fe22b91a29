"""Broken classes through every door: `python -m bench.broken [KIND ...] [--processes N] [--interpreted]`.

A door is a command of `outplay`, or the page's worker. Whatever is wrong with a class, it says so in one clear line
and fails, or gives a true answer: no traceback, no crash, no hang, and nothing is called proven that plain minimax
denies. A process takes all doors of a kind, since what it compiles for one serves the others. With `--keep FILE` each
kind is kept when it is done, and the same command goes on where it was stopped.
"""

import argparse
import contextlib
import io
import json
import os
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from bench.broken_classes import ALONE, KINDS, source
from bench.faulty_classes import FAULTY, faulty_source, to_blame
from bench.measure import Row, Size
from outplay.storage import Journal
from outplay.ui import interrupt

DOORS = {
    "best": ["best", "FILE", "--depth", "4", "--time", "2", "--json"],
    "solve": ["solve", "FILE", "--time", "3", "--json"],
    "check": ["check", "FILE", "--games", "30"],
    "play": ["play", "FILE", "--time", "0.2"],
    "match": ["match", "FILE", "random", "engine:nodes=200", "--games", "2", "--max-plies", "50"],
    "perft": ["perft", "FILE", "3"],
    "playouts": ["playouts", "FILE", "--games", "20"],
    "web": [],  # the page: what it asks its worker for
}
ASKED: dict[str, dict[str, Any]] = {  # of the page's worker, one after the other
    "game": {"game": "game"},
    "position": {"game": "game"},
    "explain": {"game": "game"},
    "write": {"game": "game"},
    "tree": {"game": "game", "search": "minimax"},
    "think": {"type": "think", "id": 0, "game": "game", "seat": {"name": "engine", "depth": 4, "time": 2}},
    "analyse": {"type": "analyse", "id": 0, "game": "game", "time": 1},
    "review": {"type": "review", "id": 0, "game": "game"},
}
ASKING = ("best", "check")  # the doors that call all rules: others need no static evaluation
UNSEEN = (  # a search to a depth is right about them, or does not come to them
    "actions that are shuffled", "actions has the same twice", "a game that never ends", "a ValueError",
    "utility is a pair", "utility is a name", "utility forgets the draw",
)  # fmt: skip
LIMITS = ("outplay: the search has more than",)  # true of a large game, whatever else is wrong with it
NOWHERE = ("a game that never ends",)  # no line is to blame alone
ALL = [*KINDS, *ALONE, *FAULTY]
TYPED = "1\nhint\nundo\nquit\n"
LONGEST = 300  # characters of a line
NODES = 20_000  # of plain minimax
PATIENCE = 240  # seconds for one door, with what must be compiled
SECONDS = 5.0  # for what the page asks
KEPT = 15  # kinds that a process takes before another one goes on: native code is never given back


class Fault(NamedTuple):
    kind: str
    door: str
    what: str


class Answer(NamedTuple):
    """What came of a door."""

    status: int
    out: str
    err: str
    truth: Any  # the value by plain minimax, where the door tells one
    busy: bool  # whether the process still runs a rule that nobody waits for


class Worker:
    """A process that runs doors one after the other."""

    def __init__(self, folder: str) -> None:
        command = [sys.executable, "-m", "bench.broken", "--worker", folder]
        environment = {"NUMBA_OPT": "0", **os.environ, "OUTPLAY_CACHE": f"{folder}/cache"}
        pipe = subprocess.PIPE
        self.errors = open(f"{folder}/errors", "w+")  # noqa: SIM115
        self.process = subprocess.Popen(
            command, stdin=pipe, stdout=pipe, stderr=self.errors, text=True, env=environment
        )
        self.lines: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.lines.put(line)
        self.lines.put("")

    def ask(self, kind: str, door: str) -> Answer | str:
        """What came of a door; a text where the process crashed or never answered."""
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps([kind, door]) + "\n")
        self.process.stdin.flush()
        try:
            line = self.lines.get(timeout=PATIENCE)
        except queue.Empty:
            return f"no answer in {PATIENCE} s"
        if line:
            return Answer(*json.loads(line))
        status = self.process.wait()
        self.errors.seek(0)
        told = self.errors.read()
        if status == 2 and told.startswith("outplay: "):  # a command may end its process, with a line
            return Answer(status, "", told, None, True)
        return f"the process ended with status {status}"

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self.errors.close()


def examine(
    kinds: list[str],
    doors: list[str],
    processes: int,
    report: Any = print,
    log: Any = None,
    journal: Journal | None = None,
) -> list[Fault]:
    """Every kind through every door; `report` hears of each fault, `log` of each answer.

    Kinds that the journal tells of are not taken again.
    """
    waiting: queue.Queue[str] = queue.Queue()
    kept = dict(journal.lines if journal else ())
    for kind in kinds:
        if kind not in kept:
            waiting.put(kind)
    faults = [Fault(*fault) for kind in kinds for fault in kept.get(kind, ())]
    keeping = threading.Lock()

    def work() -> None:
        with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
            worker, taken = Worker(folder), 0
            with contextlib.suppress(queue.Empty):
                while True:
                    kind, taken = waiting.get_nowait(), taken + 1
                    for number, door in enumerate(doors):
                        answer = worker.ask(kind, door)
                        if log:
                            log(kind, door, answer)
                        for what in [answer] if isinstance(answer, str) else judge(kind, door, answer):
                            faults.append(Fault(kind, door, what))
                            report(f"{kind} | {door}: {what}")
                        is_last = number == len(doors) - 1
                        if isinstance(answer, str) or answer.busy or is_last and taken % KEPT == 0:
                            worker.end()
                            worker = Worker(folder)
                    if journal:
                        with keeping:
                            journal.append([kind, [fault for fault in faults if fault.kind == kind]])
            worker.end()

    threads = [threading.Thread(target=work) for _ in range(processes)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return faults


# Claims that a solver believes, as docs/contract.md says: `outplay check` is what finds them.
BELIEVED = ("finish", "ceiling", "promising", "symmetries", "key", "irreversible")


def judge(kind: str, door: str, answer: Answer) -> Iterator[str]:
    """What is wrong with a command's answer."""
    status, out, err, truth, _ = answer
    told = [line for line in err.splitlines() if not line.startswith(("compiling ", "starting "))]
    told = [line for line in told if " runs interpreted, perhaps " not in line]  # said once, and no fault
    if "Traceback" in out + err:
        yield f"a traceback: {told[-1][:200] if told else ''}"
        return
    if kind != "__str__ is ten thousand lines":
        for line in told:
            if len(line) > LONGEST:
                yield f"a line of {len(line)} characters: {line[:100]}..."
                break
        if len(told) > (len(ASKED) if door == "web" else 2):  # where it fails, and the moves that lead there
            yield f"{len(told)} lines: {told[0][:150]}"
    for line in told:
        if (found := re.match(r"outplay: (\w+\.py), line", line)) and not found[1].startswith("broken"):
            yield f"a line that names a file of ours: {line[:200]}"
        if re.search(r"[Nn]umba|LLVM|_outplay_|0x[0-9a-f]{7}", line):
            yield f"a line in the compiler's words: {line[:200]}"
    if status not in (0, interrupt.STATUS) and not told and not out:  # `outplay.cli.run` tells of a Ctrl-C
        yield f"status {status} without a word"
    if door in ("best", "solve") and status == 0 and out.strip() and not kind.startswith(BELIEVED):
        found = json.loads(out.strip().splitlines()[-1])
        if found.get("proven") and truth is not None and found.get("value") != truth:
            yield f"proven {found.get('value')}, but it is {truth}"
    if kind in FAULTY:
        yield from place(kind, door, status, told, out)
    if status == 0 and door in ("best", "solve") and truth == "raises":
        yield f"status 0, though the rules fail: {out.strip()[:150]}"


def place(kind: str, door: str, status: int, told: list[str], out: str) -> Iterator[str]:
    """What is wrong with what is said of a class as people write it: it names the line to blame."""
    told = [line for line in told if not line.startswith(LIMITS)]
    lines = [*told, *out.splitlines()]
    named = {int(number) for line in lines for number in re.findall(r"\bline (\d+)", line)}
    if kind in UNSEEN and door == "best" and status == 0:
        return
    if door not in ASKING and (status == 0 or not told):  # nor does a proof need it, that time may cut short
        return
    if status == 0:
        yield f"status 0, though the class is faulty: {out.strip()[:150]}"
    elif not named & set(to_blame(kind)) and kind not in NOWHERE:
        yield f"line {to_blame(kind)} is to blame, {sorted(named) or 'none'} named: {' / '.join(lines)[:250]}"


# --- the process that runs doors --------------------------------------------------------------------------


def serve(folder: Path) -> None:
    from outplay.ui import endless, wait

    endless.PATIENCE, wait.OVERTIME = 5, 5.0
    endless.listen()
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what a file prints in a process that is started here is no answer
    for request in sys.stdin:
        kind, door = json.loads(request)
        file = folder / f"broken{ALL.index(kind)}.py"
        file.write_text(faulty_source(kind) if kind in FAULTY else source(kind))
        out, err = io.StringIO(), io.StringIO()
        sys.stdin = io.StringIO(TYPED)
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
            try:
                status = page(str(file)) if door == "web" else command(str(file), door)
            except KeyboardInterrupt:
                status = interrupt.STATUS
            except BaseException as error:  # what the command line lets through
                status = 1
                err.write(f"Traceback: {type(error).__name__}: {error}\n")
        sys.stdin = sys.__stdin__
        truth = plain_value(file) if door in ("best", "solve") and kind not in ALONE and status == 0 else None
        texts = out.getvalue()[-20000:], err.getvalue()[-20000:]
        print(json.dumps(Answer(status, *texts, truth, wait.abandoned())), file=answers, flush=True)


def command(file: str, door: str) -> int:
    from outplay.cli import main

    return main([file if word == "FILE" else word for word in DOORS[door]])


def page(file: str) -> int:
    """What `outplay web FILE` does with the file, and what its worker answers to a page."""
    from outplay.cli import told
    from outplay.ui.endless import Endless
    from outplay.ui.web.catalogue import Catalogue
    from outplay.ui.web.jobs import COMPILING, Job
    from outplay.ui.web.processes import get_ready
    from outplay.ui.web.worker import Process

    get_ready()
    try:
        catalogue = Catalogue([file])
        catalogue.describe()
    except (Exception, Endless) as error:
        print(f"outplay: {told(error)}", file=sys.stderr)
        return 2
    heard: list[Any] = []
    worker = Process({file: catalogue.known[file]}, 32 * b"k")
    for what, asked in ASKED.items():
        job = Job(what, json.dumps(asked), "me", heard.append, SECONDS)

        def due(job: Job = job) -> str:
            return "its time is up" if job.age() > (COMPILING if job.compiling else job.seconds) else ""

        worker.run(job, due)
    worker.close()
    faults = {said["message"] for said in heard if not isinstance(said, bytes) and said["type"] == "error"}
    for message in sorted(faults):
        print(f"outplay: {message}", file=sys.stderr)
    return 2 if faults else 0


def plain_value(file: Path) -> Any:
    """The value by minimax as CPython runs the class: "raises" where a rule fails; None where it is not known."""
    names: dict[str, Any] = {"__name__": "plain"}
    nodes = 0

    def value(state: Any) -> Any:
        nonlocal nodes
        nodes += 1
        if nodes > NODES or time.monotonic() > deadline:
            raise TimeoutError
        actions = [] if hasattr(state, "terminal") and state.terminal() else list(state.actions())
        if not actions:
            return state.utility()
        if state.player() == -1:
            return sum(state.probability(a) * value(state.result(a)) for a in actions)
        return (min if state.player() else max)(value(state.result(a)) for a in actions)

    deadline = time.monotonic() + 5
    try:
        exec(compile(file.read_text(), str(file), "exec"), names)
        return value(names["Game"]())
    except (TimeoutError, RecursionError):
        return None
    except (ArithmeticError, LookupError):
        return "raises"
    except Exception:
        return None


def run(size: Size) -> Iterator[Row]:
    """For `python -m bench broken`."""
    kinds = size.pick(ALL, [*KINDS, *FAULTY], [*KINDS][:2])
    faults = examine(kinds, list(DOORS), os.cpu_count() or 1)
    note = "; ".join(f"{f.kind} | {f.door}: {f.what}" for f in faults[:10])
    work = f"{len(kinds)} broken classes, {len(DOORS)} doors"
    yield Row(work, "one clear line", "", "", len(faults), "faults", 0, at_most=True, note=note)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.broken", description="Broken classes through every door."
    )
    parser.add_argument("kinds", nargs="*", metavar="KIND", help="all without any")
    parser.add_argument("--doors", default=",".join(DOORS), help=f"some of {', '.join(DOORS)}")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--interpreted", action="store_true", help="with OUTPLAY_JIT=0: quicker")
    parser.add_argument("--part", default="1/1", metavar="I/N", help="the I-th of N parts of the kinds (1/1)")
    parser.add_argument("--log", metavar="FILE", help="append what came of every door, a line of JSON each")
    parser.add_argument("--keep", metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--worker", metavar="FOLDER", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        serve(Path(options.worker))
        return 0
    if options.interpreted:
        os.environ["OUTPLAY_JIT"] = "0"
    number, parts = map(int, options.part.split("/"))
    kinds = (options.kinds or ALL)[number - 1 :: parts]

    def log(*answer: Any) -> None:
        if options.log:
            with open(options.log, "a", encoding="utf-8") as file:
                file.write(json.dumps(answer) + "\n")

    def report(line: str) -> None:
        print(line, flush=True)

    settings = {"format": "outplay broken 1", "doors": options.doors, "interpreted": options.interpreted}
    with contextlib.ExitStack() as stack:
        journal = Journal(options.keep, settings, "a list of broken classes") if options.keep else None
        if journal:
            stack.enter_context(journal.open())
        faults = examine(kinds, options.doors.split(","), options.processes, report, log, journal)
    print(f"{len(kinds)} kinds, {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
