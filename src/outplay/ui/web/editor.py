"""The position editor: a sketch of a board, the available pieces, and whether the sketch is a legal position.

The page sends the sketch with every change. An illegal sketch (a king is lifted) is drawn all the same, and one line
says what is wrong. The game interprets it: `board_text` writes the position that a board shows, `parse` rejects
impossible ones. For games without `board_text` the encoding is learned (arranging.py).
"""

from typing import Any

from outplay.game import CHANCE, Board, is_terminal, kind, legal, offers
from outplay.record import position_text
from outplay.ui.board import board_of
from outplay.ui.boardsvg import draw, glyph, piece_name
from outplay.ui.web.arranging import Learned
from outplay.ui.web.catalogue import Refused, side_names
from outplay.ui.web.schema import AskedEdit, Put
from outplay.ui.web.view import NOBODY, SVG, Positions

EMPTY = " "
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyz+"  # numbers of seeds in a pit
STACK = "0123456789ABCDEF"  # numbers of checkers on a point too high to draw
MORE, LESS = "+1", "-1"
BOXES = ("bars", "cards")  # styles whose cells cannot be edited


def edited(positions: Positions, asked: AskedEdit) -> dict[str, Any]:
    """A sketch with its changes, and its position or the reason why it has none."""
    state = positions.catalogue.position(asked.game, asked.start)
    if kind(type(state)).hidden:
        raise Refused("a position with hidden information cannot be set up")
    now = board_of(state, NOBODY)
    board = _sketch(now, asked) if now is not None and _has_cells(now) else None
    player = _mover(state) if asked.player is None else asked.player
    text, problem, over = _judged(positions, asked, state, board, player)
    if problem and asked.player is None:  # in some games the pieces determine the player to move
        other = _judged(positions, asked, state, board, 1 - player)
        if not other[1]:
            player, (text, problem, over) = 1 - player, other
    return {
        "rows": board.rows if board is not None else [],
        "hands": board.hands if board is not None else ["", ""],
        "player": player if asked.player is not None or asked.rows is not None or _is_told(state) else -1,
        "text": text,
        "problem": problem,
        "over": over,
        "words": _words(type(state), text or position_text(state)),
        "pieces": _pieces(positions, asked.game, state, board),
        **_drawn(board, now, text, asked.flipped),
    }


def _has_cells(board: Board) -> bool:
    return bool(board.rows) and board.style not in BOXES


def _drawn(board: Board | None, now: Board | None, text: str, flipped: bool) -> dict[str, Any]:
    """The sketch as data for the page's board."""
    shown = board or now
    drawn = shown is not None and bool(shown.rows)
    return {
        "svg": draw(shown, (), (), flipped) if drawn and shown is not None else "",
        "style": shown.style if shown is not None else "",
        "sides": side_names(now),
        "note": text,
        "legal": [],
        "glyphs": {},
        "last": [],
    }


def _mover(state: Any) -> int:
    """The player to move; at a chance node, the next one."""
    if is_terminal(state):
        return max(0, state.player())
    for _ in range(8):
        if state.player() != CHANCE:
            return int(state.player())
        state = state.result(legal(state)[0])
    return 0


def _is_told(state: Any) -> bool:
    """Whether it is known who moves: not where an opening roll decides it."""
    return state.player() != CHANCE or len({state.result(a).player() for a in legal(state)} - {CHANCE}) < 2


# --- the sketch -----------------------------------------------------------------------------------------


def _sketch(now: Board, asked: AskedEdit) -> Board:
    rows = tuple(asked.rows) if asked.rows is not None else now.rows
    if [len(row) for row in rows] != [len(row) for row in now.rows]:
        raise Refused(f"this board has {len(now.rows)} rows of {len(now.rows[0])} cells")
    hands = (asked.hands[0], asked.hands[1]) if asked.hands else now.hands
    board = now._replace(rows=rows, hands=hands, marks=())
    for put in asked.puts:
        r, c = put.at
        if r >= len(rows) or c >= len(rows[r]):
            raise Refused(f"there is no cell {r}, {c} on this board")
        board = board._replace(rows=PUTS.get(board.style, _put)(board.rows, put))
    return board


def _put(rows: tuple[str, ...], put: Put) -> tuple[str, ...]:
    (r, c), symbol = put.at, put.piece if len(put.piece) == 1 else EMPTY
    return (*rows[:r], rows[r][:c] + symbol + rows[r][c + 1 :], *rows[r + 1 :])


def _put_seeds(rows: tuple[str, ...], put: Put) -> tuple[str, ...]:
    """Add or remove a seed in a pit."""
    r, c = put.at
    count = DIGITS.index(rows[r][c]) if rows[r][c] in DIGITS else 0
    step = {MORE: 1, LESS: -1}.get(put.piece, -count)
    return _put(rows, Put(at=put.at, piece=DIGITS[max(0, min(count + step, len(DIGITS) - 2))]))


def _put_checker(rows: tuple[str, ...], put: Put) -> tuple[str, ...]:
    """Add or remove a checker on the clicked point (column and half); stacks on the bar grow from the middle."""
    high, column = len(rows) // 2, put.at[1]
    upper, bar = put.at[0] < high, column == len(rows[0]) // 2
    places = list(range(high)) if upper else list(range(len(rows) - 1, high, -1))
    if bar:
        places.reverse()
    stack = "".join(rows[r][column] for r in places).rstrip()
    whose = stack[:1]
    count = int(stack[-1], 16) if stack[-1:] not in ("", whose) else len(stack)
    if put.piece == EMPTY:
        count = max(0, count - 1)
    else:
        count, whose = (min(count + 1, len(STACK) - 1) if put.piece == whose else 1), put.piece
    tall = len(places)
    drawn = whose * min(count, tall) if count <= tall else whose * (tall - 1) + STACK[count]
    for r, symbol in zip(places, drawn.ljust(tall), strict=True):
        rows = _put(rows, Put(at=[r, column], piece=symbol))
    return rows


PUTS = {"pits": _put_seeds, "points": _put_checker}


def _pieces(positions: Positions, game: str, state: Any, board: Board | None) -> list[dict[str, str]]:
    """The pieces that can be placed."""
    if board is None:
        return []
    if board.style == "pits":
        return [{"symbol": MORE, "name": "a seed more"}, {"symbol": LESS, "name": "a seed less"}]
    symbols = [*board.owners[0], *board.owners[1], *board.shapes]
    if not offers(type(state), "board_text"):
        symbols += _learned(positions, game).symbols
    found = []
    for symbol in dict.fromkeys(symbols):
        classes, drawn = glyph(board, symbol)
        name = piece_name(board, symbol)
        found.append(
            {"symbol": symbol, "name": name, "classes": classes, "svg": f"<svg xmlns='{SVG}'>{drawn}</svg>"}
        )
    return found


# --- the position ---------------------------------------------------------------------------------------


def _judged(
    positions: Positions, asked: AskedEdit, state: Any, board: Board | None, player: int
) -> tuple[str, str, bool]:
    """The position's text, or the sketch's fault; and whether the game is over there."""
    try:
        text = position_text(state)
        changed = asked.rows is not None or asked.puts or asked.hands or asked.player is not None
        if board is not None and changed:
            text = _written(positions, asked, state, board, player)
        found = positions.catalogue.position(asked.game, _reworded(text, asked.words))
        over = is_terminal(found)
        legal(found)
        board_of(found, NOBODY)
    except (ValueError, TypeError, ArithmeticError, LookupError) as error:
        return "", " ".join(str(error).split())[:300] or type(error).__name__, False
    sides = side_names(board_of(found, NOBODY))
    wrong = not over and asked.player is not None and _mover(found) != asked.player
    return (
        position_text(found),
        f"with these pieces it is {sides[_mover(found)]}'s turn" if wrong else "",
        over,
    )


def _written(positions: Positions, asked: AskedEdit, state: Any, board: Board, player: int) -> str:
    if offers(type(state), "board_text"):
        return str(state.board_text(board, player))
    return position_text(_learned(positions, asked.game).arranged(state, board.rows, player))


def _learned(positions: Positions, game: str) -> Learned:
    if game not in positions.learned:
        positions.learned[game] = Learned(positions.catalogue.position(game, ""))
    return positions.learned[game]


def _words(cls: type, text: str) -> list[dict[str, Any]]:
    """The editable words of a position's text."""
    names, words = getattr(cls, "text_words", ()), text.split()
    return [
        {"at": at, "name": name, "word": words[at] if at < len(words) else ""}
        for at, name in enumerate(names)
        if name
    ]


def _reworded(text: str, changes: dict[str, str]) -> str:
    words = text.split()
    if not changes:
        return text
    for at, word in sorted((int(at), word) for at, word in changes.items()):
        words += [""] * (at + 1 - len(words))
        words[at] = word.strip()
    return " ".join(filter(None, words))
