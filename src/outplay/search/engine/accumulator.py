"""The accumulator: a net's evaluation of a state, with the sums of its first layer stored per ply.

Each ply stores the sums of the last state evaluated there, and that state itself. The next state there differs by a
few moves: only the rows of changed features are added or subtracted. Nothing has to be undone, and nothing can be
stale, since states are compared, not moves. After the sums there is room for the lists of those rows.
"""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.nnue import MOST, OFFSET, ONE, POINT, SQUARE
from outplay.nnue import bucket as plain_bucket
from outplay.search.engine.workspace import PLIES

lsb, popcount, wrap = (NATIVE[name][ENABLED] for name in ("lsb", "popcount", "wrap"))
load_state, store_state = NATIVE["load_state"][ENABLED], NATIVE["store_state"][ENABLED]
bucket = kernel(plain_bucket)
add_rows, weigh = NATIVE["add_rows"][ENABLED], NATIVE["weigh"][ENABLED]


@kernel
def learned(s: Any, ply: int, memory: Any) -> int:
    """The net's value for the player to move, as in `outplay.nnue`, but computed incrementally."""
    width, rows, buckets = s.net_width(), s.net_features(), s.net_buckets()
    net, words = memory.net, memory.accumulators
    sums = ply * s.net_slot()
    before = load_state(words, sums + 2 * width, s)
    changed = s.net_changed(before)
    gone = PLIES * s.net_slot()
    come = gone + 2 * MOST
    less = listed(before, before.net_cells() & changed, width, gone, words)
    more = listed(s, s.net_cells() & changed, width, come, words)
    add_rows(words, sums, width, net, gone, less, come, more)
    add_rows(words, sums + width, width, net, gone + MOST, less, come + MOST, more)
    store_state(words, sums + 2 * width, s)
    features = popcount(s.net_cells())
    chosen = bucket(features, buckets)
    total = weigh(words, sums, 2 * width, OFFSET * features, ONE, net, (rows + 2 * chosen) * width)
    return total // (SQUARE * POINT) + net[(rows + 2 * buckets) * width + chosen]


@kernel
def listed(s: Any, cells: int, width: int, at: int, words: Any) -> int:
    """Write the offsets of the rows of the features on some cells, those of the other view MOST words further.

    Returns their number.
    """
    n = 0
    while cells != 0:
        seen = s.net_feature(lsb(cells))
        cells = wrap(cells & cells - 1)
        words[at + n] = (seen & 0xFFFF) * width
        words[at + MOST + n] = (seen >> 16) * width
        n += 1
    return n
