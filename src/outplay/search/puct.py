"""PUCT, the tree search of AlphaGo Zero (Silver et al. 2017): many trees at a time, a network at the leaves.

Edges hold the prior P, visits N, the sum of values W and the mean Q = W / N. A simulation goes down from each
tree's root by

    a = argmax Q + c P sqrt(sum N) / (1 + N)

to a leaf (`select`); the evaluator says for all leaves at once which actions look good and what the position is
worth to the player to move, from -1 to 1; then (`backup`) each leaf gets edges with these priors, and on every edge
of its path N += 1, W += v. Where the game is over its result takes the evaluator's place. Chance falls by its
probabilities; no chance node is evaluated.

`puctsteps.py` has the trees and the kernels; `gpupuct.py` is the same on a GPU.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import numpy as np

from outplay.bits import wrap
from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.compile.runtime import NATIVE, flat
from outplay.game import GameError, checked_state, max_actions, offers, plane_words
from outplay.search import control, puctsteps
from outplay.search.control import MOVES
from outplay.search.fit import checked_root, refuse
from outplay.search.playout import LONGEST, Endless, plain_random_bits
from outplay.search.puctsteps import EDGE_BYTES, MAX_DEPTH, NODE_BYTES, Trees
from outplay.search.ucttree import memory_megabytes

C = 1.25

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
        room = np.zeros(plane_words(cls), np.int64)
        puctsteps.planes(self.like, self.words, seen, room, planes, rows * columns)
        return seen.reshape(len(self), planes, rows, columns)


def uniform(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """The evaluator that knows nothing: equal priors, value 0."""
    return np.ones((len(batch), policy_size(batch.compiled.cls))), np.zeros(len(batch))


def rollouts(batch: Batch) -> tuple[np.ndarray, np.ndarray]:
    """The evaluator that plays one game at random from each leaf, as in UCT: equal priors, the game's result."""
    raise NotImplementedError("PUCT plays the games itself, with its trees' random numbers")


def policy_size(cls: type) -> int:
    """How many priors there are: the class's `policy_size`, or one for each place in the list of actions."""
    return cls.policy_size if offers(cls, "policy_index") else max_actions(cls)  # type: ignore[attr-defined]


class PUCT:
    """Searches many positions of a game at the same time.

    evaluate     of a Batch: priors[B, policy_size], of which the legal ones are scaled to sum 1, and values[B] for
                 the player to move. With `uniform` and `rollouts` whole searches run in native code
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
        self.cls = type(checked_state(states[0]))
        refuse(self.cls, "PUCT", chance=True, floats=True)
        self.evaluate, self.c = evaluate, float(c)
        self.twin = twin(self.cls)
        self.like = self.twin.state(states[0])
        self.dice = np.random.default_rng(seed)
        self.trees = self.allocate(len(states), simulations, edges)
        self.words = np.zeros((len(states), puctsteps.WORDS), np.int64)
        self.words[:, puctsteps.NODES] = 1
        self.words[:, puctsteps.MOST_NODES] = self.trees.first.shape[1]
        self.words[:, puctsteps.MOST_EDGES] = self.trees.action.shape[1]
        self.words[:, puctsteps.COUNTER] = [plain_random_bits(wrap(seed + i)) for i in range(len(states))]
        self.restart(states)

    # --- memory ---

    def allocate(self, trees: int, simulations: int, edges: int | None) -> Trees:
        words, most = len(flat(self.like)), max_actions(self.cls)
        nodes = simulations + 2
        room = edges or nodes * min(most, 64)
        megabytes = trees * (NODE_BYTES * nodes + EDGE_BYTES * room + 8 * MAX_DEPTH + 8 * most) / (1 << 20)
        if room < most or megabytes > self.memory():
            raise ValueError(
                f"{trees} trees of {simulations} simulations take {megabytes:.0f} MB, and {room} edges each: at least "
                f"{most} edges and at most {self.memory():.0f} MB are wanted"
            )
        zeros, small, number = self.zeros, np.int32, np.float64
        return Trees(
            roots=zeros((trees, words)), leaves=zeros((trees, words)),
            first=zeros((trees, nodes), small), branches=zeros((trees, nodes), small),
            action=zeros((trees, room)), child=zeros((trees, room), small), priors=zeros((trees, room), number),
            visits=zeros((trees, room), number), total=zeros((trees, room), number),
            path=zeros((trees, MAX_DEPTH), small), movers=zeros((trees, MAX_DEPTH), small),
            run=zeros((trees, puctsteps.WORDS)), room=zeros((trees, MOVES + most + 1)),
        )  # fmt: skip

    def memory(self) -> float:
        """The megabytes that there are."""
        return memory_megabytes()

    def zeros(self, shape: Any, kind: Any = np.int64) -> Any:
        return np.zeros(shape, kind)

    def place(self, array: Any, values: np.ndarray) -> None:
        """Fill one of the trees' arrays."""
        array[:] = values

    def restart(self, states: Sequence[Any]) -> None:
        """Empty trees, with these states at their roots."""
        words = {state: self.root(state) for state in set(states)}
        self.place(self.trees.roots, np.array([words[state] for state in states]))
        self.place(self.trees.run, self.words)
        self.states = list(states)
        self.plant()

    def root(self, state: Any) -> list[int]:
        """A state's words, if there is something to choose."""
        return flat(self.twin.state(checked_root(state, self.cls)))

    # --- searching ---

    def search(self, simulations: int, *, noise: float = 0.0, alpha: float = 0.3) -> None:
        """So many simulations in every tree. `noise` is the share of Dirichlet(alpha) noise in the roots' priors."""
        if simulations < 1:
            raise ValueError(f"simulations must be 1 or more, not {simulations}")
        if noise > 0 and self.is_new:
            self.simulate(1)
            self.add_noise(noise, alpha)
            simulations -= 1
        self.simulate(simulations)

    def simulate(self, simulations: int) -> None:
        """So many simulations in every tree: select, evaluate, back up."""
        self.is_new = False
        if self.evaluate in (uniform, rollouts):
            self.grow(simulations, self.evaluate is rollouts)
            return
        for _ in range(simulations):
            self.select()
            self.backup(*self.checked(*self.evaluate(self.batch())))

    def checked(self, priors: Any, values: Any) -> tuple[Any, Any]:
        """The evaluator's answer, if it is one."""
        wanted = (len(self.states), policy_size(self.cls))
        if np.shape(priors) != wanted or np.shape(values) != wanted[:1]:
            raise ValueError(
                f"the evaluator gave priors {np.shape(priors)} and values {np.shape(values)}: "
                f"{wanted} and {wanted[:1]} are wanted"
            )
        priors, values = np.ascontiguousarray(priors, np.float64), np.ascontiguousarray(values, np.float64)
        if not (np.isfinite(priors).all() and (priors >= 0).all() and np.isfinite(values).all()):
            raise ValueError("the evaluator gave a negative or infinite prior, or no number")
        return priors, values

    def add_noise(self, share: float, alpha: float) -> None:
        """Mix noise into the roots' priors, so that any action may be tried (Silver et al. 2017)."""
        counts = self.roots()[0]
        noise = np.zeros((len(self.states), int(counts.max())))
        for row, count in zip(noise, counts, strict=True):
            row[:count] = self.dice.dirichlet(np.full(count, alpha))
        self.mix_in(noise, share)

    # --- what came of it ---

    def visits(self) -> list[dict[int, int]]:
        """How often each action was tried at each root."""
        return [
            dict(zip(actions[:count].tolist(), visits[:count].astype(int).tolist(), strict=True))
            for count, actions, visits, _ in zip(*self.roots(), strict=True)
        ]

    def values(self) -> np.ndarray:
        """The mean value of each root for the player to move."""
        return np.array(
            [
                total[:count].sum() / max(1.0, visits[:count].sum())
                for count, _, visits, total in zip(*self.roots(), strict=True)
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

    # --- the kernels ---

    def plant(self) -> None:
        """Make the roots nodes without edges."""
        self.is_new = True
        self.trees.branches[:, 0] = 0

    def batch(self) -> Batch:
        """The leaves that `select` has found."""
        return Batch(self.twin, self.like, self.trees.leaves)

    def select(self) -> None:
        with self.running():
            puctsteps.select(self.like, self.trees, self.c)

    def backup(self, priors: Any, values: Any) -> None:
        with self.running():
            puctsteps.backup(self.like, self.trees, priors, values)

    def grow(self, simulations: int, random_games: bool) -> None:
        with self.running():
            puctsteps.grow(self.like, self.trees, self.c, simulations, random_games)

    def mix_in(self, noise: np.ndarray, share: float) -> None:
        puctsteps.add_noise(self.trees, noise, share)

    def roots(self) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
        """Of each root: how many edges it has, then of these (a row may have more) actions, N and W."""
        width = int(self.trees.branches[:, 0].max())
        trees = self.trees
        return trees.branches[:, 0], trees.action[:, :width], trees.visits[:, :width], trees.total[:, :width]

    @contextmanager
    def running(self) -> Iterator[None]:
        """Run a kernel; what goes wrong in a game's rules comes out as a GameError."""
        try:
            with explained(self.twin, self.like), control.explained(self.cls):
                yield
        except Endless:
            raise GameError(f"{self.cls.__name__}: a random game went on for {LONGEST} plies") from None
