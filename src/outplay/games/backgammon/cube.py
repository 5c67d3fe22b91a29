"""The doubling cube, the match score, and the phases of a turn.

A state's `dice` gives the phase. A play is followed by the other side's turn: TO_DOUBLE if that side may turn the cube
(it rolls or doubles), otherwise TO_ROLL. A double is answered at DOUBLED: by a take, a drop, or in a money game by a
beaver, which the doubler answers in the same way. Then the doubler rolls.

A state's `cube` is one word:

    bits 0-3    the cube's value, as a power of 2     bits 8-23    X's points in the match
    bits 4-5    its owner: 1 is X, 2 is O, 0 neither   bits 24-39   O's points
    bits 6-7    beavers since the double               bit 40       whether this is the Crawford game

`standing(state)` unpacks it all for display and for Python searches; compiled code calls the functions below.
"""

from typing import Any, NamedTuple

TO_ROLL = 0  # values of `dice` other than a roll
OPENING = -1  # each side rolls one die
TO_DOUBLE = -2  # the side on roll may double before it rolls
DOUBLED = -3  # the other side must answer a double
DROPPED = -4  # the game is over: the side whose turn it is has dropped

ROLL, DOUBLE = 0, 1  # actions at TO_DOUBLE
TAKE, DROP, BEAVER = 0, 1, 2  # at DOUBLED

NEW = 0  # the word before a match, or a money game: the cube at 1 in the middle, no points
CENTRED = -1
CRAWFORD_GAME = 1 << 40
SCORES = 0xFFFFFFFF << 8


def value_of(cube: int) -> int:
    """The cube's value, 1 before it is turned."""
    return 1 << (cube & 15)


def owner_of(cube: int) -> int:
    """The cube's owner: 0 X, 1 O, CENTRED nobody."""
    return (cube >> 4 & 3) - 1


def beavers_of(cube: int) -> int:
    """How many beavers have answered the double."""
    return cube >> 6 & 3


def points_of(cube: int, player: int) -> int:
    """A player's match points before this game."""
    return cube >> 8 + 16 * player & 0xFFFF


def is_crawford(cube: int) -> bool:
    """Whether nobody may double in this game."""
    return cube & CRAWFORD_GAME != 0


def dropped(cube: int) -> int:
    """The cube after a drop: unchanged, with no double to answer."""
    return cube & ~0xC0


def taken(cube: int, player: int) -> int:
    """The cube after a take: its value doubled, owned by the player."""
    return (cube & ~0xF0) + 1 | player + 1 << 4


def beavered(cube: int, player: int, count: int) -> int:
    """The cube after a beaver: turned once more, to be answered, and owned by the player."""
    return taken(cube, player) | count << 6


def scored(cube: int, winner: int, points: int) -> int:
    """The score after a player won points, with the cube in the middle again."""
    return (cube & SCORES) + (points << 8 + 16 * winner)


def packed(value: int, owner: int, score: tuple[int, int], crawford: bool = False, beavers: int = 0) -> int:
    """The word that encodes these."""
    word = value.bit_length() - 1 | owner + 1 << 4 | beavers << 6 | score[0] << 8 | score[1] << 24
    return word | CRAWFORD_GAME if crawford else word


def match_equity(match: int, cube: int, winner: int, points: int) -> int:
    """X's match equity, in millionths, after a player wins this many points more.

    Janowski's formula: the leader's winning chance is 1/2 + 0.85 * lead / (points the trailer needs + 6).
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

    value: int  # of the cube
    owner: int  # 0 X, 1 O, CENTRED
    score: tuple[int, int]  # points of X and O before this game
    match: int  # points of the match, 0 for a money game
    crawford: bool  # whether this is the Crawford game
    beavers: int  # since the double
    on_roll: int  # 0 X, 1 O: who rolls next, or has rolled

    def away(self, player: int) -> int:
        """The points that a player still needs to win the match."""
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
