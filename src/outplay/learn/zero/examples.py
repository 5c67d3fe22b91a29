"""Positions of recorded games with the move played, for learning a policy.

Rows have the format of the replay buffer (`moves.py`): the network's input, the player to move, the result. The move
played replaces the search's policy.
"""

import zlib
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

import numpy as np

from outplay.game import CHANCE, legal
from outplay.learn.zero.moves import AFTER_VIEW, FIXED, MOVER, OUTCOME, SCORE
from outplay.record import Record
from outplay.search.mcts.view import View
from outplay.search.protocol import terms

Seen = Callable[[int], None]


class Examples(NamedTuple):
    """Positions of games, in their order."""

    games: int
    rows: np.ndarray  # int64[N, words + AFTER_VIEW]
    places: np.ndarray  # int64[N]: the moves' indices in the policy
    legal: list[np.ndarray]  # the policy indices of all legal moves, to measure predictions

    def digest(self) -> str:
        """A fingerprint of the examples."""
        return f"{self.games} games, {len(self.rows)} positions, {zlib.crc32(self.rows.tobytes()):08x}"


def examples_of(
    start: Any, view: View, records: Iterable[Record], held_out: float, seen: Seen = lambda number: None
) -> tuple[Examples, Examples]:
    """Training examples, and those of whole games held out, a share of all (0.1: every tenth game).

    Games without a result are skipped; a record of another game is an error.
    """
    if not 0 < held_out < 1:
        raise ValueError(f"held_out must be between 0 and 1, not {held_out}")
    every = max(2, round(1 / held_out))
    parts: tuple[list[Record], list[Record]] = [], []
    for number, record in enumerate(map(terms.inward, records), 1):
        seen(number)
        if type(record.start) is not type(start):
            raise ValueError(f"game {number} is {record.game}, not {type(start).__name__}")
        if record.result is not None and record.actions:
            parts[(len(parts[0]) + len(parts[1])) % every == every - 1].append(record)
    if not parts[1]:
        raise ValueError(
            f"{len(parts[0])} games with moves and a result: need {every} or more, one of them held out"
        )
    return rows_of(view, parts[0], False), rows_of(view, parts[1], True)


def rows_of(view: View, records: list[Record], tested: bool) -> Examples:
    """The rows of games."""
    rows: list[np.ndarray] = []
    places: list[int] = []
    choices: list[np.ndarray] = []
    for record in records:
        assert record.result is not None
        moves = [
            (state, action)
            for state, action in zip(record.states(), record.actions, strict=False)
            if state.player() != CHANCE
        ]
        facts = np.zeros((len(moves), AFTER_VIEW), np.int64)
        facts[:, MOVER] = [state.player() for state, _ in moves]
        facts[:, OUTCOME] = np.sign(record.result)
        facts[:, SCORE] = FIXED * record.result
        rows.append(np.concatenate([view.rows([state for state, _ in moves]), facts], 1))
        places += [view.place(state, action) for state, action in moves]
        if tested:
            choices += [np.array([view.place(s, a) for a in legal(s)], np.int32) for s, _ in moves]
    return Examples(len(records), np.concatenate(rows), np.array(places, np.int64), choices)
