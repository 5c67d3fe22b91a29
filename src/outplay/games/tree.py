"""Game trees that users type in, as on the slides.

    [[3, 12, 8], [2, 4, 6], [14, 5, 2]]         a node is the list of its children, a leaf is its value
    [B[3, 12, 8], C[2, 4, 6], D=14]             with labels: they name the actions that lead there
    chance[1/2: 8, 1/3: 24, 1/6: -12]           a chance node: a probability before each child
    max[max[1, 2], min[3, chance[1: 4]]]        the player to move, where the players do not alternate
    [[2[20], 7[1]], [1[9], 8[8]]]               a number before the bracket is the node's static evaluation, for
                                                depth-limited searches; default: 0
    [[3, 12, 8], [2, 4, 6]] @ 1/0               the node at the end of this path instead of the root

MAX moves at the root and the players alternate from level to level, unless a node says otherwise; chance
levels do not count. In full:

    tree   = node [ "@" [ index { "/" index } ] ]           children are counted from 0
    node   = [ label [ "=" ] ] ( number | [ number ] [ kind ] "[" child { "," child } "]" )
    kind   = "max" | "min" | "chance"
    child  = node, or below a chance node: number ":" node
    number = 3, -12, 2.5, 1e3 or 1/3

A label is a word of letters, digits and _ that does not begin with a digit, unique among its siblings. Spaces, line
breaks and `# comments` may appear anywhere between tokens.
"""

import functools
import math
import random
import re
import sys
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Any, NamedTuple, NoReturn

from outplay.game import CHANCE, Board
from outplay.memory import peek, peek_float, store

MAX, MIN = 0, 1
KINDS = {"max": MAX, "min": MIN, "chance": CHANCE}
MAX_CHILDREN, MAX_NODES, MAX_DEPTH = 256, 1_000_000, 200

# A tree in memory: five ints per node (its player, first child, number of children, parent,
# label) and two floats. Nodes are numbered level by level, so that siblings are adjacent; the root is 0.
PLAYER, FIRST, COUNT, PARENT, LABEL = range(5)
VALUE, PROBABILITY = range(2)


def entry(ints: int, node: int, which: int) -> int:
    return peek(ints, 5 * node + which)


def real(floats: int, node: int, which: int) -> float:
    return peek_float(floats, 2 * node + which)


class Tree(NamedTuple):
    """A node of a tree without chance: the handle of the tree in memory, and the node's number."""

    scores = float
    max_actions = MAX_CHILDREN

    ints: int
    floats: int
    node: int

    def player(self) -> int:
        return entry(self.ints, self.node, PLAYER)

    def actions(self) -> Sequence[int]:
        return range(entry(self.ints, self.node, COUNT))

    def result(self, child: int) -> "Tree":
        return Tree(self.ints, self.floats, entry(self.ints, self.node, FIRST) + child)

    def terminal(self) -> bool:
        return entry(self.ints, self.node, COUNT) == 0

    def utility(self) -> float:
        return real(self.floats, self.node, VALUE)

    def evaluate(self) -> float:
        return real(self.floats, self.node, VALUE)

    def __str__(self) -> str:
        return _text(self)

    @classmethod
    def parse(cls, text: str) -> "Tree":
        found = tree(text)
        if not isinstance(found, Tree):
            raise ValueError("the tree has chance nodes: it is a ChanceTree, not a Tree")
        return found

    def action_text(self, child: int) -> str:
        return _child_name(self, child)

    def board(self) -> Board:
        return _board(self)

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return Tree.parse, (str(self),)  # another process has other handles


class ChanceTree(NamedTuple):
    """A node of a tree in which chance nodes may occur; otherwise as `Tree`."""

    max_actions = MAX_CHILDREN

    ints: int
    floats: int
    node: int

    def player(self) -> int:
        return entry(self.ints, self.node, PLAYER)

    def actions(self) -> Sequence[int]:
        return range(entry(self.ints, self.node, COUNT))

    def result(self, child: int) -> "ChanceTree":
        return ChanceTree(self.ints, self.floats, entry(self.ints, self.node, FIRST) + child)

    def probability(self, child: int) -> float:
        return real(self.floats, entry(self.ints, self.node, FIRST) + child, PROBABILITY)

    def terminal(self) -> bool:
        return entry(self.ints, self.node, COUNT) == 0

    def utility(self) -> float:
        return real(self.floats, self.node, VALUE)

    def evaluate(self) -> float:
        return real(self.floats, self.node, VALUE)

    def __str__(self) -> str:
        return _text(self)

    @classmethod
    def parse(cls, text: str) -> "ChanceTree":
        return ChanceTree(*tree(text))

    def action_text(self, child: int) -> str:
        return _child_name(self, child)

    def board(self) -> Board:
        return _board(self)

    def __reduce__(self) -> tuple[Callable[[str], Any], tuple[str]]:
        return ChanceTree.parse, (str(self),)


def tree(source: Any) -> Tree | ChanceTree:
    """The root of a tree, given as text (see the top of this file) or as lists of lists of numbers.

    A ChanceTree if it has a chance node, otherwise a Tree. Bad text raises a ValueError with its place.
    """
    if not isinstance(source, str):
        return _keep(_listed(source, 0))
    reader = _Reader(source)
    return reader.walk(_keep(reader.node(0)))


def read_nodes(text: str) -> "Node":
    """The nodes of a tree given as text, from its root, for editing."""
    reader = _Reader(text)
    root = reader.node(0)
    reader.walk(_keep(root))  # the text must end there
    return root


def stored(root: "Node") -> Tree | ChanceTree:
    """The state at the root of a tree of nodes."""
    return _keep(root)


# --- trees for exercises --------------------------------------------------------------------------------


def uniform_tree(branching: int, depth: int, leaves: Sequence[float]) -> Tree:
    """The tree in which every node has `branching` children and every leaf is `depth` plies deep."""
    if len(leaves) != _most_leaves(branching, depth):
        raise ValueError(f"{branching} children and {depth} plies do not make {len(leaves)} leaves")
    nodes = [_listed(value, depth) for value in leaves]
    for _ in range(depth):
        nodes = [_inner(nodes[i : i + branching]) for i in range(0, len(nodes), branching)]
    return Tree(*_keep(nodes[0]))


def best_first_tree(branching: int, depth: int) -> Tree:
    """A uniform tree with the best move first at every node, for both players.

    Alpha-beta evaluates b^ceil(d/2) + b^floor(d/2) - 1 of its leaves, the fewest of any order (Knuth & Moore
    1975). The leaves are 0, 1, 2 ...: of two siblings, one has all the smaller leaves below it.
    """
    return _ordered_tree(branching, depth, best_first=True)


def worst_first_tree(branching: int, depth: int) -> Tree:
    """A uniform tree with the best move last at every node: alpha-beta evaluates every leaf."""
    return _ordered_tree(branching, depth, best_first=False)


def _ordered_tree(branching: int, depth: int, best_first: bool) -> Tree:
    _most_leaves(branching, depth)
    leaves = [0]
    for level in range(depth):  # MAX's levels are the even ones, and MAX prefers the larger leaves
        falling = (level % 2 == 0) == best_first
        digits = range(branching - 1, -1, -1) if falling else range(branching)
        leaves = [branching * leaf + digit for leaf in leaves for digit in digits]
    return uniform_tree(branching, depth, leaves)


def _most_leaves(branching: int, depth: int) -> int:
    """The maximum number of leaves of a tree of this size; raises a ValueError if it is too large."""
    if not (1 <= branching <= MAX_CHILDREN and 0 <= depth <= MAX_DEPTH and branching**depth <= MAX_NODES):
        raise ValueError(
            f"a tree of {depth} plies and {branching} children per node is too small or too large"
        )
    return branching**depth


def random_tree(
    seed: int,
    depth: int = 4,
    branching: int = 4,
    low: int = -9,
    high: int = 9,
    chance: bool = False,
    alternate: bool = True,
) -> Tree | ChanceTree:
    """The tree of this seed, the same on every machine: 1 to `branching` children, leaves from low to high.

    A branch may end before `depth`. With `chance` every second level is a chance level; without `alternate`
    any player may move at any node.
    """
    if _most_leaves(branching, depth) < 1 or depth < 1 + chance or low > high:
        raise ValueError("a random tree needs at least one ply, with chance two, and low <= high")
    source = random.Random(seed)

    def below(n: int) -> int:  # Python guarantees a stable sequence only for random()
        return int(source.random() * n)

    def grow(level: int, probability: float) -> Node:
        if level == depth or level > 1 and below(8) == 0:
            return _leaf(float(low + below(high - low + 1)), probability)
        throws = chance and level % 2 == 1
        weights = [1 + below(6) if throws else 0 for _ in range(1 + below(branching))]
        player = CHANCE if throws else None if alternate else below(2)
        children = [grow(level + 1, weight / sum(weights) if throws else 1.0) for weight in weights]
        return _inner(children, player, probability)

    return _keep(grow(0, 1.0))


# --- keeping a tree in memory ---------------------------------------------------------------------------


class Node(NamedTuple):
    """A node while the tree is being built, or changed."""

    label: str
    player: int | None  # None: the players alternate
    value: float
    probability: float
    children: "list[Node]"


def _leaf(value: float, probability: float = 1.0) -> Node:
    return Node("", None, value, probability, [])


def _inner(children: list[Node], player: int | None = None, probability: float = 1.0) -> Node:
    return Node("", player, 0.0, probability, children)


_labels = [""]
_numbers = {"": 0}  # of the labels: equal texts have equal numbers, so that equal trees are equal ints


def _keep(root: Node) -> Tree | ChanceTree:
    """Store the tree and return its root."""
    nodes, parents, due = [root], [0], [MAX]
    ints: list[int] = []
    floats: list[float] = []
    throws = False
    for i, node in enumerate(nodes):  # the list grows during the loop: level by level
        player = due[i] if node.player is None else node.player
        throws |= player == CHANCE
        if node.label not in _numbers:
            _numbers[node.label] = len(_labels)
            _labels.append(node.label)
        ints += [player, len(nodes), len(node.children), parents[i], _numbers[node.label]]
        floats += [node.value, node.probability]
        nodes += node.children
        parents += [i] * len(node.children)
        due += [due[i] if player == CHANCE else 1 - player] * len(node.children)
        if len(nodes) > MAX_NODES:
            raise ValueError(f"the tree has more than {MAX_NODES} nodes")
    return (ChanceTree if throws else Tree)(store(ints, int), store(floats, float), 0)


def _listed(source: Any, depth: int) -> Node:
    """A node given as a number or a list."""
    if isinstance(source, int | float):
        if not abs(source) <= sys.float_info.max:
            raise ValueError("a leaf is a finite number")
        return _leaf(float(source) + 0.0)  # not -0.0
    if not isinstance(source, list | tuple):
        raise ValueError(f"a tree is a text, a number or a list of trees, not {source!r}")
    if not 1 <= len(source) <= MAX_CHILDREN:
        raise ValueError(f"a node has 1 to {MAX_CHILDREN} children, not {len(source)}")
    if depth == MAX_DEPTH:
        raise ValueError(f"the tree is more than {MAX_DEPTH} plies deep")
    return _inner([_listed(child, depth + 1) for child in source])


# --- reading text ---------------------------------------------------------------------------------------

BLANK = re.compile(r"(?:\s|#[^\n]*)*")
NUMBER = re.compile(r"[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?(?:/[0-9]+)?")
KIND = re.compile(r"(?:max|min|chance)\b")
WORD = re.compile(r"(?!(?:max|min|chance)\b)[^\W\d]\w*")  # a label
INDEX = re.compile(r"[0-9]{1,9}")


class _Reader:
    """Reads the grammar at the top of this file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = self.last = 0  # the start of the next token, and of the last one
        self.nodes = 0
        self.advance(0)

    def node(self, depth: int, probability: float = 1.0) -> Node:
        self.nodes += 1
        if self.nodes > MAX_NODES:
            self.fail(f"the tree has more than {MAX_NODES} nodes", self.at)
        label = self.take(WORD)
        if label:
            self.skip("=")
        value = self.number()
        kind = self.take(KIND)
        if kind or value is None or self.text.startswith("[", self.at):
            return Node(label, KINDS.get(kind), value or 0.0, probability, self.children(depth, kind))
        return Node(label, None, value, probability, [])

    def children(self, depth: int, kind: str) -> list[Node]:
        if depth == MAX_DEPTH:
            self.fail(f"the tree is more than {MAX_DEPTH} plies deep", self.at)
        self.need("[", "a number or a bracket [")
        children: list[Node] = []
        labels: set[str] = set()
        while not children or self.skip(","):
            start = self.at
            children.append(self.node(depth + 1, self.probability() if kind == "chance" else 1.0))
            label = children[-1].label
            if label in labels:
                self.fail(f"two siblings are called {label}", start)
            labels |= {label} - {""}
            if len(children) > MAX_CHILDREN:
                self.fail(f"a node has at most {MAX_CHILDREN} children", start)
        self.need("]", "a comma or the closing bracket ]")
        total = math.fsum(child.probability for child in children)
        if kind == "chance" and abs(total - 1) > 1e-9:
            self.fail(f"the probabilities before this bracket sum to {total:.12g}, not to 1", self.last)
        return children

    def probability(self) -> float:
        start, value = self.at, self.number()
        if value is None or not self.skip(":"):
            self.fail("a child of a chance node begins with its probability, as in 1/2: 8", start)
        if not 0 <= value <= 1:
            self.fail(f"{_written(value)} is not a probability", start)
        return value

    def number(self) -> float | None:
        digits = self.take(NUMBER)
        if not digits:
            return None
        over, _, under = digits.partition("/")
        value = float(over) / float(under or 1) if float(under or 1) else math.inf
        if not math.isfinite(value):
            self.fail("this is not a finite number", self.last)
        return value + 0.0  # not -0.0

    def walk(self, root: Tree | ChanceTree) -> Tree | ChanceTree:
        """The node at the end of the path, or the root if there is no path; the text must end there."""
        state = root
        if self.skip("@") and self.at < len(self.text):
            while state is root or self.skip("/"):
                start, index = self.at, self.take(INDEX)
                if not index or int(index) not in state.actions():
                    self.fail(f"expected a child, counted from 0; there are {len(state.actions())}", start)
                state = state.result(int(index))
        if self.at < len(self.text):
            self.fail(f"expected the end, found {self.text[self.at]!r}", self.at)
        return state

    def take(self, pattern: re.Pattern[str]) -> str:
        """The token that matches here, empty if none does."""
        match = pattern.match(self.text, self.at)
        if not match:
            return ""
        self.advance(match.end())
        return match[0]

    def skip(self, mark: str) -> bool:
        """Whether the mark comes next; if so, consume it."""
        found = self.text.startswith(mark, self.at)
        if found:
            self.advance(self.at + 1)
        return found

    def advance(self, end: int) -> None:
        """Skip a token that ends there, and the blanks after it."""
        blank = BLANK.match(self.text, end)
        self.last, self.at = self.at, blank.end() if blank else end

    def need(self, mark: str, wanted: str) -> None:
        if not self.skip(mark):
            found = repr(self.text[self.at]) if self.at < len(self.text) else "the end"
            self.fail(f"expected {wanted}, found {found}", self.at)

    def fail(self, what: str, at: int) -> NoReturn:
        line = self.text.count("\n", 0, at) + 1
        column = at - self.text.rfind("\n", 0, at)
        raise ValueError(f"tree, line {line}, column {column}: {what}")


# --- writing text ---------------------------------------------------------------------------------------


def _text(state: Any) -> str:
    path = "/".join(map(str, _path(state)))
    return _written_tree(state.ints, state.floats) + (f" @ {path}" if path else "")


def _path(state: Any) -> list[int]:
    """The children that lead from the root to the state."""
    path = []
    node = state.node
    while node:
        parent = entry(state.ints, node, PARENT)
        path.append(node - entry(state.ints, parent, FIRST))
        node = parent
    return path[::-1]


@functools.lru_cache(maxsize=16)
def _written_tree(ints: int, floats: int) -> str:
    def write(node: int, due: int) -> str:
        player, first, count, _, label = (entry(ints, node, i) for i in range(5))
        value = real(floats, node, VALUE)
        name = _labels[label]
        if not count:
            return f"{name}={_written(value)}" if name else _written(value)
        static = _written(value) if value else ""
        if player == CHANCE:
            chances = [_written(real(floats, first + i, PROBABILITY), 0) for i in range(count)]
            listed = [f"{chance}: {write(first + i, due)}" for i, chance in enumerate(chances)]
        else:
            listed = [write(first + i, 1 - player) for i in range(count)]
        kind = "chance" if player == CHANCE else "" if player == due else ("max", "min")[player]
        equals = "=" if name and (static or kind) else ""
        return f"{name}{equals}{static}{' ' * bool(static and kind)}{kind}[{', '.join(listed)}]"

    return write(0, MAX)


def _written(value: float, digits: int = 8) -> str:
    """As 3 or 0.25, or as 1/3 if a decimal that reads back exactly would need more digits."""
    if value == int(value) and abs(value) < 1e15:
        return str(int(value))
    fraction = Fraction(value).limit_denominator(1000)
    return str(fraction) if len(repr(value)) > digits and float(fraction) == value else repr(value)


def label(state: Any) -> str:
    """The label of the node itself; empty if it has none."""
    return _labels[entry(state.ints, state.node, LABEL)]


def lacks_static_values(state: Any, depth: int) -> bool:
    """Whether a search to this depth stops above leaves, but at no node with a static evaluation."""
    level = [state]
    for _ in range(depth):
        level = [node.result(child) for node in level for child in node.actions()]
    inner = [node for node in level if not node.terminal()]
    return bool(inner) and not any(node.evaluate() for node in inner)


def _child_name(state: Any, child: int) -> str:
    """The child's label, or else a letter for the level and a number, as in AIMA: a1, a2, a3; below, b1."""
    first = entry(state.ints, state.node, FIRST)
    labels = [_labels[entry(state.ints, first + i, LABEL)] for i in state.actions()]
    if labels[child]:
        return labels[child]
    name = f"{chr(ord('a') + len(_path(state)) % 26)}{child + 1}"
    return name + "'" * (name in labels)  # a label has no apostrophe


def _board(state: Any) -> Board:
    """No grid: the note shows the path, the player to move, and the children."""
    path = "/".join(map(str, _path(state)))
    where = label(state) or (f"node {path}" if path else "root")
    if state.terminal():
        return Board((), note=f"{where}: leaf {_written(state.utility())}")
    children = []
    for child in state.actions():
        name, below = state.action_text(child), state.result(child)
        chance = f"{_written(state.probability(child), 0)}: " if state.player() == CHANCE else ""
        value = f"={_written(below.utility())}" if below.terminal() else ""
        children.append(f"{chance}{name}{value}")
    mover = {MAX: "MAX to move", MIN: "MIN to move", CHANCE: "chance"}[state.player()]
    return Board((), note=f"{where}, {mover}: {', '.join(children)}")
