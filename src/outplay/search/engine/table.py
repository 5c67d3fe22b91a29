"""The transposition table: search results by position key.

An entry is two words: the data, and the key xor the data. A reader accepts an entry only if the two
give back its key, so a torn write by another thread is never accepted, and no lock is needed
(Hyatt & Mann 2002). The data word:

    bits  0-31  score, signed          bits 43-47  effort: log2 of the nodes searched below
    bits 32-39  depth                  bits 48-51  age
    bits 40-41  bound                  bits 52-63  index of the best action in the order of `actions`
    bit  42     every line was searched to the end of the game

The best action is stored as an index because a game always yields its actions in the same order; it takes 12 bits
for any kind of action. A bucket has two entries: the first keeps the one with more effort, the second the latest.
"""

from pathlib import Path
from typing import Any

import numpy as np

from outplay.arrays import read_arrays, text_of
from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.freememory import megabytes_available
from outplay.storage import replacing

NONE, UPPER, LOWER, EXACT = range(4)  # bounds; EXACT == UPPER | LOWER
NO_INDEX = 4095
SCHEMES = ("two-tier", "always", "deeper", "effort")  # which entry a new one replaces

shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
prefetch = NATIVE["prefetch"][ENABLED]

PAGE = 512  # words


class Table:
    """A table of a given size in MB."""

    def __init__(self, megabytes: float = 64, scheme: str = "two-tier") -> None:
        if megabytes <= 0:
            raise ValueError(f"the transposition table must have more than 0 MB, not {megabytes:g}")
        most = megabytes_available()
        if not megabytes <= most:
            raise ValueError(f"a table of {megabytes} MB does not fit: at most {most:.0f} MB")
        if scheme not in SCHEMES:
            raise ValueError(f"unknown replacement scheme {scheme!r}; choose from {', '.join(SCHEMES)}")
        buckets = 1 << max(4, int(megabytes * (1 << 20) / 32).bit_length() - 1)
        self.words = np.zeros(4 * buckets, np.int64)
        self.scheme = SCHEMES.index(scheme)
        self.age = 0
        self.settled = False

    @property
    def mask(self) -> int:
        return len(self.words) // 4 - 1

    def settle(self) -> None:
        """Touch all pages now: page faults on first write would slow the search."""
        if not self.settled:
            self.words[::PAGE] += 0
            self.settled = True

    def grow_older(self) -> None:
        """Call before each search: entries of earlier ones are replaced first."""
        self.age = self.age + 1 & 15

    def permille(self) -> int:
        """Permille of entries written by the current search (UCI's hashfull)."""
        data = self.words[1 : 2 * 1000 : 2]
        return (
            int(np.count_nonzero((data != 0) & ((data >> 48 & 15) == self.age))) * 1000 // max(len(data), 1)
        )

    def save(self, path: str | Path, signature: str) -> None:
        """Write the table to a file: Samuel's rote memory. `signature` identifies game, rules and weights."""
        with replacing(path) as file:
            np.savez_compressed(file, words=self.words, signature=np.array(signature))

    def load(self, path: str | Path, signature: str) -> None:
        """Read a table saved with the same signature."""
        try:
            arrays = read_arrays(path)
            words, written = arrays["words"], text_of(arrays["signature"])
        except (ValueError, KeyError) as error:
            raise ValueError(f"{path} is not a saved table: {error}") from None
        if written != signature:
            raise ValueError(f"{path} holds a table of {written}, not of {signature}")
        size = words.size if words.ndim == 1 and words.dtype == np.int64 else 0
        if size < 64 or size & (size - 1):
            raise ValueError(f"{path} is not a saved table")
        self.words = words
        self.age = 0


@kernel
def pack(score: int, depth: int, bound: int, ended: int, effort: int, age: int, index: int) -> int:
    high = depth | bound << 8 | ended << 10 | effort << 11 | age << 16 | index << 20
    return wrap(high << 32) | (score & 0xFFFFFFFF)


@kernel
def score_of(data: int) -> int:
    return ((data & 0xFFFFFFFF) ^ 0x80000000) - 0x80000000


@kernel
def depth_of(data: int) -> int:
    return data >> 32 & 255


@kernel
def bound_of(data: int) -> int:
    return data >> 40 & 3


@kernel
def ended_of(data: int) -> int:
    return data >> 42 & 1


@kernel
def effort_of(data: int) -> int:
    return data >> 43 & 31


@kernel
def age_of(data: int) -> int:
    return data >> 48 & 15


@kernel
def index_of(data: int) -> int:
    return shr(data, 52)


@kernel
def find(table: Any, mask: int, key: int) -> int:
    """The data of a position, 0 if there is none."""
    at = (key & mask) * 4
    for i in range(at, at + 4, 2):
        data = table[i + 1]
        if table[i] ^ data == key and data != 0:
            return data
    return 0


@kernel
def prefetch_entry(table: Any, mask: int, key: int) -> None:
    """Prefetch a bucket that will be probed soon: a cache miss costs more than the rest of the node."""
    prefetch(table, (key & mask) * 4)


@kernel
def keep(table: Any, mask: int, scheme: int, key: int, data: int) -> None:
    """Write a position's data according to the replacement scheme."""
    first = (key & mask) * 4
    second = first + 2
    old = table[first + 1]
    same = table[first] ^ old == key
    known = old if same else table[second + 1] if table[second] ^ table[second + 1] == key else 0
    if known != 0 and index_of(data) == NO_INDEX:  # keep the known best action
        data = data & 0x000FFFFFFFFFFFFF | wrap(index_of(known) << 52)
    stale = age_of(old) != age_of(data)
    if same and not stale and depth_of(data) + 3 < depth_of(old) and bound_of(data) != EXACT:
        return  # the old entry is much deeper
    if scheme == 1:
        better = True
    elif scheme == 3:
        better = effort_of(data) >= effort_of(old)
    else:
        better = depth_of(data) >= depth_of(old)
    if same or stale or better or old == 0:
        if scheme == 0 and not same and old != 0:
            table[second], table[second + 1] = table[first], old
        table[first], table[first + 1] = key ^ data, data
    elif scheme == 0:
        table[second], table[second + 1] = key ^ data, data
