"""Run-time data that states point at: read-only arrays of 64-bit ints or floats, known by a handle.

A state's fields are ints, so a state that belongs to a table made while the program runs (a tree that was
typed in) holds the table's handle. Nothing of the data is compiled in: another table needs no compiling.
"""

import ctypes
import mmap
from collections.abc import Sequence

import numpy as np

# The same data always gets the same handle, so states over equal data are equal; kept for good, since any
# int may be a handle.
LINE = 64  # bytes of a cache line
_kept: dict[tuple[str, bytes], np.ndarray] = {}


def store(values: Sequence[int] | Sequence[float] | np.ndarray, kind: type = int) -> int:
    """Keep the values (ints or floats) and return their handle."""
    array = aligned(np.ascontiguousarray(values, np.int64 if kind is int else np.float64))
    array = _kept.setdefault((array.dtype.str, array.tobytes()), array)
    array.flags.writeable = False
    return array.ctypes.data


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy that begins where a line of the processor's cache does: a row of a table lies in as few as possible."""
    room = np.empty(array.nbytes + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def pages(words: int) -> np.ndarray:
    """So many zeros, in memory that the system hands out page by page, as it is written to.

    NumPy would ask for pages of two megabytes where it wants that much, and to clear them takes milliseconds.
    """
    return np.frombuffer(mmap.mmap(-1, 8 * words), np.int64)


def kept() -> int:
    """How many bytes are kept by now."""
    return sum(array.nbytes for array in list(_kept.values()))


def peek(handle: int, i: int) -> int:
    """The i-th int of the data behind the handle; i is not checked."""
    return ctypes.c_int64.from_address(handle + 8 * i).value


def peek_float(handle: int, i: int) -> float:
    """The i-th float of the data behind the handle; i is not checked."""
    return ctypes.c_double.from_address(handle + 8 * i).value
