"""Building a table: of all states reachable from a position, or of a family that a game indexes (see families.py).

While reachable states are being found, they are saved in a file next to the table.
"""

import hashlib
import threading
from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from outplay.compile.lane import again
from outplay.game import adopt_state
from outplay.games import initial, spec
from outplay.record import position_text
from outplay.storage import check_writable
from outplay.tables.code import NO_CODE, fitting
from outplay.tables.digest import rules_digest
from outplay.tables.family import NOBODY, family_graph, ranks_of
from outplay.tables.file import SUFFIX, Header, Table, counted, packed
from outplay.tables.metric import END, usual
from outplay.tables.reachable import Exploration, start_text
from outplay.tables.retrograde import solve
from outplay.tables.shelf import Shelf
from outplay.tables.states import hashed


class Stopped(Exception):
    """Somebody asked the building to stop."""


class Work:
    """A building that goes on: what it is doing, and a way to stop it between two steps."""

    def __init__(self, report: Callable[[str], None] = lambda text: None, threads: int = 1) -> None:
        self.report, self.threads = report, threads
        self.stop = threading.Event()

    def tell(self, text: str) -> None:
        self.report(text)
        if self.stop.is_set():
            raise Stopped

    def slots(self, done: int, of: int) -> None:
        self.tell(f"{done:,} of {of:,} slots")

    def level(self, plies: int, known: int) -> None:
        self.tell(f"{known:,} positions are known, up to {plies} plies from the end")

    def of(self, name: str) -> "Work":
        """The part of it that has a name."""
        part = Work(lambda text: self.report(f"{name}: {text}"), self.threads)
        part.stop = self.stop
        return part


class Built(NamedTuple):
    """A table that was built, or found finished."""

    table: Table
    seconds: float  # 0 where it was there before


def table_file(folder: str | Path, cls: type, name: str, metric: str = "") -> Path:
    """The file of a table: the class, parameters that are not its own, the family or what the start is called."""
    changed = spec(cls).rpartition(":")[2]
    unusual = metric if metric not in ("", usual(cls)) else ""
    parts = cls.__name__, changed if "=" in changed else "", name, unusual
    return Path(folder) / f"{'-'.join(filter(None, parts))}{SUFFIX}"


def start_name(state: Any) -> str:
    """What tells a start from the game's own: nothing, or a digest of it."""
    if initial(type(state)) == state:
        return ""
    return hashlib.sha256(start_text(state).encode()).hexdigest()[:8]


def family_table(state: Any, name: str, shelf: Shelf, work: Work, metric: str) -> Table:
    """The table of a state's family; the shelf has those that its moves lead to."""
    cls = type(state)
    graph = family_graph(state, shelf.address, work.threads, work.slots, metric)
    codes = solve(graph, work.level)
    codes[graph.owner == NOBODY] = NO_CODE
    known = tuple(np.unique(codes).tolist())
    counts = counted(codes, graph.owner, known)
    data = packed(codes, known)
    header = Header(
        spec(cls), rules_digest(cls), name, int(state.family()), position_text(state), ranks_of(cls), known, counts,
        len(codes), data.itemsize, 0, metric,
    )  # fmt: skip
    return Table(header, data)


@again
def build_states(state: Any, folder: str | Path, work: Work | None = None) -> Built:
    """The table of all states that can come from one."""
    work = work or Work()
    state = adopt_state(state)
    cls = type(state)
    fitting(cls)
    Path(folder).mkdir(parents=True, exist_ok=True)
    name = start_name(state)
    path = table_file(folder, cls, name)
    check_writable(path)
    began = perf_counter()
    exploration = Exploration(state, path.with_suffix(".states"))
    try:
        exploration.run(lambda done, found: work.tell(f"{done:,} of {found:,} states looked at"))
    except Stopped:
        exploration.keep()
        raise
    reached = exploration.finished()
    codes = solve(reached.graph, work.level)
    known = tuple(np.unique(codes).tolist())
    counts = counted(codes, reached.graph.owner, known)
    numbers = np.searchsorted(np.array(known, np.int64), codes)
    data, salt = hashed(exploration.native, reached.states, numbers)
    header = Header(
        spec(cls),
        rules_digest(cls),
        name,
        -1,
        position_text(state),
        reached.ranks,
        known,
        counts,
        len(data),
        8,
        salt,
        END,
    )
    made = Table(header, data).save(path)
    exploration.forget()
    return Built(made, perf_counter() - began)
