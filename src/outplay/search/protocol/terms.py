"""A user's own terms: searches work on standard forms with ints for actions, users see their states and actions.

Whoever is asked at a state or record of the user's own takes it `inward`, and his answer `outward`.
"""

from collections.abc import Callable, Iterable
from typing import Any

from outplay import game
from outplay.game import adopt_state
from outplay.limits import Analysis
from outplay.record import Record
from outplay.standard import is_wrapped


def is_own(at: Any) -> bool:
    """Whether a state or record is in the user's own terms, and these are not the system's."""
    return game.is_own(at.start if isinstance(at, Record) else at)


def inward(at: Any) -> Any:
    """A state or record in the system's terms."""
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
    """A record in the user's terms."""
    if not is_wrapped(type(record.start)):
        return record
    return record._replace(start=record.start[0], actions=own_actions(record.start, record.actions))


def outward(state: Any, answer: Any) -> Any:
    """An answer with an action and a line (an Analysis, a Solution) at a state, in the user's terms."""
    if not is_wrapped(type(state)):
        return answer
    action = None if answer.action is None else state.decode(answer.action)
    answer = answer._replace(action=action, line=own_actions(state, answer.line))
    if isinstance(answer, Analysis) and answer.others:
        answer = answer._replace(others=tuple(outward(state, other) for other in answer.others))
    return answer


def coded(state: Any, answer: Analysis) -> Analysis:
    """An answer that was given in the user's terms, in the system's; its line as far as it is legal."""
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
    """What listens to a search, told in the user's terms."""
    return None if report is None else lambda found: report(outward(state, found))
