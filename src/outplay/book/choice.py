"""Playing from a book: for how many plies, the choice of a move, and guidance for the search out of book.

The extended book is Deep Blue's (Campbell, Hoane & Hsu 2002): where the book has no move, the statistics of many
games give each move a bonus. A move that was played often and scored well counts a little more than its search
value, so that a consensus of masters decides between roughly equal moves, and never overrides a clear advantage.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

from outplay.book.book import Book
from outplay.book.lookup import opened, refuse, weights
from outplay.game import is_decided
from outplay.limits import Analysis

PICKS = ("weights", "best", "random")  # in proportion to the weights, the heaviest, any
LINES = 4  # lines that a search compares if the position is in an extended book
DOUBT = 5  # with so many games a move gets half of its full bonus
POPULAR, SUCCESS = 0.25, 0.5  # pawns: for a move played in every game, and for one that won every game


class Reader(NamedTuple):
    """A player's book options."""

    file: str = ""
    plies: int = 0  # the book is used in the first so many plies; 0: always
    pick: str = PICKS[0]
    extended: str = ""  # a book with the statistics of many games

    @classmethod
    def read(cls, file: str, given: Mapping[str, str]) -> Self:
        """Parse the options; a one-line ValueError says what is wrong."""
        if unknown := sorted(given.keys() - {"plies", "pick", "extended"}):
            raise ValueError(
                f"{unknown[0][:40]!r} is not an option of a book; it has plies, pick, extended, search"
            )
        plies = given.get("plies", "0")
        if not plies.isdecimal() or int(plies) > 10_000:
            raise ValueError(f"plies of a book must be a number, not {plies[:40]!r}")
        return cls(file, int(plies), given.get("pick", PICKS[0]), given.get("extended", "")).checked()

    def checked(self) -> Self:
        """Raise an error if an option is invalid, or a book cannot be read."""
        if self.pick not in PICKS:
            raise ValueError(f"pick of a book must be {', '.join(PICKS)}, not {self.pick[:40]!r}")
        if not self.file and not self.extended:
            raise ValueError("write a book player as book:FILE")
        if self.file:
            opened(self.file)
        if self.extended and not isinstance(opened(self.extended), Book):
            raise ValueError(
                f"{self.extended} has no game counts: build the extended book as *.book, not in Polyglot format"
            )
        return self

    def refuse(self, state: Any) -> None:
        """Raise an error if a book is for another game."""
        for file in (self.file, self.extended):
            if file:
                refuse(file, state)

    def move(self, state: Any, ply: int, roll: float) -> int | None:
        """The book's move, `ply` plies after the start; `roll` is a random number from 0 to 1. None: out of book."""
        if not self.file or (self.plies and ply >= self.plies):
            return None
        known = {action: weight for action, weight in weights(self.file, state).items() if weight > 0}
        if self.pick == "best":
            most = max(known.values(), default=0)
            known = {action: 1 for action, weight in known.items() if weight == most}
        elif self.pick == "random":
            known = dict.fromkeys(known, 1)
        left = roll * sum(known.values())
        for action, weight in known.items():
            left -= weight
            if left <= 0:
                return action
        return None

    def bonuses(self, state: Any) -> dict[int, float]:
        """The extended book's bonuses by move, in pawns."""
        if self.extended:
            refuse(self.extended, state)
        book = opened(self.extended) if self.extended else None
        played = book.moves(state) if isinstance(book, Book) else {}
        games = sum(p.games for p in played.values())
        mean = sum(p.points for p in played.values()) / games if games else 0.0
        return {
            action: p.games / (p.games + DOUBT) * (POPULAR * p.games / games + SUCCESS * (p.share - mean))
            for action, p in played.items()
        }


def steered(found: Analysis, state: Any, bonuses: Mapping[int, float]) -> Analysis:
    """The search's best line including its bonus; decided values get none."""
    cls = type(state)
    lines = (found, *found.others)
    if found.proven or found.visits or any(is_decided(cls, line.score) for line in lines):
        return found  # UCT's values are not in pawns
    sign = 1 if state.player() == 0 else -1
    pawn = 1 if getattr(cls, "points", False) else getattr(cls, "unit", 100)
    best = max(lines, key=lambda line: sign * line.score + pawn * bonuses.get(line.line[0], 0.0))
    others = tuple(line for line in lines if line is not best)
    return best._replace(others=tuple(line._replace(others=()) for line in others), number=1)
