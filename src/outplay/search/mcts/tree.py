"""The tree of Monte Carlo tree search in one block of memory: allocated, cleared, reduced to a subtree after a move.

UCT and PUCT grow the same tree: a node for each action, with its visits and the sum of its rewards for the player who
chose it. They differ in the selection rule, in the evaluation of leaves, and in the range of rewards: from 0 to 1 in
UCT, where MAX's and MIN's sum to 1; from -1 to 1 in PUCT, where they sum to 0.

The block is allocated once and never grows: a full tree stops growing, but its leaves are still sampled. The
children of a node are adjacent, in a row created when the node is expanded, so a row always comes after its parent.
Many trees are stored consecutively in one array, on the CPU as on a GPU.
"""

import functools
import math
from collections.abc import Iterable
from typing import Any

import numpy as np

from outplay.compile import inlined, kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.compile.structure import (
    FLOAT,
    SMALL,
    Address,
    Flag,
    Number,
    Setting,
    Structure,
    Word,
    Words,
    columns,
    placed,
    sharing,
)
from outplay.freememory import megabytes_available
from outplay.game import FORBIDDEN, max_actions
from outplay.search.mcts.playout import GOLDEN, MAX_LINE, pointer, random_bits

wrap = NATIVE["wrap"][ENABLED]

ROOT = 0
MAX_DEPTH = 2048  # maximum depth of the tree in plies
MAX_PAST = 4096  # maximum positions of the game before the root
LOGS = 4096
MARK_BITS = 14
MARKS = 1 << MARK_BITS  # slots of the set of actions seen in an iteration; over twice MAX_LINE


class Tree(Structure):
    """Nodes 0 to used - 1; the root is 0."""

    # Settings, the same in all trees of a search.
    size = Setting()  # capacity in nodes
    puct = Setting()  # 1: selection by PUCT, else by UCB1
    solver = Setting()  # 1: proven values are backed up
    hinted = Setting()  # 1: simulations use the game's own `playout`
    rave = Setting()  # 1: AMAF values are stored and used
    informed = Setting()  # 1: children start with the game's `prior`
    expand = Setting()  # visits of a node before its children are created
    draws = Setting()  # 1: repetition is a draw, if the game declares it
    by_action = Setting()  # for games without `policy_index`: the number of an evaluator's priors
    factor = Setting()  # that hashes actions to policy indices (`view.py`); 0: an action is its own index
    considered = Setting()  # the number of actions that sequential halving starts with (`gumbel.py`)
    explore = Setting(FLOAT)  # the exploration constant C
    both = Setting(FLOAT)  # the sum of MAX's and MIN's rewards
    equivalence = Setting(
        FLOAT
    )  # k of RAVE: the number of visits at which a mean counts as much as its AMAF value
    confidence = Setting(FLOAT)  # how many visits a prior counts as; 0: no priors
    noise = Setting(FLOAT)  # the scale of the root's Gumbel noise
    sharpness = Setting(FLOAT)  # the weight of a value relative to a logit
    logs = Address(FLOAT)  # sqrt(ln n) for n < LOGS

    # Settings of each tree.
    seed = Word()
    scale = Number()  # the utility that earns the reward 1; 0: the margin does not count
    lowest = Number()  # the range of rewards
    highest = Number()
    halving = Word()  # simulations of sequential halving at the root; 0: the PUCT rule

    # Progress.
    nodes = Word()  # iterations done in this search
    limit = Flag()  # stop after this many
    turn = (
        Word()
    )  # iterations done in this tree, including earlier searches: in UCT each has its own random numbers
    used = Word()  # nodes in use
    full = Word()  # iterations without memory for a node's children
    deepest = Word()

    # The iteration.
    counter = Word()  # of the random numbers
    depth = Word()  # of the current node
    length = Word()  # plies recorded for AMAF
    stamp = Word()  # marks with this stamp belong to the iteration
    past = Word()  # number of known positions before the root
    root_value = Number()  # the evaluator's value of the root, for the player to move
    path = Words(SMALL)  # its nodes, from the root
    movers = Words(SMALL)  # the player who chose node i of the path; then the movers in the simulation
    moves = Words()  # the actions likewise
    keys = Words()  # identities of the positions before the root, then of the path's
    mark_stamps, mark_actions = columns(2)  # a set of actions: twice the stamp plus the mover, the action
    gumbel, logit = columns(2, FLOAT)  # of the root's actions: the noise, and the logarithm of the prior
    room = Words()  # for a state's actions

    # The nodes.
    visits, total = columns(2, FLOAT)  # n, and the sum of rewards for the player who chose the node
    mean = Words(
        FLOAT
    )  # for selection by UCB1: the mean reward; -inf: excluded. In PUCT `mean_reward` divides
    weight = Words(FLOAT)  # for selection: 1 / sqrt n, or P
    # The first child, their number, the number tried; the new index in `keep`.
    first, count, tried, place = columns(4, SMALL)
    action = Words()  # the action that leads to the node
    least, most = columns(2, FLOAT)  # proven bounds on the reward for MAX
    amaf_visits, amaf_total = columns(2, FLOAT)  # all moves as first
    prior = Words(FLOAT)  # the game's estimate of the reward for the player who chooses the node

    def head(self, past: int = 0) -> np.ndarray:
        """The words in which empty trees may differ: the scalars, and the keys of the history."""
        return self.words[: self.runs["keys"].start + past]


NODE = ("visits", "mean", "weight", "first", "action", "least")  # the arrays with an item per node, and
RAVE = ("amaf_visits",)
INFORMED = ("prior",)

tree_at = placed(Tree)  # of kernels: the tree whose words a pointer points to
# The same, with the settings of another tree: any tree, one of UCT, one of PUCT.
tree_sharing, uct_sharing = sharing(Tree), sharing(Tree, puct=0)
puct_sharing = sharing(
    Tree, puct=1, solver=0, rave=0, informed=0, hinted=0, lowest=-1.0, highest=1.0, both=0.0, scale=0.0
)


@kernel
def any_tree(t: int, trees: Any, common: Any) -> Any:
    """Tree number t of a GPU; `common` holds the settings, which all trees share."""
    return tree_sharing(pointer(trees[t]), common)


@kernel
def puct_tree(t: int, trees: Any, common: Any) -> Any:
    return puct_sharing(pointer(trees[t]), common)


@kernel
def uct_tree(t: int, trees: Any, common: Any) -> Any:
    return uct_sharing(pointer(trees[t]), common)


def node_bytes(rave: bool, informed: bool) -> int:
    """The size of a node."""
    runs = (Tree.parts[name] for name in NODE + RAVE * rave + INFORMED * informed)
    return sum(8 * len(run.beside) // run.item.in_word for run in runs if isinstance(run, Words))


def new_tree(
    cls: type,
    size: int,
    *,
    rave: bool = False,
    informed: bool = False,
    halving: bool = False,
    past: int = MAX_PAST,
) -> Tree:
    """An empty tree with a given capacity of nodes, and of positions before its root."""
    line = (MAX_LINE if rave else MAX_DEPTH) + 1
    keys = past + MAX_DEPTH + 1 if getattr(cls, "repetition", 0) else 0
    lengths = {"keys": keys, "path": MAX_DEPTH + 1, "movers": line, "moves": line}
    lengths |= {"mark_stamps": MARKS * rave, "gumbel": max_actions(cls) * halving}
    lengths |= {"room": max_actions(cls) + 1}
    lengths |= dict.fromkeys(NODE + RAVE * rave + INFORMED * informed, size)
    tree = Tree(**lengths)
    tree.size, tree.rave, tree.informed = size, rave, informed
    tree.logs = log_roots().ctypes.data
    tree.expand = tree.both = tree.highest = tree.equivalence = 1
    clear(tree)
    return tree


def tree_of(cls: type, megabytes: float, rave: bool, informed: bool = False) -> Tree:
    """An empty tree of a given size in memory."""
    each = node_bytes(rave, informed)
    size = int(megabytes * (1 << 20)) // each
    least = max_actions(cls) + 1
    most = min(megabytes_available(), (1 << 31) * each / (1 << 20))
    if not least <= size < 1 << 31 or megabytes > most:
        raise ValueError(
            f"a tree of {megabytes:g} MB does not fit: {cls.__name__} needs at least "
            f"{math.ceil(1000 * least * each / (1 << 20)) / 1000:g} MB, and {most:.0f} MB is the maximum"
        )
    return new_tree(cls, size, rave=rave, informed=informed)


def check_size(cls: type, trees: int, size: int, each: int, available: float) -> None:
    """Raise a ValueError if the trees do not fit into the memory."""
    megabytes = trees * size * each / (1 << 20)
    least = max_actions(cls) + 1
    if size < least or size >= 1 << 31 or megabytes > available:
        raise ValueError(
            f"{trees} trees of {size} nodes take {megabytes:.0f} MB: at least {least} nodes "
            f"and at most {available:.0f} MB are allowed"
        )


def past_keys(compiled: Any, pasts: Iterable[Iterable[Any]]) -> list[list[int]]:
    """The keys of the histories before the roots; equal histories are computed once."""

    @functools.cache
    def keys(past: tuple[Any, ...]) -> list[int]:
        return [compiled.state(state).identity() for state in past[-MAX_PAST:]]

    return [keys(tuple(past)) for past in pasts]


@functools.cache
def log_roots() -> np.ndarray:
    """A table of sqrt(ln n) for small n: most nodes have few visits, and a logarithm is slow."""
    return np.array([0.0, *(math.sqrt(math.log(n)) for n in range(1, LOGS))])


@kernel
def clear(tree: Any) -> None:
    """Reduce the tree to an unvisited root."""
    tree.used = 1
    tree.turn = 0
    tree.full = 0
    tree.action[ROOT] = 0
    if tree.informed:
        tree.prior[ROOT] = 0.0
    empty(ROOT, tree.lowest, tree.highest, tree)


@inlined
def empty(node: int, least: float, most: float, tree: Any) -> None:
    """Reset a node to unvisited and without children, with these bounds."""
    tree.visits[node] = 0.0
    tree.total[node] = 0.0
    tree.mean[node] = 0.0
    tree.weight[node] = 0.0
    reach(node, least, most, tree)
    if tree.rave:
        tree.amaf_visits[node] = 0.0
        tree.amaf_total[node] = 0.0


@inlined
def reach(node: int, least: float, most: float, tree: Any) -> None:
    """Reset what a node has from its first visit on: children, and bounds.

    PUCT does this at that visit, as most children are never visited and memory is slow; until then these are
    undefined.
    """
    tree.least[node] = least
    tree.most[node] = most
    tree.first[node] = 0
    tree.count[node] = 0
    tree.tried[node] = 0


@inlined
def mean_reward(node: int, tree: Any) -> float:
    """The mean reward for the player who chose a node; 0 before the first visit, -inf if it is excluded."""
    if tree.puct:
        return tree.total[node] / max(tree.visits[node], 1.0)
    return tree.mean[node]


@inlined
def proven(node: int, tree: Any) -> bool:
    """Whether the node's value is known: the game is over, or its bounds are equal."""
    return tree.least[node] == tree.most[node]


@inlined
def leaf(tree: Any) -> int:
    """The current node of the iteration."""
    return tree.path[tree.depth]


@inlined
def product(x: float, y: float) -> float:
    """x y, rounded before any addition: a GPU would fuse the two, and build different trees."""
    return x * y


@inlined
def draw(tree: Any) -> int:
    """The next random bits."""
    tree.counter = wrap(tree.counter + GOLDEN)
    return random_bits(tree.counter)


@inlined
def remembers(s: Any, tree: Any) -> bool:
    """Whether repetition matters."""
    return s.repetition() == FORBIDDEN or (s.repetition() > 0 and tree.draws != 0)


# --- from move to move -----------------------------------------------------------------------------------


@kernel
def keep(tree: Any, root: int) -> None:
    """Make a node the root and move its subtree to the front; the rest is discarded.

    A row comes after its parent, so one pass from front to back finds the subtree of the new root and its new
    indices, and a second pass moves it.
    """
    kept = find_places(tree, root)
    for node in range(root, tree.used):
        if tree.place[node] > 0:
            move(node, tree)
    tree.used = kept
    tree.full = 0


@kernel
def find_places(tree: Any, root: int) -> int:
    """Write each node's new index plus one, 0 if it is discarded; return the number kept."""
    for node in range(root, tree.used):
        tree.place[node] = 0
    tree.place[root] = 1
    kept = 1
    for node in range(root, tree.used):
        if tree.place[node] == 0:
            continue
        if node != root:
            kept += 1
            tree.place[node] = kept
        first = tree.first[node]
        for child in range(first, first + tree.count[node]):
            tree.place[child] = -1
    return kept


@kernel
def move(node: int, tree: Any) -> None:
    """Move a node to its new index."""
    place = tree.place[node] - 1
    first = tree.first[node]
    tree.visits[place] = tree.visits[node]
    tree.total[place] = tree.total[node]
    tree.mean[place] = tree.mean[node]
    tree.weight[place] = tree.weight[node]
    tree.action[place] = tree.action[node]
    tree.least[place] = tree.least[node]
    tree.most[place] = tree.most[node]
    if tree.rave:
        tree.amaf_visits[place] = tree.amaf_visits[node]
        tree.amaf_total[place] = tree.amaf_total[node]
    if tree.informed:
        tree.prior[place] = tree.prior[node]
    tree.first[place] = tree.place[first] - 1 if first > 0 else 0
    tree.count[place] = tree.count[node]
    tree.tried[place] = tree.tried[node]
