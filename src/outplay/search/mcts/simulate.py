"""Simulate: evaluate a leaf by playing on to the end of the game."""

from typing import Any

from outplay.compile import kernel
from outplay.search.mcts.playout import play_out
from outplay.search.mcts.tree import proven


@kernel
def simulate(s: Any, node: int, tree: Any) -> float:
    """Play on with the default policy to the end; return the reward for MAX. A proven value needs no play."""
    tree.length = tree.depth
    if proven(node, tree):
        return tree.least[node]
    end, tree.counter, _ = play_out(s, tree.counter, tree.hinted, tree.room, tree)
    return reward(end, tree)


@kernel
def reward(s: Any, tree: Any) -> float:
    """The utility of a finished game as a reward for MAX: the lowest is a loss, the highest a win."""
    u = s.utility()
    if tree.scale > 0.0:
        return 0.5 + 0.5 * u / tree.scale
    return tree.highest if u > 0 else tree.lowest if u < 0 else 0.5 * tree.both
