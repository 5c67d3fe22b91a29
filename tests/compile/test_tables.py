"""Large tables lie beside the compiled code: it is small, is found again, and never reads an old table."""

import os
import subprocess
import sys
from pathlib import Path

import outplay

SOURCE = Path(outplay.__file__).parent.parent

GAME = """
from typing import NamedTuple
import outplay.compile
from outplay.search import solve

built = []
outplay.compile.on_compile(built.append)
TABLE = tuple({first} + i * i for i in range(100_000))
SQUARE = tuple(tuple(10 * row + column for column in range(10)) for row in range(10))

class Lookup(NamedTuple):
    place: int = 0
    ply: int = 0
    def player(self):
        return 0
    def actions(self):
        yield {index}
    def result(self, action):
        return Lookup(action, self.ply + 1)
    def terminal(self):
        return self.ply == 1
    def utility(self):
        return TABLE[self.place] + SQUARE[self.place % 10][3] + SQUARE[2][-1] + sum(x for x in TABLE[:3])

value = solve(Lookup(), "alphabeta").value
assert value == Lookup().result({index}).utility(), value
print(value, len(built))
"""


def run(place: Path, first: int, index: int, **environment: str) -> subprocess.CompletedProcess:
    script = place / "main.py"
    script.write_text(GAME.format(first=first, index=index))
    env = {**os.environ, "OUTPLAY_CACHE": str(place / "cache"), "PYTHONPATH": str(SOURCE), "OUTPLAY_JIT": "1"}
    return subprocess.run(
        [sys.executable, script], capture_output=True, text=True, env={**env, **environment}
    )


def test_large_tables_are_linked(tmp_path: Path) -> None:
    first = run(tmp_path, first=7, index=99_999)
    assert first.returncode == 0, first.stderr
    value, built = map(int, first.stdout.split())
    assert value == 7 + 99_999**2 + 93 + 29 + 26
    assert built > 0
    kept = [file.stat().st_size for file in (tmp_path / "cache").rglob("*.bin")]
    assert 0 < max(kept) < 800_000  # bytes; no file has the table in it
    again = run(tmp_path, first=7, index=99_999)
    assert again.stdout.split() == [str(value), "0"], again.stderr
    edited = run(tmp_path, first=8, index=99_999)
    assert edited.stdout.split()[0] == str(value + 4), edited.stderr


def test_checked_indices(tmp_path: Path) -> None:
    beyond = run(tmp_path, first=7, index=100_000)
    assert beyond.returncode != 0
    assert "IndexError" in beyond.stderr
