"""Self-play of many games in parallel: a search for each move, then the moves in all games at once.

Every move of every game is a row of the replay buffer, a ring of `length` steps with a row per game: the network's
input, the player to move, the search's result. The result of a game is written into its rows when it ends; until then
they are UNKNOWN and not used for training. So nothing is copied or allocated.

`moves.py` has the kernels; `gpu.py` is the same on a GPU.
"""

from typing import Any

import numpy as np

from outplay.compile.runtime import flat
from outplay.learn.zero import moves
from outplay.learn.zero.moves import (
    AFTER_VIEW,
    COUNTS,
    LENGTH,
    LONGEST,
    OPENINGS,
    OUTCOME,
    PLAN,
    RANDOM_PLIES,
    SIMULATIONS,
    STEP,
    UNKNOWN,
)
from outplay.learn.zero.settings import Settings
from outplay.search.mcts.grow import from_leaves
from outplay.search.mcts.gumbel import Gumbel
from outplay.search.mcts.puct import PUCT
from outplay.search.mcts.view import View


class Games:
    """Self-play on the CPU.

    evaluate  takes views[B, words], writes priors[B, answers] and values[B] for the players to move
    """

    device = "cpu"

    def __init__(self, start: Any, view: View, settings: Settings, evaluate: Any) -> None:
        self.view, self.settings, self.evaluate = view, settings, evaluate
        number = settings.games
        self.length = settings.length
        rule = Gumbel(settings.considered, 1.0, settings.sharpness)
        holder = Answers(view.by_action, view.factor)
        most = max(settings.simulations)
        self.search = self.grower()(
            [start] * number, holder, most, c=settings.c, seed=settings.seed, root=rule
        )
        self.like = self.search.like
        roots = np.zeros((number + 1, len(flat(self.like))), np.int64)
        roots[:] = flat(self.like)  # the last row is the initial state
        self.plan = np.zeros(PLAN, np.int64)
        self.plan[[SIMULATIONS, LONGEST, OPENINGS, RANDOM_PLIES, LENGTH]] = (
            settings.simulations[0], settings.longest, round(100 * settings.openings), settings.random_plies,
            self.length,
        )  # fmt: skip
        self.step = 0
        self.allocate(roots)
        self.deal()

    def grower(self) -> type[PUCT]:
        return PUCT

    def allocate(self, roots: np.ndarray) -> None:
        """The arrays: a row for each game; in the replay buffer a row for each game and step."""
        number, view = self.settings.games, self.view
        self.roots: Any = roots
        self.views: Any = np.zeros((number, view.words), np.int64)
        self.priors: Any = np.zeros((number, view.answers), np.float32)
        self.values: Any = np.zeros(number, np.float32)
        self.games: Any = np.zeros((number, COUNTS), np.int64)
        self.rows: Any = np.zeros((self.length * number, view.words + AFTER_VIEW), np.int64)
        self.rows[:, view.words + OUTCOME] = UNKNOWN
        self.policies: Any = np.zeros((self.length * number, view.answers), np.float32)

    def move(self, simulations: int) -> None:
        """Play a move in every game, after this many simulations."""
        self.plan[STEP], self.plan[SIMULATIONS] = self.step, simulations
        self.simulate(simulations)
        self.play()
        self.step += 1

    def filled(self) -> int:
        """The number of rows written to the replay buffer."""
        return min(self.step, self.length) * self.settings.games

    def counts(self) -> np.ndarray:
        """The counters, summed over all games."""
        return np.asarray(self.games.sum(0))

    def resume(self, rows: np.ndarray, policies: np.ndarray, step: int) -> None:
        """Continue with a replay buffer filled by `step` steps; all games start again."""
        self.step = step
        self.plan[STEP] = step
        self.write(self.rows, rows)
        self.write(self.policies, policies)
        self.deal()

    def write(self, array: Any, content: np.ndarray) -> None:
        """Fill the first rows of an array."""
        array[: len(content)] = content

    # --- the kernels ---

    def deal(self) -> None:
        with self.search.running():
            moves.deal(self.like, self.roots, self.search.trees, self.games, self.plan)

    def simulate(self, simulations: int) -> None:
        search = self.search
        with search.running():
            for _ in range(simulations):
                moves.find(self.like, self.roots, search.trees, search.leaves, self.views)
                self.evaluate(self.views, self.priors, self.values)
                from_leaves(self.like, self.roots, search.trees, search.leaves, self.priors, self.values)

    def play(self) -> None:
        with self.search.running():
            moves.play(
                self.like, self.roots, self.search.trees, self.rows, self.policies, self.games, self.plan
            )


class Answers:
    """An evaluator that only states the size of its policy: the games run the network themselves."""

    def __init__(self, actions: int, factor: int) -> None:
        self.actions, self.factor = actions, factor

    def __call__(self, batch: Any) -> Any:
        raise NotImplementedError
