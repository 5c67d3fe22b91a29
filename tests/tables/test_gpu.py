"""Tables that a GPU builds are the CPU's, byte for byte: in numba-cuda's simulator, and on a GPU if there is one."""

import importlib.util
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from outplay.compile import ENABLED, gpu
from outplay.game import GameError
from outplay.games import load
from outplay.tables.build import Built, Stopped, Work
from outplay.tables.families import build_families
from outplay.tables.shelf import Shelf
from outplay.tables.verify import verify

if importlib.util.find_spec("numba_cuda") is None:
    pytest.skip("numba-cuda is not installed", allow_module_level=True)

from numba import cuda, typeof, types

HERE = gpu.SIMULATED or (ENABLED and cuda.is_available())
on_gpu = pytest.mark.skipif(not HERE, reason="there is no GPU: these tests run in the simulator alone")
SMALL = [("kalah:pits=2", "5", ""), ("kalah:pits=3", "4", ""), ("checkers", "2", "")]
SMALL += [("checkers", "2", "conversion")]
LARGE = [("kalah", "8", ""), ("checkers", "3", ""), ("chess", "KPK", ""), ("chess", "KPK", "conversion")]
LARGE += [("chess", "KQKR", ""), ("chess", "KPKP", "")]


def test_in_the_simulator() -> None:
    """The tests below, each function of a kernel being plain Python."""
    if gpu.SIMULATED:
        return
    plain = os.environ | {"NUMBA_ENABLE_CUDASIM": "1", "OUTPLAY_JIT": "0"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", __file__]
    run = subprocess.run(command, env=plain, capture_output=True, text=True, timeout=600)
    assert run.returncode == 0, run.stdout + run.stderr
    assert "passed" in run.stdout


def built_by_both(game: str, families: str, metric: str, folder: Path) -> tuple[list[Built], list[Built]]:
    from outplay.tables.gpu import GPU

    cls = load(game).cls
    here = list(build_families(cls, families, folder / "cpu", metric=metric))
    return here, list(build_families(cls, families, folder / "gpu", metric=metric, gpu=GPU(cls)))


@on_gpu
@pytest.mark.parametrize(("game", "families", "metric"), SMALL if gpu.SIMULATED else SMALL + LARGE)
def test_the_same_files(game: str, families: str, metric: str, tmp_path: Path) -> None:
    here, there = built_by_both(game, families, metric, tmp_path)
    assert len(here) == len(there) > 0
    files = sorted(file.name for file in (tmp_path / "cpu").iterdir())
    assert files == sorted(file.name for file in (tmp_path / "gpu").iterdir())
    for name in files:
        assert (tmp_path / "cpu" / name).read_bytes() == (tmp_path / "gpu" / name).read_bytes(), name


@on_gpu
def test_the_same_verdicts(tmp_path: Path) -> None:
    from outplay.tables.gpu import GPU

    cls = load("kalah:pits=2").cls
    shelf = Shelf(cls, [made.table for made in build_families(cls, "5", tmp_path)])
    table = shelf.named("5")
    assert GPU(cls).verify(shelf, table) == verify(shelf, table) == (table.positions, 0, None)
    damaged = table._replace(data=np.where(table.data == table.data[3], table.data[0], table.data))
    verdict = GPU(cls).verify(shelf, damaged)
    assert verdict == verify(shelf, damaged) and verdict.wrong > 0


@on_gpu
def test_it_can_be_stopped_and_goes_on(tmp_path: Path) -> None:
    from outplay.tables.gpu import GPU

    cls = load("kalah:pits=2").cls
    made: list[Built] = []
    work = Work(lambda text: work.stop.set() if text.startswith("4:") else None)
    with pytest.raises(Stopped):
        for one in build_families(cls, "4", tmp_path, work, gpu=GPU(cls)):
            made.append(one)
    assert [one.table.header.name for one in made] == ["2", "3"]
    again = list(build_families(cls, "4", tmp_path, gpu=GPU(cls)))
    assert [one.seconds > 0 for one in again] == [False, False, True]


@on_gpu
def test_moves_are_made_again_without_room_for_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from outplay.tables import gpu as building

    monkeypatch.setattr(building, "MOST_MOVES", 1)
    test_the_same_files("kalah:pits=3", "4", "", tmp_path)


@on_gpu
def test_a_gpu_that_is_too_small(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, outplay: Any) -> None:
    monkeypatch.setattr(gpu, "free_memory", lambda: (1 << 30) + 1000)
    answer = outplay("table", "build", "checkers", "2", "--tables", tmp_path, "--device", "cuda")
    assert answer.status == 2
    assert answer.told.splitlines()[-1].startswith(
        "outplay: not enough memory on the GPU for the table KvK: "
    )
    assert not list(tmp_path.glob("*.table"))


@on_gpu
def test_a_family_that_is_missing_is_an_error_in_the_cpus_words(tmp_path: Path) -> None:
    from outplay.tables.gpu import GPU

    cls: Any = load("kalah:pits=2").cls
    if not gpu.SIMULATED:  # there an exception is an exception
        with pytest.raises(GameError, match="leads to a family without a table"):
            GPU(cls).family_table(cls.families("3")["3"], "3", Shelf(cls), Work(), "conversion")


@pytest.mark.skipif(not ENABLED, reason="nothing is compiled")
@pytest.mark.parametrize(("game", "family"), [("chess", "KPKP"), ("checkers", "KvM"), ("kalah", "4")])
def test_games_are_compiled_for_a_gpu(game: str, family: str) -> None:
    """All kernels, for a GPU that need not be there; nothing is left to be linked."""
    from outplay.compile import twin
    from outplay.compile.cuda import ptx
    from outplay.game import max_actions
    from outplay.tables import gpukernels as kernels
    from outplay.tables.family import asked

    cls: Any = load(game).cls
    like = typeof(twin(cls).state(cls.families(family)[family]))
    ask = typeof(asked(cls, 0, (1,), "conversion"))
    word, words, numbers = types.int64, types.int64[::1], types.int32[::1]
    kinds = np.int8, np.int32, np.int32, np.int64, np.int32, np.int32, np.int64, np.int32, np.int64
    column = typeof(kernels.Column(*(np.zeros(1, kind) for kind in kinds)))
    room = max_actions(cls) + 1
    for kernel, *arguments in (
        (kernels.expansion(room), like, ask, column, numbers, numbers, word, word, word),
        (kernels.verification(room), like, ask, word, words, word, word),
        (kernels.clear, column),
        (kernels.place, column),
        (kernels.transpose, column, numbers, numbers),
        (kernels.seed, *[numbers] * 3, words, numbers, word, word),
        (kernels.level, *[numbers] * 3, words, numbers, words, numbers, numbers, word, word, word),
        (kernels.tally, column, words, words),
        (kernels.pack, column, words, types.uint8[::1]),
    ):
        code = ptx(kernel, *arguments, optimised=False)
        assert ".visible .entry" in code and ".extern .func" not in code
