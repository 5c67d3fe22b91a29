"""UCT, Monte Carlo tree search with upper confidence bounds (Kocsis & Szepesvári 2006), as on the slides.

An iteration has four steps: selection descends the tree, at each node to the child with the greatest

    v + C sqrt(ln N / n)

(v: the child's mean reward for the player who chooses, n: its visits, N: its parent's), as long as every action
of the node has been tried; expansion adds a node for an untried action; simulation plays on from there with the
default policy, random or the game's own `playout`, to the end of the game; backup counts the visit and adds the
reward at every node on the path. The choice converges to the optimal one.

Rewards are in [0, 1] for MAX, and 1 minus that for MIN: a loss, draw and win are 0, 1/2 and 1. In a game of points
the margin does not count, unless a scale is given: then the reward is 1/2 + utility / (2 scale).

`mcts/grow.py` is the compiled version, with the same random numbers.
"""

import math
from collections.abc import Callable, Iterable
from typing import Any

from outplay.game import CHANCE, brings_back, chances, identity, is_terminal, legal, offers, utility
from outplay.search.mcts.playout import GOLDEN, LONGEST, Endless, plain_random_bits
from outplay.search.mcts.settings import Growth
from outplay.search.mcts.tree import MAX_DEPTH, MAX_LINE
from outplay.words import wrap

MAX, MIN = 0, 1


class Node:
    """A node of the tree."""

    def __init__(
        self, state: Any, action: int | None = None, mover: int | None = None, bounds: Any = (0.0, 1.0)
    ) -> None:
        self.state = state
        self.action = action  # the action that led here; None at the root
        self.mover = mover  # the player who chose it
        self.visits = 0
        self.total = 0.0  # the sum of rewards for the mover; at the root for MAX
        self.bounds: tuple[float, float] = bounds  # proven bounds on the reward for MAX: at least, at most
        self.children: list[Node] = []  # those visited
        self.untried: list[int] | None = None  # actions; None: not yet generated
        self.amaf: dict[
            int | None, tuple[float, float]
        ] = {}  # by action: visits and rewards, all moves as first (AMAF)
        self.dropped = False  # pruned: its parent has a proven value as good, or it repeats a position
        self.prior = 0.0  # the game's estimate of the mover's reward

    @property
    def mean(self) -> float:
        """v: the mean reward for the player who chose the node."""
        return self.total / self.visits

    @property
    def proven(self) -> bool:
        return self.bounds[0] == self.bounds[1]


class Dice:
    """The random numbers of one iteration."""

    def __init__(self, seed: int, turn: int) -> None:
        self.counter = plain_random_bits(wrap(seed + turn))

    def bits(self) -> int:
        self.counter = wrap(self.counter + GOLDEN)
        return plain_random_bits(self.counter)

    def below(self, n: int) -> int:
        """0 to n - 1, uniformly."""
        return (self.bits() & 0xFFFFFFFF) * n >> 32

    def outcome(self, state: Any, outcomes: list[int]) -> int:
        """A chance outcome, drawn with its probability."""
        left = (self.bits() & 0xFFFFFFFFFFFFF) / 4503599627370496.0
        for outcome, probability in chances(state)[:-1]:
            left -= probability
            if left < 0.0:
                return outcome
        return outcomes[-1]


class PlainUCT:
    """UCT on a tree of objects. `simulate` may replace the default policy, `choose` the choice of untried actions."""

    def __init__(
        self,
        state: Any,
        growth: Growth,
        seed: int = 1,
        *,
        past: Iterable[Any] = (),
        simulate: Callable[[Any], float] | None = None,
        choose: Callable[[list[int]], int] | None = None,
    ) -> None:
        self.c, self.rave, self.prior, self.expand, self.solver, self.hinted, self.scale, self.bounds = growth
        self.root = Node(state, bounds=self.bounds)
        self.past = [identity(earlier) for earlier in past]  # identities of the positions before the root
        self.seed = plain_random_bits(wrap(seed))
        self.turn = 0
        self.simulate, self.choose = simulate, choose
        self.samples = offers(type(state), "sample")
        self.dice = Dice(self.seed, 0)

    def iterate(self) -> tuple[list[Node], float]:
        """One iteration; the nodes of its path and the reward for MAX."""
        self.dice = Dice(self.seed, self.turn)
        path = self.selection()
        self.expansion(path)
        reward, moves = self.simulation(path[-1])
        self.backup(path, reward, moves)
        self.turn += 1
        return path, reward

    # --- step 1 ---

    def selection(self) -> list[Node]:
        """Descend from the root to a node with untried actions, or with a proven value."""
        path = [self.root]
        while len(path) <= MAX_DEPTH:
            node = path[-1]
            if node.state.player() == CHANCE and node.untried is not None:
                path.append(self.fallen(node))
                if path[-1].proven or not path[-1].visits:
                    break
            elif node.untried == [] and node.children:
                path.append(self.next_child(path))
            else:
                break
        return path

    def next_child(self, path: list[Node]) -> Node:
        """An untried child, if there is one, else the one with the best bound; never one that repeats a position."""
        node = path[-1]
        while True:
            if node.untried:
                child = self.add(node, self.untried(node))
            else:
                child = max(node.children, key=lambda child: self.ucb(node, child))
            if child.visits or child.dropped or not self.brings_back(path, child):
                return child  # a dropped one only if all are
            child.dropped = True
            child.bounds = (self.bounds[node.state.player() == MIN],) * 2

    def brings_back(self, path: list[Node], child: Node) -> bool:
        assert child.action is not None
        earlier = [*self.past, *(identity(node.state) for node in path)]
        return brings_back(path[-1].state, child.action, earlier)

    def ucb(self, node: Node, child: Node) -> float:
        """v + C sqrt(ln N / n); with RAVE, v is a mixture of the mean and the AMAF value."""
        if child.dropped:
            return -math.inf
        n = child.visits + self.prior
        value = (child.total + self.prior * child.prior) / n
        if self.rave and child.action in node.amaf:
            m, total = node.amaf[child.action]
            beta = m / (n + m + n * m / self.rave)
            value = (1.0 - beta) * value + beta * (total / m)
        return value + self.c * math.sqrt(math.log(node.visits or 1)) * (1.0 / math.sqrt(n))

    def fallen(self, node: Node) -> Node:
        """The child of a random chance outcome; added if it is new."""
        outcome = self.dice.outcome(node.state, legal(node.state))
        for child in node.children:
            if child.action == outcome:
                return child
        return self.add(node, outcome)

    def add(self, node: Node, action: int) -> Node:
        node.children.append(Node(node.state.result(action), action, node.state.player(), self.bounds))
        return node.children[-1]

    # --- step 2 ---

    def expansion(self, path: list[Node]) -> None:
        """Add a node for an untried action to the path."""
        node = path[-1]
        ripe = node.visits >= self.expand or node is self.root
        if not node.proven and ripe and len(path) <= MAX_DEPTH:
            path.append(self.fallen(node) if self.opened(node) else self.next_child(path))
        if not path[-1].visits and is_terminal(path[-1].state):
            path[-1].bounds = (self.reward(path[-1].state),) * 2

    def opened(self, node: Node) -> bool:
        """Generate the node's actions, if not yet done; return whether it is a chance node."""
        chance = node.state.player() == CHANCE
        if node.untried is None:
            node.untried = [] if chance else legal(node.state)
            if self.prior and not chance:  # with priors, no action needs to be tried first
                for action in node.untried:
                    self.add(node, action).prior = node.state.prior(action) / 100.0
                node.untried = []
        return chance

    def untried(self, node: Node) -> int:
        """Any untried action."""
        actions = node.untried
        assert actions
        i = actions.index(self.choose(actions)) if self.choose else self.dice.below(len(actions))
        actions[0], actions[i] = actions[i], actions[0]
        return actions.pop(0)

    # --- step 3 ---

    def simulation(self, node: Node) -> tuple[float, list[tuple[int, int]]]:
        """Play on to the end of the game; return the reward for MAX, and the moves with their players."""
        if node.proven:
            return node.bounds[0], []
        if self.simulate:
            return self.simulate(node.state), []
        state, moves = node.state, []
        while not is_terminal(state):
            bits = self.dice.bits()
            actions = legal(state)
            if state.player() == CHANCE:
                self.dice.counter = wrap(self.dice.counter - GOLDEN)
                action = self.dice.outcome(state, actions)
            elif self.hinted:
                action = state.playout(bits)
            elif self.samples:
                action = state.sample(bits)
            else:
                action = actions[(bits & 0xFFFFFFFF) * len(actions) >> 32]
            moves.append((state.player(), action))
            if len(moves) > LONGEST:
                raise Endless
            state = state.result(action)
        return self.reward(state), moves

    def reward(self, state: Any) -> float:
        """The utility of a finished game as a reward for MAX."""
        u = utility(state)
        if self.scale > 0.0:
            return 0.5 + 0.5 * u / self.scale
        return 1.0 if u > 0 else 0.0 if u < 0 else 0.5

    # --- step 4 ---

    def backup(self, path: list[Node], reward: float, moves: list[tuple[int, int]]) -> None:
        """Count a visit at every node of the path and add the reward; first update the proven bounds."""
        if self.solver and path[-1].proven:
            self.back_up_bounds(path)
        gain = reward
        for node in reversed(path):
            if self.solver:
                gain = min(max(gain, node.bounds[0]), node.bounds[1])
            node.visits += 1
            node.total += gain if node.mover != MIN else 1.0 - gain
        if self.rave:
            self.back_up_amaf(path, reward, moves)

    def back_up_bounds(self, path: list[Node]) -> None:
        """Back up proven bounds from the end of the path while they change: see `mcts/backup.py`."""
        for node in reversed(path[:-1]):
            bounds = self.bounds_of(node)
            if node.state.player() != CHANCE:
                for child in node.children:
                    if (
                        child.bounds[1] <= bounds[0]
                        if node.state.player() == MAX
                        else child.bounds[0] >= bounds[1]
                    ):
                        child.dropped = True
            if bounds == node.bounds:
                break
            node.bounds = bounds

    def bounds_of(self, node: Node) -> tuple[float, float]:
        """The bounds of the best child; at a chance node, the mean over the outcomes."""
        known: dict[int | None, tuple[float, float]] = {child.action: child.bounds for child in node.children}
        all_bounds = [(action, known.get(action, self.bounds)) for action in legal(node.state)]
        if node.state.player() == CHANCE:
            least = most = 0.0
            for action, (low, high) in all_bounds:
                chance = node.state.probability(action)
                if chance > 0.0:
                    least += chance * low
                    most += chance * high
            return least, most
        best = max if node.state.player() == MAX else min
        return best(low for _, (low, _) in all_bounds), best(high for _, (_, high) in all_bounds)

    def back_up_amaf(self, path: list[Node], reward: float, moves: list[tuple[int, int]]) -> None:
        """All moves as first: credit every action that the player chose here or later with the reward."""
        in_tree = [(node.state.player(), child.action) for node, child in zip(path, path[1:], strict=False)]
        line = [*in_tree, *moves][:MAX_LINE]
        for i, node in enumerate(path[:-1]):
            mover = node.state.player()
            if mover == CHANCE:
                continue
            gain = reward if mover == MAX else 1.0 - reward
            players: dict[int | None, int] = {}  # the player who chose an action first
            for who, action in line[i:]:
                if who != CHANCE:
                    players.setdefault(action, who)
            for action in (action for action in legal(node.state) if players.get(action) == mover):
                visits, total = node.amaf.get(action, (0.0, 0.0))
                node.amaf[action] = visits + 1.0, total + gain
