"""The page's knowledge besides its searches: endgame tables, an opening book, names of openings.

Named on the command line like games and bots: `outplay web tables openings.book names`.
"""

from pathlib import Path
from typing import Any

from outplay.book.choice import Reader
from outplay.book.lookup import is_for
from outplay.book.names import Opening, opening_of, read_names
from outplay.games import is_ours
from outplay.record import Record
from outplay.tables.code import fitting
from outplay.tables.file import SUFFIX
from outplay.tables.shelf import Shelf

BOOKS = (".book", ".bin")
NAMES = ".tsv"


class Knowledge:
    """The knowledge of one server."""

    def __init__(self) -> None:
        self.tables = ""  # a folder
        self.reader: Reader | None = None
        self.names: dict[str, Opening] = {}
        self._helped: dict[type, bool] = {}  # whether there are tables of a game

    def add(self, file: str) -> bool:
        """Add a file or folder with knowledge; False if it is something else."""
        path = Path(file)
        if path.is_dir():
            has = {suffix: any(path.glob(f"*{suffix}")) for suffix in (SUFFIX, NAMES)}
            if not any(has.values()):
                raise ValueError(
                    f"{file} is a folder without tables (*{SUFFIX}) and names of openings (*{NAMES})"
                )
            self.tables = file if has[SUFFIX] else self.tables
            self.names |= read_names(path) if has[NAMES] else {}
        elif path.suffix in BOOKS:
            self.reader = Reader(file).checked()
        elif path.suffix == NAMES:
            self.names |= read_names(path)
        else:
            return False
        return True

    def tables_for(self, cls: type) -> str:
        """The folder with a game's tables; empty if there are none."""
        if self.tables and cls not in self._helped:
            try:
                fitting(cls)
                self._helped[cls] = bool(Shelf.open(self.tables, cls).tables)
            except ValueError:
                self._helped[cls] = False
        return self.tables if self._helped.get(cls) else ""

    def book_move(self, record: Record, roll: float) -> int | None:
        """The book's move, if there is one."""
        if self.reader is None or not is_for(self.reader.file, record.game):
            return None
        return self.reader.move(record.state, len(record.actions), roll)

    def opening(self, record: Record) -> str:
        """The name of a chess game's opening; empty if unknown."""
        start: Any = record.start
        if not self.names or not is_ours(type(start), "chess"):
            return ""
        found = opening_of(record, self.names)
        return str(found) if found is not None else ""
