"""Late-move reductions: a move late in the order is searched at a reduced depth, and re-searched if it raises alpha."""

from typing import Any, NamedTuple

from outplay.compile import inlined
from outplay.search.engine.ordering import COUNTERMOVE, merit
from outplay.search.engine.switches import BIT, enabled
from outplay.search.engine.workspace import STEPS

REDUCTIONS, UNHINTED = BIT["reductions"], BIT["unhinted"]
TRUST = 6000  # the reduction changes by a ply per TRUST of a move's history, up to two plies
PREFERRED = COUNTERMOVE << 12  # the least score of killers and countermoves; see ordering.rank


class Late(NamedTuple):
    """How a late move is searched."""

    merit: int  # its history score; 0 if not computed
    reduction: int  # plies
    depth: int  # its remaining depth


@inlined
def late_move(s: Any, move: Any, depth: int, facts: Any, node: Any, noisy_first: bool, c: Any) -> Any:
    """The reduction of a late move in plies: more if it has failed before, or a cutoff is expected."""
    reduction = 0
    past = 0
    if enabled(c.on, REDUCTIONS) and not facts.in_check:
        if move.quiet and depth >= 2 and move.tried >= (2 if facts.principal else 1):
            past = merit(s, move.action, node.ply, c.memory)
            reduction = quiet_reduction(move, past, depth, facts, node, noisy_first, c)
        elif move.bad and depth >= 3 and move.tried >= 2:
            reduction = 1 + depth // 8
    return Late(past, reduction, max(depth - reduction, 1))


@inlined
def quiet_reduction(
    move: Any, past: int, depth: int, facts: Any, node: Any, noisy_first: bool, c: Any
) -> int:
    """The reduction of a quiet move: by depth and move number, adjusted by its history and the node type."""
    reduction = c.memory.reductions[min(depth, STEPS - 1) * STEPS + min(move.tried, STEPS - 1)]
    if not facts.principal:
        reduction += 1 + node.cut
    if not facts.improving:
        reduction += 1
    if noisy_first:  # a quiet move is rarely better than a good capture
        reduction += 1
    reduction -= min(max(past // TRUST, -2), 2)
    if move.score >= PREFERRED:
        reduction -= 1
    return max(reduction - 1, 0)


@inlined
def without_table_move(depth: int, facts: Any, node: Any, c: Any) -> int:
    """Internal iterative reduction: without a table move the order is poor, and the next iteration has one."""
    reduced = enabled(c.on, UNHINTED) and facts.table_index < 0 and depth >= 5 and node.excluded < 0
    return depth - 1 if reduced else depth
