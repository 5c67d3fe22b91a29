"""The trace: every step of a search of one state, and the tree that it visited.

`record_search` (record.py) runs the same kernel as in play, with an array for its events. A trace holds them in order
(`Trace.events`), writes and reads them as JSON lines, and rebuilds the game tree (`Trace.tree`) with windows, backed-up
values, cutoffs and the principal variation. docs/trace.md describes both forms.
"""

import functools
import importlib
import json
import math
import operator
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np

from outplay.display import tree_html, tree_svg
from outplay.game import GameError, action_text, kind, legal, parse, worth
from outplay.games import load, spec
from outplay.record import position_text
from outplay.search.protocol import control
from outplay.search.protocol.options import split
from outplay.search.trace.events import CLOSING, EVENT, KINDS, TraceFull
from outplay.search.trace.tree import Node, grow

FIRST_EVENTS = 1 << 12  # the array's first length; it grows fourfold when full


class Event(NamedTuple):
    """One step of a search; fields that its kind does not use are None."""

    kind: str  # one of outplay.search.trace.events.KINDS
    action: int | None = None
    alpha: float | None = None  # the current window; None in a search without one
    beta: float | None = None
    value: float | None = None


class Trace(NamedTuple):
    """The events of a search in order, with what is needed to replay them.

    A search to the end of the game has utilities as values. One with a depth limit has scores, with evaluations and
    outcomes on one scale: see `outplay.game.worth`.
    """

    game: str  # a name for `outplay.games.load`
    start: Any
    search: str
    depth: int | None  # plies; None: to the end of the game
    events: tuple[Event, ...]

    def json_lines(self) -> Iterator[str]:
        """A header, then the events, each a JSON object; infinities are written "-inf" and "inf"."""
        yield json.dumps(
            {
                "game": self.game,
                "start": position_text(self.start),
                "search": self.search,
                "depth": self.depth,
            }
        )
        for state, event in _replay(self):
            said: dict[str, Any] = {"event": event.kind}
            if event.action is not None:
                said |= {"action": event.action, "text": action_text(state, event.action)}
            said |= {name: _written(number) for name, number in event._asdict().items() if name in NUMBERS}
            yield json.dumps({name: thing for name, thing in said.items() if thing is not None})

    @classmethod
    def from_json_lines(cls, text: str, game: type | None = None) -> "Trace":
        """Read a trace; `game` is its class, if it cannot be loaded by name.

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
        for _ in _replay(trace):  # raises an error if the events are inconsistent
            pass
        return trace

    def _repr_html_(self) -> str:
        """For notebooks: the tree, to step through."""
        return tree_html(self)

    def _repr_svg_(self) -> str | None:
        """For notebooks without HTML: the final tree, if it is small enough for a picture."""
        return tree_svg(self)

    def tree(self) -> Node:
        """The game tree as the search visited it."""
        searches = importlib.import_module("outplay.search.searches").SEARCHES
        search = searches.get(split(self.search)[0])
        return grow(self.start, self.depth, list(_replay(self)), search is not None and search.selective)


def refuse_depth(cls: type, depth: int | None) -> None:
    """Raise a GameError if a trace cannot stop at a depth, since the game has no evaluation."""
    if depth is not None and not hasattr(cls, "evaluate"):
        raise GameError(
            f"{cls.__name__} has no evaluate(), so a search cannot stop at depth {depth}: "
            "add evaluate(), or trace to the end of the game"
        )


def traced(
    state: Any,
    search: str,
    depth: int | None,
    game: str,
    once: Callable[[np.ndarray], int],
    most: int,
    scale: int = 1,
) -> Trace:
    """The trace of a search that writes its events into an array and returns their number; scores are unscaled."""
    rows = _with_room(once, most).tolist()
    return Trace(game or spec(type(state)), state, search, depth, tuple(_events(rows, type(state), scale)))


def _with_room(once: Callable[[np.ndarray], int], most: int) -> np.ndarray:
    """The events of a search, in an array that is large enough."""
    size = min(FIRST_EVENTS, most)
    while True:
        rows = np.zeros(size, EVENT)
        try:
            return rows[: once(rows)]
        except TraceFull:
            if size == most:
                raise ValueError(
                    f"the search has more than {most:,} events: trace it to a smaller depth"
                ) from None
            size = min(4 * size, most)


def _events(rows: list[tuple[int, int, float, float, float]], cls: type, scale: int) -> Iterator[Event]:
    """A kernel's rows as events: scores are unscaled, unused fields None."""
    number: Callable[[float], float] = functools.partial(_whole, scale)
    if kind(cls).chance or kind(cls).float_scores:
        number = functools.partial(operator.mul, 1 / (worth(cls) if kind(cls).chance else scale))
    windowed = rows[0][2] < rows[0][3]  # searches without a window write zeros
    for code, action, *numbers in rows:
        has_action, has_window, has_value = SAYS[KINDS[code]]
        said = (has_window and windowed, has_window and windowed, has_value)
        yield Event(
            KINDS[code],
            action if has_action else None,
            *(number(x) if here else None for x, here in zip(numbers, said, strict=True)),
        )


SAYS = {  # the fields that each kind uses: an action, the window, a value
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
    "quiescence": (False, False, True),
}
NUMBERS = ("alpha", "beta", "value")


def _whole(scale: int, score: float) -> float:
    """A score of a game with int scores; the infinite bounds are NO_LIMIT."""
    return int(score) // scale if abs(score) < control.NO_LIMIT else math.copysign(math.inf, score)


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
    """Each event with its state; a ValueError if the events are inconsistent."""
    nodes: list[Any] = []  # the states from the root to the current node
    due = [trace.start]  # the state to be entered next
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
        elif event.kind in CLOSING:
            nodes.pop()
    if nodes or due:
        raise ValueError("the trace ends in the middle of the search")
