"""Small games in the styles of answers on the web: short, clever, or copied together."""
import operator
from collections import Counter
from functools import reduce
from itertools import chain, combinations, groupby, islice, permutations, product, zip_longest
from math import gcd, inf, isqrt
from string import ascii_lowercase
from typing import NamedTuple


class OneLiners(NamedTuple):
    """Tic-tac-toe in one-liners."""

    b: tuple = tuple(range(9))
    t: int = 0

    player = lambda s: s.t  # noqa: E731
    actions = lambda s: [x for x in s.b if isinstance(x, int)]  # noqa: E731

    def result(self, a):
        return OneLiners(tuple("XO"[self.t] if x == a else x for x in self.b), 1 - self.t)

    def won(self):
        b = self.b
        return any(b[i] == b[j] == b[k] for i, j, k in ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)))

    def terminal(self):
        return self.won() or not self.actions()

    def utility(self):
        return (1 if self.t else -1) if self.won() else 0


class Transposed(NamedTuple):
    """Rows, columns by zip(*rows), diagonals by index."""

    rows: tuple = ("...", "...", "...")
    mark: str = "x"

    def player(self):
        return int(self.mark != "x")

    def actions(self):
        return [(r, c) for r, c in product(range(3), repeat=2) if self.rows[r][c] == "."]

    def result(self, rc):
        r, c = rc
        row = self.rows[r][:c] + self.mark + self.rows[r][c + 1 :]
        return Transposed(self.rows[:r] + (row,) + self.rows[r + 1 :], "ox"[self.mark == "o"])

    def all_lines(self):
        columns = ["".join(col) for col in zip(*self.rows)]
        diagonals = ["".join(self.rows[i][i] for i in range(3)), "".join(self.rows[i][2 - i] for i in range(3))]
        return list(self.rows) + columns + diagonals

    def terminal(self):
        return "xxx" in self.all_lines() or "ooo" in self.all_lines() or "." not in "".join(self.rows)

    def utility(self):
        found = self.all_lines()
        return ("xxx" in found) - ("ooo" in found)


class XorNim(NamedTuple):
    """reduce with operator.xor in the evaluation."""

    heaps: tuple = (2, 3, 1)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(i, n) for i, h in enumerate(self.heaps) for n in range(1, h + 1)]

    def result(self, a):
        i, n = a
        return XorNim((*self.heaps[:i], self.heaps[i] - n, *self.heaps[i + 1 :]), self.turn ^ 1)

    def terminal(self):
        return not any(self.heaps)

    def utility(self):
        return [-1, 1][self.turn]

    def evaluate(self):
        x = reduce(operator.xor, self.heaps, 0)
        return 0 if x == 0 else 1 if self.turn == 0 else -1


class RunsOfBits(NamedTuple):
    """Crosses in a row, runs by groupby."""

    line: str = "......"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, ch in enumerate(self.line) if ch == "."]

    def result(self, i):
        s = list(self.line)
        s[i] = "x"
        return RunsOfBits("".join(s), not self.turn)

    def terminal(self):
        return any(k == "x" and len(list(g)) >= 3 for k, g in groupby(self.line)) or "." not in self.line

    def utility(self):
        return 1 if self.turn else -1


class Coprime(NamedTuple):
    """Numbers from a pool; each must be coprime to the last."""

    pool: tuple = (2, 3, 4, 5, 6, 7)
    last: int = 1
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [n for n in self.pool if gcd(n, self.last) == 1]

    def result(self, n):
        return Coprime(tuple(filter(lambda m: m != n, self.pool)), n, 1 - self.turn)

    def terminal(self):
        return next((False for n in self.pool if gcd(n, self.last) == 1), True)

    def utility(self):
        return -1 if self.turn == 0 else 1


class Scrabblet(NamedTuple):
    """Letters with a Counter, scores from ascii_lowercase."""

    rack: str = "aabd"
    word: str = ""
    turn: int = 0
    points: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return sorted(Counter(self.rack))

    def result(self, ch):
        i = self.rack.index(ch)
        worth = ascii_lowercase.index(ch) + 1
        points = self.points + (worth if self.turn == 0 else -worth) * (1 + self.word.endswith(ch))
        return Scrabblet(self.rack[:i] + self.rack[i + 1 :], self.word + ch, 1 - self.turn, points)

    def terminal(self):
        return self.rack == ""

    def utility(self):
        return self.points


class Pipes(NamedTuple):
    """Chained comparisons, nested conditional expressions, inf as a start."""

    values: tuple = (4, 7, 1, 8)
    low: int = 0
    high: int = 3
    score: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return ("left", "right") if self.low < self.high else ("left",)

    def result(self, side):
        gain = self.values[self.low] if side == "left" else self.values[self.high]
        low, high = (self.low + 1, self.high) if side == "left" else (self.low, self.high - 1)
        return Pipes(self.values, low, high, self.score + (gain if self.turn == 0 else -gain), 1 - self.turn)

    def terminal(self):
        return not 0 <= self.low <= self.high < len(self.values)

    def utility(self):
        return self.score

    def evaluate(self):
        best = -inf
        for v in self.values[self.low : self.high + 1]:
            if v > best:
                best = v
        return 0 if best == -inf else int(best)


class SquareSum(NamedTuple):
    """A new number must make a square with the last one."""

    numbers: frozenset = frozenset(range(1, 8))
    last: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        def square(n):
            root = isqrt(n)
            return root * root == n

        return sorted(n for n in self.numbers if self.last == 0 or square(n + self.last))

    def result(self, n):
        return SquareSum(self.numbers - {n}, n, 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class FlatMatrix(NamedTuple):
    """A matrix as nested comprehensions, flattened by chain."""

    grid: tuple = ((1, -2), (3, -1))
    used: tuple = ((False, False), (False, False))
    total: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(i, j) for i in range(2) for j in range(2) if not self.used[i][j]]

    def result(self, ij):
        used = tuple(tuple(u or (i, j) == ij for j, u in enumerate(row)) for i, row in enumerate(self.used))
        i, j = ij
        return FlatMatrix(self.grid, used, self.total + self.grid[i][j] * (1 - 2 * self.turn), 1 - self.turn)

    def terminal(self):
        return all(chain.from_iterable(self.used))

    def utility(self):
        return self.total


class Bulls(NamedTuple):
    """Guess a code of two digits: a setter and a guesser, sets of possible codes left."""

    secret: tuple = ()
    guesses: int = 0
    found: bool = False

    def player(self):
        return 1 if not self.secret else 0

    def actions(self):
        return list(permutations((1, 2, 3), 2))

    def result(self, code):
        if not self.secret:
            return Bulls(code)
        return Bulls(self.secret, self.guesses + 1, code == self.secret)

    def terminal(self):
        return self.found or self.guesses == 2

    def utility(self):
        return 3 - self.guesses if self.found else 0


class Dutch(NamedTuple):
    """Three colours to be sorted; swaps cost, inversions count by combinations."""

    flag: tuple = ("w", "r", "b", "r")
    moves: int = 0

    def player(self):
        return self.moves & 1

    def actions(self):
        n = len(self.flag)
        return [(i, j) for i in range(n - 1) for j in range(i + 1, n) if self.flag[i] != self.flag[j]]

    def result(self, move):
        f, (i, j) = list(self.flag), move
        f[i], f[j] = f[j], f[i]
        return self._replace(flag=tuple(f), moves=self.moves + 1)

    def terminal(self):
        return self.moves == 3

    def utility(self):
        order = {"r": 0, "w": 1, "b": 2}
        return sum(1 if order[a] <= order[b] else -1 for a, b in combinations(self.flag, 2))


class Digits(NamedTuple):
    """A number as text; digits are taken from its ends, padded by zip_longest."""

    number: str = "3141"
    one: str = ""
    two: str = ""

    def player(self):
        return (len(self.one) + len(self.two)) % 2

    def actions(self):
        return [0, -1] if len(self.number) > 1 else [0]

    def result(self, end):
        digit = self.number[end]
        rest = self.number[1:] if end == 0 else self.number[:-1]
        if self.player() == 0:
            return Digits(rest, self.one + digit, self.two)
        return Digits(rest, self.one, self.two + digit)

    def terminal(self):
        return len(self.number) == 0

    def utility(self):
        return sum(int(a) - int(b) for a, b in zip_longest(self.one, self.two, fillvalue="0"))


class Lights(NamedTuple):
    """Lights out for two on 2x3, xor by a list of neighbours."""

    lights: tuple = (True, False, True, False, True, False)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return range(6)

    def result(self, i):
        r, c = divmod(i, 3)
        near = [(r, c)] + [(r + dr, c + dc) for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]]
        hit = {3 * a + b for a, b in near if a in (0, 1) and 0 <= b <= 2}
        return Lights(tuple(on != (k in hit) for k, on in enumerate(self.lights)), self.ply + 1)

    def terminal(self):
        return self.ply >= 3 or not any(self.lights)

    def utility(self):
        return sum(self.lights) - 3


class Knights(NamedTuple):
    """Two knights on 3x4, moves by a generator with a guard; islice for the first ones."""

    where: tuple = (0, 11)
    visited: tuple = (0, 11)
    turn: int = 0

    JUMPS = [(1, 2), (2, 1), (-1, 2), (2, -1), (1, -2), (-2, 1), (-1, -2), (-2, -1)]

    def player(self):
        return self.turn

    def reachable(self):
        y, x = divmod(self.where[self.turn], 4)
        for dy, dx in self.JUMPS:
            ny, nx = y + dy, x + dx
            if 0 <= ny < 3 and 0 <= nx < 4 and (sq := ny * 4 + nx) not in self.visited:
                yield sq

    def actions(self):
        return list(islice(self.reachable(), 3))

    def result(self, square):
        where = list(self.where)
        where[self.turn] = square
        return Knights(tuple(where), self.visited + (square,), 1 - self.turn)

    def terminal(self):
        return sum(1 for _ in self.reachable()) == 0

    def utility(self):
        return 1 if self.turn == 1 else -1


class Prices(NamedTuple):
    """min with key over a dict, f-strings as actions."""

    money: tuple = (5, 5)
    bought: tuple = ((), ())
    turn: int = 0

    SHOP = {"apple": 1, "bread": 2, "cheese": 3}

    def player(self):
        return self.turn

    def actions(self):
        mine = self.money[self.turn]
        can = [f"buy:{name}" for name, price in self.SHOP.items() if price <= mine and name not in self.bought[self.turn]]
        return can + ["save"] if can else ["save"]

    def result(self, action):
        money, bought = list(self.money), list(self.bought)
        if action.startswith("buy:"):
            name = action[4:]
            money[self.turn] -= self.SHOP[name]
            bought[self.turn] = bought[self.turn] + (name,)
        else:
            money[self.turn] -= 1
        return Prices(tuple(money), tuple(bought), 1 - self.turn)

    def terminal(self):
        cheapest = min(self.SHOP, key=self.SHOP.get)
        return min(self.money) < self.SHOP[cheapest]

    def utility(self):
        return len(self.bought[0]) - len(self.bought[1])


class Maze(NamedTuple):
    """A map as a text of lines."""

    at: tuple = (1, 1)
    left: int = 5
    turn: int = 0

    MAP = """#####
#  G#
# # #
#####"""

    def cell(self, r, c):
        return self.MAP.splitlines()[r][c]

    def player(self):
        return self.turn

    def actions(self):
        r, c = self.at
        found = [d for d, (dr, dc) in zip("NESW", ((-1, 0), (0, 1), (1, 0), (0, -1))) if self.cell(r + dr, c + dc) != "#"]
        return found

    def result(self, d):
        dr, dc = {"N": (-1, 0), "E": (0, 1), "S": (1, 0), "W": (0, -1)}[d]
        return Maze((self.at[0] + dr, self.at[1] + dc), self.left - 1, 1 - self.turn)

    def terminal(self):
        return self.left == 0 or self.cell(*self.at) == "G"

    def utility(self):
        return self.left if self.cell(*self.at) == "G" else -1


class Percentages(NamedTuple):
    """round, abs, floats on the way, a running best with None."""

    shares: tuple = (10, 35, 55)
    turn: int = 0
    ply: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(3) if self.shares[i] >= 10]

    def result(self, i):
        given = round(self.shares[i] * 0.1)
        shares = [s - given if k == i else s for k, s in enumerate(self.shares)]
        shares[(i + 1) % 3] += given
        return Percentages(tuple(shares), 1 - self.turn, self.ply + 1)

    def terminal(self):
        return self.ply == 3

    def utility(self):
        best = None
        for i, s in enumerate(self.shares):
            if best is None or abs(s - 100 / 3) < abs(self.shares[best] - 100 / 3):
                best = i
        return best - 1


class Sorter(NamedTuple):
    """sorted with reverse, enumerate from 1, tuple comparison, any/all of generators."""

    cards: tuple = (3, 1, 2)
    piles: tuple = ((), ())
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [c for _, c in sorted(((c % 2, c) for c in self.cards), reverse=True)]

    def result(self, card):
        piles = tuple(p + (card,) if i == self.turn else p for i, p in enumerate(self.piles))
        return Sorter(tuple(c for c in self.cards if c != card), piles, 1 - self.turn)

    def terminal(self):
        return not self.cards

    def utility(self):
        weigh = lambda pile: sum(i * c for i, c in enumerate(pile, 1))  # noqa: E731
        return weigh(self.piles[0]) - weigh(self.piles[1]) + (self.piles[0] > self.piles[1])
