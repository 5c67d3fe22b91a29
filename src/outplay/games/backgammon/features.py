"""The input of a value net for backgammon: the 198 inputs of TD-Gammon (Tesauro 1992).

Each point has four inputs per side: whether there is a checker, a second, a third, and half the number of further
ones. Then follow each side's checkers on the bar (halved) and off (as a share of all), and two inputs for the side to
move. The board is seen from the side on roll, so that these last two are always 1 and 0: the net need not learn
everything twice.
"""

from collections.abc import Iterator

from outplay.game import feature
from outplay.games.backgammon.side import BAR, Side, number, occupied, total
from outplay.words import bits

COUNT = 198
SIDE = 96  # inputs of a side's points
BARS, OFF, TURN = 192, 194, 196  # the offsets of the other inputs
INNER = (1 << BAR) - 2  # points 1 to 24


def each_input(own: Side, opp: Side, checkers: int) -> Iterator[int]:
    """The nonzero inputs."""
    yield from inputs_of(own, 0, checkers)
    yield from inputs_of(opp, 1, checkers)
    yield feature(TURN, 1, 1)


def inputs_of(a: Side, which: int, checkers: int) -> Iterator[int]:
    """The inputs of one side: 0 is on roll, 1 the other."""
    for point in bits(occupied(a) & INNER):
        place, n = SIDE * which + 4 * (point - 1), number(a, point)
        yield feature(place, 1, 1)
        if n > 1:
            yield feature(place + 1, 1, 1)
        if n > 2:
            yield feature(place + 2, 1, 1)
        if n > 3:
            yield feature(place + 3, n - 3, 2)
    on_bar = number(a, BAR)
    if on_bar:
        yield feature(BARS + which, on_bar, 2)
    off = checkers - total(a)
    if off:
        yield feature(OFF + which, off, checkers)
