"""How simulations play Go, so that a game's end says something about its beginning.

A move is looked for near the last one, in this order: take the stones that have just run into atari (one liberty
is left to them), save what has just been put into atari, a point with a good 3x3 pattern. Elsewhere any point will
do that is no eye of one's own and puts no others into atari. Who finds nothing passes.
"""

from typing import TYPE_CHECKING

from outplay.bits import bits, shr, wrap
from outplay.games.go.patterns import GOOD
from outplay.games.go.points import (
    Points,
    add,
    both,
    either,
    first,
    meet,
    nth,
    remove,
    size,
    some,
    within,
)
from outplay.games.go.shapes import surroundings

if TYPE_CHECKING:
    from outplay.games.go.position import Go

NOWHERE = -1
STEP, SHIFT = 6364136223846793005, 1442695040888963407  # of the random numbers that are made from given ones


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
    """The moves that answer an atari near the last move."""
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
    """The moves that take stones beside the group of a stone."""
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
    """The points round the last move where a stone makes a good shape."""
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
    """The liberties of the group of a stone; not all of them where there are more than one."""
    group = add(state.NONE, stone)
    while True:
        around = state.spread(group)
        liberties = both(around, empty)
        more = either(group, both(around, stones))
        if size(liberties) > 1 or more == group:
            return liberties
        group = more


def is_safe(state: "Go", point: int, empty: Points) -> bool:
    """Whether a stone on an empty point is not in atari there: it has two liberties, or takes something."""
    near = state.near(point)
    if size(both(near, empty)) > 1:
        return True
    left = remove(empty, point)
    if size(some_liberties(state, add(state.own, point), point, left)) > 1:
        return True
    return some(state.captured(state.opp, left, near))


def anywhere(state: "Go", empty: Points, random: int) -> int:
    """A point, drawn until it is a good one; points that are no good are not drawn again."""
    count = size(empty)
    while count > 0:
        point = nth(empty, shr((random & 0xFFFFFFFF) * count, 32))
        if is_sensible(state, point):
            return point
        empty = remove(empty, point)
        count -= 1
        random = wrap(random * STEP + SHIFT)
        random ^= shr(random, 32)
    return state.PASS


def is_sensible(state: "Go", point: int) -> bool:
    """Whether a stone may be placed there, and neither fills an eye nor puts others into atari with it."""
    near = state.near(point)
    if point == state.ko or within(near, state.own) and is_eye(state, point):
        return False
    empty = state.empty()
    if not meet(near, state.own) and meet(near, empty):
        return True  # alone it may be thrown in
    return is_safe(state, point, empty)


def is_eye(state: "Go", point: int) -> bool:
    """Whether a point with own stones all round cannot be made a false eye: the other has few of its diagonals."""
    corners = both(state.diagonals(point), state.opp)
    return size(corners) + state.EDGE[point] < 2


def one_of(points: Points, random: int) -> int:
    """Any point of a set."""
    return nth(points, shr((random & 0xFFFFFFFF) * size(points), 32))


# --- before a move is tried in the tree ---------------------------------------------------------------------


def prior(state: "Go", action: int) -> int:
    """What a move seems to be worth, in percent."""
    if action == state.PASS:
        return 40 if state.passes == 1 else 5
    near, empty = state.near(action), state.empty()
    if within(near, state.own) and is_eye(state, action):
        return 0
    value = 50
    if some(state.captured(state.opp, remove(empty, action), near)):
        value += 30
    elif not is_safe(state, action, empty):
        value -= 35
    elif saves(state, action, empty):
        value += 25
    if is_good_shape(state, action):
        value += 10
    if state.last >= 0 and state.last != state.PASS:
        value += nearness(state, action)
    return min(max(value - remoteness(state, action), 0), 100)


def saves(state: "Go", point: int, empty: Points) -> bool:
    """Whether a stone on a point takes one of the mover's groups out of atari."""
    joined = both(state.near(point), state.own)
    for i in range(state.WORDS):
        for place in bits(joined[i]):
            if size(some_liberties(state, state.own, 64 * i + place, empty)) == 1:
                return True
    return False


def nearness(state: "Go", point: int) -> int:
    """More for the points round the last move."""
    rows = abs(point // state.SIZE - state.last // state.SIZE)
    columns = abs(point % state.SIZE - state.last % state.SIZE)
    return (0, 12, 10, 6, 3)[rows + columns] if rows + columns < 5 else 0


def remoteness(state: "Go", point: int) -> int:
    """More for the edge, where no stone is near."""
    last = state.SIZE - 1
    row, column = point // state.SIZE, point % state.SIZE
    line = min(row, column, last - row, last - column)
    if line > 1 or some(
        both(state.spread(either(state.near(point), state.diagonals(point))), either(state.own, state.opp))
    ):
        return 0
    return 15 - 10 * line
