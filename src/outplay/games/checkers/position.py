"""Checkers, which is English draughts: the game of Samuel's learner (1959) and of Chinook (2007: a draw)."""

import re
from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import Board, Weights
from outplay.games.checkers import endgames
from outplay.words import bits, lsb, nth, popcount

SQUARES = 0x7_FBFD_FEFF  # the 32 bits that are squares
BACK_ROWS = 0x7_8000_000F  # a man on one of them is on its own back row: on the far one it is crowned
FAR_ROW = (0x7_8000_0000, 0xF)  # of Black, and of White
ROWS = (  # from Black's side, then from White's
    *(0xF, 0xF0, 0x1E00, 0x1_E000, 0x3C_0000, 0x3C0_0000, 0x7800_0000, 0x7_8000_0000),
    *(0x7_8000_0000, 0x7800_0000, 0x3C0_0000, 0x3C_0000, 0x1_E000, 0x1E00, 0xF0, 0xF),
)
CENTRE = 0x198_CC00  # squares 10, 11, 14, 15, 18, 19, 22, 23
SIDES = ("Black", "White")


class Checkers(NamedTuple):
    """English draughts: Black moves first, jumps are compulsory, whoever cannot move loses.

    Men step and jump forward, kings both ways. A jump continues as long as the piece can jump, and all of it is
    one action; the player may choose among several jumps. A man that reaches the far row is crowned, and its move ends.
    The game is drawn after QUIET plies without a capture or a man's move.

    The board is Samuel's: bits 8, 17 and 26 are unused, so that a step down is a shift by 4 or 5 from any
    square, and a step over the edge hits an unused bit. In the notation the squares are numbered 1 to 32.

            bit                            number
                0   1   2   3                  1   2   3   4      Black's side, moves down
              4   5   6   7                  5   6   7   8
           8    9  10  11  12                  9  10  11  12
             13  14  15  16                 13  14  15  16
          17   18  19  20  21                 17  18  19  20
             22  23  24  25                 21  22  23  24
          26   27  28  29  30                 25  26  27  28
             31  32  33  34                 29  30  31  32        White's side, moves up

    An action packs the from-square (bits 0-5), the to-square (bits 6-11), the direction of each jump (from bit
    12, two bits each, at most nine) and the captured pieces (each at 30 + its own bit).
    """

    QUIET = 80  # forty moves by each side
    max_actions = 48  # twelve kings with four steps each; there are never that many jumps
    win = 1
    weights = Weights(  # in hundredths of a man; fitted to the results of self-play games
        men=105,
        kings=134,
        rows=(13, 0, -3, -2, 1, -1, 18),
        centre=-8,
        central_kings=6,
        mobility=4,
        turn=0,
    )

    own: int = 0x1EFF  # pieces of the player to move
    opp: int = 0x7_FBC0_0000
    kings: int = 0  # of both players
    turn: int = 0  # 0: Black, 1: White
    quiet: int = 0  # plies since the last capture or man's move

    def player(self) -> int:
        return self.turn

    def actions(self) -> Iterator[int]:
        if self.quiet >= self.QUIET:
            return
        down, up, empty = self.down(), self.up(), self.empty()
        jumping = jumpers(down, up, self.opp, empty)
        for square in bits(jumping):
            piece = 1 << square
            yield from jumps(piece, down & piece, up & piece, self.opp, empty | piece, square, 12)
        if not jumping:
            for square in bits(down & empty >> 4):
                yield square | square + 4 << 6
            for square in bits(down & empty >> 5):
                yield square | square + 5 << 6
            for square in bits(up & empty << 4):
                yield square | square - 4 << 6
            for square in bits(up & empty << 5):
                yield square | square - 5 << 6

    def result(self, action: int) -> "Checkers":
        left, reached, captured = 1 << (action & 63), 1 << (action >> 6 & 63), action >> 30
        king = self.kings & left != 0
        kings = self.kings & ~(left | captured)
        if king or reached & BACK_ROWS:
            kings |= reached
        quiet = self.quiet + 1 if king and not captured else 0
        return Checkers(self.opp ^ captured, self.own & ~left | reached, kings, 1 - self.turn, quiet)

    def sample(self, random: int) -> int:
        """A random action; steps are drawn without a list.

        A word has the steps by 4 and, 31 bits higher, those by 5: indexed by the square closer to Black's side.
        """
        down, up, empty = self.down(), self.up(), self.empty()
        if jumpers(down, up, self.opp, empty):
            return self.any_jump(random)
        steps = down & empty >> 4 | (down & empty >> 5) << 31
        steps_up = up >> 4 & empty | (up >> 5 & empty) << 31
        n = (random & 0xFFFFFFFF) * (popcount(steps) + popcount(steps_up)) >> 32
        upwards = n >= popcount(steps)
        place = nth(steps_up, n - popcount(steps)) if upwards else nth(steps, n)
        near, far = place % 31, place % 31 + 4 + place // 31
        return far | near << 6 if upwards else near | far << 6

    def any_jump(self, random: int) -> int:
        """A random jump from the list; usually there is only one."""
        count = last = 0
        for action in self.actions():
            last = action
            count += 1
        chosen = (random & 0xFFFFFFFF) * count >> 32
        if chosen < count - 1:
            for action in self.actions():
                if chosen == 0:
                    return action
                chosen -= 1
        return last

    def terminal(self) -> bool:
        return self.quiet >= self.QUIET or not self.can_move()

    def utility(self) -> int:
        if self.can_move():
            return 0
        return 1 if self.turn else -1

    def evaluate(self, weights: Weights = weights) -> int:
        """A sum of terms in the manner of Samuel (1959), whose first is the piece advantage."""
        value = self.side(weights, self.own, self.turn) - self.side(weights, self.opp, 1 - self.turn)
        return -value - weights.turn if self.turn else value + weights.turn

    def noisy(self) -> Iterator[int]:
        """Jumps: they are compulsory, so a position is evaluated only when there are none."""
        if jumpers(self.down(), self.up(), self.opp, self.empty()):
            yield from self.actions()

    def irreversible(self, action: int) -> bool:
        """Whether the action is a jump or a man's move; the quiet plies are counted from there."""
        return action >> 30 != 0 or self.kings >> (action & 63) & 1 == 0

    def family(self) -> int:
        """The kings and men of both sides."""
        return endgames.family(self)

    def slots(self) -> int:
        return endgames.slots(self)

    def slot(self) -> int:
        """The position's index among all with the same pieces, seen from the player to move."""
        return endgames.slot(self)

    def slot_state(self, slot: int) -> "Checkers":
        return endgames.slot_state(self, slot)

    @classmethod
    def families(cls, text: str) -> "dict[str, Checkers]":
        """`KKvKM` with everything it leads to, or `4`: all endgames with up to four pieces."""
        return {name: cls(*fields) for name, fields in endgames.families(text).items()}

    def down(self) -> int:
        """The mover's pieces that may go down the board."""
        return self.own if self.turn == 0 else self.own & self.kings

    def up(self) -> int:
        """The mover's pieces that may go up the board."""
        return self.own if self.turn == 1 else self.own & self.kings

    def empty(self) -> int:
        return SQUARES & ~(self.own | self.opp)

    def can_move(self) -> bool:
        down, up, empty = self.down(), self.up(), self.empty()
        steps = down & (empty >> 4 | empty >> 5) | up & (empty << 4 | empty << 5)
        return steps | jumpers(down, up, self.opp, empty) != 0

    def side(self, weights: Weights, pieces: int, side: int) -> int:
        """The value of a side's pieces.

        Men count by the row they have reached: on their own back row they keep the other side from crowning.
        Pieces in the centre reach more of the board; mobility is the number of available steps.
        """
        men, kings, empty = pieces & ~self.kings, pieces & self.kings, self.empty()
        down, up = (kings, pieces) if side else (pieces, kings)
        steps = popcount(down & empty >> 4) + popcount(down & empty >> 5)
        steps += popcount(up & empty << 4) + popcount(up & empty << 5)
        value = weights.men * popcount(men) + weights.kings * popcount(kings) + weights.mobility * steps
        for row in range(7):
            value += weights.rows[row] * popcount(men & ROWS[8 * side + row])
        return (
            value + weights.centre * popcount(men & CENTRE) + weights.central_kings * popcount(kings & CENTRE)
        )

    def __str__(self) -> str:
        """PDN's FEN, with the quiet plies if there are any: `B:W18,24,27,28,K10:B12,16,20,K22:H7`."""
        black, white = (self.opp, self.own) if self.turn else (self.own, self.opp)
        sides = f"{'BW'[self.turn]}:W{self._listed(white)}:B{self._listed(black)}"
        return f"{sides}:H{self.quiet}" if self.quiet else sides

    def _listed(self, pieces: int) -> str:
        men = [f"{number(square)}" for square in bits(pieces & ~self.kings)]
        return ",".join(men + [f"K{number(square)}" for square in bits(pieces & self.kings)])

    @classmethod
    def parse(cls, text: str) -> "Checkers":
        """The inverse of str; also reads ranges (`W21-32`), White's pieces last, and a final full stop."""
        match = re.fullmatch(r"([BW]):([BW])([^:]*):([BW])([^:]*)(?::H(\d{1,9}))?", text.strip(" ."))
        if not match or match[2] == match[4]:
            raise ValueError(f"not a checkers position: {text!r}; write it as {cls()}")
        kings, pieces = 0, {}
        for colour, listed in (match.group(2, 3), match.group(4, 5)):
            men, crowned = _read_pieces(listed)
            if men & FAR_ROW["BW".index(colour)]:
                raise ValueError(f"{text!r}: a man on the far row is a king; write K before its number")
            if popcount(men | crowned) > 12:
                raise ValueError(f"{text!r}: a side has at most 12 pieces")
            pieces[colour], kings = men | crowned, kings | crowned
        for square in bits(pieces["B"] & pieces["W"]):
            raise ValueError(f"{text!r}: Black and White are both on {number(square)}")
        quiet = int(match[6] or 0)
        if quiet > cls.QUIET:
            raise ValueError(
                f"{text!r}: the game is drawn after {cls.QUIET} quiet plies; H{quiet} is too many"
            )
        turn = "BW".index(match[1])
        return cls(pieces["BW"[turn]], pieces["WB"[turn]], kings, turn, quiet)

    def board_text(self, board: Board, player: int) -> str:
        listed: dict[str, list[str]] = {"b": [], "w": []}
        for (r, c), name in board.names.items():
            if (piece := board.rows[r][c]) != " ":
                listed[piece.lower()].append("K" * piece.isupper() + name)
        return f"{'BW'[player]}:W{','.join(listed['w'])}:B{','.join(listed['b'])}"

    def action_text(self, action: int) -> str:
        """`11-15` for a step, `15x22x31` for a jump with every square that it touches."""
        square, captured = 1 << (action & 63), action >> 30
        if not captured:
            return f"{number(action & 63)}-{number(action >> 6 & 63)}"
        path = [square]
        for jump in range(popcount(captured)):
            way = action >> 12 + 2 * jump & 3
            path.append(step(step(path[-1], way), way))
        return "x".join(f"{number(lsb(square))}" for square in path)

    def board(self) -> Board:
        black, white = (self.opp, self.own) if self.turn else (self.own, self.opp)
        rows = []
        for row in range(8):
            cells = [" "] * 8
            for column in range(4):
                square = bit(4 * row + column + 1)
                symbol = "b" if black >> square & 1 else "w" if white >> square & 1 else " "
                cells[2 * column + 1 - row % 2] = symbol.upper() if self.kings >> square & 1 else symbol
            rows.append("".join(cells))
        names = SIDES
        note = f"{names[self.turn]} to move" if self.can_move() else f"{names[1 - self.turn]} wins"
        note += f", {self.quiet} quiet plies" if self.quiet else ""
        ranks = tuple(f"{4 * row + 1}" for row in range(8))  # the number of each row's first square
        return Board(
            tuple(rows),
            ranks,
            owners=("bB", "wW"),
            checkered=True,
            note=note,
            shapes={"b": "black man", "B": "black crown", "w": "white man", "W": "white crown"},
            sides=SIDES,
            names={
                (row, 2 * column + 1 - row % 2): f"{4 * row + column + 1}"
                for row in range(8)
                for column in range(4)
            },
        )


def jumpers(down: int, up: int, opp: int, empty: int) -> int:
    """The pieces that can jump, out of those that may go down and those that may go up."""
    return down & (opp >> 4 & empty >> 8 | opp >> 5 & empty >> 10) | up & (
        opp << 4 & empty << 8 | opp << 5 & empty << 10
    )


def jumps(piece: int, down: int, up: int, opp: int, empty: int, action: int, shift: int) -> Iterator[int]:
    """Every complete jump of the piece that continues from here; down and up are the directions it may go (0: not).

    A piece that was jumped stays on the board until the end but is not jumped again: it leaves `opp` without
    entering `empty`. A crowned man has no forward jump left, so its move ends there.
    """
    for way in range(0 if down else 2, 4 if up else 2):
        over = step(piece, way) & opp
        landing = step(over, way) & empty
        if landing:
            longer = action | way << shift | over << 30
            if jumpers(landing if down else 0, landing if up else 0, opp ^ over, empty):
                yield from jumps(landing, down, up, opp ^ over, empty, longer, shift + 2)
            else:
                yield longer | lsb(landing) << 6


def step(squares: int, way: int) -> int:
    """The squares one step away: directions 0 and 1 go down, 2 and 3 up."""
    shift = 4 + (way & 1)
    return squares >> shift if way & 2 else squares << shift


def bit(number: int) -> int:
    """The bit of the square with this number in the notation."""
    return (number - 1) * 9 // 8


def number(bit: int) -> int:
    """The number in the notation of the square at this bit."""
    return bit - bit // 9 + 1


def _read_pieces(listed: str) -> tuple[int, int]:
    """The men and the kings of a list such as `12,16,K22,29-32`."""
    men = kings = 0
    for item in filter(None, listed.split(",")):
        match = re.fullmatch(r"\s*(K?)(\d{1,2})(?:-(\d{1,2}))?\s*", item)
        first, last = (int(match[2]), int(match[3] or match[2])) if match else (0, 0)
        if not (match and 1 <= first <= last <= 32):
            raise ValueError(
                f"{item!r} is not a piece: write a square from 1 to 32, with K before it for a king"
            )
        for square in range(first, last + 1):
            if (men | kings) >> bit(square) & 1:
                raise ValueError(f"square {square} is given twice")
            if match[1]:
                kings |= 1 << bit(square)
            else:
                men |= 1 << bit(square)
    return men, kings
