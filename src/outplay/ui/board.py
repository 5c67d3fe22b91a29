"""Boards and values as text: in colour for a terminal, in plain ASCII for anything else."""

import inspect
import random
import reprlib
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from rich.text import Text

from outplay.game import Board, Cube, GameError, kind, legal, offers, state_text
from outplay.views import everybody, is_everybody

MAX_COLOUR, MIN_COLOUR = "#ffd54a", "#5fd0ff"
SQUARES = ("on #2b2f3a", "on #4a5268")  # of a plain board, and of cells that the last move changed
DARK, LIGHT = ("on #3f5a3c", "on #54764f"), ("on #8b937c", "on #a0a98e")  # the same on a checkered board


def picture(state: Any, before: Any = None, eyes: Sequence[int] | None = None, flipped: bool = False) -> Text:
    """The state's board in colour, with the cells marked that changed since the state before.

    `eyes`: the seats that see the board, in games of imperfect information; None: all. `flipped`: from the other side.
    """
    board = board_of(state, eyes)
    if board is None:
        return Text(words_for(state, eyes))
    old = board_of(before, eyes) if before is not None else None
    if flipped:
        board, old = turned(board), None if old is None else turned(old)
    rank_width = max(map(len, board.ranks), default=0)
    text = Text()
    for r, row in enumerate(board.rows):
        text.append(f"  {board.ranks[r] if board.ranks else '':>{rank_width}} ", "dim")
        for c, cell in enumerate(row):
            changed = old is not None and _cell(old, r, c) not in (cell, None)
            face = "·" if cell == " " and not board.checkered else cell
            text.append(f" {face} ", f"{_colour(board, cell)} {_square(board, r, c, changed)}")
        text.append("\n")
    if board.files:
        text.append(" " * (rank_width + 3) + "".join(f"{label:^3}" for label in board.files) + "\n", "dim")
    text.append("".join(f"  {line}\n" for line in _beside(board)).rstrip("\n"))
    return text


def plain(state: Any, eyes: Sequence[int] | None = None, flipped: bool = False) -> str:
    """The state's board in ASCII, a dot for an empty cell."""
    board = board_of(state, eyes)
    if board is None:
        return words_for(state, eyes)
    board = turned(board) if flipped else board
    rank_width = max(map(len, board.ranks), default=0)
    width = max(map(len, board.files), default=1)
    lines = [
        f"  {board.ranks[r] if board.ranks else '':>{rank_width}} "
        + " ".join(f"{cell if cell != ' ' else '.':>{width}}" for cell in row)
        for r, row in enumerate(board.rows)
    ]
    if board.files:
        lines.append(" " * (rank_width + 3) + " ".join(f"{label:>{width}}" for label in board.files))
    return "\n".join(line.rstrip() for line in [*lines, *(f"  {line}" for line in _beside(board))])


def turned(board: Board) -> Board:
    """A board seen from the other side."""
    rows = tuple(row[::-1] for row in reversed(board.rows))
    return board._replace(rows=rows, ranks=board.ranks[::-1], files=board.files[::-1])


def _beside(board: Board) -> list[str]:
    """The lines below a grid: the hands of a card game, and the note."""
    held = [f"{board.sides[side] or ('MAX', 'MIN')[side]} holds {board.hands[side]}" for side in (0, 1)]
    return [*(["   ".join(held)] if board.style == "cards" else []), *([board.note] if board.note else [])]


def board_of(state: Any, eyes: Sequence[int] | None = None) -> Board | None:
    """The state's board for the players who see it; None if its class draws none.

    A class with imperfect information (`percept`) gets the seats that look: `board(eyes)`.
    """
    cls = type(state)
    if not offers(cls, "board"):
        return None
    if kind(cls).hidden and "eyes" in inspect.signature(cls.board).parameters:
        drawn = state.board(everybody(cls) if eyes is None else eyes)
    elif not kind(cls).hidden or is_everybody(cls, eyes):
        drawn = state.board()
    else:
        return None
    return _checked(drawn, cls)


def _checked(drawn: Any, cls: type) -> Board:
    """A class's board, checked."""
    if not isinstance(drawn, Board):
        raise GameError(
            f"{cls.__name__}.board() returned a {type(drawn).__name__}: return outplay.Board(rows, ...)"
        )
    for field, (fits, wanted) in _FIELDS.items():
        if not fits(given := getattr(drawn, field)):
            raise GameError(f"{cls.__name__}.board(): {field} must be {wanted}, not {reprlib.repr(given)}")
    if drawn.ranks and len(drawn.ranks) < len(drawn.rows):
        raise GameError(f"{cls.__name__}.board(): ranks must name all {len(drawn.rows)} rows, or none")
    return drawn


def _texts(given: Any) -> bool:
    return isinstance(given, Sequence) and all(isinstance(text, str) for text in given)


def _pair(given: Any) -> bool:
    return _texts(given) and len(given) == 2


def _text(given: Any) -> bool:
    return isinstance(given, str)


def _named(given: Any) -> bool:
    return isinstance(given, Mapping) and _texts([*given, *given.values()])


def _squares(given: Any) -> bool:
    return isinstance(given, Sequence) and all(
        isinstance(square, Sequence) and len(square) == 2 and all(isinstance(n, int) for n in square)
        for square in given
    )


def _cell_names(given: Any) -> bool:
    return isinstance(given, Mapping) and _squares([*given]) and _texts([*given.values()])


def _dice(given: Any) -> bool:
    return isinstance(given, Sequence) and all(isinstance(n, int) and 1 <= abs(n) <= 6 for n in given)


_FIELDS: dict[str, tuple[Callable[[Any], bool], str]] = {
    "rows": (_texts, "a tuple of texts"),
    "ranks": (_texts, "a tuple of texts"),
    "files": (_texts, "a tuple of texts"),
    "owners": (_pair, "two texts"),
    "note": (_text, "a text"),
    "style": (_text, "a text"),
    "shapes": (_named, "a dict of texts"),
    "sides": (_pair, "two texts"),
    "hands": (_pair, "two texts"),
    "marks": (_squares, "pairs of a row and a column"),
    "names": (_cell_names, "a dict of texts by pairs of a row and a column"),
    "dice": (_dice, "a tuple of ints from 1 to 6, MIN's negative"),
    "cube": (lambda given: given is None or isinstance(given, Cube), "a Cube or None"),
    "counts": (_pair, "two texts"),
}


def words_for(state: Any, eyes: Sequence[int] | None = None) -> str:
    """The text for a state that draws no board."""
    if not kind(type(state)).hidden or is_everybody(type(state), eyes):
        return state_text(state)
    return f"{type(state).__name__} does not say what a player sees: give it board(eyes)"


def _cell(board: Board, r: int, c: int) -> str | None:
    return board.rows[r][c] if r < len(board.rows) and c < len(board.rows[r]) else None


def owner(board: Board, symbol: str) -> int | None:
    """The owner of a symbol's piece: MAX (0), MIN (1) or nobody."""
    return next((side for side in (0, 1) if symbol in board.owners[side]), None)


def _colour(board: Board, cell: str) -> str:
    if cell == " ":
        return "#5c6370"
    side = owner(board, cell)
    return "#b8bcc8" if side is None else f"bold {(MAX_COLOUR, MIN_COLOUR)[side]}"


def _square(board: Board, r: int, c: int, changed: bool) -> str:
    if not board.checkered:
        return SQUARES[changed]
    return (LIGHT, DARK)[(r + c) % 2][changed]


# --- values ---------------------------------------------------------------------------------------------

BAR = 24  # cells


def value_bar(share: float, text: str, names: tuple[str, str] = ("MAX", "MIN")) -> Text:
    """A bar with MAX's share, from 0 to 1, and a text."""
    full = round(share * BAR)
    bar = Text("  ")
    bar.append(f"{names[0]} " + "█" * full, MAX_COLOUR)
    bar.append("█" * (BAR - full) + f" {names[1]}", MIN_COLOUR)
    return bar.append(f"  {text}", "bold")


def share(value: float, scale: float, proven: bool = False) -> float:
    """MAX's share for a value: all of it for a proven win, three quarters for a value of `scale`."""
    if proven and value:
        return float(value > 0)
    return (1 + value / (abs(value) + scale)) / 2


def scale_of(start: Any) -> float:
    """The largest evaluation in a few random games, as the scale of a large advantage. At least 1."""
    rng, largest = random.Random(0), 1.0
    for _ in range(5):
        state = start
        for _ in range(100):
            actions = legal(state) if hasattr(state, "evaluate") else []
            if not actions:
                break
            state = state.result(rng.choice(actions))
            largest = max(largest, abs(state.evaluate()))
    return largest


def value_text(value: float) -> str:
    """`+3`, `-0.25`, `0`."""
    return f"{value:+.6g}" if value else "0"
