"""Peg solitaire on a triangle of fifteen holes: a game of one player. Try `outplay best examples/pegs.py`.

A game of one says `players = 1`; its utility is the player's own, and every search looks for the greatest.
"""

from typing import NamedTuple

# The holes are numbered row by row from the top: 0, 1-2, 3-5, 6-9, 10-14.
ROW = (0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 4)
FIRST = (0, 1, 3, 6, 10)


def hole(row, place):
    """The hole at a place of a row; -1 off the board."""
    return FIRST[row] + place if 0 <= row < 5 and 0 <= place <= row else -1


def jumps():
    """(from, over, to) for every jump that the board has, in six directions."""
    for start in range(15):
        row, place = ROW[start], start - FIRST[ROW[start]]
        for down, right in ((0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (-1, -1)):
            over, target = hole(row + down, place + right), hole(row + 2 * down, place + 2 * right)
            if target >= 0:
                yield start, over, target


JUMPS = tuple(jumps())
FROM = tuple(1 << start for start, _, _ in JUMPS)
OVER = tuple(1 << over for _, over, _ in JUMPS)
TO = tuple(1 << target for _, _, target in JUMPS)


class Pegs(NamedTuple):
    """Jump over a peg into an empty hole and take it away; take as many as you can."""

    players = 1
    points = True
    win = 13  # pegs taken: one is left
    pegs: int = 0b111111111111110  # bit i: a peg in hole i

    def player(self):
        return 0

    def actions(self):
        for jump in range(len(JUMPS)):
            if self.pegs & FROM[jump] and self.pegs & OVER[jump] and not self.pegs & TO[jump]:
                yield jump

    def result(self, jump):
        return Pegs(self.pegs ^ FROM[jump] ^ OVER[jump] ^ TO[jump])

    def utility(self):
        return 14 - self.pegs.bit_count()

    def action_text(self, jump):
        start, _, target = JUMPS[jump]
        return f"{start}-{target}"
