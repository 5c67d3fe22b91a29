"""Building and verifying the tables of families on a GPU: the same retrograde analysis, with the same result.

The slots of a family, the moves between them and the finished tables that moves lead to lie in the GPU's memory. A
pass over the slots makes the moves and counts predecessors; then these are written down, and the levels follow, one
launch for each. Where there is no room for the moves twice, they are made again instead.
"""

import threading
from collections.abc import Callable, Iterator
from time import perf_counter
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import gpu, twin
from outplay.freememory import GIB
from outplay.game import GameError, max_actions, parse
from outplay.games import spec
from outplay.record import position_text
from outplay.tables import gpukernels as kernels
from outplay.tables.build import Work
from outplay.tables.code import NO_CODE, PLIES
from outplay.tables.digest import rules_digest
from outplay.tables.estimate import Estimate, estimate
from outplay.tables.family import MOST, Asked, Expansion, asked, ranks_of
from outplay.tables.file import Header, Table, kind_of
from outplay.tables.gpukernels import BROKEN, EDGES, KNOWN, LATER, MOVES, NEXT, POSITIONS, Column, cuda
from outplay.tables.metric import usual
from outplay.tables.probe import answers_of, shelf_words
from outplay.tables.shelf import Shelf
from outplay.tables.verify import Progress, Verdict

SECONDS = 0.3  # target time of one launch: between launches a user may interrupt
FIRST_SHARE = 1 << 20  # slots of the first launch
SLOT_BYTES = 37  # of the GPU's memory for a slot: its column
AFTER_BYTES = 6  # what comes then: a place in the queue, the number in the table
MOVE_BYTES = 4
MOST_MOVES = 40  # of a slot, on average, that are kept
MOVES_A_SECOND = 1e9  # with everything that is done for a move
LAUNCHES = 0.05  # seconds of a small table
SPARE = 1 << 30  # bytes that are left to what a kernel's threads need themselves


class Placed(NamedTuple):
    """A table in the GPU's memory."""

    header: Header
    data: Any
    answers: Any

    @property
    def addresses(self) -> tuple[Header, int, int]:
        """As the words of a shelf have them."""
        return self.header, gpu.address_of(self.data), gpu.address_of(self.answers)


class GPU:
    """A GPU, and the tables of a game that lie in its memory. It does one thing at a time, whichever thread asks."""

    def __init__(self, cls: Any) -> None:
        gpu.require()
        self.cls, self.twin = cls, twin(cls)
        gpu.fits(self.twin)
        self.placed: dict[int, Placed] = {}  # by the number of the family
        self.needed: set[int] = set()  # families that must stay there
        self.busy = threading.RLock()
        room = max_actions(cls) + 1
        self.expand, self.verifying = kernels.expansion(room), kernels.verification(room)

    # --- memory ---

    def estimate(self, state: Any) -> Estimate:
        """What the table of a state's family would take, apart from those it leads to: memory of the GPU, and time."""
        found = estimate(state)
        memory = (SLOT_BYTES + AFTER_BYTES) * found.slots + MOVE_BYTES * found.moves
        return found._replace(memory=memory, seconds=LAUNCHES + found.moves / MOVES_A_SECOND)

    def require(self, size: int, what: str) -> None:
        """Raise a ValueError if the GPU has not so many bytes, even without the tables that are not needed now."""
        if size > self.free():
            self.placed = {family: kept for family, kept in self.placed.items() if family in self.needed}
        there = self.free()
        if size > there:
            raise ValueError(
                f"not enough memory on the GPU for {what}: {size / GIB:.1f} GiB needed, "
                f"{max(there, 0) / GIB:.1f} free; build a smaller family, or on the CPU"
            )

    def free(self) -> int:
        return gpu.free_memory() - SPARE

    def shelf(self, tables: list[Table]) -> tuple[Any, list[Placed]]:
        """The words of a shelf on the GPU, and what must live as long."""
        placed = [self.upload(table) for table in tables]
        return cuda.to_device(shelf_words([one.addresses for one in placed])), placed

    def upload(self, table: Table) -> Placed:
        """The table in the GPU's memory, where it may lie already."""
        have = self.placed.get(table.header.family)
        if have is None or have.header != table.header:
            self.require(table.data.nbytes, f"the table {table.header.name}")
            have = Placed(
                table.header, cuda.to_device(np.array(table.data)), cuda.to_device(answers_of(table))
            )
            self.placed[table.header.family] = have
        return have

    # --- building ---

    def family_table(self, state: Any, name: str, shelf: Shelf, work: Work, metric: str) -> Table:
        """The table of a state's family, as `build.family_table` makes it."""
        with self.busy, gpu.explained(f"the table {name}"):
            return self.build(state, name, shelf, work, metric)

    def build(self, state: Any, name: str, shelf: Shelf, work: Work, metric: str) -> Table:
        size, family = int(state.slots()), int(state.family())
        if not 0 < size <= MOST:
            raise GameError(f"a family of {self.cls.__name__} has {size:,} slots: expected 1 to {MOST:,}")
        tables = self.led_to(name, shelf)
        self.require(SLOT_BYTES * size, f"the {size:,} slots of {name}")
        words, placed = self.shelf(tables)
        ask = asked(self.cls, gpu.address_of(words), ranks_of(self.cls), metric)
        asks = ask._replace(ranks=cuda.to_device(ask.ranks))
        column = new_column(size)
        self.launch(kernels.clear, size, column)
        parents = self.predecessors(state, asks, shelf, column, metric, work)
        positions = int(column.counts.copy_to_host()[POSITIONS])
        queue = cuda.device_array(max(positions, 1), np.int32)
        times = self.levels(column, parents, queue, work)
        del parents, queue, placed
        table, data = self.finished(state, name, metric, column, times)
        if metric == usual(self.cls):
            self.placed[family] = Placed(table.header, data, cuda.to_device(answers_of(table)))
        return table

    def led_to(self, name: str, shelf: Shelf) -> list[Table]:
        """The tables of the shelf that moves of a family may lead to."""
        names = set(self.cls.families(name))
        tables = [table for table in shelf.tables if table.header.family < 0 or table.header.name in names]
        self.needed = {table.header.family for table in tables}
        return tables

    def predecessors(
        self, state: Any, asks: Asked, shelf: Shelf, column: Column, metric: str, work: Work
    ) -> Any:
        """Look at all slots; the predecessors of each, as the column says where."""
        size = len(column.owner)
        room = min(MOST_MOVES * size, (self.free() - AFTER_BYTES * size) // (2 * MOVE_BYTES))
        moves, none = cuda.device_array(max(room, 1), np.int32), cuda.device_array(1, np.int32)
        self.look(state, asks, column, moves, none, work)
        self.launch(kernels.place, size, column)
        counts = column.counts.copy_to_host()
        if counts[BROKEN]:
            self.broken(state, shelf, metric)
        is_kept = counts[MOVES] <= len(moves)
        if not is_kept:
            moves = none
        edges = int(counts[EDGES])
        self.require(MOVE_BYTES * edges + AFTER_BYTES * size, f"{edges:,} moves")
        parents = cuda.device_array(max(edges, 1), np.int32)
        if is_kept:
            self.launch(kernels.transpose, size, column, moves, parents)
        else:
            self.look(state, asks, column, moves, parents, work, True)
        return parents

    def look(
        self,
        state: Any,
        ask: Asked,
        column: Column,
        moves: Any,
        parents: Any,
        work: Work,
        again: bool = False,
    ) -> None:
        """Look at all slots, in launches between which the work may be stopped."""
        like, size = self.twin.state(state), len(column.owner)
        for begin, end in shares(size):
            self.launch(self.expand, end - begin, like, ask, column, moves, parents, begin, end, int(again))
            cuda.synchronize()
            work.slots(end, size)

    def levels(self, column: Column, parents: Any, queue: Any, work: Work) -> list[int]:
        """Retrograde analysis; the times, which are sizes of codes, at which positions became known."""
        size = len(column.owner)
        # One by one, not as a tuple: there may be hundreds of levels, and Numba types a tuple anew for each launch.
        common = column.event, column.open, column.codes, column.counts, queue
        self.launch(kernels.seed, size, *common, 0, 0)
        upcoming, turn = int(column.counts.copy_to_host()[NEXT]), 1
        times: list[int] = []
        done = known = 0
        while done < known or upcoming < LATER:
            time = min(upcoming, times[-1] + 1 if done < known else LATER)
            if time & PLIES == PLIES:
                raise GameError(f"the longest win takes more than {PLIES - 1:,} plies: too many for a table")
            if time == upcoming:
                self.launch(kernels.seed, size, *common, time, turn)
                counts = column.counts.copy_to_host()
                known, upcoming, turn = int(counts[KNOWN]), int(counts[NEXT + turn]), 1 - turn
            times.append(time)
            if done < known:
                links = column.first, column.degree, parents
                self.launch(kernels.level, known - done, *common, *links, done, known, time + 1)
            done, known = known, int(column.counts.copy_to_host()[KNOWN])
            work.level((time & PLIES) - 1, known)
        return times

    def finished(
        self, state: Any, name: str, metric: str, column: Column, times: list[int]
    ) -> tuple[Table, Any]:
        """The table, and its data on the GPU."""
        times = times or [1]
        size, width = len(column.owner), 1 + 2 * len(times)
        counted = cuda.to_device(np.zeros(2 * width, np.int64))
        self.launch(
            kernels.tally, min(size, 1 << 18), column, cuda.to_device(np.array(times, np.int64)), counted
        )
        by_player = counted.copy_to_host().reshape(2, width)
        codes = np.array([0, *(code for time in times for code in (time, -time))])
        occur = {
            int(code): tuple(row)
            for code, row in zip(codes, by_player.T.tolist(), strict=True)
            if sum(row) > 0
        }
        if sum(map(sum, occur.values())) < size:
            occur[NO_CODE] = 0, 0
        known = tuple(sorted(occur))
        counts = tuple(tuple(occur[code][player] for code in known) for player in (0, 1))
        data = cuda.device_array(-(-size // 8) * 8, kind_of(known))
        self.launch(kernels.pack, len(data), column, cuda.to_device(np.array(known, np.int64)), data)
        header = Header(
            spec(self.cls), rules_digest(self.cls), name, int(state.family()), position_text(state), ranks_of(self.cls),
            known, counts, size, data.dtype.itemsize, 0, metric,
        )  # fmt: skip
        return Table(header, data.copy_to_host()), data

    def broken(self, state: Any, shelf: Shelf, metric: str) -> None:
        """A thread was aborted: the CPU reports the error."""
        for _ in Expansion(state, shelf.address, metric, 1).parts(lambda done, of: None):
            pass
        raise GameError(
            f"{self.cls.__name__} cannot be analysed on the GPU: its rules call themselves too deeply"
        )

    # --- verifying ---

    def verify(self, shelf: Shelf, table: Table, progress: Progress = lambda done, of: None) -> Verdict:
        """Compare every position of a family's table with its moves, as `verify.verify` does."""
        with self.busy, gpu.explained(f"the table {table.header.name}"):
            return self.verified(shelf, table, progress)

    def verified(self, shelf: Shelf, table: Table, progress: Progress) -> Verdict:
        header = table.header
        state = parse(self.cls, header.start)
        like = self.twin.state(state)
        words, placed = self.shelf(self.led_to(header.name, shelf))
        mine = Placed(table.header, cuda.to_device(np.array(table.data)), cuda.to_device(answers_of(table)))
        own = cuda.to_device(shelf_words([mine.addresses]))
        ask = asked(self.cls, gpu.address_of(words), header.ranks, header.metric)
        ask = ask._replace(ranks=cuda.to_device(ask.ranks))
        verdicts = cuda.to_device(np.array([0, 0, 0, LATER]))
        for begin, end in shares(header.size):
            self.launch(self.verifying, end - begin, like, ask, gpu.address_of(own), verdicts, begin, end)
            cuda.synchronize()
            progress(end, header.size)
        right, wrong, empty, first = verdicts.copy_to_host().tolist()
        if right + wrong + empty < header.size:
            raise GameError(
                f"{self.cls.__name__}: verifying failed on the GPU; --device cpu reports the error"
            )
        del placed
        return Verdict(right + wrong, wrong, state.slot_state(first) if wrong else None)

    def launch(self, kernel: Callable[..., None], threads: int, *arguments: Any) -> None:
        blocks = -(-threads // gpu.BLOCK)
        gpu.kernel(kernel, self.twin)[blocks, gpu.BLOCK](*arguments)


def new_column(size: int) -> Column:
    kinds = np.int8, np.int32, np.int32, np.int64, np.int32, np.int32, np.int64, np.int32
    arrays = [cuda.device_array(size, kind) for kind in kinds]
    return Column._make([*arrays, cuda.device_array(kernels.COUNTERS, np.int64)])


def shares(size: int) -> Iterator[tuple[int, int]]:
    """All slots in runs that take about SECONDS."""
    begin, share = 0, FIRST_SHARE
    while begin < size:
        began = perf_counter()
        end = min(begin + share, size)
        yield begin, end
        begin = end
        share = share if perf_counter() - began > SECONDS else 4 * share
