"""Small games from a seminar: each in the style that its author likes best."""
import abc
import functools
import itertools
from bisect import insort
from collections import OrderedDict, deque
from dataclasses import dataclass
from enum import Enum, Flag, auto
from typing import Final, Generic, Iterator, NamedTuple, Protocol, TypeVar

T = TypeVar("T")
SIZE: Final = 4
NEIGHBOURS: Final = tuple(
    tuple(j for j in range(SIZE) if abs(i - j) == 1) for i in range(SIZE)
)


class Turns:
    """A mixin: who is to move by the number of moves."""

    def player(self):
        return self.ply % 2

    @property
    def sign(self):
        return 1 if self.player() == 0 else -1


class ColouringFields(NamedTuple):
    colours: tuple = (0,) * SIZE
    ply: int = 0


class Colouring(Turns, ColouringFields):
    """Neighbours must differ; fields in a base class, rules in this one."""

    __slots__ = ()

    def actions(self):
        return [
            (i, colour)
            for i, c in enumerate(self.colours)
            if not c
            for colour in (1, 2)
            if all(self.colours[j] != colour for j in NEIGHBOURS[i])
        ]

    def result(self, move):
        i, colour = move
        colours = list(self.colours)
        colours[i] = colour
        return Colouring(tuple(colours), self.ply + 1)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -self.sign


@dataclass(frozen=True, order=True)
class Interval:
    low: int
    high: int

    def __len__(self):
        return self.high - self.low

    def __contains__(self, x):
        return self.low <= x < self.high


@dataclass(frozen=True)
class Bisection:
    """Guess a border: a dataclass with __len__ and __contains__ as a field."""

    where: Interval = Interval(0, 8)
    turn: int = 0
    asked: int = 0

    def player(self):
        return self.turn

    def actions(self):
        if self.turn == 0:
            return [x for x in range(self.where.low + 1, self.where.high) if x in self.where][:3]
        return ["below", "above"]

    def result(self, a):
        if self.turn == 0:
            return Bisection(Interval(self.where.low, self.where.high), 1, a)
        if a == "below":
            return Bisection(Interval(self.where.low, self.asked), 0, 0)
        return Bisection(Interval(self.asked, self.where.high), 0, 0)

    def terminal(self):
        return self.turn == 0 and len(self.where) <= 2

    def utility(self):
        return 4 - len(self.where)


class Hydra(NamedTuple):
    """Heads grow back: str methods only."""

    heads: str = "aab"
    turn: int = 0
    cuts: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return sorted(set(self.heads))

    def result(self, head):
        before, _, after = self.heads.partition(head)
        grown = before + ("b" if head == "a" else "") + after
        return Hydra(grown.strip(), 1 - self.turn, self.cuts + 1)

    def terminal(self):
        return len(self.heads) == 0 or self.cuts >= 6

    def utility(self):
        return 1 if self.turn else -1


class Light(Flag):
    RED = auto()
    GREEN = auto()
    BLUE = auto()


class Mixing(NamedTuple):
    """Flags are switched; white wins."""

    light: Light = Light.RED
    turn: int = 0
    ply: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [0, 1, 2]

    def result(self, i):
        return Mixing(self.light ^ (Light.RED, Light.GREEN, Light.BLUE)[i], 1 - self.turn, self.ply + 1)

    def terminal(self):
        return self.ply == 3 or self.light == Light.RED | Light.GREEN | Light.BLUE

    def utility(self):
        return int(Light.RED in self.light) + (Light.GREEN in self.light) - (Light.BLUE in self.light)


class Queue(NamedTuple):
    """A deque that turns; insort keeps a hand in order."""

    people: tuple = (4, 1, 3, 2)
    served: tuple = ()
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return ["front", "back"] if len(self.people) > 1 else ["front"]

    def result(self, end):
        people = deque(self.people)
        who = people.popleft() if end == "front" else people.pop()
        people.rotate(1)
        served = list(self.served)
        insort(served, who * (1 - 2 * self.turn))
        return Queue(tuple(people), tuple(served), 1 - self.turn)

    def terminal(self):
        return not self.people

    def utility(self):
        return sum(self.served)


class Recursive(NamedTuple):
    """Splits of a number, made by a recursive generator function inside the method."""

    n: int = 6
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        def parts(n, least):
            if n == 0:
                return [()]
            found = []
            for k in range(least, n + 1):
                for rest in parts(n - k, k):
                    found.append((k,) + rest)
            return found

        return sorted({p[0] for p in parts(self.n, 1) if len(p) > 1})

    def result(self, k):
        return Recursive(self.n - k if self.turn == 0 else min(self.n - k, k + 2), 1 - self.turn)

    def terminal(self):
        return self.n < 2

    def utility(self):
        return self.n if self.turn else -self.n - 1


class Grid3(NamedTuple):
    """Peg solitaire on a line for one player, slices compared with tuples."""

    pegs: tuple = (1, 1, 0, 1, 1)
    players = 1

    def player(self):
        return 0

    def actions(self):
        right = [(i, 1) for i in range(3) if self.pegs[i : i + 3] == (1, 1, 0)]
        left = [(i, -1) for i in range(3) if self.pegs[i : i + 3] == (0, 1, 1)]
        return right + left

    def result(self, move):
        i, way = move
        return Grid3(self.pegs[:i] + ((0, 0, 1) if way == 1 else (1, 0, 0)) + self.pegs[i + 3 :])

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -sum(self.pegs)


class Voting(NamedTuple):
    """Three voters, max by a count, ties by name."""

    votes: tuple = ()

    players = 3

    def player(self):
        return min(len(self.votes), 2)

    def actions(self):
        return ["ann", "bob", "cy"]

    def result(self, name):
        return Voting((*self.votes, name))

    def terminal(self):
        return len(self.votes) == 3

    def winner(self):
        return max(self.votes, key=lambda name: (self.votes.count(name), name))

    def utility(self, player):
        return 1 if self.winner() == ("ann", "bob", "cy")[player] else 0


class Memo(NamedTuple):
    """Coins in a row, with a cached function of a tuple for the estimate."""

    row: tuple = (5, 3, 7, 2)
    diff: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        yield "first"
        if len(self.row) > 1:
            yield "last"

    def result(self, which):
        *rest, last = self.row
        first, *others = self.row
        coin, row = (first, others) if which == "first" else (last, rest)
        return Memo(tuple(row), self.diff + (coin if self.turn == 0 else -coin), 1 - self.turn)

    def terminal(self):
        return self.row == ()

    def utility(self):
        return self.diff

    def evaluate(self):
        return self.diff + (best_of(self.row) if self.turn == 0 else -best_of(self.row))


@functools.lru_cache
def best_of(row):
    if not row:
        return 0
    return max(row[0] - best_of(row[1:]), row[-1] - best_of(row[:-1]))


class Weights(NamedTuple):
    """Balance: a local class constant dict by enum, any() with a nested generator."""

    left: tuple = ()
    right: tuple = ()
    free: tuple = (1, 2, 3)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return list(itertools.product("LR", self.free))

    def result(self, move):
        side, weight = move
        free = tuple(w for w in self.free if w != weight)
        if side == "L":
            return Weights(self.left + (weight,), self.right, free, 1 - self.turn)
        return Weights(self.left, self.right + (weight,), free, 1 - self.turn)

    def terminal(self):
        return not self.free or any(a == b + c for a in self.left for b in self.right for c in self.right if b < c)

    def utility(self):
        l, r = sum(self.left), sum(self.right)
        return 0 if l == r else 1 if l > r else -1


class Stream(NamedTuple):
    """accumulate, pairwise and starmap over a path of heights."""

    heights: tuple = (2,)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        top = self.heights[-1]
        return [h for h in (top - 1, top, top + 2) if h >= 0]

    def result(self, h):
        return Stream(self.heights + (h,), 1 - self.turn)

    def terminal(self):
        return len(self.heights) > 4 or max(itertools.accumulate(self.heights)) > 14

    def utility(self):
        climbs = sum(b > a for a, b in itertools.pairwise(self.heights))
        return climbs - sum(itertools.starmap(lambda a, b: a > b, zip(self.heights, self.heights[1:])))


class Labelled(NamedTuple):
    """Squares by name, a dict comprehension as the class's table, walrus in a comprehension."""

    rook: str = "a1"
    king: str = "c3"
    turn: int = 0
    ply: int = 0

    NAMES = [f + r for f in "abc" for r in "123"]
    PLACE = {name: divmod(i, 3) for i, name in enumerate(NAMES)}

    def player(self):
        return self.turn

    def sees(self, a, b):
        (ax, ay), (bx, by) = self.PLACE[a], self.PLACE[b]
        return a != b and (ax == bx or ay == by)

    def beside(self, a, b):
        (ax, ay), (bx, by) = self.PLACE[a], self.PLACE[b]
        return a != b and max(abs(ax - bx), abs(ay - by)) <= 1

    def actions(self):
        if self.turn == 0:
            return [n for n in self.NAMES if self.sees(self.rook, n) and n != self.king]
        return [n for n in self.NAMES if self.beside(self.king, n) and not self.sees(self.rook, n)]

    def result(self, n):
        if self.turn == 0:
            return self._replace(rook=n, turn=1, ply=self.ply + 1)
        return self._replace(king=n, turn=0, ply=self.ply + 1)

    def terminal(self):
        return self.rook == self.king or self.ply >= 5 or not self.actions()

    def utility(self):
        if self.rook == self.king:
            return -1
        return 1 if self.turn == 1 and self.sees(self.rook, self.king) else 0


class Tickets(NamedTuple):
    """Sum of digits, string formatting as a number, divmod chains."""

    number: int = 0
    digits: int = 0

    def player(self):
        return self.digits % 2

    def actions(self):
        return range(0, 10, 3)

    def result(self, d):
        return Tickets(self.number * 10 + d, self.digits + 1)

    def terminal(self):
        return self.digits == 4

    def utility(self):
        text = f"{self.number:04d}"
        left, right = sum(map(int, text[:2])), sum(int(ch) for ch in text[2:])
        return left - right


class Counterfeit(NamedTuple):
    """try/except around a lookup, for/else, while/else."""

    shelf: tuple = ("x", "y", "x", "z")
    taken: str = ""
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        found = []
        for letter in "xyz":
            try:
                found.append(self.shelf.index(letter))
            except ValueError:
                continue
        return found

    def result(self, i):
        return Counterfeit(self.shelf[:i] + self.shelf[i + 1 :], self.taken + self.shelf[i], 1 - self.turn)

    def terminal(self):
        for letter in self.shelf:
            if letter != "x":
                break
        else:
            return True
        return False

    def utility(self):
        i = 0
        while i < len(self.taken):
            if self.taken[i] == "z":
                return 1 if i % 2 == 0 else -1
            i += 1
        else:
            return 0


class Parity(NamedTuple):
    """Nested tuples unpacked in the loop's head, sum with a start, a set of frozen pairs."""

    edges: tuple = ((0, 1), (1, 2), (2, 0))
    degree: tuple = (0, 0, 0)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [edge for edge in self.edges if self.degree[edge[0]] + self.degree[edge[1]] < 3]

    def result(self, edge):
        degree = [d + edge.count(i) for i, d in enumerate(self.degree)]
        return Parity(tuple(e for e in self.edges if set(e) != set(edge)), tuple(degree), 1 - self.turn)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return sum((d % 2 for d in self.degree), -1)


class Palindromes(NamedTuple):
    """Letters in front or behind; reversed texts, str.translate left out, max with default."""

    word: str = "b"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(side, ch) for side in ("front", "behind") for ch in "ab"]

    def result(self, move):
        side, ch = move
        return Palindromes(ch + self.word if side == "front" else self.word + ch, 1 - self.turn)

    def terminal(self):
        return len(self.word) == 5

    def utility(self):
        spans = [
            j - i
            for i in range(5)
            for j in range(i + 2, 6)
            if self.word[i:j] == self.word[i:j][::-1]
        ]
        return max(spans, default=0) - (3 if "".join(reversed(self.word)) == self.word else 2)
