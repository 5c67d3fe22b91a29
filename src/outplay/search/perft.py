"""Perft: the number of lines of play of a given length. The standard test of a game's rules."""

from typing import Any

from outplay.compile import kernel, twin
from outplay.compile.errors import explained
from outplay.compile.lane import again
from outplay.game import adopt_state, is_own, legal, max_actions, offers
from outplay.search.protocol.control import MAX_PLIES, new


@again
def perft(state: Any, depth: int) -> int:
    """The number of move sequences of exactly `depth` plies; chance outcomes count as moves."""
    if isinstance(depth, bool) or not isinstance(depth, int) or not 0 <= depth <= MAX_PLIES:
        raise ValueError(f"depth must be a whole number from 0 to {MAX_PLIES}, not {depth!r}")
    state = adopt_state(state)
    compiled = twin(type(state))
    s = compiled.state(state)
    with explained(compiled, s):
        return int(_start(s, depth, new(max_actions(type(state)), depth)))


def divide(state: Any, depth: int) -> dict[Any, int]:
    """Perft of each successor, by action: to find where two programs' rules differ."""
    if depth < 1:
        raise ValueError(f"depth must be at least 1 to divide, not {depth!r}")
    inner = adopt_state(state)
    counts = {action: perft(inner.result(action), depth - 1) for action in _moves_left(inner)}
    if not is_own(state):
        return counts
    return {inner.decode(action): count for action, count in counts.items()}


def plain_perft(state: Any, depth: int) -> int:
    """The definition, in plain Python: the oracle of the compiled count."""
    if depth == 0:
        return 1
    return sum(plain_perft(state.result(action), depth - 1) for action in _moves_left(state))


def _moves_left(state: Any) -> list[int]:
    """The actions, even if the rules declare a draw with moves left: perft counts through it."""
    return list(state.actions()) if offers(type(state), "drawn") else legal(state)


@kernel
def _perft(s: Any, depth: int, base: int, memory: Any) -> int:
    if depth == 1:
        return _count(s, base, memory)
    if _is_over(s):
        return 0
    n = s.actions(memory.stack, base)
    total = 0
    for i in range(base, base + n):
        child = s.result(memory.stack[i])
        if depth == 2:
            total += _count(child, base + n, memory)
        else:
            total += _perft(child, depth - 1, base + n, memory)
    return total


@kernel
def _count(s: Any, base: int, memory: Any) -> int:
    return 0 if _is_over(s) else s.count(memory.stack, base)


@kernel
def _is_over(s: Any) -> bool:
    """If a class has `drawn`, a state without actions is the only other end of the game."""
    return False if s.has_drawn() else s.terminal()


@kernel
def _start(s: Any, depth: int, memory: Any) -> int:
    if depth == 0:
        return 1
    return _perft(s, depth, 0, memory)
