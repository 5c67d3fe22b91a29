"""Random play on a GPU: the same games as on the CPU, hundreds of thousands of them in parallel.

Game number i of a seed is the same game on both. Each GPU thread plays every n-th game, one after the other. The
threads of a warp run in lockstep: all wait while one diverges. So a thread whose game is over starts the next one
while the others are in the middle of theirs, but only every few plies.
"""

import functools
from time import perf_counter
from typing import Any

import numpy as np
from numba import int32

from outplay import words
from outplay.compile import gpu, twin
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import GameError, kind, max_actions
from outplay.search.mcts import playout
from outplay.search.mcts.playout import (
    GOLDEN,
    LENGTHS,
    LONGEST,
    Playouts,
    choose,
    outcome,
    plain_random_bits,
    playable,
    random_bits,
    summed_up,
)

cuda = gpu.numba_cuda()
scratch = NATIVE["scratch"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]

SECONDS = 0.5  # target time of one launch: between launches a user may interrupt
BURST = 10  # plies between checks for finished games
PLIES, WINS, DRAWS, DONE = range(4)  # a thread's counters


def playouts(state: Any, games: int, seed: int = 1, *, hinted: bool = False) -> Playouts:
    """Play random games from a state on the GPU, the same as `outplay.search.playouts`."""
    state = playable(state, games, hinted)
    gpu.require()
    compiled = twin(type(state))
    gpu.fits(compiled)
    start, first = compiled.state(state), plain_random_bits(words.wrap(seed))
    play = gpu.kernel(random_games(hinted, room_of(type(state))), compiled)
    with gpu.explained("its threads' games"):
        lengths = cuda.to_device(np.zeros(LENGTHS, np.int64))
        one = cuda.to_device(np.zeros((gpu.BLOCK, 4), np.int64)), cuda.to_device(np.zeros(gpu.BLOCK))
        play[1, gpu.BLOCK](start, first, 0, 0, BURST, lengths, *one)  # compile; no game is played
        blocks = gpu.resident(play)
        threads = blocks * gpu.BLOCK
        counts, totals = cuda.to_device(np.zeros((threads, 4), np.int64)), cuda.to_device(np.zeros(threads))
        begin, share = 0, threads
        while begin < games:
            began = perf_counter()
            end = min(begin + share, games)
            play[blocks, gpu.BLOCK](start, first, begin, end, BURST, lengths, counts, totals)
            cuda.synchronize()
            begin = end
            share = share if perf_counter() - began > SECONDS else 4 * share
        plies, wins, draws, done = counts.copy_to_host().sum(0)
    if done < games:
        broken(state, games, seed, hinted)
    numbers = [plies, wins, draws, done - wins - draws, *lengths.copy_to_host()]
    return summed_up(type(state), np.array(numbers), float(totals.copy_to_host().sum()))


def broken(state: Any, games: int, seed: int, hinted: bool) -> None:
    """A thread was aborted in the middle of a game: replay it on the CPU to report the error."""
    playout.playouts(state, games, seed, hinted=hinted)
    raise GameError(f"{type(state).__name__} cannot be played on the GPU: its rules recurse too deeply")


def room_of(cls: type) -> int:
    """Memory for a state's actions, used at chance nodes; in the simulator at all nodes."""
    return max_actions(cls) + 1 if kind(cls).chance or gpu.SIMULATED else 1


@functools.cache
def random_games(hinted: bool, room: int) -> Any:
    """The kernel of random play, or of play with the game's `playout`; `room` is the space for a state's actions."""

    def play(
        start: Any, seed: int, begin: int, end: int, burst: int, lengths: Any, counts: Any, totals: Any
    ) -> None:
        """Games begin to end - 1, every n-th in each thread. Lengths are counted per block, then in total."""
        bins = cuda.shared.array(LENGTHS, int32)
        for i in range(cuda.threadIdx.x, LENGTHS, cuda.blockDim.x):
            bins[i] = 0
        cuda.syncthreads()
        memory = scratch(room)
        plies = wins = draws = done = 0
        total = 0.0
        game = begin + cuda.grid(1)
        x = random_bits(wrap(seed + game))
        s = start
        length = 0
        while game < end:
            pause = length + burst
            while True:
                x = wrap(x + GOLDEN)
                s = s.result(choose(s, random_bits(x), hinted, memory))
                length += 1
                over = s.terminal()
                if over or length >= pause:
                    break
            if length > LONGEST:
                return  # the game counts as not done
            if over:
                u = s.utility()
                total += u
                wins += u > 0
                draws += u == 0
                plies += length
                done += 1
                cuda.atomic.add(bins, min(length, LENGTHS - 1), 1)
                game += cuda.gridsize(1)
                x = random_bits(wrap(seed + game))
                s = start
                length = 0
        thread = cuda.grid(1)
        counts[thread, PLIES] += plies
        counts[thread, WINS] += wins
        counts[thread, DRAWS] += draws
        counts[thread, DONE] += done
        totals[thread] += total
        cuda.syncthreads()
        for i in range(cuda.threadIdx.x, LENGTHS, cuda.blockDim.x):
            if bins[i] > 0:
                cuda.atomic.add(lengths, i, bins[i])

    return play


@gpu.instead(choose)
def chosen(s: Any, random: int, hinted: int, room: Any) -> int:
    """The same action as `choose`, without a list of actions in memory except at chance nodes."""
    if s.chance():
        return room[outcome(s, s.actions(room, 0), room, 0, random)]
    if hinted and s.has_playout():
        return s.playout(random)
    if s.has_sample():
        return s.sample(random)
    return s.any_action(random)
