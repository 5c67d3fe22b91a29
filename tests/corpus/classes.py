"""Shapes of classes: dataclasses, properties, class methods, mixins, enums, typed fields, parameters."""

from __future__ import annotations

import dataclasses
import enum
from dataclasses import dataclass, field
from enum import Enum, Flag, IntEnum, auto
from typing import Any, Final, Literal, NamedTuple, Optional, Sequence, Union


@dataclass(frozen=True)
class DataRows:
    """A frozen dataclass with nested tuples and dataclasses.replace."""

    rows: tuple[tuple[int, ...], ...] = ((0, 0), (0, 0), (0, 0))
    turn: int = 1

    def player(self) -> int:
        return self.turn - 1

    def actions(self) -> list[tuple[int, int]]:
        return [(r, c) for r, row in enumerate(self.rows) for c, v in enumerate(row) if v == 0]

    def result(self, action: tuple[int, int]) -> DataRows:
        r, c = action
        rows = tuple(
            tuple(self.turn if (i, j) == (r, c) else v for j, v in enumerate(row)) for i, row in enumerate(self.rows)
        )
        return dataclasses.replace(self, rows=rows, turn=3 - self.turn)

    def terminal(self) -> bool:
        return all(v for row in self.rows for v in row)

    def utility(self) -> int:
        full = [row[0] for row in self.rows if row[0] == row[1]]
        return full.count(1) - full.count(2)


@dataclass(frozen=True, slots=True)
class Slotted:
    heap: int = 12
    mover: int = 0

    def player(self):
        return self.mover

    def actions(self):
        return [n for n in (1, 2, 3) if n <= self.heap]

    def result(self, n):
        return Slotted(self.heap - n, 1 - self.mover)

    def terminal(self):
        return self.heap == 0

    def utility(self):
        return 1 if self.mover == 1 else -1


@dataclass(frozen=True, order=True)
class PostInit:
    """Checks in __post_init__, a default_factory."""

    cards: tuple = field(default_factory=lambda: (2, 4, 6))
    score: int = 0
    who: int = 0

    points = True

    def __post_init__(self):
        if self.who not in (0, 1):
            raise ValueError("who must be 0 or 1")

    def player(self):
        return self.who

    def actions(self):
        return list(self.cards)

    def result(self, card):
        rest = tuple(c - 1 for c in self.cards if c != card)
        return PostInit(rest, self.score + (card if self.who == 0 else -card), 1 - self.who)

    def terminal(self):
        return len(self.cards) == 0

    def utility(self):
        return self.score


class Properties(NamedTuple):
    """Properties for everything derived."""

    x: int = 0
    y: int = 0
    ply: int = 0

    @property
    def mover(self):
        return self.ply % 2

    @property
    def position(self):
        return (self.x, self.y)

    @property
    def is_done(self):
        return self.x + self.y >= 6

    def player(self):
        return self.mover

    def actions(self):
        return ["right", "up", "jump"] if self.x <= self.y else ["right", "up"]

    def result(self, way):
        dx, dy = {"right": (1, 0), "up": (0, 1), "jump": (2, 0)}[way]
        return Properties(self.x + dx, self.y + dy, self.ply + 1)

    def terminal(self):
        return self.is_done

    def utility(self):
        x, y = self.position
        return x - y


class StaticClass(NamedTuple):
    """@staticmethod and @classmethod, also a constructor."""

    cells: tuple = (0, 0, 0, 0)
    turn: int = 0

    SIZE = 4

    @classmethod
    def empty(cls, turn=0):
        return cls((0,) * cls.SIZE, turn)

    @staticmethod
    def other(turn):
        return 1 - turn

    @classmethod
    def after(cls, cells, turn):
        return cls(tuple(cells), cls.other(turn))

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(self.SIZE) if not self.cells[i]]

    def result(self, i):
        cells = list(self.cells)
        cells[i] = self.turn + 1
        if i == 3 and sum(cells) == 1:
            return self.empty(self.other(self.turn))._replace(cells=(9, 0, 0, 0))
        return self.after(cells, self.turn)

    def terminal(self):
        return 0 not in self.cells

    def utility(self):
        return 1 if self.cells[0] in (1, 9) else -1


class GridMixin:
    """Squares of a grid."""

    def around(self, i):
        r, c = divmod(i, 3)
        return [3 * y + x for y, x in ((r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)) if 0 <= y < 3 and 0 <= x < 3]

    def alone(self, i):
        return all(self.cells[j] == 0 for j in self.around(i))


class _Cells(NamedTuple):
    cells: tuple = (0,) * 9
    mover: int = 0


class Mixed(GridMixin, _Cells):
    """A mixin and a NamedTuple base: place where no neighbour is."""

    __slots__ = ()

    def player(self):
        return self.mover

    def actions(self):
        return [i for i in range(9) if self.cells[i] == 0 and self.alone(i)]

    def result(self, i):
        return Mixed(self.cells[:i] + (1,) + self.cells[i + 1:], 1 - self.mover)

    def terminal(self):
        return not self.actions()

    def utility(self):
        return 1 if self.mover == 1 else -1


class TurnMixin:
    def player(self):
        return self.turn

    def winner_utility(self):
        return 1 if self.turn == 1 else -1


@dataclass(frozen=True)
class Inherited(TurnMixin):
    """A frozen dataclass with a mixin."""

    pile: int = 11
    turn: int = 0

    def actions(self):
        return [k for k in (1, 3) if k <= self.pile]

    def result(self, k):
        return Inherited(self.pile - k, 1 - self.turn)

    def terminal(self):
        return self.pile == 0

    def utility(self):
        return self.winner_utility()


class Direction(Enum):
    UP = (-1, 0)
    DOWN = (1, 0)
    LEFT = (0, -1)
    RIGHT = (0, 1)

    @property
    def opposite(self):
        return {Direction.UP: Direction.DOWN, Direction.DOWN: Direction.UP,
                Direction.LEFT: Direction.RIGHT, Direction.RIGHT: Direction.LEFT}[self]


class EnumMoves(NamedTuple):
    """Actions are members of an enum with tuple values."""

    at: tuple[int, int] = (1, 1)
    last: Optional[Direction] = None
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        moves = []
        for d in Direction:
            dr, dc = d.value
            if 0 <= self.at[0] + dr < 4 and 0 <= self.at[1] + dc < 4:
                if self.last is None or d is not self.last.opposite:
                    moves.append(d)
        return moves

    def result(self, d):
        dr, dc = d.value
        return EnumMoves((self.at[0] + dr, self.at[1] + dc), d, self.ply + 1)

    def terminal(self):
        return self.at in ((0, 0), (3, 3)) or self.ply >= 10

    def utility(self):
        return 1 if self.at == (0, 0) else -1 if self.at == (3, 3) else 0


class Phase(IntEnum):
    PLACE = 0
    MOVE = 1
    OVER = 2


class Phases(NamedTuple):
    """A phase as IntEnum field, compared and incremented."""

    men: tuple = ()
    phase: Phase = Phase.PLACE
    ply: int = 0

    def player(self):
        return self.ply % 2

    def actions(self):
        if self.phase == Phase.PLACE:
            return [p for p in range(4) if p not in self.men]
        return [m for m in range(len(self.men)) if (self.men[m] + 1) % 5 not in self.men]

    def result(self, a):
        if self.phase is Phase.PLACE:
            men = self.men + (a,)
            return Phases(men, Phase.MOVE if len(men) == 3 else Phase.PLACE, self.ply + 1)
        men = tuple((m + 1) % 5 if i == a else m for i, m in enumerate(self.men))
        return Phases(men, Phase(self.phase + 1) if self.ply > 7 else self.phase, self.ply + 1)

    def terminal(self):
        return self.phase >= Phase.OVER or not self.actions()

    def utility(self):
        return sum(self.men) - 6


class Castle(Flag):
    NONE = 0
    SHORT = auto()
    LONG = auto()
    BOTH = SHORT | LONG


class Flags(NamedTuple):
    """Flags with | & ~."""

    rights: Castle = Castle.BOTH
    energy: int = 3
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        moves = ["rest"]
        if self.rights & Castle.SHORT:
            moves.append("short")
        if Castle.LONG in self.rights and self.energy > 1:
            moves.append("long")
        return moves

    def result(self, move):
        if move == "short":
            return Flags(self.rights & ~Castle.SHORT, self.energy - 1, 1 - self.turn)
        if move == "long":
            return Flags(self.rights & ~Castle.LONG, self.energy - 2, 1 - self.turn)
        return Flags(self.rights, self.energy - 1, 1 - self.turn)

    def terminal(self):
        return self.energy <= 0

    def utility(self):
        if self.rights == Castle.NONE:
            return 1
        return -1 if self.rights is Castle.BOTH else 0


class Colour(enum.StrEnum):
    RED = "red"
    BLUE = "blue"


class StrEnums(NamedTuple):
    """StrEnum fields."""

    chips: tuple[Colour, ...] = ()
    mover: Colour = Colour.RED

    def player(self):
        return 0 if self.mover == Colour.RED else 1

    def actions(self):
        return [Colour.RED, Colour.BLUE]

    def result(self, colour):
        other = Colour.BLUE if self.mover == "red" else Colour.RED
        return StrEnums((*self.chips, colour), other)

    def terminal(self):
        return len(self.chips) == 4

    def utility(self):
        same = [a for a, b in zip(self.chips, self.chips[1:]) if a == b]
        return 1 if len(same) >= 2 else -1


class Parameters(NamedTuple):
    """Class constants derived from others."""

    WIDTH = 4
    HEIGHT = 2
    AREA = WIDTH * HEIGHT
    CENTRE = [i for i in range(8) if i % 4 in (1, 2)]

    cells: tuple = (0,) * AREA
    turn: int = 0

    def player(self):
        return self.turn

    def actions(self):
        return [i for i in range(self.AREA) if not self.cells[i]]

    def result(self, i):
        cells = list(self.cells)
        cells[i] = self.turn + 1
        x = i % self.WIDTH
        if x + 1 < self.WIDTH and not cells[i + 1]:
            cells[i + 1] = 3
        return Parameters(tuple(cells), 1 - self.turn)

    def terminal(self):
        return all(self.cells)

    def utility(self):
        return sum(1 if self.cells[i] == 1 else -1 if self.cells[i] == 2 else 0 for i in Parameters.CENTRE)


class Typed(NamedTuple):
    """Type hints everywhere."""

    board: tuple[Literal[0, 1, 2], ...] = (0, 0, 0, 0, 0)
    side: Literal["L", "R"] = "L"
    move_number: int = 1

    LIMIT = 12

    def player(self) -> Literal[0, 1]:
        return 0 if self.side == "L" else 1

    def actions(self) -> Sequence[int]:
        free: list[int] = [i for i in range(5) if self.board[i] == 0]
        middle: Optional[int] = 2 if 2 in free else None
        return [middle] if middle is not None and self.move_number == 1 else free

    def result(self, i: int) -> Typed:
        value: int = 1 if self.side == "L" else 2
        board: list[Any] = list(self.board)
        board[i] = value
        nxt: Union[str, None] = "R" if self.side == "L" else "L"
        return Typed(tuple(board), nxt, self.move_number + 1)

    def terminal(self) -> bool:
        return 0 not in self.board

    def utility(self) -> int:
        total: int = 0
        for i, v in enumerate(self.board):
            weight: int = abs(i - 2)
            total += weight if v == 1 else -weight
        return total


class Point(NamedTuple):
    x: int
    y: int

    def __add__(self, other):
        return Point(self.x + other.x, self.y + other.y)

    def inside(self):
        return 0 <= self.x < 3 and 0 <= self.y < 3


class Points(NamedTuple):
    """A NamedTuple inside the state, with an operator of its own."""

    cat: Point = Point(0, 0)
    mouse: Point = Point(2, 2)
    ply: int = 0

    STEPS = (Point(0, 1), Point(1, 0), Point(0, -1), Point(-1, 0))

    def player(self):
        return self.ply % 2

    def actions(self):
        here = self.mouse if self.ply % 2 == 0 else self.cat
        return [i for i, step in enumerate(self.STEPS) if (here + step).inside()]

    def result(self, i):
        if self.ply % 2 == 0:
            return self._replace(mouse=self.mouse + self.STEPS[i], ply=self.ply + 1)
        return self._replace(cat=self.cat + self.STEPS[i], ply=self.ply + 1)

    def terminal(self):
        return self.cat == self.mouse or self.ply >= 12

    def utility(self):
        return -1 if self.cat == self.mouse else 1


@dataclass(frozen=True)
class Piece:
    owner: int
    strength: int


@dataclass(frozen=True)
class Army:
    """Dataclasses inside a dataclass."""

    line: tuple[Optional[Piece], ...] = (Piece(0, 2), Piece(0, 1), None, None, Piece(1, 1), Piece(1, 2))
    turn: int = 0
    ply: int = 0

    def player(self):
        return self.turn

    def actions(self):
        step = 1 if self.turn == 0 else -1
        moves = []
        for i, piece in enumerate(self.line):
            if piece is not None and piece.owner == self.turn and 0 <= i + step < 6:
                target = self.line[i + step]
                if target is None or (target.owner != self.turn and target.strength <= piece.strength):
                    moves.append(i)
        return moves

    def result(self, i):
        step = 1 if self.turn == 0 else -1
        line = list(self.line)
        line[i + step] = line[i]
        line[i] = None
        return Army(tuple(line), 1 - self.turn, self.ply + 1)

    def count(self):
        return len(self.actions())

    def terminal(self):
        return self.ply >= 20 or not self.actions()

    def utility(self):
        return sum((1 if p.owner == 0 else -1) * p.strength for p in self.line if p is not None)
