"""Game files of every format, read and written in one place: our own records, PGN (chess), SGF (Go and backgammon) and
.mat (backgammon).

A file is data. The game that a record names is one in the package, or the user's own, named along
with the file: `outplay play mygame.py saved.game`.
"""

import functools
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from outplay.files import read_text
from outplay.game import is_terminal
from outplay.games import Game, base_spec, is_ours, load, named, spec
from outplay.record import Record, begin, is_header, is_record, play_on, read_each, write

if TYPE_CHECKING:
    import chess.pgn

    from outplay.games.backgammon.played import Played

RESULTS = {"1-0": 1, "0-1": -1, "1/2-1/2": 0}
ROSTER = ("Event", "Site", "Date", "Round", "White", "Black")  # PGN's seven tags, but for the result
TAGS = {"first": "White", "second": "Black"} | {tag.lower(): tag for tag in ROSTER}  # in our records
_PGN = re.compile(r"\ufeff?(?:\s|%.*\n|;.*\n|\{[^}]*\})*(?:\[\s*\w[\w+#=:-]*\s+\"|1\s*\.)")


def open_game(name: str, position: str = "", moves: str = "") -> Record:
    """The game that a user names: for `outplay.games.load`, optionally with a position; or a saved game's file.

    The user's own game is named before the file of a saved one: `open_game("mygame.py", "saved.game")`.
    """
    if is_game_file(name):
        if position:
            raise ValueError(f"{name} is a saved game: it needs no position")
        record = read_one(name)
    elif is_game_file(position):
        game = load(name)
        record = read_one(position, [game])
        if base_spec(type(record.start)) != base_spec(game.cls):
            raise ValueError(f"{position} is a game of {record.game}, not of {game.spec}")
    else:
        return begin(load(name), position, moves)
    return play_on(record, moves) if moves else record


def is_game_file(path: str) -> bool:
    """Whether it is an existing file with games, not a program or a tree."""
    if path.endswith(".py") or not os.path.isfile(path):
        return False
    text = read_text(path)
    return is_sgf(text) or is_record(text) or is_pgn(text) or is_mat(text)


def is_sgf(text: str) -> bool:
    """Whether a text looks like SGF."""
    return re.match(r"\ufeff?\s*\(\s*;", text) is not None


def is_pgn(text: str) -> bool:
    """Whether a text looks like a game of chess in PGN."""
    return _PGN.match(text) is not None


def is_mat(text: str) -> bool:
    """Whether a text looks like a match of backgammon in .mat."""
    return re.search(r"^[ \t]*\d+ point match\b", text[:10_000], re.MULTILINE | re.IGNORECASE) is not None


def read_one(path: str, own: Sequence[Game] = ()) -> Record:
    """The one game in a file; a match of backgammon is one."""
    records = list(read_games(path, own))
    if len(records) != 1:
        records = [match_of(records)] if records and is_match(type(records[0].start)) else records
    if len(records) != 1:
        raise ValueError(f"{path} contains {len(records)} games: expected one")
    return records[0]


def is_match(cls: type) -> bool:
    """Whether a class is a match of backgammon, whose games are told one by one in files."""
    return is_ours(cls, "backgammon") and getattr(cls, "MATCH", 0) > 0


def match_of(records: Sequence[Record]) -> Record:
    """The games of a match joined into one.

    It begins after the last resignation, since a resigned game cannot be continued.
    """
    whole = records[0]
    for record in records[1:]:
        if type(record.start) is type(whole.start) and record.start == whole.state:
            at = len(whole.actions)
            said = tuple((at + number, text) for number, text in record.comments)
            headers = (*whole.headers, *(pair for pair in record.headers if pair not in whole.headers))
            whole = whole.play(*record.actions)._replace(headers=headers, comments=whole.comments + said)
            whole = whole._replace(result=record.result)
        else:
            whole = record
    return whole


def read_games(path: str, own: Sequence[Game] = ()) -> Iterator[Record]:
    """The games in a file one by one; a ValueError names the first unreadable one, after those before it.

    `own`: the user's own games, named along with the file.
    """
    text = read_text(path)
    if not text.strip():
        raise ValueError(f"{path} is empty: expected a game, as PGN, SGF, .mat or saved by `outplay play`")
    try:
        if is_sgf(text):
            yield from sgf_games(text)
        elif is_mat(text):
            yield from from_mat(text)
        elif is_pgn(text):
            yield from from_pgn(text)
        else:
            yield from read_each(text, functools.partial(named, own=own))
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


# --- PGN ------------------------------------------------------------------------------------------------


def from_pgn(text: str) -> Iterator[Record]:
    """The games in a PGN text; a one-line ValueError names the first unreadable one."""
    from outplay.games.chess.pgn import read_pgn

    for played in read_pgn(text):
        result = RESULTS.get(played.headers.get("Result", "*"))
        headers = tuple((key, value) for key, value in played.headers.items() if is_header(key))
        yield Record("chess", played.start, played.actions, result, played.comments, headers)


def to_pgn(record: Record) -> str:
    """A game of chess as PGN."""
    return f"{pgn_game(record)}\n"


def pgn_game(record: Record, **headers: str) -> "chess.pgn.Game":
    """A chess game as a python-chess object, to which annotations and headers can be added."""
    from outplay.games.chess.pgn import Played, annotatable

    if not is_ours(type(record.start), "chess"):
        raise ValueError(f"PGN is for chess, not for {record.game}")
    result = next((text for text, value in RESULTS.items() if value == record.result), "*")
    said = {TAGS.get(key, key): value for key, value in record.headers}
    tags = {key: value for key, value in said.items() if key[:1].isupper()}  # others are ours
    return annotatable(
        Played(record.start, record.actions, {"Result": result} | tags | headers, record.comments)
    )


# --- SGF ------------------------------------------------------------------------------------------------


def sgf_games(text: str) -> Iterator[Record]:
    """The games of an SGF file: one of Go, or those of a match of backgammon."""
    if re.search(r"GM\s*\[\s*6\s*\]", text[:10_000]):
        from outplay.games.backgammon.sgf import read_sgf

        yield from map(_backgammon, read_sgf(text))
    else:
        yield from_sgf(text)


def from_sgf(text: str) -> Record:
    """A game of Go from an SGF file; a one-line ValueError if it cannot be replayed."""
    from outplay.games.go import sgf

    played = sgf.read_sgf(text)
    headers = tuple(played.headers.items())
    record = Record(sgf.spec(type(played.start)), played.start, comments=played.comments, headers=headers)
    return record.play(*played.actions)


def to_sgf(record: Record) -> str:
    """A game of Go or of backgammon as SGF."""
    if is_ours(type(record.start), "backgammon"):
        from outplay.games.backgammon import sgf

        return sgf.write_sgf([_played(record)])
    from outplay.games.go.sgf import Played, result_text, write_sgf

    if not is_ours(type(record.start), "go"):
        raise ValueError(f"SGF is for Go and backgammon, not for {record.game}")
    over = result_text(record.state) if is_terminal(record.state) else ""
    return write_sgf(Played(record.start, record.actions, dict(record.headers), record.comments), over)


# --- .mat -----------------------------------------------------------------------------------------------


def from_mat(text: str) -> Iterator[Record]:
    """The games of a backgammon match; a one-line ValueError names the first that cannot be replayed."""
    from outplay.games.backgammon.mat import read_mat

    return map(_backgammon, read_mat(text))


def to_mat(*records: Record) -> str:
    """The games of a match of backgammon, one by one or as one."""
    from outplay.games.backgammon.mat import write_mat

    for record in records:
        if not is_ours(type(record.start), "backgammon"):
            raise ValueError(f".mat is for backgammon, not for {record.game}")
    return write_mat([_played(record) for record in records])


def _backgammon(played: "Played") -> Record:
    """A recorded game of backgammon as a record; a resigned one has a result too."""
    from outplay.games.backgammon.played import decided

    headers = tuple((key, value) for key, value in played.headers.items() if is_header(key))
    record = Record(spec(type(played.start)), played.start, comments=played.comments, headers=headers)
    record = record.play(*played.actions)
    return record if record.result is not None else record._replace(result=decided(played))


def _played(record: Record) -> "Played":
    from outplay.games.backgammon.played import Played

    return Played(record.start, record.actions, dict(record.headers), record.comments)


def other_texts(state: Any) -> list[str]:
    """A position in other programs' notations: in backgammon its GNUbg ID, and its XGID if it has one."""
    if not is_ours(type(state), "backgammon"):
        return []
    from outplay.games.backgammon.ids import gnubg_id
    from outplay.games.backgammon.xgid import write_xgid

    try:
        return [gnubg_id(state), write_xgid(state)]
    except ValueError:  # there is none for the opening roll and for a finished game
        return [gnubg_id(state)]


# --- any of them ----------------------------------------------------------------------------------------


def written(record: Record, name: str) -> str:
    """A game in the format of a file's suffix: .pgn, .sgf, .mat; otherwise as a record."""
    forms: dict[str, Callable[[Record], str]] = {".pgn": to_pgn, ".sgf": to_sgf, ".mat": to_mat}
    return forms.get(os.path.splitext(name)[1].lower(), write)(record)
