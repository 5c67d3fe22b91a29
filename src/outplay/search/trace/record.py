"""`record_search`: search a state and record every event."""

from typing import Any

from outplay.game import adopt_state
from outplay.limits import Limits
from outplay.search.protocol.options import split
from outplay.search.searches import fitting
from outplay.search.trace.trace import Trace

MAX_EVENTS = 1 << 20


def record_search(
    state: Any,
    search: str | None = None,
    depth: int | None = None,
    game: str = "",
    most: int = MAX_EVENTS,
    iterations: int | None = None,
    **options: Any,
) -> Any:
    """The trace of a search, by default the game's default search to the end of the game.

    `game` is a name for `outplay.games.load`, by default derived from the class. A search may have options:
    "engine:on=none". Of the engine, only the iteration at the given depth is recorded. `iterations` is for UCT.
    """
    state = adopt_state(state)
    name, given = (None, {}) if search is None else split(search)
    chosen = fitting(type(state), name)
    asked = {**given, **options}
    made = chosen.make(asked)
    useless = set(asked) - set(chosen.options if chosen.traced_by is None else chosen.traced_by)
    if useless:
        raise ValueError(
            f"{min(useless)} does not change a trace: the only options it takes are "
            f"{' and '.join(chosen.traced_by or ())}"
        )
    limits = Limits(depth=depth).checked()._replace(nodes=iterations)
    trace = made.trace(state, limits, game, most)
    return trace._replace(search=search) if search is not None and isinstance(trace, Trace) else trace
