"""Who sits at a game, and what each of them knows: seats, sides, percepts, views.

A seat is whoever acts and perceives by itself. Usually every player has one; in bridge two partners play for one
side, so the class says `seats = 4` and `seat()`, and `player()` stays the side, which is what searches ask. A game that
hides something has `percept(action, seat)`, what a seat learns when an action is taken. The percepts of a game, one
for each action, are all that a seat knows: its view. Two states with the same view are one information set.
"""

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from outplay.game import CHANCE, is_terminal, kind, legal, offers


class View(NamedTuple):
    """What a seat knows of a game: a player of a game with hidden information is given this, never the state."""

    game: type
    seat: int
    percepts: tuple[int, ...]  # what it learnt from each action so far, its own among them
    actions: tuple[int, ...]  # that are legal now; none where somebody else acts

    @property
    def information_set(self) -> tuple[int, tuple[int, ...]]:
        """What it has in common with the views of all states that this seat cannot tell apart."""
        return self.seat, self.percepts


def seats(cls: type) -> int:
    """How many act and perceive by themselves: the players, unless the class says otherwise."""
    return int(getattr(cls, "seats", kind(cls).players))


def everybody(cls: type) -> tuple[int, ...]:
    """All seats."""
    return tuple(range(seats(cls)))


def is_everybody(cls: type, eyes: Sequence[int] | None) -> bool:
    """Whether those who look may see all: every seat, or None."""
    return eyes is None or set(everybody(cls)) <= set(eyes)


def seat_of(state: Any) -> int:
    """Who acts at a state: a seat, or CHANCE."""
    player = int(state.player())
    return int(state.seat()) if player != CHANCE and offers(type(state), "seat") else player


def side_of(cls: type, seat: int) -> int:
    """The player for whom a seat acts: partners sit opposite each other, so sides take turns around the table."""
    return seat % kind(cls).players


def view_of(states: Sequence[Any], actions: Iterable[int], seat: int) -> View:
    """The view of a seat, from the states of a game and the actions that were taken there."""
    percepts = tuple(percept(state, action, seat) for state, action in zip(states, actions, strict=False))
    here = states[-1]
    mine = not is_terminal(here) and seat_of(here) == seat
    return View(type(here), seat, percepts, tuple(legal(here)) if mine else ())


def percept(state: Any, action: int, seat: int) -> int:
    """What a seat learns when an action is taken; the action itself where the game hides nothing."""
    if not kind(type(state)).hidden:
        return action
    told = state.percept(action, seat)
    return int(told) if hasattr(told, "__index__") else told  # in a user's own terms it may be anything


def is_seen(state: Any, action: int, eyes: Sequence[int] | None = None) -> bool:
    """Whether those who look, the seats in `eyes`, learn which action is taken; () is who sees what all do.

    Who acts knows what it does. The others know it if their percept is the action itself: anything else may stand
    for several actions, in states that they cannot tell from this one.
    """
    everyone = everybody(type(state))
    told = [seat for seat in everyone if seat == seat_of(state) or percept(state, action, seat) == action]
    return len(told) == len(everyone) or any(seat in told for seat in (everyone if eyes is None else eyes))


def looking(state: Any, sides: Sequence[int]) -> tuple[int, ...]:
    """The seats that look at a screen at which people play these sides: of several the one who is to act."""
    own = tuple(seat for seat in everybody(type(state)) if side_of(type(state), seat) in sides)
    return own if len(own) < 2 else tuple(seat for seat in own if seat == seat_of(state))
