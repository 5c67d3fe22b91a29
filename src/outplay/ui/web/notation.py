"""Games and positions as text: what somebody pastes into the page, and what the page hands out."""

import re
import textwrap
from typing import Any

from outplay.game import action_text, parse_action
from outplay.record import Record, position_text, read_all
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
    if text.lstrip().startswith("[[") or game in TREES:
        return _tree(catalogue, text)
    if not game:
        raise Refused("say which game it is: a record begins with `game: connect4`")
    if game.startswith("chess") and _PGN.search(text):
        return read_pgn(catalogue, text, game)
    state = catalogue.position(game, text.strip())
    return {"game": game, "start": position_text(state), "actions": [], "headers": {}}


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
    if not game.startswith("chess"):
        raise Refused("PGN is for chess; other games are written as records")
    return write_pgn(record)


# --- PGN ------------------------------------------------------------------------------------------------


def read_pgn(catalogue: Catalogue, text: str, game: str) -> dict[str, Any]:
    """The first game of a PGN file; python-chess reads it, our rules replay it."""
    import io

    import chess.pgn

    parsed = chess.pgn.read_game(io.StringIO(text))
    if parsed is None:
        raise Refused("no game was found in the PGN")
    if parsed.errors:
        raise Refused(f"the PGN cannot be read: {parsed.errors[0]}")
    start = parsed.headers.get("FEN", "")
    state = catalogue.position(game, start)
    board, actions = parsed.board(), []
    for move in parsed.mainline_moves():
        actions.append(parse_action(state, board.san(move)))
        state = state.result(actions[-1])
        board.push(move)
    wanted = {key.lower(): value[:200] for key, value in parsed.headers.items() if key in PGN_HEADERS}
    return {"game": game, "start": start, "actions": [str(action) for action in actions], "headers": wanted}


PGN_HEADERS = ("Event", "Site", "Date", "Round", "White", "Black")


def write_pgn(record: Record) -> str:
    """A game of chess in the form that every chess program reads."""
    given = dict(record.headers)
    results = {1: "1-0", 0: "1/2-1/2", -1: "0-1"}
    result = "*" if record.result is None else results.get(int(record.result), "*")
    usual = {"White": given.get("first", "?"), "Black": given.get("second", "?"), "Date": "????.??.??"}
    tags = {key: given.get(key.lower(), usual.get(key, "?")) for key in PGN_HEADERS} | {"Result": result}
    if record.start != type(record.start)():
        tags |= {"SetUp": "1", "FEN": position_text(record.start)}
    words = []
    for number, state in enumerate(record.states()):
        if number < len(record.actions):
            move = number // 2 + 1
            words += [f"{move}."] if state.player() == 0 else [f"{move}..."] if number == 0 else []
            words.append(action_text(state, record.actions[number]))
    lines = [f'[{key} "{value}"]'.replace("\\", "") for key, value in tags.items()]
    return "\n".join([*lines, "", *textwrap.wrap(" ".join([*words, result]), 79)]) + "\n"
