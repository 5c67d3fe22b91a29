"""The native twins: LLVM instructions for `outplay.bits` and `outplay.memory`, and for what rewriting needs.

Each `@intrinsic` is the compiled meaning of the plain function of the same name.
"""

from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.core import cgutils
from numba.core.errors import TypingError
from numba.core.typeinfer import TypeInferer
from numba.cpython import numbers
from numba.extending import intrinsic

# Compiled ints wrap at 64 bits. Numba tells LLVM that they never overflow, which lets it turn x + (1 << 63)
# into something else.
numbers._int_arith_flags = lambda kind: []

# For each place where a function calls itself, Numba infers the whole function once more to learn what it returns.
# Once is enough: a search calls itself in many places, and this halves the time to compile it.
_infer_returns = TypeInferer.return_types_from_partial


def _infer_returns_once(self: Any) -> Any:
    known = self.__dict__.get("_outplay_returns")
    if known is None:
        known = self._outplay_returns = _infer_returns(self)
    return known


TypeInferer.return_types_from_partial = _infer_returns_once

I1, I64 = ir.IntType(1), ir.IntType(64)
WORDS = types.CPointer(types.int64)  # a run of words in memory: the stack that actions are written to


def _is_word(*kinds: Any) -> bool:
    return all(isinstance(k, types.Integer | types.Boolean) for k in kinds)


def _word_operation(name: str, count: int, emit: Any) -> Any:
    """An intrinsic from `count` words to a word."""
    signature = types.int64(*[types.int64] * count)

    def typed(*kinds: Any) -> Any:
        if not _is_word(*kinds):
            raise TypingError(f"@outplay {name} takes ints, not {', '.join(map(str, kinds))}")
        return signature, lambda context, builder, sig, args: emit(builder, *args)

    if count == 1:

        @intrinsic
        def operation(typing, x):  # type: ignore[no-untyped-def]
            return typed(x)
    else:

        @intrinsic
        def operation(typing, x, n):  # type: ignore[no-untyped-def]
            return typed(x, n)

    return operation


popcount = _word_operation("popcount", 1, lambda b, x: b.ctpop(x))
lsb = _word_operation("lsb", 1, lambda b, x: b.cttz(x, ir.Constant(I1, 1)))
msb = _word_operation("msb", 1, lambda b, x: b.sub(ir.Constant(I64, 63), b.ctlz(x, ir.Constant(I1, 1))))
bswap = _word_operation("bswap", 1, lambda b, x: b.bswap(x))
shr = _word_operation("shr", 2, lambda b, x, n: b.lshr(x, n))


def _deposited(b: Any, x: Any, n: Any) -> Any:
    """The n-th set bit by one instruction of x86: bit n of a word is put where the n-th bit of x is."""
    kind = ir.FunctionType(I64, [I64, I64])
    pdep = cgutils.get_or_insert_function(b.module, kind, "llvm.x86.bmi.pdep.64")
    return b.cttz(b.call(pdep, [b.shl(ir.Constant(I64, 1), n), x]), ir.Constant(I1, 1))


deposited_nth = _word_operation("nth", 2, _deposited)
# Processors that have the instruction, and take few cycles for it.
CAN_DEPOSIT = binding.get_host_cpu_features().get("bmi2", False) and binding.get_host_cpu_name() not in (
    "znver1", "znver2",
)  # fmt: skip


def _absolute(b: Any, x: Any) -> Any:
    return b.select(b.icmp_signed("<", x, ir.Constant(I64, 0)), b.neg(x), x)


bit_count = _word_operation("bit_count", 1, lambda b, x: b.ctpop(_absolute(b, x)))
bit_length = _word_operation(
    "bit_length", 1, lambda b, x: b.sub(ir.Constant(I64, 64), b.ctlz(_absolute(b, x), ir.Constant(I1, 0)))
)


@intrinsic
def wrap(typing, x):  # type: ignore[no-untyped-def]
    """A field's value: an int64, or a tuple of them; a float is refused when the game is compiled."""
    if _is_word(x):
        return types.int64(types.int64), lambda context, builder, sig, args: args[0]
    if isinstance(x, types.BaseTuple) and _is_word(*x.types):
        count = len(x.types)

        def convert(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.cast(builder, args[0], sig.args[0], sig.return_type)

        return types.UniTuple(types.int64, count)(x), convert
    raise TypingError(f"@outplay field {x}")


@intrinsic
def as_action(typing, x):  # type: ignore[no-untyped-def]
    """An action: an int."""
    if not _is_word(x):
        raise TypingError(f"@outplay action {x}")
    return types.int64(types.int64), lambda context, builder, sig, args: args[0]


@intrinsic
def unsafe_at(typing, t, i):  # type: ignore[no-untyped-def]
    """t[i] through the stack: a run-time index into a tuple without the jump table that Numba would make."""

    def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
        slot = cgutils.alloca_once_value(builder, args[0])
        return builder.load(builder.gep(slot, [ir.Constant(I64, 0), args[1]], inbounds=True))

    return t.dtype(t, types.int64), load


@intrinsic
def unsafe_put(typing, t, i, v):  # type: ignore[no-untyped-def]
    """A copy of tuple t with v at index i."""

    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        slot = cgutils.alloca_once_value(builder, args[0])
        builder.store(args[2], builder.gep(slot, [ir.Constant(I64, 0), args[1]], inbounds=True))
        return builder.load(slot)

    return t(t, types.int64, t.dtype), store


@intrinsic
def scratch(typing, size):  # type: ignore[no-untyped-def]
    """Room for `size` words (a literal) on the machine's stack, gone when the function returns."""
    if not isinstance(size, types.IntegerLiteral):
        raise TypingError("scratch takes a literal size")

    def allocate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return cgutils.alloca_once(builder, I64, size=ir.Constant(I64, size.literal_value))

    return WORDS(types.literal(size.literal_value)), allocate


@intrinsic
def pointer(typing, array):  # type: ignore[no-untyped-def]
    """The address of an array's first item: one machine word instead of the seven of an array."""

    def address(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return context.make_array(sig.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), address


def _peek(kind: Any, llvm_type: Any) -> Any:
    @intrinsic
    def operation(typing, handle, i):  # type: ignore[no-untyped-def]
        def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
            base = builder.inttoptr(args[0], llvm_type.as_pointer())
            return builder.load(builder.gep(base, [args[1]]))

        return kind(types.int64, types.int64), load

    return operation


peek = _peek(types.int64, I64)
peek_float = _peek(types.float64, ir.DoubleType())


@intrinsic
def load_now(typing, p, i):  # type: ignore[no-untyped-def]
    """p[i] read from memory each time (an atomic load): a flag that another thread may set."""

    def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.load_atomic(builder.gep(args[0], [args[1]]), ordering="monotonic", align=8)

    return types.int64(p, types.int64), load


@intrinsic
def prefetch(typing, p, i):  # type: ignore[no-untyped-def]
    """Tell the processor that p[i] will be read soon: it is fetched from memory while other work goes on."""

    def fetch(context, builder, sig, args):  # type: ignore[no-untyped-def]
        i32, place = ir.IntType(32), builder.gep(args[0], [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [place.type, i32, i32, i32])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(hint, [place, ir.Constant(i32, 0), ir.Constant(i32, 3), ir.Constant(i32, 1)])
        return context.get_dummy_value()

    return types.none(p, types.int64), fetch


@intrinsic
def store_state(typing, p, base, s):  # type: ignore[no-untyped-def]
    """Write a state's words from p[base] on: its fields are words and tuples of words, one after the other."""

    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        place = builder.bitcast(builder.gep(args[0], [args[1]]), args[2].type.as_pointer())
        builder.store(args[2], place, align=8)
        return context.get_dummy_value()

    return types.none(p, types.int64, s), store


@intrinsic
def load_state(typing, p, base, like):  # type: ignore[no-untyped-def]
    """The state whose words begin at p[base], of the type of another."""

    def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
        place = builder.bitcast(builder.gep(args[0], [args[1]]), args[2].type.as_pointer())
        return builder.load(place, align=8)

    return like(p, types.int64, like), load


@intrinsic
def words_at(typing, address):  # type: ignore[no-untyped-def]
    """The words in memory at an address that was stored as an int."""

    def convert(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.inttoptr(args[0], I64.as_pointer())

    return WORDS(types.int64), convert
