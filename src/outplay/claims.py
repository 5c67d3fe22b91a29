"""The claims of a class that searches trust: bounds, best actions, equivalent states. Plain minimax verifies them.

Searches prune by such claims, so a false one leads to a wrong value that is called proven.
"""

import math
from collections.abc import Callable, Iterator
from typing import Any

from outplay.game import CHANCE, chances, kind, legal, needs_past, offers

STATES = 500  # that minimax may visit for the value of one position
TOTAL = 20_000  # and in all


class Unknown(Exception):
    """Minimax would take too long here, or play may go round in circles."""


class Minimax:
    """Minimax values of positions near the end of a game, computed from the definition."""

    def __init__(self) -> None:
        self.values: dict[Any, Any] = {}  # None: not known, or on the way to the position that is searched
        self.left = self.total = TOTAL

    def value(self, state: Any) -> Any:
        """MINIMAX(s), or Unknown."""
        self.left = min(STATES, self.total)
        before = self.left
        try:
            return self._value(state)
        finally:
            self.total -= before - max(self.left, 0)

    def _value(self, state: Any) -> Any:
        if state not in self.values:
            self.left -= 1
            self.values[state] = None
            if self.left >= 0:
                self.values[state] = self._searched(state)
        found = self.values[state]
        if found is None:
            raise Unknown
        return found

    def _searched(self, state: Any) -> Any:
        actions = legal(state)
        if not actions:
            return state.utility()
        if state.player() == CHANCE:
            return sum(p * self._value(state.result(roll)) for roll, p in chances(state))
        choose = min if state.player() == 1 else max
        return choose(self._value(state.result(action)) for action in actions)


class Claims:
    """Tests what a class says of its positions: `fault(state)` tells what is untrue."""

    def __init__(self, cls: Any) -> None:
        self.cls = cls
        self.minimax = Minimax()
        self.by_key: dict[int, Any] = {}
        what = kind(cls)
        is_plain = not needs_past(cls) and not what.hidden and what.players <= 2
        self.tests = [test for rule, test in TESTS.items() if is_plain and _is_asked(cls, rule)]

    def fault(self, state: Any) -> str | None:
        """What the class says of the state, against its value; Unknown where that takes too long."""
        value = self.minimax.value(state)
        return next((fault for test in self.tests for fault in test(self, state, value)), None)

    def ceiling(self, state: Any, value: Any) -> Iterator[str]:
        own = -value if state.player() == 1 else value
        if state.player() != CHANCE and (ceiling := state.ceiling()) < own:
            yield f"ceiling() is {ceiling}, but best play brings the player to move {own}"

    def finish(self, state: Any, value: Any) -> Iterator[str]:
        for told in list(state.finish())[:1]:
            if not math.isclose(told, value):
                yield f"finish() yields {told}, but best play comes to {value}"

    def promising(self, state: Any, value: Any) -> Iterator[str]:
        told = list(state.promising())
        if state.player() == CHANCE or not told:
            return
        values = [self.minimax.value(state.result(action)) for action in told]
        if value not in values:
            yield f"promising() yields {told}, but a better action has the value {value}"

    def symmetries(self, state: Any, value: Any) -> Iterator[str]:
        for image in state.symmetries():
            if self.by_key.setdefault(image, value) != value:
                yield (
                    f"symmetries() yields {image}, the key of a state with the value {self.by_key[image]}, "
                    f"but this one has {value}"
                )

    def key(self, state: Any, value: Any) -> Iterator[str]:
        key = state.key()
        if self.by_key.setdefault(key, value) != value:
            yield (
                f"key() is {key} here and at a state with the value {self.by_key[key]}, but this one has {value}"
            )


TESTS: dict[str, Callable[[Claims, Any, Any], Iterator[str]]] = {
    "ceiling": Claims.ceiling,
    "finish": Claims.finish,
    "promising": Claims.promising,
    "key": Claims.key,
    "symmetries": Claims.symmetries,
}


def _is_asked(cls: Any, rule: str) -> bool:
    """Whether searches go by what the class says."""
    if not offers(cls, rule):
        return False
    if rule == "finish":
        return bool(getattr(cls, "points", False))
    return not (rule in ("key", "symmetries") and offers(cls, "drawn"))  # a key does not tell quiet moves
