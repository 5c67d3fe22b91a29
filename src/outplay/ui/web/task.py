"""A job on the worker's side."""

import contextlib
import hashlib
import itertools
import json
import threading
from collections.abc import Callable
from typing import Any

from outplay.compile.cache import home
from outplay.search.protocol.search import Search
from outplay.storage import locked, private_folder
from outplay.ui.wait import kept
from outplay.ui.web.catalogue import Refused

TICK = 0.05  # seconds between checks whether another worker has compiled
PATIENCE = 10  # checks before the page is informed

_ready: set[tuple[str, str]] = set()  # what this process has compiled or loaded


_preparing: dict[tuple[str, str], threading.Thread] = {}  # what it compiles in the background


class Stopped(Exception):
    """A job was stopped before its search began."""


class Task:
    """Messages go to `send`; `stop` is set when the job must stop, with a `reason` unless the client cancelled it."""

    def __init__(self, id: int, send: Callable[[bytes], None], plain: bool = False) -> None:
        self.id, self.send = id, send
        self.plain = plain  # whether this worker never compiles: large jobs are for another one
        self.stop = threading.Event()
        self.reason = ""
        self.hurried = False  # whether a quick plain search replaced the compiled one
        self.booked = False  # whether the move is from a book

    def say(self, kind: str, **what: Any) -> None:
        self.send(encoded({"type": kind, "id": self.id, **what}))

    def stop_for(self, reason: str) -> None:
        self.reason = self.reason or reason
        self.stop.set()

    def prepare(self, game: str, state: Any, search: Search) -> None:
        """Compile or load what a search needs; the job's time starts after that.

        Otherwise a worker killed during a slow load would be followed by one that loads everything again.
        """
        if (game, search.name) not in _ready:
            self.say("loading")
            with contextlib.ExitStack() as held:
                self._wait_for(f"{game} {search.name}", type(state).__name__, held)
                search.prepare(state)
            _ready.add((game, search.name))
        self.say("ready")

    def prepared_within(self, seconds: float, game: str, state: Any, search: Search) -> bool:
        """Whether a search is ready within some seconds; if not, compiling goes on in the background."""
        key = game, search.name
        if key not in _ready and key not in _preparing:
            beside = Task(self.id, lambda _: None)
            _preparing[key] = threading.Thread(
                target=_prepare, args=(beside, key, state, search), daemon=True
            )
            _preparing[key].start()
        if key in _preparing:
            _preparing[key].join(seconds)
        return key in _ready

    def _wait_for(self, what: str, name: str, held: contextlib.ExitStack) -> None:
        """Take the lock on the code to compile; if another worker holds it, its code will be in the cache."""
        file = home() / "locks" / hashlib.sha256(what.encode()).hexdigest()[:16]
        try:
            private_folder(file.parent)
            file.touch()
        except OSError:
            return  # a read-only home: without a cache each worker compiles for itself
        for tick in itertools.count():
            try:
                return held.enter_context(locked(file))
            except ValueError:
                if self.stop.wait(TICK):
                    raise Stopped from None
            if tick == PATIENCE:
                self.compiling(f"compiling {name}")

    def compiling(self, text: str) -> None:
        """Report that something is being compiled for the job."""
        game = text.rpartition(" ")[2]  # or a function shared by all games
        what = f"compiling {game}" if game[:1].isupper() else "compiling"
        how = kept().replace(str(home()), "the cache folder")  # clients should not see the path
        self.say("compiling", message=f"{what} ({how})")


def _prepare(task: Task, key: tuple[str, str], state: Any, search: Search) -> None:
    """Compile in a thread of its own; errors are raised for the next task that waits for it."""
    try:
        task.prepare(key[0], state, search)
    except Exception:
        pass
    finally:
        _preparing.pop(key, None)


def encoded(found: Any) -> bytes:
    """As JSON, which has no infinite numbers."""
    try:
        return json.dumps(found, allow_nan=False, default=str).encode()
    except ValueError:
        raise Refused("a value of this game is infinite or not a number: utility() must be finite") from None
