"""Classes as people write them (tests/corpus): does each run, does each compile, do plain and compiled agree?

`python -m bench.corpus [FILE[:CLASS] ...]` prints a line for each class that does not, by reason, and the counts.
"""

import argparse
import dataclasses
import enum
import importlib.util
import itertools
import json
import os
import random
import re
import subprocess
import sys
import traceback
import warnings
from collections import Counter, defaultdict
from collections.abc import Iterator
from multiprocessing import get_context
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from bench.measure import Row, Size
from outplay.codec import in_order

FOLDER = Path(__file__).parents[1] / "tests" / "corpus"
NOT_YET = FOLDER / "not_yet.txt"  # classes that ought to be compiled and are not
HARD = "hard"  # the file of classes that hardly can be compiled: they run interpreted
METHODS = ("player", "actions", "result", "utility")
GAMES, PLIES = 20, 400  # random games of each class, and what none exceeds
STATES = 100  # states compared near the start, beside those of random games
SECONDS = 300  # for a class; one that takes longer hangs


class Verdict(NamedTuple):
    """What came of one class."""

    name: str  # file:Class
    plain: str = ""  # why it does not run as CPython has it; empty: it does
    lane: str = ""  # "compiled", "interpreted" or "refused"
    reason: str = ""  # why it is not compiled
    difference: str = ""  # where plain and compiled differ


# --- the classes ------------------------------------------------------------------------------------------


def files() -> list[Path]:
    return sorted(file for file in FOLDER.glob("*.py") if not file.name.startswith("_"))


def classes(file: Path) -> list[str]:
    """The games of a file, in its order."""
    module = plain_module(file)
    return [name for name, value in vars(module).items() if is_game(value, module)]


def is_game(value: Any, module: ModuleType) -> bool:
    if not isinstance(value, type) or value.__module__ != module.__name__ or value.__name__.startswith("_"):
        return False
    return all(hasattr(value, method) for method in METHODS) and not value.__name__.endswith("Mixin")


def all_names() -> list[str]:
    return [f"{file.stem}:{name}" for file in files() for name in classes(file)]


_plain: dict[Path, ModuleType] = {}


def plain_module(file: Path) -> ModuleType:
    """The file as CPython runs it: nothing of Outplay touches its classes."""
    if file not in _plain:
        spec = importlib.util.spec_from_file_location(f"plain_{file.stem}", file)
        assert spec is not None and spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        sys.modules[spec.name] = module  # dataclasses look their module up
        sys.path.insert(0, str(file.parent))
        try:
            spec.loader.exec_module(module)
        finally:
            sys.path.remove(str(file.parent))
        _plain[file] = module
    return _plain[file]


def plain_class(name: str) -> Any:
    file, _, cls = name.partition(":")
    return getattr(plain_module(FOLDER / f"{file}.py"), cls)


# --- plain Python -----------------------------------------------------------------------------------------


def listed(state: Any) -> list[Any]:
    """The legal actions, none where the game is over."""
    return [] if hasattr(state, "terminal") and state.terminal() else list(in_order(state.actions()))


def random_game(start: Any, rng: random.Random) -> Iterator[tuple[Any, list[Any]]]:
    """The states of a game at random, each with its actions."""
    state = start
    for _ in range(PLIES):
        actions = listed(state)
        yield state, actions
        if not actions:
            return
        state = state.result(rng.choice(actions))
    raise ValueError(f"a random game is not over after {PLIES} plies")


def runs_plainly(cls: Any, games: int = GAMES) -> str:
    """What is wrong with a class as it stands; empty: nothing."""
    players = getattr(cls, "players", 2)
    try:
        rng = random.Random(1)
        for state, actions in itertools.chain.from_iterable(random_game(cls(), rng) for _ in range(games)):
            if len(set(actions)) != len(actions):
                return f"two actions alike: {actions}"
            if fields(state) and {state: 1}[cls(**fields(state))] != 1:
                return "states do not compare"
            if state.player() not in range(-1, players):
                return f"player() is {state.player()!r}"
            if not actions:
                given = range(players) if players > 2 else [None]
                for value in [state.utility() if p is None else state.utility(p) for p in given]:
                    if not isinstance(value, int | float):
                        return f"utility() is {value!r}"
    except Exception as error:
        return f"{type(error).__name__}: {error}"
    return ""


def fields(state: Any) -> dict[str, Any]:
    if dataclasses.is_dataclass(state):
        return {field.name: getattr(state, field.name) for field in dataclasses.fields(state)}
    return state._asdict() if hasattr(state, "_asdict") else {}


def essence(value: Any) -> Any:
    """A value apart from the module that its classes come from."""
    if isinstance(value, enum.Enum):
        return type(value).__name__, value.name
    if dataclasses.is_dataclass(value) or hasattr(value, "_asdict"):
        return type(value).__name__, *map(essence, fields(value).values())
    if isinstance(value, tuple):
        return tuple(map(essence, value))
    if isinstance(value, set | frozenset):
        return frozenset(map(essence, value))
    return value


def minimax(state: Any, known: dict[Any, Any] | None = None) -> Any:
    """The value of a game of one or two, with chance or without, by its definition."""
    known = {} if known is None else known
    if state not in known:
        if not (actions := listed(state)):
            known[state] = state.utility()
        else:
            values = [minimax(state.result(action), known) for action in actions]
            if state.player() == -1:
                known[state] = sum(state.probability(a) * v for a, v in zip(actions, values, strict=True))
            else:
                known[state] = min(values) if state.player() else max(values)
    return known[state]


# --- the same by Outplay ----------------------------------------------------------------------------------


def game_class(name: str) -> Any:
    from outplay.files import load_module

    file, _, cls = name.partition(":")
    return getattr(load_module(str(FOLDER / f"{file}.py")), cls)


def lane_of(name: str) -> Verdict:
    """The lane that the compiler's front end chooses for a class: no machine code is made, and nothing compared."""
    from outplay.compile import twin
    from outplay.game import GameError, adopt

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            made = twin(adopt(game_class(name)))
    except GameError as error:
        return Verdict(name, lane="refused", reason=str(error))
    reasons = getattr(made, "reasons", ())
    return Verdict(name, lane="interpreted" if reasons else "compiled", reason="; ".join(map(str, reasons)))


def simulated(name: str) -> str:
    """Where a class and the code that natural Python becomes differ (`machine.py`); empty: nowhere."""
    from bench import machine
    from outplay.compile import twin
    from outplay.compile.natural.twin import NaturalTwin
    from outplay.game import adopt

    cls = game_class(name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = twin(adopt(cls))
    return machine.difference(cls, made.program, games=1) if isinstance(made, NaturalTwin) else ""


def judge(name: str) -> Verdict:
    """What comes of a class: as CPython runs it, and as `outplay check` does."""
    from outplay import check
    from outplay.compile import twin
    from outplay.compile.lane import again
    from outplay.game import GameError, adopt

    if fault := runs_plainly(plain_class(name)):
        return Verdict(name, plain=fault)
    check.BREADTH = STATES
    cls = game_class(name)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that it runs interpreted is told below
            report = again(check.check)(cls, games=3)
            made = twin(adopt(cls))
    except GameError as error:
        return Verdict(name, lane="refused", reason=str(error))
    except Exception as error:
        where = traceback.extract_tb(error.__traceback__)[-1]
        return Verdict(
            name,
            lane="refused",
            reason=f"CRASH {type(error).__name__}: {error} ({where.filename} {where.lineno})",
        )
    if reasons := getattr(made, "reasons", ()):
        return Verdict(name, lane="interpreted", reason="; ".join(map(str, reasons)), difference=report.fault)
    return Verdict(name, lane="compiled", difference=report.fault)


def judged(names: list[str], processes: int) -> Iterator[Verdict]:
    """Each class in a process of its own: one that crashes or hangs takes no other with it."""
    context = get_context("fork")
    import outplay.check  # noqa: F401  (once, before the processes part)

    def start(name: str) -> tuple[str, Any, Any]:
        mine, yours = context.Pipe(duplex=False)
        process = context.Process(target=lambda: yours.send(judge(name)))
        process.start()
        yours.close()
        return name, process, mine

    waiting, running = list(reversed(names)), []
    while waiting or running:
        while waiting and len(running) < processes:
            running.append(start(waiting.pop()))
        name, process, answer = running.pop(0)
        try:
            if not answer.poll(SECONDS):
                process.kill()
                yield Verdict(name, lane="refused", reason=f"HANGS: no answer after {SECONDS} s")
            else:
                yield answer.recv()
        except EOFError:
            process.join()
            yield Verdict(name, lane="refused", reason=f"CRASH: exit status {process.exitcode}")
        process.join()


def judged_apart(names: list[str]) -> list[Verdict]:
    """The same in another process, one class after the other, compiled as quickly as can be."""
    command = [sys.executable, "-m", "bench.corpus", "--json", *names]
    done = subprocess.run(
        command,
        cwd=FOLDER.parents[1],
        env={**os.environ, "NUMBA_OPT": "0"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [Verdict(*json.loads(line)) for line in done.stdout.splitlines()]


def ought_to(verdict: Verdict) -> bool:
    """Whether a class ought to be compiled, and is not or is wrongly."""
    return not verdict.name.startswith(f"{HARD}:") and (
        verdict.lane != "compiled" or bool(verdict.difference)
    )


def kind_of_reason(reason: str) -> str:
    """A reason without the names of one class."""
    reason = re.sub(r"\b[A-Z]\w*\.\w+", "C.method", reason)
    reason = re.sub(r"line \d+", "line N", reason)
    reason = re.sub(r"\w+\.py", "FILE", reason)
    return re.sub(r"= .*? is a", "= ... is a", reason)[:90]


def report(verdicts: list[Verdict]) -> str:
    """Which classes run, which compile, and why not, by reason."""
    lines = []
    for verdict in verdicts:
        if verdict.plain:
            lines.append(f"NOT PLAIN  {verdict.name}: {verdict.plain}")
    for verdict in verdicts:
        if verdict.difference:
            lines.append(f"DIFFERENT  {verdict.name}: {verdict.difference}")
    groups = defaultdict(list)
    for verdict in verdicts:
        if verdict.lane in ("refused", "interpreted") and not verdict.plain:
            groups[verdict.lane, kind_of_reason(verdict.reason)].append(verdict)
    for (lane, kind), group in sorted(groups.items(), key=lambda item: -len(item[1])):
        lines.append(f"\n{lane.upper()} {len(group)}: {kind}")
        lines += [f"    {verdict.name}: {verdict.reason}" for verdict in group]
    lanes = Counter(verdict.lane for verdict in verdicts)
    different = sum(bool(verdict.difference) for verdict in verdicts)
    total = ", ".join(f"{lanes[lane]} {lane}" for lane in ("compiled", "interpreted", "refused"))
    lines.append(f"\n{len(verdicts)} classes: {total}; {different} differ")
    lines.append("compiled: " + " ".join(v.name for v in verdicts if v.lane == "compiled"))
    return "\n".join(lines)


def run(size: Size) -> Iterator[Row]:
    """For `python -m bench corpus`."""
    names = size.pick(all_names(), all_names()[::4], all_names()[:2])
    verdicts = list(judged(names, os.cpu_count() or 1))
    wanted = [verdict for verdict in verdicts if not verdict.name.startswith(f"{HARD}:")]
    compiled = sum(verdict.lane == "compiled" for verdict in wanted)
    wrong = sum(
        bool(verdict.plain or verdict.difference) or verdict.lane == "refused" for verdict in verdicts
    )
    work = f"{len(verdicts)} classes as people write them"
    yield Row(work, "run as in CPython", "", "", wrong, "faults", 0, at_most=True)
    yield Row(work, "compiled", "", "", 100 * compiled / max(len(wanted), 1), "%", 95)


def main() -> int:
    parser = argparse.ArgumentParser(
        prog="python -m bench.corpus", description="Classes as people write them."
    )
    parser.add_argument("names", nargs="*", metavar="FILE[:CLASS]", help="all without any")
    parser.add_argument("--processes", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="a line for each, all in this process")
    parser.add_argument("--lanes", action="store_true", help="ask only which lane each runs in, in seconds")
    parser.add_argument(
        "--not-yet", action="store_true", help=f"write what is not compiled to {NOT_YET.name}"
    )
    options = parser.parse_args()
    names = [
        name
        for name in all_names()
        if not options.names or any(name == word or name.split(":")[0] == word for word in options.names)
    ]
    if options.json:
        for name in names:
            print(json.dumps(judge(name)), flush=True)
        return 0
    verdicts = []
    for verdict in map(lane_of, names) if options.lanes else judged(names, options.processes):
        verdicts.append(verdict)
        print(
            f"{verdict.lane:12} {verdict.name}: {verdict.plain or verdict.difference or verdict.reason}"[
                :400
            ],
            flush=True,
        )
        print(f"\r{len(verdicts)} of {len(names)}  {verdict.name:40}", end="", file=sys.stderr, flush=True)
    print(file=sys.stderr)
    print(report(verdicts))
    if options.not_yet and not options.names:
        NOT_YET.write_text("".join(f"{v.name}\n" for v in verdicts if ought_to(v)), encoding="utf-8")
    return 1 if any(verdict.plain or verdict.difference for verdict in verdicts) else 0


if __name__ == "__main__":
    sys.exit(main())
