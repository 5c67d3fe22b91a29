"""The tree of Monte Carlo tree search in one block of memory: made, emptied, and cut down to what a move leaves of it.

UCT and PUCT grow the same tree: a node for each action, with its visits and the sum of its rewards for the player who
chose it. They differ in the rule of selection, in what a leaf is worth, and in the range of rewards: from 0 to 1 in
UCT, where MAX's and MIN's sum to 1; from -1 to 1 in PUCT, where they sum to 0.

The block is allocated once and never grows: a tree that is full grows no further, its leaves are sampled on. The
children of a node lie side by side, in a row that is made when the node is first left downwards, so a row always lies
behind its parent. Many trees lie one behind the other in one array, on the CPU as on a GPU.
"""

import functools
import math
import os
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
    Structure,
    Word,
    Words,
    columns,
    placed,
)
from outplay.game import FORBIDDEN, max_actions
from outplay.search.mcts.playout import GOLDEN, MAX_LINE, random_bits

wrap = NATIVE["wrap"][ENABLED]

ROOT = 0
MAX_DEPTH = 2048  # plies that the tree may be deep
MAX_PAST = 4096  # positions of the game before the root
LOGS = 4096
MARK_BITS = 14
MARKS = 1 << MARK_BITS  # places of the set of actions that an iteration has seen; over twice MAX_LINE


class Tree(Structure):
    """Nodes 0 to used - 1; the root is 0."""

    # How it grows.
    size = Word()  # nodes that there is room for
    seed = Word()
    puct = Word()  # 1: selection is by PUCT, else by UCB1
    solver = Word()  # 1: proven values are backed up
    hinted = Word()  # 1: the game's own `playout` chooses in simulations
    rave = Word()  # 1: AMAF values are kept and used
    informed = Word()  # 1: children begin with what the game's `prior` says of them
    expand = Word()  # visits of a node before its children are made
    draws = Word()  # 1: a position that comes back is a draw, where the game says so
    by_action = Word()  # where the game has no `policy_index`: for how many actions an evaluator has priors
    factor = Word()  # by which these are spread over its answers (`view.py`); 0: an action is its own place
    halving = (
        Word()
    )  # simulations among which the root halves its actions (`gumbel.py`); 0: its rule is PUCT's
    considered = Word()  # with how many actions it begins
    explore = Number()  # the constant C
    scale = Number()  # the utility that is worth the reward 1; 0: the size of a win does not count
    lowest = Number()  # the rewards that there may be
    highest = Number()
    both = Number()  # what MAX's and MIN's rewards sum to
    equivalence = Number()  # k of RAVE: the number of visits at which a mean counts as much as its AMAF value
    confidence = Number()  # how many visits a prior is worth; 0: there are none
    noise = Number()  # the scale of the root's Gumbel noise
    sharpness = Number()  # how much a value counts beside a logit
    logs = Address(FLOAT)  # sqrt(ln n) for n < LOGS

    # How far it has come.
    nodes = Word()  # iterations done in this search
    limit = Flag()  # stop when as many are done
    turn = (
        Word()
    )  # iterations done in this tree, earlier searches' too: in UCT each has its own random numbers
    used = Word()  # nodes that are taken
    full = Word()  # iterations that found no room for a node's children
    deepest = Word()

    # The iteration.
    counter = Word()  # of the random numbers
    depth = Word()  # of the node that it has reached
    length = Word()  # plies that AMAF looks at
    stamp = Word()  # marks with this stamp belong to the iteration
    past = Word()  # positions of the game before the root that are known
    root_value = Number()  # what the evaluator says of the root, for the player to move
    path = Words(SMALL)  # its nodes, from the root on
    movers = Words(SMALL)  # who chose node i of the path; then who moved in the simulation
    moves = Words()  # the actions likewise
    keys = Words()  # identities of the past's positions, then of the path's
    mark_stamps, mark_actions = columns(2)  # a set of actions: twice the stamp plus who moved, the action
    gumbel, logit = columns(2, FLOAT)  # of the root's actions: the noise, and the logarithm of the prior
    room = Words()  # for a state's actions

    # The nodes.
    visits, total = columns(2, FLOAT)  # n, and the sum of rewards for the player who chose the node
    mean, weight = columns(
        2, FLOAT
    )  # of the bound that selects: mean reward (-inf: never again), 1 / sqrt n or P
    first, count, tried, place = columns(
        4, SMALL
    )  # the first child, how many, how many were tried; where `keep` moves it
    action = Words()  # that leads to the node
    least, most = columns(2, FLOAT)  # what is proven of the reward for MAX
    amaf_visits, amaf_total = columns(2, FLOAT)  # all moves as first
    prior = Words(FLOAT)  # the reward that the game expects for the player who chooses the node

    def head(self, past: int = 0) -> np.ndarray:
        """The words in which empty trees may differ: those that are no run's, and so many keys of the past."""
        return self.words[: self.runs["keys"].start + past]


NODE = ("visits", "mean", "first", "action", "least")  # the runs that have an item for each node, and
RAVE = ("amaf_visits",)
INFORMED = ("prior",)

tree_at = placed(Tree)  # of kernels: the tree whose words a pointer points to


def node_bytes(rave: bool, informed: bool) -> int:
    """What each node takes."""
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
    """An empty tree with room for so many nodes, and so many positions of the game before its root."""
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
    """An empty tree that takes so much memory."""
    each = node_bytes(rave, informed)
    size = int(megabytes * (1 << 20)) // each
    least = max_actions(cls) + 1
    if not least <= size < 1 << 31 or megabytes > memory_megabytes():
        most = min(memory_megabytes(), (1 << 31) * each / (1 << 20))
        raise ValueError(
            f"a tree of {megabytes:g} MB does not fit: {cls.__name__} needs at least "
            f"{math.ceil(1000 * least * each / (1 << 20)) / 1000:g} MB, and {most:.0f} MB is the maximum"
        )
    return new_tree(cls, size, rave=rave, informed=informed)


def check_size(cls: type, trees: int, size: int, each: int, available: float) -> None:
    """Raise a ValueError if so many trees of `size` nodes, of so many bytes each, do not fit into so many MB."""
    megabytes = trees * size * each / (1 << 20)
    least = max_actions(cls) + 1
    if size < least or size >= 1 << 31 or megabytes > available:
        raise ValueError(
            f"{trees} trees of {size} nodes take {megabytes:.0f} MB: at least {least} nodes "
            f"and at most {available:.0f} MB are allowed"
        )


def past_keys(compiled: Any, pasts: Iterable[Iterable[Any]]) -> list[list[int]]:
    """What trees keep of the states before their roots; where pasts are equal, they are worked out once."""

    @functools.cache
    def keys(past: tuple[Any, ...]) -> list[int]:
        return [compiled.state(state).identity() for state in past[-MAX_PAST:]]

    return [keys(tuple(past)) for past in pasts]


@functools.cache
def log_roots() -> np.ndarray:
    """sqrt(ln n): most nodes are seldom visited, and a logarithm takes long."""
    return np.array([0.0, *(math.sqrt(math.log(n)) for n in range(1, LOGS))])


def memory_megabytes() -> float:
    """The memory of this machine; a guess where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 20)
    except (AttributeError, ValueError, OSError):
        return 4096.0


@kernel
def clear(tree: Any) -> None:
    """Leave nothing but an unvisited root."""
    tree.used = 1
    tree.turn = 0
    tree.full = 0
    tree.action[ROOT] = 0
    if tree.informed:
        tree.prior[ROOT] = 0.0
    empty(ROOT, tree)


@inlined
def empty(node: int, tree: Any) -> None:
    """Make a node one that was never visited and has no children."""
    tree.visits[node] = 0.0
    tree.total[node] = 0.0
    tree.mean[node] = 0.0
    tree.weight[node] = 0.0
    tree.least[node] = tree.lowest
    tree.most[node] = tree.highest
    tree.first[node] = 0
    tree.count[node] = 0
    tree.tried[node] = 0
    if tree.rave:
        tree.amaf_visits[node] = 0.0
        tree.amaf_total[node] = 0.0


@inlined
def proven(node: int, tree: Any) -> bool:
    """Whether the node's value is known: the game is over there, or its bounds have met."""
    return tree.least[node] == tree.most[node]


@inlined
def leaf(tree: Any) -> int:
    """The node that the iteration has reached."""
    return tree.path[tree.depth]


@inlined
def product(x: float, y: float) -> float:
    """x y, rounded before anything is added to it: a GPU would do both at once, and build other trees."""
    return x * y


@inlined
def draw(tree: Any) -> int:
    """The next random bits."""
    tree.counter = wrap(tree.counter + GOLDEN)
    return random_bits(tree.counter)


@inlined
def remembers(s: Any, tree: Any) -> bool:
    """Whether it matters that a position was there before."""
    return s.repetition() == FORBIDDEN or (s.repetition() > 0 and tree.draws != 0)


# --- from move to move -----------------------------------------------------------------------------------


@kernel
def keep(tree: Any, root: int) -> None:
    """Make a node the root and move what lies below it to the front; the rest is forgotten.

    A row lies behind its parent, so one pass from front to back finds all that is below the new root and says where
    it goes, and another moves it.
    """
    kept = find_places(tree, root)
    for node in range(root, tree.used):
        if tree.place[node] > 0:
            move(node, tree)
    tree.used = kept
    tree.full = 0


@kernel
def find_places(tree: Any, root: int) -> int:
    """Write down where each node goes, plus one; 0 is nowhere. How many are kept."""
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
    """Move a node to its new place."""
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
