"""Polyglot opening books for chess: entries of 16 bytes, big-endian, sorted by key.

8 bytes   the key of the position (python-chess has the numbers)
2         the move: to, from (six bits each), promotion (0, or 1 to 4: knight to queen); castling is the
          king capturing its own rook
2         the weight of the move among those of the position
4         for programs that learn
"""

import struct
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from outplay.storage import write_whole

if TYPE_CHECKING:
    from outplay.games.chess import Chess

ENTRY = struct.Struct(">QHHI")
HEAVIEST = 0xFFFF
PIECES = "nbrq"


class Entry(NamedTuple):
    """A move of a position."""

    key: int
    move: int
    weight: int
    learn: int = 0


def read(path: str | Path) -> list[Entry]:
    """The entries of a book; a one-line ValueError if the file is damaged or something else."""
    content = Path(path).read_bytes()
    if not content or len(content) % ENTRY.size:
        raise ValueError(
            f"{path} is not a Polyglot book, or is cut short: its entries have {ENTRY.size} bytes each"
        )
    entries = [Entry(*fields) for fields in ENTRY.iter_unpack(content)]
    if any(one.key > two.key for one, two in zip(entries, entries[1:], strict=False)):
        raise ValueError(f"{path} is not a Polyglot book, or is damaged: its entries are not sorted by key")
    return entries


def write(path: str | Path, entries: Iterable[Entry]) -> None:
    """Write a book atomically; entries of one position keep their order."""
    ordered = sorted(entries, key=lambda entry: entry.key)
    write_whole(path, b"".join(ENTRY.pack(*entry) for entry in ordered))


def key_of(state: "Chess") -> int:
    """The key of a position."""
    import chess.polyglot

    from outplay.games.chess import notation

    return chess.polyglot.zobrist_hash(notation.board(state))


def move_of(state: "Chess", action: int) -> int:
    """A move as encoded in an entry."""
    text = state.uci(action, chess960=True)
    start, stop = (8 * (int(text[i + 1]) - 1) + "abcdefgh".index(text[i]) for i in (0, 2))
    piece = PIECES.index(text[4]) + 1 if len(text) > 4 else 0
    return stop | start << 6 | piece << 12


def scaled(weights: list[int]) -> list[int]:
    """Weights scaled to 16 bits in proportion; a nonzero weight stays nonzero."""
    most = max(weights, default=0)
    if most <= HEAVIEST:
        return weights
    return [max(weight * HEAVIEST // most, min(weight, 1)) for weight in weights]
