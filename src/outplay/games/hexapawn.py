"""Hexapawn (Martin Gardner, Scientific American, March 1962): the game that matchboxes learned to play.

Moves are written like pawn moves in chess: `a2` for a step, `axb2` for a capture.
"""

from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import Board
from outplay.words import bits, popcount, shr, wrap

LETTERS = "abcdefghijklmnopqrstuvwxyz"  # of the columns
COLOURS = ("White", "Black")


class Hexapawn(NamedTuple):
    """Pawns step forward to an empty square or capture diagonally forward. White (MAX) begins and moves up.

    A player wins by reaching the far side, or by leaving the opponent without a move or without pawns. A bitboard
    has one bit per square, WIDTH bits per row. For WIDTH = HEIGHT = 3:

        3 | 6 7 8   Black's side
        2 | 3 4 5
        1 | 0 1 2   White's side
            a b c

    An action is 64 * the from-square + the to-square.
    """

    WIDTH = 3
    HEIGHT = 3
    if not 1 <= WIDTH <= 26 or HEIGHT < 2 or WIDTH * HEIGHT > 64:
        raise ValueError("WIDTH must be 1 to 26, HEIGHT 2 or more, and WIDTH * HEIGHT at most 64")
    BOTTOM = (1 << WIDTH) - 1
    TOP = wrap(BOTTOM << WIDTH * (HEIGHT - 1))
    LEFT = wrap(((1 << WIDTH * HEIGHT) - 1) // BOTTOM)  # the first square of each row
    RIGHT = wrap(LEFT << WIDTH - 1)
    FULL = wrap((1 << WIDTH * HEIGHT) - 1)
    max_actions = 3 * WIDTH
    win = 1

    own: int = BOTTOM  # pawns of the player to move; none on the far side, or the game would be over
    opp: int = TOP  # pawns of the opponent
    turn: int = 0  # 0: White, 1: Black

    def player(self) -> int:
        return self.turn

    def actions(self) -> Iterator[int]:
        if self.opp & (self.BOTTOM if self.turn == 0 else self.TOP):
            return  # the opponent has reached the far side
        ahead = self.WIDTH if self.turn == 0 else -self.WIDTH
        for square in bits(self.forward((self.own & ~self.RIGHT) << 1) & self.opp):
            yield 64 * (square - ahead - 1) + square
        for square in bits(self.forward(shr(self.own & ~self.LEFT, 1)) & self.opp):
            yield 64 * (square - ahead + 1) + square
        for square in bits(self.forward(self.own) & ~(self.own | self.opp)):
            yield 64 * (square - ahead) + square

    def result(self, action: int) -> "Hexapawn":
        left, reached = 1 << action // 64, 1 << action % 64
        return Hexapawn(self.opp & ~reached, self.own ^ left | reached, 1 - self.turn)

    def utility(self) -> int:
        return -1 if self.turn == 0 else 1  # every end of the game is a win for the last mover

    def evaluate(self) -> int:
        """White's pawns minus Black's."""
        value = popcount(self.own) - popcount(self.opp)
        return value if self.turn == 0 else -value

    def forward(self, pawns: int) -> int:
        """The squares one row ahead."""
        return pawns << self.WIDTH if self.turn == 0 else shr(pawns, self.WIDTH)

    # --- what a network sees, and its answers ---

    plane_shape = (3, HEIGHT, WIDTH)
    policy_size = 3 * WIDTH * HEIGHT

    def planes(self) -> Iterator[int]:
        """The mover's pawns, the opponent's, and every square if Black moves, since Black's pawns go down."""
        yield self.own
        yield self.opp
        yield self.turn * self.FULL

    def policy_index(self, action: int) -> int:
        """Three indices per from-square: to the column before, the same, the next."""
        left, reached = action // 64, action % 64
        return 3 * left + reached % self.WIDTH - left % self.WIDTH + 1

    # --- text ---

    def __str__(self) -> str:
        """As in chess, rows from the top, White's pawns in capitals, and the player to move: `p.p/.p./PPP w`."""
        return f"{'/'.join(self.rows())} {'wb'[self.turn]}"

    @classmethod
    def parse(cls, text: str) -> "Hexapawn":
        """The position that `str` wrote."""
        board, _, mover = text.strip().partition(" ")
        rows, mover = board.split("/"), mover.strip().lower()
        wrong_rows = [len(row) for row in rows] != [cls.WIDTH] * cls.HEIGHT or set(board) - set("Pp./")
        if wrong_rows or mover not in ("w", "b"):
            raise ValueError(f"not a position of hexapawn: {text!r}; write it like {cls()}")
        squares = "".join(reversed(rows))
        white, black = (sum(1 << i for i, pawn in enumerate(squares) if pawn == side) for side in "Pp")
        if max(popcount(white), popcount(black)) > cls.WIDTH:
            raise ValueError(f"impossible: more than {cls.WIDTH} pawns of one side in {text!r}")
        own, opp, far, turn = (white, black, cls.TOP, 0) if mover == "w" else (black, white, cls.BOTTOM, 1)
        if own & far:
            raise ValueError(f"impossible: {COLOURS[turn]} has won, yet is to move in {text!r}")
        if not opp:
            raise ValueError(f"impossible: {COLOURS[1 - turn]} has just moved, but has no pawn in {text!r}")
        return cls(own, opp, turn)

    def board_text(self, board: Board, player: int) -> str:
        return f"{'/'.join(board.rows).replace(' ', '.')} {'wb'[player]}"

    def action_text(self, action: int) -> str:
        left, reached = action // 64, action % 64
        square = f"{LETTERS[reached % self.WIDTH]}{reached // self.WIDTH + 1}"
        takes = self.opp >> reached & 1
        return f"{LETTERS[left % self.WIDTH]}x{square}" if takes else square

    def rows(self) -> list[str]:
        """The rows in text, the top one first."""
        own, opp = "Pp" if self.turn == 0 else "pP"
        size = self.WIDTH * self.HEIGHT
        pawns = "".join(own if self.own >> i & 1 else opp if self.opp >> i & 1 else "." for i in range(size))
        return [pawns[i : i + self.WIDTH] for i in range(size - self.WIDTH, -1, -self.WIDTH)]

    def board(self) -> Board:
        over = next(self.actions(), None) is None
        note = f"{COLOURS[1 - self.turn]} wins" if over else f"{COLOURS[self.turn]} to move"
        return Board(
            rows=tuple(row.replace(".", " ") for row in self.rows()),
            ranks=tuple(str(rank) for rank in range(self.HEIGHT, 0, -1)),
            files=tuple(LETTERS[: self.WIDTH]),
            owners=("P", "p"),
            checkered=True,
            note=note,
            shapes={"P": "white pawn", "p": "black pawn"},
            sides=COLOURS,
        )
