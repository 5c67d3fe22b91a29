"""A game of three players: the tree of Russell and Norvig's chapter on games (multiplayer games).

A, B and C choose left or right in turn. A game of more than two says how many `players` it has, and its utility is
asked for each: `utility(player)`. Try `outplay best examples/three.py --search maxn`.
"""

from typing import NamedTuple

ENDS = (  # from left to right: what A, B and C get
    (1, 2, 6), (4, 2, 3), (6, 1, 2), (7, 4, 1), (5, 1, 1), (1, 5, 2), (7, 7, 1), (5, 4, 5),
)  # fmt: skip


class Three(NamedTuple):
    """Left or right, three times; each player wants the greatest number of its own."""

    players = 3
    points = True
    ply: int = 0
    path: int = 0  # the choices so far, a bit each

    def player(self):
        return self.ply % 3

    def actions(self):
        if self.ply < 3:
            yield 0
            yield 1

    def result(self, right):
        return Three(self.ply + 1, 2 * self.path + right)

    def utility(self, player):
        return ENDS[self.path][player]

    def action_text(self, right):
        return ("left", "right")[right]
