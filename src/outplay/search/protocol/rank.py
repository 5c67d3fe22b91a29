"""The best few actions of a state with any search: the position after each action is searched separately."""

import time as clock
from collections.abc import Callable
from typing import Any

from outplay.game import is_decided, kind, worth
from outplay.limits import Analysis, Limits
from outplay.search.protocol.control import Stopped
from outplay.search.protocol.deepening import deepened
from outplay.search.protocol.request import Report, Request

Look = Callable[[int, Limits], Analysis]  # a search of the position after an action
MAX_DEPTH = 64


def standing(cls: type, found: Analysis) -> float:
    """MAX's value for comparison: an outcome outranks every evaluation, and a shorter win a longer one."""
    if found.score or found.value is None:
        return found.score
    return found.value * worth(cls) if found.proven else found.value


def share(limits: Limits, parts: int) -> Limits:
    """The share of the limits for each of the positions after one ply."""
    limits = limits.timed()
    depth, nodes, time = limits.depth, limits.nodes, limits.time
    if depth == 1:
        raise ValueError("comparing actions one by one needs a depth of at least 2")
    return Limits(
        None if depth is None else depth - 1,
        None if nodes is None else max(1, nodes // parts),
        None if time is None else time / parts,
    )


def ranked(asked: Request, look: Look) -> Analysis:
    """The best action, with the second best, the third ... in `others`."""
    actions = asked.record.legal()
    each = share(asked.limits, len(actions))
    return in_order(asked.state, [before(action, look(action, each)) for action in actions], asked.lines)


def ranked_deeper(asked: Request, report: Report, look: Look) -> Analysis:
    """The same depth by depth: `report` is called with the best lines after each depth."""
    began, limits, state, stop = clock.perf_counter(), asked.limits.timed(), asked.state, asked.stop
    end = None if limits.time is None else began + limits.time
    actions = asked.record.legal()
    found: dict[int, Analysis] = {}
    spent = 0

    def answer() -> Analysis:
        best = in_order(state, list(found.values()), asked.lines)
        return best._replace(nodes=spent, time=clock.perf_counter() - began)

    def look_at_all(depth: int | None, _: Analysis | None) -> Analysis:
        nonlocal spent
        for action in sorted(actions, key=lambda a: order(state, found[a]) if found else 0.0):
            if action in found and found[action].proven:
                continue
            left = None if end is None else max(0.001, end - clock.perf_counter())
            nodes = None if limits.nodes is None else max(1, limits.nodes - spent)
            after = look(action, Limits(depth, nodes, left))
            spent += after.nodes
            is_over = stop is not None and stop.is_set() or end is not None and clock.perf_counter() >= end
            if is_over or limits.nodes is not None and spent >= limits.nodes:
                raise Stopped
            found[action] = before(action, after)
        report(best := answer())
        return best

    depths = range(1, (limits.depth or MAX_DEPTH + 1))
    deepened(depths, None, look_at_all, lambda _: all(analysis.proven for analysis in found.values()))
    if len(found) < len(actions):  # not even the first depth was completed
        return ranked(asked._replace(limits=Limits(nodes=1)), look)
    return answer()


def order(state: Any, found: Analysis) -> float:
    """A sort key: lower is better for the mover, whose score it is if there are more than two players."""
    if kind(type(state)).players > 2:
        return -found.score
    return -(1 if state.player() == 0 else -1) * standing(type(state), found)


def in_order(state: Any, found: list[Analysis], lines: int) -> Analysis:
    """The best action, with the others up to `lines` in all."""
    found = sorted(found, key=lambda analysis: order(state, analysis))
    numbered = [analysis._replace(number=number) for number, analysis in enumerate(found[:lines], 1)]
    nodes, time = sum(f.nodes for f in found), sum(f.time for f in found)
    proven = numbered[0].proven and (all(f.proven for f in found) or wins(state, found[0]))
    return numbered[0]._replace(nodes=nodes, time=time, proven=proven, others=tuple(numbered[1:]))


def wins(state: Any, found: Analysis) -> bool:
    """Whether an action has the best value that there is: then that of the others does not matter."""
    cls = type(state)
    return is_decided(cls, found.score) and kind(cls).players <= 2 and order(state, found) < 0


def before(action: int, after: Analysis) -> Analysis:
    """The analysis of an action, from the analysis of the state after it."""
    return after._replace(action=action, line=(action, *after.line), depth=after.depth + 1)
