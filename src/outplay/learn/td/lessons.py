"""A run that learns from recorded games: the games, their order, and how many moves are predicted (comparison.py)."""

import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.learn.folder import Folder
from outplay.learn.td.comparison import predict, study
from outplay.learn.td.loop import Run
from outplay.learn.td.settings import Settings
from outplay.record import Record
from outplay.search.protocol import terms

HELD_OUT = 10  # one game in so many teaches nothing and shows how many moves are predicted


class Lessons(Run):
    """A run that learns from recorded games, in an order that depends on the seed alone."""

    def __init__(self, settings: Settings, folder: Folder, start: Any, records: Sequence[Record]) -> None:
        games = [_moves(record) for record in records]
        self.held = games[HELD_OUT - 1 :: HELD_OUT]
        self.given = [game for i, game in enumerate(games) if i % HELD_OUT != HELD_OUT - 1]
        super().__init__(settings, folder, start)

    def games_until(self, last: int) -> None:
        with explained(self.twin, self.native):
            if last == 0:  # compiles
                study(self.native, np.zeros(0, np.int64), 0.0, 0, self.net.layers, self.plan, self.mind)
            for number in range(self.game, last):
                native, actions, won = self.given[self.lesson(number)]
                study(native, actions, won, number, self.net.layers, self.plan, self.mind)

    def lesson(self, number: int) -> int:
        """Which game: each comes once before any comes again."""
        epoch, place = divmod(number, len(self.given))
        return int(np.random.default_rng((self.settings.seed, epoch)).permutation(len(self.given))[place])

    def line(self) -> dict[str, Any]:
        return super().line() | {"predicted": round(self.predicted(), 4)}

    def predicted(self) -> float:
        """The share of the moves of the games held out that the net would play."""
        right = asked = 0
        with explained(self.twin, self.native):
            for native, actions, _ in self.held:
                found = predict(native, actions, self.net.layers, self.mind)
                right, asked = right + int(found[0]), asked + int(found[1])
        return right / max(asked, 1)


def lessons_of(start: Any, records: Sequence[Record]) -> list[Record]:
    """The games that can be learned from; an error if one is of another game, or if there are too few."""
    found = []
    for number, record in enumerate(map(terms.inward, records), 1):
        if type(record.start) is not type(start):
            raise ValueError(f"game {number} is one of {record.game}, not of {type(start).__name__}")
        if record.result is not None and record.actions:
            found.append(record)
    if len(found) < HELD_OUT:
        raise ValueError(f"{len(found)} games with moves and a result: {HELD_OUT} or more are needed")
    return found


def digest(records: Sequence[Record]) -> str:
    """What a run learns from, for the first line of its log."""
    code = 0
    for record in records:
        code = zlib.crc32(repr((record.start, record.actions, record.result)).encode(), code)
    return f"{len(records)} games, {code:08x}"


def _moves(record: Record) -> tuple[Any, np.ndarray, float]:
    """A game as kernels replay it: where it begins, its actions, MAX's result."""
    assert record.result is not None
    return (
        twin(type(record.start)).state(record.start),
        np.array(record.actions, np.int64),
        float(record.result),
    )
