"""The games, by name. Each is imported when it is first used.

    from outplay.games import ConnectFour

`load` parses what users type for a game: a name from the table below, a file of their own, or a tree.
"""

import difflib
import importlib
import os
import re
import sys
from collections.abc import Sequence
from typing import Any, NamedTuple

from outplay.files import FileSpec, file_spec, load_module, own, pick, read_text
from outplay.game import adopt, adopt_state, parse
from outplay.hooks import NEEDED
from outplay.standard import original
from outplay.variants import parameters, variant


class Entry(NamedTuple):
    """An entry of the table: the game's names, module and class."""

    name: str
    module: str
    cls: str
    about: str
    aliases: tuple[str, ...] = ()


TABLE = (
    Entry("tictactoe", "tictactoe", "TicTacToe", "three in a line on a 3x3 board", ("ttt", "noughts")),
    Entry("hexapawn", "hexapawn", "Hexapawn", "pawns step or take; reach the far side"),
    Entry("connect4", "connect4", "ConnectFour", "drop discs; four in a line wins", ("connectfour", "c4")),
    Entry("othello", "othello", "Othello", "enclose discs to turn them; most discs win", ("reversi",)),
    Entry("checkers", "checkers", "Checkers", "English checkers: capture is compulsory", ("draughts",)),
    Entry("chess", "chess", "Chess", "chess and Chess960: checkmate the king"),
    Entry("go", "go", "Go", "surround points on 9x9, or any size to 19x19", ("baduk", "weiqi")),
    Entry("kalah", "kalah", "Kalah", "sow seeds round the pits; most seeds win", ("mancala",)),
    Entry("backgammon", "backgammon", "Backgammon", "race home with two dice", ("bg",)),
    Entry(
        "einstein", "einstein", "EinStein", "EinStein würfelt nicht!: a die says which stone moves", ("ewn",)
    ),
    Entry("pig", "pig", "Pig", "roll a die for as long as you dare"),
    Entry("tree", "tree", "Tree", "a game tree that you type in: [[3,12,8],[2,4,6],[14,5,2]]"),
    Entry("chancetree", "tree", "ChanceTree", "one with chance nodes: chance[1/2: 8, 1/3: 24, 1/6: -12]"),
)


def find(name: str) -> Entry | None:
    """The entry with that name or alias; case, spaces, hyphens and underscores do not matter."""
    wanted = _fold(name)
    return next((e for e in TABLE if wanted in (e.name, e.cls.lower(), *e.aliases)), None)


def _fold(name: str) -> str:
    return re.sub(r"[\s_-]", "", name).lower()


def _import(entry: Entry) -> type:
    return adopt(getattr(importlib.import_module(f"{__name__}.{entry.module}"), entry.cls))


def __getattr__(name: str) -> Any:
    for entry in TABLE:
        if name == entry.cls:
            return globals().setdefault(name, _import(entry))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *(entry.cls for entry in TABLE)])


# --- what users type ------------------------------------------------------------------------------------


class Game(NamedTuple):
    """A loaded game: the text that `load` read, the class and the initial state S0."""

    spec: str
    cls: type
    start: Any  # None if the class has no initial state: its states come from `parse`

    def position(self, text: str = "") -> Any:
        """The state that the text describes, S0 for no text; raises a ValueError if it is not a position."""
        if text:
            return parse(self.cls, text)
        if self.start is None:
            raise ValueError(
                f"{self.cls.__name__} has no initial state: give a position, or a default to each field"
                f"{_without(self.cls)}"
            )
        return self.start


def _without(cls: Any) -> str:
    """The fields of a class that have no default, in words."""
    names = [name for name in getattr(cls, "_fields", ()) if name not in getattr(cls, "_field_defaults", ())]
    return f" ({', '.join(names[:8])})" if names else ""


def load(spec: str) -> Game:
    """The game that a user names; raises a one-line ValueError or GameError if there is none.

    connect4    hexapawn:width=4,height=5                 a game of the table, with parameters
    mygame.py   mygame.py:Class   mygame.py:Class:width=4 a class in a file
    [[3,12,8],[2,4,6]]    tree.txt                        a tree, or a file that holds one
    """
    text = spec.strip()
    in_file = file_spec(text)
    if in_file is not None:
        base = ":".join(filter(None, in_file[:2]))
        return _game(base, _class_in(in_file), in_file.parameters)
    name, _, given = text.partition(":")
    entry = find(name)
    if entry is not None:
        return _game(entry.name, _import(entry), given)
    if os.path.isfile(text):
        return _tree(read_text(text))
    if "[" in text:
        return _tree(text)
    raise ValueError(_unknown(text))


def spec(cls: type) -> str:
    """The name under which `load` finds a class: in the table, or else in its file."""
    cls = original(cls)
    base = base_of(cls)
    changed = [f"{k.lower()}={v}" for k, v in parameters(cls).items() if v != getattr(base, k)]
    return ":".join(filter(None, (base_spec(cls), ",".join(changed))))


def base_spec(cls: type) -> str:
    """The same without parameters."""
    base, entry = base_of(cls), entry_of(cls)
    file = getattr(sys.modules.get(base.__module__), "__file__", None) if is_loadable(cls) else None
    return entry.name if entry else f"{file}:{base.__name__}" if file else base.__name__


def base_of(cls: type) -> type:
    """The class of which this is a variant; otherwise the class itself."""
    written: type = original(cls)
    found: type = getattr(written, "__outplay_base__", written)
    return found


def entry_of(cls: type) -> Entry | None:
    """The entry of a class or its variant; None for a user's own class, whatever its name."""
    base = base_of(cls)
    return find(base.__name__) if base.__module__.startswith(f"{__name__}.") else None


def is_ours(cls: type, *names: str) -> bool:
    """Whether a class is one of these games from the table, or a variant of one."""
    entry = entry_of(cls)
    return entry is not None and entry.name in names


def game_of(cls: type) -> Game:
    """A class as a game."""
    cls = adopt(cls)
    return Game(spec(cls), cls, initial(cls))


def is_loadable(cls: type) -> bool:
    """Whether another process can load the class by its `spec`: not if it is defined interactively or in a script."""
    base = base_of(cls)
    module = sys.modules.get(base.__module__)
    file = getattr(module, "__file__", None)
    at_the_top = base.__qualname__ == base.__name__
    return base.__module__ != "__main__" and at_the_top and file is not None and os.path.isfile(file)


def named(spec: str, own: Sequence[Game] = ()) -> Game:
    """The game that a data file names: one from the table, a tree, or one of the user's `own`, named separately.

    Data never run code: a file that a saved game names is not loaded.
    """
    text = spec.strip()
    in_file = file_spec(text)
    if in_file is None:
        if find(text.partition(":")[0]) is not None:
            return load(text)
        if "[" in text:
            return _tree(text)
        raise ValueError(_unknown(text))
    for game in own:
        mine = file_spec(game.spec)
        if mine and _base(mine.path) == _base(in_file.path) and in_file.name in ("", game.cls.__name__):
            return load(":".join(filter(None, (mine.path, in_file.name or mine.name, in_file.parameters))))
    wanted = ":".join(filter(None, (_base(in_file.path), in_file.name)))
    raise ValueError(
        f"its game is {text!r}, which is not part of outplay, and a saved game runs no code: "
        f"name the game before the file, as in `outplay replay {wanted} FILE` (book build: --game {wanted})"
    )


def _base(path: str) -> str:
    """A file's name without its folders, as any system writes them."""
    return re.split(r"[/\\]", path)[-1]


def _game(spec: str, cls: type, given: str) -> Game:
    values = _parameters(cls, given)
    if values:
        cls = variant(cls, **values)
        spec += ":" + ",".join(f"{name.lower()}={value}" for name, value in values.items())
    cls = adopt(cls)
    return Game(spec, cls, initial(cls))


def _parameters(cls: type, given: str) -> dict[str, int]:
    """`width=4,height=5` as the class's parameters."""
    values = {}
    for part in filter(None, re.split(r"[,\s]+", given)):
        name, equals, number = part.partition("=")
        try:
            values[name.strip().upper()] = int(number)
        except ValueError:
            names = ", ".join(f"{k.lower()}={v}" for k, v in parameters(cls).items()) or "none"
            raise ValueError(f"{part!r} is not a parameter of {cls.__name__}; it has {names}") from None
    return values


def initial(cls: type) -> Any:
    """S0 of a class; None if its fields have no defaults."""
    try:
        return cls()
    except TypeError:
        return None


def _class_in(file: FileSpec) -> type:
    module = load_module(file.path)
    if file.name:
        named = pick(module, file.name)
        if not isinstance(named, type):
            raise ValueError(f"{file.name} in {file.path} is a {type(named).__name__}, not a class")
        return adopt(named)
    games = [thing for thing in own(module).values() if isinstance(thing, type) and _looks_like_game(thing)]
    games = [game for game in games if not any(game in other.__mro__[1:] for other in games)]
    if len(games) == 1:
        return adopt(games[0])
    if not games:
        needs = ", ".join(f"{name}()" for name in NEEDED)
        raise ValueError(f"no game in {file.path}: a game is a NamedTuple class with the methods {needs}")
    names = ", ".join(cls.__name__ for cls in games)
    raise ValueError(
        f"several games in {file.path}: {names}; say which, as in {file.path}:{games[0].__name__}"
    )


def _looks_like_game(cls: type) -> bool:
    """Whether a class looks like a game; `adopt` reports what is missing."""
    return any(callable(getattr(cls, name, None)) for name in ("actions", "result"))


def _tree(text: str) -> Game:
    tree = importlib.import_module(f"{__name__}.tree").tree
    root = tree(text)
    return Game(type(root).__name__.lower(), adopt(type(root)), adopt_state(root))


def _unknown(text: str) -> str:
    if re.search(r"[/\\.]", text):
        return f"no such file: {text}"
    names = [name for entry in TABLE for name in (entry.name, *entry.aliases)]
    near = difflib.get_close_matches(_fold(text), names, n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else f"there are {', '.join(e.name for e in TABLE)}"
    return f"no game called {text!r}; {hint}"
