"""The static evaluation as the engine uses it: for the player to move, with the game's net if it has one."""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.engine.accumulator import learned
from outplay.search.engine.workspace import EVALUATIONS

mix, shr, wrap = (NATIVE[name][ENABLED] for name in ("mix", "shr", "wrap"))


@kernel
def outcome(s: Any, ply: int) -> int:
    """The utility for the player to move, or for MAX at a chance node.

    Where outcomes count, shorter wins score higher.
    """
    value = -s.utility() if s.player() == 1 else s.utility()
    if s.outranks():
        value -= ply if value > 0 else -ply if value < 0 else 0
    return value


@kernel
def static(s: Any, key: int, ply: int, base: int, memory: Any) -> int:
    """The evaluation for the player to move; `key` is the state's table key, 0 if unknown.

    Evaluations are cached by key, so that a position is not evaluated twice.
    """
    value = 0
    evaluations, place = memory.evaluations, key & EVALUATIONS - 1
    if key != 0 and (evaluations[place] ^ key) >> 16 == 0:
        value = wrap(evaluations[place] << 48) >> 48
    else:
        value = s.informed(memory.weights, learned(s, ply, memory) if s.has_net() else 0)
        if key != 0 and -0x8000 <= value < 0x8000:
            evaluations[place] = key & ~0xFFFF | value & 0xFFFF
    if memory.noise > 0:
        value += blur(s, base, memory)
    return -value if s.player() == 1 else value


@kernel
def blur(s: Any, base: int, memory: Any) -> int:
    """The evaluation error of a weakened player: fixed per position, larger with more actions.

    With 32 actions the error is up to `noise` points; with 16 a sixteenth of that, so simple endgames are still won.
    """
    word = mix(s.hash() ^ memory.seed)
    off = (word & 0xFFFF) + (shr(word, 16) & 0xFFFF) - 0x10000  # from -65536 to 65534, triangular around 0
    n = min(s.count(memory.stack, base), 48)
    return off * memory.noise * n * n * n * n >> 36
