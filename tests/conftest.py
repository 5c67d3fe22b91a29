"""What all tests share: the lane they run in, and a command line to call."""

import io
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import settings

# The first example of a property may have to compile a game.
settings.register_profile("outplay", deadline=None)
settings.load_profile("outplay")


def pytest_report_header() -> str:
    if os.environ.get("OUTPLAY_JIT") == "0":
        return "outplay: interpreted"
    return (
        "outplay: compiled, bounds checked"
        if os.environ.get("NUMBA_BOUNDSCHECK") == "1"
        else "outplay: compiled"
    )


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    """Of the lanes' files only those are read that have a test for them: the others import much."""
    if config.getoption("markexpr") == "lanes" and collection_path.name.startswith("test_"):
        if "pytest.mark.lanes" not in collection_path.read_text(encoding="utf-8"):
            return True
    return None


class Answer(NamedTuple):
    """What a command gave back."""

    status: int
    out: str
    err: str

    @property
    def told(self) -> str:
        """Standard error without the lines that say what is being compiled."""
        return "".join(line for line in self.err.splitlines(True) if not line.startswith("compiling "))


@pytest.fixture
def outplay(capsys: pytest.CaptureFixture, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Answer]:
    """Call the command line in this process: `outplay("best", "connect4", stdin="...")`."""
    from outplay.cli import main

    def call(*arguments: str, stdin: str = "") -> Answer:
        monkeypatch.setattr(sys, "stdin", io.StringIO(stdin))
        capsys.readouterr()
        status = main([str(argument) for argument in arguments])
        return Answer(status, *capsys.readouterr())

    return call
