"""Named arrays in one file, in NumPy's .npz format, for nets, checkpoints and tables.

Such a file is data: nothing in it is executed (no pickles), and a file larger than the free memory is rejected.
"""

import zipfile
from pathlib import Path

import numpy as np

from outplay.freememory import available


def text_of(array: np.ndarray) -> str:
    """The text in an array of a file; a ValueError if it is not text."""
    try:
        told = array.item()
    except (ValueError, SystemError):  # several items, or invalid characters
        told = None
    if not isinstance(told, str):
        raise ValueError("a text is expected")
    return told


def read_arrays(path: str | Path) -> dict[str, np.ndarray]:
    """The arrays of a file; a one-line ValueError, without the file's name, if it is damaged or something else."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > available():
            raise ValueError(f"it unpacks to {size >> 20:,} MB, more than the memory that is free")
        with np.load(path, allow_pickle=False) as file:
            return {name: np.asarray(array, order="C") for name, array in file.items()}
    except FileNotFoundError:
        raise
    except Exception as error:  # NumPy and zipfile raise many kinds of errors for damaged files
        raise ValueError(" ".join(str(error).split())[:200] or type(error).__name__) from None
