"""The command line. Each command parses its arguments, calls the library, and prints the result.

Each file here has a family of commands, as plain functions; the list below registers them and sets their
order in the help. Importing them imports `typer` and little else: a command imports what it needs when it
runs, so that `outplay --help` is fast. Every error is one line on standard error: exit status 2 for
bad input, 1 for a failed check, 130 after Ctrl-C. `OUTPLAY_DEBUG=1` shows the traceback instead.
"""

import errno
import os
import re
import sys
import warnings
from collections.abc import Sequence
from typing import Annotated, Any

import typer

from outplay.cli import (
    booking,
    checking,
    counting,
    judging,
    learning,
    matches,
    playing,
    searching,
    serving,
    tabling,
)
from outplay.ui import endless, interrupt

MOST_LINE = 2000  # characters of a line for an error
COMMANDS = (
    playing.games,
    playing.play,
    playing.replay,
    judging.best,
    judging.why,
    judging.analyse,
    judging.solve,
    judging.explain,
    searching.search,
    searching.trace,
    searching.ablate,
    counting.perft,
    counting.playouts,
    counting.bench,
    matches.match,
    checking.check,
    checking.grade,
    serving.web,
    serving.uci,
    serving.gtp,
)

app = typer.Typer(
    add_completion=False,
    context_settings={"help_option_names": ["-h", "--help"]},
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


@app.callback(invoke_without_command=True)
def outplay(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="print the version")] = False,
) -> None:
    """Adversarial search: play, solve, search and display games defined in plain Python."""
    if version:
        from outplay import __version__

        print(f"outplay {__version__}")
    elif context.invoked_subcommand is None:
        print(context.get_help())


for command in COMMANDS:
    app.command()(command)
app.add_typer(learning.app, name="learn")
app.add_typer(tabling.app, name="table")
app.add_typer(booking.app, name="book")


def run_uci() -> None:
    """The command `outplay-uci`."""
    run(["uci"])


def run(arguments: Sequence[str] | None = None) -> None:
    """The command `outplay`."""
    open_closed()
    interrupt.listen()
    endless.listen()
    try:
        status = main(arguments)
    except KeyboardInterrupt:
        status = interrupt.STATUS
    if interrupt.heard.is_set() or status == interrupt.STATUS:
        interrupt.leave()
    waiting = sys.modules.get("outplay.ui.wait")
    if waiting is not None and waiting.abandoned():  # only the end of the process stops its native code
        if sys.stdout is not None:
            sys.stdout.flush()
        os._exit(status)
    sys.exit(status)


def open_closed() -> None:
    """Give standard streams that are closed (`>&-`) to nobody: a file opened later must not get their numbers."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, mode, encoding="utf-8"))  # noqa: SIM115  (to the end)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command line and return its exit status."""
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("default", category=UserWarning)
            warnings.showwarning = warned
            return run_command(arguments)
    except (
        Exception,
        endless.Endless,
    ) as error:  # the last resort: users' games and bots run here, and may raise anything
        if os.environ.get("OUTPLAY_DEBUG"):
            raise
        from outplay.ui.printable import printable

        print(printable(f"outplay: {shortened(' '.join(told(error).splitlines()))}"), file=sys.stderr)
        return 2
    except SystemExit as error:
        from outplay.files import describe, is_loose

        if not is_loose(error):
            raise
        print(f"outplay: {describe(error)}: rules must not exit the program", file=sys.stderr)
        return 2


def run_command(arguments: Sequence[str] | None) -> int:
    """Run one command line; run it again if a class turns out not to compile in its current form."""
    while True:
        try:
            return app(args=arguments, prog_name="outplay", standalone_mode=False) or 0
        except Exception as error:
            lane = sys.modules.get("outplay.compile.lane")
            if lane is None or not isinstance(error, lane.Again):
                raise


def warned(message: Warning | str, category: type[Warning], *where: Any, **line: Any) -> None:
    """Print a warning as one line, such as why a class runs interpreted."""
    from outplay.ui.printable import printable

    print(printable(f"outplay: {' '.join(str(message).split())}"), file=sys.stderr)


def shortened(line: str) -> str:
    """A line with its middle left out where it is very long: whatever was given, the end says what to do."""
    return line if len(line) <= MOST_LINE else f"{line[: MOST_LINE // 2]} ... {line[-MOST_LINE // 2 :]}"


def told(error: BaseException) -> str:
    """The one-line message for an error."""
    from outplay.files import describe

    if isinstance(error, typer.TyperException):
        return f"{error.format_message().rstrip('.')} (see outplay --help)"
    if isinstance(error, FileExistsError) and error.filename:  # where a folder is to be made
        return f"{error.filename} is a file, not a folder: name another one"
    if isinstance(error, OSError) and error.filename:
        return f"{error.filename}: {error.strerror}"
    if isinstance(error, OSError) and error.errno == errno.ENOSPC:
        return f"what is printed cannot be written: {error.strerror}"
    if isinstance(error, endless.Endless):
        return str(error)
    if isinstance(error, MemoryError) and (size := re.search(r"[\d.]+ [KMGTPE]iB", str(error))):
        return f"not enough memory for {size[0]} in one piece: choose smaller numbers, or a smaller game"
    return str(error) or type(error).__name__ if isinstance(error, ValueError) else describe(error)
