"""Files as we write them: a reader finds the old content or the new one, never a part of either.

    write_whole     a file at once: beside the old one, to the disk, then in its place
    Journal         a file that grows line by line; a line that was kept is there after any crash
    locked          one writer at a time; the lock ends with the process that holds it
    sealed          bytes with their checksum

A full disk is an OSError that names the file; what was there before stays, and nothing half-written does.
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

UNFINISHED = ".part"  # ends the name of a file that is being written
CHECKSUM = 16  # bytes
FAR = 1 << 40  # where Windows locks a byte: behind all content, so that everybody can read


# --- whole files ----------------------------------------------------------------------------------------


@contextlib.contextmanager
def replacing(path: str | Path, lasting: bool = True) -> Iterator[IO[bytes]]:
    """A file to write to, which takes the place of `path` when all is written; on any error nothing has changed.

    `lasting`: it is on the disk then, not only on its way there.
    """
    target = Path(os.path.realpath(path))
    with _naming(path):
        if target.exists() and not target.is_file():  # a device or a pipe has no place to take
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
    """Write a file at once; a text as UTF-8."""
    with replacing(path, lasting) as file:
        file.write(content.encode() if isinstance(content, str) else content)


def check_writable(path: str | Path) -> None:
    """Raise the OSError now that `write_whole` would raise after the work; the file is not touched."""
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
    """Errors of the system name the file that was asked for, not the unfinished one."""
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
    """Have the new name itself on the disk; Windows has no such call."""
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
    """Hold the lock of a file, which must be there; a ValueError at once if another process holds it."""
    with open(path, "r+b") as file:
        try:
            _lock(file)
        except OSError:
            raise ValueError(f"{path} is in use: another run is writing to it") from None
        yield  # closing the file gives the lock back


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
    """Lines of JSON: the settings of some work first, then what came of each step.

    A line is written at once and is on the disk when `append` returns. The remains of a last line that was never
    finished are dropped.
    """

    def __init__(self, path: str | Path, settings: dict[str, Any], what: str) -> None:
        """Read the file, or begin it when it is first `open`ed; a ValueError if it was made with other settings."""
        self.path, self.what = Path(path), what
        self.settings = json.loads(json.dumps(settings))
        self.lines: list[Any] = []
        if self.path.exists():
            self._read()

    @contextlib.contextmanager
    def open(self) -> Iterator[None]:
        """While this process alone may append; what another one wrote meanwhile is read first."""
        with self.path.open("ab"):  # be there, so that it can be locked
            pass
        with locked(self.path):
            if self._read() == 0:
                self._append(self.settings)
            yield

    def append(self, line: Any) -> None:
        """Keep a step."""
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
        """Read all whole lines, and say how many there are."""
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
    """What a text in JSON says; a ValueError also where it is nested too deeply to be read."""
    try:
        return json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None


# --- checksums ------------------------------------------------------------------------------------------


def sealed(content: bytes) -> bytes:
    """The content with its checksum before it."""
    return hashlib.blake2b(content, digest_size=CHECKSUM).digest() + content


def unsealed(content: bytes) -> bytes:
    """What was sealed; a ValueError if a single bit has changed."""
    checksum, rest = content[:CHECKSUM], content[CHECKSUM:]
    if hashlib.blake2b(rest, digest_size=CHECKSUM).digest() != checksum:
        raise ValueError("the checksum is wrong")
    return rest


# --- a folder of one's own ------------------------------------------------------------------------------


def private_folder(path: Path) -> Path:
    """The folder, made for this user alone; a ValueError if others could write code or data of theirs there."""
    path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if os.name == "posix":
        found = path.stat()
        if found.st_uid != os.getuid():
            raise ValueError(f"{path} belongs to another user: name a folder of your own in OUTPLAY_CACHE")
        if found.st_mode & stat.S_IWOTH:
            raise ValueError(f"{path} is writable by everybody: chmod go-w {path}")
    return path


def difference(theirs: Any, ours: Any) -> tuple[str, str, str]:
    """Where two JSON values differ first, `players 2 limits`, and what each has there, in short."""
    if isinstance(theirs, dict) and isinstance(ours, dict):
        pairs = [(key, theirs.get(key), ours.get(key)) for key in {**ours, **theirs}]
    elif isinstance(theirs, list) and isinstance(ours, list) and len(theirs) == len(ours):
        pairs = [(str(i), one, other) for i, (one, other) in enumerate(zip(theirs, ours, strict=True), 1)]
    else:
        one, other = (" ".join(str(value).split())[:200] for value in (theirs, ours))
        return "", one, other
    name, left, right = next(pair for pair in pairs if pair[1] != pair[2])
    place, one, other = difference(left, right)
    return f"{' '.join(name.split())[:40]} {place}".strip(), one, other
