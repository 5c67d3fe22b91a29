"""The playout policy for Go, which makes the results of simulations meaningful.

It tries moves near the last one, in this order: capture stones that have just moved into atari (with one liberty
left), save stones that have just been put into atari, play a good 3x3 pattern. Otherwise it plays a random
point that does not fill an own eye and is not self-atari of a group; if there is none, it passes.
"""

from typing import TYPE_CHECKING

from outplay.games.go.patterns import GOOD
from outplay.games.go.points import (
    Points,
    add,
    both,
    either,
    first,
    meet,
    nth,
    other_bits,
    remove,
    size,
    some,
    within,
)
from outplay.games.go.shapes import surroundings
from outplay.words import bits, shr

if TYPE_CHECKING:
    from outplay.games.go.position import Go


def playout(state: "Go", random: int) -> int:
    """An action for a simulation."""
    empty = state.empty()
    if state.last >= 0 and state.last != state.PASS:
        moves = urgent(state, empty)
        if some(moves):
            return one_of(moves, shr(random, 32))
        moves = shapely(state, empty)
        if some(moves):
            point = one_of(moves, shr(random, 32))
            if is_safe(state, point, empty):
                return point
    return anywhere(state, empty, random)


def urgent(state: "Go", empty: Points) -> Points:
    """The replies to an atari near the last move."""
    moves = state.NONE
    liberties = some_liberties(state, state.opp, state.last, empty)
    if size(liberties) == 1:
        moves = liberties
    threatened = both(state.near(state.last), state.own)
    for i in range(state.WORDS):
        for place in bits(threatened[i]):
            liberties = some_liberties(state, state.own, 64 * i + place, empty)
            if size(liberties) == 1:
                if is_safe(state, first(liberties), empty):
                    moves = either(moves, liberties)
                moves = either(moves, rescues(state, 64 * i + place, empty))
    return remove(moves, state.ko) if state.ko >= 0 else moves


def rescues(state: "Go", stone: int, empty: Points) -> Points:
    """The moves that capture stones next to the group of a stone."""
    one = add(state.NONE, stone)
    beside = both(state.spread(either(one, state.reached(state.own, one))), state.opp)
    moves = state.NONE
    for i in range(state.WORDS):
        for place in bits(beside[i]):
            liberties = some_liberties(state, state.opp, 64 * i + place, empty)
            if size(liberties) == 1:
                moves = either(moves, liberties)
    return moves


def shapely(state: "Go", empty: Points) -> Points:
    """The points around the last move where a stone makes a good shape."""
    moves = state.NONE
    near = both(either(state.near(state.last), state.diagonals(state.last)), empty)
    for i in range(state.WORDS):
        for place in bits(near[i]):
            if is_good_shape(state, 64 * i + place):
                moves = add(moves, 64 * i + place)
    return remove(moves, state.ko) if state.ko >= 0 else moves


def is_good_shape(state: "Go", point: int) -> bool:
    pattern = surroundings(state.own, state.opp, state.OUTSIDE[point], point, state.SIZE)
    return shr(GOOD[pattern >> 6], pattern & 63) & 1 != 0


def some_liberties(state: "Go", stones: Points, stone: int, empty: Points) -> Points:
    """The liberties of the group of a stone; possibly not all if there is more than one."""
    group = add(state.NONE, stone)
    while True:
        around = state.spread(group)
        liberties = both(around, empty)
        more = either(group, both(around, stones))
        if size(liberties) > 1 or more == group:
            return liberties
        group = more


def is_safe(state: "Go", point: int, empty: Points) -> bool:
    """Whether a stone on an empty point is not in atari there: it has two liberties, or captures something."""
    near = state.near(point)
    if size(both(near, empty)) > 1:
        return True
    left = remove(empty, point)
    if size(some_liberties(state, add(state.own, point), point, left)) > 1:
        return True
    return some(state.captured(state.opp, left, near))


def anywhere(state: "Go", empty: Points, random: int) -> int:
    """A good point, by rejection sampling without replacement."""
    count = size(empty)
    while count > 0:
        point = nth(empty, shr((random & 0xFFFFFFFF) * count, 32))
        if is_sensible(state, point):
            return point
        empty = remove(empty, point)
        count -= 1
        random = other_bits(random)
    return state.PASS


def is_sensible(state: "Go", point: int) -> bool:
    """Whether a stone may be placed there, and neither fills an eye nor is self-atari of a group."""
    near = state.near(point)
    if point == state.ko or within(near, state.own) and is_eye(state, point):
        return False
    empty = state.empty()
    if not meet(near, state.own) and meet(near, empty):
        return True  # a single stone may be a throw-in
    return is_safe(state, point, empty)


def is_eye(state: "Go", point: int) -> bool:
    """Whether a point surrounded by own stones is a true eye: the opponent has few of its diagonals."""
    corners = both(state.diagonals(point), state.opp)
    return size(corners) + state.EDGE[point] < 2


def one_of(points: Points, random: int) -> int:
    """A random point of a set."""
    return nth(points, shr((random & 0xFFFFFFFF) * size(points), 32))


# --- before a move is tried in the tree ---------------------------------------------------------------------

# How often UCT plays such moves in self-play, compared with any move: 8 times the logarithm.
BY_DISTANCE = (0, 16, 8, 2, -2, -5, -7)  # from the last move; beyond, as the last one
BY_LINE = (-5, 0, 6, 10, 14)  # from the edge; beyond, as the last one
LONELY_LINE = (-40, -19, -2)  # if no stone is near; further in as above
CAPTURE, MORE_STONES, RESCUE, ATARI, SHAPE, PLAIN = 16, 3, 21, 13, 15, -6


def prior(state: "Go", action: int) -> int:
    """The estimated winning chance of a move, in percent."""
    if action == state.PASS:
        return 40 if state.passes == 1 else 5
    near, empty = state.near(action), state.empty()
    if within(near, state.own) and is_eye(state, action):
        return 0
    value = 50 + by_line(state, action) + by_tactics(state, action, near, empty)
    if is_good_shape(state, action):
        value += SHAPE
    if state.last >= 0 and state.last != state.PASS:
        rows = abs(action // state.SIZE - state.last // state.SIZE)
        columns = abs(action % state.SIZE - state.last % state.SIZE)
        value += BY_DISTANCE[min(rows + columns, len(BY_DISTANCE) - 1)]
    return min(max(value, 0), 100)


def by_tactics(state: "Go", point: int, near: Points, empty: Points) -> int:
    """The stones captured, saved or threatened by a stone on a point."""
    left = remove(empty, point)
    taken = size(state.captured(state.opp, left, near))
    if taken > 0:
        return CAPTURE + MORE_STONES * min(taken - 1, 2)
    if not is_safe(state, point, empty):
        return 0
    if has_few(state, state.own, near, empty):
        return RESCUE
    return ATARI if has_few(state, state.opp, near, left) else PLAIN


def has_few(state: "Go", stones: Points, near: Points, empty: Points) -> bool:
    """Whether one of the groups that have a stone in `near` has one liberty."""
    touched = both(near, stones)
    for i in range(state.WORDS):
        for place in bits(touched[i]):
            if size(some_liberties(state, stones, 64 * i + place, empty)) == 1:
                return True
    return False


def by_line(state: "Go", point: int) -> int:
    """Less at the edge, above all where no stone is near."""
    last = state.SIZE - 1
    row, column = point // state.SIZE, point % state.SIZE
    line = min(row, column, last - row, last - column)
    around = state.spread(either(state.near(point), state.diagonals(point)))
    if line < len(LONELY_LINE) and not meet(around, either(state.own, state.opp)):
        return LONELY_LINE[line]
    return BY_LINE[min(line, len(BY_LINE) - 1)]
