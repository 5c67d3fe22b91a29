"""The static evaluation as the engine uses it: for the player to move, by the game's net where it has one."""

from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.search.engine.accumulator import learned
from outplay.search.engine.workspace import EVALUATIONS

mix, shr, wrap = (NATIVE[name][ENABLED] for name in ("mix", "shr", "wrap"))


@kernel
def outcome(s: Any, ply: int) -> int:
    """The utility for the player to move, or MAX's where chance does.

    A win is worth more the nearer it is, where wins are what counts.
    """
    value = -s.utility() if s.player() == 1 else s.utility()
    if s.outranks():
        value -= ply if value > 0 else -ply if value < 0 else 0
    return value


@kernel
def static(s: Any, key: int, ply: int, base: int, memory: Any) -> int:
    """The evaluation for the player to move; `key` is that of the state in the table, 0 if it is not known.

    Evaluations are kept by key, so that a position that is searched again is not evaluated again.
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
    """What a weaker player misjudges: the same in the same position, much where there is much to choose from.

    With 32 actions it is off by up to `noise` points; with half of them by a sixteenth, so simple endings are won.
    """
    word = mix(s.hash() ^ memory.seed)
    off = (word & 0xFFFF) + (shr(word, 16) & 0xFFFF) - 0x10000  # from -65536 to 65534, near 0 more often
    n = min(s.count(memory.stack, base), 48)
    return off * memory.noise * n * n * n * n >> 36
