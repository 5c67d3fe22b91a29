"""What the exact switches save: nodes to depth 10 on Othello, the engine beside plain alpha-beta.

Both have the same evaluation and find the same values. The engine's nodes are those of all its iterations.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

from bench.measure import Row, Size, left_out, short
from outplay.game import parse_action
from outplay.games import Othello
from outplay.search import Limits, best
from outplay.search.engine.engine import Engine

OPENINGS = Path(__file__).parents[2] / "shared" / "data" / "othello" / "xot_openingslarge.txt"


def run(size: Size) -> Iterator[Row]:
    depth, openings = size.pick((10, 9), (10, 3), (5, 1))
    work = f"Othello to depth {depth}"
    if not OPENINGS.exists():
        yield left_out(work, "alpha-beta", f"{OPENINGS} is absent")
        return
    lines = OPENINGS.read_text().split()
    states = [Othello(), *map(opening, itertools.islice(lines, 0, None, len(lines) // openings))]
    ours = theirs = wrong = 0
    for state in states:
        found = Engine(64, "exact", fixed=size is not Size.SMOKE).search(state, Limits(depth=depth))
        plain = best(state, "alphabeta", depth=depth)
        ours, theirs, wrong = ours + found.nodes, theirs + plain.nodes, wrong + (found.value != plain.value)
    work = f"{work}, {len(states)} openings"
    yield Row(work, "alpha-beta", "", "", wrong, "values differ", 0, at_most=True)
    yield Row(
        work, "alpha-beta", f"{short(ours)} nodes", f"{short(theirs)} nodes", theirs / ours, "x fewer", 20
    )


def opening(moves: str) -> Othello:
    state = Othello()
    for i in range(0, len(moves), 2):
        state = state.result(parse_action(state, moves[i : i + 2]))
    return state
