"""Answers of an exam: small games, each with another way of saying things."""

import bisect
import heapq
import itertools
import math
import operator
import string
from collections import ChainMap, Counter, OrderedDict, defaultdict, deque, namedtuple
from dataclasses import dataclass
from enum import Enum, Flag, IntEnum, auto
from functools import reduce
from typing import NamedTuple, Optional


class Op(Enum):
    ADD = "+"
    SUB = "-"

    def __call__(self, a, b):
        return a + b if self is Op.ADD else a - b


class Calculator(NamedTuple):
    """Members of an enum that are called."""

    value: int = 5
    left: int = 4

    def player(self):
        return self.left % 2

    def actions(self):
        return [(op, n) for op in Op for n in (1, 3)]

    def result(self, a):
        op, n = a
        return Calculator(op(self.value, n), self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return 1 if self.value > 5 else -1 if self.value < 5 else 0


class Previous(NamedTuple):
    """A loop that remembers the item before; names first set at the end of its body."""

    row: tuple = (3, 1, 4, 1, 5)
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        found = []
        started = False
        for i, v in enumerate(self.row):
            if not started or v != before:
                found.append(i)
            before = v
            started = True
        return found

    def result(self, i):
        return Previous(self.row[:i] + self.row[i + 1 :], self.ply + 1)

    def terminal(self):
        return not self.row

    def utility(self):
        return 0

    def evaluate(self):
        longest = run = 0
        for i, v in enumerate(self.row):
            if i and v >= last:
                run += 1
            else:
                run = 1
            longest = max(longest, run)
            last = v
        return longest


class Infinite(NamedTuple):
    """best = inf, then int(best) inside a block."""

    costs: tuple = ((4, 2, 7), (1, 9, 3), (5, 5, 5))
    row: int = 0
    spent: int = 0

    players = 1
    points = True

    def player(self):
        return 0

    def actions(self):
        return [c for c, v in enumerate(self.costs[self.row]) if v < 9]

    def result(self, c):
        return Infinite(self.costs, self.row + 1, self.spent + self.costs[self.row][c])

    def terminal(self):
        return self.row == len(self.costs)

    def utility(self):
        return -self.spent

    def evaluate(self):
        rest = []
        for row in self.costs[self.row :]:
            cheapest = float("inf")
            for v in row:
                if v < cheapest:
                    cheapest = v
            cheapest = int(cheapest)
            rest.append(cheapest)
        return -self.spent - sum(rest)


class Scopes(NamedTuple):
    """One name in a comprehension, a loop and a lambda."""

    xs: tuple = (5, 2, 8)
    k: int = 0

    def player(self):
        return self.k % 2

    def actions(self):
        x = 1
        found = [x for x in self.xs if x > self.k]
        for y in (x + 10 for x in found):
            if y > 10 + x:
                x += 1
        return found + [x + 20]

    def result(self, a):
        return Scopes(tuple(sorted((x for x in self.xs if x != a), key=lambda x: -x)), self.k + 1)

    def terminal(self):
        return self.k > 3 or not self.xs

    def utility(self):
        k = 2
        f = lambda x, k=k: [k for k in range(x)][-1] + k if x else k  # noqa: E731
        return f(sum(self.xs) % 4) % 3 - 1


class Ghosts(Flag):
    NONE = 0
    INKY = auto()
    CLYDE = auto()


class Haunted(NamedTuple):
    """Flags combined and tested with &."""

    seen: Ghosts = Ghosts.NONE
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [g.value for g in (Ghosts.INKY, Ghosts.CLYDE) if not self.seen & g] or [0]

    def result(self, v):
        return Haunted(self.seen | Ghosts(v), self.ply + 1)

    def terminal(self):
        return self.ply == 3

    def utility(self):
        return 1 if Ghosts.INKY in self.seen else -1


class Coin(IntEnum):
    PENNY = 5
    DIME = 10


class Coins(NamedTuple):
    """Members of an IntEnum as actions, beside a tuple in the state."""

    piles: tuple = ((3, 1), (0, 2))
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return [coin for coin in Coin if any(coin % 3 != v for row in self.piles for v in row)]

    def result(self, coin):
        (a, b), rest = self.piles
        if coin is Coin.DIME:
            return Coins((((a + coin) % 7, b), rest), self.ply + 1)
        return Coins(((a, b - 1), rest), self.ply + 1)

    def terminal(self):
        return self.ply == 3 or self.piles[0][0] == 5

    def utility(self):
        return sum(map(sum, self.piles))


class Switches(NamedTuple):
    """Flags as actions."""

    on: Ghosts = Ghosts.CLYDE
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return list(Ghosts)

    def result(self, flag):
        return Switches(self.on ^ flag, self.ply + 1)

    def terminal(self):
        return self.ply == 4 or not self.on

    def utility(self):
        return 1 if self.on.value == 3 else -1 if self.on == Ghosts.NONE else 0


class Heap(NamedTuple):
    """heapq with tuples, heappushpop, nsmallest."""

    jobs: tuple = ((3, "c"), (1, "a"), (2, "b"))
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return [name for _, name in heapq.nsmallest(2, self.jobs)]

    def result(self, name):
        heap = [(p, n) for p, n in self.jobs if n != name]
        heapq.heapify(heap)
        if heap:
            p, n = heapq.heappop(heap)
            heapq.heappush(heap, (p + 2, n))
        return Heap(tuple(sorted(heap)), self.ply + 1)

    def terminal(self):
        return not self.jobs

    def utility(self):
        return self.ply % 3 - 1


class Digits(NamedTuple):
    """Numbers as texts: zfill, int(..., 2), format with a width, bin, count."""

    bits: str = "0110"
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i, b in enumerate(self.bits) if b == "1" or i == self.ply]

    def result(self, i):
        n = int(self.bits, 2) ^ 1 << len(self.bits) - 1 - i
        return Digits(format(n, "04b"), self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return 1 if bin(int(self.bits, 2)).count("1") % 2 else -1


class Maze(NamedTuple):
    """Complex numbers as positions on a map of text."""

    r: int = 0
    c: int = 0
    steps: int = 0

    MAP = ["..#", ".#.", "..."]
    DIRS = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}

    players = 1
    points = True

    def player(self):
        return 0

    def actions(self):
        moves = []
        for name, (dr, dc) in self.DIRS.items():
            r, c = self.r + dr, self.c + dc
            try:
                if r < 0 or c < 0:
                    raise IndexError
                if self.MAP[r][c] != "#":
                    moves.append(name)
            except IndexError:
                pass
        return moves

    def result(self, name):
        dr, dc = self.DIRS[name]
        return Maze(self.r + dr, self.c + dc, self.steps + 1)

    def terminal(self):
        return self.steps == 6 or (self.r, self.c) == (2, 2)

    def utility(self):
        return 10 - self.steps if (self.r, self.c) == (2, 2) else 0

    def evaluate(self):
        queue, seen = deque([(self.r, self.c, 0)]), {(self.r, self.c)}
        while queue:
            r, c, d = queue.popleft()
            if (r, c) == (2, 2):
                return 10 - self.steps - d
            for dr, dc in self.DIRS.values():
                here = (r + dr, c + dc)
                if here in seen or not all(0 <= v < 3 for v in here) or self.MAP[here[0]][here[1]] == "#":
                    continue
                seen.add(here)
                queue.append((*here, d + 1))
        return 0


class Strategy(NamedTuple):
    """A dict of methods looked up by getattr-free dispatch; elif chains with in."""

    kind: str = "hold"
    points: int = 0
    left: int = 5

    def player(self):
        return self.left % 2

    def actions(self):
        if self.kind in ("hold", "raise"):
            return ["raise", "fold", "hold"]
        elif self.kind == "fold":
            return ["hold"]
        else:
            return []

    def gain(self):
        return {"hold": 0, "raise": 2, "fold": -1}.get(self.kind, 0)

    def result(self, kind):
        after = self._replace(kind=kind, left=self.left - 1)
        sign = 1 if self.player() == 0 else -1
        return after._replace(points=self.points + sign * after.gain())

    def terminal(self):
        return not self.left

    def utility(self):
        return max(-1, min(1, self.points))


class Tokens(NamedTuple):
    """while/else, for/else, continue in nested loops, a sentinel."""

    stack: tuple = (1, 2, 3, 2, 1)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        found = []
        for i in range(len(self.stack)):
            for j in range(i + 1, len(self.stack)):
                if self.stack[i] == self.stack[j]:
                    break
            else:
                found.append(i)
        return found

    def result(self, i):
        rest = list(self.stack)
        v = rest.pop(i)
        k = 0
        while k < len(rest):
            if rest[k] == v:
                del rest[k]
                break
            k += 1
        else:
            if rest:
                rest[-1:] = [rest[-1] % 3 + 1] if rest[-1] < 2 else []
        return Tokens(tuple(rest), 1 - self.mover)

    def terminal(self):
        return not self.stack

    def utility(self):
        return 1 if self.mover else -1


class Weekdays(IntEnum):
    MON = 1
    TUE = 2
    WED = 3


class Plan(NamedTuple):
    """Dicts keyed by members, iterated in order; OrderedDict and ChainMap avoided by `|`."""

    done: tuple = ()

    points = True
    EARLY = {Weekdays.MON: 3, Weekdays.TUE: 1}
    LATE = {Weekdays.TUE: 4, Weekdays.WED: 2}

    def player(self):
        return len(self.done) % 2

    def actions(self):
        both = self.EARLY | self.LATE
        return [day for day in both if day not in self.done]

    def result(self, day):
        return Plan(self.done + (day,))

    def terminal(self):
        return len(self.done) == 3

    def utility(self):
        table = {**self.LATE, **self.EARLY}
        return sum(table[day] * (1 if i % 2 == 0 else -1) for i, day in enumerate(self.done))


class Sandwich(NamedTuple):
    """Reversi on a line: while loops that walk, a list of flips, min and max of several arguments."""

    line: str = "..XO..OX.."
    turn: str = "X"

    def player(self):
        return "XO".find(self.turn)

    def flips(self, at):
        other = "O" if self.turn == "X" else "X"
        found = []
        for step in (-1, 1):
            i = at + step
            run = []
            while 0 <= i < len(self.line) and self.line[i] == other:
                run.append(i)
                i += step
            if run and 0 <= i < len(self.line) and self.line[i] == self.turn:
                found += run
        return found

    def actions(self):
        return [i for i in range(len(self.line)) if self.line[i] == "." and self.flips(i)]

    def result(self, at):
        line = [*self.line]
        for i in [at, *self.flips(at)]:
            line[i] = self.turn
        return Sandwich("".join(line), "O" if self.turn == "X" else "X")

    def terminal(self):
        return not any(self.actions()) and 0 not in self.actions()

    def utility(self):
        diff = self.line.count("X") - self.line.count("O")
        return max(-1, min(diff, 1))


class Alphabetical(NamedTuple):
    """ord, chr, string constants, str methods, sorted texts, texts compared."""

    word: str = "moon"
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        options = set()
        for i, ch in enumerate(self.word):
            if ch > "a":
                options.add(f"{i}{chr(ord(ch) - 1)}")
        return sorted(options)

    def result(self, a):
        i = int(a[0])
        return Alphabetical(self.word[:i] + a[1:] + self.word[i + 1 :], self.ply + 1)

    def terminal(self):
        return self.ply == 4 or self.word == self.word[::-1]

    def utility(self):
        vowels = sum(ch in "aeiou" for ch in self.word)
        return 1 if vowels > len(self.word) - vowels else -1 if self.word < "moon" else 0


class Sieve(NamedTuple):
    """A local sieve of primes in a list of bools, step slices."""

    n: int = 17
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        sieve = [True] * (self.n + 1)
        sieve[0:2] = [False, False]
        for p in range(2, int(self.n**0.5) + 1):
            if sieve[p]:
                for q in range(p * p, self.n + 1, p):
                    sieve[q] = False
        return [1] + [p for p, prime in enumerate(sieve) if prime and p < 8]

    def result(self, k):
        return Sieve(self.n - k, 1 - self.mover)

    def terminal(self):
        return self.n <= 0

    def utility(self):
        return 1 if self.mover else -1


class Matrix(NamedTuple):
    """Matrices as tuples of tuples: multiply, transpose, a determinant by recursion."""

    m: tuple = ((1, 2), (0, 1))
    left: int = 4

    A = ((1, 1), (0, 1))
    B = ((0, 1), (1, 0))

    def player(self):
        return self.left % 2

    def actions(self):
        return ["A", "B", "T"]

    @staticmethod
    def times(a, b):
        return tuple(tuple(sum(x * y for x, y in zip(row, col)) % 5 for col in zip(*b)) for row in a)

    def result(self, name):
        if name == "T":
            return Matrix(tuple(zip(*self.m)), self.left - 1)
        return Matrix(self.times(self.m, self.A if name == "A" else self.B), self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        (a, b), (c, d) = self.m
        det = a * d - b * c
        return (det > 0) - (det < 0)


class Memory(NamedTuple):
    """Pairs to be found: Optional in the state, `is None`, `==` of Optional."""

    cards: tuple = (0, 1, 0, 1)
    first: Optional[int] = None
    open: tuple = ()
    mover: int = 0
    pairs: tuple = (0, 0)

    points = True

    def player(self):
        return self.mover

    def actions(self):
        return [i for i in range(4) if i not in self.open and i != self.first]

    def result(self, i):
        if self.first is None:
            return self._replace(first=i)
        if self.cards[self.first] == self.cards[i]:
            pairs = (self.pairs[0] + (not self.mover), self.pairs[1] + self.mover)
            return self._replace(first=None, open=self.open + (self.first, i), pairs=pairs)
        return self._replace(first=None, open=self.open + (i,), mover=1 - self.mover)

    def terminal(self):
        return len(self.open) >= 3 or len(self.actions()) < 1

    def utility(self):
        return self.pairs[0] - self.pairs[1]


class Gcd(NamedTuple):
    """Numbers on a blackboard: sorted sets, differences, divmod, math.gcd over reduce."""

    board: tuple = (6, 10)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        new = {abs(a - b) for a, b in itertools.combinations(self.board, 2)} - set(self.board) - {0}
        return sorted(new, reverse=True)

    def result(self, n):
        at = bisect.bisect_left(self.board, n)
        return Gcd(self.board[:at] + (n,) + self.board[at:], 1 - self.mover)

    def terminal(self):
        return not len(self.actions())

    def utility(self):
        g = reduce(math.gcd, self.board)
        assert self.board[0] % g == 0, "never"
        return 1 if self.mover == 1 else -1


class Groups(NamedTuple):
    """groupby over runs with a key, dict.setdefault, defaultdict of lists, nested unpacking."""

    row: tuple = (1, 1, 2, 2, 2, 1)
    ply: int = 0

    points = True

    def runs(self):
        start, found = 0, []
        for value, group in itertools.groupby(self.row):
            size = len(list(group))
            found.append((start, size, value))
            start += size
        return found

    def player(self):
        return self.ply % 2

    def actions(self):
        by_value = defaultdict(list)
        for start, size, value in self.runs():
            by_value[value].append(start)
        return [starts[0] for value, starts in sorted(by_value.items())]

    def result(self, at):
        for start, size, _ in self.runs():
            if start == at:
                return Groups(self.row[:start] + self.row[start + size :], self.ply + 1)
        raise ValueError(at)

    def terminal(self):
        return not self.row

    def utility(self):
        return self.ply


class Marked(NamedTuple):
    """Booleans in rows: any, all, not any, sum of bools, xor."""

    cells: tuple = (False,) * 6
    turn: bool = False

    def player(self):
        return int(self.turn)

    def actions(self):
        return [i for i, on in enumerate(self.cells) if not on and not (i and self.cells[i - 1])]

    def result(self, i):
        return Marked(tuple(on or j == i for j, on in enumerate(self.cells)), not self.turn)

    def terminal(self):
        return not self.actions() or all(self.cells[::2])

    def utility(self):
        odd = self.cells[1] ^ self.cells[3] ^ self.cells[5]
        return 1 if odd == self.turn else -1


class Tree(NamedTuple):
    """A game on a nested tuple: isinstance, recursion over the tree by a path."""

    path: tuple = ()

    CHILDREN = {(): 2, (0,): 3, (1,): 2, (0, 1): 1, (1, 1): 2}
    LEAVES = {(0, 0): 3, (0, 2): -1, (0, 1, 0): 4, (1, 0): 2, (1, 1, 0): 0, (1, 1, 1): 6}

    points = True

    def player(self):
        return len(self.path) % 2

    def actions(self):
        return range(self.CHILDREN.get(self.path, 0))

    def result(self, i):
        return Tree((*self.path, i))

    def terminal(self):
        return self.path in self.LEAVES

    def utility(self):
        return self.LEAVES[self.path]


class Snakes(NamedTuple):
    """Ladders in a dict with get(n, n), a die of three faces, a while loop over jumps."""

    at: tuple = (0, 0)
    mover: int = 0
    rolled: int = 0
    turns: int = 0

    JUMPS = {2: 6, 5: 1, 8: 3, 6: 7}

    def player(self):
        return -1 if not self.rolled else self.mover

    def actions(self):
        return [1, 2, 3] if self.rolled == 0 else ["go", "stay"]

    def probability(self, outcome):
        return 1 / 3

    def result(self, a):
        if not self.rolled:
            return self._replace(rolled=a)
        at = list(self.at)
        if a == "go":
            here = min(at[self.mover] + self.rolled, 9)
            hops = 0
            while here in self.JUMPS and hops < 3:
                here = self.JUMPS[here]
                hops += 1
            at[self.mover] = here
        return Snakes(tuple(at), 1 - self.mover, 0, self.turns + 1)

    def terminal(self):
        return 9 in self.at or self.turns >= 6

    def utility(self):
        a, b = self.at
        return (a > b) - (a < b)


class Nested(NamedTuple):
    """Functions in functions in functions, recursion inside, default arguments that capture."""

    n: int = 12
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        def divisors(n):
            def go(d):
                if d * d > n:
                    return []
                here = [d] if n % d == 0 else []
                return here + go(d + 1)

            small = go(1)
            return small + [n // d for d in reversed(small) if d * d != n]

        return [d for d in divisors(self.n) if d < self.n] or [1]

    def result(self, d):
        return Nested(self.n - d, 1 - self.mover)

    def terminal(self):
        return self.n == 1

    def utility(self):
        return 1 if self.mover else -1


class Sequence(NamedTuple):
    """Slices with steps and negative bounds, sorted pairs, tuple comparison, min by key on tuples."""

    xs: tuple = (2, 9, 4, 7, 1, 6)
    score: tuple = (0, 0)

    points = True

    def player(self):
        return len(self.xs) % 2

    def actions(self):
        ends = [("first", self.xs[0]), ("last", self.xs[-1])]
        if len(self.xs) > 3 and self.xs[1:-1] > self.xs[2:]:
            ends.insert(1, ("middle", self.xs[len(self.xs) // 2]))
        return [name for name, _ in sorted(ends, key=lambda e: (-e[1], e[0]))]

    def result(self, name):
        match name:
            case "first":
                got, rest = self.xs[0], self.xs[1:]
            case "last":
                got, rest = self.xs[-1], self.xs[:-1]
            case _:
                k = len(self.xs) // 2
                got, rest = self.xs[k], self.xs[:k] + self.xs[k + 1 :]
        a, b = self.score
        return Sequence(rest, (a + got, b) if self.player() == 0 else (a, b + got))

    def terminal(self):
        return self.xs == ()

    def utility(self):
        return self.score[0] - self.score[1]


class Life(NamedTuple):
    """Cells that live and die, counted in a Counter over neighbours; a set comprehension for the next board."""

    alive: frozenset = frozenset({(1, 0), (1, 1), (1, 2)})
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return sorted(self.alive)[:2] + [(0, 0)] * ((0, 0) not in self.alive)

    def result(self, cell):
        alive = self.alive ^ {cell}
        near = Counter(
            (r + dr, c + dc)
            for r, c in alive
            for dr in (-1, 0, 1)
            for dc in (-1, 0, 1)
            if (dr or dc) and 0 <= r + dr < 4 and 0 <= c + dc < 4
        )
        return Life(frozenset(p for p, n in near.items() if n == 3 or n == 2 and p in alive), self.ply + 1)

    def terminal(self):
        return self.ply == 4 or not self.alive

    def utility(self):
        return len(self.alive)


class Balanced(NamedTuple):
    """Brackets: a stack in a list, a dict of pairs, startswith, endswith, a property."""

    text: str = ""
    moves: int = 0

    PAIRS = {")": "(", "]": "["}

    @property
    def depth(self):
        stack = []
        for ch in self.text:
            if ch in self.PAIRS:
                if not stack or stack.pop() != self.PAIRS[ch]:
                    return -1
            else:
                stack.append(ch)
        return len(stack)

    def player(self):
        return self.moves % 2

    def actions(self):
        return [ch for ch in "([)]" if not self.text.endswith(ch)]

    def result(self, ch):
        return Balanced(self.text + ch, self.moves + 1)

    def terminal(self):
        return self.depth < 0 or self.moves == 5

    def utility(self):
        if self.depth < 0:
            return 1 if self.player() == 0 else -1
        return 0 if self.depth else 1
