"""Position IDs and Match IDs, as GNU Backgammon writes them.

A Position ID is 80 bits: for each point as many ones as it has checkers, then a zero; first the side that is not on
roll, each from its point 1 to the bar. Bits are counted from the lowest of each byte, bytes are written in base 64.
"""

import base64
import binascii

from outplay.games.backgammon.side import BAR, Side, add, number

ID_LENGTH = 14  # of a Position ID in base 64
HALF = 40  # bits of a side's checkers in it, at most


def position_id(own: Side, opp: Side) -> str:
    """The Position ID of a board; `own` is on roll."""
    text = "".join("1" * number(side, p) + "0" for side in (opp, own) for p in range(1, BAR + 1))
    key = int(text.ljust(2 * HALF, "0")[::-1], 2)
    return base64.b64encode(key.to_bytes(10, "little")).decode()[:ID_LENGTH]


def read_id(text: str) -> tuple[Side, Side]:
    """The checkers of the side on roll, and of the other."""
    try:
        key = base64.b64decode(text + "==", validate=True)
    except binascii.Error:
        key = b""
    if len(key) != 10:
        raise ValueError(
            f"{text!r} is not a Position ID: {ID_LENGTH} characters are wanted, as 4HPwATDgc/ABMA"
        )
    runs = "".join(f"{byte:08b}"[::-1] for byte in key).split("0")
    if len(runs) <= 2 * BAR or any(runs[2 * BAR :]):
        raise ValueError(f"{text!r} is not a Position ID: its bits are not those of fifteen checkers a side")
    counts = [len(run) for run in runs[: 2 * BAR]]
    return side_of(counts[BAR:]), side_of(counts[:BAR])


def side_of(counts: list[int]) -> Side:
    """A side from the numbers on its points 1 to 24 and on the bar."""
    if sum(counts) > 15:
        raise ValueError(f"a side has {sum(counts)} checkers; 15 is the most")
    side: Side = (0, 0, 0, 0)
    for point, count in enumerate(counts, 1):
        for _ in range(count):
            side = add(side, point)
    return side
