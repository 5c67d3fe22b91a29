"""Small games in other styles."""
from __future__ import annotations

import functools
import itertools as it
import math
import operator as op
import string
from collections import Counter, OrderedDict, defaultdict, deque
from dataclasses import astuple, dataclass, field, replace
from enum import Enum, IntEnum, IntFlag
from typing import Callable, Iterable, NamedTuple, Optional

Board = tuple[int, ...]
Move = tuple[int, int]


class Alias(NamedTuple):
    """Type aliases and annotations by name."""

    board: Board = (3, 3)
    mover: int = 0

    def player(self) -> int:
        return self.mover

    def actions(self) -> Iterable[Move]:
        return ((i, k) for i, n in enumerate(self.board) for k in (1, 2) if k <= n)

    def result(self, move: Move) -> Alias:
        i, k = move
        board: list[int] = [*self.board]
        board[i] -= k
        if self.mover and board[1 - i] < 3:
            board[1 - i] += k - 1
        return Alias((*board,), 1 - self.mover)

    def terminal(self) -> bool:
        return not sum(self.board)

    def utility(self) -> int:
        return (-1, 1)[self.mover]


class PickNumbers(NamedTuple):
    """min and max of enumerate; list.copy; index of the best."""

    xs: tuple = (7, 3, 9, 4)
    total: tuple = (0, 0)

    points = True

    def player(self):
        return (4 - len(self.xs)) % 2

    def actions(self):
        hi, _ = max(enumerate(self.xs), key=lambda t: t[1])
        lo = min(range(len(self.xs)), key=self.xs.__getitem__)
        return sorted({hi, lo})

    def result(self, i):
        xs = list(self.xs)
        ys = xs.copy()
        v = ys.pop(i)
        total = list(self.total)
        total[self.player()] += v
        return PickNumbers(tuple(ys), tuple(total))

    def terminal(self):
        return not self.xs

    def utility(self):
        return op.sub(*self.total)


class CountFrom(NamedTuple):
    """enumerate(start=1), sum of bools, zip with unequal lengths, negative steps."""

    row: tuple = (0,) * 5
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [n for n, v in enumerate(self.row, start=1) if not v]

    def result(self, n):
        row = list(self.row)
        row[n - 1] = [1, 2][self.ply % 2]
        return CountFrom(tuple(row), self.ply + 1)

    def terminal(self):
        return self.ply == 5

    def utility(self):
        weighted = sum(n * (v == 1) for n, v in enumerate(self.row[::-1], 1))
        return weighted - sum(a == b for a, b in zip(self.row, self.row[2:])) - 7


class Digits(NamedTuple):
    """A number as digits by str, zfill, int, map."""

    n: int = 407
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return sorted(set(map(int, str(self.n).zfill(3))))

    def result(self, d):
        digits = [int(c) for c in str(self.n).zfill(3)]
        i = digits.index(d)
        digits[i] = (digits[i] * 3 + 1) % 10
        return Digits(int("".join(map(str, digits))), self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return sum(map(int, str(self.n))) - 12


class Alphabet(NamedTuple):
    """string.ascii_lowercase, slices of it, find, rfind, isdigit."""

    s: str = "m3a"
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i, c in enumerate(self.s) if not c.isdigit() or c < "9"]

    def result(self, i):
        c = self.s[i]
        if c.isdigit():
            new = str(int(c) + 1)
        else:
            k = string.ascii_lowercase.find(c)
            new = string.ascii_lowercase[(k + 7) % 26]
        return Alphabet(self.s[:i] + new + self.s[i + 1:], self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        letters = [c for c in self.s if c.isalpha()]
        return 1 if letters == sorted(letters) else -1


class Longest(NamedTuple):
    """max with key=len over strings, sorted by two keys."""

    words: tuple = ("ox", "cow", "hen", "goose")
    got: tuple = ("", "")

    points = True

    def player(self):
        return len(self.words) % 2

    def actions(self):
        by_length = sorted(self.words, key=lambda w: (-len(w), w))
        return by_length[:2]

    def result(self, word):
        got = list(self.got)
        got[self.player()] += word
        return Longest(tuple(w for w in self.words if w != word), tuple(got))

    def terminal(self):
        return len(self.words) == 0

    def utility(self):
        longest = max(self.got, key=len)
        return len(longest) if longest == self.got[0] else -len(longest)


class Partial(NamedTuple):
    """functools.partial, operator, map with two sequences."""

    a: tuple = (1, 2, 3)
    b: tuple = (2, 2, 2)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [0, 1, 2]

    def result(self, i):
        bump = functools.partial(self.bumped, i)
        if self.ply % 2 == 0:
            return Partial(bump(self.a), self.b, self.ply + 1)
        return Partial(self.a, bump(self.b), self.ply + 1)

    @staticmethod
    def bumped(i, xs):
        return xs[:i] + (xs[i] + 1,) + xs[i + 1:]

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return sum(map(op.mul, self.a, (1, -1, 1))) - sum(map(lambda x, y: x * y > 6, self.a, self.b))


class Accumulator(NamedTuple):
    """A generator pipeline."""

    log: tuple = ()

    points = True

    def player(self):
        return len(self.log) % 2

    def actions(self):
        yield from (d for d in (-2, 1, 3) if d not in self.log[-1:])

    def result(self, d):
        return Accumulator(self.log + (d,))

    def terminal(self):
        return len(self.log) >= 5

    def utility(self):
        running = it.accumulate(self.log)
        positive = (x for x in running if x > 0)
        squares = (x * x for x in positive)
        return sum(squares) - 9


class TwoPhase(NamedTuple):
    """First choose a piece, then where it goes: a pending choice is None or a square."""

    pieces: tuple = (0, 2)
    chosen: Optional[int] = None
    turn: int = 0
    moves: int = 0

    def player(self):
        return self.turn

    def actions(self):
        if self.chosen is None:
            return list(range(len(self.pieces)))
        here = self.pieces[self.chosen]
        return [to for to in (here - 1, here + 1) if 0 <= to < 5 and to not in self.pieces] or [here]

    def result(self, a):
        if self.chosen is None:
            return self._replace(chosen=a)
        pieces = tuple(a if i == self.chosen else p for i, p in enumerate(self.pieces))
        return TwoPhase(pieces, None, 1 - self.turn, self.moves + 1)

    def terminal(self):
        return self.moves == 4

    def utility(self):
        return 1 if abs(self.pieces[0] - self.pieces[1]) > 2 else -1


class Stock(NamedTuple):
    """Parallel dict constants, dict.values and dict.keys, `in` on items."""

    bought: tuple = ()

    COST = {"apple": 2, "pear": 3, "fig": 5}
    GAIN = {"apple": 1, "pear": 4, "fig": 6}
    BUDGET = sum(COST.values())
    points = True

    def player(self):
        return len(self.bought) % 2

    def spent(self):
        return sum(self.COST[x] for x in self.bought)

    def actions(self):
        left = self.BUDGET - self.spent()
        able = [x for x in self.COST.keys() if self.COST[x] <= left]
        return able if able else ["nothing"]

    def result(self, x):
        return Stock(self.bought + (x,)) if x != "nothing" else Stock(self.bought + ("fig", "fig"))

    def terminal(self):
        return self.spent() >= min(self.BUDGET, 8)

    def utility(self):
        gains = [self.GAIN[x] for x in self.bought]
        return sum(gains[::2]) - sum(gains[1::2])


class Nested3(NamedTuple):
    """A cube: three levels of tuples."""

    cube: tuple = (((0, 0), (0, 0)), ((0, 0), (0, 0)))
    turn: int = 1

    def player(self):
        return self.turn - 1

    def actions(self):
        return [(x, y, z) for x in range(2) for y in range(2) for z in range(2) if not self.cube[x][y][z] and x + y + z > 0]

    def result(self, at):
        cube = [[[v for v in line] for line in plane] for plane in self.cube]
        x, y, z = at
        cube[x][y][z] = self.turn
        return Nested3(tuple(tuple(tuple(line) for line in plane) for plane in cube), 3 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        faces = [[v for line in plane for v in line] for plane in self.cube]
        return faces[0].count(1) - faces[1].count(2)


class Perm(IntFlag):
    R = 4
    W = 2
    X = 1


class Permissions(NamedTuple):
    """IntFlag with masks."""

    flags: Perm = Perm.R | Perm.W
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [p for p in Perm if (self.flags & p) != p or self.ply > 0]

    def result(self, p):
        return Permissions(self.flags ^ p, self.ply + 1)

    def terminal(self):
        return self.ply == 4 or not self.actions()

    def utility(self):
        return int(self.flags) - 3


class Level(IntEnum):
    ONE = 1
    TWO = 2
    THREE = 3

    def up(self):
        return Level(min(self + 1, Level.THREE))

    @classmethod
    def lowest(cls):
        return min(cls)


class Levels(NamedTuple):
    """Methods of an IntEnum."""

    towers: tuple[Level, ...] = (Level.ONE, Level.ONE, Level.TWO)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i, t in enumerate(self.towers) if t < Level.THREE] or [-1]

    def result(self, i):
        if i == -1:
            return self._replace(ply=self.ply + 1)
        return Levels(tuple(t.up() if k == i else t for k, t in enumerate(self.towers)), self.ply + 1)

    def terminal(self):
        return self.ply >= 5 or Level.lowest() not in self.towers

    def utility(self):
        return 1 if self.ply % 2 == sum(self.towers) % 2 else -1


@dataclass(frozen=True)
class Vector:
    x: int = 0
    y: int = 0

    def __add__(self, o):
        return Vector(self.x + o.x, self.y + o.y)

    def __neg__(self):
        return Vector(-self.x, -self.y)

    def norm(self):
        return abs(self.x) + abs(self.y)


@dataclass(frozen=True)
class Ships:
    """Operators of a dataclass; astuple."""

    a: Vector = Vector(0, 0)
    b: Vector = Vector(3, 2)
    ply: int = 0

    WAYS = (Vector(1, 0), Vector(0, 1))

    def player(self):
        return self.ply % 2

    def actions(self):
        return [0, 1, 2]

    def result(self, i):
        step = self.WAYS[i] if i < 2 else Vector(1, 1)
        if self.ply % 2:
            return replace(self, b=self.b + -step, ply=self.ply + 1)
        return replace(self, a=self.a + step, ply=self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        x, y = astuple(self.a)
        return 1 if self.a == self.b else (self.a + -self.b).norm() - x - y


class Ladder(NamedTuple):
    """Ladders of elif and nested functions with nonlocal."""

    pos: int = 0
    energy: int = 3
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        count = 0

        def allowed(k):
            nonlocal count
            count += 1
            return k <= self.energy and count < 4

        return [k for k in range(5) if allowed(k)]

    def result(self, k):
        energy = self.energy - k + 1
        if k == 0:
            pos = self.pos
        elif k == 1:
            pos = self.pos + 1
        elif k == 2 and self.pos % 2:
            pos = self.pos + 3
        else:
            pos = self.pos + 2
        return Ladder(pos + 1, min(energy, 3), 1 - self.turn)

    def terminal(self):
        return self.pos >= 7

    def utility(self):
        return 1 if self.turn == 1 else -1


class Matrix(NamedTuple):
    """Row and column sums, transposition, any(map)."""

    m: tuple = ((1, -2), (3, 0))
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return ["rows", "cols", "t"]

    def result(self, what):
        if what == "t":
            m = tuple(zip(*self.m))
        elif what == "rows":
            m = tuple(tuple(v + sum(row) for v in row) for row in self.m)
        else:
            sums = [sum(col) for col in zip(*self.m)]
            m = tuple(tuple(v - s for v, s in zip(row, sums)) for row in self.m)
        return Matrix(m, self.ply + 1)

    def terminal(self):
        return self.ply == 3

    def utility(self):
        trace = sum(self.m[i][i] for i in range(2))
        return trace if any(map(lambda row: min(row) < 0, self.m)) else -trace


class Interval(NamedTuple):
    """Chained comparison with calls, range membership, tuple of ranges."""

    lo: int = 0
    hi: int = 12
    who: int = 0

    def player(self):
        return self.who

    def actions(self):
        mid = (self.lo + self.hi) // 2
        return [g for g in (mid - 1, mid, mid + 1) if self.lo < g < self.hi]

    def result(self, g):
        if g in range(0, 7):
            return Interval(g, self.hi, 1 - self.who)
        return Interval(self.lo, g, 1 - self.who)

    def terminal(self):
        return not self.lo < self.hi - 1

    def utility(self):
        return -1 if self.who == 0 else 1


class Ragged(NamedTuple):
    """A Young diagram: rows of different lengths shrink."""

    shape: tuple[int, ...] = (4, 3, 1)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        padded = self.shape + (0,)
        return [i for i in range(len(self.shape)) if padded[i] > padded[i + 1]]

    def result(self, i):
        shape = [n - 1 if k == i else n for k, n in enumerate(self.shape)]
        while shape and shape[-1] == 0:
            shape.pop()
        return Ragged(tuple(shape), 1 - self.mover)

    def terminal(self):
        return self.shape == ()

    def utility(self):
        return 1 if self.mover else -1


class Graph(NamedTuple):
    """Breadth-first distances with a deque and a dict."""

    token: str = "a"
    ply: int = 0

    EDGES = [("a", "b"), ("b", "c"), ("c", "d"), ("a", "e"), ("e", "d"), ("b", "e")]

    def neighbours(self, node):
        return sorted([y for x, y in self.EDGES if x == node] + [x for x, y in self.EDGES if y == node])

    def distance(self, goal):
        dist = {self.token: 0}
        queue = deque([self.token])
        while queue:
            node = queue.popleft()
            if node == goal:
                return dist[node]
            for nxt in self.neighbours(node):
                if nxt not in dist:
                    dist[nxt] = dist[node] + 1
                    queue.append(nxt)
        return 99

    def player(self):
        return self.ply % 2

    def actions(self):
        return self.neighbours(self.token)

    def result(self, node):
        return Graph(node, self.ply + 1)

    def terminal(self):
        return self.token == "d" or self.ply >= 6

    def utility(self):
        return 1 if self.token == "d" else -1

    def evaluate(self):
        return 3 - self.distance("d")


class UnionFind(NamedTuple):
    """Parents in a list, find with path halving."""

    edges: tuple = ()

    ALL = [(a, b) for a in range(4) for b in range(a + 1, 4)]

    def player(self):
        return len(self.edges) % 2

    def parents(self):
        parent = list(range(4))

        def find(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        for a, b in self.edges:
            parent[find(a)] = find(b)
        return [find(x) for x in range(4)]

    def actions(self):
        p = self.parents()
        return [(a, b) for a, b in self.ALL if p[a] != p[b]]

    def result(self, edge):
        return UnionFind(tuple(sorted(self.edges + (edge,))))

    def terminal(self):
        return len(set(self.parents())) == 1

    def utility(self):
        degree = Counter(v for edge in self.edges for v in edge)
        return 1 if max(degree.values()) == 3 else -1


class Memo(NamedTuple):
    """A default dict argument as memo inside an evaluation by recursion."""

    n: int = 8
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [k for k in (1, 2) if k <= self.n]

    def result(self, k):
        return Memo(self.n - k, 1 - self.turn)

    def terminal(self):
        return self.n == 0

    def utility(self):
        return 1 if self.turn else -1

    def evaluate(self):
        memo = {}

        def ways(n):
            if n <= 1:
                return 1
            if n not in memo:
                memo[n] = ways(n - 1) + ways(n - 2)
            return memo[n]

        return ways(self.n) % 7


class Simplex(NamedTuple):
    """Floats on the way, rounding, math.dist, comparison with a tolerance."""

    x: int = 0
    y: int = 0
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [(1, 0), (0, 1), (1, 1)]

    def result(self, d):
        return Simplex(self.x + d[0], self.y + d[1], self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        d = math.dist((self.x, self.y), (2, 2))
        return 1 if d < 1.5 else -1 if d > 2 else 0

    def evaluate(self):
        angle = math.atan2(self.y, self.x + 1e-9)
        return round(100 * math.sin(angle)) if not math.isclose(angle, 0) else 50


class Lookup(NamedTuple):
    """A dict keyed by tuples of strings; `or`, `and` for defaults; in on dict.values()."""

    a: str = "rock"
    b: str = ""
    score: int = 0
    round: int = 0

    BEATS = {("rock", "scissors"), ("paper", "rock"), ("scissors", "paper")}
    WORTH = {("rock", "paper"): 2, ("paper", "paper"): 1}

    def player(self):
        return 0 if not self.a else 1

    def actions(self):
        return ["rock", "paper", "scissors"]

    def result(self, c):
        if not self.a:
            return self._replace(a=c)
        gain = (self.a, c) in self.BEATS and 1 or (c, self.a) in self.BEATS and -1 or 0
        gain *= self.WORTH.get((self.a, c)) or 1
        return Lookup("", c, self.score + gain, self.round + 1)

    def terminal(self):
        return self.round == 3

    def utility(self):
        return self.score


class Scoreboard(NamedTuple):
    """Early exits from nested loops by for/else, and a flag."""

    rows: tuple = ((1, 0, 2), (0, 0, 0), (2, 0, 1))
    turn: int = 1

    def player(self):
        return self.turn - 1

    def actions(self):
        for r in range(3):
            for c in range(3):
                if self.rows[r][c] == 0:
                    break
            else:
                continue
            return [(r, k) for k in range(c, 3) if self.rows[r][k] == 0]
        return []

    def result(self, at):
        y, x = at
        return Scoreboard(
            tuple(tuple(self.turn if (r, c) == (y, x) else v for c, v in enumerate(row)) for r, row in enumerate(self.rows)),
            3 - self.turn,
        )

    def terminal(self):
        return all(all(row) for row in self.rows)

    def utility(self):
        diagonal = [self.rows[i][i] for i in range(3)]
        found = False
        for v in diagonal:
            if v == 2:
                found = True
                break
        return -1 if found else 1


class Windows(NamedTuple):
    """Sliding windows as slices, sum of max, list of lists."""

    xs: tuple = (1, 0, 2, 0, 1, 0)
    left: int = 4

    points = True

    def player(self):
        return self.left % 2

    def actions(self):
        return [i for i in range(len(self.xs)) if self.xs[i] < 3]

    def result(self, i):
        xs = list(self.xs)
        xs[i] += 1
        xs[i - 1] = max(0, xs[i - 1] - 1)
        return Windows(tuple(xs), self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        windows = [self.xs[i:i + 3] for i in range(len(self.xs) - 2)]
        best = max(windows, key=sum)
        return sum(best) - sum(min(w) for w in windows) - best[1]
