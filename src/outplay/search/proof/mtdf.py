"""MTD(f) (Plaat, Schaeffer, Pijls & de Bruin 1996): the minimax value by null-window searches.

Each search only tests whether the value reaches a bound. It cuts off as early as alpha-beta can, and its result, a
bound that may lie beyond the test, determines the next test; the transposition table keeps the searches from repeating
work. With a good first guess two searches are enough: one proves the value as a lower bound, one as an upper bound.
"""

from collections.abc import Callable
from typing import Any

from outplay.compile.errors import explained
from outplay.game import LONGEST, WIN, Block, GameError, worth
from outplay.search.engine import negamax
from outplay.search.engine.engine import Engine
from outplay.search.engine.switches import Fixed, switches
from outplay.search.engine.table import Table
from outplay.search.engine.workspace import MAX_PLY, new_memory
from outplay.search.proof.prover import Prover
from outplay.search.protocol import control

GUESS_NODES = 20_000
# The engine's switches that save more than they cost. `deeper` is exact if lines are searched to the end.
SOLVING = "table order symmetry promising ceiling finish lookahead deeper"


def mtdf(
    at_least: Callable[[int], int],
    guess: int,
    lower: float,
    upper: float,
    proven: Callable[[float, float], None] = lambda lower, upper: None,
) -> int:
    """The value between the bounds, as in the paper.

    `at_least(goal)` returns a lower bound on the value that is not below the goal, or an upper bound that is.
    `proven` is called with the bounds after each search.
    """
    while lower < upper:
        goal = guess + 1 if guess == lower else guess
        guess = at_least(goal)
        if guess < goal:
            upper = guess
        else:
            lower = guess
        proven(lower, upper)
    return guess


class Windows(Prover):
    """Null-window searches of the engine straight to the end of the game."""

    def __init__(self, cls: type, megabytes: float = 128, on: str = SOLVING) -> None:
        Engine.refuse(cls)
        self.on: Any = Fixed(switches(on))
        self.table = Table(megabytes)
        self.block = Block(cls, None)
        super().__init__(cls, new_memory(cls, self.table, self.block.address))

    def start(self, native: Any) -> Any:
        return negamax.start(native, 1, 0, 1, self.memory, self.on, None)

    def estimate(self, state: Any) -> int:
        """A first guess: the value of a shallow search, deepened while that is cheap."""
        score, depth = 0, 1
        while self.nodes < GUESS_NODES and depth < MAX_PLY:
            score = self.search(state, depth, -control.NO_LIMIT, control.NO_LIMIT)
            depth += 1
        return score if state.player() == 0 else -score

    def at_least(self, state: Any, goal: int) -> int:
        """A bound on the utility for MAX: a lower one that is not below the goal, or an upper one that is."""
        scale = worth(self.cls)
        beta = goal * scale - (scale // 2 if scale == WIN else 0)  # between the outcomes and their distances
        slack = LONGEST if scale == WIN else 0
        is_max = state.player() == 0
        score = self.score(state, beta - 1, beta) if is_max else -self.score(state, -beta, 1 - beta)
        return -((slack - score) // scale) if score >= beta else (score + slack) // scale

    def score(self, state: Any, alpha: int, beta: int) -> int:
        """The score of a search to the end of the game, for the player to move."""
        self.memory.horizon = 0
        score = self.search(state, MAX_PLY, alpha, beta)
        if self.memory.horizon:
            raise GameError(f"{self.cls.__name__}: not solved within {MAX_PLY} plies")
        return score

    def search(self, state: Any, depth: int, alpha: int, beta: int) -> int:
        native = self.twin.state(state)
        with explained(self.twin, native), control.explained(self.cls):
            return int(negamax.start(native, depth, alpha, beta, self.memory, self.on, None))

    def action(self) -> int | None:
        """The root's action that cut off in the last search."""
        line = control.line(self.memory, 0)
        return line[0] if line else None
