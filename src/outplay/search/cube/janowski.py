"""Cubeful equities from the probabilities of a game, with Janowski's model (Take-Points in Money Games, 1993).

A dead cube is never turned again: the equity is linear in the winning probability p. A live cube is
turned at the optimal moment: at the cash point the opponent is indifferent between take and drop. Between such points
the equity is linear too. A real cube lies between the two, at a share x of the live one: its efficiency.

Stakes give the value of a number of points. In a money game it is the points themselves, and the cube has no limit; in
a match it is the match winning chance, and a cube that nobody can use is dead.
"""

from collections.abc import Callable, Sequence
from typing import NamedTuple

CONTACT = 0.68  # the cube's efficiency while checkers can still meet
Line = Sequence[tuple[float, float]]  # points (p, value) of a broken line, p rising


class Chances(NamedTuple):
    """The probabilities of a game's outcomes for one side, as a value net outputs them."""

    win: float
    win_gammon: float  # or more
    win_backgammon: float
    lose_gammon: float
    lose_backgammon: float

    @property
    def mirrored(self) -> "Chances":
        """For the other side."""
        return Chances(
            1 - self.win, self.lose_gammon, self.lose_backgammon, self.win_gammon, self.win_backgammon
        )

    @property
    def equity(self) -> float:
        """Points without a cube."""
        return (
            2 * self.win - 1 + self.win_gammon + self.win_backgammon - self.lose_gammon - self.lose_backgammon
        )

    @property
    def singles(self) -> "Chances":
        """The same where gammons do not count."""
        return Chances(self.win, 0.0, 0.0, 0.0, 0.0)


def efficiency(pips: int | None) -> float:
    """The share of a live cube: in a race by the pips of the side on roll, None where checkers can still meet."""
    return CONTACT if pips is None else min(0.7, max(0.6, 0.55 + 0.00125 * pips))


def at(line: Line, p: float) -> float:
    """The value of a broken line."""
    for (left, low), (right, high) in zip(line, line[1:], strict=False):
        if p <= right:
            return low if right == left else low + (high - low) * (p - left) / (right - left)
    return line[-1][1]


class Stakes(NamedTuple):
    """The possible results of a game with a cube, for both sides: A is on roll."""

    worth: Callable[[int], float]  # A's value of winning so many points (negative: losing)
    useless: Callable[[int, int], bool]  # whether a cube of this value is dead for A (1) or for B (-1)
    most: int = 64  # the cube's limit

    def ends(self, chances: Chances, cube: int, gammons: bool = True) -> tuple[float, float]:
        """A's mean value of a loss and of a win, without another double."""
        mine = chances if gammons else chances.singles
        won = self._mean(mine, cube, 1)
        lost = self._mean(mine.mirrored, cube, -1)
        return lost, won

    def _mean(self, chances: Chances, cube: int, sign: int) -> float:
        win = max(chances.win, 1e-9)
        two, three = min(1.0, chances.win_gammon / win), min(1.0, chances.win_backgammon / win)
        shares = (1 - two, two - min(two, three), min(two, three))
        return sum(share * self.worth(sign * n * cube) for n, share in enumerate(shares, 1))

    # --- a live cube ---

    def cash_point(self, chances: Chances, cube: int, side: int) -> float:
        """From which chance to win on a side (1: A, -1: B) should cash a cube of that value: the other's take point.

        The other side owns the cube after it takes, and will turn it as well as this one.
        """
        doubled = 2 * cube
        lost, won = self.ends(chances, doubled)
        if side == 1:  # B takes: its line is A's, seen from the other end
            alive = not self.is_dead(doubled, -1)
            turn = 1 - self.cash_point(chances, doubled, -1) if alive else 0.0
            line = [(turn, self.worth(-doubled) if alive else lost), (1.0, won)]
            return crossing(line, self.worth(cube))
        alive = not self.is_dead(doubled, 1)
        turn = self.cash_point(chances, doubled, 1) if alive else 1.0
        line = [(0.0, lost), (turn, self.worth(doubled) if alive else won)]
        return 1 - crossing(line, self.worth(-cube))

    def is_dead(self, cube: int, side: int) -> bool:
        return cube >= self.most or self.useless(cube, side)

    def live(self, chances: Chances, cube: int, owner: int, gammons: bool = True) -> Line:
        """A's value by its chance to win, with a live cube of an owner: 1 A's, -1 B's, 0 in the middle."""
        lost, won = self.ends(chances, cube, gammons)
        line = [(0.0, lost)]
        if owner <= 0 and not self.is_dead(cube, -1):
            line.append((1 - self.cash_point(chances, cube, -1), self.worth(-cube)))
        if owner >= 0 and not self.is_dead(cube, 1):
            line.append((self.cash_point(chances, cube, 1), self.worth(cube)))
        return [*line, (1.0, won)]

    def cubeful(self, chances: Chances, cube: int, owner: int, x: float, gammons: bool = True) -> float:
        """A's value with a cube that is partly alive; `gammons`: whether they count before it is turned."""
        lost, won = self.ends(chances, cube, gammons)
        dead = lost + (won - lost) * chances.win
        return (1 - x) * dead + x * at(self.live(chances, cube, owner, gammons), chances.win)


def crossing(line: Line, value: float) -> float:
    """The p in [0, 1] at which a rising line reaches a value."""
    (left, low), (right, high) = line
    if high <= low:
        return right
    return min(1.0, max(0.0, left + (right - left) * (value - low) / (high - low)))


def money(most: int = 1 << 20) -> Stakes:
    """A money game: values are points, and a cube is never dead."""
    return Stakes(float, lambda cube, side: False, most)
