"""Games and positions as text: read what the user pastes, write what the page exports."""

import re
from collections.abc import Sequence
from typing import Any

from outplay.game import is_terminal
from outplay.gamefile import (
    ROSTER,
    from_mat,
    is_mat,
    is_match,
    is_sgf,
    match_of,
    other_texts,
    pgn_game,
    sgf_games,
    to_mat,
    to_sgf,
)
from outplay.gamefile import from_pgn as read_pgn
from outplay.games import spec
from outplay.record import Record, position_text, read_all
from outplay.record import write as write_record
from outplay.ui.web import variations
from outplay.ui.web.catalogue import TREES, Catalogue, Refused, shown

_RECORD = re.compile(r"^\s*(?:#.*\n\s*)*game\s*:", re.IGNORECASE)
_PGN_TAG = re.compile(r"\ufeff?\s*\[(?:Event|Site|White|Black|FEN|Date|Round|Result|Variant) \"")
_PGN = re.compile(r"^\s*\[\w+ \"|^\s*1\s*\.", re.MULTILINE)
_RESULT = re.compile(r'^\s*\[(Result) "(1-0|0-1|1/2-1/2)"\]', re.MULTILINE)


def opened(catalogue: Catalogue) -> dict[str, Any] | None:
    """The saved game from the command line."""
    return None if catalogue.opened is None else _told(catalogue, catalogue.opened)


def read(catalogue: Catalogue, text: str, game: str) -> dict[str, Any]:
    """The game in a text, in the page's format; `game` is the current one."""
    if not text.strip():
        raise Refused("there is nothing to read: paste a game or a position")
    if _RECORD.match(text):
        records = read_all(text, lambda spec: catalogue.game(catalogue.by_spec(spec)))
        return _told(catalogue, records[0])
    if is_sgf(text) or is_mat(text):
        return _told(catalogue, _one(list(sgf_games(text) if is_sgf(text) else from_mat(text))))
    if (
        _PGN_TAG.match(text) or _is_chess(game) and _PGN.search(text)
    ):  # a PGN is chess, whatever the current game is
        return from_pgn(catalogue, text, game if _is_chess(game) else "chess")
    if text.lstrip().startswith("[[") or game in TREES:
        return _tree(catalogue, text)
    if not game:
        raise Refused("say which game it is: a record begins with `game: connect4`")
    state = catalogue.position(game, text.strip())
    if type(state) is not catalogue.game(game).cls:  # an XGID contains its rules
        game = catalogue.by_spec(spec(type(state)))
    return {"game": game, "start": position_text(state), "actions": [], "headers": {}}


def _one(records: list[Record]) -> Record:
    """The game to show: a whole match, or else the first of several games."""
    return match_of(records) if is_match(type(records[0].start)) else records[0]


def _is_chess(game: str) -> bool:
    return game.partition(":")[0] == "chess"


def _tree(catalogue: Catalogue, text: str) -> dict[str, Any]:
    game = "chancetree" if "chance" in text else "tree"
    state = catalogue.position(game, text.strip())
    return {"game": game, "start": position_text(state), "actions": [], "headers": {}}


def _told(catalogue: Catalogue, record: Record) -> dict[str, Any]:
    game = catalogue.by_spec(record.game)
    begins = record.start == catalogue.game(game).start
    return {
        "game": game,
        "start": "" if begins else position_text(record.start),
        "actions": [str(action) for action in record.actions],
        "headers": {key.lower(): value[:200] for key, value in record.headers},
        "tree": variations.line(record),
    }


def write(game: str, record: Record, form: str, tree: Sequence[Any] = ()) -> str:
    """The record as text; PGN with all variations."""
    if form == "record":
        return write_record(record).replace(f"game: {record.game}", f"game: {shown(record.game)}", 1)
    if form == "ids":
        return "\n".join(other_texts(record.state)) or position_text(record.state)
    if form in ("sgf", "mat"):
        return to_sgf(record) if form == "sgf" else to_mat(record)
    if not _is_chess(game):
        raise Refused("PGN is for chess; other games are written as records")
    return to_pgn(record, tree)


# --- PGN ------------------------------------------------------------------------------------------------


def from_pgn(catalogue: Catalogue, text: str, game: str) -> dict[str, Any]:
    """The first game of a PGN text, in the page's format."""
    played = next(read_pgn(text), None)
    if played is None or not (played.actions or "[" in text):
        raise Refused("no game was found in the PGN")
    begins = played.start == catalogue.game(game).start
    return {
        "game": game,
        "start": "" if begins else position_text(played.start),
        "actions": [str(action) for action in played.actions],
        "headers": {key.lower(): value[:200] for key, value in played.headers if key in ROSTER}
        | (
            {} if is_terminal(played.state) else dict(_RESULT.findall(text)[:1])
        ),  # by resignation or agreement
        "tree": variations.from_pgn(text, played),
    }


def to_pgn(record: Record, tree: Sequence[Any] = ()) -> str:
    """A chess game as PGN, with its variations."""
    game = pgn_game(record._replace(actions=()) if tree else record)
    variations.to_pgn(game, record.start, tree)
    return f"{game}\n"
