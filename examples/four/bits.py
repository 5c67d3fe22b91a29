"""Step 3: the board is the bits of two ints, as strong programs have it."""

from typing import NamedTuple

BOTTOM = sum(1 << 7 * c for c in range(7))
TOP = BOTTOM << 5


class Four(NamedTuple):
    mine: int = 0  # the pieces of the player to move, seven bits a column
    all: int = 0
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [c for c in range(7) if not self.all & 1 << 7 * c + 5]

    def result(self, c):
        return Four(self.mine ^ self.all, self.all | self.all + (1 << 7 * c), self.ply + 1)

    def won(self):
        yours = self.mine ^ self.all
        for step in (1, 6, 7, 8):
            pairs = yours & yours >> step
            if pairs & pairs >> 2 * step:
                return True
        return False

    def terminal(self):
        return self.won() or self.all & TOP == TOP

    def utility(self):
        return 0 if not self.won() else 1 if self.ply % 2 else -1
