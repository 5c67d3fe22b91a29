"""Games as they are first written, for `python -m bench steps`; and Breakthrough in words of bits beside its own."""

# mypy: disable-error-code="no-untyped-def"

from typing import NamedTuple

from outplay import bits, shr, wrap


class Four(NamedTuple):
    """Connect Four on a tuple of 42 cells."""

    board: tuple = (0,) * 42
    turn: int = 1

    def player(self):
        return 0 if self.turn == 1 else 1

    def actions(self):
        return [c for c in range(7) if self.board[c] == 0]

    def result(self, col):
        b = list(self.board)
        row = 5
        while b[row * 7 + col] != 0:
            row -= 1
        b[row * 7 + col] = self.turn
        return Four(tuple(b), 3 - self.turn)

    def winner(self):
        b = self.board
        for r in range(6):
            for c in range(7):
                p = b[r * 7 + c]
                if p == 0:
                    continue
                for dr, dc in ((0, 1), (1, 0), (1, 1), (1, -1)):
                    r3, c3 = r + 3 * dr, c + 3 * dc
                    if 0 <= r3 < 6 and 0 <= c3 < 7:
                        if all(b[(r + k * dr) * 7 + c + k * dc] == p for k in range(1, 4)):
                            return p
        return 0

    def terminal(self):
        return self.winner() != 0 or 0 not in self.board

    def utility(self):
        w = self.winner()
        return 1 if w == 1 else -1 if w == 2 else 0

    def evaluate(self):
        return 0


class Breakthrough(NamedTuple):
    """Breakthrough on 8x8, a tuple of 64 cells; every move copies the board into a list."""

    board: tuple = (2,) * 16 + (0,) * 32 + (1,) * 16
    turn: int = 1

    def player(self):
        return self.turn - 1

    def actions(self):
        moves = []
        step = -1 if self.turn == 1 else 1
        for sq in range(64):
            if self.board[sq] != self.turn:
                continue
            r, c = divmod(sq, 8)
            for dc in (-1, 0, 1):
                if 0 <= c + dc < 8 and 0 <= r + step < 8:
                    target = self.board[(r + step) * 8 + c + dc]
                    if target == 0 or (dc != 0 and target != self.turn):
                        moves.append((sq, (r + step) * 8 + c + dc))
        return moves

    def result(self, move):
        start, end = move
        board = list(self.board)
        board[end] = board[start]
        board[start] = 0
        return Breakthrough(tuple(board), 3 - self.turn)

    def won(self, who):
        goal = self.board[:8] if who == 1 else self.board[56:]
        return who in goal or (3 - who) not in self.board

    def terminal(self):
        return self.won(1) or self.won(2)

    def utility(self):
        return 1 if self.won(1) else -1

    def evaluate(self):
        return self.board.count(1) - self.board.count(2)


FILES = 0x0101010101010101
NOT_A, NOT_H = ~FILES, wrap(~(FILES << 7))
FIRST, LAST = 0xFF, -(1 << 56)


class PackedBreakthrough(NamedTuple):
    """The same in two words of bits, as our own games are written."""

    white: int = -(1 << 48)  # rows 6 and 7
    black: int = 0xFFFF
    turn: int = 1

    def player(self):
        return self.turn - 1

    def actions(self):
        own = self.white if self.turn == 1 else self.black
        other = self.black if self.turn == 1 else self.white
        free = ~(own | other)
        if self.turn == 1:
            targets = (
                (shr(own & NOT_A, 9) & ~own, 9),
                (shr(own, 8) & free, 8),
                (shr(own & NOT_H, 7) & ~own, 7),
            )
        else:
            targets = ((own & NOT_A) << 7 & ~own, -7), (own << 8 & free, -8), ((own & NOT_H) << 9 & ~own, -9)
        for places, back in targets:
            for end in bits(places):
                yield (end + back) * 64 + end

    def result(self, move):
        start, end = 1 << move // 64, 1 << move % 64
        if self.turn == 1:
            return PackedBreakthrough((self.white ^ start) | end, self.black & ~end, 2)
        return PackedBreakthrough(self.white & ~end, (self.black ^ start) | end, 1)

    def terminal(self):
        return self.white & FIRST != 0 or self.black & LAST != 0 or self.white == 0 or self.black == 0

    def utility(self):
        return 1 if self.white & FIRST != 0 or self.black == 0 else -1

    def evaluate(self):
        return self.white.bit_count() - self.black.bit_count()


class TicTacToe(NamedTuple):
    """Tic-tac-toe on a text of nine characters."""

    board: str = "         "
    turn: str = "X"

    LINES = ((0, 1, 2), (3, 4, 5), (6, 7, 8), (0, 3, 6), (1, 4, 7), (2, 5, 8), (0, 4, 8), (2, 4, 6))

    def player(self):
        return 0 if self.turn == "X" else 1

    def actions(self):
        return [i for i in range(9) if self.board[i] == " "]

    def result(self, i):
        board = self.board[:i] + self.turn + self.board[i + 1 :]
        return TicTacToe(board, "O" if self.turn == "X" else "X")

    def wins(self, who):
        return any(all(self.board[i] == who for i in line) for line in self.LINES)

    def terminal(self):
        return self.wins("X") or self.wins("O") or " " not in self.board

    def utility(self):
        return 1 if self.wins("X") else -1 if self.wins("O") else 0
