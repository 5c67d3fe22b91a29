"""Weighted sums of rows of 32-bit floats: what the layers of a value net are made of.

The native version keeps the sums of WIDE columns in registers while it goes through the rows; Numba would write them to
memory after each. A product is rounded before it is added, so that the sums are the same on all processors.
"""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from outplay.compile.internals import cgutils

WIDE = 32  # columns: four registers of most processors; a table has a multiple of it
FLOAT, I64 = ir.FloatType(), ir.IntType(64)
FLOATS = ir.VectorType(FLOAT, WIDE)


def padded(array: np.ndarray) -> np.ndarray:
    """A table with columns of 0 up to the next multiple of WIDE."""
    return np.ascontiguousarray(np.pad(array, ((0, 0), (0, -array.shape[1] % WIDE))))


def sum_rows(
    sums: Any, start: Any, at: int, table: Any, width: int, places: Any, values: Any, count: int
) -> None:
    """sums = start + values[0] * row places[0] of the table + values[1] * row places[1] + ..., from left to right.

    `start` is read from its number `at` on; the table is one row of `width` numbers after the other.
    """
    for j in range(width):
        total = np.float32(start[at + j])
        for i in range(count):
            total += np.float32(values[i]) * np.float32(table[places[i] * width + j])
        sums[j] = total


@intrinsic
def native_sum_rows(typing, sums, start, at, table, width, places, values, count):  # type: ignore[no-untyped-def]
    def emit(context, builder, sig, args):  # type: ignore[no-untyped-def]
        sums, start, at, table, width, places, values, count = args
        total = cgutils.alloca_once(builder, FLOATS)

        def vector(array: Any, at: Any) -> Any:
            return builder.bitcast(builder.gep(array, [at]), FLOATS.as_pointer())

        with cgutils.for_range_slice(builder, ir.Constant(I64, 0), width, ir.Constant(I64, WIDE), I64) as (
            j,
            _,
        ):
            builder.store(builder.load(vector(start, builder.add(at, j)), align=4), total)
            with cgutils.for_range(builder, count) as loop:
                row = builder.mul(builder.load(builder.gep(places, [loop.index])), width)
                weight = _everywhere(builder, builder.load(builder.gep(values, [loop.index])))
                numbers = builder.load(vector(table, builder.add(row, j)), align=4)
                builder.store(builder.fadd(builder.load(total), builder.fmul(weight, numbers)), total)
            builder.store(builder.load(total), vector(sums, j), align=4)
        return context.get_dummy_value()

    floats, ints = types.CPointer(types.float32), types.CPointer(types.int64)
    if (sums, start, table, places, values) != (floats, floats, floats, ints, floats):
        return None
    return types.none(sums, start, types.int64, table, types.int64, places, values, types.int64), emit


def _everywhere(builder: Any, number: Any) -> Any:
    """A vector of the same number."""
    one = builder.insert_element(ir.Constant(FLOATS, ir.Undefined), number, ir.Constant(ir.IntType(32), 0))
    none = ir.Constant(ir.VectorType(ir.IntType(32), WIDE), None)
    return builder.shuffle_vector(one, ir.Constant(FLOATS, ir.Undefined), none)
