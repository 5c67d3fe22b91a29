"""Rules that never return: every command ends with one line that names the rule."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from bench.broken_classes import source

HURRIED = "from outplay.ui import endless; endless.PATIENCE = 1; from outplay.cli import run; run()"
TOLD = "no answer in 1 seconds of computing: it seems to loop forever"


@pytest.mark.skipif(os.name != "posix", reason="needs the signals of POSIX")
@pytest.mark.parametrize(
    ("command", "text", "line"),
    [
        (
            "play FILE",
            source("player that never returns"),
            f"outplay: Game.player, endless.py line 10: {TOLD}",
        ),
        ("check FILE", source("a rule that never returns"), f"Game.utility: {TOLD}"),
        ("best FILE", source("a loop at import"), f"outplay: endless.py line 4: {TOLD}"),
    ],
)
def test_one_line_names_the_rule(tmp_path: Path, command: str, text: str, line: str) -> None:
    file = tmp_path / "endless.py"
    file.write_text(text)
    words = [str(file) if word == "FILE" else word for word in command.split()]
    ended = subprocess.run(
        [sys.executable, "-c", HURRIED, *words],
        capture_output=True,
        text=True,
        env=os.environ | {"OUTPLAY_JIT": "0"},
    )
    told = [said for said in (ended.stdout + ended.stderr).splitlines() if not said.startswith("checking")]
    assert told == [line] and ended.returncode in (1, 2)


LEAVING = """
import sys, time
from outplay.ui import endless

class Late:
    def __del__(self, clock=time.process_time):
        began = clock()
        while clock() - began < 1.5:
            pass

endless.listen()
late = Late()
sys.exit(7)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs the signals of POSIX")
def test_who_takes_long_to_leave_keeps_the_exit_status() -> None:
    assert subprocess.run([sys.executable, "-c", LEAVING]).returncode == 7


PROFILED = """
import cProfile
from outplay import limited
from outplay.games import load

limited.PATIENCE = 0.2
for file in FILES:
    load(file)
profile = cProfile.Profile()
profile.runcall(sorted, [3, 1, 2], key=lambda n: -n)
print("profiled")
"""


def test_a_profiler_works_once_a_class_was_loaded(tmp_path: Path) -> None:
    files = [tmp_path / "nim.py", tmp_path / "endless.py"]
    files[0].write_text((Path(__file__).parents[1] / "examples" / "nim.py").read_text())
    files[1].write_text(source("player that never returns"))
    for loaded in (files[:1], files):
        code = PROFILED.replace("FILES", repr([str(file) for file in loaded]))
        command = [sys.executable, "-c", code]
        ended = subprocess.run(
            command, capture_output=True, text=True, timeout=120, env=os.environ | {"OUTPLAY_JIT": "0"}
        )
        assert ended.stdout == "profiled\n", ended.stderr
