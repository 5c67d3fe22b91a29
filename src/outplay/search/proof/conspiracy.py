"""Conspiracy-number search (McAllester 1988): how many leaves would have to change for the root's value to change?

The value of the root is the minimax of its leaves' estimates. A conspiracy is a set of leaves that, if all were
misjudged, would change it; the conspiracy numbers of the root are the sizes of the smallest set that raises its value
and of the smallest that lowers it. The search expands a leaf of the less likely of the two, so that the tree gets deep
where the value depends on few leaves, whatever their depth. The value is stable when both numbers exceed a threshold;
it is proven when both are infinite, since terminal states cannot be misjudged.

Each node stores its value, and how many leaves below it must change so that it exceeds (`up`), or falls below
(`down`), the value of the root. Raising a MAX node takes one child, lowering it takes all; at MIN nodes vice
versa. Proof-number search is the same with a fixed value in place of the root's.
"""

import contextlib
import math
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.freememory import megabytes_available
from outplay.game import Block, GameError, is_terminal, legal, max_actions, outcome, worth
from outplay.search.mcts.playout import pointer
from outplay.search.protocol import control
from outplay.search.protocol.control import NO_LIMIT, Control, count, moves

MAX = 0
INFINITE = 1 << 40


# --- with a tree of objects ------------------------------------------------------------------------------


class Node:
    """A node of the tree."""

    def __init__(self, state: Any, parent: "Node | None") -> None:
        self.state = state
        self.parent = parent
        self.over = is_terminal(state)
        self.value = outcome(state) if self.over else supposed(state)
        self.children: list[Node] = []
        self.up = self.down = 0

    def judge(self, value: int) -> None:
        """Update the value and the numbers of this node from its children; the root's value is `value`."""
        if not self.children:
            free = INFINITE if self.over else 1
            self.up = 0 if self.value > value else free
            self.down = 0 if self.value < value else free
            return
        ups, downs = [c.up for c in self.children], [c.down for c in self.children]
        values = [c.value for c in self.children]
        if self.state.player() == MAX:
            self.value, self.up, self.down = max(values), min(ups), min(INFINITE, sum(downs))
        else:
            self.value, self.up, self.down = min(values), min(INFINITE, sum(ups)), min(downs)

    def conspirator(self, rising: bool) -> "Node":
        """A leaf of the smallest set that changes the value of the root."""
        node = self
        while node.children:
            node = min(
                (child for child in node.children if (child.up if rising else child.down) > 0),
                key=lambda child: child.up if rising else child.down,
            )
        return node

    def all(self) -> Iterator["Node"]:
        """This node and those below it, children first."""
        for child in self.children:
            yield from child.all()
        yield self


def supposed(state: Any) -> int:
    """The estimate of a leaf: the evaluation if it is on the scale of the utility, else 0."""
    return state.evaluate() if worth(type(state)) == 1 and hasattr(state, "evaluate") else 0


def conspiracy_number_search(state: Any, threshold: int = INFINITE - 1, max_nodes: int = 1_000_000) -> Node:
    """The root of a tree whose value takes more than `threshold` leaves to change, or of one that is too large."""
    root = Node(state, None)
    root.judge(root.value)
    nodes = 1
    while min(root.up, root.down) <= threshold and nodes < max_nodes:
        leaf = root.conspirator(rising=is_rising(root.up, root.down))
        leaf.children = [Node(leaf.state.result(action), leaf) for action in legal(leaf.state)]
        nodes += len(leaf.children)
        value = root.value
        for child in leaf.children:
            child.judge(value)
        node: Node | None = leaf
        while node is not None:
            node.judge(value)
            node = node.parent
        if root.value != value:
            for node in root.all():
                node.judge(root.value)
    return root


def is_rising(up: int, down: int) -> bool:
    """The conspiracy to pursue: the larger, if it is finite."""
    return down >= INFINITE or (up < INFINITE and up >= down)


# --- with a tree of words, at the speed of the machine ---------------------------------------------------

# A node is a row of words. Nodes are numbered in order of creation, so children have greater numbers than their parent.
PARENT, FIRST, COUNT, ACTION, KIND, VALUE, UP, DOWN = range(8)
ROW = 8
OVER = 2  # the KIND of a terminal node; otherwise it is the player to move
STABLE, FULL = 0, 1  # how a search ends


class Conspiracies:
    """Conspiracy-number search with a tree of bounded size."""

    def __init__(self, cls: type, megabytes: float = 128) -> None:
        most = megabytes_available()
        if not 0 < megabytes <= most:
            raise ValueError(f"a tree of {megabytes} MB does not fit: at most {most:.0f} MB")
        self.cls = cls
        self.twin = twin(cls)
        self.megabytes = megabytes
        self.tree = np.zeros(max(ROW * (max_actions(cls) + 1), int(megabytes * (1 << 20)) // 8), np.int64)
        self.memory = Control(stack=max_actions(cls) + 1)
        self.memory.limit = NO_LIMIT
        self.block = Block(cls, None)
        self.memory.weights = self.block.address

    @property
    def nodes(self) -> int:
        return self.memory.nodes

    def stop(self) -> None:
        self.memory.limit = 0

    def prepare(self, state: Any) -> None:
        """Compile the native code."""
        native = self.twin.state(state)
        self.memory.limit = 0
        with explained(self.twin, native), contextlib.suppress(control.Stopped):
            start(native, 0, self.memory, self.tree)
        self.memory.limit = NO_LIMIT

    def grow(self, state: Any, threshold: int) -> tuple[int, int, int]:
        """Grow a tree until more than `threshold` leaves would have to change: the root's score, `up` and `down`."""
        native = self.twin.state(state)
        with explained(self.twin, native), control.explained(self.cls):
            if start(native, threshold, self.memory, self.tree) == FULL:
                raise GameError(
                    f"{self.cls.__name__}: the tree does not fit into {self.megabytes:g} MB: "
                    "give it more (--table), or use another solver"
                )
        return int(self.tree[VALUE]), int(self.tree[UP]), int(self.tree[DOWN])

    def solve(self, state: Any, narrow: Callable[[float, float], None]) -> tuple[int, ...]:
        """Report the bounds on the value; return the principal variation."""
        try:
            self.grow(state, INFINITE - 1)
        finally:
            value = round(int(self.tree[VALUE]) / worth(self.cls))
            narrow(
                value if self.tree[DOWN] >= INFINITE else -math.inf,
                value if self.tree[UP] >= INFINITE else math.inf,
            )
        return self.line()

    def line(self) -> tuple[int, ...]:
        """Best play in the tree: at each node the first child with its value that is proven."""
        rows = self.tree.reshape(-1, ROW)
        node, line = 0, []
        while rows[node, COUNT]:
            first, number = int(rows[node, FIRST]), int(rows[node, COUNT])
            aim = UP if rows[node, KIND] != MAX else DOWN
            node = next(
                child
                for child in range(first, first + number)
                if rows[child, VALUE] == rows[node, VALUE] and rows[child, aim] >= INFINITE
            )
            line.append(int(rows[node, ACTION]))
        return tuple(line)


@kernel
def judge(tree: Any, at: int, value: int) -> None:
    """Update the value and the numbers of the node whose row begins there."""
    if tree[at + COUNT] == 0:
        free = INFINITE if tree[at + KIND] == OVER else 1
        tree[at + UP] = 0 if tree[at + VALUE] > value else free
        tree[at + DOWN] = 0 if tree[at + VALUE] < value else free
        return
    is_max = tree[at + KIND] == MAX
    few, many = (UP, DOWN) if is_max else (DOWN, UP)
    child = tree[at + FIRST] * ROW
    best, least, total = tree[child + VALUE], tree[child + few], 0
    for _ in range(tree[at + COUNT]):
        v = tree[child + VALUE]
        best = max(best, v) if is_max else min(best, v)
        least = min(least, tree[child + few])
        total += tree[child + many]
        child += ROW
    tree[at + VALUE] = best
    tree[at + few] = least
    tree[at + many] = min(INFINITE, total)


@kernel
def conspirator(tree: Any, at: int, number: int) -> int:
    """The child to descend to for a leaf that changes the root's value."""
    best = -1
    for child in range(tree[at + FIRST] * ROW, (tree[at + FIRST] + tree[at + COUNT]) * ROW, ROW):
        if tree[child + number] > 0 and (best < 0 or tree[child + number] < tree[best + number]):
            best = child
    return best


@kernel
def plant(s: Any, parent: int, action: int, at: int, tree: Any, memory: Any) -> None:
    """A new leaf."""
    count(memory)
    over = s.terminal()
    tree[at + PARENT] = parent
    tree[at + COUNT] = 0
    tree[at + ACTION] = action
    tree[at + KIND] = OVER if over else s.player()
    tree[at + VALUE] = s.utility() if over else s.evaluate(memory.weights) if s.worth() == 1 else 0


@kernel
def grow(root: Any, threshold: int, memory: Any, tree: Any, size: int) -> int:
    """The same tree, grown in the same order."""
    plant(root, -1, 0, 0, tree, memory)
    end = ROW
    judge(tree, 0, tree[VALUE])
    while min(tree[UP], tree[DOWN]) <= threshold:
        value = tree[VALUE]
        rising = tree[DOWN] >= INFINITE or (tree[UP] < INFINITE and tree[UP] >= tree[DOWN])
        number = UP if rising else DOWN
        s, at = root, 0
        while tree[at + COUNT] > 0:
            at = conspirator(tree, at, number)
            s = s.result(tree[at + ACTION])
        n = moves(s, memory, 0)
        if end + n * ROW > size:
            return FULL
        for i in range(n):
            child = end + i * ROW
            plant(s.result(memory.stack[i]), at, memory.stack[i], child, tree, memory)
            judge(tree, child, value)
        tree[at + FIRST] = end // ROW
        tree[at + COUNT] = n
        end += n * ROW
        while at >= 0:
            judge(tree, at, value)
            at = tree[at + PARENT]
        if tree[VALUE] != value:
            value = tree[VALUE]
            for node in range(end - ROW, -1, -ROW):
                judge(tree, node, value)
    return STABLE


@kernel
def start(s: Any, threshold: int, memory: Any, tree: Any) -> int:
    return grow(s, threshold, memory, pointer(tree), len(tree))
