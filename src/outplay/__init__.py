"""Outplay: adversarial search. A game is defined once, in plain Python, and searched at native speed.

The names below are imported when they are first used: `import outplay` alone costs next to nothing.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from outplay.game import CHANCE as CHANCE
    from outplay.game import Board as Board
    from outplay.game import GameError as GameError
    from outplay.game import Weights as Weights
    from outplay.limits import Analysis as Analysis
    from outplay.limits import Limits as Limits
    from outplay.search.best import best as best
    from outplay.search.perft import perft as perft
    from outplay.search.proof.solve import solve as solve
    from outplay.variants import variant as variant
    from outplay.words import bits as bits
    from outplay.words import bswap as bswap
    from outplay.words import lsb as lsb
    from outplay.words import msb as msb
    from outplay.words import nth as nth
    from outplay.words import popcount as popcount
    from outplay.words import put as put
    from outplay.words import shr as shr
    from outplay.words import wrap as wrap

__version__ = "0.1.0"

_HOMES = {
    "outplay.game": ("CHANCE", "Board", "GameError", "Weights"),
    "outplay.variants": ("variant",),
    "outplay.search": ("best", "perft", "solve"),
    "outplay.limits": ("Analysis", "Limits"),
    "outplay.words": ("bits", "bswap", "lsb", "msb", "nth", "popcount", "put", "shr", "wrap"),
}
_HOME = {name: module for module, names in _HOMES.items() for name in names}

__all__ = ["__version__", *_HOME]


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'outplay' has no attribute {name!r}")
    thing = getattr(importlib.import_module(_HOME[name]), name)
    globals()[name] = thing
    return thing


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
