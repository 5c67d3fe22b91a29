"""Tic-tac-toe, the first game of every lecture (Russell & Norvig, chapter 5): three in a line wins.

Squares are named as on a chess board, a letter for the column and a number for the row, a1 at the bottom
left: this is unambiguous, while the numbers 1 to 9 start at the top in some books, at the bottom in others.
"""

from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import Board, Weights, in_line
from outplay.words import nth, popcount

LINES = (
    *(0b000000111, 0b000111000, 0b111000000),  # rows
    *(0b001001001, 0b010010010, 0b100100100),  # columns
    *(0b100010001, 0b001010100),  # diagonals
)
FULL = 0b111111111


def has_line(marks: int) -> bool:
    """Whether three of the marks are in a line."""
    return any(marks & line == line for line in LINES)


def open_lines(marks: int) -> int:
    """The number of lines without these marks, which the other player may still fill."""
    return sum(marks & line == 0 for line in LINES)


class TicTacToe(NamedTuple):
    """MAX writes X and begins, MIN writes O; three in a row, column or diagonal wins, a full board is a draw.

    A bitboard has one bit per square:

        3 | 6 7 8
        2 | 3 4 5
        1 | 0 1 2
            a b c
    """

    max_actions = 9
    win = 1
    weights = Weights(open_lines=1)
    own: int = 0  # marks of the player to move
    opp: int = 0  # marks of the opponent

    def player(self) -> int:
        return popcount(self.own | self.opp) & 1

    def actions(self) -> Iterator[int]:
        taken = self.own | self.opp
        for square in range(9):
            if not taken >> square & 1:
                yield square

    def result(self, square: int) -> "TicTacToe":
        return TicTacToe(self.opp, self.own | 1 << square)

    def terminal(self) -> bool:
        return has_line(self.opp) or self.own | self.opp == FULL  # only the last mover can have won

    def utility(self) -> int:
        if not has_line(self.opp):
            return 0
        return -1 if self.player() == 0 else 1

    def evaluate(self, weights: Weights = weights) -> int:
        """Open lines for X minus open lines for O, as on the slides."""
        value = weights.open_lines * (open_lines(self.opp) - open_lines(self.own))
        return value if self.player() == 0 else -value

    def sample(self, random: int) -> int:
        """A random free square."""
        free = FULL & ~(self.own | self.opp)
        return nth(free, (random & 0xFFFFFFFF) * popcount(free) >> 32)

    # --- what a network sees, and its answers ---

    plane_shape = (2, 3, 3)
    policy_size = 9

    def planes(self) -> Iterator[int]:
        """The mover's marks, then the opponent's."""
        yield self.own
        yield self.opp

    def policy_index(self, square: int) -> int:
        return square

    # --- text ---

    def __str__(self) -> str:
        """Rows from the top and the player to move: `XO./.X./..O x`."""
        return f"{'/'.join(self.rows())} {'xo'[self.player()]}"

    @classmethod
    def parse(cls, text: str) -> "TicTacToe":
        """The position that `str` wrote. The player to move is optional: it follows from the marks."""
        board, _, mover = text.strip().lower().partition(" ")
        rows = board.split("/")
        if [len(row) for row in rows] != [3, 3, 3] or set(board) - set("xo./"):
            raise ValueError(f"not a position of tic-tac-toe: {text!r}; write three rows like XO./.X./..O")
        squares = "".join(reversed(rows))
        x, o = (sum(1 << i for i, mark in enumerate(squares) if mark == side) for side in "xo")
        ahead = popcount(x) - popcount(o)
        if ahead not in (0, 1):
            raise ValueError(f"impossible: {popcount(x)} X and {popcount(o)} O; X begins and they alternate")
        if mover.strip() not in ("", "xo"[ahead]):
            raise ValueError(f"{text!r} ends in {mover!r}, but by its marks {'XO'[ahead]} is to move")
        state = cls(o, x) if ahead else cls(x, o)
        if has_line(state.own):
            raise ValueError(f"impossible: {'XO'[ahead]} has won, yet is to move")
        return state

    def board_text(self, board: Board, player: int) -> str:
        return f"{'/'.join(board.rows).replace(' ', '.')} {'xo'[player]}"

    def action_text(self, square: int) -> str:
        return "abc"[square % 3] + "123"[square // 3]

    def rows(self) -> list[str]:
        """The rows in text, the top one first."""
        own, opp = "XO" if self.player() == 0 else "OX"
        marks = [own if self.own >> i & 1 else opp if self.opp >> i & 1 else "." for i in range(9)]
        return ["".join(marks[i : i + 3]) for i in (6, 3, 0)]

    def board(self) -> Board:
        if self.terminal():
            note = {1: "X wins", 0: "draw", -1: "O wins"}[self.utility()]
        else:
            note = f"{'XO'[self.player()]} to move"
        rows = tuple(row.replace(".", " ") for row in self.rows())
        return Board(
            rows,
            ranks=("3", "2", "1"),
            files=("a", "b", "c"),
            owners=("X", "O"),
            note=note,
            shapes={"X": "cross", "O": "ring"},
            marks=in_line(rows, 3),
        )
