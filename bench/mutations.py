"""Files of data, mutated: a reader answers with what it has read, or with one line that says what is wrong.

`python -m bench.mutations --count 1000000 --processes 14 --seconds 500 --json FILE` reads as many as it can in that
time, in parts, each with a seed of its own: `--first` says from which seed another run goes on. With `--keep FILE` each
part is kept when it is done, and the same command goes on where it was stopped. `data_files.py` has the files.

Counted are internal errors (whatever is no ValueError or OSError of one line), programs that ran, and hangs. What is
mutated are files that our own writers wrote, and games as others write them, by bytes, lines and words.
"""

import argparse
import contextlib
import json
import os
import queue
import random
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import traceback
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from bench.data_files import Kind, all_kinds
from bench.measure import Row, Size
from outplay.compile import cache, runtime
from outplay.storage import Journal

SECONDS = 20.0  # for one file, which take a thousandth of one as a rule
PART = 5000  # files that are mutated from one seed
TAKEN = 40  # parts that a process takes before another one goes on
FAULTS = ("internal errors", "programs run", "hangs", "crashes")
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # where a file costs no disk
WORDS = (
    "game:", "start:", "result:", "../evil.py", "/tmp/evil.py:Evil", "evil.py:Evil:n=3", "__import__('os')", "0", "-1",
    "9" * 30, "1e999", "NaN", "-Infinity", "null", "{}", "[]", "[" * 2000, "(" * 500, "{", "}", '"', "\\", "\x1b[2J",
    "\u202e", "[FEN \"", "[Variant \"Atomic\"]", "O-O-O", "e8=Q+", "--", "Z0", "1/2-1/2", "*", ";", "%", "$99999999999",
    ";SZ[19]", ";SZ[1000000]", ";B[zz]", ";KM[nan]", "AB[aa:ee]", "tree", "chess", "go:size=19", "hexapawn:width=0",
    "hexapawn:width=99999999", "size=3", "chance[1/0: 3]", "\x00", "\ud800", "\r", "\t", "é" * 50,
)  # fmt: skip


class Hang(BaseException):
    """A reader took too long."""


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    """For `python -m bench mutations`."""
    found = examine(count or size.pick(1_000_000, 20_000, 200), 1, os.cpu_count() or 1)
    for fault in FAULTS:
        examples = faults(found, fault)
        number = sum(found[key] for key in examples)
        done = f"{found['read']:,} read, {found['refused']:,} refused"
        yield Row("mutated files", "", done, "", number, fault, 0, True, "\n".join(examples[:20]))


def examine(
    count: int,
    first: int,
    processes: int,
    seconds: float = float("inf"),
    report: Any = None,
    journal: Journal | None = None,
) -> Counter[str]:
    """So many files in parts, from seed `first` on; what came of them. `report` hears of it after each part.

    What the journal tells is not read again.
    """
    begin, found = time.monotonic(), Counter[str]()
    part = min(PART, -(-count // processes))
    waiting: queue.Queue[tuple[int, int]] = queue.Queue()
    kept = dict(journal.lines if journal else ())
    for number, start in enumerate(range(0, count, part)):
        if (seed := first + number) not in kept:
            waiting.put((min(part, count - start), seed))
    for tally in kept.values():
        found.update(tally)
    found["parts"] = len(kept)
    told: queue.Queue[tuple[int, Counter[str]] | None] = queue.Queue()
    threads = [threading.Thread(target=serve, args=(waiting, told), daemon=True) for _ in range(processes)]
    for thread in threads:
        thread.start()
    busy = processes
    while busy:
        answer = told.get()
        if answer is None:
            busy -= 1
            continue
        if journal:
            journal.append([answer[0], answer[1]])
        found.update(answer[1])
        found["parts"] += 1
        if report is not None:
            report(found, time.monotonic() - begin)
        if time.monotonic() - begin > seconds:
            with contextlib.suppress(queue.Empty):
                while True:
                    waiting.get_nowait()
    return found


def serve(waiting: queue.Queue[tuple[int, int]], told: queue.Queue[Any]) -> None:
    """Give the parts to a process, and to another one where it crashes or has taken many."""
    process, taken = None, 0
    with contextlib.suppress(queue.Empty):
        while True:
            count, seed = waiting.get_nowait()
            if process is None or taken == TAKEN:
                end(process)
                process, taken = start_worker(), 0
            taken += 1
            assert process.stdin is not None and process.stdout is not None
            process.stdin.write(f"{count} {seed}\n")
            process.stdin.flush()
            line = process.stdout.readline()
            if not line:
                told.put((seed, Counter({f"crashes: seed {seed}: status {process.wait()}": 1})))
                process = None
                continue
            told.put((seed, Counter(json.loads(line))))
    end(process)
    told.put(None)


def start_worker() -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "bench.mutations", "--worker"]
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdin=pipe, stdout=pipe, stderr=subprocess.DEVNULL, text=True)


def end(process: subprocess.Popen[str] | None) -> None:
    if process is not None:
        process.communicate()


def work() -> None:
    """What a worker does: it makes its files once, and answers with a line for each part."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)
    with mutator() as mutate_part:
        for line in sys.stdin:
            count, seed = map(int, line.split())
            print(json.dumps(mutate_part(count, seed)), file=answers, flush=True)


def faults(found: Counter[str], fault: str) -> list[str]:
    return sorted(key for key in found if key.startswith(f"{fault}: "))


def mutate(count: int, seed: int) -> Counter[str]:
    """Read so many mutated files, and count what came of it."""
    with mutator() as mutate_part:
        return mutate_part(count, seed)


@contextlib.contextmanager
def mutator() -> Iterator[Callable[[int, int], Counter[str]]]:
    """What mutates so many files from a seed on, has them read, and counts what comes of it."""
    tally = Counter[str]()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, watched(tally), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        kinds = list(all_kinds(Path(folder)))
        for kind in kinds:  # whatever is imported late is imported now; and all of these can be read
            for good in kind.seeds:
                kind.read(kind.make(good))
        chosen = [kind for kind in kinds for _ in range(kind.weight)]

        def mutate_part(count: int, seed: int) -> Counter[str]:
            tally.clear()
            rng = random.Random(seed)
            for _ in range(count):
                kind = rng.choice(chosen)
                content = rng.choice(kind.seeds)
                for _ in range(rng.choice((1, 1, 1, 2, 3, 8))):
                    content = rng.choice(MUTATIONS)(rng, content, kind.seeds)
                attempt(kind, kind.make(content), tally)
                tally[f"of {kind.name}"] += 1
            return Counter(tally)

        yield mutate_part


def attempt(kind: Kind, content: bytes, tally: Counter[str]) -> None:
    """Have one file read."""
    with contextlib.suppress(AttributeError):
        signal.setitimer(signal.ITIMER_REAL, SECONDS)
    try:
        kind.read(content)
        tally["read"] += 1
    except (ValueError, OSError) as error:
        told = str(error)
        clear = told and "\n" not in told and not isinstance(error, UnicodeError)
        tally["refused" if clear else f"internal errors: {kind.name}: {told!r} for {content[:80]!r}"] += 1
    except Hang:
        tally[f"hangs: {kind.name}: {content[:200]!r}"] += 1
    except BaseException as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        where = f"{Path(place.filename).name}, line {place.lineno}"
        tally[f"internal errors: {kind.name}: {type(error).__name__} in {where}: {error}"[:200]] += 1
    finally:
        with contextlib.suppress(AttributeError):
            signal.setitimer(signal.ITIMER_REAL, 0)


@contextlib.contextmanager
def watched(tally: Counter[str]) -> Iterator[None]:
    """While hangs are interrupted, and programs that run are counted."""

    def interrupt(*_: Any) -> None:
        raise Hang

    ours = (str(Path(__file__).parent.parent), sys.prefix, sys.base_prefix, "<frozen")
    active = [True]

    def heard(event: str, arguments: tuple[Any, ...]) -> None:
        if not active[0]:
            return
        if (
            event in ("subprocess.Popen", "os.system", "os.exec")
            or event == "pickle.find_class"
            and not is_ours(arguments[0])
        ):
            tally[f"programs run: {event} {arguments!r}"[:200]] += 1
        named_tuple = event == "exec" and sys._getframe(1).f_code.co_name == "namedtuple"  # of a game's size
        if event == "exec" and not named_tuple and not str(arguments[0].co_filename).startswith(ours):
            tally[f"programs run: {arguments[0]!r}"[:200]] += 1

    sys.addaudithook(heard)
    before = signal.signal(signal.SIGALRM, interrupt) if hasattr(signal, "SIGALRM") else None
    try:
        yield
    finally:
        active[0] = False
        if before is not None:
            signal.signal(signal.SIGALRM, before)


def is_ours(module: str) -> bool:
    """Whether a pickle is one of ours: native code holds those of its exceptions, the compile cache is read late."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and frame.f_code.co_filename != cache.__file__:
        frame = frame.f_back
    return frame is not None or module == runtime.__name__


# --- mutations ------------------------------------------------------------------------------------------


def _flip(rng: random.Random, content: bytes, _: tuple[bytes, ...]) -> bytes:
    if not content:
        return b"?"
    at = rng.randrange(len(content))
    return content[:at] + bytes([content[at] ^ 1 << rng.randrange(8)]) + content[at + 1 :]


def _cut(rng: random.Random, content: bytes, _: tuple[bytes, ...]) -> bytes:
    first = rng.randint(0, len(content))
    return content[:first] + content[first + rng.choice((1, 2, 10, 1000)) :]


def _insert(rng: random.Random, content: bytes, _: tuple[bytes, ...]) -> bytes:
    at = rng.randint(0, len(content))
    return content[:at] + rng.choice(WORDS).encode(errors="surrogatepass") + content[at:]


def _line(rng: random.Random, content: bytes, seeds: tuple[bytes, ...]) -> bytes:
    """A line removed, doubled, or taken from another file."""
    lines, others = content.splitlines(True), rng.choice(seeds).splitlines(True)
    at = rng.randint(0, len(lines))
    return b"".join(
        [*lines[:at], *rng.choices([b"", *lines, *others], k=1), *lines[at + rng.randint(0, 1) :]]
    )


def _word(rng: random.Random, content: bytes, seeds: tuple[bytes, ...]) -> bytes:
    """A word replaced by another one."""
    parts = re.split(rb"([\s\[\]:,;=]+)", content)
    others = re.split(rb"[\s\[\]:,;=]+", rng.choice(seeds))
    new = rng.choice([*others, *(word.encode(errors="surrogatepass") for word in WORDS)])
    parts[rng.randrange(len(parts))] = new
    return b"".join(parts)


MUTATIONS = (_flip, _cut, _insert, _line, _word)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.mutations", description="Mutated files of data to every reader."
    )
    parser.add_argument("--count", type=int, default=20_000, help="files (20000)")
    parser.add_argument("--first", type=int, default=1, help=f"the first seed, of {PART} files each (1)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--keep", metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", metavar="FILE", help="write what came of it there, after each part")
    parser.add_argument("--worker", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work()
        return 0

    def report(found: Counter[str], seconds: float) -> None:
        known: dict[str, Any] = {name: found[name] for name in ("read", "refused", "parts")}
        known |= {fault: {key: found[key] for key in faults(found, fault)} for fault in FAULTS}
        told = {name: value if isinstance(value, int) else len(value) for name, value in known.items()}
        print(json.dumps({"seconds": round(seconds, 1)} | told), flush=True)
        if options.json:
            kinds = {key.removeprefix("of "): found[key] for key in sorted(found) if key.startswith("of ")}
            Path(options.json).write_text(
                json.dumps(known | {"kinds": kinds}, indent=1) + "\n", encoding="utf-8"
            )

    settings = {"format": "outplay mutations 1", "first": options.first, "part": PART}
    with contextlib.ExitStack() as stack:
        journal = Journal(options.keep, settings, "a list of mutated files") if options.keep else None
        if journal:
            stack.enter_context(journal.open())
        found = examine(options.count, options.first, options.processes, options.seconds, report, journal)
    return 1 if any(faults(found, fault) for fault in FAULTS) else 0


if __name__ == "__main__":
    sys.exit(main())
