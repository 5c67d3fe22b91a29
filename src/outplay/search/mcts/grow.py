"""Whole iterations: select, expand, simulate, back up.

This is `textbook/uct.py` on the memory block of `tree.py`, with the same random numbers: the same seed gives the same
tree, node by node.

In UCT an iteration expands one child of the leaf and simulates from there. In PUCT the leaf itself is evaluated, by a
network for many trees at a time (`to_leaves`, `from_leaves`), by a random game, or as 0 (`grow_all`).

Trees are independent: the loop over them runs in one CPU thread, or in one GPU thread per tree.
"""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.mcts.backup import back_up
from outplay.search.mcts.expand import expand, give_priors, note_end, open_node
from outplay.search.mcts.gumbel import begin_halving
from outplay.search.mcts.playout import finished, pointer, random_bits
from outplay.search.mcts.select import select
from outplay.search.mcts.simulate import simulate
from outplay.search.mcts.tree import MAX_DEPTH, ROOT, clear, leaf, proven, remembers, tree_at

load_state = NATIVE["load_state"][ENABLED]
store_state = NATIVE["store_state"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]
shr = NATIVE["shr"][ENABLED]


@kernel
def begin(s: Any, tree: Any) -> None:
    """Start an iteration at the root."""
    tree.depth = 0
    tree.path[0] = ROOT
    if remembers(s, tree):
        tree.keys[tree.past] = s.identity()


@kernel
def end(tree: Any) -> None:
    tree.turn += 1
    if tree.depth > tree.deepest:
        tree.deepest = tree.depth


# --- UCT -------------------------------------------------------------------------------------------------


@kernel
def grow(s: Any, tree: Any) -> None:
    """Iterate until the limit is reached or the root is proven."""
    while tree.nodes < tree.limit and not proven(ROOT, tree):
        tree.nodes += 1
        iterate(s, tree)


@kernel
def iterate(s: Any, tree: Any) -> None:
    """One iteration: select, expand, simulate, back up."""
    tree.counter = random_bits(wrap(tree.seed + tree.turn))
    begin(s, tree)
    found, node, tree.depth = select(s, ROOT, 0, tree)
    found, node = expand(found, node, tree)
    gain = simulate(found, node, tree)
    back_up(s, node, gain, tree)
    end(tree)


@kernel
def largest(start: Any, games: int, room: Any) -> float:
    """The largest utility, for either player, in a number of random games."""
    memory = pointer(room)
    found = 0.0
    for game in range(games):
        found = max(found, abs(finished(start, random_bits(game), 0, memory).utility()))
    return found


# --- PUCT ------------------------------------------------------------------------------------------------


@kernel
def descend(s: Any, tree: Any) -> Any:
    """Descend from the root to a leaf at which a player moves, expanding chance nodes on the way."""
    begin(s, tree)
    node, depth = ROOT, 0
    going = True
    while going:
        s, node, depth = select(s, node, depth, tree)
        going = s.chance() and depth < MAX_DEPTH and not s.terminal() and open_node(s, node, tree)
    tree.depth = depth
    note_end(s, node, tree)
    return s, node


@kernel
def open_leaf(s: Any, node: int, tree: Any) -> bool:
    """Create a leaf's children with equal priors, unless it has some, or there is no room."""
    return not (tree.count[node] > 0 or s.chance()) and open_node(s, node, tree)


@kernel
def iterate_puct(s: Any, tree: Any, rollouts: int) -> None:
    """One iteration with equal priors; the value of a leaf is 0, or a random game's result."""
    found, node = descend(s, tree)
    gain = 0.0
    if proven(node, tree):
        gain = tree.least[node]
    else:
        open_leaf(found, node, tree)
        if rollouts:
            gain = simulate(found, node, tree)
    back_up(s, node, gain, tree)
    end(tree)


@kernel
def to_leaf(s: Any, tree: Any, words: Any) -> None:
    """Find a leaf; its state goes to `words`."""
    found, _ = descend(s, tree)
    store_state(words, 0, found)


@kernel
def from_leaf(s: Any, found: Any, tree: Any, priors: Any, value: float) -> None:
    """Expand the leaf with its priors and back up its value, which is for the player to move."""
    node = leaf(tree)
    gain = tree.both - value if found.player() == 1 else value
    if proven(node, tree):
        gain = tree.least[node]
    elif open_leaf(found, node, tree):
        give_priors(found, node, tree, priors)
        if node == ROOT and tree.halving > 0:
            begin_halving(value, tree)
    back_up(s, node, gain, tree)
    end(tree)


@kernel
def grow_all(like: Any, roots: Any, trees: Any, simulations: int, rollouts: int) -> None:
    """Run iterations in every tree without an evaluator."""
    for t in range(len(trees)):
        tree = tree_at(pointer(trees[t]))
        s = load_state(pointer(roots[t]), 0, like)
        for _ in range(simulations):
            iterate_puct(s, tree, rollouts)


@kernel
def to_leaves(like: Any, roots: Any, trees: Any, leaves: Any) -> None:
    """Find a leaf in every tree."""
    for t in range(len(trees)):
        to_leaf(load_state(pointer(roots[t]), 0, like), tree_at(pointer(trees[t])), pointer(leaves[t]))


@kernel
def from_leaves(like: Any, roots: Any, trees: Any, leaves: Any, priors: Any, values: Any) -> None:
    """Expand every leaf and back up its value."""
    for t in range(len(trees)):
        s = load_state(pointer(roots[t]), 0, like)
        found = load_state(pointer(leaves[t]), 0, like)
        from_leaf(s, found, tree_at(pointer(trees[t])), pointer(priors[t]), values[t])


@kernel
def plant(trees: Any) -> None:
    """Empty trees."""
    for t in range(len(trees)):
        clear(tree_at(pointer(trees[t])))


@kernel
def children_all(trees: Any, counts: Any, actions: Any, numbers: Any) -> None:
    """The children of all roots."""
    for t in range(len(trees)):
        counts[t] = children_of(tree_at(pointer(trees[t])), actions[t], numbers[t])


@kernel
def children_of(tree: Any, actions: Any, numbers: Any) -> int:
    """The children of a root: their actions; visits, sums of rewards, and proven bounds; returns their number."""
    first = tree.first[ROOT]
    for i in range(tree.count[ROOT]):
        actions[i] = tree.action[first + i]
        numbers[i, 0] = tree.visits[first + i]
        seen = tree.visits[first + i] > 0.0 or not tree.puct
        numbers[i, 1] = tree.total[first + i] if seen else 0.0
        numbers[i, 2] = tree.least[first + i] if seen else tree.lowest
        numbers[i, 3] = tree.most[first + i] if seen else tree.highest
    return tree.count[ROOT]


@kernel
def mix_in(tree: Any, noise: Any, share: float) -> None:
    """Mix a share of noise into the root's priors."""
    first = tree.first[ROOT]
    for i in range(tree.count[ROOT]):
        tree.weight[first + i] = (1.0 - share) * tree.weight[first + i] + share * noise[i]


@kernel
def mix_in_all(trees: Any, noise: Any, share: float) -> None:
    for t in range(len(trees)):
        mix_in(tree_at(pointer(trees[t])), pointer(noise[t]), share)


@kernel
def planes(like: Any, words: Any, seen: Any, room: Any, planes: int) -> None:
    """Each state's planes as numbers."""
    for b in range(len(words)):
        planes_of(
            load_state(pointer(words[b]), 0, like), pointer(seen[b]), pointer(room), planes, seen.shape[1]
        )


@kernel
def planes_of(s: Any, seen: Any, room: Any, planes: int, numbers: int) -> None:
    """A state's planes as numbers: cell i of a plane is bit i mod 64 of its word i // 64."""
    cells = numbers // planes
    in_plane = (cells + 63) // 64
    s.planes(room, 0)
    for plane in range(planes):
        for cell in range(cells):
            word = int(room[plane * in_plane + cell // 64])
            seen[plane * cells + cell] = shr(word, cell % 64) & 1
