"""Retrograde analysis as in the lectures: the oracle for the fast version.

Mates are won in 0. Then, pass by pass: a position with a move to one won in n is won in n + 1; one whose
every move leads to a win for the opponent is lost. Repeat until a pass finds nothing; the rest are draws.
"""

from typing import Any

from outplay.game import adopt_state, is_terminal, legal, utility
from outplay.tables.code import ranked

Known = dict[Any, tuple[int, int]]  # of a state: the value for its mover, and the plies to the end


def table(start: Any) -> dict[Any, tuple[int, int | None]]:
    """Every state that can be reached: its value for the player to move, and the plies to it; None in a draw."""
    moves = successors(adopt_state(start))
    ends = {s: utility(s, s.player()) for s in moves if is_terminal(s)}
    known: Known = {}
    for size in ranked(set(ends.values()), type(start).__name__):
        found = {s: (value, 0) for s, value in ends.items() if abs(value) == size}
        plies = 0
        while found:
            known |= found
            plies += 1
            found = one_pass(moves, known, size, plies)
    return {s: known.get(s, (0, None)) for s in moves}


def successors(start: Any) -> dict[Any, list[Any]]:
    """Of every state that can be reached, those that its moves lead to."""
    moves: dict[Any, list[Any]] = {}
    waiting = [start]
    while waiting:
        s = waiting.pop()
        if s not in moves:
            moves[s] = [s.result(action) for action in legal(s)]
            waiting += moves[s]
    return moves


def one_pass(moves: dict[Any, list[Any]], known: Known, size: int, plies: int) -> Known:
    """The states that are won or lost in so many plies, given all that are in fewer."""
    found = {}
    for s, children in moves.items():
        if s in known or not children:
            continue
        values = [for_mover(s, child, known) for child in children]
        if (size, plies - 1) in values:
            found[s] = size, plies
        elif all(value is not None and value[0] < 0 for value in values):
            found[s] = -size, plies
    return found


def for_mover(s: Any, child: Any, known: Known) -> tuple[int, int] | None:
    """What is known of a child, seen by who moves there."""
    if child not in known:
        return None
    value, plies = known[child]
    return (value if child.player() == s.player() else -value), plies
