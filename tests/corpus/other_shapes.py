"""More shapes of states and actions."""
from collections import Counter
from dataclasses import dataclass, replace
from enum import Enum, auto
from itertools import combinations, product
from typing import NamedTuple, Union

from outplay import CHANCE


class Suit(Enum):
    HEARTS = auto()
    SPADES = auto()


class Card(NamedTuple):
    suit: Suit
    rank: int


class Trick(NamedTuple):
    """Cards as NamedTuples with an enum; actions are cards."""

    hands: tuple[tuple[Card, ...], tuple[Card, ...]] = (
        (Card(Suit.HEARTS, 9), Card(Suit.SPADES, 7)),
        (Card(Suit.HEARTS, 8), Card(Suit.SPADES, 10)),
    )
    table: Card | None = None
    score: int = 0
    leader: int = 0

    def player(self):
        return self.leader if self.table is None else 1 - self.leader

    def actions(self):
        hand = self.hands[self.player()]
        if self.table is not None:
            follow = tuple(c for c in hand if c.suit == self.table.suit)
            if follow:
                return follow
        return hand

    def result(self, card):
        me = self.player()
        hands = tuple(tuple(c for c in h if c != card) if i == me else h for i, h in enumerate(self.hands))
        if self.table is None:
            return Trick(hands, card, self.score, self.leader)
        wins = card.suit is self.table.suit and card.rank > self.table.rank
        winner = me if wins else self.leader
        return Trick(hands, None, self.score + (1 if winner == 0 else -1), winner)

    def terminal(self):
        return self.table is None and not any(self.hands)

    def utility(self):
        return self.score


class Command(Enum):
    LEFT = "turn left"
    RIGHT = "turn right"
    GO = "go"


class Robot(NamedTuple):
    """Directions by modulo, enum actions with text values."""

    x: int = 1
    y: int = 1
    heading: int = 0
    ply: int = 0

    DX = (0, 1, 0, -1)
    DY = (-1, 0, 1, 0)

    def player(self):
        return self.ply % 2

    def ahead(self):
        return self.x + self.DX[self.heading], self.y + self.DY[self.heading]

    def actions(self):
        x, y = self.ahead()
        commands = [Command.LEFT, Command.RIGHT]
        if 0 <= x <= 2 and 0 <= y <= 2:
            commands.insert(0, Command.GO)
        return commands

    def result(self, command):
        if command is Command.GO:
            x, y = self.ahead()
            return self._replace(x=x, y=y, ply=self.ply + 1)
        turn = -1 if command == Command.LEFT else 1
        return self._replace(heading=(self.heading + turn) % 4, ply=self.ply + 1)

    def terminal(self):
        return self.ply == 6

    def utility(self):
        return self.x - self.y


class Mixed2(NamedTuple):
    """Actions of two shapes: ('move', square) and ('swap',)."""

    a: int = 0
    b: int = 3
    swaps: int = 1
    turn: int = 0
    ply: int = 0

    def player(self):
        return self.turn

    def actions(self):
        here = (self.a, self.b)[self.turn]
        acts = [("move", s) for s in (here - 1, here + 1) if 0 <= s <= 3 and s not in (self.a, self.b)]
        if self.swaps:
            acts.append(("swap", 0))
        return acts

    def result(self, act):
        kind, square = act
        if kind == "swap":
            return Mixed2(self.b, self.a, self.swaps - 1, 1 - self.turn, self.ply + 1)
        if self.turn == 0:
            return self._replace(a=square, turn=1, ply=self.ply + 1)
        return self._replace(b=square, turn=0, ply=self.ply + 1)

    def terminal(self):
        return not self.actions() or self.ply >= 8

    def utility(self):
        return 1 if self.a > self.b else -1


class BoolActions(NamedTuple):
    """Actions are True and False."""

    votes: tuple[bool, ...] = ()

    def player(self):
        return len(self.votes) % 2

    def actions(self):
        return [True, False]

    def result(self, yes):
        return BoolActions(self.votes + (yes,))

    def terminal(self):
        return len(self.votes) == 5

    def utility(self):
        return 1 if sum(self.votes) >= 3 and self.votes[0] is not self.votes[-1] else -1


class NegativeActions(NamedTuple):
    """Negative and large actions."""

    total: int = 0
    ply: int = 0

    points = True

    def player(self):
        return self.ply % 2

    def actions(self):
        return [-1000000, -1, 7, 10 ** 6 + self.ply]

    def result(self, a):
        return NegativeActions((self.total * 3 + a) % 101 - 50, self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return self.total


class TupleOfFour(NamedTuple):
    """Actions of four ints: from and to."""

    men: tuple = ((0, 0), (2, 2))
    turn: int = 0
    ply: int = 0

    def player(self):
        return self.turn

    def actions(self):
        r, c = self.men[self.turn]
        return [
            (r, c, r + dr, c + dc)
            for dr in (-1, 0, 1)
            for dc in (-1, 0, 1)
            if (dr or dc) and 0 <= r + dr < 3 and 0 <= c + dc < 3 and (r + dr, c + dc) not in self.men
        ]

    def result(self, move):
        *_, r, c = move
        men = list(self.men)
        men[self.turn] = (r, c)
        return TupleOfFour(tuple(men), 1 - self.turn, self.ply + 1)

    def terminal(self):
        return self.ply == 5

    def utility(self):
        (a, b), (c, d) = self.men
        return a * 3 + b - c * 3 - d


class WordActions(NamedTuple):
    """Actions are longer texts that are taken apart."""

    shelves: tuple = (2, 1, 0)
    turn: int = 0
    ply: int = 0

    def player(self):
        return self.turn

    def actions(self):
        acts = []
        for i, n in enumerate(self.shelves):
            for j in range(3):
                if i != j and n:
                    acts.append(f"move {i} to {j}")
        return acts

    def result(self, text):
        _, i, _, j = text.split()
        shelves = list(self.shelves)
        shelves[int(i)] -= 1
        shelves[int(j)] += 1
        return WordActions(tuple(shelves), 1 - self.turn, self.ply + 1)

    def terminal(self):
        return self.ply == 4 or 3 in self.shelves

    def utility(self):
        return -1 if 3 in self.shelves and self.turn == 0 else 1 if 3 in self.shelves else 0


class HiddenPass(NamedTuple):
    """A text for the pass among tuples would be odd; so (-1, -1) is it."""

    filled: tuple = ((False, False), (False, False))
    skipped: bool = False
    mover: int = 0

    PASS = (-1, -1)

    def player(self):
        return self.mover

    def actions(self):
        places = [(r, c) for r in (0, 1) for c in (0, 1) if not self.filled[r][c]]
        return places if self.skipped and places else places + [self.PASS]

    def result(self, at):
        if at == self.PASS:
            return HiddenPass(self.filled, True, 1 - self.mover)
        r, c = at
        filled = tuple(tuple(f or (y, x) == (r, c) for x, f in enumerate(row)) for y, row in enumerate(self.filled))
        return HiddenPass(filled, False, 1 - self.mover)

    def terminal(self):
        return all(map(all, self.filled)) or (self.skipped and not self.actions()[1:])

    def utility(self):
        return 1 if self.mover else -1


class Growing(NamedTuple):
    """A history that grows without a limit in sight, up to forty entries."""

    history: tuple = ()
    n: int = 40

    def player(self):
        return len(self.history) % 2

    def actions(self):
        return [k for k in (1, 2, 3) if k <= self.n]

    def result(self, k):
        return Growing(self.history + (k,), self.n - k)

    def terminal(self):
        return self.n == 0

    def utility(self):
        return 1 if len(self.history) % 2 else -1

    def evaluate(self):
        return self.history.count(1) - self.history.count(3) + (self.history[-1] if self.history else 0)


class LongText(NamedTuple):
    """A record of the game as text that grows."""

    moves: str = ""
    n: int = 12

    def player(self):
        return self.moves.count(",") % 2

    def actions(self):
        return [k for k in (1, 2, 4) if k <= self.n]

    def result(self, k):
        return LongText(self.moves + str(k) + ",", self.n - k)

    def terminal(self):
        return self.n == 0

    def utility(self):
        return 1 if self.player() else -1


class Wide(NamedTuple):
    """A hundred cells, 10x10, of which a few matter."""

    cells: tuple = (0,) * 100
    at: tuple = (5, 5)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        r, c = self.at
        around = [(r + dr) * 10 + c + dc for dr in (-1, 0, 1) for dc in (-1, 0, 1)]
        return [a for a in around if self.cells[a] == 0]

    def result(self, a):
        cells = self.cells[:a] + (self.ply % 2 + 1,) + self.cells[a + 1:]
        return Wide(cells, (min(max(a // 10, 1), 8), min(max(a % 10, 1), 8)), self.ply + 1)

    def terminal(self):
        return self.ply >= 12 or not self.actions()

    def utility(self):
        columns = [sum(1 for r in range(10) if self.cells[10 * r + c] == 1) for c in range(10)]
        return max(columns) - max(row_count(self.cells, r, 2) for r in range(10))


def row_count(cells, r, who):
    return cells[10 * r:10 * r + 10].count(who)


class BigGrid(NamedTuple):
    """8x8 rows of characters with a rook."""

    rows: tuple = ("." * 8,) * 8
    rook: tuple = (0, 0)
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        r, c = self.rook
        return [(r, x) for x in range(c + 1, 8) if self.rows[r][x] == "."][:3] + \
               [(y, c) for y in range(r + 1, 8) if self.rows[y][c] == "."][:3]

    def result(self, to):
        r, c = self.rook
        rows = list(self.rows)
        rows[r] = rows[r][:c] + "#" + rows[r][c + 1:]
        return BigGrid(tuple(rows), to, self.ply + 1)

    def terminal(self):
        return self.rook == (7, 7) or not self.actions()

    def utility(self):
        return 1 if self.ply % 2 else -1


class OptionalTuple(NamedTuple):
    """A field that is a pair or None."""

    ko: tuple[int, int] | None = None
    stones: tuple = (0,) * 4
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        return [(i, i % 2) for i in range(4) if self.stones[i] == 0 and (i, i % 2) != self.ko] or [(9, 9)]

    def result(self, a):
        i, parity = a
        if i == 9:
            return self._replace(ply=self.ply + 1, ko=None)
        stones = self.stones[:i] + (self.ply % 2 + 1,) + self.stones[i + 1:]
        ko = ((i + 1) % 4, (i + 1) % 2) if parity else None
        return OptionalTuple(ko, stones, self.ply + 1)

    def terminal(self):
        return self.ply >= 6 or 0 not in self.stones

    def utility(self):
        return self.stones.count(1) - self.stones.count(2) if self.ko is None else sum(self.ko)


class OptionalText(NamedTuple):
    """A field that is a text or None."""

    winner: str | None = None
    n: int = 6
    turn: str = "anna"

    def player(self):
        return ["anna", "otto"].index(self.turn)

    def actions(self):
        return [1, 2] if self.n > 1 else [1]

    def result(self, k):
        n = self.n - k
        following = "otto" if self.turn == "anna" else "anna"
        return OptionalText(self.turn if n == 0 else None, n, following)

    def terminal(self):
        return self.winner is not None

    def utility(self):
        return 1 if self.winner == "anna" else -1


class FloatField(NamedTuple):
    """A float as field."""

    temperature: float = 20.0
    ply: int = 0

    scores = float

    def player(self):
        return self.ply % 2

    def actions(self):
        return ["heat", "cool", "wait"]

    def result(self, what):
        change = {"heat": 1.5, "cool": -2.0, "wait": 0.25}[what]
        return FloatField(self.temperature + change * (1 + self.ply), self.ply + 1)

    def terminal(self):
        return self.ply == 4

    def utility(self):
        return self.temperature - 20


class CoinFlips(NamedTuple):
    """Chance as texts, with a probability that depends on the state."""

    heads: int = 0
    flips: int = 0
    guess: str = ""

    def player(self):
        if not self.guess:
            return self.flips % 2
        return CHANCE

    def actions(self):
        return ["heads", "tails"]

    def probability(self, side):
        p = (1 + self.heads) / (2 + self.flips)
        return p if side == "heads" else 1 - p

    def result(self, a):
        if not self.guess:
            return self._replace(guess=a)
        right = a == self.guess
        gain = 1 if right else 0
        return CoinFlips(self.heads + gain, self.flips + 1, "")

    def terminal(self):
        return self.flips >= 3

    def utility(self):
        return self.heads - 1


class DiceRace(NamedTuple):
    """Ordered pairs of dice as outcomes; Counter of sums."""

    places: tuple = (0, 0)
    turn: int = 0
    dice: tuple | None = None

    def player(self):
        return CHANCE if self.dice is None else self.turn

    def actions(self):
        if self.dice is None:
            return [(a, b) for a in (1, 2) for b in (1, 2) if a <= b]
        return sorted(set(self.dice))

    def probability(self, roll):
        a, b = roll
        return 0.25 if a == b else 0.5

    def result(self, a):
        if self.dice is None:
            return self._replace(dice=a)
        places = tuple(p + a if i == self.turn else p for i, p in enumerate(self.places))
        return DiceRace(places, 1 - self.turn, None)

    def terminal(self):
        return max(self.places) >= 4

    def utility(self):
        return 1 if self.places[0] >= 4 else -1


class FourPlayers(NamedTuple):
    """Four around a table; a tuple of hands, utilities by rank."""

    hands: tuple = ((1, 5), (2, 4), (3, 6), (0, 7))
    played: tuple = ()

    players = 4

    def player(self):
        return len(self.played) % 4

    def actions(self):
        return list(self.hands[self.player()])

    def result(self, card):
        me = self.player()
        hands = tuple(tuple(c for c in hand if i != me or c != card) for i, hand in enumerate(self.hands))
        return FourPlayers(hands, self.played + (card,))

    def terminal(self):
        return len(self.played) == 4

    def utility(self, player):
        order = sorted(range(4), key=lambda p: self.played[p], reverse=True)
        return 3 - order.index(player)


class Solitaire(NamedTuple):
    """One player; piles as strings; the longest run counts."""

    piles: tuple[str, ...] = ("ab", "ba", "")

    players = 1

    def player(self):
        return 0

    def actions(self):
        return [(i, j) for i, j in product(range(3), repeat=2)
                if i != j and self.piles[i] and len(self.piles[j]) < 3 and i < 2]

    def result(self, move):
        i, j = move
        piles = list(self.piles)
        top = piles[i][-1]
        piles[i] = piles[i][:-1]
        piles[j] += top if j == 2 else ""
        return Solitaire(tuple(piles))

    def terminal(self):
        return not self.actions()

    def utility(self):
        return self.piles[2].count("ab") + len(self.piles[2])
