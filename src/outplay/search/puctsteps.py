"""The trees of PUCT in flat arrays, and the steps of a simulation on them as kernels.

Trees are independent: the loop over them is the loop over a processor's threads, here one, or a GPU's many. A
kernel whose name ends with `_one` works on tree number t alone.
"""

import math
from typing import Any, NamedTuple

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.control import NoActions, pointer
from outplay.search.playout import GOLDEN, LONGEST, Endless, choose, random_bits

store_state = NATIVE["store_state"][ENABLED]
load_state = NATIVE["load_state"][ENABLED]
shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]

MAX_DEPTH = 512
NODE_BYTES, EDGE_BYTES = 8, 36
NEW, KNOWN, FULL = range(3)  # a leaf: to be expanded; the game is over there; there is no room for its edges


# The words of `run`.
NODES, EDGES = 0, 1  # in use
MOST_NODES, MOST_EDGES = 2, 3
COUNTER = 4  # of the random numbers, for chance and random games
DEPTH, LEAF, STATUS = 5, 6, 7  # the simulation: how many edges, the node at their end, NEW, KNOWN or FULL
WORDS = 8


class Trees(NamedTuple):
    """T trees of up to S nodes and E edges each; node 0 is the root, edges of a node lie side by side.

    Kernels work on one tree at a time, which has a pointer to its row in place of each array.
    """

    roots: Any  # int64[T, words]: the states at the roots
    leaves: Any  # int64[T, words]: the states that `select` has found
    first: Any  # int32[T, S]: a node's first edge
    branches: Any  # int32[T, S]: how many it has; 0: not expanded
    action: Any  # int64[T, E]
    child: Any  # int32[T, E]: the node to which the edge leads; 0: none yet
    priors: Any  # float64[T, E]: P; the probability, where chance moves
    visits: Any  # float64[T, E]: N
    total: Any  # float64[T, E]: W, for the player who moves; where chance does, for MAX
    path: Any  # int32[T, MAX_DEPTH]: the edges of the simulation
    movers: Any  # int32[T, MAX_DEPTH]: who moves there
    run: Any  # int64[T, WORDS]: what stands above
    room: Any  # int64[T, MOVES + max_actions + 1]: for a state's actions, from 0 or from MOVES on


@kernel
def tree_at(trees: Any, t: int) -> Any:
    """Tree number t."""
    return Trees(
        pointer(trees.roots[t]), pointer(trees.leaves[t]), pointer(trees.first[t]), pointer(trees.branches[t]),
        pointer(trees.action[t]), pointer(trees.child[t]), pointer(trees.priors[t]), pointer(trees.visits[t]),
        pointer(trees.total[t]), pointer(trees.path[t]), pointer(trees.movers[t]), pointer(trees.run[t]),
        pointer(trees.room[t]),
    )  # fmt: skip


# --- down ------------------------------------------------------------------------------------------------


@kernel
def select(like: Any, trees: Any, c: float) -> None:
    """Find a leaf in every tree; its state goes to `leaves`."""
    for t in range(len(trees.run)):
        select_one(like, t, trees, c)


@kernel
def select_one(like: Any, t: int, trees: Any, c: float) -> None:
    tree = tree_at(trees, t)
    s, node, depth, status = descend(like, tree, c)
    tree.run[DEPTH] = depth
    tree.run[LEAF] = node
    tree.run[STATUS] = status
    store_state(tree.leaves, 0, s)


@kernel
def descend(like: Any, tree: Any, c: float) -> Any:
    """Go down from the root to a node without edges: the state there, the node, its depth and status."""
    s = load_state(tree.roots, 0, like)
    node = 0
    depth = 0
    status = NEW
    while depth < MAX_DEPTH:
        if tree.branches[node] == 0:
            if s.terminal():
                status = KNOWN
                break
            if not s.chance():
                break
            if not opened(s, node, tree):
                status = FULL
                break
        edge = fallen(node, tree) if s.chance() else best_edge(node, tree, c)
        tree.path[depth] = edge
        tree.movers[depth] = s.player()
        depth += 1
        s = s.result(tree.action[edge])
        node = tree.child[edge]
        if node == 0:
            node = tree.run[NODES]
            if node >= tree.run[MOST_NODES]:
                status = KNOWN if s.terminal() else FULL
                break
            tree.run[NODES] = node + 1
            tree.branches[node] = 0
            tree.child[edge] = node
    return s, node, depth, status


@kernel
def best_edge(node: int, tree: Any, c: float) -> int:
    """argmax Q + c P sqrt(sum N) / (1 + N); before the first visit of all, the greatest prior."""
    first = tree.first[node]
    end = first + tree.branches[node]
    total = 0.0
    for edge in range(first, end):
        total += tree.visits[edge]
    width = c * math.sqrt(max(total, 1.0))
    best = first
    most = -math.inf
    for edge in range(first, end):
        visits = tree.visits[edge]
        value = tree.total[edge] / visits if visits > 0.0 else 0.0
        bound = value + width * tree.priors[edge] / (1.0 + visits)
        if bound > most:
            most = bound
            best = edge
    return best


@kernel
def drawn(tree: Any) -> int:
    """The tree's next random bits."""
    tree.run[COUNTER] = wrap(tree.run[COUNTER] + GOLDEN)
    return random_bits(tree.run[COUNTER])


@kernel
def fallen(node: int, tree: Any) -> int:
    """The edge that chance takes."""
    left = shr(drawn(tree), 12) / 4503599627370496.0
    first = tree.first[node]
    last = first + tree.branches[node] - 1
    for edge in range(first, last):
        left -= tree.priors[edge]
        if left < 0.0:
            return edge
    return last


@kernel
def opened(s: Any, node: int, tree: Any) -> bool:
    """Give a node its edges, with equal priors, or probabilities where chance moves; False if there is no room."""
    n = s.actions(tree.room, 0)
    if n == 0:
        raise NoActions
    first = tree.run[EDGES]
    if first + n > tree.run[MOST_EDGES]:
        return False
    tree.run[EDGES] = first + n
    tree.first[node] = first
    tree.branches[node] = n
    chance = s.chance()
    for i in range(n):
        edge = first + i
        action = tree.room[i]
        tree.action[edge] = action
        tree.child[edge] = 0
        tree.priors[edge] = s.probability(action) if chance else 1.0 / n
        tree.visits[edge] = 0.0
        tree.total[edge] = 0.0
    return True


# --- and up ----------------------------------------------------------------------------------------------


@kernel
def backup(like: Any, trees: Any, priors: Any, values: Any) -> None:
    """Expand every leaf with its priors and add its value along the path."""
    for t in range(len(trees.run)):
        backup_one(like, t, trees, priors, values)


@kernel
def backup_one(like: Any, t: int, trees: Any, priors: Any, values: Any) -> None:
    tree = tree_at(trees, t)
    s = load_state(tree.leaves, 0, like)
    depth = tree.run[DEPTH]
    if tree.run[STATUS] == KNOWN:
        back_up(depth, outcome(s), tree)
        return
    node = tree.run[LEAF]
    if tree.run[STATUS] == NEW and tree.branches[node] == 0 and opened(s, node, tree):
        give_priors(s, t, node, tree, priors)
    back_up(depth, -values[t] if s.player() == 1 else values[t], tree)


@kernel
def outcome(s: Any) -> float:
    """A finished game's result for MAX: -1 is lost, 0 drawn, 1 won."""
    u = s.utility()
    return 1.0 if u > 0 else -1.0 if u < 0 else 0.0


@kernel
def back_up(depth: int, gain: float, tree: Any) -> None:
    """Along the path N += 1 and W += v, for who moves; `gain` is MAX's."""
    for i in range(depth):
        edge = tree.path[i]
        tree.visits[edge] += 1.0
        tree.total[edge] += gain if tree.movers[i] != 1 else -gain


@kernel
def give_priors(s: Any, t: int, node: int, tree: Any, priors: Any) -> None:
    """The evaluator's priors of the legal actions, scaled to sum 1; equal ones where it gave them none."""
    first = tree.first[node]
    count = tree.branches[node]
    total = 0.0
    for i in range(count):
        place = s.policy_index(tree.action[first + i]) if s.has_policy_index() else i
        tree.priors[first + i] = priors[t, place]
        total += priors[t, place]
    for i in range(count):
        tree.priors[first + i] = tree.priors[first + i] / total if total > 0.0 else 1.0 / count


# --- whole searches, where the evaluator is ours -----------------------------------------------------------


@kernel
def grow(like: Any, trees: Any, c: float, simulations: int, rollouts: int) -> None:
    """So many simulations in every tree, with equal priors; values are 0, or a random game's result."""
    for t in range(len(trees.run)):
        grow_one(like, t, trees, c, simulations, rollouts)


@kernel
def grow_one(like: Any, t: int, trees: Any, c: float, simulations: int, rollouts: int) -> None:
    tree = tree_at(trees, t)
    for _ in range(simulations):
        s, node, depth, status = descend(like, tree, c)
        gain = 0.0
        if status == KNOWN:
            gain = outcome(s)
        else:
            if status == NEW and tree.branches[node] == 0:
                opened(s, node, tree)
            if rollouts:
                gain = random_game(s, tree)
        back_up(depth, gain, tree)


@kernel
def random_game(s: Any, tree: Any) -> float:
    """What comes of playing on at random."""
    x = tree.run[COUNTER]
    length = 0
    while not s.terminal():
        x = wrap(x + GOLDEN)
        s = s.result(choose(s, random_bits(x), 0, tree.room))
        length += 1
        if length > LONGEST:
            raise Endless
    tree.run[COUNTER] = x
    return outcome(s)


@kernel
def add_noise(trees: Any, noise: Any, share: float) -> None:
    for t in range(len(trees.run)):
        add_noise_one(t, trees, noise, share)


@kernel
def add_noise_one(t: int, trees: Any, noise: Any, share: float) -> None:
    """Mix so large a share of noise[T, actions] into the root's priors."""
    tree = tree_at(trees, t)
    for edge in range(tree.branches[0]):
        tree.priors[edge] = (1.0 - share) * tree.priors[edge] + share * noise[t, edge]


@kernel
def planes(like: Any, words: Any, seen: Any, room: Any, planes: int, cells: int) -> None:
    """Each state's planes as numbers: cell i of a plane is bit i mod 64 of its word i // 64."""
    for b in range(len(words)):
        planes_one(like, b, words, seen, room, planes, cells)


@kernel
def planes_one(like: Any, b: int, words: Any, seen: Any, room: Any, planes: int, cells: int) -> None:
    in_plane = (cells + 63) // 64
    s = load_state(pointer(words[b]), 0, like)
    s.planes(pointer(room), 0)
    for plane in range(planes):
        for cell in range(cells):
            word = int(room[plane * in_plane + cell // 64])
            seen[b, plane * cells + cell] = shr(word, cell % 64) & 1
