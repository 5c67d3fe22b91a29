"""What random classes in natural Python found: each is compiled, and the code that it becomes means the same."""

import importlib
import textwrap
import warnings
from pathlib import Path

import pytest

from bench import machine
from outplay.compile import twin
from outplay.compile.natural.layout import MOST_WORDS
from outplay.compile.natural.native import Beyond, Outgrown
from outplay.compile.natural.program import Natural
from outplay.compile.natural.twin import NaturalTwin
from outplay.game import adopt

GAME = """\
import bisect
import heapq
import itertools
import math
import operator
from collections import Counter, defaultdict, deque
from enum import Enum, Flag, IntFlag
from functools import cache, partial, reduce
from typing import NamedTuple

TABLE = (3, -1, 4, 1, -5, 9, 2, 6)
RAGGED = ((1, 2), (), (0, 3, 4), (2,))
NAMES = ["abc", "b", "", "cad"]


class Light(Flag):
    RED = 1
    GREEN = 4


class Mask(IntFlag):
    LOW = 1
    HIGH = 2


class Way(Enum):
    UP = 1
    DOWN = -1

    def __call__(self, n):
        return n + self.value


def added(first, *others, twice=1):
    for other in others:
        first += other
    return first * twice


def checked(n):
    if n < 0:
        raise ValueError("negative")
    return n % 20


class Spot(NamedTuple):
    at: int | None = None


class Game(NamedTuple):
    left: int = 4
    board: tuple = (2, 0, 1, 3, 0, 1)
    word: str = "abca"
    points = True

    def player(self):
        return self.left % 2

    def actions(self):
        return [0, 1, 5]

    def result(self, a):
        return Game(self.left - 1, self.board[1:] + (a,), self.word[1:] + "abcd"[a % 4])

    def terminal(self):
        return self.left == 0

    def utility(self):
        return self.left

    def evaluate(self):
"""
FOUND = {
    "translate": """
        return len(self.word.translate(str.maketrans('ab', 'xy'))) + ord(self.word.translate(str.maketrans('ab', 'xy'))[0])
    """,
    "a union of many": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return len(set().union(*[s, {1, 2}], (3, 4), *RAGGED)) + sum(set().union(*RAGGED))
    """,
    "a union of generated rows": """
        t = frozenset().union(*((v, v + 1) for v in self.board))
        return sum(t)
    """,
    "pop of a set of one": """
        s = set(v for v in self.board if v > 2)
        if len(s) == 1:
            n = s.pop()
            return n * 10 + len(s)
        return 0
    """,
    "next of a name": """
        it = (v for v in self.board if v > 0)
        return next(it, 3)
    """,
    "dict with names": """
        d = dict(x=1, y=self.left)
        return d['y'] * 3 + len(d) + list(d.values())[0]
    """,
    "dict with names and a dict": """
        d = dict({'z': 4}, x=1, z=self.left)
        return d['z'] * 3 + list(d.values())[0]
    """,
    "defaultdict of texts": """
        d = defaultdict(str)
        for i, c in enumerate(self.word):
            d[i % 2] += c
        return len(d[0]) * 5 + (d[1] == 'ba')
    """,
    "dict of pairs and names": """
        d = dict([(1, 2), (1, 3)], x=4)
        return d[1]
    """,
    "a dict made of a set, with names": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = dict({x: x for x in s}, y=4)
        return len(d)
    """,
    "a star of a listed pair": """
        def f(a, b):
            return a * 2 - b
        squares = [(v, v + 1) for v in self.board]
        return sum(f(*square) for square in squares) % 50
    """,
    "a dict made of a set: what is asked of it": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x * 2 for x in s}
        return d[8] + d.get(99, 5) + len(d) + (17 in d) + sum(d.values()) + max(d) + sum(sorted(d.items())[0]) + any(v == 34 for v in d.values())
    """,
    "a dict made of a set: one key twice, one value": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x % 5: 7 for x in s}
        return d[2]
    """,
    "a dict made of a set: of pairs": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = dict((x, i) for x in s for i in (1,))
        d[5] = 3
        return len(frozenset(d.items())) + sum(v for k, v in frozenset(d.items()))
    """,
    "a dict made of a set: merged": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        return sum({**d, 3: 4}.values()) + len(d.keys() & {8, 1}) + len({**d})
    """,
    "a dict made of a set: a loop": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        for k in d:
            if d[k] > 30:
                return 1
        return 0
    """,
    "a dict of what a set sums to": """
        d = {k: sum(1 for x in {1, 5} if x > k) for k in range(3)}
        return list(d.values())[1]
    """,
    "a dict made of a set: of lists": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: [x] for x in s}
        d[8].append(4)
        return len(d[8]) + sum(len(v) for v in d.values())
    """,
    "a dict made of a set: by fromkeys": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = dict.fromkeys(s, 2)
        d[1] = 3
        return sum(d.values())
    """,
    "a dict made of a set: changed": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        del d[17]
        d.pop(8)
        d.setdefault(2, 9)
        return sum(d) + (2 in d.keys())
    """,
    "combinations of a set: sum and max": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return any(sum(c) == 25 for c in itertools.combinations(s, 2)) + sum(max(c) for c in itertools.combinations(s, 3)) * 2
    """,
    "combinations of a set: a + b": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(a + b == 25 for a, b in itertools.combinations(s, 2)) + len({a + b for a, b in itertools.combinations(s, 2)})
    """,
    "permutations of a set": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max({c for c in itertools.permutations(s, 2)})[0] + sum(a * 2 + b for a, b in itertools.permutations(s, 2))
    """,
    "combinations of a set: a loop": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        for c in itertools.combinations(s, 2):
            if sum(c) == 25:
                return 1
        return 0
    """,
    "combinations of a set: set and not in": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(len(set(c)) for c in itertools.combinations(s, 2) if 17 not in c)
    """,
    "a chain of sets": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(set(itertools.chain.from_iterable([s, {1, 2}])))
    """,
    "math of what a loop has yet to make": """
        n = 0
        for x in self.board:
            n = (n + math.floor(sorted(self.board)[n % 3] / 3)) % 9
        return n
    """,
    "a chain of rows": """
        rows = [self.board[i : i + 2] for i in range(3)]
        return sum(itertools.chain(*RAGGED)) + sum(itertools.chain((9,), *rows, self.board)) * 100
    """,
    "a heap of pairs": """
        heap = []
        for i, v in enumerate(tuple(reversed(TABLE[:4]))[:6]):
            heapq.heappush(heap, (v, i))
        return heap[0][1]
    """,
    "functions called like ours": """
        def checked_floor(x):
            return 77.0
        def native_popcount(x):
            return 5
        n = self.left > 2
        try:
            n = checked(n)
        except ValueError:
            n = -7
        return n + math.floor(self.left / 3) + int(checked_floor(2.0)) + native_popcount(self.left)
    """,
    "what rounds inside try": """
        try:
            found = self.board.index(round(self.left / 4)) + int(math.sqrt(self.left - 2))
            return found + self.board.index(math.isqrt(self.left - 1)) + math.comb(self.board[1], 2)
        except ValueError:
            return 50
    """,
    "a lambda's comprehension with a name of the loop before it": """
        for v in self.board[self.left + 2 :]:
            if v > 0:
                return v
        return sorted(self.board, key=lambda x: (next((i for i, v in enumerate(TABLE) if v == x), -1), x))[0]
    """,
    "a lambda inside a lambda with a name of the loop before them": """
        for v in self.board[self.left + 2 :]:
            if v > 0:
                return v
        return max(range(3), key=lambda x: x * len(list(itertools.groupby(self.board[:4], key=lambda v: v))))
    """,
    "a name that a function captures and its comprehension has, too": """
        v = self.left + 5
        def f(k):
            return v + sum([v * k for v in range(3)])
        g = lambda k=v: v + sum([v * k for v in range(v)])
        return f(2) + g(1) + (lambda w: (lambda v: v + w)(3) + v)(4)
    """,
    "a loop over a generator whose name is one of the function, too": """
        v, total = self.left, 0
        for x in (v * 2 for v in range(3)):
            total += v * 10 + x
        for x in [v + w for w in range(2) for v in self.board if v > w]:
            total = total * 3 % 1001 + v * 10 + x
        return total + sum(v for x in (v for v in self.board) if x > v) + any(v == 2 for v in (v + 1 for v in range(3)))
    """,
    "a comprehension's name that is a constant of the module, too": """
        t = sum(TABLE for TABLE in self.board)
        return t + TABLE[self.left] + len([NAMES for NAMES in NAMES if NAMES]) * 100
    """,
    "a loop's turn looks at what the one before has left": """
        first, total = True, 0
        for x in self.board:
            if not first:
                total += before
            before = x
            first = False
        for k in range(self.left):
            for i, x in enumerate(self.board):
                if k > 1 or i > 1:
                    total = total * 3 % 1001 + w
                elif i:
                    w = x + k
            if k > 1:
                total += last + sum(rows)
            last = k
            rows = [k]
            rows.append(before)
        return total
    """,
    "a name that gets another kind inside a block": """
        total = 0
        if self.left > 2:
            best = float("inf")
            for v in self.board:
                if v < best:
                    best = v
            best = int(best)
            found = [1, 2]
            found.append(best)
            total += sum(found) + self.board[best]
        for x in self.board:
            best = None
            for y in self.board:
                if y > x and (best is None or y < best):
                    best = y
            best = best if best is not None else 0
            try:
                r = x / (x - 1)
                r = TABLE[int(r)]
            except ZeroDivisionError:
                r = 7
            total = total * 5 % 1001 + TABLE[best] + r
        return total + best
    """,
    "defaults of functions inside functions": """
        fs = []
        total = 0
        for k in range(3):
            f = lambda x, k=k, b=self.left: x * k + b
            total = total * 7 + f(2) + f(3, 1) + f(1, b=2)
        def g(n, acc=total):
            return acc if n == 0 else g(n - 1, acc + n) + g(n - 1)
        total = 5
        def h(n=total):
            total = n + 1
            return total
        total += 100
        return g(2) % 1001 + h() + h(3) + total
    """,
    "a function's default is a parameter of the one around it": """
        def outer(a, b=self.left):
            def inner(c, d=b):
                return a + c * d
            b = 50
            return inner(1) + inner(2, 3) + b
        return outer(1) + outer(2, 5) + sorted(self.board, key=lambda v, s=-1: s * v)[0]
    """,
    "a default that hides its own name": """
        def make(n):
            return lambda x, n=n: x + n
        return make(3)(4) + make(self.left)(6, 7)
    """,
    "dicts merged": """
        a, b = {1: 2, 3: 4}, {i: v for i, v in enumerate(self.board[:3])}
        c = a | b
        d = {**b, 7: 8, **a}
        c |= {9: self.left}
        return sum(k * 100 + v for k, v in c.items()) * 1000 + sum(k * 10 + v for k, v in d.items()) + list(d)[1] + list(c)[0]
    """,
    "splitlines": """
        lines = (self.word + "\\n" + self.word[1:] + "\\n\\nx\\r\\ny").splitlines()
        return len(lines) * 100 + len(lines[0]) + len(lines[-1]) + len("".splitlines())
    """,
    "a list with a star, looped over at once": """
        line = [*self.word]
        for i in [0, *sorted(self.board[:1])]:
            line[i] = "d"
        return len("".join(line)) + sum(i * k for i, k in enumerate([self.left, *self.board]))
    """,
    "flags made of numbers": """
        on = Light(self.left % 2) | Light(4 * (self.board[0] > 0))
        low = Mask(self.board[1] % 4) & ~Mask.HIGH
        try:
            on |= Light(self.left + 1)
        except ValueError:
            on |= Light.GREEN
        known = Light["RED" if self.left > 2 else "GREEN"]
        return on.value * 100 + low.value * 10 + len(known.name) + known.value + (Light.RED in on) + bool(on & known)
    """,
    "a member of an enum that is called": """
        return Way.UP(self.left) * 10 + (Way.DOWN if self.left % 2 else Way.UP)(2)
    """,
    "many numbers sorted": """
        many = [(i * 7919 + self.left) % 101 for i in range(30 + 20 * self.left)]
        many.sort()
        return sum(i * x for i, x in enumerate(many)) + sorted(many[5:])[-7] + len(set(many))
    """,
    "any number of arguments": """
        row, found = RAGGED[self.left % 4], [v for v in self.board if v > 1]
        return added(1, *row) + 10 * added(2, 3, *found, 4, twice=2) + 100 * added(*self.board) + added(5)
    """,
    "a running best that is compared once more": """
        def longest(items, least):
            best = None
            for item in items:
                if best is None or item > best:
                    best = item
            return least if best is None else max(best, least)
        found = []
        for x in self.board:
            if x > self.left:
                found.append(x)
        heap = list(self.board)
        heapq.heappush(heap, longest(found, self.left))
        return heap[0]
    """,
    "None added to a set, and a field that may be None": """
        best = None
        for x in self.board:
            if x > 1 and (best is None or x > best):
                best = x
        seen, spots = {3}, [Spot(4), Spot(None)]
        if best is not None:
            seen.add(best)
        heap = list(self.board)
        heapq.heappush(heap, self.left if spots[0].at is None else spots[0].at)
        heapq.heappush(heap, spots[1].at if spots[1].at is not None else self.left)
        return len(seen) + (best or 0) + sum(heap)
    """,
    "None replaced by a number": """
        at = None if self.left > 2 else self.left
        heap = list(self.board)
        heapq.heappush(heap, -1 if at is None else at)
        heapq.heappush(heap, at if at is not None else 7)
        return heap[0] + len(heap) * 10 + sum(heap)
    """,
    "a list of bools, or one of ints": """
        found, late = [], [x > self.left for x in self.board]
        for x in self.board:
            found.append(x > 1)
        other = late if self.left > 1 else [5, 7]
        other.append(3)
        other[0] = 9
        return min(found or [7]) + 10 * sum(other) + 100 * sum(late)
    """,
    "a function's list of bools, or one of ints": """
        def first(values):
            return (values or [4])[0]
        flags = [x > 1 for x in self.board]
        same = flags
        both = same or [3]
        both.append(8)
        return first(flags) + first([]) * 10 + sum(flags)
    """,
    "a list of bools, or a set of ints sorted, and more ints": """
        flags = [v > 1 for v in self.board]
        other = flags if self.left > 2 else sorted(set(self.board))
        other.append(500)
        return len(flags) * 10 + sum(other) % 10
    """,
    "dicts and Counters of dicts": """
        worth = {1: self.left, 2: 7}
        count = Counter(worth)
        again = Counter(Counter(self.board)).copy()
        again[77] += count[1] + count[3]
        late = defaultdict(int)
        late[self.left] += 2
        other = late.copy()
        plain = dict({**other, 2: 3})
        try:
            plain[99] += 1
        except KeyError:
            plain[98] = again[99] + other[97]
        return sum(again.values()) + len(dict(dict(zip(self.board, TABLE)))) * 100 + len(plain) * 1000
    """,
    "a set, list or dict of two names is changed in place": """
        def more(seen, x):
            seen |= {x}
            return len(seen)
        seen, still = {1}, frozenset({1})
        found = more(seen, 5) + more(still, 5)
        rows, worth = [[1], [2, 3]], {1: 2}
        first, same, groups = rows[0], worth, {1: seen}
        rows[0] += [5]
        first *= 2
        same |= {3: 4}
        groups[1] -= {1}
        for x in self.board:
            still |= {x}
            seen ^= {x, 9}
        return found + len(seen) * 10 + len(still) * 100 + len(rows[0]) * 1000 + len(worth) * 10000
    """,
    "a frozenset goes down, and a set stays": """
        def reach(at, seen):
            if at in seen or at > 5:
                return len(seen)
            seen |= {at}
            return reach(at + 1, seen) + reach(at + 2, seen)
        return reach(0, frozenset()) * 100 + reach(0, set())
    """,
    "a list, or None in one": """
        found = [x for x in self.board if x > self.left]
        best = (found or [None])[0]
        return -1 if best is None else best
    """,
    "sets and dicts of bools, or of ints": """
        seen, flags = set(), {x: x > 1 for x in self.board}
        for x in self.board:
            seen.add(x > 1)
        both = seen if self.left > 1 else {2, 5}
        both.add(7)
        worth = flags or {5: 5}
        return sum(both) + sum(seen) * 10 + sum(worth.values()) * 100
    """,
    "empty lists in a list, filled later": """
        grid = [[] for _ in range(3)]
        for i, v in enumerate(self.board):
            grid[i % 3].append(v)
        row = grid[0]
        row.append(7)
        return sum(grid[0]) * 100 + len(grid[1])
    """,
    "one of two empty lists is chosen, then filled": """
        one, two = [], []
        for v in self.board:
            target = one if v > 1 else two
            target.append(v)
            two.append(1)
        return sum(one) * 100 + len(two)
    """,
    "one of two empty lists is filled at once": """
        one, two = [], []
        for v in self.board:
            (one if v > 1 else two).append(v)
        return sum(one) * 100 + len(two)
    """,
    "a function fills the lists of a list": """
        def put(grid, r, v):
            grid[r].append(v)
        grid = [[], []]
        for v in self.board:
            put(grid, v % 2, v)
        return sum(grid[0]) * 10 + len(grid[1])
    """,
    "a nonlocal list that is empty at first": """
        found = []
        def visit(n):
            nonlocal found
            found = found + [n]
            if n > 0:
                visit(n - 1)
        visit(self.left)
        return sum(found) * 10 + len(found)
    """,
    "a nonlocal list is rebound, and its first value kept": """
        found = []
        keep = found
        def visit(n):
            nonlocal found
            found.append(n)
            if n > 2:
                found = []
        for v in self.board:
            visit(v)
        return len(keep) * 10 + len(found)
    """,
    "a dict of empty lists, filled later": """
        d = {0: [], 1: []}
        for v in self.board:
            d[v % 2].append(v)
        e = d[0]
        e.append(11)
        return sum(d[0]) * 10 + len(d[1])
    """,
    "a dict comprehension of empty lists": """
        d = {i: [] for i in range(3)}
        for i, v in enumerate(self.board):
            d[i % 3].append(v)
        for k in d:
            d[k].append(k)
        return sum(sum(x) * k for k, x in d.items())
    """,
    "a list in two places of a list": """
        row = []
        grid = [row, row, []]
        grid[0].append(self.left)
        return sum(row) * 10 + sum(grid[1]) + len(grid[2])
    """,
    "paths on a stack": """
        stack = [[]]
        done = []
        while stack:
            p = stack.pop()
            if len(p) == 2:
                done.append(p)
                continue
            for v in self.board[:2]:
                stack.append(p + [v])
        done[0].append(4)
        return sum(len(p) for p in done) * 10 + sum(done[1])
    """,
    "the longest of some lists is made longer": """
        groups = [[] for _ in range(3)]
        for i, v in enumerate(self.board):
            groups[v % 3].append(i)
        big = max(groups, key=len)
        big.append(9)
        return sum(g[-1] if g else 50 for g in groups)
    """,
    "lists of bools, or of ints": """
        rows = [[x > 1] for x in self.board]
        n = 0
        for row in rows:
            n += sum(row or [5])
            other = row if n > 1 else [6]
            other.append(7)
        return n + self.left + 10 * sum(map(sum, rows))
    """,
    "a captured name that is a comprehension's, too": """
        v = 50
        f = lambda x: x + v
        return sum([f(v) for v in range(3)])
    """,
    "the same where a function calls itself": """
        v = [50]
        def f(n):
            if n == 0:
                return len(v)
            v.append(n)
            return sum([f(n - 1) + sum(v) for v in [[1], [2]]]) + len(v)
        return f(2)
    """,
    "a captured name is set again before the function is passed on": """
        def apply(g, x):
            return g(x)
        n = 1
        f = lambda x: x + n
        n = 10
        return apply(f, self.left) + sum(map(f, self.board))
    """,
    "a captured name is set again before the function is returned": """
        def make():
            k = 1
            def g(x):
                return x + k
            k = 7
            return g
        h = make()
        return h(self.left)
    """,
    "two functions are returned that see a name set later": """
        def pair():
            k = 1
            f = lambda: k
            g = lambda x: x + k
            k = 6
            return f, g
        f, g = pair()
        return f() * 10 + g(self.left)
    """,
    "a function of an earlier call comes back": """
        def make(k):
            def f(n, g):
                return g(n - 1, g) + k if n > 0 else k * 10
            return f
        a, b = make(1), make(self.left)
        return a(3, b)
    """,
    "one function uses another, and a name is set again": """
        n = 1
        def g():
            return n
        def h():
            return g() * 10 + n
        n = self.left
        return h()
    """,
    "one of two functions is passed on": """
        def twice(f, x):
            return f(f(x))
        if self.left > 2:
            k = 3
            f = lambda x: x + k
            k = 5
        else:
            f = lambda x: x * 2
        return twice(f, 1)
    """,
    "functions made in a comprehension, with a default": """
        fs = [lambda x, k=k: x + k for k in range(3)]
        return fs[0](1) * 10 + fs[2](self.left)
    """,
    "a comprehension hides the name that a function inside sees": """
        v = 3
        def f(x):
            return x + v
        return [sum(map(f, [v, v])) for v in self.board][self.left] + v
    """,
    "iterators made of iterators": """
        xs = (v for v in self.board if v > 0)
        xs = (v * 2 for v in xs)
        xs = map(lambda v: v + 1, xs)
        return sum(xs)
    """,
    "an iterator is used on either path": """
        xs = (v for v in self.board if v > 0)
        if self.left > 2:
            return sum(xs)
        return max(xs, default=0)
    """,
    "an iterator is made anew in a loop": """
        n = 0
        for k in range(3):
            g = (v * k for v in self.board)
            n += sum(g)
        return n
    """,
    "a filter is true": """
        return (1 if filter(lambda v: v > 99, self.board) else 0) + bool(map(abs, ()))
    """,
    "any of a list asks all of it": """
        seen = []
        def look(v):
            seen.append(v)
            return v == 0
        found = any(look(v) for v in self.board)
        also = any(map(look, self.board))
        third = any([look(v) for v in self.board])
        return found * 1000 + also * 100 + third * 10 + len(seen)
    """,
    "two lists that shrink under zip": """
        xs, ys = [1, 2, 3, 4], [5, 6, 7, 8]
        n = 0
        for x, y in zip(xs, ys):
            n = n * 10 + x
            xs.pop()
        return n
    """,
    "a dict changes under items and values": """
        d = {v: i for i, v in enumerate(self.board)}
        n = 0
        for k, v in d.items():
            n = n * 7 % 1001 + v
            d[self.board[-1]] = n
        return n
    """,
    "a list of None, then of numbers": """
        grid = [[None] * 2 for _ in range(2)]
        for i, v in enumerate(self.board[:4]):
            grid[i // 2][i % 2] = v if v else None
        first = grid[0]
        first[0] = 9
        return sum(x or 0 for row in grid for x in row) * 10 + sum(row.count(None) for row in grid)
    """,
    "powers inside try": """
        n = 0
        for x in self.board:
            try:
                n = n * 3 % 1001 + int(x ** -0.5 * 10)
            except ZeroDivisionError:
                n += 7
            except (ValueError, TypeError):
                n += 500
            try:
                n += int((x % 9) ** 0.5 * 10)
            except ValueError:
                n += 1000
        return n
    """,
    "no such member, known at once": """
        try:
            n = Light(TABLE[7] % 10).value
        except ValueError:
            n = 7
        try:
            n += Way(TABLE[0]).value
        except ValueError:
            n += 70
        return n
    """,
    "two functions that call each other": """
        def even(n):
            return True if n == 0 else odd(n - 1)
        def odd(n):
            return False if n == 0 else even(n - 1)
        return even(self.left) * 10 + odd(3)
    """,
    "functions in a circle are passed on": """
        def twice(f, x):
            return f(f(x))
        def down(n):
            return n if n < 2 else up(n - 2)
        def up(n):
            return n if n < 1 else down(n - 1)
        return twice(down, self.left) * 10 + sum(map(up, self.board))
    """,
    "a list is made after the function that fills it": """
        def mark(i):
            seen[i] = True
            for k in (i + 1, i + 2):
                if k < 6 and not seen[k] and self.board[k] > 0:
                    mark(k)
        seen = [False] * 6
        mark(0)
        return sum(seen)
    """,
    "a name that a function sees is set on one path": """
        def f(n):
            return y + n
        if self.left > 2:
            y = 5
            return f(1)
        return 3
    """,
    "a nonlocal name is set after the function, with another": """
        def more(n):
            nonlocal total, best
            total += n
            best = max(best, n)
        total, best = 0, -1
        for v in self.board:
            more(v)
        return total * 10 + best
    """,
    "nonlocal names set in one line, and with their types": """
        count: int = 0
        a = b = 1
        def more(n):
            nonlocal count, b
            count += n
            b = n
        for v in self.board:
            more(v)
            a += b
        return count * 100 + a * 10 + b
    """,
    "a lambda sees a list made after it": """
        order = lambda x: -weight[x % 3]
        weight = [3, 1, self.left]
        return sorted(self.board, key=order)[0] * 10 + max(self.board, key=order)
    """,
    "combinations with replacement, as many as there are": """
        return sum(a * b for a, b in itertools.combinations_with_replacement(self.board[:3], 2)) + len(list(itertools.combinations_with_replacement(range(3), self.left)))
    """,
    "a generator with a way out": """
        def steps(n):
            while True:
                if n > 20:
                    return
                yield n
                n += 3
        return sum(steps(self.left))
    """,
    "pairs with a star, and something else": """
        p = (self.left, 2)
        q = (*p, "a")
        r = ("b", *p, *q)
        return q[0] * 10 + q[1] + (q[2] == "a") * 100 + len(r) + (r[5] == "a") + r[3]
    """,
    "inner functions with any number of arguments": """
        def added(first, *others, twice=1):
            for other in others:
                first += other
            return first * twice
        def count(*xs, by=2):
            return len(xs) * by
        f = lambda a, b: a * 10 + b
        rows = [self.board[:2], self.board[2:4]]
        return added(1, 2, self.left, twice=3) + count(1, 2) + count() + sum(f(*row) for row in rows)
    """,
    "a row is returned, or a list of numbers": """
        def row(grid, i):
            r = grid[i]
            if len(r) > 4:
                return [2, 3]
            return r
        grid = [[v > 1] for v in self.board]
        r = row(grid, 1)
        r.append(True)
        s = row(grid, 0)
        s.append(7)
        return sum(map(len, grid)) * 10 + sum(map(sum, grid))
    """,
    "one of two lists is returned": """
        def late(xs, c):
            return xs if c else [5]
        flags = [v > 1 for v in self.board]
        ys = late(flags, True)
        ys.append(3)
        late(flags, False).append(8)
        return sum(flags) * 10 + len(flags)
    """,
    "a list is kept elsewhere and returned": """
        def made(grid, late):
            a = [late]
            grid.append(a)
            if late:
                return [5]
            return a
        grid = []
        r = made(grid, False)
        r.append(9)
        made(grid, True).append(4)
        return sum(map(len, grid)) * 10 + sum(map(sum, grid))
    """,
    "paths in tuples on a queue": """
        queue = deque([(0, [])])
        longest = []
        while queue:
            at, path = queue.popleft()
            if len(path) > len(longest):
                longest = path
            for step in (1, 2):
                if at + step <= self.left:
                    queue.append((at + step, path + [step]))
        longest.append(7)
        return sum(longest) * 10 + len(longest)
    """,
    "a dict of tuples with lists": """
        d = {v: (v, []) for v in self.board}
        for i, v in enumerate(self.board):
            d[v][1].append(i)
        n, late = d[0]
        late.append(50)
        return sum(sum(xs) * k for k, (_, xs) in d.items()) + sum(d[0][1])
    """,
    "an item of a tuple of lists by a variable": """
        both = ([], [])
        for v in self.board:
            both[v % 2].append(v)
        a, b = both
        b.append(9)
        return len(both[0]) * 100 + sum(both[1])
    """,
    "lists of different kinds in a tuple": """
        t = ([], [], {})
        t[0].append(1)
        t[1].append(0.5)
        t[2][3] = self.left
        x, y, z = t
        x.append(2)
        z[4] = 5
        return len(t[0]) * 100 + int(sum(t[1]) * 2) * 10 + sum(t[2].values())
    """,
    "tuples that share a list": """
        xs = []
        a, b = (1, xs), (2, xs)
        a[1].append(self.left)
        b[1].append(3)
        pairs = [a, b, (3, xs)]
        pairs[2][1].append(4)
        return sum(xs) * 10 + sum(len(p[1]) for p in pairs)
    """,
    "one of two tuples with lists": """
        a, b = [], []
        t = (a, 1) if self.left > 2 else (b, 2)
        t[0].append(t[1])
        return len(a) * 10 + len(b)
    """,
    "empty rows under enumerate": """
        a = [[], []]
        for i, x in enumerate(a):
            x.append(self.left + i)
        for i, row in enumerate(a):
            row += [i]
        return sum(map(sum, a)) * 10 + len(a[0])
    """,
    "a dict of dicts that are made when needed": """
        d = defaultdict(lambda: defaultdict(int))
        for i, v in enumerate(self.board):
            d[v][i % 2] += 1
        e = d[0]
        e[5] += 3
        return sum(sum(x.values()) for x in d.values()) * 10 + d[0][5]
    """,
    "rows of None that a function sets": """
        def touch(rows, r, v):
            row = rows[r]
            row[0] = v
        rows = [[None, None] for _ in range(2)]
        touch(rows, 0, self.left)
        touch(rows, 1, None)
        rows[1][1] = 4
        return sum(x or 0 for row in rows for x in row) * 10 + sum(row.count(None) for row in rows)
    """,
    "a list in a dict, and its own name": """
        d = {}
        d[3] = x = []
        x.append(self.left)
        return len(d[3]) * 10 + sum(x)
    """,
    "a function, or None": """
        f = None
        for v in self.board:
            if v == 2:
                f = lambda: v
        return f() if f is not None else -1
    """,
    "sharing: shared rows by slice": """
        rows = [[1], [2], [3]]
        part = rows[:2]
        part[0].append(9)
        rev = rows[::-1]
        rev[0].append(8)
        both = rows + [[4]]
        both[1].append(7)
        twice = rows * 2
        twice[4].append(6)
        return sum(map(sum, rows)) * 10 + len(part)
    """,
    "sharing: dict values share": """
        d = {1: [1], 2: [2]}
        for xs in d.values():
            xs.append(self.left)
        for k, xs in d.items():
            xs.append(k)
        e = dict(d)
        e[1].append(50)
        e[3] = [7]
        f = {**d, 4: [4]}
        f[2].append(60)
        g = {k: v for k, v in d.items()}
        g[1].append(70)
        return sum(map(sum, d.values())) * 10 + len(d) + len(e) + len(f)
    """,
    "sharing: dict pop and setdefault share": """
        d = {1: [1]}
        a = d.setdefault(1, [])
        a.append(4)
        b = d.setdefault(2, [])
        b.append(5)
        c = d.pop(1)
        c.append(6)
        d.setdefault(1, c).append(7)
        return sum(c) * 10 + len(d[2])
    """,
    "sharing: reduce that appends": """
        def add(acc, v):
            acc.append(v)
            return acc
        start = []
        end = reduce(add, self.board, start)
        end.append(7)
        return sum(start) * 10 + len(end)
    """,
    "sharing: swap rows in a function": """
        def swap(rows, i, j):
            rows[i], rows[j] = rows[j], rows[i]
        rows = [[], [1], [2, 3]]
        first = rows[0]
        swap(rows, 0, 2)
        first.append(9)
        rows[0].append(4)
        return len(rows[0]) * 100 + sum(rows[2]) * 10 + len(first)
    """,
    "sharing: grid flags through a function": """
        def mark(grid, r, v):
            grid[r][v % 2] += v
            return grid[r]
        grid = [[False, False] for _ in range(2)]
        for i, v in enumerate(self.board):
            row = mark(grid, i % 2, v)
        row[0] = 50
        return sum(map(sum, grid))
    """,
    "sharing: None then list": """
        slots = [None] * 3
        for i, v in enumerate(self.board):
            if slots[i % 3] is None:
                slots[i % 3] = []
            slots[i % 3].append(v)
        s = slots[0]
        s.append(9)
        return sum(slots[0]) * 10 + len(slots[1])
    """,
    "sharing: undo moves": """
        b = list(self.board)
        def best(depth):
            if depth == 0:
                return sum(x * i for i, x in enumerate(b))
            found = -99
            for i in range(len(b)):
                if b[i] == 0:
                    b[i] = depth
                    found = max(found, -best(depth - 1))
                    b[i] = 0
            return found
        return best(2) + sum(b)
    """,
    "sharing: deque shares": """
        q = deque([1, 2])
        r = q
        r.append(3)
        q.appendleft(self.left)
        s = deque(q)
        s.pop()
        t = [q, s]
        t[0].rotate(1)
        return len(r) * 100 + q[0] * 10 + len(s) + t[0][0]
    """,
    "sharing: sets share": """
        a = {1, 2}
        b = a
        b |= {self.left + 5}
        c = a | {9}
        c.add(10)
        d = a.copy()
        d.discard(1)
        groups = [a, a, set(a)]
        groups[0].add(77)
        return len(a) * 100 + len(b) * 10 + len(c) + len(d) + len(groups[2])
    """,
    "sets in any order": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(1 for x in s if x % 2) + sum(x for x in s) + max(s) + min(s) + len(s) + any(x > 8 for x in s)
    """,
    "two sets in any order": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(a * b for a in s for b in s - {17}) + len({a + b for a in s for b in s}) + any(a + b > 30 for a in s for b in s | {40})
    """,
    "products and chains of sets": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(itertools.chain(s, {1, 2})) + sum(a * b for a, b in itertools.product(s, repeat=2))
    """,
    "union and the like": """
        a, b = set(self.board), {1, 3, 5}
        n = len(a | b) * 1000 + len(a & b) * 100 + len(a - b) * 10 + len(a ^ b)
        m = (a <= b) + (a & b <= b) * 2 + a.isdisjoint({9}) * 4 + (b > {1}) * 8 + (a == set(self.board)) * 16
        return n + m + sum(sorted(a | b)[:2]) + len(a.union([7, 8], b, (11,))) + len(a.intersection(b))
    """,
    "the first of what there is": """
        d, xs = {v: i for i, v in enumerate(self.board)}, [v for v in self.board if v > 1]
        g = (v for v in self.board if v > 2)
        n = next(iter(d)) * 100 + next(iter(xs), 3) * 10 + next(iter(self.board)) + next(iter(d.values())) + next(iter(d.items()))[1]
        return n + next(iter(g), 50) + next(iter([]), 7) + next(iter(self.word)).count("a")
    """,
    "the sum of a list of a set": """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(tuple(s)) + sum(list(s))
    """,
    "append is given to a function": """
        def each(f, xs):
            for x in xs:
                f(x)
        found = []
        each(found.append, self.board)
        each(lambda v: found.append(-v), self.board[:2])
        return sum(found) * 10 + len(found)
    """,
    "methods by other names": """
        flags = [False]
        add = flags.append
        add(True)
        add(self.left)
        more = flags.extend
        more([2, 3])
        seen = set()
        mark = seen.add
        for v in self.board:
            mark(v)
        pick = flags.pop
        return pick() * 100 + sum(flags) * 10 + len(seen)
    """,
    "one of two methods of empty lists": """
        a, b = [], []
        for v in self.board:
            put = a.append if v > 1 else b.append
            put(v)
        return sum(a) * 10 + len(b)
    """,
    "alpha-beta inside a rule, and a list of what it sees": """
        def best(heap, alpha, beta):
            if heap <= 0:
                return -1
            for n in (1, 2, 3):
                if n <= heap:
                    alpha = max(alpha, -worst(heap - n, -beta, -alpha))
                    if alpha >= beta:
                        break
            return alpha
        def worst(heap, alpha, beta):
            nodes.append(heap)
            return best(heap, alpha, beta)
        nodes = []
        return best(self.left + 2, -1, 1) * 1000 + len(nodes)
    """,
    "sharing: comprehension of pairs": """
        xs = []
        pairs = [(xs, k) for k in range(2)]
        pairs[0][0].append(self.left)
        own = [([], k) for k in range(2)]
        own[0][0].append(1)
        return len(pairs[1][0]) * 10 + len(own[1][0]) + len(xs)
    """,
    "sharing: a list is returned with its number": """
        log = []
        def step(n):
            log.append(n)
            return log, n
        xs, n = step(1)
        ys, m = step(self.left)
        xs.append(9)
        return len(ys) * 100 + sum(log) * 10 + n + m
    """,
    "functions of a dict see a name": """
        k = self.left
        table = {"add": lambda a, b: a + b + k, "mul": lambda a, b: a * b - k}
        return sum(f(2, 3) for f in table.values()) * 10 + table["add" if k > 2 else "mul"](1, 1)
    """,
    "functions made in a loop, chosen by a test": """
        k = 0
        fs = []
        for k in range(3):
            if k % 2:
                fs.append(lambda x: x * k)
            else:
                fs.append(lambda x: x + k)
        k = 7
        return fs[0](self.left) * 100 + fs[1](self.left) + sum(f(1) for f in fs)
    """,
    "a function that may fail in several ways is called inside try": """
        def look(i, w):
            return self.board[i] // (i - 2) + int(w[i]) + {0: 3, 1: 2, 2: 3, 3: 9, 4: 5}[i]
        def find(i):
            while self.board[i] != 3 and self.board[i] < 7:
                i += 1
            return i
        n = 0
        for i in range(9):
            try:
                n = (n * 3 + look(i, "12x4567")) % 1001 + find(i)
            except IndexError:
                n += 100
            except KeyError:
                n += 200
            except ZeroDivisionError:
                n += 300
            except ValueError:
                n += 400
        return n
    """,
    "some of what a call inside try raises is caught further out": """
        def inner(i):
            return self.board[i] // (i - 2)
        def cell(i):
            try:
                return inner(i)
            except ZeroDivisionError:
                return 1000
        n = 0
        for i in range(10):
            try:
                n += cell(i)
            except LookupError:
                n += 100
        return n
    """,
    "functions that call themselves inside try": """
        def go(i):
            if i == 3:
                raise ValueError
            try:
                return self.board[i] + go(i + 1)
            except ValueError:
                return 50
            except IndexError:
                return 7
        return go(0) + 10 * go(self.left % 3) + 100 * go(5)
    """,
    "functions of math inside try": """
        n = 0
        for x in (-1.5, -1.0, 0.0, 0.5, 2.0, float("inf")):
            for k in range(5):
                try:
                    n = n * 3 % 1001
                    n += int((math.log, math.acos, math.sin, math.tanh, abs)[k](x) * 10) if x < 9 or k == 2 else 5
                except ValueError:
                    n += 7
        try:
            n += Light(int(math.hypot(self.left, 3) * 2) % 10).value
        except ValueError:
            n += 70
        return n
    """,
    "what the other actions are, inside try": """
        try:
            n = len(self.actions()) + ord(chr(97 + self.left))
        except ValueError:
            n = 3
        return n
    """,
    "None is appended to a list that another function filled": """
        def captures(n):
            found = []
            for i, v in enumerate(self.board):
                if v == n:
                    found.append(i)
            if not found:
                found += [7, 8]
            return found
        moves, others = captures(1), captures(self.left)
        if self.left > 2:
            moves.append(None)
        others.append(6)
        return sum(1 if m is None else m for m in moves) * 100 + sum(others) * 10 + len(captures(0))
    """,
    "a list that a function returns is known elsewhere": """
        kept = []
        def captures(n):
            found = [n]
            kept.append(found)
            found.append(self.left)
            return found
        moves = captures(3)
        moves.append(5)
        return len(kept[0]) * 10 + len(moves)
    """,
    "finally around finally": """
        found = []
        def go(i):
            try:
                try:
                    return self.board[i]
                finally:
                    if i > 1:
                        return 5
            finally:
                found.append(i)
        return sum(go(i) for i in range(3)) * 10 + len(found)
    """,
}


def imported(name: str, code: str, folder: Path, monkeypatch: pytest.MonkeyPatch) -> type:
    """The game whose evaluate() is this code."""
    body = textwrap.indent(textwrap.dedent(code).strip("\n"), 8 * " ")
    (folder / f"{name}.py").write_text(GAME + body, encoding="utf-8")
    monkeypatch.syspath_prepend(folder)
    game: type = importlib.import_module(name).Game
    return game


def native_twin(game: type) -> NaturalTwin:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = twin(adopt(game))
    assert isinstance(made, NaturalTwin), getattr(made, "reasons", "")
    return made


@pytest.mark.parametrize("what", FOUND)
def test_what_random_classes_found(what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    game = imported(f"written_{abs(hash(what))}", FOUND[what], tmp_path, monkeypatch)
    assert machine.difference(game, native_twin(game).program, games=3) == ""


def test_a_function_that_captures_an_unset_name_is_left_to_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Python raises nothing as long as the function is not called."""
    code = """
        if self.left > 2:
            w = 3
        f = lambda: w
        return f() if self.left > 2 else 0
    """
    game = imported("captures", code, tmp_path, monkeypatch)
    program = native_twin(game).program
    late = game()._replace(left=2)
    assert late.evaluate() == 0
    with pytest.raises(Beyond, match="w has no value yet where a function that uses it is made"):
        machine.Simulated(program).ask("evaluate", program.layout.pack(program.values(late)))


EARLY = {  # what is raised before Python would raise it, or after a `finally` that would have to be carried out
    "an iterator of a loop": """
        try:
            for x in (12 // v for v in self.board):
                n += x
        except ZeroDivisionError:
            n += 100
    """,
    "an iterator with a name": """
        try:
            found = map(lambda v: 12 // v, self.board)
            n += 5
            n += sum(found)
        except ZeroDivisionError:
            n += 100
    """,
    "a generator": """
        def gives():
            for v in self.board:
                if v == 0:
                    raise ValueError
                yield v
        try:
            for x in gives():
                n += x
        except ValueError:
            n += 100
    """,
    "a generator in a function": """
        def gives():
            for v in self.board:
                yield checked(v - 1)
        def first():
            for x in gives():
                return x
        try:
            n = first()
        except ValueError:
            n = 100
    """,
    "a function with finally": """
        def go(v):
            nonlocal n
            try:
                return 12 // v
            finally:
                n += 1
        for v in self.board:
            try:
                n += go(v)
            except ZeroDivisionError:
                n += 100
    """,
    "an attribute of None, or a call of it": """
        def at(spot):
            return spot.at
        try:
            n = at(None if self.board[1] == 0 else Spot(2)) or 7
        except AttributeError:
            n = 100
    """,
}


@pytest.mark.parametrize("what", EARLY)
def test_an_exception_that_cannot_be_told_is_left_to_python(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = "n = 0\n" + textwrap.dedent(EARLY[what]).strip("\n") + "\nreturn n"
    game = imported(f"early_{abs(hash(what))}", code, tmp_path, monkeypatch)
    program = native_twin(game).program
    with pytest.raises(Beyond, match="inside `try` is not clear|an iterator raises an exception"):
        machine.Simulated(program).ask("evaluate", program.layout.pack(program.values(game())))


LINE = GAME.count("\n") + 1  # the first of evaluate
REFUSED = {
    "ints or a float": (
        """
        found = [x for x in self.board]
        return int(2 * min(found or [0.5]))
        """,
        f"line {LINE + 1} a list holds values of several kinds; let it hold one kind",
    ),
    "a set, or a frozenset": (
        """
        seen = frozenset() if self.left > 2 else set()
        seen |= {self.left}
        return len(seen)
        """,
        f"line {LINE + 1} a set or a frozenset is changed; use one of them",
    ),
    "a Counter is merged": (
        """
        return len(Counter(self.board) | {self.left: 3})
        """,
        f"line {LINE} `|` of a Counter or a defaultdict cannot be compiled; write {{**a, **b}}",
    ),
    "functions made in a comprehension": (
        """
        fs = [lambda x: x + k for k in range(3)]
        return fs[0](1)
        """,
        f"line {LINE} a function made in a comprehension sees the last value of its names; give it a default: k=k",
    ),
    "functions kept in a list are passed on": (
        """
        def all_of(fs, x):
            return sum(f(x) for f in fs)
        fs = []
        for k in range(3):
            fs.append(lambda x: x + k)
        return all_of(fs, 1)
        """,
        f"line {LINE + 5} functions that use names around them are kept in a list; pass those names as arguments",
    ),
    "a list changes before its iterator is used": (
        """
        xs = [1, 2, 3]
        g = (x for x in xs)
        xs.append(self.left)
        return sum(g)
        """,
        f"line {LINE + 1} g is used after what it looks at has changed; make a list of it: list(...)",
    ),
    "a name changes before its iterator is used": (
        """
        k = 1
        g = (x * k for x in self.board)
        k = 10
        return sum(g)
        """,
        f"line {LINE + 1} g is used after what it looks at has changed; make a list of it: list(...)",
    ),
    "an iterator is used twice": (
        """
        z = zip(self.board, self.board)
        a = len(list(z))
        return a * 10 + len(list(z))
        """,
        f"line {LINE} z is an iterator, and used twice: then nothing is left of it; make a list of it: list(...)",
    ),
    "a dict changes before its keys are used": (
        """
        d = {1: 2}
        ks = d.keys()
        d[5] = self.left
        return len(ks) * 10 + sum(ks)
        """,
        f"line {LINE + 1} ks is used after what it looks at has changed; make a list of it: list(...)",
    ),
    "an iterator is used in each turn of a loop": (
        """
        n = 0
        g = (v for v in self.board)
        for k in range(3):
            n += sum(g) * 10 + k
        return n
        """,
        f"line {LINE + 1} g is an iterator, and used twice: then nothing is left of it; make a list of it: list(...)",
    ),
    "whether there is an iterator": (
        """
        g = (v for v in self.board if v > 99)
        return 1 if g else 0
        """,
        f"line {LINE} g is an iterator: it is true, whatever is in it; make a list of it: list(...)",
    ),
    "a list of iterators": (
        """
        gs = [(v + k for v in self.board) for k in range(2)]
        return sum(sum(g) for g in gs) + sum(sum(g) for g in gs)
        """,
        f"line {LINE} an iterator is kept in a list; make a list of it: list(...)",
    ),
    "an iterator of two": (
        """
        g = (v for v in self.board) if self.left > 2 else (2 * v for v in self.board)
        a = sum(g)
        return a * 100 + sum(g)
        """,
        f"line {LINE} g is an iterator, and used twice: then nothing is left of it; make a list of it: list(...)",
    ),
    "a loop changes what its iterator looks at": (
        """
        used = [False] * 6
        def mark(i):
            used[i] = True
        n = 0
        for i in (j for j in range(6) if not used[j]):
            mark(self.board[i])
            n += i
        return n
        """,
        f"line {LINE + 4} a loop changes what its iterator looks at; make a list of it: list(...)",
    ),
    "a generator changes a list and changes it back": (
        """
        b = list(self.board)
        def tried():
            for i, c in enumerate(b):
                if c == 0:
                    b[i] = 9
                    yield i
                    b[i] = 0
        n = 0
        for i in tried():
            n = n * 10 + sum(b) + i
        return n
        """,
        f"line {LINE + 8} a loop over a generator that changes lists may see them in between; make a list of it: list(...)",
    ),
    "a function uses an iterator twice": (
        """
        def both(xs):
            return sum(xs) + len(list(xs))
        return both(v for v in self.board)
        """,
        f"line {LINE + 2} xs is an iterator, and used twice: then nothing is left of it; make a list of it: list(...)",
    ),
    "a generator without an end": (
        """
        def forever(n):
            while True:
                yield n
                n += 2
        total = 0
        for x in forever(self.left):
            if x > 20:
                break
            total += x
        return total
        """,
        f"line {LINE} a generator has no end; write a loop with `break` where it is used",
    ),
    "an endless loop in a generator expression": (
        """
        n = 0
        for x in (k * k for k in itertools.count(1)):
            if x > 50:
                break
            n += x
        return n
        """,
        f"line {LINE + 1} this has no end; write a loop with `break`",
    ),
    "a function that calls itself with ever new functions": (
        """
        def go(n, f):
            g = lambda x: x * 10 + n
            return f(1) if n == 0 else go(n - 1, g)
        return go(3, lambda x: x)
        """,
        f"line {LINE + 2} a function calls itself with ever new kinds of arguments; give it one kind",
    ),
    "the order of a set: tuple of a set": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return tuple(s)[1]
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: star of a set": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        a, *b = s
        return a
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: enumerate": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(i * x for i, x in enumerate(s))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: zip": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(a * b for a, b in zip(s, (1, 2, 3, 4)))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: combinations": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(a * 2 + b for a, b in itertools.combinations(s, 2))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: slices": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(list(s)[:2])
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: sum with a start": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return len(sum(([x] for x in s), [])) + sum(([x] for x in s), [])[0]
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: zip star of a set of pairs": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        t = {(x, x + 1) for x in s}
        return [sum(c) for c in zip(*t)][0] + list(zip(*t))[0][0]
        """,
        f"line {LINE + 2} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: one of two maxima": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(list(s)[0], 3)
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: sum of a list": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum([list(s)[0], 5])
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: list of a tuple of a set": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(list([tuple(s)[0], 1]))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: map of list": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(map(list, [s, s | {99}]))[0]
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: product of a part": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum(a * b for a, b in itertools.product(list(s)[:2], repeat=2))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: starmap": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(itertools.starmap(lambda a, b: list(a)[0], [(s, 1)]))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: a dict of it copied": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: 1 for x in s}
        e = dict(d)
        e.update({1: 2})
        return list(e)[0]
        """,
        f"line {LINE + 4} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: a dict updated by one of it": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: 1 for x in s}
        e = {0: 5}
        e.update(d)
        return list(e.values())[1]
        """,
        f"line {LINE + 3} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: popitem": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        return d.popitem()[0]
        """,
        f"line {LINE + 2} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: a dict of it merged": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        return list({**d, 3: 4}.values())[0]
        """,
        f"line {LINE + 2} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: the key of most": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        return max(d, key=lambda k: k % 3)
        """,
        f"line {LINE + 2} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: floats summed": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x / 3 for x in s}
        return int(sum(d.values()) * 100)
        """,
        f"line {LINE + 2} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: a loop over items": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        out = []
        for k, v in d.items():
            out.append(k)
        return out[0]
        """,
        f"line {LINE + 3} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: a dict passed on": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        def f(d):
            return list(d)[0]
        return f({x: x for x in s})
        """,
        f"line {LINE + 2} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: a dict on one path": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {} if self.left > 2 else {x: x for x in s}
        return list(d)[0] if d else 0
        """,
        f"line {LINE + 2} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: next of values": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        d = {x: x for x in s}
        return next(iter(d.values()))
        """,
        f"line {LINE + 2} the order of a dict made of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: twice a plus b": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(a * 2 + b for a, b in itertools.combinations(s, 2))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: combinations kept": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return len({c for c in itertools.combinations(s, 2)}) + max({c for c in itertools.combinations(s, 2)})[0]
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: an own sum": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        sum = lambda c: c[0]
        return max(sum(c) for c in itertools.combinations(s, 2))
        """,
        f"line {LINE + 2} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: combinations of a part": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(sum(c) for c in itertools.combinations(list(s)[:3], 2))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: the first of a combination": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(sum(c) + c[0] for c in itertools.combinations(s, 2))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: combinations of floats": (
        """
        t = {v / 7 for v in self.board}
        return int(max(sum(c) for c in itertools.combinations(t, 3)) * 1e9)
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: listed sums of combinations": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return [sum(c) for c in itertools.combinations(s, 2)][0]
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: difference times sum": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return sum((a - b) * (a + b) for a, b in itertools.combinations(s, 2))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: permutations of all": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return max(list(c)[0] for c in itertools.permutations(s))
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "maketrans of a dict": (
        """
        return len(self.word.translate(str.maketrans({'a': 'xyz', 'b': ''}))) * 7
        """,
        f"line {LINE + 0} maketrans() cannot be compiled; compute with numbers, texts, tuples and lists",
    ),
    "next of a list": (
        """
        it = [1, 2]
        return next(it)
        """,
        f"line {LINE + 1} next() of a name cannot be compiled; write next(... for ... in ...), or a loop",
    ),
    "next of an iterator or a list": (
        """
        it = filter(None, self.board)
        if self.left > 2:
            it = [5]
        return next(it, 3)
        """,
        f"line {LINE + 3} next() of a name cannot be compiled; write next(... for ... in ...), or a loop",
    ),
    "next twice": (
        """
        it = iter(self.board)
        a = next(it)
        return a + sum(it)
        """,
        f"line {LINE + 0} it is an iterator, and used twice: then nothing is left of it; make a list of it: list(...)",
    ),
    "the order of a set: union": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        return list(set().union(*[s, {1, 2}]))[0]
        """,
        f"line {LINE + 1} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
    "the order of a set: slice assign": (
        """
        s = {9 - v for v in self.board} | {17, 33, 8}
        xs = [1, 2, 3]
        xs[1:] = s
        return xs[1]
        """,
        f"line {LINE + 2} the order of a set matters here, and Python guarantees none; sort it: sorted(...)",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_a_refusal_is_one_line_that_says_where(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code, says = REFUSED[what]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = twin(adopt(imported(f"refused_{abs(hash(what))}", code, tmp_path, monkeypatch)))
    assert [str(reason) for reason in getattr(made, "reasons", ())] == [says]


def test_a_large_int_among_floats_is_left_to_python(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    code = """
        found = [2**60 // (1 + self.left) + 1]
        found.append(0.5)
        return int(found[0] * 2 == 2**60 // (1 + self.left) * 2 + 2)
    """
    program = native_twin(imported("halves", code, tmp_path, monkeypatch)).program
    game = importlib.import_module("halves").Game
    with pytest.raises(Beyond, match="an int is too large for the float that it may also be"):
        machine.Simulated(program).ask("evaluate", program.layout.pack(program.values(game())))


def test_a_name_that_has_another_kind_where_a_loop_is_left_is_not_guessed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = """
        for x in self.board:
            half = x / 2
            if half > self.left / 4:
                break
            half = int(half)
        return int(half * 2)
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = twin(adopt(imported("leaves", code, tmp_path, monkeypatch)))
    assert "half is float on one path and int on another" in str(getattr(made, "reasons", ""))


def test_an_int_among_bools_is_no_action_of_compiled_code(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its code would be read as another action."""
    imported("bools", "return self.left", tmp_path, monkeypatch)
    source = (
        (tmp_path / "bools.py").read_text().replace("[0, 1, 5]", "[5] if self.left < 0 else [False, True]")
    )
    (tmp_path / "only_bools.py").write_text(source)
    game = importlib.import_module("only_bools").Game
    program = native_twin(game).program
    simulated = machine.Simulated(program)
    assert simulated.actions(program.layout.pack(program.values(game()))) == [0, 1]
    with pytest.raises(Beyond, match="an action is an int here, and a bool elsewhere"):
        simulated.actions(program.layout.pack(program.values(game()._replace(left=-1))))


def test_a_field_that_is_a_tuple_and_then_a_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    imported("tuples_first", "return self.left", tmp_path, monkeypatch)
    source = (tmp_path / "tuples_first.py").read_text()
    source = source.replace("self.board[1:] + (a,)", "[*self.board[1:], a]")
    (tmp_path / "lists_then.py").write_text(source)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        made = twin(adopt(importlib.import_module("lists_then").Game))
    (reason,) = getattr(made, "reasons", ())
    assert "a field holds a list in some states and something else in others" in str(reason)
    assert "make it a tuple" in str(reason)


def test_two_values_for_a_key_from_a_set_are_left_to_python(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Which of them is the last depends on the order of the set."""
    code = """
        found = {x % 3: x for x in {4, 7, 9} | set(self.board)}
        return found[1]
    """
    program = native_twin(imported("twice", code, tmp_path, monkeypatch)).program
    game = vars(importlib.import_module("twice"))["Game"]
    with pytest.raises(Beyond, match="a dict is made of a set, with one key twice"):
        machine.Simulated(program).ask("evaluate", program.layout.pack(program.values(game())))


def test_a_large_state_that_has_outgrown_its_memory_is_laid_out_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board stays as it is where more space for everything would make the state too large."""
    imported("small", "return len(self.word) * 10 + self.board[self.left]", tmp_path, monkeypatch)
    source = (tmp_path / "small.py").read_text()
    source = source.replace("(2, 0, 1, 3, 0, 1)", "(2, 0, 1, 3, 0, 1) * 80").replace(
        "self.word[1:]", "self.word"
    )
    (tmp_path / "large.py").write_text(source)
    game = importlib.import_module("large").Game
    form = adopt(game)
    monkeypatch.setattr(form, "seen", [game()])  # a game soon outgrows the text
    seen, more = Natural(form), Natural(form, 1)
    with pytest.raises(Outgrown, match="a tuple changed its length"):
        machine.first_difference(game, seen, games=1)
    assert seen.layout.words < more.layout.words <= MOST_WORDS
    assert machine.first_difference(game, more, games=3) == ""
