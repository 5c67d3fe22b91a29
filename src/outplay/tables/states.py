"""A table of states: those that can come from one, each found again by its hash.

A word of the table holds the upper TAG_BITS of a state's hash and the number of its code. Where the search for a state
begins depends on the lower bits of the hash. No two of these states can be taken for each other: another salt is tried
until that is so. A state that cannot come from the start is as good as never found, by chance once in 2^40 or so.
"""

from typing import Any

import numpy as np

from outplay.compile import ENABLED, kernel
from outplay.compile.runtime import NATIVE
from outplay.tables.file import LOW, NUMBER

load_state, pointer = NATIVE["load_state"][ENABLED], NATIVE["pointer"][ENABLED]
plain_mix = NATIVE["mix"][0]

SALTS = 100


def hashed(native: Any, states: np.ndarray, numbers: np.ndarray) -> tuple[np.ndarray, int]:
    """The words of the table for states with these numbers of codes, and their salt; `native` is one of them."""
    size = len(states) * 10 // 9 + 8
    for number in range(1, SALTS):
        salt = plain_mix(number)  # a small one would only turn some states' hashes into those of others
        data = np.zeros(size, np.int64)
        if _insert(native, states.ravel(), states.shape[1], numbers, salt, data):
            return data, salt
    raise ValueError("no salt separates these states")


@kernel
def _insert(like: Any, states: Any, words: int, numbers: Any, salt: int, data: Any) -> bool:
    """Fill the table; False where two states cannot be told apart."""
    size, memory = len(data), pointer(states)
    for i in range(len(numbers)):
        full = load_state(memory, i * words, like).fingerprint(salt)
        tag = full & ~NUMBER
        at = (full & LOW) * size >> 32
        while data[at] != 0:
            if data[at] & ~NUMBER == tag:
                return False
            at = at + 1 if at + 1 < size else 0
        data[at] = tag | numbers[i] + 1
    return True
