"""The legal plays of a roll, one for each resulting position.

A play is one int: the source points, five bits each, the first move in the lowest bits. With LOW_FIRST the smaller die
is moved first. The other side's points do not change during a play, only the mover's do. `standing` are the points
that the mover occupies, `blots` those with one checker; `blocked` are the other side's points and `exposed` its blots,
all in the mover's numbering.

With two different dice, most plays can be made in either order; they are listed with the greater die first. The smaller
goes first only if that leads to another position. Moves of a double are listed from the farthest checker down, an order
in which every play can be made.
"""

from collections.abc import Iterator

from outplay.games.backgammon.side import BAR, HOME, Side, add, occupied, remove
from outplay.words import bits, msb, nth, popcount

LOW_FIRST = 1 << 20
NO_PLAY = 0
MANY = 1 << 20  # more than the number of plays
ON_BAR = 1 << BAR


def sources(standing: int, blocked: int, die: int) -> int:
    """The points from which a die may move a checker.

    The bar comes first. With all checkers home, one may be borne off from the die's own point, or from the highest
    occupied point if that is lower.
    """
    if standing & ON_BAR:
        return ON_BAR & ~(blocked << die)
    found = standing & ~(blocked << die) & (-2 << die)
    if standing and not standing & ~HOME:
        found |= standing & 1 << die
        if standing < 1 << die:
            found |= 1 << msb(standing)
    return found


def moved(standing: int, blots: int, source: int, die: int) -> int:
    """The occupied points after moving one checker."""
    one = 1 << source
    return standing & ~(one & blots) | one >> die & -2


# --- two different dice ---------------------------------------------------------------------------------


def is_run(dice: tuple[int, int], standing: int, blots: int, blocked: int, exposed: int, runner: int) -> bool:
    """Whether one checker may be moved by the greater die and then the smaller without hitting in between."""
    high, low = dice
    landing = runner - high
    if landing < 1 or exposed >> landing & 1 or not sources(standing, blocked, high) >> runner & 1:
        return False
    return sources(moved(standing, blots, runner, high), blocked, low) >> landing & 1 != 0


def high_first(
    dice: tuple[int, int], standing: int, blots: int, blocked: int, exposed: int, first: int
) -> int:
    """The sources for the smaller die after the greater was moved from `first`.

    A checker that would move to `first` is excluded if it might as well run on: that play is listed as its run.
    """
    high, low = dice
    found = sources(moved(standing, blots, first, high), blocked, low)
    if found >> first + low & 1 and is_run(dice, standing, blots, blocked, exposed, first + low):
        found ^= 1 << first + low
    return found


def low_first(
    dice: tuple[int, int], standing: int, blots: int, blocked: int, exposed: int, first: int
) -> int:
    """The sources for the greater die that are possible only after the smaller was moved from `first`.

    After the smaller die bears off a checker, any second move could have come first. A run is excluded if it leads to
    the same position as with the greater die first, which is the case unless it hits in between.
    """
    high, low = dice
    if first <= low:
        return 0
    after = moved(standing, blots, first, low)
    found = sources(after, blocked, high) & ~sources(standing, blocked, high)
    landing = first - low
    if found >> landing & 1 and not exposed >> landing & 1:
        if is_run(dice, standing, blots, blocked, exposed, first):
            found ^= 1 << landing
    return found


def each_pair(dice: tuple[int, int], standing: int, blots: int, blocked: int, exposed: int) -> Iterator[int]:
    """The plays of two different dice: both dice if possible, else the greater, else the smaller, else none."""
    high, low = dice
    highs, lows = sources(standing, blocked, high), sources(standing, blocked, low)
    both = False
    for first in bits(highs):
        for second in bits(high_first(dice, standing, blots, blocked, exposed, first)):
            both = True
            yield first | second << 5
    for first in bits(lows):
        for second in bits(low_first(dice, standing, blots, blocked, exposed, first)):
            both = True
            yield LOW_FIRST | first | second << 5
    if not both:
        if highs:
            yield from bits(highs)
        elif lows:
            for first in bits(lows):
                yield LOW_FIRST | first
        else:
            yield NO_PLAY


def nth_pair(dice: tuple[int, int], standing: int, blots: int, blocked: int, exposed: int, n: int) -> int:
    """The n-th play with both dice; ~(n - their number) if there are not so many."""
    high, low = dice
    for first in bits(sources(standing, blocked, high)):
        found = high_first(dice, standing, blots, blocked, exposed, first)
        if n < popcount(found):
            return first | nth(found, n) << 5
        n -= popcount(found)
    for first in bits(sources(standing, blocked, low)):
        found = low_first(dice, standing, blots, blocked, exposed, first)
        if n < popcount(found):
            return LOW_FIRST | first | nth(found, n) << 5
        n -= popcount(found)
    return ~n


def any_pair(
    dice: tuple[int, int], standing: int, blots: int, blocked: int, exposed: int, random: int
) -> int:
    """A play of two different dice, drawn uniformly with 32 random bits."""
    count = MANY - ~nth_pair(dice, standing, blots, blocked, exposed, MANY)
    if count:
        return nth_pair(dice, standing, blots, blocked, exposed, random * count >> 32)
    highs, lows = sources(standing, blocked, dice[0]), sources(standing, blocked, dice[1])
    if highs:
        return nth(highs, random * popcount(highs) >> 32)
    if lows:
        return LOW_FIRST | nth(lows, random * popcount(lows) >> 32)
    return NO_PLAY


# --- doubles --------------------------------------------------------------------------------------------


def each_double(side: Side, blocked: int, die: int, highest: int, left: int, play: int) -> Iterator[int]:
    """The plays of `left` more moves from `highest` or lower, encoded above the moves already made."""
    shift = 5 * (play > 0) + 5 * (play > 31) + 5 * (play > 1023)
    for source in bits(sources(occupied(side), blocked, die) & (2 << highest) - 1):
        if left == 1:
            yield play | source << shift
        else:
            after = after_move(side, source, die)
            yield from each_double(after, blocked, die, source, left - 1, play | source << shift)


def nth_double(side: Side, blocked: int, die: int, highest: int, left: int, n: int) -> int:
    """The n-th of these plays; ~(n - their number) if there are not so many."""
    found = sources(occupied(side), blocked, die) & (2 << highest) - 1
    if left == 1:
        return nth(found, n) if n < popcount(found) else ~(n - popcount(found))
    for source in bits(found):
        play = nth_double(after_move(side, source, die), blocked, die, source, left - 1, n)
        if play >= 0:
            return source | play << 5
        n = ~play
    return ~n


def after_move(side: Side, source: int, die: int) -> Side:
    """A side's checkers after moving one."""
    side = remove(side, source)
    return add(side, source - die) if source > die else side


def most_moves(side: Side, blocked: int, die: int) -> int:
    """The number of moves of a double that can be made, at most four."""
    for left in (4, 3, 2, 1):
        if nth_double(side, blocked, die, BAR, left, 0) >= 0:
            return left
    return 0


def each_of_double(side: Side, blocked: int, die: int) -> Iterator[int]:
    """The plays of a double: as many moves as possible."""
    most = most_moves(side, blocked, die)
    if most == 0:
        yield NO_PLAY
    else:
        yield from each_double(side, blocked, die, BAR, most, 0)


def any_double(side: Side, blocked: int, die: int, random: int) -> int:
    """A play of a double, drawn uniformly with 32 random bits."""
    for left in (4, 3, 2, 1):
        count = MANY - ~nth_double(side, blocked, die, BAR, left, MANY)
        if count:
            return nth_double(side, blocked, die, BAR, left, random * count >> 32)
    return NO_PLAY
