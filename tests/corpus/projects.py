"""Whole games as projects of a course hand them in."""

from __future__ import annotations

import abc
import itertools
import math
import operator
from collections import Counter, deque, namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, auto
from functools import cache, cached_property, lru_cache, partial, reduce
from typing import ClassVar, Final, NamedTuple


class Side(Enum):
    """Members with methods, made by auto()."""

    LEFT = auto()
    RIGHT = auto()

    @property
    def other(self):
        return Side.RIGHT if self is Side.LEFT else Side.LEFT

    def index(self) -> int:
        return self.value - 1


@dataclass(frozen=True)
class Tug:
    """An enum with methods as the player to move; replace()."""

    rope: int = 0
    side: Side = Side.LEFT
    strength: tuple[int, int] = (6, 6)

    def player(self):
        return self.side.index()

    def actions(self):
        return [n for n in range(1, 4) if n <= self.strength[self.side.index()]] or [0]

    def result(self, n):
        strength = list(self.strength)
        strength[self.side.index()] -= n
        pull = -n if self.side is Side.LEFT else n
        return replace(self, rope=self.rope + pull, side=self.side.other, strength=tuple(strength))

    def terminal(self):
        return abs(self.rope) >= 4 or not any(self.strength)

    def utility(self):
        return (self.rope < 0) - (self.rope > 0)


class Suit(str, Enum):
    """Members that are texts."""

    CLUBS = "C"
    HEARTS = "H"


class Card(NamedTuple):
    suit: Suit
    rank: int

    def beats(self, other: Card) -> bool:
        if self.suit == other.suit:
            return self.rank > other.rank
        return self.suit is Suit.HEARTS


DECK = [Card(suit, rank) for suit in Suit for rank in (7, 8, 9)]


class Trick(NamedTuple):
    """Hands of cards; a card is a NamedTuple with an enum in it and is the action."""

    hands: tuple = (tuple(DECK[::2]), tuple(DECK[1::2]))
    led: Card | None = None
    leader: int = 0
    won: tuple = (0, 0)

    points = True

    def player(self):
        return self.leader if self.led is None else 1 - self.leader

    def actions(self):
        hand = self.hands[self.player()]
        if self.led is not None:
            following = [c for c in hand if c.suit == self.led.suit]
            if following:
                return following
        return list(hand)

    def result(self, card):
        me = self.player()
        hands = list(self.hands)
        hands[me] = tuple(c for c in hands[me] if c != card)
        if self.led is None:
            return self._replace(hands=tuple(hands), led=card)
        winner = me if card.beats(self.led) else self.leader
        won = tuple(n + (i == winner) for i, n in enumerate(self.won))
        return Trick(tuple(hands), None, winner, won)

    def terminal(self):
        return not self.hands[0] and not self.hands[1]

    def utility(self):
        return self.won[0] - self.won[1]


class Base(abc.ABC):
    """An abstract base class with a template method."""

    __slots__ = ()

    def terminal(self):
        return self.winner() is not None or not self.free()

    def utility(self):
        who = self.winner()
        return 0 if who is None else 1 - 2 * who

    def actions(self):
        return sorted(self.free())

    @abc.abstractmethod
    def winner(self): ...

    @abc.abstractmethod
    def free(self): ...


class TriadFields(NamedTuple):
    taken: tuple = (frozenset(), frozenset())
    ply: int = 0


class Triad(Base, TriadFields):
    """Fifteen: frozensets of numbers, whoever holds three that add up to 15 wins."""

    __slots__ = ()

    def player(self):
        return self.ply % 2

    def free(self):
        return set(range(1, 10)) - self.taken[0] - self.taken[1]

    def winner(self):
        for who in (0, 1):
            if any(sum(three) == 15 for three in itertools.combinations(sorted(self.taken[who]), 3)):
                return who
        return None

    def result(self, n):
        mine, yours = self.taken
        both = (mine | {n}, yours) if self.ply % 2 == 0 else (mine, yours | {n})
        return Triad(both, self.ply + 1)


Pos = namedtuple("Pos", ["x", "y"])


class Queens(NamedTuple):
    """Whoever cannot place a queen loses; match with class patterns."""

    placed: tuple = ()
    size: int = 4

    def player(self):
        return len(self.placed) % 2

    @staticmethod
    def attacks(a, b):
        match (abs(a.x - b.x), abs(a.y - b.y)):
            case (0, _) | (_, 0):
                return True
            case (dx, dy) if dx == dy:
                return True
            case _:
                return False

    def actions(self):
        for x, y in itertools.product(range(self.size), repeat=2):
            here = Pos(x, y)
            if not any(self.attacks(here, q) for q in self.placed):
                yield here

    def result(self, a):
        return self._replace(placed=(*self.placed, a))

    def terminal(self):
        return next(iter(self.actions()), None) is None

    def utility(self):
        return 1 if self.player() == 1 else -1


class GameOfPigs(NamedTuple):
    """A local generator function with state, walrus in while."""

    pens: tuple = (3, 0, 2, 0, 1)
    mover: int = 0
    turns: int = 7

    def player(self):
        return self.mover

    def actions(self):
        def pairs():
            i = 0
            while (j := i + 1) < len(self.pens):
                if self.pens[i]:
                    yield i, j
                if self.pens[j]:
                    yield j, i
                i += 1

        return list(pairs())

    def result(self, move):
        src, dst = move
        pens = dict(enumerate(self.pens))
        pens[src] -= 1
        pens[dst] += 1
        return GameOfPigs(tuple(pens.values()), 1 - self.mover, self.turns - 1)

    def terminal(self):
        return self.turns == 0 or max(self.pens) == sum(self.pens)

    def utility(self):
        left, right = sum(self.pens[:2]), sum(self.pens[3:])
        return (left > right) - (left < right)


class State(NamedTuple):
    """As AIMA keeps it: to_move, utility, board, moves."""

    to_move: str
    value: int
    board: tuple
    moves: tuple


class AimaTicTacToe(NamedTuple):
    """AIMA's TicTacToe(h, v, k), with its state inside."""

    state: State = State("X", 0, (), tuple((x, y) for x in range(1, 4) for y in range(1, 4)))
    h: int = 3
    v: int = 3
    k: int = 3

    def player(self):
        return "XO".index(self.state.to_move)

    def actions(self):
        return list(self.state.moves)

    def result(self, move):
        board = dict(self.state.board)
        board[move] = self.state.to_move
        moves = list(self.state.moves)
        moves.remove(move)
        return self._replace(
            state=State(
                to_move="O" if self.state.to_move == "X" else "X",
                value=self.compute_utility(board, move, self.state.to_move),
                board=tuple(sorted(board.items())),
                moves=tuple(moves),
            )
        )

    def terminal(self):
        return self.state.value != 0 or len(self.state.moves) == 0

    def utility(self):
        return self.state.value

    def compute_utility(self, board, move, player):
        if any(self.k_in_row(board, move, player, d) for d in ((0, 1), (1, 0), (1, -1), (1, 1))):
            return +1 if player == "X" else -1
        return 0

    def k_in_row(self, board, move, player, delta_x_y):
        (delta_x, delta_y) = delta_x_y
        x, y = move
        n = 0
        while board.get((x, y)) == player:
            n += 1
            x, y = x + delta_x, y + delta_y
        x, y = move
        while board.get((x, y)) == player:
            n += 1
            x, y = x - delta_x, y - delta_y
        n -= 1
        return n >= self.k


class Checkerboard(NamedTuple):
    """Lines of text joined with newlines: split, join, enumerate, replace by slices."""

    board: str = "bb.\n...\n.ww"
    white: bool = True
    left: int = 8

    def player(self):
        return 0 if self.white else 1

    def actions(self):
        grid = self.board.split("\n")
        mine, step = ("w", -1) if self.white else ("b", 1)
        found = []
        for r, row in enumerate(grid):
            for c, cell in enumerate(row):
                if cell != mine:
                    continue
                for dc in (-1, 0, 1):
                    rr, cc = r + step, c + dc
                    if 0 <= rr < 3 and 0 <= cc < 3 and grid[rr][cc] != mine and (dc != 0 or grid[rr][cc] == "."):
                        found.append((4 * r + c, 4 * rr + cc))
        return found

    def result(self, a):
        src, dst = a
        piece = self.board[src]
        board = self.board[:src] + "." + self.board[src + 1 :]
        board = board[:dst] + piece + board[dst + 1 :]
        return Checkerboard(board, not self.white, self.left - 1)

    def terminal(self):
        rows = self.board.splitlines()
        return "w" in rows[0] or "b" in rows[-1] or self.left == 0 or not self.actions()

    def utility(self):
        return self.board.count("w") - self.board.count("b")


class Resource(IntEnum):
    WOOD = 0
    CLAY = 1
    ORE = 2


COSTS: Final = {"hut": {Resource.WOOD: 2}, "kiln": {Resource.WOOD: 1, Resource.CLAY: 1}, "mine": {Resource.ORE: 2}}
WORTH: Final[dict[str, int]] = dict(hut=2, kiln=3, mine=4)


@dataclass(frozen=True)
class Builders:
    """A dict of dicts with enum keys; actions are texts with a prefix."""

    stock: tuple[int, ...] = (1, 1, 1)
    built: tuple[str, ...] = ()
    scores: tuple[int, int] = (0, 0)
    ply: int = 0

    LENGTH: ClassVar[int] = 6
    points: ClassVar[bool] = True

    def player(self) -> int:
        return self.ply % 2

    def can_build(self, what: str) -> bool:
        return what not in self.built and all(self.stock[k] >= n for k, n in COSTS[what].items())

    def actions(self):
        return ["take " + r.name.lower() for r in Resource] + ["build " + w for w in COSTS if self.can_build(w)]

    def result(self, action):
        verb, what = action.split()
        stock, scores = list(self.stock), list(self.scores)
        built = self.built
        if verb == "take":
            stock[Resource[what.upper()]] += 1
        else:
            for k, n in COSTS[what].items():
                stock[k] -= n
            scores[self.player()] += WORTH[what]
            built += (what,)
        return Builders(tuple(stock), built, tuple(scores), self.ply + 1)

    def terminal(self):
        return self.ply == self.LENGTH

    def utility(self):
        return self.scores[0] - self.scores[1]


class Bag(NamedTuple):
    """Counter arithmetic and most_common."""

    letters: str = "aabbbcd"
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return sorted(set(self.letters))

    def result(self, c):
        counts = Counter(self.letters)
        counts[c] -= 1
        if counts[c] and counts[c] % 2 == 0:
            counts[c] -= 1
        return Bag("".join(k * counts[k] for k in sorted(counts)), 1 - self.mover)

    def terminal(self):
        return self.letters == ""

    def utility(self):
        return -1 if self.mover == 0 else 1

    def evaluate(self):
        if not self.letters:
            return self.utility()
        (_, most), *_ = Counter(self.letters).most_common()
        return most - len(set(self.letters))


class Sliders(NamedTuple):
    """Traffic jam: rows as texts, the first to slide out wins; a dict comprehension with a condition."""

    rows: tuple = ("A.b", ".a.", "B..")
    mover: int = 0
    left: int = 7

    def player(self):
        return self.mover

    def actions(self):
        letters = "Aa" if self.mover == 0 else "Bb"
        places = {ch: (r, row.index(ch)) for r, row in enumerate(self.rows) for ch in row if ch in letters}
        moves = [f"{ch}{d}" for ch, (r, c) in sorted(places.items()) for d in "LR" if self.free(r, c, d)]
        return moves or ["pass"]

    def free(self, r, c, d):
        step = {"L": -1, "R": 1}[d]
        return 0 <= c + step < 3 and self.rows[r][c + step] == "."

    def result(self, move):
        if move == "pass":
            return self._replace(mover=1 - self.mover, left=self.left - 1)
        ch, d = move
        rows = list(self.rows)
        for i, row in enumerate(rows):
            if ch in row:
                if d == "R":
                    rows[i] = row.replace(ch + ".", "." + ch)
                else:
                    rows[i] = row.replace("." + ch, ch + ".")
                break
        return Sliders(tuple(rows), 1 - self.mover, self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        score = {"A": 1, "a": 1, "B": -1, "b": -1}
        return sum(score.get(row[-1], 0) for row in self.rows)


class Rainbow(NamedTuple):
    """A ring: deque.rotate, modular neighbours, zip of a rotated copy."""

    ring: tuple = (0, 1, 2, 0, 1, 2)
    ply: int = 0

    def player(self):
        return self.ply & 1

    def actions(self):
        n = len(self.ring)
        return [i for i in range(n) if self.ring[i] != self.ring[(i + 1) % n]]

    def result(self, i):
        n = len(self.ring)
        ring = deque(self.ring)
        ring.rotate(-i)
        a, b = ring.popleft(), ring.popleft()
        ring.appendleft(max(a, b))
        ring.rotate(i % max(1, n - 2))
        return Rainbow(tuple(ring), self.ply + 1)

    def terminal(self):
        return len(self.ring) < 2 or not self.actions()

    def utility(self):
        same = sum(a == b for a, b in zip(self.ring, self.ring[1:] + self.ring[:1]))
        return 1 if (same + len(self.ring)) % 2 else -1


class Voyage(NamedTuple):
    """One player: routes in a dict of dicts, the state keeps where it has been."""

    at: str = "Ulm"
    seen: tuple = ("Ulm",)
    length: int = 0

    players = 1
    points = True
    ROADS = {
        "Ulm": {"Bonn": 4, "Kiel": 9, "Jena": 3},
        "Bonn": {"Ulm": 4, "Kiel": 5},
        "Jena": {"Ulm": 3, "Kiel": 4, "Bonn": 4},
        "Kiel": {"Bonn": 5, "Jena": 4},
    }

    def player(self):
        return 0

    def actions(self):
        return [town for town in self.ROADS[self.at] if town not in self.seen]

    def result(self, town):
        return Voyage(town, self.seen + (town,), self.length + self.ROADS[self.at][town])

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 10 * len(self.seen) - self.length


class Landlord(NamedTuple):
    """Three players bid; max with a tuple as key, utilities for each player."""

    bids: tuple = ()
    purses: tuple = (5, 4, 6)

    players = 3

    def player(self):
        return len(self.bids) % 3

    def actions(self):
        top = max(self.bids, default=0)
        return [0, *range(top + 1, self.purses[self.player()] + 1)]

    def result(self, bid):
        return Landlord((*self.bids, bid), self.purses)

    def terminal(self):
        return len(self.bids) == 3

    def utility(self, player):
        winner, bid = max(enumerate(self.bids), key=lambda pair: (pair[1], -pair[0]))
        if bid == 0:
            return 0
        return 4 - bid if player == winner else -1


def neighbours(cell, width=3, height=3):
    """A generator of the module with default arguments."""
    x, y = cell
    for dx, dy in [(1, 0), (-1, 0), (0, 1), (0, -1)]:
        if 0 <= x + dx < width and 0 <= y + dy < height:
            yield x + dx, y + dy


class Infection(NamedTuple):
    """A frozenset of cells for each side; a flood with a stack."""

    red: frozenset = frozenset({(0, 0)})
    blue: frozenset = frozenset({(2, 2)})
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        mine = self.red if self.mover == 0 else self.blue
        taken = self.red | self.blue
        reach = {n for cell in mine for n in neighbours(cell) if n not in taken}
        return sorted(reach) or [None]

    def result(self, cell):
        if cell is None:
            return self._replace(mover=1 - self.mover)
        if self.mover == 0:
            return Infection(self.red | {cell}, self.blue - {cell}, 1)
        return Infection(self.red - {cell}, self.blue | {cell}, 0)

    def terminal(self):
        return len(self.red) + len(self.blue) == 9

    def utility(self):
        return len(self.red) - len(self.blue)

    points = True


class Domain(NamedTuple):
    """Latin square: rows of numbers, all(len(set(...)) == ...) over zip(*rows)."""

    rows: tuple = ((0, 0, 0), (0, 0, 0), (0, 0, 0))
    ply: int = 0

    def player(self):
        return self.ply % 2

    def fits(self, r, c, v):
        return v not in self.rows[r] and all(row[c] != v for row in self.rows)

    def actions(self):
        return [
            (r, c, v)
            for r, row in enumerate(self.rows)
            for c, old in enumerate(row)
            if not old
            for v in (1, 2, 3)
            if self.fits(r, c, v)
        ]

    def result(self, a):
        r, c, v = a
        rows = [list(row) for row in self.rows]
        rows[r][c] = v
        return Domain(tuple(map(tuple, rows)), self.ply + 1)

    def terminal(self):
        return not self.actions()

    def utility(self):
        full = [line for line in (*self.rows, *zip(*self.rows)) if len(set(line) - {0}) == 3]
        return 1 if len(full) % 2 else -1


@dataclass(frozen=True, order=True)
class Stack:
    height: int = 0
    owner: int = -1


@dataclass(frozen=True)
class Towers:
    """Dataclasses in a tuple, compared by order; default_factory."""

    cells: tuple[Stack, ...] = field(default_factory=lambda: (Stack(), Stack(1, 0), Stack(), Stack(1, 1)))
    mover: int = 0
    left: int = 6

    def player(self):
        return self.mover

    def actions(self):
        return [i for i, s in enumerate(self.cells) if s.owner in (self.mover, -1) and s.height < 3]

    def result(self, i):
        old = self.cells[i]
        new = replace(old, height=old.height + 1, owner=self.mover)
        cells = self.cells[:i] + (new,) + self.cells[i + 1 :]
        return Towers(cells, 1 - self.mover, self.left - 1)

    def terminal(self):
        return self.left == 0 or not self.actions()

    def utility(self):
        best = max(self.cells)
        return 0 if best.owner < 0 else 1 - 2 * best.owner


class Percolate(NamedTuple):
    """Union-find with path halving in a list; a function inside returns a closure."""

    marks: tuple = (0,) * 9
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i, m in enumerate(self.marks) if m == 0]

    def result(self, i):
        marks = list(self.marks)
        marks[i] = 1 + self.ply % 2
        return Percolate(tuple(marks), self.ply + 1)

    def joined(self, who):
        parent = list(range(11))

        def find(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        def union(a, b):
            parent[find(a)] = find(b)

        for i, m in enumerate(self.marks):
            if m != who:
                continue
            if i < 3:
                union(i, 9)
            if i >= 6:
                union(i, 10)
            if i % 3 < 2 and self.marks[i + 1] == who:
                union(i, i + 1)
            if i < 6 and self.marks[i + 3] == who:
                union(i, i + 3)
        return find(9) == find(10)

    def terminal(self):
        return self.joined(1) or 0 not in self.marks

    def utility(self):
        return 1 if self.joined(1) else -1


class Roll(NamedTuple):
    """Chance by a dict of probabilities; dice as pairs."""

    total: tuple = (0, 0)
    mover: int = 0
    rolling: bool = True
    throws: int = 0

    points = True
    FACES = {1: 0.5, 2: 0.25, 4: 0.25}

    def player(self):
        return -1 if self.rolling else self.mover

    def actions(self):
        return list(self.FACES) if self.rolling else ["keep", "stop"]

    def probability(self, face):
        return self.FACES[face]

    def result(self, a):
        if self.rolling:
            total = tuple(t + a * (i == self.mover) for i, t in enumerate(self.total))
            return Roll(total, self.mover, False, self.throws + 1)
        if a == "keep":
            return self._replace(rolling=True)
        return Roll(self.total, 1 - self.mover, True, self.throws)

    def terminal(self):
        return self.throws >= 4 or max(self.total) >= 8

    def utility(self):
        a, b = (0 if t > 6 else t for t in self.total)
        return a - b


@lru_cache(maxsize=None)
def ways(n, k):
    """A cached function with two arguments."""
    if n < 0 or k == 0:
        return int(n == 0)
    return ways(n - k, k) + ways(n, k - 1)


class Partitions(NamedTuple):
    """Numbers written as sums."""

    n: int = 9
    most: int = 9
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return range(1, min(self.n, self.most) + 1)

    def result(self, k):
        return Partitions(self.n - k, k, 1 - self.mover)

    def terminal(self):
        return self.n == 0

    def utility(self):
        return -1 if self.mover == 0 else 1

    def evaluate(self):
        return ways(self.n, self.most) % 5 - 2 if self.n else self.utility()


class Signals(NamedTuple):
    """partial and operator functions in a dict by text; chained comparisons."""

    value: int = 3
    used: tuple = ()

    MOVES = {"+3": partial(operator.add, 3), "*2": partial(operator.mul, 2), "-1": lambda x: x - 1}

    def player(self):
        return len(self.used) % 2

    def actions(self):
        return [name for name in ("+3", "*2", "-1") if self.used.count(name) < 2]

    def result(self, name):
        return Signals(self.MOVES[name](self.value), self.used + (name,))

    def terminal(self):
        return not 0 < self.value < 25 or len(self.used) == 5

    def utility(self):
        return 1 if self.value % 2 == 0 else -1
