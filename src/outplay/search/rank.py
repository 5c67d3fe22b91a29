"""The best few actions of a state by any search: the position after each action is searched by itself."""

from collections.abc import Callable
from typing import Any

from outplay.game import legal, worth
from outplay.limits import Analysis, Limits

Look = Callable[[Any, Limits], Analysis]


def standing(cls: type, found: Analysis) -> float:
    """MAX's value as a number to compare: an outcome outranks every evaluation, and a near win a far one."""
    if found.score or found.value is None:
        return found.score
    return found.value * worth(cls) if found.proven else found.value


def share(limits: Limits, parts: int) -> Limits:
    """What each of so many positions one ply on may cost."""
    limits = limits.timed()
    depth, nodes, time = limits.depth, limits.nodes, limits.time
    if depth == 1:
        raise ValueError("to compare actions one by one, look at least 2 plies ahead")
    return Limits(
        None if depth is None else depth - 1,
        None if nodes is None else max(1, nodes // parts),
        None if time is None else time / parts,
    )


def ranked(state: Any, lines: int, limits: Limits, look: Look) -> Analysis:
    """The best action, with the second best, the third ... in `others`; `look` searches a state."""
    actions = legal(state)
    each = share(limits, len(actions))
    found = [before(action, look(state.result(action), each)) for action in actions]
    sign = 1 if state.player() == 0 else -1
    found.sort(key=lambda analysis: -sign * standing(type(state), analysis))
    numbered = [analysis._replace(number=number) for number, analysis in enumerate(found[:lines], 1)]
    nodes, time = sum(f.nodes for f in found), sum(f.time for f in found)
    return numbered[0]._replace(nodes=nodes, time=time, others=tuple(numbered[1:]))


def before(action: int, after: Analysis) -> Analysis:
    """The analysis of the state before an action, taken that it is played, from that of the state after it."""
    return after._replace(action=action, line=(action, *after.line), depth=after.depth + 1)
