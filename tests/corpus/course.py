"""Small games as students hand them in."""
import copy
import itertools
from collections import defaultdict
from dataclasses import dataclass, field, replace
from enum import Enum, IntEnum, auto
from typing import List, NamedTuple, Optional, Tuple

ROWS, COLS = 3, 3
EMPTY = "-"


def lines():
    for r in range(ROWS):
        yield [(r, c) for c in range(COLS)]
    for c in range(COLS):
        yield [(r, c) for r in range(ROWS)]
    yield [(i, i) for i in range(ROWS)]
    yield [(i, COLS - 1 - i) for i in range(ROWS)]


@dataclass(frozen=True)
class Homework1:
    """Rows of characters, winner by set of a line."""

    board: Tuple[Tuple[str, ...], ...] = ((EMPTY,) * COLS,) * ROWS
    turn: str = "X"

    def player(self) -> int:
        return "XO".index(self.turn)

    def actions(self) -> List[Tuple[int, int]]:
        return [(r, c) for r, row in enumerate(self.board) for c, cell in enumerate(row) if cell == EMPTY]

    def result(self, action: Tuple[int, int]) -> "Homework1":
        board = [list(row) for row in self.board]
        board[action[0]][action[1]] = self.turn
        return Homework1(tuple(map(tuple, board)), "O" if self.turn == "X" else "X")

    def winner(self) -> Optional[str]:
        for line in lines():
            marks = set(self.board[r][c] for r, c in line)
            if len(marks) == 1 and EMPTY not in marks:
                r, c = line[0]
                return self.board[r][c]
        return None

    def terminal(self) -> bool:
        return self.winner() is not None or all(cell != EMPTY for row in self.board for cell in row)

    def utility(self) -> int:
        w = self.winner()
        if w == "X":
            return 1
        elif w == "O":
            return -1
        else:
            return 0


class Cell(Enum):
    EMPTY = auto()
    RED = auto()
    BLUE = auto()

    @property
    def other(self):
        return Cell.BLUE if self is Cell.RED else Cell.RED


class Gomoku4(NamedTuple):
    """Three in a row on a strip, cells are members of an enum."""

    cells: tuple = (Cell.EMPTY,) * 6
    turn: Cell = Cell.RED

    def player(self):
        return 0 if self.turn == Cell.RED else 1

    def actions(self):
        return [i for i, c in enumerate(self.cells) if c is Cell.EMPTY]

    def result(self, i):
        cells = list(self.cells)
        cells[i] = self.turn
        return Gomoku4(tuple(cells), self.turn.other)

    def has_won(self, who):
        run = 0
        for c in self.cells:
            run = run + 1 if c == who else 0
            if run == 3:
                return True
        return False

    def terminal(self):
        return self.has_won(Cell.RED) or self.has_won(Cell.BLUE) or not self.actions()

    def utility(self):
        return self.has_won(Cell.RED) - self.has_won(Cell.BLUE)


class Mancala4(NamedTuple):
    """Sowing with while loops; pits of both sides in one tuple."""

    pits: tuple = (2, 2, 2, 0, 2, 2, 2, 0)
    side: int = 0

    def player(self):
        return self.side

    def actions(self):
        start = self.side * 4
        return [i for i in range(start, start + 3) if self.pits[i] > 0]

    def result(self, pit):
        pits = list(self.pits)
        seeds, pits[pit] = pits[pit], 0
        pos = pit
        while seeds:
            pos = (pos + 1) % 8
            if pos == (7 if self.side == 0 else 3):
                continue
            pits[pos] += 1
            seeds -= 1
        store = 3 if self.side == 0 else 7
        if pos != store and pits[pos] == 1 and pos // 4 == self.side:
            opposite = 6 - pos
            pits[store] += pits[opposite] + 1
            pits[opposite] = pits[pos] = 0
        return Mancala4(tuple(pits), self.side if pos == store else 1 - self.side)

    def terminal(self):
        return not any(self.pits[0:3]) or not any(self.pits[4:7])

    def utility(self):
        return sum(self.pits[:4]) - sum(self.pits[4:])


class Isolation3(NamedTuple):
    """A frozenset of blocked squares."""

    blocked: frozenset = frozenset()
    here: tuple = ((0, 1), (2, 1))
    turn: int = 0

    def player(self):
        return self.turn

    def free(self, r, c):
        return 0 <= r < 3 and 0 <= c < 3 and (r, c) not in self.blocked and (r, c) not in self.here

    def actions(self):
        r, c = self.here[self.turn]
        moves = []
        for dr, dc in itertools.product((-1, 0, 1), repeat=2):
            if self.free(r + dr, c + dc):
                moves.append((r + dr, c + dc))
        return moves

    def result(self, move):
        old = self.here[self.turn]
        here = (move, self.here[1]) if self.turn == 0 else (self.here[0], move)
        return Isolation3(self.blocked | {old}, here, 1 - self.turn)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return -1 if self.turn == 0 else 1


@dataclass(frozen=True)
class Inventory:
    gold: int = 0
    items: tuple = ()


@dataclass(frozen=True)
class Auction:
    """Records inside a record, replaced one in the other."""

    left: Inventory = Inventory(3)
    right: Inventory = Inventory(3)
    lots: tuple = ("cup", "ring")
    turn: int = 0
    LOT_VALUES = {"cup": 2, "ring": 3}

    def player(self):
        return self.turn

    def actions(self):
        me = self.left if self.turn == 0 else self.right
        return ["pass"] + [f"buy {lot}" for lot in self.lots if me.gold >= self.LOT_VALUES[lot] - 1]

    def result(self, action):
        if action == "pass":
            return replace(self, turn=1 - self.turn, lots=self.lots[1:] if self.turn else self.lots)
        verb, lot = action.split()
        me = self.left if self.turn == 0 else self.right
        me = replace(me, gold=me.gold - self.LOT_VALUES[lot] + 1, items=me.items + (lot,))
        lots = tuple(x for x in self.lots if x != lot)
        if self.turn == 0:
            return replace(self, left=me, lots=lots, turn=1)
        return replace(self, right=me, lots=lots, turn=0)

    def terminal(self):
        return len(self.lots) == 0

    def utility(self):
        def worth(inventory):
            return inventory.gold + sum(self.LOT_VALUES[i] for i in inventory.items)

        return worth(self.left) - worth(self.right)


class Reversi4(NamedTuple):
    """A string of 16 squares, flips collected in a list, None to pass."""

    board: str = "." * 5 + "XO" + ".." + "OX" + "." * 5
    turn: str = "X"
    passes: int = 0

    def player(self):
        return 0 if self.turn == "X" else 1

    def flips(self, square):
        if self.board[square] != ".":
            return []
        enemy = "O" if self.turn == "X" else "X"
        row, col = divmod(square, 4)
        found = []
        for dr in range(-1, 2):
            for dc in range(-1, 2):
                if dr == dc == 0:
                    continue
                line = []
                r, c = row + dr, col + dc
                while 0 <= r < 4 and 0 <= c < 4 and self.board[4 * r + c] == enemy:
                    line.append(4 * r + c)
                    r += dr
                    c += dc
                if line and 0 <= r < 4 and 0 <= c < 4 and self.board[4 * r + c] == self.turn:
                    found += line
        return found

    def actions(self):
        moves = [s for s in range(16) if self.flips(s)]
        return moves if moves else [None]

    def result(self, square):
        enemy = "O" if self.turn == "X" else "X"
        if square is None:
            return Reversi4(self.board, enemy, self.passes + 1)
        changed = set(self.flips(square)) | {square}
        board = "".join(self.turn if i in changed else ch for i, ch in enumerate(self.board))
        return Reversi4(board, enemy, 0)

    def terminal(self):
        return self.passes == 2 or "." not in self.board

    def utility(self):
        return self.board.count("X") - self.board.count("O")


class PacmanTiny(NamedTuple):
    """A corridor with food, tuples of text rows, a ghost."""

    walls: tuple = ("#####", "#   #", "#####")
    pac: int = 1
    ghost: int = 3
    food: tuple = (False, False, True, True, False)
    turn: int = 0
    time: int = 0

    def player(self):
        return self.turn

    def actions(self):
        x = self.pac if self.turn == 0 else self.ghost
        return [name for name, d in [("West", -1), ("East", 1)] if self.walls[1][x + d] != "#"] or ["Stop"]

    def result(self, action):
        d = {"West": -1, "East": 1, "Stop": 0}[action]
        if self.turn == 0:
            x = self.pac + d
            return self._replace(pac=x, food=tuple(f and i != x for i, f in enumerate(self.food)), turn=1)
        return self._replace(ghost=self.ghost + d, turn=0, time=self.time + 1)

    def terminal(self):
        return self.pac == self.ghost or not any(self.food) or self.time >= 4

    def utility(self):
        score = -10 * self.food.count(True)
        if self.pac == self.ghost:
            score -= 100
        return score


class Dots(NamedTuple):
    """Dots and boxes, 1x2: edges as a tuple of bools, boxes by all()."""

    edges: Tuple[bool, ...] = (False,) * 7
    score: Tuple[int, int] = (0, 0)
    who: int = 0

    BOXES = ((0, 2, 4, 5), (1, 3, 5, 6))

    def player(self):
        return self.who

    def actions(self):
        return [i for i, drawn in enumerate(self.edges) if not drawn]

    def closed(self, edges):
        return sum(all(edges[e] for e in box) for box in self.BOXES)

    def result(self, edge):
        edges = self.edges[:edge] + (True,) + self.edges[edge + 1 :]
        gained = self.closed(edges) - self.closed(self.edges)
        score = tuple(s + gained * (i == self.who) for i, s in enumerate(self.score))
        return Dots(edges, score, self.who if gained else 1 - self.who)

    def terminal(self):
        return all(self.edges)

    def utility(self):
        a, b = self.score
        return a - b


class TowerDuel(NamedTuple):
    """Stacks as tuples of tuples; the top of a stack moves."""

    stacks: tuple = ((3, 2, 1), (), ())
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        result = []
        for i, a in enumerate(self.stacks):
            for j, b in enumerate(self.stacks):
                if i != j and a and (not b or a[-1] < b[-1]):
                    result.append((i, j))
        return result

    def result(self, move):
        i, j = move
        stacks = [list(s) for s in self.stacks]
        stacks[j].append(stacks[i].pop())
        return TowerDuel(tuple(tuple(s) for s in stacks), self.ply + 1)

    def terminal(self):
        return self.ply >= 6 or len(self.stacks[2]) == 3

    def utility(self):
        return sum(self.stacks[2]) - sum(self.stacks[1])


class Stone(IntEnum):
    NONE = 0
    BLACK = 1
    WHITE = 2


class GoStrip(NamedTuple):
    """Go on a strip of five: groups found with a stack and a set."""

    board: tuple = (Stone.NONE,) * 5
    turn: Stone = Stone.BLACK
    passes: int = 0
    ply: int = 0

    def player(self):
        return self.turn - 1

    def group(self, board, start):
        seen, stack, liberties = set(), [start], 0
        while stack:
            p = stack.pop()
            if p in seen:
                continue
            seen.add(p)
            for n in (p - 1, p + 1):
                if 0 <= n < 5:
                    if board[n] == Stone.NONE:
                        liberties += 1
                    elif board[n] == board[start]:
                        stack.append(n)
        return seen, liberties

    def actions(self):
        return [-1] + [i for i in range(5) if self.board[i] == Stone.NONE and self.ply < 8]

    def result(self, i):
        other = Stone(3 - self.turn)
        if i < 0:
            return GoStrip(self.board, other, self.passes + 1, self.ply + 1)
        board = list(self.board)
        board[i] = self.turn
        for n in (i - 1, i + 1):
            if 0 <= n < 5 and board[n] == other:
                group, liberties = self.group(board, n)
                if liberties == 0:
                    for p in sorted(group):
                        board[p] = Stone.NONE
        return GoStrip(tuple(board), other, 0, self.ply + 1)

    def terminal(self):
        return self.passes >= 2 or self.ply >= 9

    def utility(self):
        return self.board.count(Stone.BLACK) - self.board.count(Stone.WHITE)


class Snake2(NamedTuple):
    """Tails as tuples of positions, directions by name in a class dict."""

    a: tuple = ((0, 0),)
    b: tuple = ((2, 3),)
    turn: int = 0

    DIRS = {"U": (-1, 0), "D": (1, 0), "L": (0, -1), "R": (0, 1)}

    def player(self):
        return self.turn

    def actions(self):
        head, *_ = self.a if self.turn == 0 else self.b
        body = set(self.a) | set(self.b)
        good = ""
        for name, (dr, dc) in self.DIRS.items():
            cell = head[0] + dr, head[1] + dc
            if cell[0] in range(3) and cell[1] in range(4) and cell not in body:
                good += name
        return list(good)

    def result(self, name):
        dr, dc = self.DIRS[name]
        tail = self.a if self.turn == 0 else self.b
        tail = ((tail[0][0] + dr, tail[0][1] + dc), *tail)
        return Snake2(tail, self.b, 1) if self.turn == 0 else Snake2(self.a, tail, 0)

    def terminal(self):
        return self.actions() == []

    def utility(self):
        return 1 if self.turn else -1

    def evaluate(self):
        return len(self.a) - len(self.b)


class Battleline(NamedTuple):
    """Zip, sorted with keys, conditional sums."""

    hands: tuple = ((1, 4, 6), (2, 3, 5))
    flags: tuple = ((), ())
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return sorted(set(self.hands[self.turn]), key=lambda card: (-card % 3, card))

    def result(self, card):
        hand = list(self.hands[self.turn])
        hand.remove(card)
        hands = (tuple(hand), self.hands[1]) if self.turn == 0 else (self.hands[0], tuple(hand))
        flag = self.flags[self.turn] + (card,)
        flags = (flag, self.flags[1]) if not self.turn else (self.flags[0], flag)
        return Battleline(hands, flags, 1 - self.turn)

    def terminal(self):
        return not self.hands[0] and not self.hands[1]

    def utility(self):
        return sum(1 if a > b else -1 if a < b else 0 for a, b in zip(*self.flags))


class Shut(NamedTuple):
    """Shut the box with one die, a number of bits for the open tiles."""

    tiles: int = 0b11111
    roll: int = 0
    done: bool = False

    players = 1

    def player(self):
        return -1 if self.roll == 0 else 0

    def subsets(self):
        numbers = [i + 1 for i in range(5) if self.tiles >> i & 1]
        for size in range(1, len(numbers) + 1):
            for combo in itertools.combinations(numbers, size):
                if sum(combo) == self.roll:
                    yield combo

    def actions(self):
        if self.roll == 0:
            return [1, 2, 3, 4]
        found = [sum(1 << n - 1 for n in combo) for combo in self.subsets()]
        return found or [0]

    def probability(self, outcome):
        return 1 / 4

    def result(self, a):
        if self.roll == 0:
            return self._replace(roll=a)
        return Shut(self.tiles & ~a, 0, a == 0)

    def terminal(self):
        return self.done or self.tiles == 0

    def utility(self):
        return -bin(self.tiles).count("1")


class WordLadder(NamedTuple):
    """Players change a letter in turn; words seen may not come again."""

    word: str = "cat"
    used: Tuple[str, ...] = ("cat",)
    turn: int = 0

    WORDS = ["cat", "cot", "cog", "dog", "dot", "hat", "hot", "hog"]

    @staticmethod
    def differs_by_one(a, b):
        return sum(x != y for x, y in zip(a, b)) == 1

    def player(self):
        return self.turn

    def actions(self):
        return [w for w in self.WORDS if w not in self.used and self.differs_by_one(w, self.word)]

    def result(self, w):
        return WordLadder(w, self.used + (w,), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 - 2 * (self.turn == 0)


class Marbles(NamedTuple):
    """Default arguments, keyword arguments, a helper that returns several values."""

    bag: Tuple[int, int, int] = (2, 2, 1)
    mine: int = 0
    yours: int = 0
    turn: int = 0

    WORTH = (1, 2, 5)

    def take(self, colour, how_many=1, *, bonus=0):
        left = tuple(n - how_many * (i == colour) for i, n in enumerate(self.bag))
        return left, how_many * self.WORTH[colour] + bonus

    def player(self):
        return self.turn

    def actions(self):
        return [(c, k) for c in range(3) for k in (1, 2) if self.bag[c] >= k]

    def result(self, move):
        colour, k = move
        bag, gained = self.take(colour, how_many=k, bonus=1 if k == 2 else 0)
        if self.turn == 0:
            return Marbles(bag, self.mine + gained, self.yours, 1)
        return Marbles(bag, self.mine, self.yours + gained, 0)

    def terminal(self):
        return max(self.bag) == 0

    def utility(self):
        return self.mine - self.yours


@dataclass(frozen=True)
class Graph:
    """Cops and robbers: adjacency in a dict of lists, breadth-first search for the distance."""

    cop: int = 0
    robber: int = 3
    turn: int = 0
    clock: int = 6

    EDGES = [(0, 1), (1, 2), (2, 3), (3, 4), (4, 1)]

    @classmethod
    def neighbours(cls, node):
        found = []
        for a, b in cls.EDGES:
            if a == node:
                found.append(b)
            elif b == node:
                found.append(a)
        return found

    def distance(self, start, goal):
        queue, seen = [(start, 0)], {start}
        while queue:
            node, d = queue.pop(0)
            if node == goal:
                return d
            for n in self.neighbours(node):
                if n not in seen:
                    seen.add(n)
                    queue.append((n, d + 1))
        return -1

    def player(self):
        return self.turn

    def actions(self):
        here = self.cop if self.turn == 0 else self.robber
        return [here] + self.neighbours(here)

    def result(self, node):
        if self.turn == 0:
            return replace(self, cop=node, turn=1, clock=self.clock - 1)
        return replace(self, robber=node, turn=0, clock=self.clock - 1)

    def terminal(self):
        return self.cop == self.robber or self.clock == 0

    def utility(self):
        return 1 if self.cop == self.robber else -1

    def evaluate(self):
        return -self.distance(self.cop, self.robber)
