"""Random play: games in which every action is as likely as any other, and chance falls by its probabilities.

Game number i of a seed is the same game whatever else is played: its random numbers come from a counter that
begins at a place mixed from seed and i. So the same seed gives the same games on any number of threads.
"""

import math
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from outplay import bits
from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import GameError, checked_state, is_terminal, kind, max_actions, offers, worth
from outplay.search.control import MOVES, pointer

shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
FIRST_MIX, SECOND_MIX = -4658895280553007687, -7723592293110705685
GOLDEN = -7046029254386353131  # 2^64 / golden ratio: the step of the counter
LONGEST = 100_000  # plies of one game; a game that goes on is broken
LENGTHS = 4096  # games of as many plies or more are counted together
BLOCK = 1 << 14  # games that a thread plays at a time
MAX_THREADS = 256


class Playouts(NamedTuple):
    """What came of a number of random games."""

    games: int
    plies: int
    wins: int  # games with a positive utility for MAX
    draws: int
    losses: int
    mean: float  # mean utility for MAX
    lengths: tuple[int, ...] = ()  # how many games lasted 0, 1, 2 ... plies; the last of LENGTHS: or more


class Endless(Exception):
    """A random game did not end."""


def playouts(state: Any, games: int, seed: int = 1, *, threads: int = 1, hinted: bool = False) -> Playouts:
    """Play games at random from a state; the same seed gives the same games, on any number of threads.

    With `hinted` the game's own `playout` chooses the actions, where the class has one.
    """
    for name, number, most in (("games", games, 10**15), ("threads", threads, MAX_THREADS)):
        if not 1 <= number <= most:
            raise ValueError(f"{name} must be 1 to {most:,}, not {number}")
    state = checked_state(state)
    cls = type(state)
    if kind(cls).hidden:
        raise GameError(f"random play does not fit {cls.__name__}, a game with imperfect information")
    if is_terminal(state):
        raise ValueError(f"there is nothing to play: the game is over at {state}")
    if hinted and not offers(cls, "playout"):
        raise GameError(f"{cls.__name__} has no playout(): its games can be played at random only")
    compiled = twin(cls)
    native = compiled.state(state)
    seed = plain_random_bits(bits.wrap(seed))

    def play(thread: int) -> tuple[np.ndarray, list[float]]:
        """Every so many-th block of games: their counts, and the sum of utilities of each block."""
        memory = np.zeros(MOVES + max_actions(cls) + 1, np.int64)
        counts = np.zeros(4 + LENGTHS, np.int64)
        blocks = range(0, games, BLOCK)[thread::threads]
        with explained(compiled, native):
            return counts, [
                float(_playouts(native, begin, min(begin + BLOCK, games), seed, hinted, memory, counts))
                for begin in blocks
            ]

    try:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(play, range(threads))) if threads > 1 else [play(0)]
    except Endless:
        raise GameError(f"{cls.__name__}: a random game went on for {LONGEST} plies") from None
    plies, wins, draws, losses, *lengths = np.sum([counts for counts, _ in parts], 0).tolist()
    total = math.fsum(sum_of_block for _, sums in parts for sum_of_block in sums)
    longest = max(length for length, number in enumerate(lengths) if number)
    mean = total / games / worth(cls)
    return Playouts(games, plies, wins, draws, losses, mean, tuple(lengths[: longest + 1]))


@kernel
def random_bits(x: int) -> int:
    """64 well-mixed bits from a counter: the finaliser of splitmix64 (Steele, Lea & Flood 2014)."""
    x = wrap((x ^ shr(x, 30)) * FIRST_MIX)
    x = wrap((x ^ shr(x, 27)) * SECOND_MIX)
    return x ^ shr(x, 31)


def plain_random_bits(x: int) -> int:
    """The same, without compiling anything."""
    x = bits.wrap((x ^ bits.shr(x, 30)) * FIRST_MIX)
    x = bits.wrap((x ^ bits.shr(x, 27)) * SECOND_MIX)
    return x ^ bits.shr(x, 31)


@kernel
def pick(s: Any, n: int, random: int, memory: Any) -> int:
    """One of the n actions on the stack: by its probability where chance moves, else any."""
    if s.chance():
        left = (random & 0xFFFFFFFFFFFFF) / 4503599627370496.0
        for i in range(n - 1):
            left -= s.probability(memory[MOVES + i])
            if left < 0.0:
                return memory[MOVES + i]
        return memory[MOVES + n - 1]
    return memory[MOVES + shr((random & 0xFFFFFFFF) * n, 32)]


@kernel
def choose(s: Any, random: int, hinted: int, memory: Any) -> int:
    """The default policy's action: any, or the game's own hint where that is asked for."""
    if hinted and s.has_playout() and not s.chance():
        return s.playout(random)
    if s.has_sample() and not s.chance():
        return s.sample(random)
    return pick(s, s.actions(memory, MOVES), random, memory)


@kernel
def _playouts(start: Any, begin: int, end: int, seed: int, hinted: int, array: Any, counts: Any) -> float:
    memory = pointer(array)
    plies = wins = draws = 0
    total = 0.0
    for game in range(begin, end):
        x = random_bits(wrap(seed + game))
        s = start
        length = 0
        while not s.terminal():
            x = wrap(x + GOLDEN)
            s = s.result(choose(s, random_bits(x), hinted, memory))
            length += 1
            if length > LONGEST:
                raise Endless
        plies += length
        u = s.utility()
        total += u
        wins += u > 0
        draws += u == 0
        counts[4 + min(length, LENGTHS - 1)] += 1
    counts[0] += plies
    counts[1] += wins
    counts[2] += draws
    counts[3] += end - begin - wins - draws
    return total
