"""Idioms of tuples, in small games."""

import operator
from functools import reduce
from itertools import accumulate, chain, combinations, permutations, product
from typing import NamedTuple, Tuple


class Rotate(NamedTuple):
    """A ring of numbers is turned; slices with variables."""

    ring: tuple = (1, 2, 3, 4, 5)
    left: int = 5

    points = True

    def player(self):
        return self.left % 2

    def actions(self):
        return [1, 2]

    def result(self, k):
        ring = self.ring[k:] + self.ring[:k]
        return Rotate(ring[: len(ring) - 1] + (ring[-1] * k % 7,), self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return self.ring[0] - self.ring[-1]


class Reversal(NamedTuple):
    """Turn a part of a row around; sorted after six plies is good for MAX."""

    row: Tuple[int, ...] = (3, 1, 2, 4)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [(i, j) for i, j in combinations(range(5), 2) if j - i > 1]

    def result(self, part):
        i, j = part
        return Reversal(self.row[:i] + self.row[i:j][::-1] + self.row[j:], self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return 1 if self.row == tuple(sorted(self.row)) else -1 if self.row[0] == max(self.row) else 0


class Swap(NamedTuple):
    row: tuple = (2, 0, 1, 3)
    moves_left: int = 4
    scores: tuple = (0, 0)

    points = True

    def player(self):
        return self.moves_left % 2

    def actions(self):
        return range(3)

    def result(self, i):
        row = list(self.row)
        row[i], row[i + 1] = row[i + 1], row[i]
        gain = row[i] * i
        scores = tuple(s + gain if p == self.player() else s for p, s in enumerate(self.scores))
        return Swap(tuple(row), self.moves_left - 1, scores)

    def terminal(self):
        return not self.moves_left

    def utility(self):
        mine, yours = self.scores
        return mine - yours


class Repeat(NamedTuple):
    """Tuples by `*`, `+` and `count`."""

    cells: tuple = (0,) * 6
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [n for n in (1, 2) if n <= self.cells.count(0)]

    def result(self, n):
        filled = len(self.cells) - self.cells.count(0)
        mark = self.turn + 1
        return Repeat(self.cells[:filled] + (mark,) * n + (0,) * (len(self.cells) - filled - n), 1 - self.turn)

    def terminal(self):
        return self.cells[-1] != 0

    def utility(self):
        return 1 if self.cells[-1] == 1 else -1


class Index(NamedTuple):
    """`index` and `in` on a tuple field."""

    order: tuple = (4, 2, 0, 3, 1)
    at: int = 0
    ply: int = 0

    def player(self):
        return self.ply & 1

    def actions(self):
        return [v for v in range(5) if v in self.order[self.at:]] or [-1]

    def result(self, v):
        if v == -1 or v not in self.order:
            return self._replace(ply=self.ply + 1, at=5)
        return Index(self.order, self.order.index(v) + 1, self.ply + 1)

    def terminal(self):
        return self.at >= 5

    def utility(self):
        return -1 if self.ply % 2 == 0 else 1


class Unpack(NamedTuple):
    """Unpacking with a star."""

    cards: tuple = (5, 1, 4, 2, 3)
    sums: tuple = (0, 0)

    points = True

    def player(self):
        return (5 - len(self.cards)) % 2

    def actions(self):
        return ["first", "last"] if len(self.cards) > 1 else ["first"]

    def result(self, which):
        if which == "first":
            card, *rest = self.cards
        else:
            *rest, card = self.cards
        a, b = self.sums
        if self.player() == 0:
            a += card
        else:
            b += card
        return Unpack((*rest,), (a, b))

    def terminal(self):
        return self.cards == ()

    def utility(self):
        first, second = self.sums
        return first - second


class Compare(NamedTuple):
    """Comparison of tuples: whoever makes the lexicographically greater hand."""

    mine: tuple = ()
    yours: tuple = ()

    DIGITS = (3, 1, 2)

    def player(self):
        return 0 if len(self.mine) == len(self.yours) else 1

    def actions(self):
        used = self.mine if self.player() == 0 else self.yours
        return [d for d in self.DIGITS if d not in used]

    def result(self, d):
        if self.player() == 0:
            return Compare(self.mine + (d,), self.yours)
        return Compare(self.mine, self.yours + (d,))

    def terminal(self):
        return len(self.yours) == 3

    def utility(self):
        backwards = self.yours[::-1]
        if self.mine > backwards:
            return 1
        if self.mine < backwards:
            return -1
        return 0


class SortedBy(NamedTuple):
    """sorted with key= and reverse=."""

    pairs: tuple = ((1, 5), (2, 3), (3, 4), (4, 1))
    score: int = 0
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        best = sorted(self.pairs, key=lambda p: p[1], reverse=True)
        return [p[0] for p in best[:2]]

    def result(self, name):
        value = [v for n, v in self.pairs if n == name][0]
        rest = tuple(p for p in self.pairs if p[0] != name)
        aged = tuple((n, max(v - 1, 0)) for n, v in rest)
        return SortedBy(aged, self.score + (value if self.turn == 0 else -value), 1 - self.turn)

    def terminal(self):
        return len(self.pairs) == 0

    def utility(self):
        return self.score


class Generated(NamedTuple):
    """tuple(generator) with conditions."""

    cells: tuple = tuple(range(1, 8))
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [c for c in self.cells if c > 0]

    def result(self, c):
        return Generated(tuple(0 if x % c == 0 else x for x in self.cells), 1 - self.turn)

    def terminal(self):
        return set(self.cells) == {0}

    def utility(self):
        return 1 if self.turn == 1 else -1


class Enumerated(NamedTuple):
    """A 2x4 grid of numbers; take a column or a row by zip and enumerate."""

    grid: tuple[tuple[int, ...], ...] = ((1, 4, 2, 5), (3, 1, 6, 2))
    diff: int = 0
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, column in enumerate(zip(*self.grid)) if sum(column) > 0]

    def result(self, i):
        gain = sum(row[i] for row in self.grid)
        grid = tuple(tuple(0 if j == i else max(v - 1, 0) for j, v in enumerate(row)) for row in self.grid)
        return Enumerated(grid, self.diff + gain * (1 - 2 * self.turn), 1 - self.turn)

    def terminal(self):
        return max(map(max, self.grid)) == 0

    def utility(self):
        return self.diff


class Transposed(NamedTuple):
    """Rows turned into columns and back after every move."""

    rows: tuple = ((0, 0, 0), (0, 0, 0))
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [(r, c) for r, row in enumerate(self.rows) for c, v in enumerate(row) if v == 0]

    def result(self, at):
        rows = [list(row) for row in self.rows]
        rows[at[0]][at[1]] = self.ply % 2 + 1
        return Transposed(tuple(zip(*rows)), self.ply + 1)

    def terminal(self):
        return self.ply == 6

    def utility(self):
        pairs = sum(1 for row in self.rows for a, b in zip(row, row[1:]) if a == b)
        return 1 if pairs > 2 else -1 if pairs < 2 else 0


class Pairwise(NamedTuple):
    """Neighbours by zip(t, t[1:])."""

    heights: tuple = (2, 2, 2, 2)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i, h in enumerate(self.heights) if h < 4]

    def result(self, i):
        return Pairwise(tuple(h + (k == i) for k, h in enumerate(self.heights)), self.ply + 1)

    def terminal(self):
        return self.ply >= 6 or not self.actions()

    def utility(self):
        steps = [abs(a - b) for a, b in zip(self.heights, self.heights[1:])]
        return sum(steps) - 3

    def evaluate(self):
        return max(self.heights) - min(self.heights)


class Striding(NamedTuple):
    """Slices with a step, and assignment to slices of a list."""

    cells: tuple = (0,) * 8
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [k for k in (1, 2, 3) if self.cells[::k].count(0) > 0]

    def result(self, k):
        cells = list(self.cells)
        part = cells[::k]
        part[part.index(0)] = self.ply % 2 + 1
        cells[::k] = part
        return Striding(tuple(cells), self.ply + 1)

    def terminal(self):
        return self.ply == 8

    def utility(self):
        return self.cells[::2].count(1) - self.cells[1::2].count(1)


class TupleActions(NamedTuple):
    """Actions are pairs of squares."""

    a: tuple[int, int] = (0, 0)
    b: tuple[int, int] = (2, 2)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        here = (self.a, self.b)[self.ply % 2]
        there = (self.a, self.b)[1 - self.ply % 2]
        steps = product((-1, 0, 1), (-1, 0, 1))
        squares = ((here[0] + dr, here[1] + dc) for dr, dc in steps if abs(dr) + abs(dc) == 1)
        return [(here, sq) for sq in squares if all(0 <= v <= 2 for v in sq) and sq != there]

    def result(self, move):
        (r, c), (r2, c2) = move
        if self.ply % 2 == 0:
            return TupleActions((r2, c2), self.b, self.ply + 1)
        return TupleActions(self.a, (r2, c2), self.ply + 1)

    def terminal(self):
        return self.ply == 8

    def utility(self):
        (r, c), (r2, c2) = self.a, self.b
        return 1 if abs(r - r2) + abs(c - c2) <= 1 else -1


class Nested(NamedTuple):
    """Tuples of different lengths inside a tuple."""

    stacks: tuple = ((3, 2, 1), (), ())
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [
            (i, j)
            for i, src in enumerate(self.stacks)
            for j, dst in enumerate(self.stacks)
            if i != j and src and (not dst or dst[-1] > src[-1])
        ]

    def result(self, move):
        i, j = move
        stacks = list(self.stacks)
        stacks[j] = stacks[j] + (stacks[i][-1],)
        stacks[i] = stacks[i][:-1]
        return Nested(tuple(stacks), self.ply + 1)

    def terminal(self):
        return self.ply >= 8 or self.stacks[2] == (3, 2, 1)

    def utility(self):
        return len(self.stacks[2]) - len(self.stacks[0])


class MinMaxOf(NamedTuple):
    """min and max with default= and key=, of tuples of tuples."""

    left: tuple = ((2, "b"), (5, "a"), (3, "c"), (5, "d"))
    score: int = 0
    mover: int = 0

    points = True

    def player(self):
        return self.mover

    def actions(self):
        biggest = max(self.left, key=lambda item: item[0], default=None)
        smallest = min(self.left, default=None)
        if biggest is None:
            return []
        return ["big"] if biggest == smallest else ["big", "small"]

    def result(self, which):
        item = max(self.left, key=lambda item: item[0]) if which == "big" else min(self.left)
        index = self.left.index(item)
        rest = self.left[:index] + self.left[index + 1:]
        value = item[0] + (item[1] == "a")
        return MinMaxOf(rest, self.score + (-value if self.mover else value), 1 - self.mover)

    def terminal(self):
        return not self.left

    def utility(self):
        return self.score


class Permuted(NamedTuple):
    """itertools.permutations of what is left; a match against a secret order."""

    chosen: tuple = ()

    def player(self):
        return len(self.chosen) % 2

    def actions(self):
        return [n for n in range(4) if n not in self.chosen]

    def result(self, n):
        return Permuted(self.chosen + (n,))

    def terminal(self):
        return len(self.chosen) == 4

    def utility(self):
        rank = 0
        for i, order in enumerate(permutations(range(4))):
            if order == self.chosen:
                rank = i
                break
        return 1 if rank % 3 == 0 else -1


class Chained(NamedTuple):
    """chain, accumulate and reduce."""

    top: tuple = (1, 2, 3)
    bottom: tuple = (4, 5)
    mover: int = 0

    points = True

    def player(self):
        return self.mover

    def actions(self):
        return sorted(set(chain(self.top[-1:], self.bottom[-1:])))

    def result(self, v):
        if self.top and self.top[-1] == v:
            return Chained(self.top[:-1], self.bottom, 1 - self.mover)
        return Chained(self.top, self.bottom[:-1], 1 - self.mover)

    def terminal(self):
        return not self.top or not self.bottom

    def utility(self):
        sums = list(accumulate(chain(self.top, self.bottom), initial=0))
        product_ = reduce(operator.mul, self.top + self.bottom, 1)
        return sums[-1] - product_ % 5

    def evaluate(self):
        return reduce(lambda a, b: a * 2 + b, self.top, 0) - len(self.bottom)


class Adjacent(NamedTuple):
    """A ragged table of neighbours."""

    token: int = 0
    visited: tuple = (True, False, False, False, False, False, False)
    mover: int = 0

    NEXT = ((1, 2), (0, 3, 4), (0, 5), (1,), (1, 5, 6), (2, 4), (4,))

    def player(self):
        return self.mover

    def actions(self):
        return [n for n in self.NEXT[self.token] if not self.visited[n]]

    def result(self, n):
        visited = self.visited[:n] + (True,) + self.visited[n + 1:]
        return Adjacent(n, visited, 1 - self.mover)

    def terminal(self):
        return not any(not self.visited[n] for n in self.NEXT[self.token])

    def utility(self):
        return 1 if self.mover == 1 else -1


class Starred(NamedTuple):
    """A state built from *args, and helpers that take them."""

    a: int = 3
    b: int = 2
    c: int = 4
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, v in enumerate(self[:3]) if v > 0]

    def result(self, i):
        values = list(self[:3])
        values[i] -= 1
        return Starred(*values, 1 - self.turn)

    def terminal(self):
        return total(self.a, self.b, self.c) <= 3

    def utility(self):
        a, b, c, _ = self
        return a * 2 - b + c - total(*self[:2])


def total(*values):
    return sum(values)
