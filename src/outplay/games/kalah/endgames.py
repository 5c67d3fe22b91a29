"""Endgame indexing for kalah: distributions of seeds over pits.

A family is the number of seeds left in the pits; stores do not affect the rest of the game. n seeds in m
pits are a choice of m - 1 of n + m - 1 places (stars and bars): each seed takes a place, and so does
each wall between two pits. The sets of places are indexed with the combinatorial number system:

    slot = C(first wall, 1) + C(second wall, 2) + ...
"""

from math import comb

MOST = 24  # seeds of a family
CHOOSE = tuple(comb(n, k) for k in range(15) for n in range(40))  # CHOOSE[40 * k + n]: k of n places


def ways(seeds: int, pits: int) -> int:
    """The number of distributions of seeds over the pits of both sides."""
    return CHOOSE[40 * (2 * pits - 1) + seeds + 2 * pits - 1]


def number(own: int, opp: int, pits: int) -> int:
    """The index of two rows among all with as many seeds."""
    found = wall = 0
    for place in range(2 * pits - 1):
        row = own >> 8 * place if place < pits else opp >> 8 * (place - pits)
        wall += row & 255
        found += CHOOSE[40 * (place + 1) + wall]
        wall += 1
    return found


def rows(found: int, seeds: int, pits: int) -> tuple[int, int]:
    """The two rows with this index."""
    own = opp = 0
    end = seeds + 2 * pits - 1  # of the current pit
    for place in range(2 * pits - 1, -1, -1):
        wall = -1
        if place > 0:
            wall = end - 1
            while CHOOSE[40 * place + wall] > found:
                wall -= 1
            found -= CHOOSE[40 * place + wall]
        lie = end - wall - 1
        if place < pits:
            own += lie << 8 * place
        else:
            opp += lie << 8 * (place - pits)
        end = wall
    return own, opp


def families(text: str) -> range:
    """The families that a text names: all with up to this many seeds. With one seed the game is over."""
    if not text.strip().isdigit() or not 2 <= int(text) <= MOST:
        raise ValueError(f"{text[:40]!r}: write the maximum number of seeds in the pits, 2 to {MOST}")
    return range(2, int(text) + 1)
