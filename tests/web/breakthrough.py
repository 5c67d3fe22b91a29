"""Breakthrough on a small board: a game as a user writes it, with a board and nothing else for the page."""

from typing import NamedTuple

from outplay import Board


class Breakthrough(NamedTuple):
    """Pawns step forward, straight or aslant, and take aslant; who reaches the far row wins."""

    white: int = 0b0000_0000_0000_1111
    black: int = 0b1111_0000_0000_0000
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        own, other = (self.black, self.white) if self.mover else (self.white, self.black)
        for square in range(16):
            if own >> square & 1:
                for side in (-1, 0, 1):
                    to = square + (-4 if self.mover else 4) + side
                    if 0 <= to < 16 and abs(to % 4 - square % 4) <= 1 and not own >> to & 1:
                        if side != 0 or not other >> to & 1:
                            yield 16 * square + to

    def result(self, action):
        leave, reach = 1 << (action >> 4), 1 << (action & 15)
        if self.mover:
            return Breakthrough(self.white & ~reach, self.black & ~leave | reach, 0)
        return Breakthrough(self.white & ~leave | reach, self.black & ~reach, 1)

    def terminal(self):
        return self.white >= 1 << 12 or self.black & 15 != 0 or self.white == 0 or self.black == 0

    def utility(self):
        return 1 if self.white >= 1 << 12 or self.black == 0 else -1

    def board(self):
        cells = ["W" if self.white >> i & 1 else "B" if self.black >> i & 1 else " " for i in range(16)]
        return Board(tuple("".join(cells[i : i + 4]) for i in (12, 8, 4, 0)), owners=("W", "B"))
