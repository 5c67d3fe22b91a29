"""The results file: a line of JSON with the match's settings, then one for each finished game.

A line is written whole and at once, so a match that is killed loses no game that was over; the next run goes on
from the file. A last line that was cut off is dropped.
"""

import json
import os
from pathlib import Path
from typing import Any

FORMAT = "outplay match 1"


class Store:
    """A results file that is open for more."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        """Open or begin the file; a ValueError if it belongs to a match with other settings."""
        self.path = path
        self.games: list[dict[str, Any]] = []
        settings = json.loads(json.dumps({"format": FORMAT} | settings))
        if path.exists() and path.stat().st_size:
            whole = self._whole_lines()
            header, *self.games = map(self._read, whole) if whole else [settings]
            self._compare(header, settings)
        else:
            path.write_text(json.dumps(settings) + "\n", encoding="utf-8")

    def append(self, game: dict[str, Any]) -> None:
        """Keep a finished game."""
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(game) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.games.append(game)

    def _whole_lines(self) -> list[str]:
        """The file's lines; the remains of one that was never finished are cut off."""
        content = self.path.read_bytes()
        whole = content[: content.rfind(b"\n") + 1]
        if not whole.startswith(b'{"format": "outplay match'):
            raise ValueError(f"{self.path} is no file of a match: choose another name")
        if whole != content:
            with self.path.open("r+b") as file:
                file.truncate(len(whole))
        return whole.decode().splitlines()

    def _read(self, line: str) -> dict[str, Any]:
        try:
            value: dict[str, Any] = json.loads(line)
            return value
        except ValueError:
            raise ValueError(f"{self.path} is damaged: {line[:40]!r} is no JSON") from None

    def _compare(self, header: dict[str, Any], settings: dict[str, Any]) -> None:
        for key in settings.keys() | header.keys():
            if header.get(key) != settings.get(key):
                raise ValueError(
                    f"{self.path} holds a match with {key} = {header.get(key)}, not {settings.get(key)}: "
                    "choose another file, or the same settings"
                )
