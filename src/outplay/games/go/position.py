"""Go with Tromp-Taylor rules: area scoring and positional superko, on boards up to 19x19."""

import itertools
from collections.abc import Iterator
from typing import NamedTuple

from outplay.game import FORBIDDEN, Board
from outplay.games.go import policy, text
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
    without,
)
from outplay.games.go.shapes import outside
from outplay.words import bits, put, shr, wrap

SIDES = ("Black", "White")
NOWHERE = -1
MIX = -7046029254386353131  # odd, and about 2^64 / golden ratio


def words(points: int, count: int) -> Points:
    """A set given as one long int, as a tuple of words."""
    return tuple(wrap(points >> 64 * i) for i in range(count))


def neighbours(side: int, count: int, steps: tuple[tuple[int, int], ...]) -> tuple[Points, ...]:
    """For each point of a board its neighbours in these directions, as tuples of words."""
    found = []
    for row, column in itertools.product(range(side), repeat=2):
        ends = ((row + up, column + right) for up, right in steps)
        inside = (side * y + x for y, x in ends if 0 <= y < side and 0 <= x < side)
        found.append(words(sum(1 << point for point in inside), count))
    return tuple(found)


def mixed(a: Points, seed: int) -> int:
    """A word that depends on every bit of a set and of another word."""
    for i in range(len(a)):
        seed = wrap((seed ^ a[i]) * MIX)
        seed ^= shr(seed, 29)
    return wrap(seed * MIX) ^ shr(seed, 32)


class Go(NamedTuple):
    """Stones are placed on points; a group of stones without a liberty, an adjacent empty point, is captured.

    Black (MAX, X) begins. Instead of placing a stone a player may pass; two passes end the game. A player's score
    is the area: the stones, and the empty points that reach only that colour. White gets KOMI points, plus half
    a point if HALF is 1. The utility is the difference, with half a point rounded up for the winner.

    No move may repeat an earlier board position (positional superko). A state handles the simple case, immediate
    recapture of a stone (`ko`); a record handles all. Suicide is illegal, unless SUICIDE is 1 and more than one
    stone is removed. After LIMIT plies per point of the board the game is over, so that random games end.

    A set of points is a tuple of words; bit i is point i. On 9x9:

        9 | 72 73 74 75 76 77 78 79 80
                     ...
        2 |  9 10 11 12 13 14 15 16 17
        1 |  0  1  2  3  4  5  6  7  8
             A  B  C  D  E  F  G  H  J
    """

    SIZE = 9
    KOMI = 7
    HALF = 1
    SUICIDE = 0
    LIMIT = 3
    if not 2 <= SIZE <= 19:
        raise ValueError("SIZE must be 2 to 19")
    if HALF not in (0, 1) or SUICIDE not in (0, 1):
        raise ValueError("HALF and SUICIDE must be 0 or 1")
    if not 1 <= LIMIT <= 1000:
        raise ValueError("LIMIT must be 1 to 1000")
    POINTS = SIZE * SIZE
    PASS = POINTS  # the action; the others are the points
    WORDS = (POINTS + 63) // 64
    NONE = words(0, WORDS)
    ALL = words((1 << POINTS) - 1, WORDS)
    LEFT = words(((1 << POINTS) - 1) // ((1 << SIZE) - 1), WORDS)  # file A
    RIGHT = words(((1 << POINTS) - 1) // ((1 << SIZE) - 1) << SIZE - 1, WORDS)
    NEAR = neighbours(SIZE, WORDS, ((0, 1), (1, 0), (0, -1), (-1, 0)))
    DIAGONAL = neighbours(SIZE, WORDS, ((1, 1), (1, -1), (-1, 1), (-1, -1)))
    EDGE = tuple(int(size(points) < 4) for points in DIAGONAL)  # 1 for the points of the edge
    OUTSIDE = outside(SIZE)
    max_actions = POINTS + 1
    points = True

    own: tuple[int, ...] = NONE  # stones of the player to move
    opp: tuple[int, ...] = NONE  # stones of the opponent
    ko: int = NOWHERE  # the point where recapture is illegal
    last: int = NOWHERE  # the last action
    passes: int = 0  # consecutive passes before this
    ply: int = 0  # odd: White is to move

    def player(self) -> int:
        return self.ply & 1

    def actions(self) -> Iterator[int]:
        """The points where a stone may be placed, then the pass."""
        empty = self.empty()
        for i in range(self.WORDS):
            for place in bits(empty[i]):
                if self.may_place(64 * i + place):
                    yield 64 * i + place
        yield self.PASS

    def result(self, action: int) -> "Go":
        if action == self.PASS:
            return Go(self.opp, self.own, NOWHERE, action, self.passes + 1, self.ply + 1)
        own = add(self.own, action)
        near = self.near(action)
        empty = self.free(own, self.opp)
        taken = self.captured(self.opp, empty, near)
        opp = without(self.opp, taken)
        ko = NOWHERE
        if size(taken) == 1 and within(near, self.opp) and within(near, either(opp, taken)):
            ko = first(taken)
        if self.SUICIDE == 1 and not some(taken):
            own = without(own, self.captured(own, empty, add(self.NONE, action)))
        return Go(opp, own, ko, action, 0, self.ply + 1)

    def terminal(self) -> bool:
        return self.passes >= 2 or self.ply >= self.LIMIT * self.POINTS

    def utility(self) -> int:
        lead = self.area() - self.KOMI
        return lead - 1 if self.HALF == 1 and lead <= 0 else lead

    def area(self) -> int:
        """Black's points minus White's, without komi."""
        empty = self.empty()
        mine = self.reached(empty, self.own)
        others = self.reached(empty, self.opp)
        lead = size(self.own) + size(without(mine, others)) - size(self.opp) - size(without(others, mine))
        return lead if self.ply & 1 == 0 else -lead

    # --- stones and liberties ---

    def free(self, own: Points, opp: Points) -> Points:
        """The points without a stone."""
        return without(self.ALL, either(own, opp))

    def empty(self) -> Points:
        return self.free(self.own, self.opp)

    def near(self, point: int) -> Points:
        """The neighbours of a point."""
        found = self.NONE
        for i in range(self.WORDS):
            found = put(found, i, self.NEAR[point][i])
        return found

    def diagonals(self, point: int) -> Points:
        """The diagonal neighbours of a point."""
        found = self.NONE
        for i in range(self.WORDS):
            found = put(found, i, self.DIAGONAL[point][i])
        return found

    def spread(self, a: Points) -> Points:
        """The neighbours of the points of a set, on the board or above its last row."""
        right, left = without(a, self.RIGHT), without(a, self.LEFT)
        found = a
        for i in range(self.WORDS):
            word = right[i] << 1 | shr(left[i], 1) | a[i] << self.SIZE | shr(a[i], self.SIZE)
            if i > 0:
                word |= shr(right[i - 1], 63) | shr(a[i - 1], 64 - self.SIZE)
            if i + 1 < self.WORDS:
                word |= left[i + 1] << 63 | a[i + 1] << 64 - self.SIZE
            found = put(found, i, wrap(word))
        return found

    def reached(self, area: Points, start: Points) -> Points:
        """Flood fill: the points of an area connected, through it, with the neighbours of a set."""
        found = both(area, self.spread(start))
        while True:
            more = either(found, both(area, self.spread(found)))
            if more == found:
                return found
            found = more

    def captured(self, stones: Points, empty: Points, near: Points) -> Points:
        """The stones without a liberty in the groups that have a stone in `near`."""
        taken = self.NONE
        left = without(both(near, stones), self.spread(empty))  # stones that have no liberty of their own
        while some(left):
            group = add(self.NONE, first(left))
            while True:
                around = self.spread(group)
                if meet(around, empty):
                    break
                more = either(group, both(stones, around))
                if more == group:
                    taken = either(taken, group)
                    break
                group = more
            left = without(left, group)  # what has been found of the group shares its fate
        return taken

    def lives(self, stones: Points, empty: Points, near: Points) -> bool:
        """Whether one of the groups that have a stone in `near` has a liberty."""
        group = both(near, stones)
        while True:
            around = self.spread(group)
            if meet(around, empty):
                return True
            more = either(group, both(stones, around))
            if more == group:
                return False
            group = more

    def may_place(self, point: int) -> bool:
        """Whether a stone may be placed on an empty point."""
        near = self.near(point)
        empty = remove(self.empty(), point)
        if meet(near, empty):
            return True
        if point == self.ko:
            return False
        if self.SUICIDE == 1 and meet(near, self.own):
            return True
        return self.lives(self.own, empty, near) or some(self.captured(self.opp, empty, near))

    # --- what searches may know ---

    repetition = FORBIDDEN
    text_words = ("", "", "ko", "last move", "moves so far")
    uct = {"c": 0.1, "rave": 1000, "prior": 10, "expand": 4}

    def repetition_key(self) -> int:
        """The board, whoever is to move."""
        black, white = (self.own, self.opp) if self.ply & 1 == 0 else (self.opp, self.own)
        return mixed(white, mixed(black, 0))

    def key(self) -> int:
        """All but the last move, which matters only to simulations."""
        return mixed(self.opp, mixed(self.own, self.ply << 16 | self.passes << 12 | self.ko + 1))

    def sample(self, random: int) -> int:
        """A random action: draw points until a stone may be placed there, or the pass."""
        empty = self.empty()
        count = size(empty)
        while True:
            n = shr((random & 0xFFFFFFFF) * (count + 1), 32)
            if n == count:
                return self.PASS
            point = nth(empty, n)
            if self.may_place(point):
                return point
            empty = remove(empty, point)
            count -= 1
            random = other_bits(random)

    def playout(self, random: int) -> int:
        return policy.playout(self, random)

    def prior(self, action: int) -> int:
        return policy.prior(self, action)

    # --- what a network sees, and its answers ---

    plane_shape = (6, SIZE, SIZE)
    policy_size = POINTS + 1

    def planes(self) -> Iterator[int]:
        """The mover's stones, the opponent's; all points if Black moves (komi); the ko point; the
        last stone; all points after a pass, when another one ends the game."""
        for i in range(self.WORDS):
            yield self.own[i]
        for i in range(self.WORDS):
            yield self.opp[i]
        for i in range(self.WORDS):
            yield self.ALL[i] if self.ply & 1 == 0 else 0
        for i in range(self.WORDS):
            yield self.word_of(self.ko, i)
        for i in range(self.WORDS):
            yield self.word_of(self.last, i)
        for i in range(self.WORDS):
            yield self.ALL[i] if self.passes > 0 else 0

    def word_of(self, point: int, i: int) -> int:
        """Word i of the set of a point; empty if there is no point."""
        return wrap(1 << point % 64) if 0 <= point < self.POINTS and point // 64 == i else 0

    def policy_index(self, action: int) -> int:
        return action

    # --- text ---

    def __str__(self) -> str:
        """The rows from the top, the player to move, the ko point, the last move, and the number of moves made."""
        return text.write(self)

    @classmethod
    def parse(cls, position: str) -> "Go":
        """The position that `str` wrote; everything after the player to move is optional."""
        return text.read(cls, position)

    def board_text(self, board: Board, player: int) -> str:
        return f"{'/'.join(board.rows).replace(' ', '.')} {'XO'[player]} - - {self.ply + (self.ply + player) % 2}"

    @classmethod
    def points_of(cls, points: int) -> Points:
        """A set that is given as one long int."""
        return words(points, cls.WORDS)

    def action_text(self, action: int) -> str:
        return text.PASS if action == self.PASS else text.point_text(action, self.SIZE)

    def action_squares(self, action: int) -> tuple[tuple[int, int], ...]:
        if action == self.PASS:
            return ()
        return ((self.SIZE - 1 - action // self.SIZE, action % self.SIZE),)

    def board(self) -> Board:
        status = "the game is over" if self.terminal() else f"{SIDES[self.player()]} to move"
        lead = 2 * (self.area() - self.KOMI) - self.HALF
        ahead = f"{SIDES[lead < 0]} is ahead by {abs(lead) / 2:g}" if lead else "even"
        return Board(
            rows=tuple(row.replace(".", " ") for row in text.rows(self)),
            ranks=tuple(str(row) for row in range(self.SIZE, 0, -1)),
            files=tuple(text.FILES[: self.SIZE]),
            owners=("X", "O"),
            note=f"{status}; {ahead} as the board stands (area, komi {self.KOMI + self.HALF / 2:g})",
            style="lines",
            shapes={"X": "black stone", "O": "white stone"},
            sides=SIDES,
            marks=self.action_squares(self.last) if self.last >= 0 else (),
        )
