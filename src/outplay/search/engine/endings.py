"""Endgame tables in the engine: below the root a position in a table is not searched; at the root the table decides.

Tables ignore the history. In games with repetition (chess), they are probed only right after an irreversible move,
where their values hold: no earlier position can repeat, and the counters are 0.
"""

from pathlib import Path
from typing import Any

from outplay.compile import kernel
from outplay.compile.jit import ENABLED
from outplay.compile.runtime import NATIVE
from outplay.game import LONGEST, WIN, is_terminal, outranks
from outplay.limits import Analysis
from outplay.tables.code import NO_CODE, PLIES
from outplay.tables.probe import answer
from outplay.tables.shelf import Known, Shelf
from outplay.tables.statistics import line

word_at = NATIVE["word_at"][ENABLED]


class Endings:
    """The tables in a folder, opened for each game when it is first searched."""

    def __init__(self, folder: str | Path) -> None:
        self.folder = folder
        self.shelves: dict[type, Shelf] = {}

    def shelf(self, cls: type) -> Shelf:
        if cls not in self.shelves:
            self.shelves[cls] = Shelf.shared(self.folder, cls)
        return self.shelves[cls]

    def known(self, state: Any, lines: int = 1) -> Analysis | None:
        """The tables' result for the root, if it is won or lost and the rules confirm every line to its end."""
        shelf = self.shelf(type(state))
        known = shelf.probe(state)
        if known is None or known.value == 0:
            return None
        found: list[Analysis] = []
        for action, after in shelf.moves(state)[: max(lines, 1)]:
            answer = _along(shelf, state, action, after)
            if answer is None:
                return None
            found.append(answer._replace(number=len(found) + 1))
        return found[0]._replace(others=tuple(found[1:])) if found else None

    def holding(self, state: Any) -> list[int] | None:
        """The actions that keep a drawn root drawn; None if it is not drawn, or not all moves are in the tables."""
        shelf = self.shelf(type(state))
        known = shelf.probe(state)
        if known is None or known.value != 0:
            return None
        moves = shelf.moves(state)
        if any(found is None for _, found in moves):
            return None
        return [action for action, found in moves if found is not None and found.value >= 0]


def _along(shelf: Shelf, state: Any, action: int, known: Known | None) -> Analysis | None:
    """An action with its principal variation; None if no table has it, or a draw by the rules comes first."""
    if known is None:
        return None
    best = (action, *line(shelf, state.result(action), LONGEST))
    end = state
    for step in best:
        end = end.result(step)
    sign = 1 if state.player() == 0 else -1
    if known.value and (not is_terminal(end) or end.utility() != sign * known.value):
        return None  # chess: fifty moves
    score = sign * score_of(type(state), known)
    plies = len(best)
    return Analysis(action, sign * known.value, plies, best, 1, 0.0, True, score, plies, True, tbhits=1)


def score_of(cls: type, known: Known) -> int:
    """The score of a position for its mover, on the scale of the search."""
    if not outranks(cls) or not known.value:
        return known.value
    plies = min(known.plies or 0, LONGEST)
    return known.value * WIN - (plies if known.value > 0 else -plies)


@kernel
def in_tables(s: Any, ply: int, memory: Any) -> tuple[bool, int]:
    """Whether a table has a state below the root, and the value for its mover."""
    if memory.reversible[ply] > 0:
        return False, 0
    found = answer(s, memory.shelf)
    if found == 0 or word_at(found, 0) == NO_CODE:
        return False, 0
    memory.tbhits += 1
    value = (word_at(found, 1) + s.banked()) * s.worth()
    if s.outranks() and value != 0:
        plies = min((abs(word_at(found, 0)) & PLIES) - 1, LONGEST // 2) + ply
        value -= plies if value > 0 else -plies
    return True, value
