"""Parsing of match options: adjudication rules and SPRT."""

from outplay.arena.adjudication import Rules
from outplay.arena.sprt import Sprt
from outplay.games import is_ours, load

CHESS = Rules(resign=(600, 3), draw=(20, 8, 68))  # as in Fishtest, Stockfish's testing framework


def read_rules(game: str, resign: str, draw: str, plies: int | None) -> Rules:
    """Parse `600,3` and `20,8,68`; `off` is no rule. By default only chess has rules."""
    usual = CHESS if is_ours(load(game).cls, "chess") else Rules()
    resigned = usual.resign if not resign else None if resign == "off" else _ints("resign", resign, 2)
    drawn = usual.draw if not draw else None if draw == "off" else _ints("draw", draw, 3)
    if plies is not None and plies < 1:
        raise ValueError(f"max-plies must be 1 or more, not {plies}")
    return Rules(resigned, drawn, plies)  # type: ignore[arg-type]


def read_sprt(text: str, normalised: bool) -> Sprt | None:
    """`0,5` as a test of two differences in Elo."""
    if not text:
        return None
    try:
        low, high = map(float, text.split(","))
    except ValueError:
        raise ValueError(f"--sprt takes two differences in Elo, as in 0,5, not {text!r}") from None
    return Sprt(low, high, normalised=normalised).checked()


def _ints(name: str, text: str, count: int) -> tuple[int, ...]:
    try:
        values = tuple(map(int, text.split(",")))
    except ValueError:
        values = ()
    if len(values) != count or min(values) < 0:
        shape = "600,3 (score, moves)" if count == 2 else "20,8,68 (score, moves, ply)"
        raise ValueError(f"--{name} takes {shape} or off, not {text!r}")
    return values
