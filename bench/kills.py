"""kill -9 at random moments: what was said to be kept is there, and the work goes on to the same end.

`python -m bench kills --count 100` spreads the kills over all kinds of work.

Each piece of work runs in a process of its own that writes a file and says what it has kept. It is killed, and its file
looked at: it must be whole, and hold all that was said.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

import numpy as np

from bench.measure import Row, Size

ROOT = Path(__file__).parent.parent

SAVE = """
from outplay.weights import Weights
for number in range(1, 10**6):
    Weights(a=[number] * 5000).save("weights.json")
    print(number, flush=True)
"""
MATCH = """
from outplay.arena import Conditions, Match, TimeControl
def first(record, limits):
    return next(iter(record.state.actions()))
match = Match("tictactoe", [first, first], Conditions(2000, TimeControl(depth=1)), out="results.jsonl")
print(len(match.played), flush=True)
match.run(lambda match, game: print(len(match.played), flush=True))
"""
TUNE = """
from outplay.games import TicTacToe
from outplay.learn.tune import Checkpoint
from collections import deque
import numpy as np
kept = Checkpoint("weights.part", "settings")
epoch, point, steps = kept.load(400)
point = np.zeros(400) if point is None else point
steps = deque(maxlen=10) if steps is None else steps
print(epoch, flush=True)
for epoch in range(epoch + 1, 10**6):
    assert (point == epoch - 1).all()
    point = point + 1
    steps.append((point, point))
    kept.save(epoch, point, steps)
    print(epoch, flush=True)
"""
POSITIONS = """
from outplay.storage import Journal
journal = Journal("positions.part", {"format": "outplay positions 1"}, "an unfinished file of positions")
with journal.open():
    assert [line[0] for line in journal.lines] == list(range(len(journal.lines)))
    print(len(journal.lines), flush=True)
    for number in range(len(journal.lines), 10**6):
        journal.append([number] * 1000)
        print(number + 1, flush=True)
"""
CACHE = """
from pathlib import Path
from outplay.storage import sealed, unsealed, write_whole
number = 0
if Path("code.bin").exists():
    number = len(unsealed(Path("code.bin").read_bytes())) // 1000
print(number, flush=True)
for number in range(number + 1, 10**6):
    write_whole("code.bin", sealed(bytes(1000 * number)))
    print(number, flush=True)
"""
ZERO = """
from pathlib import Path
import numpy as np
from outplay.games import load
from outplay.learn.folder import Folder
from outplay.learn.zero import loop
from outplay.learn.zero.settings import settings_for
class Counter:
    # Stands for a net: its weights count the updates.
    updates = 0
    def __init__(self, view, settings, symmetries, scale): self.table = np.zeros(20_000)
    def evaluate(self, views, priors, values): priors[:], values[:] = 1, 0
    def publish(self): pass
    def update(self, rows, policies, filled, share):
        self.updates += 1
        self.table += 1
        return [1.0, 1.0, 0.0]
    def state(self): return {"table": self.table, "updates": np.array(self.updates)}
    def load(self, state):
        self.table, self.updates = state["table"], int(state["updates"])
        assert (self.table == self.updates).all()
class Telling(Folder):
    def save(self, state):
        super().save(state)
        print(int(state["learner/updates"]), flush=True)
    def load(self):
        state = super().load()
        print(0 if state is None else int(state["learner/updates"]), flush=True)
        return state
loop.Folder, loop.LOG_EVERY, loop.SAVE_EVERY = Telling, 0.0, 0.01
given = {"games": 16, "simulations": (2,), "batch": 32, "channels": 8, "blocks": 1}
settings = settings_for("tictactoe", load("tictactoe").start, 1000, **given)
loop.train(settings, Path("run"), lambda line: None, LEARNER)
"""


TD = """
from pathlib import Path
from outplay.learn.folder import Folder
from outplay.learn.td import loop
from outplay.learn.td.selfplay import FINISHED
from outplay.learn.td.settings import Settings
def games(state): return int(state["numbers"][1] + state["counts"][FINISHED])
class Telling(Folder):
    def save(self, state):
        super().save(state)
        print(games(state), flush=True)
    def load(self):
        state = super().load()
        print(0 if state is None else games(state), flush=True)
        return state
loop.Folder, loop.SAVE_EVERY, loop.CHUNK = Telling, 0.0, 0.01
settings = Settings("tictactoe", games=10**9, hidden=8, trial=2, points=10**4)
loop.train(settings, Path("run"), lambda line: None, lambda line: None)
"""
TABLE = """
from pathlib import Path
import time
from outplay.games import load
from outplay.tables import reachable
class Telling(reachable.Exploration):
    def keep(self):
        super().keep()
        print(int(self.store.sizes[reachable.DONE]), flush=True)
reachable.KEEP_SECONDS, reachable.SLICE = 0.0, 500
exploration = Telling(load("connect4:width=4,height=4").start, Path("states.part"))
print(int(exploration.store.sizes[reachable.DONE]), flush=True)
exploration.run()
time.sleep(60)
"""


class Work(NamedTuple):
    """A program, and how much its file holds."""

    name: str
    program: str
    held: Callable[[Path], int]


def weights(folder: Path) -> int:
    numbers = json.loads((folder / "weights.json").read_text())["a"]
    assert numbers == numbers[:1] * 5000
    return int(numbers[0])


def lines(name: str) -> Callable[[Path], int]:
    """Whole lines after the first; the program itself looks whether they are the right ones."""
    return lambda folder: (folder / name).read_bytes().count(b"\n") - 1


def epoch(folder: Path) -> int:
    from outplay.learn.tune import Checkpoint

    return Checkpoint(folder / "weights.part", "settings").load(400)[0]


def code(folder: Path) -> int:
    from outplay.storage import unsealed

    kept = folder / "code.bin"
    return (
        len(unsealed(kept.read_bytes())) // 1000 if kept.exists() else 0
    )  # killed before the first was there


def updates(folder: Path) -> int:
    """Of the last checkpoint of a run, whose log tells one story without gaps; nothing unfinished piles up."""
    from outplay.learn.folder import CHECKPOINT
    from outplay.learn.zero.settings import read_run

    _, told = read_run(folder / "run")
    for name in ("seconds", "games", "positions", "updates", "simulations"):
        numbers = [line[name] for line in told]
        assert numbers == sorted(numbers), f"{name} goes back"
    assert len(list((folder / "run").glob(".*"))) <= 1, "unfinished files pile up"
    kept = folder / "run" / CHECKPOINT
    if not kept.exists():
        return 0
    with np.load(kept) as file:
        return int(file["learner/updates"])


def td_games(folder: Path) -> int:
    """Of the last checkpoint of a run of `learn td`, whose log tells one story without gaps."""
    from outplay.learn.folder import CHECKPOINT
    from outplay.learn.td.selfplay import FINISHED
    from outplay.learn.td.settings import read_run

    _, told = read_run(folder / "run")
    games = [line["games"] for line in told]
    assert games == sorted(games), "the games go back"
    assert len(list((folder / "run").glob(".*"))) <= 1, "unfinished files pile up"
    kept = folder / "run" / CHECKPOINT
    if not kept.exists():
        return 0
    with np.load(kept) as file:
        return int(file["numbers"][1] + file["counts"][FINISHED])


def states(folder: Path) -> int:
    """Of a table that is being built: the states that were looked at."""
    from outplay.games import load
    from outplay.tables.reachable import DONE, Exploration

    start = load("connect4:width=4,height=4").start
    return int(Exploration(start, folder / "states.part").store.sizes[DONE])


WORKS = (
    Work("save", SAVE, weights),
    Work("match", MATCH, lines("results.jsonl")),
    Work("tune", TUNE, epoch),
    Work("positions", POSITIONS, lines("positions.part")),
    Work("cache", CACHE, code),
    Work("td", TD, td_games),
    Work("table", TABLE, states),
    Work("zero", ZERO.replace("LEARNER", "Counter"), updates),
    *([Work("zero with torch", ZERO.replace("LEARNER", "None"), updates)] if find_spec("torch") else []),
)


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    wanted = count or size.pick(100, 10, 5)
    longest = size.pick(3.0, 0.3, 0.1)  # seconds from the first word of a process to its end
    rng, faults, steps = random.Random(1), [], 0
    for work in WORKS:
        with tempfile.TemporaryDirectory() as folder:
            for number in range(-(-wanted // len(WORKS))):
                kept, fault = kill(work, Path(folder), rng.uniform(0, longest))
                steps += kept
                faults += [f"{work.name}, kill {number + 1}: {fault}"] if fault else []
    done = f"{-(-wanted // len(WORKS)) * len(WORKS)} kills, {steps:,} steps kept"
    yield Row("kill -9", "", done, "", len(faults), "losses", 0, True, "\n".join(faults[:20]))


def kill(work: Work, folder: Path, seconds: float) -> tuple[int, str]:
    """Let it work for so long, kill it, and compare what it said with what is there."""
    environment = os.environ | {"PYTHONPATH": f"{ROOT / 'src'}{os.pathsep}{ROOT}"}
    command = [sys.executable, "-c", work.program]
    process = subprocess.Popen(
        command, cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert process.stdout is not None
    first = process.stdout.readline()
    time.sleep(seconds)
    process.kill()
    rest, complaint = process.communicate()
    said = [int(line) for line in (first + rest).split("\n")[:-1]]  # a last line without its end was not said
    if not said:
        return 0, " ".join(complaint.split())[-200:]
    try:
        held = work.held(folder)
    except Exception as error:  # whatever is wrong with the file, it is the fault that is looked for
        return 0, f"{type(error).__name__}: {error}"
    return held, "" if held >= said[-1] else f"{said[-1]} were said to be kept, {held} are"
