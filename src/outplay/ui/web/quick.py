"""A move while the compiler is still busy: a textbook search in plain Python, as deep as the time allows."""

import math
import random
import time
from collections.abc import Callable
from typing import Any

from outplay.game import kind, offers
from outplay.limits import Analysis
from outplay.record import Record
from outplay.search.textbook import alphabeta, expectiminimax
from outplay.search.textbook.minimax import MAX

DEEPEST = 64


class _Late(Exception):
    """The time is up."""


def quick(record: Record, seconds: float, seed: int) -> Analysis:
    """The best action found in time; ties are broken at random, by the seed."""
    state, began = record.state, time.perf_counter()
    actions = record.legal()
    random.Random(seed).shuffle(actions)
    found = Analysis(actions[0], None, 0, (actions[0],), 0, 0.0)
    for depth in range(DEEPEST):
        try:
            action = _best(state, actions, depth, _until(began + seconds))
        except _Late:
            break
        found = Analysis(action, None, depth + 1, (action,), 0, time.perf_counter() - began)
        actions.remove(action)
        actions.insert(0, action)  # the best so far is searched first
    return found


def _until(end: float) -> Callable[[Any], None]:
    def visit(_: Any) -> None:
        if time.perf_counter() > end:
            raise _Late

    return visit


def _best(state: Any, actions: list[int], depth: int, visit: Callable[[Any], None]) -> int:
    """The best action at a depth."""
    evaluate = None if offers(type(state), "evaluate") else _unknown
    chance = kind(type(state)).chance
    sign = 1 if state.player() == MAX else -1
    best, choice = -math.inf, actions[0]
    for action in actions:
        after = state.result(action)
        if chance:
            value = sign * expectiminimax.value(after, depth, visit, evaluate)
        else:
            bounds = (best, math.inf) if sign > 0 else (-math.inf, -best)
            value = sign * alphabeta.value(after, *bounds, depth, visit, evaluate)
        if value > best:
            best, choice = value, action
    return choice


def _unknown(_: Any) -> float:
    return 0
