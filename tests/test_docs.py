"""The documentation tells the truth: what stands after `$ outplay ...` is what the command prints, but for times."""

import re
import shlex
from collections.abc import Callable
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SHOWN = [
    (page.name, command, output)
    for page in sorted((ROOT / "docs").glob("*.md"))
    for command, output in re.findall(
        r"^```\n\$ outplay (.*)\n([^`]*)^```$", page.read_text("utf-8"), re.MULTILINE
    )
]


def test_there_is_something_to_test() -> None:
    assert len(SHOWN) >= 3


@pytest.mark.parametrize(("page", "command", "output"), SHOWN)
def test_commands_print_what_is_shown(
    page: str, command: str, output: str, outplay: Callable, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(ROOT)
    assert timeless(outplay(*shlex.split(command)).out) == timeless(output)


def timeless(text: str) -> str:
    """The text without the seconds that a command took."""
    return re.sub(r"^time .*$", "time", text, flags=re.MULTILINE)


def test_links_lead_somewhere() -> None:
    for page in (ROOT / "docs").glob("*.md"):
        for target in re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8")):
            assert (page.parent / target).exists(), f"{page.name}: {target}"
