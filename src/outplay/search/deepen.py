"""Iterative (progressive) deepening over the engine: depth 1, 2, 3 ... until the limits are reached.

Anytime: whenever it is stopped, the answer is the last finished depth's, or better. Several threads search the
same tree over the shared table, each with its own memory (lazy SMP); the first one's answer counts.
"""

import contextlib
import threading
import time as clock
from collections.abc import Callable
from typing import Any

import numpy as np

from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.game import (
    WIN,
    Block,
    GameError,
    adopt_state,
    checked_state,
    is_terminal,
    kind,
    legal,
    max_actions,
    outcome,
    read_score,
)
from outplay.search import control, engine
from outplay.search.limits import Analysis, Limits
from outplay.search.switches import BIT, Fixed, switches
from outplay.search.table import Table, bound_of, find, index_of
from outplay.weights import Weights

MARGIN = 40  # half the first aspiration window, in points of `evaluate`
PLAY = "all -tapered -plausible"  # the switches that play


class Engine:
    """A search with a memory: the table outlives a search."""

    def __init__(
        self,
        megabytes: float = 64,
        on: str | int = PLAY,
        *,
        scheme: str = "two-tier",
        threads: int = 1,
        fixed: bool = True,
        weights: Weights | None = None,
    ) -> None:
        if not 1 <= threads <= 256:
            raise ValueError(f"threads must be 1 to 256, not {threads}")
        chosen = switches(on) if isinstance(on, str) else on
        self.on: Any = Fixed(chosen) if fixed else chosen
        self.table = Table(megabytes, scheme)
        self.threads = threads
        self.weights = weights  # of the evaluation; None: the game's own

    def prepare(self, state: Any) -> None:
        """Build the native code that a search of the state needs."""
        Run(self, adopt_state(state), Limits())

    def search(
        self,
        state: Any,
        limits: Limits,
        report: Callable[[Analysis], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Analysis:
        """The best action at a state; `report` hears of every finished depth, `stop` ends the search."""
        state = checked_state(state)
        refuse_engine(type(state))
        run = Run(self, state, limits.checked())
        if is_terminal(state):
            return run.answer(outcome(state), 0, (), ended=True, sign=1)
        self.table.grow_older()
        return run.deepen(report, stop)


def refuse_engine(cls: type) -> None:
    """Raise a GameError if the engine does not fit the game."""
    what = kind(cls)
    if what.chance:
        raise GameError(f"the engine does not fit {cls.__name__}, a game with chance\n  use expectiminimax")
    if what.hidden or what.players != 2:
        raise GameError(f"the engine does not fit {cls.__name__}: {what}")
    if what.float_scores:
        raise GameError(f"the engine needs int scores, and {cls.__name__} has floats\n  use alphabeta")


def new_memory(cls: type, table: Table, weights: int = 0) -> np.ndarray:
    """Memory for one thread; `weights` is their address."""
    plies = engine.MAX_PLY + 2
    stack = 2 * plies * (max_actions(cls) + 1)
    sizes = {
        engine.SCORES: stack,
        engine.KILLERS: 2 * plies,
        engine.HISTORY: 2 * engine.SLOTS,
        engine.COUNTERS: engine.SLOTS,
        control.LINES: plies * plies,
    }
    memory = np.zeros(control.MOVES + stack + sum(sizes.values()), np.int64)
    at = control.MOVES + stack
    for word, size in sizes.items():
        memory[word] = at
        at += size
    memory[engine.SCORES] -= control.MOVES  # so that the score of the move at i is at SCORES + i
    memory[control.WIDTH] = plies
    memory[control.LIMIT] = control.NO_LIMIT
    memory[engine.TABLE] = table.words.ctypes.data
    memory[engine.MASK] = table.mask
    memory[engine.SCHEME] = table.scheme
    memory[engine.AGE] = table.age
    memory[control.WEIGHTS] = weights
    return memory


class Run:
    """One search of one state."""

    def __init__(self, owner: Engine, state: Any, limits: Limits) -> None:
        self.owner = owner
        self.state = state
        self.limits = limits
        self.twin = twin(type(state))
        self.native = self.twin.state(state)
        self.sign = 1 if state.player() == 0 else -1
        self.block = Block(type(state), owner.weights)
        self.memories = [
            new_memory(type(state), owner.table, self.block.address) for _ in range(owner.threads)
        ]
        self.compile()
        for memory in self.memories:
            memory[engine.AGE] = owner.table.age
            memory[control.LIMIT] = control.NO_LIMIT if limits.nodes is None else limits.nodes
        self.over = False
        self.began = clock.perf_counter()

    def compile(self) -> None:
        """Build the native code before the clock starts."""
        memory = self.memories[0]
        memory[control.LIMIT] = 0
        with explained(self.twin, self.native):
            with contextlib.suppress(control.Stopped):
                engine.start(self.native, 1, -1, 1, memory, self.owner.on)
            _look_up(self.native, self.owner.table.words, self.owner.table.mask)

    @property
    def nodes(self) -> int:
        return sum(int(memory[control.NODES]) for memory in self.memories)

    def answer(
        self, score: int, depth: int, line: tuple[int, ...], ended: bool, sign: int | None = None
    ) -> Analysis:
        score *= self.sign if sign is None else sign
        value, proven = read_score(type(self.state), score, ended)
        seconds = clock.perf_counter() - self.began
        return Analysis(line[0] if line else None, value, depth, line, self.nodes, seconds, proven)

    def stop_with(self, event: threading.Event) -> None:
        """Stop when the event happens; look now and then whether there is anything left to stop."""
        while not event.wait(0.05):
            if self.over:
                return
        self.stop()

    def stop(self) -> None:
        for memory in self.memories:
            memory[control.LIMIT] = 0

    def deepen(self, report: Callable[[Analysis], None] | None, stop: threading.Event | None) -> Analysis:
        timer = None
        if self.limits.time is not None:
            timer = threading.Timer(self.limits.time, self.stop)
            timer.daemon = True
            timer.start()
        if stop is not None:
            threading.Thread(target=self.stop_with, args=(stop,), daemon=True).start()
        helpers = [threading.Thread(target=self.help, args=(i,)) for i in range(1, self.owner.threads)]
        for helper in helpers:
            helper.start()
        try:
            return self.iterate(report)
        finally:
            self.over = True
            self.stop()
            if timer is not None:
                timer.cancel()
            for helper in helpers:
                helper.join()

    def help(self, number: int) -> None:
        """A helper thread: the same iterations, every other one a ply ahead, for what they leave in the table."""
        try:
            for depth in range(1 + number % 2, engine.MAX_PLY):
                self.once(self.memories[number], depth, -control.NO_LIMIT, control.NO_LIMIT)
        except control.Stopped:
            pass

    def once(self, memory: np.ndarray, depth: int, alpha: int, beta: int) -> int:
        with explained(self.twin, self.native), control.explained(type(self.state)):
            return int(engine.start(self.native, depth, alpha, beta, memory, self.owner.on))

    def iterate(self, report: Callable[[Analysis], None] | None) -> Analysis:
        memory = self.memories[0]
        first = legal(self.state)[0]
        found = self.answer(0, 0, (first,), ended=False)
        score = 0
        for depth in range(1, (self.limits.depth or engine.MAX_PLY) + 1):
            memory[control.HORIZON] = 0
            try:
                score = self.aspire(memory, depth, score)
            except control.Stopped:
                line = self.line(memory)
                if line and depth > 1:  # better than, or as good as, the last depth's
                    found = found._replace(action=line[0], line=line)
                break
            ended = bool(memory[control.HORIZON] == 0)
            found = self.answer(score, depth, self.line(memory), ended)
            if report is not None:
                report(found)
            if found.proven and (ended or self.limits.depth is None):
                break
        return found._replace(nodes=self.nodes, time=clock.perf_counter() - self.began)

    def aspire(self, memory: np.ndarray, depth: int, score: int) -> int:
        """One iteration: with a window about the last score, wider until the score lies inside."""
        if depth < 4 or not int(self.owner.on) & BIT["aspiration"]:
            return self.once(memory, depth, -control.NO_LIMIT, control.NO_LIMIT)
        margin = MARGIN
        alpha, beta = score - margin, score + margin
        while True:
            value = self.once(memory, depth, alpha, beta)
            if alpha < value < beta:
                return value
            margin *= 4
            if value <= alpha:
                alpha = value - margin if margin < WIN else -control.NO_LIMIT
            else:
                beta = value + margin if margin < WIN else control.NO_LIMIT
            memory[control.HORIZON] = 0

    def line(self, memory: np.ndarray) -> tuple[int, ...]:
        """The principal line, continued from the table where a table entry cut it short."""
        row = int(memory[control.LINES])
        line = memory[row + 1 : row + 1 + int(memory[row])].tolist()
        state = self.state
        for action in line:
            state = state.result(action)
        seen = {state}
        while line and len(line) < engine.MAX_PLY and not is_terminal(state):
            data = int(_look_up(self.twin.state(state), self.owner.table.words, self.owner.table.mask))
            actions = legal(state)
            if data == 0 or bound_of(data) != 3 or index_of(data) >= len(actions):
                break
            action = actions[index_of(data)]
            state = state.result(action)
            if state in seen:
                break
            seen.add(state)
            line.append(action)
        return tuple(line)


@kernel
def _look_up(s: Any, array: Any, mask: int) -> int:
    """The table's data on a state."""
    return find(control.pointer(array), mask, s.hash())
