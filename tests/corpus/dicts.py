"""Idioms of dicts and sets, in small games."""

from collections import Counter, defaultdict
from types import MappingProxyType
from typing import Dict, FrozenSet, NamedTuple, Set

PRICES = {"rook": 5, "bishop": 3, "knight": 3, "pawn": 1}
ROADS = {
    "A": {"B": 2, "C": 5},
    "B": {"C": 1, "D": 4},
    "C": {"D": 1},
    "D": {},
}


class Market(NamedTuple):
    """A dict constant, `.items()`, `.get`."""

    taken: tuple[str, ...] = ()
    purse: tuple[int, int] = (6, 6)

    points = True

    def player(self):
        return len(self.taken) % 2

    def actions(self):
        money = self.purse[self.player()]
        return [name for name, price in PRICES.items() if name not in self.taken and price <= money] + ["pass"]

    def result(self, name):
        purse = list(self.purse)
        purse[self.player()] -= PRICES.get(name, 0)
        return Market(self.taken + (name,), tuple(purse))

    def terminal(self):
        return len(self.taken) >= 6

    def utility(self):
        worth = [0, 0]
        for i, name in enumerate(self.taken):
            worth[i % 2] += PRICES.get(name, -1)
        return worth[0] - worth[1]


class Roads(NamedTuple):
    """A dict of dicts as constant; whoever comes to D has his way counted."""

    town: str = "A"
    driven: int = 0
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return list(ROADS[self.town])

    def result(self, to):
        return Roads(to, self.driven + ROADS[self.town][to], 1 - self.turn)

    def terminal(self):
        return not ROADS[self.town]

    def utility(self):
        return self.driven


class LocalDict(NamedTuple):
    """A dict that is built inside a rule."""

    votes: tuple = ()

    def player(self):
        return len(self.votes) % 2

    def actions(self):
        return [0, 1, 2]

    def result(self, v):
        return LocalDict(self.votes + (v,))

    def terminal(self):
        return len(self.votes) == 5

    def utility(self):
        tally = {}
        for vote in self.votes:
            if vote in tally:
                tally[vote] += 1
            else:
                tally[vote] = 1
        best = max(tally.values())
        winners = [k for k, n in tally.items() if n == best]
        return 1 if winners == [0] else -1 if 1 in winners else 0


class DictComprehension(NamedTuple):
    """Where each number stands, by a dict comprehension."""

    order: tuple = (1, 0, 3, 2)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        where = {v: i for i, v in enumerate(self.order)}
        return [v for v in range(3) if where[v] != where[v + 1] - 1] or [-1]

    def result(self, v):
        if v == -1:
            return self._replace(ply=6)
        where = {x: i for i, x in enumerate(self.order)}
        order = list(self.order)
        order[where[v]], order[where[v + 1]] = v + 1, v
        return DictComprehension(tuple(order), self.ply + 1)

    def terminal(self):
        return self.ply >= 6

    def utility(self):
        return 1 if self.order == (0, 1, 2, 3) else -1


class GetDefault(NamedTuple):
    """dict.get with a default, setdefault."""

    moves: tuple = ()

    VALUES = {(0, 0): 3, (0, 1): -2, (1, 1): 4, (2, 0): -3}
    points = True

    def player(self):
        return len(self.moves) % 2

    def actions(self):
        return [(r, c) for r in range(3) for c in range(2) if (r, c) not in self.moves]

    def result(self, move):
        return GetDefault(self.moves + (move,))

    def terminal(self):
        return len(self.moves) == 4

    def utility(self):
        rows = {}
        for r, c in self.moves:
            rows.setdefault(r, []).append(c)
        bonus = sum(1 for columns in rows.values() if len(columns) == 2)
        return sum(self.VALUES.get(m, 0) * (1 if i % 2 == 0 else -1) for i, m in enumerate(self.moves)) + bonus


class WithCounter(NamedTuple):
    """Counter, most_common."""

    dice: tuple = (2, 5, 2, 6)
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i in range(4) if self.dice[i] < 6] or [4]

    def result(self, i):
        dice = tuple(d + 1 if k == i else d for k, d in enumerate(self.dice))
        return WithCounter(dice, self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        counts = Counter(self.dice)
        value, times = counts.most_common(1)[0]
        return value if times > 1 else -len(counts)


class Grouped(NamedTuple):
    """defaultdict(list) groups by remainder."""

    numbers: tuple = (1, 2, 3, 4, 5, 6)
    mover: int = 0

    def player(self):
        return self.mover

    def groups(self):
        by = defaultdict(list)
        for n in self.numbers:
            by[n % 3].append(n)
        return by

    def actions(self):
        return sorted(r for r, group in self.groups().items() if len(group) > 0)

    def result(self, r):
        group = self.groups()[r]
        return Grouped(tuple(n for n in self.numbers if n != group[0]), 1 - self.mover)

    def terminal(self):
        return not self.numbers

    def utility(self):
        return -1 if self.mover else 1


class SetConstants(NamedTuple):
    """Set constants, membership, difference."""

    square: int = 0
    mover: int = 0
    ply: int = 0

    SAFE = {3, 7, 12}
    TRAPS = frozenset({5, 9, 10})

    def player(self):
        return self.mover

    def actions(self):
        return [s for s in (1, 2, 3) if self.square + s <= 14]

    def result(self, step):
        to = self.square + step
        if to in self.TRAPS:
            to -= 2
        again = to in self.SAFE
        return SetConstants(to, self.mover if again else 1 - self.mover, self.ply + 1)

    def terminal(self):
        return self.square >= 14 or self.ply > 30

    def utility(self):
        if self.square < 14:
            return 0
        return 1 if self.mover == 1 else -1


class SetAlgebra(NamedTuple):
    """Local sets with | & - ^ and <=."""

    mine: tuple = ()
    yours: tuple = ()

    ALL = {1, 2, 3, 4, 5}

    def player(self):
        return (len(self.mine) + len(self.yours)) % 2

    def actions(self):
        free = self.ALL - set(self.mine) - set(self.yours)
        return sorted(free)

    def result(self, n):
        if self.player() == 0:
            return SetAlgebra(self.mine + (n,), self.yours)
        return SetAlgebra(self.mine, self.yours + (n,))

    def terminal(self):
        return len(self.mine) + len(self.yours) == 5

    def utility(self):
        a, b = set(self.mine), set(self.yours)
        if {1, 5} <= a:
            return 1
        if {2, 4} & b == {2, 4}:
            return -1
        return 1 if len(a | {3}) == len(a) else -1


class SeenSet(NamedTuple):
    """A set collects what was seen: no two actions alike."""

    digits: tuple = (1, 2, 1, 3, 2)
    total: int = 0
    mover: int = 0

    points = True

    def player(self):
        return self.mover

    def actions(self):
        seen = set()
        unique = []
        for d in self.digits:
            if d not in seen:
                seen.add(d)
                unique.append(d)
        return unique

    def result(self, d):
        digits = list(self.digits)
        digits.remove(d)
        return SeenSet(tuple(digits), self.total * 2 % 11 + d, 1 - self.mover)

    def terminal(self):
        return len(self.digits) == 0

    def utility(self):
        return self.total - 5


class KeyError_(NamedTuple):
    """try and except KeyError instead of a test."""

    room: int = 0
    steps: int = 0

    DOORS = {(0, "e"): 1, (1, "e"): 2, (1, "s"): 3, (2, "w"): 1, (3, "n"): 1, (3, "e"): 4, (2, "s"): 4}

    def player(self):
        return self.steps % 2

    def actions(self):
        legal = []
        for way in "nesw":
            try:
                self.DOORS[self.room, way]
            except KeyError:
                continue
            legal.append(way)
        return legal

    def result(self, way):
        return KeyError_(self.DOORS[self.room, way], self.steps + 1)

    def terminal(self):
        return self.room == 4 or self.steps >= 12

    def utility(self):
        return 0 if self.room != 4 else 1 if self.steps % 2 else -1


class Dispatch(NamedTuple):
    """A dict of functions."""

    x: int = 3
    ply: int = 0

    points = True

    OPERATIONS = {
        "double": lambda x: 2 * x,
        "add": lambda x: x + 5,
        "halve": lambda x: x // 2,
    }

    def player(self):
        return self.ply % 2

    def actions(self):
        return ["double", "add", "halve"]

    def result(self, name):
        return Dispatch(self.OPERATIONS[name](self.x), self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return self.x - 12


class DictBoard(NamedTuple):
    """The board is a tuple of items, used through dict()."""

    items: tuple = ()

    def player(self):
        return len(self.items) % 2

    def actions(self):
        board = dict(self.items)
        return [(r, c) for r in range(2) for c in range(3) if (r, c) not in board]

    def result(self, at):
        return DictBoard(self.items + ((at, self.player()),))

    def terminal(self):
        return len(self.items) == 6

    def utility(self):
        board = dict(self.items)
        return 1 if any(board[0, c] == board[1, c] == 0 for c in range(3)) else -1


class Scores(NamedTuple):
    """A dict from letter to points, words as strings."""

    word: str = ""
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        last = self.word[-1:]
        return [c for c in "aetq" if c != last]

    def result(self, c):
        return Scores(self.word + c, 1 - self.turn)

    def terminal(self):
        return len(self.word) == 4

    def utility(self):
        return sum(LETTER_POINTS[c] * (1 if i % 2 == 0 else -1) for i, c in enumerate(self.word))


LETTER_POINTS = {"a": 1, "e": 1, "t": 2, "q": 9}


class FrozenTable(NamedTuple):
    """A MappingProxyType as constant."""

    n: int = 12
    mover: int = 0

    STEPS = MappingProxyType({0: (1, 2), 1: (1, 3)})

    def player(self):
        return self.mover

    def actions(self):
        return [s for s in self.STEPS[self.mover] if s <= self.n]

    def result(self, s):
        return FrozenTable(self.n - s, 1 - self.mover)

    def terminal(self):
        return self.n == 0 or not self.actions()

    def utility(self):
        return -1 if self.mover == 0 else 1


class Invert(NamedTuple):
    """zip makes a dict, sorted by value, min by key."""

    order: tuple = (2, 0, 1)
    score: int = 0
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        rank = dict(zip("abc", self.order))
        return sorted(rank, key=rank.get)[:2]

    def result(self, letter):
        rank = dict(zip("abc", self.order))
        rank[letter] = (rank[letter] + 2) % 5
        lowest = min(rank, key=lambda k: (rank[k], k))
        gain = "abc".index(lowest)
        sign = -1 if self.ply % 2 else 1
        return Invert(tuple(rank[k] for k in "abc"), self.score + sign * gain, self.ply + 1)

    def terminal(self):
        return self.ply == 5

    def utility(self):
        return self.score
