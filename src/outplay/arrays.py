"""Named arrays in one file, in NumPy's .npz format: for nets, checkpoints, tables and hash tables.

Such a file is data. Nothing in it is run (no pickles), and no more is read than fits into memory.
"""

import zipfile
from pathlib import Path

import numpy as np

from outplay.tables.memory import available


def text_of(array: np.ndarray) -> str:
    """The text that an array of a file holds; a ValueError if it holds none."""
    try:
        told = array.item()
    except (ValueError, SystemError):  # several, or no characters that there are
        told = None
    if not isinstance(told, str):
        raise ValueError("a text is wanted")
    return told


def read_arrays(path: str | Path) -> dict[str, np.ndarray]:
    """The arrays of a file; a ValueError of one line, without the file's name, if it is none or damaged."""
    try:
        with zipfile.ZipFile(path) as archive:
            size = sum(part.file_size for part in archive.infolist())
        if size > available():
            raise ValueError(f"it unpacks to {size >> 20:,} MB, more than the memory that is free")
        with np.load(path, allow_pickle=False) as file:
            return {name: np.asarray(array, order="C") for name, array in file.items()}
    except FileNotFoundError:
        raise
    except Exception as error:  # NumPy and what it reads with raise many kinds where a file is damaged
        raise ValueError(" ".join(str(error).split())[:200] or type(error).__name__) from None
