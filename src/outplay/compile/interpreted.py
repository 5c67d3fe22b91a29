"""The twin of an interpreted class: its states hold the user's states, its rules are the user's own methods.

Searches do not notice the difference. Given such a state, a kernel runs as the plain function from which it is
compiled (`jit.Kernel`), so a search visits the same nodes in the same order in either lane.
"""

import itertools
import sys
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from outplay import hooks, written
from outplay.compile import methods
from outplay.compile.lane import Reason, reasons
from outplay.compile.program import Twin
from outplay.compile.runtime import mix
from outplay.game import GameError, given_weights, kind, max_actions, offers, weights_of
from outplay.standard import answered, original

FRAMES = 20_000  # Python's recursion limit: a search may go a thousand plies deep


class Plain:
    """The interface of a `Program` for a class that is not compiled."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.limit = max_actions(cls)
        self.weights = weights_of(cls)
        self.pieces: list[Any] = []
        self.watched: dict[Any, Any] = {}

    def unchanged(self) -> bool:
        """Always: interpreted rules run as they are now."""
        return True


class Held(NamedTuple):
    """A state of the twin: it holds the user's."""

    state: Any


class Interpreted(Twin):
    """The twin of a class that is not compiled."""

    def __init__(self, cls: Any, error: GameError) -> None:
        self.cls = cls
        self.reasons: tuple[Reason, ...] = reasons(error)
        self.program: Any = Plain(cls)
        self.digest = f"interpreted {original(cls).__module__}.{cls.__qualname__}"
        self.kind = kind(cls)
        made: Any = type(cls.__name__, (Held,), {"__slots__": ()})
        made.__outplay__ = self
        made.interpreted = True  # kernels check this
        self.state_class = made
        self.functions = {rule: self.rule(rule) for rule in hooks.COMPILED if offers(cls, rule)}
        for name, method in methods.methods(self).items():
            setattr(self.state_class, name, method)
        if not offers(cls, "key"):
            made.hash = lambda s: mix(written.number(_value(s.state)))
        self.kept: dict[Any, int] = {}  # states by the ids that represent them in memory
        self.by_number: list[Any] = []
        sys.setrecursionlimit(max(FRAMES, sys.getrecursionlimit()))

    def state(self, state: Any) -> Any:
        return self.state_class(state)

    def back(self, state: Any) -> Any:
        return state.state

    def rule(self, rule: str) -> Callable[..., Any]:
        """A rule of the class as a function of the twin's states."""
        gives = hooks.HOOK[rule].gives
        if rule == "actions" or gives == "words":
            name = f"{self.cls.__name__}.{rule}"
            return lambda s, out, base, end: _fill(getattr(s.state, rule)(), out, base, end, name)
        if gives == "state":
            return lambda s, *given: self.child(getattr(s.state, rule)(*given), rule)
        if rule in hooks.WEIGHING and self.program.weights is not None:
            return lambda s, *given: getattr(s.state, rule)(*given[:-1], given_weights(given[-1]))
        if rule == "net_changed":
            return lambda s, before: s.state.net_changed(before.state)
        return lambda s, *given: getattr(s.state, rule)(*given)

    def child(self, state: Any, rule: str) -> Any:
        """The state that a rule returns, as the twin's."""
        if type(state) is not self.cls:
            name = self.cls.__name__
            shown = f"{name}.{rule} returns {state!r}, not a {name}"
            raise GameError(f"{shown}: end with `return {name}(...)`{answered(self.cls, rule, state)}")
        return self.state_class(state)

    def keep(self, state: Any) -> int:
        """An id that represents a state in memory, which holds only numbers."""
        if state not in self.kept:
            self.kept[state] = len(self.by_number)
            self.by_number.append(state)
        return self.kept[state]


def _fill(told: Any, out: Any, base: int, end: int, name: str) -> int:
    """Write what a rule yields, at most one word more than fits; returns the end."""
    if not isinstance(told, Iterable):
        raise GameError(f"{name} returns {told!r}: yield ints, or return a list of them")
    for word in itertools.islice(told, end - base + 1):
        if not hasattr(word, "__index__") or not -(1 << 63) <= word < 1 << 63:
            raise GameError(f"{name} yields {word!r}: it must yield ints of 64 bits, write wrap(...)")
        if base < end:
            out[base] = int(word)
        base += 1
    return base


def _value(state: Any) -> Any:
    """A state as plain values, if its fields are numbers and tuples."""
    return tuple(state) if type(state).__dict__.get("original") is None else state.frozen
