"""The test cases for a student's search: trees, graphs with transpositions, and small games.

The same seed gives the same cases. They are sorted by size, so that the first failure is the simplest one.
MAX moves at the root and the players alternate, as all lecture pseudocode assumes.
"""

import math
import random
from itertools import pairwise
from typing import Any, NamedTuple

from outplay.game import legal
from outplay.games import load
from outplay.games.tree import tree

FULL = (-math.inf, math.inf)  # the usual window at the root


class Case(NamedTuple):
    """A state to search."""

    state: Any
    size: int  # nodes of its tree
    plies: int  # of its longest line
    text: str  # for the report, and for `outplay trace`
    is_tree: bool = True  # without transpositions, so the order of visits is unique
    depth: int | None = None  # the search depth; None: to the end
    window: tuple[float, float] = FULL

    def __str__(self) -> str:
        depth = "" if self.depth is None else f", to depth {self.depth}"
        window = (
            "" if self.window == FULL else f", with alpha = {self.window[0]:g} and beta = {self.window[1]:g}"
        )
        graph = " (equal labels: the same state)" if isinstance(self.state, Crossing) else ""
        return self.text + graph + depth + window

    def at(self, path: tuple[int, ...]) -> Any:
        """The state at the end of a path."""
        state = self.state
        for action in path:
            state = state.result(action)
        return state

    def paths(self) -> list[tuple[int, ...]]:
        """The paths of all nodes down to the depth, in the order of a full search."""
        found: list[tuple[int, ...]] = []
        waiting: list[tuple[tuple[int, ...], Any]] = [((), self.state)]
        while waiting:
            path, state = waiting.pop()
            found.append(path)
            if self.depth is None or len(path) < self.depth:
                waiting += [((*path, a), state.result(a)) for a in reversed(legal(state))]
        return found


LECTURES = (  # with every kind of cutoff, and without any
    "[[3, 12, 8], [2, 4, 6], [14, 5, 2]]",
    "[[5, 9], [2, 8]]",
    "[[2, 7], [1, 8]]",
    "[[[5, 0], [6, 1]], [[3, 2], [4, 7]]]",
    "[[3, 5], [3, 1], [2, 9]]",
)
CHANCE_LECTURES = (
    "[chance[1/2: 8, 1/3: 24, 1/6: -12]]",
    "[chance[1/4: 20, 1/2: 30, 1/4: 60], 33]",
    "[chance[1/2: [4, 6], 1/2: [2, 8]], chance[1/4: [9, 1], 3/4: [5, 7]]]",
)
GAMES = (  # with few moves left, all different
    ("tictactoe", "xo./.x./..o x"),
    ("tictactoe", "ox./xo./... x"),
    ("tictactoe", "x../oo./..x x"),
    ("hexapawn", ""),
)


def cases(kind: str, seed: int, depths: bool, windows: bool) -> list[Case]:
    """The cases for a kind of search, smallest first.

    With `depths` some are to be searched to a depth only, with `windows` some with a window from the start.
    """
    dice = random.Random(seed)
    chance = kind == "expectiminimax"
    found = [_tree_case(text) for text in (CHANCE_LECTURES if chance else LECTURES)]
    found += [_tree_case(_grow(dice, plies, high, chance)) for plies, high in PLANS * 12]
    for plies, high in PLANS * 3 * depths:  # without chance: lectures disagree on whether a throw is a ply
        found.append(_tree_case(_grow(dice, plies + 2, high, static=True))._replace(depth=plies))
    for plies, high in PLANS * 4 * windows:
        alpha = _below(dice, 2 * high) - high
        window = (alpha, alpha + 1 + _below(dice, high))
        found.append(_tree_case(_grow(dice, plies, high))._replace(window=window))
    if not chance:
        found += [_graph_case(dice) for _ in range(GRAPHS)]
        found += [_game_case(*game) for game in GAMES]
    return sorted(found, key=lambda case: case.size)


# The plies of a tree and its greatest value: small ranges have many ties, large ranges few.
PLANS = [(plies, high) for plies in (1, 2, 2, 2, 3, 3, 3, 4) for high in (3, 20)]


def _case(state: Any, text: str, is_tree: bool) -> Case:
    paths = Case(state, 0, 0, text).paths()
    return Case(state, len(paths), max(map(len, paths)), text, is_tree)


def _tree_case(text: str) -> Case:
    state = tree(text)
    return _case(state, str(state), True)


def _game_case(name: str, position: str) -> Case:
    state = load(name).position(position)
    return _case(state, f"{name} {str(state)!r}", False)


def _below(dice: random.Random, n: int) -> int:
    return int(dice.random() * n)  # only of random() Python guarantees the same numbers forever


def _grow(
    dice: random.Random, plies: int, high: int, chance: bool = False, static: bool = False, root: bool = True
) -> str:
    """A random tree as text; with `static`, its inner nodes have static values."""
    if plies == 0 or not root and _below(dice, 6) == 0:
        return str(_below(dice, 2 * high + 1) - high)
    throws = chance and not root and _below(dice, 2) == 0
    weights = [1 + _below(dice, 4) for _ in range(1 + root + _below(dice, 3 - root))]
    children = [_grow(dice, plies - 1, high, chance, static, root=False) for _ in weights]
    if throws:
        listed = [f"{w}/{sum(weights)}: {child}" for w, child in zip(weights, children, strict=True)]
        return f"chance[{', '.join(listed)}]"
    value = str(_below(dice, 2 * high + 1) - high) if static else ""
    return f"{value}[{', '.join(children)}]"


# --- graphs ---------------------------------------------------------------------------------------------


class Crossing(NamedTuple):
    """A state in a graph with transpositions: different lines lead to the same state."""

    below: tuple[tuple[tuple[int, ...], ...], ...]  # by level and state: the successors on the next level
    values: tuple[int, ...]  # of the last level
    level: int = 0
    place: int = 0

    def player(self) -> int:
        return self.level % 2

    def actions(self) -> range:
        return range(0 if self.terminal() else len(self.below[self.level][self.place]))

    def result(self, action: int) -> "Crossing":
        return self._replace(level=self.level + 1, place=self.below[self.level][self.place][action])

    def terminal(self) -> bool:
        return self.level == len(self.below)

    def utility(self) -> int:
        return self.values[self.place]

    def action_text(self, action: int) -> str:
        return _label(self.result(action))


GRAPHS = 40
LEVELS = (1, 3, 4, 4, 6)  # the number of states on each level of a graph


def _graph_case(dice: random.Random) -> Case:
    def successors(size: int) -> tuple[int, ...]:
        order = sorted(range(size), key=lambda _: dice.random())
        return tuple(order[: 2 + _below(dice, 2)])

    below = tuple(tuple(successors(there) for _ in range(here)) for here, there in pairwise(LEVELS))
    state = Crossing(below, tuple(_below(dice, 19) - 9 for _ in range(LEVELS[-1])))
    return _case(state, _unrolled(state), False)


def _label(state: Crossing) -> str:
    return f"{'abcdefgh'[state.level - 1]}{state.place + 1}"


def _unrolled(state: Crossing) -> str:
    """The graph as a tree; equal labels mark the same state."""
    name = _label(state) if state.level else ""
    if state.terminal():
        return f"{name}={state.utility()}"
    return f"{name}[{', '.join(_unrolled(state.result(a)) for a in state.actions())}]"
