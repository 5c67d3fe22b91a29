"""Arithmetic of generated code as Python defines it; results beyond 64 bits raise `Beyond`."""

import math
from typing import Any

from numba import types
from numba.extending import intrinsic

from outplay.compile.internals import cgutils
from outplay.compile.jit import inlined, kernel
from outplay.compile.natural.native import Beyond


def _checked(operation: str, said: str) -> Any:
    @intrinsic
    def compute(typing, a, b):  # type: ignore[no-untyped-def]
        def emit(context, builder, sig, args):  # type: ignore[no-untyped-def]
            both = getattr(builder, operation)(*args)
            with cgutils.if_unlikely(builder, builder.extract_value(both, 1)):
                context.call_conv.return_user_exc(builder, Beyond, (said,))
            return builder.extract_value(both, 0)

        return types.int64(types.int64, types.int64), emit

    return compute


MORE_BITS = "a number has more than 64 bits"
add = _checked("sadd_with_overflow", MORE_BITS)
sub = _checked("ssub_with_overflow", MORE_BITS)
mul = _checked("smul_with_overflow", MORE_BITS)


def _unsigned(operation: str) -> Any:
    @intrinsic
    def compute(typing, a, b):  # type: ignore[no-untyped-def]
        def emit(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return getattr(builder, operation)(*args)

        return types.int64(types.int64, types.int64), emit

    return compute


quotient, remainder = _unsigned("udiv"), _unsigned("urem")  # of numbers that cannot be negative


@inlined
def range_length(start, stop, step):  # type: ignore[no-untyped-def]
    if step == 0:
        raise ValueError("range() with step 0")
    if step > 0:
        return max(0, (stop - start + step - 1) // step)
    return max(0, (start - stop - step - 1) // -step)


@inlined
def shift_left(x, n):  # type: ignore[no-untyped-def]
    if n < 0:
        raise ValueError("negative shift count")
    if x == 0:
        return 0
    if n > 62 or (x << n) >> n != x:
        raise Beyond(MORE_BITS)
    return x << n


@inlined
def shift_right(x, n):  # type: ignore[no-untyped-def]
    if n < 0:
        raise ValueError("negative shift count")
    return x >> min(n, 63)


@kernel
def power(x, n):  # type: ignore[no-untyped-def]
    """x ** n of ints."""
    if n < 0:
        raise Beyond("an int to a negative power is a float")
    made = 1
    while n > 0:
        if n & 1:
            made = mul(made, x)
        n >>= 1
        if n > 0:
            x = mul(x, x)
    return made


@inlined
def floor_div(a, b):  # type: ignore[no-untyped-def]
    if b == 0:
        raise ZeroDivisionError("division by zero")
    if b == -1:
        return sub(0, a)
    return a // b


@inlined
def modulo(a, b):  # type: ignore[no-untyped-def]
    if b == 0:
        raise ZeroDivisionError("division by zero")
    return 0 if b == -1 else a % b


@inlined
def divide(a, b):  # type: ignore[no-untyped-def]
    if b == 0:
        raise ZeroDivisionError("division by zero")
    return a / b


@kernel
def gcd(a, b):  # type: ignore[no-untyped-def]
    while b != 0:
        a, b = b, a % b
    return abs(a)


@kernel
def factorial(n):  # type: ignore[no-untyped-def]
    if n < 0:
        raise ValueError("factorial() of a negative number")
    made = 1
    for k in range(2, n + 1):
        made = mul(made, k)
    return made


@kernel
def comb(n, k):  # type: ignore[no-untyped-def]
    if n < 0 or k < 0:
        raise ValueError("comb() of a negative number")
    made = 1
    for i in range(min(k, n - k) if k <= n else 0):
        made = mul(made, n - i) // (i + 1)
    return made if k <= n else 0


@kernel
def perm(n, k):  # type: ignore[no-untyped-def]
    if n < 0 or k < 0:
        raise ValueError("perm() of a negative number")
    made = 1
    for i in range(k):
        made = mul(made, n - i)
    return made if k <= n else 0


@kernel
def isqrt(n):  # type: ignore[no-untyped-def]
    if n < 0:
        raise ValueError("isqrt() of a negative number")
    root = int(math.sqrt(n))
    while root * root > n:
        root -= 1
    while (root + 1) * (root + 1) <= n:
        root += 1
    return root


@kernel
def bit_count(x):  # type: ignore[no-untyped-def]
    x = abs(x)
    found = 0
    while x:
        x &= x - 1
        found += 1
    return found


@kernel
def bit_length(x):  # type: ignore[no-untyped-def]
    x = abs(x)
    found = 0
    while x:
        x >>= 1
        found += 1
    return found


@inlined
def absolute(x):  # type: ignore[no-untyped-def]
    return sub(0, x) if x < 0 else x


@kernel
def float_floor_div(a, b):  # type: ignore[no-untyped-def]
    if b == 0.0:
        raise ZeroDivisionError("division by zero")
    return a // b


@kernel
def float_modulo(a, b):  # type: ignore[no-untyped-def]
    if b == 0.0:
        raise ZeroDivisionError("division by zero")
    return a % b


@kernel
def float_power(a, b):  # type: ignore[no-untyped-def]
    if a == 0.0 and b < 0.0:
        raise ZeroDivisionError("0 to a negative power")
    made = a**b
    if made != made and a == a and b == b:
        raise ValueError("a negative number to a fractional power")
    if abs(made) == math.inf and abs(a) != math.inf and abs(b) != math.inf:
        raise OverflowError("a power beyond the greatest float")
    return made
