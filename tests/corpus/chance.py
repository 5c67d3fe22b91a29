"""Games with dice, coins and cards."""

from collections import Counter
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import product
from typing import NamedTuple, Optional

from outplay import CHANCE


class Pig(NamedTuple):
    """To 12, a die of four."""

    scores: tuple[int, int] = (0, 0)
    pot: int = 0
    mover: int = 0
    rolling: bool = False
    turns: int = 0

    def player(self):
        return CHANCE if self.rolling else self.mover

    def actions(self):
        if self.rolling:
            return [1, 2, 3, 4]
        return ["roll", "hold"] if self.pot > 0 else ["roll"]

    def probability(self, outcome):
        return 0.25

    def result(self, a):
        if self.rolling:
            if a == 1:
                return Pig(self.scores, 0, 1 - self.mover, False, self.turns + 1)
            return Pig(self.scores, self.pot + a, self.mover, False, self.turns)
        if a == "roll":
            return self._replace(rolling=True)
        scores = list(self.scores)
        scores[self.mover] += self.pot
        return Pig(tuple(scores), 0, 1 - self.mover, False, self.turns + 1)

    def terminal(self):
        return max(self.scores) >= 6 or self.scores[self.mover] + self.pot >= 8 or self.turns >= 10

    def utility(self):
        a, b = self.scores
        if self.mover == 0:
            a += self.pot
        else:
            b += self.pot
        return 1 if a > b else -1


class DiceSums(NamedTuple):
    """Two dice; the probabilities of their sums from a Counter constant."""

    turn: int = 0
    rolled: int = 0
    total: int = 0
    phase: str = "bet"
    bet: int = 0

    SUMS = Counter(a + b for a, b in product(range(1, 4), repeat=2))

    def player(self):
        return CHANCE if self.phase == "roll" else self.turn % 2

    def actions(self):
        if self.phase == "roll":
            return sorted(self.SUMS)
        return [1, 2]

    def probability(self, s):
        return self.SUMS[s] / 9

    def result(self, a):
        if self.phase == "bet":
            return self._replace(phase="roll", bet=a)
        gain = self.bet if a >= 4 else -self.bet
        if self.turn % 2:
            gain = -gain
        return DiceSums(self.turn + 1, a, self.total + gain, "bet", 0)

    def terminal(self):
        return self.turn == 3

    def utility(self):
        return self.total


class Coin(NamedTuple):
    """A coin that falls on heads in 60 of 100."""

    money: int = 3
    round: int = 0
    stake: int | None = None

    def player(self):
        return 0 if self.stake is None else CHANCE

    players = 1

    def actions(self):
        if self.stake is not None:
            return ["heads", "tails"]
        return list(range(0, min(self.money, 2) + 1))

    def probability(self, side):
        return 0.6 if side == "heads" else 0.4

    def result(self, a):
        if self.stake is None:
            return self._replace(stake=a)
        change = self.stake if a == "heads" else -self.stake
        return Coin(self.money + change, self.round + 1, None)

    def terminal(self):
        return self.round == 3 or self.money == 0

    def utility(self):
        return self.money


class Blackjack(NamedTuple):
    """Cards 1 to 5 without end; nearest to 9 wins, the dealer draws to 7."""

    mine: int = 0
    dealer: int = 0
    phase: int = 0  # 0 decide, 1 a card for me, 2 a card for the dealer

    def player(self):
        return -1 if self.phase else 0

    def actions(self):
        if self.phase == 0:
            return (True, False)
        return tuple(range(1, 6))

    def probability(self, card):
        return 1 / 5

    def result(self, a):
        match self.phase:
            case 0:
                return Blackjack(self.mine, self.dealer, 1 if a else 2)
            case 1:
                return Blackjack(self.mine + a, self.dealer, 0)
            case _:
                return Blackjack(self.mine, self.dealer + a, 2)

    def terminal(self):
        return self.mine > 9 or self.phase == 2 and self.dealer >= 7

    def utility(self):
        if self.mine > 9:
            return -1
        if self.dealer > 9 or self.mine > self.dealer:
            return 1
        return 0 if self.mine == self.dealer else -1


@dataclass(frozen=True)
class SnakesAndLadders:
    """A choice of two dice: one of 2 sides, one of 3."""

    places: tuple = (0, 0)
    turn: int = 0
    die: Optional[int] = None
    ply: int = 0

    LADDERS = {2: 5, 6: 3, 7: 9}

    def player(self):
        return self.turn if self.die is None else CHANCE

    def actions(self):
        if self.die is None:
            return [2, 3]
        return range(1, self.die + 1)

    def probability(self, face):
        return 1 / self.die

    def result(self, a):
        if self.die is None:
            return replace(self, die=a)
        places = list(self.places)
        to = places[self.turn] + a
        places[self.turn] = min(self.LADDERS.get(to, to), 10)
        return SnakesAndLadders(tuple(places), 1 - self.turn, None, self.ply + 1)

    def terminal(self):
        return 10 in self.places or self.ply >= 12

    def utility(self):
        a, b = self.places
        return (a > b) - (a < b)


class Bag(NamedTuple):
    """Balls are drawn from a bag without being put back; keep or pass on."""

    bag: tuple[str, ...] = ("black", "red", "red", "white")
    drawn: str = ""
    score: int = 0
    turn: int = 0

    VALUE = {"red": 2, "white": 3, "black": -4}

    def player(self):
        return CHANCE if not self.drawn else self.turn

    def actions(self):
        if not self.drawn:
            return sorted(set(self.bag))
        return ["keep", "give"]

    def probability(self, ball):
        return self.bag.count(ball) / len(self.bag)

    def result(self, a):
        if not self.drawn:
            bag = list(self.bag)
            bag.remove(a)
            return self._replace(bag=tuple(bag), drawn=a)
        value = self.VALUE[self.drawn]
        to_max = (a == "keep") == (self.turn == 0)
        return Bag(self.bag, "", self.score + (value if to_max else -value), 1 - self.turn)

    def terminal(self):
        return not self.bag and not self.drawn

    def utility(self):
        return self.score


class Yahtzee(NamedTuple):
    """Two dice of three sides, one reroll of either; pairs count."""

    dice: tuple = ()
    rerolls: int = 1
    held: tuple = ()

    players = 1

    def player(self):
        return CHANCE if len(self.dice) < 2 else 0

    def actions(self):
        if len(self.dice) < 2:
            return [1, 2, 3]
        return ["stop"] + [f"keep {d}" for d in sorted(set(self.dice))]

    def probability(self, d):
        return 1 / 3

    def result(self, a):
        if len(self.dice) < 2:
            return self._replace(dice=tuple(sorted(self.dice + (a,))))
        if a == "stop":
            return self._replace(rerolls=-1)
        kept = int(a.split()[1])
        return Yahtzee((kept,), self.rerolls - 1)

    def terminal(self):
        return len(self.dice) == 2 and self.rerolls <= 0

    def utility(self):
        a, b = self.dice
        return 10 * a if a == b else a + b


class RaceDice(NamedTuple):
    """Chance picks who may move; a stone on a track of eight."""

    stone: int = 4
    who: int = -1
    ply: int = 0

    def player(self):
        return self.who

    def actions(self):
        if self.who == CHANCE:
            return [0, 1]
        return [1, 2]

    def probability(self, outcome):
        weights = (0.5, 0.5) if self.stone == 4 else (0.4, 0.6) if self.stone > 4 else (0.6, 0.4)
        return weights[outcome]

    def result(self, a):
        if self.who == CHANCE:
            return self._replace(who=a)
        step = a if self.who == 0 else -a
        return RaceDice(max(0, min(8, self.stone + step)), CHANCE, self.ply + 1)

    def terminal(self):
        return self.stone in (0, 8) or self.ply == 6

    def utility(self):
        return {0: -1, 8: 1}.get(self.stone, 0)
