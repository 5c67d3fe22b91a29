"""The plain searches of the slides within limits, for code that cannot be compiled: a user's evaluation, or a class
without readable source.
"""

import math
import time as clock
from collections.abc import Callable
from typing import Any

from outplay.game import CHANCE, depends_on_past, is_terminal, kind, legal, outcome, read_score
from outplay.limits import Analysis, Limits
from outplay.search.protocol.control import Stopped
from outplay.search.protocol.deepening import deepened
from outplay.search.protocol.request import Past
from outplay.search.protocol.search import refuse_kind
from outplay.search.searches import fitting
from outplay.search.textbook import alphabeta, expectiminimax

DEEPEST = 100  # plies: limited by Python's own stack


class InterpretedSearch:
    """Alpha-beta, or expectiminimax in games with chance, in plain Python.

    Limits work as in `outplay.best`: a depth alone is searched directly, nodes and time by iterative
    deepening.
    """

    def __init__(self, state: Any, limits: Limits, evaluate: Callable[[Any], float], past: Past = ()) -> None:
        self.state, self.limits, self.evaluate = state, limits, evaluate
        self.cls = type(state)
        fitting(self.cls)  # raises an error for unsupported games
        refuse_kind(self.cls, "an evaluation by itself", chance=True, floats=True)
        self.certain = not depends_on_past(self.cls, past)
        self.returns = depends_on_past(self.cls, (*past, state))  # to come back to the root is a draw
        self.began, self.nodes, self.cut_off = clock.perf_counter(), 0, False

    def run(self) -> Analysis:
        """The result of the deepest completed search."""
        if is_terminal(self.state):
            return self.answer(outcome(self.state), (), 0)
        deepest = self.limits.depth or DEEPEST
        alone = self.limits.nodes is None and self.limits.time is None
        line = () if self.state.player() == CHANCE else (legal(self.state)[0],)
        found = Analysis(line[0] if line else None, None, 0, line, 0, 0.0)
        depths = range(deepest if alone else 1, deepest + 1)
        found = deepened(depths, found, self.look, lambda _: not self.cut_off)
        return found._replace(nodes=self.nodes, time=clock.perf_counter() - self.began)

    def look(self, depth: int | None, _: Analysis) -> Analysis:
        """One search to a depth."""
        assert depth is not None
        self.cut_off = False
        return self.answer(*self.root(depth), depth)

    def root(self, depth: int) -> tuple[float, tuple[int, ...]]:
        """The score for MAX, and the first action that has it."""
        if self.state.player() == CHANCE:
            return self.value(self.state, -math.inf, math.inf, depth), ()
        self.visit(self.state)
        alpha, beta = -math.inf, math.inf
        choice: tuple[int, ...] = ()
        for action in legal(self.state):
            score = self.value(self.state.result(action), alpha, beta, depth - 1)
            if self.state.player() == 0 and score > alpha:
                alpha, choice = score, (action,)
            elif self.state.player() == 1 and score < beta:
                beta, choice = score, (action,)
        return (alpha, beta)[self.state.player()], choice

    def value(self, state: Any, alpha: float, beta: float, depth: int) -> float:
        if kind(self.cls).chance:
            return expectiminimax.value(state, depth, self.visit, self.static)
        return alphabeta.value(state, alpha, beta, depth, self.visit, self.static)

    def visit(self, _: Any) -> None:
        """Count a node; raise an exception at a limit."""
        spent = clock.perf_counter() - self.began
        if self.nodes >= (self.limits.nodes or math.inf) or spent > (self.limits.time or math.inf):
            raise Stopped
        self.nodes += 1

    def static(self, state: Any) -> float:
        """The evaluation of a state at the horizon."""
        self.cut_off = True
        return self.evaluate(state)

    def answer(self, score: float, line: tuple[int, ...], depth: int) -> Analysis:
        value, proven = read_score(self.cls, score, not self.cut_off)
        proven = proven and self.certain and not (self.cut_off and self.returns)
        action = line[0] if line else None
        return Analysis(action, value, depth, line, self.nodes, 0.0, proven)
