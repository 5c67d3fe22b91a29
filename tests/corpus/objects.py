"""Classes with `__init__`: objects that hold lists, and are never changed once they are made."""

import copy


class ListBoard:
    """Tic-tac-toe with a list of nine characters."""

    WINS = [[0, 1, 2], [3, 4, 5], [6, 7, 8], [0, 3, 6], [1, 4, 7], [2, 5, 8], [0, 4, 8], [2, 4, 6]]

    def __init__(self, board=None, turn="X"):
        self.board = board if board is not None else [" "] * 9
        self.turn = turn

    def __repr__(self):
        return f"{self.board} {self.turn}"

    def player(self):
        return 0 if self.turn == "X" else 1

    def actions(self):
        return [i for i, mark in enumerate(self.board) if mark == " "]

    def result(self, i):
        board = self.board[:]
        board[i] = self.turn
        return ListBoard(board, "O" if self.turn == "X" else "X")

    def winner(self):
        for a, b, c in self.WINS:
            if self.board[a] != " " and self.board[a] == self.board[b] == self.board[c]:
                return self.board[a]
        return None

    def terminal(self):
        return self.winner() is not None or " " not in self.board

    def utility(self):
        return {"X": 1, "O": -1, None: 0}[self.winner()]


class Grid:
    """Connect three on 3x4 in a list of lists, copied by deepcopy."""

    ROWS, COLS = 3, 4

    def __init__(self, grid=None, player_to_move=0):
        if grid is None:
            grid = [[0] * self.COLS for _ in range(self.ROWS)]
        self.grid = grid
        self.to_move = player_to_move

    def player(self):
        return self.to_move

    def actions(self):
        return [c for c in range(self.COLS) if self.grid[0][c] == 0]

    def result(self, c):
        grid = copy.deepcopy(self.grid)
        row = max(r for r in range(self.ROWS) if grid[r][c] == 0)
        grid[row][c] = self.to_move + 1
        return Grid(grid, 1 - self.to_move)

    def line(self, r, c, dr, dc):
        mark = self.grid[r][c]
        for k in range(3):
            rr, cc = r + k * dr, c + k * dc
            if not (0 <= rr < self.ROWS and 0 <= cc < self.COLS) or self.grid[rr][cc] != mark:
                return False
        return mark != 0

    def winner(self):
        for r in range(self.ROWS):
            for c in range(self.COLS):
                if any(self.line(r, c, dr, dc) for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]):
                    return self.grid[r][c]
        return 0

    def terminal(self):
        return self.winner() > 0 or not self.actions()

    def utility(self):
        return [0, 1, -1][self.winner()]


class Stones:
    """Nim with heaps in a list, equality and hash written out."""

    def __init__(self, heaps=(3, 4, 5), mover=0):
        self.heaps = list(heaps)
        self.mover = mover

    def __eq__(self, other):
        return self.heaps == other.heaps and self.mover == other.mover

    def __hash__(self):
        return hash((tuple(self.heaps), self.mover))

    def player(self):
        return self.mover

    def actions(self):
        for i, heap in enumerate(self.heaps):
            for k in range(1, heap + 1):
                yield i, k

    def result(self, action):
        i, k = action
        heaps = list(self.heaps)
        heaps[i] -= k
        return Stones(heaps, 1 - self.mover)

    def terminal(self):
        return sum(self.heaps) == 0

    def utility(self):
        return 1 if self.mover == 1 else -1


class _Walk:
    """What walks share."""

    def player(self):
        return self.ply % 2

    def terminal(self):
        return self.ply == 6 or self.at == self.goal

    def utility(self):
        return 1 if self.at == self.goal else -1


class Walk(_Walk):
    """Fields set by several targets, and one that is computed; methods from another class."""

    def __init__(self, at=(0, 0), ply=0):
        self.at, self.ply = at, ply
        self.goal = (2, 2)

    @property
    def left(self):
        return abs(self.at[0] - self.goal[0]) + abs(self.at[1] - self.goal[1])

    def actions(self):
        return [(dr, dc) for dr, dc in ((0, 1), (1, 0), (0, -1)) if 0 <= self.at[1] + dc <= 3]

    def result(self, step):
        where = (self.at[0] + step[0], self.at[1] + step[1])
        return self.__class__(where, self.ply + 1)

    def evaluate(self):
        return -self.left


class Hands:
    """Cards in a list of lists, moved by pop and append on copies."""

    def __init__(self, hands=None, table=None, turn=0):
        self.hands = [[1, 4, 2], [3, 2, 5]] if hands is None else hands
        self.table = [] if table is None else table
        self.turn = turn

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return list(range(len(self.hands[self.turn])))

    def result(self, i):
        hands = [hand.copy() for hand in self.hands]
        table = self.table + [hands[self.turn].pop(i)]
        return Hands(hands, table, 1 - self.turn)

    def terminal(self):
        return not any(self.hands)

    def utility(self):
        mine, yours = self.table[::2], self.table[1::2]
        return sum((a > b) - (a < b) for a, b in zip(mine, yours))


class Private:
    """Private names, as in Java: `self.__heap` is `self._Private__heap`."""

    __STEPS = (1, 2, 3)

    def __init__(self, heap=11, mover=0):
        self.__heap = heap
        self.__mover = mover

    def player(self):
        return self.__mover

    def __fits(self, step, __most=3):
        return step <= self.__heap and step <= __most

    def actions(self):
        return [step for step in self.__STEPS if self.__fits(step)]

    def result(self, step):
        return Private(self.__heap - step, 1 - self.__mover)

    def terminal(self):
        return self.__heap == 0

    def utility(self):
        return -1 if self.__mover == 0 else 1

    def __eq__(self, other):
        return self.__heap == other.__heap and self.__mover == other.__mover

    def __hash__(self):
        return hash((self.__heap, self.__mover))
