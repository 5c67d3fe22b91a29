"""PUCT, the tree search of AlphaGo Zero (Silver et al. 2017): many trees at a time, a network at the leaves.

A node has a prior P, visits n, the sum of values W and the mean Q = W / n. A simulation descends from each tree's
root by

    argmax Q + c P sqrt(N) / (1 + n)        N: the visits of all children

to a leaf (`select`); the evaluator returns priors and values for all leaves in one batch, values from -1 to 1 for the
player to move; then (`backup`) each leaf gets children with these priors, and at every node of its path n += 1,
W += v. If the game is over, its result replaces the evaluator's value; a draw by repetition has value 0. An action
that repeats a position is excluded if that is forbidden. Chance outcomes are drawn with their probabilities; chance
nodes are never evaluated.

`tree.py` has the tree, shared with UCT, `grow.py` the kernels; `gpu.py` is the same on a GPU.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.compile.runtime import NATIVE, flat
from outplay.freememory import megabytes_available
from outplay.game import GameError, checked_state, max_actions, offers, plane_words
from outplay.search.mcts import grow
from outplay.search.mcts.gumbel import Gumbel
from outplay.search.mcts.playout import LONGEST, Endless, plain_random_bits
from outplay.search.mcts.tree import Tree, check_size, new_tree, node_bytes, past_keys
from outplay.search.protocol import control
from outplay.search.protocol.search import checked_root, refuse_kind
from outplay.words import wrap

C = 1.25

Pasts = Sequence[Sequence[Any]] | None
Evaluator = Callable[["Batch"], tuple[np.ndarray, np.ndarray]]


class Batch:
    """The leaves to evaluate, one per tree."""

    def __init__(self, compiled: Any, like: Any, words: np.ndarray) -> None:
        self.compiled, self.like, self.words = compiled, like, words

    def __len__(self) -> int:
        return len(self.words)

    def states(self) -> list[Any]:
        """The states, as instances of the user's class."""
        plain_load = NATIVE["load_state"][0]
        return [self.compiled.back(plain_load(row, 0, self.like)) for row in self.words]

    def planes(self) -> np.ndarray:
        """The network's input: float32[B, planes, rows, columns], 1 for set cells."""
        cls = self.compiled.cls
        if not offers(cls, "planes"):
            raise GameError(f"{cls.__name__} has no planes(), the input of a network")
        planes, rows, columns = cls.plane_shape
        seen = np.zeros((len(self), planes * rows * columns), np.float32)
        room = np.zeros(plane_words(cls) + 1, np.int64)
        with explained(self.compiled, self.like):
            grow.planes(self.like, self.words, seen, room, planes)
        return seen.reshape(len(self), planes, rows, columns)


def uniform(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """The trivial evaluator: equal priors, value 0."""
    return np.ones((len(batch), policy_size(batch.compiled.cls))), np.zeros(len(batch))


def rollouts(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """The evaluator that plays one random game from each leaf, as in UCT: equal priors, the game's result."""
    raise NotImplementedError("PUCT plays the games itself, with its trees' random numbers")


def policy_size(cls: type) -> int:
    """The number of priors: the class's `policy_size`, or one per index in the list of actions."""
    return cls.policy_size if offers(cls, "policy_index") else max_actions(cls)  # type: ignore[attr-defined]


class PUCT:
    """Searches many positions of a game in parallel.

    evaluate     maps a Batch to priors[B, policy_size], whose legal entries are normalised to sum 1, and values[B]
                 for the player to move. For a game without `policy_index`, an evaluator with an attribute `actions`
                 returns that many priors, indexed by action and hashed by its `factor` (`view.py`). With
                 `uniform` and `rollouts` whole searches run in native code
    simulations  maximum per tree
    c            the constant c of PUCT. Values are from -1 to 1: a constant published for values from 0 to 1 must be
                 doubled to explore as much
    nodes        maximum per tree; by default enough for `simulations` nodes with many actions. A full tree
                 is still searched, and `full` counts it
    past         for each state the earlier ones of its game, if the rules depend on the history
    root         Gumbel: the root divides `simulations` by sequential halving; None: it uses the PUCT rule
    """

    def __init__(
        self,
        states: Sequence[Any],
        evaluate: Evaluator = uniform,
        simulations: int = 800,
        *,
        c: float = C,
        nodes: int | None = None,
        seed: int = 0,
        past: Pasts = None,
        root: Gumbel | None = None,
    ) -> None:
        if simulations < 1 or not states:
            raise ValueError("PUCT needs at least one state and one simulation")
        self.cls = type(checked_state(states[0]))
        refuse_kind(self.cls, "puct", chance=True, floats=True)
        self.evaluate, self.c, self.root_rule, self.planned = evaluate, float(c), root, simulations
        self.twin = twin(self.cls)
        self.like = self.twin.state(states[0])
        self.dice = np.random.default_rng(seed)
        self.counters = [plain_random_bits(wrap(seed + i)) for i in range(len(states))]
        most = max_actions(self.cls)
        size = nodes or max(simulations + 1, most // 64 + 1) * min(most, 64) + 1
        actions = getattr(evaluate, "actions", 0)
        self.answers = actions or policy_size(self.cls)
        check_size(self.cls, len(states), size, node_bytes(False, False), self.memory())
        self.pattern = self.new_tree(size)
        self.pattern.by_action, self.pattern.factor = actions, getattr(evaluate, "factor", 0)
        self.allocate(len(states))
        self.restart(states, past)

    # --- memory ---

    def new_tree(self, size: int) -> Tree:
        """The prototype of all trees."""
        tree = new_tree(self.cls, size, halving=self.root_rule is not None)
        tree.puct = 1
        if self.root_rule is not None:
            tree.considered, tree.noise, tree.sharpness = self.root_rule
            tree.halving = self.planned
        tree.explore, tree.lowest, tree.both = self.c, -1.0, 0.0
        tree.draws = getattr(self.cls, "repetition", 0) > 0
        return tree

    def memory(self) -> float:
        """The available megabytes."""
        return megabytes_available()

    def allocate(self, trees: int) -> None:
        """The arrays, with one row per tree."""
        words = len(flat(self.like))
        self.roots: Any = np.zeros((trees, words), np.int64)
        self.leaves: Any = np.zeros((trees, words), np.int64)
        self.trees: Any = np.zeros((trees, len(self.pattern.words)), np.int64)

    def restart(self, states: Sequence[Any], past: Pasts = None) -> None:
        """Empty trees, with these states at their roots."""
        words = {state: flat(self.twin.state(checked_root(state, self.cls))) for state in set(states)}
        keys = self.identities(states, past)
        self.set_roots(np.array([words[state] for state in states]))
        self.states = list(states)
        longest = max(map(len, keys))
        heads = []
        for counter, known in zip(self.counters, keys, strict=True):
            self.pattern.counter, self.pattern.past = counter, len(known)
            self.pattern.array("keys")[: len(known)] = known
            heads.append(self.pattern.head(longest).copy())
        self.plant(np.array(heads))

    def identities(self, states: Sequence[Any], past: Pasts) -> list[list[int]]:
        """The history of each state, in the form that trees use."""
        if past is None or not getattr(self.cls, "repetition", 0):
            return [[] for _ in states]
        if len(past) != len(states):
            raise ValueError(f"{len(states)} states, but the history of {len(past)}")
        return past_keys(self.twin, past)

    def root(self, state: Any) -> list[int]:
        """A state's words, if a player moves there."""
        return flat(self.twin.state(checked_root(state, self.cls)))

    # --- searching ---

    def search(self, simulations: int, *, noise: float = 0.0, alpha: float = 0.3) -> None:
        """Run simulations in every tree. `noise` is the share of Dirichlet(alpha) noise in the roots' priors."""
        if simulations < 1:
            raise ValueError(f"simulations must be 1 or more, not {simulations}")
        if noise > 0 and self.is_new:
            self.simulate(1)
            self.add_noise(noise, alpha)
            simulations -= 1
        self.simulate(simulations)

    def simulate(self, simulations: int) -> None:
        """Run simulations in every tree: select, evaluate, back up."""
        self.is_new = False
        if self.evaluate in (uniform, rollouts):
            self.grow(simulations, self.evaluate is rollouts)
            return
        for _ in range(simulations):
            self.select()
            self.backup(*self.checked(*self.evaluate(self.batch())))

    def checked(self, priors: Any, values: Any) -> tuple[Any, Any]:
        """The evaluator's result, checked."""
        wanted = (len(self.states), self.answers)
        if np.shape(priors) != wanted or np.shape(values) != wanted[:1]:
            raise ValueError(
                f"the evaluator returned priors {np.shape(priors)} and values {np.shape(values)}: "
                f"expected {wanted} and {wanted[:1]}"
            )
        priors, values = np.ascontiguousarray(priors, np.float64), np.ascontiguousarray(values, np.float64)
        if not (np.isfinite(priors).all() and (priors >= 0).all() and np.isfinite(values).all()):
            raise ValueError("the evaluator returned a prior that is negative, infinite or not a number")
        return priors, values

    def add_noise(self, share: float, alpha: float) -> None:
        """Mix noise into the roots' priors, so that any action may be tried (Silver et al. 2017)."""
        counts = self.children()[0]
        noise = np.zeros((len(self.states), int(counts.max())))
        for row, count in zip(noise, counts, strict=True):
            row[:count] = self.dice.dirichlet(np.full(count, alpha))
        self.mix_in(noise, share)

    # --- results -----------

    def visits(self) -> list[dict[int, int]]:
        """The visit counts of the actions at each root."""
        return [
            dict(zip(actions[:count].tolist(), numbers[:count, 0].astype(int).tolist(), strict=True))
            for count, actions, numbers in zip(*self.children(), strict=True)
        ]

    def values(self) -> np.ndarray:
        """The mean value of each root for the player to move."""
        counts, _, numbers = self.children()
        sums = [row[:count].sum(0) for count, row in zip(counts, numbers, strict=True)]
        return np.array([total / max(1.0, visits) for visits, total, *_ in sums])

    def choose(self, temperature: float = 0.0) -> list[int]:
        """An action for each root, with probability proportional to N^(1 / temperature); at 0 the most visited."""
        chosen = []
        for tried in self.visits():
            actions, visits = list(tried), np.array(list(tried.values()), float)
            if temperature <= 0:
                chosen.append(actions[int(visits.argmax())])
                continue
            weights = (visits / visits.max()) ** (1 / temperature)
            chosen.append(actions[int(self.dice.choice(len(actions), p=weights / weights.sum()))])
        return chosen

    # --- the kernels ---

    def plant(self, heads: np.ndarray) -> None:
        """Empty trees, each with its own header words."""
        self.is_new = True
        self.trees[:, : heads.shape[1]] = heads
        grow.plant(self.trees)

    def set_roots(self, words: np.ndarray) -> None:
        self.roots[:] = words

    def batch(self) -> Batch:
        """The leaves found by `select`."""
        return Batch(self.twin, self.like, self.leaves)

    def select(self) -> None:
        with self.running():
            grow.to_leaves(self.like, self.roots, self.trees, self.leaves)

    def backup(self, priors: Any, values: Any) -> None:
        with self.running():
            grow.from_leaves(self.like, self.roots, self.trees, self.leaves, priors, values)

    def grow(self, simulations: int, random_games: bool) -> None:
        with self.running():
            grow.grow_all(self.like, self.roots, self.trees, simulations, random_games)

    def mix_in(self, noise: np.ndarray, share: float) -> None:
        grow.mix_in_all(self.trees, noise, share)

    def tree(self, number: int) -> Tree:
        """One of the trees."""
        return self.pattern.over(self.trees[number])

    def all_trees(self) -> Iterator[Tree]:
        return (self.tree(number) for number in range(len(self.states)))

    def children(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each root: the number of children, then their actions, n and W (a row may be longer)."""
        shape = len(self.states), max_actions(self.cls)
        counts, actions, numbers = (
            np.zeros(shape[0], np.int64),
            np.zeros(shape, np.int64),
            np.zeros((*shape, 4)),
        )
        grow.children_all(self.trees, counts, actions, numbers)
        return counts, actions, numbers

    @property
    def full(self) -> int:
        """The number of trees that ran out of memory: with more nodes the search would be better."""
        return sum(tree.full > 0 for tree in self.all_trees())

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run a kernel; an error in a game's rules is raised as a GameError."""
        try:
            with explained(self.twin, self.like), control.explained(self.cls):
                yield
        except Endless:
            raise GameError(
                f"{self.cls.__name__}: a random game did not end within {LONGEST} plies"
            ) from None
