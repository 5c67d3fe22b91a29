"""Backup: along the path, count a visit and add the reward for the player who chose the node; update proven bounds."""

import math
from typing import Any

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.mcts.playout import GOLDEN
from outplay.search.mcts.tree import MARK_BITS, MARKS, product, proven

shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]


@inlined
def back_up(start: Any, leaf: int, gain: float, tree: Any) -> None:
    """First the proven bounds, then the visit and the reward; `gain` is MAX's reward."""
    if tree.solver and proven(leaf, tree):
        back_up_bounds(start, tree)
    sampled = gain
    for i in range(tree.depth, -1, -1):
        node = tree.path[i]
        if tree.solver:
            gain = min(max(gain, tree.least[node]), tree.most[node])
        visits = tree.visits[node] + 1.0
        tree.visits[node] = visits
        tree.total[node] += gain if i == 0 or tree.movers[i] != 1 else tree.both - gain
        if not tree.puct:
            if tree.mean[node] > -math.inf:
                tree.mean[node] = mean_of(node, tree)
            tree.weight[node] = 1.0 / math.sqrt(visits + tree.confidence)
    if tree.rave:
        back_up_amaf(sampled, tree)


@inlined
def mean_of(node: int, tree: Any) -> float:
    """The mean reward for the player who chose a node; the prior counts as a number of visits."""
    if tree.informed:
        expected = product(tree.confidence, tree.prior[node])
        return (tree.total[node] + expected) / (tree.visits[node] + tree.confidence)
    return tree.total[node] / tree.visits[node]


# --- what is proven --------------------------------------------------------------------------------------


@kernel
def back_up_bounds(start: Any, tree: Any) -> None:
    """Back up proven bounds from the end of the path while they change.

    MCTS-Solver (Winands, Björnsson & Saito 2008) with bounds (Cazenave & Saffidine 2010), so that draws and
    scores are proven like wins. A child that cannot improve on its parent's proven bound is not selected again.
    """
    for i in range(tree.depth - 1, -1, -1):
        node = tree.path[i]
        first, count = tree.first[node], tree.count[node]
        mover = tree.movers[i + 1]
        if mover < 0:
            least, most = mean_bounds(state_at(start, i, tree), first, count, tree)
        else:
            least, most = best_bounds(first, count, mover, tree)
            for child in range(first, first + count):
                if tree.most[child] <= least if mover == 0 else tree.least[child] >= most:
                    tree.mean[child] = -math.inf
        if least == tree.least[node] and most == tree.most[node]:
            break
        tree.least[node] = least
        tree.most[node] = most


@kernel
def best_bounds(first: int, count: int, mover: int, tree: Any) -> Any:
    """The bounds of a node at which a player moves."""
    least, most = tree.least[first], tree.most[first]
    for child in range(first + 1, first + count):
        low, high = tree.least[child], tree.most[child]
        least = max(least, low) if mover == 0 else min(least, low)
        most = max(most, high) if mover == 0 else min(most, high)
    return least, most


@kernel
def mean_bounds(s: Any, first: int, count: int, tree: Any) -> Any:
    """The bounds of a chance node."""
    least = most = 0.0
    for child in range(first, first + count):
        chance = s.probability(tree.action[child])
        if chance > 0.0:
            least += product(chance, tree.least[child])
            most += product(chance, tree.most[child])
    return least, most


@kernel
def state_at(start: Any, depth: int, tree: Any) -> Any:
    """The state on the iteration's path at a depth."""
    s = start
    for i in range(1, depth + 1):
        s = s.result(tree.moves[i])
    return s


# --- all moves as first ----------------------------------------------------------------------------------


@kernel
def back_up_amaf(gain: float, tree: Any) -> None:
    """At each node, credit the children whose action its player chose there or later with the reward.

    If both players chose it, only the first one counts: playing on a point after the other's stone there was captured
    is a different move.
    """
    tree.stamp += 1
    for i in range(tree.length, 0, -1):
        mover = tree.movers[i]
        if mover < 0:
            continue
        mark(tree.moves[i], mover, tree)
        if i > tree.depth:
            continue
        mine = gain if mover == 0 else tree.both - gain
        first = tree.first[tree.path[i - 1]]
        for child in range(first, first + tree.count[tree.path[i - 1]]):
            if marked(tree.action[child], mover, tree):
                share(child, mine, tree)


@kernel
def share(child: int, gain: float, tree: Any) -> None:
    """Credit a child with the reward.

    Its value in the bound is a mixture of the mean and the AMAF value, early on mostly the latter: after n and m
    visits its weight is m / (n + m + n m / k) (Gelly & Silver 2011).
    """
    tree.amaf_visits[child] += 1.0
    tree.amaf_total[child] += gain
    n = tree.visits[child] + tree.confidence
    if n > 0.0 and tree.mean[child] > -math.inf:
        m = tree.amaf_visits[child]
        beta = m / (n + m + n * m / tree.equivalence)
        as_first = product(beta, tree.amaf_total[child] / m)
        tree.mean[child] = product(1.0 - beta, mean_of(child, tree)) + as_first


@kernel
def mark(action: int, mover: int, tree: Any) -> None:
    """Add an action to the set, as this player's."""
    i = place_of(action, tree)
    tree.mark_stamps[i] = 2 * tree.stamp + mover
    tree.mark_actions[i] = action


@kernel
def marked(action: int, mover: int, tree: Any) -> bool:
    """Whether the set has the action as this player's."""
    return tree.mark_stamps[place_of(action, tree)] == 2 * tree.stamp + mover


@kernel
def place_of(action: int, tree: Any) -> int:
    """The slot of an action in the set, or where it would go (linear probing)."""
    i = shr(wrap(action * GOLDEN), 64 - MARK_BITS)
    while tree.mark_stamps[i] >> 1 == tree.stamp and tree.mark_actions[i] != action:
        i = (i + 1) & (MARKS - 1)
    return i
