"""A board as SVG, for notebooks and the web page.

It is drawn from the game's own description (`outplay.game.Board`). The picture contains no colours: its parts have
classes, and `web/static/board.css` styles them, for light and dark pages. The page loads that file; a notebook's
picture embeds it.
"""

import math
from collections.abc import Collection
from functools import cache
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

from outplay.game import Board, Cube, state_text
from outplay.ui.board import board_of, owner

CELL = 60  # the width of a cell in units; shapes are drawn about its middle
RANK, FILE = 26, 26  # space for the labels
STORE = 84  # the width of a kalah
TRAY = 96  # beside a backgammon board: the cube, checkers borne off, pips
PAD = 8  # the margin
LARGE = 12  # labels are larger on boards with more columns
BAR = 16 * CELL // 2  # the length of a full bar

Square = tuple[int, int]  # row and column, as in Board.rows


def svg(state: Any) -> str:
    """The state's board as a self-contained picture."""
    board = board_of(state)
    if board is None or not board.rows:
        return _words(board.note if board is not None and board.note else state_text(state))
    return draw(board, style=_css())


def draw(
    board: Board,
    last: Collection[Square] = (),
    taken: Collection[Square] = (),
    flipped: bool = False,
    style: str = "",
) -> str:
    """The picture of a board: `last` are the cells of the last move, `taken` those where it captured.

    With the board flipped, MIN sits at the bottom. Every cell and piece has its coordinates (`data-at`), a cell also
    its name and content for screen readers.
    """
    place = _Place(board, flipped and board.style != "frame")  # pieces fall downwards
    parts = {"bars": _bars, "pits": _pits}.get(board.style, _grid)(board, place, set(last), set(taken))
    checkered = " checkered" if board.checkered else ""
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board {escape(board.style)}{checkered}" role="img" '
        f'aria-label="{escape(board.note)}" viewBox="0 0 {place.width} {place.height}" '
        f'width="{place.width}" height="{place.height}">'
        f"{f'<style>{style}</style>' if style else ''}{''.join(parts)}</svg>"
    )


@cache
def _css() -> str:
    return (Path(__file__).parent / "web/static/board.css").read_text(encoding="utf-8")


def _words(text: str) -> str:
    """A picture of a line of text, for games that draw no grid."""
    width = 24 + 9 * len(text)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board words" width="{width}" height="44" '
        f'viewBox="0 0 {width} 44"><style>{_css()}</style><text x="12" y="28">{escape(text)}</text></svg>'
    )


class _Place:
    """The places of a board's cells in its picture."""

    def __init__(self, board: Board, flipped: bool) -> None:
        self.board, self.flipped = board, flipped
        self.rows = len(board.rows)
        self.columns = max(map(len, board.rows), default=0)
        side = STORE if board.style == "pits" else 0
        self.left = PAD + (RANK if board.ranks and not board.names else 0) + side
        self.top = FILE if board.style == "points" and board.files else PAD
        if board.style == "bars":
            self.width, self.height = self.left + BAR + 60 + PAD, 2 * PAD + CELL * self.rows
        else:
            side = TRAY if board.style == "points" else side
            self.width = self.left + CELL * self.columns + PAD + side
            self.height = self.top + CELL * self.rows + (FILE if board.files else PAD)

    def corner(self, r: int, c: int) -> tuple[int, int]:
        """The upper left corner of a cell."""
        if self.flipped:
            r, c = self.rows - 1 - r, self.columns - 1 - c
        return self.left + CELL * c, self.top + CELL * r

    def labels(self) -> list[str]:
        """The names of rows and columns; larger on a large board, whose picture is scaled down."""
        kind = "label large" if self.columns > LARGE else "label"
        parts = []
        for r, name in enumerate(self.board.ranks if not self.board.names else ()):
            parts.append(_text(kind, PAD + RANK / 2 - 2, self.corner(r, 0)[1] + CELL / 2 + 5, name))
        for c, name in enumerate(self.board.files):
            bottom = self.top + CELL * self.rows + 18
            x = self.corner(0, c)[0] + CELL / 2
            parts.append(_text(kind, x, bottom, name))
            if self.board.style == "points" and name:
                parts.append(_text(kind, x, self.top - 8, str(25 - int(name))))
        return parts


class _Cell(NamedTuple):
    """A cell of the grid with its description."""

    at: Square
    symbol: str
    name: str  # "e4", or "row 1, column 2"
    piece: str  # "white pawn"; "" if empty
    classes: str


def _cells(board: Board, last: set[Square], taken: set[Square]) -> list[_Cell]:
    cells = []
    for r, row in enumerate(board.rows):
        for c, symbol in enumerate(row):
            marks = {"last": last, "taken": taken, "mark": set(board.marks)}
            classes = [name for name, squares in marks.items() if (r, c) in squares]
            classes += ["dark"] if board.checkered and (r + c) % 2 else []
            cells.append(
                _Cell((r, c), symbol, _name(board, r, c), piece_name(board, symbol), " ".join(classes))
            )
    return cells


def _point_name(board: Board, r: int, c: int) -> str:
    """The name of a backgammon cell: its point in MAX's numbering."""
    middle, bar = len(board.rows) // 2, len(board.rows[0]) // 2
    if r == middle:
        return "between the points"
    if c == bar:
        return "bar"
    below = 2 * bar - c + (c > bar)  # the points below, from right to left
    return f"point {below if r > middle else 4 * bar + 1 - below}"


def _name(board: Board, r: int, c: int) -> str:
    if (r, c) in board.names:
        return board.names[r, c]
    if board.style == "points":
        return _point_name(board, r, c)
    file = board.files[c] if c < len(board.files) else ""
    rank = board.ranks[r] if r < len(board.ranks) else ""
    if file and rank and (file + rank).isalnum() and not (file + rank).isdecimal():
        return file + rank
    return f"row {r + 1}, column {c + 1}"


def piece_name(board: Board, symbol: str) -> str:
    """The piece on a cell in words; empty for an empty cell."""
    if symbol == " ":
        return ""
    shape = board.shapes.get(symbol, symbol)
    return f"{shape} {symbol}" if shape in ("disc",) else shape


def _grid(board: Board, place: _Place, last: set[Square], taken: set[Square]) -> list[str]:
    cells = _cells(board, last, taken)
    edge = f'width="{CELL * place.columns}" height="{CELL * place.rows}"'
    parts = [f'<rect class="table" x="{place.left}" y="{place.top}" {edge} rx="4"/>']
    parts += [_square(board, place, cell) for cell in cells]
    if board.style == "lines":
        parts.append(_crossings(place))
    if board.style == "points":
        parts.append(_triangles(place))
    parts += place.labels()
    parts += [_figure(board, place, cell) for cell in cells if cell.symbol != " "]
    if board.style == "points":
        parts += _beside(board, place) + _dice(board, place)
    return parts


def _square(board: Board, place: _Place, cell: _Cell) -> str:
    x, y = place.corner(*cell.at)
    inset = 0 if board.checkered or board.style in ("frame", "lines", "points") else 1
    edge = f'x="{x + inset}" y="{y + inset}" width="{CELL - 2 * inset}" height="{CELL - 2 * inset}"'
    hole = f'<circle class="hole" cx="{x + 30}" cy="{y + 30}" r="24"/>' if board.style == "frame" else ""
    says = escape(" ".join(filter(None, [cell.name + (":" if cell.piece else ""), cell.piece])))
    label = _text("number", x + 5, y + 15, cell.name) if cell.at in board.names else ""
    return (
        f'<g class="cell {cell.classes}" data-at="{cell.at[0]},{cell.at[1]}" data-says="{says}">'
        f'<rect class="square" {edge}/>{hole}{label}</g>'
    )


def _crossings(place: _Place) -> str:
    """The lines of a Go board, on whose crossings the stones stand."""
    x0, y0 = place.left + CELL // 2, place.top + CELL // 2
    x1, y1 = x0 + CELL * (place.columns - 1), y0 + CELL * (place.rows - 1)
    across = "".join(f"M{x0} {y0 + CELL * r}H{x1}" for r in range(place.rows))
    down = "".join(f"M{x0 + CELL * c} {y0}V{y1}" for c in range(place.columns))
    stars = (
        f'<circle class="star" cx="{x0 + CELL * c}" cy="{y0 + CELL * r}" r="5"/>' for r, c in _stars(place)
    )
    return f'<path class="crossings" d="{across}{down}"/>' + "".join(stars)


def _triangles(place: _Place) -> str:
    """The points of a backgammon board, at the top and the bottom, and the bar between its halves."""
    middle, high = place.columns // 2, CELL * (place.rows // 2)
    top, bottom = place.top, place.top + CELL * place.rows
    parts = [
        f'<rect class="rail" x="{place.left + CELL * middle}" y="{top}" width="{CELL}" height="{bottom - top}"/>'
    ]
    for column in range(place.columns):
        x = place.left + CELL * column
        for row, (base, tip) in enumerate(((top, top + high), (bottom, bottom - high))):
            shade = ("light", "deep")[(column + row + (column > middle)) % 2]
            if column != middle:
                parts.append(
                    f'<path class="point {shade}" d="M{x + 2} {base}L{x + CELL // 2} {tip}L{x + CELL - 2} {base}Z"/>'
                )
    return "".join(parts)


def _beside(board: Board, place: _Place) -> list[str]:
    """The tray of a backgammon board: checkers borne off, pip counts, and the cube on its owner's side."""
    x, high = place.left + CELL * place.columns + 6, CELL * place.rows
    parts = [f'<rect class="rail" x="{x}" y="{place.top}" width="{TRAY - 6}" height="{high}" rx="4"/>']
    for side in (0, 1):
        below = (side == 0) != place.flipped
        count = int(board.hands[side]) if board.hands[side].isdecimal() else 0
        for i in range(count):
            y = place.top + (high - 17 - 12 * i if below else 7 + 12 * i)
            classes = f"off {colour_of(board, side)} {('max', 'min')[side]}"
            parts.append(
                f'<g class="{classes}"><rect class="body" x="{x + 12}" y="{y}" width="66" height="10" rx="3"/></g>'
            )
        middle = place.top + high / 2 + (62 if below else -54)
        parts.append(_text("count", x + TRAY / 2 - 3, middle, board.counts[side]))
    if board.cube is not None:
        parts.append(_cube(board.cube, place))
    return parts


def _cube(cube: Cube, place: _Place) -> str:
    """The doubling cube: in the tray, or in front of the side that must answer a double."""
    middle = place.top + CELL * place.rows / 2
    if cube.offered is not None:
        column = (9.5 if cube.offered == 0 else 2.5) * CELL + CELL / 2
        x = place.left + (CELL * place.columns - column if place.flipped else column)
        y = middle
    else:
        x = place.left + CELL * place.columns + TRAY / 2 + 3
        towards = 0 if cube.owner is None else 105 if (cube.owner == 0) != place.flipped else -105
        y = middle + towards
    classes = "cube offered" if cube.offered is not None else "cube"
    says = f"the cube shows {cube.value}"
    return (
        f'<g class="{classes}" role="img" aria-label="{says}" transform="translate({x:.1f} {y:.1f})">'
        f'<rect x="-22" y="-22" width="44" height="44" rx="7"/><text y="8">{cube.value}</text></g>'
    )


SPOTS = {  # of the faces of a die, in thirds of its width from its middle
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _dice(board: Board, place: _Place) -> list[str]:
    """The dice, MAX's on the right half of the board, MIN's on the left half."""
    parts = []
    for i, die in enumerate(board.dice):
        column = (9 if die > 0 else 2) + i
        x, y = place.corner(place.rows // 2, column)
        spots = "".join(f'<circle cx="{12 * a}" cy="{12 * b}" r="4.4"/>' for a, b in SPOTS[abs(die)])
        parts.append(
            f'<g class="die {("max", "min")[die < 0]}" role="img" aria-label="{abs(die)}" '
            f'transform="translate({x + 30} {y + 30})"><rect x="-21" y="-21" width="42" height="42" rx="8"/>{spots}</g>'
        )
    return parts


def _stars(place: _Place) -> list[Square]:
    """The star points of a Go board: on the third lines of a small one, the fourth of a large one, and the middles."""
    size = place.rows
    if size != place.columns or size < 7 or size % 2 == 0:
        return []
    edge, middle = (2 if size < LARGE else 3), size // 2
    ends = [(r, c) for r in (edge, size - 1 - edge) for c in (edge, size - 1 - edge)]
    sides = [(r, c) for r in (edge, middle, size - 1 - edge) for c in (edge, middle, size - 1 - edge)]
    return sides if size > 13 else [*ends, (middle, middle)]


def _figure(board: Board, place: _Place, cell: _Cell) -> str:
    """A piece: its shape, or else its letter, in its owner's colour."""
    x, y = place.corner(*cell.at)
    classes, drawn = glyph(board, cell.symbol)
    if board.style == "points" and cell.symbol.isalnum() and owner(board, cell.symbol) is None:
        classes, drawn = _topmost(board, cell)
    if board.style == "lines" and {"last", "mark"} & set(cell.classes.split()):
        drawn += '<circle class="newest" r="8"/>'  # the square below is transparent
    at = f"{cell.at[0]},{cell.at[1]}"
    return f'<g class="{escape(classes)}" data-at="{at}" transform="translate({x + 30} {y + 30})">{drawn}</g>'


def _topmost(board: Board, cell: _Cell) -> tuple[str, str]:
    """The topmost checker of a stack that is too high to draw, with the number of checkers."""
    (r, c), rows = cell.at, board.rows
    below = next(
        (rows[n][c] for n in (r - 1, r + 1) if 0 <= n < len(rows) and rows[n][c] in "".join(board.owners)), ""
    )
    classes, drawn = glyph(board, below)
    return classes, f'{drawn}<text class="initial" y="8">{int(cell.symbol, 16)}</text>'


def glyph(board: Board, symbol: str) -> tuple[str, str]:
    """The classes of a piece, and its drawing about (0, 0)."""
    colour, _, shape = board.shapes.get(symbol, "").rpartition(" ")
    drawn = SHAPES.get(shape)
    if drawn is None:
        drawn = f'<text class="letter" y="12">{escape(symbol)}</text>'
    elif shape == "disc":
        drawn += f'<text class="emboss" y="7">{escape(symbol)}</text>'
    side = owner(board, symbol)
    return " ".join(
        filter(None, ["piece", shape, colour, "" if side is None else ("max", "min")[side]])
    ), drawn


def colour_of(board: Board, side: int) -> str:
    """A side's colour: "white", "black", or the page's own colour for it."""
    for symbol in board.owners[side]:
        colour = board.shapes.get(symbol, "").rpartition(" ")[0]
        if colour in ("white", "black"):
            return colour
    named = board.sides[side].lower()
    return named if named in ("white", "black") else ("max", "min")[side]


def _pits(board: Board, place: _Place, last: set[Square], taken: set[Square]) -> list[str]:
    """A mancala board: pits with seeds, and the players' stores at the ends."""
    high = CELL * place.rows
    whole = f'width="{CELL * place.columns + 2 * STORE}" height="{high}"'
    parts = [f'<rect class="table" x="{place.left - STORE}" y="{place.top}" {whole} rx="34"/>']
    ends = (place.left + CELL * place.columns + 6, place.left - STORE + 6)  # MAX's store is on the right
    for side, x in enumerate(reversed(ends) if place.flipped else ends):
        box = f'x="{x}" y="{place.top + 10}" width="{STORE - 12}" height="{high - 20}" rx="30"'
        parts.append(f'<rect class="store" {box}/>')
        count = int(board.hands[side]) if board.hands[side].isdecimal() else 0
        parts.append(_seeds(x + STORE / 2 - 6, place.top + high / 2 - 8, count, 26, 30))
        middle = x + STORE / 2 - 6
        parts.append(_text("count store-count", middle, place.top + high - 20, board.hands[side]))
    for cell in _cells(board, last, taken):
        x, y = place.corner(*cell.at)
        count = int(cell.symbol, 36) if cell.symbol.isalnum() else 36
        parts.append(
            f'<g class="cell pit {cell.classes}" data-at="{cell.at[0]},{cell.at[1]}" '
            f'data-says="{escape(_pit_name(board, cell.at))}: {count}">'
            f'<rect class="square" x="{x}" y="{y}" width="{CELL}" height="{CELL}"/>'
            f'<circle class="hole" cx="{x + 30}" cy="{y + 30}" r="26"/>{_seeds(x + 30, y + 27, count, 15, 15)}'
            f"{_text('count', x + 30, y + 54, str(count) if count < 36 else '36+')}</g>"
        )
    return parts + place.labels()


def _pit_name(board: Board, at: Square) -> str:
    rank = board.ranks[at[0]] if at[0] < len(board.ranks) else ""
    return f"{rank} {board.files[at[1]]}".strip() if at[1] < len(board.files) else rank


def _seeds(x: float, y: float, count: int, across: float, down: float) -> str:
    """Seeds in a hollow, in rings about its middle; the number shows how many there are."""
    dots = []
    for i in range(min(count, 24)):
        turn, reach = 2.399963 * i, (i / 24) ** 0.5  # the golden angle: they never line up
        dots.append((x + across * reach * math.cos(turn), y + down * reach * math.sin(turn)))
    return "".join(f'<circle class="seed" cx="{a:.1f}" cy="{b:.1f}" r="4.2"/>' for a, b in dots)


def _bars(board: Board, place: _Place, last: set[Square], taken: set[Square]) -> list[str]:
    """A race: a bar for each row, as long as its number of full cells, with the player's score."""
    parts = []
    for r, row in enumerate(board.rows):
        y = place.top + CELL * r + 14
        full = BAR / max(len(row), 1)
        parts.append(f'<rect class="track" x="{place.left}" y="{y}" width="{BAR}" height="32" rx="8"/>')
        for c, symbol in enumerate(row.rstrip()):
            side = owner(board, symbol)
            kind = "hope" if side is None else ("max", "min")[side]
            box = f'x="{place.left + full * c + 1:.1f}" y="{y}" width="{full - 2:.1f}" height="32" rx="4"'
            parts.append(f'<rect class="bar {kind}" {box}/>')
        parts.append(_text("count", place.left + BAR + 32, y + 23, board.hands[r] if r < 2 else ""))
    return parts + place.labels()


def _text(kind: str, x: float, y: float, words: str) -> str:
    return f'<text class="{kind}" x="{x:.1f}" y="{y:.1f}">{escape(words)}</text>' if words else ""


# --- shapes ---------------------------------------------------------------------------------------------
# Each is drawn about (0, 0) in a cell from -30 to 30. `body` has the piece's colour, `detail` is a line on it.

_BASE = '<path class="body" d="M-17 22Q-17 17 -12 16H12Q17 17 17 22V24H-17Z"/>'

SHAPES = {
    "disc": '<circle class="body" r="23"/><circle class="rim" r="17"/>',
    "stone": '<circle class="body" r="24"/><path class="shine" d="M-13 -9A16 16 0 0 1 3 -16"/>',
    "man": '<circle class="body" r="23"/><circle class="rim" r="17"/><circle class="rim" r="10"/>',
    "crown": (
        '<circle class="body" r="23"/><circle class="rim" r="18.5"/>'
        '<path class="emblem" d="M-12 9L-14 -7L-6 0L0 -11L6 0L14 -7L12 9Z"/>'
    ),
    "cross": '<path class="stroke" d="M-15 -15L15 15M15 -15L-15 15"/>',
    "ring": '<circle class="stroke" r="16"/>',
    "pawn": (
        '<path class="body" d="M0 -19A8.5 8.5 0 0 1 5.5 -4.2Q9 -3.6 9 -0.5H5.2Q6 9 12 16H-12Q-6 9 -5.2 -0.5H-9'
        'Q-9 -3.6 -5.5 -4.2A8.5 8.5 0 0 1 0 -19Z"/>' + _BASE
    ),
    "rook": (
        '<path class="body" d="M-14 -20H-8V-15H-3.5V-20H3.5V-15H8V-20H14V-9L9.5 -5.5L11 16H-11L-9.5 -5.5L-14 -9Z"/>'
        '<path class="detail" d="M-9.5 -5.5H9.5M-11 11H11"/>' + _BASE
    ),
    "knight": (
        '<path class="body" d="M-4 -22L-1 -17.5Q13 -14 13.5 3Q13.6 10 12 16H-12Q-11.5 7 -3 1.5Q0.5 -1 0 -4.5'
        'Q-4 -1 -9 -1.5L-12 2.5Q-15.5 2.5 -17 -2.5L-9.5 -13Q-8 -17.5 -4 -22Z"/>'
        '<path class="detail" d="M4.5 -11Q10 -4 9.5 11"/><circle class="eye" cx="-6.5" cy="-9.5" r="1.7"/>' + _BASE
    ),
    "bishop": (
        '<circle class="body" cy="-21.5" r="3.2"/>'
        '<path class="body" d="M0 -18.5Q12 -9 10 0Q9 4.5 5.5 6.5Q7 12 12 16H-12'
        'Q-7 12 -5.5 6.5Q-9 4.5 -10 0Q-12 -9 0 -18.5Z"/>'
        '<path class="detail" d="M0 -11.5V-2.5M-4.5 -7H4.5M-6 6.5H6"/>' + _BASE
    ),
    "queen": (
        '<path class="body" d="M-18 -12L-11.5 3.5L-9.5 -16L-3 1L0 -19L3 1L9.5 -16L11.5 3.5L18 -12L11.5 16H-11.5Z"/>'
        '<circle class="body" cx="-18" cy="-13.5" r="2.8"/><circle class="body" cx="-9.5" cy="-17.5" r="2.8"/>'
        '<circle class="body" cy="-20.5" r="2.8"/><circle class="body" cx="9.5" cy="-17.5" r="2.8"/>'
        '<circle class="body" cx="18" cy="-13.5" r="2.8"/><path class="detail" d="M-13 9Q0 5 13 9"/>' + _BASE
    ),
    "king": (
        '<path class="body" d="M-2 -26H2V-22.5H5.5V-18.5H2V-13.5H-2V-18.5H-5.5V-22.5H-2Z"/>'
        '<path class="body" d="M0 -13.5Q3 -13 4 -9.5Q9 -14 14.5 -10.5Q20 -5.5 15 2.5Q12 7 11.5 16H-11.5'
        'Q-12 7 -15 2.5Q-20 -5.5 -14.5 -10.5Q-9 -14 -4 -9.5Q-3 -13 0 -13.5Z"/>'
        '<path class="detail" d="M0 -5V3.5M-12.5 9Q0 5 12.5 9"/>' + _BASE
    ),
}  # fmt: skip
