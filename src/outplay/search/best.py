"""`best`: pick a search that fits the game, run it within its limits, wrap the answer."""

import threading
from collections.abc import Callable
from typing import Any

from outplay.game import checked_state
from outplay.limits import DEFAULT_TIME, Analysis, Limits
from outplay.record import Record
from outplay.search.protocol import terms
from outplay.search.protocol.options import split
from outplay.search.searches import fitting, usual


def best(
    state: Any,
    search: str | None = None,
    *,
    depth: int | None = None,
    nodes: int | None = None,
    time: float | None = None,
    report: Callable[[Analysis], None] | None = None,
    stop: threading.Event | None = None,
    lines: int = 1,
    **options: Any,
) -> Analysis:
    """The best action at a state, or where a record stands, and its value for MAX.

    `search` is a name, with options if need be ("uct:c=1,threads=2"); they may be given as keywords too (seed=7).

    With a depth alone, one search to that depth, as on the slides. With nodes or time, iterative deepening, by
    the engine where it fits: depth 1, 2, 3 ... until the limit is reached or the value is proven; the answer is
    the last finished depth's, or better. Without any limit, one second. A game without `evaluate` counts
    unfinished play as 0 when it is searched by nodes or time, and cannot be searched to a depth. A win outranks
    every evaluation. `report` hears of every finished depth, and `stop` ends the search with the best found so far.
    `lines`: so many best actions, each with its value and line, the second and later ones in `others`: in one search
    where it can, else in one for each action. Where positions that come back count, give a record: the textbook's
    searches do not look at its past, and call nothing proven where it may matter.
    """
    at = checked_state(terms.inward(state).state if isinstance(state, Record) else state)
    limits = Limits(depth, nodes, time).checked()
    limits = limits if any(limits) else Limits(time=DEFAULT_TIME)
    name, given = (None, {}) if search is None else split(search)
    chosen = fitting(type(at), name) if name is not None else usual(type(at), limits, lines)
    made = chosen.make({**given, **options})
    return made.search(state, limits, report, stop, lines)
