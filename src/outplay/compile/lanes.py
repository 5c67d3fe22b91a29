"""Sums of many small numbers, in four 16-bit lanes per word, for a net's layers (`outplay.nnue`).

The native twins use vector types explicitly, since a loop over words would widen every number to 64 bits first.
32 words are 128 numbers: four registers on the newest processors, eight or sixteen on older ones.
"""

from typing import Any

from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from outplay.compile.internals import cgutils
from outplay.nnue import CHUNK, HALF, LANES
from outplay.words import wrap

I16, I32, I64 = ir.IntType(16), ir.IntType(32), ir.IntType(64)
WORDS = ir.VectorType(I64, CHUNK)
NUMBERS, WIDE = ir.VectorType(I16, LANES * CHUNK), ir.VectorType(I32, LANES * CHUNK)


def add_rows(words: Any, at: int, width: int, table: Any, gone: int, less: int, come: int, more: int) -> None:
    """Subtract rows of a table from the `width` words at `at`, and add others.

    The words from words[gone] on say where in the table the `less` subtracted rows begin, those from words[come] on
    where the `more` added rows begin.
    """
    for i in range(width):
        x = words[at + i]
        for k in range(less):
            x -= table[words[gone + k] + i]
        for k in range(more):
            x += table[words[come + k] + i]
        words[at + i] = wrap(x)


def weigh(words: Any, at: int, width: int, base: int, one: int, table: Any, weights: int) -> int:
    """The sum of w * x^2 / 256 over the lanes of `width` words: x is the lane minus `base`, clipped to 0..`one`."""
    total = 0
    for i in range(width):
        for lane in range(0, 16 * LANES, 16):
            x = min(max((words[at + i] >> lane & 0xFFFF) - base, 0), one)
            w = (table[weights + i] >> lane & 0xFFFF ^ 0x8000) - 0x8000
            total += w * (x * x + HALF >> 8)
    return total


def _chunks(builder: Any, width: Any) -> Any:
    """A loop over the words, a vector of them at a time."""
    return cgutils.for_range_slice(builder, ir.Constant(I64, 0), width, ir.Constant(I64, CHUNK), I64)


def _vector(builder: Any, words: Any, at: Any, kind: Any) -> Any:
    """The address of the vector that begins at words[at]."""
    return builder.bitcast(builder.gep(words, [at]), kind.as_pointer())


@intrinsic
def native_add_rows(typing, words, at, width, table, gone, less, come, more):  # type: ignore[no-untyped-def]
    def emit(context, builder, sig, args):  # type: ignore[no-untyped-def]
        words, at, width, table, gone, less, come, more = args
        kept = cgutils.alloca_once(builder, WORDS)
        with _chunks(builder, width) as (i, _):
            place = _vector(builder, words, builder.add(at, i), WORDS)
            builder.store(builder.load(place, align=8), kept)
            for first, count, step in ((gone, less, builder.sub), (come, more, builder.add)):
                with cgutils.for_range(builder, count) as loop:
                    row = builder.load(builder.gep(words, [builder.add(first, loop.index)]))
                    numbers = builder.load(_vector(builder, table, builder.add(row, i), WORDS), align=8)
                    builder.store(step(builder.load(kept), numbers), kept)
            builder.store(builder.load(kept), place, align=8)
        return context.get_dummy_value()

    word = types.int64
    return types.none(words, word, word, table, word, word, word, word), emit


@intrinsic
def native_weigh(typing, words, at, width, base, one, table, weights):  # type: ignore[no-untyped-def]
    def emit(context, builder, sig, args):  # type: ignore[no-untyped-def]
        words, at, width, base, one, table, weights = args
        zero = ir.Constant(NUMBERS, None)
        base, one = (_everywhere(builder, builder.trunc(x, I16)) for x in (base, one))
        half, eight = (ir.Constant(NUMBERS, [ir.Constant(I16, x)] * NUMBERS.count) for x in (HALF, 8))
        total = cgutils.alloca_once_value(builder, ir.Constant(WIDE, None))
        with _chunks(builder, width) as (i, _):
            x = builder.load(_vector(builder, words, builder.add(at, i), NUMBERS), align=8)
            x = builder.sub(x, base)
            x = builder.select(builder.icmp_signed(">", x, zero), x, zero)
            x = builder.select(builder.icmp_signed("<", x, one), x, one)
            x = builder.lshr(builder.add(builder.mul(x, x), half), eight)
            w = builder.load(_vector(builder, table, builder.add(weights, i), NUMBERS), align=8)
            product = builder.mul(builder.sext(x, WIDE), builder.sext(w, WIDE))
            builder.store(builder.add(builder.load(total), product), total)
        kind = ir.FunctionType(I32, [WIDE])
        add_up = cgutils.get_or_insert_function(
            builder.module, kind, f"llvm.vector.reduce.add.v{WIDE.count}i32"
        )
        return builder.sext(builder.call(add_up, [builder.load(total)]), I64)

    word = types.int64
    return word(words, word, word, word, word, table, word), emit


def _everywhere(builder: Any, number: Any) -> Any:
    """A vector of the same number."""
    one = builder.insert_element(ir.Constant(NUMBERS, ir.Undefined), number, ir.Constant(I32, 0))
    none = ir.Constant(ir.VectorType(I32, NUMBERS.count), None)
    return builder.shuffle_vector(one, ir.Constant(NUMBERS, ir.Undefined), none)
