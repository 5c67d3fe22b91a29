"""`best`: pick a search that supports the game, run it within its limits, wrap the result."""

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
    """The best action at a state, or at the current position of a record, and its value for MAX.

    `search` is a name, optionally with options ("uct:c=1,threads=2"); options may also be keywords (seed=7).

    With a depth alone, one search to that depth, as on the slides. With nodes or time, iterative deepening, with
    the engine if it supports the game: depth 1, 2, 3 ... until the limit is reached or the value is proven; the result
    is that of the last completed depth, or better. Without any limit, one second, or what an option
    of the search says (simulations). A game without `evaluate` scores
    unfinished play as 0 in a search limited by nodes or time, and cannot be searched to a depth. A win outranks
    every evaluation. `report` is called after every completed depth, and `stop` ends the search with the best result
    so far. `lines`: the number of best actions, each with its value and line; the second and later ones are in
    `others`: found in one search if possible, else in one per action. If repetition counts, give a record: the
    textbook searches ignore its history, and call nothing proven that may depend on it.
    """
    at = checked_state(terms.inward(state).state if isinstance(state, Record) else state)
    limits = Limits(depth, nodes, time).checked()
    name, given = (None, {}) if search is None else split(search)
    timed = limits if any(limits) else Limits(time=DEFAULT_TIME)
    chosen = fitting(type(at), name) if name is not None else usual(type(at), timed, lines)
    made = chosen.make({**given, **options})
    limits = limits if made.is_bounded else timed
    return made.search(state, limits, report, stop, lines)
