"""Learning from recorded games by comparison, as Neurogammon did (Tesauro 1989).

An expert's move teaches that its afterstate is better than those of all other moves. For each other move, with d the
difference of the two values for the mover,

    loss = log(1 + exp(-SHARPNESS d))

and both afterstates move along its gradient: one up, the other down. The result of the game teaches the value of the
afterstate, so that the outputs remain probabilities. Net, run and curve are those of self-play; a recorded game
replaces a game of self-play.
"""

import math
from typing import Any

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.learn.td.selfplay import FINISHED, MOVES, improve, rates_of
from outplay.search.valuenet.answers import result
from outplay.search.valuenet.inputs import see, viewer
from outplay.search.valuenet.layers import judge, propagate

pointer = NATIVE["pointer"][ENABLED]
SHARPNESS = 10.0  # a tenth of a point is a clear difference between two plays of backgammon


@kernel
def study(s: Any, moves: Any, won: float, number: int, net: Any, plan: Any, mind: Any) -> None:
    """Replay a game and learn from each of its decisions."""
    rates_of(number, plan, mind)
    for i in range(len(moves)):
        if not s.chance():
            compare(s, moves[i], net, mind)
            if not s.result(moves[i]).terminal():
                known = see(s.result(moves[i]), mind.before)
                propagate(known, net, mind.before)
                result(won, net.scale[0], mind.target)
                improve(net, known, viewer(s.result(moves[i]), mind.before), mind)
            mind.counts[MOVES] += 1
        s = s.result(moves[i])
    if len(moves) > 0:
        mind.counts[FINISHED] += 1


@kernel
def compare(s: Any, played: int, net: Any, mind: Any) -> None:
    """The afterstate of the move that was played is better than that of every other move."""
    actions = pointer(mind.room.choices)
    better = s.result(played)
    if better.terminal():
        return
    sign = 1.0 if s.player() == 0 else -1.0
    for i in range(s.actions(actions, 0)):
        other = s.result(actions[i])
        if actions[i] == played or other.terminal():
            continue
        gap = sign * (
            judge(better, net, mind.room, mind.answers) - judge(other, net, mind.room, mind.answers)
        )
        if gap != 0.0:  # what looks the same to the net teaches nothing
            push = 1.0 / (1.0 + math.exp(SHARPNESS * gap / net.scale[0]))
            move_by(better, sign * push, net, mind)
            move_by(other, -sign * push, net, mind)


@inlined
def move_by(s: Any, push: float, net: Any, mind: Any) -> None:
    """Move an afterstate's value up or down: each answer by its share in the value."""
    judge(s, net, mind.room, mind.target)
    count = len(mind.target)
    most = (count + 1) // 2
    for k in range(count):
        share = 2.0 if k == 0 else 1.0 if k < most else -1.0
        mind.target[k] += np.float32(push * share)
    known = see(s, mind.before)
    propagate(known, net, mind.before)
    improve(net, known, viewer(s, mind.before), mind)


@kernel
def predict(s: Any, moves: Any, net: Any, mind: Any) -> tuple[int, int]:
    """How many decisions of a game the net would make in the same way, or in one that looks the same; of how many."""
    right = asked = 0
    for i in range(len(moves)):
        if not s.chance():
            actions = pointer(mind.room.choices)
            n = s.actions(actions, 0)
            sign = 1.0 if s.player() == 0 else -1.0
            mine = sign * judge(s.result(moves[i]), net, mind.room, mind.answers)
            is_best = True
            for j in range(n):
                is_best = is_best and sign * judge(s.result(actions[j]), net, mind.room, mind.answers) <= mine
            if n > 1:
                asked += 1
                right += 1 if is_best else 0
        s = s.result(moves[i])
    return right, asked
