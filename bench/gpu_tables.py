"""Endgame tables from a GPU: the same files as the CPU's; seconds, and positions that disagree with their moves.

The bounds are ten minutes each for KNNKP with the pawn on d4, KRBKR and a table with two pawns, and fifteen for
checkers with up to six pieces, everything counted that they lead to. `TABLES` names a folder where tables are kept:
what is there is not built again, and its time is not told.
"""

import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from bench.measure import Row, Size, left_out, short
from outplay.compile.gpu import NoGPU, require
from outplay.games import load
from outplay.tables.build import Built, Work, table_file
from outplay.tables.families import build_families
from outplay.tables.shelf import Shelf


class Tables(NamedTuple):
    """What is built."""

    game: str
    families: str
    seconds: float = 0.0  # that it may take at most

    @property
    def named(self) -> str:
        return f"tables of {self.game} {self.families}"


BOTH = (Tables("kalah", "8"), Tables("checkers", "4"), Tables("chess", "KPKP"))  # built on either
LARGE = (
    Tables("chess", "KRKPP", 600),
    Tables("checkers", "6", 900),
    Tables("chess", "KNNKPd4", 600),
    Tables("chess", "KRBKR", 600),
)


def run(size: Size) -> Iterator[Row]:
    try:
        require()
    except NoGPU as error:
        yield left_out("endgame tables on a GPU", "", error)
        return
    with tempfile.TemporaryDirectory() as made:
        folder = Path(os.environ.get("TABLES", f"{made}/large"))
        for work in size.pick(LARGE, (), ()):
            yield from proven(work, folder)
        for work in size.pick(BOTH, BOTH, BOTH[:1]):
            yield from compared(work, Path(made))


def compared(work: Tables, folder: Path) -> Iterator[Row]:
    """Built by the CPU's cores and by the GPU; what is compiled for either is compiled before."""
    cls, threads = load(work.game).cls, os.cpu_count() or 1
    for _ in build_families(cls, next(iter(cls.families(work.families))), folder / "first", gpu=on_gpu(cls)):
        pass
    for _ in build_families(cls, next(iter(cls.families(work.families))), folder / "second"):
        pass
    began = perf_counter()
    here = list(build_families(cls, work.families, folder / "cpu", Work(threads=threads)))
    after = perf_counter()
    list(build_families(cls, work.families, folder / "gpu", gpu=on_gpu(cls)))
    theirs, ours = after - began, perf_counter() - after
    files = [table_file("", cls, made.table.header.name) for made in here]
    differ = sum(
        (folder / "cpu" / file).read_bytes() != (folder / "gpu" / file).read_bytes() for file in files
    )
    peer = f"{threads} threads"
    yield Row(work.named, peer, f"{ours:.2f} s", f"{theirs:.2f} s", theirs / ours, "x")
    yield Row(
        f"{work.named}, files", peer, f"{len(files)}", figure=differ, unit="differ", bound=0, at_most=True
    )


def proven(work: Tables, folder: Path) -> Iterator[Row]:
    """Built by the GPU, and every position compared with its moves."""
    cls = load(work.game).cls
    gpu = on_gpu(cls)
    began = perf_counter()
    built: list[Built] = list(build_families(cls, work.families, folder, gpu=gpu))
    took = perf_counter() - began
    positions = short(sum(made.table.positions for made in built))
    if all(made.seconds for made in built):
        said = f"{len(built)} tables, {positions} positions"
        yield Row(work.named, "", said, figure=took, unit="s", bound=work.seconds, at_most=True)
    else:
        new = sum(made.seconds > 0 for made in built)
        said = f"{new} of {len(built)} tables, {positions} positions"
        yield Row(f"{work.named}, those that were not there", "", said, figure=took, unit="s")
    shelf = Shelf(cls, [made.table for made in built])
    began = perf_counter()
    wrong = sum(gpu.verify(shelf, made.table).wrong for made in built if made.seconds)
    said = f"verified in {perf_counter() - began:.0f} s"
    yield Row(
        f"{work.named}, every position", "its moves", said, figure=wrong, unit="wrong", bound=0, at_most=True
    )


def on_gpu(cls: Any) -> Any:
    from outplay.tables.gpu import GPU

    return GPU(cls)
