"""The command loop: a line is a command, its response begins with `=` or `?` and ends with an empty line.

Unknown input gets a `? ...` response, and the session continues.
"""

import queue
import re
import sys
import threading
from collections.abc import Callable, Iterable
from typing import TextIO

from outplay.limits import Limits

INTERRUPT = "# interrupt"  # GoGui's command to stop a running search
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
_ID = re.compile(r"(\d+)(?:\s+|$)(.*)", re.DOTALL)

Command = Callable[[list[str]], str]


class Quit(Exception):
    """Send the last response and stop."""


def split(line: str) -> tuple[str, list[str]]:
    """A command line's id, if it has one, and its words."""
    line = _CONTROL.sub("", line.replace("\t", " ")).partition("#")[0].strip()
    numbered = _ID.fullmatch(line)
    return (numbered[1], numbered[2].split()) if numbered else ("", line.split())


class Conversation:
    """Executes commands one by one, from a table of functions."""

    def __init__(self, commands: dict[str, Command], write: Callable[[str], None]) -> None:
        self.commands, self.write = commands, write

    def obey(self, line: str) -> bool:
        """Respond to one line; False after `quit`."""
        number, words = split(line)
        if not words:
            if number:
                self.write(f"?{number} a command is missing\n\n")
            return True
        name, *rest = words
        ended = False
        try:
            if name not in self.commands:
                raise ValueError("unknown command")
            mark, text = "=", self.commands[name](rest)
        except Quit:
            mark, text, ended = "=", "", True
        except (ValueError, OSError, MemoryError) as error:
            mark, text = "?", str(error).partition("\n")[0] or type(error).__name__
        space = "" if not text or text.startswith("\n") else " "
        self.write(f"{mark}{number}{space}{text.rstrip()}\n\n")
        return not ended

    def run(self, lines: Iterable[str]) -> None:
        """Respond to every line until `quit` or the end of the input."""
        for line in lines:
            if not self.obey(line):
                return


def listen(source: TextIO, interrupt: Callable[[], None]) -> Iterable[str]:
    """The lines of a source, read ahead in a thread, so that an interruption is noticed during a command."""
    lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()

    def read() -> None:
        try:
            for line in source:
                if line.strip().lower() == INTERRUPT:
                    interrupt()
                lines.put(line)
        except (ValueError, OSError):  # the source was closed
            pass
        lines.put(None)

    threading.Thread(target=read, daemon=True).start()
    while (line := lines.get()) is not None:
        yield line


def main(game: str, search: str, limits: Limits, resign: float) -> int:
    """`outplay gtp`: speak GTP on standard input and output."""
    from outplay.ui.gtp.commands import Engine

    def write(text: str) -> None:
        sys.stdout.write(text)
        sys.stdout.flush()

    engine = Engine(game, search, limits, resign)
    if hasattr(sys.stdin, "reconfigure"):
        sys.stdin.reconfigure(errors="replace")
    try:
        Conversation(engine.commands(), write).run(listen(sys.stdin, engine.interrupt))
    except (BrokenPipeError, KeyboardInterrupt):  # the controller is gone
        sys.stdout = None
    return 0
