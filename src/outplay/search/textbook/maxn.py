"""Max^n: minimax for any number of players. A state has a value for each player, and the player to move
takes the successor that is best for itself; with two players it is minimax. At chance nodes, each value is the
mean over the outcomes.

Among successors that are equally good for the mover the first is taken: the other players' values may depend on that.
"""

import math
from collections.abc import Callable
from typing import Any

from outplay.compile import kernel
from outplay.game import CHANCE, chances, estimate, is_terminal, kind, outcome
from outplay.search.protocol.control import (
    TooDeep,
    check_sum,
    checked_chance,
    count,
    end_line,
    extend_line,
    has_floats,
    moves,
)
from outplay.search.textbook.minimax import less

# --- by the definition -----------------------------------------------------------------------------------


def values(
    state: Any, depth: int | None = None, visit: Callable[[Any], None] = lambda s: None
) -> tuple[Any, ...]:
    """The max^n values of a state, one for each player. `visit` is called at every node."""
    visit(state)
    players = range(kind(type(state)).players)
    if is_terminal(state):
        return tuple(outcome(state, player) for player in players)
    if depth == 0:
        return tuple(estimate(state, player=player) for player in players)
    if state.player() == CHANCE:
        return _mean(state, [(p, values(state.result(a), less(depth), visit)) for a, p in chances(state)])
    successors = (values(state.result(a), less(depth), visit) for a in state.actions())
    return max(successors, key=lambda found: found[state.player()])


def _mean(state: Any, outcomes: list[tuple[float, tuple[Any, ...]]]) -> tuple[Any, ...]:
    """The mean of the values of all outcomes, for each player; rounded if scores are ints."""
    each = zip(*(found for _, found in outcomes), strict=True)
    means = [sum(p * v for (p, _), v in zip(outcomes, own, strict=True)) for own in each]
    return tuple(means if kind(type(state)).float_scores else [float(math.floor(m + 0.5)) for m in means])


# --- at the speed of the machine -------------------------------------------------------------------------


@kernel
def maxn(s: Any, depth: int, base: int, memory: Any, values: Any, players: int) -> None:
    """Write the same values, from the same nodes in the same order, into the row of this depth."""
    count(memory)
    row = depth * players
    over = s.terminal()
    if over or depth == 0:
        end_line(memory, depth)
        if not over:
            if memory.endless:
                raise TooDeep
            memory.horizon += 1
        for player in range(players):
            values[row + player] = s.utility_for(player) if over else s.evaluate_for(memory.weights, player)
        return
    end = base + moves(s, memory, base)
    mover = s.player()
    below = row - players  # the successors' values
    if s.chance():
        for player in range(players):
            values[row + player] = 0
        total = 0.0
        for i in range(base, end):
            maxn(s.result(memory.stack[i]), depth - 1, end, memory, values, players)
            probability = checked_chance(s, memory.stack[i])
            total += probability
            for player in range(players):
                values[row + player] += probability * values[below + player]
        check_sum(total)
        end_line(memory, depth)
        if not has_floats(s):
            for player in range(players):
                values[row + player] = math.floor(values[row + player] + 0.5)
        return
    for i in range(base, end):
        action = memory.stack[i]
        maxn(s.result(action), depth - 1, end, memory, values, players)
        if i == base or values[below + mover] > values[row + mover]:
            for player in range(players):
                values[row + player] = values[below + player]
            extend_line(memory, depth, action)


@kernel
def start(s: Any, depth: int, memory: Any, values: Any, players: int) -> Any:
    """Search from the root; the first player's value."""
    maxn(s, depth, 0, memory, values, players)
    return values[depth * players]
