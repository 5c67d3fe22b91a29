"""Connect Four (Howard Wexler, 1974; solved by James D. Allen and Victor Allis, 1988): four in a line wins.

A move is written as its column, 1 to 7 from the left, and a game as a row of digits, as in Pascal Pons's test
sets (blog.gamesolver.org).
"""

from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import Board, Weights, in_line
from outplay.words import popcount, shr, wrap


def fours(discs: int, step: int) -> int:
    """The first squares of all lines of four discs in the direction of `step`."""
    pairs = discs & discs >> step
    return pairs & pairs >> 2 * step


def completing(discs: int, step: int) -> int:
    """The squares, taken or not, on which one disc more makes a line of four in the direction of `step`."""
    before, after = discs << step, discs >> step
    pair_before, pair_after = before & discs << 2 * step, after & discs >> 2 * step
    return pair_before & (discs << 3 * step | after) | pair_after & (discs >> 3 * step | before)


def centre_first(width: int) -> tuple[int, ...]:
    """The columns from the middle outwards; more lines run through the middle, so good moves come early."""
    return tuple(sorted(range(width), key=lambda column: abs(2 * column + 1 - width)))


class ConnectFour(NamedTuple):
    """A disc falls to the lowest free square of its column. MAX (X) begins; a full board is a draw.

    A bitboard has one bit per square. Each column has one extra bit, always empty, so that no line of bits
    runs from one column into the next. For WIDTH = 7, HEIGHT = 6:

            .  .  .  .  .  .  .
        6 | 5 12 19 26 33 40 47
        5 | 4 11 18 25 32 39 46
        4 | 3 10 17 24 31 38 45
        3 | 2  9 16 23 30 37 44
        2 | 1  8 15 22 29 36 43
        1 | 0  7 14 21 28 35 42
            1  2  3  4  5  6  7
    """

    WIDTH = 7
    HEIGHT = 6
    if WIDTH < 1 or not 1 <= HEIGHT < 30 or WIDTH * (HEIGHT + 1) > 63:
        raise ValueError("WIDTH * (HEIGHT + 1) must be at most 63, and HEIGHT 1 to 29")
    COLUMN = HEIGHT + 1  # bits per column
    TALL = (1 << COLUMN) - 1  # the bits of the first column
    STEPS = (1, COLUMN - 1, COLUMN, COLUMN + 1)  # to the next square up, down right, right, up right
    BOTTOM = ((1 << COLUMN * WIDTH) - 1) // ((1 << COLUMN) - 1)  # the lowest square of each column
    FULL = BOTTOM * ((1 << HEIGHT) - 1)  # all squares
    FIRST = BOTTOM * ((1 << HEIGHT // 2 * 2) // 3 << HEIGHT % 2)  # every other row, but not the top one
    ORDER = centre_first(WIDTH)
    ODD = BOTTOM * ((1 << HEIGHT + HEIGHT % 2) // 3)  # rows 1, 3, 5
    CENTRE = ((1 << HEIGHT) - 1) << COLUMN * (WIDTH // 2) | ((1 << HEIGHT) - 1) << COLUMN * ((WIDTH - 1) // 2)
    max_actions = WIDTH
    win = 1
    weights = Weights(open_lines=6, good_threats=57, other_threats=27, centre=9)  # fitted to solved positions

    own: int = 0  # discs of the player to move
    opp: int = 0  # discs of the opponent

    def player(self) -> int:
        return popcount(self.own | self.opp) & 1

    def actions(self) -> Iterator[int]:
        top_row = (self.own | self.opp) >> self.HEIGHT - 1
        for column in self.ORDER:
            if top_row >> self.COLUMN * column & 1:
                continue  # rare: a well-predicted branch is faster here than `if free: yield`
            yield column

    def result(self, column: int) -> "ConnectFour":
        taken = self.own | self.opp
        disc = taken + (1 << self.COLUMN * column) & ~taken  # the sum carries up to the lowest free square
        return ConnectFour(self.opp, self.own | disc)

    def terminal(self) -> bool:
        return self.has_four(self.opp) or self.own | self.opp == self.FULL  # only the last mover can have won

    def utility(self) -> int:
        if not self.has_four(self.opp):
            return 0
        return -1 if self.player() == 0 else 1

    def evaluate(self, weights: Weights = weights) -> int:
        """MAX's minus MIN's: lines of four still open, as on tic-tac-toe's slides; threats; discs in the centre.

        A threat is a free square that would complete four. If both players avoid conceding, MAX ends up filling
        the odd rows and MIN the even ones (zugzwang, Allis 1988), so a threat in one's own rows counts more.
        """
        side = self.player()
        first, second = (self.opp, self.own) if side else (self.own, self.opp)
        mine, others = self.threats(first), self.threats(second)
        return (
            weights.open_lines * (self.open_lines(second) - self.open_lines(first))
            + weights.good_threats * (popcount(mine & self.ODD) - popcount(others & ~self.ODD))
            + weights.other_threats * (popcount(mine & ~self.ODD) - popcount(others & self.ODD))
            + weights.centre * (popcount(first & self.CENTRE) - popcount(second & self.CENTRE))
        )

    # --- exact knowledge for searches ---

    def promising(self) -> Iterator[int]:
        """Only a winning column, if there is one; else those after which the opponent does not win at once."""
        wins = self.next_squares() & self.threats(self.own)
        good = wins & -wins if wins else self.safe_squares()
        for column in self.ORDER:
            if good >> self.COLUMN * column & self.TALL:
                yield column

    def order(self, column: int) -> int:
        """The number of squares that would complete four after the move."""
        taken = self.own | self.opp
        disc = taken + (1 << self.COLUMN * column) & ~taken
        return popcount(self.threats(self.own | disc))

    def ceiling(self) -> int:
        """The upper bound for the player to move: -1 a loss, 0 a draw, 1 possibly a win.

        At most a draw, if the opponent can follow up (Allis 1988: claimeven and baseinverse). With an even number
        of squares left, the number of columns with an odd number of free squares is even. The opponent replies in
        the same column if an even number of squares was left in it, else in another odd column; so the player gets
        only the first square of each pair that fills a column, and the lowest free squares of the odd columns.
        """
        moves = self.next_squares()
        if moves & self.threats(self.own):
            return 1
        if not self.safe_squares():
            return -1
        if popcount(self.own | self.opp) + self.WIDTH * self.HEIGHT & 1:
            return 1
        return 1 if self.has_four(self.own | self.FIRST & ~self.opp | moves) else 0

    def key(self) -> int:
        """The own discs, plus a marker bit on top of each column."""
        return self.own | (self.own | self.opp) + self.BOTTOM

    def symmetries(self) -> Iterator[int]:
        """The position and its mirror image."""
        key = self.key()
        image = 0
        for column in range(self.WIDTH):
            image = image << self.COLUMN | key >> self.COLUMN * column & self.TALL
        yield key
        yield image

    def next_squares(self) -> int:
        """The squares where the next disc can land."""
        return (self.own | self.opp) + self.BOTTOM & self.FULL

    def threats(self, discs: int) -> int:
        """The free squares that would complete a line of four of the discs."""
        found = 0
        for step in self.STEPS:
            found |= completing(discs, step)
        return found & self.FULL & ~(self.own | self.opp)

    def safe_squares(self) -> int:
        """The squares for the next disc after which the opponent does not win at once."""
        moves = self.next_squares()
        threats = self.threats(self.opp)
        forced = moves & threats
        if forced:
            moves = forced if forced & forced - 1 == 0 else 0  # two threats cannot both be stopped
        return moves & ~(threats >> 1)

    def has_four(self, discs: int) -> bool:
        found = 0
        for step in self.STEPS:
            found |= fours(discs, step)
        return found != 0

    def open_lines(self, discs: int) -> int:
        """The number of lines of four without these discs, which the other player may still fill."""
        return sum(popcount(fours(self.FULL & ~discs, step)) for step in self.STEPS)

    def sample(self, random: int) -> int:
        """A random column that is not full, by rejection sampling."""
        top_row = (self.own | self.opp) >> self.HEIGHT - 1
        column = (random & 0xFFFFFFFF) * self.WIDTH >> 32
        while top_row >> self.COLUMN * column & 1:
            random = wrap(random * 6364136223846793005 + 1442695040888963407)  # Knuth's generator for 64 bits
            column = shr(random, 32) * self.WIDTH >> 32
        return column

    # --- what a network sees, and its answers ---

    plane_shape = (2, WIDTH, COLUMN)  # a row of cells is a column of the board, including its empty bit
    policy_size = WIDTH

    def planes(self) -> Iterator[int]:
        """The mover's discs, then the opponent's."""
        yield self.own
        yield self.opp

    def policy_index(self, column: int) -> int:
        return column

    # --- text ---

    def __str__(self) -> str:
        """Rows from the top and the player to move: `......./......./......./......./...O.../...X... x`."""
        return f"{'/'.join(self.rows())} {'xo'[self.player()]}"

    @classmethod
    def parse(cls, text: str) -> "ConnectFour":
        """The position that `str` wrote (the player to move is optional), or the one after the moves `4435`."""
        text = text.strip().lower()
        return cls.parse_moves(text) if text.isdecimal() else cls.parse_rows(text)

    @classmethod
    def parse_moves(cls, text: str) -> "ConnectFour":
        state = cls()
        for number, column in enumerate(map(int, text), start=1):
            if state.terminal():
                raise ValueError(f"the game {text} is over before its move {number}")
            if column - 1 not in state.actions():
                raise ValueError(f"column {column} is full or off the board at move {number} of {text}")
            state = state.result(column - 1)
        return state

    @classmethod
    def parse_rows(cls, text: str) -> "ConnectFour":
        board, _, mover = text.partition(" ")
        rows = board.split("/")
        if [len(row) for row in rows] != [cls.WIDTH] * cls.HEIGHT or set(board) - set("xo./"):
            raise ValueError(
                f"not a position of Connect Four: {text!r}; write {cls.HEIGHT} rows like {'.' * cls.WIDTH}, "
                "top row first, with / between them, or the columns played, like 4435"
            )
        columns = ["".join(column) + "." for column in zip(*reversed(rows), strict=True)]
        x, o = (sum(1 << i for i, disc in enumerate("".join(columns)) if disc == side) for side in "xo")
        ahead = popcount(x) - popcount(o)
        if ahead not in (0, 1):
            raise ValueError(f"impossible: {popcount(x)} X and {popcount(o)} O; X begins and they alternate")
        if mover.strip() not in ("", "xo"[ahead]):
            raise ValueError(f"{text!r} ends in {mover!r}, but by its discs {'XO'[ahead]} is to move")
        if (x | o) & (x | o) + cls.BOTTOM:
            raise ValueError(f"impossible: a disc of {text!r} hangs over an empty square")
        state = cls(o, x) if ahead else cls(x, o)
        if state.has_four(state.own):
            raise ValueError(f"impossible: {'XO'[ahead]} has won, yet is to move")
        return state

    def board_text(self, board: Board, player: int) -> str:
        return f"{'/'.join(board.rows).replace(' ', '.')} {'xo'[player]}"

    def action_text(self, column: int) -> str:
        return str(column + 1)

    def rows(self) -> list[str]:
        """The rows in text, the top one first."""
        own, opp = "XO" if self.player() == 0 else "OX"
        every = range(self.WIDTH * self.COLUMN)
        discs = "".join(own if self.own >> i & 1 else opp if self.opp >> i & 1 else "." for i in every)
        return [discs[row :: self.COLUMN] for row in reversed(range(self.HEIGHT))]

    def board(self) -> Board:
        if self.terminal():
            note = {1: "X wins", 0: "draw", -1: "O wins"}[self.utility()]
        else:
            note = f"{'XO'[self.player()]} to move"
        rows = tuple(row.replace(".", " ") for row in self.rows())
        files = tuple(str(c + 1) for c in range(self.WIDTH))
        shapes, marks = {"X": "disc", "O": "disc"}, in_line(rows, 4)
        return Board(
            rows, files=files, owners=("X", "O"), note=note, style="frame", shapes=shapes, marks=marks
        )
