"""What the terminal says of a run that learns while something is compiled, and after Ctrl-C."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from outplay.compile import on_compile
from outplay.learn.folder import CHECKPOINT


@contextmanager
def resumable(path: Path) -> Iterator[None]:
    """While a run learns: say once that something is compiled, which takes a while, and after Ctrl-C how to go on."""
    told: list[str] = []

    def compiling(text: str) -> None:
        if not told:
            told.append(text)
            print(f"{text} for this command", file=sys.stderr, flush=True)

    stop_listening = on_compile(compiling)
    try:
        yield
    except KeyboardInterrupt:
        if (path / CHECKPOINT).exists():
            print(f"stopped: {path} has what was learned; the same command resumes it", file=sys.stderr)
        raise
    finally:
        stop_listening()
