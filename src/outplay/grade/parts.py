"""The textbook searches in parts: every step is a method, so that a mistake can override one."""

import math
from typing import Any, NamedTuple

from outplay.game import CHANCE
from outplay.search.textbook.minimax import MAX


class Form(NamedTuple):
    """The ways to write a correct search; all forms visit the same nodes."""

    prunes: bool = False
    returns: str = "value"  # of a node: its value; "clipped" into the window; alpha or beta: "own", or at a
    # cutoff the "other" player's
    by_value: bool = False  # cuts off when the value reaches the opponent's bound, before updating its own


class Search:
    """Minimax, alpha-beta and expectiminimax in one, every step a method. This class is correct."""

    name = ""
    cure = ""
    needs = ""  # what a search must have to make this mistake: "window", "depth" or "chance"
    sided = False  # whether the mistake may occur at one player's nodes only

    def __init__(self, form: Form, only: int | None = None) -> None:
        self.form = form
        self.only = only
        self.right = Search(form) if only is not None else self
        if only is not None:
            self.name += f" at {'MIN' if only else 'MAX'} nodes"

    def search(self, s: Any, depth: int | None, alpha: float, beta: float) -> tuple[float, Any]:
        """The value of the root and the action chosen there."""
        return self.node(s, alpha, beta, depth, 0)

    def node(self, s: Any, alpha: float, beta: float, depth: int | None, ply: int) -> tuple[float, Any]:
        if s.terminal():
            return self.clip(self.utility(s), alpha, beta), None
        if depth is not None and depth <= 0:
            return self.clip(self.static(s), alpha, beta), None
        if s.player() == CHANCE:
            below = [self.node(s.result(a), alpha, beta, self.less(depth), ply + 1)[0] for a in s.actions()]
            return self.chance(s, below), None
        player = self.player(s)
        part = self if self.only in (None, player) else self.right
        best, choice = part.first(player, alpha, beta), None
        for action in self.actions(s):
            window = part.window(player, alpha, beta, best, ply)
            v, _ = self.node(s.result(action), *window, self.less(depth), ply + 1)
            better = part.better(player, v, best)
            best = v if better else best
            choice = action if better or choice is None else choice
            before = alpha, beta
            alpha, beta = part.update(player, alpha, beta, best)
            if self.form.prunes and part.cut(
                player, *(before if self.form.by_value else (alpha, beta)), best
            ):
                return (beta if player == MAX else alpha) if self.form.returns == "other" else best, choice
        return best, choice

    def clip(self, v: float, alpha: float, beta: float) -> float:
        return min(max(v, alpha), beta) if self.form.returns == "clipped" else v

    def utility(self, s: Any) -> float:
        return s.utility()

    def static(self, s: Any) -> float:
        return s.evaluate()

    def player(self, s: Any) -> int:
        return s.player()

    def actions(self, s: Any) -> Any:
        return s.actions()

    def less(self, depth: int | None) -> int | None:
        return None if depth is None else depth - 1

    def first(self, player: int, alpha: float, beta: float) -> float:
        """The value before any child is seen."""
        if self.form.returns == "value":
            return -math.inf if player == MAX else math.inf
        return alpha if player == MAX else beta

    def better(self, player: int, v: float, best: float) -> bool:
        return v > best if player == MAX else v < best

    def window(self, player: int, alpha: float, beta: float, best: float, ply: int) -> tuple[float, float]:
        """The window that a child is searched with."""
        return alpha, beta

    def update(self, player: int, alpha: float, beta: float, best: float) -> tuple[float, float]:
        return (max(alpha, best), beta) if player == MAX else (alpha, min(beta, best))

    def cut(self, player: int, alpha: float, beta: float, best: float) -> bool:
        if self.form.by_value:
            return self.enough(best, beta) if player == MAX else self.enough(-best, -alpha)
        return self.enough(alpha, beta)

    def enough(self, low: float, high: float) -> bool:
        return low >= high

    def chance(self, s: Any, values: list[float]) -> float:
        return sum(s.probability(a) * v for a, v in zip(s.actions(), values, strict=True))


class Negamax(Search):
    """The same with every value from the mover's point of view: a child's value is negated."""

    def node(self, s: Any, alpha: float, beta: float, depth: int | None, ply: int) -> tuple[float, Any]:
        if s.terminal():
            return self.sign(s) * s.utility(), None
        if depth is not None and depth <= 0:
            return self.sign(s) * s.evaluate(), None
        best, choice = -math.inf, None
        for action in s.actions():
            v = self.negated(
                self.node(s.result(action), *self.turned(alpha, beta), self.less(depth), ply + 1)[0]
            )
            if choice is None or v > best:
                best, choice = v, action
            alpha = max(alpha, best)
            if self.form.prunes and alpha >= beta:
                break
        return best, choice

    def sign(self, s: Any) -> int:
        return 1 if s.player() == MAX else -1

    def negated(self, v: float) -> float:
        return -v

    def turned(self, alpha: float, beta: float) -> tuple[float, float]:
        return -beta, -alpha
