"""Whether a search fits a game, and a state is one to search from."""

from typing import Any

from outplay.game import CHANCE, GameError, checked_state, is_terminal, kind


def refuse(cls: type, search: str, *, chance: bool = False, floats: bool = False) -> None:
    """Raise a GameError if the search does not fit the game; `chance`, `floats`: whether it knows what to do there."""
    what, name = kind(cls), cls.__name__
    if what.chance and not chance:
        raise GameError(f"{search} does not fit {name}, a game with chance: use expectiminimax")
    if what.hidden:
        raise GameError(f"{search} does not fit {name}, a game with imperfect information")
    if what.players != 2:
        raise GameError(f"{search} does not fit {name}, a game of {what.players} player(s)")
    if what.float_scores and not floats:
        raise GameError(f"{search} needs int scores, and {name} has floats: use alphabeta")


def checked_root(state: Any, cls: type) -> Any:
    """A state of the class at which a player chooses; a ValueError if it is none. For searches of many states."""
    state = checked_state(state)
    other = type(state)
    if other is not cls:
        raise ValueError(f"all states must be of one class, not {cls.__name__} and {other.__name__}")
    if is_terminal(state) or state.player() == CHANCE:
        raise ValueError(f"there is nothing to choose at {state}: the game is over, or chance moves")
    return state
