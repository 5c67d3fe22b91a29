"""The schedule of a match: every opening is played twice, with the sides reversed.

A pair cancels an opening's advantage, and its two results together are one observation of the statistics.
"""

import random
from typing import NamedTuple


class Pairing(NamedTuple):
    """One game of a match."""

    number: int  # from 0
    pair: int
    opening: int  # index of the opening
    first: int  # which player is MAX
    dice: int  # the seed of chance, the same in both games of a pair


def pairing(number: int, openings: int, seed: int, in_order: bool = False) -> Pairing:
    """The game of that number. The seed shuffles the openings; all are played before one is repeated."""
    pair, first = divmod(number, 2)
    turn, place = divmod(pair, openings)
    opening = place if in_order else _order(openings, seed, turn)[place]
    return Pairing(number, pair, opening, first, random.Random(f"{seed} dice {pair}").getrandbits(32))


def _order(openings: int, seed: int, turn: int) -> list[int]:
    return random.Random(f"{seed} order {turn}").sample(range(openings), openings)
