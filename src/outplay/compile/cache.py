"""The cache of compiled code on disk, and when an entry may be used again.

Numba's own cache looks at one source file, so it returns old code when a callee in another file changes.
Here native code is filed under everything that went into it: a folder for the package's sources and the versions
of Python and Numba; in it a folder for each game (named by a digest of its rules, helpers and constants); in it a
file for each function, its argument types, the processor and the build's switches. So nothing is ever stale, and
an unchanged game is always a hit.

Cached code runs unchecked, so the folder must belong to the user, and a file with a wrong checksum is built again.

All the package's sources count except the parts listed in APART. The rules in `games/` are filed by their own
digests, like any user's. The other parts come after the searches and imports point one way, so no native code
can depend on them; if one of them defines a kernel all the same, it is not cached.
"""

import contextlib
import functools
import hashlib
import os
import pickle
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from numba import types

from outplay.compile.internals import Cache, config, dumps, rebuilt, versions
from outplay.compile.intrinsics import CHECKED
from outplay.storage import UNFINISHED, private_folder, sealed, unsealed, write_whole

APART = frozenset(
    {"book", "games", "record", "gamefile", "players", "grade", "arena", "analysis", "ui", "cli"}
)
KEEP_DAYS = 30  # folders of older package versions are removed after so many days without use
MEGABYTES = 256  # the limit for this version's native code; the least recently used games are removed first

_listeners: list[Callable[[str], None]] = []


def on_compile(listener: Callable[[str], None]) -> Callable[[], None]:
    """Call `listener(text)` whenever native code has to be built; returns a function that unregisters it."""
    _listeners.append(listener)
    return lambda: _listeners.remove(listener)


def announce(what: str) -> None:
    """Tell the listeners that something is being compiled."""
    for listener in _listeners:
        listener(f"compiling {what}")


def home() -> Path:
    """The cache's folder: $OUTPLAY_CACHE, or one in the user's cache folder."""
    given = os.environ.get("OUTPLAY_CACHE")
    if given:
        return Path(given)
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA", Path.home()))
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Caches"
    else:
        base = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    return base / "outplay"


@functools.cache
def folder() -> Path:
    """The folder of this package's sources, Python and Numba."""
    digest = hashlib.sha256()
    package = Path(__file__).parent.parent
    for file in sorted(package.rglob("*.py")):
        path = file.relative_to(package)
        if path.parts[0].removesuffix(".py") not in APART:
            digest.update(str(path).encode())
            digest.update(file.read_bytes())
    python = ".".join(map(str, sys.version_info[:3]))
    made = home() / f"python{python}-{versions()}-{digest.hexdigest()[:16]}"
    try:
        private_folder(made.parent)
        if not made.exists():
            made.mkdir(mode=0o700, exist_ok=True)
            _remove_old(made)
        os.utime(made)
    except OSError:
        pass  # a read-only home: everything works, nothing is cached
    return made


def _remove_old(current: Path) -> None:
    for other in current.parent.glob("python*-numba*-*"):
        if other != current and time.time() - other.stat().st_mtime > KEEP_DAYS * 86400:
            shutil.rmtree(other, ignore_errors=True)


_used: set[Path] = set()  # the folders of the games that this process has used


def _use(game: Path) -> None:
    """Mark a game's code as used now."""
    if game not in _used:
        _used.add(game)
        with contextlib.suppress(OSError):
            os.utime(game)


def _prune(limit: int = MEGABYTES << 20) -> None:
    """Remove the least recently used games until the rest fit; those of this process stay."""
    for unfinished in folder().glob(f"*/.*{UNFINISHED}"):  # left by a process that was killed
        if time.time() - unfinished.stat().st_mtime > 3600:
            unfinished.unlink()
    games = {game: game.stat().st_mtime for game in folder().iterdir() if game.is_dir()}
    sizes = {game: sum(file.stat().st_size for file in game.iterdir()) for game in games}
    total = sum(sizes.values())
    for game in sorted(games, key=games.__getitem__):
        if total <= limit:
            break
        if game not in _used:
            shutil.rmtree(game, ignore_errors=True)
            total -= sizes[game]


def is_kept(module: str) -> bool:
    """Whether the digests cover everything that a module's native code is made from."""
    package, _, rest = module.partition(".")
    return package.startswith("_outplay_") or (package == "outplay" and rest.partition(".")[0] not in APART)


class GameCache(Cache):
    """A Numba function's cache, filed by game and by whether only native code calls the function."""

    def __init__(self, function: Callable[..., Any], native: Callable[[], bool]) -> None:
        self.native = native
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.code = hashlib.sha256(function.__code__.co_code).hexdigest()

    @property
    def cache_path(self) -> str:
        return str(folder())

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        try:
            data = pickle.loads(unsealed(path.read_bytes()))
            _use(path.parent)
            return rebuilt(target_context, data)
        except OSError:
            pass  # not there
        except Exception:  # damaged, or not ours: build again
            with contextlib.suppress(OSError):
                path.unlink()
        announce(_game(sig) or "Outplay")  # code that serves all games
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        if data.objectmode or data.lifted or data.library.has_dynamic_globals:
            return
        path = self._path(sig, data.codegen)
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            # If a power failure truncates the file, its checksum will show it.
            write_whole(path, sealed(dumps(data._reduce())), lasting=False)
            if path.parent not in _used:
                _use(path.parent)
                _prune()
        except OSError:
            pass  # a full disk or read-only home: the next run builds it again

    def _path(self, sig: Any, codegen: Any) -> Path:
        module = self.name.partition(".")[0]
        twins = _twins(sig)
        game = twins[0].__module__ if twins else module if module.startswith("_outplay_") else "any"
        arguments = repr([_argument_key(a) for a in _arguments(sig)])
        switches = repr((codegen.magic_tuple(), config.BOUNDSCHECK, CHECKED, config.OPT, self.native()))
        key = hashlib.sha256(f"{self.name}|{self.code}|{arguments}|{switches}".encode()).hexdigest()
        return folder() / game / f"{self.name.rpartition('.')[2]}-{key[:24]}.bin"

    def enable(self) -> None: ...
    def disable(self) -> None: ...
    def flush(self) -> None: ...


def _arguments(sig: Any) -> tuple[Any, ...]:
    return sig if isinstance(sig, tuple) else sig.args


def _argument_key(kind: Any) -> str:
    return f"{kind}" if not isinstance(kind, types.misc.Omitted) else f"default {kind.value!r}"


def _twins(sig: Any) -> list[Any]:
    classes = [getattr(kind, "instance_class", None) for kind in _arguments(sig)]
    return [c for c in classes if hasattr(c, "__outplay__")]


def _game(sig: Any) -> str:
    twins = _twins(sig)
    return str(twins[0].__outplay__.cls.__name__) if twins else ""
