"""Games as people write them for themselves, late in the evening, from first programs to clever ones."""

import functools
import heapq
import itertools
import math
import operator
import string
from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum, Flag, IntEnum, auto
from functools import lru_cache, partial, reduce
from operator import attrgetter, itemgetter
from typing import NamedTuple, Optional, Tuple


class Chopsticks(NamedTuple):
    """A first program: every case written out."""

    left1: int = 1
    right1: int = 1
    left2: int = 1
    right2: int = 1
    turn: int = 1
    moves: int = 0

    def player(self):
        if self.turn == 1:
            return 0
        else:
            return 1

    def actions(self):
        a = []
        if self.turn == 1:
            my_left = self.left1
            my_right = self.right1
            his_left = self.left2
            his_right = self.right2
        else:
            my_left = self.left2
            my_right = self.right2
            his_left = self.left1
            his_right = self.right1
        if my_left != 0 and his_left != 0:
            a.append("ll")
        if my_left != 0 and his_right != 0:
            a.append("lr")
        if my_right != 0 and his_left != 0:
            a.append("rl")
        if my_right != 0 and his_right != 0:
            a.append("rr")
        return a

    def result(self, action):
        l1 = self.left1
        r1 = self.right1
        l2 = self.left2
        r2 = self.right2
        if self.turn == 1:
            n = l1 if action[0] == "l" else r1
            if action[1] == "l":
                l2 = l2 + n
            else:
                r2 = r2 + n
            if l2 >= 5:
                l2 = 0
            if r2 >= 5:
                r2 = 0
            return Chopsticks(l1, r1, l2, r2, 2, self.moves + 1)
        else:
            n = l2 if action[0] == "l" else r2
            if action[1] == "l":
                l1 = l1 + n
            else:
                r1 = r1 + n
            if l1 >= 5:
                l1 = 0
            if r1 >= 5:
                r1 = 0
            return Chopsticks(l1, r1, l2, r2, 1, self.moves + 1)

    def terminal(self):
        if self.left1 == 0 and self.right1 == 0:
            return True
        if self.left2 == 0 and self.right2 == 0:
            return True
        if self.moves > 50:
            return True
        return False

    def utility(self):
        if self.left1 == 0 and self.right1 == 0:
            return -1
        elif self.left2 == 0 and self.right2 == 0:
            return 1
        else:
            return 0


class Hex4(NamedTuple):
    """Hex with union-find, closures and sentinels for the sides."""

    cells: tuple = (0,) * 16
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i in range(16) if not self.cells[i]]

    def result(self, i):
        cells = list(self.cells)
        cells[i] = 1 + self.ply % 2
        return Hex4(tuple(cells), self.ply + 1)

    def winner(self):
        parent = list(range(20))  # 16 to 19: the sides

        def find(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        def union(a, b):
            a, b = find(a), find(b)
            if a != b:
                parent[a] = b

        for i, who in enumerate(self.cells):
            if who == 0:
                continue
            r, c = divmod(i, 4)
            for dr, dc in [(0, 1), (1, 0), (1, -1)]:
                rr, cc = r + dr, c + dc
                if 0 <= rr < 4 and 0 <= cc < 4 and self.cells[rr * 4 + cc] == who:
                    union(i, rr * 4 + cc)
            if who == 1:
                if r == 0: union(i, 16)
                if r == 3: union(i, 17)
            else:
                if c == 0: union(i, 18)
                if c == 3: union(i, 19)
        if find(16) == find(17):
            return 1
        if find(18) == find(19):
            return 2
        return 0

    def terminal(self):
        return self.winner() != 0

    def utility(self):
        return 1 if self.winner() == 1 else -1


class Amazons4(NamedTuple):
    """Amazons on four by four, texts for squares, generators for rays."""

    board: str = ".w..b......b..w."
    ply: int = 0

    def player(self):
        return self.ply % 2

    @staticmethod
    def rays(board, start):
        r, c = divmod(start, 4)
        for dr, dc in itertools.product((-1, 0, 1), repeat=2):
            if dr == dc == 0:
                continue
            rr, cc = r + dr, c + dc
            while 0 <= rr < 4 and 0 <= cc < 4 and board[4 * rr + cc] == ".":
                yield 4 * rr + cc
                rr += dr
                cc += dc

    def actions(self):
        me = "wb"[self.ply % 2]
        for start in range(16):
            if self.board[start] != me:
                continue
            for end in self.rays(self.board, start):
                moved = list(self.board)
                moved[start], moved[end] = ".", me
                for arrow in self.rays(moved, end):
                    yield start, end, arrow

    def result(self, move):
        start, end, arrow = move
        board = list(self.board)
        board[end] = board[start]
        board[start] = "."
        board[arrow] = "x"
        return Amazons4("".join(board), self.ply + 1)

    def terminal(self):
        return next(iter(self.actions()), None) is None

    def utility(self):
        return 1 if self.ply % 2 else -1


@dataclass(frozen=True, order=True)
class Pos:
    row: int
    col: int

    def __add__(self, other):
        return Pos(self.row + other.row, self.col + other.col)

    def inside(self, n=4):
        return 0 <= self.row < n and 0 <= self.col < n


DIRECTIONS = (Pos(0, 1), Pos(1, 0), Pos(0, -1), Pos(-1, 0))


@dataclass(frozen=True)
class SnakeDuel:
    """Two snakes on four by four; positions are dataclasses that can be added."""

    one: tuple = (Pos(0, 0),)
    two: tuple = (Pos(3, 3),)
    turn: int = 0

    def player(self):
        return self.turn

    def snakes(self):
        return (self.one, self.two)[self.turn], (self.two, self.one)[self.turn]

    def actions(self):
        mine, theirs = self.snakes()
        head = mine[-1]
        return [
            i for i, d in enumerate(DIRECTIONS)
            if (head + d).inside() and head + d not in mine and head + d not in theirs
        ]

    def result(self, i):
        mine, theirs = self.snakes()
        mine = mine + (mine[-1] + DIRECTIONS[i],)
        if len(mine) > 5:
            mine = mine[1:]
        one, two = (mine, theirs) if self.turn == 0 else (theirs, mine)
        return SnakeDuel(one, two, 1 - self.turn)

    def terminal(self):
        return not self.actions() or len(self.one) + len(self.two) >= 10 and self.one[0] == Pos(1, 1)

    def utility(self):
        if self.actions():
            return 0
        return -1 if self.turn == 0 else 1


class Clobber(NamedTuple):
    """Rows of a clobber board as a frozenset of (row, column, colour)."""

    stones: frozenset = frozenset((r, c, (r + c) % 2) for r in range(3) for c in range(4))
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [
            (r, c, r + dr, c + dc)
            for r, c, colour in sorted(self.stones)
            if colour == self.turn
            for dr, dc in ((-1, 0), (0, -1), (0, 1), (1, 0))
            if (r + dr, c + dc, 1 - colour) in self.stones
        ]

    def result(self, move):
        r, c, rr, cc = move
        gone = {(r, c, self.turn), (rr, cc, 1 - self.turn)}
        return Clobber((self.stones - gone) | {(rr, cc, self.turn)}, 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1


class Checkers(NamedTuple):
    """Checkers on four by six with forced captures that go on; recursion over boards as tuples."""

    board: tuple = ("b.b.", ".b.b", "....", "....", "w.w.", ".w.w")
    ply: int = 0

    def player(self):
        return self.ply % 2

    @property
    def me(self):
        return "wb"[self.ply % 2]

    @property
    def you(self):
        return "bw"[self.ply % 2]

    def put(self, board, *changes):
        rows = [list(row) for row in board]
        for r, c, what in changes:
            rows[r][c] = what
        return tuple("".join(row) for row in rows)

    def captures(self, board, r, c):
        """The sequences of squares in which a man captures."""
        found = []
        dr = -1 if self.me == "w" else 1
        for dc in (-1, 1):
            over, land = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
            if not (0 <= land[0] < 6 and 0 <= land[1] < 4):
                continue
            if board[over[0]][over[1]] == self.you and board[land[0]][land[1]] == ".":
                after = self.put(board, (r, c, "."), (*over, "."), (*land, self.me))
                further = self.captures(after, *land)
                if further:
                    found.extend((land, *rest) for rest in further)
                else:
                    found.append((land,))
        return found

    def actions(self):
        men = [(r, c) for r in range(6) for c in range(4) if self.board[r][c] == self.me]
        jumps = [((r, c), *way) for r, c in men for way in self.captures(self.board, r, c)]
        if jumps:
            return jumps
        dr = -1 if self.me == "w" else 1
        return [
            ((r, c), (r + dr, c + dc))
            for r, c in men
            for dc in (-1, 1)
            if 0 <= r + dr < 6 and 0 <= c + dc < 4 and self.board[r + dr][c + dc] == "."
        ]

    def result(self, path):
        board = self.board
        for (r, c), (rr, cc) in zip(path, path[1:]):
            changes = [(r, c, "."), (rr, cc, self.me)]
            if abs(rr - r) == 2:
                changes.append(((r + rr) // 2, (c + cc) // 2, "."))
            board = self.put(board, *changes)
        return Checkers(board, self.ply + 1)

    def terminal(self):
        return self.me in self.board[-1 if self.me == "b" else 0] or not self.actions()

    def utility(self):
        count = Counter("".join(self.board))
        return (count["w"] > count["b"]) - (count["w"] < count["b"])


class Othello4(NamedTuple):
    """Othello as a dict of positions that is rebuilt from a tuple of items."""

    items: tuple = (((1, 1), "W"), ((1, 2), "B"), ((2, 1), "B"), ((2, 2), "W"))
    turn: str = "B"
    passed: bool = False

    def player(self):
        return 0 if self.turn == "B" else 1

    def flips(self, board, pos):
        if pos in board:
            return []
        other = {"B": "W", "W": "B"}[self.turn]
        turned = []
        for d in itertools.product([-1, 0, 1], [-1, 0, 1]):
            if d == (0, 0):
                continue
            line = []
            p = (pos[0] + d[0], pos[1] + d[1])
            while board.get(p) == other:
                line.append(p)
                p = (p[0] + d[0], p[1] + d[1])
            if line and board.get(p) == self.turn:
                turned += line
        return turned

    def actions(self):
        board = dict(self.items)
        squares = itertools.product(range(4), range(4))
        return [s for s in squares if self.flips(board, s)] or [None]

    def result(self, pos):
        other = "W" if self.turn == "B" else "B"
        if pos is None:
            return Othello4(self.items, other, True)
        board = dict(self.items)
        for p in self.flips(board, pos) + [pos]:
            board[p] = self.turn
        return Othello4(tuple(sorted(board.items())), other, False)

    def terminal(self):
        return self.passed and self.actions() == [None] or len(self.items) == 16

    def utility(self):
        colours = [colour for _, colour in self.items]
        return colours.count("B") - colours.count("W")


class Col(NamedTuple):
    """Colouring a path of nodes so that no neighbours are alike; texts only."""

    path: str = "-------"
    first: bool = True

    def player(self):
        return int(not self.first)

    def actions(self):
        mark = "RL"[self.first]
        padded = f"-{self.path}-"
        return [i for i, ch in enumerate(self.path) if ch == "-" and mark not in padded[i : i + 3]]

    def result(self, i):
        mark = "L" if self.first else "R"
        return Col(f"{self.path[:i]}{mark}{self.path[i + 1:]}", not self.first)

    def terminal(self):
        return not len(self.actions())

    def utility(self):
        return -1 if self.first else 1

    def action_text(self, action):
        return f"{action}"

    def as_line(self):
        return f"|{self.path:^11}|"


class Score4(NamedTuple):
    """Three by three by three with gravity; lines found once, by a function of the module."""

    columns: tuple = ((),) * 9
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [i for i, column in enumerate(self.columns) if len(column) < 3]

    def result(self, i):
        columns = tuple(col + (self.ply % 2,) if k == i else col for k, col in enumerate(self.columns))
        return Score4(columns, self.ply + 1)

    def at(self, x, y, z):
        column = self.columns[3 * y + x]
        return column[z] if z < len(column) else None

    def winner(self):
        for line in lines_3d():
            marks = {self.at(*p) for p in line}
            if len(marks) == 1 and None not in marks:
                return max(marks)
        return None

    def terminal(self):
        return self.winner() is not None or self.ply == 27

    def utility(self):
        w = self.winner()
        return {None: 0, 0: 1, 1: -1}[w]


@lru_cache(maxsize=None)
def lines_3d():
    points = list(itertools.product(range(3), repeat=3))
    found = set()
    for p in points:
        for d in points:
            step = tuple(x - 1 for x in d)
            if not any(step):
                continue
            line = tuple(tuple(a + k * s for a, s in zip(p, step)) for k in range(3))
            if all(0 <= x < 3 for q in line for x in q):
                found.add(tuple(sorted(line)))
    return sorted(found)


class CantStop(NamedTuple):
    """Two dice, columns and a decision to go on; partial, itemgetter and sets."""

    progress: tuple = ((0, 0, 0), (0, 0, 0))
    runners: tuple = (0, 0, 0)
    dice: tuple = ()
    stage: str = "choose"
    turn: int = 0
    count: int = 0

    GOAL = 3

    def player(self):
        return -1 if self.stage == "roll" else self.turn

    def actions(self):
        if self.stage == "roll":
            return [(a, b) for a in range(1, 4) for b in range(a, 4)]
        if self.stage == "move":
            return sorted({(d, d) for d in self.dice if self.height(d - 1) < self.GOAL}) or [(0, 0)]
        return [(1, 0), (0, 1)] if any(self.runners) else [(1, 0)]

    def probability(self, dice):
        return 1 / 9 if dice[0] == dice[1] else 2 / 9

    def height(self, column):
        return self.progress[self.turn][column] + self.runners[column]

    def result(self, a):
        if self.stage == "roll":
            return self._replace(dice=a, stage="move")
        if self.stage == "move":
            if a == (0, 0):
                return CantStop(self.progress, turn=1 - self.turn, count=self.count + 1)
            runners = list(self.runners)
            runners[a[0] - 1] += 1
            return self._replace(runners=tuple(runners), dice=(), stage="choose")
        if a == (1, 0):
            return self._replace(stage="roll", count=self.count + 1)
        mine = tuple(map(operator.add, self.progress[self.turn], self.runners))
        progress = (mine, self.progress[1]) if self.turn == 0 else (self.progress[0], mine)
        return CantStop(progress, turn=1 - self.turn, count=self.count + 1)

    def done(self, who):
        return sum(h >= self.GOAL for h in self.progress[who]) >= 2

    def terminal(self):
        return self.stage == "choose" and (self.done(0) or self.done(1) or self.count >= 60)

    def utility(self):
        return self.done(0) - self.done(1)


class Terrain(Flag):
    PLAIN = 0
    WOOD = 1
    HILL = 2


class March(NamedTuple):
    """Two armies on a line of terrain; heapq for the shortest march, flags for what slows it."""

    armies: tuple = (0, 5)
    land: tuple = (Terrain.PLAIN, Terrain.WOOD, Terrain.HILL, Terrain.HILL, Terrain.PLAIN, Terrain.PLAIN)
    supply: tuple = (6, 6)
    turn: int = 0

    def cost(self, i):
        return 1 + (Terrain.WOOD in self.land[i]) + 2 * bool(self.land[i] & Terrain.HILL)

    def player(self):
        return self.turn

    def actions(self):
        at = self.armies[self.turn]
        near = [n for n in (at - 1, at + 1) if 0 <= n < len(self.land) and n != self.armies[1 - self.turn]]
        return [n for n in near if self.cost(n) <= self.supply[self.turn]] + [-1]

    def result(self, n):
        armies, supply = list(self.armies), list(self.supply)
        if n == -1:
            supply[self.turn] -= 1
        else:
            supply[self.turn] -= self.cost(n)
            armies[self.turn] = n
        return self._replace(armies=tuple(armies), supply=tuple(supply), turn=1 - self.turn)

    def shortest(self, start, goal):
        heap = [(0, start)]
        done = set()
        while heap:
            cost, at = heapq.heappop(heap)
            if at == goal:
                return cost
            if at in done:
                continue
            done.add(at)
            for n in (at - 1, at + 1):
                if 0 <= n < len(self.land):
                    heapq.heappush(heap, (cost + self.cost(n), n))
        return 99

    def terminal(self):
        return min(self.supply) <= 0

    def utility(self):
        a = self.shortest(self.armies[0], 5)
        b = self.shortest(self.armies[1], 0)
        return (a < b) - (a > b)


class Rhyme(NamedTuple):
    """A game of words: what fits is found with string methods."""

    words: tuple = ("night", "light", "day", "way", "knight", "sway", "moon", "soon")
    said: str = "bright"
    scores: tuple = (0, 0)
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        fitting = [w for w in self.words if self.rhymes(w)]
        return fitting or list(self.words[:2])

    def rhymes(self, word):
        vowels = "aeiouy"
        tail = lambda w: w[max(i for i, ch in enumerate(w) if ch in vowels) :]
        return tail(word) == tail(self.said) or word.endswith(self.said[-2:])

    def result(self, word):
        gain = len(word) * 2 if self.rhymes(word) else 1
        i = self.words.index(word)
        scores = tuple(s + gain if k == self.turn else s for k, s in enumerate(self.scores))
        return Rhyme(self.words[:i] + self.words[i + 1 :], word, scores, 1 - self.turn)

    def terminal(self):
        return len(self.words) < 2

    def utility(self):
        one, two = self.scores
        return one - two


class Auctioneer(NamedTuple):
    """Bids in turn; try and except as control flow, and a dict of handlers."""

    purses: tuple = (7, 7)
    bid: int = 0
    lots: tuple = (4, 2, 5)
    gained: tuple = (0, 0)
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        try:
            lot = self.lots[0]
        except IndexError:
            return []
        return [0] + [b for b in range(self.bid + 1, min(self.purses[self.turn], lot + 1) + 1)]

    def result(self, b):
        handlers = {True: self._fold, False: self._raise}
        return handlers[b == 0](b)

    def _fold(self, b):
        other = 1 - self.turn
        purses = tuple(p - self.bid if i == other else p for i, p in enumerate(self.purses))
        gained = tuple(g + self.lots[0] if i == other else g for i, g in enumerate(self.gained))
        return Auctioneer(purses, 0, self.lots[1:], gained, other)

    def _raise(self, b):
        return self._replace(bid=b, turn=1 - self.turn)

    def terminal(self):
        return not self.lots

    def utility(self):
        a, b = map(sum, zip(self.gained, self.purses))
        return a - b


class Halma(NamedTuple):
    """Four by four, steps and chains of jumps found by breadth-first search with paths."""

    mine: tuple = ((0, 0), (0, 1), (1, 0))
    theirs: tuple = ((3, 3), (3, 2), (2, 3))
    ply: int = 0

    def player(self):
        return self.ply % 2

    def reach(self, start):
        taken = set(self.mine + self.theirs)
        queue = deque([(start, [])])
        seen = {start}
        longest = []
        while queue:
            (r, c), path = queue.popleft()
            if len(path) > len(longest):
                longest = path
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0)):
                over, land = (r + dr, c + dc), (r + 2 * dr, c + 2 * dc)
                if over in taken and land not in taken and land not in seen and min(land) >= 0 and max(land) <= 3:
                    seen.add(land)
                    queue.append((land, path + [land]))
        return sorted(seen - {start}), longest

    def actions(self):
        found = []
        pieces = self.mine if self.ply % 2 == 0 else self.theirs
        for r, c in pieces:
            for spot in ((r, c + 1), (r + 1, c), (r, c - 1), (r - 1, c)):
                if 0 <= spot[0] < 4 and 0 <= spot[1] < 4 and spot not in self.mine + self.theirs:
                    found.append(((r, c), spot))
            found += [((r, c), land) for land in self.reach((r, c))[0]]
        return found

    def result(self, move):
        start, end = move
        swap = lambda pieces: tuple(sorted(end if p == start else p for p in pieces))
        if self.ply % 2 == 0:
            return Halma(swap(self.mine), self.theirs, self.ply + 1)
        return Halma(self.mine, swap(self.theirs), self.ply + 1)

    def home(self):
        return sum(map(sum, self.mine)) >= 15, sum(map(sum, self.theirs)) <= 3

    def terminal(self):
        return any(self.home()) or self.ply >= 40 or not self.actions()

    def utility(self):
        one, two = self.home()
        return one - two

    def evaluate(self):
        chains = sum(len(self.reach(p)[1]) for p in self.mine) - sum(len(self.reach(p)[1]) for p in self.theirs)
        return chains + sum(r + c for r, c in self.mine)


class Bulls(NamedTuple):
    """A bag of weights that both draw from; statistics and rounding."""

    weights: tuple = (2.5, 1.0, 4.0, 3.5, 0.5)
    held: tuple = ((), ())
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return list(range(len(self.weights)))

    def result(self, i):
        weight = self.weights[i]
        rest = [w for k, w in enumerate(self.weights) if k != i]
        held = tuple(h + (weight,) if who == self.turn else h for who, h in enumerate(self.held))
        return Bulls(tuple(rest), held, 1 - self.turn)

    def spread(self, values):
        if len(values) < 2:
            return 0.0
        mean = sum(values) / len(values)
        return math.sqrt(sum((v - mean) ** 2 for v in values) / (len(values) - 1))

    def terminal(self):
        return not self.weights

    def utility(self):
        a, b = (round(self.spread(h) * 100) for h in self.held)
        return -1 if a > b else 1 if a < b else 0


class Trail(NamedTuple):
    """A knight that must not return; sorted by Warnsdorff's rule with key=."""

    at: tuple = (0, 0)
    seen: tuple = ((0, 0),)
    turn: int = 0

    def player(self):
        return self.turn

    def free(self, spot):
        jumps = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]
        around = ((spot[0] + a, spot[1] + b) for a, b in jumps)
        return [s for s in around if 0 <= s[0] < 4 and 0 <= s[1] < 4 and s not in self.seen]

    def actions(self):
        return sorted(self.free(self.at), key=lambda s: (len(self.free(s)), s))

    def result(self, spot):
        return Trail(spot, self.seen + (spot,), self.turn ^ 1)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn else -1


class Morse(NamedTuple):
    """Dots and dashes are taken from the ends of letters; a dict comprehension over two texts."""

    message: tuple = ("s", "o", "s")
    ends: tuple = (0, 0, 0)
    turn: int = 0

    CODE = dict(zip("etianmsurwdkgo", ".|-|..|.-|-.|--|...|..-|.-.|.--|-..|-.-|--.|---".split("|")))

    def player(self):
        return self.turn

    def left(self, i):
        return self.CODE[self.message[i]][self.ends[i] :]

    def actions(self):
        return [(i, n) for i in range(len(self.message)) for n in (1, 2) if n <= len(self.left(i))]

    def result(self, a):
        i, n = a
        ends = [e + n if k == i else e for k, e in enumerate(self.ends)]
        return self._replace(ends=tuple(ends), turn=1 - self.turn)

    def terminal(self):
        return all(self.left(i) == "" for i in range(len(self.message)))

    def utility(self):
        return -1 if self.turn == 0 else 1


class Ring(NamedTuple):
    """Counting out in a ring: a deque that rotates."""

    people: tuple = tuple("abcdefg")
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [2, 3, 4]

    def result(self, n):
        ring = deque(self.people)
        ring.rotate(-(n - 1))
        ring.popleft()
        return Ring(tuple(ring), 1 - self.turn)

    def terminal(self):
        return len(self.people) == 1

    def utility(self):
        return 1 if self.people[0] in "aeiou" else -1


class Spread(NamedTuple):
    """Colours flood a grid; sets of positions, | and &, and a while with a growing frontier."""

    grid: tuple = ("abca", "bacb", "cabc", "acba")
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def corner(self, who):
        return (0, 0) if who == 0 else (3, 3)

    def region(self, who):
        r0, c0 = self.corner(who)
        colour = self.grid[r0][c0]
        region, frontier = set(), {(r0, c0)}
        while frontier:
            region |= frontier
            frontier = {
                (r + dr, c + dc)
                for r, c in frontier
                for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0))
                if 0 <= r + dr < 4 and 0 <= c + dc < 4 and self.grid[r + dr][c + dc] == colour
            } - region
        return region

    def actions(self):
        used = {self.grid[r][c] for r, c in map(self.corner, (0, 1))}
        return [colour for colour in "abc" if colour not in used] or ["a"]

    def result(self, colour):
        region = self.region(self.ply % 2)
        rows = ["".join(colour if (r, c) in region else x for c, x in enumerate(row)) for r, row in enumerate(self.grid)]
        return Spread(tuple(rows), self.ply + 1)

    def terminal(self):
        return self.ply >= 12 or len(self.region(0) | self.region(1)) == 16

    def utility(self):
        return len(self.region(0)) - len(self.region(1))


class Gap(NamedTuple):
    """Numbers are struck out; what counts are the gaps between those that remain."""

    numbers: tuple = tuple(range(1, 10))
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return [n for n in self.numbers if all(n % d or d == n for d in self.numbers if d > 1)]

    def result(self, n):
        return Gap(tuple(x for x in self.numbers if x % n if n != 1) or tuple(x for x in self.numbers if x > 1 and n == 1), self.turn ^ 1)

    def gaps(self):
        pairs = zip(self.numbers, self.numbers[1:])
        return sorted((b - a for a, b in pairs), reverse=True)

    def terminal(self):
        return len(self.numbers) < 3 or not self.actions()

    def utility(self):
        first, *_ = self.gaps() or [0]
        return first if self.turn else -first


class Thermostat(NamedTuple):
    """Physics: two players push a temperature; helper functions with floats and clamps."""

    celsius: float = 20.0
    step: int = 0

    def player(self):
        return self.step % 2

    def actions(self):
        return ["heat", "hold", "cool"]

    def result(self, a):
        power = {"heat": 3.0, "hold": 0.0, "cool": -2.5}[a]
        outside = 10.0
        k = 0.15
        new = self.celsius + power - k * (self.celsius - outside)
        return Thermostat(clamp(round(new * 10) / 10, -5.0, 40.0), self.step + 1)

    def terminal(self):
        return self.step == 8 or self.celsius >= 26

    def utility(self):
        return 1 if self.celsius > 19.5 else -1 if self.celsius < 18.0 else 0


def clamp(x, low, high):
    return max(low, min(high, x))


class Pairs(NamedTuple):
    """Open pairs: a memory game with nothing hidden; any, all, zip and sets of frozensets avoided."""

    cards: str = "abcabc"
    up: int = -1
    scores: tuple = (0, 0)
    turn: int = 0
    flips: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, card in enumerate(self.cards) if card.isalpha() and i != self.up]

    def result(self, i):
        if self.up < 0:
            return self._replace(up=i, flips=self.flips + 1)
        if self.cards[i] == self.cards[self.up]:
            card = self.cards[i]
            scores = [s + (who == self.turn) for who, s in enumerate(self.scores)]
            return Pairs(self.cards.replace(card, "."), -1, tuple(scores), self.turn, self.flips + 1)
        return self._replace(up=-1, turn=1 - self.turn, flips=self.flips + 1)

    def terminal(self):
        return set(self.cards) == {"."} or self.flips >= 14

    def utility(self):
        return self.scores[0] - self.scores[1]
