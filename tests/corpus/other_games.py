"""Whole games by other hands."""
import copy
from collections import namedtuple
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from itertools import pairwise, product, zip_longest
from typing import NamedTuple, Self

# ---------------------------------------------------------------- someone who comes from Java


@dataclass(frozen=True, kw_only=True)
class JavaTicTacToe:
    cells: tuple[str, ...] = tuple(" " for _ in range(9))
    current_player: str = "X"

    def get_cell(self, row: int, col: int) -> str:
        return self.cells[row * 3 + col]

    def with_cell(self, row: int, col: int, value: str) -> tuple[str, ...]:
        copied = list(self.cells)
        copied[row * 3 + col] = value
        return tuple(copied)

    def is_line(self, a: tuple[int, int], b: tuple[int, int], c: tuple[int, int]) -> bool:
        first = self.get_cell(a[0], a[1])
        return first != " " and first == self.get_cell(b[0], b[1]) and first == self.get_cell(c[0], c[1])

    def has_winner(self) -> bool:
        for i in range(0, 3):
            if self.is_line((i, 0), (i, 1), (i, 2)):
                return True
            if self.is_line((0, i), (1, i), (2, i)):
                return True
        return self.is_line((0, 0), (1, 1), (2, 2)) or self.is_line((0, 2), (1, 1), (2, 0))

    def is_full(self) -> bool:
        return self.cells.count(" ") == 0

    def player(self) -> int:
        return 0 if self.current_player == "X" else 1

    def actions(self) -> list[tuple[int, int]]:
        result: list[tuple[int, int]] = []
        for row in range(3):
            for col in range(3):
                if self.get_cell(row, col) == " ":
                    result.append((row, col))
        return result

    def result(self, action: tuple[int, int]) -> Self:
        row, col = action
        next_player = "O" if self.current_player == "X" else "X"
        return JavaTicTacToe(cells=self.with_cell(row, col, self.current_player), current_player=next_player)

    def terminal(self) -> bool:
        return self.has_winner() or self.is_full()

    def utility(self) -> int:
        if not self.has_winner():
            return 0
        return -1 if self.current_player == "X" else 1


# ---------------------------------------------------------------- someone who comes from C

N = 5
EMPTY, WHITE, BLACK = range(3)


class Clobber(NamedTuple):
    """Take a neighbour of the other colour; whoever cannot has lost. A row of six."""

    b: tuple = (WHITE, BLACK) * 3
    t: int = WHITE

    def player(self):
        return self.t - 1

    def actions(self):
        m = [0] * 12
        n = 0
        i = 0
        while i < 6:
            if self.b[i] == self.t:
                if i > 0 and self.b[i - 1] == 3 - self.t:
                    m[n] = i * 6 + i - 1
                    n += 1
                if i < 5 and self.b[i + 1] == 3 - self.t:
                    m[n] = i * 6 + i + 1
                    n += 1
            i += 1
        return m[:n]

    def result(self, a):
        f, t = a // 6, a % 6
        nb = [0, 0, 0, 0, 0, 0]
        for i in range(6):
            nb[i] = self.b[i]
        nb[t] = nb[f]
        nb[f] = EMPTY
        return Clobber(tuple(nb), WHITE + BLACK - self.t)

    def terminal(self):
        return len(self.actions()) == 0

    def utility(self):
        return 1 if self.t == BLACK else -1


# ---------------------------------------------------------------- someone who likes functions


def other(p):
    return {"L": "R", "R": "L"}[p]


def place(board, at, piece):
    return tuple(piece if i == at else x for i, x in enumerate(board))


def triples(board):
    return zip(board, board[1:], board[2:])


class Treblecross(NamedTuple):
    """Tic-tac-toe in one row: whoever makes three crosses wins."""

    board: tuple = tuple("." * 7)
    who: str = "L"

    player = lambda self: "LR".index(self.who)
    actions = lambda self: [i for i, x in enumerate(self.board) if x == "."]
    result = lambda self, i: Treblecross(place(self.board, i, "x"), other(self.who))
    terminal = lambda self: any(t == ("x", "x", "x") for t in triples(self.board))
    utility = lambda self: -1 if self.who == "L" else 1


# ---------------------------------------------------------------- namedtuple instead of NamedTuple

_Board = namedtuple("_Board", "pits store_a store_b turn", defaults=((2, 2, 2, 2), 0, 0, 0))


class TinyMancala(_Board):
    """Two pits each; a last seed in one's store moves again."""

    __slots__ = ()
    points = True

    def player(self):
        return self.turn

    def actions(self):
        mine = (0, 1) if self.turn == 0 else (2, 3)
        return [p for p in mine if self.pits[p]]

    def result(self, p):
        ring = [self.pits[0], self.pits[1], self.store_a, self.pits[2], self.pits[3], self.store_b]
        where = {0: 0, 1: 1, 2: 3, 3: 4}[p]
        seeds = ring[where]
        ring[where] = 0
        while seeds:
            where = (where + 1) % 6
            ring[where] += 1
            seeds -= 1
        again = where == (2 if self.turn == 0 else 5)
        return TinyMancala((ring[0], ring[1], ring[3], ring[4]), ring[2], ring[5], self.turn if again else 1 - self.turn)

    def terminal(self):
        return not self.actions() or self.store_a + self.store_b >= 6

    def utility(self):
        return self.store_a - self.store_b


# ---------------------------------------------------------------- deutsch


class Muehle(NamedTuple):
    """Eine winzige Mühle: drei Steine, wer drei in einer Reihe hat, gewinnt. Höchstens 20 Züge."""

    brett: tuple = ("leer",) * 9
    am_zug: str = "weiß"
    zug: int = 0

    REIHEN = [(0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8)]
    NACHBARN = {0: [1, 3], 1: [0, 2, 4], 2: [1, 5], 3: [0, 4, 6], 4: [1, 3, 5, 7], 5: [2, 4, 8], 6: [3, 7], 7: [4, 6, 8], 8: [5, 7]}

    def player(self):
        return 0 if self.am_zug == "weiß" else 1

    def gegner(self):
        return "schwarz" if self.am_zug == "weiß" else "weiß"

    def actions(self):
        if self.zug < 6:
            return [("setze", feld, feld) for feld in range(9) if self.brett[feld] == "leer"]
        züge = []
        for von in range(9):
            if self.brett[von] == self.am_zug:
                for nach in self.NACHBARN[von]:
                    if self.brett[nach] == "leer":
                        züge.append(("ziehe", von, nach))
        return züge

    def result(self, aktion):
        art, von, nach = aktion
        brett = list(self.brett)
        if art == "ziehe":
            brett[von] = "leer"
        brett[nach] = self.am_zug
        return Muehle(tuple(brett), self.gegner(), self.zug + 1)

    def gewonnen(self, farbe):
        return any(all(self.brett[f] == farbe for f in reihe) for reihe in self.REIHEN)

    def terminal(self):
        return self.gewonnen("weiß") or self.gewonnen("schwarz") or self.zug >= 20 or not self.actions()

    def utility(self):
        if self.gewonnen("weiß"):
            return 1
        if self.gewonnen("schwarz"):
            return -1
        return 0


# ---------------------------------------------------------------- competitive programming


class BitNim(NamedTuple):
    h: int = 0o543
    t: int = 0

    def player(self): return self.t
    def actions(self): return [i << 3 | k for i in range(3) for k in range(1, (self.h >> 3 * i & 7) + 1)]
    def result(self, a): return BitNim(self.h - ((a & 7) << 3 * (a >> 3)), self.t ^ 1)
    def terminal(self): return not self.h
    def utility(self): return 2 * self.t - 1
    def evaluate(self):
        x = 0
        for i in range(3): x ^= self.h >> 3 * i & 7
        return (1 if x else -1) * (1 - 2 * self.t)


class Popcount(NamedTuple):
    """Clear a run of set bits; bin(x).count and format."""

    x: int = 0b1101101
    t: int = 0

    def player(self):
        return self.t

    def actions(self):
        bits = format(self.x, "07b")
        return [i for i, c in enumerate(bits) if c == "1"]

    def result(self, i):
        y = self.x & ~(1 << (6 - i))
        if i < 6 and y >> (5 - i) & 1:
            y ^= 1 << (5 - i)
        return Popcount(y, 1 - self.t)

    def terminal(self):
        return bin(self.x).count("1") == 0

    def utility(self):
        return 1 if self.t else -1


# ---------------------------------------------------------------- a careful teacher


class Teeko(NamedTuple):
    """Teeko on 3x3 with two men each.

    A man is placed until each has two, then moved to any free neighbour.
    Whoever has two men side by side in a row or column and an even sum of squares wins.
    """

    #: the squares of both players, each sorted
    squares: tuple[tuple[int, ...], tuple[int, ...]] = ((), ())
    #: the number of plies so far
    ply: int = 0

    def player(self) -> int:
        """Whose move it is."""
        return self.ply % 2

    def free(self) -> set[int]:
        """The squares where no man stands."""
        mine, yours = self.squares
        return set(range(9)) - set(mine) - set(yours)

    def actions(self):
        """Pairs (from, to); from is -1 while men are placed."""
        mine = self.squares[self.player()]
        if len(mine) < 2:
            return [(-1, to) for to in sorted(self.free())]
        return [
            (man, to)
            for man in mine
            for to in sorted(self.free())
            if max(abs(man // 3 - to // 3), abs(man % 3 - to % 3)) == 1
        ]

    def result(self, action):
        """The state after a man was placed or moved."""
        start, to = action
        mine = tuple(sorted([m for m in self.squares[self.player()] if m != start] + [to]))
        if self.player() == 0:
            squares = (mine, self.squares[1])
        else:
            squares = (self.squares[0], mine)
        return Teeko(squares, self.ply + 1)

    def has_won(self, who: int) -> bool:
        """Whether a player's men stand side by side, with an even sum."""
        men = self.squares[who]
        if len(men) < 2:
            return False
        a, b = men
        beside = abs(a // 3 - b // 3) + abs(a % 3 - b % 3) == 1
        return beside and (a + b) % 2 == 1 and a + b > 8

    def terminal(self) -> bool:
        return self.has_won(0) or self.has_won(1) or self.ply >= 16 or not self.actions()

    def utility(self) -> int:
        return int(self.has_won(0)) - int(self.has_won(1))


# ---------------------------------------------------------------- pairwise, zip_longest


class Nonogram(NamedTuple):
    """Both write into a row; MAX wants many changes of colour."""

    row: str = ""

    points = True

    def player(self):
        return len(self.row) % 2

    def actions(self):
        return ["#", "."] if len(self.row) % 3 else ["#", ".", "?"]

    def result(self, mark):
        return Nonogram(self.row + mark)

    def terminal(self):
        return len(self.row) == 6

    def utility(self):
        changes = sum(a != b for a, b in pairwise(self.row))
        ends = [a == b for a, b in zip_longest(self.row[:3], self.row[:2:-1], fillvalue="")]
        return changes - 2 * sum(ends)


# ---------------------------------------------------------------- copy


class Konane(NamedTuple):
    """Jumps over the other's stones on 3x4."""

    grid: tuple = (("b", "w", "b", "w"), ("w", ".", "w", "b"), ("b", "w", "b", "w"))
    colour: str = "b"

    def player(self):
        return 0 if self.colour == "b" else 1

    def actions(self):
        enemy = "w" if self.colour == "b" else "b"
        found = []
        for r, c in product(range(3), range(4)):
            if self.grid[r][c] != self.colour:
                continue
            for dr, dc in (0, 1), (0, -1), (1, 0), (-1, 0):
                if 0 <= r + 2 * dr < 3 and 0 <= c + 2 * dc < 4:
                    if self.grid[r + dr][c + dc] == enemy and self.grid[r + 2 * dr][c + 2 * dc] == ".":
                        found.append(((r, c), (r + 2 * dr, c + 2 * dc)))
        return found

    def result(self, jump):
        (r, c), (r2, c2) = jump
        grid = [list(row) for row in copy.copy(self.grid)]
        grid[r2][c2] = grid[r][c]
        grid[r][c] = "."
        grid[(r + r2) // 2][(c + c2) // 2] = "."
        return Konane(tuple(tuple(row) for row in grid), "w" if self.colour == "b" else "b")

    def terminal(self):
        return not self.actions()

    def utility(self):
        return -1 if self.colour == "b" else 1


# ---------------------------------------------------------------- cached_property


@dataclass(frozen=True)
class Lines:
    """Three in a line of five, with a cached property for the winner."""

    marks: str = "....."
    mover: str = "a"

    @cached_property
    def winner(self):
        for start in range(3):
            three = self.marks[start:start + 3]
            if three in ("aaa", "bbb"):
                return three[0]
        return ""

    def player(self):
        return 0 if self.mover == "a" else 1

    def actions(self):
        return [] if self.winner else [i for i in range(5) if self.marks[i] == "."]

    def result(self, i):
        return Lines(self.marks[:i] + self.mover + self.marks[i + 1:], "b" if self.mover == "a" else "a")

    def terminal(self):
        return bool(self.winner) or "." not in self.marks

    def utility(self):
        return 1 if self.winner == "a" else -1 if self.winner == "b" else 0


# ---------------------------------------------------------------- enum with behaviour


class Colour(Enum):
    BLACK = "b"
    WHITE = "w"

    def __invert__(self):
        return Colour.WHITE if self is Colour.BLACK else Colour.BLACK

    @property
    def number(self):
        return [Colour.BLACK, Colour.WHITE].index(self)


class Gonnect(NamedTuple):
    """Join left and right on 3x2 before the other does."""

    stones: tuple[Colour | None, ...] = (None,) * 6
    to_move: Colour = Colour.BLACK

    def player(self):
        return self.to_move.number

    def actions(self):
        return [i for i, s in enumerate(self.stones) if s is None]

    def result(self, i):
        stones = self.stones[:i] + (self.to_move,) + self.stones[i + 1:]
        return Gonnect(stones, ~self.to_move)

    def joins(self, colour):
        reached = {i for i in (0, 3) if self.stones[i] is colour}
        for _ in range(6):
            reached |= {
                j
                for i in reached
                for j in (i - 3, i + 3, i - 1 if i % 3 else -1, i + 1 if i % 3 < 2 else -1)
                if 0 <= j < 6 and self.stones[j] is colour
            }
        return any(i % 3 == 2 for i in reached)

    def terminal(self):
        return self.joins(Colour.BLACK) or self.joins(Colour.WHITE) or None not in self.stones

    def utility(self):
        if self.joins(Colour.BLACK):
            return 1
        return -1 if self.joins(Colour.WHITE) else 0


# ---------------------------------------------------------------- a tournament of elimination


class Ko(NamedTuple):
    """Teams by (name, strength); a player picks a pair, the weaker goes out."""

    teams: tuple[tuple[str, int], ...] = (("ants", 3), ("bees", 5), ("cats", 4), ("dogs", 4))
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        names = [name for name, _ in self.teams]
        return [(a, b) for i, a in enumerate(names) for b in names[i + 1:]]

    def result(self, pair):
        strength = dict(self.teams)
        a, b = pair
        loser = a if strength[a] < strength[b] else b
        return Ko(tuple((n, s - (n in pair)) for n, s in self.teams if n != loser), 1 - self.mover)

    def terminal(self):
        return len(self.teams) == 1

    def utility(self):
        (name, strength), = self.teams
        return strength if name in ("ants", "cats") else -strength


class Slide(NamedTuple):
    """Shift a row or a column of a 2x3 grid; four plies."""

    g: tuple = ((1, 2, 3), (4, 5, 6))
    left: int = 4

    points = True

    def player(self):
        return self.left % 2

    def actions(self):
        return [("row", 0), ("row", 1), ("col", 0), ("col", 1), ("col", 2)]

    def result(self, move):
        kind, i = move
        g = [list(r) for r in self.g]
        if kind == "row":
            g[i] = g[i][-1:] + g[i][:-1]
        else:
            column = [r[i] for r in g]
            column = column[1:] + column[:1]
            for r, v in zip(g, column):
                r[i] = v
        return Slide(tuple(map(tuple, g)), self.left - 1)

    def terminal(self):
        return self.left == 0

    def utility(self):
        return self.g[0][0] * 2 - self.g[1][2]
