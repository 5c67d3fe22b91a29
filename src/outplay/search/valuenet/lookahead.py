"""Lookahead: expectiminimax with a value net at the leaves.

A ply is a decision, as in backgammon programs: 0 evaluates the position itself, 1 searches all rolls and the
opponent's best reply to each. Chance takes no ply. If more than one ply is left, only the `replies` best moves are
searched deeper (a move filter), so the value is that of expectiminimax over the moves that the filter keeps.
"""

from typing import Any

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.protocol.control import NoActions, Stopped, TooDeep, checked_chance
from outplay.search.valuenet.afterstates import rate
from outplay.search.valuenet.answers import worth_of
from outplay.search.valuenet.judging import is_in_table, judged
from outplay.search.valuenet.memory import LEVELS, NODES, REPLIES, STOP

pointer = NATIVE["pointer"][ENABLED]
LEAST = -1e300
ZERO = np.float32(0.0)


@kernel
def look(s: Any, plies: int, level: int, net: Any, memory: Any) -> float:
    """MAX's value of a state, so many plies ahead; the answers it stands for are those of its level."""
    if plies == 0 or s.terminal():
        memory.counters[NODES] += 1
        return judged(s, net, memory, memory.rows[level])
    if memory.counters[STOP]:
        raise Stopped
    if is_in_table(s, memory, memory.rows[level]):
        return worth_of(memory.rows[level], net.scale[0])
    if level + 2 >= LEVELS:
        raise TooDeep
    base = level * (len(memory.stack) // LEVELS)
    stack = pointer(memory.stack)
    n = s.actions(stack, base)
    if n == 0:
        raise NoActions
    row = memory.rows[level]
    if s.chance():
        for k in range(len(row)):
            row[k] = ZERO
        for i in range(base, base + n):
            share = np.float32(checked_chance(s, stack[i]))
            look(s.result(stack[i]), plies, level + 1, net, memory)
            for k in range(len(row)):
                row[k] += share * memory.rows[level + 1, k]
        return worth_of(row, net.scale[0])
    sign = 1.0 if s.player() == 0 else -1.0
    tried = n
    if plies == 1 or n > memory.counters[REPLIES]:
        memory.counters[NODES] += n
        first = rate(s, base, n, net, memory)
        if plies == 1:
            for k in range(len(row)):
                row[k] = memory.answers[first, k]
            return sign * memory.ratings[first]
        tried = memory.counters[REPLIES]
        promote(memory, base, n, tried)
    best = LEAST
    for i in range(base, base + tried):
        value = sign * look(s.result(stack[i]), plies - 1, level + 1, net, memory)
        if value > best:
            best = value
            for k in range(len(row)):
                row[k] = memory.rows[level + 1, k]
    return sign * best


@inlined
def promote(memory: Any, base: int, n: int, kept: int) -> None:
    """Put the best of n actions first, best before second best; the order is that of their ratings."""
    stack, ratings = memory.stack, memory.ratings
    for i in range(base, base + kept):
        best = i
        for j in range(i + 1, base + n):
            if ratings[j] > ratings[best]:
                best = j
        stack[i], stack[best] = stack[best], stack[i]
        ratings[i], ratings[best] = ratings[best], ratings[i]
