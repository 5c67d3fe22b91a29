"""Random play: games in which every action is as likely as any other, and chance falls by its probabilities."""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import GameError, adopt_state, max_actions, worth
from outplay.search.control import MOVES, pointer

shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
LONGEST = 100_000  # plies of one game; a game that goes on is broken


class Playouts(NamedTuple):
    """What came of a number of random games."""

    games: int
    plies: int
    wins: int  # games with a positive utility for MAX
    draws: int
    losses: int
    mean: float  # mean utility for MAX


class Endless(Exception):
    """A random game did not end."""


def playouts(state: Any, games: int, seed: int = 1) -> Playouts:
    """Play games at random from a state; the same seed gives the same games."""
    if games < 1:
        raise ValueError(f"games must be at least 1, not {games}")
    state = adopt_state(state)
    compiled = twin(type(state))
    s = compiled.state(state)
    memory = np.zeros(MOVES + max_actions(type(state)) + 1, np.int64)
    counts = np.zeros(4, np.int64)
    with explained(compiled, s):
        try:
            total = _playouts(s, games, seed, memory, counts)
        except Endless:
            raise GameError(f"{type(state).__name__}: a random game went on for {LONGEST} plies") from None
    plies, wins, draws, losses = counts.tolist()
    return Playouts(games, plies, wins, draws, losses, total / games / worth(type(state)))


@kernel
def random_bits(x: int) -> int:
    """64 well-mixed bits from a counter: the finaliser of splitmix64 (Steele, Lea & Flood 2014)."""
    x = wrap((x ^ shr(x, 30)) * -4658895280553007687)
    x = wrap((x ^ shr(x, 27)) * -7723592293110705685)
    return x ^ shr(x, 31)


@kernel
def pick(s: Any, n: int, bits: int, memory: Any) -> int:
    """One of the n actions on the stack: by its probability where chance moves, else any."""
    if s.chance():
        left = (bits & 0xFFFFFFFFFFFFF) / 4503599627370496.0
        for i in range(n - 1):
            left -= s.probability(memory[MOVES + i])
            if left < 0.0:
                return memory[MOVES + i]
        return memory[MOVES + n - 1]
    return memory[MOVES + shr((bits & 0xFFFFFFFF) * n, 32)]


@kernel
def _playouts(start: Any, games: int, seed: int, array: Any, counts: Any) -> float:
    memory = pointer(array)
    x = random_bits(seed)
    plies = wins = draws = 0
    total = 0.0
    for _ in range(games):
        s = start
        length = 0
        while not s.terminal():
            n = s.actions(memory, MOVES)
            x = wrap(x - 7046029254386353131)  # 2^64 / golden ratio
            s = s.result(pick(s, n, random_bits(x), memory))
            length += 1
            if length > LONGEST:
                raise Endless
        plies += length
        u = s.utility()
        total += u
        wins += u > 0
        draws += u == 0
    counts[0], counts[1], counts[2], counts[3] = plies, wins, draws, games - wins - draws
    return total
