"""Castling, in chess and in Chess960: where king and rook go, and which squares that needs.

Wherever the two stand on the first rank, the king goes to the c-file and the rook to the d-file when castling
to the left (the a-side), to the g-file and the f-file when castling to the right.
"""

LEFT, RIGHT = (2, 3), (6, 5)  # the files of king and rook afterwards


def _span(a: int, b: int) -> int:
    """The squares of the first rank from a to b, both included."""
    return sum(1 << square for square in range(min(a, b), max(a, b) + 1))


def _empty(king: int, rook: int) -> int:
    """The squares that king and rook cross or reach, without their own."""
    king_to, rook_to = RIGHT if rook > king else LEFT
    return (_span(king, king_to) | _span(rook, rook_to)) & ~(1 << king | 1 << rook)


def _path(king: int, rook: int) -> int:
    """The squares that the king stands on, crosses and reaches."""
    return _span(king, (RIGHT if rook > king else LEFT)[0])


# For a king on file k and a rook on file r: entry 8k + r.
MUST_BE_EMPTY = tuple(_empty(king, rook) for king in range(8) for rook in range(8))
KING_PATH = tuple(_path(king, rook) for king in range(8) for rook in range(8))
