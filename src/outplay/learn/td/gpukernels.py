"""The GPU kernels: each thread serves one game or one row, with the functions of `lockstep.py`."""

import functools
from typing import Any

from outplay.compile import gpu
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.learn.td.lockstep import begin_one, deal_one, rate_one, settle_one, write_one

cuda = gpu.numba_cuda()
scratch = NATIVE["scratch"][ENABLED]


def begin(games: Any, plan: Any) -> None:
    b = cuda.grid(1)
    if b < len(games.facts):
        begin_one(b, b, games, plan)


def deal(like: Any, games: Any, plan: Any) -> None:
    b = cuda.grid(1)
    if b < len(games.facts):
        deal_one(b, like, games, plan)


@functools.cache
def writer(words: int) -> Any:
    """The kernel that writes rows; a thread has room for so many words of the game's."""

    def write(like: Any, games: Any, rows: Any, bias: int) -> None:
        r = cuda.grid(1)
        if r < len(rows.kinds):
            room = scratch(words)
            write_one(r, like, games, rows, room, bias)

    return write


def rate(rows: Any, scale: float) -> None:
    r = cuda.grid(1)
    if r < len(rows.kinds):
        rate_one(r, rows, scale)


def settle(like: Any, games: Any, rows: Any, scale: float, plan: Any) -> None:
    b = cuda.grid(1)
    if b < len(games.facts):
        settle_one(b, like, games, rows, scale, plan)
