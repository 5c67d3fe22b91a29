"""Actions given as a set: they are played in sorted order."""

from typing import NamedTuple
X, O, EMPTY = "X", "O", None
def initial_state():
    return ((EMPTY,) * 3,) * 3
def player(board):
    xs = sum(cell == X for row in board for cell in row)
    os = sum(cell == O for row in board for cell in row)
    return X if xs == os else O
def actions(board):
    """all (i, j) available"""
    found = set()
    for i in range(3):
        for j in range(3):
            if board[i][j] == EMPTY:
                found.add((i, j))
    return found
def result(board, action):
    if action not in actions(board):
        raise ValueError("invalid")
    i, j = action
    new = [list(row) for row in board]
    new[i][j] = player(board)
    return tuple(tuple(row) for row in new)
def winner(board):
    lines = list(board) + list(zip(*board)) + [tuple(board[i][i] for i in range(3)), tuple(board[i][2 - i] for i in range(3))]
    for line in lines:
        if line[0] is not None and line.count(line[0]) == 3:
            return line[0]
    return None
class TicTacToe(NamedTuple):
    board: tuple = initial_state()
    def player(self): return 0 if player(self.board) == X else 1
    def actions(self): return actions(self.board)
    def result(self, action): return TicTacToe(result(self.board, action))
    def terminal(self): return winner(self.board) is not None or not actions(self.board)
    def utility(self): return {X: 1, O: -1, None: 0}[winner(self.board)]
class S(NamedTuple):
    left: int = 21
    turn: int = 0
    def player(self): return self.turn
    def actions(self): return {a for a in (3, 1, 2) if a <= self.left}
    def result(self, a): return S(self.left - a, 1 - self.turn)
    def terminal(self): return not self.actions()
    def utility(self): return 1 if self.turn else -1
class W(NamedTuple):
    words: frozenset = frozenset({"apple", "bear", "cat", "dog"})
    turn: int = 0
    def player(self): return self.turn
    def actions(self): return self.words
    def result(self, a): return W(self.words - {a}, 1 - self.turn)
    def terminal(self): return len(self.words) <= 1
    def utility(self): return 1 if "bear" in self.words else -1


class Pairs(NamedTuple):
    """A set of moves that a helper fills, of one kind or of another."""

    cells: tuple = (1, 0, 2, 0, 1)
    turn: int = 0

    def player(self):
        return self.turn

    def steps(self):
        return {(i, i + 1) for i in range(4) if self.cells[i] and not self.cells[i + 1]}

    def actions(self):
        found = self.steps()
        found |= {(i, i - 1) for i in range(1, 5) if self.cells[i] and not self.cells[i - 1]}
        return found

    def result(self, move):
        i, j = move
        cells = list(self.cells)
        cells[i], cells[j] = cells[i] - 1, 2
        return Pairs(tuple(cells), 1 - self.turn)

    def terminal(self):
        return not self.actions() or sum(self.cells) > 7

    def utility(self):
        return 1 if self.cells[0] > self.cells[4] else -1 if self.cells[0] < self.cells[4] else 0
