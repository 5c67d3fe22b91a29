"""The checkers of one side, as four bit planes: a point's number of checkers is in binary across the planes.

Points are numbered from the owner's view: 1 to 6 are the home board, 24 is the farthest, 25 the bar. Bit p of plane k
is bit k of the number on point p. Checkers that were borne off are not represented.
"""

from outplay.words import bswap, popcount, shr

Side = tuple[int, int, int, int]
BAR = 25
HOME = 0x7E  # points 1 to 6
FAR_HOME = 0x3F8_0000  # the opponent's home board, and the bar
NOBODY = (0, 0, 0, 0)
PLACES = (0x2AA_AAAA, 0xCC_CCCC, 0xF0_F0F0, 0x300_FF00, 0x3FF_0000)  # the points whose number has bit k set


def occupied(a: Side) -> int:
    """The points with a checker."""
    return a[0] | a[1] | a[2] | a[3]


def made(a: Side) -> int:
    """The points with two or more checkers, where the other side cannot land."""
    return a[1] | a[2] | a[3]


def single(a: Side) -> int:
    """The points with one checker, a blot."""
    return a[0] & ~made(a)


def number(a: Side, point: int) -> int:
    """The number of checkers on a point."""
    return a[0] >> point & 1 | (a[1] >> point & 1) << 1 | (a[2] >> point & 1) << 2 | (a[3] >> point & 1) << 3


def total(a: Side) -> int:
    """The number of checkers not borne off."""
    return popcount(a[0]) + 2 * popcount(a[1]) + 4 * popcount(a[2]) + 8 * popcount(a[3])


def pips(a: Side) -> int:
    """The pip count."""
    count = 0
    for k in range(4):
        for place in range(5):
            count += popcount(a[k] & PLACES[place]) << k + place
    return count


def add(a: Side, point: int) -> Side:
    """The side with one checker more on a point."""
    one = 1 << point
    two = a[0] & one
    four = a[1] & two
    eight = a[2] & four
    return (a[0] ^ one, a[1] ^ two, a[2] ^ four, a[3] ^ eight)


def remove(a: Side, point: int) -> Side:
    """The side with one checker less on a point."""
    one = 1 << point
    two = one & ~a[0]
    four = two & ~a[1]
    eight = four & ~a[2]
    return (a[0] ^ one, a[1] ^ two, a[2] ^ four, a[3] ^ eight)


def across(points: int) -> int:
    """A set of points in the other side's numbering: p becomes 25 - p."""
    points = points >> 1 & 0x55555555 | (points & 0x55555555) << 1
    points = points >> 2 & 0x33333333 | (points & 0x33333333) << 2
    points = points >> 4 & 0x0F0F0F0F | (points & 0x0F0F0F0F) << 4
    return shr(bswap(points), 38)
