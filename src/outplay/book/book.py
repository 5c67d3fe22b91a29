"""A book for any game: for each position the moves played, how often, and what the mover scored.

The file is readable text: a line per position, `position<TAB>move games points<TAB>...`, with points for
the mover (1 for a win, 0.5 for a draw), and a checksum at the end.
"""

import hashlib
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple, Self

from outplay.book import polyglot
from outplay.files import read_text
from outplay.game import action_text, parse_action
from outplay.games import is_ours
from outplay.record import Record, position_text
from outplay.storage import write_whole

FIRST = "outplay book 1"
CHECK = "checksum"
MOST_GAMES = 10**15  # with a move


class Played(NamedTuple):
    """The statistics of a move."""

    games: int = 0
    points: float = 0.0  # scored by the mover

    def plus(self, points: float) -> "Played":
        return Played(self.games + 1, self.points + points)

    @property
    def share(self) -> float:
        """The mover's share of the points."""
        return self.points / self.games


class Wanted(NamedTuple):
    """The conditions for a move to be in a book."""

    plies: int = 30  # the opening plies of each game that count
    games: int = 1  # the least number of games with the move
    score: float = 0.0  # the least share of the points

    def checked(self) -> Self:
        if self.plies < 1 or self.games < 1 or not 0 <= self.score <= 1:
            raise ValueError("plies and games must be 1 or more, score from 0 to 1")
        return self


USUAL = Wanted()


class Book(NamedTuple):
    """Positions and moves by their texts."""

    game: str
    positions: dict[str, dict[str, Played]]

    def moves(self, state: Any) -> dict[int, Played]:
        """The moves of a state that the book knows and the rules allow, most played first."""
        found = self.positions.get(place(state), {})
        actions = {_action(state, text): played for text, played in found.items()}
        known = {action: played for action, played in actions.items() if action is not None}
        return dict(sorted(known.items(), key=lambda item: -item[1].games))

    def save(self, path: str | Path) -> None:
        lines = [FIRST, f"game {self.game}"]
        for position, moves in sorted(self.positions.items()):
            told = (f"{text} {played.games} {played.points:g}" for text, played in sorted(moves.items()))
            lines.append("\t".join((position, *told)))
        body = "\n".join(lines) + "\n"
        write_whole(path, f"{body}{CHECK} {_checksum(body)}\n")


def place(state: Any) -> str:
    """A position's text in books: in chess without its counters."""
    text = position_text(state)
    return " ".join(text.split()[:4]) if is_ours(type(state), "chess") else text


def _action(state: Any, text: str) -> int | None:
    try:
        return parse_action(state, text)
    except ValueError:
        return None


def _checksum(body: str) -> str:
    return hashlib.blake2b(body.encode(), digest_size=16).hexdigest()


def build(records: Iterable[Record], wanted: Wanted = USUAL) -> Book:
    """A book from recorded games; those without a result are skipped."""
    wanted.checked()
    positions: dict[str, dict[str, Played]] = {}
    game = ""
    for record in records:
        if record.result is None:
            continue
        if game and record.game != game:
            raise ValueError(f"the files mix games of {game} and {record.game}: a book is for one game")
        game = record.game
        for state, action in zip(record.states(), record.actions[: wanted.plies], strict=False):
            mine = record.result if state.player() == 0 else -record.result
            moves = positions.setdefault(place(state), {})
            text = action_text(state, action)
            moves[text] = moves.get(text, Played()).plus(1.0 if mine > 0 else 0.5 if mine == 0 else 0.0)
    if not game:
        raise ValueError("the files contain no games with a result")
    kept = {
        position: {t: p for t, p in moves.items() if p.games >= wanted.games and p.share >= wanted.score}
        for position, moves in positions.items()
    }
    return Book(game, {position: moves for position, moves in kept.items() if moves})


def load(path: str | Path) -> Book:
    """Read a book; a one-line ValueError if the file is damaged or something else."""
    text = read_text(str(path))
    body, _, last = text.removesuffix("\n").rpartition("\n")
    lines = body.split("\n")
    if lines[0] != FIRST:
        raise ValueError(f"{path} is not an Outplay book")
    if last != f"{CHECK} {_checksum(body + chr(10))}" or len(lines) < 2:
        raise ValueError(f"{path} is damaged or cut short: build it again")
    positions = {}
    for number, line in enumerate(lines[2:], 3):
        position, *moves = line.split("\t")
        try:
            positions[position] = dict(_played(move) for move in moves)
        except ValueError:
            raise ValueError(
                f"{path}, line {number} is not a position with moves: build the book again"
            ) from None
    return Book(lines[1].removeprefix("game "), positions)


def _played(text: str) -> tuple[str, Played]:
    """`e4 12 7.5` as a move and its statistics."""
    move, games, points = text.rsplit(" ", 2)
    played = Played(int(games), float(points))
    if not 0 <= played.points <= played.games or not 1 <= played.games <= MOST_GAMES:
        raise ValueError(text)
    return move, played


def check_format(path: str | Path, game: str) -> None:
    """Raise a ValueError if a book of this game cannot have the format that the file's name asks for."""
    if Path(path).suffix == ".bin" and game != "chess":
        raise ValueError(f"Polyglot books are for chess, not {game}: name the file *.book")


def to_polyglot(book: Book, path: str | Path) -> int:
    """Write a chess book for other programs; returns its number of entries. A win weighs 2, a draw 1."""
    from outplay.games.chess import Chess

    check_format(path, book.game)
    entries = []
    for position in book.positions:
        state = Chess.parse(f"{position} 0 1")
        moves = book.moves(state)
        weights = polyglot.scaled([round(2 * played.points) for played in moves.values()])
        key = polyglot.key_of(state)
        entries += [
            polyglot.Entry(key, polyglot.move_of(state, action), weight)
            for action, weight in sorted(zip(moves, weights, strict=True), key=lambda item: -item[1])
            if weight
        ]
    if not entries:
        raise ValueError("no move in the book scored: a Polyglot book would be empty")
    polyglot.write(path, entries)
    return len(entries)
