"""Games as they stand in course notebooks: each written in its own way, none with a compiler in mind."""

import heapq
import itertools
from bisect import bisect
from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import lru_cache, partial, reduce
from typing import NamedTuple, Optional

CHANCE = -1


class ThreeMensMorris(NamedTuple):
    """Three stones each are placed, then moved to a free neighbour."""

    board: tuple = (0,) * 9
    turn: int = 1
    ply: int = 0

    LINES = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]

    def player(self):
        return 0 if self.turn == 1 else 1

    @staticmethod
    def neighbours(i):
        r, c = divmod(i, 3)
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if (dr or dc) and 0 <= r + dr < 3 and 0 <= c + dc < 3:
                    yield 3 * (r + dr) + c + dc

    def actions(self):
        if self.ply < 6:
            return [(i, i) for i, v in enumerate(self.board) if v == 0]
        return [
            (i, j) for i, v in enumerate(self.board) if v == self.turn
            for j in self.neighbours(i) if self.board[j] == 0
        ]

    def result(self, move):
        src, dst = move
        new = list(self.board)
        new[src] = 0
        new[dst] = self.turn
        return ThreeMensMorris(tuple(new), -self.turn, self.ply + 1)

    def winner(self):
        for line in self.LINES:
            total = sum(self.board[i] for i in line)
            if abs(total) == 3:
                return total // 3
        return 0

    def terminal(self):
        return self.winner() != 0 or self.ply >= 14 or not self.actions()

    def utility(self):
        return self.winner()


class DotsAndBoxes(NamedTuple):
    """Two boxes side by side; edges in a frozenset."""

    edges: frozenset = frozenset()
    score: tuple = (0, 0)
    turn: int = 0

    BOXES = ((0, 1, 2, 3), (2, 4, 5, 6))

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return [e for e in range(7) if e not in self.edges]

    def result(self, edge):
        edges = self.edges | {edge}
        closed = 0
        for box in self.BOXES:
            if edge in box and all(e in edges for e in box):
                closed += 1
        score = list(self.score)
        score[self.turn] += closed
        turn = self.turn if closed else 1 - self.turn
        return DotsAndBoxes(edges, tuple(score), turn)

    def terminal(self):
        return len(self.edges) == 7

    def utility(self):
        return self.score[0] - self.score[1]


class Hex3(NamedTuple):
    """Hex on 3x3 with a depth-first search by recursion inside a function."""

    cells: str = "........."
    to_move: str = "R"

    def player(self):
        return "RB".index(self.to_move)

    def actions(self):
        return [i for i in range(9) if self.cells[i] == "."]

    def result(self, i):
        cells = self.cells[:i] + self.to_move + self.cells[i + 1:]
        return Hex3(cells, "B" if self.to_move == "R" else "R")

    def connected(self, who):
        seen = set()

        def visit(r, c):
            if not (0 <= r < 3 and 0 <= c < 3):
                return False
            if (r, c) in seen or self.cells[3 * r + c] != who:
                return False
            seen.add((r, c))
            if (c if who == "R" else r) == 2:
                return True
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)):
                if visit(r + dr, c + dc):
                    return True
            return False

        return any(visit(k, 0) if who == "R" else visit(0, k) for k in range(3))

    def terminal(self):
        return self.connected("R") or self.connected("B")

    def utility(self):
        return 1 if self.connected("R") else -1


@dataclass(frozen=True)
class MiniKalah:
    """Three pits a side; sowing with a while loop."""

    pits: tuple = (2, 2, 2, 0, 2, 2, 2, 0)
    side: int = 0

    points = True

    def player(self):
        return self.side

    def actions(self):
        start = 4 * self.side
        return [p for p in range(start, start + 3) if self.pits[p] > 0]

    def result(self, p):
        pits = list(self.pits)
        seeds, pits[p] = pits[p], 0
        while seeds > 0:
            p = (p + 1) % 8
            if p == (7 if self.side == 0 else 3):
                continue
            pits[p] += 1
            seeds -= 1
        store = 3 if self.side == 0 else 7
        again = p == store
        if pits[p] == 1 and p != store and p // 4 == self.side and p % 4 != 3:
            opposite = 6 - p
            pits[store] += pits[opposite] + 1
            pits[p] = pits[opposite] = 0
        if sum(pits[0:3]) == 0 or sum(pits[4:7]) == 0:
            pits[3] += sum(pits[:3])
            pits[7] += sum(pits[4:7])
            for k in (0, 1, 2, 4, 5, 6):
                pits[k] = 0
        return MiniKalah(tuple(pits), self.side if again else 1 - self.side)

    def terminal(self):
        return not any(self.pits[k] for k in (0, 1, 2, 4, 5, 6))

    def utility(self):
        return self.pits[3] - self.pits[7]


class Isolation(NamedTuple):
    """Queens on 3x3 that burn the square they leave."""

    white: Optional[tuple] = None
    black: Optional[tuple] = None
    gone: tuple = ()
    turn: int = 0

    def player(self):
        return self.turn

    def free(self, r, c):
        return 0 <= r < 3 and 0 <= c < 3 and (r, c) not in self.gone and (r, c) not in (self.white, self.black)

    def actions(self):
        here = self.white if self.turn == 0 else self.black
        if here is None:
            return [(r, c) for r in range(3) for c in range(3) if self.free(r, c)]
        moves = []
        for dr, dc in itertools.product((-1, 0, 1), repeat=2):
            if (dr, dc) == (0, 0):
                continue
            r, c = here[0] + dr, here[1] + dc
            while self.free(r, c):
                moves.append((r, c))
                r += dr
                c += dc
        return moves

    def result(self, to):
        here = self.white if self.turn == 0 else self.black
        gone = self.gone if here is None else self.gone + (here,)
        if self.turn == 0:
            return Isolation(to, self.black, gone, 1)
        return Isolation(self.white, to, gone, 0)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return -1 if self.turn == 0 else 1


class Chopsticks(NamedTuple):
    hands: tuple = ((1, 1), (1, 1))
    turn: int = 0
    ply: int = 0

    def player(self):
        return self.turn

    def actions(self):
        mine, yours = self.hands[self.turn], self.hands[1 - self.turn]
        return [(i, j) for i in (0, 1) if mine[i] for j in (0, 1) if yours[j]]

    def result(self, action):
        i, j = action
        hands = [list(h) for h in self.hands]
        hands[1 - self.turn][j] = (hands[1 - self.turn][j] + hands[self.turn][i]) % 5
        return Chopsticks(tuple(map(tuple, hands)), 1 - self.turn, self.ply + 1)

    def terminal(self):
        return any(sum(h) == 0 for h in self.hands) or self.ply >= 16

    def utility(self):
        if sum(self.hands[1]) == 0:
            return 1
        if sum(self.hands[0]) == 0:
            return -1
        return 0


class Sim(NamedTuple):
    """Who draws a triangle of the own colour loses; on five points."""

    red: frozenset = frozenset()
    blue: frozenset = frozenset()

    EDGES = list(itertools.combinations(range(5), 2))

    def player(self):
        return (len(self.red) + len(self.blue)) % 2

    def actions(self):
        return [e for e in self.EDGES if e not in self.red and e not in self.blue]

    def result(self, edge):
        if self.player() == 0:
            return Sim(self.red | {edge}, self.blue)
        return Sim(self.red, self.blue | {edge})

    @staticmethod
    def triangle(edges):
        for a, b, c in itertools.combinations(range(5), 3):
            if (a, b) in edges and (b, c) in edges and (a, c) in edges:
                return True
        return False

    def terminal(self):
        return self.triangle(self.red) or self.triangle(self.blue) or len(self.actions()) == 0

    def utility(self):
        if self.triangle(self.red):
            return -1
        return 1 if self.triangle(self.blue) else 0


GRAPH = {"A": "BC", "B": "ACD", "C": "ABE", "D": "BE", "E": "CD"}


class Colouring(NamedTuple):
    """Col: neighbours never get the same colour; who cannot move loses."""

    colours: tuple = ()
    turn: int = 0

    def player(self):
        return self.turn

    def colour_of(self, node):
        for name, colour in self.colours:
            if name == node:
                return colour
        return None

    def actions(self):
        legal = []
        for node, near in GRAPH.items():
            if self.colour_of(node) is not None:
                continue
            if all(self.colour_of(other) != self.turn for other in near):
                legal.append(node)
        return legal

    def result(self, node):
        return Colouring(tuple(sorted(self.colours + ((node, self.turn),))), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class GrundyGame(NamedTuple):
    """Split a heap into two unequal ones."""

    heaps: tuple = (7,)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [(i, k) for i, h in enumerate(self.heaps) for k in range(1, (h + 1) // 2)]

    def result(self, action):
        i, k = action
        rest = self.heaps[:i] + self.heaps[i + 1:]
        return GrundyGame(tuple(sorted(rest + (k, self.heaps[i] - k), reverse=True)), 1 - self.mover)

    def terminal(self):
        return all(h <= 2 for h in self.heaps)

    def utility(self):
        return -1 if self.mover == 0 else 1


class Euclid(NamedTuple):
    a: int = 13
    b: int = 8
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        small, large = sorted((self.a, self.b))
        return list(range(small, large + 1, small)) if small else []

    def result(self, k):
        small, large = min(self.a, self.b), max(self.a, self.b)
        return Euclid(large - k, small, 1 - self.turn)

    def terminal(self):
        return 0 in (self.a, self.b)

    def utility(self):
        return 1 if self.turn == 1 else -1


class SOS(NamedTuple):
    """Write S or O into a row of six; whoever completes SOS wins."""

    row: str = "______"
    turn: int = 0
    won: bool = False

    def player(self):
        return self.turn

    def actions(self):
        return [(i, letter) for i, c in enumerate(self.row) if c == "_" for letter in "SO"]

    def result(self, move):
        i, letter = move
        row = self.row[:i] + letter + self.row[i + 1:]
        won = row.count("SOS") > self.row.count("SOS")
        return SOS(row, 1 - self.turn, won)

    def terminal(self):
        return self.won or "_" not in self.row

    def utility(self):
        if not self.won:
            return 0
        return -1 if self.turn == 0 else 1


class Piece(Enum):
    EMPTY = " "
    CROSS = "x"
    NOUGHT = "o"

    @property
    def other(self):
        return Piece.NOUGHT if self is Piece.CROSS else Piece.CROSS


class Gravity(NamedTuple):
    """Connect three on 4x3, an enum in rows, written with match."""

    grid: tuple = ((Piece.EMPTY,) * 4,) * 3
    mover: Piece = Piece.CROSS

    def player(self):
        match self.mover:
            case Piece.CROSS:
                return 0
            case _:
                return 1

    def actions(self):
        return [c for c in range(4) if self.grid[0][c] is Piece.EMPTY]

    def result(self, c):
        rows = [list(row) for row in self.grid]
        for r in reversed(range(3)):
            if rows[r][c] is Piece.EMPTY:
                rows[r][c] = self.mover
                break
        return Gravity(tuple(tuple(row) for row in rows), self.mover.other)

    def lines(self):
        for r in range(3):
            for c in range(4):
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    if 0 <= r + 2 * dr < 3 and 0 <= c + 2 * dc < 4:
                        yield [self.grid[r + k * dr][c + k * dc] for k in range(3)]

    def winner(self):
        for line in self.lines():
            if line[0] is not Piece.EMPTY and line.count(line[0]) == 3:
                return line[0]
        return None

    def terminal(self):
        return self.winner() is not None or not self.actions()

    def utility(self):
        winner = self.winner()
        if winner is None:
            return 0
        return 1 if winner == Piece.CROSS else -1


class Way(IntEnum):
    UP = 0
    RIGHT = 1
    DOWN = 2
    LEFT = 3


STEPS = {Way.UP: (-1, 0), Way.RIGHT: (0, 1), Way.DOWN: (1, 0), Way.LEFT: (0, -1)}


class Tron(NamedTuple):
    """Light cycles on 3x4, one after the other."""

    walls: tuple = ((0, 0), (2, 3))
    heads: tuple = ((0, 0), (2, 3))
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        r, c = self.heads[self.turn]
        found = []
        for way in Way:
            dr, dc = STEPS[way]
            spot = (r + dr, c + dc)
            if 0 <= spot[0] < 3 and 0 <= spot[1] < 4 and spot not in self.walls:
                found.append(way)
        return found

    def result(self, way):
        r, c = self.heads[self.turn]
        dr, dc = STEPS[way]
        spot = (r + dr, c + dc)
        heads = (spot, self.heads[1]) if self.turn == 0 else (self.heads[0], spot)
        return Tron(self.walls + (spot,), heads, 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1


class PegJump(NamedTuple):
    """One player: jump until one peg is left."""

    row: tuple = (1, 1, 0, 1, 1, 0)

    players = 1

    def player(self):
        return 0

    def actions(self):
        moves = []
        for i in range(len(self.row)):
            for d in (-1, 1):
                try:
                    if i + 2 * d >= 0 and self.row[i] and self.row[i + d] and not self.row[i + 2 * d]:
                        moves.append((i, d))
                except IndexError:
                    pass
        return moves

    def result(self, move):
        i, d = move
        row = list(self.row)
        row[i], row[i + d], row[i + 2 * d] = 0, 0, 1
        return PegJump(tuple(row))

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -sum(self.row)


class WaterJugs(NamedTuple):
    """Measure four of five and three."""

    five: int = 0
    three: int = 0
    steps: int = 0

    players = 1

    def player(self):
        return 0

    def actions(self):
        options = {
            "fill5": self.five < 5, "fill3": self.three < 3, "empty5": self.five > 0, "empty3": self.three > 0,
            "5to3": self.five > 0 and self.three < 3, "3to5": self.three > 0 and self.five < 5,
        }
        return [name for name, ok in options.items() if ok]

    def result(self, what):
        a, b = self.five, self.three
        if what == "fill5":
            a = 5
        elif what == "fill3":
            b = 3
        elif what == "empty5":
            a = 0
        elif what == "empty3":
            b = 0
        elif what == "5to3":
            poured = min(a, 3 - b)
            a, b = a - poured, b + poured
        else:
            poured = min(b, 5 - a)
            a, b = a + poured, b - poured
        return WaterJugs(a, b, self.steps + 1)

    def terminal(self):
        return self.five == 4 or self.steps >= 7

    def utility(self):
        return 10 - self.steps if self.five == 4 else -10


class River(NamedTuple):
    """Wolf, goat and cabbage."""

    left: frozenset = frozenset({"farmer", "wolf", "goat", "cabbage"})
    steps: int = 0

    players = 1
    ALL = frozenset({"farmer", "wolf", "goat", "cabbage"})

    def player(self):
        return 0

    @staticmethod
    def safe(bank):
        if "farmer" in bank:
            return True
        return not ({"wolf", "goat"} <= bank or {"goat", "cabbage"} <= bank)

    def actions(self):
        here = self.left if "farmer" in self.left else self.ALL - self.left
        moves = []
        for cargo in sorted(here):
            after = self.after(cargo)
            if self.safe(after) and self.safe(self.ALL - after):
                moves.append(cargo)
        return moves

    def after(self, cargo):
        moving = {"farmer", cargo}
        return self.left - moving if "farmer" in self.left else self.left | moving

    def result(self, cargo):
        return River(frozenset(self.after(cargo)), self.steps + 1)

    def terminal(self):
        return not self.left or self.steps >= 9

    def utility(self):
        return 1 if not self.left else -1


class JumpDice(NamedTuple):
    """A die is rolled, then one of two runners moves; the first at ten."""

    mine: int = 0
    yours: int = 0
    die: int = 0
    turn: int = 0

    def player(self):
        return CHANCE if self.die == 0 else self.turn

    def actions(self):
        if self.die == 0:
            return [1, 2, 3]
        return [True, False]

    def probability(self, d):
        return {1: 0.5, 2: 0.25, 3: 0.25}[d]

    def result(self, a):
        if self.die == 0:
            return self._replace(die=a)
        if a:
            if self.turn == 0:
                return JumpDice(self.mine + self.die, self.yours, 0, 1)
            return JumpDice(self.mine, self.yours + self.die, 0, 0)
        if self.turn == 0:
            return JumpDice(self.mine, max(0, self.yours - self.die), 0, 1) if self.yours else JumpDice(
                self.mine + 1, self.yours, 0, 1)
        return JumpDice(self.mine, self.yours + 1, 0, 0)

    def terminal(self):
        return self.mine >= 6 or self.yours >= 6 or self.mine + self.yours > 9

    def utility(self):
        return 1 if self.mine > self.yours else -1 if self.yours > self.mine else 0


Point = namedtuple("Point", "x y")


class Knights(NamedTuple):
    """Two knights; a square may be entered once."""

    at: Point = Point(0, 0)
    seen: tuple = (Point(0, 0),)
    turn: int = 0

    JUMPS = [Point(dx, dy) for dx in (-2, -1, 1, 2) for dy in (-2, -1, 1, 2) if abs(dx) != abs(dy)]

    def player(self):
        return self.turn

    def actions(self):
        targets = [Point(self.at.x + j.x, self.at.y + j.y) for j in self.JUMPS]
        return [t for t in targets if 0 <= t.x < 4 and 0 <= t.y < 3 and t not in self.seen]

    def result(self, to):
        return Knights(to, self.seen + (to,), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1


class Wythoff2(NamedTuple):
    piles: tuple = (4, 6)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        a, b = self.piles
        yield from ((k, 0) for k in range(1, a + 1))
        yield from ((0, k) for k in range(1, b + 1))
        yield from ((k, k) for k in range(1, min(a, b) + 1))

    def result(self, take):
        return Wythoff2(tuple(p - t for p, t in zip(self.piles, take)), 1 - self.turn)

    def terminal(self):
        return not any(self.piles)

    def utility(self):
        return 1 if self.turn else -1


@lru_cache(maxsize=None)
def grundy_of(n):
    reachable = {grundy_of(n - k) for k in (1, 3, 4) if k <= n}
    g = 0
    while g in reachable:
        g += 1
    return g


class Subtract134(NamedTuple):
    n: int = 12
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [k for k in (1, 3, 4) if k <= self.n]

    def result(self, k):
        return Subtract134(self.n - k, 1 - self.turn)

    def terminal(self):
        return self.n == 0

    def utility(self):
        return 1 if self.turn == 1 else -1

    def evaluate(self):
        sign = 1 if self.turn == 0 else -1
        return sign * (1 if grundy_of(self.n) else -1)


class CardDuel(NamedTuple):
    """Highest card takes the prize; a heap of prizes, hands sorted with bisect."""

    hands: tuple = ((1, 3, 5), (2, 4, 6))
    prizes: tuple = (1, 2, 4)
    bid: Optional[int] = None
    score: int = 0

    points = True

    def player(self):
        return 0 if self.bid is None else 1

    def actions(self):
        return list(self.hands[self.player()])

    def result(self, card):
        who = self.player()
        hand = tuple(c for c in self.hands[who] if c != card)
        hands = (hand, self.hands[1]) if who == 0 else (self.hands[0], hand)
        if self.bid is None:
            return CardDuel(hands, self.prizes, card, self.score)
        heap = list(self.prizes)
        heapq.heapify(heap)
        prize = heapq.heappop(heap)
        won = prize if self.bid > card else -prize
        return CardDuel(hands, tuple(sorted(heap)), None, self.score + won)

    def terminal(self):
        return not self.prizes

    def utility(self):
        return self.score

    def evaluate(self):
        mine, yours = self.hands
        better = sum(bisect(yours, card) for card in mine)
        return self.score + better


class Flood(NamedTuple):
    """Fill a 3x3 picture from a corner: breadth-first with a deque."""

    picture: tuple = ("abc", "bca", "cab")
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return [c for c in "abc" if c != self.picture[0][0]]

    def region(self):
        colour = self.picture[0][0]
        queue, seen = deque([(0, 0)]), {(0, 0)}
        while queue:
            r, c = queue.popleft()
            for nr, nc in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if 0 <= nr < 3 and 0 <= nc < 3 and (nr, nc) not in seen and self.picture[nr][nc] == colour:
                    seen.add((nr, nc))
                    queue.append((nr, nc))
        return seen

    def result(self, colour):
        region = self.region()
        rows = []
        for r, row in enumerate(self.picture):
            rows.append("".join(colour if (r, c) in region else old for c, old in enumerate(row)))
        return Flood(tuple(rows), self.ply + 1)

    def terminal(self):
        return len(set("".join(self.picture))) == 1 or self.ply >= 8

    def utility(self):
        return len(self.region()) if self.ply % 2 else -len(self.region())


class Auction(NamedTuple):
    """defaultdict, Counter, reduce and partial in one evaluation."""

    bids: tuple = ()
    purse: tuple = (4, 4)

    points = True

    def player(self):
        return len(self.bids) % 2

    def actions(self):
        return [b for b in range(3) if b <= self.purse[self.player()]]

    def result(self, b):
        who = self.player()
        purse = tuple(p - b if i == who else p for i, p in enumerate(self.purse))
        return Auction(self.bids + (b,), purse)

    def terminal(self):
        return len(self.bids) == 6

    def utility(self):
        by_player = defaultdict(list)
        for i, b in enumerate(self.bids):
            by_player[i % 2].append(b)
        counts = Counter(self.bids)
        best = max(counts, key=lambda b: (counts[b], b))
        scale = partial(lambda k, x: k * x, 2)
        rounds = zip(by_player[0], by_player[1])
        won = reduce(lambda acc, pair: acc + (pair[0] > pair[1]) - (pair[0] < pair[1]), rounds, 0)
        return scale(won) + best


@dataclass(frozen=True)
class Pos:
    row: int
    col: int

    def __add__(self, other):
        return Pos(self.row + other.row, self.col + other.col)

    def on_board(self):
        return 0 <= self.row < 3 and 0 <= self.col < 3


@dataclass(frozen=True)
class Cats:
    """A cat hunts a mouse on 3x3; dataclasses inside a dataclass."""

    cat: Pos = Pos(0, 0)
    mouse: Pos = Pos(2, 2)
    ply: int = 0

    STEPS = (Pos(0, 1), Pos(1, 0), Pos(0, -1), Pos(-1, 0))

    def player(self):
        return self.ply % 2

    def actions(self):
        here = self.cat if self.ply % 2 == 0 else self.mouse
        return [i for i, step in enumerate(self.STEPS) if (here + step).on_board()]

    def result(self, i):
        step = self.STEPS[i]
        if self.ply % 2 == 0:
            return replace(self, cat=self.cat + step, ply=self.ply + 1)
        return replace(self, mouse=self.mouse + step, ply=self.ply + 1)

    def terminal(self):
        return self.cat == self.mouse or self.ply >= 10

    def utility(self):
        return 1 if self.cat == self.mouse else -1


class Othello44(NamedTuple):
    """Othello on 4x4 with a dict of positions built from the tuple."""

    board: tuple = tuple("....", ) * 4
    turn: str = "B"
    passed: bool = False

    def player(self):
        return 0 if self.turn == "B" else 1

    def as_dict(self):
        return {(i // 4, i % 4): c for i, c in enumerate(self.squares())}

    def squares(self):
        start = list(self.board)
        if all(c == "." for c in start):
            start[5] = start[10] = "W"
            start[6] = start[9] = "B"
        return start

    def flips(self, board, r, c):
        if board[r, c] != ".":
            return []
        other = "W" if self.turn == "B" else "B"
        found = []
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                line = []
                rr, cc = r + dr, c + dc
                while board.get((rr, cc), ".") == other:
                    line.append((rr, cc))
                    rr, cc = rr + dr, cc + dc
                if line and board.get((rr, cc), ".") == self.turn:
                    found.extend(line)
        return found

    def actions(self):
        board = self.as_dict()
        moves = [(r, c) for r in range(4) for c in range(4) if self.flips(board, r, c)]
        return moves or [(-1, -1)]

    def result(self, move):
        other = "W" if self.turn == "B" else "B"
        if move == (-1, -1):
            return Othello44(tuple(self.squares()), other, True)
        board = self.as_dict()
        for spot in self.flips(board, *move):
            board[spot] = self.turn
        board[move] = self.turn
        return Othello44(tuple(board[divmod(i, 4)] for i in range(16)), other, False)

    def terminal(self):
        return self.passed and self.actions() == [(-1, -1)] or "." not in self.squares()

    def utility(self):
        squares = self.squares()
        return squares.count("B") - squares.count("W")


class Notakto(NamedTuple):
    """Both play X; who makes a line loses. Rows, columns and diagonals by comprehension."""

    rows: tuple = ("---", "---", "---")
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(r, c) for r, row in enumerate(self.rows) for c, x in enumerate(row) if x == "-"]

    def result(self, where):
        r, c = where
        rows = list(self.rows)
        line = list(rows[r])
        line[c] = "X"
        rows[r] = "".join(line)
        return Notakto(tuple(rows), 1 - self.turn)

    def has_line(self):
        rows = list(self.rows)
        columns = ["".join(column) for column in zip(*rows)]
        diagonals = ["".join(rows[i][i] for i in range(3)), "".join(rows[i][2 - i] for i in range(3))]
        return "XXX" in rows + columns + diagonals

    def terminal(self):
        return self.has_line()

    def utility(self):
        return 1 if self.turn == 0 else -1


class Kayles2(NamedTuple):
    """Bowling pins as text, cut with split."""

    pins: str = "|||||||"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        single = [(i, 1) for i, p in enumerate(self.pins) if p == "|"]
        double = [(i, 2) for i in range(len(self.pins) - 1) if self.pins[i:i + 2] == "||"]
        return single + double

    def result(self, throw):
        i, k = throw
        return Kayles2(self.pins[:i] + " " * k + self.pins[i + k:], 1 - self.turn)

    def terminal(self):
        return not self.pins.strip()

    def utility(self):
        groups = self.pins.split()
        return (1 if self.turn == 1 else -1) + len(groups)


class Eight(NamedTuple):
    """A sliding puzzle of 2x3 with Manhattan distances."""

    tiles: tuple = (1, 2, 3, 4, 0, 5)
    steps: int = 0

    players = 1
    GOAL = (1, 2, 3, 4, 5, 0)

    def player(self):
        return 0

    def actions(self):
        r, c = divmod(self.tiles.index(0), 3)
        ways = {"up": (r - 1, c), "down": (r + 1, c), "left": (r, c - 1), "right": (r, c + 1)}
        return [w for w, (y, x) in ways.items() if 0 <= y < 2 and 0 <= x < 3]

    def result(self, way):
        gap = self.tiles.index(0)
        other = gap + {"up": -3, "down": 3, "left": -1, "right": 1}[way]
        tiles = list(self.tiles)
        tiles[gap], tiles[other] = tiles[other], tiles[gap]
        return self._replace(tiles=tuple(tiles), steps=self.steps + 1)

    def terminal(self):
        return self.tiles == self.GOAL or self.steps == 6

    def utility(self):
        return 1 if self.tiles == self.GOAL else 0

    def evaluate(self):
        return -sum(
            abs(i // 3 - self.GOAL.index(t) // 3) + abs(i % 3 - self.GOAL.index(t) % 3)
            for i, t in enumerate(self.tiles) if t
        )


class Bidding(NamedTuple):
    """min and max by key with a bound method, sorted by two keys, nested functions with nonlocal."""

    cards: tuple = (("ace", 11), ("king", 4), ("ten", 10), ("nine", 0))
    taken: tuple = (0, 0)

    points = True

    def player(self):
        return len(self.cards) % 2

    def worth(self, card):
        return card[1]

    def actions(self):
        ranked = sorted(self.cards, key=lambda card: (-card[1], card[0]))
        return [card[0] for card in ranked[:3]]

    def result(self, name):
        gained = 0

        def keep(card):
            nonlocal gained
            if card[0] == name:
                gained += card[1]
                return False
            return True

        cards = tuple(filter(keep, self.cards))
        taken = list(self.taken)
        taken[self.player()] += gained
        return Bidding(cards, tuple(taken))

    def terminal(self):
        return len(self.cards) == 0

    def utility(self):
        return self.taken[0] - self.taken[1]

    def evaluate(self):
        best = max(self.cards, key=self.worth) if self.cards else ("none", 0)
        return self.utility() + best[1]
