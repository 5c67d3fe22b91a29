"""Names of openings: lists in lichess's format, a line `eco<TAB>name<TAB>1. e4 e5 2. ...` per opening.

A game's opening is the last named position it reached, so that transpositions get the same name.
"""

from pathlib import Path
from typing import NamedTuple

from outplay.book.book import place
from outplay.files import read_text
from outplay.record import Record


class Opening(NamedTuple):
    """A name, with its code in the Encyclopaedia of Chess Openings."""

    eco: str
    name: str

    def __str__(self) -> str:
        return f"{self.eco} {self.name}"


def read_names(path: str | Path) -> dict[str, Opening]:
    """Openings by position, from a file or all *.tsv of a folder; a ValueError names an invalid line."""
    import chess

    files = sorted(Path(path).glob("*.tsv")) if Path(path).is_dir() else [Path(path)]
    if not files:
        raise ValueError(f"{path} has no lists of openings (*.tsv)")
    names = {}
    for file in files:
        for number, line in enumerate(read_text(str(file)).splitlines(), 1):
            if line.startswith("eco\t") or not line.strip():
                continue
            try:
                eco, name, moves = line.split("\t")[:3]
                if not (eco + name).isprintable():  # it is shown in terminals
                    raise ValueError
                board = chess.Board()
                for word in moves.split():
                    if not word.endswith("."):
                        board.push_san(word)
            except ValueError:
                raise ValueError(
                    f"{file}, line {number} is not an opening: eco, name and moves, separated by tabs"
                ) from None
            names[" ".join(board.fen().split()[:4])] = Opening(eco, name)
    return names


def opening_of(record: Record, names: dict[str, Opening]) -> Opening | None:
    """The game's last named position."""
    for state in reversed(record.trail()):
        found = names.get(place(state))
        if found is not None:
            return found
    return None
