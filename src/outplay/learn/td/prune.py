"""Pruning: the same value net without the hidden units that are never active.

A rectified unit that is below 0 in every position adds nothing to any answer, and learns nothing any more. Many units
of a large net end so. Which ones is seen in games of the net against itself: in all afterstates of all decisions, not
only of the moves that are made.
"""

from typing import Any

import numpy as np

from outplay.compile import inlined, kernel, twin
from outplay.compile.errors import explained
from outplay.learn.td.selfplay import LONGEST, best_action, is_back, mind_for, pointer, wrap
from outplay.search.mcts.playout import GOLDEN, choose, plain_random_bits, random_bits
from outplay.search.protocol import control
from outplay.search.valuenet.inputs import see
from outplay.search.valuenet.layers import Layers, propagate
from outplay.search.valuenet.net import ValueNet

GAMES = 500


def pruned(net: ValueNet, start: Any, games: int = GAMES) -> ValueNet:
    """The net without the units that are 0 in all positions of so many games."""
    if not net.second:
        raise ValueError("a net with one hidden layer has sigmoids, which are never 0: nothing to prune")
    first, second = active(net, start, games)
    hidden, middle, output, scale = net.layers
    rows, last_rows = np.append(first, net.units), np.append(second, net.second)  # with the biases
    return net._replace(
        layers=Layers(
            np.ascontiguousarray(hidden[:, first]),
            np.ascontiguousarray(middle[np.ix_(rows, second)]),
            np.ascontiguousarray(output[last_rows]),
            scale.copy(),
        )
    )


def active(net: ValueNet, start: Any, games: int) -> tuple[np.ndarray, np.ndarray]:
    """Those units of both hidden layers that are more than 0 at least once; one of each layer is kept in any case."""
    net.refuse(start)
    cls: Any = type(start)
    native, mind = twin(cls).state(start), mind_for(start, net.layers, 0.0)
    counts = np.zeros(net.units, np.int64), np.zeros(net.second, np.int64)
    with explained(twin(cls), native), control.explained(cls):
        for game in range(games):
            _watch(native, plain_random_bits(1 + game), net.layers, mind, *counts)
    first, second = (np.flatnonzero(count) if count.any() else np.array([0]) for count in counts)
    return first, second


@kernel
def _watch(s: Any, x: int, net: Any, mind: Any, first: Any, second: Any) -> None:
    """Play a game; count the afterstates in which each unit is active."""
    actions = pointer(mind.room.choices)
    moves = 0
    while not s.terminal():
        x = wrap(x + GOLDEN)
        if s.chance():
            s = s.result(choose(s, random_bits(x), 0, actions))
            continue
        if moves == LONGEST or is_back(s, mind.keys, moves):
            break
        mind.keys[moves] = s.identity() if s.repetition() != 0 else 0
        moves += 1
        for i in range(s.actions(actions, 0)):
            _count(s.result(actions[i]), net, mind.before, first, second)
        s = s.result(best_action(s, net, mind, moves))


@inlined
def _count(s: Any, net: Any, room: Any, first: Any, second: Any) -> None:
    if s.terminal():
        return
    propagate(see(s, room), net, room)
    for j in range(len(first)):
        first[j] += room.units[j] > 0
    for k in range(len(second)):
        second[k] += room.second[k] > 0
