"""Run-time data that states refer to: read-only arrays of 64-bit ints or floats, identified by a handle.

A state's fields are ints, so a state that belongs to data created at run time (a tree that a user
entered) holds their handle. None of the data is compiled in: other data need no compilation.
"""

import ctypes
import mmap
import os
import threading
from collections.abc import Sequence

import numpy as np

# The same data always gets the same handle, so states over equal data are equal; kept for good, since any
# int may be a handle.
LINE = 64  # bytes of a cache line
MOST = 1 << 20  # handles
_kept: dict[tuple[str, bytes], np.ndarray] = {}
_handles: dict[int, int] = {}  # address -> handle
_storing = threading.Lock()


def store(values: Sequence[int] | Sequence[float] | np.ndarray, kind: type = int) -> int:
    """Keep the values (ints or floats) and return their handle."""
    with _storing:
        array = _keep(values, kind)
        address = array.ctypes.data
        if address not in _handles:
            if len(_handles) == MOST:
                raise MemoryError(f"at most {MOST:,} arrays can be stored")
            directory[2 * len(_handles) : 2 * len(_handles) + 2] = address, len(array)
            _handles[address] = len(_handles)
        return _handles[address]


def keep(values: Sequence[int]) -> int:
    """Keep the ints for a search of ours and return their address."""
    with _storing:
        return _keep(values, int).ctypes.data


def _keep(values: Sequence[int] | Sequence[float] | np.ndarray, kind: type) -> np.ndarray:
    array = aligned(np.ascontiguousarray(values, np.int64 if kind is int else np.float64).ravel())
    array = _kept.setdefault((array.dtype.str, array.tobytes()), array)
    array.flags.writeable = False
    return array


def aligned(array: np.ndarray) -> np.ndarray:
    """A copy aligned to a cache line, so that a row of a table spans as few lines as possible."""
    room = np.empty(array.nbytes + LINE, np.uint8)
    start = -room.ctypes.data % LINE
    copy = room[start : start + array.nbytes].view(array.dtype).reshape(array.shape)
    copy[...] = array
    return copy


def pages(words: int) -> np.ndarray:
    """Zeros, in memory that the system allocates page by page, on first write.

    NumPy would request huge pages (2 MB) for large arrays, which take milliseconds to clear. The pages are private:
    with shared ones, mmap's default in Python, a forked process would write into them.
    """
    own = {"flags": mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS} if hasattr(os, "fork") else {}
    return np.frombuffer(mmap.mmap(-1, 8 * words, **own), np.int64)


def kept() -> int:
    """The number of bytes stored so far."""
    return sum(array.nbytes for array in list(_kept.values()))


directory = pages(2 * MOST)  # for each handle: the address of its data and their number of words


def peek(handle: int, i: int) -> int:
    """The i-th int of the data behind the handle."""
    return word_at(*_place(handle, i))


def peek_float(handle: int, i: int) -> float:
    """The i-th float of the data behind the handle."""
    return float_at(*_place(handle, i))


def _place(handle: int, i: int) -> tuple[int, int]:
    if not 0 <= handle < MOST or not 0 <= i < directory[2 * handle + 1]:
        raise IndexError("index out of range for the array behind its handle")
    return int(directory[2 * handle]), i


def word_at(address: int, i: int) -> int:
    """The i-th int from an address on; unchecked, so for our own use only."""
    return ctypes.c_int64.from_address(address + 8 * i).value


def float_at(address: int, i: int) -> float:
    """The i-th float from an address on."""
    return ctypes.c_double.from_address(address + 8 * i).value
