"""Gumbel AlphaZero's root (Danihelka, Guez, Schrittwieser & Silver 2022): few simulations, and still a better policy.

Each action of the root gets Gumbel noise g. The `considered` actions with the greatest g + log P are simulated
equally often; then the better half of them by

    g + log P + sigma(q)        sigma(q) = (50 + most visits) sharpness q

goes on, until the simulations are used up (sequential halving). The best action left is played. That is a sample of

    softmax(log P + sigma(q))

which is the policy that the network learns: it is better than P even after a few simulations. An action that was not
visited has for q what the root is worth by the evaluator and by the actions visited (`mixed_value`). Below the root
the rule is PUCT's. Where an action is struck out (superko) the others share its simulations.
"""

import math
from typing import Any, NamedTuple

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.mcts.tree import ROOT, draw

shr = NATIVE["shr"][ENABLED]
VISITS = 50.0  # that count beside those of the most visited action
LEAST_PRIOR = 1e-30  # so that there is a logarithm


class Gumbel(NamedTuple):
    """How the root is searched."""

    considered: int = 16  # actions that halving begins with
    noise: float = 1.0  # scale of the noise: 1 samples the policy, 0 plays the best action
    sharpness: float = 0.2  # of sigma


@kernel
def begin_halving(value: float, tree: Any) -> None:
    """The root has been evaluated: its noise, its logits, its value for the player to move."""
    tree.root_value = value
    first = tree.first[ROOT]
    for i in range(tree.count[ROOT]):
        uniform = (shr(draw(tree), 11) + 0.5) / 9007199254740992.0
        tree.gumbel[i] = -math.log(-math.log(uniform)) * tree.noise
        tree.logit[i] = math.log(max(tree.weight[first + i], LEAST_PRIOR))


@kernel
def wanted_visits(considered: int, planned: int, done: int) -> int:
    """How often an action must have been visited to be chosen now, when so many of the planned simulations are done.

    The actions in play are visited once each, in rounds; after a share of the simulations half of them stay. Those
    that dropped out have fewer visits than are wanted.
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
    """The child of the root that is visited next: of those visited as often as is wanted, the best by its score."""
    considered = min(tree.considered, tree.count[ROOT])
    done = int(tree.visits[ROOT]) - 1  # the root's first visit was its own evaluation
    child = best_visited(float(wanted_visits(considered, tree.halving, done)), tree)
    return child if child > 0 else best_visited(least_visits(tree), tree)


@kernel
def best_visited(visits: float, tree: Any) -> int:
    """The child with the greatest g + log P + sigma(q) among those visited so often; 0: there is none."""
    first = tree.first[ROOT]
    mixed = mixed_value(tree)
    scale = sigma(tree)
    best = 0
    most = -math.inf
    for i in range(tree.count[ROOT]):
        child = first + i
        if tree.visits[child] == visits and tree.mean[child] > -math.inf:
            q = tree.mean[child] if visits > 0.0 else mixed
            score = tree.gumbel[i] + tree.logit[i] + scale * q
            if score > most:
                most = score
                best = child
    return best


@kernel
def least_visits(tree: Any) -> float:
    """The visits of the least visited child that may be chosen; where all are struck out, the first one's."""
    first = tree.first[ROOT]
    least = math.inf
    for child in range(first, first + tree.count[ROOT]):
        if tree.mean[child] > -math.inf:
            least = min(least, tree.visits[child])
    if least == math.inf:
        tree.mean[first] = 0.0
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
    """What a value is multiplied by."""
    return (VISITS + most_visits(tree)) * tree.sharpness


@kernel
def mixed_value(tree: Any) -> float:
    """The root's value for the mover: the evaluator's, and the visited actions' by their priors (appendix D)."""
    first = tree.first[ROOT]
    visits = priors = values = 0.0
    for child in range(first, first + tree.count[ROOT]):
        if tree.visits[child] > 0.0:
            visits += tree.visits[child]
            priors += tree.weight[child]
            values += tree.weight[child] * tree.mean[child]
    if priors <= 0.0:
        return tree.root_value
    return (tree.root_value + visits * values / priors) / (1.0 + visits)


@kernel
def best_of_halving(tree: Any) -> int:
    """The child that is played: of the most visited the best."""
    return best_visited(most_visits(tree), tree)


@kernel
def improve(tree: Any, policy: Any) -> None:
    """Write down softmax(log P + sigma(q)) for the root's children, 0 for what is struck out."""
    first, count = tree.first[ROOT], tree.count[ROOT]
    mixed = mixed_value(tree)
    scale = sigma(tree)
    most = -math.inf
    for i in range(count):
        child = first + i
        score = -math.inf
        if tree.mean[child] > -math.inf:
            score = tree.logit[i] + scale * (tree.mean[child] if tree.visits[child] > 0.0 else mixed)
        policy[i] = score
        most = max(most, score)
    total = 0.0
    for i in range(count):
        policy[i] = math.exp(policy[i] - most)
        total += policy[i]
    for i in range(count):
        policy[i] = policy[i] / total
