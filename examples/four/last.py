"""Step 2: only lines through the last piece can be new."""

from typing import NamedTuple


class Four(NamedTuple):
    board: tuple = (0,) * 42
    turn: int = 1
    last: int = -1

    def player(self):
        return self.turn - 1

    def actions(self):
        return [c for c in range(7) if self.board[c] == 0]

    def result(self, c):
        at = max(i for i in range(c, 42, 7) if self.board[i] == 0)
        return Four(self.board[:at] + (self.turn,) + self.board[at + 1 :], 3 - self.turn, at)

    def run(self, dr, dc):
        """How many of the last mover's pieces stand one after the other beside the last."""
        r, c = divmod(self.last, 7)
        n = 0
        while 0 <= r + dr < 6 and 0 <= c + dc < 7 and self.board[(r + dr) * 7 + c + dc] == 3 - self.turn:
            r, c, n = r + dr, c + dc, n + 1
        return n

    def won(self):
        if self.last < 0:
            return False
        return any(self.run(dr, dc) + self.run(-dr, -dc) >= 3 for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)))

    def terminal(self):
        return self.won() or 0 not in self.board

    def utility(self):
        return 0 if not self.won() else 1 if self.turn == 2 else -1
