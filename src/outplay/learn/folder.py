"""A run on the disk: a folder that holds all of it.

    log.jsonl       the settings first, then a line now and then: time, games, positions, losses
    checkpoint.npz  weights, optimiser, replay buffer and counters; whole or not at all
    net.npz         the net
    net.onnx        the same in the common format, where the package onnx is installed

A run that was killed goes on from its last checkpoint. Lines that were written after it are told again.
"""

import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np

from outplay.storage import UNFINISHED, Journal, from_json, replacing

LOG, CHECKPOINT, NET, ONNX = "log.jsonl", "checkpoint.npz", "net.npz", "net.onnx"


class Folder:
    """A run's folder; `open` it to write."""

    def __init__(self, path: Path, settings: Any) -> None:
        if path.exists() and not path.is_dir():
            raise ValueError(f"{path} is no folder: name another one for the run")
        if path.is_dir() and any(path.iterdir()) and not (path / LOG).exists():
            raise ValueError(f"{path} holds something else than a run: name another folder")
        path.mkdir(parents=True, exist_ok=True)
        self.path = path
        self.journal = Journal(path / LOG, settings.line(), "the log of a run")

    @contextmanager
    def open(self) -> Iterator[None]:
        """While this process alone may write; what a killed one left unfinished goes."""
        with self.journal.open():
            for unfinished in self.path.glob(f".*{UNFINISHED}"):
                unfinished.unlink()
            yield

    def note(self, line: dict[str, Any]) -> None:
        """Keep a line of the log."""
        self.journal.append(line)

    def save(self, state: dict[str, np.ndarray]) -> None:
        """Keep a checkpoint."""
        with replacing(self.path / CHECKPOINT) as file:
            np.savez(file, **state)  # type: ignore[arg-type]

    def load(self) -> dict[str, np.ndarray] | None:
        """The last checkpoint, if there is one."""
        path = self.path / CHECKPOINT
        if not path.exists():
            return None
        try:
            with np.load(path, allow_pickle=False) as file:
                return dict(file)
        except (ValueError, OSError, EOFError, zipfile.BadZipFile) as error:
            raise ValueError(f"{path} is damaged: remove it to begin anew ({error})") from None


def read_lines(
    path: Path, read_settings: Callable[[dict[str, Any]], Any]
) -> tuple[Any, list[dict[str, Any]]]:
    """The settings of a run, which a function reads from the first line of its log, and the other lines."""
    log = path / LOG
    if not log.is_file():
        raise ValueError(f"{path} is no run: a folder with {LOG} is wanted")
    content = log.read_text(encoding="utf-8")
    lines = content[: content.rfind("\n") + 1].splitlines()
    try:
        first, *rest = [from_json(line) for line in lines]
        return read_settings(first), list(continued(rest))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ValueError(f"{log} is not the log of such a run") from None


def continued(lines: list[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """The lines in the order of the run's time: what was told before a crash and again after it, once."""
    kept: list[dict[str, Any]] = []
    for line in lines:
        while kept and kept[-1]["seconds"] >= line["seconds"]:
            kept.pop()
        kept.append(line)
    return iter(kept)
