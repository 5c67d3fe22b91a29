"""The results file: a line of JSON with the match's settings, then one for each finished game.

A line is on the disk before it counts, so a killed match loses no finished game; the next run resumes from
the file. Only one run at a time may write to it.
"""

import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from outplay.arena.faults import KINDS
from outplay.arena.referee import Effort
from outplay.arena.table import Played, restored
from outplay.storage import Journal

FORMAT = "outplay match 1"


class Store:
    """A results file."""

    def __init__(self, path: Path, settings: dict[str, Any]) -> None:
        """Read the file, if it is there; a ValueError if it belongs to a match with other settings."""
        self.journal = Journal(path, {"format": FORMAT} | settings, "a file of a match")
        self.games()

    def games(self) -> list[Played]:
        """The games in it; a ValueError names a line that is not a game."""
        found: dict[int, Played] = {}
        for number, line in enumerate(self.journal.lines, 2):
            where = f"{self.journal.path}, line {number}"
            if not _is_game(line):
                raise ValueError(f"{where} is not a game of the match: remove that line")
            if line["number"] in found:
                raise ValueError(f"{where} repeats game {line['number'] + 1}: remove that line")
            found[line["number"]] = restored(line)
        return list(found.values())

    @contextmanager
    def open(self) -> Iterator[list[Played]]:
        """Lock the file and give its games; a ValueError if another run writes to it."""
        with self.journal.open():
            yield self.games()

    def append(self, game: Played) -> None:
        """Append a finished game."""
        self.journal.append(game._asdict())


def _is_game(line: Any) -> bool:
    """Whether a line has all fields of a game, with the right types."""
    if not isinstance(line, dict) or line.keys() != set(Played._fields):
        return False
    efforts = line["efforts"]
    return (
        _is_whole(line["number"])
        and line["first"] in (0, 1)
        and line["score"] in (0, 0.5, 1)
        and isinstance(line["reason"], str)
        and isinstance(line["record"], str)
        and (line["fault"] is None or isinstance(line["fault"], str) and line["fault"] in KINDS)
        and line["loser"] in (None, 0, 1)
        and isinstance(efforts, list)
        and len(efforts) == 2
        and all(isinstance(effort, list) and _is_effort(effort) for effort in efforts)
    )


def _is_effort(effort: list[Any]) -> bool:
    return len(effort) == len(Effort._fields) and all(
        type(number) in (int, float) and 0 <= number < math.inf for number in effort
    )


def _is_whole(number: Any) -> bool:
    return type(number) is int and number >= 0
