"""The two lanes: a class is compiled, or it runs interpreted and the reasons are reported."""

import functools
import warnings
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from outplay.game import GameError

SLOWER = 200  # roughly how many times slower interpreted code is


class Reason(NamedTuple):
    """Why a class cannot be compiled."""

    line: int  # in the class's file; 0 if unknown
    what: str  # "builds a dict"
    cure: str  # "use a tuple"

    def __str__(self) -> str:
        place = f"line {self.line} " if self.line else ""
        return f"{place}{self.what}; {self.cure}" if self.cure else f"{place}{self.what}"


class Uncompilable(GameError):
    """A class that runs in plain Python but cannot be compiled, with all reasons found."""

    def __init__(self, reasons: Iterable[Reason] | str) -> None:
        self.reasons = (Reason(0, reasons, ""),) if isinstance(reasons, str) else tuple(reasons)
        super().__init__("; ".join(map(str, self.reasons[:1])))


class Again(Exception):
    """The class was recompiled in another way meanwhile, or is interpreted now: repeat the call."""


class Interpreted(UserWarning):
    """A class runs interpreted: slower, with the same answers."""


_told: set[type] = set()


def reasons(error: GameError) -> tuple[Reason, ...]:
    """Why a class cannot be compiled, from the error that compiling it raised."""
    return error.reasons if isinstance(error, Uncompilable) else (Reason(0, str(error), ""),)


def tell(cls: type, error: GameError) -> None:
    """Warn once that a class runs interpreted, and why."""
    if cls in _told:
        return
    _told.add(cls)
    first = reasons(error)[0]
    cure = " to compile it" if first.cure else ""
    text = f"{cls.__name__} runs interpreted, perhaps {SLOWER} times slower: {first}{cure}"
    warnings.warn(text, Interpreted, stacklevel=2)


def again(function: Callable[..., Any]) -> Callable[..., Any]:
    """Decorate a function: repeat the call if the class changed its lane meanwhile.

    This terminates: a class is compiled, compiled in another way, given more memory a few times, then interpreted.
    """

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        while True:
            try:
                return function(*args, **named)
            except Again:
                pass

    return called
