"""Games as they come with lectures: from slides, tutorials and assistants, in as many ways of writing."""

from __future__ import annotations

import copy
import functools
import itertools
import math
import operator
from collections import Counter, defaultdict, deque, namedtuple
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, IntEnum, auto
from functools import cache, partial, reduce
from typing import Callable, ClassVar, NamedTuple, Optional


class Player(IntEnum):
    MAX = 0
    MIN = 1

    def opponent(self) -> Player:
        return Player.MIN if self is Player.MAX else Player.MAX


@dataclass(frozen=True, slots=True)
class MancalaState:
    """Kalah with three pits, in the style that assistants write."""

    pits: tuple[int, ...] = (2, 2, 2, 0, 2, 2, 2, 0)
    current: Player = Player.MAX

    PITS_PER_SIDE: ClassVar[int] = 3

    points: ClassVar[bool] = True

    def player(self) -> int:
        return int(self.current)

    def _own_range(self) -> range:
        start = 0 if self.current is Player.MAX else 4
        return range(start, start + self.PITS_PER_SIDE)

    def _store(self) -> int:
        return 3 if self.current is Player.MAX else 7

    def actions(self) -> list[int]:
        """All pits of the player to move that are not empty."""
        return [pit for pit in self._own_range() if self.pits[pit] > 0]

    def result(self, pit: int) -> MancalaState:
        pits = list(self.pits)
        stones, pits[pit] = pits[pit], 0
        skipped = 7 if self.current is Player.MAX else 3
        position = pit
        while stones > 0:
            position = (position + 1) % len(pits)
            if position == skipped:
                continue
            pits[position] += 1
            stones -= 1
        # Capture
        if position in self._own_range() and pits[position] == 1:
            opposite = 6 - position
            if pits[opposite] > 0:
                pits[self._store()] += pits[opposite] + 1
                pits[opposite] = pits[position] = 0
        next_player = self.current if position == self._store() else self.current.opponent()
        return MancalaState(tuple(pits), next_player)

    def terminal(self) -> bool:
        return not self.actions()

    def utility(self) -> int:
        return sum(self.pits[:4]) - sum(self.pits[4:])

    def evaluate(self) -> int:
        mobility = sum(1 for pit in self._own_range() if self.pits[pit])
        sign = 1 if self.current is Player.MAX else -1
        return 10 * (self.pits[3] - self.pits[7]) + sign * mobility


class Dots(NamedTuple):
    """Dots and boxes, golfed: an int of twelve bits for the lines."""

    lines: int = 0
    boxes: tuple = (0, 0)
    who: int = 0

    B = [(1 << i | 1 << i + 2 | 1 << 6 + j | 1 << 7 + j) for i, j in ((0, 0), (1, 3), (2, 1), (3, 4))]
    points = True
    player = lambda s: s.who
    actions = lambda s: [i for i in range(12) if not s.lines >> i & 1]
    terminal = lambda s: s.lines == 4095
    utility = lambda s: s.boxes[0] - s.boxes[1]

    def result(s, i):
        n = s.lines | 1 << i
        k = sum(b & n == b != b & s.lines for b in s.B)
        return Dots(n, tuple(x + k * (p == s.who) for p, x in enumerate(s.boxes)), s.who ^ (not k))


class Domineer(NamedTuple):
    """Domineering by a golfer: one int, masks, walrus."""

    b: int = 0
    t: int = 0

    def player(s):
        return s.t

    def actions(s):
        return [m for i in range(16) if (m := s.mask(i)) and not m & s.b]

    def mask(s, i):
        return (0 if i > 11 else 17 << i) if s.t < 1 else 0 if i % 4 > 2 else 3 << i

    def result(s, m):
        return Domineer(s.b | m, 1 - s.t)

    def terminal(s):
        return not s.actions()

    def utility(s):
        return 2 * s.t - 1


class IBoard:
    """What a Java programmer takes for an interface."""

    def getWidth(self) -> int:
        raise NotImplementedError

    def isFree(self, x: int, y: int) -> bool:
        raise NotImplementedError


class GomokuFields(NamedTuple):
    stones: tuple = tuple([tuple([0] * 4)] * 4)
    moveCount: int = 0
    lastX: int = -1
    lastY: int = -1


class Gomoku(GomokuFields, IBoard):
    """Three in a row on four by four, as a Java programmer writes it."""

    WIDTH = 4
    TO_WIN = 3

    def getWidth(self) -> int:
        return Gomoku.WIDTH

    def getStone(self, x: int, y: int) -> int:
        if x < 0 or x >= self.getWidth():
            return -1
        if y < 0 or y >= self.getWidth():
            return -1
        return self.stones[y][x]

    def isFree(self, x: int, y: int) -> bool:
        return self.getStone(x, y) == 0

    def getCurrentPlayer(self) -> int:
        return self.moveCount % 2

    def player(self):
        return self.getCurrentPlayer()

    def actions(self):
        legalMoves = list()
        for y in range(0, self.getWidth(), 1):
            for x in range(0, self.getWidth(), 1):
                if self.isFree(x, y) == True:
                    legalMoves.append((x, y))
        return legalMoves

    def result(self, move):
        x = move[0]
        y = move[1]
        newStones = []
        for i in range(self.getWidth()):
            newRow = []
            for j in range(self.getWidth()):
                if i == y and j == x:
                    newRow.append(self.getCurrentPlayer() + 1)
                else:
                    newRow.append(self.stones[i][j])
            newStones.append(tuple(newRow))
        return Gomoku(tuple(newStones), self.moveCount + 1, x, y)

    def countInDirection(self, dx: int, dy: int) -> int:
        stone = self.getStone(self.lastX, self.lastY)
        count = 0
        x = self.lastX + dx
        y = self.lastY + dy
        while self.getStone(x, y) == stone:
            count = count + 1
            x = x + dx
            y = y + dy
        return count

    def hasWon(self) -> bool:
        if self.moveCount == 0:
            return False
        for direction in [[1, 0], [0, 1], [1, 1], [1, -1]]:
            dx, dy = direction[0], direction[1]
            total = 1 + self.countInDirection(dx, dy) + self.countInDirection(-dx, -dy)
            if total >= Gomoku.TO_WIN:
                return True
        return False

    def terminal(self) -> bool:
        return self.hasWon() or self.moveCount == 16

    def utility(self) -> int:
        result = 0
        if self.hasWon():
            if self.getCurrentPlayer() == 1:
                result = 1
            else:
                result = -1
        return result


compose = lambda *fs: reduce(lambda f, g: lambda x: f(g(x)), fs)
flip = lambda t: t[::-1]


class Nimble(NamedTuple):
    """Coins move to the left; functional style with reduce, map and filter."""

    coins: tuple = (1, 3, 4)
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return list(
            map(
                lambda pair: pair[0] * 10 + pair[1],
                filter(
                    lambda pair: pair[1] < self.coins[pair[0]],
                    itertools.product(range(len(self.coins)), range(5)),
                ),
            )
        )

    def result(self, move):
        i, square = divmod(move, 10)
        return Nimble(
            tuple(map(lambda p: square if p[0] == i else p[1], enumerate(self.coins))), (self.turn + 1) % 2
        )

    def terminal(self):
        return reduce(operator.add, self.coins, 0) == 0

    def utility(self):
        return -1 if self.turn == 0 else 1

    def evaluate(self):
        nim = reduce(operator.xor, self.coins)
        best = max(map(partial(operator.mul, 2), self.coins), default=0)
        return (bool(nim) * 2 - 1) * (1 - 2 * self.turn) * 100 + best


class Minefield(NamedTuple):
    """A teacher's notebook: helper functions inside helper functions, everything explained."""

    board: tuple = (0, 1, 0, 0, 2, 0, 1, 0, 0)
    taken: tuple = (False,) * 9
    scores: tuple = (0, 0)
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        # All squares that nobody has taken yet.
        return [i for i, gone in enumerate(self.taken) if not gone]

    def result(self, square):
        # 1. the neighbours of a square
        def neighbours(i):
            r, c = divmod(i, 3)
            result = []
            if r > 0: result.append(i - 3)
            if r < 2: result.append(i + 3)
            if c > 0: result.append(i - 1)
            if c < 2: result.append(i + 1)
            return result

        # 2. flood fill over zeros
        taken = list(self.taken)

        def fill(i):
            nonlocal gained
            if taken[i]:
                return
            taken[i] = True
            gained += self.board[i]
            if self.board[i] == 0:
                for n in neighbours(i):
                    if self.board[n] == 0:
                        fill(n)

        gained = 0
        fill(square)
        # 3. the new state
        scores = list(self.scores)
        scores[self.turn] += gained
        return Minefield(self.board, tuple(taken), tuple(scores), 1 - self.turn)

    def terminal(self):
        return all(self.taken)

    def utility(self):
        return self.scores[0] - self.scores[1]


GameState = namedtuple("GameState", "to_move, utility, board, moves")


START = GameState("X", 0, (), tuple((x, 1) for x in range(1, 4)))


class AimaConnect(namedtuple("AimaConnect", ["state"], defaults=[START])):
    """A k-in-a-row game in AIMA's style: a GameState inside, and a dict of moves rebuilt each time."""

    h, v, k = 3, 4, 3

    def player(self):
        return 0 if self.state.to_move == "X" else 1

    def actions(self):
        return list(self.state.moves)

    def result(self, move):
        board = dict(self.state.board)
        board[move] = self.state.to_move
        x, y = move
        moves = [m for m in self.state.moves if m != move]
        if y < self.v:
            moves.append((x, y + 1))
        return AimaConnect(
            GameState(
                to_move=("O" if self.state.to_move == "X" else "X"),
                utility=self.compute_utility(board, move, self.state.to_move),
                board=tuple(sorted(board.items())),
                moves=tuple(sorted(moves)),
            )
        )

    def compute_utility(self, board, move, player):
        """If 'X' wins with this move, return 1; if 'O' wins return -1; else return 0."""
        if (self.k_in_row(board, move, player, (0, 1)) or self.k_in_row(board, move, player, (1, 0)) or
                self.k_in_row(board, move, player, (1, -1)) or self.k_in_row(board, move, player, (1, 1))):
            return +1 if player == "X" else -1
        else:
            return 0

    def k_in_row(self, board, move, player, delta_x_y):
        """Return true if there is a line through move on board for player."""
        (delta_x, delta_y) = delta_x_y
        x, y = move
        n = 0  # n is number of moves in row
        while board.get((x, y)) == player:
            n += 1
            x, y = x + delta_x, y + delta_y
        x, y = move
        while board.get((x, y)) == player:
            n += 1
            x, y = x - delta_x, y - delta_y
        n -= 1  # Because we counted move itself twice
        return n >= self.k

    def terminal(self):
        return self.state.utility != 0 or len(self.state.moves) == 0

    def utility(self):
        return self.state.utility


class Hanoi3(NamedTuple):
    """Race of Hanoi: each moves a disc of a common tower; strings as stacks."""

    pegs: tuple[str, str, str] = ("321", "", "")
    ply: int = 0

    def player(self):
        return self.ply & 1

    def actions(self):
        moves = []
        for (i, a), (j, b) in itertools.permutations(enumerate(self.pegs), 2):
            if a and (not b or a[-1] < b[-1]):
                moves.append((i, j))
        return moves

    def result(self, move):
        i, j = move
        *rest, disc = self.pegs[i]
        pegs = [*self.pegs]
        pegs[i] = "".join(rest)
        pegs[j] += disc
        return Hanoi3(tuple(pegs), self.ply + 1)

    def terminal(self):
        return self.pegs[2] == "321" or self.ply > 25

    def utility(self):
        if self.pegs[2] != "321":
            return 0
        return 1 if self.ply % 2 else -1


class Colour(Enum):
    RED = "r"
    BLUE = "b"
    NONE = "."

    def __str__(self):
        return self.value

    @property
    def other(self):
        match self:
            case Colour.RED:
                return Colour.BLUE
            case Colour.BLUE:
                return Colour.RED
        raise ValueError("no other colour")


@dataclass(frozen=True)
class Snort:
    """Colouring a map so that no two colours touch; dataclass, enum and a module-level map."""

    colours: tuple[Colour, ...] = (Colour.NONE,) * 7
    to_move: Colour = Colour.RED

    MAP = {0: [1, 2], 1: [0, 2, 3], 2: [0, 1, 4], 3: [1, 4, 5], 4: [2, 3, 6], 5: [3, 6], 6: [4, 5]}

    def player(self):
        return 0 if self.to_move == Colour.RED else 1

    def actions(self):
        return [
            region
            for region, near in self.MAP.items()
            if self.colours[region] is Colour.NONE
            and not any(self.colours[other] == self.to_move.other for other in near)
        ]

    def result(self, region):
        colours = list(self.colours)
        colours[region] = self.to_move
        return Snort(tuple(colours), self.to_move.other)

    def terminal(self):
        return self.actions() == []

    def utility(self):
        return -1 if self.to_move is Colour.RED else 1

    def __str__(self):
        return f"{''.join(map(str, self.colours))} {self.to_move.name.lower():>5}"


class Sliding(NamedTuple):
    """A puzzle of one player, with Manhattan distances."""

    tiles: tuple = (1, 2, 3, 4, 0, 5)
    steps: int = 0

    players = 1

    def player(self):
        return 0

    def actions(self):
        z = self.tiles.index(0)
        r, c = z // 3, z % 3
        options = {"up": r > 0, "down": r < 1, "left": c > 0, "right": c < 2}
        return [name for name, possible in options.items() if possible]

    def result(self, a):
        delta = {"up": -3, "down": 3, "left": -1, "right": 1}
        z = self.tiles.index(0)
        n = z + delta[a]
        t = list(self.tiles)
        t[z], t[n] = t[n], t[z]
        return Sliding(tuple(t), self.steps + 1)

    def distance(self):
        goal = {tile: divmod(i, 3) for i, tile in enumerate((1, 2, 3, 4, 5, 0))}
        total = 0
        for i, tile in enumerate(self.tiles):
            if tile != 0:
                (r, c), (gr, gc) = divmod(i, 3), goal[tile]
                total += abs(r - gr) + abs(c - gc)
        return total

    def terminal(self):
        return self.distance() == 0 or self.steps >= 15

    def utility(self):
        return -self.steps if self.distance() == 0 else -100

    def evaluate(self):
        return -self.distance()


class Wari(NamedTuple):
    """Oware with a nested function that sows."""

    houses: tuple = (2,) * 8
    stores: tuple = (0, 0)
    turn: int = 0
    quiet: int = 0

    points = True

    def player(self):
        return self.turn

    def mine(self):
        return range(4 * self.turn, 4 * self.turn + 4)

    def actions(self):
        return [h for h in self.mine() if self.houses[h]]

    def result(self, house):
        h = list(self.houses)

        def after(at):
            at = (at + 1) % 8
            return after(at) if at == house else at

        seeds, h[house] = h[house], 0
        last = house
        for _ in range(seeds):
            last = after(last)
            h[last] += 1
        won = 0
        while last not in self.mine() and h[last] in (2, 3):
            won += h[last]
            h[last] = 0
            last = (last - 1) % 8
        stores = tuple(s + won * (i == self.turn) for i, s in enumerate(self.stores))
        return Wari(tuple(h), stores, 1 - self.turn, 0 if won else self.quiet + 1)

    def terminal(self):
        return self.quiet >= 20 or not self.actions()

    def utility(self):
        return self.stores[0] - self.stores[1]


class Konane5(NamedTuple):
    """Konane on rows of texts, with recursion for the jumps."""

    rows: tuple = ("xoxo", "oxox", "xoxo", "oxox")
    ply: int = 0

    def player(self):
        return self.ply % 2

    def cell(self, r, c):
        if r in range(4) and c in range(4):
            return self.rows[r][c]
        return "#"

    def jumps(self, r, c, dr, dc):
        """Landing squares in one direction, near ones first."""
        me, you = "xo"[self.ply % 2], "ox"[self.ply % 2]
        if self.cell(r + dr, c + dc) == you and self.cell(r + 2 * dr, c + 2 * dc) == ".":
            return [(r + 2 * dr, c + 2 * dc)] + self.jumps(r + 2 * dr, c + 2 * dc, dr, dc)
        return []

    def actions(self):
        if self.ply == 0:
            return [(r, r, r, r) for r in range(4)]
        if self.ply == 1:
            ((r, c),) = [(r, c) for r in range(4) for c in range(4) if self.rows[r][c] == "."]
            near = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
            return [(a, b, a, b) for a, b in near if self.cell(a, b) != "#"]
        me = "xo"[self.ply % 2]
        return [
            (r, c, *end)
            for r, row in enumerate(self.rows)
            for c, stone in enumerate(row)
            if stone == me
            for step in ((0, 1), (1, 0), (0, -1), (-1, 0))
            for end in self.jumps(r, c, *step)
        ]

    def result(self, move):
        r1, c1, r2, c2 = move
        grid = [list(row) for row in self.rows]
        stone, grid[r1][c1] = grid[r1][c1], "."
        if (r1, c1) != (r2, c2):
            dr, dc = (r2 > r1) - (r2 < r1), (c2 > c1) - (c2 < c1)
            r, c = r1, c1
            while (r, c) != (r2, c2):
                grid[r][c] = "."
                r, c = r + dr, c + dc
            grid[r2][c2] = stone
        return Konane5(tuple("".join(row) for row in grid), self.ply + 1)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.ply % 2 else -1


@dataclass(frozen=True)
class Farkle:
    """Dice with chance: throw or bank; Counter for the values."""

    scores: tuple[int, int] = (0, 0)
    pot: int = 0
    dice: int = 2
    rolling: bool = False
    turn: int = 0
    throws: int = 0

    def player(self):
        return -1 if self.rolling else self.turn

    def actions(self):
        if self.rolling:
            return [tuple(d) for d in itertools.combinations_with_replacement(range(1, 4), self.dice)]
        return ["throw", "bank"] if self.pot else ["throw"]

    def probability(self, dice):
        ways = math.factorial(len(dice))
        for n in Counter(dice).values():
            ways //= math.factorial(n)
        return ways / 3 ** len(dice)

    @staticmethod
    def worth(dice):
        counts = Counter(dice)
        total = 0
        for face, n in sorted(counts.items()):
            if n >= 2:
                total += face * 2
            elif face == 1:
                total += 1
        return total

    def result(self, a):
        if a == "throw":
            return self.with_(rolling=True, throws=self.throws + 1)
        if a == "bank":
            scores = list(self.scores)
            scores[self.turn] += self.pot
            return Farkle(tuple(scores), turn=1 - self.turn, throws=self.throws)
        gained = self.worth(a)
        if gained == 0:
            return Farkle(self.scores, turn=1 - self.turn, throws=self.throws)
        return self.with_(rolling=False, pot=self.pot + gained)

    def with_(self, rolling, pot=None, throws=None):
        return Farkle(
            self.scores, self.pot if pot is None else pot, self.dice, rolling, self.turn,
            self.throws if throws is None else throws,
        )

    def terminal(self):
        return not self.rolling and (max(self.scores) >= 8 or self.throws >= 20)

    def utility(self):
        a, b = self.scores
        return 1 if a > b else (-1 if b > a else 0)


class Cops(NamedTuple):
    """A cop chases a robber on a graph; breadth-first search for the distance."""

    cop: int = 0
    robber: int = 5
    ply: int = 0

    NEIGHBOURS = [[1, 2], [0, 3], [0, 3, 4], [1, 2, 5], [2, 5, 6], [3, 4], [4]]

    def player(self):
        return self.ply % 2

    def actions(self):
        here = self.cop if self.ply % 2 == 0 else self.robber
        return [here] + self.NEIGHBOURS[here]

    def result(self, node):
        if self.ply % 2 == 0:
            return Cops(node, self.robber, self.ply + 1)
        return Cops(self.cop, node, self.ply + 1)

    def terminal(self):
        return self.cop == self.robber or self.ply >= 24

    def utility(self):
        return 1 if self.cop == self.robber else -1

    def bfs(self, source):
        dist = {source: 0}
        queue = deque([source])
        while queue:
            node = queue.popleft()
            for n in self.NEIGHBOURS[node]:
                if n not in dist:
                    dist[n] = dist[node] + 1
                    queue.append(n)
        return dist

    def evaluate(self):
        return -self.bfs(self.cop)[self.robber]


class Minimaxed(NamedTuple):
    """A rule that itself looks ahead: minimax with two functions that call each other."""

    heap: int = 9
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [n for n in (1, 2, 3) if n <= self.heap]

    def result(self, n):
        return Minimaxed(self.heap - n, 1 - self.turn)

    def terminal(self):
        return self.heap == 0

    def utility(self):
        return 1 if self.turn else -1

    def evaluate(self):
        def max_value(heap, depth):
            if heap == 0:
                return -1
            if depth == 0:
                return 0
            v = -2
            for n in range(1, min(3, heap) + 1):
                v = max(v, min_value(heap - n, depth - 1))
            return v

        def min_value(heap, depth):
            if heap == 0:
                return 1
            if depth == 0:
                return 0
            v = 2
            for n in range(1, min(3, heap) + 1):
                v = min(v, max_value(heap - n, depth - 1))
            return v

        return max_value(self.heap, 4) if self.turn == 0 else min_value(self.heap, 4)


class Picker(NamedTuple):
    """Cards from either end; the best that can be had, by dynamic programming over a table."""

    cards: tuple = (3, 9, 1, 2, 7, 5)
    gained: tuple = (0, 0)
    turn: int = 0

    points = True

    def player(self):
        return self.turn

    def actions(self):
        return ["left"] if len(self.cards) == 1 else ["left", "right"]

    def result(self, side):
        if side == "left":
            card, *rest = self.cards
        else:
            *rest, card = self.cards
        gained = list(self.gained)
        gained[self.turn] += card
        return Picker(tuple(rest), tuple(gained), 1 - self.turn)

    def terminal(self):
        return len(self.cards) == 0

    def utility(self):
        return self.gained[0] - self.gained[1]

    def evaluate(self):
        n = len(self.cards)
        best = [[0] * (n + 1) for _ in range(n + 1)]
        for length in range(1, n + 1):
            for i in range(n - length + 1):
                j = i + length
                best[i][j] = max(self.cards[i] - best[i + 1][j], self.cards[j - 1] - best[i][j - 1])
        ahead = best[0][n]
        return self.utility() + (ahead if self.turn == 0 else -ahead)


class Pylos(NamedTuple):
    """Spheres on two by two with one on top; a dict of layers as a class constant."""

    base: tuple = (None, None, None, None)
    top: int | None = None
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        if None in self.base:
            return [i for i in range(4) if self.base[i] is None]
        return [4] if self.top is None else []

    def result(self, i):
        who = self.ply % 2
        if i == 4:
            return Pylos(self.base, who, self.ply + 1)
        return Pylos(self.base[:i] + (who,) + self.base[i + 1 :], self.top, self.ply + 1)

    def terminal(self):
        return self.top is not None

    def utility(self):
        diagonal = self.base[0] == self.base[3] == self.top
        return (1 if self.top == 0 else -1) * (2 if diagonal else 1)


class TurnBased:
    """A base class of an assistant: what all games of the course share."""

    def opponent(self):
        return 1 - self.player()

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.player() == 0 else 1


class PosetFields(NamedTuple):
    removed: frozenset = frozenset()
    turn: int = 0


class PosetGame(TurnBased, PosetFields):
    """Chomp on a partial order: what lies above an element goes with it; a closure by a growing set."""

    BELOW = {"b": "a", "c": "a", "d": "bc", "e": "c", "f": "de", "g": "e"}

    def player(self):
        return self.turn

    def above(self, element):
        found = {element}
        while True:
            more = {x for x, below in self.BELOW.items() if any(b in found for b in below)} | found
            if more == found:
                return found
            found = more

    def actions(self):
        return [x for x in "abcdefg" if x not in self.removed]

    def result(self, x):
        return PosetGame(self.removed | frozenset(self.above(x)), self.opponent())

    def action_text(self, action):
        return f"{action}"

    def as_line(self):
        return f"{''.join(x if x not in self.removed else '.' for x in 'abcdefg'):>10}"


class TimedPoset(PosetGame):
    """The same with a limit, by super()."""

    def actions(self):
        return super().actions()[:3]

    def result(self, x):
        after = super().result(x)
        return TimedPoset(after.removed, after.turn)

    def utility(self):
        return 2 * super().utility()


class Reactor(NamedTuple):
    """Chain reaction: cells that are full burst into their neighbours, with a queue of (cell, owner)."""

    counts: tuple = (0,) * 6
    owners: tuple = (-1,) * 6
    ply: int = 0

    ROWS, COLUMNS = 2, 3

    def player(self):
        return self.ply % 2

    def neighbours(self, i):
        r, c = divmod(i, self.COLUMNS)
        spots = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
        return [a * self.COLUMNS + b for a, b in spots if 0 <= a < self.ROWS and 0 <= b < self.COLUMNS]

    def actions(self):
        return [i for i, owner in enumerate(self.owners) if owner in (-1, self.ply % 2)]

    def result(self, i):
        who = self.ply % 2
        counts, owners = map(list, (self.counts, self.owners))
        waiting = deque([(i, 1)])
        bursts = 0
        while waiting and bursts < 40:
            at, extra = waiting.popleft()
            counts[at] += extra
            owners[at] = who
            near = self.neighbours(at)
            if counts[at] >= len(near):
                counts[at] -= len(near)
                if counts[at] == 0:
                    owners[at] = -1
                bursts += 1
                waiting.extend((n, 1) for n in near)
        return Reactor(tuple(counts), tuple(owners), self.ply + 1)

    def wiped(self, who):
        return self.ply >= 2 and who not in self.owners

    def terminal(self):
        return self.wiped(0) or self.wiped(1) or self.ply >= 30 or not self.actions()

    def utility(self):
        return self.wiped(1) - self.wiped(0)
