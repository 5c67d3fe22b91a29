"""Some plies further than a value net sees: expectiminimax whose leaves the net judges.

A ply is a decision, as backgammon programs count them: 0 judges the position itself, 1 looks at all rolls and the
opponent's best reply to each. Chance takes no ply. Where more than one ply is left, only the `replies` best moves are
looked at further (a move filter), so a value is that of expectiminimax over the moves that the filter keeps.
"""

from typing import Any, NamedTuple

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import max_actions
from outplay.search.protocol.control import NoActions, Stopped, TooDeep, checked_chance
from outplay.search.valuenet.afterstates import Sums, rate, sums_for
from outplay.search.valuenet.answers import worth_of
from outplay.search.valuenet.inputs import Room, room_for
from outplay.search.valuenet.layers import Layers, judge

pointer = NATIVE["pointer"][ENABLED]
LEVELS = 24  # decisions and rolls on a line, at most
NODES, STOP, REPLIES, COUNTERS = range(4)
LEAST = -1e300
ZERO = np.float32(0.0)


class Memory(NamedTuple):
    """Of a look ahead."""

    room: Room
    rows: np.ndarray  # float32[levels, answers]: MAX's answers, by the length of the line
    stack: np.ndarray  # int64[levels * width]: actions
    ratings: np.ndarray  # float64[levels * width]: what each is worth to the mover, as the net sees it
    sums: Sums  # of the afterstates that are judged together
    answers: np.ndarray  # float32[levels * width, answers]: MAX's after each action, as the net sees it
    counters: np.ndarray  # int64: nodes; a wish to stop; how many moves are looked at further


def memory_for(state: Any, layers: Layers, replies: int) -> Memory:
    units, answers = layers.output.shape[0] - 1, layers.output.shape[1]
    width = max_actions(type(state)) + 1
    counters = np.zeros(COUNTERS, np.int64)
    counters[REPLIES] = replies
    return Memory(
        room_for(state, units, answers),
        np.zeros((LEVELS, answers), np.float32),
        np.zeros(LEVELS * width, np.int64),
        np.zeros(LEVELS * width),
        sums_for(state, layers),
        np.zeros((LEVELS * width, answers), np.float32),
        counters,
    )


@kernel
def look(s: Any, plies: int, level: int, net: Any, memory: Any) -> float:
    """MAX's value of a state, so many plies ahead; the answers it stands for are those of its level."""
    if plies == 0 or s.terminal():
        memory.counters[NODES] += 1
        return judge(s, net, memory.room, memory.rows[level])
    if memory.counters[STOP]:
        raise Stopped
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
