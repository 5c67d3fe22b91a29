"""Backgammon: the race of fifteen checkers home, with two dice."""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from outplay.game import CHANCE, Board, Weights
from outplay.games.backgammon import drawing, features, notation, text
from outplay.games.backgammon.cube import (
    BEAVER,
    CRAWFORD_GAME,
    DOUBLE,
    DOUBLED,
    DROP,
    DROPPED,
    NEW,
    OPENING,
    ROLL,
    TAKE,
    TO_DOUBLE,
    TO_ROLL,
    beavered,
    beavers_of,
    dropped,
    is_crawford,
    match_equity,
    owner_of,
    points_of,
    scored,
    taken,
    value_of,
)
from outplay.games.backgammon.home import place
from outplay.games.backgammon.plays import LOW_FIRST, any_double, any_pair, each_of_double, each_pair
from outplay.games.backgammon.rules import USUAL_CUBE
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

MOST = 2_900_000  # the greatest evaluation: nearly a backgammon
MOST_CUBE = 512  # scores are held in 32 bits
LONGEST_MATCH = 64
INNER = (1 << BAR) - 2  # points 1 to 24
NET = str(
    Path(__file__).with_name("net.npz")
)  # learned by self-play: docs/learning.md has the command and its log


def setup(checkers: int) -> Side:
    """A side's initial checkers: fifteen in backgammon, three in hypergammon."""
    standing = {24: 2, 13: 5, 8: 3, 6: 5} if checkers == 15 else {24: 1, 23: 1, 22: 1}
    planes = [sum(1 << point for point, n in standing.items() if n >> k & 1) for k in range(4)]
    return (planes[0], planes[1], planes[2], planes[3])


class Backgammon(NamedTuple):
    """Backgammon: whoever bears off all checkers first wins.

    Each side numbers the points from its own view: 24 is the farthest, 1 to 6 are its home board, 25 is the bar. A roll
    moves checkers down by its dice, four times for a double. A point with two or more opposing checkers is closed; a
    single one is hit and goes to the bar, from where it must enter before any other move. When all checkers are home
    they may be borne off. Both dice must be moved if possible, otherwise the greater one. A loser who has borne off
    nothing loses two points (a gammon), or three with a checker still on the bar or in the winner's home (a
    backgammon). For the opening roll each side rolls one die; the higher one begins, with both dice.

    CHECKERS = 3 is hypergammon: three on each side, on the three farthest points.

    CUBE = 64 is a money game with the doubling cube, which may go up to 64. Whoever drops a double loses the cube's
    value; otherwise the cube multiplies the points. JACOBY: gammons and backgammons count only after the cube was
    turned. BEAVERS: how often the side that takes a double may redouble at once and keep the cube.

    MATCH = 5 is a match to five points, with the cube (up to 64, or up to CUBE; CUBE = 1 is without). The match as a
    whole is won or lost: when a game ends, its points are added and the next one begins. CRAWFORD: nobody may double in
    the first game after a side has come within one point of winning.

    A side is four bit planes (side.py); an action is a whole play (plays.py); an outcome of a roll packs the greater
    die (times 8) and the smaller one, in the opening X's and O's. Cube actions, cube and score are in cube.py.
    """

    CHECKERS = 15
    CUBE = 0
    JACOBY = 1
    BEAVERS = 1
    MATCH = 0
    CRAWFORD = 1
    if CHECKERS not in (3, 15):
        raise ValueError("CHECKERS must be 15, or 3 for hypergammon")
    if CUBE < 0 or CUBE & (CUBE - 1) or CUBE > MOST_CUBE:
        raise ValueError(f"CUBE must be a power of 2 up to {MOST_CUBE}, or 0")
    if not 0 <= MATCH <= LONGEST_MATCH:
        raise ValueError(f"MATCH must be 1 to {LONGEST_MATCH} points, or 0 for a single game")
    if JACOBY not in (0, 1) or CRAWFORD not in (0, 1) or not 0 <= BEAVERS <= 3:
        raise ValueError("JACOBY and CRAWFORD must be 0 or 1, BEAVERS 0 to 3")
    HIGHEST = CUBE or (USUAL_CUBE if MATCH else 1)  # the cube's limit
    BARE = MATCH == 0 and HIGHEST == 1  # one game without a cube
    # a double from fifteen points: the ways to choose four of them, any point more than once
    max_actions = 3060
    scores = int
    unit = 1_000_000
    text_words = ("", "", "dice")
    win = 1 if MATCH else 3 * HIGHEST
    value_net = NET if CHECKERS == 15 and BARE else ""
    weights = Weights(  # millionths of a point
        pips=6_000,
        blots=-20_000,
        points=25_000,
        home=40_000,
        bar=-60_000,
        turn=50_000,
    )

    own: tuple[int, int, int, int] = setup(CHECKERS)  # checkers of the player whose turn it is
    opp: tuple[int, int, int, int] = setup(CHECKERS)
    turn: int = 0  # 0: X, 1: O
    dice: int = OPENING  # a phase of cube.py, or the greater die times 8 plus the smaller
    cube: int = NEW  # the cube and the score (cube.py)

    def player(self) -> int:
        return self.turn if self.dice > 0 or not self.BARE and self.dice < OPENING else CHANCE

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
        elif not self.BARE and self.dice == TO_DOUBLE:
            yield ROLL
            yield DOUBLE
        elif not self.BARE and self.dice == DOUBLED:
            yield TAKE
            yield DROP
            if self.may_beaver():
                yield BEAVER
        elif self.BARE or self.dice > 0:
            high, low = self.dice >> 3, self.dice & 7
            blocked = across(made(self.opp))
            if high == low:
                yield from each_of_double(self.own, blocked, high)
            else:
                exposed = across(single(self.opp))
                yield from each_pair((high, low), occupied(self.own), single(self.own), blocked, exposed)

    def sample(self, random: int) -> int:
        """A random play: the plays are counted, and one is found by its index."""
        random &= 0xFFFFFFFF
        if not self.BARE and self.dice < OPENING:
            return random * (2 + (self.dice == DOUBLED and self.may_beaver())) >> 32
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
        if not self.BARE and self.dice < OPENING:
            return self.turned(action)
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
        after = Backgammon(opp, own, 1 - self.turn, TO_ROLL, self.cube)
        return after if self.BARE else after.begun()

    def terminal(self) -> bool:
        if self.MATCH:
            return points_of(self.cube, 0) >= self.MATCH or points_of(self.cube, 1) >= self.MATCH
        return (
            occupied(self.opp) == 0 or not self.BARE and self.dice == DROPPED
        )  # the other player has borne off everything

    def utility(self) -> int:
        """Points of the game for X; of a match, 1 if X wins it and -1 if O does."""
        if self.MATCH:
            return 1 if points_of(self.cube, 0) >= self.MATCH else -1
        points = self.lost()
        return points if self.turn else -points

    # --- the cube and the match ---

    def roller(self) -> int:
        """The side that rolls next or has rolled: the side whose turn it is, unless it must answer a double."""
        return self.turn ^ int(self.dice == DOUBLED and beavers_of(self.cube) & 1 == 0)

    def may_double(self) -> bool:
        """Whether the side whose turn it is may double before it rolls.

        Not if winning at the current cube wins the match: the cube is dead.
        """
        owner, value = owner_of(self.cube), value_of(self.cube)
        if owner == 1 - self.turn or is_crawford(self.cube) or value >= self.HIGHEST:
            return False
        return self.MATCH == 0 or points_of(self.cube, self.turn) + value < self.MATCH

    def may_beaver(self) -> bool:
        """Whether a double may be beavered."""
        beavers = beavers_of(self.cube)
        return self.MATCH == 0 and beavers < self.BEAVERS and 4 * value_of(self.cube) <= self.HIGHEST

    def handed(self, dice: int, cube: int) -> "Backgammon":
        """The same board at the other side's turn."""
        return Backgammon(self.opp, self.own, 1 - self.turn, dice, cube)

    def turned(self, action: int) -> "Backgammon":
        """The state after a cube action."""
        if self.dice == DOUBLED:
            return self.answered(action)
        return self.handed(DOUBLED, self.cube) if action == DOUBLE else self._replace(dice=TO_ROLL)

    def answered(self, action: int) -> "Backgammon":
        """After a take, drop or beaver: the doubled side owns the cube, the other side rolls."""
        beavers, owner = beavers_of(self.cube), 1 - self.roller()
        if action == DROP:
            return self._replace(dice=DROPPED, cube=dropped(self.cube)).ended()
        if action == BEAVER:
            return self.handed(DOUBLED, beavered(self.cube, owner, beavers + 1))
        cube = taken(self.cube, owner)
        return self._replace(dice=TO_ROLL, cube=cube) if beavers & 1 else self.handed(TO_ROLL, cube)

    def begun(self) -> "Backgammon":
        """The start of a turn: the game may be over, or the cube may be turned."""
        if occupied(self.opp) == 0:
            return self.ended()
        return self._replace(dice=TO_DOUBLE) if self.may_double() else self

    def lost(self) -> int:
        """The points lost by the side whose turn it is, if the game is over."""
        points = 1
        if total(self.own) == self.CHECKERS and (self.BARE or self.counts_gammons()):
            points = 3 if occupied(self.own) & FAR_HOME else 2
        return points if self.BARE else points * value_of(self.cube)

    def counts_gammons(self) -> bool:
        """Whether gammons count: not after a drop, nor by the Jacoby rule before the cube was turned."""
        return self.dice != DROPPED and (
            self.MATCH > 0 or self.JACOBY == 0 or self.HIGHEST == 1 or value_of(self.cube) > 1
        )

    def ended(self) -> "Backgammon":
        """A finished game; in a match its points are added, and the next game begins unless the match is over."""
        if self.MATCH == 0:
            return self
        winner, near = 1 - self.turn, self.MATCH - 1
        cube = scored(self.cube, winner, self.lost())
        now = points_of(cube, winner)
        if now >= self.MATCH:
            return self._replace(cube=cube)
        if self.CRAWFORD and now == near and points_of(self.cube, winner) < near:
            if points_of(cube, self.turn) < near:
                cube |= CRAWFORD_GAME
        return Backgammon(cube=cube)

    # --- evaluation --

    def order(self, action: int) -> int:
        """A quick look at the position after a play: what was hit, blots left, points made."""
        if self.dice <= 0:
            return 0
        after = self.result(action)
        mine = after.opp
        value = pips(after.own) - pips(self.opp)
        value += 8 * popcount(made(mine) & INNER) + 8 * popcount(made(mine) & HOME)
        return value - 6 * popcount(single(mine) & INNER) - total(mine)

    def evaluate(self, weights: Weights = weights) -> int:
        """The estimated value of the game: the race, blots, and points made."""
        value = self.side(weights, self.own) - self.side(weights, self.opp)
        value += weights.turn if self.roller() == self.turn else -weights.turn
        value = max(-MOST, min(MOST, value))
        value = -value if self.turn else value
        return value if self.BARE else self.staked(value)

    def staked(self, value: int) -> int:
        """The value with the current cube of a game of that value; a double counts as taken."""
        stake = value_of(self.cube) << (self.dice == DOUBLED)
        if self.MATCH == 0:
            return value * min(stake, self.HIGHEST)
        won = match_equity(self.MATCH, self.cube, 0, stake)
        lost = match_equity(self.MATCH, self.cube, 1, stake)
        value = max(-self.unit, min(self.unit, value))
        return (won + lost) // 2 + value * (won - lost) // (2 * self.unit)

    def side(self, weights: Weights, a: Side) -> int:
        """The value of a side's checkers."""
        return (
            -weights.pips * pips(a)
            + weights.blots * popcount(single(a) & INNER)
            + weights.points * popcount(made(a) & INNER)
            + weights.home * popcount(made(a) & HOME)
            + weights.bar * number(a, BAR)
        )

    # --- tables ---

    def bearoff(self) -> int:
        """The index in the bear-off tables, if both sides bear off without gammon chances or a cube."""
        if not self.BARE or self.dice != TO_ROLL or (occupied(self.own) | occupied(self.opp)) & ~HOME:
            return -1
        if total(self.own) == self.CHECKERS or total(self.opp) == self.CHECKERS:
            return -1
        return place(self.own) << 32 | place(self.opp)

    # --- input of a value net -----

    feature_count = features.COUNT

    def features(self) -> Iterator[int]:
        """Tesauro's inputs, in the numbering of the side on roll."""
        if self.roller() == self.turn:
            yield from features.each_input(self.own, self.opp, self.CHECKERS)
        else:
            yield from features.each_input(self.opp, self.own, self.CHECKERS)

    def viewer(self) -> int:
        return self.roller()

    # --- text ---

    def __str__(self) -> str:
        """The Position ID, who is on roll, the dice, cube and score: `4HPwATDgc/ABMA X 31 cube 2 O score 3-1`."""
        return text.write(self)

    @classmethod
    def parse(cls, position: str) -> "Backgammon":
        """The inverse of str; a Position ID alone means that X is to roll or double."""
        return text.read(cls, position)

    def board_text(self, board: Board, player: int) -> str:
        return text.write(drawing.redrawn(self, board, player))

    def action_text(self, action: int) -> str:
        """`8/5(2) 6/5*`; a roll's dice; `double`, `take`, `drop`, `beaver`."""
        return notation.write_action(self, action)

    def parse_action(self, written: str) -> int:
        """A play, with its moves in any order and in single or joined steps; or a roll."""
        return notation.read_action(self, written)

    def action_squares(self, action: int) -> tuple[tuple[int, int], ...]:
        """None: a play moves several checkers (`action_ways`)."""
        return ()

    def action_ways(self, action: int) -> tuple[tuple[drawing.Step, ...], ...]:
        """A play die by die; both ways if one checker may use either die first."""
        return drawing.ways(self, action) if self.dice > 0 else ()

    def board(self) -> Board:
        return drawing.board(self)
