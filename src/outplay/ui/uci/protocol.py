"""The command loop: lines in, lines out.

The main thread reads and replies at once; searches, and the compilation before the first one, run in their own
thread. Unknown input is skipped with an `info string`: a GUI never sees a traceback.
"""

import gc
import random
import sys
import threading
from collections.abc import Callable, Iterable
from typing import Any, TextIO

from outplay.ui.uci.options import OPTIONS, Options, memory

WORDS = [
    "uci",
    "isready",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "setoption",
    "debug",
    "register",
    "quit",
]
LONGEST = 300  # characters of an `info string`


class Uci:
    """The engine's side of the protocol."""

    def __init__(self, write: Callable[[str], None], seed: int | None = None) -> None:
        self.write = write
        self.options = Options()
        self.dice = random.Random(seed)
        self.engine: Any = None  # created on first use: `uci` is answered before anything is loaded
        self.game: Any = None  # outplay.ui.uci.game.Position
        self.endings: Any = None
        self.search: Any = None  # outplay.ui.uci.thinking.Thinking
        self.told_of_compiling = False

    def run(self, lines: Iterable[str]) -> None:
        """Execute every line until `quit` or the end of the input."""
        try:
            for line in lines:
                if not self.obey(line):
                    break
        finally:
            self.stop()

    def obey(self, line: str) -> bool:
        """Execute one line; False after `quit`."""
        words = line.split()
        at = next((i for i, word in enumerate(words) if word in WORDS), None)
        if at is None:  # UCI: unknown words are skipped, also before a command
            return True
        if words[at] == "quit":
            return False
        try:
            getattr(self, f"do_{words[at]}")(words[at + 1 :])
        except Exception as error:  # the session goes on, whatever happens
            self.tell(str(error) or type(error).__name__)
        return True

    def tell(self, text: str) -> None:
        """Write an `info string`."""
        self.write(f"info string {' '.join(text.split())[:LONGEST]}")

    # --- commands ---

    def do_uci(self, words: list[str]) -> None:
        from outplay import __version__

        self.write(f"id name Outplay {__version__}")
        self.write("id author the Outplay authors")
        for option in OPTIONS:
            self.write(str(option))
        self.write("uciok")

    def do_isready(self, words: list[str]) -> None:
        if self.search is None:  # during a search everything is loaded already
            self.load()
        self.write("readyok")

    def do_ucinewgame(self, words: list[str]) -> None:
        self.stop()
        self.engine = None

    def do_debug(self, words: list[str]) -> None:
        """No effect: there is no further output."""

    def do_register(self, words: list[str]) -> None:
        """No effect: there is no registration."""

    def do_setoption(self, words: list[str]) -> None:
        name = self.options.set(words)
        if name in ("Hash", "Threads", "Clear Hash", "UCI_LimitStrength", "UCI_Elo", "Skill Level"):
            self.stop()
            self.engine = None
        elif name == "TablePath":
            self.stop()
            self.engine = None
            if self.options[name]:
                from outplay.games.chess import Chess
                from outplay.tables.shelf import Shelf

                Shelf.wanted(self.options[name], Chess)  # raises an error if there are none
        elif name == "SyzygyPath":
            from outplay.ui.uci.root import Endings

            self.endings = None
            self.endings = Endings(self.options[name]) if self.options[name] else None
        elif name in ("BookFile", "ExtendedBook") and self.options[name]:
            self.reader().checked()  # raises an error if it is unreadable

    def do_position(self, words: list[str]) -> None:
        from outplay.ui.uci.game import Position

        self.stop()
        try:
            self.game = Position.read(words, self.game)
        except Exception as error:
            self.game = Position.refused(str(error) or type(error).__name__)
            raise

    def do_go(self, words: list[str]) -> None:
        from outplay.ui.uci.go import Go
        from outplay.ui.uci.thinking import Thinking

        self.stop()
        if "perft" in words:
            raise ValueError("perft is not a command of UCI: run `outplay perft chess DEPTH --divide`")
        self.load()
        self.search = Thinking(self, Go.read(words))
        self.search.start()

    def do_stop(self, words: list[str]) -> None:
        self.stop()

    def do_ponderhit(self, words: list[str]) -> None:
        if self.search is not None:
            self.search.ponderhit()

    # --- shared steps ------

    def load(self) -> None:
        """Load the engine and a position; compile if necessary, and report that to the GUI, too.

        Every error becomes one line, since the GUI waits for the next response.
        """
        from outplay.ui.uci.game import Position
        from outplay.ui.wait import listening, patiently

        if self.game is None:
            self.game = Position.read(["startpos"])
        if self.engine is not None:
            return
        try:
            engine = self.fitting()
            engine.seed = self.dice.getrandbits(32)
            with listening(self.compiling):
                patiently(lambda: engine.prepare(self.game.state))
            self.engine = engine
        except Exception as error:
            self.tell(str(error) or type(error).__name__)
        gc.freeze()  # exclude all existing objects from garbage collection during searches

    def compiling(self, text: str) -> None:
        """Tell the GUI once why it must wait."""
        if not self.told_of_compiling:
            self.told_of_compiling = True
            self.tell(f"{text}: once, for the first start; the code is kept")

    def reader(self) -> Any:
        """A reader of the configured books."""
        from outplay.book.choice import Reader

        options = self.options
        return Reader(options["BookFile"], options["BookDepth"], options["BookPick"], options["ExtendedBook"])

    def fitting(self) -> Any:
        """An engine with a table of the size of option Hash, or less if that does not fit into memory."""
        from outplay.search.engine.engine import Engine
        from outplay.ui.uci.strength import strength

        elo = self.options.elo
        weaker = strength(elo) if elo is not None else None
        wanted = self.options["Hash"]
        megabytes = min(wanted, memory(available=True))
        while True:
            try:
                engine = Engine(
                    megabytes,
                    threads=1 if weaker else self.options["Threads"],
                    noise=weaker.noise if weaker else 0,
                    tables="" if weaker else self.options["TablePath"],
                )
                break
            except MemoryError:
                if megabytes == 1:
                    raise
                megabytes = max(megabytes // 2, 1)
        if megabytes < wanted:
            self.tell(f"a table of {wanted} MB does not fit into memory: {megabytes} MB are used")
        return engine

    def stop(self) -> None:
        """Stop the search, if there is one, and wait for its answer."""
        if self.search is not None:
            self.search.stop()
            self.search = None


def main(source: TextIO | None = None) -> int:
    """Speak UCI on standard input and output."""
    lock = threading.Lock()

    def write(line: str) -> None:
        with lock:
            try:
                print(line, flush=True)
            except (BrokenPipeError, ValueError):  # the GUI is gone
                sys.stdout = None

    uci = Uci(write)
    try:
        uci.run(source or sys.stdin)
    except KeyboardInterrupt:
        uci.stop()
    except UnicodeDecodeError:
        print("outplay: standard input is not text", file=sys.stderr)
        return 2
    return 0
