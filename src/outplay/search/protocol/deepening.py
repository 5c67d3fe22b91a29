"""Iterative (progressive) deepening: depth 1, 2, 3 ... until a limit is reached or the answer is good enough.

Russell and Norvig, section 6.2; Slate and Atkin 1977. Anytime: the answer is that of the last finished depth, or
better. What a depth costs is little beside the next one, and what it finds makes the next one cheaper.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

from outplay.search.protocol.control import Stopped

Found = TypeVar("Found")


def deepened(
    depths: Iterable[int | None],
    found: Found,
    look: Callable[[int | None, Found], Found],
    is_enough: Callable[[Found], bool],
) -> Found:
    """What the last finished depth found; `found` before any is.

    `look` searches to a depth, given what was found before, and raises Stopped where a limit ends it.
    """
    for depth in depths:
        try:
            found = look(depth, found)
        except Stopped:
            break
        if is_enough(found):
            break
    return found
