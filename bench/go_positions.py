"""Legal positions of Go on small boards, counted by the rules: whatever can be reached from the empty board.

Boards are numbered in base 3, and found by the number of their stones: each comes from one with a stone less by a
move that takes nothing, so one pass over the boards with 0, 1, 2 ... stones finds all (Tromp & Farnebäck 2006).
"""

from collections.abc import Iterator
from typing import Any

import numpy as np

from bench.measure import Row, Size
from outplay.compile import kernel, twin
from outplay.compile.runtime import NATIVE
from outplay.game import max_actions
from outplay.games import Go
from outplay.variants import variant

COUNTS = {2: 57, 3: 12_675, 4: 24_318_165}
_, pointer = NATIVE["pointer"]
_, load_state = NATIVE["load_state"]


def run(size: Size) -> Iterator[Row]:
    for width in range(2, size.pick(4, 3, 3) + 1):
        found = count(width)
        work = f"legal positions of Go {width}x{width}: {found:,}"
        yield Row(
            work,
            "Tromp & Farnebäck",
            figure=abs(found - COUNTS[width]),
            unit="differences",
            bound=0,
            at_most=True,
        )


def count(size: int) -> int:
    cls: Any = variant(Go, SIZE=size)
    points = size * size
    seen = np.zeros(3**points, np.uint8)
    seen[0] = 1
    threes = np.zeros(1 << points, np.int64)  # a set of points as a number in base 3
    for point in range(points):
        threes[1 << point : 2 << point] = threes[: 1 << point] + 3**point
    memory = np.zeros(max_actions(cls) + 1, np.int64)
    state = twin(cls).state(cls())
    _count(state, points, seen, threes, memory, np.zeros(8, np.int64))
    return int(seen.sum())


@kernel
def _count(like: Any, points: int, seen: Any, threes: Any, memory: Any, words: Any) -> None:
    """Mark every board that a move leads to, from boards with fewer stones on."""
    out, state = pointer(memory), pointer(words)
    full = (1 << points) - 1
    for stones in range(points):
        for black in range(full + 1):
            if _bits(black) > stones:
                continue
            rest = full & ~black
            white = rest  # all sets of the rest, the empty one last
            while True:
                if _bits(black) + _bits(white) == stones and seen[threes[black] + 2 * threes[white]]:
                    _spread(like, black, white, 0, seen, threes, out, state)
                    _spread(like, white, black, 1, seen, threes, out, state)
                if white == 0:
                    break
                white = (white - 1) & rest


@kernel
def _spread(like: Any, own: int, opp: int, turn: int, seen: Any, threes: Any, out: Any, words: Any) -> None:
    """Mark the boards that the mover's stones lead to."""
    words[0], words[1], words[2], words[3], words[4], words[5] = own, opp, -1, -1, 0, turn
    s = load_state(words, 0, like)
    for i in range(s.actions(out, 0) - 1):  # the last one is the pass
        after = s.result(out[i])
        mover, other = after.own[0], after.opp[0]  # by now the other is to move
        black, white = (mover, other) if turn == 1 else (other, mover)
        seen[threes[black] + 2 * threes[white]] = 1


@kernel
def _bits(x: int) -> int:
    count = 0
    while x:
        x &= x - 1
        count += 1
    return count
