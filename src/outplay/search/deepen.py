"""Iterative (progressive) deepening over the engine: depth 1, 2, 3 ... until the limits are reached.

Anytime: whenever it is stopped, the answer is the last finished depth's, or better. Several threads search the
same tree over the shared table, each with its own memory (lazy SMP); the first one's answer counts.

A win that is found with selective switches need not be the shortest: then a sooner one is looked for (sooner.py).
"""

import contextlib
import hashlib
import threading
import time as clock
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
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
    legal,
    offers,
    outcome,
    read_score,
)
from outplay.limits import Analysis, Limits
from outplay.search import control, engine, workspace
from outplay.search.fit import refuse
from outplay.search.lookup import filed
from outplay.search.sooner import Sooner
from outplay.search.switches import BIT, Fixed, switches
from outplay.search.table import EXACT, Table, bound_of, find, index_of
from outplay.weights import Weights

PLAY = "all -tapered -plausible -lookahead"  # the switches that play
PROOFS = 16  # MB at most, for the table of proofs
Report = Callable[[Analysis], None]


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
        noise: int = 0,
    ) -> None:
        if not 1 <= threads <= 256:
            raise ValueError(f"threads must be 1 to 256, not {threads}")
        chosen = switches(on) if isinstance(on, str) else on
        self.on: Any = Fixed(chosen) if fixed else chosen
        self.table = Table(megabytes, scheme)
        self.threads = threads
        self.weights = weights  # of the evaluation; None: the game's own
        self.noise = noise  # how far evaluations may be off, in points, where there are many actions
        self.seed = 0  # of the noise
        self.learned: tuple[type, list[np.ndarray]] | None = None  # the memories of the last search
        self.proofs = Table(min(megabytes / 4, PROOFS))
        self.promise: tuple[Any, int] | None = None  # after its last action it wins within so many plies

    def prepare(self, state: Any) -> None:
        """Build the native code that a search of the state needs, and have its memory ready."""
        Run(self, adopt_state(state), Limits())
        self.table.settle()

    def recall(self, path: str | Path, state: Any) -> None:
        """Know again what was kept after searches of the same game: Samuel's rote memory. No file, no memory."""
        if Path(path).exists():
            self.table.load(path, self.signature(state))

    def keep(self, path: str | Path, state: Any) -> None:
        """Write the table to a file, for later searches of the same game."""
        self.table.save(path, self.signature(state))

    def signature(self, state: Any) -> str:
        """What a kept table is good for: one game by its rules, with one set of weights."""
        cls = type(adopt_state(state))
        weights = Block(cls, self.weights).weights
        said = "" if weights is None else repr(tuple(weights.flat()))
        return f"{cls.__name__} {hashlib.sha256((twin(cls).digest + said).encode()).hexdigest()[:16]}"

    def search(
        self,
        state: Any,
        limits: Limits,
        report: Report | None = None,
        stop: threading.Event | None = None,
        *,
        past: Iterable[Any] = (),
        lines: int = 1,
        only: Sequence[int] | None = None,
    ) -> Analysis:
        """The best action at a state; `report` hears of every finished depth, `stop` ends the search.

        `past`: the states before this one that could come back, where the game knows repetition. `lines`: so many
        best actions are searched, each with its value and line: the answer has the second best and so on in
        `others`. `only`: the actions to choose among.
        """
        state = checked_state(state)
        refuse_engine(type(state))
        refuse_depth(type(state), limits)
        run = Run(self, state, limits.checked())
        if is_terminal(state):
            return run.answer(outcome(state), 0, (), ended=True, sign=1)
        run.choose_among(lines, only)
        run.remember(past)
        self.table.grow_older()
        found = run.deepen(report, stop)
        plies = run.sooner.plies_to_win(found)
        self.promise = None if plies is None else (state.result(found.action), plies - 1)
        return found


def refuse_engine(cls: type) -> None:
    """Raise a GameError if the engine does not fit the game."""
    refuse(cls, "the engine")


def refuse_depth(cls: type, limits: Limits) -> None:
    """Raise a GameError if nothing but a depth ends the search, and the game cannot say what is good there."""
    if limits == Limits(depth=limits.depth) and limits.depth is not None and not hasattr(cls, "evaluate"):
        raise GameError(
            f"{cls.__name__} has no evaluate(), so a search cannot stop at depth {limits.depth}: "
            "add evaluate(), or limit nodes or time instead"
        )


class Run:
    """One search of one state."""

    def __init__(self, owner: Engine, state: Any, limits: Limits) -> None:
        self.owner = owner
        self.state = state
        self.limits = limits
        self.lines = 1
        self.twin = twin(type(state))
        self.native = self.twin.state(state)
        self.sign = 1 if state.player() == 0 else -1
        self.block = Block(type(state), owner.weights)
        self.memories = [
            workspace.new_memory(type(state), owner.table, self.block.address) for _ in range(owner.threads)
        ]
        self.sooner = Sooner(self)
        self.compile()
        if owner.learned is not None and owner.learned[0] is type(state):
            for memory, earlier in zip(self.memories, owner.learned[1], strict=False):
                workspace.inherit(memory, earlier)
        for memory in self.memories:
            memory[workspace.AGE] = owner.table.age
            memory[workspace.NOISE] = owner.noise
            memory[workspace.SEED] = owner.seed
            memory[control.LIMIT] = control.NO_LIMIT if limits.nodes is None else limits.nodes
        self.actions = legal(state)
        self.never: list[int] = []  # actions that may not be chosen
        self.unit = getattr(type(state), "unit", 100)
        self.over = False
        self.stopped = False
        self.began = clock.perf_counter()

    def compile(self) -> None:
        """Build the native code before the clock starts."""
        memory = self.memories[0]
        memory[control.LIMIT] = 0
        with explained(self.twin, self.native):
            with contextlib.suppress(control.Stopped):
                engine.start(self.native, 1, -1, 1, memory, self.owner.on, None)
            _complete_line(self.native, memory, self.owner.on)
            _key(self.native, memory, self.owner.on)
        self.sooner.compile()

    def choose_among(self, lines: int, only: Sequence[int] | None) -> None:
        """How many best actions to search, and which ones may be chosen."""
        if lines < 1:
            raise ValueError(f"lines must be at least 1, not {lines}")
        if only is not None:
            illegal = [action for action in only if action not in self.actions]
            if illegal or not only:
                raise ValueError(f"not legal here: {illegal}" if illegal else "no actions to choose among")
            self.never = [action for action in self.actions if action not in only]
            self.actions = [action for action in self.actions if action in only]
        self.lines = min(lines, len(self.actions))
        for memory in self.memories:
            self.ban(memory, [])

    def ban(self, memory: np.ndarray, actions: list[int]) -> None:
        """Leave these actions out at the root, beside those that may not be chosen at all."""
        workspace.ban(memory, self.never + actions)

    def remember(self, past: Iterable[Any]) -> None:
        """Let the search know which positions may not come back."""
        if not getattr(type(self.state), "repetition", 0):
            return
        keys = [self.identity(state) for state in past]
        for memory in self.memories:
            workspace.remember(memory, keys)

    def identity(self, state: Any) -> int:
        """The key by which a position is known again."""
        return int(_key(self.twin.state(state), self.memories[0], self.owner.on))

    @property
    def nodes(self) -> int:
        return sum(int(memory[control.NODES]) for memory in self.memories)

    @property
    def seconds(self) -> float:
        return clock.perf_counter() - self.began

    def answer(
        self, score: int, depth: int, line: tuple[int, ...], ended: bool, sign: int | None = None
    ) -> Analysis:
        score *= self.sign if sign is None else sign
        value, proven = read_score(type(self.state), score, ended)
        deepest = max(int(memory[workspace.DEEPEST]) for memory in self.memories)
        return Analysis(
            line[0] if line else None, value, depth, line, self.nodes, self.seconds, proven, score, deepest
        )

    def stop_with(self, event: threading.Event) -> None:
        """Stop when the event happens; look now and then whether there is anything left to stop."""
        while not event.wait(0.05):
            if self.over:
                return
        self.stop()

    def stop(self) -> None:
        for memory in self.memories:
            memory[control.LIMIT] = 0

    def deepen(self, report: Report | None, stop: threading.Event | None) -> Analysis:
        timer = None
        soft, hard = self.limits.allowance()
        if hard is not None:
            timer = threading.Timer(max(0.0, hard - self.seconds), self.stop)
            timer.daemon = True
            timer.start()
        if stop is not None:
            threading.Thread(target=self.stop_with, args=(stop,), daemon=True).start()
        helpers = [threading.Thread(target=self.help, args=(i,)) for i in range(1, self.owner.threads)]
        for helper in helpers:
            helper.start()
        try:
            return self.iterate(report, soft)
        finally:
            self.over = True
            self.stop()
            self.owner.learned = type(self.state), self.memories
            if timer is not None:
                timer.cancel()
            for helper in helpers:
                helper.join()

    def depths(self) -> list[int]:
        """The depths of the iterations: 1, 2, 3 ..., or from two thirds of the way straight to the end."""
        every = list(range(1, (self.limits.depth or workspace.MAX_PLY) + 1))
        known = offers(type(self.state), "plies_left") and int(self.owner.on) & BIT["straight"]
        if not known or self.limits.depth is not None:
            return every
        return [*every[: 2 * self.state.plies_left() // 3], workspace.MAX_PLY]

    def help(self, number: int) -> None:
        """A helper thread: the same iterations, every other one a ply ahead, for what they leave in the table."""
        with contextlib.suppress(control.Stopped):
            for depth in self.depths()[number % 2 :]:
                self.once(self.memories[number], depth, -control.NO_LIMIT, control.NO_LIMIT)

    def once(self, memory: np.ndarray, depth: int, alpha: int, beta: int, trace: Any = None) -> int:
        with explained(self.twin, self.native), control.explained(type(self.state)):
            return int(engine.start(self.native, depth, alpha, beta, memory, self.owner.on, trace))

    def iterate(self, report: Report | None, soft: float | None) -> Analysis:
        """Depth by depth; `soft`: seconds after which no new depth is begun."""
        first = self.answer(0, 0, (self.actions[0],), ended=False)
        found = [self.sooner.than(first, report)]
        settled = 0  # finished depths with the same action
        for depth in self.depths() if found[0] is first else []:
            before = found
            found = self.iteration(depth, before, report)
            found[0] = self.sooner.than(found[0], report)
            if self.stopped:
                break
            settled = settled + 1 if found[0].action == before[0].action else 0
            if all(self.is_settled(f) for f in found) and (found[0].ended or self.limits.depth is None):
                break
            if soft is not None and self.seconds > soft * self.patience(settled, before[0], found[0]):
                break
        if self.limits.clock is None and (self.limits.time or self.limits.nodes):
            found[0] = self.sooner.than(found[0], report, at_length=True)
        best, *others = found
        return best._replace(nodes=self.nodes, time=self.seconds, others=tuple(others))

    def is_settled(self, found: Analysis) -> bool:
        """Whether a deeper search would find nothing new.

        A table knows no past, so a win that it remembers may lead in circles: where positions count, the search must
        have gone as far as the win itself.
        """
        repeats = getattr(type(self.state), "repetition", 0)
        if self.sooner.breaks_promise(found):
            return False
        return found.proven and (not repeats or found.ended or found.depth >= WIN - abs(found.score))

    def patience(self, settled: int, before: Analysis, found: Analysis) -> float:
        """How much more, or less, than its share a move is worth thinking about."""
        if self.limits.clock is not None and len(self.actions) == 1:
            return 0.0
        falling = min(max(self.sign * (before.score - found.score), 0), self.unit) / self.unit
        return max(0.5, 1.4 - 0.15 * settled) + 0.8 * falling

    def iteration(self, depth: int, before: list[Analysis], report: Report | None) -> list[Analysis]:
        """The best actions at one depth, each searched without those before it; the old ones if it was stopped."""
        memory = self.memories[0]
        found: list[Analysis] = []
        for number in range(self.lines):
            last = before[number].score * self.sign if number < len(before) else 0
            self.ban(memory, [int(f.line[0]) for f in found])
            memory[control.HORIZON] = 0
            try:
                score = self.aspire(memory, depth, last)
            except control.Stopped:
                self.stopped = True
                line = self.line(memory)
                if line and depth > 1 and not found:  # better than, or as good as, the last depth's
                    return [before[0]._replace(action=line[0], line=line), *before[1:]]
                return before if not found else self.merged(found, before)
            ended = bool(memory[control.HORIZON] == 0)
            reached = int(memory[workspace.DEEPEST]) if depth == workspace.MAX_PLY else depth
            analysis = self.answer(score, reached, self.line(memory), ended)._replace(
                number=number + 1, ended=ended
            )
            found.append(analysis)
            if report is not None:
                report(analysis)
        if len(found) > 1:  # another order may be found on the way
            found.sort(key=lambda f: -self.sign * f.score)
        return found

    @staticmethod
    def merged(found: list[Analysis], before: list[Analysis]) -> list[Analysis]:
        """What this depth has found, then the rest as of the last one."""
        known = {f.action for f in found}
        rest = [f for f in before if f.action not in known][: len(before) - len(found)]
        return [*found, *rest]

    def aspire(self, memory: np.ndarray, depth: int, score: int) -> int:
        """One iteration: with a window about the last score, wider until the score lies inside."""
        if depth < 4 or not int(self.owner.on) & BIT["aspiration"]:
            return self.once(memory, depth, -control.NO_LIMIT, control.NO_LIMIT)
        margin = max(1, self.unit // 4)
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
        if memory[row]:
            _complete_line(self.native, memory, self.owner.on)
        return tuple(memory[row + 1 : row + 1 + int(memory[row])].tolist())


@kernel
def _key(s: Any, array: Any, on: Any) -> int:
    """The key under which the table files a state."""
    return filed(s, control.MOVES, control.pointer(array), on)[0]


@kernel
def _complete_line(s: Any, array: Any, on: Any) -> None:
    """Go on with the line of best play as long as the table knows an exact value, and no position comes back."""
    memory = control.pointer(array)
    row = memory[control.LINES]
    keys = memory[workspace.KEYS]
    length = memory[row]
    memory[keys] = filed(s, control.MOVES, memory, on)[0]
    for i in range(1, length + 1):
        s = s.result(memory[row + i])
        memory[keys + i] = filed(s, control.MOVES, memory, on)[0]
    while length < workspace.MAX_PLY - 1 and not s.terminal():
        key, upright = filed(s, control.MOVES, memory, on)
        data = find(engine.words_at(memory[workspace.TABLE]), memory[workspace.MASK], key)
        n = engine.generate(s, control.MOVES, memory, on)
        if not upright or data == 0 or bound_of(data) != EXACT or index_of(data) >= n:
            break
        action = memory[control.MOVES + index_of(data)]
        s = s.result(action)
        key = filed(s, control.MOVES, memory, on)[0]
        comes_back = False
        for i in range(length + 1):
            comes_back = comes_back or memory[keys + i] == key
        if comes_back:
            break
        length += 1
        memory[row + length] = action
        memory[keys + length] = key
    memory[row] = length
