"""What is known of numbers and lists before a program runs: never less than what may happen."""

import ast
import itertools
import operator

import pytest

from outplay.compile.natural import spans
from outplay.compile.natural.syntax import fixed_lists

OPERATIONS = {
    ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod, ast.BitAnd: operator.and_, ast.BitOr: operator.or_, ast.BitXor: operator.xor,
    ast.RShift: operator.rshift, ast.LShift: operator.lshift, ast.Pow: operator.pow,
}  # fmt: skip
SPANS = [(low, high) for low in range(-5, 6, 2) for high in range(low, 8, 3)]


@pytest.mark.parametrize("op", OPERATIONS)
def test_a_span_holds_every_result(op: type) -> None:
    for a, b in itertools.product(SPANS, repeat=2):
        low, high = spans.of_operation(op, a, b)
        for x, y in itertools.product(range(a[0], a[1] + 1), range(b[0], b[1] + 1)):
            if op in (ast.FloorDiv, ast.Mod) and y == 0:
                continue
            if op in (ast.RShift, ast.LShift, ast.Pow) and y < 0:
                continue
            assert low <= OPERATIONS[op](x, y) <= high, (op, a, b, x, y)


def test_the_ends_of_a_word() -> None:
    assert spans.of_operation(ast.Add, spans.ANY, (1, 1))[1] == spans.HIGHEST + 1
    assert spans.clipped((spans.LOWEST - 5, spans.HIGHEST + 1)) == spans.ANY
    assert spans.of_operation(ast.FloorDiv, spans.ANY, (-3, 3)) == spans.ANY
    assert spans.of_operation(ast.Mod, (-7, 9), (1, 8)) == (0, 7)


def test_what_moves_again_and_again_is_anything() -> None:
    span = None
    for times, now in enumerate([(5, 5), (4, 5), (3, 5), (2, 5), (-(1 << 63), 5)]):
        span = spans.moved(span, now, times)
    assert span == spans.ANY
    assert spans.moved((0, 3), (1, 2), 9) == (0, 3)


FIXED = {  # a function's body, and whether nobody else knows its list `b`
    "b = list(t); b[0] = 1; return tuple(b)": True,
    "b = [0] * 9; b[i] += 1; return ''.join(b)": True,
    "b = [x for x in t]\nfor x in b: b[x] = 1\nreturn len(b)": True,
    "b = list(t); b.append(1); return tuple(b)": False,
    "b = list(t); return b": False,
    "b = list(t); c = b; c[0] = 1; return tuple(b)": False,
    "b = list(t); use(b); return tuple(b)": False,
    "b = list(t); del b[0]; return tuple(b)": False,
    "b = list(t); b[1:2] = (); return tuple(b)": False,
    "b = list(t); f = lambda: b[0]; return tuple(b)": False,
    "b = list(t); b += [1]; return tuple(b)": False,
    "b = t; b[0] = 1; return tuple(b)": False,
    "a = b = list(t); return tuple(b)": False,
    "b = list(t); return tuple(sorted(key=b))": False,
}


@pytest.mark.parametrize("body", FIXED)
def test_lists_that_nobody_else_knows(body: str) -> None:
    (function,) = ast.parse("def f(t, i):\n" + "\n".join(f" {line}" for line in body.split("\n"))).body
    assert isinstance(function, ast.FunctionDef)
    assert ("b" in fixed_lists(function)) is FIXED[body]
