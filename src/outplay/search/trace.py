"""The trace: everything that a search did on one state, and the tree that it saw.

`record_search` runs the very kernel that plays, with an array for its events. They are kept as they came
(`Trace.events`), written and read as JSON lines, and put together again as the game tree (`Trace.tree`) with
windows, backed-up values, what was cut off, and the principal line. docs/trace.md describes both forms.
"""

import functools
import importlib
import json
import math
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from outplay.game import GameError, action_text, adopt_state, kind, legal, parse, worth
from outplay.games import find, load
from outplay.limits import Limits
from outplay.search import control
from outplay.search.deepen import PLAY, Engine
from outplay.search.deepen import Run as EngineRun
from outplay.search.driver import Run, fitting
from outplay.search.events import CLOSING, EVENT, KINDS, TraceFull
from outplay.search.searchtree import Node, grow
from outplay.variants import parameters

FIRST_EVENTS = 1 << 12  # the array's first length; it grows fourfold whenever that does not suffice
MAX_EVENTS = 1 << 20


class Event(NamedTuple):
    """One step of a search; None stands where an event of its kind has nothing to say."""

    kind: str  # one of outplay.search.events.KINDS
    action: int | None = None
    alpha: float | None = None  # the window as it is then; None in a search without one
    beta: float | None = None
    value: float | None = None


class Trace(NamedTuple):
    """What a search did: its events in order, and what it takes to replay them.

    A search to the end of the game is told in utilities. One that stops at a depth is told in the search's
    own scores, evaluations and outcomes on one scale: see `outplay.game.worth`.
    """

    game: str  # what `outplay.games.load` reads
    start: Any
    search: str
    depth: int | None  # plies; None: to the end of the game
    events: tuple[Event, ...]

    def json_lines(self) -> Iterator[str]:
        """A header, then the events, each a JSON object; infinities are written "-inf" and "inf"."""
        start = str(self.start) if hasattr(self.start, "parse") else repr(self.start)
        yield json.dumps({"game": self.game, "start": start, "search": self.search, "depth": self.depth})
        for state, event in _replay(self):
            said: dict[str, Any] = {"event": event.kind}
            if event.action is not None:
                said |= {"action": event.action, "text": action_text(state, event.action)}
            said |= {name: _written(number) for name, number in event._asdict().items() if name in NUMBERS}
            yield json.dumps({name: thing for name, thing in said.items() if thing is not None})

    @classmethod
    def from_json_lines(cls, text: str, game: type | None = None) -> "Trace":
        """The trace that was written so; `game` is its class, where that cannot be loaded by name.

        A ValueError says which line is wrong.
        """
        lines = [_object(line, number) for number, line in enumerate(text.splitlines(), 1) if line.strip()]
        if not lines or not {"game", "start", "search", "depth"} <= lines[0].keys():
            raise ValueError(
                'a trace begins with a header: {"game": ..., "start": ..., "search": ..., "depth": ...}'
            )
        name, position, search, depth = (lines[0][key] for key in ("game", "start", "search", "depth"))
        start = load(name).position(position) if game is None else parse(game, position)
        trace = cls(name, start, search, depth, tuple(map(_read, lines[1:])))
        for _ in _replay(trace):  # says so if the events make no sense
            pass
        return trace

    def _repr_html_(self) -> str:
        """What a notebook shows: the tree, to step through."""
        return importlib.import_module("outplay.ui.notebook").html(self)

    def _repr_svg_(self) -> str | None:
        """What it shows where it has no HTML: the tree as it came out, if it is not too large for a picture."""
        try:
            return importlib.import_module("outplay.ui.treesvg").svg(self)
        except ValueError:
            return None

    def tree(self) -> Node:
        """The game tree as the search saw it."""
        return grow(self.start, self.depth, list(_replay(self)), selective=self.search == "engine")


def record_search(
    state: Any,
    search: str | None = None,
    depth: int | None = None,
    game: str = "",
    switched: str = PLAY,
    most: int = MAX_EVENTS,
) -> Trace:
    """Search a state and keep every event, at most so many; by default the usual search to the end of the game.

    `game` is the name that `outplay.games.load` reads; without it, the class says where it comes from.
    `switched`: the engine's switches. Of the engine, the iteration of that depth is kept.
    """
    state = adopt_state(state)
    cls = type(state)
    chosen = fitting(cls, search)
    Limits(depth=depth).checked()
    if depth is not None and not hasattr(cls, "evaluate"):
        raise GameError(
            f"{cls.__name__} has no evaluate(), so a search cannot stop at depth {depth}: "
            "add evaluate(), or trace to the end of the game"
        )
    if chosen.start is None:
        if depth is None:
            raise ValueError("the engine is traced at a depth: say which")
        rows, scale = _engine_rows(state, depth, switched, most), 1
    else:
        rows, scale = _rows(Run(state, chosen), depth, most), 1 if depth is not None else worth(cls)
    return Trace(game or spec(cls), state, chosen.name, depth, tuple(_events(rows.tolist(), cls, scale)))


def _rows(run: Run, depth: int | None, most: int) -> np.ndarray:
    """The events of a textbook's search."""

    def once(rows: np.ndarray) -> int:
        memory = run.memory(depth)
        run.once(control.MAX_PLIES if depth is None else depth, memory, rows)
        return int(memory[control.EVENTS])

    return _with_room(once, most)


def _engine_rows(state: Any, depth: int, switched: str, most: int) -> np.ndarray:
    """The events of the engine's last iteration, after those before it have filled the table."""

    def once(rows: np.ndarray) -> int:
        run = EngineRun(Engine(1, switched, fixed=False), state, Limits())
        memory = run.memories[0]
        for shallower in range(1, depth):
            run.once(memory, shallower, -control.NO_LIMIT, control.NO_LIMIT)
        run.once(memory, depth, -control.NO_LIMIT, control.NO_LIMIT, rows)
        return int(memory[control.EVENTS])

    return _with_room(once, most)


def _with_room(once: Callable[[np.ndarray], int], most: int) -> np.ndarray:
    """What a search writes, in an array that is large enough."""
    size = min(FIRST_EVENTS, most)
    while True:
        rows = np.zeros(size, EVENT)
        try:
            return rows[: once(rows)]
        except TraceFull:
            if size == most:
                raise ValueError(
                    f"the search makes more than {most:,} events: trace it to a smaller depth"
                ) from None
            size = min(4 * size, most)


def _events(rows: list[tuple[int, int, float, float, float]], cls: type, scale: int) -> Iterator[Event]:
    """The rows that a kernel wrote, scores divided by the scale, without what their kinds do not say."""
    number = float if kind(cls).float_scores else functools.partial(_whole, scale)
    windowed = rows[0][2] < rows[0][3]  # a search without a window writes zeros
    for code, action, *numbers in rows:
        has_action, has_window, has_value = SAYS[KINDS[code]]
        said = (has_window and windowed, has_window and windowed, has_value)
        yield Event(
            KINDS[code],
            action if has_action else None,
            *(number(x) if here else None for x, here in zip(numbers, said, strict=True)),
        )


SAYS = {  # what the events of a kind say: an action, the window, a value
    "enter": (False, True, False),
    "action": (True, True, False),
    "leaf": (False, False, True),
    "value": (False, False, True),
    "cutoff": (True, True, True),
    "table": (False, False, True),
    "repeated": (False, False, True),
    "reduction": (True, False, True),
    "extension": (True, False, True),
    "re-search": (True, True, True),
    "pruned": (True, True, True),
    "forced": (False, False, False),
    "null": (False, True, False),
    "singular": (False, True, False),
    "again": (False, False, False),
}
NUMBERS = ("alpha", "beta", "value")


def _whole(scale: int, score: float) -> float:
    """A score of a game with int scores, whose searches begin with a window of NO_LIMIT."""
    return int(score) // scale if abs(score) < control.NO_LIMIT else math.copysign(math.inf, score)


def spec(cls: type) -> str:
    """The name by which `outplay.games.load` finds a class: in the table, or else in its file."""
    base = getattr(cls, "__outplay_base__", cls)
    entry = find(base.__name__) if base.__module__.startswith("outplay.games.") else None
    file = getattr(sys.modules.get(base.__module__), "__file__", None)
    name = entry.name if entry else f"{file}:{base.__name__}" if file else base.__name__
    changed = [f"{k.lower()}={v}" for k, v in parameters(cls).items() if v != getattr(base, k)]
    return f"{name}:{','.join(changed)}" if changed else name


# --- reading and replaying ------------------------------------------------------------------------------


def _written(number: float | None) -> float | str | None:
    return number if number is None or math.isfinite(number) else str(number)


def _object(line: str, number: int) -> dict[str, Any]:
    try:
        found = json.loads(line)
    except ValueError as error:
        raise ValueError(f"line {number} of the trace is not JSON: {error}") from None
    if not isinstance(found, dict):
        raise ValueError(f"line {number} of the trace is not a JSON object")
    return found


def _read(said: dict[str, Any]) -> Event:
    event = Event(said.get("event", ""), said.get("action"), *(_number(said.get(name)) for name in NUMBERS))
    has_action, _, has_value = SAYS.get(event.kind, (None, None, None))
    given = (type(event.action) is int, event.value is not None)
    windowed = event.alpha is not None and event.beta is not None
    if given != (has_action, has_value) or event.kind == "cutoff" and not windowed:
        raise ValueError(f"not an event of a trace: {said}")
    return event


def _number(said: Any) -> Any:
    if said is None or type(said) in (int, float):
        return said
    if said in ("-inf", "inf"):
        return float(said)
    raise ValueError(f"not a number in a trace: {said!r}")


def _replay(trace: Trace) -> Iterator[tuple[Any, Event]]:
    """Each event with the state at which it happened; a ValueError if that cannot be."""
    nodes: list[Any] = []  # the states from the root to where the search is
    due = [trace.start]  # the state that is to be entered next
    left: Any = None  # the state that was left last
    for number, event in enumerate(trace.events, 1):
        entering = event.kind == "enter"
        about_next = event.kind in ("reduction", "extension") and nodes
        if len(due) != (entering or bool(about_next)) or not (nodes or entering):
            raise ValueError(f"event {number} of the trace, {event.kind}, cannot come here")
        if entering:
            nodes.append(due.pop())
        yield nodes[-1], event
        if event.kind == "action":
            if event.action not in legal(nodes[-1]):
                raise ValueError(f"event {number} of the trace: {event.action} is not a legal action there")
            due.append(nodes[-1].result(event.action))
        elif event.kind == "null":
            due.append(nodes[-1].skip())
        elif event.kind == "singular":
            due.append(nodes[-1])
        elif event.kind == "again":
            due.append(left)
        elif event.kind in CLOSING:
            left = nodes.pop()
    if nodes or due:
        raise ValueError("the trace ends in the middle of the search")
