"""Self-play: a net plays both sides by its values of the afterstates, and learns from every move.

Game number i of a seed draws its random numbers from a counter whose start is a hash of seed and i, and its
learning rate depends only on i, so an interrupted run resumes as if nothing had happened.
"""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import FORBIDDEN
from outplay.learn.td.update import Traces, forget, learn, traces_for
from outplay.search.mcts.playout import GOLDEN, choose, random_bits
from outplay.search.protocol.control import NoActions
from outplay.search.valuenet.answers import result
from outplay.search.valuenet.inputs import Room, room_for, see, viewer
from outplay.search.valuenet.layers import judge, propagate

pointer = NATIVE["pointer"][ENABLED]
shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
HALF = np.float32(0.5)
# What a run is made with, as kernels read it
ALPHA, LAST_ALPHA, LAMBDA, EXPLORE, GAMES, SEED, PLAN = range(7)
# What is counted
FINISHED, CUT, MOVES, UPDATES, COUNTS = range(5)
LONGEST = 5000  # moves of a game; one that goes on is cut off, and its end teaches nothing
FULL = 1 << 24  # random bits of a decision


class Mind(NamedTuple):
    """The memory of a net that plays and learns."""

    room: Room  # where moves are tried
    before: Room  # where the last afterstate was judged
    answers: np.ndarray  # float32[answers]: MAX's, of the move that is tried
    target: np.ndarray  # float32[answers]
    traces: Traces
    rates: np.ndarray  # float64[2]: alpha and lambda
    keys: np.ndarray  # int64: of the positions of the game, where one may not come back
    counts: np.ndarray  # int64
    error: np.ndarray  # float64[1]: the sum of the mean squares


def mind_for(state: Any, layers: Any, lam: float) -> Mind:
    answers = layers.output.shape[1]
    return Mind(
        room_for(state, layers),
        room_for(state, layers),
        np.zeros(answers, np.float32),
        np.zeros(answers, np.float32),
        traces_for(layers, lam),
        np.zeros(2),
        np.zeros(LONGEST + 1, np.int64),
        np.zeros(COUNTS, np.int64),
        np.zeros(1),
    )


@kernel
def play_games(start: Any, begin: int, end: int, net: Any, plan: Any, mind: Any) -> None:
    """Play and learn from the games of these numbers."""
    seed = random_bits(int(plan[SEED]))
    for game in range(begin, end):
        rates_of(game, plan, mind)
        play_game(start, random_bits(wrap(seed + game)), net, plan, mind)


@inlined
def rates_of(game: int, plan: Any, mind: Any) -> None:
    """The rates that a game is learned at: alpha falls by the same share after each."""
    share = game / max(plan[GAMES] - 1.0, 1.0)
    mind.rates[0] = plan[ALPHA] * (plan[LAST_ALPHA] / plan[ALPHA]) ** min(share, 1.0)
    mind.rates[1] = plan[LAMBDA]


@kernel
def play_game(s: Any, x: int, net: Any, plan: Any, mind: Any) -> None:
    """One game: every afterstate learns from the next one, the last from the result."""
    forget(mind.traces)
    known = 0  # inputs of the last afterstate; 0: there is none, or it has nothing to learn
    seen_by = 0
    moves = 0
    while not s.terminal():
        x = wrap(x + GOLDEN)
        if s.chance():
            s = s.result(choose(s, random_bits(x), 0, pointer(mind.room.choices)))
            if known and s.terminal():  # the dice have ended it
                result(s.utility() / s.worth(), net.scale[0], mind.target)
                improve(net, known, seen_by, mind)
            continue
        back = is_back(s, mind.keys, moves)
        if back or moves == LONGEST:
            break
        mind.keys[moves] = s.identity() if s.repetition() != 0 else 0
        moves += 1
        bits = random_bits(x)
        explores = (bits & (FULL - 1)) < plan[EXPLORE] * FULL
        if explores:
            s = s.result(choose(s, random_bits(bits), 0, pointer(mind.room.choices)))
        else:
            s = s.result(best_action(s, net, mind, moves))
        if explores:  # the afterstate is not one that the net would have come to
            forget(mind.traces)
        elif known:
            judge(s, net, mind.room, mind.target)
            improve(net, known, seen_by, mind)
        if not s.terminal():
            known = see(s, mind.before)
            seen_by = viewer(s, mind.before)
            propagate(known, net, mind.before)
    finish(s, known, seen_by, moves, net, mind)


@inlined
def finish(s: Any, known: int, seen_by: int, moves: int, net: Any, mind: Any) -> None:
    """Count the game; one that is drawn because a position came back teaches that."""
    mind.counts[MOVES] += moves
    mind.counts[FINISHED] += 1
    if not s.terminal():
        if moves == LONGEST:
            mind.counts[CUT] += 1
        elif known:
            result(0.0, net.scale[0], mind.target)
            improve(net, known, seen_by, mind)


@inlined
def improve(net: Any, known: int, seen_by: int, mind: Any) -> None:
    """One update."""
    mind.error[0] += learn(net, mind.before, known, seen_by, mind.target, mind.rates, mind.traces)
    mind.counts[UPDATES] += 1


@kernel
def best_action(s: Any, net: Any, mind: Any, past: int) -> int:
    """The action whose afterstate the net likes best, for the mover; one that may not come back is left out."""
    actions = pointer(mind.room.choices)
    n = s.actions(actions, 0)
    if n == 0:
        raise NoActions
    best = -1
    most = -1e300
    for i in range(n):
        after = s.result(actions[i])
        if s.repetition() == FORBIDDEN and is_back(after, mind.keys, past):
            continue
        value = judge(after, net, mind.room, mind.answers)
        value = value if s.player() == 0 else -value
        if value > most:
            best, most = i, value
    return actions[max(best, 0)]


@inlined
def is_back(s: Any, keys: Any, past: int) -> bool:
    """Whether a position has come so often that the game is drawn, or may not come again."""
    if s.repetition() == 0:
        return False
    key, found = s.identity(), 1
    for i in range(past):
        if keys[i] == key:
            found += 1
    return found >= (2 if s.repetition() == FORBIDDEN else s.repetition())
