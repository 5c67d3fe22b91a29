"""The match equity table: a side's chance to win a match, by the points that both still need.

Computed, not rolled out: at the start of a game both sides have equal chances to win it, and to win a gammon; the cube
is centred, with equities from Janowski's model. A game leads to scores with fewer points to go, so the
table is filled from its end. After the Crawford game the trailing side doubles at once, and the leader has a free drop
where that costs no game.
"""

from functools import lru_cache
from typing import NamedTuple

from outplay.search.cube.janowski import CONTACT, Chances, Stakes

# Shares of the games that are won as a gammon or more, and as a backgammon: about what games of strong programs come to
GAMMONS, BACKGAMMONS = 0.27, 0.012
EVEN = Chances(0.5, GAMMONS / 2, BACKGAMMONS / 2, GAMMONS / 2, BACKGAMMONS / 2)
FREE_DROP = 0.015  # what it is worth to the leader


class Score(NamedTuple):
    """Points that each side needs, and whether the Crawford game was played, or is being played."""

    mine: int
    yours: int
    crawford: bool = False  # nobody may double in this game
    after: bool = False  # it was played


def won(score: Score, points: int) -> float:
    """The chance to win the match after a game that brought so many points (negative: to the other side)."""
    mine, yours = score.mine - max(points, 0), score.yours - max(-points, 0)
    if mine <= 0 or yours <= 0:
        return 1.0 if mine <= 0 else 0.0
    return chance(mine, yours, score.crawford or score.after or min(score.mine, score.yours) == 1)


@lru_cache(maxsize=1 << 14)
def chance(mine: int, yours: int, after: bool = False) -> float:
    """The chance to win the match before a game. At one point to go it is the Crawford game, or `after` that."""
    if mine <= 0 or yours <= 0:
        return 1.0 if mine <= 0 else 0.0
    if mine == yours:
        return 0.5
    if mine > yours:
        return 1 - chance(yours, mine, after)
    if mine == 1:
        return 1 - (behind(yours) if after else crawford(yours))
    return stakes(Score(mine, yours)).cubeful(EVEN, 1, 0, CONTACT)


@lru_cache(maxsize=256)
def crawford(away: int) -> float:
    """The chance of the side that needs so many points in the Crawford game, where nobody doubles."""
    return _mean(away, 1)


@lru_cache(maxsize=256)
def behind(away: int) -> float:
    """The same after the Crawford game: it doubles at once."""
    if away <= 0:
        return 1.0
    if away == 1:
        return 0.5
    return _mean(away, 2) - (FREE_DROP / 2 if away % 2 == 0 else 0.0)


def _mean(away: int, cube: int) -> float:
    shares = (1 - GAMMONS, GAMMONS - BACKGAMMONS, BACKGAMMONS)
    return 0.5 * sum(share * behind(away - n * cube) for n, share in enumerate(shares, 1))


def stakes(score: Score) -> Stakes:
    """What the points of a game are worth in a match: the chance to win it."""

    def useless(cube: int, side: int) -> bool:
        return score.crawford or (score.mine if side == 1 else score.yours) <= cube

    return Stakes(lambda points: won(score, points), useless)
