"""Building the tables of a game's families, in parallel as memory allows, each after those that it leads to.

A table is written when it is finished, so an interrupted run resumes with the next one. A GPU builds one at a time,
while the one before is written.
"""

from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from contextlib import nullcontext
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any

from outplay.freememory import SPARE, available, require
from outplay.game import offers
from outplay.storage import check_writable
from outplay.tables.build import Built, Work, family_table, table_file
from outplay.tables.code import fitting
from outplay.tables.estimate import estimate
from outplay.tables.family import ranks_of
from outplay.tables.metric import checked, usual
from outplay.tables.shelf import Shelf

if TYPE_CHECKING:
    from outplay.tables.gpu import GPU

WRITERS = 3  # threads beside a GPU: it is never waited for that a table is written
LARGEST_NUMBER = 4  # bytes of a slot in a table


def has_families(cls: type) -> bool:
    return offers(cls, "families") and offers(cls, "slot_state")


def build_families(
    cls: Any,
    text: str,
    folder: str | Path,
    work: Work | None = None,
    metric: str = "",
    gpu: "GPU | None" = None,
) -> Iterator[Built]:
    """The tables of the families that a text names, with those that they lead to; on the CPU, or on a GPU.

    By another metric than the usual one after the usual ones, and only of what the text names itself.
    """
    fitting(cls)
    ranks_of(cls)
    Path(folder).mkdir(parents=True, exist_ok=True)
    check_writable(table_file(folder, cls, text))
    work, metric = work or Work(), checked(metric, cls)
    usually = Building(cls, text, folder, work, gpu=gpu)
    yield from usually.run()
    if metric != usual(cls):
        yield from Building(cls, text, folder, work, usually.shelf, metric, gpu).run()


class Building:
    """The families of a text while they are built."""

    def __init__(
        self,
        cls: Any,
        text: str,
        folder: str | Path,
        work: Work,
        ends: Shelf | None = None,
        metric: str = "",
        gpu: "GPU | None" = None,
    ) -> None:
        self.cls, self.folder, self.work, self.gpu = cls, folder, work, gpu
        self.threads = WRITERS if gpu else work.threads
        self.metric = metric or usual(cls)
        self.examples: dict[str, Any] = dict(cls.families(text))
        leads = {name: set(cls.families(name)) for name in self.examples}
        if ends is not None:  # the usual tables are there: nothing has to wait
            top = [name for name, reached in leads.items() if reached == self.examples.keys()]
            self.examples = {name: self.examples[name] for name in top or self.examples}
            leads = {name: {name} for name in self.examples}
        self.have = Shelf.open(folder, cls, self.metric)
        self.shelf = ends or self.have
        self.leads = {name: reached - {name} for name, reached in leads.items()}
        self.waiting = dict(self.examples)
        self.running: dict[Future[Built], tuple[str, int]] = {}  # the memory that each takes

    def run(self) -> Iterator[Built]:
        """Those that are there already, then the others as they are finished."""
        for name, example in self.examples.items():
            have = self.have.families.get(example.family())
            if have is not None:
                del self.waiting[name]
                yield Built(have, 0.0)
        with ThreadPoolExecutor(self.threads) as pool:
            try:
                while self.waiting or self.running:
                    self.start(pool)
                    finished, _ = wait(self.running, return_when=FIRST_COMPLETED)
                    for future in finished:
                        del self.running[future]
                        made = future.result()
                        if self.metric == usual(self.cls):
                            self.shelf = self.shelf.add(made.table)
                        yield made
            except BaseException:
                self.work.stop.set()  # the others end, too
                raise

    def start(self, pool: ThreadPoolExecutor) -> None:
        """Begin with what is ready, while there are threads and memory."""
        unfinished = self.waiting.keys() | {name for name, _ in self.running.values()}
        ready = [name for name in self.waiting if not self.leads[name] & unfinished]
        if not ready and not self.running:  # they name each other: the game's own order counts
            ready = list(self.waiting)[:1]
        for name in ready:
            if len(self.running) >= self.threads:
                return
            memory = self.memory(name)
            if not self.running:
                require(memory, f"the table {name}")
            elif memory + sum(size for _, size in self.running.values()) > available() - SPARE:
                return
            future = pool.submit(self.build, name, self.shelf)
            self.running[future] = name, memory
            del self.waiting[name]

    def memory(self, name: str) -> int:
        """Bytes of the CPU's memory that a table takes while it is built; on a GPU just what is written."""
        example = self.examples[name]
        return LARGEST_NUMBER * int(example.slots()) if self.gpu else estimate(example).memory

    def build(self, name: str, shelf: Shelf) -> Built:
        make = self.gpu.family_table if self.gpu else family_table
        with self.gpu.busy if self.gpu else nullcontext():
            began = perf_counter()
            table = make(self.examples[name], name, shelf, self.work.of(name), self.metric)
        file = table_file(self.folder, self.cls, name, self.metric)
        return Built(table.save(file).mapped(), perf_counter() - began)
