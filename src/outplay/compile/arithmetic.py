"""Arithmetic where Python raises an error but a processor returns a number: roots, logarithms, powers, float to int.

Each `@intrinsic` compiles a function of `math`, a builtin or `**`. Invalid arguments raise Python's own error. Where
Python would return a complex number or an int beyond 64 bits, compiled code raises ValueError or OverflowError.
"""

import builtins
import math
import operator
from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from outplay.compile.internals import TypingError, cgutils

I64, DOUBLE = ir.IntType(64), ir.DoubleType()
INFINITY, LIMIT = (ir.Constant(DOUBLE, x) for x in (math.inf, 2.0**63))

# The functions of math that return a float, by their number of arguments.
OF_ONE = (
    "sqrt", "exp", "expm1", "log", "log2", "log10", "log1p", "sin", "cos", "tan", "asin", "acos", "atan", "sinh",
    "cosh", "tanh", "asinh", "acosh", "atanh", "gamma", "lgamma", "fabs", "degrees", "radians", "erf", "erfc",
)  # fmt: skip
OF_TWO = (math.pow, math.hypot, math.atan2, math.copysign, math.fmod)
TO_INT = (math.floor, math.ceil, math.trunc, int, round)
OVERFLOWING = {"exp", "expm1", "sinh", "cosh", "hypot", "gamma", "degrees"}  # beyond the greatest float


def _is_word(kind: Any) -> bool:
    return isinstance(kind, types.Integer | types.Boolean)


def _refuse_others(name: str, *kinds: Any) -> None:
    if not all(_is_word(kind) or isinstance(kind, types.Float) for kind in kinds):
        raise TypingError(f"@outplay {name}() takes numbers, not {', '.join(map(str, kinds))}")


def _fail_if(context: Any, builder: Any, test: Any, error: type[Exception], said: str) -> None:
    with cgutils.if_unlikely(builder, test):
        context.call_conv.return_user_exc(builder, error, (said,))


def _finite(builder: Any, x: Any) -> Any:
    """Whether a float is neither NaN nor infinite: only then is x - x 0 and not NaN."""
    return builder.fcmp_ordered("==", builder.fsub(x, x), ir.Constant(DOUBLE, 0.0))


def _emitter(typing: Any, function: Any, *kinds: Any) -> Any:
    """A code generator for a function that Numba or LLVM knows, with arguments of these types."""
    if function is math.fmod:
        return types.float64(*kinds), lambda context, builder, args: builder.frem(*args)
    known = typing.resolve_value_type(function)
    signature = known.get_call_type(typing, kinds, {})

    def emit(context: Any, builder: Any, args: Any) -> Any:
        found = context.get_function(known, signature)
        context.add_linking_libs(getattr(found, "libs", ()))
        made = found(
            builder, [context.cast(builder, *pair) for pair in zip(args, kinds, signature.args, strict=True)]
        )
        return made

    return signature, emit


def _checked(name: str, count: int) -> Any:
    """A function of math on floats that raises where numbers would give NaN, or finite numbers infinity."""
    error = OverflowError if name in OVERFLOWING else ValueError
    said = "math range error" if name in OVERFLOWING else "math domain error"

    def typed(typing: Any, *given: Any) -> Any:
        _refuse_others(name, *given)
        kinds = (types.float64,) * count
        _, emit = _emitter(typing, getattr(math, name), *kinds)

        def check(context: Any, builder: Any, sig: Any, args: Any) -> Any:
            y = emit(context, builder, args)
            not_a_number = builder.fcmp_unordered("uno", y, y)
            known = ir.Constant(ir.IntType(1), 1)
            finite = known
            for x in args:
                known = builder.and_(known, builder.fcmp_ordered("ord", x, x))
                finite = builder.and_(finite, _finite(builder, x))
            _fail_if(context, builder, builder.and_(not_a_number, known), ValueError, "math domain error")
            infinite = builder.not_(_finite(builder, y))
            _fail_if(context, builder, builder.and_(infinite, finite), error, said)
            return y

        return types.float64(*kinds), check

    if count == 1:

        @intrinsic
        def operation(typing, x):  # type: ignore[no-untyped-def]
            return typed(typing, x)
    else:

        @intrinsic
        def operation(typing, x, y):  # type: ignore[no-untyped-def]
            return typed(typing, x, y)

    return operation


def _whole(function: Any) -> Any:
    """int(x), round(x), math.floor(x) ...: an int of 64 bits."""

    @intrinsic
    def operation(typing, x):  # type: ignore[no-untyped-def]
        _refuse_others(function.__name__, x)
        if _is_word(x):
            return types.int64(types.int64), lambda context, builder, sig, args: args[0]
        signature, emit = _emitter(typing, function, types.float64)

        def check(context, builder, sig, args):  # type: ignore[no-untyped-def]
            (x,) = args
            missing = builder.fcmp_unordered("uno", x, x)
            _fail_if(context, builder, missing, ValueError, "NaN is no int")
            below = builder.fcmp_ordered("<", x, LIMIT)
            within = builder.and_(below, builder.fcmp_ordered(">=", x, ir.Constant(DOUBLE, -(2.0**63))))
            _fail_if(context, builder, builder.not_(within), OverflowError, "a float has more than 64 bits")
            return context.cast(builder, emit(context, builder, args), signature.return_type, types.int64)

        return types.int64(types.float64), check

    return operation


@intrinsic
def to_float(typing, x):  # type: ignore[no-untyped-def]
    """float(x)."""
    _refuse_others("float", x)
    return types.float64(types.float64), lambda context, builder, sig, args: args[0]


@intrinsic
def power(typing, x, n):  # type: ignore[no-untyped-def]
    """x ** n: an int if both are. For a negative n Python returns a float; compiled code raises ValueError.

    A negative exponent known at compile time arrives as a float.
    """
    _refuse_others("**", x, n)
    if not _is_word(x) or not _is_word(n):
        return types.float64(types.float64, types.float64), _float_power(typing)
    if isinstance(n, types.IntegerLiteral):
        return types.int64(types.int64, n), lambda context, builder, sig, args: _by_squares(
            builder, args[0], n.literal_value
        )
    _, emit = _emitter(typing, operator.pow, types.int64, types.int64)

    def check(context, builder, sig, args):  # type: ignore[no-untyped-def]
        negative = builder.icmp_signed("<", args[1], ir.Constant(I64, 0))
        _fail_if(context, builder, negative, ValueError, "an int to a negative power")
        return emit(context, builder, args)

    return types.int64(types.int64, types.int64), check


def _by_squares(builder: Any, x: Any, n: int) -> Any:
    made = ir.Constant(I64, 1)
    while n:
        if n & 1:
            made = builder.mul(made, x)
        x, n = builder.mul(x, x), n >> 1
    return made


def _float_power(typing: Any) -> Any:
    _, emit = _emitter(typing, operator.pow, types.float64, types.float64)

    def check(context: Any, builder: Any, sig: Any, args: Any) -> Any:
        x, n = args
        zero = ir.Constant(DOUBLE, 0.0)
        inverse = builder.and_(builder.fcmp_ordered("==", x, zero), builder.fcmp_ordered("<", n, zero))
        _fail_if(context, builder, inverse, ZeroDivisionError, "0 to a negative power")
        y = emit(context, builder, args)
        known = builder.fcmp_ordered("ord", x, n)
        complex_ = builder.and_(known, builder.fcmp_unordered("uno", y, y))
        _fail_if(context, builder, complex_, ValueError, "a negative number to a power that is no int")
        finite = builder.and_(_finite(builder, x), _finite(builder, n))
        beyond = builder.and_(finite, builder.not_(_finite(builder, y)))
        _fail_if(context, builder, beyond, OverflowError, "a power beyond the greatest float")
        return y

    return check


# The functions that rewritten code calls instead of these.
CHECKED: dict[Any, tuple[str, Any]] = {
    **{getattr(math, name): (f"math_{name}", _checked(name, 1)) for name in OF_ONE},
    **{function: (f"math_{function.__name__}", _checked(function.__name__, 2)) for function in OF_TWO},
    **{function: (f"to_int_{function.__name__}", _whole(function)) for function in TO_INT},
    builtins.float: ("to_float", to_float),
}
