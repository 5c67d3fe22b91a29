"""Crash-safe files: a reader finds the old content or the new one, never a part of either.

    write_whole     replaces a file atomically: written next to the old one, synced, then renamed
    Journal         a file that grows line by line; an appended line survives any crash
    locked          one writer at a time; the lock ends with the process that holds it
    sealed          bytes with their checksum

A full disk raises an OSError that names the file; the old content stays, and nothing half-written remains.
"""

import contextlib
import hashlib
import json
import os
import stat
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any

UNFINISHED = ".part"  # suffix of a file that is being written
CHECKSUM = 16  # bytes
FAR = 1 << 40  # the byte that Windows locks: beyond all content, so that everybody can read


# --- whole files ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def replacing(path: str | Path, lasting: bool = True) -> Iterator[IO[bytes]]:
    """A file to write to, which replaces `path` when complete; on any error nothing has changed.

    `lasting`: sync it to the disk.
    """
    target = Path(os.path.realpath(path))
    with _naming(path):
        if target.exists() and not target.is_file():  # a device or a pipe cannot be replaced
            with target.open("wb") as file:
                yield file
            return
        unfinished = target.with_name(f".{target.name[:100]}.{uuid.uuid4().hex[:8]}{UNFINISHED}")
        try:
            with open(
                os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY | _BINARY, 0o666), "wb"
            ) as file:
                if target.exists():
                    with contextlib.suppress(OSError):
                        os.chmod(unfinished, stat.S_IMODE(target.stat().st_mode))
                yield file
                if lasting:
                    _to_disk(file)
            os.replace(unfinished, target)
        except BaseException:
            with contextlib.suppress(OSError):
                unfinished.unlink()
            raise
        if lasting:
            _folder_to_disk(target.parent)


def write_whole(path: str | Path, content: str | bytes, lasting: bool = True) -> None:
    """Write a file atomically; text as UTF-8."""
    with replacing(path, lasting) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check_writable(path: str | Path) -> None:
    """Raise now the OSError that `write_whole` would raise after the work; the file is not touched."""
    target = Path(os.path.realpath(path))
    with _naming(path):
        if target.is_dir():
            raise IsADirectoryError(21, "Is a directory", str(path))
        if target.exists() and not target.is_file():
            return
        probe = target.with_name(f".{target.name[:100]}.{uuid.uuid4().hex[:8]}{UNFINISHED}")
        os.close(os.open(probe, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        probe.unlink()


_BINARY = getattr(os, "O_BINARY", 0)


@contextlib.contextmanager
def _naming(path: str | Path) -> Iterator[None]:
    """Make system errors name the requested file, not the unfinished one."""
    try:
        yield
    except OSError as error:
        if error.errno is None:
            raise
        raise type(error)(error.errno, error.strerror, str(path)) from None


def _to_disk(file: IO[bytes]) -> None:
    file.flush()
    os.fsync(file.fileno())


def _folder_to_disk(folder: Path) -> None:
    """Sync the folder, so that the new name is on the disk; Windows has no such call."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


# --- one writer at a time -------------------------------------------------------------------------------


@contextlib.contextmanager
def locked(path: str | Path) -> Iterator[None]:
    """Hold the lock of an existing file; raises a ValueError at once if another process holds it."""
    with open(path, "r+b") as file:
        try:
            _lock(file)
        except OSError:
            raise ValueError(f"{path} is in use: another run is writing to it") from None
        yield  # closing the file releases the lock


def _lock(file: IO[bytes]) -> None:
    if os.name == "posix":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    else:
        import msvcrt

        file.seek(FAR)
        msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)  # type: ignore[attr-defined]


# --- files that grow ------------------------------------------------------------------------------------


class Journal:
    """Lines of JSON: the settings of a run first, then the result of each step.

    A line is on the disk when `append` returns. An incomplete last line is dropped.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any], what: str) -> None:
        """Read the file, or create it on the first `open`; raises a ValueError if it has other settings."""
        self.path, self.what = Path(path), what
        self.settings = json.loads(json.dumps(settings))
        self.lines: list[Any] = []
        if self.path.exists():
            self._read()

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        """Give this process exclusive write access; lines that another one wrote meanwhile are read first."""
        with self.path.open("ab"):  # must exist to be locked
            pass
        with locked(self.path):
            if self._read() == 0:
                self._append(self.settings)
            yield

    @contextlib.contextmanager
    def beginning(self) -> Iterator[None]:
        """While work begins: one without any step leaves no file, so that it can be begun with other settings."""
        try:
            yield
        except BaseException:
            if not self.lines:
                with contextlib.suppress(OSError):
                    self.path.unlink()
            raise

    def append(self, line: Any) -> None:
        """Append a step."""
        self._append(line)
        self.lines.append(json.loads(json.dumps(line)))

    def _append(self, line: Any) -> None:
        with _naming(self.path), self.path.open("r+b") as file:
            end = len(self._whole())
            file.truncate(end)
            file.seek(end)
            try:
                file.write(json.dumps(line).encode() + b"\n")
                _to_disk(file)
            except OSError:
                with contextlib.suppress(OSError):
                    file.truncate(end)
                raise

    def _whole(self) -> bytes:
        content = self.path.read_bytes()
        return content[: content.rfind(b"\n") + 1]

    def _read(self) -> int:
        """Read all complete lines, and return their number."""
        lines = self._whole().split(b"\n")[:-1]
        if not lines:
            if self.path.stat().st_size and not json.dumps(self.settings).encode().startswith(
                self.path.read_bytes()
            ):
                raise ValueError(f"{self.path} is not {self.what}: choose another name")
            return 0
        first, *others = (self._parsed(number, line) for number, line in enumerate(lines, 1))
        if not isinstance(first, dict) or first.get("format") != self.settings.get("format"):
            raise ValueError(f"{self.path} is not {self.what}: choose another name")
        if first != self.settings:
            place, theirs, ours = difference(first, self.settings)
            raise ValueError(
                f"{self.path} was made with {place} = {theirs}, not {ours}: "
                "choose another file, or the same settings"
            )
        self.lines = others
        return len(lines)

    def _parsed(self, number: int, line: bytes) -> Any:
        try:
            return from_json(line.decode())
        except ValueError:
            if number == 1:
                raise ValueError(f"{self.path} is not {self.what}: choose another name") from None
            raise ValueError(f"{self.path}, line {number} is damaged: remove that line") from None


def from_json(text: str) -> Any:
    """Parse JSON; raises a ValueError also if it is nested too deeply."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


# --- checksums ------------------------------------------------------------------------------------------


def sealed(content: bytes) -> bytes:
    """The content preceded by its checksum."""
    return hashlib.blake2b(content, digest_size=CHECKSUM).digest() + content


def unsealed(content: bytes) -> bytes:
    """The sealed content; raises a ValueError if a single bit has changed."""
    checksum, rest = content[:CHECKSUM], content[CHECKSUM:]
    if hashlib.blake2b(rest, digest_size=CHECKSUM).digest() != checksum:
        raise ValueError("the checksum is wrong")
    return rest


# --- a folder of one's own ------------------------------------------------------------------------------


class Untrusted(ValueError):
    """A folder that others could write code or data to."""


def private_folder(path: Path) -> Path:
    """A folder private to this user; raises Untrusted if others could write there."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        found = path.stat()
        if found.st_uid != os.getuid():
            raise Untrusted(f"{path} belongs to another user: name a folder of your own in OUTPLAY_CACHE")
        if found.st_mode & stat.S_IWOTH:
            raise Untrusted(f"{path} is writable by everybody: chmod go-w {path}")
    return path


NOTHING = "nothing"  # in place of a name that is missing: None may be the other's value


def difference(theirs: Any, ours: Any) -> tuple[str, str, str]:
    """Where two JSON values differ first, `players 2 limits`, and what each has there, in short."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        pairs = [(key, theirs.get(key, NOTHING), ours.get(key, NOTHING)) for key in {**ours, **theirs}]
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        pairs = [(str(i), one, other) for i, (one, other) in enumerate(zip(theirs, ours, strict=True), 1)]
    else:
        one, other = (" ".join(str(value).split())[:200] for value in (theirs, ours))
        return "", one, other
    name, left, right = next(pair for pair in pairs if pair[1] != pair[2])
    place, one, other = difference(left, right)
    return f"{' '.join(name.split())[:40]} {place}".strip(), one, other
