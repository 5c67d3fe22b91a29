"""Perft: the compiled rules against known counts of lines of play, and how fast they are counted.

The counts, for 1, 2, 3 ... plies from the start, are those on which independent programs agree.
"""

from collections.abc import Iterator
from time import process_time

from bench.measure import Row, Size, short
from outplay.games import Checkers, ConnectFour, Othello
from outplay.search import perft

COUNTS = {
    "Connect Four": (ConnectFour, (7, 49, 343, 2401, 16807, 117649, 823536, 5673234, 39394572)),
    # a pass is a ply
    "Othello": (Othello, (4, 12, 56, 244, 1396, 8200, 55092, 390216, 3005288)),
    # a multi-jump is one move, and different paths count separately
    "checkers": (Checkers, (7, 49, 302, 1469, 7361, 36768, 179740, 845931, 3963680)),
}


def run(size: Size) -> Iterator[Row]:
    for name, (cls, counts) in COUNTS.items():
        wanted = counts[: size.pick(9, 7, 5)]
        found = tuple(perft(cls(), depth) for depth in range(1, len(wanted) + 1))
        wrong = sum(f != w for f, w in zip(found, wanted, strict=True))
        began = process_time()
        leaves = perft(cls(), len(wanted))
        speed = f"{short(leaves / (process_time() - began))} leaves/s"
        work = f"perft, {name}, depths 1 to {len(wanted)}"
        note = f"{work}: found {found}, wanted {wanted}" if wrong else ""
        yield Row(work, "known counts", speed, "", wrong, "wrong", 0, at_most=True, note=note)
