"""Expectimax against a fallible opponent: MAX-VALUE where we move, a mean where the opponent does.

The opponent is a model: a probability for each action. Here: with probability `skill` the minimax move at depth
`lookahead`, the first among equals, otherwise a random move; with skill 0 the opponent plays at random. The quiz of
the lectures has skill 0.8 and lookahead 2. The result is our expected value against that opponent, not the value of
the game.
"""

from collections.abc import Callable
from typing import Any

from outplay.compile import kernel
from outplay.game import CHANCE, chances, estimate, is_terminal, legal, outcome
from outplay.search.protocol.control import count, end_line, extend_line, horizon, moves
from outplay.search.textbook import expectiminimax
from outplay.search.textbook.minimax import MAX, less

Visit = Callable[[Any], None]
Model = Callable[[Any], list[tuple[int, float]]]  # a player's actions with their probabilities

# --- as on the slides ------------------------------------------------------------------------------------


def value(
    state: Any,
    depth: int | None,
    me: int,
    model: Model,
    visit: Visit = lambda s: None,
    evaluate: Callable[[Any], float] | None = None,
) -> float:
    """The expected value for MAX if `me` plays best and the opponent follows the model."""
    visit(state)
    if is_terminal(state):
        return float(outcome(state))
    if depth == 0:
        return float(evaluate(state) if evaluate else estimate(state) if hasattr(state, "evaluate") else 0)
    if state.player() == me:
        best = max if me == MAX else min
        return best(value(state.result(a), less(depth), me, model, visit, evaluate) for a in state.actions())
    likely = chances(state) if state.player() == CHANCE else model(state)
    return sum(p * value(state.result(a), less(depth), me, model, visit, evaluate) for a, p in likely if p)


def skilled(skill: float, lookahead: int) -> Model:
    """The model of a player who plays the minimax move at a depth, or a random one."""

    def model(state: Any) -> list[tuple[int, float]]:
        actions = legal(state)
        chosen = None
        if skill > 0:
            best = max if state.player() == MAX else min
            values = {a: expectiminimax.value(state.result(a), lookahead - 1) for a in actions}
            chosen = best(actions, key=lambda a: values[a])  # the first among equals
        return [(a, (1 - skill) / len(actions) + skill * (a == chosen)) for a in actions]

    return model


# --- at the speed of the machine -------------------------------------------------------------------------


@kernel
def looked_ahead(s: Any, depth: int, base: int, memory: Any) -> float:
    """The opponent's value of a state: its expectiminimax value at a depth."""
    count(memory)
    if s.terminal():
        return float(s.utility())
    if depth == 0:
        return float(s.evaluate(memory.weights))
    end = base + moves(s, memory, base)
    best = 0.0
    for i in range(base, end):
        v = looked_ahead(s.result(memory.stack[i]), depth - 1, end, memory)
        if s.chance():
            best += s.probability(memory.stack[i]) * v
        elif i == base or ((v > best) if s.player() == MAX else (v < best)):
            best = v
    return best


@kernel
def choice(s: Any, n: int, base: int, lookahead: int, memory: Any) -> int:
    """The index of the opponent's minimax move."""
    best, chosen = 0.0, 0
    for i in range(n):
        v = looked_ahead(s.result(memory.stack[base + i]), lookahead - 1, base + n, memory)
        if i == 0 or ((v > best) if s.player() == MAX else (v < best)):
            best, chosen = v, i
    return chosen


@kernel
def expectimax(s: Any, depth: int, base: int, me: int, skill: float, lookahead: int, memory: Any) -> float:
    """The same value. The principal variation ends where anybody else moves."""
    count(memory)
    end_line(memory, depth)
    if s.terminal():
        return float(s.utility())
    if depth == 0:
        return float(horizon(s, memory))
    n = moves(s, memory, base)
    mine = s.player() == me
    chosen = choice(s, n, base, lookahead, memory) if skill > 0.0 and not mine and not s.chance() else -1
    best = 0.0
    for i in range(n):
        action = memory.stack[base + i]
        v = expectimax(s.result(action), depth - 1, base + n, me, skill, lookahead, memory)
        if not mine:
            chance = s.probability(action) if s.chance() else (1.0 - skill) / n
            best += (chance + skill if i == chosen else chance) * v
        elif i == 0 or ((v > best) if me == MAX else (v < best)):
            best = v
            extend_line(memory, depth, action)
    if not mine:
        end_line(memory, depth)
    return best


@kernel
def start(s: Any, depth: int, memory: Any, me: int, skill: float, lookahead: int) -> float:
    """Search from the root."""
    return expectimax(s, depth, 0, me, skill, lookahead, memory)
