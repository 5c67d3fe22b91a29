"""The command `go`: the limits of a search, and its moves."""

import contextlib
from itertools import pairwise
from typing import NamedTuple

from outplay.limits import LARGEST, Limits

NUMBERS = ("wtime", "btime", "winc", "binc", "movestogo", "depth", "nodes", "movetime", "mate")
LONGEST_MATE = LARGEST["win"] // 2  # moves
MOST = 10**18  # larger numbers are read as this one
SMALLEST_CLOCK = 0.001  # seconds: clocks that are shown as run down still want an answer


class Go(NamedTuple):
    """What a GUI wants."""

    numbers: dict[str, int]
    infinite: bool = False  # think until told to stop
    ponder: bool = False  # think in the opponent's time: until told that the expected move was played
    moves: tuple[str, ...] = ()  # to choose among; none: all

    @classmethod
    def read(cls, words: list[str]) -> "Go":
        """From the words after `go`; what makes no sense is passed over, as UCI asks."""
        numbers: dict[str, int] = {}
        for word, number in pairwise(words):
            if word in NUMBERS:
                with contextlib.suppress(ValueError):
                    numbers[word] = min(max(int(number), -MOST), MOST)
        moves = words[words.index("searchmoves") + 1 :] if "searchmoves" in words else ()
        return cls(numbers, "infinite" in words, "ponder" in words, tuple(moves))

    def limits(self, player: int, overhead: float) -> Limits:
        """For the player to move; `overhead`: seconds that a move may take on its way."""
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
        """Whether no answer is wanted before `stop` or `ponderhit`."""
        return self.infinite or self.ponder

    @property
    def unlimited(self) -> bool:
        """Whether nothing at all limits the search: `go` alone is taken for `go infinite`."""
        return not self.waits and not self.numbers.keys() - {"winc", "binc", "movestogo", "mate"}


def _seconds(milliseconds: int, overhead: float) -> float:
    """What is left of a time after a move's way, as far as limits go."""
    return min(max(milliseconds / 1000 - overhead, SMALLEST_CLOCK), LARGEST["time"])
