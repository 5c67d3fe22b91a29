"""Idioms of existing code: rules objects, constants in a namespace, sets whose order does not matter, copies that are changed."""

import copy
from collections import namedtuple
from dataclasses import dataclass
from itertools import combinations
from types import SimpleNamespace
from typing import NamedTuple

cat = "".join
config = SimpleNamespace(columns=4, marks="XO", lines=[(0, 1), (1, 2), (2, 3)], scale=lambda n: n * 3)


class Rules:
    """Rules as an object of their own, as in lectures."""

    least = 0

    def __init__(self, most, steps):
        self.most = most
        self.steps = steps

    @property
    def far(self):
        return self.most + len(self.steps)

    @staticmethod
    def other(player):
        return 1 - player

    def over(self, state):
        return state[0] == self.least

    def moves(self, state):
        return [name for name, step in self.steps.items() if step(state[0]) >= self.least]

    def after(self, state, name):
        number, player = state
        return self.steps[name](number), self.other(player)

    def worth(self, state):
        return self.far if state[1] else -self.far


class Longer(Rules):
    def moves(self, state):
        return super().moves(state) if state[0] < self.most else ["less"]


def less(n):
    return n - 1


def half(n):
    return n // 2


game = Longer(9, {"less": less, "half": half})


class Halving(NamedTuple):
    """The rules are methods of a constant object."""

    state: tuple = (game.most, 0)

    def player(self):
        return self.state[1]

    def actions(self):
        return game.moves(self.state)

    def result(self, action):
        return Halving(game.after(self.state, action))

    def terminal(self):
        return game.over(self.state)

    def utility(self):
        return game.worth(self.state) / game.far


class Configured(NamedTuple):
    """Constants in a SimpleNamespace."""

    board: str = "." * config.columns

    def player(self):
        return (config.columns - self.board.count(".")) % 2

    def actions(self):
        return [c for c in range(config.columns) if self.board[c] == "."]

    def result(self, c):
        mark = config.marks[self.player()]
        return Configured(cat(mark if i == c else old for i, old in enumerate(self.board)))

    def won(self, mark):
        return any(self.board[a] == mark == self.board[b] for a, b in config.lines)

    def terminal(self):
        return self.won("X") or self.won("O") or "." not in self.board

    def utility(self):
        return config.scale(self.won("X") - self.won("O"))


@dataclass(frozen=True, slots=True)
class Take:
    heap: int
    count: int = 1


@dataclass(frozen=True, slots=True)
class Slotted:
    """Data classes with slots, as states, as actions and as a field."""

    heaps: tuple[int, ...] = (2, 3)
    turn: int = 0
    last: Take | None = None

    def player(self):
        return self.turn

    def actions(self):
        return [Take(i, n) for i, heap in enumerate(self.heaps) for n in range(1, heap + 1)]

    def result(self, take):
        heaps = tuple(h - take.count if i == take.heap else h for i, h in enumerate(self.heaps))
        return Slotted(heaps, 1 - self.turn, take)

    def terminal(self):
        return not any(self.heaps)

    def utility(self):
        return (1 if self.turn else -1) * (2 if self.last == Take(1, 1) else 1)


NUMBERS = frozenset(range(1, 7))


def sums_to(numbers, total):
    return any(sum(triple) == total for triple in combinations(numbers, 3))


class Ten(NamedTuple):
    """Three of your numbers that sum to ten win: the order of the sets does not matter."""

    mine: frozenset = frozenset()
    yours: frozenset = frozenset()

    def player(self):
        return (len(self.mine) + len(self.yours)) % 2

    def free(self):
        found = set()
        for n in NUMBERS:
            if n not in self.mine | self.yours:
                found.add(n)
        return found

    def actions(self):
        return sorted(self.free())

    def result(self, n):
        if n not in self.free():
            raise ValueError("taken")
        return Ten(self.yours, self.mine | {n})

    def threats(self):
        return sum(a + b + c == 10 for a, b, c in combinations(self.mine | self.free(), 3))

    def terminal(self):
        return sums_to(self.yours, 10) or not self.free()

    def utility(self):
        value = 10 if sums_to(self.yours, 10) else self.threats()
        return value if self.player() else -value


class Pairs(NamedTuple):
    """A dict as a frozenset of its items, since a state must be hashable."""

    board: frozenset = frozenset()

    def player(self):
        return len(self.board) % 2

    def actions(self):
        marks = dict(self.board)
        return [(r, c) for r in range(2) for c in range(3) if (r, c) not in marks]

    def result(self, square):
        board = dict(self.board)
        board[square] = "XO"[self.player()]
        return Pairs(frozenset(board.items()))

    def won(self, mark):
        marks = {square: each for square, each in self.board if each == mark}
        return any(marks.get((r, 0)) and (r, 1) in marks and (r, 2) in marks for r in range(2))

    def terminal(self):
        return self.won("X") or self.won("O") or len(self.board) == 6

    def utility(self):
        marks = dict(self.board)
        return (self.won("X") - self.won("O")) * (2 if marks.get((0, 0)) == "X" else 1)


SWAP = str.maketrans("xo", "ox")


class Rings(NamedTuple):
    """Squares passed as *square, the first of an iterator, sets of one item, translated texts."""

    row: str = "......"
    last: tuple = (frozenset(), frozenset())

    def player(self):
        return (6 - self.row.count(".")) % 2

    def mark(self, r, c):
        return self.row[3 * r + c]

    def free(self):
        for r in range(2):
            for c in range(3):
                if self.mark(r, c) == ".":
                    yield r, c

    def actions(self):
        squares = [(r, c) for r in range(2) for c in range(3)]
        return [square for square in squares if self.mark(*square) == "."]

    def result(self, square):
        r, c = square
        at = 3 * r + c
        mine, yours = self.last
        row = self.row[:at] + "x" + self.row[at + 1 :]
        return Rings(row.translate(SWAP), (yours, mine | {c}))

    def terminal(self):
        squares = self.free()
        return next(squares, None) is None or len(set().union(*self.last)) == 3

    def utility(self):
        left = {self.mark(r, c) for r in range(2) for c in range(3)}
        value = dict(x=1, o=2)["x" if self.row.count("x") > 2 else "o"]
        return value if len(left) > 1 or left.pop() == "x" else -value


class Sowing:
    """A copy that is changed until it is returned, as everybody writes it first."""

    def __init__(self):
        self.holes = [2] * 6
        self.stores = [0, 0]
        self.turn = 0
        self.last = None

    def __eq__(self, other):
        return (self.holes, self.stores, self.turn) == (other.holes, other.stores, other.turn)

    def __hash__(self):
        return hash((tuple(self.holes), tuple(self.stores), self.turn))

    def player(self):
        return self.turn

    def actions(self):
        return [hole for hole in range(3 * self.turn, 3 * self.turn + 3) if self.holes[hole]]

    def left(self, side):
        return sum(self.holes[3 * side : 3 * side + 3])

    def result(self, hole):
        new = copy.deepcopy(self)
        count = new.holes[hole]
        new.holes[hole] = 0
        new.last = hole
        for _ in range(count):
            new.last = (new.last + 1) % 6
            new.holes[new.last] += 1
        if new.holes[new.last] == 2 and new.last // 3 != self.turn:
            new.stores[new.turn] += 2
            new.holes[new.last] = 0
        if new.left(1 - new.turn) == 0:
            new.stores[new.turn] += new.left(new.turn)
            new.holes = [0] * 6
        new.turn = 1 - new.turn
        return new

    def terminal(self):
        return max(self.stores) > 3 or not self.actions()

    def utility(self):
        first, second = self.stores
        return first - second


class Race:
    """A shallow copy, or a new object, whose attributes are set."""

    def __init__(self, track=None):
        self.track = track or [".", ".", ".", "."]
        self.at = [0, 0]
        self.turn = 0
        self.__log = ""

    def __eq__(self, other):
        return self.__dict__ == other.__dict__

    def __hash__(self):
        return hash((tuple(self.track), tuple(self.at), self.turn, self.__log))

    def player(self):
        return self.turn

    def actions(self):
        return ["one", "two", "paint"] if "." in self.track[self.at[self.turn] :] else ["one", "two"]

    def result(self, action):
        if action == "paint":
            return self.painted()
        new = copy.copy(self)
        new.at = list(self.at)
        new.at[self.turn] += 1 if action == "one" else 2
        new.__log += action[0]
        new.turn = 1 - self.turn
        return new

    def painted(self):
        new: Race = Race(self.track[:])
        new.at, new.turn = self.at, 1 - self.turn
        new.track[self.at[self.turn]] = "X" if self.turn == 0 else "O"
        new.__log = f"{self.__log}p"
        return new

    def terminal(self):
        return max(self.at) > 3 or len(self.__log) > 5

    def utility(self):
        return self.at[0] - self.at[1] + 2 * (self.track.count("X") - self.track.count("O"))


class Stack(namedtuple("Stack", "left turn taken")):
    """A named tuple whose __new__ gives defaults."""

    def __new__(cls, left=6, turn=0, taken=()):
        return super().__new__(cls, left, turn, taken)

    def player(self):
        return self.turn

    def actions(self):
        return [n for n in (1, 2, 3) if n <= self.left and n not in self.taken[-1:]]

    def result(self, n):
        return Stack(self.left - n, turn=1 - self.turn, taken=(*self.taken, n))

    def terminal(self):
        return not self.actions()

    def utility(self):
        return len(self.taken) * (1 if self.turn else -1)
