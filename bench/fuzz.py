"""Random classes through every lane of the compile layer: `python -m bench.fuzz --count 50000 --processes 16`.

Each class is compared with itself as CPython runs it: compiled, and rewritten but interpreted. Some are also run
without checks, with the rules called as searches call them at the optimisation that is shipped, in numba-cuda's
simulator, and by perft and alpha-beta. With `--natural` the classes are in the Python that people write: the code
that each becomes is run by CPython (`machine.py`), and that of some as machine code.

A process takes some classes and ends, so that no memory piles up, and a crash costs one class. Every failure is told
with its seed: `python -m bench.fuzz --seed N` makes it small and prints it. With `--keep FILE` each part is kept when
it is done, and the same command goes on where it was stopped.
"""

import argparse
import contextlib
import gc
import json
import math
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from bench import random_class, random_natural
from bench.measure import Row, Size
from bench.random_class import EXPECTED, Random
from outplay.storage import Journal

BATCH = 300  # classes of a process, at most
SLOW = 240  # seconds without a word from a process: a class hangs


class Lane(NamedTuple):
    """How some of the classes are run."""

    name: str
    environment: dict[str, str]
    every: int  # one class in so many
    how: str = "rules"  # which comparison of bench.differential

    def write(self, seed: int) -> Random:
        """The class of a seed."""
        return (random_natural if self.how in ("written", "native") else random_class).write(seed)


QUICK = {"NUMBA_OPT": "0"}  # most faults do not depend on how LLVM optimises
LANES = (
    Lane("compiled", QUICK, 1),
    Lane("interpreted", {"OUTPLAY_JIT": "0"}, 1),
    Lane("unchecked", QUICK | {"OUTPLAY_CHECKS": "0"}, 20, "unchecked"),
    Lane("shipped", {}, 20, "methods"),
    Lane("simulator", {"OUTPLAY_JIT": "0", "NUMBA_ENABLE_CUDASIM": "1"}, 100, "simulated"),
    Lane("searched", QUICK, 100, "searched"),
)
NATURAL = (  # classes in the Python that people write
    Lane("written", {}, 1, "written"),
    Lane("native", QUICK, 50, "native"),
)
ALL = {lane.name: lane for lane in (*LANES, *NATURAL)}


class Failure(NamedTuple):
    seed: int
    lane: str
    what: str
    text: str


class Worker:
    """A process that runs some seeds in a lane and tells of each by a line."""

    def __init__(self, lane: Lane, seeds: range) -> None:
        self.lane, self.seeds = lane, seeds
        self.done = 0
        self.current = seeds.start
        self.failures: list[Failure] = []
        self.refused = 0
        self.heard = time.monotonic()
        bounds = [str(number) for number in (seeds.start, seeds.stop, seeds.step)]
        command = [sys.executable, "-m", "bench.fuzz", "--worker", lane.name, *bounds]
        self.process = subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=os.environ | lane.environment,
        )
        assert self.process.stdout is not None
        os.set_blocking(self.process.stdout.fileno(), False)
        self.rest = ""

    def listen(self) -> bool:
        """Read what it has said; whether it is still at work."""
        assert self.process.stdout is not None
        ended = self.process.poll() is not None
        said = (self.process.stdout.read() or b"").decode()
        if said:
            self.heard = time.monotonic()
        *lines, self.rest = (self.rest + said).split("\n")
        for line in lines:
            told = json.loads(line)
            if told[0] == "begin":
                self.current = told[1]
            elif told[0] == "end":
                self.done += 1
                if told[2] and told[2][0] == EXPECTED:
                    self.refused += 1
                elif told[2]:
                    self.failures.append(Failure(told[1], self.lane.name, *told[2]))
        if not ended and time.monotonic() - self.heard > SLOW:
            self.process.kill()
            self.process.wait()
            self.failures.append(Failure(self.current, self.lane.name, "hangs", f"no answer in {SLOW} s"))
            self.done += 1
            return False
        if ended and self.process.returncode != 0:
            what = f"exit status {self.process.returncode}"
            self.failures.append(Failure(self.current, self.lane.name, "crash", what))
            self.done += 1
        return not ended

    @property
    def left(self) -> range:
        """What a process that crashed has not come to."""
        return self.seeds[self.done :]


def part_size(count: int, processes: int) -> int:
    """How many classes a process takes."""
    return max(10, min(BATCH, count // (2 * processes)))


def batches(lanes: Sequence[Lane], first: int, count: int, size: int) -> Iterator[tuple[Lane, range]]:
    """The seeds of each lane in parts, low seeds first."""
    parts: list[tuple[Lane, range]] = []
    for lane in lanes:
        seeds = range(first, first + count, lane.every)
        few = max(1, size // 10) if lane.every > 1 else size  # they take longer
        parts += [(lane, seeds[i : i + few]) for i in range(0, len(seeds), few)]
    yield from sorted(parts, key=lambda part: part[1].start)


def fuzz(
    first: int,
    count: int,
    processes: int,
    seconds: float,
    report: Any = print,
    lanes: Sequence[Lane] = LANES,
    journal: Journal | None = None,
) -> dict[str, Any]:
    """Run the classes of some seeds; what came of it. What the journal tells is not run again."""
    begin = time.monotonic()
    kept = {(line[0], line[1]): line[2:] for line in (journal.lines if journal else ())}
    waiting: deque[tuple[Lane, range]] = deque()
    for lane, seeds in batches(lanes, first, count, part_size(count, processes)):
        while seeds and (lane.name, seeds.start) in kept:
            seeds = seeds[kept[lane.name, seeds.start][0] :]
        waiting.extend([(lane, seeds)] if seeds else [])
    workers: list[Worker] = []
    done = dict.fromkeys([lane.name for lane in lanes], 0)
    failures = [Failure(*each) for _, _, told in kept.values() for each in told]
    refused = sum(number for _, number, _ in kept.values())
    for (name, _), (number, _, _) in kept.items():
        done[name] += number
    shown = begin
    while waiting or workers:
        late = time.monotonic() - begin > seconds
        if late:
            waiting.clear()
        while waiting and len(workers) < processes:
            workers.append(Worker(*waiting.popleft()))
        for worker in list(workers):
            at_work = worker.listen()
            for failure in worker.failures[:]:
                report(f"seed {failure.seed}, {failure.lane}: {failure.what}: {failure.text[:300]}")
                failures.append(failure)
                worker.failures.remove(failure)
            if not at_work or late:
                if at_work:
                    worker.process.kill()
                    worker.process.wait()
                done[worker.lane.name] += worker.done
                refused += worker.refused
                workers.remove(worker)
                if journal and worker.done:
                    mine = [f for f in failures if f.lane == worker.lane.name and f.seed in worker.seeds]
                    journal.append([worker.lane.name, worker.seeds.start, worker.done, worker.refused, mine])
                if worker.left and not late:
                    waiting.appendleft((worker.lane, worker.left))
        if time.monotonic() - shown > 20:
            shown = time.monotonic()
            told = ", ".join(
                f"{n + sum(w.done for w in workers if w.lane.name == k)} {k}" for k, n in done.items()
            )
            report(f"{shown - begin:.0f} s: {told}; {len(failures)} failures")
        time.sleep(0.05)
    taken = time.monotonic() - begin
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = used.ru_utime + used.ru_stime
    return {
        "first": first,
        "classes": done,
        "refused": refused,
        "seconds": round(taken, 1),
        "cpu_seconds": round(cpu, 1),
        "per_second": round(done[lanes[0].name] / taken, 2),
        "per_cpu_second": round(done[lanes[0].name] / max(cpu, 0.01), 2),
        "failures": [
            failure._asdict() | {"source": ALL[failure.lane].write(failure.seed).shown()}
            for failure in failures
        ],
    }


def work(lane: Lane, seeds: range) -> None:
    """What a worker does."""
    from bench import differential

    gc.disable()  # nothing that the compiler keeps is garbage
    differential.keep_nothing()
    compare = differential.LANES[lane.how]
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        for seed in seeds:
            print(json.dumps(["begin", seed]), flush=True)
            found = compare(lane.write(seed), Path(folder))
            print(json.dumps(["end", seed, found]), flush=True)


def replay(seed: int) -> None:
    """One class in every lane, made small where it differs."""
    for lane in ALL.values():
        command = [sys.executable, "-m", "bench.fuzz", "--shrink", lane.name, str(seed)]
        subprocess.run(command, env=os.environ | lane.environment)


def shrink(lane: Lane, seed: int) -> None:
    from bench import differential

    differential.keep_nothing()
    compare = differential.LANES[lane.how]
    with tempfile.TemporaryDirectory() as folder:
        sys.path.insert(0, folder)
        made = lane.write(seed)
        found = compare(made, Path(folder))
        if found is None:
            print(f"seed {seed}, {lane.name}: no difference")
            return
        made = differential.shrink(made, Path(folder), compare)
        found = compare(made, Path(folder)) or found
        print(f"seed {seed}, {lane.name}: {found.text}\n\n{made.shown()}")


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    """For `python -m bench fuzz`: as many classes as fit into some minutes."""
    wanted, seconds = size.pick((50_000, 1500), (200, 60), (2, 60))
    if count is not None:
        wanted, seconds = count, math.inf
    found = fuzz(0, wanted, os.cpu_count() or 1, seconds)
    work = f"{found['classes']['compiled']:,} random classes, compiled and plain"
    note = "; ".join(f"seed {f['seed']} ({f['lane']}): {f['what']}" for f in found["failures"][:20])
    speed = f"{found['per_second']} classes/s"
    yield Row(work, "CPython", speed, "", len(found["failures"]), "differences", 0, at_most=True, note=note)


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m bench.fuzz", description="Random classes in every lane.")
    parser.add_argument("--count", type=int, default=1000, help="classes (1000)")
    parser.add_argument("--first", type=int, default=0, help="the first seed (0)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--natural", action="store_true", help="classes in the Python that people write")
    parser.add_argument("--lane", choices=[*ALL], help="this lane alone, with every class")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop after so many")
    parser.add_argument("--keep", metavar="FILE", help="keep what is done there, and go on from it")
    parser.add_argument("--json", metavar="FILE", help="write what came of it there")
    parser.add_argument("--seed", type=int, help="run this class alone, and make a failure small")
    parser.add_argument("--worker", nargs=4, help=argparse.SUPPRESS)
    parser.add_argument("--shrink", nargs=2, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        work(ALL[options.worker[0]], range(*map(int, options.worker[1:])))
        return 0
    if options.shrink:
        shrink(ALL[options.shrink[0]], int(options.shrink[1]))
        return 0
    if options.seed is not None:
        replay(options.seed)
        return 0
    told = lambda line: print(line, flush=True)  # noqa: E731
    lanes = NATURAL if options.natural else LANES
    if options.lane:
        lanes = (ALL[options.lane]._replace(every=1),)
    settings = {"format": "outplay fuzz 2", "first": options.first, "count": options.count}
    settings |= {"size": part_size(options.count, options.processes), "lanes": [lane.name for lane in lanes]}
    with contextlib.ExitStack() as stack:
        journal = Journal(options.keep, settings, "a list of random classes") if options.keep else None
        if journal:
            stack.enter_context(journal.open())
        found = fuzz(
            options.first,
            options.count,
            options.processes,
            options.seconds,
            told,
            lanes,
            journal,
        )
    print(json.dumps(found | {"failures": len(found["failures"])}))
    if options.json:
        Path(options.json).write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    return 1 if found["failures"] else 0


if __name__ == "__main__":
    sys.exit(main())
