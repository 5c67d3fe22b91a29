"""A run on disk: a folder with everything.

    log.jsonl       the settings first, then a line at intervals: time, games, positions, losses
    checkpoint.npz  weights, optimiser, replay buffer and counters; replaced atomically
    net.npz         the net
    net.onnx        the same in ONNX format, if the package onnx is installed

A killed run resumes from its last checkpoint. Log lines written after it are written again. After Ctrl-C a run writes a
checkpoint; what must not be half done by then is `undivided`.
"""

import signal
import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import numpy as np

from outplay.arrays import read_arrays
from outplay.storage import UNFINISHED, Journal, from_json, replacing

COUNTED = ("games", "positions", "updates", "simulations")  # counters that only grow in a run
MOST = 1e15  # the largest number in a log
MOST_SEED = 10**15
LOG, CHECKPOINT, NET, ONNX = "log.jsonl", "checkpoint.npz", "net.npz", "net.onnx"


class Folder:
    """A run's folder; `open` it to write."""

    def __init__(self, path: Path, settings: Any) -> None:
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is not a folder: name another one for the run")
        if path.is_dir() and any(path.iterdir()) and not (path / LOG).exists():
            raise ValueError(f"{path} contains something other than a run: name another folder")
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.journal = Journal(path / LOG, settings.line(), "the log of a run")

    @contextmanager
    def open(self) -> Iterator[None]:
        """Lock the folder for this process, and remove unfinished files of a killed one."""
        with self.journal.open():
            for unfinished in self.path.glob(f".*{UNFINISHED}"):
                unfinished.unlink()
            yield

    @contextmanager
    def beginning(self) -> Iterator[None]:
        """While a run is made: one that cannot begin leaves nothing, so that it can be begun with other settings."""
        try:
            yield
        except BaseException:
            if not (self.path / CHECKPOINT).exists() and not self.journal.lines:
                with suppress(OSError):
                    (self.path / LOG).unlink()
                    self.path.rmdir()
            raise

    def note(self, line: dict[str, Any]) -> None:
        """Append a line to the log."""
        self.journal.append(line)

    def save(self, state: dict[str, np.ndarray]) -> None:
        """Write a checkpoint."""
        with replacing(self.path / CHECKPOINT) as file:
            np.savez(file, **state)  # type: ignore[arg-type]

    def load(self) -> dict[str, np.ndarray] | None:
        """The last checkpoint, if there is one."""
        path = self.path / CHECKPOINT
        if not path.exists():
            return None
        try:
            return read_arrays(path)
        except ValueError as error:
            raise ValueError(f"{path} is damaged: remove it to start over ({error})") from None

    @contextmanager
    def resuming(self) -> Iterator[None]:
        """While a run resumes from its checkpoint: any misfit becomes a ValueError of one line."""
        try:
            yield
        except (ValueError, LookupError, TypeError, AttributeError, RuntimeError, OverflowError) as error:
            why = " ".join(str(error).split())[:150]
            path = self.path / CHECKPOINT
            raise ValueError(
                f"{path} is damaged, or of another run: remove it to start over ({why})"
            ) from None


@contextmanager
def undivided() -> Iterator[None]:
    """While this lasts, a Ctrl-C waits: a checkpoint never holds a step of which only a part was made."""
    usual = signal.getsignal(signal.SIGINT)
    if threading.current_thread() is not threading.main_thread() or not callable(usual):
        yield
        return
    heard: list[Any] = []
    signal.signal(signal.SIGINT, lambda *told: heard.append(told))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)
        if heard:
            usual(*heard[0])


def wanted(array: np.ndarray, like: np.ndarray) -> np.ndarray:
    """An array of a checkpoint, checked for the shape and type of the one in use, and for NaN."""
    if array.shape != like.shape or array.dtype != like.dtype:
        raise ValueError(f"{like.dtype}{list(like.shape)} expected, not {array.dtype}{list(array.shape)}")
    if not np.isfinite(array).all():
        raise ValueError("it holds something that is not a number")
    return array


def counted(numbers: np.ndarray, many: int) -> list[float]:
    """Counters of a checkpoint (seconds, games, steps), checked for number and sign."""
    told = wanted(numbers, np.zeros(many)).tolist()
    if min(told) < 0:
        raise ValueError("a counter is negative")
    return list(told)


def read_lines(path: Path, kind: Any, form: str, named: tuple[str, ...]) -> tuple[Any, list[dict[str, Any]]]:
    """The settings of a run, from the first line of its log, and the other lines.

    `kind` is the class of its settings. A line holds numbers by name; those in `named` are required.
    """
    log = path / LOG
    if not log.is_file():
        raise ValueError(f"{path} is not a run: expected a folder with {LOG}")
    try:
        content = log.read_text(encoding="utf-8")
        first, *rest = [from_json(line) for line in content[: content.rfind("\n") + 1].splitlines()]
        settings = settings_from(first, kind, form)
        lines = list(continued(rest))
        for line in lines:
            if not all(told is None or _is_number(told) for told in line.values()):
                raise ValueError
            if any(line[name] is None for name in named):
                raise ValueError
        return settings, lines
    except (ValueError, LookupError, TypeError, AttributeError):
        raise ValueError(f"{log} is not the log of such a run") from None


def settings_from(line: dict[str, Any], kind: Any, form: str) -> Any:
    """The settings in a log's first line; an error if it is another kind of log."""
    if line.get("format") != form:
        raise ValueError("it is not the log of such a run")
    given = {name: line[name] for name in kind._fields if name in line}
    given = {name: tuple(told) if isinstance(told, list) else told for name, told in given.items()}
    for name, usual in ({"game": "", "minutes": 1.0} | kind._field_defaults).items():
        told = given.get(name, usual)
        if not (_is_number(told) if isinstance(usual, int | float) else isinstance(told, type(usual))):
            raise ValueError(f"{name} is {told!r}")
        if isinstance(told, str) and not told.isprintable():  # it is shown in terminals
            raise ValueError(f"{name} is {told!r}")
    return kind(**given).checked()


def within(settings: Any, bounds: Mapping[str, tuple[float, float]]) -> None:
    """A ValueError that names the first setting outside its bounds."""
    for name, (least, most) in bounds.items():
        told = getattr(settings, name)
        for number in told if isinstance(told, tuple) else (told,):
            if not (_is_number(number) and least <= number <= most):
                raise ValueError(f"{name} must be {least:,} to {most:,}, not {number}")


def _is_number(told: Any) -> bool:
    return isinstance(told, int | float) and abs(told) <= MOST


def continued(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines in the order of time, without those that a resumed run wrote again after a crash."""
    kept: list[dict[str, Any]] = []
    for line in lines:
        while kept and _goes_back(kept[-1], line):
            kept.pop()
        kept.append(line)
    return iter(kept)


def _goes_back(line: dict[str, Any], later: dict[str, Any]) -> bool:
    """Whether a line was logged after the checkpoint from which the run resumed towards the later line.

    Its time alone does not show that: a machine that has become slower counts less in the same time.
    """
    pairs = ((line.get(name), later.get(name)) for name in COUNTED)
    counts = [(told, again) for told, again in pairs if told is not None and again is not None]
    if later["seconds"] < line["seconds"] or any(told > again for told, again in counts):
        return True
    # they are rounded: a quick run logs several lines in one second
    return later["seconds"] == line["seconds"] and not any(again > told for told, again in counts)
