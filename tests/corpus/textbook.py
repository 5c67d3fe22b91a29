"""Small games as textbooks print them: GameState tuples, dicts for boards, functions beside the class."""
import math
from collections import namedtuple
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from typing import NamedTuple

INFINITY = math.inf
Position = namedtuple("Position", "row col")


class AimaTicTacToe(NamedTuple):
    """h, v and k as in the book; the board as pairs of a square and its mark."""

    to_move: str = "X"
    board: tuple = ()
    h: int = 3
    v: int = 3
    k: int = 3

    def player(self):
        return 0 if self.to_move == "X" else 1

    def actions(self):
        taken = dict(self.board)
        return [(x, y) for x in range(1, self.h + 1) for y in range(1, self.v + 1) if (x, y) not in taken]

    def result(self, move):
        return self._replace(to_move="O" if self.to_move == "X" else "X", board=self.board + ((move, self.to_move),))

    def k_in_row(self, board, move, player, delta_x_y):
        (delta_x, delta_y) = delta_x_y
        x, y = move
        n = 0
        while board.get((x, y)) == player:
            n += 1
            x, y = x + delta_x, y + delta_y
        x, y = move
        while board.get((x, y)) == player:
            n += 1
            x, y = x - delta_x, y - delta_y
        n -= 1
        return n >= self.k

    def compute_utility(self):
        if not self.board:
            return 0
        board = dict(self.board)
        move, player = self.board[-1]
        if (
            self.k_in_row(board, move, player, (0, 1))
            or self.k_in_row(board, move, player, (1, 0))
            or self.k_in_row(board, move, player, (1, -1))
            or self.k_in_row(board, move, player, (1, 1))
        ):
            return +1 if player == "X" else -1
        return 0

    def terminal(self):
        return self.compute_utility() != 0 or len(self.board) == self.h * self.v

    def utility(self):
        return self.compute_utility()


class Fig52(NamedTuple):
    """The game tree of the book's figure."""

    state: str = "A"

    SUCCS = {
        "A": {"a1": "B", "a2": "C", "a3": "D"},
        "B": {"b1": "B1", "b2": "B2", "b3": "B3"},
        "C": {"c1": "C1", "c2": "C2", "c3": "C3"},
        "D": {"d1": "D1", "d2": "D2", "d3": "D3"},
    }
    UTILS = {"B1": 3, "B2": 12, "B3": 8, "C1": 2, "C2": 4, "C3": 6, "D1": 14, "D2": 5, "D3": 2}

    def player(self):
        return 1 if self.state in "BCD" else 0

    def actions(self):
        return list(self.SUCCS.get(self.state, {}).keys())

    def result(self, move):
        return Fig52(self.SUCCS[self.state][move])

    def terminal(self):
        return self.state not in ("A", "B", "C", "D")

    def utility(self):
        return self.UTILS[self.state]


class Nim1357(NamedTuple):
    """Piles 1, 3, 5 (and 7 left out); whoever takes the last object loses."""

    piles: tuple = (1, 3, 5)
    who: int = 0

    def player(self):
        return self.who

    def actions(self):
        for pile in range(len(self.piles)):
            for count in range(1, self.piles[pile] + 1):
                yield pile, count

    def result(self, action):
        pile, count = action
        piles = [p - count if i == pile else p for i, p in enumerate(self.piles)]
        return Nim1357(tuple(piles), 1 - self.who)

    def terminal(self):
        return sum(self.piles) == 0

    def utility(self):
        return 1 if self.who == 0 else -1


class StochasticGame(NamedTuple):
    """A coin is tossed before each move."""

    total: int = 0
    turn: int = 0
    coin: object = None

    def player(self):
        return -1 if self.coin is None else self.turn

    def actions(self):
        return ["heads", "tails"] if self.coin is None else [1, 2] if self.coin == "heads" else [3]

    def probability(self, outcome):
        return 0.5

    def result(self, a):
        if self.coin is None:
            return self._replace(coin=a)
        return StochasticGame(self.total + (a if self.turn == 0 else -a), 1 - self.turn, None)

    def terminal(self):
        return abs(self.total) >= 4

    def utility(self):
        return (self.total > 0) - (self.total < 0)


class EightPuzzleDuel(NamedTuple):
    """Two players slide tiles of a 2x3 board for a few moves; MAX wants them in order."""

    tiles: tuple = (1, 2, 0, 4, 3, 5)
    ply: int = 0

    def find_blank_square(self):
        return self.tiles.index(0)

    def player(self):
        return self.ply % 2

    def actions(self):
        possible_actions = ["UP", "DOWN", "LEFT", "RIGHT"]
        index_blank_square = self.find_blank_square()
        if index_blank_square % 3 == 0:
            possible_actions.remove("LEFT")
        if index_blank_square < 3:
            possible_actions.remove("UP")
        if index_blank_square % 3 == 2:
            possible_actions.remove("RIGHT")
        if index_blank_square > 2:
            possible_actions.remove("DOWN")
        return possible_actions

    def result(self, action):
        blank = self.find_blank_square()
        new_state = list(self.tiles)
        delta = {"UP": -3, "DOWN": 3, "LEFT": -1, "RIGHT": 1}
        neighbor = blank + delta[action]
        new_state[blank], new_state[neighbor] = new_state[neighbor], new_state[blank]
        return EightPuzzleDuel(tuple(new_state), self.ply + 1)

    def terminal(self):
        return self.ply == 6

    def utility(self):
        return sum(1 for i in range(6) for j in range(i + 1, 6) if self.tiles[i] < self.tiles[j])


class Suit(Enum):
    CLUBS = "c"
    HEARTS = "h"


@dataclass(frozen=True)
class Card:
    rank: int
    suit: Suit


class TwoCards(NamedTuple):
    """Each side holds cards and plays one; the higher of a suit wins the trick."""

    mine: tuple = (Card(3, Suit.CLUBS), Card(9, Suit.HEARTS))
    yours: tuple = (Card(7, Suit.CLUBS), Card(4, Suit.HEARTS))
    led: tuple = ()
    score: int = 0

    def player(self):
        return 1 if self.led else 0

    def actions(self):
        hand = self.yours if self.led else self.mine
        same = [i for i, card in enumerate(hand) if self.led and card.suit == self.led[0].suit]
        return same or list(range(len(hand)))

    def result(self, i):
        if not self.led:
            rest = self.mine[:i] + self.mine[i + 1 :]
            return self._replace(mine=rest, led=(self.mine[i],))
        card, lead = self.yours[i], self.led[0]
        wins = card.suit is lead.suit and card.rank > lead.rank
        rest = tuple(c for j, c in enumerate(self.yours) if j != i)
        return TwoCards(self.mine, rest, (), self.score + (-1 if wins else 1))

    def terminal(self):
        return not self.mine and not self.led

    def utility(self):
        return self.score


class GridWorldRace(NamedTuple):
    """Named positions on a small grid, and a wall."""

    one: Position = Position(0, 0)
    two: Position = Position(2, 2)
    turn: int = 0

    WALLS = frozenset({(1, 1)})

    def player(self):
        return self.turn

    @property
    def mover(self):
        return self.one if self.turn == 0 else self.two

    def actions(self):
        here = self.mover
        steps = [(0, 1), (1, 0), (0, -1), (-1, 0)]
        return [
            (dr, dc)
            for dr, dc in steps
            if 0 <= here.row + dr < 3 and 0 <= here.col + dc < 3 and (here.row + dr, here.col + dc) not in self.WALLS
        ]

    def result(self, step):
        here = Position(self.mover.row + step[0], self.mover.col + step[1])
        if self.turn == 0:
            return GridWorldRace(here, self.two, 1)
        return GridWorldRace(self.one, here, 0)

    def terminal(self):
        return self.one == self.two or self.one == (2, 2) or self.two == Position(0, 0)

    def utility(self):
        if self.one == self.two:
            return 0
        return 1 if self.one == (2, 2) else -1

    def evaluate(self):
        return self.one.row + self.one.col - (4 - self.two.row - self.two.col)

    max_plies = 12


@lru_cache(maxsize=None)
def grundy(n):
    reachable = {grundy(n - k) for k in (1, 3, 4) if k <= n}
    g = 0
    while g in reachable:
        g += 1
    return g


class Subtraction134(NamedTuple):
    heap: int = 11
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [k for k in (1, 3, 4) if k <= self.heap]

    def result(self, k):
        return Subtraction134(self.heap - k, not self.turn)

    def terminal(self):
        return self.heap < 1

    def utility(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        return 0 if grundy(self.heap) == 0 else (1 if not self.turn else -1)


class ConnectThree(NamedTuple):
    """Gravity on a board of columns of text, three in a row."""

    columns: tuple = ("", "", "", "")
    moves: int = 0

    HEIGHT = 3

    def player(self):
        return self.moves % 2

    def actions(self):
        return [c for c, column in enumerate(self.columns) if len(column) < self.HEIGHT]

    def result(self, c):
        mark = "XO"[self.moves % 2]
        columns = tuple(col + mark if i == c else col for i, col in enumerate(self.columns))
        return ConnectThree(columns, self.moves + 1)

    def cell(self, c, r):
        if 0 <= c < len(self.columns) and 0 <= r < len(self.columns[c]):
            return self.columns[c][r]
        return "."

    def winner(self):
        for c in range(len(self.columns)):
            for r in range(self.HEIGHT):
                mark = self.cell(c, r)
                if mark == ".":
                    continue
                for dc, dr in ((1, 0), (0, 1), (1, 1), (1, -1)):
                    if mark == self.cell(c + dc, r + dr) == self.cell(c + 2 * dc, r + 2 * dr):
                        return mark
        return None

    def terminal(self):
        return self.winner() is not None or self.moves == 4 * self.HEIGHT

    def utility(self):
        return {"X": 1, "O": -1}.get(self.winner(), 0)


class Minichess(NamedTuple):
    """A king and a pawn against a king on 3x4, squares as letters."""

    king: str = "a1"
    pawn: str = "b2"
    lone: str = "c4"
    turn: int = 0

    @staticmethod
    def near(square):
        file, rank = ord(square[0]) - ord("a"), int(square[1])
        for df in (-1, 0, 1):
            for dr in (-1, 0, 1):
                if (df or dr) and 0 <= file + df < 3 and 1 <= rank + dr <= 4:
                    yield chr(ord("a") + file + df) + str(rank + dr)

    def player(self):
        return self.turn

    def actions(self):
        if self.turn == 0:
            for to in self.near(self.king):
                if to != self.pawn and to not in self.near(self.lone):
                    yield "K" + to
            ahead = self.pawn[0] + str(int(self.pawn[1]) + 1)
            if int(self.pawn[1]) < 4 and ahead not in (self.king, self.lone):
                yield "P" + ahead
        else:
            for to in self.near(self.lone):
                if to not in self.near(self.king):
                    yield "k" + to

    def result(self, move):
        piece, to = move[0], move[1:]
        if piece == "K":
            return self._replace(king=to, turn=1)
        if piece == "P":
            return self._replace(pawn=to, turn=1)
        return self._replace(lone=to, turn=0)

    def terminal(self):
        return self.pawn.endswith("4") or self.pawn == self.lone or not any(True for _ in self.actions())

    def utility(self):
        if self.pawn == self.lone:
            return -1
        return 1 if self.pawn[1] == "4" else 0

    def evaluate(self):
        return 0
