"""Games as the groups of a programming workshop wrote them, each in a style of its own."""

# mypy: ignore-errors
# ruff: noqa

import enum
import functools
import itertools
import operator
from collections import Counter, defaultdict, deque, namedtuple
from dataclasses import dataclass, field, replace
from typing import NamedTuple, Optional


# --- dots and boxes: edges as a tuple of bools, boxes by a lookup table computed by comprehension ---------


class DotsAndBoxes(NamedTuple):
    edges: tuple = (False,) * 12
    scores: tuple = (0, 0)
    turn: int = 0

    H = [[r * 2 + c for c in range(2)] for r in range(3)]
    V = [[6 + r * 3 + c for c in range(3)] for r in range(2)]
    BOXES = tuple((r * 2 + c, (r + 1) * 2 + c, 6 + r * 3 + c, 6 + r * 3 + c + 1) for r in range(2) for c in range(2))

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, drawn in enumerate(self.edges) if not drawn]

    def result(self, edge):
        edges = self.edges[:edge] + (True,) + self.edges[edge + 1 :]
        closed = sum(1 for box in self.BOXES if edge in box and all(edges[e] for e in box))
        scores = list(self.scores)
        scores[self.turn] += closed
        return DotsAndBoxes(edges, tuple(scores), self.turn if closed else 1 - self.turn)

    def terminal(self):
        return all(self.edges)

    def utility(self):
        return self.scores[0] - self.scores[1]


# --- nim variants ------------------------------------------------------------------------------------------


class Move(NamedTuple):
    pile: int
    count: int


class NimRecords(NamedTuple):
    """A NamedTuple as the action."""

    piles: tuple = (1, 2, 3)
    first: bool = True

    def player(self):
        return 0 if self.first else 1

    def actions(self):
        return [Move(p, n) for p, size in enumerate(self.piles) for n in range(1, size + 1)]

    def result(self, move):
        piles = [*self.piles]
        piles[move.pile] -= move.count
        return self._replace(piles=tuple(piles), first=not self.first)

    def terminal(self):
        return not any(self.piles)

    def utility(self):
        return -1 if self.first else 1

    def evaluate(self):
        return 1 if functools.reduce(operator.xor, self.piles) else -1


@dataclass(frozen=True)
class Grundy:
    """Grundy's game: split a heap into two unequal ones; heaps kept sorted."""

    heaps: tuple[int, ...] = (7,)
    to_move: int = 0

    def player(self):
        return self.to_move

    def actions(self):
        moves = set()
        for i, heap in enumerate(self.heaps):
            for a in range(1, (heap + 1) // 2):
                if a != heap - a:
                    moves.add((heap, a))
        return sorted(moves)

    def result(self, action):
        heap, part = action
        rest = list(self.heaps)
        rest.remove(heap)
        rest += [part, heap - part]
        return replace(self, heaps=tuple(sorted(rest)), to_move=1 - self.to_move)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return 1 if self.to_move == 1 else -1


class SubtractSquare(NamedTuple):
    n: int = 19
    who: int = 0

    @staticmethod
    def squares(limit):
        k = 1
        while (sq := k * k) <= limit:
            yield sq
            k += 1

    def player(self):
        return self.who

    def actions(self):
        yield from self.squares(self.n)

    def result(self, s):
        return SubtractSquare(self.n - s, self.who ^ 1)

    def terminal(self):
        return self.n == 0

    def utility(self):
        return 1 if self.who else -1


# --- mancala on lists --------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Mancala:
    pits: tuple = (2, 2, 2, 0, 2, 2, 2, 0)
    side: int = 0

    STORES = {0: 3, 1: 7}

    def player(self):
        return self.side

    def own(self, side=None):
        side = self.side if side is None else side
        return range(0, 3) if side == 0 else range(4, 7)

    def actions(self):
        return [p for p in self.own() if self.pits[p] > 0]

    def result(self, pit):
        pits = list(self.pits)
        seeds, pits[pit] = pits[pit], 0
        at = pit
        other_store = self.STORES[1 - self.side]
        while seeds > 0:
            at = (at + 1) % 8
            if at == other_store:
                continue
            pits[at] += 1
            seeds -= 1
        if at in self.own() and pits[at] == 1 and pits[6 - at] > 0:
            pits[self.STORES[self.side]] += pits[6 - at] + 1
            pits[at] = pits[6 - at] = 0
        side = self.side if at == self.STORES[self.side] else 1 - self.side
        if not any(pits[p] for p in self.own(side)):
            for p in self.own(1 - side):
                pits[self.STORES[1 - side]] += pits[p]
                pits[p] = 0
        return Mancala(tuple(pits), side)

    def terminal(self):
        return self.pits[3] + self.pits[7] == sum(self.pits)

    def utility(self):
        return self.pits[3] - self.pits[7]


# --- Hex on rows, a flood fill with a deque ---------------------------------------------------------------


class Hex(NamedTuple):
    rows: tuple = (".....",) * 3
    player_: str = "R"

    def player(self):
        return "RB".index(self.player_)

    def neighbours(self, r, c):
        for dr, dc in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)]:
            if 0 <= r + dr < len(self.rows) and 0 <= c + dc < len(self.rows[0]):
                yield r + dr, c + dc

    def actions(self):
        return [(r, c) for r, row in enumerate(self.rows) for c, cell in enumerate(row) if cell == "."]

    def result(self, action):
        r, c = action
        row = self.rows[r]
        new = row[:c] + self.player_ + row[c + 1 :]
        return Hex(self.rows[:r] + (new,) + self.rows[r + 1 :], "B" if self.player_ == "R" else "R")

    def connected(self, who):
        height, width = len(self.rows), len(self.rows[0])
        if who == "R":
            start = [(0, c) for c in range(width) if self.rows[0][c] == "R"]
        else:
            start = [(r, 0) for r in range(height) if self.rows[r][0] == "B"]
        seen, queue = set(start), deque(start)
        while queue:
            r, c = queue.popleft()
            if (who == "R" and r == height - 1) or (who == "B" and c == width - 1):
                return True
            for n in self.neighbours(r, c):
                if n not in seen and self.rows[n[0]][n[1]] == who:
                    seen.add(n)
                    queue.append(n)
        return False

    def terminal(self):
        return self.connected("R") or self.connected("B")

    def utility(self):
        return 1 if self.connected("R") else -1

    def __str__(self):
        return "\n".join(f"{' ' * i}{' '.join(row)}" for i, row in enumerate(self.rows))


# --- a checkers-like game with captures --------------------------------------------------------------------


class Piece(enum.Enum):
    NONE = "."
    WHITE = "w"
    BLACK = "b"

    @property
    def other(self):
        return {Piece.WHITE: Piece.BLACK, Piece.BLACK: Piece.WHITE}.get(self, Piece.NONE)


W, B, N = Piece.WHITE, Piece.BLACK, Piece.NONE


class MiniCheckers(NamedTuple):
    """4x4 checkers: men alone, captures are forced."""

    board: tuple = (N, B, N, B, N, N, N, N, N, N, N, N, W, N, W, N)
    mover: Piece = Piece.WHITE
    quiet: int = 0

    def player(self):
        return 0 if self.mover is Piece.WHITE else 1

    def jumps_and_steps(self):
        jumps, steps = [], []
        forward = -1 if self.mover == Piece.WHITE else 1
        for square in range(16):
            if self.board[square] != self.mover:
                continue
            row, col = square // 4, square % 4
            for side in (-1, 1):
                r, c = row + forward, col + side
                if not (0 <= r < 4 and 0 <= c < 4):
                    continue
                if self.board[r * 4 + c] == Piece.NONE:
                    steps.append((square, r * 4 + c))
                elif self.board[r * 4 + c] == self.mover.other:
                    r2, c2 = r + forward, c + side
                    if 0 <= r2 < 4 and 0 <= c2 < 4 and self.board[r2 * 4 + c2] == Piece.NONE:
                        jumps.append((square, r2 * 4 + c2))
        return jumps, steps

    def actions(self):
        jumps, steps = self.jumps_and_steps()
        return jumps or steps

    def result(self, action):
        start, end = action
        cells = list(self.board)
        cells[end], cells[start] = cells[start], Piece.NONE
        took = abs(end // 4 - start // 4) == 2
        if took:
            cells[(start + end) // 2] = Piece.NONE
        return MiniCheckers(tuple(cells), self.mover.other, 0 if took else self.quiet + 1)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.mover is Piece.WHITE else 1

    def evaluate(self):
        tally = Counter(self.board)
        return tally[Piece.WHITE] - tally[Piece.BLACK]


# --- Quoridor-lite: two pawns, walls as a frozenset, BFS that a way is left --------------------------------


class Quoridorette(NamedTuple):
    me: tuple = (3, 1)
    you: tuple = (0, 1)
    walls: tuple = ()
    turn: int = 0
    ply: int = 0

    SIZE = 4

    def player(self):
        return self.turn

    def blocked(self, a, b):
        return any({a, b} == {w[0], w[1]} for w in self.walls)

    def around(self, cell):
        r, c = cell
        found = []
        for dr, dc in ((-1, 0), (1, 0), (0, -1), (0, 1)):
            n = (r + dr, c + dc)
            if 0 <= n[0] < 4 and 0 <= n[1] < 4 and (cell, n) not in self.walls and (n, cell) not in self.walls:
                found.append(n)
        return found

    def distance(self, start, goal_row):
        dist = {start: 0}
        queue = deque([start])
        while queue:
            here = queue.popleft()
            if here[0] == goal_row:
                return dist[here]
            for n in self.around(here):
                if n not in dist:
                    dist[n] = dist[here] + 1
                    queue.append(n)
        return -1

    def actions(self):
        here, there = (self.me, self.you) if self.turn == 0 else (self.you, self.me)
        return [(r, c) for r, c in self.around(here) if (r, c) != there]

    def result(self, action):
        if self.turn == 0:
            return self._replace(me=action, turn=1, ply=self.ply + 1)
        return self._replace(you=action, turn=0, ply=self.ply + 1)

    def terminal(self):
        return self.me[0] == 0 or self.you[0] == 3 or self.ply >= 10 or not self.actions()

    def utility(self):
        if self.me[0] == 0:
            return 1
        return -1 if self.you[0] == 3 else 0

    def evaluate(self):
        return self.distance(self.you, 3) - self.distance(self.me, 0)


# --- gomoku on a tuple of strings ---------------------------------------------------------------------------


class Gomoku(NamedTuple):
    """Four in a row on 5x5."""

    board: tuple = ("-----",) * 5
    stones: int = 0

    def player(self):
        return self.stones % 2

    def actions(self):
        return [(y, x) for y in range(5) for x in range(5) if self.board[y][x] == "-"]

    def result(self, move):
        y, x = move
        row = list(self.board[y])
        row[x] = "XO"[self.stones % 2]
        lines = list(self.board)
        lines[y] = "".join(row)
        return Gomoku(tuple(lines), self.stones + 1)

    def lines(self):
        yield from self.board
        for column in zip(*self.board):
            yield "".join(column)
        for d in range(-1, 2):
            yield "".join(self.board[i][i + d] for i in range(5) if 0 <= i + d < 5)
            yield "".join(self.board[i][4 - i + d] for i in range(5) if 0 <= 4 - i + d < 5)

    def has(self, who):
        return any(who * 4 in line for line in self.lines())

    def terminal(self):
        return self.has("X") or self.has("O") or self.stones == 25

    def utility(self):
        return 1 if self.has("X") else -1 if self.has("O") else 0


# --- Othello with direction lists ---------------------------------------------------------------------------

DIRECTIONS = [(dy, dx) for dy in (-1, 0, 1) for dx in (-1, 0, 1) if (dy, dx) != (0, 0)]


@dataclass(frozen=True)
class Othello:
    grid: tuple = ((0, 0, 0, 0), (0, 2, 1, 0), (0, 1, 2, 0), (0, 0, 0, 0))
    turn: int = 1
    passes: int = 0

    def player(self):
        return self.turn - 1

    def flips(self, y, x):
        if self.grid[y][x]:
            return []
        found = []
        for dy, dx in DIRECTIONS:
            line = []
            yy, xx = y + dy, x + dx
            while 0 <= yy < 4 and 0 <= xx < 4 and self.grid[yy][xx] == 3 - self.turn:
                line.append((yy, xx))
                yy, xx = yy + dy, xx + dx
            else:
                if line and 0 <= yy < 4 and 0 <= xx < 4 and self.grid[yy][xx] == self.turn:
                    found.extend(line)
        return found

    def actions(self):
        moves = [(y, x) for y in range(4) for x in range(4) if self.flips(y, x)]
        return moves if moves else [(-1, -1)]

    def result(self, move):
        y, x = move
        if y < 0:
            return replace(self, turn=3 - self.turn, passes=self.passes + 1)
        grid = [list(row) for row in self.grid]
        for yy, xx in self.flips(y, x) + [(y, x)]:
            grid[yy][xx] = self.turn
        return Othello(tuple(tuple(row) for row in grid), 3 - self.turn, 0)

    def terminal(self):
        return self.passes == 2

    def utility(self):
        flat = [cell for row in self.grid for cell in row]
        return flat.count(1) - flat.count(2)


# --- one player ---------------------------------------------------------------------------------------------


class EightPuzzle(NamedTuple):
    """A sliding puzzle on 2x3 with a budget of moves; actions are words."""

    tiles: tuple = (1, 2, 0, 4, 5, 3)
    left: int = 5

    GOAL = (1, 2, 3, 4, 5, 0)
    players = 1

    def player(self):
        return 0

    def actions(self):
        r, c = divmod(self.tiles.index(0), 3)
        moves = []
        if r > 0:
            moves.append("up")
        if r < 1:
            moves.append("down")
        if c > 0:
            moves.append("left")
        if c < 2:
            moves.append("right")
        return moves

    def result(self, word):
        at = self.tiles.index(0)
        to = at + {"up": -3, "down": 3, "left": -1, "right": 1}[word]
        tiles = list(self.tiles)
        tiles[at], tiles[to] = tiles[to], tiles[at]
        return EightPuzzle(tuple(tiles), self.left - 1)

    def terminal(self):
        return self.tiles == self.GOAL or self.left == 0

    def utility(self):
        return 10 + self.left if self.tiles == self.GOAL else 0

    def evaluate(self):
        return -sum(
            abs(i // 3 - self.GOAL.index(t) // 3) + abs(i % 3 - self.GOAL.index(t) % 3)
            for i, t in enumerate(self.tiles)
            if t
        )


class Shots(NamedTuple):
    """Battleship with the ships in sight: sink them with few shots."""

    shots: frozenset = frozenset()

    FLEET = (((0, 0), (0, 1)), ((2, 1), (2, 2), (2, 3)))
    players = 1

    def player(self):
        return 0

    def actions(self):
        for r, c in itertools.product(range(3), range(4)):
            if (r, c) not in self.shots:
                yield r, c

    def result(self, shot):
        return Shots(self.shots | {shot})

    def sunk(self):
        return [ship for ship in self.FLEET if all(cell in self.shots for cell in ship)]

    def terminal(self):
        return len(self.sunk()) == len(self.FLEET) or len(self.shots) >= 6

    def utility(self):
        return 12 - len(self.shots) if len(self.sunk()) == len(self.FLEET) else len(self.sunk())


# --- idioms ---------------------------------------------------------------------------------------------------


class Grouped(NamedTuple):
    """A row of tokens: remove a whole run of equal ones (groupby)."""

    row: str = "aabbbabb"
    turn: int = 0

    def player(self):
        return self.turn

    def runs(self):
        return [(k, len(list(g))) for k, g in itertools.groupby(self.row)]

    def actions(self):
        return range(len(self.runs()))

    def result(self, i):
        start = sum(n for _, n in self.runs()[:i])
        stop = start + self.runs()[i][1]
        return Grouped(self.row[:start] + self.row[stop:], 1 - self.turn)

    def terminal(self):
        return self.row == ""

    def utility(self):
        return 1 if self.turn == 1 else -1


class Matched(NamedTuple):
    """A counter game by match on a tuple, with keyword-only arguments."""

    total: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return ["add", "double", "drop"] if self.total else ["add"]

    def changed(self, *, by=0, times=1):
        return (self.total + by) * times

    def result(self, action):
        match (action, self.turn):
            case ("add", 0):
                total = self.changed(by=3)
            case ("add", _):
                total = self.changed(by=2)
            case ("double", who) if who == 0:
                total = self.changed(times=2)
            case ("double", _):
                total = self.changed(by=1, times=2)
            case _:
                total = self.changed(by=-1)
        return Matched(total=total, turn=1 - self.turn)

    def terminal(self):
        return self.total >= 12 or self.total < 0

    def utility(self):
        return -1 if self.turn == 0 else 1


class Point(NamedTuple):
    x: int
    y: int

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def inside(self, size):
        return 0 <= self.x < size and 0 <= self.y < size


class Player(NamedTuple):
    at: Point
    coins: int = 0


class Collect(NamedTuple):
    """NamedTuples inside NamedTuples: two walkers take coins."""

    one: Player = Player(Point(0, 0))
    two: Player = Player(Point(2, 2))
    coins: tuple = (Point(1, 1), Point(0, 2))
    ply: int = 0

    STEPS = (Point(0, 1), Point(1, 0), Point(0, -1), Point(-1, 0))

    def player(self):
        return self.ply % 2

    def current(self):
        return self.one if self.ply % 2 == 0 else self.two

    def actions(self):
        return [i for i, step in enumerate(self.STEPS) if (self.current().at + step).inside(3)]

    def result(self, i):
        walker = self.current()
        to = walker.at + self.STEPS[i]
        walker = Player(to, walker.coins + (1 if to in self.coins else 0))
        coins = tuple(c for c in self.coins if c != to)
        if self.ply % 2 == 0:
            return Collect(walker, self.two, coins, self.ply + 1)
        return Collect(self.one, walker, coins, self.ply + 1)

    def terminal(self):
        return not self.coins or self.ply == 7

    def utility(self):
        return self.one.coins - self.two.coins


class Tried(NamedTuple):
    """Indices tried and errors caught."""

    row: tuple = (3, 1, 0, 2, 4)
    at: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def look(self, i):
        try:
            return self.row[i]
        except IndexError:
            return -1

    def actions(self):
        found = []
        for step in (1, 2, 3):
            if self.look(self.at + step) >= 0:
                found.append(step)
        return found

    def result(self, step):
        return self._replace(at=self.at + step, turn=1 - self.turn)

    def terminal(self):
        try:
            self.row[self.at + 1]
        except IndexError:
            return True
        else:
            return False

    def utility(self):
        return self.row[self.at] if self.turn == 0 else -self.row[self.at]


class Recursive(NamedTuple):
    """Stones on a path; a recursive helper counts reachable ones, a nested function does the work."""

    path: tuple = (1, 0, 1, 1, 0, 1)
    at: int = 0
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        def reach(i, left):
            if i >= len(self.path) or left == 0:
                return []
            return ([i] if self.path[i] else []) + reach(i + 1, left - 1)

        return reach(self.at + 1, 3)

    def result(self, i):
        return Recursive(self.path, i, 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn else -1


class Colour(enum.IntEnum):
    RED = 0
    BLUE = 1

    def other(self):
        return Colour(1 - self)


@dataclass(frozen=True, order=True)
class Col:
    """Colouring a path: no two neighbours of one colour."""

    cells: tuple[Optional[Colour], ...] = (None,) * 5
    to_play: Colour = Colour.RED

    def player(self):
        return int(self.to_play)

    def allowed(self, i):
        left = self.cells[i - 1] if i > 0 else None
        right = self.cells[i + 1] if i + 1 < len(self.cells) else None
        return self.cells[i] is None and self.to_play not in (left, right)

    def actions(self):
        return tuple(filter(self.allowed, range(len(self.cells))))

    def result(self, i):
        cells = tuple(self.to_play if j == i else cell for j, cell in enumerate(self.cells))
        return Col(cells, self.to_play.other())

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return -1 if self.to_play == Colour.RED else 1


class Domino(NamedTuple):
    """Domineering on rows of text with nested comprehensions."""

    rows: tuple = ("...", "...", "...")
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        dr, dc = (1, 0) if self.turn == 0 else (0, 1)
        return [
            (r, c)
            for r in range(3 - dr)
            for c in range(3 - dc)
            if self.rows[r][c] == "." and self.rows[r + dr][c + dc] == "."
        ]

    def result(self, place):
        r, c = place
        dr, dc = (1, 0) if self.turn == 0 else (0, 1)
        filled = {(r, c), (r + dr, c + dc)}
        return Domino(
            tuple("".join("#" if (y, x) in filled else cell for x, cell in enumerate(row)) for y, row in enumerate(self.rows)),
            1 - self.turn,
        )

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class TicTacToeDict(NamedTuple):
    """AIMA's board: a dict of squares, kept in the state as sorted pairs."""

    moves: tuple = ()

    def player(self):
        return len(self.moves) % 2

    def board(self):
        return {square: "XO"[i % 2] for i, square in enumerate(self.moves)}

    def actions(self):
        taken = self.board()
        return [(x, y) for x in range(1, 4) for y in range(1, 4) if (x, y) not in taken]

    def result(self, move):
        return TicTacToeDict(self.moves + (move,))

    def k_in_row(self, board, move, player, delta):
        dx, dy = delta
        x, y = move
        n = 0
        while board.get((x, y)) == player:
            n += 1
            x, y = x + dx, y + dy
        x, y = move
        while board.get((x, y)) == player:
            n += 1
            x, y = x - dx, y - dy
        n -= 1
        return n >= 3

    def compute_utility(self):
        if not self.moves:
            return 0
        board, move = self.board(), self.moves[-1]
        player = board[move]
        if any(self.k_in_row(board, move, player, d) for d in ((0, 1), (1, 0), (1, -1), (1, 1))):
            return 1 if player == "X" else -1
        return 0

    def terminal(self):
        return self.compute_utility() != 0 or len(self.moves) == 9

    def utility(self):
        return self.compute_utility()


class Auction(NamedTuple):
    """Bids with budgets in a dict of the class, a running best of None."""

    bids: tuple = ()
    purses: tuple = (4, 5)

    def player(self):
        return len(self.bids) % 2

    def actions(self):
        low = max(self.bids, default=0) + 1
        return [0, *range(low, self.purses[self.player()] + 1)]

    def result(self, bid):
        return Auction((*self.bids, bid), self.purses)

    def terminal(self):
        return len(self.bids) >= 2 and self.bids[-1] == 0 or len(self.bids) == 5

    def utility(self):
        best = None
        for i, bid in enumerate(self.bids):
            if best is None or bid > self.bids[best]:
                best = i
        if best is None:
            return 0
        return 10 - self.bids[best] if best % 2 == 0 else self.bids[best] - 10


class Pegs(NamedTuple):
    """Peg solitaire on a line: jumps by zip of three."""

    pegs: str = "xx.xx"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        triples = zip(self.pegs, self.pegs[1:], self.pegs[2:])
        return [(i, d) for i, (a, b, c) in enumerate(triples) for d, t in ((0, "xx."), (1, ".xx")) if a + b + c == t]

    def result(self, move):
        i, d = move
        new = "..x" if d == 0 else "x.."
        return Pegs(self.pegs[:i] + new + self.pegs[i + 3 :], 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn else -1


class Tower(NamedTuple):
    """Hanoi for two: stacks as tuples in a tuple."""

    stacks: tuple = ((2, 1), (), ())
    moves: int = 0

    def player(self):
        return self.moves % 2

    def actions(self):
        for a, b in itertools.permutations(range(3), 2):
            if self.stacks[a] and (not self.stacks[b] or self.stacks[b][-1] > self.stacks[a][-1]):
                yield a, b

    def result(self, action):
        a, b = action
        stacks = [list(s) for s in self.stacks]
        stacks[b].append(stacks[a].pop())
        return Tower(tuple(tuple(s) for s in stacks), self.moves + 1)

    def terminal(self):
        return len(self.stacks[2]) == 2 or self.moves >= 6

    def utility(self):
        return 1 if len(self.stacks[2]) == 2 else -1


class Cached(NamedTuple):
    """Primes by a cached function of the module."""

    n: int = 20
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [p for p in primes_up_to(self.n)] or [1]

    def result(self, p):
        return Cached(self.n - p, 1 - self.turn)

    def terminal(self):
        return self.n <= 0

    def utility(self):
        return 1 if self.turn == 1 else -1


@functools.lru_cache(maxsize=None)
def primes_up_to(n):
    return tuple(p for p in range(2, n + 1) if all(p % d for d in range(2, int(p**0.5) + 1)))


class Rotated(NamedTuple):
    """Pentago-like: place, then turn a 2x2 board by zip(*reversed)."""

    grid: tuple = ((0, 0), (0, 0))
    turn: int = 1

    def player(self):
        return self.turn - 1

    def actions(self):
        return [(r, c, t) for r in range(2) for c in range(2) for t in (0, 1) if self.grid[r][c] == 0]

    def result(self, action):
        r, c, t = action
        grid = tuple(
            tuple(self.turn if (i, j) == (r, c) else v for j, v in enumerate(row)) for i, row in enumerate(self.grid)
        )
        if t:
            grid = tuple(zip(*grid[::-1]))
        return Rotated(grid, 3 - self.turn)

    def terminal(self):
        return all(map(all, self.grid)) or self.score() != 0

    def score(self):
        for a, b in self.grid:
            if a == b != 0:
                return 1 if a == 1 else -1
        return 0

    def utility(self):
        return self.score()


class Word(NamedTuple):
    """Ghost: a word grows letter by letter; a constant set of words."""

    word: str = ""

    WORDS = {"cat", "car", "cart", "dog", "do", "dot"}

    def player(self):
        return len(self.word) % 2

    def actions(self):
        found = sorted({w[len(self.word)] for w in self.WORDS if w.startswith(self.word) and len(w) > len(self.word)})
        return found

    def result(self, letter):
        return Word(self.word + letter)

    def terminal(self):
        return self.word in self.WORDS or not self.actions()

    def utility(self):
        return -1 if len(self.word) % 2 == 1 else 1


class Territory(NamedTuple):
    """Amazons-like: move a king and burn a square, with sets of complex helpers."""

    kings: tuple = ((0, 0), (2, 2))
    burnt: tuple = ()
    turn: int = 0

    def player(self):
        return self.turn

    def free(self, cell):
        r, c = cell
        return 0 <= r < 3 and 0 <= c < 3 and cell not in self.kings and cell not in self.burnt

    def near(self, cell):
        return [
            (cell[0] + dr, cell[1] + dc)
            for dr in (-1, 0, 1)
            for dc in (-1, 0, 1)
            if (dr or dc) and self.free((cell[0] + dr, cell[1] + dc))
        ]

    def actions(self):
        return self.near(self.kings[self.turn])

    def result(self, to):
        old = self.kings[self.turn]
        kings = tuple(to if i == self.turn else k for i, k in enumerate(self.kings))
        return Territory(kings, self.burnt + (old,), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class Ranked(NamedTuple):
    """Cards: highest wins the trick; max with key, a dict of values."""

    hands: tuple = (("K", "7", "2"), ("Q", "9", "3"))
    table: tuple = ()
    won: tuple = (0, 0)
    lead: int = 0

    VALUE = {"2": 2, "3": 3, "7": 7, "9": 9, "Q": 12, "K": 13}

    def player(self):
        return (self.lead + len(self.table)) % 2

    def actions(self):
        return list(self.hands[self.player()])

    def result(self, card):
        who = self.player()
        hands = tuple(tuple(c for c in hand if c != card) if i == who else hand for i, hand in enumerate(self.hands))
        table = self.table + ((who, card),)
        if len(table) < 2:
            return self._replace(hands=hands, table=table)
        winner, _ = max(table, key=lambda pair: self.VALUE[pair[1]])
        won = tuple(n + (i == winner) for i, n in enumerate(self.won))
        return Ranked(hands, (), won, winner)

    def terminal(self):
        return not any(self.hands) and not self.table

    def utility(self):
        return self.won[0] - self.won[1]


class Flow(NamedTuple):
    """Percolation by union-find in lists."""

    open_: tuple = (False,) * 9
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(9) if not self.open_[i]]

    def result(self, i):
        cells = list(self.open_)
        cells[i] = True
        return Flow(tuple(cells), 1 - self.turn)

    def percolates(self):
        parent = list(range(11))

        def find(x):
            while parent[x] != x:
                parent[x] = parent[parent[x]]
                x = parent[x]
            return x

        for i in range(9):
            if not self.open_[i]:
                continue
            if i < 3:
                parent[find(i)] = find(9)
            if i >= 6:
                parent[find(i)] = find(10)
            for j in (i - 3, i - 1 if i % 3 else -1):
                if j >= 0 and self.open_[j]:
                    parent[find(i)] = find(j)
        return find(9) == find(10)

    def terminal(self):
        return self.percolates()

    def utility(self):
        return 1 if self.turn == 1 else -1


class Graph(NamedTuple):
    """Cops and robber on a graph given as a dict of lists; BFS by levels."""

    cop: str = "a"
    robber: str = "e"
    ply: int = 0

    EDGES = {"a": ["b", "c"], "b": ["a", "d"], "c": ["a", "d"], "d": ["b", "c", "e"], "e": ["d"]}

    def player(self):
        return self.ply % 2

    def actions(self):
        return self.EDGES[self.cop if self.ply % 2 == 0 else self.robber]

    def result(self, node):
        if self.ply % 2 == 0:
            return Graph(node, self.robber, self.ply + 1)
        return Graph(self.cop, node, self.ply + 1)

    def terminal(self):
        return self.cop == self.robber or self.ply == 8

    def utility(self):
        return 1 if self.cop == self.robber else -1

    def evaluate(self):
        level, seen, steps = {self.cop}, {self.cop}, 0
        while self.robber not in seen:
            level = {n for node in level for n in self.EDGES[node]} - seen
            seen |= level
            steps += 1
        return -steps


class Stock(NamedTuple):
    """Chance: a coin decides, with floats for the chances."""

    money: int = 3
    flipping: bool = False
    rounds: int = 0

    scores = float
    players = 1
    CHANCE_OF = {0: 0.4, 1: 0.6}

    def player(self):
        return -1 if self.flipping else 0

    def actions(self):
        if self.flipping:
            return [0, 1]
        return ["stop", "go"][self.money <= 0 :] if self.money > 0 else ["stop"]

    def result(self, action):
        if self.flipping:
            return Stock(self.money + (1 if action else -1), False, self.rounds + 1)
        if action == "stop":
            return Stock(self.money, False, 3)
        return self._replace(flipping=True)

    def probability(self, action):
        return self.CHANCE_OF[action]

    def terminal(self):
        return self.rounds >= 3

    def utility(self):
        return float(self.money)


class Bits(NamedTuple):
    """Lights out in two rows by bit operations and f-strings for people."""

    lights: int = 0b110101
    turn: int = 0
    ply: int = 0

    MASKS = [sum(1 << j for j in range(6) if abs(i - j) in (0, 3) or (abs(i - j) == 1 and i // 3 == j // 3)) for i in range(6)]

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(6) if self.lights >> i & 1]

    def result(self, i):
        return Bits(self.lights ^ self.MASKS[i], 1 - self.turn, self.ply + 1)

    def terminal(self):
        return self.lights == 0 or self.ply == 6

    def utility(self):
        if self.lights:
            return 0
        return 1 if self.turn == 1 else -1

    def __str__(self):
        return f"{self.lights:06b} {'AB'[self.turn]}"


class Sums(NamedTuple):
    """Fifteen: pick numbers, three that sum to 15 win; combinations and sets."""

    mine: frozenset = frozenset()
    yours: frozenset = frozenset()

    def player(self):
        return (len(self.mine) + len(self.yours)) % 2

    def actions(self):
        return sorted(set(range(1, 10)) - self.mine - self.yours)

    def result(self, n):
        if self.player() == 0:
            return Sums(self.mine | {n}, self.yours)
        return Sums(self.mine, self.yours | {n})

    @staticmethod
    def wins(numbers):
        return any(sum(c) == 15 for c in itertools.combinations(sorted(numbers), 3))

    def terminal(self):
        return self.wins(self.mine) or self.wins(self.yours) or len(self.mine | self.yours) == 9

    def utility(self):
        return int(self.wins(self.mine)) - int(self.wins(self.yours))


class Chomp(NamedTuple):
    """Chomp by row lengths, min() over a slice, star unpacking."""

    rows: tuple = (4, 4, 4)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [(r, c) for r, n in enumerate(self.rows) for c in range(n)]

    def result(self, bite):
        r, c = bite
        above, below = self.rows[:r], self.rows[r:]
        return Chomp((*above, *(min(n, c) for n in below)), 1 - self.turn)

    def terminal(self):
        return self.rows[0] == 0

    def utility(self):
        return 1 if self.turn == 0 else -1


class Dice(NamedTuple):
    """Liar's numbers: defaultdict, sorted by two keys, reversed."""

    rolls: tuple = (3, 5, 3, 6, 5)
    picked: tuple = ()

    def player(self):
        return len(self.picked) % 2

    def actions(self):
        count = defaultdict(int)
        for value in self.rolls:
            count[value] += 1
        order = sorted(count, key=lambda v: (-count[v], v))
        return [v for v in reversed(order) if v not in self.picked]

    def result(self, v):
        return Dice(self.rolls, self.picked + (v,))

    def terminal(self):
        return not self.actions()

    def utility(self):
        own = sum(v * self.rolls.count(v) for v in self.picked[::2])
        other = sum(v * self.rolls.count(v) for v in self.picked[1::2])
        return own - other


Square = namedtuple("Square", "row col")


class KnightRace(namedtuple("KnightRaceBase", ["white", "black", "visited", "turn"], defaults=[Square(0, 0), Square(3, 3), (), 0])):
    """collections.namedtuple as the base, with a lookup table of knight moves made by a comprehension."""

    JUMPS = {
        Square(r, c): tuple(
            Square(r + a, c + b)
            for a, b in ((1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1))
            if 0 <= r + a < 4 and 0 <= c + b < 4
        )
        for r in range(4)
        for c in range(4)
    }

    def player(self):
        return self.turn

    def here(self):
        return self.white if self.turn == 0 else self.black

    def actions(self):
        return [s for s in self.JUMPS[self.here()] if s not in self.visited and s not in (self.white, self.black)]

    def result(self, square):
        visited = self.visited + (self.here(),)
        if self.turn == 0:
            return KnightRace(square, self.black, visited, 1)
        return KnightRace(self.white, square, visited, 0)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return 1 if self.turn == 1 else -1
