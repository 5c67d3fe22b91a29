"""Heaps and counters: Nim and its family."""

import functools
import math
import operator
from dataclasses import dataclass
from enum import Enum, IntEnum
from functools import cache, reduce
from itertools import accumulate
from typing import NamedTuple, Optional, Tuple, Union


class Heaps(NamedTuple):
    heaps: tuple[int, ...] = (3, 4, 5)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(i, n) for i, h in enumerate(self.heaps) for n in range(1, h + 1)]

    def result(self, action):
        heap, n = action
        h = list(self.heaps)
        h[heap] -= n
        return Heaps(tuple(h), 1 - self.turn)

    def terminal(self):
        return sum(self.heaps) == 0

    def utility(self):
        return 1 if self.turn == 1 else -1


class SortedHeaps(NamedTuple):
    """Heaps in order, the empty ones left out."""

    heaps: tuple = (1, 3, 5)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        seen = set()
        for i, heap in enumerate(self.heaps):
            if heap in seen:
                continue
            seen.add(heap)
            for take in range(1, heap + 1):
                yield (i, take)

    def result(self, move):
        i, take = move
        rest = self.heaps[:i] + self.heaps[i + 1:]
        if self.heaps[i] > take:
            rest += (self.heaps[i] - take,)
        return SortedHeaps(tuple(sorted(rest)), 1 - self.mover)

    def terminal(self):
        return not self.heaps

    def utility(self):
        return -1 if self.mover == 0 else 1


class MisereNim(NamedTuple):
    piles: Tuple[int, int, int] = (2, 3, 4)
    first: bool = True

    def player(self) -> int:
        return 0 if self.first else 1

    def actions(self):
        result = []
        for pile in range(len(self.piles)):
            for amount in range(1, self.piles[pile] + 1):
                result.append(pile * 10 + amount)
        return result

    def result(self, code):
        pile, amount = divmod(code, 10)
        new_piles = tuple(p - amount if k == pile else p for k, p in enumerate(self.piles))
        return MisereNim(new_piles, not self.first)

    def terminal(self) -> bool:
        return all(p == 0 for p in self.piles)

    def utility(self):
        # whoever took the last one has lost
        if self.first:
            return 1
        return -1


class XorNim(NamedTuple):
    a: int = 3
    b: int = 5
    c: int = 6
    player_: int = 0

    def player(self):
        return self.player_

    def actions(self):
        for name, size in zip("abc", (self.a, self.b, self.c)):
            for k in range(1, size + 1):
                yield (name, k)

    def result(self, move):
        name, k = move
        if name == "a":
            return self._replace(a=self.a - k, player_=1 - self.player_)
        elif name == "b":
            return self._replace(b=self.b - k, player_=1 - self.player_)
        return self._replace(c=self.c - k, player_=1 - self.player_)

    def terminal(self):
        return self.a == self.b == self.c == 0

    def utility(self):
        return 1 if self.player_ else -1

    def evaluate(self):
        nim_sum = reduce(operator.xor, (self.a, self.b, self.c))
        good = 1 if nim_sum else -1
        return good if self.player_ == 0 else -good


class Subtract(NamedTuple):
    n: int = 20
    p: int = 0

    MOVES = [1, 3, 4]

    def player(self): return self.p
    def actions(self): return list(filter(lambda m: m <= self.n, self.MOVES))
    def result(self, m): return Subtract(self.n - m, 1 - self.p)
    def terminal(self): return len(self.actions()) == 0
    def utility(self): return -1 if self.p == 0 else 1


class SquareSubtract(NamedTuple):
    """Take a square number of stones."""

    stones: int = 25
    who: int = 0

    def player(self):
        return self.who

    def actions(self):
        return [k * k for k in range(1, math.isqrt(self.stones) + 1)]

    def result(self, squares):
        return SquareSubtract(self.stones - squares, self.who ^ 1)

    def terminal(self):
        return self.stones == 0

    def utility(self):
        return [-1, 1][self.who]


class DivisorGame(NamedTuple):
    """Take a proper divisor; whoever is left with 1 loses."""

    n: int = 30
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [d for d in range(1, self.n) if self.n % d == 0]

    def result(self, d):
        return DivisorGame(self.n - d, (self.turn + 1) % 2)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn else -1


class Fibonacci(NamedTuple):
    """At most twice what the other took; not all at first."""

    left: int = 13
    limit: Optional[int] = None
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        most = self.left - 1 if self.limit is None else min(self.limit, self.left)
        return list(range(1, most + 1))

    def result(self, k):
        return Fibonacci(self.left - k, 2 * k, 1 - self.mover)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return 1 if self.mover == 1 else -1


class Wythoff(NamedTuple):
    """A queen goes left, down or diagonally to the corner."""

    x: int = 7
    y: int = 5
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        left = [(k, 0) for k in range(1, self.x + 1)]
        down = [(0, k) for k in range(1, self.y + 1)]
        both = [(k, k) for k in range(1, min(self.x, self.y) + 1)]
        return left + down + both

    def result(self, step):
        dx, dy = step
        return Wythoff(self.x - dx, self.y - dy, 1 - self.turn)

    def terminal(self):
        return (self.x, self.y) == (0, 0)

    def utility(self):
        return 1 if self.turn == 1 else -1


class Euclid(NamedTuple):
    """Subtract a multiple of the smaller number from the larger."""

    a: int = 25
    b: int = 7
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        lo, hi = sorted((self.a, self.b))
        if lo == 0:
            return []
        return [lo * q for q in range(1, hi // lo + 1)]

    def result(self, amount):
        hi, lo = max(self.a, self.b), min(self.a, self.b)
        return Euclid(hi - amount, lo, 1 - self.mover)

    def terminal(self):
        return self.a * self.b == 0

    def utility(self):
        return 1 if self.mover else -1


class Grundy(NamedTuple):
    """Split a heap into two unequal ones."""

    heaps: tuple = (8,)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        acts = []
        for idx in range(len(self.heaps)):
            h = self.heaps[idx]
            if idx > 0 and self.heaps[idx - 1] == h:
                continue
            for small in range(1, (h + 1) // 2):
                acts.append((idx, small))
        return acts

    def result(self, act):
        idx, small = act
        new = list(self.heaps)
        h = new.pop(idx)
        new.extend([small, h - small])
        new.sort()
        return Grundy(tuple(new), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1


class Kayles(NamedTuple):
    """Knock down one pin or two beside each other."""

    pins: str = "IIIIIII"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        one = [(i, 1) for i in range(len(self.pins)) if self.pins[i] == "I"]
        two = [(i, 2) for i in range(len(self.pins) - 1) if self.pins[i:i + 2] == "II"]
        return one + two

    def result(self, throw):
        at, width = throw
        return Kayles(self.pins[:at] + "." * width + self.pins[at + width:], 1 - self.turn)

    def terminal(self):
        return "I" not in self.pins

    def utility(self):
        return 1 if self.turn == 1 else -1


class DawsonsKayles(NamedTuple):
    rows: tuple = (9,)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        for r, size in enumerate(self.rows):
            for cut in range(size - 1):
                yield r * 16 + cut

    def result(self, a):
        r, cut = a // 16, a % 16
        size = self.rows[r]
        parts = tuple(p for p in (cut, size - 2 - cut) if p > 1)
        return DawsonsKayles(self.rows[:r] + parts + self.rows[r + 1:], 1 - self.mover)

    def terminal(self):
        return max(self.rows, default=0) < 2

    def utility(self):
        return 1 if self.mover == 1 else -1


class Chomp(NamedTuple):
    """A bar of chocolate; the corner is poisoned."""

    rows: tuple[int, ...] = (4, 4, 4)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(r, c) for r, n in enumerate(self.rows) for c in range(n)]

    def result(self, square):
        r, c = square
        return Chomp(tuple(min(n, c) if i >= r else n for i, n in enumerate(self.rows)), 1 - self.turn)

    def terminal(self):
        return self.rows[0] == 0

    def utility(self):
        return 1 if self.turn == 0 else -1  # the other ate the poison


class Coins(NamedTuple):
    """Take a coin from either end; the sums count."""

    coins: tuple[int, ...] = (3, 9, 1, 2, 7, 5)
    totals: tuple[int, int] = (0, 0)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        if len(self.coins) == 1:
            return ["left"]
        return ["left", "right"]

    def result(self, side):
        if side == "left":
            coin, rest = self.coins[0], self.coins[1:]
        else:
            coin, rest = self.coins[-1], self.coins[:-1]
        a, b = self.totals
        totals = (a + coin, b) if self.mover == 0 else (a, b + coin)
        return Coins(rest, totals, 1 - self.mover)

    def terminal(self):
        return len(self.coins) == 0

    def utility(self):
        return self.totals[0] - self.totals[1]

    points = True


class Side(Enum):
    LEFT = "L"
    RIGHT = "R"


class CoinRow(NamedTuple):
    """The same, by two indices and enum actions."""

    i: int = 0
    j: int = 6
    diff: int = 0
    turn: int = 0

    VALUES = (8, 15, 3, 7, 2, 11)
    points = True

    def player(self):
        return self.turn

    def actions(self):
        return [s for s in Side if s is Side.LEFT or self.j - self.i > 1]

    def result(self, side):
        sign = 1 if self.turn == 0 else -1
        if side is Side.LEFT:
            return CoinRow(self.i + 1, self.j, self.diff + sign * self.VALUES[self.i], 1 - self.turn)
        return CoinRow(self.i, self.j - 1, self.diff + sign * self.VALUES[self.j - 1], 1 - self.turn)

    def terminal(self):
        return self.i == self.j

    def utility(self):
        return self.diff


class TakeFromEnds(NamedTuple):
    """Take one or two numbers from the front; a game of sums with accumulate."""

    start: int = 0
    balance: int = 0
    who: int = 0

    ROW = [4, -2, 3, 7, -5, 6, 1, 2]
    points = True

    def player(self):
        return self.who

    def actions(self):
        return [n for n in (1, 2, 3) if self.start + n <= len(self.ROW)]

    def result(self, n):
        gain = list(accumulate(self.ROW[self.start:self.start + n]))[-1]
        return TakeFromEnds(self.start + n, self.balance + (gain if self.who == 0 else -gain), 1 - self.who)

    def terminal(self):
        return self.start >= len(self.ROW)

    def utility(self):
        return self.balance


class Bachet(NamedTuple):
    """Recursion with a cache says who wins."""

    heap: int = 17
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [t for t in range(1, 5) if t <= self.heap]

    def result(self, t):
        return Bachet(self.heap - t, 1 - self.mover)

    def terminal(self):
        return self.heap == 0

    def utility(self):
        return 1 if self.mover else -1

    def evaluate(self):
        value = 1 if wins(self.heap) else -1
        return value if self.mover == 0 else -value


@cache
def wins(heap):
    return any(not wins(heap - t) for t in range(1, 5) if t <= heap)


class TwentyOne(NamedTuple):
    """Count up to 21; whoever says 21 loses."""

    count: int = 0
    player_index: int = 0

    def player(self):
        return self.player_index

    def actions(self):
        possible = {1, 2, 3}
        return sorted(step for step in possible if self.count + step <= 21)

    def result(self, step):
        return TwentyOne(count=self.count + step, player_index=(self.player_index + 1) % 2)

    def terminal(self):
        return self.count == 21

    def utility(self):
        return 1 if self.player_index == 0 else -1


@dataclass(frozen=True)
class DataNim:
    heaps: tuple = (1, 2, 3)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [(i, take) for i in range(len(self.heaps)) for take in range(1, self.heaps[i] + 1)]

    def result(self, action):
        i, take = action
        heaps = tuple(h - take if i == j else h for j, h in enumerate(self.heaps))
        return DataNim(heaps, 1 - self.mover)

    def terminal(self):
        return not any(self.heaps)

    def utility(self):
        return 1 if self.mover == 1 else -1


class Mover(IntEnum):
    ALICE = 0
    BOB = 1

    @property
    def other(self):
        return Mover(1 - self)


class EnumNim(NamedTuple):
    matches: int = 15
    mover: Mover = Mover.ALICE

    def player(self) -> Mover:
        return self.mover

    def actions(self):
        return range(1, min(3, self.matches) + 1)

    def result(self, take):
        return EnumNim(self.matches - take, self.mover.other)

    def terminal(self):
        return self.matches == 0

    def utility(self):
        return 1 if self.mover == Mover.BOB else -1


class MooreNim(NamedTuple):
    """Take from one or two heaps, the same number."""

    heaps: tuple = (2, 2, 3)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        n = len(self.heaps)
        singles = [(i, i, t) for i in range(n) for t in range(1, self.heaps[i] + 1)]
        pairs = [
            (i, j, t)
            for i in range(n)
            for j in range(i + 1, n)
            for t in range(1, min(self.heaps[i], self.heaps[j]) + 1)
        ]
        return singles + pairs

    def result(self, move):
        i, j, t = move
        new = tuple(h - t if k in (i, j) else h for k, h in enumerate(self.heaps))
        return MooreNim(new, 1 - self.mover)

    def terminal(self):
        return self.heaps == (0,) * len(self.heaps)

    def utility(self):
        return (-1) ** (self.mover + 1)


class Turning(NamedTuple):
    """Turning turtles: turn one over, and if you like another to its left."""

    up: tuple[bool, ...] = (True, False, True, True, False)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        for i, is_up in enumerate(self.up):
            if is_up:
                yield (i, -1)
                for j in range(i):
                    yield (i, j)

    def result(self, move):
        flipped = list(self.up)
        for k in move:
            if k >= 0:
                flipped[k] = not flipped[k]
        return Turning(tuple(flipped), 1 - self.mover)

    def terminal(self):
        return not any(self.up)

    def utility(self):
        return 1 if self.mover == 1 else -1


class Northcott(NamedTuple):
    """One man of each in every row; he moves along it, but not past the other. No way back."""

    gaps: tuple = (3, 2, 4)
    player_: int = 0

    def player(self):
        return self.player_

    def actions(self):
        return [(row, k) for row in range(3) for k in range(1, self.gaps[row] + 1)]

    def result(self, move):
        row, k = move
        a, b, c = self.gaps
        match row:
            case 0:
                new = (a - k, b, c)
            case 1:
                new = (a, b - k, c)
            case _:
                new = (a, b, c - k)
        return Northcott(new, 1 - self.player_)

    def terminal(self):
        return self.gaps == (0, 0, 0)

    def utility(self):
        return 1 if self.player_ else -1


class NimSum(NamedTuple):
    """A string of heaps, as '345'."""

    heaps: str = "234"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(i, k) for i in range(len(self.heaps)) for k in range(1, int(self.heaps[i]) + 1)]

    def result(self, move):
        i, k = move
        return NimSum(self.heaps[:i] + str(int(self.heaps[i]) - k) + self.heaps[i + 1:], 1 - self.turn)

    def terminal(self):
        return self.heaps == "000"

    def utility(self):
        return 1 if self.turn == 1 else -1
