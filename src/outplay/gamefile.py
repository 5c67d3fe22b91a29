"""Game files of every format, read and written in one place: our own records, PGN (chess) and SGF (Go).

A file is data. The game that a record names is one of the package, or one of the user's own that was named along
with the file: `outplay play mygame.py saved.game`.
"""

import functools
import os
import re
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from outplay.files import read_text
from outplay.game import is_terminal
from outplay.games import Game, base_spec, is_ours, load, named
from outplay.record import Record, begin, is_header, is_record, play_on, read_each

if TYPE_CHECKING:
    import chess.pgn

RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black")  # PGN's seven tags, but for the result
TAGS = {"first": "White", "second": "Black"} | {
    tag.lower(): tag for tag in ROSTER
}  # as our records have them
_PGN = re.compile(r"\ufeff?(?:\s|%.*\n|;.*\n|\{[^}]*\})*(?:\[\s*\w[\w+#=:-]*\s+\"|1\s*\.)")


def open_game(spec: str, position: str = "", moves: str = "") -> Record:
    """The game that a user names: what `outplay.games.load` reads, perhaps with a position; or a saved game's file.

    A game of the user's own is named before the file of a saved one: `open_game("mygame.py", "saved.game")`.
    """
    if is_game_file(spec):
        if position:
            raise ValueError(f"{spec} is a saved game: it needs no position")
        record = read_one(spec)
    elif is_game_file(position):
        game = load(spec)
        record = read_one(position, [game])
        if base_spec(type(record.start)) != base_spec(game.cls):
            raise ValueError(f"{position} is a game of {record.game}, not of {game.spec}")
    else:
        return begin(load(spec), position, moves)
    return play_on(record, moves) if moves else record


def is_game_file(path: str) -> bool:
    """Whether it is a file with games, and not a program, a tree or no file at all."""
    if path.endswith(".py") or not os.path.isfile(path):
        return False
    text = read_text(path)
    return is_sgf(text) or is_record(text) or is_pgn(text)


def is_sgf(text: str) -> bool:
    """Whether a text looks like a game of Go in SGF."""
    return re.match(r"\ufeff?\s*\(\s*;", text) is not None


def is_pgn(text: str) -> bool:
    """Whether a text looks like a game of chess in PGN."""
    return _PGN.match(text) is not None


def read_one(path: str, own: Sequence[Game] = ()) -> Record:
    """The one game in a file."""
    records = list(read_games(path, own))
    if len(records) != 1:
        raise ValueError(f"{path} holds {len(records)} games: one is wanted")
    return records[0]


def read_games(path: str, own: Sequence[Game] = ()) -> Iterator[Record]:
    """The games in a file one by one; a ValueError names the first that cannot be read, after those before it.

    `own`: games of the user's that were named along with the file.
    """
    text = read_text(path)
    if not text.strip():
        raise ValueError(f"{path} is empty: a game is wanted, as PGN, SGF or as `outplay play` saves it")
    try:
        if is_sgf(text):
            yield from_sgf(text)
        elif is_pgn(text):
            yield from from_pgn(text)
        else:
            yield from read_each(text, functools.partial(named, own=own))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


# --- PGN ------------------------------------------------------------------------------------------------


def from_pgn(text: str) -> Iterator[Record]:
    """The games of chess in a PGN text; a ValueError of one line names the first that cannot be read."""
    from outplay.games.chess.pgn import read_pgn

    for played in read_pgn(text):
        result = RESULTS.get(played.headers.get("Result", "*"))
        headers = tuple((key, value) for key, value in played.headers.items() if is_header(key))
        yield Record("chess", played.start, played.actions, result, played.comments, headers)


def to_pgn(record: Record) -> str:
    """A game of chess as PGN."""
    return f"{pgn_game(record)}\n"


def pgn_game(record: Record, **headers: str) -> "chess.pgn.Game":
    """A game of chess as python-chess has it, for whoever writes more about its moves, or more headers."""
    from outplay.games.chess.pgn import Played, annotatable

    if not is_ours(type(record.start), "chess"):
        raise ValueError(f"PGN is for chess, not for {record.game}")
    result = next((text for text, value in RESULTS.items() if value == record.result), "*")
    said = {TAGS.get(key, key): value for key, value in record.headers}
    tags = {key: value for key, value in said.items() if key[:1].isupper()}  # others are of our records alone
    return annotatable(
        Played(record.start, record.actions, {"Result": result} | tags | headers, record.comments)
    )


# --- SGF ------------------------------------------------------------------------------------------------


def from_sgf(text: str) -> Record:
    """A game of Go from an SGF file; a ValueError of one line if it cannot be replayed."""
    from outplay.games.go.sgf import read_sgf, spec

    played = read_sgf(text)
    headers = tuple(played.headers.items())
    record = Record(spec(type(played.start)), played.start, comments=played.comments, headers=headers)
    return record.play(*played.actions)


def to_sgf(record: Record) -> str:
    """A game of Go as SGF."""
    from outplay.games.go.sgf import Played, result_text, write_sgf

    if not is_ours(type(record.start), "go"):
        raise ValueError(f"SGF is for Go, not for {record.game}")
    over = result_text(record.state) if is_terminal(record.state) else ""
    return write_sgf(Played(record.start, record.actions, dict(record.headers), record.comments), over)
