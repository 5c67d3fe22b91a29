"""All tables of a game that lie in a folder, asked as one."""

import functools
import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NamedTuple

from outplay.compile.fingerprint import fingerprint
from outplay.game import adopt, adopt_state, legal, offers, parse
from outplay.tables.code import NO_CODE, decode, encode, fitting
from outplay.tables.digest import rules_digest
from outplay.tables.file import LOW, NUMBER, SUFFIX, Table, open_table, read_header
from outplay.tables.metric import checked
from outplay.tables.probe import shelf
from outplay.words import wrap


class Known(NamedTuple):
    """What a table says of a position."""

    value: int  # the utility for the player to move
    plies: int | None  # to the end of the game; None in a draw
    code: int
    table: str  # its name


class Shelf:
    """The tables of one game."""

    def __init__(self, cls: type, tables: Iterable[Table] = ()) -> None:
        self.cls = cls
        self.tables = list(tables)
        self.families = {table.header.family: table for table in self.tables if table.header.family >= 0}
        self.states = next((table for table in self.tables if table.header.family < 0), None)
        self.words, self.kept = shelf(self.tables)

    @classmethod
    def open(cls, folder: str | Path, game: type, metric: str = "") -> "Shelf":
        """The tables of a game in a folder; a file that is damaged is an error, one of another game is not.

        Of those by one metric, the game's usual one where the text is empty.
        """
        if not Path(folder).is_dir():
            raise ValueError(f"{folder} is not a folder with tables: outplay table build makes one")
        game = adopt(game)
        fitting(game)
        wanted = rules_digest(game), checked(metric, game)
        files = sorted(Path(folder).glob(f"*{SUFFIX}"))
        headers = {file: read_header(file) for file in files}
        ours = [file for file in files if (headers[file].rules, headers[file].metric) == wanted]
        with ThreadPoolExecutor(min(os.cpu_count() or 1, 16)) as pool:  # checksums take the time
            tables = list(pool.map(open_table, ours))
        for table in tables:
            _check_family(game, table)
        return cls(game, tables)

    @classmethod
    def wanted(cls, folder: str | Path, game: type, metric: str = "") -> "Shelf":
        """The same, where there must be some."""
        found = cls.open(folder, game, metric)
        if not found.tables:
            raise ValueError(
                f"{folder} has no tables of {game.__name__} for its current rules: "
                "outplay table build makes them"
            )
        return found

    @classmethod
    def shared(cls, folder: str | Path, game: type) -> "Shelf":
        """The same; the last ones are kept until a file changes."""
        found = sorted(Path(folder).glob(f"*{SUFFIX}"))
        return _kept(str(folder), game, tuple((str(file), file.stat().st_mtime_ns) for file in found))

    @property
    def address(self) -> int:
        """Where compiled searches find the tables."""
        return int(self.words.ctypes.data)

    def add(self, table: Table) -> "Shelf":
        """These tables and one more."""
        same = table.header.family
        return Shelf(self.cls, [*(old for old in self.tables if old.header.family != same), table])

    def named(self, name: str) -> Table:
        """The table of a family; of all states that come from one where the name is empty."""
        for table in self.tables:
            if table.header.name == name:
                return table
        have = ", ".join(table.header.name or "all states of the game" for table in self.tables)
        raise ValueError(f"no table {name or 'of all states'} here; found {have or 'none'}")

    def probe(self, state: Any) -> Known | None:
        """What is known of a state; None where no table has it."""
        state = adopt_state(state)
        family = state.family() if self.families else -1
        table = self.families.get(family)
        code = NO_CODE
        if table is not None:
            slot = state.slot()
            code = table.header.codes[int(table.data[slot])] if 0 <= slot < len(table.data) else NO_CODE
        if code == NO_CODE and self.states is not None:
            table = self.states
            code = _by_hash(table, fingerprint(state, table.header.salt))
        if table is None or code == NO_CODE:
            return None
        value, plies = decode(code, table.header.ranks)
        banked = int(state.banked()) if offers(type(state), "banked") else 0
        if banked:
            value += banked
            code = encode(value, plies or 0, table.header.ranks)
        return Known(value, plies, code, table.header.name)

    def moves(self, state: Any) -> list[tuple[Any, Known | None]]:
        """The actions of a state with what is known of each for its mover, the best first, the unknown last."""
        found: list[tuple[Any, Known | None]] = []
        for action in legal(state):
            child = state.result(action)
            known = self.after(child)
            if known is not None and child.player() != state.player():
                known = known._replace(value=-known.value, code=-known.code)
            if known is not None:
                plies = None if known.plies is None else known.plies + 1
                known = known._replace(plies=plies, code=known.code + (known.code > 0) - (known.code < 0))
            found.append((action, known))
        return sorted(found, key=lambda move: order(move[1]))

    def after(self, state: Any) -> Known | None:
        """What is known of a state, the rules included: where the game is over, they say it."""
        known = self.probe(state)
        if known is None and not legal(state):
            value = int(state.utility() if state.player() == 0 else -state.utility())
            return Known(value, 0 if value else None, (value > 0) - (value < 0), "")
        return known


@functools.lru_cache(maxsize=8)
def _kept(folder: str, game: type, files: tuple[tuple[str, int], ...]) -> Shelf:
    return Shelf.wanted(folder, game)


def _check_family(game: Any, table: Table) -> None:
    """Refuse a table of a family that has other slots than the game says: native code would read beside it."""
    header = table.header
    if header.family < 0:
        return
    try:
        start = adopt_state(parse(game, header.start))
        fits = (start.family(), start.slots()) == (header.family, header.size)
    except (ValueError, AttributeError):
        fits = False
    if not fits:
        raise ValueError(f"{table.path} is not a family of {game.__name__}: build it again")


def order(known: Known | None) -> tuple[int, int, int]:
    """The best first: by value, then by distance, and what is not known last."""
    if known is None:
        return 1, 0, 0
    plies = known.plies or 0
    return 0, -known.value, plies if known.value > 0 else -plies


def _by_hash(table: Table, full: int) -> int:
    """The code of a state of this hash; as `probe.by_hash`."""
    size = len(table.data)
    at = (full & LOW) * size >> 32
    while word := int(table.data[at]):
        if word & ~NUMBER == wrap(full & ~NUMBER):
            return table.header.codes[(word & NUMBER) - 1]
        at = at + 1 if at + 1 < size else 0
    return NO_CODE
