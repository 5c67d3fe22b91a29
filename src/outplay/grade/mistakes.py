"""The classic mistakes: each replaces one part of the textbook search by a wrong version.

A student's search that behaves exactly like one of these on every case contains this mistake.
"""

import math
from typing import Any

from outplay.grade.parts import Form, Negamax, Search
from outplay.search.textbook.minimax import MAX

# --- mistakes of any search -----------------------------------------------------------------------------


class Swapped(Search):
    name = "MAX and MIN are swapped"
    cure = "where player() is 0, MAX moves and takes the greatest value"

    def player(self, s: Any) -> int:
        return 1 - s.player()


class AlwaysMax(Search):
    name = "the players do not take turns: every node is MAX's"
    cure = "ask player(), or change the flag that says who moves in every call"

    def player(self, s: Any) -> int:
        return MAX


class AlwaysMin(AlwaysMax):
    name = "the players do not take turns: every node is MIN's"

    def player(self, s: Any) -> int:
        return 1 - MAX


class MoversUtility(Search):
    name = "the utility is taken for the player to move"
    cure = "utility() and evaluate() are for MAX at every state: do not change their sign"

    def utility(self, s: Any) -> float:
        return s.utility() if s.player() == MAX else -s.utility()


class MoversUtilityAndStatic(MoversUtility):
    def static(self, s: Any) -> float:
        return s.evaluate() if s.player() == MAX else -s.evaluate()


class MinsUtility(Search):
    name = "the utility is taken for MIN"
    cure = "utility() is for MAX: do not change its sign"

    def utility(self, s: Any) -> float:
        return -s.utility()


class StartsAtZero(Search):
    name = "the best value starts at 0"
    cure = "start at -infinity where MAX moves and at infinity where MIN moves: all values may be negative"
    sided = True

    def first(self, player: int, alpha: float, beta: float) -> float:
        return 0


class KeepsLast(Search):
    name = "the last child's value is kept, not the best"
    cure = "take the maximum (MIN: the minimum) of the value so far and the child's"
    sided = True

    def better(self, player: int, v: float, best: float) -> bool:
        return True


class LastOfEquals(Search):
    name = "ties are broken by the last action instead of the first"
    cure = "replace the choice only for a better value (> and <, not >= and <=): an equal one may be a mere bound"

    def better(self, player: int, v: float, best: float) -> bool:
        return v >= best if player == MAX else v <= best


class Backwards(Search):
    name = "the actions are tried in reverse order"
    cure = "try them as actions() gives them"

    def actions(self, s: Any) -> Any:
        return list(reversed(s.actions()))


class TooShallow(Search):
    name = "the depth is off by one: it stops a ply too early"
    cure = "with depth 0 evaluate the state itself, with depth 1 its successors"
    needs = "depth"

    def search(self, s: Any, depth: int | None, alpha: float, beta: float) -> tuple[float, Any]:
        return super().search(s, self.less(depth), alpha, beta)


class TooDeep(Search):
    name = "the depth is off by one: it stops a ply too late"
    cure = "with depth 0 evaluate the state itself, with depth 1 its successors"
    needs = "depth"

    def search(self, s: Any, depth: int | None, alpha: float, beta: float) -> tuple[float, Any]:
        return super().search(s, None if depth is None else depth + 1, alpha, beta)


class DepthIgnored(Search):
    name = "the depth is not counted down"
    cure = "pass depth - 1 to the successors, and evaluate() the state where the depth is 0"
    needs = "depth"

    def search(self, s: Any, depth: int | None, alpha: float, beta: float) -> tuple[float, Any]:
        return super().search(s, None, alpha, beta)


# --- mistakes of alpha-beta -----------------------------------------------------------------------------


class RootWindow(Search):
    name = "alpha is not passed at the root"
    cure = "search each successor of the root with the best value so far as alpha, not with a full window"
    needs = "window"

    def window(self, player: int, alpha: float, beta: float, best: float, ply: int) -> tuple[float, float]:
        return (alpha, beta) if ply else (-math.inf, math.inf)


class NotPassed(Search):
    name = "alpha and beta are not passed down"
    cure = "search the successors with the node's own alpha and beta, as they are by then"
    needs = "window"

    def window(self, player: int, alpha: float, beta: float, best: float, ply: int) -> tuple[float, float]:
        return -math.inf, math.inf


class AlphaNotPassed(Search):
    name = "alpha is not passed down"
    cure = "search the successors with the node's own alpha, as it is by then"
    needs = "window"

    def window(self, player: int, alpha: float, beta: float, best: float, ply: int) -> tuple[float, float]:
        return -math.inf, beta


class BetaNotPassed(Search):
    name = "beta is not passed down"
    cure = "search the successors with the node's own beta, as it is by then"
    needs = "window"

    def window(self, player: int, alpha: float, beta: float, best: float, ply: int) -> tuple[float, float]:
        return alpha, math.inf


class OnlyParents(Search):
    name = "only the parent's value is passed down: deep cutoffs are missed"
    cure = "pass on both alpha and beta, of which one comes from further above"
    needs = "window"

    def window(self, player: int, alpha: float, beta: float, best: float, ply: int) -> tuple[float, float]:
        return (best, math.inf) if player == MAX else (-math.inf, best)


class WindowReversed(Search):
    name = "alpha and beta are passed in the wrong order"
    cure = "alpha first, then beta, in every call"
    needs = "window"
    sided = True

    def window(self, player: int, alpha: float, beta: float, best: float, ply: int) -> tuple[float, float]:
        return beta, alpha


class NotUpdated(Search):
    name = "alpha and beta are not updated"
    cure = (
        "after each successor: alpha = max(alpha, value) at MAX nodes, beta = min(beta, value) at MIN nodes"
    )
    needs = "window"

    def update(self, player: int, alpha: float, beta: float, best: float) -> tuple[float, float]:
        return alpha, beta


class AlphaNotUpdated(Search):
    name = "alpha is not updated"
    cure = "after each successor of a MAX node: alpha = max(alpha, value)"
    needs = "window"

    def update(self, player: int, alpha: float, beta: float, best: float) -> tuple[float, float]:
        return (alpha, beta) if player == MAX else super().update(player, alpha, beta, best)


class BetaNotUpdated(Search):
    name = "beta is not updated"
    cure = "after each successor of a MIN node: beta = min(beta, value)"
    needs = "window"

    def update(self, player: int, alpha: float, beta: float, best: float) -> tuple[float, float]:
        return super().update(player, alpha, beta, best) if player == MAX else (alpha, beta)


class WrongUpdate(Search):
    name = "MAX updates beta and MIN updates alpha"
    cure = "MAX raises alpha, MIN lowers beta"
    needs = "window"

    def update(self, player: int, alpha: float, beta: float, best: float) -> tuple[float, float]:
        return (alpha, min(beta, best)) if player == MAX else (max(alpha, best), beta)


class NoCut(Search):
    name = "nothing is ever cut off"
    cure = "after each successor update alpha (MIN: beta), leave the loop if beta <= alpha (not <), pass both down"
    needs = "window"
    sided = True

    def cut(self, player: int, alpha: float, beta: float, best: float) -> bool:
        return False


class Strict(Search):
    name = "the cutoff is at beta < alpha instead of beta <= alpha"
    cure = "cut off at equality too (v >= beta, v <= alpha): an equal value cannot change the choice"
    needs = "window"
    sided = True

    def enough(self, low: float, high: float) -> bool:
        return low > high


class OwnBound(Search):
    name = "it prunes too much: a node is compared with its own bound"
    cure = "MAX cuts off where its value is >= beta, MIN where it is <= alpha"
    needs = "window"
    sided = True

    def cut(self, player: int, alpha: float, beta: float, best: float) -> bool:
        return best >= alpha if player == MAX else best <= beta


class OwnBoundLow(OwnBound):
    def cut(self, player: int, alpha: float, beta: float, best: float) -> bool:
        return best <= alpha if player == MAX else best >= beta


class Shared(Search):
    name = "alpha and beta are shared by all nodes"
    cure = "make them parameters: what a node learns must not reach its siblings"
    needs = "window"

    def search(self, s: Any, depth: int | None, alpha: float, beta: float) -> tuple[float, Any]:
        self.alpha, self.beta = alpha, beta
        return super().search(s, depth, alpha, beta)

    def node(self, s: Any, alpha: float, beta: float, depth: int | None, ply: int) -> tuple[float, Any]:
        return super().node(s, self.alpha, self.beta, depth, ply)

    def update(self, player: int, alpha: float, beta: float, best: float) -> tuple[float, float]:
        self.alpha, self.beta = super().update(player, self.alpha, self.beta, best)
        return self.alpha, self.beta


class BoundAsExact(Search):
    name = "a bound from the table is taken as exact"
    cure = (
        "store with a value whether it is exact, a lower or an upper bound; use a bound only where it decides"
    )
    needs = "window"

    def search(self, s: Any, depth: int | None, alpha: float, beta: float) -> tuple[float, Any]:
        self.table: dict[Any, float] = {}
        return super().search(s, depth, alpha, beta)

    def node(self, s: Any, alpha: float, beta: float, depth: int | None, ply: int) -> tuple[float, Any]:
        if s in self.table:
            return self.table[s], None
        value, choice = super().node(s, alpha, beta, depth, ply)
        self.table[s] = value
        return value, choice


# --- mistakes of negamax --------------------------------------------------------------------------------


class NoSign(Negamax):
    name = "the sign of the successor's value is not changed"
    cure = "value = -negamax(successor, ...)"

    def negated(self, v: float) -> float:
        return v


class NoSignAtLeaves(Negamax):
    name = "the utility is not taken for the player to move"
    cure = "in negamax a leaf is worth utility() where MAX moves and -utility() where MIN moves"

    def sign(self, s: Any) -> int:
        return 1


class WindowNotNegated(Negamax):
    name = "the window is not negated and swapped"
    cure = "value = -negamax(successor, -beta, -alpha)"
    needs = "window"

    def turned(self, alpha: float, beta: float) -> tuple[float, float]:
        return alpha, beta


class WindowNotExchanged(WindowNotNegated):
    def turned(self, alpha: float, beta: float) -> tuple[float, float]:
        return -alpha, -beta


# --- mistakes at chance nodes ---------------------------------------------------------------------------


class AveragedTwice(Search):
    name = "values are averaged twice at chance nodes"
    cure = "the sum of probability times value is the mean already: do not divide by the number of outcomes"
    needs = "chance"

    def chance(self, s: Any, values: list[float]) -> float:
        return super().chance(s, values) / len(values)


class Unweighted(Search):
    name = "probabilities are ignored at chance nodes"
    cure = "weight each outcome's value with probability(outcome)"
    needs = "chance"

    def chance(self, s: Any, values: list[float]) -> float:
        return sum(values) / len(values)


class Summed(Search):
    name = "values are added up at chance nodes without their probabilities"
    cure = "weight each outcome's value with probability(outcome)"
    needs = "chance"

    def chance(self, s: Any, values: list[float]) -> float:
        return sum(values)


class ChanceAsMax(Search):
    name = "chance nodes are treated as MAX nodes"
    cure = "where player() is CHANCE take the mean, weighted with probability(outcome)"
    needs = "chance"

    def chance(self, s: Any, values: list[float]) -> float:
        return max(values)


class ChanceAsMin(ChanceAsMax):
    name = "chance nodes are treated as MIN nodes"

    def chance(self, s: Any, values: list[float]) -> float:
        return min(values)


def _all(base: type[Search]) -> list[type[Search]]:
    return [found for sub in base.__subclasses__() for found in (sub, *_all(sub))]


MISTAKES = [mistake for mistake in _all(Search) if mistake.name]


FORMS = [Form(True), Form(True, by_value=True), *(Form(True, how) for how in ("clipped", "own", "other"))]


def mistaken(kind: str, prunes: bool, has_depth: bool) -> list[Search]:
    """Every mistake that a search of this kind can make, in each form that it may have."""
    chance = kind == "expectiminimax"
    has = {"": True, "window": prunes, "depth": has_depth, "chance": chance}
    found: list[Search] = []
    for mistake in MISTAKES:
        if not has[mistake.needs] or mistake in NOT_IN.get(kind, NOT_IN[""]):
            continue
        if issubclass(mistake, Negamax):
            found += [mistake(Form(prunes))] * (not chance)
            continue
        for form in FORMS if prunes else [Form()]:
            found += [mistake(form, only) for only in ((None, 0, 1) if mistake.sided else (None,))]
    return found


# In negamax a leaf's value is the mover's, in other searches MAX's: what is right in one is wrong in the other.
NOT_IN: dict[str, tuple[type[Search], ...]] = {
    "negamax": (MoversUtility, MoversUtilityAndStatic, MinsUtility),
    "": (NoSignAtLeaves, WindowNotExchanged),
}
