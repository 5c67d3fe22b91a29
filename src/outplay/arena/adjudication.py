"""Adjudication: ending games early by the players' scores, and games that do not end."""

from typing import Any, NamedTuple

from outplay.limits import Analysis


class Rules(NamedTuple):
    """When to end a game early. None switches a rule off. Scores are in points of `evaluate`.

    resign  (score, moves)          a player whose score is this low for so many moves in a row loses
    draw    (score, moves, ply)     drawn if both scores stay within this for so many moves, from that ply on
    """

    resign: tuple[int, int] | None = None
    draw: tuple[int, int, int] | None = None
    plies: int | None = None  # a longer game is drawn


class Verdict(NamedTuple):
    """How a game ended: MAX's score (1, 1/2 or 0) and why."""

    score: float
    reason: str


class Adjudicator:
    """Applies the rules to one game."""

    def __init__(self, rules: Rules) -> None:
        self.rules = rules
        self.behind = [0, 0]  # moves in a row, for each player
        self.level = [0, 0]

    def observe(self, player: int, analysis: Analysis, ply: int) -> Verdict | None:
        """Take note of a player's move at `ply`; returns the verdict if it ends the game."""
        if analysis.value is not None:
            self._listen(player, analysis, ply)
        resign, draw, plies = self.rules
        if resign and self.behind[player] >= resign[1]:
            return Verdict(player, "adjudicated: a lost position")
        if draw and min(self.level) >= draw[1]:
            return Verdict(0.5, "adjudicated: a drawn position")
        if plies is not None and ply >= plies:
            return Verdict(0.5, f"adjudicated: {plies} plies")
        return None

    def _listen(self, player: int, analysis: Analysis, ply: int) -> None:
        assert analysis.value is not None
        resign, draw, _ = self.rules
        decided = analysis.proven and analysis.value != 0
        ahead: Any = analysis.value if player == 0 else -analysis.value
        if resign:
            lost = ahead < 0 if decided else ahead <= -resign[0]
            self.behind[player] = self.behind[player] + 1 if lost else 0
        if draw:
            even = ply >= draw[2] and not decided and abs(ahead) <= draw[0]
            self.level[player] = self.level[player] + 1 if even else 0
