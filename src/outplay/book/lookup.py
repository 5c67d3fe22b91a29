"""Probing a book of either format: its moves with their statistics, and a move chosen by weight."""

import functools
from pathlib import Path
from typing import Any

from outplay.book import polyglot
from outplay.book.book import Book, load
from outplay.game import legal
from outplay.games import TABLE, entry_of, is_ours


@functools.lru_cache(maxsize=8)
def _opened(path: str, changed: float) -> Book | dict[int, list[polyglot.Entry]]:
    if not path.endswith(".bin"):
        return load(path)
    entries: dict[int, list[polyglot.Entry]] = {}
    for entry in polyglot.read(path):
        entries.setdefault(entry.key, []).append(entry)
    return entries


def opened(path: str | Path) -> Book | dict[int, list[polyglot.Entry]]:
    """A book, from a cache that notices changed files."""
    return _opened(str(path), Path(path).stat().st_mtime)


def is_for(path: str | Path, game: str) -> bool:
    """Whether a book is for a game, given by its name in records."""
    book = opened(path)
    return game == (book.game if isinstance(book, Book) else "chess")


def refuse(path: str | Path, state: Any) -> None:
    """Raise a ValueError if a book is for another game of ours; what users call their own games is up to them."""
    book, entry = opened(path), entry_of(type(state))
    if not isinstance(book, Book):
        if not is_ours(type(state), "chess"):
            raise ValueError(f"a Polyglot book is for chess, not {type(state).__name__}")
        return
    game = book.game.partition(":")[0]
    if entry is not None and game != entry.name and any(game == other.name for other in TABLE):
        raise ValueError(f"{path} is a book of {game}, not of {entry.name}")


def weights(path: str | Path, state: Any) -> dict[int, int]:
    """The moves of a book in a state, with their weights."""
    refuse(path, state)
    book = opened(path)
    if isinstance(book, Book):
        return {action: round(2 * played.points) for action, played in book.moves(state).items()}
    return {action: entry.weight for action, entry in _entries(book, state).items()}


def listed(path: str | Path, state: Any) -> dict[int, str]:
    """The moves of a book in a state, each with its statistics as text."""
    refuse(path, state)
    book = opened(path)
    if isinstance(book, Book):
        moves = book.moves(state).items()
        return {
            action: f"{p.games:,} game{'s' * (p.games > 1)}, {100 * p.share:.0f} %" for action, p in moves
        }
    return {action: f"weight {entry.weight:,}" for action, entry in _entries(book, state).items()}


def _entries(book: dict[int, list[polyglot.Entry]], state: Any) -> dict[int, polyglot.Entry]:
    by_move = {polyglot.move_of(state, action): action for action in legal(state)}
    found = book.get(polyglot.key_of(state), [])
    return {by_move[entry.move]: entry for entry in found if entry.move in by_move}
