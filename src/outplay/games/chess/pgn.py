"""Files of chess: games as PGN, positions as EPD, read and written by way of python-chess."""

import io
import itertools
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple, TextIO

from outplay.games.chess.notation import action, board, move
from outplay.games.chess.position import Chess

if TYPE_CHECKING:
    import chess.pgn


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
    source = io.StringIO(text)
    for number in itertools.count(1):
        try:
            played = read_next(source)
        except ValueError as error:
            raise ValueError(f"game {number}: {error}") from None
        if played is None:
            return
        yield played


def read_next(source: TextIO) -> Played | None:
    """The next game, None after the last; a ValueError if it cannot be replayed."""
    import chess.pgn

    game = chess.pgn.read_game(source)
    if game is None:
        return None
    if game.errors:
        raise ValueError(str(game.errors[0]).splitlines()[0])
    state = start = Chess.parse(game.board().fen())
    actions: list[int] = []
    comments = [(0, game.comment)]
    for node in game.mainline():
        actions.append(action(state, node.move))
        state = state.result(actions[-1])
        comments.append((len(actions), node.comment))
    said = tuple(comment for comment in comments if comment[1])
    return Played(start, tuple(actions), dict(game.headers), said)


def write_pgn(played: Played) -> str:
    """One game as PGN, its moves in SAN."""
    return f"{annotatable(played)}\n"


def annotatable(played: Played) -> "chess.pgn.Game":
    """The game as python-chess has it: its `mainline` are the moves, to write more about them."""
    import chess.pgn

    game = chess.pgn.Game()
    game.headers.update(played.headers)
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
    return game


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
