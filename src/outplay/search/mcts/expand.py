"""Expand: create a leaf's children, and detect the end of the game."""

import math
from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.mcts.select import step
from outplay.search.mcts.simulate import reward
from outplay.search.mcts.tree import MAX_DEPTH, ROOT, empty, proven
from outplay.search.mcts.view import SPREAD_BITS
from outplay.search.protocol.control import NoActions, check_chances

shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]


@kernel
def expand(s: Any, node: int, tree: Any) -> Any:
    """Descend to the node of an untried action, if there is room; return the state and the node there."""
    if (
        not proven(node, tree)
        and (node == ROOT or tree.visits[node] >= tree.expand)
        and tree.depth < MAX_DEPTH
    ):
        if tree.count[node] > 0 or open_node(s, node, tree):
            tree.depth += 1
            s, node = step(s, node, tree.depth, tree)
    note_end(s, node, tree)
    return s, node


@kernel
def open_node(s: Any, node: int, tree: Any) -> bool:
    """Create the row of a node's children; False if there is no room."""
    room = tree.room
    n = s.actions(room, 0)
    if n == 0:
        raise NoActions
    chance = s.chance()
    if chance:
        check_chances(s, n, room, 0)
    first = tree.used
    if first + n > tree.size:
        tree.full += 1
        return False
    tree.used = first + n
    least, most = tree.lowest, tree.highest
    for i in range(n):
        child = first + i
        tree.action[child] = room[i]
        if tree.puct:
            tree.visits[child] = 0.0
            tree.total[child] = 0.0
            tree.weight[child] = 1.0 / n
        else:
            empty(child, least, most, tree)
        if tree.informed and not chance:
            before = s.prior(room[i]) / 100.0
            tree.prior[child] = before
            tree.mean[child] = before
            tree.weight[child] = 1.0 / math.sqrt(tree.confidence)
    tree.first[node] = first
    tree.count[node] = n
    tree.tried[node] = (
        n if chance or tree.informed or tree.puct else 0
    )  # with priors, no child needs to be tried first
    return True


@kernel
def give_priors(s: Any, node: int, tree: Any, priors: Any) -> None:
    """An evaluator's priors of the legal actions, normalised to sum 1; equal if all are zero."""
    first = tree.first[node]
    count = tree.count[node]
    total = 0.0
    for i in range(count):
        place = place_of(s, tree.action[first + i], i, tree)
        tree.weight[first + i] = priors[place]
        total += priors[place]
    for i in range(count):
        tree.weight[first + i] = tree.weight[first + i] / total if total > 0.0 else 1.0 / count


@kernel
def place_of(s: Any, action: int, i: int, tree: Any) -> int:
    """The policy index of the state's i-th action; plain version: `View.place`."""
    if s.has_policy_index():
        return s.policy_index(action)
    if tree.factor != 0:
        return shr(wrap(action * tree.factor), SPREAD_BITS) & (tree.by_action - 1)
    if tree.by_action > 0:
        return min(max(action, 0), tree.by_action - 1)
    return i


@kernel
def note_end(s: Any, node: int, tree: Any) -> None:
    """A leaf's value is known if the game is over, or drawn by repetition."""
    if tree.visits[node] > 0.0:
        return
    if s.terminal():
        value = reward(s, tree)
        tree.least[node] = value
        tree.most[node] = value
    elif tree.draws and s.repetition() > 0 and is_drawn(s.repetition(), tree):
        tree.least[node] = 0.5 * tree.both
        tree.most[node] = 0.5 * tree.both


@kernel
def is_drawn(times: int, tree: Any) -> bool:
    """Whether the leaf's position occurred on the path, or as often in the game as the rules require."""
    here = tree.past + tree.depth
    found = 1
    for i in range(here):
        if tree.keys[i] == tree.keys[here]:
            found += 1
            if i >= tree.past or found >= times:
                return tree.depth > 0
    return False
