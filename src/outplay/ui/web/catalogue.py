"""The games and players that the page offers: those of the package, and a user's own from the command line.

A request names a game by its id and perhaps parameters (`hexapawn:width=4`). It never names a file: what a
request says is looked up here, and is nothing but text.
"""

import re
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from outplay.files import file_spec
from outplay.game import Board, GameError, kind
from outplay.games import TABLE, Game, load
from outplay.memory import kept
from outplay.players import Player, player
from outplay.record import Record, open_game
from outplay.search.driver import SEARCHES, fitting, strongest
from outplay.ui.board import board_of, owner
from outplay.variants import parameters

MAX_VARIANTS = 32  # other sizes of games that one server compiles
MAX_KEPT = 64 << 20  # bytes of typed-in trees
MAX_TEXT = 20_000  # characters of a position
TREES = ("tree", "chancetree")


class Refused(ValueError):
    """What was asked for cannot be had; one line says why."""


class Entry(NamedTuple):
    """A game on offer."""

    id: str
    title: str
    about: str
    spec: str  # what `outplay.games.load` reads


TITLES = {
    "tictactoe": "Tic-tac-toe",
    "connect4": "Connect Four",
    "tree": "Tree",
    "chancetree": "Tree with chance",
}


class Catalogue:
    """What is on offer; `files` are games, bots and saved games from the command line."""

    def __init__(self, files: Sequence[str] = ()) -> None:
        self.entries = {e.name: Entry(e.name, _title(e.name), e.about, e.name) for e in TABLE}
        self.bots: dict[str, str] = {}  # by id, what `outplay.players.player` reads
        self.opened: Record | None = None  # the saved game to begin with
        self.first = "connect4"
        self._variants: dict[str, Game] = {}
        self._lock = threading.Lock()
        for file in files:
            self._add(file)

    def _add(self, file: str) -> None:
        """A game, a bot or a saved game that the user named on the command line."""
        if file_spec(file) is None:
            self.opened = open_game(file)
            self.first = self.by_spec(self.opened.game)
            if kind(type(self.opened.start)).hidden:
                raise ValueError(f"{file} is a game that hides something: the page cannot begin with it")
            return
        try:
            game = load(file)
        except ValueError as no_game:
            try:
                player(file)
            except ValueError:
                raise no_game from None
            self.bots[_free(Path(file.split(":")[0]).stem.lower(), {*SEARCHES, "random", *self.bots})] = file
            return
        id = _free(_slug(game.cls.__name__), self.entries)
        about = next(iter((game.cls.__doc__ or "").strip().splitlines()), "")
        self.entries[id] = Entry(id, game.cls.__name__, about, game.spec)
        self.first = id

    def by_spec(self, spec: str) -> str:
        """The id, with its parameters, of a game as records name it."""
        for entry in self.entries.values():
            if spec == entry.spec or spec.startswith(f"{entry.spec}:"):
                return entry.id + spec[len(entry.spec) :]
        name, _, given = spec.partition(":")
        if name in self.entries:
            return spec
        raise Refused(f"the game {spec!r} is not offered here; start the page with its file")

    def game(self, id: str) -> Game:
        """The game that a request names."""
        name, colon, given = id.partition(":")
        entry = self.entries.get(name)
        if entry is None:
            raise Refused(f"there is no game {name[:40]!r}; there are {', '.join(self.entries)}")
        if not colon:
            return self._load(name, entry.spec)
        if not re.fullmatch(r"[a-z_]{1,20}=\d{1,4}(,[a-z_]{1,20}=\d{1,4}){0,9}", given):
            raise Refused(f"{given[:40]!r} are no parameters; write them as width=5,height=4")
        return self._load(id, f"{entry.spec}:{given}")

    def _load(self, id: str, spec: str) -> Game:
        with self._lock:
            if id not in self._variants:
                if len(self._variants) >= MAX_VARIANTS + len(self.entries):
                    raise Refused(
                        "too many sizes of games were played on this server: choose one of them, or restart"
                    )
                self._variants[id] = load(spec)
            return self._variants[id]

    def position(self, id: str, text: str) -> Any:
        """The state that a text describes in a game, S0 for no text."""
        if len(text) > MAX_TEXT:
            raise Refused(f"a position has at most {MAX_TEXT:,} characters")
        game = self.game(id)
        if text and id in TREES and kept() > MAX_KEPT:
            raise Refused("this server has read as many trees as it keeps: restart it")
        return game.position(text)

    def describe(self) -> list[dict[str, Any]]:
        """All games, for the page's choices."""
        return [self.describe_game(id) for id in self.entries]

    def describe_game(self, id: str) -> dict[str, Any]:
        entry, game = self.entries[id.partition(":")[0]], self.game(id)
        cls = game.cls
        board = board_of(game.start, ()) if game.start is not None else None
        return {
            "id": id,
            "title": entry.title,
            "about": entry.about,
            "kind": str(kind(cls)),
            "chance": kind(cls).chance,
            "hidden": kind(cls).hidden,
            "parameters": {name.lower(): value for name, value in parameters(cls).items()},
            "searches": [name for name in SEARCHES if _fits(cls, name)],
            "best": strongest(cls).name if _fits(cls, None) else "random",
            "evaluates": hasattr(cls, "evaluate"),
            "explains": hasattr(cls, "weights"),
            "starts": game.start is not None,
            "sides": side_names(board),
            "bottom": bottom_side(board),
            "turns": board is None or board.style != "frame",
        }

    def player(self, name: str, seed: int) -> Player:
        """The player of that name: a search, `random`, or a bot from the command line."""
        if name in self.bots:
            return player(self.bots[name], seed)
        if name in SEARCHES or name == "random":
            return player(name, seed)
        names = ", ".join([*SEARCHES, "random", *self.bots])
        raise Refused(f"there is no player {name[:40]!r}; there are {names}")


def side_names(board: Any) -> list[str]:
    """What MAX and MIN are called."""
    if board is None:
        return ["MAX", "MIN"]
    return [board.sides[side] or board.owners[side][:1] or usual for side, usual in enumerate(("MAX", "MIN"))]


def bottom_side(board: Board | None) -> int:
    """Who sits below the board: the side whose pieces stand lower; MAX where that cannot be seen."""
    if board is None:
        return 0
    rows = [
        [r for r, row in enumerate(board.rows) for cell in row if owner(board, cell) == side]
        for side in (0, 1)
    ]
    middles = [sum(found) / len(found) if found else 0.0 for found in rows]
    return int(middles[1] > middles[0])


def _fits(cls: type, search: str | None) -> bool:
    try:
        fitting(cls, search)
    except GameError:
        return False
    return True


def _title(name: str) -> str:
    return TITLES.get(name, name.capitalize())


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"


def _free(id: str, taken: Any) -> str:
    """The id, with a number where it is taken."""
    number, free = 2, id
    while free in taken:
        free, number = f"{id}-{number}", number + 1
    return free
