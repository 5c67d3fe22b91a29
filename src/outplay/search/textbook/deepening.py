"""The textbook searches within limits: to a depth, to the end of the game, or by iterative deepening.

Iterative deepening: depth 1, 2, 3 ... until a limit is reached or the value is proven; the result is that of the last
completed depth. Each search is a kernel in its own file, `(state, depth, memory, trace) -> score`.
"""

import contextlib
import threading
import time as clock
from functools import partial
from typing import Any, ClassVar

import numpy as np

from outplay.compile import Twin, twin
from outplay.compile.errors import explained
from outplay.game import (
    CHANCE,
    Block,
    adopt_state,
    depends_on_past,
    estimate,
    kind,
    legal,
    max_actions,
    read_score,
    worth,
)
from outplay.games.tree import ChanceTree, Tree
from outplay.limits import Analysis, Limits, watching
from outplay.search.protocol import control
from outplay.search.protocol.deepening import deepened
from outplay.search.protocol.options import WEIGHTS, Options
from outplay.search.protocol.request import Past, Report, Request
from outplay.search.protocol.search import Search
from outplay.search.textbook import alphabeta, expectiminimax, maxn, minimax
from outplay.search.trace.trace import Trace, refuse_depth, traced
from outplay.weights import Weights


class Textbook(Search):
    """A search as on the slides."""

    start: ClassVar[Any]  # the kernel
    run_by: "ClassVar[type[Run]]"  # the class that runs it
    traces = True
    options: ClassVar[Options] = WEIGHTS

    def __init__(self, weights: Weights | None = None) -> None:
        self.weights = weights
        self.run: Run | None = None  # the current or last one

    def prepare(self, state: Any) -> None:
        state = adopt_state(state)
        self.refuse(type(state))
        self.run_by(state, self, self.weights)

    def think(self, asked: Request) -> Analysis:
        self.run = self.run_by(asked.state, self, self.weights, asked.past)
        return self.run.deepen(asked.limits.timed(), asked.report, asked.stop)

    def forget(self) -> None:
        self.run = None

    @property
    def nodes(self) -> int:
        return 0 if self.run is None else self.run.nodes

    def trace(self, state: Any, limits: Limits, game: str, most: int) -> Trace:
        """To a depth, or to the end of the game."""
        cls, depth = type(state), limits.depth
        if not self.traces:
            super().trace(state, limits, game, most)  # which refuses
        if limits != Limits(depth=depth):
            raise ValueError(f"a trace of {self.name} takes only a depth: iterations and seeds are for uct")
        refuse_depth(cls, depth)
        run = Run(state, self, self.weights)

        def once(rows: np.ndarray) -> int:
            memory = run.memory(depth)
            run.once(control.MAX_PLIES if depth is None else depth, memory, rows)
            return memory.events

        return traced(state, self.name, depth, game, once, most, worth(cls) if depth is None else 1)


class Minimax(Textbook):
    name = "minimax"
    about = "MAX-VALUE and MIN-VALUE over the whole tree"
    source = "Russell & Norvig, Artificial Intelligence: MINIMAX-SEARCH"
    start = staticmethod(minimax.start)


class AlphaBeta(Textbook):
    name = "alphabeta"
    about = "minimax that prunes branches that cannot matter, fail-soft"
    source = "Russell & Norvig, Artificial Intelligence, 2nd to 4th edition: ALPHA-BETA-SEARCH; Fishburn 1983"
    start = staticmethod(alphabeta.start)


class AlphaBetaHard(Textbook):
    name = "alphabeta-hard"
    about = "the same, fail-hard: values are clamped to the window"
    source = "Knuth & Moore 1975; Russell & Norvig, Artificial Intelligence, 1st edition"
    start = staticmethod(alphabeta.start_hard)


class Expectiminimax(Textbook):
    name = "expectiminimax"
    about = "minimax with chance nodes: dice, unreliable actions"
    source = "Russell & Norvig, Artificial Intelligence: EXPECTIMINIMAX; Michie 1966"
    chance = True
    start = staticmethod(expectiminimax.start)


class MaxN(Textbook):
    name = "maxn"
    about = "max^n: every player maximises its own value"
    source = "Luckhardt & Irani 1986; Russell & Norvig, Artificial Intelligence: multiplayer games"
    chance = True
    players = None
    traces = False
    start = staticmethod(maxn.start)
    me: int | None = None  # the player whose score it is; None: the player to move

    def one_by_one(self, asked: Request) -> Analysis:
        self.me = asked.state.player()
        try:
            return super().one_by_one(asked)
        finally:
            self.me = None


class Run:
    """One run of a search on a state."""

    def __init__(
        self,
        state: Any,
        search: Any,  # its `start` is the kernel
        weights: Weights | None = None,
        past: Past = (),
    ) -> None:
        self.state = state
        self.certain = not depends_on_past(type(state), past)  # it ignores the history
        self.returns = depends_on_past(type(state), (*past, state))  # to come back to the root is a draw
        self.start = search.start
        self.block = Block(type(state), weights)
        self.twin: Twin = twin(type(state))
        self.native = self.twin.state(state)
        self.done = 0  # nodes of earlier iterations
        self.now = control.Control()  # the memory of the current iteration
        self.compile()
        self.began = clock.perf_counter()

    def compile(self) -> None:
        """Compile the native code if needed, so that the clock measures only the search."""
        with explained(self.twin, self.native), contextlib.suppress(control.Stopped):
            self.call(1, self.memory(1, 0), None)

    def call(self, depth: int, memory: control.Control, trace: np.ndarray | None) -> Any:
        """Call the kernel and return its score."""
        return self.start(self.native, depth, memory, trace)

    @property
    def nodes(self) -> int:
        return self.done + int(self.now.nodes)

    def answer(
        self, action: int | None, score: Any, depth: int, line: tuple[int, ...], ended: bool
    ) -> Analysis:
        """A score as an Analysis; `ended`: every line was searched to the end of the game."""
        value, proven = read_score(type(self.state), score, ended)
        proven = proven and self.certain and (ended or not self.returns)
        return Analysis(
            action, value, depth, line, self.nodes, clock.perf_counter() - self.began, proven, score
        )

    def once(self, depth: int, memory: control.Control, trace: np.ndarray | None = None) -> Analysis:
        """One search to a depth with prepared memory; its events go to the trace, if given."""
        self.done, self.now = self.nodes, memory
        with explained(self.twin, self.native), control.explained(type(self.state)):
            score = self.call(depth, memory, trace)
        line = control.line(memory, depth)
        action = line[0] if line and self.state.player() != CHANCE else None
        return self.answer(action, score, depth, line, ended=memory.horizon == 0)

    def memory(self, depth: int | None, nodes: int | None = None) -> control.Control:
        return control.new(max_actions(type(self.state)), depth, nodes, self.block.address)

    def depths(self, limits: Limits) -> list[int | None]:
        """The depths of the iterations; None: to the end of the game, which must be finite.

        A depth alone is searched directly; a user-made tree is small and is searched to its end.
        """
        if limits.nodes is None and limits.time is None:
            return [limits.depth]
        typed = isinstance(self.state, Tree | ChanceTree) and limits.depth is None and limits.nodes is None
        return list(range(control.MAX_PLIES if typed else 1, (limits.depth or control.MAX_PLIES) + 1))

    def deepen(
        self, limits: Limits, report: Report | None = None, stop: threading.Event | None = None
    ) -> Analysis:
        """Depth by depth within the limits."""
        first = legal(self.state)[0]
        with explained(self.twin, self.native):
            value = estimate(self.state, self.block.weights) if hasattr(self.state, "evaluate") else 0
        found = self.answer(None if self.state.player() == CHANCE else first, value, 0, (first,), ended=False)

        def look(depth: int | None, _: Analysis) -> Analysis:
            memory = self.memory(depth, None if limits.nodes is None else limits.nodes - self.nodes)
            left = None if limits.time is None else self.began + limits.time - clock.perf_counter()
            with watching(left, stop, partial(_stop, memory)):
                found = self.once(depth or control.MAX_PLIES, memory)
            if depth in (None, control.MAX_PLIES):
                found = found._replace(depth=len(found.line))
            if report is not None:
                report(found)
            return found

        found = deepened(self.depths(limits), found, look, lambda found: found.proven)
        return found._replace(nodes=self.nodes, time=clock.perf_counter() - self.began)


class RunOfSeveral(Run):
    """One run of max^n, which has a value for each player."""

    def __init__(self, state: Any, search: Any, weights: Weights | None = None, past: Past = ()) -> None:
        self.me = max(state.player(), 0) if search.me is None else search.me
        super().__init__(state, search, weights, past)

    def call(self, depth: int, memory: control.Control, trace: np.ndarray | None) -> Any:
        what = kind(type(self.state))
        number = np.float64 if what.float_scores or what.chance else np.int64
        self.values = np.zeros((depth + 1) * what.players, number)
        score = self.start(self.native, depth, memory, self.values, what.players)
        self.values = self.values[-what.players :]
        return score.item() if hasattr(score, "item") else score

    def once(self, depth: int, memory: control.Control, trace: np.ndarray | None = None) -> Analysis:
        found = super().once(depth, memory, trace)
        cls, ended = type(self.state), memory.horizon == 0
        each = tuple(read_score(cls, value, ended)[0] for value in self.values.tolist())
        score = self.values[self.me].item() if len(each) > 2 else found.score
        return found._replace(values=each, score=score, proven=ended and self.certain)


Textbook.run_by, MaxN.run_by = Run, RunOfSeveral


def _stop(memory: control.Control) -> None:
    """Stop the search that uses this memory."""
    memory.limit = 0
