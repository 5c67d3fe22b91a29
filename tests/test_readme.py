"""The README tells the truth: its example runs, its links exist, its commands are known."""

import doctest
import re
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[1]
TEXT = (ROOT / "README.md").read_text()


def test_the_example_runs() -> None:
    failures, tried = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert tried > 5
    assert failures == 0


def test_links_lead_somewhere() -> None:
    for target in re.findall(r"\]\(([^)#]+)\)", TEXT):
        assert (ROOT / target).exists(), target


def test_commands_are_known(outplay: Callable) -> None:
    listed = outplay("--help").out
    for command in set(re.findall(r"^outplay (\w+)", TEXT, re.MULTILINE)):
        assert command in listed, command
