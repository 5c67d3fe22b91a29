"""A job as the worker that does it sees it."""

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

TICK = 0.05  # seconds between looks at whether another worker has compiled
PATIENCE = 10  # looks before the page is told

_ready: set[tuple[str, str]] = set()  # what this process has compiled or loaded


_preparing: dict[tuple[str, str], threading.Thread] = {}  # what it compiles beside other work


class Stopped(Exception):
    """A job was stopped before its search began."""


class Task:
    """What a job says goes to `send`; `stop` is set when it has to end, `reason` says why if not its owner did it."""

    def __init__(self, id: int, send: Callable[[bytes], None], plain: bool = False) -> None:
        self.id, self.send = id, send
        self.plain = plain  # whether nothing is compiled here: what is large is for another worker
        self.stop = threading.Event()
        self.reason = ""
        self.hurried = False  # whether the compiler was not waited for
        self.booked = False  # whether a book had the move

    def say(self, kind: str, **what: Any) -> None:
        self.send(encoded({"type": kind, "id": self.id, **what}))

    def stop_for(self, reason: str) -> None:
        self.reason = self.reason or reason
        self.stop.set()

    def prepare(self, game: str, state: Any, search: Search) -> None:
        """Compile or load what a search of a game needs; the job's time begins after that.

        To end a worker because it takes long to load would make the next one load all again.
        """
        if (game, search.name) not in _ready:
            self.say("loading")
            with contextlib.ExitStack() as held:
                self._wait_for(f"{game} {search.name}", type(state).__name__, held)
                search.prepare(state)
            _ready.add((game, search.name))
        self.say("ready")

    def prepared_within(self, seconds: float, game: str, state: Any, search: Search) -> bool:
        """Whether a search can begin by then; if not, it is compiled on beside other work."""
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
        """Hold the lock on what is compiled. Another worker that holds it leaves the code in the cache."""
        file = home() / "locks" / hashlib.sha256(what.encode()).hexdigest()[:16]
        try:
            private_folder(file.parent)
            file.touch()
        except OSError:
            return  # a read-only home: nothing is kept, so each worker compiles for itself
        for tick in itertools.count():
            try:
                return held.enter_context(locked(file))
            except ValueError:
                if self.stop.wait(TICK):
                    raise Stopped from None
            if tick == PATIENCE:
                self.compiling(f"compiling {name}")

    def compiling(self, text: str) -> None:
        """Something is compiled for it."""
        game = text.rpartition(" ")[2]  # or a function that all games share
        what = f"compiling {game}" if game[:1].isupper() else "compiling"
        how = kept().replace(str(home()), "the cache folder")  # where it lies is not for everybody
        self.say("compiling", message=f"{what} ({how})")


def _prepare(task: Task, key: tuple[str, str], state: Any, search: Search) -> None:
    """In a thread of its own; what goes wrong is told to the next who waits for it."""
    try:
        task.prepare(key[0], state, search)
    except Exception:
        pass
    finally:
        _preparing.pop(key, None)


def encoded(found: Any) -> bytes:
    """As JSON, which knows no infinite numbers."""
    try:
        return json.dumps(found, allow_nan=False, default=str).encode()
    except ValueError:
        raise Refused("a value of this game is infinite or not a number: utility() must be finite") from None
