"""Games of one, and of three and more."""

from dataclasses import dataclass
from itertools import combinations
from typing import NamedTuple


class Hanoi(NamedTuple):
    pegs: tuple = ((2, 1), (), ())
    left: int = 5

    players = 1

    def player(self):
        return 0

    def actions(self):
        moves = []
        for i in range(3):
            for j in range(3):
                if i != j and self.pegs[i] and (not self.pegs[j] or self.pegs[j][-1] > self.pegs[i][-1]):
                    moves.append((i, j))
        return moves

    def result(self, move):
        i, j = move
        pegs = [list(p) for p in self.pegs]
        pegs[j].append(pegs[i].pop())
        return Hanoi(tuple(tuple(p) for p in pegs), self.left - 1)

    def terminal(self):
        return self.left == 0 or len(self.pegs[2]) == 2

    def utility(self):
        return self.left if len(self.pegs[2]) == 2 else -1


class EightPuzzle(NamedTuple):
    """Two by three, eight moves."""

    tiles: str = "125403"
    moves: int = 0

    players = 1
    GOAL = "123450"

    def player(self):
        return 0

    def actions(self):
        z = self.tiles.index("0")
        found = []
        if z % 3 > 0:
            found.append("left")
        if z % 3 < 2:
            found.append("right")
        if z > 2:
            found.append("up")
        if z < 3:
            found.append("down")
        return found

    def result(self, way):
        z = self.tiles.index("0")
        to = z + {"left": -1, "right": 1, "up": -3, "down": 3}[way]
        t = list(self.tiles)
        t[z], t[to] = t[to], t[z]
        return EightPuzzle("".join(t), self.moves + 1)

    def terminal(self):
        return self.tiles == self.GOAL or self.moves >= 6

    def utility(self):
        return -sum(a != b for a, b in zip(self.tiles, self.GOAL))

    def evaluate(self):
        return -sum(abs(i // 3 - self.GOAL.index(t) // 3) + abs(i % 3 - self.GOAL.index(t) % 3)
                    for i, t in enumerate(self.tiles) if t != "0")


class PegLine(NamedTuple):
    """Peg solitaire on a line of seven."""

    pegs: tuple = (1, 1, 0, 1, 1, 1, 0)

    players = 1

    def player(self):
        return 0

    def actions(self):
        jumps = []
        for i in range(7):
            for d in (1, -1):
                if 0 <= i + 2 * d < 7 and self.pegs[i] and self.pegs[i + d] and not self.pegs[i + 2 * d]:
                    jumps.append((i, d))
        return jumps

    def result(self, jump):
        i, d = jump
        pegs = list(self.pegs)
        pegs[i] = pegs[i + d] = 0
        pegs[i + 2 * d] = 1
        return PegLine(tuple(pegs))

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -sum(self.pegs)


class RiverCrossing(NamedTuple):
    """Wolf, goat and cabbage; sides as a tuple of bools."""

    far: tuple = (False, False, False, False)  # farmer, wolf, goat, cabbage
    trips: int = 0

    players = 1
    NAMES = ["alone", "wolf", "goat", "cabbage"]

    def player(self):
        return 0

    def safe(self, far):
        farmer, wolf, goat, cabbage = far
        if wolf == goat != farmer:
            return False
        return not (goat == cabbage != farmer)

    def moved(self, who):
        i = self.NAMES.index(who)
        return tuple(not f if k in (0, i) else f for k, f in enumerate(self.far))

    def actions(self):
        return [w for w in self.NAMES if self.far[self.NAMES.index(w)] == self.far[0] and self.safe(self.moved(w))]

    def result(self, who):
        return RiverCrossing(self.moved(who), self.trips + 1)

    def terminal(self):
        return all(self.far) or self.trips >= 9

    def utility(self):
        return 10 - self.trips if all(self.far) else 0


class Queens(NamedTuple):
    """Queens on 5x5, a column for each row."""

    columns: tuple = ()

    players = 1

    def player(self):
        return 0

    def actions(self):
        row = len(self.columns)
        return [c for c in range(5)
                if all(c != k and abs(c - k) != row - r for r, k in enumerate(self.columns))]

    def result(self, c):
        return Queens((*self.columns, c))

    def terminal(self):
        return len(self.columns) == 5 or not self.actions()

    def utility(self):
        return len(self.columns)


class KnightsTour(NamedTuple):
    path: tuple[tuple[int, int], ...] = ((0, 0),)

    players = 1

    def player(self):
        return 0

    def actions(self):
        r, c = self.path[-1]
        steps = [(a * s, b * t) for a, b in ((1, 2), (2, 1)) for s in (1, -1) for t in (1, -1)]
        return [(r + dr, c + dc) for dr, dc in steps
                if 0 <= r + dr < 3 and 0 <= c + dc < 4 and (r + dr, c + dc) not in self.path]

    def result(self, to):
        return KnightsTour(self.path + (to,))

    def terminal(self):
        return not self.actions()

    def utility(self):
        return len(self.path)


class Knapsack(NamedTuple):
    """Take or leave each thing."""

    i: int = 0
    weight: int = 0
    value: int = 0

    players = 1
    ITEMS = [(2, 3), (3, 4), (4, 5), (5, 8), (1, 1)]
    CAPACITY = 8

    def player(self):
        return 0

    def actions(self):
        w, _ = self.ITEMS[self.i]
        return [False, True] if self.weight + w <= self.CAPACITY else [False]

    def result(self, take):
        w, v = self.ITEMS[self.i]
        return Knapsack(self.i + 1, self.weight + take * w, self.value + take * v)

    def terminal(self):
        return self.i == len(self.ITEMS)

    def utility(self):
        return self.value


class Lights(NamedTuple):
    """Lights out on 3x2 within five presses."""

    on: tuple[bool, ...] = (True, False, True, False, True, False)
    left: int = 4

    players = 1

    def player(self):
        return 0

    def actions(self):
        return list(range(6))

    def result(self, i):
        r, c = divmod(i, 2)
        beside = {(r, c), (r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)}
        return Lights(tuple(v ^ (divmod(k, 2) in beside) for k, v in enumerate(self.on)), self.left - 1)

    def terminal(self):
        return not any(self.on) or self.left == 0

    def utility(self):
        return 10 * (not any(self.on)) + self.left - sum(self.on)


class ThreeNim(NamedTuple):
    """Three players; whoever takes the last one wins two points of the others."""

    heap: int = 9
    mover: int = 0

    players = 3

    def player(self):
        return self.mover

    def actions(self):
        return [k for k in (1, 2, 3) if k <= self.heap]

    def result(self, k):
        return ThreeNim(self.heap - k, (self.mover + 1) % 3)

    def terminal(self):
        return self.heap == 0

    def utility(self, player):
        winner = (self.mover - 1) % 3
        return 2 if player == winner else -1


class ThreeCoins(NamedTuple):
    """Three collect coins from the ends of a row."""

    row: tuple = (4, 1, 6, 2, 5, 3)
    got: tuple = (0, 0, 0)

    players = 3

    def player(self):
        return (6 - len(self.row)) % 3

    def actions(self):
        return ["left", "right"] if len(self.row) > 1 else ["left"]

    def result(self, side):
        coin = self.row[0] if side == "left" else self.row[-1]
        row = self.row[1:] if side == "left" else self.row[:-1]
        return ThreeCoins(row, tuple(g + coin * (i == self.player()) for i, g in enumerate(self.got)))

    def terminal(self):
        return not self.row

    def utility(self, player):
        return self.got[player]


@dataclass(frozen=True)
class ThreeRows:
    """Three marks on 2x3; two of one's own side by side count."""

    cells: tuple[str, ...] = (" ",) * 6
    ply: int = 0

    players = 3
    PAIRS = ((0, 1), (1, 2), (3, 4), (4, 5), (0, 3), (1, 4), (2, 5))

    def player(self):
        return self.ply % 3

    def actions(self):
        return [i for i, ch in enumerate(self.cells) if ch == " "]

    def result(self, i):
        cells = list(self.cells)
        cells[i] = "abc"[self.ply % 3]
        return ThreeRows(tuple(cells), self.ply + 1)

    def terminal(self):
        return " " not in self.cells

    def utility(self, player):
        mark = "abc"[player]
        return sum(self.cells[i] == self.cells[j] == mark for i, j in self.PAIRS)


class Voting(NamedTuple):
    """Four vote in turn; each has its own ranking."""

    votes: str = ""

    players = 4
    RANKING = {0: "xyz", 1: "yzx", 2: "zxy", 3: "yxz"}

    def player(self):
        return min(len(self.votes), 3)

    def actions(self):
        return list("xyz")

    def result(self, v):
        return Voting(self.votes + v)

    def terminal(self):
        return len(self.votes) == 4

    def utility(self, player):
        elected = max("xyz", key=lambda c: (self.votes.count(c), c))
        return 2 - self.RANKING[player].index(elected)


