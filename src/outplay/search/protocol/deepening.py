"""Iterative (progressive) deepening: depth 1, 2, 3 ... until a limit is reached or the result is good enough.

Russell and Norvig, section 6.2; Slate and Atkin 1977. Anytime: the result is that of the last completed depth, or
better. Each depth costs little compared with the next one, and its results make the next one cheaper.
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
    """The result of the last completed depth; `found` if there is none.

    `look` searches to a depth, given the previous result, and raises Stopped at a limit.
    """
    for depth in depths:
        try:
            found = look(depth, found)
        except Stopped:
            break
        if is_enough(found):
            break
    return found
