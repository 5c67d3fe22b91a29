"""`best`: pick a search that fits the game, run it within its limits, wrap the answer."""

import contextlib
import threading
import time as clock
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import Twin, twin
from outplay.compile.errors import explained
from outplay.game import (
    CHANCE,
    Block,
    GameError,
    adopt_state,
    checked_state,
    estimate,
    is_terminal,
    kind,
    legal,
    max_actions,
    offers,
    outcome,
    read_score,
)
from outplay.limits import Analysis, Limits, alarm
from outplay.search import alphabeta, control, expectiminimax, minimax
from outplay.search.deepen import Engine, refuse_depth
from outplay.search.fit import refuse
from outplay.search.rank import ranked
from outplay.search.uctplayer import UCT
from outplay.weights import Weights

DEFAULT_TIME = 1.0  # seconds, where no limit is given


class Search(NamedTuple):
    """A search by name."""

    name: str
    description: str
    start: Any  # kernel: (state, depth, memory, trace) -> value; None for those that run by themselves
    chance: bool = False  # whether it understands chance nodes
    floats: bool = True  # whether scores may be floats


SEARCHES = {
    s.name: s
    for s in (
        Search("minimax", "MAX-VALUE and MIN-VALUE over the whole tree", minimax.start),
        Search("alphabeta", "minimax without the branches that cannot matter, fail-soft", alphabeta.start),
        Search(
            "alphabeta-hard",
            "the same, fail-hard: values stay inside the window",
            alphabeta.start_hard,
        ),
        Search("engine", "alpha-beta with a table and all that makes it strong", None, floats=False),
        Search(
            "expectiminimax",
            "minimax with chance nodes: dice, failing actions",
            expectiminimax.start,
            chance=True,
        ),
        Search("uct", "Monte Carlo tree search: sampled games, upper confidence bounds", None, chance=True),
    )
}
RUNNERS: dict[str, Any] = {"engine": Engine, "uct": UCT}  # searches that run by themselves


def fitting(cls: type, name: str | None = None) -> Search:
    """The search of that name, if it fits the game's kind; the usual one where no name is given."""
    if name is None:
        name = "expectiminimax" if kind(cls).chance else "alphabeta"
    if name not in SEARCHES:
        raise ValueError(f"there is no search {name!r}; there are {', '.join(SEARCHES)}")
    search = SEARCHES[name]
    refuse(cls, search.name, chance=search.chance, floats=search.floats)
    return search


def strongest(cls: type, name: str | None = None) -> Search:
    """The search of that name; where none is given, the engine if it fits the game, else the usual one.

    A game that brings a policy for simulations but no evaluation is played by UCT.
    """
    if name is None and offers(cls, "playout") and not offers(cls, "evaluate"):
        return fitting(cls, "uct")
    if name is None:
        with contextlib.suppress(GameError):
            return fitting(cls, "engine")
    return fitting(cls, name)


def usual(cls: type, limits: Limits, lines: int = 1) -> Search:
    """The search where none is named: one line to a depth alone by the textbook's, else the strongest."""
    return fitting(cls) if lines == 1 and limits.nodes is None and limits.time is None else strongest(cls)


def best(
    state: Any,
    search: str | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    report: Callable[[Analysis], None] | None = None,
    stop: threading.Event | None = None,
    weights: Weights | None = None,
    lines: int = 1,
) -> Analysis:
    """The best action at a state and its value for MAX.

    With a depth alone, one search to that depth, as on the slides. With nodes or time, iterative deepening, by
    the engine where it fits: depth 1, 2, 3 ... until the limit is reached or the value is proven; the answer is
    the last finished depth's, or better. Without any limit, one second. A game without `evaluate` counts
    unfinished play as 0 when it is searched by nodes or time, and cannot be searched to a depth. A win outranks
    every evaluation. Where it deepens, `report` hears of every finished depth, and `stop` ends the search.
    `weights` take the place of those of the game's `evaluate`. `lines`: so many best actions, each with its value
    and line, the second and later ones in `others`: by the engine in one search, by others in one for each action.
    """
    state = checked_state(state)
    cls = type(state)
    limits = Limits(depth, nodes, time).checked()
    if limits == Limits():
        limits = Limits(time=DEFAULT_TIME)
    if lines < 1:
        raise ValueError(f"lines must be at least 1, not {lines}")
    chosen = fitting(cls, search) if search is not None else usual(cls, limits, lines)
    if lines > 1 and chosen.name != "engine" and not is_terminal(state) and state.player() != CHANCE:
        return ranked(state, lines, limits, lambda after, each: _again(after, chosen, each, stop, weights))
    if chosen.name == "engine":
        return runner("engine", weights=weights).search(state, limits, report, stop, lines=lines)
    if chosen.start is None:
        return runner(chosen.name, weights=weights).search(state, limits, report, stop)
    refuse_depth(cls, limits)
    run = Run(state, chosen, weights)
    if is_terminal(state):
        return run.answer(None, outcome(state), 0, (), ended=True)
    if limits.nodes is None and limits.time is None:
        return run.fixed(limits.depth)
    return run.deepen(limits, report, stop)


def _again(
    state: Any, search: Search, limits: Limits, stop: threading.Event | None, weights: Weights | None
) -> Analysis:
    """A position on the way, searched by itself."""
    depth, nodes, time = limits[:3]
    return best(state, search.name, depth=depth, nodes=nodes, time=time, stop=stop, weights=weights)


def runner(name: str, weights: Weights | None = None, **options: Any) -> Any:
    """A search that runs by itself: it keeps what it learns from one position to the next."""
    if weights is None:
        return RUNNERS[name](**options)
    if name == "uct":
        raise ValueError("uct plays games out and evaluates nothing: it takes no weights")
    return RUNNERS[name](weights=weights, **options)


def prepare(state: Any, search: str | None = None) -> None:
    """Compile what a search of the state will need; a GameError if it does not fit."""
    chosen = strongest(type(adopt_state(state)), search)
    if chosen.start is None:
        runner(chosen.name).prepare(state)
    else:
        Run(adopt_state(state), chosen)


class Run:
    """One run of a search on a state."""

    def __init__(self, state: Any, search: Search, weights: Weights | None = None) -> None:
        self.state = state
        self.search = search
        self.block = Block(type(state), weights)
        self.twin: Twin = twin(type(state))
        self.native = self.twin.state(state)
        self.nodes = 0
        self.compile()
        self.began = clock.perf_counter()

    def compile(self) -> None:
        """Build the native code, if it is not there yet, so that the clock measures the search alone."""
        with explained(self.twin, self.native), contextlib.suppress(control.Stopped):
            self.search.start(self.native, 1, self.memory(1, 0), None)

    def answer(
        self, action: int | None, score: Any, depth: int, line: tuple[int, ...], ended: bool
    ) -> Analysis:
        """A score as an Analysis; `ended`: every line was searched to the end of the game."""
        value, proven = read_score(type(self.state), score, ended)
        return Analysis(
            action, value, depth, line, self.nodes, clock.perf_counter() - self.began, proven, score
        )

    def once(self, depth: int, memory: np.ndarray, trace: np.ndarray | None = None) -> Analysis:
        """One search to a depth with memory prepared for it; its events go into the trace, if there is one."""
        with explained(self.twin, self.native), control.explained(type(self.state)):
            try:
                score = self.search.start(self.native, depth, memory, trace)
            finally:
                self.nodes += int(memory[control.NODES])
        line = control.line(memory, depth)
        action = line[0] if line and self.state.player() != CHANCE else None
        return self.answer(action, score, depth, line, ended=bool(memory[control.HORIZON] == 0))

    def memory(self, depth: int | None, nodes: int | None = None) -> np.ndarray:
        return control.new(max_actions(type(self.state)), depth, nodes, self.block.address)

    def left(self, seconds: float | None) -> float | None:
        """What is left of the time."""
        return None if seconds is None else self.began + seconds - clock.perf_counter()

    def fixed(self, depth: int | None) -> Analysis:
        """To the depth, or to the end of the game."""
        found = self.once(control.MAX_PLIES if depth is None else depth, self.memory(depth))
        return found if depth is not None else found._replace(depth=len(found.line))

    def deepen(
        self,
        limits: Limits,
        report: Callable[[Analysis], None] | None = None,
        stop: threading.Event | None = None,
    ) -> Analysis:
        """Iterative deepening within the limits."""
        first = legal(self.state)[0]
        value = estimate(self.state, self.block.weights) if hasattr(self.state, "evaluate") else 0
        found = self.answer(None if self.state.player() == CHANCE else first, value, 0, (first,), ended=False)
        for depth in range(1, (limits.depth or control.MAX_PLIES) + 1):
            left = None if limits.nodes is None else limits.nodes - self.nodes
            memory = self.memory(depth, left)
            try:
                with alarm(self.left(limits.time), partial(_stop, memory)), _stopped_by(stop, memory):
                    found = self.once(depth, memory)
            except control.Stopped:
                break
            if report is not None:
                report(found)
            if found.proven:
                break
        return found._replace(nodes=self.nodes, time=clock.perf_counter() - self.began)


def _stop(memory: np.ndarray) -> None:
    """Stop the search that uses this memory."""
    memory[control.LIMIT] = 0


@contextlib.contextmanager
def _stopped_by(event: threading.Event | None, memory: np.ndarray) -> Iterator[None]:
    """Stop the search that uses this memory when the event happens."""
    if event is None:
        yield
        return
    over = threading.Event()

    def watch() -> None:
        while not over.is_set():
            if event.wait(0.05):
                _stop(memory)
                return

    threading.Thread(target=watch, daemon=True).start()
    try:
        yield
    finally:
        over.set()
