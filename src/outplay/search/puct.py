"""PUCT, the tree search of AlphaGo Zero (Silver et al. 2017): many trees at a time, a network at the leaves.

Edges hold the prior P, visits N, the sum of values W and the mean Q = W / N. A simulation goes down from each
tree's root by

    a = argmax Q + c P sqrt(sum N) / (1 + N)

to a leaf (`select`); the evaluator says for all leaves at once which actions look good and what the position is
worth to the player to move, from -1 to 1; then (`backup`) each leaf gets edges with these priors, and on every edge
of its path N += 1, W += v. Where the game is over its result takes the evaluator's place. Chance falls by its
probabilities; no chance node is evaluated.

Trees are independent: a kernel's loop over them is the loop over the threads of a GPU.
"""

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from outplay.bits import wrap as plain_wrap
from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE, flat
from outplay.game import CHANCE, GameError, checked_state, is_terminal, max_actions, offers, plane_words
from outplay.search import control
from outplay.search.control import NoActions, pointer
from outplay.search.fit import refuse
from outplay.search.playout import GOLDEN, plain_random_bits, random_bits
from outplay.search.ucttree import memory_megabytes

store_state = NATIVE["store_state"][ENABLED]
load_state = NATIVE["load_state"][ENABLED]
shr = NATIVE["shr"][ENABLED]
wrap = NATIVE["wrap"][ENABLED]

MAX_DEPTH = 512
C = 1.25
NEW, KNOWN, FULL = range(3)  # a leaf: to be expanded; the game is over there; there is no room for its edges


class Trees(NamedTuple):
    """T trees of up to S nodes and E edges each; node 0 is the root, edges of a node lie side by side."""

    roots: Any  # int64[T, words]: the states at the roots
    leaves: Any  # int64[T, words]: the states that `select` has found
    first: Any  # int32[T, S]: a node's first edge
    branches: Any  # int32[T, S]: how many it has; 0: not expanded
    action: Any  # int64[T, E]
    child: Any  # int32[T, E]: the node to which the edge leads; 0: none yet
    prior: Any  # float64[T, E]: P; the probability, where chance moves
    visits: Any  # float64[T, E]: N
    total: Any  # float64[T, E]: W, for the player who moves; where chance does, for MAX
    path: Any  # int32[T, MAX_DEPTH]: the edges of the simulation
    movers: Any  # int8[T, MAX_DEPTH]: who moves there
    depth: Any  # int32[T]: how many they are
    leaf: Any  # int32[T]: the node at their end
    status: Any  # int32[T]: NEW, KNOWN or FULL
    nodes: Any  # int32[T]: nodes in use
    edges: Any  # int32[T]: edges in use
    counter: Any  # int64[T]: of the random numbers, for chance
    room: Any  # int64[T, max_actions + 1 or more]: for a state's actions


Evaluator = Callable[["Batch"], tuple[np.ndarray, np.ndarray]]


class Batch:
    """The leaves that are to be evaluated, one of each tree."""

    def __init__(self, compiled: Any, like: Any, words: np.ndarray) -> None:
        self.compiled, self.like, self.words = compiled, like, words

    def __len__(self) -> int:
        return len(self.words)

    def states(self) -> list[Any]:
        """The states, of the user's class."""
        plain_load = NATIVE["load_state"][0]
        return [self.compiled.back(plain_load(row, 0, self.like)) for row in self.words]

    def planes(self) -> np.ndarray:
        """What a network sees: float32[B, planes, rows, columns], 1 where a plane's cell is set."""
        cls = self.compiled.cls
        if not offers(cls, "planes"):
            raise GameError(f"{cls.__name__} has no planes(): what should a network see?")
        planes, rows, columns = cls.plane_shape
        seen = np.zeros((len(self), planes * rows * columns), np.float32)
        _planes(self.like, self.words, seen, np.zeros(plane_words(cls), np.int64), planes, rows * columns)
        return seen.reshape(len(self), planes, rows, columns)


def uniform(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """The evaluator that knows nothing: equal priors, value 0."""
    return np.ones((len(batch), policy_size(batch.compiled.cls))), np.zeros(len(batch))


def policy_size(cls: type) -> int:
    """How many priors there are: the class's `policy_size`, or one for each place in the list of actions."""
    return cls.policy_size if offers(cls, "policy_index") else max_actions(cls)  # type: ignore[attr-defined]


class PUCT:
    """Searches many positions of a game at the same time.

    evaluate     of a Batch: priors[B, policy_size], of which the legal ones are scaled to sum 1, and values[B] for
                 the player to move
    simulations  the most that a tree holds
    c            the constant c of PUCT
    edges        the most of a tree; by default enough for `simulations` nodes of many actions
    """

    def __init__(
        self,
        states: Sequence[Any],
        evaluate: Evaluator = uniform,
        simulations: int = 800,
        *,
        c: float = C,
        edges: int | None = None,
        seed: int = 0,
    ) -> None:
        if simulations < 1 or not states:
            raise ValueError("PUCT needs at least one state and one simulation")
        self.states = [checked_state(state) for state in states]
        self.cls = type(self.states[0])
        self.refuse()
        self.evaluate, self.c = evaluate, c
        self.twin = twin(self.cls)
        self.like = self.twin.state(self.states[0])
        self.dice = np.random.default_rng(seed)
        self.trees = self.allocate(simulations, edges)
        for i in range(len(states)):
            self.trees.counter[i] = plain_random_bits(plain_wrap(seed + i))
        self.restart(self.states)

    def refuse(self) -> None:
        refuse(self.cls, "PUCT", chance=True, floats=True)
        for state in self.states:
            if type(state) is not self.cls:
                raise ValueError(
                    f"all states must be of one class, not {self.cls.__name__} and {type(state).__name__}"
                )

    def allocate(self, simulations: int, edges: int | None) -> Trees:
        trees, words = len(self.states), len(flat(self.like))
        most = max_actions(self.cls)
        nodes = simulations + 2
        room = edges or nodes * min(most, 64)
        megabytes = trees * (8 * nodes + 36 * room + 5 * MAX_DEPTH) / (1 << 20)
        if room < most or megabytes > memory_megabytes():
            raise ValueError(
                f"{trees} trees of {simulations} simulations take {megabytes:.0f} MB, and {room} edges each: at least "
                f"{most} edges and at most {memory_megabytes():.0f} MB are wanted"
            )

        def zeros(width: int, kind: Any) -> np.ndarray:
            return np.zeros((trees, width), kind)

        def one(kind: Any) -> np.ndarray:
            return np.zeros(trees, kind)

        return Trees(
            roots=zeros(words, np.int64), leaves=zeros(words, np.int64),
            first=zeros(nodes, np.int32), branches=zeros(nodes, np.int32),
            action=zeros(room, np.int64), child=zeros(room, np.int32),
            prior=zeros(room, np.float64), visits=zeros(room, np.float64), total=zeros(room, np.float64),
            path=zeros(MAX_DEPTH, np.int32), movers=zeros(MAX_DEPTH, np.int8),
            depth=one(np.int32), leaf=one(np.int32), status=one(np.int32),
            nodes=one(np.int32), edges=one(np.int32), counter=one(np.int64), room=zeros(most + 1, np.int64),
        )  # fmt: skip

    def restart(self, states: Sequence[Any]) -> None:
        """Empty trees, with these states at their roots."""
        self.states = [checked_state(state) for state in states]
        for row, state in zip(self.trees.roots, self.states, strict=True):
            if is_terminal(state) or state.player() == CHANCE:
                raise ValueError(f"there is nothing to choose at {state}: the game is over, or chance moves")
            row[:] = flat(self.twin.state(state))
        self.trees.nodes[:] = 1
        self.trees.edges[:] = 0
        self.trees.branches[:, 0] = 0

    def search(self, simulations: int, *, noise: float = 0.0, alpha: float = 0.3) -> None:
        """So many simulations in every tree. `noise` is the share of Dirichlet(alpha) noise in the roots' priors."""
        for _ in range(simulations):
            new = not self.trees.branches[:, 0].all()
            self.simulate()
            if new and noise > 0:
                self.add_noise(noise, alpha)

    def simulate(self) -> None:
        """One simulation in every tree: select, evaluate, back up."""
        with explained(self.twin, self.like), control.explained(self.cls):
            select(self.like, self.trees, float(self.c))
        priors, values = self.evaluate(Batch(self.twin, self.like, self.trees.leaves))
        wanted = (len(self.states), policy_size(self.cls))
        if np.shape(priors) != wanted or np.shape(values) != wanted[:1]:
            raise ValueError(
                f"the evaluator gave priors {np.shape(priors)} and values {np.shape(values)}: "
                f"{wanted} and {wanted[:1]} are wanted"
            )
        priors, values = np.ascontiguousarray(priors, np.float64), np.ascontiguousarray(values, np.float64)
        if not (np.isfinite(priors).all() and (priors >= 0).all() and np.isfinite(values).all()):
            raise ValueError("the evaluator gave a negative or infinite prior, or no number")
        with explained(self.twin, self.like), control.explained(self.cls):
            backup(self.like, self.trees, priors, values)

    def add_noise(self, share: float, alpha: float) -> None:
        """Mix noise into the roots' priors, so that any action may be tried (Silver et al. 2017)."""
        for tree, count in enumerate(self.trees.branches[:, 0]):
            priors = self.trees.prior[tree, :count]
            priors[:] = (1 - share) * priors + share * self.dice.dirichlet(np.full(count, alpha))

    def visits(self) -> list[dict[int, int]]:
        """How often each action was tried at each root."""
        return [
            {
                int(a): int(n)
                for a, n in zip(self.trees.action[t, :count], self.trees.visits[t, :count], strict=True)
            }
            for t, count in enumerate(self.trees.branches[:, 0])
        ]

    def values(self) -> np.ndarray:
        """The mean value of each root for the player to move."""
        return np.array(
            [
                self.trees.total[t, :count].sum() / max(1.0, self.trees.visits[t, :count].sum())
                for t, count in enumerate(self.trees.branches[:, 0])
            ]
        )

    def choose(self, temperature: float = 0.0) -> list[int]:
        """An action of each root: with probability in proportion to N^(1 / temperature); at 0 the most visited."""
        chosen = []
        for tried in self.visits():
            actions, visits = list(tried), np.array(list(tried.values()), float)
            if temperature <= 0:
                chosen.append(actions[int(visits.argmax())])
                continue
            weights = (visits / visits.max()) ** (1 / temperature)
            chosen.append(actions[int(self.dice.choice(len(actions), p=weights / weights.sum()))])
        return chosen


# --- kernels ---------------------------------------------------------------------------------------------


@kernel
def select(like: Any, trees: Any, c: float) -> None:
    """Find a leaf in every tree; its state goes to `leaves`."""
    for t in range(len(trees.depth)):
        select_one(like, t, trees, c)


@kernel
def select_one(like: Any, t: int, trees: Any, c: float) -> None:
    """Go down from one root to a node without edges."""
    s = load_state(pointer(trees.roots[t]), 0, like)
    node = 0
    depth = 0
    status = NEW
    while depth < MAX_DEPTH:
        if trees.branches[t, node] == 0:
            if s.terminal():
                status = KNOWN
                break
            if not s.chance():
                break
            if not opened(s, t, node, trees):
                status = FULL
                break
        edge = fallen(t, node, trees) if s.chance() else best_edge(t, node, trees, c)
        trees.path[t, depth] = edge
        trees.movers[t, depth] = s.player()
        depth += 1
        s = s.result(int(trees.action[t, edge]))
        node = int(trees.child[t, edge])
        if node == 0:
            node = int(trees.nodes[t])
            if node >= trees.first.shape[1]:
                status = KNOWN if s.terminal() else FULL
                break
            trees.nodes[t] = node + 1
            trees.branches[t, node] = 0
            trees.child[t, edge] = node
    trees.depth[t] = depth
    trees.leaf[t] = node
    trees.status[t] = status
    store_state(pointer(trees.leaves[t]), 0, s)


@kernel
def best_edge(t: int, node: int, trees: Any, c: float) -> int:
    """argmax Q + c P sqrt(sum N) / (1 + N); before the first visit of all, the greatest prior."""
    first = int(trees.first[t, node])
    end = first + int(trees.branches[t, node])
    total = 0.0
    for edge in range(first, end):
        total += trees.visits[t, edge]
    width = c * math.sqrt(max(total, 1.0))
    best = first
    most = -math.inf
    for edge in range(first, end):
        visits = trees.visits[t, edge]
        value = trees.total[t, edge] / visits if visits > 0.0 else 0.0
        bound = value + width * trees.prior[t, edge] / (1.0 + visits)
        if bound > most:
            most = bound
            best = edge
    return best


@kernel
def fallen(t: int, node: int, trees: Any) -> int:
    """The edge that chance takes."""
    trees.counter[t] = wrap(int(trees.counter[t]) + GOLDEN)
    left = shr(random_bits(int(trees.counter[t])), 12) / 4503599627370496.0
    first = int(trees.first[t, node])
    last = first + int(trees.branches[t, node]) - 1
    for edge in range(first, last):
        left -= trees.prior[t, edge]
        if left < 0.0:
            return edge
    return last


@kernel
def opened(s: Any, t: int, node: int, trees: Any) -> bool:
    """Give a node its edges, with probabilities for priors where chance moves; False if there is no room."""
    n = s.actions(pointer(trees.room[t]), 0)
    if n == 0:
        raise NoActions
    first = int(trees.edges[t])
    if first + n > trees.action.shape[1]:
        return False
    trees.edges[t] = first + n
    trees.first[t, node] = first
    trees.branches[t, node] = n
    chance = s.chance()
    for i in range(n):
        edge = first + i
        action = int(trees.room[t, i])
        trees.action[t, edge] = action
        trees.child[t, edge] = 0
        trees.prior[t, edge] = s.probability(action) if chance else 0.0
        trees.visits[t, edge] = 0.0
        trees.total[t, edge] = 0.0
    return True


@kernel
def backup(like: Any, trees: Any, priors: Any, values: Any) -> None:
    """Expand every leaf with its priors and add its value along the path."""
    for t in range(len(trees.depth)):
        backup_one(like, t, trees, priors, values)


@kernel
def backup_one(like: Any, t: int, trees: Any, priors: Any, values: Any) -> None:
    s = load_state(pointer(trees.leaves[t]), 0, like)
    gain = 0.0  # for MAX
    if trees.status[t] == KNOWN:
        u = s.utility()
        gain = 1.0 if u > 0 else -1.0 if u < 0 else 0.0
    else:
        gain = -values[t] if s.player() == 1 else values[t]
        node = int(trees.leaf[t])
        if trees.status[t] == NEW and trees.branches[t, node] == 0 and opened(s, t, node, trees):
            give_priors(s, t, node, trees, priors)
    for i in range(trees.depth[t]):
        edge = int(trees.path[t, i])
        trees.visits[t, edge] += 1.0
        trees.total[t, edge] += gain if trees.movers[t, i] != 1 else -gain


@kernel
def give_priors(s: Any, t: int, node: int, trees: Any, priors: Any) -> None:
    """The evaluator's priors of the legal actions, scaled to sum 1; equal ones where it gave them none."""
    first = int(trees.first[t, node])
    count = int(trees.branches[t, node])
    total = 0.0
    for i in range(count):
        place = s.policy_index(int(trees.action[t, first + i])) if s.has_policy_index() else i
        trees.prior[t, first + i] = priors[t, place]
        total += priors[t, place]
    for i in range(count):
        trees.prior[t, first + i] = trees.prior[t, first + i] / total if total > 0.0 else 1.0 / count


@kernel
def _planes(like: Any, words: Any, seen: Any, room: Any, planes: int, cells: int) -> None:
    """Each state's planes as numbers: cell i of a plane is bit i mod 64 of its word i // 64."""
    in_plane = (cells + 63) // 64
    for b in range(len(words)):
        s = load_state(pointer(words[b]), 0, like)
        s.planes(pointer(room), 0)
        for plane in range(planes):
            for cell in range(cells):
                word = int(room[plane * in_plane + cell // 64])
                seen[b, plane * cells + cell] = shr(word, cell % 64) & 1
