"""Whether a search fits a game."""

from outplay.game import GameError, kind


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
