"""Games and positions as text: what somebody pastes into the page, and what the page hands out."""

import re
from typing import Any

from outplay.record import Record, from_sgf, is_sgf, position_text, read_all, to_sgf
from outplay.record import write as write_record
from outplay.ui.web.catalogue import TREES, Catalogue, Refused

_RECORD = re.compile(r"^\s*(?:#.*\n\s*)*game\s*:", re.IGNORECASE)
_PGN = re.compile(r"^\s*\[\w+ \"|^\s*1\s*\.", re.MULTILINE)


def opened(catalogue: Catalogue) -> dict[str, Any] | None:
    """The saved game that the server was started with."""
    return None if catalogue.opened is None else _told(catalogue, catalogue.opened)


def read(catalogue: Catalogue, text: str, game: str) -> dict[str, Any]:
    """The game that a text holds, as the page asks for it; `game` is the one on the page."""
    if not text.strip():
        raise Refused("there is nothing to read: paste a game or a position")
    if _RECORD.match(text):
        records = read_all(text, lambda spec: catalogue.game(catalogue.by_spec(spec)))
        return _told(catalogue, records[0])
    if is_sgf(text):
        return _told(catalogue, from_sgf(text))
    if text.lstrip().startswith("[[") or game in TREES:
        return _tree(catalogue, text)
    if not game:
        raise Refused("say which game it is: a record begins with `game: connect4`")
    if _is_chess(game) and _PGN.search(text):
        return from_pgn(catalogue, text, game)
    state = catalogue.position(game, text.strip())
    return {"game": game, "start": position_text(state), "actions": [], "headers": {}}


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
        "headers": dict(record.headers),
    }


def write(game: str, record: Record, form: str) -> str:
    """The record as text."""
    if form == "record":
        return write_record(record)
    if form == "sgf":
        return to_sgf(record)
    if not _is_chess(game):
        raise Refused("PGN is for chess; other games are written as records")
    return to_pgn(record)


# --- PGN ------------------------------------------------------------------------------------------------

PGN_HEADERS = ("Event", "Site", "Date", "Round", "White", "Black")
RESULTS = {None: "*", 1: "1-0", 0: "1/2-1/2", -1: "0-1"}


def from_pgn(catalogue: Catalogue, text: str, game: str) -> dict[str, Any]:
    """The first game of a PGN text, as the page asks for it."""
    from outplay.games.chess.pgn import read_pgn

    played = next(read_pgn(text), None)
    if played is None or not (played.actions or "[" in text):
        raise Refused("no game was found in the PGN")
    begins = played.start == catalogue.game(game).start
    return {
        "game": game,
        "start": "" if begins else position_text(played.start),
        "actions": [str(action) for action in played.actions],
        "headers": {key.lower(): value[:200] for key, value in played.headers.items() if key in PGN_HEADERS},
    }


def to_pgn(record: Record) -> str:
    """A game of chess in the form that every chess program reads."""
    from outplay.games.chess.pgn import Played, write_pgn

    given = dict(record.headers)
    usual = {"White": given.get("first", "?"), "Black": given.get("second", "?"), "Date": "????.??.??"}
    headers = {key: given.get(key.lower(), usual.get(key, "?")) for key in PGN_HEADERS}
    headers["Result"] = RESULTS[None if record.result is None else int(record.result)]
    return write_pgn(Played(record.start, record.actions, headers))
