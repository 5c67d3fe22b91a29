"""The GPU kernels: each thread plays one game, with the functions of `moves.py`."""

from typing import Any

from outplay.compile import gpu
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.learn.zero.moves import deal_one, find_leaf, play_one
from outplay.search.mcts.grow import from_leaf
from outplay.search.mcts.playout import pointer
from outplay.search.mcts.tree import puct_tree

cuda = gpu.numba_cuda()
load_state = NATIVE["load_state"][ENABLED]


def deal(like: Any, roots: Any, trees: Any, common: Any, games: Any, plan: Any) -> None:
    b = cuda.grid(1)
    if b < len(trees):
        deal_one(b, like, roots, puct_tree(b, trees, common), games, plan)


def find(like: Any, roots: Any, trees: Any, common: Any, leaves: Any, views: Any) -> None:
    b = cuda.grid(1)
    if b < len(trees):
        s = load_state(pointer(roots[b]), 0, like)
        find_leaf(s, puct_tree(b, trees, common), pointer(leaves[b]), pointer(views[b]))


def take_back(like: Any, roots: Any, trees: Any, common: Any, leaves: Any, priors: Any, values: Any) -> None:
    b = cuda.grid(1)
    if b < len(trees):
        s = load_state(pointer(roots[b]), 0, like)
        found = load_state(pointer(leaves[b]), 0, like)
        from_leaf(s, found, puct_tree(b, trees, common), priors[b], values[b])


def play(
    like: Any,
    roots: Any,
    trees: Any,
    common: Any,
    rows: Any,
    policies: Any,
    games: Any,
    plan: Any,
    ended: Any,
) -> None:
    b = cuda.grid(1)
    if b < len(trees):
        ended[b] = 0
        play_one(b, like, roots, puct_tree(b, trees, common), rows, policies, games, plan)
        ended[b] = 1
