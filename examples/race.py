"""A race with a die: a game with chance whose scores are ints. Try `outplay best examples/race.py`.

Where there is chance, scores are floats unless the class says `scores = int`. Then they are fixed point: a point of
utility is worth `unit` steps, and the mean of a throw is rounded to a step.
"""

from typing import NamedTuple

from outplay import CHANCE


class Race(NamedTuple):
    """Walk three steps for sure, or throw the die and run as many; whoever comes to the end first wins."""

    END = 12
    scores = int
    unit = 1_000_000
    win = 1
    mine: int = 0  # steps of the runner who is to move
    yours: int = 0
    mover: int = 0
    thrown: bool = False  # the die is rolling

    def player(self):
        return CHANCE if self.thrown else self.mover

    def actions(self):
        if self.thrown:
            yield from range(1, 7)
        elif not self.terminal():
            yield 0
            yield 1

    def probability(self, steps):
        return 1 / 6

    def result(self, action):
        if not self.thrown and action == 1:
            return self._replace(thrown=True)
        steps = action if self.thrown else 3
        return Race(self.yours, self.mine + steps, 1 - self.mover)

    def terminal(self):
        return self.yours >= self.END

    def utility(self):
        return -1 if self.mover == 0 else 1  # who has just moved has won

    def action_text(self, action):
        return str(action) if self.thrown else ("walk", "run")[action]
