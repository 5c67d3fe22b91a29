"""A position as data for the page: the board's picture, the player to move, and the legal moves.

Positions are replayed from the record in the request; a small cache of positions avoids replaying moves that were
just checked. In games of imperfect information everything is from the view of the player who looks, and moves are
sealed.
"""

import re
import threading
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Any

from outplay import written
from outplay.explain import explain
from outplay.game import (
    CHANCE,
    FORBIDDEN,
    Board,
    action_text,
    brings_back,
    identity,
    is_terminal,
    kind,
    legal,
    offers,
)
from outplay.games import Game
from outplay.record import Record, position_text
from outplay.standard import is_wrapped
from outplay.ui.board import board_of, owner, scale_of, words_for
from outplay.ui.boardsvg import Square, draw, glyph
from outplay.ui.web.catalogue import Catalogue, Refused, side_names
from outplay.ui.web.seal import Places, Seals
from outplay.views import everybody, is_seen, seat_of
from outplay.weights import NotLinear

SVG = "http://www.w3.org/2000/svg"
REMEMBERED = 4_000  # positions
REPEATED = "a draw by repetition"
MAX_MOVES = 4_000  # of a record
NOBODY: tuple[int, ...] = ()  # the seats of a spectator, who sees only public information


class Position:
    """A state with its history. Derived data are computed once."""

    def __init__(self, state: Any, before: "Position | None" = None, action: int = -1) -> None:
        self.state = state
        self.before = before
        self.action = action  # that led here; -1 at the start
        self._boards: dict[tuple[int, ...], Board | None] = {}

    @cached_property
    def hides(self) -> bool:
        """Whether the game has imperfect information."""
        return kind(type(self.state)).hidden

    @cached_property
    def legal(self) -> list[int]:
        if self.over:
            return []
        return [a for a in legal(self.state) if not brings_back(self.state, a, self._past_identities)]

    @cached_property
    def _past_identities(self) -> frozenset[Any]:
        """The identities of this position and the earlier ones, in games where none may repeat."""
        if getattr(type(self.state), "repetition", 0) != FORBIDDEN:
            return frozenset()
        earlier = self.before._past_identities if self.before is not None else frozenset()
        return earlier | {self.identity}

    @cached_property
    def over(self) -> bool:
        return is_terminal(self.state) or self.repeated

    @cached_property
    def result(self) -> float | None:
        """The utility for MAX; None while the game goes on."""
        if is_terminal(self.state):
            return self.state.utility()
        return 0 if self.repeated else None

    @cached_property
    def repeated(self) -> bool:
        """Whether the position is a draw by repetition."""
        often = getattr(type(self.state), "repetition", 0)
        return often > 0 and 1 + sum(self.identity == past.identity for past in self._earlier()) >= often

    @cached_property
    def identity(self) -> Any:
        return identity(self.state)

    def _earlier(self) -> "Iterator[Position]":
        before = self.before
        while before is not None:
            yield before
            before = before.before

    def past(self) -> list[Any]:
        """The earlier states in order; empty if repetition does not matter in the game."""
        if not getattr(type(self.state), "repetition", 0):
            return []
        return [earlier.state for earlier in self._earlier()][::-1]

    def is_open(self, eyes: tuple[int, ...]) -> bool:
        """Whether these seats see everything: in perfect information games, and at the end."""
        if not self.hides:
            return True
        return (
            self.over
            and self.board(eyes) is not None
            and self.board(eyes) == self.board(everybody(type(self.state)))
        )

    def board(self, eyes: tuple[int, ...] = NOBODY) -> Board | None:
        """The board as these seats see it."""
        if eyes not in self._boards:
            self._boards[eyes] = board_of(self.state, eyes)
        return self._boards[eyes]

    @cached_property
    def texts(self) -> list[str]:
        return [action_text(self.state, action) for action in self.legal]

    @cached_property
    def played(self) -> str:
        """The last action in its usual notation."""
        assert self.before is not None
        return self.before.texts[self.before.legal.index(self.action)]

    def path(self, action: int, eyes: tuple[int, ...] = NOBODY) -> list[Square]:
        """The cells of an action, from its start to its end; empty if unknown."""
        board = self.board(eyes)
        if board is None or not board.rows or board.style == "bars":
            return []
        if offers(type(self.state), "action_squares"):
            return [(int(r), int(c)) for r, c in self.state.action_squares(action)]
        after = board_of(self.state.result(action), eyes)
        return moved(board, after, self.state.player()) if after is not None else []

    @cached_property
    def _paths(self) -> list[list[Square]]:
        return [self.path(action) for action in self.legal]

    def paths(self, eyes: tuple[int, ...] = NOBODY) -> list[list[Square]]:
        """The cells of all legal actions."""
        return [self.path(action, eyes) for action in self.legal] if self.hides else self._paths

    def changes(self, eyes: tuple[int, ...] = NOBODY) -> tuple[list[Square], list[Square]]:
        """The cells that the last move touched, and those where it captured."""
        if self.before is None or self.before.state.player() == CHANCE:
            return [], []
        board, before = self.board(eyes), self.before.board(eyes)
        if board is None or before is None or not is_seen(self.before.state, self.action, eyes):
            return [], []
        path = self.before.paths(eyes)[self.before.legal.index(self.action)]
        side = self.before.state.player()
        taken = [
            at
            for at, was, now in _pairs(before, board)
            if owner(before, was) == 1 - side and now == " " and at not in path
        ]
        return path, taken


def moved(before: Board, after: Board, side: int) -> list[Square]:
    """A move's cells, found by comparing two boards: the new piece's, or from and to; empty if unclear."""
    cells = _pairs(before, after)
    mine = [(at, was) for at, was, now in cells if owner(after, now) == side != owner(before, was)]
    left = [at for at, was, now in cells if owner(before, was) == side != owner(after, now)]
    onto_empty = [at for at, was in mine if was == " "]
    to = onto_empty if len(onto_empty) == 1 else [at for at, _ in mine]
    return left + to if len(to) == 1 and len(left) <= 1 else []


def _pairs(before: Board, after: Board) -> list[tuple[Square, str, str]]:
    """The cells of two boards of the same size, each with its old and new content."""
    return [
        ((r, c), was, now)
        for r, (row, later) in enumerate(zip(before.rows, after.rows, strict=False))
        for c, (was, now) in enumerate(zip(row, later, strict=False))
    ]


class Positions:
    """A cache of positions by their records, least recently used out first."""

    def __init__(self, catalogue: Catalogue, key: bytes) -> None:
        self.catalogue = catalogue
        self.seals = Seals(key)
        self._known: OrderedDict[tuple[str, str, tuple[int, ...]], Position] = OrderedDict()
        self._scales: dict[str, float] = {}
        self._sides: dict[str, list[str]] = {}
        self.learned: dict[str, Any] = {}  # learned board encodings by game; see editor.py
        self._lock = threading.Lock()

    def asked(self, asked: Any) -> Position:
        """The position of a request (schema.Asked), with its seals opened."""
        if asked.viewer is not None and asked.viewer not in asked.humans:
            raise Refused("only a player at this page may look at a hand")
        place, opened = Places(asked.game, asked.start, asked.humans), []
        for action in asked.actions:
            opened.append(self.seals.open(action, place) if isinstance(action, str) else action)
            place.add(action)
        return self.at(asked.game, asked.start, opened)

    def told_action(self, asked: Any, position: Position, action: int) -> str:
        """A legal action as the page may see it: sealed in games of imperfect information."""
        return self.seals.close(action, _place(asked)) if position.hides else str(action)

    def seed(self, asked: Any, position: Position, wished: int) -> int:
        """The seed for chance and random players; in games of imperfect information the page cannot choose it."""
        return self.seals.seed(_place(asked)) if position.hides else wished

    def at(self, game: str, start: str, actions: Sequence[int]) -> Position:
        """The position after these actions, each checked; a one-line ValueError names the fault."""
        if len(actions) > MAX_MOVES:
            raise Refused(f"a game has at most {MAX_MOVES:,} moves here")
        wanted = tuple(actions)
        done, position = self._nearest(game, start, wanted)
        for number in range(done, len(wanted)):
            position = self._step(position, wanted[number], number + 1)
            self._keep((game, start, wanted[: number + 1]), position)
        return position

    def _nearest(self, game: str, start: str, wanted: tuple[int, ...]) -> tuple[int, Position]:
        """The longest cached prefix of the record, and its position."""
        for length in range(len(wanted), -1, -1):
            key = (game, start, wanted[:length])
            with self._lock:
                if key in self._known:
                    self._known.move_to_end(key)
                    return length, self._known[key]
        position = Position(self.catalogue.position(game, start))
        self._keep((game, start, ()), position)
        return 0, position

    def _step(self, position: Position, action: int, number: int) -> Position:
        if position.over:
            raise Refused(f"move {number} comes after the end of the game")
        if action not in position.legal:
            raise Refused(f"move {number}: action {action} is not legal there")
        return Position(position.state.result(action), position, action)

    def _keep(self, key: tuple[str, str, tuple[int, ...]], position: Position) -> None:
        with self._lock:
            self._known[key] = position
            while len(self._known) > REMEMBERED:
                self._known.popitem(last=False)

    def sides(self, game: str, state: Any) -> list[str]:
        """The names of MAX and MIN."""
        if game not in self._sides:
            self._sides[game] = side_names(board_of(state, NOBODY))
        return self._sides[game]

    def scale(self, game: str, start: Any) -> float:
        """The scale of a large advantage, for the value bar."""
        if game not in self._scales:
            self._scales[game] = scale_of(start)
        return self._scales[game]


def _place(asked: Any) -> Places:
    """The place after the moves of a request (schema.Asked)."""
    place = Places(asked.game, asked.start, asked.humans)
    for action in asked.actions:
        place.add(action)
    return place


def record_of(game: Game, position: Position, headers: Sequence[tuple[str, str]] = ()) -> Record:
    """The record that leads to a position."""
    actions: list[int] = []
    while position.before is not None:
        actions.append(position.action)
        position = position.before
    return Record(game.spec, position.state, headers=tuple(headers)).play(*reversed(actions))


def view(position: Position, flipped: bool = False, eyes: tuple[int, ...] = NOBODY) -> dict[str, Any]:
    """Everything that the page shows of a position to the seats that look."""
    state, board = position.state, position.board(eyes)
    last, taken = position.changes(eyes)
    drawn = board is not None and bool(board.rows)
    mine = not position.hides or seat_of(state) in eyes
    return {
        "text": "" if position.hides else position_text(state),
        "player": None if position.over else state.player(),
        "over": position.over,
        "result": position.result,
        "note": note_of(position, eyes),
        "sides": side_names(board),
        "hands": board.hands if board is not None else ("", ""),
        "counts": board.counts if board is not None else ("", ""),
        "svg": draw(board, last, taken, flipped) if drawn and board is not None else "",
        "style": board.style if board is not None else "",
        "legal": [
            {"action": str(action), "text": text, "path": path} | ways(state, action)
            for action, text, path in zip(position.legal, position.texts, position.paths(eyes), strict=True)
        ]
        if mine
        else [],
        "moves": moves(position, eyes),
        "glyphs": glyphs(position) if mine and not position.hides else {},
        "last": last,
    }


def ways(state: Any, action: int) -> dict[str, Any]:
    """The single moves of an action on the board, if the game states them."""
    return {"ways": state.action_ways(action)} if offers(type(state), "action_ways") else {}


def thumbnail(position: Position) -> str:
    """A small picture of a position: only the board, without cell names."""
    board = position.board()
    if board is None or not board.rows:
        return ""
    last, taken = position.changes()
    return draw(board._replace(ranks=(), files=(), names={}), last, taken)


def glyphs(position: Position) -> dict[str, dict[str, str]]:
    """The piece that an action puts on its last cell, by action: for drops, and if moves differ only in that.

    The page uses it to show a move before the server answers, and for the choice of a promotion.
    """
    ends = [(path[0], path[-1]) if path else None for path in position._paths]
    drops = [at for at, path in enumerate(position._paths) if len(path) == 1][
        :1
    ]  # all others move the same piece
    double = [at for at, end in enumerate(ends) if end is not None and ends.count(end) > 1]
    found = {}
    for at in drops if drops else double:
        board = board_of(position.state.result(position.legal[at]), NOBODY)
        symbol = _symbol(board, ends[at][1])  # type: ignore[index]
        if board is not None and symbol != " ":
            classes, drawn = glyph(board, symbol)
            found[str(position.legal[at])] = {"classes": classes, "svg": f"<svg xmlns='{SVG}'>{drawn}</svg>"}
    return found


def _symbol(board: Board | None, at: Square) -> str:
    inside = board is not None and at[0] < len(board.rows) and at[1] < len(board.rows[at[0]])
    return board.rows[at[0]][at[1]] if inside and board is not None and board.style != "pits" else " "


def note_of(position: Position, eyes: tuple[int, ...] = NOBODY) -> str:
    """The line below the board."""
    if position.repeated:
        return REPEATED
    if (board := position.board(eyes)) is not None:
        return _renamed(board)
    return "" if hasattr(position.state, "parse") and not position.hides else described(position.state, eyes)


def _renamed(board: Board) -> str:
    """The note with the page's names for the sides: X becomes Yellow if that is its colour.

    The player to move is left out, since the page shows it above.
    """
    note = board.note
    for side, name in enumerate(side_names(board)):
        letter, told = board.owners[side][:1], board.sides[side]
        note = note.replace(f" ({letter})", "")
        if (said := told if len(told) == 1 else "" if told else letter) not in ("", name):
            note = re.sub(rf"\b{re.escape(said)}\b", name, note)
    parts = note.split("; ")
    return "; ".join([part for part in parts if not part.endswith(" to move")] or parts)


def described(state: Any, eyes: tuple[int, ...] = NOBODY) -> str:
    """A state without a board as text: its `str`, or else its fields."""
    cls = type(state)
    wrapped = is_wrapped(cls)
    plain = cls.__str__ is object.__str__ and getattr(cls.__repr__, "__module__", "") == "collections"
    if kind(cls).hidden or not (plain or wrapped and str(state) == state.text()):
        return words_for(state, eyes)
    fields = written.fields(state[0] if wrapped else state)
    if not fields:
        return words_for(state, eyes)
    return ", ".join(f"{name.replace('_', ' ')} {_said(value)}" for name, value in fields.items())


def _said(value: Any) -> str:
    """A field's value as people read it: a row of texts without its quotes, a dot for each blank."""
    if isinstance(value, str):
        return value if value.strip() else "·"
    if isinstance(value, float):
        return f"{value:.6g}"
    cells = value if isinstance(value, (tuple, list)) else ()
    if cells and all(one is None or isinstance(one, str) for one in cells):
        return " ".join("·" if one is None else _said(one) for one in cells)
    if cells and all(isinstance(one, (tuple, list)) for one in cells):
        return " / ".join(map(_said, cells))
    return written.text(value)


def moves(position: Position, eyes: tuple[int, ...] = NOBODY) -> list[dict[str, Any]]:
    """The moves that led to a position, as far as the seats that look may know them."""
    listed = []
    while position.before is not None:
        before = position.before
        if is_seen(before.state, position.action, eyes):
            listed.append({"text": position.played, "player": before.state.player()})
        else:
            listed.append({"text": "?", "player": before.state.player(), "hidden": True})
        position = before
    return listed[::-1]


def explained(state: Any) -> dict[str, Any]:
    """The terms of a state's evaluation, the largest first; none where it is not their sum."""
    if not offers(type(state), "evaluate") or kind(type(state)).hidden:
        return {"value": None, "terms": []}
    try:
        found = explain(state)
    except NotLinear:
        return {"value": None, "terms": []}
    counting = sorted((term for term in found.terms if term.share), key=lambda term: -abs(term.share))
    terms = [{"name": t.name, "count": float(t.times), "share": float(t.share)} for t in counting]
    return {"value": float(found.value), "terms": terms}
