"""Tic-tac-toe, as many people write it."""

import itertools
from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum, IntEnum
from functools import lru_cache
from typing import List, NamedTuple, Optional, Tuple

WINS = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6)]


class FlatTuple(NamedTuple):
    board: tuple = (0,) * 9
    turn: int = 1

    def player(self):
        return 0 if self.turn == 1 else 1

    def actions(self):
        return [i for i in range(9) if self.board[i] == 0]

    def result(self, a):
        b = list(self.board)
        b[a] = self.turn
        return FlatTuple(tuple(b), -self.turn)

    def winner(self):
        for i, j, k in WINS:
            if self.board[i] != 0 and self.board[i] == self.board[j] == self.board[k]:
                return self.board[i]
        return 0

    def terminal(self):
        return self.winner() != 0 or 0 not in self.board

    def utility(self):
        return self.winner()


class Rows(NamedTuple):
    """A tuple of rows, moves are (row, column)."""

    grid: tuple = ((None, None, None), (None, None, None), (None, None, None))

    def player(self):
        xs = sum(row.count("X") for row in self.grid)
        os = sum(row.count("O") for row in self.grid)
        return 0 if xs == os else 1

    def actions(self):
        moves = []
        for r in range(3):
            for c in range(3):
                if self.grid[r][c] is None:
                    moves.append((r, c))
        return moves

    def result(self, action):
        r, c = action
        new = [list(row) for row in self.grid]
        new[r][c] = "XO"[self.player()]
        return Rows(tuple(tuple(row) for row in new))

    def winner(self):
        lines = list(self.grid) + list(zip(*self.grid))
        lines.append(tuple(self.grid[i][i] for i in range(3)))
        lines.append(tuple(self.grid[i][2 - i] for i in range(3)))
        for line in lines:
            if line[0] is not None and line.count(line[0]) == 3:
                return line[0]
        return None

    def terminal(self):
        return self.winner() is not None or not any(None in row for row in self.grid)

    def utility(self):
        w = self.winner()
        if w == "X":
            return 1
        elif w == "O":
            return -1
        else:
            return 0


class OnString(NamedTuple):
    board: str = "........."

    def to_move(self):
        return "X" if self.board.count("X") == self.board.count("O") else "O"

    def player(self):
        return 0 if self.to_move() == "X" else 1

    def actions(self):
        return [i for i, ch in enumerate(self.board) if ch == "."]

    def result(self, i):
        return OnString(self.board[:i] + self.to_move() + self.board[i + 1:])

    def has_won(self, p):
        b = self.board
        return any(b[x] == b[y] == b[z] == p for x, y, z in WINS)

    def terminal(self):
        return self.has_won("X") or self.has_won("O") or "." not in self.board

    def utility(self):
        return 1 if self.has_won("X") else -1 if self.has_won("O") else 0

    def __str__(self):
        return "/".join(self.board[i:i + 3] for i in (0, 3, 6))

    @classmethod
    def parse(cls, text):
        return cls(text.replace("/", ""))


class SlicedTuple(NamedTuple):
    squares: Tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0, 0, 0)
    mover: int = 0

    def player(self) -> int:
        return self.mover

    def actions(self) -> List[int]:
        return [] if self.line(1) or self.line(2) else [k for k, v in enumerate(self.squares) if not v]

    def result(self, k: int) -> "SlicedTuple":
        return SlicedTuple(self.squares[:k] + (self.mover + 1,) + self.squares[k + 1 :], 1 - self.mover)

    def line(self, who: int) -> bool:
        s = self.squares
        rows = any(s[i : i + 3] == (who,) * 3 for i in range(0, 9, 3))
        cols = any(s[i::3] == (who, who, who) for i in range(3))
        return rows or cols or s[0::4] == (who,) * 3 or s[2:7:2] == (who,) * 3

    def utility(self) -> int:
        return self.line(1) - self.line(2)


class BitBoards(NamedTuple):
    x: int = 0
    o: int = 0

    MASKS = (0b111, 0b111000, 0b111000000, 0b1001001, 0b10010010, 0b100100100, 0b100010001, 0b1010100)

    def player(self):
        return (self.x | self.o).bit_count() & 1

    def actions(self):
        taken = self.x | self.o
        return [i for i in range(9) if not taken >> i & 1]

    def result(self, i):
        if self.player() == 0:
            return BitBoards(self.x | 1 << i, self.o)
        return BitBoards(self.x, self.o | 1 << i)

    def won(self, who):
        return any(who & m == m for m in self.MASKS)

    def terminal(self):
        return self.won(self.x) or self.won(self.o) or (self.x | self.o) == 0x1FF

    def utility(self):
        return int(self.won(self.x)) - int(self.won(self.o))


class Mark(Enum):
    EMPTY = 0
    CROSS = 1
    NOUGHT = 2

    def other(self):
        return Mark.NOUGHT if self is Mark.CROSS else Mark.CROSS


class WithEnum(NamedTuple):
    cells: tuple[Mark, ...] = (Mark.EMPTY,) * 9
    to_play: Mark = Mark.CROSS

    def player(self):
        return 0 if self.to_play is Mark.CROSS else 1

    def actions(self):
        for index, mark in enumerate(self.cells):
            if mark is Mark.EMPTY:
                yield index

    def result(self, index):
        cells = list(self.cells)
        cells[index] = self.to_play
        return WithEnum(tuple(cells), self.to_play.other())

    def winner(self):
        for a, b, c in WINS:
            if self.cells[a] == self.cells[b] == self.cells[c] != Mark.EMPTY:
                return self.cells[a]
        return Mark.EMPTY

    def terminal(self):
        return self.winner() != Mark.EMPTY or all(m != Mark.EMPTY for m in self.cells)

    def utility(self):
        return {Mark.CROSS: 1, Mark.NOUGHT: -1, Mark.EMPTY: 0}[self.winner()]


class P(IntEnum):
    NONE = 0
    X = 1
    O = 2


@dataclass(frozen=True)
class Frozen:
    board: tuple[P, ...] = (P.NONE,) * 9
    current: P = P.X

    def player(self):
        return self.current - 1

    def actions(self):
        return [sq for sq in range(9) if self.board[sq] == P.NONE]

    def result(self, sq):
        board = self.board[:sq] + (self.current,) + self.board[sq + 1:]
        return replace(self, board=board, current=P(3 - self.current))

    def _wins(self, p):
        return any(all(self.board[sq] == p for sq in line) for line in WINS)

    def terminal(self):
        return self._wins(P.X) or self._wins(P.O) or P.NONE not in self.board

    def utility(self):
        if self._wins(P.X):
            return 1
        if self._wins(P.O):
            return -1
        return 0


class TwoSets(NamedTuple):
    """Each player's squares as a sorted tuple."""

    mine: tuple = ()
    yours: tuple = ()
    who: int = 0

    MAGIC = (2, 7, 6, 9, 5, 1, 4, 3, 8)

    def player(self):
        return self.who

    def actions(self):
        return [s for s in range(9) if s not in self.mine and s not in self.yours]

    def result(self, s):
        return TwoSets(self.yours, tuple(sorted(self.mine + (s,))), 1 - self.who)

    def lost(self):
        return any(sum(self.MAGIC[s] for s in three) == 15 for three in itertools.combinations(self.yours, 3))

    def terminal(self):
        return self.lost() or len(self.mine) + len(self.yours) == 9

    def utility(self):
        if not self.lost():
            return 0
        return -1 if self.who == 0 else 1


class MagicSquare(NamedTuple):
    """Pick numbers 1..9 in turn; three of one's own that sum to 15 win."""

    owner: tuple = (0,) * 10

    def player(self):
        return (9 - self.owner[1:].count(0)) % 2

    def actions(self):
        return [n for n in range(1, 10) if self.owner[n] == 0]

    def result(self, n):
        lst = list(self.owner)
        lst[n] = 1 if self.player() == 0 else 2
        return MagicSquare(tuple(lst))

    def has15(self, p):
        nums = {n for n in range(1, 10) if self.owner[n] == p}
        for a in nums:
            for b in nums:
                if a < b and (15 - a - b) in nums and 15 - a - b not in (a, b):
                    return True
        return False

    def terminal(self):
        return self.has15(1) or self.has15(2) or self.owner.count(0) == 1

    def utility(self):
        return 1 if self.has15(1) else (-1 if self.has15(2) else 0)


class DictOfLines(NamedTuple):
    board: tuple[int, ...] = (0,) * 9
    turn: int = 0

    LINES = {
        "top": (0, 1, 2), "middle": (3, 4, 5), "bottom": (6, 7, 8),
        "left": (0, 3, 6), "centre": (1, 4, 7), "right": (2, 5, 8),
        "down": (0, 4, 8), "up": (6, 4, 2),
    }

    def player(self):
        return self.turn

    def actions(self):
        return tuple(i for i in range(9) if not self.board[i])

    def result(self, i):
        return self._replace(
            board=tuple(v if j != i else (1, -1)[self.turn] for j, v in enumerate(self.board)),
            turn=1 - self.turn,
        )

    def score(self):
        for name, line in self.LINES.items():
            total = sum(self.board[i] for i in line)
            if abs(total) == 3:
                return total // 3
        return 0

    def terminal(self):
        return bool(self.score()) or all(self.board)

    def utility(self):
        return self.score()

    def evaluate(self):
        open_x = open_o = 0
        for line in self.LINES.values():
            marks = [self.board[i] for i in line]
            if -1 not in marks:
                open_x += 1
            if 1 not in marks:
                open_o += 1
        return open_x - open_o


class Counted(NamedTuple):
    """Counts marks of each line with a Counter."""

    b: str = " " * 9

    def player(self):
        return 9 - self.b.count(" ") & 1

    def actions(self):
        return [pos for pos in range(9) if self.b[pos] == " "]

    def result(self, pos):
        mark = "XO"[self.player()]
        return Counted("".join(mark if p == pos else ch for p, ch in enumerate(self.b)))

    def full_line(self, mark):
        for line in WINS:
            count = Counter(self.b[p] for p in line)
            if count[mark] == 3:
                return True
        return False

    def terminal(self):
        return self.full_line("X") or self.full_line("O") or " " not in self.b

    def utility(self):
        return int(self.full_line("X")) - int(self.full_line("O"))


class ListIdiom(NamedTuple):
    """The loops of a beginner."""

    board: tuple = (0, 0, 0, 0, 0, 0, 0, 0, 0)
    player_to_move: int = 1

    def player(self):
        if self.player_to_move == 1:
            return 0
        else:
            return 1

    def actions(self):
        empty = []
        i = 0
        while i < len(self.board):
            if self.board[i] == 0:
                empty.append(i)
            i = i + 1
        return empty

    def result(self, action):
        new_board = []
        for cell in self.board:
            new_board.append(cell)
        new_board[action] = self.player_to_move
        if self.player_to_move == 1:
            next_player = 2
        else:
            next_player = 1
        return ListIdiom(tuple(new_board), next_player)

    def check_winner(self):
        b = self.board
        for row in range(3):
            if b[row * 3] == b[row * 3 + 1] == b[row * 3 + 2] and b[row * 3] != 0:
                return b[row * 3]
        for col in range(3):
            if b[col] == b[col + 3] == b[col + 6] and b[col] != 0:
                return b[col]
        if b[0] == b[4] == b[8] and b[0] != 0:
            return b[0]
        if b[2] == b[4] == b[6] and b[2] != 0:
            return b[2]
        return 0

    def terminal(self):
        if self.check_winner() != 0:
            return True
        for cell in self.board:
            if cell == 0:
                return False
        return True

    def utility(self):
        winner = self.check_winner()
        if winner == 1:
            return 1
        elif winner == 2:
            return -1
        return 0


class AimaStyle(NamedTuple):
    """The state keeps whose turn it is, the utility so far, the board and the moves left."""

    to_move: str = "X"
    value: int = 0
    board: tuple = ((".", ".", "."), (".", ".", "."), (".", ".", "."))
    moves: tuple = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 1), (1, 2), (2, 0), (2, 1), (2, 2))

    def player(self):
        return 0 if self.to_move == "X" else 1

    def actions(self):
        return self.moves

    def result(self, move):
        if move not in self.moves:
            return self
        x, y = move
        board = tuple(
            tuple(self.to_move if (r, c) == (x, y) else self.board[r][c] for c in range(3)) for r in range(3)
        )
        moves = tuple(m for m in self.moves if m != move)
        return AimaStyle("O" if self.to_move == "X" else "X", compute_utility(board, move, self.to_move), board, moves)

    def terminal(self):
        return self.value != 0 or len(self.moves) == 0

    def utility(self):
        return self.value


def compute_utility(board, move, who):
    if any(k_in_row(board, move, who, delta) for delta in [(0, 1), (1, 0), (1, -1), (1, 1)]):
        return 1 if who == "X" else -1
    return 0


def k_in_row(board, move, who, delta_x_y, k=3):
    (delta_x, delta_y) = delta_x_y
    x, y = move
    n = 0
    while 0 <= x < 3 and 0 <= y < 3 and board[x][y] == who:
        n += 1
        x, y = x + delta_x, y + delta_y
    x, y = move
    while 0 <= x < 3 and 0 <= y < 3 and board[x][y] == who:
        n += 1
        x, y = x - delta_x, y - delta_y
    n -= 1
    return n >= k


class Misere(NamedTuple):
    """Whoever makes three in a row loses."""

    cells: tuple = (0,) * 9

    def player(self):
        return sum(1 for v in self.cells if v) % 2

    def actions(self):
        return [i for i, v in enumerate(self.cells) if v == 0]

    def result(self, i):
        new = [*self.cells]
        new[i] = self.player() + 1
        return Misere(tuple(new))

    def loser(self) -> Optional[int]:
        return next((self.cells[a] for a, b, c in WINS if 0 != self.cells[a] == self.cells[b] == self.cells[c]), None)

    def terminal(self):
        return self.loser() is not None or 0 not in self.cells

    def utility(self):
        loser = self.loser()
        if loser is None:
            return 0
        return 1 if loser == 2 else -1


class Wild(NamedTuple):
    """Either player may write X or O; whoever makes three alike wins."""

    board: str = "-" * 9
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [(i, s) for i in range(9) for s in "XO" if self.board[i] == "-"]

    def result(self, action):
        i, s = action
        return Wild(self.board[:i] + s + self.board[i + 1 :], 1 - self.mover)

    def three(self):
        return any(self.board[a] + self.board[b] + self.board[c] in ("XXX", "OOO") for a, b, c in WINS)

    def terminal(self):
        return self.three() or "-" not in self.board

    def utility(self):
        if self.three():
            return -1 if self.mover == 0 else 1
        return 0


class Numerical(NamedTuple):
    """Odd numbers against even numbers: whoever completes a line of three that sums to 15 wins."""

    grid: tuple = (0, 0, 0, 0, 0, 0, 0, 0, 0)

    def player(self):
        return (9 - self.grid.count(0)) % 2

    def actions(self):
        numbers = [n for n in range(1, 10) if n not in self.grid and n % 2 != self.player()]
        return [(cell, n) for cell in range(9) if self.grid[cell] == 0 for n in numbers]

    def result(self, action):
        cell, number = action
        return Numerical(self.grid[:cell] + (number,) + self.grid[cell + 1:])

    def done(self):
        for line in WINS:
            values = [self.grid[i] for i in line]
            if 0 not in values and sum(values) == 15:
                return True
        return False

    def terminal(self):
        return self.done() or not self.actions()

    def utility(self):
        if not self.done():
            return 0
        return 1 if self.player() == 1 else -1


class ThreeMensMorris(NamedTuple):
    """Each has three men; after placing they move to a neighbour. A game of 40 plies is drawn."""

    board: tuple[str, ...] = (" ",) * 9
    ply: int = 0

    NEIGHBOURS = {
        0: (1, 3, 4), 1: (0, 2, 4), 2: (1, 4, 5), 3: (0, 4, 6), 4: (0, 1, 2, 3, 5, 6, 7, 8),
        5: (2, 4, 8), 6: (3, 4, 7), 7: (4, 6, 8), 8: (4, 5, 7),
    }

    def player(self):
        return self.ply % 2

    def actions(self):
        me = "WB"[self.ply % 2]
        if self.ply < 6:
            return [(-1, to) for to in range(9) if self.board[to] == " "]
        return [(fr, to) for fr in range(9) if self.board[fr] == me
                for to in self.NEIGHBOURS[fr] if self.board[to] == " "]

    def result(self, action):
        fr, to = action
        cells = list(self.board)
        if fr >= 0:
            cells[fr] = " "
        cells[to] = "WB"[self.ply % 2]
        return ThreeMensMorris(tuple(cells), self.ply + 1)

    def mill(self, p):
        return any(all(self.board[i] == p for i in line) for line in WINS)

    def terminal(self):
        return self.mill("W") or self.mill("B") or self.ply >= 40 or not self.actions()

    def utility(self):
        return self.mill("W") - self.mill("B")


@lru_cache(maxsize=None)
def winner_of(board):
    for a, b, c in WINS:
        if board[a] == board[b] == board[c] and board[a] != "_":
            return board[a]
    return ""


class Cached(NamedTuple):
    """The winner is remembered by board."""

    board: str = "_________"

    def player(self): return 0 if self.board.count("x") <= self.board.count("o") else 1
    def actions(self): return [n for n in range(9) if self.board[n] == "_"]
    def result(self, n): return Cached(self.board[:n] + ("x", "o")[self.player()] + self.board[n + 1:])
    def terminal(self): return winner_of(self.board) != "" or "_" not in self.board
    def utility(self): return {"x": 1, "o": -1, "": 0}[winner_of(self.board)]


class Letters(NamedTuple):
    """Squares are named a1 to c3."""

    taken: tuple[tuple[str, int], ...] = ()

    NAMES = [f + r for r in "123" for f in "abc"]

    def player(self):
        return len(self.taken) % 2

    def actions(self):
        used = [name for name, _ in self.taken]
        return [name for name in self.NAMES if name not in used]

    def result(self, name):
        return Letters(self.taken + ((name, self.player()),))

    def wins(self, who):
        own = [name for name, p in self.taken if p == who]
        files = [n[0] for n in own]
        ranks = [n[1] for n in own]
        return (
            any(files.count(f) == 3 for f in "abc")
            or any(ranks.count(r) == 3 for r in "123")
            or all(n in own for n in ("a1", "b2", "c3"))
            or all(n in own for n in ("a3", "b2", "c1"))
        )

    def terminal(self):
        return self.wins(0) or self.wins(1) or len(self.taken) == 9

    def utility(self):
        return 1 if self.wins(0) else -1 if self.wins(1) else 0
