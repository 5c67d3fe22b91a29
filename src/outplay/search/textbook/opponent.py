"""Expectimax as a search: the best action against a model of the opponent (expectimax.py).

The model is either built in (random play, minimax to a few plies), and the whole search is compiled; or it is
any player, which is called in plain Python at every position where it moves.
"""

from collections.abc import Callable
from functools import partial
from typing import Any, ClassVar

import numpy as np

from outplay.game import GameError, adopt_state, estimate, legal, worth
from outplay.limits import Analysis, Limits
from outplay.record import Record
from outplay.search.protocol import control
from outplay.search.protocol.options import WEIGHTS, Options, real, rival, whole
from outplay.search.protocol.request import Past, Request
from outplay.search.protocol.search import Search
from outplay.search.textbook import expectimax
from outplay.search.textbook.deepening import Run
from outplay.search.textbook.minimax import MAX
from outplay.weights import Weights

OPPONENTS = {"random": 0.0, "minimax": 0.8}  # with their default skill
Opponent = Callable[[Record, Limits], Analysis]


class Expectimax(Search):
    """The best action against a fallible opponent."""

    name = "expectimax"
    about = "max for us, the mean over a model of the opponent"
    source = "Russell & Norvig, Artificial Intelligence: EXPECTIMINIMAX; CIS 521: suboptimal opponents"
    chance = True
    start = staticmethod(expectimax.start)
    options: ClassVar[Options] = {
        **WEIGHTS,
        "opponent": rival(
            "opponent", "random, minimax, or any player: uct, bot.py:Bot ...", tuple(OPPONENTS)
        ),
        "skill": real("skill", "probability that the opponent plays its move, not a random one"),
        "lookahead": whole("lookahead", "the opponent's search depth, in plies"),
        "effort": whole("effort", "the opponent's node limit; 0: limit it by lookahead"),
    }

    def __init__(
        self,
        opponent: str | Opponent = "random",
        skill: float | None = None,
        lookahead: int = 2,
        effort: int = 0,
        weights: Weights | None = None,
    ) -> None:
        if not callable(opponent) and opponent not in OPPONENTS:
            raise ValueError(f"opponent is {', '.join(OPPONENTS)} or a player, not {opponent!r}")
        self.player = opponent if callable(opponent) else None
        usual = 1.0 if callable(opponent) else OPPONENTS[opponent]
        self.skill = usual if skill is None else skill
        if not 0 <= self.skill <= 1 or (opponent == "random" and self.skill):
            raise ValueError("skill must be from 0 to 1, and opponent=random takes none")
        if not 1 <= lookahead <= 20:
            raise ValueError(f"lookahead must be 1 to 20, not {lookahead}")
        if effort < 0 or (effort and self.player is None):
            raise ValueError("effort is a number of nodes, for an opponent that is a search")
        self.lookahead, self.weights = lookahead, weights
        self.allowed = Limits(nodes=effort) if effort else Limits(depth=lookahead)
        self.me: int | None = None  # the player whose expectation it is; None: the player to move
        self.run: RunAgainst | None = None

    def prepare(self, state: Any) -> None:
        state = adopt_state(state)
        self.refuse(type(state))
        self.against(state, ())

    def think(self, asked: Request) -> Analysis:
        self.run = self.against(asked.state, asked.past)
        return self.run.deepen(asked.limits.timed(), asked.report, asked.stop)

    def against(self, state: Any, past: Past) -> "RunAgainst":
        run = RunAgainst if self.player is None else RunAgainstPlayer
        return run(state, self, past)

    def one_by_one(self, asked: Request) -> Analysis:
        self.me = asked.state.player()
        try:
            return super().one_by_one(asked)
        finally:
            self.me = None

    def forget(self) -> None:
        self.run = None

    @property
    def nodes(self) -> int:
        return 0 if self.run is None else self.run.nodes


class RunAgainst(Run):
    """One run of expectimax."""

    def __init__(self, state: Any, search: Expectimax, past: Past) -> None:
        self.search = search
        self.me = max(state.player(), 0) if search.me is None else search.me
        super().__init__(state, search, search.weights, past)

    def call(self, depth: int, memory: control.Control, trace: np.ndarray | None) -> Any:
        return float(
            self.start(self.native, depth, memory, self.me, self.search.skill, self.search.lookahead)
        )

    def answer(
        self, action: int | None, score: Any, depth: int, line: tuple[int, ...], ended: bool
    ) -> Analysis:
        """A mean of utilities if all lines were searched to the end of the game, else of evaluations."""
        found = super().answer(action, score, depth, line, ended=False)
        return found._replace(
            value=score / worth(type(self.state)) if ended else score, proven=ended and self.certain
        )


class RunAgainstPlayer(RunAgainst):
    """The same against any player. It sees only the position, and is called once per position."""

    def __init__(self, state: Any, search: Expectimax, past: Past) -> None:
        self.replies: dict[Any, int] = {}
        super().__init__(state, search, past)

    def call(self, depth: int, memory: control.Control, trace: np.ndarray | None) -> float:
        """The value of the root; the principal variation is only its best action."""
        visit, evaluate = partial(self.count, memory), partial(self.horizon, memory)
        if self.state.player() != self.me:
            return expectimax.value(self.state, depth, self.me, self.model, visit, evaluate)
        visit(self.state)
        values = {
            action: expectimax.value(
                self.state.result(action), depth - 1, self.me, self.model, visit, evaluate
            )
            for action in legal(self.state)
        }
        action = (max if self.me == MAX else min)(values, key=lambda action: values[action])
        memory.array("lines")[depth * memory.width :][:2] = 1, action
        return values[action]

    def count(self, memory: control.Control, state: Any) -> None:
        """Count a node; raise Stopped at the limit."""
        if memory.nodes >= memory.limit:
            raise control.Stopped
        memory.nodes += 1

    def horizon(self, memory: control.Control, state: Any) -> float:
        """The static evaluation of a state at the depth limit."""
        if memory.endless:
            raise control.TooDeep
        memory.horizon += 1
        return float(estimate(state, self.block.weights)) if hasattr(state, "evaluate") else 0.0

    def model(self, state: Any) -> list[tuple[int, float]]:
        """The player's actions with their probabilities."""
        actions, skill = legal(state), self.search.skill
        chosen = self.reply(state, actions) if skill > 0 else None
        return [(a, (1 - skill) / len(actions) + skill * (a == chosen)) for a in actions]

    def reply(self, state: Any, actions: list[int]) -> int:
        if state not in self.replies:
            assert self.search.player is not None
            try:
                action = self.search.player(Record("", state), self.search.allowed).action
            except GameError:
                raise
            except ValueError as error:  # the player's, not one of the rules
                raise GameError(f"the opponent: {error}") from None
            if action not in actions:
                raise ValueError(f"the opponent's move {action!r} is not legal at {state}")
            self.replies[state] = action
        return self.replies[state]
