"""Large tables of numbers as linker symbols.

Numba writes a global table into every function that reads it: with a hundred thousand numbers each function becomes
megabytes of code to build, cache and load. Here compiled code contains only the table's name, a digest of its
content, and the numbers lie in memory once per process. A name must be defined before code that uses it is loaded;
building a game's twin does that.
"""

import hashlib
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import from_dtype, types
from numba.extending import intrinsic

from outplay.compile.internals import arrayobj, cgutils
from outplay.memory import aligned

LARGE = 64  # numbers; a smaller table is written into the code

_linked: dict[str, Any] = {}  # name -> (the array, kept alive; the function that gives it)


def linked(array: np.ndarray) -> Any:
    """A function without arguments that returns the table in compiled code, as a read-only array."""
    array = aligned(array)
    content = hashlib.sha256(repr((array.dtype.str, array.shape)).encode() + array.tobytes()).hexdigest()
    name = f"outplay_table_{content[:32]}"
    if name not in _linked:
        binding.add_symbol(name, array.ctypes.data)
        _linked[name] = array, _reader(name, array)
    return _linked[name][1]


def _reader(name: str, array: np.ndarray) -> Any:
    kind = types.Array(from_dtype(array.dtype), array.ndim, "C", readonly=True)

    @intrinsic
    def read(typing):  # type: ignore[no-untyped-def]
        def view(context, builder, signature, args):  # type: ignore[no-untyped-def]
            item = context.get_data_type(kind.dtype)
            content = ir.ArrayType(item, array.size)
            symbol = builder.module.globals.get(name)
            if symbol is None:
                symbol = ir.GlobalVariable(builder.module, content, name)
                symbol.global_constant = True
            made = context.make_array(kind)(context, builder)
            arrayobj.populate_array(
                made,
                data=builder.bitcast(symbol, item.as_pointer()),
                shape=[context.get_constant(types.intp, length) for length in array.shape],
                strides=[context.get_constant(types.intp, step) for step in array.strides],
                itemsize=context.get_constant(types.intp, array.itemsize),
                meminfo=cgutils.get_null_value(made.meminfo.type),
            )
            return made._getvalue()

        return kind(), view

    return read
