"""UCT within limits: threads, the final choice, and a tree that is kept from one move to the next.

Several threads grow a tree each, from different random numbers, and their roots are added up (root parallelism):
they never wait for each other, and the same seed gives the same answer.
"""

import math
import threading
import time as clock
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any, NamedTuple

import numpy as np

from outplay.bits import wrap
from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.game import (
    CHANCE,
    FORBIDDEN,
    GameError,
    checked_state,
    is_terminal,
    kind,
    max_actions,
    offers,
    worth,
)
from outplay.limits import Analysis, Limits
from outplay.search import control, ucttree
from outplay.search.fit import refuse
from outplay.search.playout import LONGEST, MAX_THREADS, Endless, plain_random_bits
from outplay.search.uctsteps import grow, largest
from outplay.search.ucttree import ROOT, Tree, clear, keep, new_tree

C = 0.7  # 0.35 and 0.5 play no worse and no better: Connect Four at 2,000 iterations, Othello at 1,000
CHOICES = ("robust", "max", "max-robust", "secure")
GAMES = 100  # random games that show how large utilities are, where the class does not say
NO_LIMIT = control.NO_LIMIT


class Child(NamedTuple):
    """What is known of an action at the root."""

    action: int
    visits: int
    mean: float  # reward for the player who moves
    least: float  # proven bounds of it
    most: float

    @property
    def value(self) -> float:
        """The mean, or what is proven."""
        return min(max(self.mean, self.least), self.most)


class Settings(NamedTuple):
    """What a game may set for itself in its `uct`, such as `uct = {"rave": 1000}`."""

    c: float = C
    rave: float = 0
    prior: float = 10
    expand: int = 1


class UCT:
    """UCT with a memory: the tree outlives a search.

    c       the constant C of the upper confidence bound; by default the game's own, or else 0.7
    memory  MB of the tree, which never grows past it
    threads each with a tree of its own
    seed    of the random numbers
    solver  back up proven values (MCTS-Solver)
    rave    the equivalence parameter k of RAVE; 0: off; by default the game's own
    prior   how many visits the game's `prior` is worth, where it has one; 0: actions are tried in any order
    expand  visits of a node before its children are made
    hints   use what the game knows: its `playout` in simulations, its `prior`, its own settings
    choice  the final one: "robust" (most visits), "max" (greatest mean), "max-robust" (both: the last quarter of
            the limits is used only until one child is both), "secure" (greatest lower confidence bound)
    score   the utility that is worth the full reward, where the size of a win shall count; 0: it shall not.
            By default it counts where utilities are no points
    """

    def __init__(
        self,
        c: float | None = None,
        *,
        memory: float = 256,
        threads: int = 1,
        seed: int = 0,
        solver: bool = True,
        rave: float | None = None,
        prior: float | None = None,
        expand: int | None = None,
        hints: bool = True,
        choice: str = "robust",
        score: float | None = None,
    ) -> None:
        given = {"c": c, "rave": rave, "prior": prior, "expand": expand}
        for name, number in (*given.items(), ("score", score)):
            if number is not None and not 0 <= number < math.inf:
                raise ValueError(f"{name} must be 0 or more, not {number}")
        if expand == 0:
            raise ValueError("expand must be 1 or more, not 0")
        if not 1 <= threads <= MAX_THREADS:
            raise ValueError(f"threads must be 1 to {MAX_THREADS}, not {threads}")
        if choice not in CHOICES:
            raise ValueError(f"there is no choice {choice!r}; there are {', '.join(CHOICES)}")
        self.given = {name: number for name, number in given.items() if number is not None}
        self.memory, self.threads, self.seed = memory, threads, seed
        self.solver, self.hints, self.choice, self.score = solver, hints, choice, score
        self.trees: list[Tree] = []
        self.cls: type | None = None
        self.state: Any = None  # at the roots; None: nothing is known
        self.game: tuple[Any, tuple[int, ...]] | None = None  # start and actions of the game that is followed

    def settings(self, cls: type) -> Settings:
        """How a game is searched: as was asked for, or else as its class says."""
        informed = self.hints and offers(cls, "prior")
        own = getattr(cls, "uct", {}) if self.hints else {}
        chosen = Settings()._replace(**{**own, **self.given})
        return chosen if informed else chosen._replace(prior=0)

    # --- what a player asks ---

    def follow(self, start: Any, actions: tuple[int, ...]) -> None:
        """A game that began so has come so far: what the trees know of it is kept, the rest forgotten."""
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
        """The next search begins with an empty tree."""
        self.state = None

    def prepare(self, state: Any) -> None:
        """Build the native code that a search of the state needs, and what follows a game after it."""
        self.search(state, Limits(nodes=1))
        if self.trees:
            keep(self.trees[0], ROOT)
        self.forget()

    def search(
        self,
        state: Any,
        limits: Limits,
        report: Callable[[Analysis], None] | None = None,
        stop: threading.Event | None = None,
        past: Iterable[Any] = (),
        lines: int = 1,
    ) -> Analysis:
        """The best action at a state; `report` hears now and then how the search stands, `stop` ends it.

        `lines`: how many actions the answer tells of, the other ones as `others`, most visited first.

        `past`: the states before this one, where the game forbids that a position comes back. `nodes` limits the
        iterations. In a tree that was kept they come on top of earlier ones.
        """
        state = checked_state(state)
        refuse_uct(type(state))
        limits = limits.checked().timed()
        if limits.depth is not None:
            raise ValueError("uct looks as deep as it gets: limit it by nodes or time, not by depth")
        if limits == Limits() and stop is None:
            raise ValueError("uct goes on for ever: limit it by nodes or time")
        if is_terminal(state):
            return Analysis(None, state.utility(), 0, (), 0, 0.0, True)
        self.begin(state)
        self.remember(past)
        run = Run(self, state)
        for nodes, seconds in phases(limits, self.choice, report is not None):
            run.grow(nodes, seconds, stop)
            if not run.nodes:  # the time was up before it began; there must be an answer
                run.grow(1, None, None)
            if run.over(stop) or self.choice == "max-robust" and run.agreed():
                break
            if (
                self.choice == "robust"
                and lines == 1
                and limits.nodes is None
                and run.decided(limits.time, seconds)
            ):
                break
            if report is not None:
                report(run.answer(lines))
        return run.answer(lines)

    # --- the trees ---

    def begin(self, state: Any) -> None:
        """Trees with this state at the root: those that are there, if it is, else new ones."""
        cls = type(state)
        chosen = self.settings(cls)
        if self.cls is not cls or self.state != state:
            if not self.trees or self.cls is not cls:
                self.trees = [
                    new_tree(cls, self.memory / self.threads, chosen.rave > 0, chosen.prior > 0)
                    for _ in range(self.threads)
                ]
            self.cls, self.state = cls, state
            rewards = self.rewards(state)
            for number, tree in enumerate(self.trees):
                self.set_up(tree, cls, number, *rewards)

    def set_up(self, tree: Tree, cls: type, number: int, scale: float, bounds: tuple[float, float]) -> None:
        """Write down how tree number so-and-so is to grow, and leave nothing but its root."""
        chosen = self.settings(cls)
        tree.rates[:] = chosen.c, scale, chosen.rave or 1.0, *bounds, chosen.prior
        tree.run[ucttree.SEED] = seed_of(self.seed, number)
        tree.run[ucttree.SOLVER] = self.solver
        tree.run[ucttree.RAVE] = chosen.rave > 0
        tree.run[ucttree.INFORMED] = chosen.prior > 0
        tree.run[ucttree.EXPAND] = chosen.expand
        tree.run[ucttree.HINTED] = self.hints and offers(cls, "playout")
        clear(tree)

    def remember(self, past: Iterable[Any]) -> None:
        """Let the trees know which positions may not come back."""
        cls: Any = self.cls
        if getattr(cls, "repetition", 0) != FORBIDDEN:
            return
        compiled = twin(cls)
        keys = [compiled.state(state).identity() for state in past][-ucttree.MAX_PAST :]
        for tree in self.trees:
            tree.run[ucttree.PAST] = len(keys)
            tree.keys[: len(keys)] = keys

    def rewards(self, state: Any) -> tuple[float, tuple[float, float]]:
        """The utility that counts as reward 1 (0: any win), and the bounds of rewards."""
        cls = type(state)
        points = getattr(cls, "points", False)
        win = getattr(cls, "win", None)
        if self.score == 0 or self.score is None and points:
            return 0.0, (0.0, 1.0)
        if self.score is not None:
            return self.score * worth(cls), (-math.inf, math.inf)
        if win is not None:
            return float(win * worth(cls)), (0.0, 1.0)
        compiled = twin(cls)
        native = compiled.state(state)
        with explained(compiled, native), endless(cls):
            most = float(largest(native, GAMES, np.zeros(control.MOVES + max_actions(cls) + 1, np.int64)))
        return 2.0 ** math.ceil(math.log2(most or 1)), (
            -math.inf,
            math.inf,
        )  # a power of 2: rewards are exact


class Run:
    """One search of one state."""

    def __init__(self, owner: UCT, state: Any) -> None:
        self.owner, self.state = owner, state
        self.twin = twin(type(state))
        self.native = self.twin.state(state)
        self.halted = False
        for tree in owner.trees:
            tree.run[control.NODES] = tree.run[control.LIMIT] = tree.run[ucttree.DEEPEST] = 0
        self.native_grow(owner.trees[0])  # with a limit of 0: builds the native code before the clock starts
        self.began = clock.perf_counter()

    def native_grow(self, tree: Tree) -> None:
        with (
            explained(self.twin, self.native),
            control.explained(type(self.state)),
            endless(type(self.state)),
        ):
            grow(self.native, tree)

    def grow(self, nodes: int | None, seconds: float | None, stop: threading.Event | None) -> None:
        """Iterate until so many iterations were done since the search began, or so many seconds have passed."""
        trees = self.owner.trees
        for number, tree in enumerate(trees):
            share = NO_LIMIT if nodes is None else (nodes + len(trees) - 1 - number) // len(trees)
            tree.run[control.LIMIT] = share
        left = None if seconds is None else self.began + seconds - clock.perf_counter()
        if left is not None and left <= 0:
            self.halt()
        watching = threading.Event()
        if left is not None or stop is not None:
            threading.Thread(target=self.watch, args=(left, stop, watching), daemon=True).start()
        try:
            if len(trees) == 1:
                self.native_grow(trees[0])
                return
            with ThreadPoolExecutor(len(trees)) as pool:
                list(pool.map(self.grow_one, trees))
        finally:
            watching.set()

    def grow_one(self, tree: Tree) -> None:
        """One thread's work; when its root is proven, or something went wrong, all may stop."""
        try:
            self.native_grow(tree)
        finally:
            if tree.run[control.NODES] < tree.run[control.LIMIT]:
                self.halt()

    def watch(self, seconds: float | None, stop: threading.Event | None, over: threading.Event) -> None:
        """Halt when the time is up or the event happens, unless the work is over before."""
        end = math.inf if seconds is None else clock.perf_counter() + seconds
        while not over.wait(min(0.02 if stop else math.inf, max(0.0, end - clock.perf_counter()), 60.0)):
            if clock.perf_counter() >= end or stop is not None and stop.is_set():
                self.halt()
                return

    def halt(self) -> None:
        for tree in self.owner.trees:
            tree.run[control.LIMIT] = 0

    def over(self, stop: threading.Event | None) -> bool:
        """Whether there is nothing left to do: the value is proven, or somebody wants it to end."""
        least, most = self.bounds()
        return least == most or stop is not None and stop.is_set()

    # --- what came of it ---

    @property
    def nodes(self) -> int:
        return sum(int(tree.run[control.NODES]) for tree in self.owner.trees)

    def bounds(self) -> tuple[float, float]:
        """What is proven of the root's reward for MAX."""
        return (
            max(float(tree.bounds[2 * ROOT]) for tree in self.owner.trees),
            min(float(tree.bounds[2 * ROOT + 1]) for tree in self.owner.trees),
        )

    def agreed(self) -> bool:
        """Whether one child has both the most visits and the greatest value."""
        children = children_of(self.owner.trees, ROOT, self.state.player())
        return chosen(children, "robust") == chosen(children, "max")

    def decided(self, allowed: float | None, spent: float | None) -> bool:
        """Whether nothing can catch up with the most visited child in the time that is left."""
        if allowed is None or spent is None or self.state.player() == CHANCE:
            return False
        visits = sorted(child.visits for child in children_of(self.owner.trees, ROOT, self.state.player()))
        return visits[-1] - sum(visits[-2:-1]) > self.nodes * (allowed / spent - 1)

    def answer(self, lines: int = 1) -> Analysis:
        """How the search stands: the best line, and so many in all."""
        found = self.best_line()
        if lines < 2 or found.action is None:
            return found
        children = children_of(self.owner.trees, ROOT, self.state.player())
        rest = sorted((c for c in children if c.action != found.action), key=lambda child: -child.visits)
        others = [self.other_line(child, number) for number, child in enumerate(rest[: lines - 1], 2)]
        return found._replace(others=tuple(others))

    def other_line(self, child: Child, number: int) -> Analysis:
        """The line that begins with an action that is not the best."""
        first = self.state.player() == 0
        value, exact = self.utility(child.value if first else 1.0 - child.value)
        proven = child.least == child.most and exact
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
            visits = sum(tree.stats[0] for tree in trees)
            gain = sum(tree.stats[1] for tree in trees) / visits if visits else 0.5
        else:
            children = children_of(trees, ROOT, mover)
            best = next((child for child in children if line and child.action == line[0]), None)
            tried = 0 if best is None else best.visits
            gain = 0.5 if best is None else best.value if mover == 0 else 1.0 - best.value
        value, exact = self.utility(least if least == most else min(max(gain, least), most))
        return Analysis(
            action=line[0] if line and mover != CHANCE else None,
            value=value,
            depth=max(int(tree.run[ucttree.DEEPEST]) for tree in trees),
            line=line,
            nodes=self.nodes,
            time=clock.perf_counter() - self.began,
            proven=least == most and exact,
            visits=tried,
        )

    def utility(self, gain: float) -> tuple[float, bool]:
        """A reward as a utility, and whether that is exact if the reward is.

        Of a game of points in which only winning counts the reward says who wins: -1 to 1.
        """
        cls = type(self.state)
        scale = float(self.owner.trees[0].rates[ucttree.SCALE]) / worth(cls)
        value = (2.0 * gain - 1.0) * (scale or 1.0)
        exact = scale > 0 or not getattr(cls, "points", False) or value == 0
        whole = not kind(cls).float_scores and value == round(value)
        return round(value) if whole else value, exact

    def line(self, first: int | None = None) -> tuple[int, ...]:
        """The best line that the trees know: the final choice, then each node's, while no chance falls.

        With `first` it begins with that action.
        """
        line: list[int] = []
        state = self.state
        at = [(tree, ROOT) for tree in self.owner.trees]
        while at and not is_terminal(state) and state.player() != CHANCE:
            children = merged([children_in(tree, node, state.player()) for tree, node in at])
            if not children:
                break
            action = first if first is not None and not line else chosen(children, self.owner.choice)
            line.append(action)
            state = state.result(action)
            at = [(tree, child) for tree, node in at if (child := child_by(tree, node, action)) is not None]
        return tuple(line)


# --- reading trees ---------------------------------------------------------------------------------------


def children_in(tree: Tree, node: int, mover: int) -> list[Child]:
    """The visited children of a node."""
    first, count = tree.links[4 * node : 4 * node + 2].tolist()
    last = first + count
    actions = tree.action[first:last].tolist()
    stats = tree.stats[2 * first : 2 * last].tolist()
    bounds = tree.bounds[2 * first : 2 * last].tolist()
    found = []
    for i, action in enumerate(actions):
        visits, total = stats[2 * i], stats[2 * i + 1]
        least, most = bounds[2 * i], bounds[2 * i + 1]
        if mover == 1:
            least, most = 1.0 - most, 1.0 - least
        if visits > 0:
            found.append(Child(action, int(visits), total / visits, least, most))
    return found


def merged(lists: list[list[Child]]) -> list[Child]:
    """The same actions' children of several trees as one."""
    found: dict[int, Child] = {}
    for child in (child for children in lists for child in children):
        other = found.get(child.action)
        if other is not None:
            visits = child.visits + other.visits
            mean = (child.visits * child.mean + other.visits * other.mean) / visits
            least, most = max(child.least, other.least), min(child.most, other.most)
            child = Child(child.action, visits, mean, least, most)
        found[child.action] = child
    return list(found.values())


def children_of(trees: list[Tree], node: int, mover: int) -> list[Child]:
    return merged([children_in(tree, node, mover) for tree in trees])


def child_by(tree: Tree, node: int, action: int) -> int | None:
    """The visited child to which an action leads."""
    first, count = tree.links[4 * node : 4 * node + 2].tolist()
    for i, other in enumerate(tree.action[first : first + count].tolist()):
        if other == action and tree.stats[2 * (first + i)] > 0:
            return int(first + i)
    return None


def chosen(children: list[Child], choice: str) -> int:
    """The final choice among visited children (Chaslot et al. 2008).

    A proven value is as good as it says: the best of the proven is taken if no other promises more.
    """
    total = sum(child.visits for child in children)
    keys: dict[str, Callable[[Child], float]] = {
        "robust": lambda child: child.visits,
        "max": lambda child: child.value,
        "secure": lambda child: child.value - math.sqrt(math.log(total) / child.visits),
    }
    key = keys["robust" if choice == "max-robust" else choice]
    best = max((child for child in children if child.least < child.most), key=key, default=None)
    proven = [child for child in children if child.least == child.most]
    sure = max(proven, key=lambda child: (child.least, child.visits), default=None)
    if sure is None or best is not None and best.value > sure.least:
        assert best is not None
        return best.action
    return sure.action


def descend(tree: Tree, actions: tuple[int, ...]) -> None:
    """Let the tree begin where the actions lead; empty, if it knows nothing of that."""
    node: int | None = ROOT
    for action in actions:
        node = child_by(tree, node, action) if node is not None else None
    if node is None:
        clear(tree)
    elif node != ROOT:
        keep(tree, node)


def phases(limits: Limits, choice: str, reporting: bool) -> Iterator[tuple[int | None, float | None]]:
    """The limits in parts, after each of which the search may be looked at: iterations and seconds so far."""
    if limits.nodes is None and limits.time is None:
        nodes = 1 << 10
        while True:
            yield nodes, None
            nodes *= 2
    early = [1 / 64, 1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2] if reporting else []
    late = [part / 64 for part in range(48, 64)] if choice == "max-robust" else []
    if choice == "robust" and limits.nodes is None:
        late = [5 / 8, 3 / 4, 7 / 8] if reporting else [1 / 2, 5 / 8, 3 / 4, 7 / 8]
    for part in (*early, *late, 1):
        nodes_so_far = None if limits.nodes is None else max(1, int(limits.nodes * part))
        yield nodes_so_far, None if limits.time is None else limits.time * part


def seed_of(seed: int, number: int) -> int:
    """The seed of one thread's tree."""
    return plain_random_bits(wrap(seed + (number << 32)))


class endless:  # noqa: N801  (used like contextlib's functions)
    """A game that does not end in a simulation comes out as a GameError."""

    def __init__(self, cls: type) -> None:
        self.name = cls.__name__

    def __enter__(self) -> None: ...

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        if isinstance(error, Endless):
            raise GameError(f"{self.name}: a random game went on for {LONGEST} plies") from None


def refuse_uct(cls: type) -> None:
    """Raise a GameError if UCT does not fit the game."""
    refuse(cls, "uct", chance=True, floats=True)
