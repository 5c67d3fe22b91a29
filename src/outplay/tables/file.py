"""Files of tables. docs/tables.md describes the format.

A table is memory-mapped, so that several programs share it and only the pages used are
loaded. Before its first use it is verified against its checksum.
"""

import hashlib
import json
import struct
from pathlib import Path
from typing import Any, NamedTuple, Self

import numpy as np

from outplay.storage import from_json, replacing
from outplay.tables.code import NO_CODE, PLIES_BITS
from outplay.tables.metric import END, METRICS
from outplay.words import wrap

MAGIC = b"outplay table 2\n"
ALIGNED = 64  # bytes: where the data begin
CHECKSUM = 16  # bytes
SUFFIX = ".table"
TAG_BITS = 44  # of a state's hash in a word of a table of states; the rest is the number of its code
NUMBER = (1 << 64 - TAG_BITS) - 1
LOW = 0xFFFFFFFF  # the bits of a hash that say where the search for a state begins
MOST_HEADER = 1 << 26  # bytes
MOST_CODE = (1 << 31) - 1


class Header(NamedTuple):
    """What a table is of."""

    game: str  # as the command line names it
    rules: str  # a digest of the rules
    name: str  # of the family; empty for all states that come from `start`
    family: int  # its number; -1 without families
    start: str  # a position
    ranks: tuple[int, ...]  # outcomes, see code.py
    codes: tuple[int, ...]  # the codes that occur: data are numbers of these
    counts: tuple[tuple[int, ...], ...]  # for MAX and for MIN to move: how many positions have each code
    size: int  # slots of a family, words of a table of states
    width: int  # bytes of each
    salt: int  # of the hashes of states
    metric: str = END  # what the plies count, see metric.py


class Table(NamedTuple):
    """A table in memory, or on the disk."""

    header: Header
    data: np.ndarray
    path: Path | None = None

    @property
    def positions(self) -> int:
        return sum(map(sum, self.header.counts))

    def save(self, path: str | Path) -> Self:
        """Write the file, whole or not at all."""
        said = json.dumps(self.header._asdict()).encode()
        body = self.data.view(np.uint8).data
        start = len(MAGIC) + 4 + len(said) + 2 * CHECKSUM
        with replacing(path) as file:
            file.write(MAGIC + struct.pack("<I", len(said)) + said + _digest(said))
            file.write(_digest(body) + bytes(-start % ALIGNED))
            file.write(body)
        return self._replace(path=Path(path))

    def mapped(self) -> Self:
        """The table in its file, out of the memory of this process."""
        assert self.path is not None
        start = self.path.stat().st_size - self.data.nbytes
        return self._replace(data=np.memmap(self.path, self.data.dtype, "r", start, self.data.shape))


def _digest(content: Any) -> bytes:
    return hashlib.blake2b(content, digest_size=CHECKSUM).digest()


def packed(codes: np.ndarray, known: tuple[int, ...]) -> np.ndarray:
    """The codes of slots as numbers of known codes, in as few bytes as these take; whole words."""
    data = np.zeros(-(-len(codes) // 8) * 8, kind_of(known))
    data[: len(codes)] = np.searchsorted(np.array(known, np.int64), codes)
    return data


def kind_of(known: tuple[int, ...]) -> Any:
    """The numbers of so many known codes."""
    return np.uint8 if len(known) <= 1 << 8 else np.uint16 if len(known) <= 1 << 16 else np.uint32


def read_header(path: str | Path) -> Header:
    """What a file says it holds; a ValueError in one line if it is no table or damaged."""
    return _read(Path(path))[0]


def open_table(path: str | Path) -> Table:
    """The table in a file."""
    path = Path(path)
    header, checksum, start = _read(path)
    kind = np.dtype(f"<u{header.width}") if header.family >= 0 else np.dtype("<i8")
    length = -(-header.size // 8) * 8 if header.family >= 0 else header.size
    if path.stat().st_size != start + length * kind.itemsize:
        raise ValueError(f"{path} is truncated or too long: build it again")
    data = np.memmap(path, kind, "r", start, (length,))
    if _digest(data.view(np.uint8).data) != checksum:
        raise ValueError(f"{path} is damaged (its checksum is wrong): build it again")
    if not _is_sound(header, data):
        raise ValueError(f"{path} contradicts itself: build it again")
    return Table(header, data, path)


def _is_sound(header: Header, data: np.ndarray) -> bool:
    """Whether native code may read the data: every number is that of a code, and a search for a state ends."""
    if header.family >= 0:
        return int(data.max()) < len(header.codes)
    numbers = data & NUMBER
    return int(numbers.max()) <= len(header.codes) and bool(
        ((numbers == 0) == (data == 0)).all() and (data == 0).any()
    )


def _read(path: Path) -> tuple[Header, bytes, int]:
    """The header, the checksum of the data, and where they begin."""
    with path.open("rb") as file:
        if file.read(len(MAGIC)) != MAGIC:
            raise ValueError(f"{path} is not an Outplay table")
        length = file.read(4)
        size = struct.unpack("<I", length)[0] if len(length) == 4 else MOST_HEADER
        said = file.read(min(size, MOST_HEADER))
        checksums = file.read(2 * CHECKSUM)
    if len(said) != size or len(checksums) != 2 * CHECKSUM or checksums[:CHECKSUM] != _digest(said):
        raise ValueError(f"{path} is damaged or cut short: build it again")
    start = len(MAGIC) + 4 + size + 2 * CHECKSUM
    try:
        found = Header(**from_json(said.decode()))
        header = found._replace(
            ranks=tuple(map(int, found.ranks)),
            codes=tuple(map(int, found.codes)),
            counts=tuple(tuple(map(int, row)) for row in found.counts),
        )
        sound = header.size > 0 and header.width in (1, 2, 4, 8) and bool(header.codes) and _fits(header)
    except (ValueError, TypeError, AttributeError, OverflowError):
        sound = False
    if not sound:
        raise ValueError(f"{path} was written by another version of Outplay: build it again")
    return header, checksums[CHECKSUM:], start + -start % ALIGNED


def _fits(header: Header) -> bool:
    """Whether the parts of a header go together."""
    texts = (header.game, header.rules, header.name, header.start)
    known = [code for code in header.codes if code not in (0, NO_CODE)]
    return (
        all(isinstance(text, str) and text.replace("\n", "").isprintable() for text in texts)
        and all(map(_is_word, (header.family, header.family + 1, header.size, header.salt, *header.ranks)))
        and all(0 < abs(code) <= MOST_CODE and abs(code) >> PLIES_BITS < len(header.ranks) for code in known)
        and header.metric in METRICS
        and len(header.counts) == 2
        and all(len(row) == len(header.codes) for row in header.counts)
    )


def _is_word(number: Any) -> bool:
    """Whether native code can hold the number."""
    return isinstance(number, int) and wrap(number) == number


def counted(codes: np.ndarray, owner: np.ndarray, known: tuple[int, ...]) -> tuple[tuple[int, ...], ...]:
    """How many positions have each known code, for each player to move."""
    number = np.searchsorted(np.array(known, np.int64), codes)
    return tuple(
        tuple(np.bincount(number[(owner == player) & (codes != NO_CODE)], minlength=len(known)).tolist())
        for player in (0, 1)
    )
