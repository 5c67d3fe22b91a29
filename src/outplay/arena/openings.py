"""Openings: positions and first moves, read from files by their type.

    .epd .fen       one position per line, as chess programs write it; EPD operations are skipped
    .pgn            the first moves of chess games
    .json           positions, wherever they stand in it, or below "all" (checkers ballots: {"all": {name: position}})
    .txt and others saved games, or one per line: a position in the game's notation, or moves (`4 4 3`, `f5d6c4`)

A file may be compressed (.gz, .zip). Without one, openings are random moves from the start of the game.
"""

import gzip
import random
import re
import threading
import zipfile
import zlib
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import IO, Any, NamedTuple

from outplay.game import CHANCE, action_text, after, checked_state, is_terminal, legal
from outplay.gamefile import from_pgn
from outplay.games import Game, is_ours, named
from outplay.record import Record, begin, is_record, read_all
from outplay.storage import from_json

TRIES = 1000  # consecutive rejected openings (game over, or a duplicate) before giving up
MOST_BYTES = 1 << 30  # of an unpacked file: guards against archive bombs
BOOK = 10_000  # different random openings before they repeat


class Openings(NamedTuple):
    """Openings, read lazily: some books have tens of thousands."""

    texts: Sequence[Any]
    read: Callable[[Any], Record]
    source: str

    def __len__(self) -> int:
        return len(self.texts)

    def opening(self, number: int) -> Record:
        """The record at the opening's end; a ValueError if it is not an opening."""
        try:
            record = self.read(self.texts[number])
        except ValueError as error:
            raise ValueError(f"{self.source}, opening {number + 1}: {error}") from None
        if record.result is not None or is_terminal(record.state):
            raise ValueError(f"{self.source}, opening {number + 1}: the game is over there")
        return record._replace(comments=(), headers=())


def read_openings(game: Game, path: str) -> Openings:
    """The openings in a file."""
    text, name = _text(Path(path))
    kind = Path(name).suffix.lower()
    found: Sequence[Any]
    read: Callable[[Any], Record]
    if kind in (".epd", ".fen"):
        found, read = _lines(text), lambda line: begin(game, _fen(line))
    elif kind == ".pgn":
        found, read = _split_pgn(text), lambda one: _read_pgn(game, one)
    elif kind == ".json":
        found, read = _json(text, path), lambda position: begin(game, position)
    elif is_record(text):
        found, read = _saved(game, text, path), lambda record: record
    else:
        found, read = _lines(text), lambda line: read_line(game, line)
    if not found:
        raise ValueError(f"{path} contains no openings")
    return Openings(tuple(found), read, path)


def random_openings(game: Game, plies: int, seed: int) -> Openings:
    """Openings of random plies, no two alike as long as there are others. More of them are drawn when wanted."""
    if plies < 0:
        raise ValueError(f"plies must be 0 or more, not {plies}")
    return Openings(range(BOOK), Lottery(game, plies, seed).opening, f"{plies} random plies")


class Lottery:
    """Draws random openings in their order, so that the first ones stay the same however many there are."""

    def __init__(self, game: Game, plies: int, seed: int) -> None:
        self.game, self.plies, self.seed = game, plies, seed
        self.drawn: list[Record] = []
        self.seen: set[tuple[int, ...]] = set()
        self.exhausted = False  # no new ones were found
        self.drawing = threading.Lock()

    def opening(self, number: int) -> Record:
        with self.drawing:
            while len(self.drawn) <= number:
                self.drawn.append(self.draw())
            return self.drawn[number]

    def draw(self) -> Record:
        """Draw a new opening, if there is one."""
        found = None
        for attempt in range(TRIES):
            dice = random.Random(f"{self.seed} {len(self.drawn)} {attempt}")
            record = _random(self.game, self.plies, dice)
            found = record or found
            if record is not None and (self.exhausted or record.actions not in self.seen):
                self.seen.add(record.actions)
                return record
        if found is None:
            raise ValueError(
                f"every game of {self.game.spec} ends within {self.plies} random plies; try fewer"
            )
        self.exhausted = True
        return found


def _random(game: Game, plies: int, dice: random.Random) -> Record | None:
    record, state = begin(game), checked_state(game.position())
    for _ in range(plies):
        if is_terminal(state) or state.player() == CHANCE:
            break
        action = dice.choice(legal(state))
        record = record._replace(actions=(*record.actions, action))
        state = checked_state(after(state, action))
    return None if is_terminal(state) else record


# --- files ----------------------------------------------------------------------------------------------


def _bounded(packed: IO[bytes] | gzip.GzipFile) -> bytes:
    """Unpack a file, unless it is far larger than any book."""
    content = packed.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise ValueError(f"it unpacks to more than {MOST_BYTES >> 20:,} MB")
    return content


def _text(path: Path) -> tuple[str, str]:
    """The text of a file, unpacked, and the name whose suffix gives its format."""
    if not path.is_file():
        raise ValueError(f"no such file: {path}")
    try:
        if path.suffix == ".gz":
            with gzip.open(path) as packed:
                return _bounded(packed).decode(), path.stem
        if path.suffix == ".zip":
            with zipfile.ZipFile(path) as archive:
                (inner,) = archive.namelist()
                with archive.open(inner) as member:
                    return _bounded(member).decode(), inner
        return path.read_text(encoding="utf-8"), path.name
    except (
        OSError,
        ValueError,
        EOFError,
        NotImplementedError,
        RuntimeError,
        zlib.error,
        zipfile.BadZipFile,
    ) as error:
        raise ValueError(f"{path} cannot be read: {error}") from None


def _lines(text: str) -> list[str]:
    """The lines without empty lines and comments."""
    return [line.strip() for line in text.splitlines() if line.strip() and not line.lstrip().startswith("#")]


def _fen(line: str) -> str:
    """A line of EPD or FEN as FEN: without move counters, they start from 0."""
    words = line.split()
    counted = len(words) >= 6 and words[4].isdigit() and words[5].rstrip(";").isdigit()
    return " ".join([*words[:4], *(words[4:6] if counted else ("0", "1"))])


def _json(text: str, path: str) -> list[str]:
    try:
        found = from_json(text)
        return list(_strings(found.get("all", found) if isinstance(found, dict) else found))
    except ValueError as error:
        raise ValueError(f"{path} is not JSON: {error}") from None


def _strings(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for part in value.values() if isinstance(value, dict) else value:
            yield from _strings(part)


def _saved(game: Game, text: str, path: str) -> list[Record]:
    records = [record._replace(result=None) for record in read_all(text, partial(named, own=(game,)))]
    for record in records:
        if named(record.game, (game,)).cls is not game.cls:
            raise ValueError(f"{path} contains a game of {record.game}, not of {game.spec}")
    return records


def read_line(game: Game, line: str) -> Record:
    """A line that is a position, or else moves with or without spaces between them."""
    try:
        return begin(game, line)
    except ValueError as error:
        not_a_position = error
    try:
        return begin(game, moves=line)
    except ValueError:
        pass
    record, state, at = begin(game), checked_state(game.position()), 0
    while at < len(line):
        texts = {action_text(state, action): action for action in legal(state)}
        fitting = [text for text in texts if line.startswith(text, at)]
        if not fitting:
            raise ValueError(f"{line!r} is neither moves nor a position ({not_a_position})")
        longest = max(fitting, key=len)
        action, at = texts[longest], at + len(longest)
        record, state = record._replace(actions=(*record.actions, action)), state.result(action)
    return record


def _split_pgn(text: str) -> list[str]:
    """The games of a PGN file, not yet read; each begins with its Event."""
    return [one for one in re.split(r"(?<=\n)(?=\[Event )", text) if one.strip()]


def _read_pgn(game: Game, text: str) -> Record:
    if not is_ours(game.cls, "chess"):
        raise ValueError(f"PGN is chess, not {game.spec}")
    played = next(from_pgn(text), None)
    if played is None:
        raise ValueError("no game")
    return played._replace(game=game.spec, result=None)
