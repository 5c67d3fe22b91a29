"""The doubling cube, the score of a match, and what a turn consists of.

A state's `dice` says what is to be done. A play is followed by the other side's turn: TO_DOUBLE where that side may
turn the cube (it rolls or doubles), else TO_ROLL. A double is answered at DOUBLED: by taking it, dropping it, or in
a money game by a beaver, which the doubler answers in the same way. The doubler rolls in any case.

A state's `cube` is one word:

    bits 0-3    the cube's value, as a power of 2     bits 8-23    X's points in the match
    bits 4-5    its owner: 1 is X, 2 is O, 0 neither   bits 24-39   O's points
    bits 6-7    beavers since the double               bit 40       whether this is the Crawford game

`standing(state)` unpacks it all for people and for searches in Python; compiled code asks the functions below.
"""

from typing import Any, NamedTuple

TO_ROLL = 0  # what `dice` may be beside a roll
OPENING = -1  # each side throws a die
TO_DOUBLE = -2  # the side on roll may double before it rolls
DOUBLED = -3  # a double is to be answered
DROPPED = -4  # the game is over: the side whose turn it is has dropped

ROLL, DOUBLE = 0, 1  # actions at TO_DOUBLE
TAKE, DROP, BEAVER = 0, 1, 2  # at DOUBLED

NEW = 0  # the word before a match, or a money game: the cube at 1 in the middle, no points
CENTRED = -1
CRAWFORD_GAME = 1 << 40
SCORES = 0xFFFFFFFF << 8


def value_of(cube: int) -> int:
    """What the cube shows, 1 before it is turned."""
    return 1 << (cube & 15)


def owner_of(cube: int) -> int:
    """Whose the cube is: 0 X's, 1 O's, CENTRED nobody's."""
    return (cube >> 4 & 3) - 1


def beavers_of(cube: int) -> int:
    """How many beavers have answered the double."""
    return cube >> 6 & 3


def points_of(cube: int, player: int) -> int:
    """A player's points in the match before this game."""
    return cube >> 8 + 16 * player & 0xFFFF


def is_crawford(cube: int) -> bool:
    """Whether nobody may double in this game."""
    return cube & CRAWFORD_GAME != 0


def dropped(cube: int) -> int:
    """The cube after a double was dropped: as it was, and nothing is to be answered."""
    return cube & ~0xC0


def taken(cube: int, player: int) -> int:
    """The cube after a double was taken, at twice its value and a player's own."""
    return (cube & ~0xF0) + 1 | player + 1 << 4


def beavered(cube: int, player: int, count: int) -> int:
    """The cube after a double was taken and turned once more, which is to be answered; it stays a player's own."""
    return taken(cube, player) | count << 6


def scored(cube: int, winner: int, points: int) -> int:
    """The score after a player won so many points, with the cube in the middle again."""
    return (cube & SCORES) + (points << 8 + 16 * winner)


def packed(value: int, owner: int, score: tuple[int, int], crawford: bool = False, beavers: int = 0) -> int:
    """The word of these facts."""
    word = value.bit_length() - 1 | owner + 1 << 4 | beavers << 6 | score[0] << 8 | score[1] << 24
    return word | CRAWFORD_GAME if crawford else word


def match_equity(match: int, cube: int, winner: int, points: int) -> int:
    """What a match is worth to X, in millionths, where a player has won so many points more.

    Janowski's formula: the leader wins 85 % of (lead / (points that the trailer needs + 6)) more games than half.
    """
    x, o = match - points_of(cube, 0), match - points_of(cube, 1)
    if winner == 0:
        x -= points
    else:
        o -= points
    if x <= 0 or o <= 0:
        return 1_000_000 if x <= 0 else -1_000_000
    return 1_700_000 * (o - x) // (max(x, o) + 6)


class Standing(NamedTuple):
    """The cube and the score of a state, unpacked."""

    value: int  # what the cube shows
    owner: int  # 0 X, 1 O, CENTRED
    score: tuple[int, int]  # points of X and O before this game
    match: int  # points of the match, 0 for a money game
    crawford: bool  # whether this is the Crawford game
    beavers: int  # that have answered the double
    on_roll: int  # 0 X, 1 O: who rolls next, or has rolled

    def away(self, player: int) -> int:
        """How many points a player still needs to win the match."""
        return self.match - self.score[player]


def standing(state: Any) -> Standing:
    """The cube and the score of a state."""
    cube = state.cube
    return Standing(
        value_of(cube),
        owner_of(cube),
        (points_of(cube, 0), points_of(cube, 1)),
        type(state).MATCH,
        is_crawford(cube),
        beavers_of(cube),
        state.roller(),
    )
