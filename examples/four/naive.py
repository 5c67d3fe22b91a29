"""Connect Four as it is first written: a class with lists that is copied whole for every move."""

import copy


class Four:
    def __init__(self):
        self.board = [["."] * 7 for _ in range(6)]
        self.turn = "X"

    def player(self):
        return "XO".index(self.turn)

    def actions(self):
        return [c for c in range(7) if self.board[0][c] == "."]

    def result(self, c):
        new = copy.deepcopy(self)
        r = max(r for r in range(6) if new.board[r][c] == ".")
        new.board[r][c] = self.turn
        new.turn = "O" if self.turn == "X" else "X"
        return new

    def winner(self):
        for r in range(6):
            for c in range(7):
                for dr, dc in [(0, 1), (1, 0), (1, 1), (1, -1)]:
                    cells = [(r + k * dr, c + k * dc) for k in range(4)]
                    if all(0 <= y < 6 and 0 <= x < 7 for y, x in cells):
                        if len({self.board[y][x] for y, x in cells}) == 1 and self.board[r][c] != ".":
                            return self.board[r][c]
        return None

    def terminal(self):
        return self.winner() is not None or not self.actions()

    def utility(self):
        return {"X": 1, "O": -1, None: 0}[self.winner()]
