"""Rules that return a list of actions, rewritten to store each action straight into the search's memory.

`moves = []; ... moves.append(m) ...; return moves` builds a list that only the search reads. A second version of the
function stores each action's code in the search's memory instead, so that no list is built, grown and read again.
"""

import copy
import re
from collections.abc import Callable
from typing import Any

from outplay.compile.natural.values import ROOM

Line = tuple[int, str, int]
Encode = Callable[[list[str], int], tuple[list[Line], str]]  # from an action's words to its code

GIVEN = ("out", "at", "last")  # the search's memory, the next free index, the last one
MADE = re.compile(rf"(t\d+|yielded) = new_list\({ROOM}, \w+, \d+\)")
NAMED = re.compile(r"(v\w+) = (t\d+)")
PUSHED = re.compile(rf"(t\d+) = one_more\({ROOM}, (\w+), \d+\)")
RETURNED = re.compile(r"return (\w+)")
LOOKED = re.compile(r"(t\d+) = word\(\w+, 2\)")  # the items' address


class List:
    """The list that a function builds and returns; `names` are the names bound to it."""

    def __init__(self, lines: list[Line]) -> None:
        texts = [text for _, text, _ in lines]
        returned = {found[1] for text in texts if (found := RETURNED.fullmatch(text))}
        self.made = {found[1] for text in texts if (found := MADE.fullmatch(text))}
        pairs = [(found[1], found[2]) for text in texts if (found := NAMED.fullmatch(text))]
        self.names = returned | {made for name, made in pairs if name in returned and made in self.made}
        self.named = {(name, made) for name, made in pairs if {name, made} <= self.names}
        self.pushed = {found[2] for text in texts if (found := PUSHED.fullmatch(text))} & self.names
        self.texts, self.indented = texts, [(indent, text) for indent, text, _ in lines]

    def is_plain(self) -> bool:
        """Whether there is one list that is only made, appended to, measured by len() and returned."""
        named = {name for name, _ in self.named}
        grown = self.pushed | {each for pair in self.named for each in pair}
        if not self.names or not self.names <= self.made | named or len(named) > 1:
            return False
        if len(self.pushed - named) > (0 if named else 1) and not self._is_made_once(grown & self.made):
            return False
        others = self.names - grown
        return all(self._is_known(text, others, i) for i, text in enumerate(self.texts))

    def _is_made_once(self, made: set[str]) -> bool:
        """Whether all names are those of one list, made once outside loops."""
        return len(made) == 1 and any(
            i == 1 and text.startswith(f"{min(made)} = ") for i, text in self.indented
        )

    def _is_known(self, text: str, others: set[str], i: int) -> bool:
        """Whether a line does nothing else with the list; an empty list must be returned at once."""
        said = set(re.findall(r"\w+", text)) & self.names
        if not said:
            return not text.startswith("return ")
        if made := MADE.fullmatch(text):
            return made[1] not in others or self.texts[i + 1 : i + 2] == [f"return {made[1]}"]
        if RETURNED.fullmatch(text):
            return True
        if named := NAMED.fullmatch(text):
            return (named[1], named[2]) in self.named
        if PUSHED.fullmatch(text):
            return True
        return not set(re.findall(r"\w+", self.lengths(text))) & self.names

    def lengths(self, text: str) -> str:
        """A line with the number of actions so far instead of the list's length.

        Code that reads the length often reads the items' address too, without using it.
        """
        looked = LOOKED.fullmatch(text)
        if looked and sum(looked[1] in re.findall(r"\w+", other) for other in self.texts) == 1:
            return "pass"
        for name in self.names:
            text = text.replace(f"word({name}, 0)", "(at - first)")
        return text


def listed(function: Any, symbol: str, encode: Encode) -> Any:
    """The function, storing into the search's memory instead of a list; None if it uses the list in other ways."""
    if function is None or function.recursive:
        return None
    which = List(function.lines)
    lines = which.is_plain() and _written(function.lines, which, encode)
    if not lines:
        return None
    made = copy.copy(function)
    made.symbol, made.more = symbol, GIVEN
    made.lines = [(1, "first = at", lines[0][2]), *lines]
    return made


def _written(lines: list[Line], which: List, encode: Encode) -> list[Line] | None:
    """The rewritten lines; None if that is impossible."""
    made: list[Line] = []
    i = 0
    while i < len(lines):
        indent, text, line = lines[i]
        i += 1
        if pushed := PUSHED.fullmatch(text):
            if pushed[2] not in which.names:
                made.append((indent, text, line))
                continue
            put = re.compile(rf"put_word\({pushed[1]}, \d+, (.+)\)")
            words = []
            while i < len(lines) and (found := put.fullmatch(lines[i][1])):
                words.append(found[1])
                i += 1
            if not words or any(re.search(rf"\b{pushed[1]}\b", text) for _, text, _ in lines[i : i + 1]):
                return None
            made += _given(words, (indent, "", line), encode)
        elif MADE.fullmatch(text) and MADE.fullmatch(text)[1] in which.names:  # type: ignore[index]
            made.append((indent, "at = first", line))
        elif NAMED.fullmatch(text) and which.names & set(re.findall(r"\w+", text)):
            made.append((indent, "pass", line))
        elif RETURNED.fullmatch(text):
            made.append((indent, "return at", line))
        else:
            made.append((indent, which.lengths(text), line))
    return made


def _given(words: list[str], place: Line, encode: Encode) -> list[Line]:
    """The lines that store an action for the search."""
    indent, _, line = place
    lines, code = encode(words, indent)
    return [
        *((each, text, line) for each, text, _ in lines),
        (indent, "if at > last:", line),
        (indent + 1, "raise TooManyActions", line),
        (indent, f"out[at] = {code}", line),
        (indent, "at += 1", line),
    ]
