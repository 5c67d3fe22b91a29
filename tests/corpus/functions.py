"""Functions: lambdas, closures, key=, map, filter, reduce, itertools, caches, recursion, helper modules."""

import functools
import itertools
import math
from functools import cache, lru_cache, partial, reduce
from itertools import accumulate, chain, combinations, count, cycle, islice, permutations, product, takewhile
from operator import add, itemgetter, mul
from typing import Callable, NamedTuple

import helpers
from helpers import neighbours, opponent, replaced


class Lambdas(NamedTuple):
    a: int = 9
    b: int = 4
    turn: int = 0

    player = lambda self: self.turn
    actions = lambda self: [k for k in (1, 2, 3) if k <= self.a + self.b]

    def result(self, k):
        take = lambda x: max(x - k, 0)
        if self.a >= self.b:
            return Lambdas(take(self.a), self.b, 1 - self.turn)
        return Lambdas(self.a, take(self.b), 1 - self.turn)

    terminal = lambda self: self.a + self.b == 0

    def utility(self):
        return -1 if self.turn == 0 else 1


class Closures(NamedTuple):
    """A function inside a rule that reads its locals."""

    grid: tuple = (1, 2, 0, 0, 1, 2, 2, 0, 1)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        def free(i):
            return self.grid[i] == 0

        return [i for i in range(9) if free(i)]

    def result(self, i):
        mark = self.turn + 1

        def changed(k, v):
            return mark if k == i else v

        return Closures(tuple(changed(k, v) for k, v in enumerate(self.grid)), 1 - self.turn)

    def terminal(self):
        return 0 not in self.grid

    def utility(self):
        def line(indices, who):
            return all(self.grid[i] == who for i in indices)

        columns = [range(c, 9, 3) for c in range(3)]
        ones = sum(line(column, 1) for column in columns)
        twos = sum(line(column, 2) for column in columns)
        return ones - twos


class BestByKey(NamedTuple):
    """max and min with key=, by lambda and by method."""

    towns: tuple = ((0, 0), (3, 4), (6, 0), (2, 7))
    at: tuple = (1, 1)
    far: int = 0
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def distance(self, town):
        return abs(town[0] - self.at[0]) + abs(town[1] - self.at[1])

    def actions(self):
        nearest = min(self.towns, key=self.distance)
        farthest = max(self.towns, key=lambda t: (self.distance(t), t))
        return [nearest] if nearest == farthest else [nearest, farthest]

    def result(self, town):
        d = self.distance(town)
        rest = tuple(t for t in self.towns if t != town)
        return BestByKey(rest, town, self.far + (d if self.ply % 2 == 0 else -d), self.ply + 1)

    def terminal(self):
        return not self.towns

    def utility(self):
        return self.far


class MapFilter(NamedTuple):
    """map, filter, sum, list of them."""

    seeds: tuple = (2, 0, 3, 1)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return list(filter(lambda i: self.seeds[i] > 0, range(4)))

    def result(self, i):
        return MapFilter(tuple(map(lambda k: self.seeds[k] - (k == i), range(4))), self.ply + 1)

    def terminal(self):
        return sum(map(bool, self.seeds)) <= 1

    def utility(self):
        return 1 if self.ply % 2 else -1


class Reducing(NamedTuple):
    digits: tuple = ()

    points = True

    def player(self):
        return len(self.digits) % 2

    def actions(self):
        return [d for d in (1, 2, 3, 4) if d not in self.digits]

    def result(self, d):
        return Reducing(self.digits + (d,))

    def terminal(self):
        return len(self.digits) == 4

    def utility(self):
        value = functools.reduce(lambda total, d: 10 * total + d, self.digits, 0)
        return value % 7 - 3


class Products(NamedTuple):
    """itertools.product for squares and directions."""

    men: tuple = ((0, 0), (0, 2), (2, 1))
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        moves = []
        for (r, c), (dr, dc) in product(self.men, ((0, 1), (1, 0))):
            to = (r + dr, c + dc)
            if to not in self.men and to[0] < 3 and to[1] < 3:
                moves.append(((r, c), to))
        return moves

    def result(self, move):
        start, to = move
        return Products(tuple(sorted(to if m == start else m for m in self.men)), self.ply + 1)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.ply % 2 == 1 else -1


class Combos(NamedTuple):
    """Take two cards at a time whose sum is not 7."""

    cards: tuple = (1, 2, 3, 4, 5, 6)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [pair for pair in combinations(self.cards, 2) if sum(pair) != 7]

    def result(self, pair):
        return Combos(tuple(c for c in self.cards if c not in pair), 1 - self.mover)

    def terminal(self):
        return not any(a + b != 7 for a, b in combinations(self.cards, 2))

    def utility(self):
        return 1 if self.mover == 1 else -1


class Islices(NamedTuple):
    """islice, takewhile, count, cycle."""

    n: int = 10
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        squares = takewhile(lambda s: s <= self.n, (k * k for k in count(1)))
        return list(islice(squares, 2))

    def result(self, s):
        return Islices(self.n - s, 1 - self.turn)

    def terminal(self):
        return self.n <= 0

    def utility(self):
        return 1 if self.turn else -1


class Accumulated(NamedTuple):
    """accumulate with a function; the running maximum."""

    prices: tuple = (3, 1, 4, 1, 5)
    cut: int = 0

    points = True

    def player(self):
        return self.cut % 2

    def actions(self):
        return [0, 1]

    def result(self, up):
        prices = list(self.prices)
        prices[self.cut] += 2 if up else -1
        return Accumulated(tuple(prices), self.cut + 1)

    def terminal(self):
        return self.cut == 5

    def utility(self):
        peaks = list(accumulate(self.prices, max))
        sums = list(accumulate(self.prices))
        return sums[-1] - sum(peaks) // 2


@cache
def grundy(n):
    """The least number that no move from n leads to."""
    reached = {grundy(n - k) for k in (1, 2, 4) if k <= n}
    g = 0
    while g in reached:
        g += 1
    return g


class SpragueGrundy(NamedTuple):
    """An evaluation by cached Grundy numbers."""

    a: int = 7
    b: int = 5
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(h, k) for h, size in enumerate((self.a, self.b)) for k in (1, 2, 4) if k <= size]

    def result(self, move):
        h, k = move
        if h == 0:
            return SpragueGrundy(self.a - k, self.b, 1 - self.turn)
        return SpragueGrundy(self.a, self.b - k, 1 - self.turn)

    def terminal(self):
        return self.a == 0 and self.b == 0

    def utility(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        good = grundy(self.a) ^ grundy(self.b) != 0
        return 1 if good == (self.turn == 0) else -1


def is_even(n):
    return True if n == 0 else is_odd(n - 1)


def is_odd(n):
    return False if n == 0 else is_even(n - 1)


class Mutual(NamedTuple):
    """Functions that call each other in a circle."""

    n: int = 9
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [1, 2] if is_odd(self.n) and self.n > 1 else [1]

    def result(self, k):
        return Mutual(self.n - k, 1 - self.turn)

    def terminal(self):
        return self.n == 0

    def utility(self):
        return -1 if is_even(self.turn) else 1


def ping(x, depth):
    if depth > 3:
        return x
    return pong(x / 2, depth + 1, [depth]) + stop(depth)


def stop(depth):
    return pong(1.5, 4 if depth else 5, [1, 2])


def pong(x, depth, seen):
    seen.append(depth)
    if depth == 5:
        return 7.5
    return ping(x + len(seen), depth)


class PingPong(NamedTuple):
    """Three functions in two circles, with floats, and a list that one of them changes."""

    n: int = 5
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [1, 2] if self.n > 1 else [1]

    def result(self, k):
        return PingPong(max(0, self.n - k), 1 - self.turn)

    def terminal(self):
        return self.n == 0

    def evaluate(self):
        return int(100 * ping(self.n * 1.0, 0)) + int(ping(self.n, 2))

    def utility(self):
        return -1 if self.turn else 1


class Recursive(NamedTuple):
    """A rule that looks ahead by itself: does the mover win?"""

    pile: int = 10
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [k for k in (1, 2, 5) if k <= self.pile]

    def result(self, k):
        return Recursive(self.pile - k, 1 - self.turn)

    def terminal(self):
        return self.pile == 0

    def utility(self):
        return 1 if self.turn == 1 else -1

    def winning(self):
        return any(not self.result(k).winning() for k in self.actions())

    def evaluate(self):
        return 1 if self.winning() == (self.turn == 0) else -1


class FromModule(NamedTuple):
    """Functions of a module beside this file."""

    cells: tuple = (".",) * 9
    turn: str = "B"

    def player(self):
        return 0 if self.turn == "B" else 1

    def actions(self):
        return [
            (r, c)
            for r in range(3)
            for c in range(3)
            if self.cells[3 * r + c] == "."
            and not any(self.cells[3 * y + x] == opponent(self.turn) for y, x in neighbours(r, c))
        ]

    def result(self, at):
        r, c = at
        return FromModule(replaced(self.cells, 3 * r + c, self.turn), opponent(self.turn))

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == "B" else 1

    def evaluate(self):
        return sum(helpers.inside(r, c, 2) for r in range(3) for c in range(3) if self.cells[r * 3 + c] == "B")


class Defaults(NamedTuple):
    """Default arguments and keywords."""

    x: int = 5
    y: int = 5
    turn: int = 0

    def player(self):
        return self.turn

    def moved(self, dx=0, dy=0, *, again=False):
        return Defaults(x=self.x - dx, y=self.y - dy, turn=self.turn if again else 1 - self.turn)

    def actions(self):
        return [a for a in ("x", "y", "both") if (a == "y" or self.x > 0) and (a == "x" or self.y > 0)]

    def result(self, a):
        if a == "x":
            return self.moved(1)
        if a == "y":
            return self.moved(dy=1, again=self.y == 5)
        return self.moved(1, 1)

    def terminal(self):
        return self.x + self.y == 0

    def utility(self):
        return 1 if self.turn == 1 else -1


class StarArgs(NamedTuple):
    """*args, **kwargs, partial."""

    v: tuple = (1, 1, 1)
    left: int = 4

    points = True

    def player(self):
        return self.left % 2

    @staticmethod
    def weigh(*numbers, scale=1):
        return scale * sum(n * i for i, n in enumerate(numbers, 1))

    def actions(self):
        return [0, 1, 2]

    def result(self, i):
        new = list(self.v)
        new[i] = (new[i] * 2 + i) % 5
        return StarArgs(tuple(new), self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        double = partial(self.weigh, scale=2)
        return double(*self.v) - self.weigh(*self.v[:2], scale=3)


class HigherOrder(NamedTuple):
    """A function that takes and returns functions."""

    n: int = 1
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return [0, 1]

    @staticmethod
    def twice(f):
        return lambda x: f(f(x))

    def result(self, a):
        step = (lambda x: x + 3) if a == 0 else (lambda x: 2 * x)
        f = self.twice(step) if self.ply < 2 else step
        return HigherOrder(f(self.n) % 17, self.ply + 1)

    def terminal(self):
        return self.ply == 5

    def utility(self):
        return self.n - 8


class ItemGetter(NamedTuple):
    """operator.itemgetter and sorted."""

    bids: tuple = ((0, 3), (1, 5), (2, 1))
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [name for name, bid in self.bids if bid < 6]

    def result(self, name):
        return ItemGetter(tuple((n, b + 2 if n == name else b) for n, b in self.bids), self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        ranked = sorted(self.bids, key=itemgetter(1), reverse=True)
        return 1 if ranked[0][0] == 1 else -1


class Generators(NamedTuple):
    """Generators, yield from, next with a default."""

    cells: tuple = (0, 2, 0, 1, 0)
    turn: int = 1

    def player(self):
        return self.turn - 1

    def empty(self):
        for i, v in enumerate(self.cells):
            if v == 0:
                yield i

    def doubled(self):
        yield from self.empty()
        yield from (i + 10 for i in self.empty() if i < 4 and self.cells[i + 1] == 3 - self.turn)

    def actions(self):
        yield from self.doubled()

    def result(self, a):
        cells = list(self.cells)
        cells[a % 10] = self.turn
        if a >= 10:
            cells[a % 10 + 1] = self.turn
        return Generators(tuple(cells), 3 - self.turn)

    def terminal(self):
        return next(self.empty(), None) is None

    def utility(self):
        return self.cells.count(1) - self.cells.count(2)


class MathGame(NamedTuple):
    """math.* and floats on the way."""

    x: int = 50
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        root = math.sqrt(self.x)
        return sorted({math.floor(root), math.ceil(root), math.gcd(self.x, 12)} - {0})

    def result(self, k):
        return MathGame(max(0, self.x - k), 1 - self.turn)

    def terminal(self):
        return self.x == 0

    def utility(self):
        return 1 if self.turn == 1 else -1

    def evaluate(self):
        return round(10 * math.log(self.x + 1)) - int(math.pi * 3) + math.comb(5, 2)


class Infinity(NamedTuple):
    """float('inf') and None as the start of a running best."""

    heights: tuple = (3, 8, 2, 6)
    turn: int = 0
    diff: int = 0

    points = True

    def player(self):
        return self.turn

    def extremes(self):
        low = float("inf")
        high = -math.inf
        for h in self.heights:
            if h < low:
                low = h
            if h > high:
                high = h
        return low, high

    def actions(self):
        best = None
        for i, h in enumerate(self.heights):
            if best is None or h > self.heights[best]:
                best = i
        worst = None
        for i, h in enumerate(self.heights):
            if worst is None or h < self.heights[worst]:
                worst = i
        if best is None:
            return []
        return [best] if best == worst else [best, worst]

    def result(self, i):
        gain = self.heights[i]
        rest = self.heights[:i] + self.heights[i + 1:]
        return Infinity(rest, 1 - self.turn, self.diff + (gain if self.turn == 0 else -gain))

    def terminal(self):
        return len(self.heights) == 0

    def utility(self):
        return self.diff

    def evaluate(self):
        low, high = self.extremes()
        if low == float("inf"):
            return self.diff
        return int(high - low) + self.diff
