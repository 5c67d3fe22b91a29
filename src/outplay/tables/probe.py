"""Probing tables from compiled searches.

All tables of a game are on one shelf, an array of words that kernels read:

    words[0]        the number of places for families, less one
    words[1:5]      a table of states: where its data lie (0: there is none), their number, its salt, its answers
    words[8:]       a place for each family, by a hash of its number: the number plus one (0: free), where its
                    data lie, the logarithm of the bytes of each, where its answers lie

An answer is two words: a code, and the utility that it stands for.
"""

import functools
from typing import Any

import numpy as np

from outplay.compile import ENABLED, kernel
from outplay.compile.runtime import NATIVE
from outplay.tables.code import NO_CODE, decode
from outplay.tables.file import LOW, NUMBER, Header, Table

word_at, mix, shr = (NATIVE[name][ENABLED] for name in ("word_at", "mix", "shr"))

FIRST, PLACE = 8, 4


def shelf(tables: list[Table]) -> tuple[np.ndarray, list[np.ndarray]]:
    """The shelf, and the arrays that it points at, which must live as long."""
    answers = [answers_of(table) for table in tables]
    words = shelf_words(
        [
            (table.header, table.data.ctypes.data, known.ctypes.data)
            for table, known in zip(tables, answers, strict=True)
        ]
    )
    return words, [words, *answers, *(table.data for table in tables)]


def shelf_words(placed: list[tuple[Header, int, int]]) -> np.ndarray:
    """The words of a shelf of tables, each with the addresses of its data and of its answers."""
    families = sum(header.family >= 0 for header, *_ in placed)
    places = 1 << (2 * families + 1).bit_length()
    words = np.zeros(FIRST + PLACE * places, np.int64)
    words[0] = places - 1
    for header, data, answers in placed:
        if header.family < 0:
            words[1:5] = data, header.size, header.salt, answers
            continue
        at = plain_mix(header.family) & places - 1
        while words[FIRST + PLACE * at]:
            at = at + 1 & places - 1
        width = header.width.bit_length() - 1
        words[FIRST + PLACE * at :][:PLACE] = header.family + 1, data, width, answers
    return words


def answers_of(table: Table) -> np.ndarray:
    """The codes of a table, each with its utility."""
    return _answers(table.header.codes, table.header.ranks)


@functools.lru_cache(maxsize=2048)
def _answers(codes: tuple[int, ...], ranks: tuple[int, ...]) -> np.ndarray:
    utilities = [0 if code == NO_CODE else decode(code, ranks)[0] for code in codes]
    return np.array([*zip(codes, utilities, strict=True)], np.int64).ravel()


plain_mix = NATIVE["mix"][0]


@kernel
def probe(s: Any, shelf: int) -> int:
    """The code of a state, or NO_CODE where no table has it; `shelf` is the address of the words above."""
    found = answer(s, shelf)
    return word_at(found, 0) if found != 0 else NO_CODE


@kernel
def answer(s: Any, shelf: int) -> int:
    """Where the answer to a state lies; 0 where no table has it."""
    family = s.family()
    if family >= 0:
        mask = word_at(shelf, 0)
        at = mix(family) & mask
        while word_at(shelf, FIRST + PLACE * at) != 0:
            if word_at(shelf, FIRST + PLACE * at) == family + 1:
                return in_slot(s.slot(), shelf, FIRST + PLACE * at)
            at = at + 1 & mask
    if word_at(shelf, 1) != 0:
        return by_hash(s.fingerprint(word_at(shelf, 3)), shelf)
    return 0


@kernel
def in_slot(slot: int, shelf: int, place: int) -> int:
    """The answer for a slot of the family at a place of the shelf."""
    if slot < 0:
        return 0
    width = word_at(shelf, place + 2)
    each = 3 - width  # the logarithm of how many lie in a word
    word = word_at(word_at(shelf, place + 1), slot >> each)
    number = shr(word, (slot & (1 << each) - 1) << 3 + width) & (1 << (8 << width)) - 1
    return word_at(shelf, place + 3) + 16 * number


@kernel
def by_hash(full: int, shelf: int) -> int:
    """The answer for a state of this hash in the table of states."""
    data, size = word_at(shelf, 1), word_at(shelf, 2)
    tag = full & ~NUMBER
    at = (full & LOW) * size >> 32
    while True:
        word = word_at(data, at)
        if word == 0:
            return 0
        if word & ~NUMBER == tag:
            return word_at(shelf, 4) + 16 * ((word & NUMBER) - 1)
        at = at + 1 if at + 1 < size else 0
