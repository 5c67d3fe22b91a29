"""Expectimax as a search: what to play against a model of the opponent (expectimax.py)."""

from typing import Any, ClassVar

import numpy as np

from outplay.game import adopt_state, worth
from outplay.limits import Analysis
from outplay.search.protocol import control
from outplay.search.protocol.options import WEIGHTS, Options, real, text, whole
from outplay.search.protocol.request import Past, Request
from outplay.search.protocol.search import Search
from outplay.search.textbook import expectimax
from outplay.search.textbook.deepening import Run
from outplay.weights import Weights

OPPONENTS = {"random": 0.0, "minimax": 0.8}  # with the skill of each


class Expectimax(Search):
    """What to play against somebody who does not play best."""

    name = "expectimax"
    about = "max for us, the mean over what a model of the opponent does"
    source = (
        "Russell & Norvig, Artificial Intelligence: EXPECTIMINIMAX; CIS 521: opponents who are not optimal"
    )
    chance = True
    start = staticmethod(expectimax.start)
    options: ClassVar[Options] = {
        **WEIGHTS,
        "opponent": text("opponent", "random: any move; minimax: often the move that minimax finds"),
        "skill": real("skill", "how often the opponent plays that move, from 0 to 1"),
        "lookahead": whole("lookahead", "how deep the opponent's minimax looks, in plies"),
    }

    def __init__(
        self,
        opponent: str = "random",
        skill: float | None = None,
        lookahead: int = 2,
        weights: Weights | None = None,
    ) -> None:
        if opponent not in OPPONENTS:
            raise ValueError(f"opponent is {' or '.join(OPPONENTS)}, not {opponent!r}")
        self.skill = OPPONENTS[opponent] if skill is None else skill
        if not 0 <= self.skill <= 1 or (opponent == "random" and self.skill):
            raise ValueError("skill is a number from 0 to 1, and for opponent=minimax")
        if not 1 <= lookahead <= 20:
            raise ValueError(f"lookahead must be 1 to 20, not {lookahead}")
        self.lookahead, self.weights = lookahead, weights
        self.me: int | None = None  # whose expectation it is; None: of the player to move
        self.run: RunAgainst | None = None

    def prepare(self, state: Any) -> None:
        state = adopt_state(state)
        self.refuse(type(state))
        RunAgainst(state, self, ())

    def think(self, asked: Request) -> Analysis:
        self.run = RunAgainst(asked.state, self, asked.past)
        return self.run.deepen(asked.limits.timed(), asked.report, asked.stop)

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
        """A mean of utilities where all lines were searched to the end of the game, else of evaluations."""
        found = super().answer(action, score, depth, line, ended=False)
        return found._replace(value=score / worth(type(self.state)) if ended else score, proven=ended)
