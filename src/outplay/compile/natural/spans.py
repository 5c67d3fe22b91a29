"""Spans (interval analysis): the range of an int as far as it is known at compile time.

An operation that cannot exceed 64 bits needs no overflow check; an index that is surely in range needs no bounds check.
A local's span is the hull of all values assigned to it, found in repeated passes over the function. A span that still
grows after a few passes is widened to all numbers.
"""

import ast
from collections.abc import Sequence
from typing import Any

Span = tuple[int, int]

LOWEST, HIGHEST = -(1 << 63), (1 << 63) - 1
ANY: Span = (LOWEST, HIGHEST)
TRUTH: Span = (0, 1)
CHARACTER: Span = (0, 0x10FFFF)
LENGTH: Span = (0, 1 << 40)  # more items than fit into memory
STEP = 1 << 15  # a counter with steps up to this size
FAR: Span = (-(1 << 62), 1 << 62)  # never gets so far
NEAR: Span = (-(1 << 61), 1 << 61)  # if it starts here


def hull(one: Span | None, two: Span) -> Span:
    """The smallest span that contains both; None stands for the empty span."""
    return two if one is None else (min(one[0], two[0]), max(one[1], two[1]))


def holds(span: Span, other: Span) -> bool:
    return span[0] <= other[0] and other[1] <= span[1]


def clipped(span: Span) -> Span:
    """A span limited to 64-bit ints, since anything else raises an error."""
    return max(span[0], LOWEST), min(span[1], HIGHEST)


def moved(before: Span | None, now: Span, times: int) -> Span:
    """The span of a local after another assignment; `times` says how often it grew before."""
    both = hull(before, now)
    if before is None or both == before or times < 2:
        return both
    return FAR if holds(NEAR, both) else ANY


def of_operation(op: Any, a: Span, b: Span) -> Span:
    """The span of an operation on ints, which may exceed 64 bits."""
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
