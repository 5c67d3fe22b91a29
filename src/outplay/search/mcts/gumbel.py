"""The root of Gumbel AlphaZero (Danihelka, Guez, Schrittwieser & Silver 2022): policy improvement with few simulations.

Each action of the root gets Gumbel noise g. The `considered` actions with the greatest g + log P are simulated
equally often; then sequential halving keeps the half with the greatest

    g + log P + sigma(q)        sigma(q) = (50 + most visits) sharpness q

until the simulations are used up. The best remaining action is played. That is a sample of

    softmax(log P + sigma(q))

which is the policy target of the network: it improves on P even after a few simulations. For an unvisited action, q is
a mixture of the evaluator's value of the root and the values of the visited actions (`mixed_value`). Below the root
the rule is PUCT. If an action is excluded (superko), the others share its simulations.
"""

import math
from typing import Any, NamedTuple

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.mcts.tree import ROOT, draw, mean_reward

shr = NATIVE["shr"][ENABLED]
VISITS = 50.0  # c_visit: added to the visits of the most visited action
LEAST_PRIOR = 1e-30  # avoids log 0


class Gumbel(NamedTuple):
    """The settings of the root search."""

    considered: int = 16  # actions that sequential halving starts with
    noise: float = 1.0  # scale of the noise: 1 samples the policy, 0 plays the best action
    sharpness: float = 0.2  # of sigma


@kernel
def begin_halving(value: float, tree: Any) -> None:
    """After the evaluation of the root, set its noise, logits, and value for the player to move."""
    tree.root_value = value
    first = tree.first[ROOT]
    for i in range(tree.count[ROOT]):
        uniform = (shr(draw(tree), 11) + 0.5) / 9007199254740992.0
        tree.gumbel[i] = -math.log(-math.log(uniform)) * tree.noise
        tree.logit[i] = math.log(max(tree.weight[first + i], LEAST_PRIOR))


@kernel
def wanted_visits(considered: int, planned: int, done: int) -> int:
    """The visit count that an action must have to be selected now, given the number of simulations done.

    The remaining actions are visited once each, in rounds; after a share of the simulations half of them stay. Those
    eliminated have fewer visits than required.
    """
    if considered <= 1:
        return done
    halvings = 0
    while 1 << halvings < considered:
        halvings += 1
    visits = 0
    while True:
        rounds = max(1, planned // (halvings * considered))
        if done < rounds * considered:
            return visits + done // considered
        done -= rounds * considered
        visits += rounds
        considered = max(2, considered // 2)


@kernel
def best_considered(tree: Any) -> int:
    """The child of the root to visit next: of those with the required visit count, the one with the best score."""
    considered = min(tree.considered, tree.count[ROOT])
    done = int(tree.visits[ROOT]) - 1  # the root's first visit was its own evaluation
    child = best_visited(float(wanted_visits(considered, tree.halving, done)), tree)
    return child if child > 0 else best_visited(least_visits(tree), tree)


@kernel
def best_visited(visits: float, tree: Any) -> int:
    """The child with the greatest g + log P + sigma(q) among those with this visit count; 0: none."""
    first = tree.first[ROOT]
    mixed = mixed_value(tree)
    scale = sigma(tree)
    best = 0
    most = -math.inf
    for i in range(tree.count[ROOT]):
        child = first + i
        if tree.visits[child] == visits and mean_reward(child, tree) > -math.inf:
            q = mean_reward(child, tree) if visits > 0.0 else mixed
            score = tree.gumbel[i] + tree.logit[i] + scale * q
            if score > most:
                most = score
                best = child
    return best


@kernel
def least_visits(tree: Any) -> float:
    """The visits of the least visited child that is not excluded; if all are, the first one's."""
    first = tree.first[ROOT]
    least = math.inf
    for child in range(first, first + tree.count[ROOT]):
        if mean_reward(child, tree) > -math.inf:
            least = min(least, tree.visits[child])
    if least == math.inf:
        tree.total[first] = 0.0
        return tree.visits[first]
    return least


@kernel
def most_visits(tree: Any) -> float:
    first = tree.first[ROOT]
    most = 0.0
    for child in range(first, first + tree.count[ROOT]):
        most = max(most, tree.visits[child])
    return most


@kernel
def sigma(tree: Any) -> float:
    """The factor of q in sigma(q)."""
    return (VISITS + most_visits(tree)) * tree.sharpness


@kernel
def mixed_value(tree: Any) -> float:
    """The root's value for the mover: the evaluator's, mixed with the visited actions' by their priors (appendix D)."""
    first = tree.first[ROOT]
    visits = priors = values = 0.0
    for child in range(first, first + tree.count[ROOT]):
        if tree.visits[child] > 0.0:
            visits += tree.visits[child]
            priors += tree.weight[child]
            values += tree.weight[child] * mean_reward(child, tree)
    if priors <= 0.0:
        return tree.root_value
    return (tree.root_value + visits * values / priors) / (1.0 + visits)


@kernel
def best_of_halving(tree: Any) -> int:
    """The child to play: the best of the most visited."""
    return best_visited(most_visits(tree), tree)


@kernel
def improve(tree: Any, policy: Any) -> None:
    """Write softmax(log P + sigma(q)) for the root's children, 0 for excluded ones."""
    first, count = tree.first[ROOT], tree.count[ROOT]
    mixed = mixed_value(tree)
    scale = sigma(tree)
    most = -math.inf
    for i in range(count):
        child = first + i
        score = -math.inf
        if mean_reward(child, tree) > -math.inf:
            score = tree.logit[i] + scale * (mean_reward(child, tree) if tree.visits[child] > 0.0 else mixed)
        policy[i] = score
        most = max(most, score)
    total = 0.0
    for i in range(count):
        policy[i] = math.exp(policy[i] - most)
        total += policy[i]
    for i in range(count):
        policy[i] = policy[i] / total
