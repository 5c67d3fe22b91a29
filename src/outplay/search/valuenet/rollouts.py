"""Rollouts: games from a position, in which both sides play the net's best move, and their mean result.

A game is played to its end, to a position in a bear-off table, or for a number of decisions (truncated; then the net
evaluates). Luck can be measured: at each roll, the net's value after it minus the mean over all rolls. Its
expectation is 0 whatever the net, so it may be subtracted from the result of a game, which then depends far less on
the dice and stays unbiased (variance reduction; Tesauro and Galperin 1997, Zare 2000).

Game number i of a seed draws its dice from a counter whose start is a hash of seed and i: it is the same game
on any number of threads, and all candidates of a decision get the same dice.
"""

from typing import Any

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.mcts.playout import GOLDEN, random_bits
from outplay.search.protocol.control import NoActions, checked_chance
from outplay.search.valuenet.afterstates import rate
from outplay.search.valuenet.judging import is_in_table, judged
from outplay.search.valuenet.memory import LEVELS, NODES, STOP

pointer = NATIVE["pointer"][ENABLED]
shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
SEED, TRUNCATE, REDUCE, PLAN = range(4)  # what games are played by
LONGEST = 5000  # decisions of a game that has no other end
WHOLE = 1 << 53  # random bits of a throw
LUCK, MEAN, ACTUAL, PARTS = range(4)  # rows of what is counted, an answer each


@kernel
def roll_out(s: Any, begin: int, end: int, plan: Any, net: Any, memory: Any, results: Any) -> int:
    """Play the games of these numbers; MAX's answers of each, without its luck. How many were finished."""
    parts = np.zeros((PARTS, results.shape[1]))
    for game in range(begin, end):
        play_out(s, random_bits(wrap(plan[SEED] + game)), plan, net, memory, parts)
        if memory.counters[STOP]:
            return game - begin
        for k in range(results.shape[1]):
            results[game, k] = memory.rows[0, k] - parts[LUCK, k]
    return end - begin


@kernel
def play_out(s: Any, x: int, plan: Any, net: Any, memory: Any, parts: Any) -> None:
    """One game; its answers are those of the first level, its luck is among the parts."""
    answers, stack, width = memory.rows[0], pointer(memory.stack), len(memory.stack) // LEVELS
    most = plan[TRUNCATE] if plan[TRUNCATE] > 0 else LONGEST
    moves = 0
    for k in range(len(answers)):
        parts[LUCK, k] = 0.0
    while not s.terminal() and moves < most and not memory.counters[STOP]:
        if is_in_table(s, memory, answers):
            break
        if s.chance():
            x = wrap(x + GOLDEN)
            n = s.actions(stack, 0)
            chosen = thrown(s, n, stack, shr(random_bits(x), 11) / WHOLE)
            if plan[REDUCE]:
                action = weigh(s, n, chosen, net, memory, parts)
                s = s.result(stack[chosen])
                if action >= 0:
                    s = s.result(stack[action])
                    moves += 1
            else:
                s = s.result(stack[chosen])
        else:
            s = s.result(stack[favourite(s, width, net, memory)])
            moves += 1
    memory.counters[NODES] += 1
    judged(s, net, memory, answers)


@inlined
def thrown(s: Any, n: int, stack: Any, share: float) -> int:
    """Which of n outcomes a random number between 0 and 1 means."""
    last = 0
    for i in range(n):
        chance = checked_chance(s, stack[i])
        if chance > 0.0:
            last = i
        share -= chance
        if share < 0.0:
            return i
    return last


@inlined
def favourite(s: Any, base: int, net: Any, memory: Any) -> int:
    """The place on the stack of the action whose afterstate the net likes best."""
    n = s.actions(pointer(memory.stack), base)
    if n == 0:
        raise NoActions
    memory.counters[NODES] += n
    return rate(s, base, n, net, memory)


@kernel
def weigh(s: Any, n: int, chosen: int, net: Any, memory: Any, parts: Any) -> int:
    """Add the luck of an outcome that was thrown; the place of the best answer to it, -1 where nobody is to choose.

    What is said of an outcome is said of the best action after it.
    """
    stack, width, answer = pointer(memory.stack), len(memory.stack) // LEVELS, -1
    for k in range(parts.shape[1]):
        parts[MEAN, k] = 0.0
    for i in range(n):
        after, chance, row = s.result(stack[i]), checked_chance(s, stack[i]), memory.rows[1]
        base = 2 * width if i == chosen else width  # what follows the throw stays on the stack
        best = -1
        if after.terminal() or after.chance():
            memory.counters[NODES] += 1
            judged(after, net, memory, row)
        else:
            best = favourite(after, base, net, memory)
            for k in range(len(row)):
                row[k] = memory.answers[best, k]
        for k in range(len(row)):
            parts[MEAN, k] += chance * row[k]
            if i == chosen:
                parts[ACTUAL, k] = row[k]
        if i == chosen:
            answer = best
    for k in range(parts.shape[1]):
        parts[LUCK, k] += parts[ACTUAL, k] - parts[MEAN, k]
    return answer
