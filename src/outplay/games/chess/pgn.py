"""Files of chess: games as PGN, positions as EPD, read and written by way of python-chess."""

import io
from collections.abc import Iterator
from typing import NamedTuple

from outplay.games.chess.notation import action, board, move
from outplay.games.chess.position import Chess


class Played(NamedTuple):
    """A game of a PGN file: where it begins, its moves, and what the file says about it."""

    start: Chess
    actions: tuple[int, ...]
    headers: dict[str, str]
    comments: tuple[tuple[int, str], ...] = ()  # (how many actions before it, text)


class Puzzle(NamedTuple):
    """A position of an EPD file with its operations: `bm` and `am` are lists of actions, others are text."""

    state: Chess
    best: tuple[int, ...]
    avoid: tuple[int, ...]
    operations: dict[str, str]


def read_pgn(text: str) -> Iterator[Played]:
    """The games of a PGN text, variations left out; a ValueError says which one cannot be replayed."""
    import chess.pgn

    source = io.StringIO(text)
    number = 0
    while (game := chess.pgn.read_game(source)) is not None:
        number += 1
        if game.errors:
            raise ValueError(f"game {number}: {str(game.errors[0]).splitlines()[0]}")
        state = start = Chess.parse(game.board().fen())
        actions: list[int] = []
        comments = [(0, game.comment)]
        for node in game.mainline():
            actions.append(action(state, node.move))
            state = state.result(actions[-1])
            comments.append((len(actions), node.comment))
        said = tuple(comment for comment in comments if comment[1])
        yield Played(start, tuple(actions), dict(game.headers), said)


def write_pgn(played: Played) -> str:
    """One game as PGN, its moves in SAN."""
    import chess.pgn

    game = chess.pgn.Game(played.headers)
    if played.start != Chess():
        game.setup(board(played.start))
    node: chess.pgn.GameNode = game
    state = played.start
    said = dict(played.comments)
    game.comment = said.get(0, "")
    for number, made in enumerate(played.actions, 1):
        node = node.add_variation(move(state, made))
        node.comment = said.get(number, "")
        state = state.result(made)
    return f"{game}\n"


def read_epd(line: str) -> Puzzle:
    """A position with its operations: `... w - - bm Qg6; id "WAC.001";`."""
    import chess

    try:
        position, operations = chess.Board.from_epd(line, chess960=True)
    except ValueError as error:
        raise ValueError(f"not a line of EPD, {line.strip()[:90]!r}: {error}") from None
    state = Chess.parse(position.fen())
    best, avoid = (tuple(action(state, m) for m in operations.pop(name, ())) for name in ("bm", "am"))
    return Puzzle(state, best, avoid, {name: str(value) for name, value in operations.items()})
