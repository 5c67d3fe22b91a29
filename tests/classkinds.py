"""Small games, each of another kind of class; some are written in several ways, which give the same results."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

CHANCE = -1
LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Packed(NamedTuple):
    """Nim: take 1, 2 or 3; whoever takes the last one wins."""

    heap: int = 9
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [take for take in (1, 2, 3) if take <= self.heap]

    def result(self, take):
        return Packed(self.heap - take, 1 - self.mover)

    def terminal(self):
        return self.heap == 0

    def utility(self):
        return 1 if self.mover == 1 else -1

    def evaluate(self):
        good = 5 if self.heap % 4 else -5
        return good if self.mover == 0 else -good


class Take(Enum):
    ONE = 1
    TWO = 2
    THREE = 3


@dataclass(frozen=True)
class Natural:
    """The same; the heap is a text, the player a name, and actions are members of an enum."""

    heap: str = "|||||||||"
    mover: str = "Anne"

    def player(self):
        return ("Anne", "Bert").index(self.mover)

    def actions(self):
        return [take for take in Take if take.value <= len(self.heap)]

    def result(self, take):
        return replace(self, heap=self.heap[take.value :], mover="Bert" if self.mover == "Anne" else "Anne")

    def terminal(self):
        return not self.heap

    def utility(self):
        return 1 if self.mover == "Bert" else -1

    def evaluate(self):
        good = 5 if len(self.heap) % 4 else -5
        return good if self.mover == "Anne" else -good


class Interpreted(NamedTuple):
    """The same; the items lie in a frozenset of frozensets, which are not compiled."""

    heap: frozenset = frozenset(frozenset((i,)) for i in range(9))
    mover: str = "Anne"

    def player(self):
        return ("Anne", "Bert").index(self.mover)

    def actions(self):
        return [f"take{n}" for n in (1, 2, 3) if n <= len(self.heap)]

    def result(self, action):
        heap = frozenset(frozenset((i,)) for i in range(len(self.heap) - int(action[-1])))
        return Interpreted(heap, "Bert" if self.mover == "Anne" else "Anne")

    def terminal(self):
        return not self.heap

    def utility(self):
        return 1 if self.mover == "Bert" else -1

    def evaluate(self):
        good = 5 if len(self.heap) % 4 else -5
        return good if self.mover == "Anne" else -good


class Floats(NamedTuple):
    """The same, with an evaluation that returns floats."""

    heap: int = 9
    turn: str = "X"

    def player(self):
        return 0 if self.turn == "X" else 1

    def actions(self):
        return [(take, "sticks") for take in (1, 2, 3) if take <= self.heap]

    def result(self, action):
        return Floats(self.heap - action[0], "O" if self.turn == "X" else "X")

    def terminal(self):
        return self.heap == 0

    def utility(self):
        return 1.0 if self.turn == "O" else -1.0

    def evaluate(self):
        good = 0.5 if self.heap % 4 else -0.5
        return good if self.turn == "X" else -good


class PackedDice(NamedTuple):
    """Each in turn stops, or rolls a coin that adds 1 or 3; more than 6 loses. The higher sum wins."""

    mine: int = 0
    yours: int = 0
    mover: int = 0
    rolls: int = 0
    stopped: int = 0

    def player(self):
        return CHANCE if self.rolls else self.mover

    def actions(self):
        return [1, 3] if self.rolls else [0, 2]

    def result(self, action):
        if self.rolls:
            return self._replace(rolls=0, mine=self.mine + action)
        if action:
            return self._replace(rolls=1)
        return PackedDice(self.yours, self.mine, 1 - self.mover, 0, self.stopped + 1)

    def probability(self, outcome):
        return 0.5

    def terminal(self):
        return not self.rolls and (self.stopped == 2 or self.mine > 6)

    def utility(self):
        if self.mine > 6:
            return -1 if self.mover == 0 else 1
        lead = (self.mine > self.yours) - (self.mine < self.yours)
        return lead if self.mover == 0 else -lead

    def evaluate(self):
        return self.mine - self.yours if self.mover == 0 else self.yours - self.mine


class Dice(NamedTuple):
    """The same; whose turn it is, is a text, and outcomes are texts."""

    sums: tuple = (0, 0)
    mover: str = "Anne"
    rolls: bool = False
    stopped: tuple = ()

    def who(self):
        return ("Anne", "Bert").index(self.mover)

    def player(self):
        return CHANCE if self.rolls else self.who()

    def actions(self):
        return ["one", "three"] if self.rolls else ["stop", "roll"]

    def result(self, action):
        if action == "roll":
            return self._replace(rolls=True)
        if action == "stop":
            return Dice(
                self.sums, "Bert" if self.mover == "Anne" else "Anne", False, (*self.stopped, self.mover)
            )
        sums = list(self.sums)
        sums[self.who()] += 1 if action == "one" else 3
        return self._replace(sums=tuple(sums), rolls=False)

    def probability(self, outcome):
        return 0.5

    def terminal(self):
        return not self.rolls and (len(self.stopped) == 2 or self.sums[self.who()] > 6)

    def utility(self):
        a, b = self.sums
        if a > 6 or b > 6:
            return -1 if a > 6 else 1
        return (a > b) - (a < b)

    def evaluate(self):
        return self.sums[0] - self.sums[1]


class PackedAlone(NamedTuple):
    """One player walks to the right end of a board that has holes."""

    at: int = 0
    fuel: int = 5

    players = 1
    points = True

    def player(self):
        return 0

    def actions(self):
        return [] if self.fuel == 0 else [1, 2]

    def result(self, step):
        return PackedAlone(self.at + step, self.fuel - 1)

    def utility(self):
        return 2 * self.at - 6 * (self.at in (6, 7))

    def evaluate(self):
        return 2 * self.at


class Alone(NamedTuple):
    """The same on a text."""

    track: str = "@"
    fuel: tuple = ("can",) * 5

    players = 1
    points = True

    def player(self):
        return 0

    def actions(self):
        return ["walk", "jump"] if self.fuel else []

    def result(self, step):
        return Alone("." * (1 if step == "walk" else 2) + self.track, self.fuel[1:])

    def utility(self):
        at = len(self.track) - 1
        return 2 * at - 6 * (at in (6, 7))

    def evaluate(self):
        return 2 * len(self.track) - 2


class PackedThree(NamedTuple):
    """Three players in turn take 1 or 2; whoever takes the last one loses 2, the others get 1."""

    heap: int = 6
    mover: int = 0

    players = 3

    def player(self):
        return self.mover

    def actions(self):
        return [take for take in (1, 2) if take <= self.heap]

    def result(self, take):
        return PackedThree(self.heap - take, (self.mover + 1) % 3)

    def terminal(self):
        return self.heap == 0

    def utility(self, player):
        return -2 if player == (self.mover + 2) % 3 else 1

    def evaluate(self, player):
        return self.heap if player == self.mover else 0


class Three(NamedTuple):
    """The same with names."""

    heap: str = "......"
    mover: str = "red"

    players = 3

    def player(self):
        return ("red", "green", "blue").index(self.mover)

    def actions(self):
        return ["one", "two"][: len(self.heap)]

    def result(self, take):
        after = {"red": "green", "green": "blue", "blue": "red"}
        return Three(self.heap[1 if take == "one" else 2 :], after[self.mover])

    def terminal(self):
        return not self.heap

    def utility(self, player):
        return -2 if player == (self.player() + 2) % 3 else 1

    def evaluate(self, player):
        return len(self.heap) if player == self.player() else 0


class Hidden(NamedTuple):
    """Each is dealt a card; the first bets or folds, the second calls or folds; the higher card wins."""

    cards: tuple = ()
    said: tuple = ()

    def player(self):
        return CHANCE if len(self.cards) < 2 else min(len(self.said), 1)

    def actions(self):
        if len(self.cards) < 2:
            return [card for card in ("jack", "queen", "king") if card not in self.cards]
        return ["fold", "bet"] if not self.said else ["fold", "call"]

    def result(self, action):
        if len(self.cards) < 2:
            return Hidden((*self.cards, action), self.said)
        return Hidden(self.cards, (*self.said, action))

    def probability(self, outcome):
        return 1 / (3 - len(self.cards))

    def terminal(self):
        return "fold" in self.said or len(self.said) == 2

    def utility(self):
        if "fold" in self.said:
            return -1 if self.said == ("fold",) else 1
        order = ("jack", "queen", "king")
        return 2 if order.index(self.cards[0]) > order.index(self.cards[1]) else -2

    def percept(self, action, seat):
        if len(self.cards) < 2:
            return action if seat == len(self.cards) else 0
        return action

    def evaluate(self):
        return len(self.said)


class Rows(NamedTuple):
    """Tic-tac-toe on a text."""

    board: str = "........."

    def player(self):
        return self.board.count("X") - self.board.count("O")

    def won(self):
        return any(
            self.board[i] != "." and self.board[i] == self.board[j] == self.board[k] for i, j, k in LINES
        )

    def actions(self):
        return (
            [] if self.won() else ["abc"[i % 3] + str(i // 3 + 1) for i in range(9) if self.board[i] == "."]
        )

    def result(self, square):
        i = "abc".index(square[0]) + 3 * int(square[1]) - 3
        return Rows(self.board[:i] + "XO"[self.player()] + self.board[i + 1 :])

    def utility(self):
        return 0 if not self.won() else -1 if self.player() == 0 else 1

    def __str__(self):
        return "\n".join(self.board[i : i + 3] for i in (0, 3, 6))


class Pawns(NamedTuple):
    """Hexapawn on rows of texts."""

    rows: tuple = (("b",) * 3, (".",) * 3, ("w",) * 3)
    turn: str = "w"

    def player(self):
        return 0 if self.turn == "w" else 1

    def moves(self):
        step, other = (-1, "b") if self.turn == "w" else (1, "w")
        for r in range(3):
            for c in range(3):
                if self.rows[r][c] == self.turn and 0 <= r + step < 3:
                    if self.rows[r + step][c] == ".":
                        yield (r, c), (r + step, c)
                    for d in (-1, 1):
                        if 0 <= c + d < 3 and self.rows[r + step][c + d] == other:
                            yield (r, c), (r + step, c + d)

    def actions(self):
        return [] if "w" in self.rows[0] or "b" in self.rows[2] else list(self.moves())

    def result(self, action):
        (r, c), (to, at) = action
        rows = [list(row) for row in self.rows]
        rows[to][at], rows[r][c] = rows[r][c], "."
        return Pawns(tuple(map(tuple, rows)), "b" if self.turn == "w" else "w")

    def utility(self):
        return -1 if self.turn == "w" else 1


class Names(NamedTuple):
    """Names are crossed out in turn; who is left with `a` at the end has lost."""

    left: frozenset = frozenset({"a", "b", "c", "d", "ef"})
    turn: str | None = None

    def player(self):
        return 0 if self.turn is None else 1

    def actions(self):
        return sorted(self.left) if len(self.left) > 1 else []

    def result(self, name):
        return Names(self.left - {name}, "second" if self.turn is None else None)

    def utility(self):
        sign = 1 if "a" in self.left else -1
        return sign if self.turn is not None else -sign


class Outgrowing(NamedTuple):
    """Nim with heaps in a tuple of which nobody knows how long it is at most: a heap may be divided."""

    heaps: tuple = (4, 3)
    turn: str = "X"

    def player(self):
        return "XO".index(self.turn)

    def actions(self):
        whole = [(i, n, 0) for i, heap in enumerate(self.heaps) for n in (1, 2) if n <= heap]
        return whole + [(i, 1, 1) for i, heap in enumerate(self.heaps) if heap > 2]

    def result(self, action):
        i, taken, divided = action
        left = self.heaps[i] - taken
        put = (1, left - 1) if divided else (left,)
        heaps = tuple(sorted(n for n in (*self.heaps[:i], *put, *self.heaps[i + 1 :]) if n))
        return Outgrowing(heaps, "O" if self.turn == "X" else "X")

    def terminal(self):
        return not self.heaps

    def utility(self):
        return -1 if self.turn == "X" else 1
