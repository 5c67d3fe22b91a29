"""The code: a table's entry for a position in one number.

    0               a draw, by the rules or because neither side can force more
    rank, plies     otherwise: positive if the player to move wins, negative for a loss. The low PLIES_BITS
                    are the plies to the end of the game plus one, the higher bits the rank of the outcome

Ranks number the outcomes of a game from the greatest: a game that is won, drawn or lost has only rank 0. So codes
are ordered: of two wins the smaller code is better (more is won, or sooner), and of two losses the smaller
one too (less is lost, or later).
"""

from typing import Any

from outplay.compile import kernel, twin
from outplay.compile.interpreted import Interpreted
from outplay.game import GameError, has_fractions, kind, needs_past

PLIES_BITS = 20
PLIES = (1 << PLIES_BITS) - 1
RANKS = 1 << 10  # outcomes that a game may have, the sign aside
NO_CODE = -(1 << 31)  # of what is no position


class TooGreat(Exception):
    """An outcome that is none of those the game is said to have."""


def encode(value: int, plies: int, ranks: tuple[int, ...]) -> int:
    """The code of a value for the player to move, so many plies from the end."""
    if value == 0:
        return 0
    size = ranks.index(abs(value)) << PLIES_BITS | plies + 1
    return size if value > 0 else -size


def decode(code: int, ranks: tuple[int, ...]) -> tuple[int, int | None]:
    """The value for the player to move, and the plies to the end of the game: None in a draw."""
    if code == 0:
        return 0, None
    value = ranks[abs(code) >> PLIES_BITS]
    return (value if code > 0 else -value), (abs(code) & PLIES) - 1


def ranked(values: set[int], name: str) -> tuple[int, ...]:
    """The outcomes of a game by rank."""
    ranks = tuple(sorted({abs(value) for value in values} - {0}, reverse=True))
    if len(ranks) > RANKS:
        raise GameError(f"{name} has {len(ranks):,} different outcomes: a table has at most {RANKS:,}")
    return ranks


@kernel
def coded(value: int, ranks: Any) -> int:
    """The code of a value for the player to move where it is reached: `encode` in native code."""
    if value == 0:
        return 0
    size = abs(value)
    rank = len(ranks) - size  # where every number is an outcome
    if rank < 0 or ranks[rank] != size:
        rank = 0
        while rank < len(ranks) and ranks[rank] != size:
            rank += 1
        if rank == len(ranks):
            raise TooGreat
    code = rank << PLIES_BITS | 1
    return code if value > 0 else -code


@kernel
def value_of(code: int, ranks: Any) -> int:
    """The value of a code for the player to move: the first half of `decode`."""
    if code == 0:
        return 0
    value = ranks[abs(code) >> PLIES_BITS]
    return value if code > 0 else -value


@kernel
def converted(code: int) -> int:
    """The same outcome, reached here: what lies behind a conversion is not counted."""
    size = abs(code) >> PLIES_BITS << PLIES_BITS | 1
    return size if code > 0 else -size if code < 0 else 0


@kernel
def is_better(a: int, b: int) -> bool:
    """Whether the player to move would rather have code a than code b."""
    if (a > 0) == (b > 0) and (a < 0) == (b < 0):
        return a < b
    return a > b


@kernel
def before(code: int) -> int:
    """The code one ply earlier, for the same player."""
    return code + 1 if code > 0 else code - 1 if code < 0 else 0


def fitting(cls: type) -> None:
    """Refuse a class whose positions have no value of their own, or that is not compiled."""
    what, name = kind(cls), cls.__name__
    if what.chance or what.hidden or what.players > 2 or has_fractions(cls):
        raise GameError(
            f"tables are for games of one or two players without chance, hidden information or fractions; "
            f"{name} is for {what}"
        )
    if needs_past(cls):
        raise GameError(
            f"{name} forbids or counts repetitions: no table can store values that depend on the history"
        )
    made = twin(cls)
    if isinstance(made, Interpreted):
        raise GameError(f"{name} cannot be compiled, and a table needs that: {made.reasons[0]}")
