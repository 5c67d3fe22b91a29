"""Every program of `bench/` runs; what its figures are, `python -m bench` tells."""

import inspect
import pkgutil
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from importlib import import_module
from pathlib import Path

import pytest

import bench
from bench import cpp
from bench.__main__ import BENCHMARKS, COUNTED, run
from bench.measure import Size

ROOT = Path(bench.__file__).parents[1]
SOURCES = {
    module.name: Path(bench.__file__).with_name(f"{module.name}.py")
    for module in pkgutil.iter_modules(bench.__path__)
}
COMMANDS = [
    name
    for name, file in SOURCES.items()
    if "argparse.ArgumentParser" in file.read_text() and name != "__main__"
]
PARTS = {  # of the benchmarks, and players
    "__main__", "aima_search", "broken_classes", "data_files", "differential", "faulty_classes", "machine", "measure",
    "naive", "natural_idioms", "openspiel_mcts", "random_class", "random_natural", "web_sight",
}  # fmt: skip


@pytest.mark.parametrize("name", BENCHMARKS)
def test_smoke(name: str) -> None:
    with ThreadPoolExecutor(1) as pool:  # a browser of other tests may have an event loop in this thread
        rows = pool.submit(lambda: list(run(name, Size.SMOKE))).result()
    assert rows
    for row in rows:
        assert row.bound != 0 or row.ok is not False, row  # what is counted there is mistakes
    missing = [row.note for row in rows if row.figure is None]
    if len(missing) == len(rows):
        pytest.skip(missing[0])


def test_every_benchmark_has_the_same_form() -> None:
    for name, module in BENCHMARKS.items():
        try:
            parameters = [*inspect.signature(import_module(f"bench.{module}").run).parameters]
        except ModuleNotFoundError:  # what the smoke run says, too
            continue
        assert parameters == (["size", "count"] if name in COUNTED else ["size"]), name


def test_the_readme_lists_every_benchmark() -> None:
    text = (ROOT / "bench" / "README.md").read_text(encoding="utf-8")
    assert set(re.findall(r"^\| `([\w-]+)` \|", text, re.MULTILINE)) == set(BENCHMARKS)


def test_every_module_is_a_benchmark_a_command_or_part_of_one() -> None:
    assert set(SOURCES) == {*BENCHMARKS.values(), *COMMANDS} | PARTS


@pytest.mark.parametrize("module", COMMANDS)
def test_every_command_starts(module: str) -> None:
    done = subprocess.run(
        [sys.executable, "-m", f"bench.{module}", "--help"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert f"bench.{module}" in done.stdout


def test_a_wrong_name_or_count_gets_one_line() -> None:
    for arguments, told in (
        (["nothing"], "there is no benchmark 'nothing'"),
        (["perft", "--count", "3"], "--count is for chess, plays, cube, rules"),
        (["rules", "--count", "0"], "--count must be at least 1, not 0"),
    ):
        done = subprocess.run(
            [sys.executable, "-m", "bench", *arguments], cwd=ROOT, capture_output=True, text=True
        )
        assert done.returncode == 2 and told in done.stderr and "Traceback" not in done.stderr


@pytest.mark.skipif(shutil.which("g++") is None, reason="there is no g++")
def test_the_search_in_c_plus_plus_is_the_same_search(tmp_path: Path) -> None:
    library = cpp.build(tmp_path)
    for depth in range(1, 10):
        found = cpp.ours(depth)
        for name in cpp.TWINS:
            assert cpp.theirs_by(getattr(library, name))(depth) == found
