"""The games and players that the page offers: those of the package, and a user's own from the command line.

A request names a game by its id, optionally with parameters (`hexapawn:width=4`), never by a file: the id is only
looked up here.
"""

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from outplay import hooks
from outplay.files import file_spec, load_module
from outplay.game import Board, GameError, kind, offers, weights_of
from outplay.gamefile import is_game_file, open_game, read_one
from outplay.games import TABLE, Game, load
from outplay.players import Player, player
from outplay.record import Record
from outplay.search.mcts.batched import PUCTSearch
from outplay.search.mcts.network import has_net
from outplay.search.searches import SEARCHES, fitting, strongest
from outplay.search.valuenet.td import TD
from outplay.standard import Known, unplayed
from outplay.ui.board import board_of, owner
from outplay.ui.boardsvg import colour_of
from outplay.ui.web.knowledge import Knowledge
from outplay.ui.web.playing import played
from outplay.variants import parameters

MAX_VARIANTS = 32  # variants with parameters that one server compiles
MAX_KEPT = 64 << 20  # bytes of user-made trees in a worker's memory
MAX_TEXT = 20_000  # characters of a position
TREES = ("tree", "chancetree")
DISCS = ("Yellow", "Blue")  # the colours of MAX's and MIN's discs in board.css


class Refused(ValueError):
    """A request is refused; one line says why."""


class Entry(NamedTuple):
    """An available game."""

    id: str
    title: str
    about: str
    spec: str  # for `outplay.games.load`


TITLES = {
    "tictactoe": "Tic-tac-toe",
    "connect4": "Connect Four",
    "einstein": "EinStein würfelt nicht!",
    "tree": "Tree",
    "chancetree": "Tree with chance",
}


class Catalogue:
    """The available games and players; `files` are games, bots, saved games and knowledge from the command line."""

    def __init__(self, files: Sequence[str] = (), known: Mapping[str, Known] | None = None) -> None:
        """`known`: what is known of the files' games, if another catalogue has had them played."""
        self.entries = {e.name: Entry(e.name, _title(e.name), e.about, e.name) for e in TABLE}
        self.bots: dict[str, str] = {}  # by id: the text for `outplay.players.player`
        self.opened: Record | None = None  # the saved game to show first
        self.first = "connect4"
        self.files = list(files)
        self.knowledge = Knowledge()
        self._variants: set[str] = set()
        self._games: dict[str, Game] = {}
        self.known = {file: played(file) for file in files} if known is None else dict(known)
        for file in sorted(files, key=lambda file: file_spec(file) is None):  # saved games after their rules
            self._add(file)

    def load(self, spec: str) -> Game:
        """Load a file's game without running its rules yet, since they might crash the process."""
        files = (file for file in self.known if spec == file or spec.startswith(f"{file}:"))
        with unplayed(self.known.get(max(files, key=len, default=""))):
            return load(spec)

    def _add(self, file: str) -> None:
        """Add a game, a bot, a saved game or knowledge from the command line."""
        if self.knowledge.add(file):
            return
        if file_spec(file) is None:
            self.opened = self._open(file)
            self.first = self.by_spec(self.opened.game)
            if kind(type(self.opened.start)).hidden:
                raise ValueError(f"{file} is a game with hidden information: the page cannot open it")
            return
        try:
            game = self.load(file)
        except (ValueError, GameError) as no_game:
            try:
                player(file)
            except (ValueError, GameError) as no_player:
                raise (no_game if has_rules(file) else no_player) from None
            self.bots[_free(Path(file.split(":")[0]).stem.lower(), {*SEARCHES, "random", *self.bots})] = file
            return
        self.known[game.spec] = self.known[file]
        if kind(game.cls).players > 2:
            raise ValueError(f"{file} is a game for {kind(game.cls).players} players: the page seats two")
        id = _free(_slug(game.cls.__name__), self.entries)
        about = next(iter((game.cls.__doc__ or "").strip().splitlines()), "")
        self.entries[id] = Entry(id, game.cls.__name__, about, game.spec)
        self.first = id

    def _open(self, file: str) -> Record:
        """Open a saved game of the package's games, of a tree, or of a game from the command line."""
        if not is_game_file(file):
            return open_game(file)
        return read_one(
            file, [self.load(entry.spec) for entry in self.entries.values() if file_spec(entry.spec)]
        )

    def by_spec(self, spec: str) -> str:
        """The id, with parameters, for a game's name in records."""
        for entry in self.entries.values():
            for known in (entry.spec, shown(entry.spec)):
                if spec == known or spec.startswith(f"{known}:"):
                    return entry.id + spec[len(known) :]
        name, _, given = spec.partition(":")
        if name in self.entries:
            return spec
        raise Refused(f"this page does not have the game {spec!r}: start it with the game's file")

    def admit(self, id: str) -> str:
        """Register a requested game; returns its text for `outplay.games.load`."""
        name, colon, given = id.partition(":")
        entry = self.entries.get(name)
        if entry is None:
            raise Refused(f"there is no game {name[:40]!r}; there are {', '.join(self.entries)}")
        if not colon:
            return entry.spec
        if not re.fullmatch(r"[a-z_]{1,20}=\d{1,4}(,[a-z_]{1,20}=\d{1,4}){0,9}", given):
            raise Refused(f"not parameters: {given[:40]!r}; write width=5,height=4")
        if id not in self._variants and len(self._variants) >= MAX_VARIANTS:
            raise Refused("too many sizes of games are in use: choose one of those, or restart the server")
        self._variants.add(id)
        return f"{entry.spec}:{given}"

    def game(self, id: str) -> Game:
        """The requested game."""
        spec = self.admit(id)
        if id not in self._games:
            self._games[id] = self.load(spec)
        return self._games[id]

    def own(self, asked: dict[str, Any]) -> str:
        """The user's own bot or game that a request may run, named directly or within a text; "" if none."""
        seat = (asked.get("seat") or {}).get("name")
        if seat in self.bots:
            return str(seat)
        named = self.entries.get(str(asked.get("game")).partition(":")[0])
        entries = self.entries.values() if "text" in asked else [named] if named else []
        return next((entry.id for entry in entries if entry.spec != entry.id), "")

    def position(self, id: str, text: str) -> Any:
        """The state that a text describes in a game, S0 for no text."""
        if len(text) > MAX_TEXT:
            raise Refused(f"a position has at most {MAX_TEXT:,} characters")
        game = self.game(id)
        return game.position(text)

    def describe(self) -> list[dict[str, Any]]:
        """All games, for the page's menus."""
        return [self.describe_game(id) for id in self.entries]

    def describe_game(self, id: str) -> dict[str, Any]:
        game, entry = self.game(id), self.entries[id.partition(":")[0]]
        cls = game.cls
        board = board_of(game.start, ()) if game.start is not None else None
        searches = [search for search in SEARCHES.values() if _fits(cls, search.name)]
        return {
            "id": id,
            "title": entry.title,
            "about": entry.about.removeprefix(f"{entry.title}: "),
            "kind": str(kind(cls)),
            "chance": kind(cls).chance,
            "hidden": kind(cls).hidden,
            "parameters": {name.lower(): value for name, value in parameters(cls).items()},
            "searches": [search.name for search in searches],
            "samples": [search.name for search in searches if search.samples],
            "traced": [search.name for search in searches if search.traces],
            "best": best_name(cls),
            "guided": [PUCTSearch.name] if has_net(cls) else [],
            "judges": [search.name for search in searches if search.name == TD.name],
            "evaluates": offers(cls, "evaluate"),
            "explains": weights_of(cls) is not None,
            "starts": game.start is not None,
            "sides": side_names(board),
            "colours": ["max", "min"] if board is None else [colour_of(board, side) for side in (0, 1)],
            "own": file_spec(entry.spec) is not None,
            "bottom": bottom_side(board),
            "turns": board is None or board.style != "frame",
        }

    def player(self, name: str, seed: int) -> Player:
        """A player by name: a search, `random`, or a bot from the command line."""
        if name in self.bots:
            return player(self.bots[name], seed)
        if name in SEARCHES or name == "random":
            return player(name, seed)
        names = ", ".join([*SEARCHES, "random", *self.bots])
        raise Refused(f"there is no player {name[:40]!r}; there are {names}")


def shown(spec: str) -> str:
    """A game's name without the folder of its file, which clients should not see."""
    file = file_spec(spec)
    return spec if file is None else ":".join(filter(None, (Path(file.path).name, *file[1:])))


def side_names(board: Any) -> list[str]:
    """The names of MAX and MIN."""
    if board is None:
        return ["MAX", "MIN"]
    return [
        _real_name(board, side) or _colour_name(board, side) or board.owners[side][:1] or usual
        for side, usual in enumerate(("MAX", "MIN"))
    ]


def _real_name(board: Board, side: int) -> str:
    """A side's name, unless it is only a letter, since pictures show colours."""
    name = board.sides[side]
    return "" if len(name) == 1 and _colour_name(board, side) else name


def _colour_name(board: Board, side: int) -> str:
    """The colour of a side's pieces; discs without a colour of their own have the side's."""
    if (colour := colour_of(board, side)) in ("white", "black"):
        return colour.capitalize()
    return DISCS[side] if board.shapes.get(board.owners[side][:1]) == "disc" else ""


def bottom_side(board: Board | None) -> int:
    """The side at the bottom: the one whose pieces are lower on average; MAX if unclear."""
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
    except ValueError:  # it does not fit the game or the machine
        return False
    return True


def best_name(cls: type) -> str:
    """The best search for a game here; `random` if none fits."""
    if getattr(cls, "value_net", "") and _fits(cls, TD.name):
        return TD.name
    return strongest(cls).name if _fits(cls, None) else "random"


def _title(name: str) -> str:
    return TITLES.get(name, name.capitalize())


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "game"


def has_rules(file: str) -> bool:
    """Whether a file's class or function looks like a game: it has one of the required methods."""
    named = file_spec(file)
    if named is None or not named.name:
        return True
    try:
        thing = getattr(load_module(named.path), named.name, None)
    except ValueError:
        return True
    return any(hasattr(thing, rule) for rule in hooks.NEEDED)


def _free(id: str, taken: Any) -> str:
    """The id, with a number appended if it is taken."""
    number, free = 2, id
    while free in taken:
        free, number = f"{id}-{number}", number + 1
    return free
