"""How much room a rule needs to build what it builds, where that is known before it runs.

A rule of a few words keeps them among a search's own, and may become part of it. One that may need any amount has a
large block on the machine's stack, and is called.
"""

import re
from typing import Any

from outplay.compile.natural.attempts import calls_in
from outplay.compile.natural.values import ROOM

PLAIN = ("word", "put_word", "begin", "begin_full", "end")  # what only looks at the first words of a room
SUM = re.compile(r"[\d\s()+*/-]+")
Line = tuple[int, str, int]


def needed(function: Any, program: Any) -> int | None:
    """The words that a function takes at most, with those that it calls; None if that is not known."""
    if function is None or function.recursive:
        return None
    total, loops = 0, list[int]()
    for indent, text, _ in function.lines:
        loops = [loop for loop in loops if loop < indent]
        for name, args in calls_in(text):
            words = _taken(name, args, function, program)
            if words is None or words > 0 and loops:
                return None
            total += words
        if text.startswith(("for ", "while ")):
            loops.append(indent)
    return total


def _taken(name: str, args: list[str], function: Any, program: Any) -> int | None:
    """The words that a call takes."""
    if ROOM not in args or name in PLAIN:
        return 0
    if name == "take":
        return _constant(args[1], function.known)
    return needed(program.by_symbol(name), program) if name.startswith("_outplay_") else None


def _constant(text: str, known: dict[str, str]) -> int | None:
    text = re.sub(r"[A-Za-z_]\w*", lambda found: known.get(found[0], found[0]), text)
    return int(eval(text)) if SUM.fullmatch(text) else None  # digits and signs that we wrote ourselves
