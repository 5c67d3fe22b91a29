"""Nim with one heap, the smallest game worth defining. Try `outplay play examples/nim.py`."""

from typing import NamedTuple


class Nim(NamedTuple):
    """Take 1, 2 or 3 from the heap; whoever takes the last one wins."""

    HEAP = 21
    heap: int = HEAP
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        for take in (1, 2, 3):
            if take <= self.heap:
                yield take

    def result(self, take):
        return Nim(self.heap - take, 1 - self.mover)

    def terminal(self):
        return self.heap == 0

    def utility(self):
        return 1 if self.mover == 1 else -1
