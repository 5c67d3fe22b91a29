"""3x3 patterns: the neighbourhood of a point as a 16-bit number.

Bit i: the mover's stone on neighbour i; bit 8 + i: the opponent's stone; both: off the board.

    5 6 7
    3 . 4
    0 1 2
"""

from collections.abc import Iterable

from outplay.games.go.points import Points
from outplay.words import shr, wrap

STEPS = (
    (-1, -1),
    (-1, 0),
    (-1, 1),
    (0, -1),
    (0, 1),
    (1, -1),
    (1, 0),
    (1, 1),
)  # up, right: to neighbour 0, 1 ...


def outside(side: int) -> tuple[int, ...]:
    """For each point of a board its missing neighbours, bit i for neighbour i."""
    points = [(row, column) for row in range(side) for column in range(side)]
    inside = range(side)
    return tuple(
        sum(
            1 << i
            for i, (up, right) in enumerate(STEPS)
            if row + up not in inside or column + right not in inside
        )
        for row, column in points
    )


def surroundings(own: Points, opp: Points, beyond: int, point: int, side: int) -> int:
    """The pattern around a point; `beyond`: the neighbours off the board."""
    mine, others = ring(own, point, side), ring(opp, point, side)
    return mine | beyond | (others | beyond) << 8


def ring(a: Points, point: int, side: int) -> int:
    """The neighbours of a point that are in a set; bits of missing neighbours are arbitrary."""
    word = 0
    for i in range(len(a)):
        start = point - side - 1 - 64 * i  # in this word; before it, if negative
        word |= shr(a[i], start & 63) * (0 <= start < 64) | (a[i] << (-start & 63)) * (-64 < start < 0)
    word = wrap(word)
    middle = shr(word, side)
    return word & 7 | (middle & 1) << 3 | (middle & 4) << 2 | (shr(word, 2 * side) & 7) << 5


# --- sets of patterns ---------------------------------------------------------------------------------------


def images(pattern: int) -> set[int]:
    """The rotations and reflections of the pattern."""
    places = {step: i for i, step in enumerate(STEPS)}
    found = set()
    for flip in (1, -1):
        for turns in range(4):
            image = 0
            for i, (up, right) in enumerate(STEPS):
                right *= flip
                for _ in range(turns):
                    up, right = right, -up
                image |= (pattern >> i & 1) << places[up, right] | (pattern >> 8 + i & 1) << 8 + places[
                    up, right
                ]
            found.add(image)
    return found


def canonical(pattern: int) -> int:
    """The same number for all images of a pattern."""
    return min(images(pattern))


def table(patterns: Iterable[int]) -> tuple[int, ...]:
    """A set of patterns with all their images, a bit for each of the 65,536 numbers."""
    every = sum(1 << image for image in {image for pattern in patterns for image in images(pattern)})
    return tuple(wrap(every >> 64 * i) for i in range(1024))
