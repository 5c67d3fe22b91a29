"""The README's ten lines at Python's own prompt, which keeps no source before 3.13; and the same with chance."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

README = Path(__file__).parents[2] / "README.md"
PROMPT = re.search(
    r"^## Ten lines\n```python\n(.*?)^```$", README.read_text("utf-8"), re.MULTILINE | re.DOTALL
)


def typed(lines: list[str]) -> tuple[str, str]:
    """What the prompt prints, and says on the side."""
    done = subprocess.run(
        [sys.executable, "-i", "-q", "-c", "import sys; sys.ps1 = sys.ps2 = ''"],
        input="\n".join(lines) + "\n\n",
        capture_output=True,
        text=True,
        timeout=300,
    )
    return done.stdout.strip(), done.stderr


def test_the_ten_lines_of_the_readme() -> None:
    assert PROMPT is not None
    shown = PROMPT[1].splitlines()
    lines = []
    for line, following in zip(shown, [*shown[1:], ""], strict=True):
        if line.startswith((">>> ", "... ")):
            lines.append(line[4:])
            if line.startswith("... ") and not following.startswith("... "):
                lines.append("")
    expected = [line for line in shown if line and not line.startswith((">>> ", "... "))]
    out, err = typed(lines)
    assert out.splitlines() == expected
    assert "Traceback" not in err
    if sys.version_info < (3, 13):
        assert err.count("Nim runs interpreted") == 1


DICE = """import outplay
from typing import NamedTuple
class Dice(NamedTuple):
    rolled: int = 0
    side: int = 0
    def player(self): return outplay.CHANCE if self.rolled == 0 else 0
    def actions(self): return [1, 2, 3, 4, 5, 6] if self.side == 0 else []
    def result(self, a): return Dice(1, a)
    def probability(self, a): return 1 / 6
    def utility(self): return self.side

round(outplay.best(Dice(), nodes=1000).value, 3)
outplay.solve(Dice()).proven
outplay.best(Dice(), nodes=100).proven
outplay.best(Dice(1, 3)).value
"""


@pytest.mark.skipif(sys.version_info >= (3, 13), reason="the prompt keeps the source")
def test_chance_and_limits() -> None:
    out, err = typed(DICE.splitlines())
    assert out.splitlines() == ["3.5", "True", "True", "3.0"], err
