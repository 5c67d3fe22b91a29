"""Games as people write them who have not read the contract: any values for fields, any values for actions."""

import random
import re
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any, NamedTuple

LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))


class Mark(Enum):
    NOUGHT = "O"
    CROSS = "X"


class Move(NamedTuple):
    row: int
    column: int


@dataclass(frozen=True)
class Dataclass:
    """Tic-tac-toe: rows of None or a Mark, actions (row, column)."""

    rows: tuple[tuple[Mark | None, ...], ...] = ((None,) * 3,) * 3
    mover: Mark = Mark.CROSS

    def player(self) -> int:
        return 0 if self.mover is Mark.CROSS else 1

    def actions(self) -> list[tuple[int, int]]:
        if self.winner():
            return []
        return [(r, c) for r in range(3) for c in range(3) if self.rows[r][c] is None]

    def result(self, action: tuple[int, int]) -> "Dataclass":
        row, column = action
        rows = [list(each) for each in self.rows]
        rows[row][column] = self.mover
        other = Mark.NOUGHT if self.mover is Mark.CROSS else Mark.CROSS
        return replace(self, rows=tuple(map(tuple, rows)), mover=other)

    def winner(self) -> Mark | None:
        cells = [cell for row in self.rows for cell in row]
        return next((cells[i] for i, j, k in LINES if cells[i] and cells[i] is cells[j] is cells[k]), None)

    def utility(self) -> int:
        return {Mark.CROSS: 1, Mark.NOUGHT: -1, None: 0}[self.winner()]


class Text(NamedTuple):
    """Tic-tac-toe on a text, actions are texts: "a1" to "c3"."""

    board: str = "........."

    def player(self) -> int:
        return (9 - self.board.count(".")) % 2

    def actions(self) -> Any:
        if not self.won("X") and not self.won("O"):
            yield from ("abc"[i % 3] + str(i // 3 + 1) for i in range(9) if self.board[i] == ".")

    def result(self, square: str) -> "Text":
        i = "abc".index(square[0]) + 3 * int(square[1]) - 3
        return Text(self.board[:i] + "XO"[self.player()] + self.board[i + 1 :])

    def won(self, side: str) -> bool:
        return any(re.match(side * 3, "".join(self.board[i] for i in line)) for line in LINES)

    def utility(self) -> int:
        return self.won("X") - self.won("O")

    def __str__(self) -> str:
        return "\n".join(self.board[i : i + 3] for i in (0, 3, 6))


class Plain:
    """Tic-tac-toe in a class with a list, which is never changed; actions are named tuples."""

    def __init__(self, board: list[int] | None = None, mover: int = 0) -> None:
        self.board, self.mover = board or [0] * 9, mover

    def player(self) -> int:
        return self.mover

    def terminal(self) -> bool:
        return self.utility() != 0 or 0 not in self.board

    def actions(self) -> list[Move]:
        return [Move(*divmod(i, 3)) for i, mark in enumerate(self.board) if mark == 0]

    def result(self, move: Move) -> "Plain":
        board = self.board.copy()
        board[3 * move.row + move.column] = (1, -1)[self.mover]
        return Plain(board, 1 - self.mover)

    def utility(self) -> int:
        sums = [sum(self.board[i] for i in line) for line in LINES]
        return 1 if 3 in sums else -1 if -3 in sums else 0


class Cells(NamedTuple):
    """Tic-tac-toe with the cells of each side in a set, and a field that has a method's name."""

    crosses: frozenset = frozenset()
    noughts: frozenset = frozenset()
    count: int = 0

    def player(self) -> int:
        return self.count % 2

    def actions(self) -> list[int]:
        over = self.utility() != 0
        return [] if over else sorted(set(range(9)) - self.crosses - self.noughts)

    def result(self, cell: int) -> "Cells":
        mine = {("crosses", "noughts")[self.player()]: (self.crosses, self.noughts)[self.player()] | {cell}}
        return self._replace(**mine, count=self.count + 1)

    def utility(self) -> int:
        won = [any(set(line) <= side for line in LINES) for side in (self.crosses, self.noughts)]
        return won[0] - won[1]


class Board(str):
    """Tic-tac-toe as a kind of text."""

    def __new__(cls, cells: str = "         ") -> "Board":
        return super().__new__(cls, cells)

    def player(self) -> int:
        return self.count("X") - self.count("O")

    def actions(self) -> list[int]:
        return [] if self.utility() else [i for i in range(9) if self[i] == " "]

    def result(self, i: int) -> "Board":
        return Board(self[:i] + "XO"[self.player()] + self[i + 1 :])

    def utility(self) -> int:
        rows = ["".join(self[i] for i in line) for line in LINES]
        return ("XXX" in rows) - ("OOO" in rows)


class Step(Enum):
    ONE = "one"
    TWO = "two"


@dataclass(frozen=True)
class Count:
    """Count to 7 by ones and twos, or pass (None) once; who says 7 wins. 1.0 or -1.0 comes out."""

    said: int = 0
    mover: int = 0
    passed: bool = False

    def player(self) -> int:
        return self.mover

    def actions(self) -> list[Step | None]:
        steps = [step for step, size in ((Step.ONE, 1), (Step.TWO, 2)) if self.said + size <= 7]
        return [*steps, *[None] * (bool(steps) and not self.passed)]

    def result(self, step: Step | None) -> "Count":
        if step is None:
            return Count(self.said, 1 - self.mover, True)
        return Count(self.said + (1 if step is Step.ONE else 2), 1 - self.mover, self.passed)

    def utility(self) -> float:
        return 1.0 if self.mover == 1 else -1.0


class Changing:
    """Its result() changes the state."""

    def __init__(self) -> None:
        self.left = 5

    def player(self) -> int:
        return 0

    def actions(self) -> list[int]:
        return [1] * (self.left > 0)

    def result(self, take: int) -> "Changing":
        self.left -= take
        return self

    def utility(self) -> int:
        return 0


class Dice(NamedTuple):
    """It throws dice of its own."""

    left: int = 5

    def player(self) -> int:
        return 0

    def actions(self) -> list[int]:
        return [1] * (self.left > 0)

    def result(self, take: int) -> "Dice":
        return Dice(self.left - random.randint(1, 1000))

    def utility(self) -> int:
        return 0


TICTACTOES: tuple[Any, ...] = (Dataclass, Text, Plain, Cells, Board)


class Growing(NamedTuple):
    """A hash of the board by a number that grows far beyond a word before it is cut."""

    piles: tuple[int, ...] = (1, 2, 3)
    mover: int = 0

    def player(self) -> int:
        return self.mover

    def actions(self) -> list[int]:
        return [i for i, count in enumerate(self.piles) if count > 0]

    def result(self, i: int) -> "Growing":
        piles = list(self.piles)
        piles[i] -= 1
        return self._replace(piles=tuple(piles), mover=1 - self.mover)

    def utility(self) -> int:
        return 1 if self.mover else -1

    def evaluate(self) -> int:
        found = 7
        for count in self.piles:
            found = (found * 6364136223846793005 + count) % 2305843009213693951
        return found % 10


class Halving(Growing):
    """An int to a power that is negative later on, and then a float."""

    def evaluate(self) -> int:
        return int(2 ** (sum(self.piles) - 3) * 8)
