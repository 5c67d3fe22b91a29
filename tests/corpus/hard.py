"""Classes that hardly can be compiled: they run interpreted."""

import re
import string
from collections import OrderedDict
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import FrozenSet, NamedTuple


class FrozenSets(NamedTuple):
    """A frozenset of frozensets: edges of a graph that is cut."""

    edges: FrozenSet[FrozenSet[str]] = frozenset(map(frozenset, ["ab", "bc", "cd", "da", "ac"]))
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return sorted("".join(sorted(e)) for e in self.edges)

    def result(self, name):
        gone = frozenset(name)
        return FrozenSets(frozenset(e for e in self.edges if e != gone and not (len(e & gone) == 1 and "d" in e)), 1 - self.turn)

    def terminal(self):
        return not self.edges

    def utility(self):
        return 1 if self.turn == 1 else -1


class ComplexSquares(NamedTuple):
    """Squares are complex numbers."""

    at: complex = 0j
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i, d in enumerate((1, 1j, -1, -1j)) if abs((self.at + d).real) <= 1 and abs((self.at + d).imag) <= 1]

    def result(self, i):
        return ComplexSquares(self.at + 1j ** i, self.ply + 1)

    def terminal(self):
        return self.ply == 5

    def utility(self):
        return int(self.at.real)


class BigInts(NamedTuple):
    """An int of more than 64 bits as board."""

    board: int = (1 << 99) - 1
    turn: int = 0
    taken: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [3, 7, 11]

    def result(self, k):
        return BigInts(self.board * k % (10 ** 30 + 57), 1 - self.turn, self.taken + 1)

    def terminal(self):
        return self.taken == 5

    def utility(self):
        return 1 if self.board % 2 else -1


class Regex(NamedTuple):
    """A rewriting game with regular expressions."""

    text: str = "aabbab"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return sorted({m.start() for m in re.finditer("ab|bb", self.text)})

    def result(self, at):
        return Regex(self.text[:at] + re.sub(r"^(..)", lambda m: m[1][0], self.text[at:]), 1 - self.turn)

    def terminal(self):
        return not re.search("ab|bb", self.text)

    def utility(self):
        return 1 if self.turn else -1


class DictOfDicts(NamedTuple):
    """A tree as a dict of dicts that is walked by recursion."""

    path: tuple = ()

    TREE = {"l": {"l": 3, "r": {"l": 12, "r": 8}}, "r": {"l": {"l": 2, "r": 4}, "r": 6}}

    def node(self):
        node = self.TREE
        for way in self.path:
            node = node[way]
        return node

    def player(self):
        return len(self.path) % 2

    def actions(self):
        node = self.node()
        return list(node) if isinstance(node, dict) else []

    def result(self, way):
        return DictOfDicts(self.path + (way,))

    def terminal(self):
        return not isinstance(self.node(), dict)

    def utility(self):
        return self.node()


class Fractions(NamedTuple):
    """Exact fractions as fields."""

    share: Fraction = Fraction(1, 2)
    turn: int = 0
    left: int = 4

    def player(self):
        return self.turn

    def actions(self):
        return [2, 3]

    def result(self, d):
        part = self.share / d
        share = self.share + part if self.turn == 0 else self.share - part
        return Fractions(share, 1 - self.turn, self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return 1 if self.share > Fraction(1, 2) else -1


class PlainObject:
    """A class with __init__, __eq__ and __hash__, not a tuple."""

    def __init__(self, sticks=10, turn=0):
        self.sticks = sticks
        self.turn = turn

    def __eq__(self, other):
        return isinstance(other, PlainObject) and (self.sticks, self.turn) == (other.sticks, other.turn)

    def __hash__(self):
        return hash((self.sticks, self.turn))

    def __repr__(self):
        return f"PlainObject({self.sticks}, {self.turn})"

    def player(self):
        return self.turn

    def actions(self):
        return [n for n in (1, 2, 3) if n <= self.sticks]

    def result(self, n):
        return PlainObject(self.sticks - n, 1 - self.turn)

    def terminal(self):
        return self.sticks == 0

    def utility(self):
        return 1 if self.turn == 1 else -1


class Evaluated(NamedTuple):
    """Arithmetic by eval()."""

    text: str = "7"

    def player(self):
        return len(self.text) // 2 % 2

    def actions(self):
        return ["+2", "-3", "*2"]

    def result(self, op):
        return Evaluated(self.text + op)

    def terminal(self):
        return len(self.text) >= 9

    def utility(self):
        return eval(self.text) - 7
