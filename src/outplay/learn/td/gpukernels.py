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
    if b < len(games):
        begin_one(b, b, games, plan)


def deal(
    like: Any, states: Any, now: Any, games: Any, counts: Any, actions: Any, keys: Any, plan: Any
) -> None:
    b = cuda.grid(1)
    if b < len(games):
        deal_one(b, like, states, now, games, counts, actions, keys, plan)


@functools.cache
def writer(words: int) -> Any:
    """The kernel that writes rows; a thread has room for so many words of the game's."""

    def write(
        like: Any, states: Any, now: Any, games: Any, counts: Any, ends: Any, actions: Any, keys: Any,
        bias: int, inputs: Any, kinds: Any, viewers: Any, values: Any,
    ) -> None:  # fmt: skip
        r = cuda.grid(1)
        if r < len(kinds):
            room = scratch(words)
            write_one(
                r, like, states, now, games, counts, ends, actions, keys, room, bias, inputs, kinds, viewers, values
            )  # fmt: skip

    return write


def rate(kinds: Any, viewers: Any, values: Any, raw: Any, scale: float) -> None:
    r = cuda.grid(1)
    if r < len(kinds):
        rate_one(r, kinds, viewers, values, raw, scale)


def settle(
    like: Any, states: Any, now: Any, games: Any, counts: Any, ends: Any, actions: Any, kinds: Any, viewers: Any,
    values: Any, raw: Any, found: Any, targets: Any, learns: Any, scale: float, plan: Any,
) -> None:  # fmt: skip
    b = cuda.grid(1)
    if b < len(games):
        settle_one(
            b, like, states, now, games, counts, ends, actions, kinds, viewers, values, raw, found, targets, learns,
            scale, plan,
        )  # fmt: skip
