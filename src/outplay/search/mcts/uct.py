"""UCT within limits: threads, the final choice, and tree reuse from move to move.

Each thread grows its own tree with different random numbers, and their roots are added up (root parallelism):
threads never wait for each other, and the same seed gives the same result.
"""

import itertools
import math
import threading
import time as clock
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, ClassVar, Self

import numpy as np

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.game import (
    CHANCE,
    FORBIDDEN,
    GameError,
    brings_back,
    depends_on_past,
    has_fractions,
    identity,
    is_terminal,
    kind,
    max_actions,
    offers,
    worth,
)
from outplay.limits import Analysis, Limits, watching
from outplay.search.mcts.choice import (
    Child,
    all_visits,
    child_by,
    children_in,
    children_of,
    chosen,
    descend,
    merged,
)
from outplay.search.mcts.grow import grow, largest
from outplay.search.mcts.playout import LONGEST, Endless, plain_random_bits
from outplay.search.mcts.settings import Growth, Settings
from outplay.search.mcts.tree import ROOT, Tree, clear, keep, past_keys, tree_of
from outplay.search.protocol import control
from outplay.search.protocol.options import Options, real, switch, text, whole
from outplay.search.protocol.request import Past, Request
from outplay.search.protocol.search import Search
from outplay.words import wrap

GAMES = 100  # random games that estimate the range of utilities, if the class does not declare it
NO_LIMIT = control.NO_LIMIT
FIRST_REPORT = 0.05  # seconds
ROUNDED = 1e-9  # of a reward is lost at most, where a utility is not a power of two
DEFAULTS = Settings()


class UCT(Search):
    """UCT whose tree persists between searches."""

    name = "uct"
    about = "Monte Carlo tree search: sampled games, upper confidence bounds"
    source = "Kocsis & Szepesvári 2006; Coulom 2006"
    chance = True
    samples = True
    finds_lines = True
    traces = True
    options_as = Settings
    options: ClassVar[Options] = {
        "c": real("c", "the exploration constant C (0.7, or the game's own)"),
        "memory": real("memory", "size of the tree in MB"),
        "threads": whole("threads", "number of threads, each with its own tree"),
        "seed": whole("seed", "seed for the random games"),
        "solver": switch("solver", "1: back up proven values (MCTS-Solver)"),
        "rave": real("rave", "the equivalence parameter of RAVE; 0: off (0, or the game's own)"),
        "prior": real("prior", "how many visits the game's prior counts as (10, or the game's own)"),
        "expand": whole("expand", "visits of a node before its children are created (1, or the game's own)"),
        "hints": switch("hints", "1: use the game's own playout, prior and settings"),
        "choice": text("choice", "the final choice: robust, max, max-robust or secure"),
        "score": real("score", "the utility that earns the full reward; 0: only winning counts"),
    }

    def __init__(self, settings: Settings = DEFAULTS) -> None:
        self.settings = settings.checked()
        self.trees: list[Tree] = []
        self.cls: type | None = None
        self.state: Any = None  # the root; None: no tree yet
        self.game: tuple[Any, tuple[int, ...]] | None = None  # start and actions of the current game

    # --- what a player asks ---

    def follow(self, start: Any, actions: tuple[int, ...]) -> None:
        """Follow a game to its current position: keep that subtree, discard the rest."""
        before, self.game = self.game, (start, actions)
        if before is None or before[0] != start or before[1] != actions[: len(before[1])]:
            self.forget()
        if self.state is None:
            return
        since = actions[len(before[1]) :] if before else ()
        for action in since:
            self.state = self.state.result(action)
        for tree in self.trees:
            descend(tree, since)

    def forget(self) -> None:
        """Start the next search with an empty tree."""
        self.state = None

    @property
    def full(self) -> int:
        """The number of trees that ran out of memory: with more memory the search would be better."""
        return sum(tree.full > 0 for tree in self.trees)

    def prepare(self, state: Any) -> None:
        """Compile the native code that a search of the state, and following a game after it, needs."""
        self.search(state, Limits(nodes=1))
        if self.trees:
            keep(self.trees[0], ROOT)
        self.forget()

    def think(self, asked: Request) -> Analysis:
        """The best action; `report` is called with intermediate results.

        `lines`: the number of actions to return, the other ones as `others`, most visited first. Forbidden repetitions
        are not chosen; if repeating an earlier position is a draw, values that this may change are not called proven.
        `nodes` limits the iterations, which come on top of the earlier ones in a reused tree.
        """
        limits, state = asked.limits.timed(), asked.state
        report, stop, lines, choice = asked.report, asked.stop, asked.lines, self.settings.choice
        if limits == Limits() and stop is None:
            raise ValueError("uct searches forever: limit it by nodes or time")
        self.follow(asked.record.start, asked.record.actions)
        self.begin(state)
        self.remember(asked.past)
        run = Run(self, state, asked.past)
        for nodes, seconds in phases(limits, choice, report is not None):
            run.grow(nodes, seconds, stop)
            if not run.nodes:  # the time was up before it began; there must be a result
                run.grow(1, None, None)
            if run.over(stop) or choice == "max-robust" and run.agreed():
                break
            may_decide = choice == "robust" and lines == 1 and limits.nodes is None
            if may_decide and run.decided(limits.time, seconds):
                break
            if report is not None:
                report(run.answer(lines))
        return run.answer(lines)

    @property
    def nodes(self) -> int:
        return sum(tree.nodes for tree in self.trees)

    @property
    def passed(self) -> int:
        return sum(all_visits(tree) for tree in self.trees)

    def visits(self) -> dict[int, int]:
        if self.state is None:
            return {}
        return {child.action: child.visits for child in children_of(self.trees, ROOT, self.state.player())}

    def trace(self, state: Any, limits: Limits, game: str, most: int) -> Any:
        """Every step of the iterations; `nodes` is their number."""
        from outplay.search.mcts.trace import traced  # runs the plain version of this search

        return traced(self, state, limits, game)

    @classmethod
    def refuse_limits(cls, game: type, limits: Limits) -> None:
        if limits.depth is not None:
            raise ValueError(f"{cls.name} takes no depth: limit it by nodes or time")

    @classmethod
    def prover(cls, megabytes: float) -> Self:
        raise ValueError(f"{cls.name} samples, so it cannot promise a proof: use another search")

    # --- the trees ---

    def begin(self, state: Any) -> None:
        """Trees with this state at the root: the existing ones, if it is theirs, else new ones."""
        cls = type(state)
        if self.cls is not cls or self.state != state:
            if not self.trees or self.cls is not cls:
                chosen, threads = self.settings.parameters(cls), self.settings.threads
                self.trees = [
                    tree_of(cls, self.settings.memory / threads, chosen.rave > 0, chosen.prior > 0)
                    for _ in range(threads)
                ]
            self.cls, self.state = cls, state
            growth = self.growth(state)
            for number, tree in enumerate(self.trees):
                set_up(tree, growth, seed_of(self.settings.seed, number))

    def growth(self, state: Any) -> Growth:
        """The growth settings for trees of a state."""
        hinted = self.settings.hints and offers(type(state), "playout")
        scale, bounds = self.rewards(state)
        return Growth(*self.settings.parameters(type(state)), self.settings.solver, hinted, scale, bounds)

    def remember(self, past: Iterable[Any]) -> None:
        """Pass the positions that may not repeat to the trees."""
        cls: Any = self.cls
        if getattr(cls, "repetition", 0) != FORBIDDEN:
            return
        (keys,) = past_keys(twin(cls), [past])
        for tree in self.trees:
            tree.past = len(keys)
            tree.array("keys")[: len(keys)] = keys

    def rewards(self, state: Any) -> tuple[float, tuple[float, float]]:
        """The utility that counts as reward 1 (0: any win), and the bounds of rewards."""
        cls = type(state)
        points = getattr(cls, "points", False) and kind(cls).players > 1  # one player has nobody to beat
        win, score = getattr(cls, "win", None), self.settings.score
        if score == 0 or score is None and points:
            return 0.0, (0.0, 1.0)
        if score is not None:
            return score * worth(cls), (-math.inf, math.inf)
        if win is not None:
            return float(win * worth(cls)), (0.0, 1.0)
        compiled = twin(cls)
        native = compiled.state(state)
        with explained(compiled, native), endless(cls), control.explained(cls):
            most = float(largest(native, GAMES, np.zeros(max_actions(cls) + 1, np.int64)))
        power = 2.0 ** math.ceil(math.log2(most or 1))  # so that rewards are exact
        return power, (-math.inf, math.inf)


class Run:
    """One search of one state."""

    def __init__(self, owner: UCT, state: Any, past: Past) -> None:
        self.owner, self.state = owner, state
        cls, so_far = type(state), (*past, state)
        self.certain = knows_past(cls, so_far)
        forbids = getattr(cls, "repetition", 0) == FORBIDDEN
        self.seen = {identity(each) for each in so_far} if forbids else set()
        self.twin = twin(type(state))
        self.native = self.twin.state(state)
        self.halted = False
        for tree in owner.trees:
            tree.nodes = tree.limit = tree.deepest = 0
        self.native_grow(owner.trees[0])  # with a limit of 0: compiles before the clock starts
        self.began = clock.perf_counter()

    def native_grow(self, tree: Tree) -> None:
        with (
            explained(self.twin, self.native),
            control.explained(type(self.state)),
            endless(type(self.state)),
        ):
            grow(self.native, tree)

    def grow(self, nodes: int | None, seconds: float | None, stop: threading.Event | None) -> None:
        """Iterate until a number of iterations are done since the search began, or a number of seconds have passed."""
        trees = self.owner.trees
        for number, tree in enumerate(trees):
            share = NO_LIMIT if nodes is None else (nodes + len(trees) - 1 - number) // len(trees)
            tree.limit = share
        left = None if seconds is None else self.began + seconds - clock.perf_counter()
        if left is not None and left <= 0:
            self.halt()
        with watching(left, stop, self.halt):
            if len(trees) == 1:
                self.native_grow(trees[0])
                return
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(self.grow_one, trees))

    def grow_one(self, tree: Tree) -> None:
        """One thread's work; if its root is proven, or an error occurs, all stop."""
        try:
            self.native_grow(tree)
        finally:
            if tree.nodes < tree.limit:
                self.halt()

    def halt(self) -> None:
        for tree in self.owner.trees:
            tree.limit = 0

    def over(self, stop: threading.Event | None) -> bool:
        """Whether the search is done: the value is proven, or it was stopped."""
        least, most = self.bounds()
        return least == most or stop is not None and stop.is_set()

    # --- results -----------

    @property
    def nodes(self) -> int:
        return self.owner.nodes

    def bounds(self) -> tuple[float, float]:
        """The proven bounds on the root's reward for MAX."""
        return (
            max(tree.least[ROOT] for tree in self.owner.trees),
            min(tree.most[ROOT] for tree in self.owner.trees),
        )

    def children(self) -> list[Child]:
        """Those of the root, without forbidden repetitions."""
        found = children_of(self.owner.trees, ROOT, self.state.player())
        return [child for child in found if not brings_back(self.state, child.action, self.seen)]

    def agreed(self) -> bool:
        """Whether one child has both the most visits and the greatest value."""
        children = self.children()
        return chosen(children, "robust") == chosen(children, "max")

    def decided(self, allowed: float | None, spent: float | None) -> bool:
        """Whether no child can overtake the most visited one in the time left."""
        if allowed is None or spent is None or self.state.player() == CHANCE:
            return False
        visits = sorted(child.visits for child in self.children()) or [0]
        return visits[-1] - sum(visits[-2:-1]) > self.nodes * (allowed / spent - 1)

    def answer(self, lines: int = 1) -> Analysis:
        """The current result: the best line, and `lines` in all."""
        found = self.best_line()
        if lines < 2 or found.action is None:
            return found
        children = self.children()
        rest = sorted((c for c in children if c.action != found.action), key=lambda child: -child.visits)
        others = [self.other_line(child, number) for number, child in enumerate(rest[: lines - 1], 2)]
        return found._replace(others=tuple(others))

    def other_line(self, child: Child, number: int) -> Analysis:
        """The line that begins with another action than the best."""
        first = self.state.player() == 0
        value, exact = self.utility(child.value if first else 1.0 - child.value)
        proven = child.least == child.most and exact and self.certain
        line = self.line(child.action)
        return Analysis(
            child.action,
            value,
            len(line),
            line,
            child.visits,
            0.0,
            proven,
            number=number,
            visits=child.visits,
        )

    def best_line(self) -> Analysis:
        trees = self.owner.trees
        mover = self.state.player()
        line = self.line()
        least, most = self.bounds()
        tried = 0
        if mover == CHANCE:
            visits = sum(tree.visits[ROOT] for tree in trees)
            gain = sum(tree.total[ROOT] for tree in trees) / visits if visits else 0.5
        else:
            children = self.children()
            best = next((child for child in children if line and child.action == line[0]), None)
            tried = 0 if best is None else best.visits
            gain = 0.5 if best is None else best.value if mover == 0 else 1.0 - best.value
        value, exact = self.utility(least if least == most else min(max(gain, least), most))
        return Analysis(
            action=line[0] if line and mover != CHANCE else None,
            value=value,
            depth=max(tree.deepest for tree in trees),
            line=line,
            nodes=self.nodes,
            time=clock.perf_counter() - self.began,
            proven=least == most and exact and self.certain,
            visits=tried,
        )

    def utility(self, gain: float) -> tuple[float, bool]:
        """A reward as a utility, and whether that is exact if the reward is.

        In a game of points where only winning counts, the result is from -1 to 1.
        """
        cls = type(self.state)
        scale = self.owner.trees[0].scale / worth(cls)
        value = (2.0 * gain - 1.0) * (scale or 1.0)
        exact = scale > 0 or not getattr(cls, "points", False) or value == 0
        whole = not has_fractions(cls) and abs(value - round(value)) < ROUNDED
        return round(value) if whole else value, exact

    def line(self, first: int | None = None) -> tuple[int, ...]:
        """The principal variation: the final choice, then each node's, up to a chance node.

        With `first` it begins with that action.
        """
        line: list[int] = []
        state, seen = self.state, set(self.seen)
        at = [(tree, ROOT) for tree in self.owner.trees]
        while at and not is_terminal(state) and state.player() != CHANCE:
            found = merged([children_in(tree, node, state.player()) for tree, node in at])
            children = [child for child in found if not brings_back(state, child.action, seen)]
            if not children:
                break
            action = first if first is not None and not line else chosen(children, self.owner.settings.choice)
            line.append(action)
            state = state.result(action)
            if self.seen:
                seen.add(identity(state))
            at = [(tree, child) for tree, node in at if (child := child_by(tree, node, action)) is not None]
        return tuple(line)


def phases(limits: Limits, choice: str, reporting: bool) -> Iterator[tuple[int | None, float | None]]:
    """The limits in steps, after each of which results can be reported: iterations and seconds so far."""
    if limits.nodes is None and limits.time is None:
        nodes = 1 << 10
        while True:
            yield nodes, None
            nodes *= 2
    early = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2] if reporting else []
    if (
        reporting and limits.nodes is None and limits.time is not None
    ):  # the first one soon, even in long searches
        shares = (FIRST_REPORT * 2**number / limits.time for number in range(64))
        early = list(itertools.takewhile(lambda part: part <= 1 / 2, shares))
    late = [part / 64 for part in range(48, 64)] if choice == "max-robust" else []
    if choice == "robust" and limits.nodes is None:
        late = [5 / 8, 3 / 4, 7 / 8] if reporting else [1 / 2, 5 / 8, 3 / 4, 7 / 8]
    for part in (*early, *late, 1):
        nodes_so_far = None if limits.nodes is None else max(1, int(limits.nodes * part))
        yield nodes_so_far, None if limits.time is None else limits.time * part


def set_up(tree: Tree, growth: Growth, seed: int) -> None:
    """Write a tree's settings, and reduce it to its root."""
    tree.explore, tree.scale = growth.c, growth.scale
    tree.lowest, tree.highest = growth.bounds
    tree.equivalence, tree.confidence, tree.expand = growth.rave or 1, growth.prior, growth.expand
    tree.seed, tree.solver, tree.hinted = seed, growth.solver, growth.hinted
    clear(tree)


def knows_past(cls: type, past: Past) -> bool:
    """Whether UCT's values allow for the history: it excludes forbidden repetitions, but ignores drawn ones."""
    return getattr(cls, "repetition", 0) == FORBIDDEN or not depends_on_past(cls, past)


def seed_of(seed: int, number: int) -> int:
    """The seed of one thread's tree."""
    return plain_random_bits(wrap(seed + (number << 32)))


class endless:  # noqa: N801  (used like contextlib's functions)
    """Raise a GameError if a simulation does not end."""

    def __init__(self, cls: type) -> None:
        self.name = cls.__name__

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Endless):
            raise GameError(f"{self.name}: a random game did not end within {LONGEST} plies") from None
