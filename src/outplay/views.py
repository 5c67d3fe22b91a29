"""Seats, sides, percepts and views: who plays, and what each of them knows.

A seat acts and observes separately. Usually every player has one; in bridge two partners play for one side, so the
class declares `seats = 4` and `seat()`, while `player()` remains the side, which searches use. A game of imperfect
information has `percept(action, seat)`: what a seat observes when an action is taken. The percepts of a game, one per
action, are all that a seat knows: its view. States with the same view form one information set.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from outplay.game import CHANCE, is_terminal, kind, legal, offers


class View(NamedTuple):
    """What a seat knows: in a game of imperfect information a player receives this, never the state."""

    game: type
    seat: int
    percepts: tuple[int, ...]  # what it observed of each action so far, including its own
    actions: tuple[int, ...]  # the legal ones; none if another seat acts

    @property
    def information_set(self) -> tuple[int, tuple[int, ...]]:
        """The information set: equal for all states that this seat cannot distinguish."""
        return self.seat, self.percepts


def seats(cls: type) -> int:
    """The number of seats: the number of players, unless the class declares another."""
    return int(getattr(cls, "seats", kind(cls).players))


def everybody(cls: type) -> tuple[int, ...]:
    """All seats."""
    return tuple(range(seats(cls)))


def is_everybody(cls: type, eyes: Sequence[int] | None) -> bool:
    """Whether the viewers may see everything: every seat, or None."""
    return eyes is None or set(everybody(cls)) <= set(eyes)


def seat_of(state: Any) -> int:
    """The seat to act at a state, or CHANCE."""
    player = int(state.player())
    return int(state.seat()) if player != CHANCE and offers(type(state), "seat") else player


def side_of(cls: type, seat: int) -> int:
    """The player for whom a seat acts: partners sit opposite each other, so sides alternate around the table."""
    return seat % kind(cls).players


def view_of(states: Sequence[Any], actions: Iterable[int], seat: int) -> View:
    """The view of a seat, from the states of a game and the actions taken there."""
    percepts = tuple(percept(state, action, seat) for state, action in zip(states, actions, strict=False))
    here = states[-1]
    mine = not is_terminal(here) and seat_of(here) == seat
    return View(type(here), seat, percepts, tuple(legal(here)) if mine else ())


def percept(state: Any, action: int, seat: int) -> int:
    """What a seat observes when an action is taken; the action itself in a game of perfect information."""
    if not kind(type(state)).hidden:
        return action
    told = state.percept(action, seat)
    return int(told) if hasattr(told, "__index__") else told  # in a user's own class it may be anything


def is_seen(state: Any, action: int, eyes: Sequence[int] | None = None) -> bool:
    """Whether the viewers, the seats in `eyes`, observe which action is taken; () is a spectator.

    The acting seat knows its action. The others know it if their percept is the action itself: anything else may stand
    for several actions, in states that they cannot distinguish from this one.
    """
    everyone = everybody(type(state))
    told = [seat for seat in everyone if seat == seat_of(state) or percept(state, action, seat) == action]
    return len(told) == len(everyone) or any(seat in told for seat in (everyone if eyes is None else eyes))


def looking(state: Any, sides: Sequence[int]) -> tuple[int, ...]:
    """The seats that may see a screen on which people play these sides: with several, only the one to act."""
    own = tuple(seat for seat in everybody(type(state)) if side_of(type(state), seat) in sides)
    return own if len(own) < 2 else tuple(seat for seat in own if seat == seat_of(state))
