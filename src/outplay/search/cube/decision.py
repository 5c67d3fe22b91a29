"""Cube decisions: no double, double, take, drop; and the equity of each.

Equities are normalised to the current cube, for the side on roll. In a match they come from match winning chances:
+1 is the chance after winning the cube's points, -1 after losing them.
"""

from typing import Any, NamedTuple

from outplay.games.backgammon.cube import Standing, standing
from outplay.games.backgammon.side import BAR, across, number, occupied, pips, total
from outplay.search.cube.janowski import Chances, Stakes, efficiency, money
from outplay.search.cube.matches import Score, stakes
from outplay.tables.bearoff.twosided import CENTRED, OTHERS, OWNED, TwoSided

DROPPED = 1.0  # what a double that is dropped brings


class CubeValues(NamedTuple):
    """For the side on roll."""

    no_double: float
    double_take: float
    may_double: bool
    # chances to win the match: no double; double, take; double, drop
    match: tuple[float, float, float] | None = None
    exact: bool = False  # from a bear-off table
    may_beaver: bool = False  # for money, where the rules allow it

    @property
    def double(self) -> float:
        """What a double brings: the other side answers as is best for it."""
        return min(self.double_take, DROPPED)

    @property
    def takes(self) -> bool:
        return self.double_take <= DROPPED

    @property
    def doubles(self) -> bool:
        return self.may_double and self.double >= self.no_double

    @property
    def beavers(self) -> bool:
        """Whether the other side would turn the cube once more: it is the favourite after the double."""
        return self.may_beaver and self.double_take < 0

    @property
    def action(self) -> str:
        """In the players' words."""
        if not self.may_double:
            return "no cube action"
        if self.doubles:
            return "double, take" if self.takes else "double, drop"
        if not self.takes:
            return "too good to double, drop"
        return "no double, beaver" if self.beavers else "no double, take"


def cube_values(state: Any, chances: Chances, table: TwoSided | None = None) -> CubeValues:
    """The values at a state with a cube, from the chances of the side on roll; by a bear-off table where it has it."""
    now = standing(state)
    me, cls = now.on_roll, type(state)
    own, opp = (state.own, state.opp) if state.turn == me else (state.opp, state.own)
    owner = 0 if now.owner < 0 else 1 if now.owner == me else -1
    doubling = may_turn(state, now, owner)
    gammons = not (now.match == 0 and cls.JACOBY and owner == 0)
    if now.match == 0 and table is not None and (exact := by_table(table, own, opp, owner, doubling, cls)):
        return exact._replace(may_beaver=may_beaver(now, cls))
    x = efficiency(pips(own) if is_race(own, opp) else None)
    if now.match == 0:
        stake = money(most=max(1, cls.HIGHEST // now.value))
        rolling = stake.cubeful(chances, 1, owner, x, gammons)
        taken = stake.cubeful(chances, 2, -1, x)
        return CubeValues(rolling, taken, doubling, may_beaver=may_beaver(now, cls))
    return in_match(stakes(score_of(now)), chances, (now.value, owner, x), doubling)


def in_match(stake: Stakes, chances: Chances, cube: tuple[int, int, float], doubling: bool) -> CubeValues:
    """The same at a score: chances to win the match, and these as points of the cube."""
    value, owner, x = cube
    rolling = stake.cubeful(chances, value, owner, x)
    taken = stake.cubeful(chances, 2 * value, -1, x)
    low, high = stake.worth(-value), stake.worth(value)
    middle, half = (high + low) / 2, (high - low) / 2

    def points(won: float) -> float:
        return (won - middle) / half

    return CubeValues(points(rolling), points(taken), doubling, (rolling, taken, high))


def may_turn(state: Any, now: Standing, owner: int) -> bool:
    """Whether the side on roll may double, or has done so."""
    cls = type(state)
    if owner < 0 or now.crawford or now.value >= cls.HIGHEST:
        return False
    return now.match == 0 or now.away(now.on_roll) > now.value


def may_beaver(now: Standing, cls: Any) -> bool:
    """Whether the other side may answer a double by turning the cube once more."""
    return now.match == 0 and cls.BEAVERS > 0 and 4 * now.value <= cls.HIGHEST


def score_of(now: Standing) -> Score:
    """As the side on roll sees it."""
    mine, yours = now.away(now.on_roll), now.away(1 - now.on_roll)
    return Score(mine, yours, now.crawford, not now.crawford and min(mine, yours) == 1)


def is_race(own: Any, opp: Any) -> bool:
    """Whether no checker can meet one of the other side any more."""
    mine, theirs = occupied(own), across(occupied(opp))
    on_bar = number(own, BAR) or number(opp, BAR)
    return not on_bar and mine.bit_length() - 1 < (theirs & -theirs).bit_length() - 1


def by_table(table: TwoSided, own: Any, opp: Any, owner: int, doubling: bool, cls: Any) -> CubeValues | None:
    """Exact values where a table has both sides, nobody can win a gammon, and the cube may still go far."""
    counts = [tuple(number(side, point) for point in range(1, BAR + 1)) for side in (own, opp)]
    if any(total(side) > min(table.checkers, cls.CHECKERS - 1) for side in (own, opp)):
        return None
    if any(any(side[table.points :]) for side in counts):
        return None
    values = table.equity(*(side[: table.points] for side in counts))
    rolling = values[{1: OWNED, 0: CENTRED, -1: OTHERS}[owner]]
    return CubeValues(rolling, 2 * values[OTHERS], doubling, exact=True)
