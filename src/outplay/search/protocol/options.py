"""The options of searches, as users write them: `uct:c=1,threads=2` in a text, `c=1, threads=2` in Python."""

import operator
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from outplay.weights import Weights


class Option(NamedTuple):
    """An option of a search."""

    keyword: str  # its name in the search's code
    read: Callable[[Any], Any]  # from text, or from a Python value
    wanted: str  # the expected value, in words
    about: str  # one phrase
    knows: tuple[str, ...] | None = None  # for an option that is a player: the names that the search knows


Options = Mapping[str, Option]


def whole(keyword: str, about: str) -> Option:
    return Option(
        keyword,
        lambda value: int(value) if isinstance(value, str) else operator.index(value),
        "an int",
        about,
    )


def real(keyword: str, about: str) -> Option:
    return Option(keyword, float, "a number", about)


def switch(keyword: str, about: str) -> Option:
    return Option(keyword, lambda value: {0: False, 1: True}[int(value)], "0 or 1", about)


def text(keyword: str, about: str) -> Option:
    return Option(keyword, str, "text", about)


def rival(keyword: str, about: str, knows: tuple[str, ...]) -> Option:
    """Another player: a name that the search knows, or a player made by `outplay.players.player`."""
    return Option(keyword, lambda value: value, "a player", about, knows)


def _weights(value: Any) -> Weights | None:
    """None: the game's own. `load` reports errors in a file."""
    return value if value is None or isinstance(value, Weights) else Weights.load(value)


WEIGHTS: Options = {"weights": Option("weights", _weights, "", "a JSON file with weights of the evaluation")}


def split(text: str) -> tuple[str, dict[str, str]]:
    """`uct:c=1,threads=2` as the search's name and its options."""
    name, _, given = text.partition(":")
    pairs = {}
    for part in filter(None, given.split(",")):
        key, equals, value = (word.strip() for word in part.partition("="))
        if not equals:
            raise ValueError(f"write an option of {name} as name=value, not {part!r}")
        pairs[key] = value
    return name, pairs


def read_options(name: str, options: Options, given: Mapping[str, Any]) -> dict[str, Any]:
    """The given options, parsed, under the keywords of the search's code; raises a ValueError for a wrong one."""
    found: dict[str, Any] = {}
    for key, value in given.items():
        if key not in options:
            has = ", ".join(f"{option}=..." for option in options) or "none"
            raise ValueError(f"{key!r} is not an option of {name}; it has {has}")
        option = options[key]
        try:
            found[option.keyword] = option.read(value)
        except (ValueError, TypeError, KeyError):
            if not option.wanted:
                raise
            raise ValueError(f"{key} of {name} must be {option.wanted}, not {value!r}") from None
    return found
