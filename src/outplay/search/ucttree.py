"""The tree of UCT in flat arrays: made, emptied, and cut down to what a move leaves of it.

The arrays are allocated once and never grow: a tree that is full grows no further, its leaves are sampled on.
The children of a node lie side by side, in a block that is made when the node is first left downwards, so a
block always lies behind its parent.
"""

import math
import os
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel
from outplay.game import max_actions
from outplay.search.control import MOVES

ROOT = 0
MAX_DEPTH = 2048  # plies that the tree may be deep
MAX_LINE = 4096  # plies of an iteration that AMAF looks at
MAX_PAST = 4096  # positions of the game before the root
ROOTS = 4096
MARK_BITS = 14
MARKS = 1 << MARK_BITS  # places of the set of actions that an iteration has seen; over twice MAX_LINE

# Control words beyond NODES (iterations done) and LIMIT.
SEED = 2
TURN = 3  # iterations done in this tree, earlier searches' too: each has its own random numbers
USED = 4  # nodes of the pool that are taken
SIZE = 5  # nodes in the pool
SOLVER = 6  # 1: proven values are backed up
HINTED = 7  # 1: the game's own `playout` chooses in simulations
RAVE = 8  # 1: AMAF values are kept and used
COUNTER = 9  # of the random numbers
DEPTH = 10  # of the node that the iteration has reached
DEEPEST = 11
LENGTH = 12  # plies of the iteration that AMAF looks at
STAMP = 13  # marks with this stamp belong to the iteration
EXPAND = 14  # visits of a node before its children are made
INFORMED = 15  # 1: children begin with what the game's `prior` says of them
PAST = 16  # positions of the game before the root that may not come back

# Constants of the search, floats.
EXPLORE = 0  # C
SCALE = 1  # the utility that is worth the reward 1; 0: the reward is 1 for every win
EQUIVALENCE = 2  # k of RAVE: the number of visits at which a mean counts as much as its AMAF value
LEAST, MOST = 3, 4  # the rewards that there may be
CONFIDENCE = 5  # how many visits a prior is worth; 0: there are none


class Tree(NamedTuple):
    """Nodes 0 to USED - 1; the root is 0."""

    stats: Any  # float64[2 * size]: visits n, and the sum of rewards for the player who chose the node
    terms: Any  # float64[2 * size]: what UCB adds up: the mean reward v (-inf: no longer of interest), 1 / sqrt n
    links: Any  # int32[4 * size]: first child (0: none yet), number of children, of children tried; new place
    action: Any  # int64[size]: that leads to the node
    bounds: Any  # float64[2 * size]: what is proven of the reward for MAX: at least, at most
    amaf: Any  # float64[2 * size], or of length 2 without RAVE: as stats, all moves as first
    expected: Any  # float64[size], or of length 1 without priors: the reward that the game expects for who chooses it
    run: Any  # int64: control words, then room for a state's actions
    rates: Any  # float64: constants of the search
    roots: Any  # float64[ROOTS]: sqrt(ln n)
    path: Any  # int64[MAX_DEPTH + 1]: the nodes of the iteration, from the root on
    movers: Any  # int64[MAX_LINE + 1]: who chose node i of the path; then who moved in the simulation
    moves: Any  # int64[MAX_LINE + 1]: the actions likewise
    marks: Any  # int64[2 * MARKS]: a set of actions with their movers: twice the stamp plus the mover, action
    keys: Any  # int64[MAX_PAST + MAX_DEPTH + 1]: identities of the past's positions, then of the path's


NODE_BYTES = 72
AMAF_BYTES = 16
PRIOR_BYTES = 8


def new_tree(cls: type, megabytes: float, rave: bool, informed: bool = False) -> Tree:
    """An empty tree that takes so much memory."""
    size = int(megabytes * (1 << 20)) // (NODE_BYTES + AMAF_BYTES * rave + PRIOR_BYTES * informed)
    least = max_actions(cls) + 1
    if not least <= size < 1 << 31 or megabytes > memory_megabytes():
        most = min(memory_megabytes(), (1 << 31) * NODE_BYTES / (1 << 20))
        raise ValueError(
            f"a tree of {megabytes:g} MB does not fit: {cls.__name__} needs at least "
            f"{least * 64 / (1 << 20):.2g} MB, and {most:.0f} MB is the most here"
        )
    run = np.zeros(MOVES + max_actions(cls) + 1, np.int64)
    run[SIZE] = size
    tree = Tree(
        stats=np.zeros(2 * size),
        terms=np.zeros(2 * size),
        links=np.zeros(4 * size, np.int32),
        action=np.zeros(size, np.int64),
        bounds=np.zeros(2 * size),
        amaf=np.zeros(2 * size if rave else 2),
        expected=np.zeros(size if informed else 1),
        run=run,
        rates=np.zeros(6),
        roots=np.array([0.0, *(math.sqrt(math.log(n)) for n in range(1, ROOTS))]),
        path=np.zeros(MAX_DEPTH + 1, np.int64),
        movers=np.zeros(MAX_LINE + 1, np.int64),
        moves=np.zeros(MAX_LINE + 1, np.int64),
        marks=np.zeros(2 * MARKS, np.int64),
        keys=np.zeros(MAX_PAST + MAX_DEPTH + 1, np.int64),
    )
    clear(tree)
    return tree


def memory_megabytes() -> float:
    """The memory of this machine; a guess where it does not say."""
    try:
        return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / (1 << 20)
    except (AttributeError, ValueError, OSError):
        return 4096.0


def clear(tree: Tree) -> None:
    """Leave nothing but an unvisited root."""
    tree.run[USED] = 1
    tree.run[TURN] = 0
    tree.stats[:2] = 0
    tree.links[:4] = 0
    tree.amaf[:2] = 0
    tree.terms[:2] = 0
    tree.bounds[:2] = tree.rates[LEAST], tree.rates[MOST]


@kernel
def keep(arrays: Any, root: int) -> None:
    """Make a node the root and move what lies below it to the front; the rest is forgotten.

    A block lies behind its parent, so one pass from front to back finds all that is below the new root and says
    where it goes, and another moves it.
    """
    links, run = arrays.links, arrays.run
    used = run[USED]
    for node in range(root, used):
        links[4 * node + 3] = 0
    links[4 * root + 3] = 1  # its new place, and one: 0 is nowhere
    kept = 1
    for node in range(root, used):
        if links[4 * node + 3] == 0:
            continue
        if node != root:
            kept += 1
            links[4 * node + 3] = kept
        first = links[4 * node]
        for child in range(first, first + links[4 * node + 1]):
            links[4 * child + 3] = -1
    for node in range(root, used):
        place = links[4 * node + 3] - 1
        if place < 0:
            continue
        first = links[4 * node]
        arrays.stats[2 * place] = arrays.stats[2 * node]
        arrays.stats[2 * place + 1] = arrays.stats[2 * node + 1]
        arrays.action[place] = arrays.action[node]
        arrays.bounds[2 * place] = arrays.bounds[2 * node]
        arrays.bounds[2 * place + 1] = arrays.bounds[2 * node + 1]
        arrays.terms[2 * place] = arrays.terms[2 * node]
        arrays.terms[2 * place + 1] = arrays.terms[2 * node + 1]
        if run[RAVE]:
            arrays.amaf[2 * place] = arrays.amaf[2 * node]
            arrays.amaf[2 * place + 1] = arrays.amaf[2 * node + 1]
        if run[INFORMED]:
            arrays.expected[place] = arrays.expected[node]
        new_first = links[4 * first + 3] - 1 if first > 0 else 0
        count, tried = links[4 * node + 1], links[4 * node + 2]
        links[4 * place] = new_first
        links[4 * place + 1] = count
        links[4 * place + 2] = tried
    run[USED] = kept
