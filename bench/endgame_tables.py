"""Endgame tables of chess and checkers, built and proven: processor's seconds, wrong positions, published counts.

The bound is ten minutes of two cores, for all tables of three and four men and for all of two to four pieces. Every
position is compared with its moves (`outplay table verify`), and KPK, KQK and KRK with Syzygy's, where those are
(`SYZYGY` names their folder). `TABLES` names a folder where tables are kept: what is there is not built again, and no
time is told then.
"""

import os
import tempfile
from collections.abc import Iterator
from math import comb
from pathlib import Path
from time import process_time
from typing import Any

from bench.measure import Row, Size, left_out
from outplay.games import Checkers, Chess
from outplay.tables.build import Work
from outplay.tables.families import build_families
from outplay.tables.shelf import Shelf
from outplay.tables.statistics import shares
from outplay.tables.verify import verify

SECONDS = 2 * 600.0
DATA = Path(__file__).parents[2] / "shared" / "data" / "chess" / "syzygy"
MEN = {  # won, drawn, lost with White to move, the same with Black to move, the longest mate in moves; as published
    "KQK": (18_081, 0, 0, 0, 2_896, 25_160, 10),
    "KRK": (21_959, 0, 0, 0, 2_796, 25_260, 16),
    "KPK": (62_480, 19_184, 0, 0, 35_210, 48_802, 28),
    "KQKR": (1_108_111, 8_963, 2_142, 386_313, 78_518, 883_075, 35),
}
PIECES = {2: 6_972, 3: 261_224, 4: 7_092_774}  # positions of checkers with so many pieces, as published


def run(size: Size) -> Iterator[Row]:
    with tempfile.TemporaryDirectory() as made:
        folder = Path(os.environ.get("TABLES", made)) if size is Size.FULL else Path(made)
        if size is not Size.SMOKE:  # the tests have three men
            yield from tables_of(Chess, size.pick("4", "3", ""), folder)
            yield from counts_of_chess(folder)
            yield from against_syzygy(folder, size.pick(1, 10, 1))
        pieces = size.pick(4, 3, 2)
        yield from tables_of(Checkers, str(pieces), folder)
        yield from counts_of_checkers(folder, pieces)


def tables_of(cls: Any, families: str, folder: Path) -> Iterator[Row]:
    """Build the tables, and prove them."""
    threads, name = os.cpu_count() or 1, cls.__name__.lower()
    began = process_time()
    built = list(build_families(cls, families, folder, Work(threads=threads)))
    took = process_time() - began
    work = f"tables of {name} {families}"
    if all(each.seconds for each in built):
        positions = sum(each.table.positions for each in built)
        yield Row(work, "", f"{positions:,} positions", figure=took, unit="s", bound=SECONDS, at_most=True)
    else:
        yield left_out(work, "", "some were built before: name another folder in TABLES")
    shelf = Shelf.wanted(folder, cls)
    verdicts = [verify(shelf, each.table, threads) for each in built]
    said = f"{sum(verdict.positions for verdict in verdicts):,} positions"
    wrong = sum(verdict.wrong for verdict in verdicts)
    yield Row(f"{work}, every position", "its moves", said, figure=wrong, unit="wrong", bound=0, at_most=True)


def counts_of_chess(folder: Path) -> Iterator[Row]:
    """Won, drawn and lost for White and for Black to move, as published."""
    shelf = Shelf.wanted(folder, Chess)
    for name in MEN.keys() & {table.header.name for table in shelf.tables}:
        white, black = shares(shelf.named(name))
        ours = *white[:3], *black[:3], ((white.longest or 0) + 1) // 2
        off = sum(abs(one - two) for one, two in zip(ours, MEN[name], strict=True))
        told = (" ".join(f"{number:,}" for number in numbers) for numbers in (ours, MEN[name]))
        yield Row(f"{name}, mate in", "published", *told, off, "off", 0, True)


def against_syzygy(folder: Path, step: int) -> Iterator[Row]:
    """Won, drawn or lost as Syzygy's tables of three men have it."""
    theirs = Path(os.environ.get("SYZYGY", DATA))
    if not theirs.is_dir():
        yield left_out("tables of chess", "Syzygy", "SYZYGY names no folder with KPK, KQK and KRK")
        return
    import chess
    import chess.syzygy

    shelf = Shelf.wanted(folder, Chess)
    compared = wrong = 0
    with chess.syzygy.open_tablebase(str(theirs)) as syzygy:
        for name in {"KPK", "KQK", "KRK"} & {table.header.name for table in shelf.tables}:
            start = Chess.families(name)[name]
            for slot in range(0, start.slots(), step):
                state = start.slot_state(slot)
                if state.slot() == slot:
                    known = shelf.probe(state)
                    assert known is not None
                    compared += 1
                    wrong += known.value != syzygy.probe_wdl(chess.Board(str(state))) // 2
    yield Row(
        "tables of chess",
        "Syzygy",
        f"{compared:,} positions",
        figure=wrong,
        unit="wrong",
        bound=0,
        at_most=True,
    )


def counts_of_checkers(folder: Path, pieces: int) -> Iterator[Row]:
    """How many positions there are, those with pieces of one side alone included, which are in no table."""
    shelf = Shelf.wanted(folder, Checkers)
    for count in range(2, pieces + 1):
        ours = sum(table.positions for table in shelf.tables if len(table.header.name) == count + 1)
        ours += 2 * sum(comb(28, men) * comb(32 - men, count - men) for men in range(count + 1))
        off = abs(ours - PIECES[count])
        work = f"checkers, {count} pieces"
        yield Row(work, "published", f"{ours:,}", f"{PIECES[count]:,}", off, "off", 0, True)
    kings = shares(shelf.named("KvK"))[0]
    off = sum(abs(one - two) for one, two in zip(kings[:3], (230, 654, 108), strict=True))
    said = f"{kings.won}/{kings.drawn}/{kings.lost}"
    yield Row("king against king", "published", said, "230/654/108", off, "off", 0, True)
