"""Nine men's morris, and a table of its endgame: three against three, who may jump anywhere.

outplay play examples/morris.py
outplay table build examples/morris.py --position "Morris(white=7, black=56, hand=0)"
"""

from typing import NamedTuple

# The points, numbered row by row, and the lines in which three make a mill:
#
#     0 ----------- 1 ----------- 2
#     |    3 ------ 4 ------ 5    |
#     |    |   6 -- 7 -- 8   |    |
#     9 - 10 - 11       12 - 13 - 14
#     |    |  15 - 16 - 17   |    |
#     |   18 ----- 19 ----- 20    |
#    21 ---------- 22 ---------- 23
MILLS = (
    (0, 1, 2), (3, 4, 5), (6, 7, 8), (9, 10, 11), (12, 13, 14), (15, 16, 17), (18, 19, 20), (21, 22, 23),
    (0, 9, 21), (3, 10, 18), (6, 11, 15), (1, 4, 7), (16, 19, 22), (8, 12, 17), (5, 13, 20), (2, 14, 23),
)  # fmt: skip
LINES = tuple(1 << a | 1 << b | 1 << c for a, b, c in MILLS)  # as sets of points: a bit for each
BESIDE = tuple(  # of each point those that a line joins with it
    sum(1 << other for a, b, c in MILLS for one, other in ((a, b), (b, a), (b, c), (c, b)) if one == point)
    for point in range(24)
)
NOWHERE = 24  # in place of a point: a man from the hand; nothing to take away
ALL = (1 << 24) - 1


class Morris(NamedTuple):
    """Put nine men on the board in turn, then move along the lines. Three in a line take a man of the other side.

    Men in mills are taken only where there are no others. Who has three men left may jump to any point; who has two,
    or cannot move, has lost.

    An action is the point that a man comes from, the one he goes to, and the one whose man is taken, in 5 bits each.
    """

    max_actions = 512
    win = 1

    white: int = 0  # sets of points
    black: int = 0
    hand: int = 18  # men that are not on the board yet, of both; White puts one when it is even
    turn: int = 0  # 0: White, 1: Black

    def player(self):
        return self.turn

    def actions(self):
        own, opp = (self.black, self.white) if self.turn else (self.white, self.black)
        empty = ALL & ~(own | opp)
        for start in range(25):
            if self.hand > 0:
                targets = empty if start == NOWHERE else 0
            elif start == NOWHERE or not own >> start & 1:
                targets = 0
            else:
                targets = empty if count(own) == 3 else empty & BESIDE[start]
            if targets:
                left = own if start == NOWHERE else own & ~(1 << start)
                for target in range(24):
                    if targets >> target & 1:
                        if closes(left | 1 << target, target):
                            loose = opp & ~in_mills(opp)
                            for taken in range(24):
                                if (loose or opp) >> taken & 1:
                                    yield start | target << 5 | taken << 10
                        else:
                            yield start | target << 5 | NOWHERE << 10

    def result(self, action):
        start, target, taken = action & 31, action >> 5 & 31, action >> 10
        own, opp = (self.black, self.white) if self.turn else (self.white, self.black)
        own |= 1 << target
        hand = self.hand
        if start == NOWHERE:
            hand -= 1
        else:
            own &= ~(1 << start)
        if taken != NOWHERE:
            opp &= ~(1 << taken)
        if self.turn:
            return Morris(opp, own, hand, 0)
        return Morris(own, opp, hand, 1)

    def terminal(self):
        if self.hand > 0:
            return False
        own, opp = (self.black, self.white) if self.turn else (self.white, self.black)
        if count(own) < 3:
            return True
        if count(own) == 3:
            return False
        empty = ALL & ~(own | opp)
        return not any(own >> point & 1 and BESIDE[point] & empty for point in range(24))

    def utility(self):
        return 1 if self.turn else -1

    def evaluate(self):
        return 100 * (count(self.white) - count(self.black))

    def action_text(self, action):
        start, target, taken = action & 31, action >> 5 & 31, action >> 10
        moved = f"{target}" if start == NOWHERE else f"{start}-{target}"
        return moved if taken == NOWHERE else f"{moved}x{taken}"


def count(points):
    """How many points a set has."""
    found = 0
    while points:
        points &= points - 1
        found += 1
    return found


def closes(men, point):
    """Whether the man on a point stands in a mill."""
    return any(men & line == line and line >> point & 1 for line in LINES)


def in_mills(men):
    """The men that stand in mills."""
    found = 0
    for line in LINES:
        if men & line == line:
            found |= line
    return found
