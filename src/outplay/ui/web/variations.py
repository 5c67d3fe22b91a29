"""A game as a move tree: variations, comments and annotation glyphs, as the page stores them and PGN writes them.

The tree is a list of moves, each with the index of the move before it (`up`, -1 for a first move). Unlike nested data
this has no depth limit. Of several moves after the same one, the first is the main line.
"""

import io
import logging
from collections.abc import Iterator, Sequence
from typing import Any

from outplay.record import Record
from outplay.ui.web.catalogue import Refused

MOST = 4_000  # the most moves of a tree to read
SIGNS = {1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}  # by NAG number
BRACES = str.maketrans("{}", "()")  # a brace ends a PGN's comment
NUMBERS = {sign: number for number, sign in SIGNS.items()}


def line(record: Record) -> list[dict[str, Any]]:
    """A record as a tree: a single line with its comments."""
    told = dict(record.comments)
    return [
        _move(number - 1, action, told.get(number + 1, "")) for number, action in enumerate(record.actions)
    ]


def _move(up: int, action: int, comment: str = "", sign: str = "") -> dict[str, Any]:
    move: dict[str, Any] = {"up": up, "action": str(action)}
    return move | ({"comment": comment[:2000]} if comment else {}) | ({"sign": sign} if sign else {})


def from_pgn(text: str, record: Record) -> list[dict[str, Any]]:
    """The tree of the first game of a PGN text, whose main line is the record's."""
    import chess.pgn

    logging.getLogger("chess.pgn").setLevel(logging.CRITICAL)  # unreadable parts are skipped
    game = chess.pgn.read_game(io.StringIO(text.removeprefix("\ufeff")))
    found = [] if game is None else list(_walk(game, record.start))
    main, at = [], -1
    for number, move in enumerate(found):
        if move["up"] == at:
            main.append(int(move["action"]))
            at = number
    return found if tuple(main) == record.actions else line(record)


def _walk(game: Any, start: Any) -> Iterator[dict[str, Any]]:
    """The moves of a python-chess game: the main line first, then the variations of each of its moves."""
    from outplay.games.chess.notation import action

    waiting: list[tuple[Any, Any, int]] = [(node, start, -1) for node in reversed(game.variations)]
    told = 0
    while waiting and told < MOST:
        node, state, up = waiting.pop()
        made = action(state, node.move)
        sign = next((SIGNS[nag] for nag in sorted(node.nags) if nag in SIGNS), "")
        yield _move(up, made, node.comment.strip(), sign)
        after, here = state.result(made), told
        told += 1
        waiting += [(below, after, here) for below in reversed(node.variations)]


def paths(tree: Sequence[Any]) -> Iterator[tuple[int, list[int]]]:
    """Every move of a tree (schema.Branch): its number and the actions that lead to it."""
    known: dict[int, list[int]] = {-1: []}
    for number, move in enumerate(tree):
        if move.up not in known or not isinstance(move.action, int):
            raise Refused(f"move {number} of the tree follows no move before it")
        known[number] = [*known[move.up], move.action]
        yield number, known[number]


def to_pgn(game: Any, start: Any, tree: Sequence[Any]) -> None:
    """Add the moves of a checked tree to an empty python-chess game."""
    from outplay.games.chess.notation import move as move_of

    nodes: dict[int, Any] = {-1: game}
    states: dict[int, Any] = {-1: start}
    for number, move in enumerate(tree):
        state = states[move.up]
        comment = move.comment.translate(BRACES)
        node = nodes[move.up].add_variation(move_of(state, move.action), comment=comment)
        if move.sign:
            node.nags.add(NUMBERS[move.sign])
        nodes[number], states[number] = node, state.result(move.action)
