"""Connect Four, Gomoku, Hex and other games of connecting."""

from collections import defaultdict, deque
from functools import lru_cache
from itertools import groupby, product
from typing import NamedTuple

WIDTH, HEIGHT = 7, 6


class Cells42(NamedTuple):
    """A tuple of 42 cells."""

    board: tuple = (0,) * 42
    turn: int = 1

    def player(self):
        return 0 if self.turn == 1 else 1

    def actions(self):
        return [c for c in range(7) if self.board[c] == 0]

    def result(self, col):
        b = list(self.board)
        row = 5
        while b[row * 7 + col] != 0:
            row -= 1
        b[row * 7 + col] = self.turn
        return Cells42(tuple(b), 3 - self.turn)

    def winner(self):
        b = self.board
        for r in range(6):
            for c in range(7):
                p = b[r * 7 + c]
                if p == 0:
                    continue
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    r3, c3 = r + 3 * dr, c + 3 * dc
                    if 0 <= r3 < 6 and 0 <= c3 < 7:
                        if all(b[(r + k * dr) * 7 + c + k * dc] == p for k in range(1, 4)):
                            return p
        return 0

    def terminal(self):
        return self.winner() != 0 or 0 not in self.board

    def utility(self):
        w = self.winner()
        return 1 if w == 1 else -1 if w == 2 else 0


class Columns(NamedTuple):
    """A tuple of columns that grow."""

    columns: tuple[tuple[int, ...], ...] = ((), (), (), (), (), (), ())
    last: int = -1

    def player(self):
        return sum(len(col) for col in self.columns) % 2

    def actions(self):
        return [i for i, col in enumerate(self.columns) if len(col) < HEIGHT]

    def result(self, i):
        columns = list(self.columns)
        columns[i] = columns[i] + (self.player(),)
        return Columns(tuple(columns), i)

    def at(self, x, y):
        if 0 <= x < WIDTH and 0 <= y < len(self.columns[x]):
            return self.columns[x][y]
        return -1

    def won(self):
        if self.last < 0:
            return False
        x = self.last
        y = len(self.columns[x]) - 1
        who = self.columns[x][y]
        for dx, dy in [(1, 0), (0, 1), (1, 1), (1, -1)]:
            run = 1
            for sign in (1, -1):
                k = 1
                while self.at(x + sign * k * dx, y + sign * k * dy) == who:
                    run += 1
                    k += 1
            if run >= 4:
                return True
        return False

    def terminal(self):
        return self.won() or not self.actions()

    def utility(self):
        if not self.won():
            return 0
        return 1 if self.player() == 1 else -1


class RowsOfStrings(NamedTuple):
    """Six strings, the top row first."""

    rows: tuple[str, ...] = (".......",) * 6

    def to_move(self):
        text = "".join(self.rows)
        return "X" if text.count("X") == text.count("O") else "O"

    def player(self):
        return "XO".index(self.to_move())

    def actions(self):
        return [c for c in range(7) if self.rows[0][c] == "."]

    def result(self, c):
        rows = list(self.rows)
        for r in reversed(range(6)):
            if rows[r][c] == ".":
                rows[r] = rows[r][:c] + self.to_move() + rows[r][c + 1:]
                break
        return RowsOfStrings(tuple(rows))

    def lines(self):
        for row in self.rows:
            yield row
        for column in zip(*self.rows):
            yield "".join(column)
        for d in range(-5, 7):
            yield "".join(self.rows[r][r + d] for r in range(6) if 0 <= r + d < 7)
            yield "".join(self.rows[r][6 - r - d] for r in range(6) if 0 <= 6 - r - d < 7)

    def winner(self):
        for line in self.lines():
            if "XXXX" in line:
                return "X"
            if "OOOO" in line:
                return "O"
        return None

    def terminal(self):
        return self.winner() is not None or "." not in self.rows[0]

    def utility(self):
        match self.winner():
            case "X":
                return 1
            case "O":
                return -1
            case _:
                return 0


class ColumnStrings(NamedTuple):
    """Each column is a string that grows from the bottom, on 5x4."""

    cols: tuple[str, ...] = ("", "", "", "", "")

    def player(self):
        return sum(map(len, self.cols)) % 2

    def actions(self):
        return [c for c in range(5) if len(self.cols[c]) < 4]

    def result(self, c):
        mark = "yr"[self.player()]
        return ColumnStrings(tuple(col + mark if i == c else col for i, col in enumerate(self.cols)))

    def winner(self):
        grid = [col.ljust(4, ".") for col in self.cols]
        for mark in "yr":
            if any(mark * 4 in col for col in grid):
                return mark
            for y in range(4):
                if mark * 4 in "".join(col[y] for col in grid):
                    return mark
            for x in range(2):
                if all(grid[x + k][k] == mark for k in range(4)) or all(grid[x + k][3 - k] == mark for k in range(4)):
                    return mark
        return ""

    def terminal(self):
        return bool(self.winner()) or min(len(c) for c in self.cols) == 4

    def utility(self):
        return {"y": 1, "r": -1, "": 0}[self.winner()]


class NestedGrid(NamedTuple):
    """Rows of rows; a small Connect Three on 4x4."""

    grid: tuple = ((0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0), (0, 0, 0, 0))
    mover: int = 1

    def player(self):
        return self.mover - 1

    def actions(self):
        return [c for c in range(4) if self.grid[0][c] == 0]

    def result(self, c):
        g = [list(r) for r in self.grid]
        for r in range(3, -1, -1):
            if g[r][c] == 0:
                g[r][c] = self.mover
                break
        return NestedGrid(tuple(map(tuple, g)), 3 - self.mover)

    def has_three(self, who):
        g = self.grid
        for r, c in product(range(4), repeat=2):
            for dr, dc in ((0, 1), (1, 0), (1, 1), (-1, 1)):
                cells = [(r + k * dr, c + k * dc) for k in range(3)]
                if all(0 <= y < 4 and 0 <= x < 4 and g[y][x] == who for y, x in cells):
                    return True
        return False

    def terminal(self):
        return self.has_three(1) or self.has_three(2) or all(self.grid[0])

    def utility(self):
        return 1 if self.has_three(1) else -1 if self.has_three(2) else 0


def drop(board, col, mark, width=5):
    """The board after a piece falls down a column."""
    for row in range(len(board) // width - 1, -1, -1):
        if board[row * width + col] == ".":
            at = row * width + col
            return board[:at] + mark + board[at + 1:]
    raise ValueError("the column is full")


class OneString(NamedTuple):
    board: str = "." * 20

    def player(self):
        return (20 - self.board.count(".")) % 2

    def actions(self):
        return [c for c in range(5) if self.board[c] == "."]

    def result(self, col):
        return OneString(drop(self.board, col, "XO"[self.player()]))

    def four(self, mark):
        for start in range(20):
            r, c = divmod(start, 5)
            for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                if 0 <= r + 3 * dr < 4 and 0 <= c + 3 * dc < 5:
                    if self.board[start::dr * 5 + dc][:4] == mark * 4:
                        return True
        return False

    def terminal(self):
        return self.four("X") or self.four("O") or "." not in self.board

    def utility(self):
        return self.four("X") - self.four("O")


class Gomoku(NamedTuple):
    """Four in a row on 5x5."""

    stones: tuple = (0,) * 25
    last: int = -1

    SIZE = 5
    NEED = 4

    def player(self):
        return (25 - self.stones.count(0)) % 2

    def actions(self):
        return [i for i in range(self.SIZE * self.SIZE) if self.stones[i] == 0]

    def result(self, at):
        return Gomoku(self.stones[:at] + (self.player() + 1,) + self.stones[at + 1:], at)

    def count(self):
        return self.stones.count(0)

    def run(self, dr, dc):
        n = self.SIZE
        r, c = divmod(self.last, n)
        colour = self.stones[self.last]
        total = 0
        r += dr
        c += dc
        while 0 <= r < n and 0 <= c < n and self.stones[r * n + c] == colour:
            total += 1
            r, c = r + dr, c + dc
        return total

    def won(self):
        if self.last == -1:
            return False
        return any(self.run(dr, dc) + self.run(-dr, -dc) + 1 >= self.NEED for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)))

    def terminal(self):
        return self.won() or 0 not in self.stones

    def utility(self):
        if self.won():
            return 1 if self.player() == 1 else -1
        return 0


class Hex(NamedTuple):
    """3x3; red joins left and right, blue joins top and bottom."""

    board: tuple[str, ...] = (".",) * 9
    to_move: str = "R"

    def player(self):
        return 0 if self.to_move == "R" else 1

    def actions(self):
        return [i for i in range(9) if self.board[i] == "."]

    def result(self, i):
        board = list(self.board)
        board[i] = self.to_move
        return Hex(tuple(board), "B" if self.to_move == "R" else "R")

    def connected(self, colour):
        if colour == "R":
            frontier = [i for i in (0, 3, 6) if self.board[i] == "R"]
        else:
            frontier = [i for i in (0, 1, 2) if self.board[i] == "B"]
        seen = set(frontier)
        while frontier:
            i = frontier.pop()
            r, c = divmod(i, 3)
            if (c if colour == "R" else r) == 2:
                return True
            for dr, dc in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, -1), (-1, 1)):
                if 0 <= r + dr < 3 and 0 <= c + dc < 3:
                    j = (r + dr) * 3 + c + dc
                    if j not in seen and self.board[j] == colour:
                        seen.add(j)
                        frontier.append(j)
        return False

    def terminal(self):
        return self.connected("R") or self.connected("B")

    def utility(self):
        return 1 if self.connected("R") else -1


class HexRecursive(NamedTuple):
    """The same with a recursive flood fill and (row, col) moves."""

    rows: tuple = ("...", "...", "...")

    def player(self):
        return sum(ch != "." for row in self.rows for ch in row) % 2

    def actions(self):
        return [(r, c) for r in range(3) for c in range(3) if self.rows[r][c] == "."]

    def result(self, move):
        r, c = move
        rows = list(self.rows)
        rows[r] = rows[r][:c] + "rb"[self.player()] + rows[r][c + 1:]
        return HexRecursive(tuple(rows))

    def reach(self, r, c, who, seen):
        if not (0 <= r < 3 and 0 <= c < 3) or (r, c) in seen or self.rows[r][c] != who:
            return False
        seen.append((r, c))
        if (r if who == "b" else c) == 2:
            return True
        return any(self.reach(r + dr, c + dc, who, seen)
                   for dr, dc in [(-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0)])

    def red(self):
        return any(self.reach(r, 0, "r", []) for r in range(3))

    def blue(self):
        return any(self.reach(0, c, "b", []) for c in range(3))

    def terminal(self):
        return self.red() or self.blue()

    def utility(self):
        return 1 if self.red() else -1


EDGES = {1: [2, 3], 2: [1, 3, 4], 3: [1, 2, 4], 4: [2, 3, 5], 5: [4]}


class Shannon(NamedTuple):
    """The Shannon switching game on a small graph: Short claims edges, Cut removes them."""

    state: str = "......."
    turn: int = 0

    LINKS = ((1, 2), (1, 3), (2, 3), (2, 4), (3, 4), (3, 5), (4, 5))

    def player(self):
        return self.turn

    def actions(self):
        return [i for i, s in enumerate(self.state) if s == "."]

    def result(self, i):
        return Shannon(self.state[:i] + "SC"[self.turn] + self.state[i + 1:], 1 - self.turn)

    def joined(self, marks):
        reach = {1}
        changed = True
        while changed:
            changed = False
            for (a, b), s in zip(self.LINKS, self.state):
                if s in marks and (a in reach) != (b in reach):
                    reach |= {a, b}
                    changed = True
        return 5 in reach

    def terminal(self):
        return self.joined("S") or not self.joined("S.")

    def utility(self):
        return 1 if self.joined("S") else -1


class Col(NamedTuple):
    """Colour the vertices of a graph; neighbours may not have the same colour."""

    colours: tuple = (0, 0, 0, 0, 0)
    mover: int = 1

    def player(self):
        return self.mover - 1

    def actions(self):
        legal = []
        for v in EDGES:
            if self.colours[v - 1] == 0 and all(self.colours[w - 1] != self.mover for w in EDGES[v]):
                legal.append(v)
        return legal

    def result(self, v):
        c = list(self.colours)
        c[v - 1] = self.mover
        return Col(tuple(c), 3 - self.mover)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return 1 if self.mover == 2 else -1


class Snort(NamedTuple):
    """The reverse of Col: neighbours may not have different colours."""

    owners: tuple = (None, None, None, None, None)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [v for v, near in EDGES.items()
                if self.owners[v - 1] is None and all(self.owners[w - 1] in (None, self.mover) for w in near)]

    def result(self, v):
        owners = tuple(self.mover if k == v - 1 else o for k, o in enumerate(self.owners))
        return Snort(owners, 1 - self.mover)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.mover else -1


class YGame(NamedTuple):
    """A triangle of ten points; a chain that touches all three sides wins."""

    owner: tuple = (0,) * 10
    turn: int = 1

    ROW = (0, 1, 1, 2, 2, 2, 3, 3, 3, 3)
    COL = (0, 0, 1, 0, 1, 2, 0, 1, 2, 3)

    def player(self):
        return 0 if self.turn > 0 else 1

    def actions(self):
        return [i for i in range(10) if not self.owner[i]]

    def result(self, i):
        return YGame(tuple(self.turn if k == i else v for k, v in enumerate(self.owner)), -self.turn)

    def near(self, i, j):
        d = (self.ROW[i] - self.ROW[j], self.COL[i] - self.COL[j])
        return d in {(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)}

    def wins(self, who):
        left = {i for i in range(10) if self.owner[i] == who}
        while left:
            group = {left.pop()}
            grown = True
            while grown:
                more = {j for j in left if any(self.near(i, j) for i in group)}
                grown = len(more) > 0
                group |= more
                left -= more
            sides = [any(self.COL[i] == 0 for i in group), any(self.COL[i] == self.ROW[i] for i in group),
                     any(self.ROW[i] == 3 for i in group)]
            if all(sides):
                return True
        return False

    def terminal(self):
        return self.wins(1) or self.wins(-1)

    def utility(self):
        return 1 if self.wins(1) else -1


class Runs(NamedTuple):
    """Fill a line of eight with 0 and 1; MAX wants long runs."""

    line: tuple = ()

    points = True

    def player(self):
        return len(self.line) % 2

    def actions(self):
        return (0, 1)

    def result(self, bit):
        return Runs(self.line + (bit,))

    def terminal(self):
        return len(self.line) == 8

    def utility(self):
        return max(len(list(group)) for _, group in groupby(self.line)) - 4


class Tally(NamedTuple):
    """Whoever first has three marks in one of four rows, by a defaultdict."""

    marks: tuple[tuple[int, int], ...] = ()

    def player(self):
        return len(self.marks) % 2

    def actions(self):
        return [row for row in range(4) if sum(1 for r, _ in self.marks if r == row) < 5]

    def result(self, row):
        return Tally((*self.marks, (row, self.player())))

    def leader(self):
        tally = defaultdict(int)
        for row, who in self.marks:
            tally[row, who] += 1
            if tally[row, who] == 3:
                return who
        return None

    def terminal(self):
        return self.leader() is not None or not self.actions()

    def utility(self):
        who = self.leader()
        return 0 if who is None else 1 - 2 * who


class Bridge(NamedTuple):
    """A walk over a 4x4 board must be cut off; breadth-first search by a deque."""

    walls: tuple = (False,) * 16
    turn: int = 0

    def player(self):
        return self.turn % 2

    def actions(self):
        return [i for i in range(1, 15) if not self.walls[i]]

    def result(self, i):
        walls = list(self.walls)
        if self.turn % 2 == 1:
            walls[i] = True
        else:
            walls[i] = True
            j = 15 - i
            walls[i], walls[j] = walls[j], walls[i]
        return Bridge(tuple(walls), self.turn + 1)

    def open(self):
        queue = deque([0])
        seen = {0}
        while queue:
            cell = queue.popleft()
            if cell == 15:
                return True
            r, c = cell // 4, cell % 4
            for nr, nc in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if 0 <= nr < 4 and 0 <= nc < 4:
                    nxt = nr * 4 + nc
                    if nxt not in seen and not self.walls[nxt]:
                        seen.add(nxt)
                        queue.append(nxt)
        return False

    def terminal(self):
        return self.turn >= 8 or not self.open()

    def utility(self):
        return 1 if self.open() else -1
