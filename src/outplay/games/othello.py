"""Othello (Goro Hasegawa, 1971, after Reversi, 1883), with the rules of the World Othello Federation.

Squares are named a1 to h8 with a1 at the top left, as usual in Othello; a pass is `pass`.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from outplay.game import Board, Weights
from outplay.words import bits, bswap, lsb, msb, nth, popcount, shr, wrap

SIDES = ("Black", "White")


NONE = -100  # below every score
WEIGHTS = Weights.load(Path(__file__).with_name("othello.json"))
PHASES = 4  # of a game, of 15 moves each, with separate weights
DISC = 32  # weights are in fractions of a disc
BASE3 = tuple(sum(3**i for i in range(9) if word >> i & 1) for word in range(512))  # bits read in base 3
A1_H8 = wrap(0x8040201008040201)
SQUARES = {
    "edge": 8, "second": 8, "third": 8, "fourth": 8, "diagonal8": 8, "diagonal7": 7, "diagonal6": 6, "diagonal5": 5,
    "corner": 9,
}  # fmt: skip
LINE, CORNER = 3**8, 3**9  # the number of patterns of a line of eight squares, of nine squares in a corner


def ends(own: int, through: int, step: int) -> int:
    """The squares just beyond the runs through `through` that start at `own`, `step` bits apart, both ways.

    A line of eight squares has six between its ends, so a run is found in steps of 1, 1, 2 and 2 squares.
    """
    up = through & own << step
    down = through & shr(own, step)
    up |= through & up << step
    down |= through & shr(down, step)
    pairs = through & through << step
    up |= pairs & up << 2 * step
    down |= shr(pairs, step) & shr(down, 2 * step)
    up |= pairs & up << 2 * step
    down |= shr(pairs, step) & shr(down, 2 * step)
    return up << step | shr(down, step)


def rays(size: int, directions: tuple[tuple[int, int], ...]) -> tuple[tuple[int, ...], ...]:
    """For each square, the rays from it in each direction (files, rows)."""
    return tuple(
        tuple(
            sum(
                1 << square + i * (right + size * down)
                for i in range(1, size)
                if 0 <= square % size + i * right < size and 0 <= square // size + i * down < size
            )
            for right, down in directions
        )
        for square in range(size * size)
    )


def quarters(size: int) -> tuple[int, ...]:
    """The four quadrants of the board."""
    first = sum(1 << row * size + file for row in range(size // 2) for file in range(size // 2))
    return tuple(wrap(first << (size * down + right) * (size // 2)) for down in (0, 1) for right in (0, 1))


# --- patterns: what a set of squares holds, a number in base 3 with 0 for empty, 1 for own, 2 for opp ---


def pattern(own: int, opp: int) -> int:
    return BASE3[own] + 2 * BASE3[opp]


def row(own: int, opp: int, number: int) -> int:
    return pattern(shr(own, 8 * number) & 255, shr(opp, 8 * number) & 255)


def diagonal(own: int, opp: int, squares: int, first: int) -> int:
    """A diagonal whose first file is given: no two of its squares share a file, so they fit in one row."""
    gather, shift = 0x0101010101010101, 56 + first
    return pattern(shr((own & squares) * gather, shift), shr((opp & squares) * gather, shift))


def corner(own: int, opp: int) -> int:
    """The nine squares around a1."""
    return pattern(
        own & 7 | shr(own, 5) & 0o70 | shr(own, 10) & 0o700,
        opp & 7 | shr(opp, 5) & 0o70 | shr(opp, 10) & 0o700,
    )


def transposed(x: int) -> int:
    """The board with ranks and files transposed."""
    x = exchanged(x, 7, 0x00AA00AA00AA00AA)
    x = exchanged(x, 14, 0x0000CCCC0000CCCC)
    return exchanged(x, 28, 0x00000000F0F0F0F0)


def exchanged(x: int, step: int, mask: int) -> int:
    """Swap the bits of the mask with those `step` higher."""
    differ = (x ^ shr(x, step)) & mask
    return x ^ differ ^ differ << step


def mirrored(x: int) -> int:
    """The board with its files in reverse order."""
    x = shr(x, 1) & 0x5555555555555555 | (x & 0x5555555555555555) << 1
    x = shr(x, 2) & 0x3333333333333333 | (x & 0x3333333333333333) << 2
    return shr(x, 4) & 0x0F0F0F0F0F0F0F0F | (x & 0x0F0F0F0F0F0F0F0F) << 4


def rows_value(own: int, opp: int, phase: int, weights: Weights) -> int:
    """The rows by their distance from the edge."""
    at = LINE * phase
    return (
        weights.edge[at + row(own, opp, 0)]
        + weights.edge[at + row(own, opp, 7)]
        + weights.second[at + row(own, opp, 1)]
        + weights.second[at + row(own, opp, 6)]
        + weights.third[at + row(own, opp, 2)]
        + weights.third[at + row(own, opp, 5)]
        + weights.fourth[at + row(own, opp, 3)]
        + weights.fourth[at + row(own, opp, 4)]
    )


def diagonals_value(own: int, opp: int, phase: int, weights: Weights) -> int:
    """The diagonals parallel to a1-h8, of eight to five squares."""
    return (
        weights.diagonal8[LINE * phase + diagonal(own, opp, A1_H8, 0)]
        + weights.diagonal7[LINE // 3 * phase + diagonal(own, opp, 0x4020100804020100, 0)]
        + weights.diagonal7[LINE // 3 * phase + diagonal(own, opp, 0x0080402010080402, 1)]
        + weights.diagonal6[LINE // 9 * phase + diagonal(own, opp, 0x2010080402010000, 0)]
        + weights.diagonal6[LINE // 9 * phase + diagonal(own, opp, 0x0000804020100804, 2)]
        + weights.diagonal5[LINE // 27 * phase + diagonal(own, opp, 0x1008040201000000, 0)]
        + weights.diagonal5[LINE // 27 * phase + diagonal(own, opp, 0x0000008040201008, 3)]
    )


def corners_value(own: int, opp: int, phase: int, weights: Weights) -> int:
    """The corners of the first file."""
    at = CORNER * phase
    return weights.corner[at + corner(own, opp)] + weights.corner[at + corner(bswap(own), bswap(opp))]


class Othello(NamedTuple):
    """A disc is placed so that it flanks the opponent's discs in one or more lines; these are flipped.

    Black (MAX, X) begins. A player who cannot place a disc passes; if neither can, the game is over. The utility is
    the difference in discs; empty squares go to the winner. A bitboard has one bit
    per square:

            a  b  c  d  e  f  g  h
        1 | 0  1  2  3  4  5  6  7
        2 | 8  9 10 11 12 13 14 15
                    ...
        8 |56 57 58 59 60 61 62 63

    The squares at the ends of a line are never flanked. Masking them out also keeps a run from leaving the
    board or wrapping into the next row, and it keeps bit 63, the sign, out of the masks.
    """

    SIZE = 8
    if SIZE not in (4, 6, 8):
        raise ValueError("SIZE must be 4, 6 or 8")
    PASS = SIZE * SIZE  # the action; the others are the squares
    FILES = ((1 << SIZE - 1) - 2) * (((1 << SIZE * SIZE) - 1) // ((1 << SIZE) - 1))  # all but the outer files
    ROWS = (1 << SIZE * (SIZE - 1)) - (1 << SIZE)  # all but the outer rows
    CORNERS = wrap(((1 << SIZE - 1) + 1) * ((1 << SIZE * (SIZE - 1)) + 1))
    FULL = wrap((1 << SIZE * SIZE) - 1)
    QUARTERS = quarters(SIZE)
    UP = rays(SIZE, ((1, 0), (-1, 1), (0, 1), (1, 1)))  # to higher bits
    DOWN = rays(SIZE, ((-1, 0), (1, -1), (0, -1), (-1, -1)))  # to lower bits
    CENTRE = (SIZE // 2 - 1) * (SIZE + 1)  # the first of the four central squares
    max_actions = SIZE * SIZE - 4
    points = True
    unit = 5
    weights = WEIGHTS

    own: int = 1 << CENTRE + 1 | 1 << CENTRE + SIZE  # discs of the player to move
    opp: int = 1 << CENTRE | 1 << CENTRE + SIZE + 1  # discs of the opponent
    turn: int = 0  # 0: Black, 1: White

    def player(self) -> int:
        return self.turn

    def actions(self) -> Iterator[int]:
        """Parity: first the squares of quadrants with an odd number of empty squares, where the mover plays last."""
        moves = self.moves(self.own, self.opp)
        odd = self.odd()
        yield from bits(moves & odd)
        yield from bits(moves & ~odd)
        if moves == 0 and self.moves(self.opp, self.own) != 0:
            yield self.PASS

    def result(self, action: int) -> "Othello":
        if action == self.PASS:
            return Othello(self.opp, self.own, 1 - self.turn)
        turned = self.turned(self.own, self.opp, action)
        return Othello(self.opp ^ turned, self.own | turned | 1 << action, 1 - self.turn)

    def terminal(self) -> bool:
        return self.moves(self.own, self.opp) == 0 and self.moves(self.opp, self.own) == 0

    def utility(self) -> int:
        value = self.score(self.own, self.opp)
        return value if self.turn == 0 else -value

    def evaluate(self, weights: Weights = weights) -> int:
        """The expected final score: mobility, and on the full board patterns of discs, weighted by the game's phase."""
        phase = min(PHASES - 1, (popcount(self.own | self.opp) - 4) // 15)
        value = self.mobility(phase, weights)
        if self.SIZE == 8:
            value += self.patterns(phase, weights)
        value //= DISC
        return value if self.turn == 0 else -value

    def mobility(self, phase: int, weights: Weights) -> int:
        """Mobility of both sides, the turn, and whether the mover places the last disc if nobody passes."""
        return (
            weights.moves[phase] * popcount(self.moves(self.own, self.opp))
            - weights.replies[phase] * popcount(self.moves(self.opp, self.own))
            + weights.turn[phase]
            + weights.parity[phase] * (popcount(self.own | self.opp) & 1)
        )

    def patterns(self, phase: int, weights: Weights) -> int:
        """The method of Logistello (Buro 1995): each pattern of discs on some squares has a weight."""
        own, opp = self.own, self.opp
        return (
            rows_value(own, opp, phase, weights)
            + rows_value(transposed(own), transposed(opp), phase, weights)
            + diagonals_value(own, opp, phase, weights)
            + diagonals_value(bswap(own), bswap(opp), phase, weights)
            + corners_value(own, opp, phase, weights)
            + corners_value(mirrored(own), mirrored(opp), phase, weights)
        )

    # --- what searches may know ---

    def order(self, action: int) -> int:
        """Fastest first: the fewer replies a move leaves, the smaller its tree; a corner counts as two replies."""
        if action == self.PASS:
            return 0
        turned = self.turned(self.own, self.opp, action)
        replies = self.moves(self.opp ^ turned, self.own | turned | 1 << action)
        return -popcount(replies) - popcount(replies & self.CORNERS)

    def plies_left(self) -> int:
        return self.PASS - popcount(self.own | self.opp)

    def ceiling(self) -> int:
        """All squares but the opponent's corners, whose discs are stable."""
        return self.PASS - 2 * popcount(self.opp & self.CORNERS)

    def finish(self) -> Iterator[int]:
        """The outcome of best play with one or two empty squares."""
        if not 1 <= self.plies_left() <= 2:
            return
        empty = self.FULL & ~(self.own | self.opp)
        one, two = lsb(empty), msb(empty)
        value = (
            self.with_two(self.own, self.opp, one, two)
            if one != two
            else self.with_one(self.own, self.opp, one)
        )
        yield value if self.turn == 0 else -value

    def with_two(self, own: int, opp: int, one: int, two: int) -> int:
        """The outcome for the owner of `own`, to move, with two empty squares."""
        best = max(self.first_of_two(own, opp, one, two), self.first_of_two(own, opp, two, one))
        if best != NONE:
            return best
        best = max(self.first_of_two(opp, own, one, two), self.first_of_two(opp, own, two, one))
        return -best if best != NONE else self.score(own, opp)

    def first_of_two(self, own: int, opp: int, here: int, there: int) -> int:
        """The outcome after a disc on one of the last two squares; NONE if it flips nothing."""
        turned = self.turned(own, opp, here)
        return -self.with_one(opp ^ turned, own | turned | 1 << here, there) if turned != 0 else NONE

    def with_one(self, own: int, opp: int, square: int) -> int:
        """The outcome for the owner of `own`, to move, with one empty square."""
        turned = popcount(self.turned(own, opp, square))
        if turned > 0:
            return 2 * (popcount(own) + turned + 1) - self.PASS
        turned = popcount(self.turned(opp, own, square))
        return 2 * (popcount(own) - turned) - self.PASS if turned > 0 else self.score(own, opp)

    # --- discs ---

    def score(self, own: int, opp: int) -> int:
        """The final score for the owner of `own`."""
        difference = popcount(own) - popcount(opp)
        empty = self.PASS - popcount(own | opp)
        return difference + (empty if difference > 0 else -empty if difference < 0 else 0)

    def moves(self, own: int, opp: int) -> int:
        """The squares where the owner of `own` may place a disc."""
        straight = ends(own, opp & self.FILES, 1) | ends(own, opp & self.ROWS, self.SIZE)
        inner = opp & self.FILES & self.ROWS
        diagonal = ends(own, inner, self.SIZE - 1) | ends(own, inner, self.SIZE + 1)
        return (straight | diagonal) & ~(own | opp)

    def turned(self, own: int, opp: int, square: int) -> int:
        """The discs that the owner of `own` flips by placing one on this square.

        In each direction the nearest square that is not the opponent's decides: it must be the owner's.
        """
        found = 0
        for i in range(4):
            ray = self.UP[square][i]
            others = ray & ~opp
            end = others & -others & own
            found |= ray & end - (end != 0)
        for i in range(4):
            ray = self.DOWN[square][i]
            others = ray & ~opp
            end = 1 << msb(others | 1) & others & own
            found |= ray & -(end << 1)
        return found

    def odd(self) -> int:
        """The quadrants with an odd number of empty squares."""
        empty = self.FULL & ~(self.own | self.opp)
        found = 0
        for quarter in self.QUARTERS:
            found |= quarter & -(popcount(empty & quarter) & 1)
        return found

    def sample(self, random: int) -> int:
        """A random move."""
        moves = self.moves(self.own, self.opp)
        if moves == 0:
            return self.PASS
        return nth(moves, (random & 0xFFFFFFFF) * popcount(moves) >> 32)

    # --- what a network sees, and its answers ---

    plane_shape = (2, SIZE, SIZE)
    policy_size = SIZE * SIZE + 1

    def planes(self) -> Iterator[int]:
        """The mover's discs, then the opponent's."""
        yield self.own
        yield self.opp

    def policy_index(self, action: int) -> int:
        return action

    # --- text ---

    def __str__(self) -> str:
        """The squares from a1 to h8, then the player to move, as in .obf files: `-...XO---OX...- X`."""
        return f"{self.squares()} {'XO'[self.turn]}"

    @classmethod
    def parse(cls, text: str) -> "Othello":
        """The position that `str` wrote, or a line of an .obf file: everything after a semicolon is ignored."""
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

    def board_text(self, board: Board, player: int) -> str:
        return f"{''.join(board.rows).replace(' ', '-')} {'XO'[player]}"

    def action_text(self, action: int) -> str:
        if action == self.PASS:
            return "pass"
        return "abcdefgh"[action % self.SIZE] + str(action // self.SIZE + 1)

    def weight_text(self, name: str, place: int) -> str:
        """`edge X.O....., phase 1`: the discs of a line or a corner (rows of three); a phase has 15 moves."""
        squares = SQUARES.get(name, 0)
        phase, held = divmod(place, 3**squares)
        marks = ".XO" if self.turn == 0 else ".OX"
        shown = "".join(marks[held // 3**i % 3] for i in range(squares))
        return f"{name} {shown}".rstrip() + f", phase {phase + 1}"

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
