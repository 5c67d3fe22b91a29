"""The two lanes: a class is compiled, or it runs interpreted, and then what keeps it from being compiled is told."""

import functools
import warnings
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from outplay.game import GameError

SLOWER = 200  # about so many times slower is what runs interpreted


class Reason(NamedTuple):
    """Something that keeps a class from being compiled."""

    line: int  # of the class's file; 0 where none can be named
    what: str  # "builds a dict"
    cure: str  # "use a tuple"

    def __str__(self) -> str:
        place = f"line {self.line} " if self.line else ""
        return f"{place}{self.what}; {self.cure}" if self.cure else f"{place}{self.what}"


class Uncompilable(GameError):
    """A class that plain Python runs and that cannot be compiled, with all the reasons that were found."""

    def __init__(self, reasons: Iterable[Reason] | str) -> None:
        self.reasons = (Reason(0, reasons, ""),) if isinstance(reasons, str) else tuple(reasons)
        super().__init__("; ".join(map(str, self.reasons[:1])))


class Again(Exception):
    """The class has been compiled in another way meanwhile, or runs interpreted: the same call, made again, will do."""


class Interpreted(UserWarning):
    """A class runs interpreted: slower, with the same answers."""


_told: set[type] = set()


def reasons(error: GameError) -> tuple[Reason, ...]:
    """What keeps a class from being compiled, by what compiling it raised."""
    return error.reasons if isinstance(error, Uncompilable) else (Reason(0, str(error), ""),)


def tell(cls: type, error: GameError) -> None:
    """Say that a class runs interpreted and why, once."""
    if cls in _told:
        return
    _told.add(cls)
    first = reasons(error)[0]
    cure = " to compile it" if first.cure else ""
    text = f"{cls.__name__} runs interpreted, perhaps {SLOWER} times slower: {first}{cure}"
    warnings.warn(text, Interpreted, stacklevel=2)


def again(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function, called once more where the class that it is called with has changed its lane meanwhile.

    That comes to an end: a class is compiled, compiled in another way, given more room some times, interpreted.
    """

    @functools.wraps(function)
    def called(*args: Any, **named: Any) -> Any:
        while True:
            try:
                return function(*args, **named)
            except Again:
                pass

    return called
