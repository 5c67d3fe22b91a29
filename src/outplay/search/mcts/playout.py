"""Random play: games with uniformly random actions, and chance outcomes drawn with their probabilities.

Game number i of a seed is the same game whatever else is played: its random numbers come from a counter whose
start is a hash of seed and i. So the same seed gives the same games on any number of threads.
"""

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from outplay import words
from outplay.compile import inlined, kernel, twin
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.lane import again
from outplay.compile.runtime import NATIVE
from outplay.game import GameError, checked_state, is_terminal, kind, max_actions, offers, worth
from outplay.search.protocol import control
from outplay.search.protocol.control import NoActions, check_chances

pointer = NATIVE["pointer"][ENABLED]
shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
FIRST_MIX, SECOND_MIX = -4658895280553007687, -7723592293110705685
GOLDEN = -7046029254386353131  # 2^64 / golden ratio: the step of the counter
LONGEST = 100_000  # maximum plies of one game; a longer game is an error
LENGTHS = 4096  # games of this many plies or more are counted together
BLOCK = 1 << 14  # games that a thread plays at a time
MAX_THREADS = 256
MAX_GAMES = 10**15
MAX_LINE = 4096  # maximum moves of a game recorded for AMAF
PLIES, WINS, DRAWS, LOSSES, COUNTS = range(5)  # counters; then a histogram of lengths


class Playouts(NamedTuple):
    """The results of random games."""

    games: int
    plies: int
    wins: int  # games with a positive utility for MAX
    draws: int
    losses: int
    mean: float  # mean utility for MAX
    lengths: tuple[int, ...] = ()  # the number of games with 0, 1, 2 ... plies; the last of LENGTHS: or more


class Endless(Exception):
    """A random game did not end."""


@again
def playouts(state: Any, games: int, seed: int = 1, *, threads: int = 1, hinted: bool = False) -> Playouts:
    """Play random games from a state; the same seed gives the same games, on any number of threads.

    With `hinted` the game's own `playout` chooses the actions, if the class has one.
    """
    if not 1 <= threads <= MAX_THREADS:
        raise ValueError(f"threads must be 1 to {MAX_THREADS}, not {threads}")
    state = playable(state, games, hinted)
    cls = type(state)
    compiled = twin(cls)
    native = compiled.state(state)
    seed = plain_random_bits(words.wrap(seed))

    def play(thread: int) -> tuple[np.ndarray, list[float]]:
        """Every n-th block of games: their counts, and the sum of utilities of each block."""
        memory = np.zeros(max_actions(cls) + 1, np.int64)
        counts = np.zeros(COUNTS + LENGTHS, np.int64)
        blocks = range(0, games, BLOCK)[thread::threads]
        with explained(compiled, native), control.explained(cls):
            return counts, [
                float(_playouts(native, begin, min(begin + BLOCK, games), seed, hinted, memory, counts))
                for begin in blocks
            ]

    try:
        with ThreadPoolExecutor(threads) as pool:
            parts = list(pool.map(play, range(threads))) if threads > 1 else [play(0)]
    except Endless:
        raise GameError(f"{cls.__name__}: a random game did not end within {LONGEST} plies") from None
    total = math.fsum(sum_of_block for _, sums in parts for sum_of_block in sums)
    return summed_up(cls, np.sum([counts for counts, _ in parts], 0), total)


def playable(state: Any, games: int, hinted: bool) -> Any:
    """The state, checked for random play."""
    if not 1 <= games <= MAX_GAMES:
        raise ValueError(f"games must be 1 to {MAX_GAMES:,}, not {games}")
    state = checked_state(state)
    cls = type(state)
    if kind(cls).hidden:
        raise GameError(f"random play does not fit {cls.__name__}, a game with imperfect information")
    if is_terminal(state):
        raise ValueError(f"there is nothing to play: the game is over at {state}")
    if hinted and not offers(cls, "playout"):
        raise GameError(f"{cls.__name__} has no playout(): it supports only uniform random play")
    return state


def summed_up(cls: type, counts: np.ndarray, total: float) -> Playouts:
    """The results of games from their counts (plies, wins, draws, losses, lengths) and the sum of utilities."""
    plies, wins, draws, losses, *lengths = counts.tolist()
    games = wins + draws + losses
    longest = max(length for length, number in enumerate(lengths) if number)
    mean = total / games / worth(cls)
    return Playouts(games, plies, wins, draws, losses, mean, tuple(lengths[: longest + 1]))


def ends(state: Any, games: int, seed: int = 1) -> Iterator[Any]:
    """The final states of games from a state, played with the game's own `playout`, or else at random."""
    state = checked_state(state)
    compiled = twin(type(state))
    native = compiled.state(state)
    memory = np.zeros(max_actions(type(state)) + 1, np.int64)
    begin = plain_random_bits(words.wrap(seed))
    with explained(compiled, native), control.explained(type(state)):
        for game in range(games):
            yield compiled.back(_end(native, game, begin, memory))


@kernel
def random_bits(x: int) -> int:
    """64 well-mixed bits from a counter: the finaliser of splitmix64 (Steele, Lea & Flood 2014)."""
    x = wrap((x ^ shr(x, 30)) * FIRST_MIX)
    x = wrap((x ^ shr(x, 27)) * SECOND_MIX)
    return x ^ shr(x, 31)


def plain_random_bits(x: int) -> int:
    """The same, without compiling anything."""
    x = words.wrap((x ^ words.shr(x, 30)) * FIRST_MIX)
    x = words.wrap((x ^ words.shr(x, 27)) * SECOND_MIX)
    return x ^ words.shr(x, 31)


@kernel
def outcome(s: Any, n: int, actions: Any, first: int, random: int) -> int:
    """Draw one of the n outcomes from actions[first] on with its probability; return its index."""
    left = (random & 0xFFFFFFFFFFFFF) / 4503599627370496.0
    for i in range(n - 1):
        left -= s.probability(actions[first + i])
        if left < 0.0:
            return i
    return n - 1


@kernel
def choose(s: Any, random: int, hinted: int, room: Any) -> int:
    """The default policy's action: random, or with `hinted` the game's own; at chance nodes a random outcome."""
    if hinted and s.has_playout() and not s.chance():
        return s.playout(random)
    if s.has_sample() and not s.chance():
        return s.sample(random)
    n = s.actions(room, 0)
    if n == 0:
        raise NoActions
    if s.chance():
        check_chances(s, n, room, 0)
        return room[outcome(s, n, room, 0, random)]
    return room[shr((random & 0xFFFFFFFF) * n, 32)]


@inlined
def play_out(s: Any, x: int, hinted: int, room: Any, line: Any) -> Any:
    """Play a game to its end with the default policy: the final state, the counter, and the plies played.

    Random bits come from a counter that starts at x. `line` records the movers and moves; None: no recording.
    """
    length = 0
    while not s.terminal():
        x = wrap(x + GOLDEN)
        action = choose(s, random_bits(x), hinted, room)
        if line is not None:
            keep_move(s.player(), action, line)
        s = s.result(action)
        length += 1
        if length > LONGEST:
            raise Endless
    return s, x, length


@inlined
def keep_move(mover: int, action: int, line: Any) -> None:
    """Record a move of a simulation for AMAF."""
    if line.rave and line.length < MAX_LINE:
        line.length += 1
        line.movers[line.length] = mover
        line.moves[line.length] = action


@kernel
def finished(s: Any, x: int, hinted: int, room: Any) -> Any:
    """The final state of a game."""
    return play_out(s, x, hinted, room, None)[0]


@kernel
def _end(start: Any, game: int, seed: int, array: Any) -> Any:
    """The final state of one game."""
    return finished(start, random_bits(wrap(seed + game)), 1, pointer(array))


@kernel
def _playouts(start: Any, begin: int, end: int, seed: int, hinted: int, array: Any, counts: Any) -> float:
    room = pointer(array)
    total = 0.0
    for game in range(begin, end):
        s, _, length = play_out(start, random_bits(wrap(seed + game)), hinted, room, None)
        u = s.utility()
        total += u
        counts[PLIES] += length
        counts[WINS if u > 0 else DRAWS if u == 0 else LOSSES] += 1
        counts[COUNTS + min(length, LENGTHS - 1)] += 1
    return total
