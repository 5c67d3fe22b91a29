"""Select: descend from the root to a leaf, at each node to the child with the greatest upper confidence bound.

UCB1 adds C sqrt(ln N / n) to a child's mean reward, once all children have been tried; PUCT adds
C P sqrt(N) / (1 + n), and needs no such round. Sequential halving has its own rule at the root (`gumbel.py`).
Chance outcomes are drawn with their probabilities.
"""

import math
from typing import Any

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import FORBIDDEN
from outplay.search.mcts.gumbel import best_considered
from outplay.search.mcts.playout import outcome
from outplay.search.mcts.tree import (
    LOGS,
    MAX_DEPTH,
    ROOT,
    draw,
    mean_reward,
    product,
    proven,
    reach,
    remembers,
)

shr = NATIVE["shr"][ENABLED]


@inlined
def select(s: Any, node: int, depth: int, tree: Any) -> Any:
    """Descend from the current node to one with untried actions, or with a known value; return the state there.

    A child with a known value is never selected: its parent's bounds already include it.
    """
    while depth < MAX_DEPTH:
        count = tree.count[node]
        if count == 0 or tree.tried[node] < count:
            break
        chance = s.chance()
        depth += 1
        s, node = step(s, node, depth, tree)
        if tree.puct and tree.visits[node] == 0.0:
            reach(node, tree.lowest, tree.highest, tree)
            break
        if chance and proven(node, tree):
            break
    return s, node, depth


@inlined
def step(s: Any, node: int, depth: int, tree: Any) -> Any:
    """Descend from a node that has children to a depth; return the state and the node there.

    A child that would repeat a position of the game or of the path is excluded if the game forbids repetition.
    """
    while True:
        child = next_child(s, node, tree)
        after = s.result(tree.action[child])
        if not remembers(s, tree):
            break
        key = after.identity()
        tree.keys[tree.past + depth] = key
        known = (
            tree.visits[child] > 0.0 or mean_reward(child, tree) == -math.inf
        )  # the latter: all are excluded
        if s.repetition() != FORBIDDEN or known or not is_back(key, depth, tree):
            break
        strike_out(child, s.player(), tree)
    tree.path[depth] = child
    tree.movers[depth] = s.player()
    if not tree.puct:
        tree.moves[depth] = tree.action[child]
    return after, child


@inlined
def next_child(s: Any, node: int, tree: Any) -> int:
    """A random chance outcome; an untried child, if there is one; else the one with the best upper confidence bound."""
    first = tree.first[node]
    if s.chance():
        return first + outcome(s, tree.count[node], tree.action, first, draw(tree))
    if tree.tried[node] < tree.count[node]:
        return untried(node, tree)
    if node == ROOT and tree.halving > 0:
        return best_considered(tree)
    return best_puct(node, tree) if tree.puct else best_ucb(node, tree)


@inlined
def best_ucb(node: int, tree: Any) -> int:
    """The child with the greatest v + C sqrt(ln N / n); the first among equals."""
    first = tree.first[node]
    width = tree.explore * root_of_log(tree.visits[node], tree)
    best = first
    most = -math.inf
    for child in range(first, first + tree.count[node]):
        bound = tree.mean[child] + product(width, tree.weight[child])
        if bound > most:
            most = bound
            best = child
    return best


@inlined
def best_puct(node: int, tree: Any) -> int:
    """The child with the greatest Q + C P sqrt(N) / (1 + n); before any visit, the one with the greatest P.

    N is the sum of the children's visits: one less than the node's own, whose first visit was as a leaf.
    """
    first = tree.first[node]
    width = tree.explore * math.sqrt(max(tree.visits[node] - 1.0, 1.0))
    best = first
    most = -math.inf
    for child in range(first, first + tree.count[node]):
        bound = mean_reward(child, tree) + width * tree.weight[child] / (1.0 + tree.visits[child])
        if bound > most:
            most = bound
            best = child
    return best


@inlined
def root_of_log(n: float, tree: Any) -> float:
    """sqrt(ln n)."""
    return tree.logs[int(n)] if n < LOGS else math.sqrt(math.log(n))


@inlined
def untried(node: int, tree: Any) -> int:
    """A random untried child, moved to the front of the untried."""
    action, tried = tree.action, tree.tried[node]
    front = tree.first[node] + tried
    other = front + shr((draw(tree) & 0xFFFFFFFF) * (tree.count[node] - tried), 32)
    action[front], action[other] = action[other], action[front]
    if tree.rave:
        visits, total = tree.amaf_visits, tree.amaf_total
        visits[front], visits[other] = visits[other], visits[front]
        total[front], total[other] = total[other], total[front]
    tree.tried[node] = tried + 1
    return front


@kernel
def is_back(key: int, depth: int, tree: Any) -> bool:
    """Whether a position occurred earlier; a pass, which leaves the position unchanged, does not count."""
    last = tree.past + depth - 1
    if tree.keys[last] == key:
        return False
    for i in range(last):  # noqa: SIM110
        if tree.keys[i] == key:
            return True
    return False


@kernel
def strike_out(child: int, mover: int, tree: Any) -> None:
    """Exclude a child from selection forever."""
    if tree.puct:
        tree.total[child] = -math.inf
    else:
        tree.mean[child] = -math.inf
    worst = tree.lowest if mover == 0 else tree.highest
    tree.least[child] = worst
    tree.most[child] = worst
