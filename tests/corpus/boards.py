"""Games of pieces that move on a board."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

import math


class Breakthrough(NamedTuple):
    """4x4; a man goes forward, captures diagonally, and wins on the last row."""

    board: tuple = (2, 2, 2, 2, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1)
    turn: int = 1

    def player(self):
        return self.turn - 1

    def actions(self):
        moves = []
        step = -1 if self.turn == 1 else 1
        for sq in range(16):
            if self.board[sq] != self.turn:
                continue
            r, c = divmod(sq, 4)
            nr = r + step
            if not 0 <= nr < 4:
                continue
            for nc in (c - 1, c, c + 1):
                if 0 <= nc < 4:
                    target = self.board[nr * 4 + nc]
                    if target == 0 or (nc != c and target == 3 - self.turn):
                        moves.append((sq, nr * 4 + nc))
        return moves

    def result(self, move):
        start, end = move
        board = list(self.board)
        board[end] = board[start]
        board[start] = 0
        return Breakthrough(tuple(board), 3 - self.turn)

    def won(self, who):
        goal = self.board[:4] if who == 1 else self.board[12:]
        return who in goal or (3 - who) not in self.board

    def terminal(self):
        return self.won(1) or self.won(2) or not self.actions()

    def utility(self):
        if self.won(1):
            return 1
        if self.won(2):
            return -1
        return -1 if self.turn == 1 else 1

    def evaluate(self):
        return self.board.count(1) - self.board.count(2)


class BreakthroughRows(NamedTuple):
    """Rows of characters, moves from square to square."""

    rows: tuple[str, ...] = ("bbb", "...", "...", "www")
    white: bool = True

    def player(self):
        return int(not self.white)

    def actions(self):
        me, you, d = ("w", "b", -1) if self.white else ("b", "w", 1)
        for r, row in enumerate(self.rows):
            for c, piece in enumerate(row):
                if piece == me and 0 <= r + d < len(self.rows):
                    for dc in (-1, 0, 1):
                        if 0 <= c + dc < len(row):
                            there = self.rows[r + d][c + dc]
                            if there == "." or (there == you and dc):
                                yield (r, c), (r + d, c + dc)

    def result(self, move):
        (r, c), (r2, c2) = move
        grid = [list(row) for row in self.rows]
        grid[r2][c2], grid[r][c] = grid[r][c], "."
        return BreakthroughRows(tuple("".join(row) for row in grid), not self.white)

    def winner(self):
        if "w" in self.rows[0]:
            return "w"
        if "b" in self.rows[-1]:
            return "b"
        return None

    def terminal(self):
        return self.winner() is not None or next(iter(self.actions()), None) is None

    def utility(self):
        w = self.winner()
        if w is not None:
            return 1 if w == "w" else -1
        return -1 if self.white else 1


class Hexapawn(NamedTuple):
    board: str = "bbb...www"
    side: str = "w"

    FORWARD = {"w": -3, "b": 3}
    OTHER = {"w": "b", "b": "w"}

    def player(self):
        return 0 if self.side == "w" else 1

    def actions(self):
        d = self.FORWARD[self.side]
        enemy = self.OTHER[self.side]
        out = []
        for i, ch in enumerate(self.board):
            if ch == self.side and 0 <= i + d < 9:
                if self.board[i + d] == ".":
                    out.append((i, i + d))
                if i % 3 > 0 and self.board[i + d - 1] == enemy:
                    out.append((i, i + d - 1))
                if i % 3 < 2 and self.board[i + d + 1] == enemy:
                    out.append((i, i + d + 1))
        return out

    def result(self, a):
        i, j = a
        b = list(self.board)
        b[i], b[j] = ".", self.side
        return Hexapawn("".join(b), self.OTHER[self.side])

    def terminal(self):
        return "w" in self.board[:3] or "b" in self.board[6:] or not self.actions()

    def utility(self):
        # whoever moved last has won
        return -1 if self.side == "w" else 1


class HexapawnText(NamedTuple):
    """Moves are texts such as a1a2."""

    pieces: tuple = ("P", "P", "P", "", "", "", "p", "p", "p")
    turn: int = 0

    @staticmethod
    def name(sq):
        return "abc"[sq % 3] + "123"[sq // 3]

    @staticmethod
    def square(name):
        return "abc".index(name[0]) + 3 * (int(name[1]) - 1)

    def player(self):
        return self.turn

    def actions(self):
        mine, theirs, step = ("P", "p", 3) if self.turn == 0 else ("p", "P", -3)
        moves = []
        for sq, piece in enumerate(self.pieces):
            if piece != mine:
                continue
            for side in (-1, 0, 1):
                to = sq + step + side
                if not 0 <= to < 9 or abs(to % 3 - sq % 3) > 1:
                    continue
                if self.pieces[to] == ("" if side == 0 else theirs):
                    moves.append(self.name(sq) + self.name(to))
        return moves

    def result(self, move):
        start, end = self.square(move[:2]), self.square(move[2:])
        pieces = list(self.pieces)
        pieces[end] = pieces[start]
        pieces[start] = ""
        return HexapawnText(tuple(pieces), 1 - self.turn)

    def terminal(self):
        return "P" in self.pieces[6:] or "p" in self.pieces[:3] or len(self.actions()) == 0

    def utility(self):
        return -1 if self.turn == 0 else 1


class Isolation(NamedTuple):
    """4x4; move like a king, the square you leave is gone."""

    blocked: tuple = (False,) * 16
    places: tuple = (0, 15)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        r, c = divmod(self.places[self.mover], 4)
        free = []
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if dr or dc:
                    y, x = r + dr, c + dc
                    if 0 <= y < 4 and 0 <= x < 4 and not self.blocked[4 * y + x] and 4 * y + x not in self.places:
                        free.append(4 * y + x)
        return free

    def result(self, to):
        blocked = list(self.blocked)
        blocked[self.places[self.mover]] = True
        places = list(self.places)
        places[self.mover] = to
        return Isolation(tuple(blocked), tuple(places), 1 - self.mover)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.mover == 0 else 1

    def evaluate(self):
        mine = len(self._replace(mover=0).actions())
        yours = len(self._replace(mover=1).actions())
        return mine - yours


DIRECTIONS = {"N": (-1, 0), "S": (1, 0), "W": (0, -1), "E": (0, 1), "NE": (-1, 1), "SW": (1, -1)}


class IsolationNames(NamedTuple):
    """Moves are named by compass points."""

    gone: frozenset = frozenset()
    a: tuple[int, int] = (0, 0)
    b: tuple[int, int] = (2, 2)
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        here = self.a if self.mover == 0 else self.b
        legal = []
        for name, (dr, dc) in DIRECTIONS.items():
            there = (here[0] + dr, here[1] + dc)
            if there in self.gone or there == self.a or there == self.b:
                continue
            if 0 <= there[0] <= 2 and 0 <= there[1] <= 2:
                legal.append(name)
        return legal

    def result(self, name):
        dr, dc = DIRECTIONS[name]
        if self.mover == 0:
            return IsolationNames(self.gone | {self.a}, (self.a[0] + dr, self.a[1] + dc), self.b, 1)
        return IsolationNames(self.gone | {self.b}, self.a, (self.b[0] + dr, self.b[1] + dc), 0)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.mover == 0 else 1


class Isola(NamedTuple):
    """Move, then take out a square: two plies of the same player. On 3x3."""

    grid: tuple = (1, 1, 1, 1, 1, 1, 1, 1, 1)
    men: tuple[int, int] = (1, 7)
    turn: int = 0
    removing: bool = False

    def player(self):
        return self.turn

    def near(self, sq):
        r, c = sq // 3, sq % 3
        return [y * 3 + x for y in range(max(0, r - 1), min(3, r + 2)) for x in range(max(0, c - 1), min(3, c + 2))
                if (y, x) != (r, c)]

    def actions(self):
        if self.removing:
            return [q for q in range(9) if self.grid[q] and q not in self.men]
        return [q for q in self.near(self.men[self.turn]) if self.grid[q] and q not in self.men]

    def result(self, q):
        if self.removing:
            grid = self.grid[:q] + (0,) + self.grid[q + 1:]
            return Isola(grid, self.men, 1 - self.turn, False)
        men = (q, self.men[1]) if self.turn == 0 else (self.men[0], q)
        return self._replace(men=men, removing=True)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        # stuck: cannot move, or nothing is left to take out
        return 1 if self.turn == 1 else -1


class FoxAndHounds(NamedTuple):
    """Four hounds against a fox on 8x8, dark squares by (row, col)."""

    fox: tuple = (7, 4)
    hounds: tuple = ((0, 1), (0, 3), (0, 5), (0, 7))
    turn: int = 0

    def player(self):
        return self.turn

    def free(self, square):
        r, c = square
        return 0 <= r <= 7 and 0 <= c <= 7 and square != self.fox and square not in self.hounds

    def actions(self):
        moves = []
        if self.turn == 0:
            r, c = self.fox
            for dr in (-1, 1):
                for dc in (-1, 1):
                    if self.free((r + dr, c + dc)):
                        moves.append((self.fox, (r + dr, c + dc)))
        else:
            for r, c in self.hounds:
                for dc in (-1, 1):
                    if self.free((r + 1, c + dc)):
                        moves.append(((r, c), (r + 1, c + dc)))
        return moves

    def result(self, move):
        start, end = move
        if start == self.fox:
            return FoxAndHounds(end, self.hounds, 1)
        hounds = tuple(sorted(end if h == start else h for h in self.hounds))
        return FoxAndHounds(self.fox, hounds, 0)

    def terminal(self):
        return self.fox[0] <= min(r for r, _ in self.hounds) or not self.actions()

    def utility(self):
        if self.fox[0] <= min(h[0] for h in self.hounds):
            return 1
        return -1 if self.turn == 0 else 1


class MiniCheckers(NamedTuple):
    """4x4 checkers without kings; captures are not forced; 30 plies."""

    squares: str = "bb......" "......ww"
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        me = "wb"[self.ply % 2]
        you = "bw"[self.ply % 2]
        fwd = -1 if me == "w" else 1
        moves = []
        for r in range(4):
            for c in range(4):
                if self.squares[4 * r + c] != me:
                    continue
                for dc in (-1, 1):
                    r1, c1, r2, c2 = r + fwd, c + dc, r + 2 * fwd, c + 2 * dc
                    if 0 <= r1 < 4 and 0 <= c1 < 4 and self.squares[4 * r1 + c1] == ".":
                        moves.append((4 * r + c, 4 * r1 + c1))
                    elif 0 <= r2 < 4 and 0 <= c2 < 4 and self.squares[4 * r1 + c1] == you \
                            and self.squares[4 * r2 + c2] == ".":
                        moves.append((4 * r + c, 4 * r2 + c2))
        return moves

    def result(self, move):
        a, z = move
        s = list(self.squares)
        s[z] = s[a]
        s[a] = "."
        if abs(a - z) > 5:
            s[(a + z) // 2] = "."
        return MiniCheckers("".join(s), self.ply + 1)

    def terminal(self):
        return self.ply >= 30 or not self.actions()

    def utility(self):
        if self.actions():
            return 0
        return -1 if self.player() == 0 else 1


class Kind(Enum):
    TIGER = "T"
    GOAT = "G"
    FREE = "."


@dataclass(frozen=True)
class Tigers:
    """Bagh chal on 3x3: one tiger, four goats are placed, then moved. 24 plies at most."""

    cells: tuple = (Kind.FREE, Kind.FREE, Kind.FREE, Kind.FREE, Kind.TIGER, Kind.FREE, Kind.FREE, Kind.FREE, Kind.FREE)
    placed: int = 0
    ply: int = 0

    NEAR = ((1, 3, 4), (0, 2, 4), (1, 4, 5), (0, 4, 6), (0, 1, 2, 3, 5, 6, 7, 8), (2, 4, 8), (3, 4, 7), (4, 6, 8), (4, 5, 7))
    JUMPS = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def player(self):
        return self.ply % 2  # the goats begin

    def actions(self):
        if self.player() == 0:
            if self.placed < 4:
                return [(-1, to) for to, what in enumerate(self.cells) if what is Kind.FREE]
            return [(a, b) for a, what in enumerate(self.cells) if what is Kind.GOAT
                    for b in self.NEAR[a] if self.cells[b] is Kind.FREE]
        tiger = self.cells.index(Kind.TIGER)
        moves = [(tiger, b) for b in self.NEAR[tiger] if self.cells[b] is Kind.FREE]
        for a, mid, z in self.JUMPS:
            for start, end in ((a, z), (z, a)):
                if start == tiger and self.cells[mid] is Kind.GOAT and self.cells[end] is Kind.FREE:
                    moves.append((start, end))
        return moves

    def result(self, move):
        start, end = move
        cells = list(self.cells)
        if start == -1:
            cells[end] = Kind.GOAT
            return replace(self, cells=tuple(cells), placed=self.placed + 1, ply=self.ply + 1)
        cells[end], cells[start] = cells[start], Kind.FREE
        if end not in self.NEAR[start]:
            cells[(start + end) // 2] = Kind.FREE
        return replace(self, cells=tuple(cells), ply=self.ply + 1)

    def terminal(self):
        return self.ply >= 24 or not self.actions()

    def utility(self):
        if self.ply < 24 and self.player() == 1:
            return 1
        if not self.actions() and self.player() == 0:
            return -1
        return 0


class MuTorere(NamedTuple):
    """The Maori game: eight kewai around a putahi; 40 plies."""

    ring: tuple[int, ...] = (1, 1, 1, 1, 2, 2, 2, 2)
    centre: int = 0
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        me = 1 + self.ply % 2
        moves = []
        for i, who in enumerate(self.ring):
            if who != me:
                continue
            left, right = self.ring[i - 1], self.ring[(i + 1) % 8]
            if left == 0:
                moves.append((i, (i - 1) % 8))
            if right == 0:
                moves.append((i, (i + 1) % 8))
            if self.centre == 0 and (left == 3 - me or right == 3 - me):
                moves.append((i, 8))
        if self.centre == me:
            moves += [(8, i) for i, who in enumerate(self.ring) if who == 0]
        return moves

    def result(self, move):
        a, b = move
        all_nine = list(self.ring) + [self.centre]
        all_nine[a], all_nine[b] = all_nine[b], all_nine[a]
        return MuTorere(tuple(all_nine[:8]), all_nine[8], self.ply + 1)

    def terminal(self):
        return self.ply == 40 or not self.actions()

    def utility(self):
        if self.ply == 40:
            return 0
        return -1 if self.player() == 0 else 1


class FrogsAndToads(NamedTuple):
    line: str = "FFF__TTT"
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        moves = []
        for i, ch in enumerate(self.line):
            if self.turn == 0 and ch == "F":
                if self.line[i + 1:i + 2] == "_" or self.line[i + 1:i + 3] == "T_":
                    moves.append(i)
            if self.turn == 1 and ch == "T":
                if self.line[max(i - 1, 0):i] == "_" or self.line[max(i - 2, 0):i] == "_F":
                    moves.append(i)
        return moves

    def result(self, i):
        cells = list(self.line)
        d = 1 if self.turn == 0 else -1
        to = i + d if cells[i + d] == "_" else i + 2 * d
        cells[i], cells[to] = cells[to], cells[i]
        return FrogsAndToads("".join(cells), 1 - self.turn)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.turn == 1 else -1


class KingAndRook(NamedTuple):
    """King and rook against king on 4x4, 20 plies. Squares are complex-free pairs."""

    wk: tuple = (0, 0)
    wr: tuple = (0, 3)
    bk: tuple = (2, 2)
    ply: int = 0

    def player(self):
        return self.ply % 2

    @staticmethod
    def king_steps(sq):
        r, c = sq
        for y in range(r - 1, r + 2):
            for x in range(c - 1, c + 2):
                if (y, x) != sq and 0 <= y < 4 and 0 <= x < 4:
                    yield y, x

    def rook_sees(self, sq):
        if sq[0] == self.wr[0]:
            lo, hi = sorted((sq[1], self.wr[1]))
            return not (self.wk[0] == sq[0] and lo < self.wk[1] < hi)
        if sq[1] == self.wr[1]:
            lo, hi = sorted((sq[0], self.wr[0]))
            return not (self.wk[1] == sq[1] and lo < self.wk[0] < hi)
        return False

    def touching(self, a, b):
        return max(abs(a[0] - b[0]), abs(a[1] - b[1])) <= 1

    def actions(self):
        if self.ply % 2 == 0:
            moves = [("K", to) for to in self.king_steps(self.wk) if to != self.wr and not self.touching(to, self.bk)]
            for dr, dc in ((0, 1), (0, -1), (1, 0), (-1, 0)):
                r, c = self.wr
                r, c = r + dr, c + dc
                while 0 <= r < 4 and 0 <= c < 4 and (r, c) != self.wk and (r, c) != self.bk:
                    moves.append(("R", (r, c)))
                    r, c = r + dr, c + dc
            return moves
        return [
            ("k", to)
            for to in self.king_steps(self.bk)
            if not self.touching(to, self.wk) and (to == self.wr or not self.rook_sees(to))
        ]

    def result(self, move):
        piece, to = move
        if piece == "K":
            return self._replace(wk=to, ply=self.ply + 1)
        if piece == "R":
            return self._replace(wr=to, ply=self.ply + 1)
        return self._replace(bk=to, ply=self.ply + 1)

    def terminal(self):
        return self.ply >= 20 or self.bk == self.wr or not self.actions()

    def utility(self):
        if self.ply % 2 == 1 and not self.actions() and self.rook_sees(self.bk):
            return 1
        return 0


class Knights(NamedTuple):
    """Two knights on 4x4; visited squares are gone; whoever cannot move loses."""

    visited: int = 0b1000_0000_0000_0001
    white: int = 0
    black: int = 15
    turn: int = 0

    JUMPS = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)]

    def player(self):
        return self.turn

    def actions(self):
        at = (self.white, self.black)[self.turn]
        x, y = at % 4, at // 4
        targets = [(x + dx) + 4 * (y + dy) for dx, dy in self.JUMPS if 0 <= x + dx < 4 and 0 <= y + dy < 4]
        return [t for t in targets if not self.visited & (1 << t)]

    def result(self, t):
        if self.turn == 0:
            return Knights(self.visited | 1 << t, t, self.black, 1)
        return Knights(self.visited | 1 << t, self.white, t, 0)

    def terminal(self):
        return self.actions() == []

    def utility(self):
        return 1 if self.turn == 1 else -1


class Amazons(NamedTuple):
    """3x3 Amazons: one queen each moves, then shoots; an action is a triple."""

    rows: tuple = ("W..", "...", "..B")
    turn: str = "W"

    def player(self):
        return "WB".index(self.turn)

    def rays(self, rows, r, c):
        found = []
        for dr in (-1, 0, 1):
            for dc in (-1, 0, 1):
                if (dr, dc) == (0, 0):
                    continue
                y, x = r + dr, c + dc
                while 0 <= y < 3 and 0 <= x < 3 and rows[y][x] == ".":
                    found.append((y, x))
                    y += dr
                    x += dc
        return found

    def find(self, piece):
        for r, row in enumerate(self.rows):
            if piece in row:
                return r, row.index(piece)
        return None

    def actions(self):
        r, c = self.find(self.turn)
        moves = []
        for to in self.rays(self.rows, r, c):
            rows = self.moved((r, c), to)
            for arrow in self.rays(rows, *to):
                moves.append((to, arrow))
        return moves

    def moved(self, start, to):
        rows = [list(row) for row in self.rows]
        rows[start[0]][start[1]] = "."
        rows[to[0]][to[1]] = self.turn
        return rows

    def result(self, move):
        to, arrow = move
        rows = self.moved(self.find(self.turn), to)
        rows[arrow[0]][arrow[1]] = "#"
        return Amazons(tuple("".join(row) for row in rows), "B" if self.turn == "W" else "W")

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == "W" else 1


class Surakarta(NamedTuple):
    """Not that game: step or capture at any side on 3x3, 16 plies, more pieces win."""

    cells: tuple = (1, 1, 1, 0, 0, 0, 2, 2, 2)
    ply: int = 0

    points = True

    def player(self):
        return self.ply & 1

    def actions(self):
        me = (self.ply & 1) + 1
        return [
            9 * a + b
            for a in range(9)
            if self.cells[a] == me
            for b in range(9)
            if self.cells[b] != me and abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1
        ]

    def result(self, move):
        a, b = divmod(move, 9)
        c = list(self.cells)
        c[a], c[b] = 0, c[a]
        return Surakarta(tuple(c), self.ply + 1)

    def terminal(self):
        return self.ply == 16 or not self.actions()

    def utility(self):
        return sum({0: 0, 1: 1, 2: -1}[v] for v in self.cells)


class Lasker(NamedTuple):
    """A rook each on a 5x5 board that may only go towards the corner; the blocked one loses."""

    white: tuple[int, int] = (4, 4)
    black: tuple[int, int] = (4, 3)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        r, c = self.white if self.turn == 0 else self.black
        other = self.black if self.turn == 0 else self.white
        moves = []
        for k in range(1, max(r, c) + 1):
            if k <= r and (r - k, c) != other:
                moves.append(("up", k))
            if k <= c and (r, c - k) != other:
                moves.append(("left", k))
        return moves

    def result(self, move):
        way, k = move
        r, c = self.white if self.turn == 0 else self.black
        new = (r - k, c) if way == "up" else (r, c - k)
        return Lasker(new, self.black, 1) if self.turn == 0 else Lasker(self.white, new, 0)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        distance = lambda sq: math.hypot(*sq)
        return int(10 * (distance(self.white) - distance(self.black)))
