"""Conversion to and from a user's own classes: searches work on standard forms with int actions, users see their own.

A function called with a user's state or record converts it `inward`, and its result `outward`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from outplay import game
from outplay.game import adopt_state
from outplay.limits import Analysis
from outplay.record import Record
from outplay.standard import is_wrapped


def is_own(at: Any) -> bool:
    """Whether a state or record is of the user's own class, not of its standard form."""
    return game.is_own(at.start if isinstance(at, Record) else at)


def inward(at: Any) -> Any:
    """A state or record in standard form."""
    if not isinstance(at, Record):
        return adopt_state(at)
    if not is_own(at):
        return at
    start = adopt_state(at.start)
    return at._replace(start=start, actions=codes(start, at.actions))


def codes(state: Any, actions: Iterable[Any]) -> tuple[int, ...]:
    """The ints for the user's actions, one after the other."""
    found = []
    for action in actions:
        found.append(state.encode(action))
        state = state.result(found[-1])
    return tuple(found)


def own_actions(state: Any, line: Iterable[int]) -> tuple[Any, ...]:
    """The user's actions of a line of play."""
    found = []
    for code in line:
        found.append(state.decode(code))
        state = state.result(code)
    return tuple(found)


def own_record(record: Record) -> Record:
    """A record of the user's own class."""
    if not is_wrapped(type(record.start)):
        return record
    return record._replace(start=record.start[0], actions=own_actions(record.start, record.actions))


def outward(state: Any, answer: Any) -> Any:
    """A result with an action and a line (an Analysis, a Solution), with the user's own actions."""
    if not is_wrapped(type(state)):
        return answer
    action = None if answer.action is None else state.decode(answer.action)
    answer = answer._replace(action=action, line=own_actions(state, answer.line))
    if isinstance(answer, Analysis) and answer.others:
        answer = answer._replace(others=tuple(outward(state, other) for other in answer.others))
    return answer


def coded(state: Any, answer: Analysis) -> Analysis:
    """A result with the user's own actions, converted to ints; its line as far as it is legal."""
    if not is_wrapped(type(state)):
        return answer
    found: list[int] = []
    for action in answer.line:
        if action not in state.listed:
            break
        found.append(state.encode(action))
        state = state.result(found[-1])
    return answer._replace(line=tuple(found), others=())


def heard(state: Any, report: Callable[[Analysis], None] | None) -> Callable[[Analysis], None] | None:
    """A listener that receives the user's own actions."""
    return None if report is None else lambda found: report(outward(state, found))
