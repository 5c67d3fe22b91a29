"""Backgammon: the race of fifteen checkers home, by the throws of two dice."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from outplay.game import CHANCE, Board, Weights
from outplay.games.backgammon import features, text
from outplay.games.backgammon.plays import LOW_FIRST, any_double, any_pair, each_of_double, each_pair
from outplay.games.backgammon.side import (
    BAR,
    FAR_HOME,
    HOME,
    Side,
    across,
    add,
    made,
    number,
    occupied,
    pips,
    remove,
    single,
    total,
)
from outplay.words import popcount

OPENING, TO_ROLL = -1, 0  # what `dice` may be beside a roll
MOST = 2_900_000  # the greatest evaluation: nearly a backgammon
INNER = (1 << BAR) - 2  # points 1 to 24
NET = str(
    Path(__file__).with_name("net.npz")
)  # learned by itself: docs/learning.md has the command and its log


def setup(checkers: int) -> Side:
    """A side's checkers before the first roll: fifteen of backgammon, three of hypergammon."""
    standing = {24: 2, 13: 5, 8: 3, 6: 5} if checkers == 15 else {24: 1, 23: 1, 22: 1}
    planes = [sum(1 << point for point, n in standing.items() if n >> k & 1) for k in range(4)]
    return (planes[0], planes[1], planes[2], planes[3])


class Backgammon(NamedTuple):
    """Backgammon without the doubling cube: whoever bears off all checkers first wins.

    Each side counts its own points: 24 is the farthest, 1 to 6 are its home board, 25 is the bar. A roll moves
    checkers down by its dice, four times by a double. A point with two or more of the other side's checkers is
    closed, a single one is hit and goes to the bar, from where it has to enter before any other move. When all are
    home they may be borne off. Both dice have to be moved if that is possible, else the greater one. A loser who has
    borne off nothing loses two points (a gammon), and three with a checker still on the bar or in the winner's home
    (a backgammon). Each side throws a die for the beginning; the greater one begins, with both dice.

    CHECKERS = 3 is hypergammon: three on each side, on the three farthest points.

    A side is four planes of bits (side.py); an action is a whole play (plays.py); an outcome of a roll packs the
    greater die (times 8) and the smaller one, in the opening X's and O's.
    """

    CHECKERS = 15
    if CHECKERS not in (3, 15):
        raise ValueError("CHECKERS may be 15, or 3 for hypergammon")
    max_actions = (
        3060  # a double from fifteen points: the ways to choose four of them, any point more than once
    )
    scores = int
    unit = 1_000_000
    text_words = ("", "", "dice")
    win = 3
    value_net = NET if CHECKERS == 15 else ""
    weights = Weights(  # millionths of a point
        pips=6_000,
        blots=-20_000,
        points=25_000,
        home=40_000,
        bar=-60_000,
        turn=50_000,
    )

    own: tuple[int, int, int, int] = setup(CHECKERS)  # of the player whose turn it is
    opp: tuple[int, int, int, int] = setup(CHECKERS)
    turn: int = 0  # 0: X, 1: O
    dice: int = OPENING  # or TO_ROLL, or the greater die times 8 and the smaller

    def player(self) -> int:
        return self.turn if self.dice > 0 else CHANCE

    def actions(self) -> Iterator[int]:
        if self.dice == OPENING:
            for first in range(1, 7):
                for second in range(1, 7):
                    if first != second:
                        yield 8 * first + second
        elif self.dice == TO_ROLL:
            for high in range(1, 7):
                for low in range(1, high + 1):
                    yield 8 * high + low
        else:
            high, low = self.dice >> 3, self.dice & 7
            blocked = across(made(self.opp))
            if high == low:
                yield from each_of_double(self.own, blocked, high)
            else:
                exposed = across(single(self.opp))
                yield from each_pair((high, low), occupied(self.own), single(self.own), blocked, exposed)

    def sample(self, random: int) -> int:
        """Any play, each as likely: they are counted, and one is looked for."""
        random &= 0xFFFFFFFF
        high, low = self.dice >> 3, self.dice & 7
        blocked = across(made(self.opp))
        if high == low:
            return any_double(self.own, blocked, high, random)
        exposed = across(single(self.opp))
        return any_pair((high, low), occupied(self.own), single(self.own), blocked, exposed, random)

    def probability(self, outcome: int) -> float:
        if self.dice == OPENING:
            return 1 / 30
        return 1 / 36 if outcome >> 3 == outcome & 7 else 1 / 18

    def result(self, action: int) -> "Backgammon":
        if self.dice == OPENING:
            first, second = action >> 3, action & 7
            return self._replace(turn=int(first < second), dice=8 * max(first, second) + min(first, second))
        if self.dice == TO_ROLL:
            return self._replace(dice=action)
        own, opp = self.own, self.opp
        die, other = (
            (self.dice & 7, self.dice >> 3) if action & LOW_FIRST else (self.dice >> 3, self.dice & 7)
        )
        for shift in (0, 5, 10, 15):
            source = action >> shift & 31
            if source:
                own = remove(own, source)
                target = source - die
                if target > 0:
                    own = add(own, target)
                    if opp[0] >> BAR - target & 1:
                        opp = add(remove(opp, BAR - target), BAR)
            die, other = other, die
        return Backgammon(opp, own, 1 - self.turn, TO_ROLL)

    def terminal(self) -> bool:
        return occupied(self.opp) == 0  # the player who has just moved has borne off all

    def utility(self) -> int:
        points = 1
        if total(self.own) == self.CHECKERS:
            points = 3 if occupied(self.own) & FAR_HOME else 2
        return points if self.turn else -points

    def order(self, action: int) -> int:
        """A quick look at the position after a play: what was hit, blots left, points made."""
        after = self.result(action)
        mine = after.opp
        value = pips(after.own) - pips(self.opp)
        value += 8 * popcount(made(mine) & INNER) + 8 * popcount(made(mine) & HOME)
        return value - 6 * popcount(single(mine) & INNER) - total(mine)

    def evaluate(self, weights: Weights = weights) -> int:
        """What the game seems to be worth: the race, blots, and points made."""
        value = self.side(weights, self.own) - self.side(weights, self.opp)
        value += weights.turn
        value = max(-MOST, min(MOST, value))
        return -value if self.turn else value

    def side(self, weights: Weights, a: Side) -> int:
        """What a side's checkers are worth."""
        return (
            -weights.pips * pips(a)
            + weights.blots * popcount(single(a) & INNER)
            + weights.points * popcount(made(a) & INNER)
            + weights.home * popcount(made(a) & HOME)
            + weights.bar * number(a, BAR)
        )

    # --- what a value net sees ---

    feature_count = features.COUNT

    def features(self) -> Iterator[int]:
        """Tesauro's inputs, as the side on roll counts its points."""
        yield from features.each_input(self.own, self.opp, self.CHECKERS)

    def viewer(self) -> int:
        return self.turn

    # --- text ---

    def __str__(self) -> str:
        """The Position ID, who is on roll, and the dice: `4HPwATDgc/ABMA X 31`."""
        return text.write(self)

    @classmethod
    def parse(cls, position: str) -> "Backgammon":
        """The inverse of str; a Position ID alone is X's, to roll."""
        return text.read(cls, position)

    def board_text(self, board: Board, player: int) -> str:
        return text.write_board(self, board, player)

    def action_text(self, action: int) -> str:
        """`8/5(2) 6/5*`; of a roll its dice."""
        return text.write_action(self, action)

    def parse_action(self, written: str) -> int:
        """A play, its moves in any order and as many steps as one likes; a roll."""
        return text.read_action(self, written)

    def action_squares(self, action: int) -> tuple[tuple[int, int], ...]:
        """None: a play moves several checkers, and is chosen by its text."""
        return ()

    def board(self) -> Board:
        return text.board(self)
