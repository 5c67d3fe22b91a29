"""The constants of a program, side by side in memory.

Compiled code refers to the pool by a linker symbol and to a constant by its offset. Constants that hold others hold
their addresses, which differ between processes, so these are filled in when a program is loaded and never cached.
"""

import hashlib
from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import types
from numba.extending import intrinsic

from outplay.compile.intrinsics import I64

_pools: dict[str, Any] = {}  # name -> (the words, kept alive; the function that returns their address)


class Pool:
    """Words known at compile time."""

    def __init__(self) -> None:
        self.words: list[Any] = []  # ints, floats, or "pool + n" for an address in the pool
        self.known: dict[Any, str] = {}

    def add(self, given: list[Any]) -> str:
        """Add words unless they are there already; returns an expression for their address."""
        key = tuple((type(w).__name__, w) for w in given)
        if key not in self.known:
            self.known[key] = f"pool + {8 * len(self.words)}"
            self.words += given or [0]
        return self.known[key]

    def digest(self) -> str:
        return hashlib.sha256(repr([(type(w).__name__, w) for w in self.words]).encode()).hexdigest()

    def load(self) -> Any:
        """A function for compiled code that returns the words' address."""
        name = f"outplay_pool_{self.digest()[:32]}"
        if name not in _pools:
            held = np.zeros(max(len(self.words), 1), np.int64)
            base = held.ctypes.data
            for i, word in enumerate(self.words):
                if isinstance(word, str):
                    held[i] = base + int(word.removeprefix("pool + "))
                elif isinstance(word, float):
                    held.view(np.float64)[i] = word
                else:
                    held[i] = word
            held.flags.writeable = False
            binding.add_symbol(name, base)
            _pools[name] = held, _address(name, len(held))
        return _pools[name][1]


def _address(name: str, size: int) -> Any:
    @intrinsic
    def address(typing):  # type: ignore[no-untyped-def]
        def load(context, builder, signature, args):  # type: ignore[no-untyped-def]
            symbol = builder.module.globals.get(name)
            if symbol is None:
                symbol = ir.GlobalVariable(builder.module, ir.ArrayType(I64, size), name)
            return builder.ptrtoint(symbol, I64)

        return types.int64(), load

    return address
