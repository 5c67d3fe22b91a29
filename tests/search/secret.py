"""The smallest game of imperfect information."""

from typing import NamedTuple


class Secret(NamedTuple):
    """Nobody sees anything."""

    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [0]

    def result(self, action):
        return Secret(1)

    def terminal(self):
        return self.mover == 1

    def utility(self):
        return 1

    def percept(self, action, player):
        return 0
