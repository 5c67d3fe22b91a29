"""Othello (Goro Hasegawa, 1971, after Reversi, 1883), by the rules of the World Othello Federation.

Squares are named a1 to h8 with a1 at the top left, as Othello players write them; a pass is `pass`.
"""

from collections.abc import Iterator
from typing import NamedTuple

from outplay.bits import bits, popcount, shr, wrap
from outplay.game import Board

SIDES = ("Black", "White")


def run_up(start: int, through: int, step: int) -> int:
    """The squares of `through` that follow a square of `start` without a gap, `step` bits up each time."""
    run = start << step & through
    for _ in range(5):  # a line of eight squares has six between its ends
        run |= run << step & through
    return run


def run_down(start: int, through: int, step: int) -> int:
    """The same, `step` bits down each time."""
    run = shr(start, step) & through
    for _ in range(5):
        run |= shr(run, step) & through
    return run


def ends(own: int, through: int, step: int) -> int:
    """The squares just beyond the runs through `through` that start at `own`, both ways."""
    return run_up(own, through, step) << step | shr(run_down(own, through, step), step)


def flanked(disc: int, own: int, through: int, step: int) -> int:
    """The runs from the disc through `through` that end at a disc of `own`, both ways."""
    up, down = run_up(disc, through, step), run_down(disc, through, step)
    return (up if up << step & own else 0) | (down if shr(down, step) & own else 0)


class Othello(NamedTuple):
    """A disc is placed so that it flanks the other's discs in one or more lines; these are turned over.

    Black (MAX, X) begins. Who cannot place a disc passes; when neither can, the game is over. The utility is
    the difference in discs; empty squares count for nobody. A set of squares is an int with one bit a square:

            a  b  c  d  e  f  g  h
        1 | 0  1  2  3  4  5  6  7
        2 | 8  9 10 11 12 13 14 15
                    ...
        8 |56 57 58 59 60 61 62 63

    The squares at the ends of a line are never flanked. Masking them out also keeps a run from leaving the
    board or going on in the next row, and it keeps bit 63, the sign, out of the masks.
    """

    SIZE = 8
    if SIZE not in (4, 6, 8):
        raise ValueError("SIZE may be 4, 6 or 8")
    PASS = SIZE * SIZE  # the action; the others are the squares
    FILES = ((1 << SIZE - 1) - 2) * (((1 << SIZE * SIZE) - 1) // ((1 << SIZE) - 1))  # all but the outer files
    ROWS = (1 << SIZE * (SIZE - 1)) - (1 << SIZE)  # all but the outer rows
    CORNERS = wrap(((1 << SIZE - 1) + 1) * ((1 << SIZE * (SIZE - 1)) + 1))
    CENTRE = (SIZE // 2 - 1) * (SIZE + 1)  # the first of the four central squares
    max_actions = SIZE * SIZE - 4
    points = True

    own: int = 1 << CENTRE + 1 | 1 << CENTRE + SIZE  # discs of the player to move
    opp: int = 1 << CENTRE | 1 << CENTRE + SIZE + 1  # discs of the other
    turn: int = 0  # 0: Black, 1: White

    def player(self) -> int:
        return self.turn

    def actions(self) -> Iterator[int]:
        moves = self.moves(self.own, self.opp)
        yield from bits(moves)
        if moves == 0 and self.moves(self.opp, self.own) != 0:
            yield self.PASS

    def result(self, action: int) -> "Othello":
        if action == self.PASS:
            return Othello(self.opp, self.own, 1 - self.turn)
        disc = 1 << action
        turned = self.turned(disc)
        return Othello(self.opp ^ turned, self.own | disc | turned, 1 - self.turn)

    def terminal(self) -> bool:
        return self.moves(self.own, self.opp) == 0 and self.moves(self.opp, self.own) == 0

    def utility(self) -> int:
        discs = popcount(self.own) - popcount(self.opp)
        return discs if self.turn == 0 else -discs

    def evaluate(self) -> int:
        """Mobility and corners; a corner counts as eight moves."""
        mobility = popcount(self.moves(self.own, self.opp)) - popcount(self.moves(self.opp, self.own))
        corners = popcount(self.own & self.CORNERS) - popcount(self.opp & self.CORNERS)
        value = mobility + 8 * corners
        return value if self.turn == 0 else -value

    def order(self, action: int) -> int:
        """Corners first: they are never turned again."""
        return shr(self.CORNERS, action) & 1 if action < self.PASS else 0

    def moves(self, own: int, opp: int) -> int:
        """The squares where the owner of `own` may place a disc."""
        straight = ends(own, opp & self.FILES, 1) | ends(own, opp & self.ROWS, self.SIZE)
        inner = opp & self.FILES & self.ROWS
        diagonal = ends(own, inner, self.SIZE - 1) | ends(own, inner, self.SIZE + 1)
        return (straight | diagonal) & ~(own | opp)

    def turned(self, disc: int) -> int:
        """The discs that the mover turns over by placing this disc."""
        own, opp = self.own, self.opp
        straight = flanked(disc, own, opp & self.FILES, 1) | flanked(disc, own, opp & self.ROWS, self.SIZE)
        inner = opp & self.FILES & self.ROWS
        diagonal = flanked(disc, own, inner, self.SIZE - 1) | flanked(disc, own, inner, self.SIZE + 1)
        return straight | diagonal

    # --- text ---

    def __str__(self) -> str:
        """The squares from a1 to h8, then the player to move, as in .obf files: `-...XO---OX...- X`."""
        return f"{self.squares()} {'XO'[self.turn]}"

    @classmethod
    def parse(cls, text: str) -> "Othello":
        """The position that `str` wrote, or a line of an .obf file: what follows a semicolon is ignored."""
        squares, _, mover = text.partition(";")[0].strip().upper().replace(".", "-").partition(" ")
        mover = mover.strip()
        if len(squares) != cls.PASS or set(squares) - set("XO-") or mover not in ("X", "O"):
            raise ValueError(
                f"not a position of Othello: {text!r}; write {cls.PASS} squares from a1 on, each X, O or -, "
                "a space, and X or O to move"
            )
        black, white = (sum(1 << i for i, disc in enumerate(squares) if disc == side) for side in "XO")
        centre = cls._field_defaults["own"] | cls._field_defaults["opp"]
        if centre & ~(black | white):
            raise ValueError(f"impossible: a central square is empty in {text!r}; they never are")
        return cls(black, white, 0) if mover == "X" else cls(white, black, 1)

    def action_text(self, action: int) -> str:
        if action == self.PASS:
            return "pass"
        return "abcdefgh"[action % self.SIZE] + str(action // self.SIZE + 1)

    def squares(self) -> str:
        own, opp = "XO" if self.turn == 0 else "OX"
        every = range(self.PASS)
        return "".join(own if self.own >> i & 1 else opp if self.opp >> i & 1 else "-" for i in every)

    def board(self) -> Board:
        squares = self.squares()
        status = "the game is over" if self.terminal() else f"{SIDES[self.turn]} to move"
        return Board(
            rows=tuple(squares[i : i + self.SIZE].replace("-", " ") for i in range(0, self.PASS, self.SIZE)),
            ranks=tuple(str(row + 1) for row in range(self.SIZE)),
            files=tuple("abcdefgh"[: self.SIZE]),
            owners=("X", "O"),
            note=f"Black (X) {squares.count('X')}, White (O) {squares.count('O')}; {status}",
            style="felt",
            shapes={"X": "black stone", "O": "white stone"},
            sides=SIDES,
        )
