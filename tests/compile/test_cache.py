"""Compiled code is never old and never built twice: each way in which it could be is tried."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import outplay
from outplay.compile import cache
from outplay.compile.program import Program
from outplay.games import Hexapawn

SOURCE = Path(outplay.__file__).parent.parent

GAME = """
from typing import NamedTuple
from helper import step

class Countdown(NamedTuple):
    left: int = 6
    mover: int = 0
    def player(self):
        return self.mover
    def actions(self):
        yield 1
        yield 2
    def result(self, take):
        return Countdown(self.left - take * step(), 1 - self.mover)
    def terminal(self):
        return self.left <= 0
    def utility(self):
        return {worth}
"""
HELPER = "STEP = {step}\ndef step():\n    return STEP\n"
MAIN = """
import outplay.compile
built = []
outplay.compile.on_compile(built.append)
from outplay.search import solve
{game}
found = solve(Countdown(), "alphabeta")
print("nodes", found.nodes, "value", found.value, "built", len(built))
"""


@pytest.fixture(scope="module")
def solved(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, int]]:
    """A folder in which the game was solved once, and the answer."""
    place = tmp_path_factory.mktemp("solved")
    (place / "helper.py").write_text(HELPER.format(step=1))
    (place / "game.py").write_text(GAME.format(worth=1))
    return place, run(place)


@pytest.fixture
def place(solved: tuple[Path, dict[str, int]], tmp_path: Path) -> Path:
    """A copy of that folder."""
    return Path(shutil.copytree(solved[0], tmp_path / "place"))


@pytest.fixture
def before(solved: tuple[Path, dict[str, int]]) -> dict[str, int]:
    """The answer there."""
    return solved[1]


def run(place: Path, game: str = "from game import Countdown", source: Path = SOURCE) -> dict[str, int]:
    """Solve the game in a new process; its answer and how many functions were built."""
    script = place / "main.py"
    script.write_text(MAIN.format(game=game))
    env = {**os.environ, "OUTPLAY_CACHE": str(place / "cache"), "PYTHONPATH": str(source), "OUTPLAY_JIT": "1"}
    env["PYTHONDONTWRITEBYTECODE"] = "1"
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=env, cwd=place)
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    return {words[i]: int(words[i + 1]) for i in range(0, len(words), 2)}


def test_an_unchanged_game_is_a_hit(place: Path, before: dict[str, int]) -> None:
    assert before["built"] > 0
    assert run(place) == {**before, "built": 0}


def test_a_script_run_twice_is_a_hit(place: Path) -> None:
    game = GAME.format(worth=2)
    first = run(place, game)
    assert first["built"] > 0
    assert run(place, game) == {**first, "built": 0}


def test_a_remark_or_an_empty_line_changes_nothing(place: Path) -> None:
    (place / "game.py").write_text("# a remark\n\n" + GAME.format(worth=1))
    assert run(place)["built"] == 0


def test_an_edited_helper_in_another_file(place: Path, before: dict[str, int]) -> None:
    (place / "helper.py").write_text(HELPER.format(step=1).replace("return STEP", "return STEP + 1"))
    after = run(place)
    assert after["nodes"] < before["nodes"]
    assert after["built"] > 0


def test_a_changed_constant_of_another_file(place: Path, before: dict[str, int]) -> None:
    (place / "helper.py").write_text(HELPER.format(step=3))
    assert run(place)["nodes"] < before["nodes"]


def test_an_edited_rule_and_back(place: Path, before: dict[str, int]) -> None:
    assert before["value"] == 1
    (place / "game.py").write_text(GAME.format(worth=7))
    assert run(place)["value"] == 7
    (place / "game.py").write_text(GAME.format(worth=1))
    again = run(place)
    assert again["value"] == 1
    assert again["built"] == 0


def test_an_edited_package(place: Path, before: dict[str, int], tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    shutil.copytree(SOURCE / "outplay", copy / "outplay", ignore=shutil.ignore_patterns("__pycache__"))
    for apart in ("ui/board.py", "games/hexapawn.py", "cli/__init__.py"):
        with (copy / "outplay" / apart).open("a") as file:
            file.write("# a remark\n")
    assert run(place, source=copy) == {**before, "built": 0}
    control = copy / "outplay" / "search" / "protocol" / "control.py"
    text = control.read_text()
    assert "memory.nodes += 1" in text
    control.write_text(text.replace("memory.nodes += 1", "memory.nodes += 10"))
    assert run(place, source=copy)["nodes"] == 10 * before["nodes"]


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("max_actions", 12), ("plane_shape", (1, 3, 3)), ("players", 1), ("points", True), ("repetition", 2),
        ("scores", float), ("estimates", float), ("unit", 7), ("win", 5),
    ],
)  # fmt: skip
def test_what_a_class_declares_is_part_of_its_digest(
    name: str, value: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Program(Hexapawn).digest()
    monkeypatch.setattr(Hexapawn, name, value, raising=False)
    assert Program(Hexapawn).digest() != before


def test_a_file_cut_short_by_a_crash(place: Path, before: dict[str, int]) -> None:
    for file in (place / "cache").rglob("*.bin"):
        file.write_bytes(file.read_bytes()[:100])
    assert run(place)["nodes"] == before["nodes"]
    assert run(place)["built"] == 0


def test_a_changed_bit_is_noticed(place: Path, before: dict[str, int]) -> None:
    files = sorted((place / "cache").rglob("*.bin"))
    for number, file in enumerate(files):
        content = bytearray(file.read_bytes())
        content[(number + 1) * len(content) // (len(files) + 1)] ^= 1 << number % 8
        file.write_bytes(content)
    assert run(place) == before
    assert run(place)["built"] == 0


def test_the_games_that_were_used_last_are_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "folder", lambda: tmp_path)
    for age, name in enumerate(("newest", "older", "oldest")):
        (tmp_path / name).mkdir()
        (tmp_path / name / "code.bin").write_bytes(bytes(1000))
        os.utime(tmp_path / name, (10_000 - age, 10_000 - age))
    unfinished = tmp_path / "newest" / ".code.bin.1.part"
    unfinished.write_bytes(bytes(1000))
    os.utime(unfinished, (1, 1))
    cache._prune(3000)
    assert {path.name for path in tmp_path.rglob("*")} == {"newest", "older", "oldest", "code.bin"}
    cache._prune(2000)
    assert {path.name for path in tmp_path.iterdir()} == {"newest", "older"}


@pytest.mark.skipif(os.name != "posix", reason="needs the permissions of POSIX")
def test_a_home_that_others_can_write_is_refused(place: Path) -> None:
    assert (place / "cache").stat().st_mode & 0o777 == 0o700
    (place / "cache").chmod(0o777)
    with pytest.raises(AssertionError, match="cache is writable by everybody"):
        run(place)


def test_a_home_that_cannot_be_written(place: Path) -> None:
    shutil.rmtree(place / "cache")
    (place / "cache").write_text("a file where the folder should be")
    assert run(place)["value"] == 1


def test_nothing_is_left_beside_the_sources(place: Path) -> None:
    run(place)
    assert {p.name for p in place.iterdir()} == {"helper.py", "game.py", "main.py", "cache"}


REDEFINED = """
import linecache
from outplay.search import solve

def cell(number, worth):
    text = '''{game}'''.replace("WORTH", str(worth))
    name = f"<cell {number}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    exec(compile(text, name, "exec"), globals())
    return solve(Countdown(), "alphabeta")

first = cell(1, 1)
second = cell(2, 7)
third = cell(3, 1)
import helper
helper.STEP = 6
fourth = solve(Countdown(), "alphabeta")
print("first", first.value, "second", second.value, "third", third.value, "nodes", third.nodes, "fourth", fourth.nodes)
"""


def test_a_class_redefined_in_one_process_as_in_a_notebook(place: Path) -> None:
    script = place / "notebook.py"
    script.write_text(REDEFINED.replace("{game}", GAME.format(worth="WORTH")))
    env = {**os.environ, "OUTPLAY_CACHE": str(place / "cache"), "PYTHONPATH": str(SOURCE), "OUTPLAY_JIT": "1"}
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, env=env, cwd=place)
    assert done.returncode == 0, done.stderr
    words = done.stdout.split()
    found = {words[i]: int(words[i + 1]) for i in range(0, len(words), 2)}
    assert (found["first"], found["second"], found["third"]) == (1, 7, 1)
    assert found["fourth"] < found["nodes"]  # a constant changed while the program runs
