"""Iterative (progressive) deepening with the engine: depth 1, 2, 3 ... until the limits are reached.

Anytime: whenever it is stopped, it returns the result of the last completed depth, or better. Several threads search
the same tree with a shared table, each with its own memory (lazy SMP); the first thread's result counts.

A win found with selective switches need not be the shortest: a shorter one is then searched for (shorter.py).
"""

import contextlib
import hashlib
import math
import threading
import time as clock
import weakref
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.game import (
    CHANCE,
    FORBIDDEN,
    WIN,
    Block,
    adopt_state,
    kind,
    legal,
    offers,
    read_score,
)
from outplay.limits import Analysis, Limits, watching
from outplay.search.engine import negamax, workspace
from outplay.search.engine.endings import Endings
from outplay.search.engine.shorter import Sooner
from outplay.search.engine.switches import BIT, Fixed, fitting, switches
from outplay.search.engine.table import Table
from outplay.search.engine.variation import complete_line, identity_at_root
from outplay.search.engine.workspace import Workspace
from outplay.search.protocol import control
from outplay.search.protocol.deepening import deepened
from outplay.search.protocol.options import WEIGHTS, Options, real, switch, text, whole
from outplay.search.protocol.request import Report, Request
from outplay.search.protocol.search import Search
from outplay.search.trace.trace import Trace, refuse_depth, traced
from outplay.weights import Weights

PLAY = "default"  # the switches used for play
PROOFS = 16  # maximum MB for the table of proofs


class Engine(Search):
    """A search whose transposition table persists between searches."""

    name = "engine"
    about = "alpha-beta with a transposition table and all enhancements"
    source = "given for each switch"
    chance = True
    floats = False
    repeats = True
    selective = True
    finds_lines = True
    traces = True
    traced_by = ("on", "weights")
    options: ClassVar[Options] = {
        **WEIGHTS,
        "hash": real("megabytes", "size of the transposition table in MB"),
        "threads": whole("threads", "number of threads"),
        "on": text("on", "switches and sets of switches"),
        "fixed": switch("fixed", "1: compile the switches in; 0: read them at run time, which is slower"),
        "tables": text("tables", "a folder with endgame tables (outplay table build)"),
    }

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
        tables: str = "",
    ) -> None:
        if not 1 <= threads <= 256:
            raise ValueError(f"threads must be 1 to 256, not {threads}")
        chosen = switches(on) if isinstance(on, str) else on
        self.on: Any = Fixed(chosen) if fixed else chosen
        self.megabytes, self.scheme = megabytes, scheme
        self.table = Table(megabytes, scheme)
        self.threads = threads
        self.weights = weights  # for the evaluation; None: the game's own
        self.endings = Endings(tables) if tables else None
        self.noise = noise  # random error of the evaluation, in points, in positions with many actions
        self.seed = 0  # for the noise
        self.learned: tuple[type, list[Workspace]] | None = None  # the memories of the last search
        self.proofs = Table(min(megabytes / 4, PROOFS))
        self.promise: tuple[Any, int] | None = None  # a state, and the plies to its win
        self.run: Run | None = None  # the current or last search

    def prepare(self, state: Any) -> None:
        """Compile the native code that a search of the state needs, and allocate its memory."""
        state = adopt_state(state)
        self.refuse(type(state))
        Run(self, state, Limits())
        self.table.settle()

    def recall(self, path: str | Path, state: Any) -> None:
        """Load the table saved after searches of the same game, if the file exists: Samuel's rote memory."""
        if Path(path).exists():
            self.table.load(path, self.signature(state))

    def keep(self, path: str | Path, state: Any) -> None:
        """Write the table to a file, for later searches of the same game."""
        self.table.save(path, self.signature(state))

    def signature(self, state: Any) -> str:
        """The key of a saved table: a game with its rules and weights."""
        cls = type(adopt_state(state))
        weights = Block(cls, self.weights).weights
        said = "" if weights is None else repr(tuple(weights.flat()))
        return f"{cls.__name__} {hashlib.sha256((twin(cls).digest + said).encode()).hexdigest()[:16]}"

    def think(self, asked: Request, only: Sequence[int] | None = None) -> Analysis:
        """The best action; `report` is called after every completed depth.

        `only`: the actions to choose from.
        """
        state = asked.state
        if self.endings is not None and only is None:
            found = self.endings.known(state, asked.lines)
            if found is not None:
                if asked.report is not None:
                    asked.report(found)
                return found
            only = self.endings.holding(state) if asked.lines == 1 else None
        if only is None and getattr(type(state), "repetition", 0) == FORBIDDEN:
            only = asked.record.legal()
        self.run = run = Run(self, state, asked.limits)
        run.choose_among(asked.lines, only)
        run.remember(asked.past)
        self.table.grow_older()
        found = run.deepen(asked.report, asked.stop)
        plies = run.sooner.plies_to_win(found)
        self.promise = None if plies is None else (state.result(found.action), plies - 1)
        return found

    def forget(self) -> None:
        self.table = Table(self.megabytes, self.scheme)
        self.proofs = Table(min(self.megabytes / 4, PROOFS))
        self.learned = self.promise = self.run = None

    @property
    def nodes(self) -> int:
        return 0 if self.run is None else self.run.nodes

    @classmethod
    def prover(cls, megabytes: float) -> "Engine":
        return cls(megabytes, "exact")

    def trace(self, state: Any, limits: Limits, game: str, most: int) -> Trace:
        """The last iteration of a depth, after earlier ones have filled a small table."""
        depth = limits.depth
        if depth is None or limits != Limits(depth=depth):
            raise ValueError("a trace of the engine needs a depth")
        refuse_depth(type(state), depth)

        def once(rows: np.ndarray) -> int:
            engine = Engine(1, int(self.on), fixed=False, weights=self.weights)
            run = Run(engine, state, Limits())
            memory = run.memories[0]
            for shallower in range(1, depth):
                run.once(memory, shallower, -control.NO_LIMIT, control.NO_LIMIT)
            run.once(memory, depth, -control.NO_LIMIT, control.NO_LIMIT, rows)
            return memory.events

        return traced(state, self.name, depth, game, once, most)


class Run:
    """One search of one state."""

    def __init__(self, owner: Engine, state: Any, limits: Limits) -> None:
        self.owner = weakref.proxy(owner)  # no reference cycle: memory is freed at once
        self.state = state
        self.limits = limits
        self.lines = 1
        self.twin = twin(type(state))
        self.native = self.twin.state(state)
        self.sign = -1 if state.player() == 1 else 1
        self.on = fitting(owner.on, kind(type(state)).chance)
        self.block = Block(type(state), owner.weights)
        self.memories = [
            workspace.new_memory(type(state), owner.table, self.block.address) for _ in range(owner.threads)
        ]
        self.sooner = Sooner(self)
        self.compile()
        if owner.learned is not None and owner.learned[0] is type(state):
            for memory, earlier in zip(self.memories, owner.learned[1], strict=False):
                workspace.inherit(memory, earlier)
        for number, memory in enumerate(self.memories):
            memory.age = owner.table.age
            memory.noise = owner.noise
            memory.shelf = owner.endings.shelf(type(state)).address if owner.endings is not None else 0
            memory.seed = owner.seed
            memory.limit = self.share(number)
        self.actions = legal(state)
        self.never: list[int] = []  # actions that may not be chosen
        self.unit = getattr(type(state), "unit", 100)
        self.stopped = False
        self.began = clock.perf_counter()

    def share(self, number: int) -> int:
        """A thread's share of the node limit."""
        if self.limits.nodes is None:
            return control.NO_LIMIT
        return (self.limits.nodes + self.owner.threads - 1 - number) // self.owner.threads

    def compile(self) -> None:
        """Compile the native code before the clock starts."""
        memory = self.memories[0]
        memory.limit = 0
        with explained(self.twin, self.native), control.explained(type(self.state)):
            with contextlib.suppress(control.Stopped):
                negamax.start(self.native, 1, -1, 1, memory, self.on, None)
            complete_line(self.native, memory, self.on)
            identity_at_root(self.native)
        self.sooner.compile()

    def choose_among(self, lines: int, only: Sequence[int] | None) -> None:
        """Set the number of lines to search, and the actions to choose from."""
        if only is not None:
            illegal = [action for action in only if action not in self.actions]
            if illegal or not only:
                raise ValueError(f"not legal here: {illegal}" if illegal else "no actions to choose among")
            self.never = [action for action in self.actions if action not in only]
            self.actions = [action for action in self.actions if action in only]
        self.lines = 1 if self.state.player() == CHANCE else min(lines, len(self.actions))
        for memory in self.memories:
            self.ban(memory, [])

    def ban(self, memory: Workspace, actions: list[int]) -> None:
        """Exclude these actions at the root, in addition to those never allowed."""
        workspace.ban(memory, self.never + actions)

    def remember(self, past: Iterable[Any]) -> None:
        """Pass the history to the search: positions that may repeat, and those where one more occurrence is a draw.

        Table entries hold for one set of such draws: another set uses other keys.
        """
        often = getattr(type(self.state), "repetition", 0)
        if often <= 0:
            return
        identities = [int(identity_at_root(self.twin.state(state))) for state in past]
        times = Counter(identities)
        draws = sorted(identity for identity in times if times[identity] >= often - 1)
        for memory in self.memories:
            workspace.remember(memory, identities)
            memory.salt = hash(tuple(draws)) >> 1 if draws else 0

    @property
    def nodes(self) -> int:
        return sum(memory.nodes for memory in self.memories)

    @property
    def tbhits(self) -> int:
        """Positions found in endgame tables."""
        return sum(memory.tbhits for memory in self.memories)

    @property
    def seconds(self) -> float:
        return clock.perf_counter() - self.began

    def answer(
        self, score: int, depth: int, line: tuple[int, ...], ended: bool, sign: int | None = None
    ) -> Analysis:
        score *= self.sign if sign is None else sign
        value, proven = read_score(type(self.state), score, ended)
        forbidden = getattr(type(self.state), "repetition", 0) == FORBIDDEN  # superko: not supported
        proven = proven and not forbidden
        deepest = max(memory.deepest for memory in self.memories)
        return Analysis(
            line[0] if line else None,
            value,
            depth,
            line,
            self.nodes,
            self.seconds,
            proven,
            score,
            deepest,
            tbhits=self.tbhits,
        )

    def stop(self) -> None:
        for memory in self.memories:
            memory.limit = 0

    def deepen(self, report: Report | None, stop: threading.Event | None) -> Analysis:
        soft, hard = self.limits.allowance()
        helpers = [threading.Thread(target=self.help, args=(i,)) for i in range(1, self.owner.threads)]
        with watching(None if hard is None else hard - self.seconds, stop, self.stop):
            for helper in helpers:
                helper.start()
            try:
                return self.iterate(report, soft)
            finally:
                self.stop()
                self.owner.learned = type(self.state), self.memories
                for helper in helpers:
                    helper.join()

    def depths(self) -> list[int]:
        """The depths of the iterations: 1, 2, 3 ..., or after two thirds of the plies left straight to the end."""
        every = list(range(1, (self.limits.depth or workspace.MAX_PLY) + 1))
        known = offers(type(self.state), "plies_left") and int(self.on) & BIT["straight"]
        if not known or self.limits.depth is not None:
            return every
        return [*every[: 2 * self.state.plies_left() // 3], workspace.MAX_PLY]

    def help(self, number: int) -> None:
        """A helper thread: the same iterations, every other thread a ply ahead, to fill the table."""
        with contextlib.suppress(control.Stopped):
            for depth in self.depths()[number % 2 :]:
                self.once(self.memories[number], depth, -control.NO_LIMIT, control.NO_LIMIT)

    def once(self, memory: Workspace, depth: int, alpha: int, beta: int, trace: Any = None) -> int:
        with explained(self.twin, self.native), control.explained(type(self.state)):
            return int(negamax.start(self.native, depth, alpha, beta, memory, self.on, trace))

    def iterate(self, report: Report | None, soft: float | None) -> Analysis:
        """Depth by depth; `soft`: seconds after which no new depth is started."""
        first = self.answer(0, 0, (self.actions[0],), ended=False)
        found = [self.sooner.than(first, report)]
        settled, patience = (
            0,
            math.inf,
        )  # completed depths with the same action; scaling of `soft`

        def look(depth: int | None, before: list[Analysis]) -> list[Analysis]:
            nonlocal settled, patience
            assert depth is not None
            found = self.iteration(depth, before, report)
            found[0] = self.sooner.than(found[0], report)
            settled = settled + 1 if found[0].action == before[0].action else 0
            patience = self.patience(settled, before[0], found[0])
            return found

        def is_enough(found: list[Analysis]) -> bool:
            if (
                self.stopped
                or all(map(self.is_settled, found))
                and (found[0].ended or self.limits.depth is None)
            ):
                return True
            return soft is not None and self.seconds > soft * patience

        found = deepened(self.depths() if found[0] is first else [], found, look, is_enough)
        if self.limits.clock is None and (self.limits.time or self.limits.nodes):
            found[0] = self.sooner.than(found[0], report, at_length=True)
        best, *others = found
        return best._replace(nodes=self.nodes, time=self.seconds, others=tuple(others))

    def is_settled(self, found: Analysis) -> bool:
        """Whether a deeper search would find nothing new.

        A table ignores the history, so a win stored in it may lead in circles: in games with repetition the search
        must have been as deep as the win itself.
        """
        repeats = getattr(type(self.state), "repetition", 0)
        if self.sooner.breaks_promise(found):
            return False
        return found.proven and (not repeats or found.ended or found.depth >= WIN - abs(found.score))

    def patience(self, settled: int, before: Analysis, found: Analysis) -> float:
        """The factor by which to scale the time for a move."""
        if self.limits.clock is not None and len(self.actions) == 1:
            return 0.0
        falling = min(max(self.sign * (before.score - found.score), 0), self.unit) / self.unit
        return max(0.5, 1.4 - 0.15 * settled) + 0.8 * falling

    def iteration(self, depth: int, before: list[Analysis], report: Report | None) -> list[Analysis]:
        """The best actions at one depth, each searched without the earlier ones; the old ones if it was stopped.

        Several lines are reported once all of them are known, the best first.
        """
        memory = self.memories[0]
        found: list[Analysis] = []
        for number in range(self.lines):
            last = before[number].score * self.sign if number < len(before) else 0
            self.ban(memory, [int(f.line[0]) for f in found])
            memory.horizon = 0
            try:
                score = self.aspire(memory, depth, last)
            except control.Stopped:
                self.stopped = True
                line = self.line(memory)
                if line and depth > 1 and self.lines == 1:  # better than, or as good as, the last depth's
                    proven = before[0].proven and line[0] == before[0].action
                    return [before[0]._replace(action=line[0], line=line, proven=proven)]
                return before if len(before) == self.lines or not found else self.in_order(found)
            ended = memory.horizon == 0
            reached = memory.deepest if depth == workspace.MAX_PLY else depth
            analysis = self.answer(score, reached, self.line(memory), ended)._replace(ended=ended)
            found.append(self.like_its_image(analysis, found))
        found = self.in_order(found)
        if report is not None:
            report(found[0]._replace(others=tuple(found[1:])))
        return found

    def in_order(self, found: list[Analysis]) -> list[Analysis]:
        """Lines sorted by value, the best first, and numbered.

        The value of the first is the position's. Where another line was found before it, that is proven only if theirs
        are, or if it wins.
        """
        first, *others = sorted(found, key=lambda f: -self.sign * f.score)
        wins = self.sooner.plies_to_win(first) is not None
        sure = wins or first is found[0] or all(line.proven for line in found)
        lines = [first._replace(proven=first.proven and sure), *others]
        return [analysis._replace(number=number) for number, analysis in enumerate(lines, 1)]

    def like_its_image(self, analysis: Analysis, found: list[Analysis]) -> Analysis:
        """A line with the value of an earlier one that begins with the mirror image of its action, if there is one.

        Their values are equal, though selective searches may return different numbers.
        """
        image = self.image(analysis.action)
        twin = next((f for f in found if self.image(f.action) == image), analysis)
        return analysis._replace(
            value=twin.value, score=twin.score, depth=twin.depth, proven=twin.proven, ended=twin.ended
        )

    def image(self, action: int | None) -> Any:
        """A key that an action shares with its mirror images; if the history counts, they differ."""
        cls = type(self.state)
        if action is None or not offers(cls, "symmetries") or hasattr(cls, "repetition"):
            return action
        after = self.state.result(action)
        return after.player(), min(after.symmetries())

    def aspire(self, memory: Workspace, depth: int, score: int) -> int:
        """One iteration: with a window around the last score, widened until the score lies inside."""
        if depth < 4 or not int(self.on) & BIT["aspiration"]:
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
            memory.horizon = 0

    def line(self, memory: Workspace) -> tuple[int, ...]:
        """The principal variation, continued from the table where a table entry cut it short."""
        if memory.lines[0]:
            with explained(self.twin, self.native), control.explained(type(self.state)):
                complete_line(self.native, memory, self.on)
        return control.line(memory, 0)
