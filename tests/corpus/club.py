"""Games as the members of a club bring them, each written down in one evening."""

import itertools
import math
from collections import Counter, defaultdict, deque
from dataclasses import dataclass, field, replace
from enum import Enum, auto
from functools import lru_cache, partial, reduce
from typing import NamedTuple


class Quarto(NamedTuple):
    """Pieces of two by two by two on a board of nine squares; the partner chooses the piece."""

    board: tuple = (None,) * 9
    piece: int = -1
    turn: int = 0

    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def player(self):
        return self.turn

    def left(self):
        return [p for p in range(8) if p not in self.board and p != self.piece]

    def actions(self):
        if self.piece == -1:
            return self.left()
        return [i for i, x in enumerate(self.board) if x is None]

    def result(self, a):
        if self.piece == -1:
            return self._replace(piece=a, turn=1 - self.turn)
        b = list(self.board)
        b[a] = self.piece
        return Quarto(tuple(b), -1, self.turn)

    def has_line(self):
        for line in self.LINES:
            pieces = [self.board[i] for i in line]
            if None in pieces:
                continue
            for bit in range(3):
                values = {p >> bit & 1 for p in pieces}
                if len(values) == 1:
                    return True
        return False

    def terminal(self):
        return self.has_line() or None not in self.board and self.piece == -1 or not self.actions()

    def utility(self):
        if not self.has_line():
            return 0
        return 1 if self.turn == 0 else -1


def rotate_block(block, clockwise):
    """Turns a square matrix by 90 degrees."""
    if clockwise:
        return [list(row) for row in zip(*block[::-1])]
    return [list(row) for row in zip(*block)][::-1]


class Pentago(NamedTuple):
    """Four by four, with blocks of two by two that turn."""

    cells: tuple = ((0,) * 4,) * 4
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        free = [(r, c) for r in range(4) for c in range(4) if self.cells[r][c] == 0]
        return [(r, c, q) for (r, c) in free for q in range(8)]

    def result(self, action):
        r, c, q = action
        grid = [list(row) for row in self.cells]
        grid[r][c] = self.ply % 2 + 1
        quadrant, direction = divmod(q, 2)
        r0, c0 = 2 * (quadrant // 2), 2 * (quadrant % 2)
        block = [row[c0 : c0 + 2] for row in grid[r0 : r0 + 2]]
        turned = rotate_block(block, direction == 0)
        for i, row in enumerate(turned):
            grid[r0 + i][c0 : c0 + 2] = row
        return Pentago(tuple(map(tuple, grid)), self.ply + 1)

    def lines(self):
        yield from self.cells
        yield from zip(*self.cells)
        yield tuple(self.cells[i][i] for i in range(4))
        yield tuple(self.cells[i][3 - i] for i in range(4))

    def wins(self, who):
        return any(all(x == who for x in line) for line in self.lines())

    def terminal(self):
        return self.ply == 16 or self.wins(1) or self.wins(2)

    def utility(self):
        return int(self.wins(1)) - int(self.wins(2))


WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


def winner_of(cells):
    for a, b, c in WINS:
        if cells[a] != " " and cells[a] == cells[b] == cells[c]:
            return cells[a]
    return "=" if " " not in cells else None


class Ultimate(NamedTuple):
    """Nine boards of texts; the square says on which board the other plays."""

    boards: tuple[str, ...] = (" " * 9,) * 9
    forced: int | None = None
    turn: str = "X"

    def player(self):
        return "XO".index(self.turn)

    def big(self):
        return [winner_of(b) or " " for b in self.boards]

    def actions(self):
        open_boards = [i for i, w in enumerate(self.big()) if w == " "]
        if self.forced is not None and self.forced in open_boards:
            open_boards = [self.forced]
        return [(b, s) for b in open_boards for s in range(9) if self.boards[b][s] == " "]

    def result(self, move):
        b, s = move
        new = self.boards[b][:s] + self.turn + self.boards[b][s + 1 :]
        boards = self.boards[:b] + (new,) + self.boards[b + 1 :]
        return Ultimate(boards, s, "O" if self.turn == "X" else "X")

    def terminal(self):
        return winner_of(self.big()) is not None

    def utility(self):
        return {"X": 1, "O": -1}.get(winner_of(self.big()), 0)


GRAPH = {"a": "bcd", "b": "ae", "c": "ade", "d": "ac", "e": "bc"}


class PongHauKi(NamedTuple):
    """Two stones each on five points; who cannot move has lost."""

    first: frozenset = frozenset({"a", "b"})
    second: frozenset = frozenset({"d", "e"})
    moves: int = 0

    def player(self):
        return self.moves % 2

    def actions(self):
        mine = self.second if self.moves % 2 else self.first
        taken = self.first | self.second
        return [(p, q) for p in sorted(mine) for q in GRAPH[p] if q not in taken]

    def result(self, a):
        p, q = a
        if self.moves % 2:
            return PongHauKi(self.first, self.second - {p} | {q}, self.moves + 1)
        return PongHauKi(self.first - {p} | {q}, self.second, self.moves + 1)

    def terminal(self):
        return self.moves >= 30 or not self.actions()

    def utility(self):
        if self.moves >= 30:
            return 0
        return -1 if self.moves % 2 == 0 else 1


@dataclass(frozen=True)
class Slimetrail:
    """A piece that leaves slime behind it on a board of five by five."""

    at: tuple[int, int] = (3, 1)
    slime: frozenset[tuple[int, int]] = frozenset()
    turn: int = 0

    SIZE = 5

    def player(self):
        return self.turn

    def neighbours(self):
        r, c = self.at
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if (dr, dc) != (0, 0):
                    spot = (r + dr, c + dc)
                    if 0 <= spot[0] < self.SIZE and 0 <= spot[1] < self.SIZE and spot not in self.slime:
                        yield spot

    def actions(self):
        return list(self.neighbours())

    def result(self, spot):
        return replace(self, at=spot, slime=self.slime | {self.at}, turn=1 - self.turn)

    def terminal(self):
        return self.at in ((4, 0), (0, 4)) or not self.actions()

    def utility(self):
        if self.at == (4, 0):
            return 1
        if self.at == (0, 4):
            return -1
        return -1 if self.turn == 0 else 1


class Hackenbush(NamedTuple):
    """Stalks of blue and red edges; cutting one takes what stands above it."""

    stalks: tuple[str, ...] = ("BRB", "RRB", "BR")
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        mine = "BR"[self.turn]
        return [(i, j) for i, stalk in enumerate(self.stalks) for j, edge in enumerate(stalk) if edge == mine]

    def result(self, cut):
        i, j = cut
        stalks = list(self.stalks)
        stalks[i] = stalks[i][:j]
        return Hackenbush(tuple(s for s in stalks if s), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        """The values of the stalks, as Berlekamp counts them."""

        def value(stalk):
            total, step, changed = 0.0, 1.0, False
            for i, edge in enumerate(stalk):
                if i and edge != stalk[0]:
                    changed = True
                if changed:
                    step /= 2
                total += step if edge == "B" else -step
            return total

        return int(64 * sum(map(value, self.stalks)))


class Gobblet(NamedTuple):
    """Three by three with stacks; a larger piece covers a smaller one."""

    stacks: tuple = ((),) * 9
    hands: tuple = ((2, 2, 1), (2, 2, 1))
    turn: int = 0

    def player(self):
        return self.turn

    def top(self, i):
        return self.stacks[i][-1] if self.stacks[i] else None

    def actions(self):
        found = []
        for size, count in enumerate(self.hands[self.turn]):
            if count == 0:
                continue
            for i in range(9):
                top = self.top(i)
                if top is None or top[1] < size:
                    found.append((size, i))
        return found

    def result(self, action):
        size, i = action
        hand = list(self.hands[self.turn])
        hand[size] -= 1
        hands = (tuple(hand), self.hands[1]) if self.turn == 0 else (self.hands[0], tuple(hand))
        stacks = tuple(s + ((self.turn, size),) if k == i else s for k, s in enumerate(self.stacks))
        return Gobblet(stacks, hands, 1 - self.turn)

    def owner(self, i):
        top = self.top(i)
        return -1 if top is None else top[0]

    def winner(self):
        for a, b, c in WINS:
            if self.owner(a) != -1 and self.owner(a) == self.owner(b) == self.owner(c):
                return self.owner(a)
        return None

    def terminal(self):
        return self.winner() is not None or not self.actions()

    def utility(self):
        w = self.winner()
        return 0 if w is None else 1 - 2 * w


class Dodgem(NamedTuple):
    """Cars that leave a board of three by three, one player's upwards, the other's to the right."""

    up: tuple = ((2, 1), (2, 2))
    right: tuple = ((0, 0), (1, 0))
    ply: int = 0

    def player(self):
        return self.ply % 2

    def steps(self):
        if self.ply % 2 == 0:
            return self.up, ((-1, 0), (0, -1), (0, 1))
        return self.right, ((0, 1), (-1, 0), (1, 0))

    def actions(self):
        cars, directions = self.steps()
        found = []
        for k, (r, c) in enumerate(cars):
            for d, (dr, dc) in enumerate(directions):
                nr, nc = r + dr, c + dc
                leaves = d == 0 and (nr < 0 or nc > 2)
                inside = 0 <= nr <= 2 and 0 <= nc <= 2
                if leaves or inside and (nr, nc) not in self.up + self.right:
                    found.append((k, d))
        return found

    def result(self, action):
        k, d = action
        cars, directions = self.steps()
        (r, c), (dr, dc) = cars[k], directions[d]
        spot = (r + dr, c + dc)
        rest = cars[:k] + cars[k + 1 :]
        if 0 <= spot[0] <= 2 and 0 <= spot[1] <= 2:
            rest = tuple(sorted((*rest, spot)))
        if self.ply % 2 == 0:
            return self._replace(up=rest, ply=self.ply + 1)
        return self._replace(right=rest, ply=self.ply + 1)

    def terminal(self):
        return not self.up or not self.right or self.ply > 40 or not self.actions()

    def utility(self):
        if not self.up:
            return 1
        if not self.right:
            return -1
        return 0


class Neutreeko(NamedTuple):
    """Three pieces each, which slide until something stops them."""

    black: tuple = ((0, 1), (0, 3), (3, 2))
    white: tuple = ((4, 1), (4, 3), (1, 2))
    ply: int = 0

    def player(self):
        return self.ply % 2

    def slide(self, start, step):
        r, c = start
        dr, dc = step
        taken = set(self.black) | set(self.white)
        while True:
            nr, nc = r + dr, c + dc
            if not (0 <= nr < 5 and 0 <= nc < 5) or (nr, nc) in taken:
                return (r, c)
            r, c = nr, nc

    def actions(self):
        mine = self.white if self.ply % 2 else self.black
        steps = [(dr, dc) for dr in (-1, 0, 1) for dc in (-1, 0, 1) if dr or dc]
        moves = []
        for piece in mine:
            for step in steps:
                end = self.slide(piece, step)
                if end != piece:
                    moves.append(piece + end)
        return sorted(moves)

    def result(self, move):
        start, end = move[:2], move[2:]
        mine = self.white if self.ply % 2 else self.black
        new = tuple(sorted(end if p == start else p for p in mine))
        if self.ply % 2:
            return Neutreeko(self.black, new, self.ply + 1)
        return Neutreeko(new, self.white, self.ply + 1)

    @staticmethod
    def in_line(pieces):
        (r1, c1), (r2, c2), (r3, c3) = sorted(pieces)
        step = (r2 - r1, c2 - c1)
        return step == (r3 - r2, c3 - c2) and max(map(abs, step)) == 1

    def terminal(self):
        return self.ply >= 40 or self.in_line(self.black) or self.in_line(self.white)

    def utility(self):
        return self.in_line(self.black) - self.in_line(self.white)


class Cannons(NamedTuple):
    """A duel of two cannons, with a little physics: angle in degrees, speed in metres per second."""

    places: tuple[float, float] = (0.0, 30.0)
    health: tuple[int, int] = (2, 2)
    wind: float = 1.5
    turn: int = 0
    shots: int = 0

    G = 9.81

    def player(self):
        return self.turn

    def actions(self):
        return [(angle, speed) for angle in (30, 45, 60) for speed in (12, 15, 17)]

    def impact(self, angle, speed):
        theta = math.radians(angle)
        vx, vy = speed * math.cos(theta), speed * math.sin(theta)
        t = 2 * vy / self.G
        drift = 0.5 * self.wind * t**2
        x = self.places[self.turn]
        return x + vx * t + drift if self.turn == 0 else x - vx * t + drift

    def result(self, shot):
        distance = abs(self.impact(*shot) - self.places[1 - self.turn])
        damage = 2 if distance < 1.0 else 1 if distance < 3.5 else 0
        health = list(self.health)
        health[1 - self.turn] = max(0, health[1 - self.turn] - damage)
        return self._replace(health=tuple(health), turn=1 - self.turn, shots=self.shots + 1, wind=-self.wind)

    def terminal(self):
        return min(self.health) == 0 or self.shots >= 12

    def utility(self):
        a, b = self.health
        return (a > b) - (a < b)


class Bridgit(NamedTuple):
    """Gale's game: each connects two sides in a lattice of their own."""

    blue: frozenset = frozenset()
    red: frozenset = frozenset()
    turn: int = 0

    N = 3

    def player(self):
        return self.turn

    def actions(self):
        edges = [(r, c, k) for k in (0, 1) for r in range(self.N) for c in range(self.N) if k == 0 or r < 2 and c < 2]
        return [e for e in edges if e not in self.blue and e not in self.red]

    def result(self, edge):
        if self.turn == 0:
            return Bridgit(self.blue | {edge}, self.red, 1)
        return Bridgit(self.blue, self.red | {edge}, 0)

    def connected(self, edges):
        seen = set()
        stack = [(r, 0) for r in range(self.N)]
        while stack:
            r, c = stack.pop()
            if c == self.N:
                return True
            if (r, c) in seen:
                continue
            seen.add((r, c))
            if (r, c, 0) in edges:
                stack.append((r, c + 1))
            if c > 0 and (r, c - 1, 1) in edges:
                stack.append((r + 1, c))
            if r > 0 and c > 0 and (r - 1, c - 1, 1) in edges:
                stack.append((r - 1, c))
            if c > 0 and (r, c - 1, 0) in edges:
                stack.append((r, c - 1))
        return False

    def terminal(self):
        return self.connected(self.blue) or not self.actions()

    def utility(self):
        return 1 if self.connected(self.blue) else -1


class Spot(Enum):
    EMPTY = auto()
    FOX = auto()
    GOOSE = auto()


class FoxAndGeese(NamedTuple):
    """A fox among geese on five by five; members of an enum on the board."""

    rows: tuple = (
        (Spot.GOOSE,) * 5,
        (Spot.GOOSE, Spot.EMPTY, Spot.EMPTY, Spot.EMPTY, Spot.GOOSE),
        (Spot.EMPTY,) * 5,
        (Spot.EMPTY, Spot.EMPTY, Spot.FOX, Spot.EMPTY, Spot.EMPTY),
        (Spot.EMPTY,) * 5,
    )
    fox_to_move: bool = True
    ply: int = 0

    def player(self):
        return 0 if self.fox_to_move else 1

    def at(self, r, c):
        return self.rows[r][c] if 0 <= r < 5 and 0 <= c < 5 else None

    def find_fox(self):
        return next((r, c) for r, row in enumerate(self.rows) for c, spot in enumerate(row) if spot is Spot.FOX)

    def actions(self):
        moves = []
        if self.fox_to_move:
            r, c = self.find_fox()
            for dr, dc in [(0, 1), (1, 0), (0, -1), (-1, 0)]:
                if self.at(r + dr, c + dc) is Spot.EMPTY:
                    moves.append(((r, c), (r + dr, c + dc)))
                elif self.at(r + dr, c + dc) is Spot.GOOSE and self.at(r + 2 * dr, c + 2 * dc) is Spot.EMPTY:
                    moves.append(((r, c), (r + 2 * dr, c + 2 * dc)))
        else:
            for r, c in itertools.product(range(5), repeat=2):
                if self.at(r, c) is Spot.GOOSE:
                    moves += [((r, c), (r + dr, c + dc)) for dr, dc in ((1, 0), (0, 1), (0, -1)) if self.at(r + dr, c + dc) is Spot.EMPTY]
        return moves

    def result(self, move):
        (r1, c1), (r2, c2) = move
        rows = [list(row) for row in self.rows]
        rows[r2][c2] = rows[r1][c1]
        rows[r1][c1] = Spot.EMPTY
        if abs(r2 - r1) + abs(c2 - c1) == 2:
            rows[(r1 + r2) // 2][(c1 + c2) // 2] = Spot.EMPTY
        return FoxAndGeese(tuple(map(tuple, rows)), not self.fox_to_move, self.ply + 1)

    def geese(self):
        return sum(row.count(Spot.GOOSE) for row in self.rows)

    def terminal(self):
        return self.geese() < 4 or self.ply >= 60 or not self.actions()

    def utility(self):
        if self.geese() < 4:
            return 1
        return -1 if self.fox_to_move and not self.actions() else 0


class LinesOfAction(NamedTuple):
    """On five by five; a piece moves as far as there are pieces on its line."""

    black: frozenset = frozenset({(0, 1), (0, 2), (0, 3), (4, 1), (4, 2), (4, 3)})
    white: frozenset = frozenset({(1, 0), (2, 0), (3, 0), (1, 4), (2, 4), (3, 4)})
    ply: int = 0

    def player(self):
        return self.ply % 2

    @property
    def sides(self):
        return (self.black, self.white) if self.ply % 2 == 0 else (self.white, self.black)

    def on_line(self, r, c, dr, dc):
        count = 0
        every = self.black | self.white
        for k in range(-4, 5):
            if (r + k * dr, c + k * dc) in every:
                count += 1
        return count

    def actions(self):
        mine, theirs = self.sides
        moves = []
        for r, c in sorted(mine):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1), (0, -1), (-1, 0), (-1, -1), (-1, 1)):
                n = self.on_line(r, c, dr, dc)
                end = (r + n * dr, c + n * dc)
                if not (0 <= end[0] < 5 and 0 <= end[1] < 5) or end in mine:
                    continue
                if any((r + k * dr, c + k * dc) in theirs for k in range(1, n)):
                    continue
                moves.append(((r, c), end))
        return moves

    def result(self, move):
        start, end = move
        mine, theirs = self.sides
        mine = (mine - {start}) | {end}
        theirs = theirs - {end}
        black, white = (mine, theirs) if self.ply % 2 == 0 else (theirs, mine)
        return LinesOfAction(black, white, self.ply + 1)

    def together(self, pieces):
        todo = [min(pieces)]
        seen = {todo[0]}
        while todo:
            r, c = todo.pop()
            for nr, nc in [(r + i, c + j) for i in (-1, 0, 1) for j in (-1, 0, 1)]:
                if (nr, nc) in pieces and (nr, nc) not in seen:
                    seen.add((nr, nc))
                    todo.append((nr, nc))
        return len(seen) == len(pieces)

    def terminal(self):
        return self.ply >= 40 or self.together(self.black) or self.together(self.white) or not self.actions()

    def utility(self):
        return int(self.together(self.black)) - int(self.together(self.white))


class Entropy(NamedTuple):
    """Chaos draws a colour from a bag, order moves one: a chance node between the two."""

    board: str = "." * 9
    bag: str = "aabbbc"
    drawn: str = ""
    ply: int = 0

    points = True

    def player(self):
        if not self.drawn and self.ply % 2 == 0:
            return -1
        return self.ply % 2

    def actions(self):
        if self.player() == -1:
            return sorted(set(self.bag))
        if self.ply % 2 == 0:
            return [str(i) for i, x in enumerate(self.board) if x == "."]
        moves = [f"{i}{j}" for i in range(9) for j in (i - 3, i - 1, i + 1, i + 3) if self.fits(i, j)]
        return moves or ["pass"]

    def fits(self, i, j):
        return 0 <= j < 9 and self.board[i] != "." and self.board[j] == "." and (i // 3 == j // 3 or i % 3 == j % 3)

    def probability(self, colour):
        return self.bag.count(colour) / len(self.bag)

    def result(self, a):
        if self.player() == -1:
            return self._replace(drawn=a, bag=self.bag.replace(a, "", 1))
        if self.ply % 2 == 0:
            i = int(a)
            return Entropy(self.board[:i] + self.drawn + self.board[i + 1 :], self.bag, "", self.ply + 1)
        if a == "pass":
            return self._replace(ply=self.ply + 1)
        i, j = int(a[0]), int(a[1])
        cells = list(self.board)
        cells[i], cells[j] = cells[j], cells[i]
        return self._replace(board="".join(cells), ply=self.ply + 1)

    def terminal(self):
        return not self.bag and not self.drawn

    def utility(self):
        rows = [self.board[i : i + 3] for i in (0, 3, 6)]
        columns = ["".join(c) for c in zip(*rows)]
        score = 0
        for line in rows + columns:
            for size in (2, 3):
                for k in range(4 - size):
                    part = line[k : k + size]
                    if "." not in part and part == part[::-1]:
                        score += size
        return score


class NodeKayles(NamedTuple):
    """On a graph: take a node, and its neighbours go, too."""

    alive: frozenset = frozenset(range(8))
    turn: int = 0

    EDGES = ((0, 1), (1, 2), (2, 3), (3, 0), (2, 4), (4, 5), (5, 6), (6, 7), (7, 4))

    @classmethod
    def adjacency(cls):
        adj = defaultdict(set)
        for a, b in cls.EDGES:
            adj[a].add(b)
            adj[b].add(a)
        return adj

    def player(self):
        return self.turn

    def actions(self):
        return sorted(self.alive)

    def result(self, node):
        gone = self.adjacency()[node] | {node}
        return NodeKayles(self.alive - gone, 1 - self.turn)

    def terminal(self):
        return len(self.alive) == 0

    def utility(self):
        return 1 if self.turn == 1 else -1


class Geography(NamedTuple):
    """Each town begins with the last letter of the one before."""

    towns: tuple = ("aachen", "nantes", "siena", "arles", "essen", "nice", "erfurt", "turin", "sion", "nimes")
    last: str = ""
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [t for t in self.towns if not self.last or t.startswith(self.last[-1])]

    def result(self, town):
        return Geography(tuple(filter(lambda t: t != town, self.towns)), town, 1 - self.turn)

    def terminal(self):
        return not any(True for _ in self.actions())

    def utility(self):
        return -1 if self.turn == 0 else 1


class BlackPath(NamedTuple):
    """Tiles that bend or go straight; who leads the path to the border loses."""

    tiles: tuple = ((".",) * 4,) * 4
    r: int = 0
    c: int = 0
    heading: str = "E"
    ply: int = 0

    TURNS = {
        ("+", "N"): "N", ("+", "S"): "S", ("+", "E"): "E", ("+", "W"): "W",
        ("/", "N"): "E", ("/", "E"): "N", ("/", "S"): "W", ("/", "W"): "S",
        ("\\", "N"): "W", ("\\", "W"): "N", ("\\", "S"): "E", ("\\", "E"): "S",
    }
    STEP = {"N": (-1, 0), "S": (1, 0), "E": (0, 1), "W": (0, -1)}

    def player(self):
        return self.ply % 2

    def inside(self):
        return 0 <= self.r < 4 and 0 <= self.c < 4

    def actions(self):
        return list("+/\\") if self.inside() else []

    def result(self, tile):
        grid = [list(row) for row in self.tiles]
        grid[self.r][self.c] = tile
        r, c, heading = self.r, self.c, self.heading
        while 0 <= r < 4 and 0 <= c < 4 and grid[r][c] != ".":
            heading = self.TURNS[grid[r][c], heading]
            dr, dc = self.STEP[heading]
            r += dr
            c += dc
        return BlackPath(tuple("".join(row) for row in grid), r, c, heading, self.ply + 1)

    def terminal(self):
        return not self.inside()

    def utility(self):
        return 1 if self.ply % 2 == 0 else -1


class Tapatan(NamedTuple):
    """Three stones each, first placed, then moved; match decides what kind of move it is."""

    cells: str = "........."
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        me = "xo"[self.ply % 2]
        if self.ply < 6:
            return [("put", i, i) for i in range(9) if self.cells[i] == "."]
        near = {0: (1, 3, 4), 1: (0, 2, 4), 2: (1, 4, 5), 3: (0, 4, 6), 5: (2, 4, 8), 6: (3, 4, 7), 7: (4, 6, 8), 8: (4, 5, 7)}
        near[4] = tuple(i for i in range(9) if i != 4)
        return [("go", i, j) for i in range(9) if self.cells[i] == me for j in near[i] if self.cells[j] == "."]

    def result(self, action):
        me = "xo"[self.ply % 2]
        new = list(self.cells)
        match action:
            case ("put", i, _):
                new[i] = me
            case ("go", i, j):
                new[i], new[j] = ".", me
        return Tapatan("".join(new), self.ply + 1)

    def has_three(self, who):
        return any(all(self.cells[i] == who for i in line) for line in WINS)

    def terminal(self):
        return self.ply >= 40 or self.has_three("x") or self.has_three("o") or len(self.actions()) == 0

    def utility(self):
        match self.has_three("x"), self.has_three("o"):
            case True, _:
                return 1
            case _, True:
                return -1
            case _:
                return 0


class Ludo(NamedTuple):
    """Two pieces each on a ring of twelve, a die of four sides, and captures."""

    pieces: tuple = ((-1, -1), (-1, -1))
    die: int = 0
    turn: int = 0
    rounds: int = 0

    def player(self):
        return -1 if self.die == 0 else self.turn

    def square(self, who, k):
        p = self.pieces[who][k]
        return (p + 6 * who) % 12 if 0 <= p < 12 else None

    def actions(self):
        if self.die == 0:
            return [1, 2, 3, 4]
        mine = self.pieces[self.turn]
        legal = [k for k in (0, 1) if mine[k] < 12 and (mine[k] >= 0 or self.die == 4)]
        return legal if legal else [-1]

    def probability(self, die):
        return 0.25

    def result(self, a):
        if self.die == 0:
            return self._replace(die=a)
        me, other = self.turn, 1 - self.turn
        sides = [list(side) for side in self.pieces]
        if a >= 0:
            sides[me][a] = 0 if sides[me][a] < 0 else min(12, sides[me][a] + self.die)
            now = sides[me][a]
            if now < 12:
                for k in range(2):
                    if self.square(other, k) == (now + 6 * me) % 12:
                        sides[other][k] = -1
        return Ludo(tuple(tuple(side) for side in sides), 0, other, self.rounds + 1)

    def terminal(self):
        return self.die == 0 and (self.rounds >= 60 or any(min(side) == 12 for side in self.pieces))

    def utility(self):
        mine, theirs = map(sum, self.pieces)
        return (mine > theirs) - (mine < theirs)
