"""The edges of a root, as in AlphaGo Zero's paper and the slides: P, N, W and Q of each action.

P comes from the network alone; N, W and Q from a search with a number of simulations.
"""

from typing import Any, NamedTuple

from outplay.search.mcts.batched import NET_C
from outplay.search.mcts.network import Network
from outplay.search.mcts.puct import PUCT
from outplay.search.mcts.tree import ROOT
from outplay.search.protocol.request import Past
from outplay.search.protocol.search import checked_root


class Edge(NamedTuple):
    """An action at the root."""

    action: int
    prior: float  # P: the network's probability, among the legal actions
    visits: int  # N: the visit count
    total: float  # W: the sum of their values, for the player to move

    @property
    def mean(self) -> float:
        """Q = W / N; 0 before the first visit."""
        return self.total / self.visits if self.visits else 0.0


class Edges(NamedTuple):
    """A root; values are from -1 to 1, for the player to move."""

    value: float  # the network's
    searched: float  # the mean of the simulations
    simulations: int
    edges: tuple[Edge, ...]  # the most visited first, then the likeliest


def edges_of(network: Network, state: Any, simulations: int, past: Past = (), c: float = NET_C) -> Edges:
    """A network's output for a state, and the result of PUCT simulations guided by it."""
    if simulations < 1:
        raise ValueError(
            f"simulations must be 1 or more, not {simulations}: the first one evaluates the root"
        )
    checked_root(state, type(state))
    network.refuse(state)
    search = PUCT([state], network, simulations, c=c, past=[past])
    search.search(simulations)
    tree = search.tree(0)
    first = int(tree.first[ROOT])
    counts, actions, numbers = search.children()
    edges = [
        Edge(
            int(actions[0, i]), float(tree.weight[first + i]), int(numbers[0, i, 0]), float(numbers[0, i, 1])
        )
        for i in range(int(counts[0]))
    ]
    value = float(network.judge([state])[1][0])
    searched = sum(edge.total for edge in edges) + value
    edges.sort(key=lambda edge: (-edge.visits, -edge.prior))
    return Edges(value, searched / simulations, simulations, tuple(edges))
