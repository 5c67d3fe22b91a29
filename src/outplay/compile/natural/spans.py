"""Spans: between which numbers an int lies, as far as that is known before the program runs.

Where the result of an operation cannot have more than 64 bits, nothing has to be tested; nor has an index that lies in
its sequence. A local's span is the hull of all that is assigned to it, found while the function is gone through again
and again. What still moves after a few passes is taken for anything.
"""

import ast
from collections.abc import Sequence
from typing import Any

Span = tuple[int, int]

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
ANY: Span = (LOWEST, HIGHEST)
TRUTH: Span = (0, 1)
CHARACTER: Span = (0, 0x10FFFF)
LENGTH: Span = (0, 1 << 40)  # more items than memory has room for
STEP = 1 << 15  # by which a counter moves at most,
FAR: Span = (-(1 << 62), 1 << 62)  # so that it never comes so far,
NEAR: Span = (-(1 << 61), 1 << 61)  # if it begins here


def hull(one: Span | None, two: Span) -> Span:
    """The smallest span that holds both; None is nothing yet."""
    return two if one is None else (min(one[0], two[0]), max(one[1], two[1]))


def holds(span: Span, other: Span) -> bool:
    return span[0] <= other[0] and other[1] <= span[1]


def clipped(span: Span) -> Span:
    """What is left of a span where whatever does not fit into a word is an error."""
    return max(span[0], LOWEST), min(span[1], HIGHEST)


def moved(before: Span | None, now: Span, times: int) -> Span:
    """The span of a local to which something else was assigned, after it moved so often."""
    both = hull(before, now)
    if before is None or both == before or times < 2:
        return both
    return FAR if holds(NEAR, both) else ANY


def of_operation(op: Any, a: Span, b: Span) -> Span:
    """Where the result of an operation on ints lies, though it had more bits than a word."""
    if op is ast.Add:
        return a[0] + b[0], a[1] + b[1]
    if op is ast.Sub:
        return a[0] - b[1], a[1] - b[0]
    if op is ast.Mult:
        return _corners([x * y for x in a for y in b])
    if op is ast.FloorDiv and b[0] > 0:
        return _corners([x // y for x in a for y in b])
    if op is ast.Mod and b[0] > 0:
        return (0, min(a[1], b[1] - 1)) if a[0] >= 0 else (0, b[1] - 1)
    if op is ast.BitAnd and max(a[0], b[0]) >= 0:
        return 0, min(span[1] for span in (a, b) if span[0] >= 0)
    if op in (ast.BitOr, ast.BitXor) and min(a[0], b[0]) >= 0:
        return 0, (1 << max(a[1], b[1]).bit_length()) - 1
    if op is ast.RShift and b[0] >= 0:
        return _corners([x >> min(y, 63) for x in a for y in b])
    return ANY


def _corners(found: Sequence[int]) -> Span:
    return min(found), max(found)
