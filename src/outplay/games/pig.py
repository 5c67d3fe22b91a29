"""Pig (John Scarne, 1945), the simplest game of daring: roll a die as long as you like, but not too long."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import CHANCE, Board

HOLD, ROLL = 0, 1  # the players' actions; the outcomes of a roll are 1 to 6


class Pig(NamedTuple):
    """Pig for two: the first to hold GOAL points wins.

    In a turn the player rolls a die again and again. A 1 ends the turn and loses its points; any other number
    is added to the turn's total, which the player may hold: it goes to the score and the turn passes. A turn
    begins with a roll. Nothing bounds the length of a game. Optimal play: Neller & Presser (2004).
    """

    GOAL = 100
    text_words = (
        "score of player 1",
        "score of player 2",
        "player to move",
        "this turn (+12)",
        "rolling, or nothing",
    )
    max_actions = 6

    if GOAL < 1:
        raise ValueError("GOAL must be at least 1 point")

    own: int = 0  # points held by the player to move
    opp: int = 0
    total: int = 0  # points of this turn, not yet held
    turn: int = 0
    rolling: int = 0  # 1 while the die is in the air

    def player(self) -> int:
        return CHANCE if self.rolling else self.turn

    def actions(self) -> Iterator[int]:
        if self.rolling:
            yield from range(1, 7)
        elif not self.terminal():
            yield ROLL
            if self.total:
                yield HOLD

    def result(self, action: int) -> "Pig":
        if self.rolling:
            if action == 1:
                return Pig(self.opp, self.own, 0, 1 - self.turn, 0)
            return self._replace(total=self.total + action, rolling=0)
        if action == ROLL:
            return self._replace(rolling=1)
        return Pig(self.opp, self.own + self.total, 0, 1 - self.turn, 0)

    def probability(self, outcome: int) -> float:
        return 1 / 6

    def terminal(self) -> bool:
        return self.opp >= self.GOAL  # the player who has just held

    def utility(self) -> float:
        return 1.0 if self.turn else -1.0

    def evaluate(self) -> float:
        """The lead if the player held now, as a fraction of twice the goal: between -1/2 and 1/2."""
        lead = (min(self.own + self.total, self.GOAL) - self.opp) / (2 * self.GOAL)
        return -lead if self.turn else lead

    def __str__(self) -> str:
        """Scores of the first and the second player, the player to move, the turn's total: `28 35 1 +12 rolling`."""
        first, second = (self.opp, self.own) if self.turn else (self.own, self.opp)
        return f"{first} {second} {self.turn + 1} +{self.total}{' rolling' * self.rolling}"

    @classmethod
    def parse(cls, text: str) -> "Pig":
        match = re.fullmatch(r"(\d{1,9})\s+(\d{1,9})\s+([12])\s+\+(\d{1,9})(\s+rolling)?", text.strip())
        if not match:
            raise ValueError(
                f"not a position of pig: {text!r}; write scores, player, total, as in 28 35 1 +12"
            )
        first, second, turn, total = int(match[1]), int(match[2]), int(match[3]) - 1, int(match[4])
        own, opp = (second, first) if turn else (first, second)
        rolling = int(match[5] is not None)
        if own >= cls.GOAL or opp >= cls.GOAL and (total or rolling):
            raise ValueError(f"{text!r}: the game was over when a player had {cls.GOAL} points")
        return cls(own, opp, total, turn, rolling)

    def action_text(self, action: int) -> str:
        return str(action) if self.rolling else ("hold", "roll")[action]

    def board(self) -> Board:
        """The two scores as bars of ten cells, the turn's total after the mover's."""
        first, second = (self.opp, self.own) if self.turn else (self.own, self.opp)
        rows = []
        for player, (score, symbol) in enumerate(((first, "X"), (second, "O"))):
            bar = symbol * (10 * score // self.GOAL)
            hope = "+" * (10 * (score + self.total) // self.GOAL - len(bar)) if player == self.turn else ""
            rows.append(f"{bar}{hope:<10}"[:10])
        if self.terminal():
            doing = "wins"
        elif self.rolling:
            doing = f"rolls, {self.total} this turn"
        else:
            doing = f"to move, {self.total} this turn"
        mover = 1 - self.turn if self.terminal() else self.turn
        note = f"{first} : {second}, player {mover + 1} {doing}"
        return Board(
            tuple(rows),
            ranks=("1", "2"),
            owners=("X", "O"),
            note=note,
            style="bars",
            sides=("Player 1", "Player 2"),
            hands=(str(first), str(second)),
        )
