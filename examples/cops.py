"""Cops and robber on a grid: lines of play go in circles, so no search sees their end; a table does.

outplay table build examples/cops.py
"""

from typing import NamedTuple


class Cops(NamedTuple):
    """Two cops catch a robber: they win when one of them steps on his square, or he has to step on theirs.

    Squares are numbered row by row. The cops move first, one of them one step to a side; then the robber moves.
    """

    WIDTH = 5
    HEIGHT = 4
    max_actions = 8
    win = 1

    one: int = 0  # the cops' squares, the smaller first
    two: int = WIDTH * HEIGHT - 1
    robber: int = WIDTH * (HEIGHT // 2) + WIDTH // 2
    mover: int = 0  # 0: the cops, 1: the robber

    def player(self):
        return self.mover

    def actions(self):
        """Who moves (0, 1: a cop, 2: the robber) and which way, packed as 4 * who + way."""
        for who in range(2 * self.mover, 2 + self.mover):
            square = self.robber if who == 2 else self.two if who else self.one
            for way in range(4):
                if self.step(square, way) >= 0:
                    yield 4 * who + way

    def result(self, action):
        who, way = action // 4, action % 4
        if who == 2:
            return Cops(self.one, self.two, self.step(self.robber, way), 0)
        moved = self.step(self.two if who else self.one, way)
        other = self.one if who else self.two
        return Cops(min(moved, other), max(moved, other), self.robber, 1)

    def terminal(self):
        return self.robber == self.one or self.robber == self.two

    def utility(self):
        return 1

    def step(self, square, way):
        """The square beside another; -1 where the grid ends."""
        row, column = square // self.WIDTH, square % self.WIDTH
        if way == 0:
            return square - 1 if column > 0 else -1
        if way == 1:
            return square + 1 if column < self.WIDTH - 1 else -1
        if way == 2:
            return square - self.WIDTH if row > 0 else -1
        return square + self.WIDTH if row < self.HEIGHT - 1 else -1
