"""Native twins in LLVM instructions: of `outplay.words` and `outplay.memory`, and of what rewritten code calls.

Each `@intrinsic` compiles the plain function of the same name.
"""

import operator
import os
from typing import Any

from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from outplay import memory
from outplay.compile.internals import TypingError, cgutils

# Whether rules check their indices; switched off only to measure the cost.
CHECKED = os.environ.get("OUTPLAY_CHECKS", "1") != "0"

I1, I64 = ir.IntType(1), ir.IntType(64)
WORDS = types.CPointer(types.int64)  # words in memory, such as the stack of actions


def _is_word(*kinds: Any) -> bool:
    return all(isinstance(k, types.Integer | types.Boolean) for k in kinds)


def _word_operation(name: str, count: int, emit: Any) -> Any:
    """An intrinsic that takes `count` words and returns one."""
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
lsb = _word_operation("lsb", 1, lambda b, x: b.cttz(x, ir.Constant(I1, 0)))
some_lsb = _word_operation("lsb", 1, lambda b, x: b.cttz(x, ir.Constant(I1, 1)))  # x is known not to be 0
msb = _word_operation("msb", 1, lambda b, x: b.sub(ir.Constant(I64, 63), b.ctlz(x, ir.Constant(I1, 0))))
bswap = _word_operation("bswap", 1, lambda b, x: b.bswap(x))
# In LLVM a shift by 64 or more is undefined behaviour; processors use the lowest six bits.
shr = _word_operation("shr", 2, lambda b, x, n: b.lshr(x, b.and_(n, ir.Constant(I64, 63))))
invert = _word_operation("~", 1, lambda b, x: b.not_(x))  # also of a bool, whose ~ is an int


def _deposited(b: Any, x: Any, n: Any) -> Any:
    """The n-th set bit by one x86 instruction (PDEP), which moves bit n of a word to the n-th set bit of x."""
    kind = ir.FunctionType(I64, [I64, I64])
    pdep = cgutils.get_or_insert_function(b.module, kind, "llvm.x86.bmi.pdep.64")
    bit = b.shl(ir.Constant(I64, 1), b.and_(n, ir.Constant(I64, 63)))
    return b.cttz(b.call(pdep, [bit, x]), ir.Constant(I1, 0))


deposited_nth = _word_operation("nth", 2, _deposited)
# Processors that have the instruction and run it in a few cycles.
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
    """A field's value: an int64 or a tuple of them; a float is a compile error."""
    if _is_word(x):
        return types.int64(types.int64), lambda context, builder, sig, args: args[0]
    if isinstance(x, types.BaseTuple) and _is_word(*x.types):
        count = len(x.types)

        def convert(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return context.cast(builder, args[0], sig.args[0], sig.return_type)

        return types.UniTuple(types.int64, count)(x), convert
    raise TypingError(f"@outplay field {x}")


def _shared(context: Any, builder: Any, kind: Any, value: Any) -> Any:
    """An argument as a return value, with the reference counts of what it holds (such as a list) increased."""
    if context.enable_nrt:
        context.nrt.incref(builder, kind, value)
    return value


@intrinsic
def alike(typing, t):  # type: ignore[no-untyped-def]
    """A tuple of ints and bools as one of ints; any other tuple unchanged."""
    mixed = not isinstance(t, types.UniTuple) and len(t.types) > 0 and _is_word(*t.types)
    kind = types.UniTuple(types.int64, len(t.types)) if mixed else t

    def convert(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return _shared(context, builder, kind, context.cast(builder, args[0], t, kind))

    return kind(t), convert


@intrinsic
def truth(typing, x):  # type: ignore[no-untyped-def]
    """bool(x), with a value that is unknown to Numba at compile time."""
    known = typing.resolve_value_type(bool)
    signature = known.get_call_type(typing, (types.unliteral(x),), {})

    def test(context, builder, sig, args):  # type: ignore[no-untyped-def]
        value = context.cast(builder, args[0], sig.args[0], signature.args[0])
        return context.get_function(known, signature)(builder, [value])

    return types.boolean(x), test


@intrinsic
def several(typing, x):  # type: ignore[no-untyped-def]
    """The only argument of min() or max(), which must be a sequence."""
    if isinstance(x, types.Number | types.Boolean):
        raise TypingError(f"@outplay one {x}")
    return x(x), lambda context, builder, sig, args: _shared(context, builder, x, args[0])


@intrinsic
def as_action(typing, x):  # type: ignore[no-untyped-def]
    """An action: an int."""
    if not _is_word(x):
        raise TypingError(f"@outplay action {x}")
    return types.int64(types.int64), lambda context, builder, sig, args: args[0]


@intrinsic
def as_index(typing, x):  # type: ignore[no-untyped-def]
    """An index or a count: an int."""
    if not _is_word(x):
        raise TypingError(f"@outplay index {x}")
    return types.int64(types.int64), lambda context, builder, sig, args: args[0]


def inside(context: Any, builder: Any, index: Any, size: Any, what: str, *, wraps: bool = True) -> Any:
    """The position of an index, negative ones counted from the end; IndexError if out of range."""
    if wraps:
        negative = builder.icmp_signed("<", index, ir.Constant(I64, 0))
        index = builder.select(negative, builder.add(index, size), index)
    if CHECKED:
        with cgutils.if_unlikely(builder, builder.icmp_unsigned(">=", index, size)):
            context.call_conv.return_user_exc(builder, IndexError, (f"an index is outside {what}",))
    return index


def _in_tuple(builder: Any, t: Any, place: Any) -> Any:
    """The address of a tuple's item, after the tuple was stored on the stack."""
    slot = cgutils.alloca_once_value(builder, t)
    return slot, builder.gep(slot, [ir.Constant(I64, 0), place], inbounds=True)


@intrinsic
def at(typing, sequence, index):  # type: ignore[no-untyped-def]
    """sequence[index]: without Numba's jump table for tuples, with a bounds check for tables."""
    if not _is_word(index):
        raise TypingError(f"@outplay index {index}")
    if isinstance(sequence, types.UniTuple):
        size = len(sequence)

        def from_tuple(context, builder, sig, args):  # type: ignore[no-untyped-def]
            place = inside(context, builder, args[1], ir.Constant(I64, size), f"a tuple of {size}")
            return builder.load(_in_tuple(builder, args[0], place)[1])

        return sequence.dtype(sequence, types.int64), from_tuple
    if isinstance(sequence, types.Array) and sequence.ndim == 1 and sequence.layout == "C":

        def from_table(context, builder, sig, args):  # type: ignore[no-untyped-def]
            array = context.make_array(sig.args[0])(context, builder, args[0])
            place = inside(context, builder, args[1], builder.extract_value(array.shape, 0), "its table")
            return builder.load(builder.gep(array.data, [place]))

        return sequence.dtype(sequence, types.int64), from_table
    read = typing.resolve_value_type(operator.getitem)
    signature = read.get_call_type(typing, (sequence, index), {})

    def from_other(context, builder, sig, args):  # type: ignore[no-untyped-def]
        found = context.get_function(read, sig)
        context.add_linking_libs(getattr(found, "libs", ()))
        return found(builder, args)

    return signature, from_other


@intrinsic
def put(typing, t, i, v):  # type: ignore[no-untyped-def]
    """A copy of tuple t with v at index i."""
    if not isinstance(t, types.UniTuple) or not _is_word(i) or (_is_word(t.dtype) and not _is_word(v)):
        raise TypingError(f"@outplay put takes a tuple of ints, an index and an int, not {t}, {i}, {v}")
    size = len(t)

    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        place = inside(context, builder, args[1], ir.Constant(I64, size), f"a tuple of {size}", wraps=False)
        slot, item = _in_tuple(builder, args[0], place)
        builder.store(args[2], item)
        return builder.load(slot)

    return t(t, types.int64, t.dtype), store


@intrinsic
def scratch(typing, size):  # type: ignore[no-untyped-def]
    """Memory for `size` words (a literal) on the machine's stack, freed when the function returns."""
    if not isinstance(size, types.IntegerLiteral):
        raise TypingError("scratch takes a literal size")

    def allocate(context, builder, sig, args):  # type: ignore[no-untyped-def]
        # If it were inlined, every ply of a search would hold the buffers of its rules.
        builder.function.attributes.discard("alwaysinline")
        builder.function.attributes.add("noinline")
        return cgutils.alloca_once(builder, I64, size=ir.Constant(I64, size.literal_value))

    return WORDS(types.literal(size.literal_value)), allocate


@intrinsic
def pointer(typing, array):  # type: ignore[no-untyped-def]
    """The address of an array's first item: one machine word instead of the seven of an array."""

    def address(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return context.make_array(sig.args[0])(context, builder, args[0]).data

    return types.CPointer(array.dtype)(array), address


def _read(builder: Any, address: Any, i: Any, kind: Any) -> Any:
    return builder.load(builder.gep(builder.inttoptr(address, kind.as_pointer()), [i]))


def _word_at(kind: Any, llvm_type: Any) -> Any:
    @intrinsic
    def operation(typing, address, i):  # type: ignore[no-untyped-def]
        def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
            return _read(builder, *args, llvm_type)

        return kind(types.int64, types.int64), load

    return operation


word_at = _word_at(types.int64, I64)
float_at = _word_at(types.float64, ir.DoubleType())

DIRECTORY = "outplay_directory"  # addresses and lengths by handle
binding.add_symbol(DIRECTORY, memory.directory.ctypes.data)


def _peek(kind: Any, llvm_type: Any) -> Any:
    @intrinsic
    def operation(typing, handle, i):  # type: ignore[no-untyped-def]
        def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
            symbol = builder.module.globals.get(DIRECTORY)
            if symbol is None:
                symbol = ir.GlobalVariable(builder.module, ir.ArrayType(I64, 2 * memory.MOST), DIRECTORY)
            what = "the data behind its handle"
            most = ir.Constant(I64, memory.MOST)
            handle = builder.shl(
                inside(context, builder, args[0], most, what, wraps=False), ir.Constant(I64, 1)
            )
            zero, one = ir.Constant(I64, 0), ir.Constant(I64, 1)
            address = builder.load(builder.gep(symbol, [zero, handle]))
            length = builder.load(builder.gep(symbol, [zero, builder.add(handle, one)]))
            place = inside(context, builder, args[1], length, what, wraps=False)
            return _read(builder, address, place, llvm_type)

        return kind(types.int64, types.int64), load

    return operation


peek = _peek(types.int64, I64)
peek_float = _peek(types.float64, ir.DoubleType())


def _weight(kind: Any, llvm_type: Any) -> Any:
    @intrinsic
    def operation(typing, address, start, size, index):  # type: ignore[no-untyped-def]
        if not _is_word(index):
            raise TypingError(f"@outplay index {index}")

        def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
            address, start, size, index = args
            place = inside(context, builder, index, size, "its group of weights")
            return _read(builder, address, builder.add(start, place), llvm_type)

        return kind(*[types.int64] * 4), load

    return operation


weight = _weight(types.int64, I64)
weight_float = _weight(types.float64, ir.DoubleType())


@intrinsic
def load_now(typing, p, i):  # type: ignore[no-untyped-def]
    """p[i], read from memory each time (an atomic load), for flags that another thread may set."""

    def load(context, builder, sig, args):  # type: ignore[no-untyped-def]
        return builder.load_atomic(builder.gep(args[0], [args[1]]), ordering="monotonic", align=8)

    return types.int64(p, types.int64), load


@intrinsic
def prefetch(typing, p, i):  # type: ignore[no-untyped-def]
    """Prefetch p[i]: load it into the cache while other work goes on."""

    def fetch(context, builder, sig, args):  # type: ignore[no-untyped-def]
        i32, place = ir.IntType(32), builder.gep(args[0], [args[1]])
        kind = ir.FunctionType(ir.VoidType(), [place.type, i32, i32, i32])
        hint = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
        builder.call(hint, [place, ir.Constant(i32, 0), ir.Constant(i32, 3), ir.Constant(i32, 1)])
        return context.get_dummy_value()

    return types.none(p, types.int64), fetch


@intrinsic
def store_state(typing, p, base, s):  # type: ignore[no-untyped-def]
    """Write a state's words from p[base] on: its fields, words and tuples of words, in order."""

    def store(context, builder, sig, args):  # type: ignore[no-untyped-def]
        place = builder.bitcast(builder.gep(args[0], [args[1]]), args[2].type.as_pointer())
        builder.store(args[2], place, align=8)
        return context.get_dummy_value()

    return types.none(p, types.int64, s), store


@intrinsic
def load_state(typing, p, base, like):  # type: ignore[no-untyped-def]
    """The state whose words begin at p[base]; `like` gives its type."""

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
