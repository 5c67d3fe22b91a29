"""The command `go`: the limits of a search, and its moves."""

import contextlib
from itertools import pairwise
from typing import NamedTuple

from outplay.limits import LARGEST, Limits

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate")
LONGEST_MATE = LARGEST["win"] // 2  # moves
MOST = 10**18  # larger numbers are clipped to this
SMALLEST_CLOCK = 0.001  # seconds: even with no time left a GUI expects a move


class Go(NamedTuple):
    """The parameters of `go`."""

    numbers: dict[str, int]
    infinite: bool = False  # search until `stop`
    ponder: bool = False  # search on the opponent's time, until `ponderhit`
    moves: tuple[str, ...] = ()  # the root moves to search; empty: all

    @classmethod
    def read(cls, words: list[str]) -> "Go":
        """Read the words after `go`; unknown words are skipped, as UCI demands."""
        numbers: dict[str, int] = {}
        for word, number in pairwise(words):
            if word in NUMBERS:
                with contextlib.suppress(ValueError):
                    numbers[word] = min(max(int(number), -MOST), MOST)
        moves = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else ()
        return cls(numbers, "infinite" in words, "ponder" in words, tuple(moves))

    def limits(self, player: int, overhead: float) -> Limits:
        """The limits for the player to move; `overhead`: seconds of communication delay."""
        said = self.numbers
        depth = said.get("depth")
        nodes = said.get("nodes")
        time = clock = increment = moves_to_go = None
        if "movetime" in said:
            time = _seconds(said["movetime"], overhead)
        mine = "wb"[player]
        if f"{mine}time" in said:
            clock = _seconds(said[f"{mine}time"], overhead)
            increment = min(said.get(f"{mine}inc", 0) / 1000, LARGEST["increment"])
            moves_to_go = min(said.get("movestogo", 0), LARGEST["moves_to_go"])
        return Limits(
            None if depth is None else min(max(depth, 1), LARGEST["depth"]),
            None if nodes is None else max(nodes, 1),
            time,
            clock,
            increment if increment and increment > 0 else None,
            moves_to_go if moves_to_go and moves_to_go > 0 else None,
            2 * min(said["mate"], LONGEST_MATE) - 1 if said.get("mate", 0) > 0 else None,
        )

    @property
    def waits(self) -> bool:
        """Whether the answer must wait for `stop` or `ponderhit`."""
        return self.infinite or self.ponder

    @property
    def unlimited(self) -> bool:
        """Whether nothing limits the search: a plain `go` means `go infinite`."""
        return not self.waits and not self.numbers.keys() - {"winc", "binc", "movestogo", "mate"}


def _seconds(milliseconds: int, overhead: float) -> float:
    """A time minus the overhead, as a valid limit."""
    return min(max(milliseconds / 1000 - overhead, SMALLEST_CLOCK), LARGEST["time"])
