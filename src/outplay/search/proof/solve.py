"""Solving: prove the value of a position with best play to the end of the game.

    mtdf          null-window searches of the engine with its table; the default
    dfpn          proof-number search: for long forced lines and uneven branching
    conspiracy    conspiracy-number search: the tree in memory, for small games
    any search    minimax, alphabeta, expectiminimax ... to the end of the game, as on the slides

A solver tests whether MAX can reach a utility; the value is the greatest one it can. The bounds proven so far can be
read at any time.
"""

import math
import threading
import time as clock
from collections.abc import Callable
from typing import Any, NamedTuple

from outplay.compile.lane import again
from outplay.game import (
    CHANCE,
    FORBIDDEN,
    GameError,
    checked_state,
    is_terminal,
    kind,
    legal,
    needs_past,
    utility,
    worth,
)
from outplay.limits import Limits, watching
from outplay.search.engine.workspace import MAX_PLY
from outplay.search.proof.conspiracy import Conspiracies
from outplay.search.proof.mtdf import Windows, mtdf
from outplay.search.proof.proofnumber import ProofNumbers
from outplay.search.protocol import control, terms
from outplay.search.protocol.search import Search, refuse_kind
from outplay.search.searches import SEARCHES, fitting, textbook

MEGABYTES = 128.0
LINE_NODES = 200_000  # node budget for the principal variation beyond the proof


class Solution(NamedTuple):
    """What was proven."""

    action: int | None  # None if the game is over or chance moves, or nothing was proven
    value: float | None  # the utility for MAX; None if not solved
    depth: int  # plies of the line
    line: tuple[int, ...]  # the principal variation, as far as it was proven
    nodes: int
    time: float  # seconds
    proven: bool
    lower: float | None  # MAX has at least this; None if nothing is known
    upper: float | None  # and at most this
    solver: str


PROVERS: dict[str, tuple[str, Callable[[type, float], Any]]] = {
    "mtdf": ("null-window searches of the engine, each testing whether the value reaches a bound", Windows),
    "dfpn": ("proof-number search, depth-first, with a table of bounded size", ProofNumbers),
    "conspiracy": ("conspiracy-number search, best-first, the tree in memory", Conspiracies),
}


def solver_for(cls: type) -> str:
    """The default solver."""
    what = kind(cls)
    solvable = not (what.chance or what.float_scores or what.hidden) and what.players <= 2
    return "mtdf" if solvable else textbook(cls).name


@again
def solve(
    state: Any, solver: str | None = None, *, time: float | None = None, megabytes: float = MEGABYTES
) -> Solution:
    """The proven value of a state, or the bounds proven when the time is up."""
    solving = Solving(state, solver, time=time, megabytes=megabytes)
    found: Solution = solving.run()
    return terms.outward(solving.state, found) if terms.is_own(state) else found


class Solving:
    """A running solver: another thread may read the bounds proven so far, or stop it."""

    def __init__(
        self,
        state: Any,
        solver: str | None = None,
        *,
        time: float | None = None,
        megabytes: float = MEGABYTES,
    ) -> None:
        self.state = checked_state(state)
        self.cls = type(self.state)
        self.seconds = Limits(time=time).checked().time
        self.solver = solver or solver_for(self.cls)
        if self.solver not in (*PROVERS, *SEARCHES):
            raise ValueError(
                f"unknown solver {self.solver!r}; choose from {', '.join(PROVERS)}, and the searches "
                f"{', '.join(SEARCHES)}"
            )
        win = getattr(self.cls, "win", math.inf)
        self.lower, self.upper = -win, win
        self.prover = self.make(megabytes)
        self.action: int | None = None
        self.stopped = False
        self.began = clock.perf_counter()

    def make(self, megabytes: float) -> Any:
        search = None if self.solver in PROVERS else fitting(self.cls, self.solver)
        repeats = self.solver == "mtdf" if search is None else search.repeats
        if needs_past(self.cls) and not (repeats and getattr(self.cls, "repetition", 0) != FORBIDDEN):
            raise GameError(
                f"{self.solver} cannot solve {self.cls.__name__}: repetition depends on the history"
            )
        if search is not None:
            return Searching(search.prover(megabytes))
        refuse_kind(self.cls, self.solver)
        return PROVERS[self.solver][1](self.cls, megabytes)

    @property
    def nodes(self) -> int:
        return int(self.prover.nodes)

    @property
    def time(self) -> float:
        return clock.perf_counter() - self.began

    def stop(self) -> None:
        """Stop as soon as possible; proven bounds are kept."""
        self.stopped = True
        self.prover.stop()

    def run(self) -> Solution:
        """Solve, in this thread."""
        if is_terminal(self.state):
            self.lower = self.upper = utility(self.state)
            return self.solution(())
        self.prover.prepare(self.state)
        if self.stopped:  # during compilation
            self.prover.stop()
        self.began = clock.perf_counter()
        with watching(self.seconds, None, self.stop):
            try:
                return self.solution(self.prove())
            except control.Stopped:
                return self.solution(())

    def solution(self, line: tuple[int, ...]) -> Solution:
        proven = self.lower == self.upper
        lower, upper = (None if math.isinf(bound) else bound for bound in (self.lower, self.upper))
        action = line[0] if line and self.state.player() != CHANCE else None
        value = lower if proven else None
        return Solution(
            action, value, len(line), line, self.nodes, self.time, proven, lower, upper, self.solver
        )

    def prove(self) -> tuple[int, ...]:
        """Find the value; return the principal variation."""
        if isinstance(self.prover, Searching | Conspiracies):
            return self.prover.solve(self.state, self.narrow)
        narrowing = mtdf if self.solver == "mtdf" else halve
        value = narrowing(self.ask, self.guess(), self.lower, self.upper, self.narrow)
        first = legal(self.state)[0] if self.action is None else self.action  # lost whatever is played
        return (first, *self.best_play(self.state.result(first), value))

    def ask(self, goal: int) -> int:
        """A bound on the value: test whether it reaches the goal."""
        bound = int(self.prover.at_least(self.state, goal))
        action = self.prover.action()
        if action is not None:
            self.action = action
        return bound

    def narrow(self, lower: float, upper: float) -> None:
        self.lower, self.upper = lower, upper

    def guess(self) -> int:
        """The first goal: a win for the player to move; in a game of points, an estimate."""
        if worth(self.cls) == 1:
            return int(self.prover.estimate(self.state))
        return getattr(self.cls, "win", 1) * (1 if self.state.player() == 0 else -1)

    def best_play(self, state: Any, value: int) -> tuple[int, ...]:
        """The principal variation: moves that keep the value, each proven with the warm table, while that is cheap."""
        line: list[int] = []
        self.prover.allow(LINE_NODES)
        try:
            while not is_terminal(state):
                action = next(
                    (a for a in legal(state) if self.keeps(state.result(a), state.player(), value)), None
                )
                if action is None:  # cannot be
                    break
                line.append(action)
                state = state.result(action)
        except control.Stopped:
            pass
        return tuple(line)

    def keeps(self, state: Any, player: int, value: int) -> bool:
        """Whether the player can reach at least the value here."""
        if is_terminal(state):
            return bool(state.utility() >= value if player == 0 else state.utility() <= value)
        if player == 0:
            return bool(self.prover.at_least(state, value) >= value)
        return bool(self.prover.at_least(state, value + 1) <= value)


def halve(
    at_least: Callable[[int], int],
    guess: int,
    lower: float,
    upper: float,
    proven: Callable[[float, float], None] = lambda lower, upper: None,
) -> int:
    """The value between the bounds, by yes-or-no tests: first at the guess, then with growing steps until the value
    is enclosed, then by bisection."""
    goal, step = max(guess, lower + 1), 1
    while lower < upper:
        bound = at_least(int(goal))
        if bound >= goal:
            lower = bound
        else:
            upper = bound
        proven(lower, upper)
        if math.isinf(upper):
            goal, step = lower + step, 2 * step
        elif math.isinf(lower):
            goal, step = upper - step + 1, 2 * step
        else:
            goal = (lower + upper + 1) // 2
    return int(lower)


class Searching:
    """A search of the slides, or the engine's deepening, to the end of the game."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.event = threading.Event()

    @property
    def nodes(self) -> int:
        return self.search.nodes

    def prepare(self, state: Any) -> None:
        """Compile the native code."""
        self.search.prepare(state)

    def stop(self) -> None:
        self.event.set()

    def solve(self, state: Any, narrow: Callable[[float, float], None]) -> tuple[int, ...]:
        """Report the bounds on the value; return the principal variation."""
        found = self.search.search(state, Limits(), stop=self.event)
        if not found.proven:
            if self.event.is_set():
                raise control.Stopped
            raise GameError(f"{type(state).__name__}: not solved within {MAX_PLY} plies")
        assert found.value is not None
        narrow(found.value, found.value)
        return found.line
