"""Values in the usual terms of each game: pawns and mates in chess, discs in Othello, equity in backgammon, otherwise
winning chances.

`says` is short, for the bar and the lines; `words` is a phrase for screen readers and tooltips. `share` is MAX's part
of the bar: the expected score, 0 to 1.
"""

from typing import Any, NamedTuple

from outplay.analysis.equity import equity, is_backgammon
from outplay.analysis.judgement import TENFOLD, expected_score, unit
from outplay.game import WIN, has_fractions, is_outcome, kind, outranks
from outplay.games import entry_of, is_ours
from outplay.limits import Analysis
from outplay.ui.board import value_text


class Counted(NamedTuple):
    """The unit of an advantage."""

    one: str
    several: str
    worth: int = 1  # in points of `evaluate`


COUNTED = {
    "chess": Counted("pawn", "pawns", 100),
    "checkers": Counted("man", "men", 100),
    "othello": Counted("disc", "discs"),
    "kalah": Counted("seed", "seeds"),
    "go": Counted("point", "points"),
}


def worth(state: Any, found: Analysis, scale: float, sides: list[str]) -> dict[str, Any]:
    """A search's value as the page shows it; `scale` is a large advantage, used if the class has no `unit`."""
    if found.value is None:
        return {"value": None, "share": None, "says": "", "words": ""}
    part = share(type(state), found, scale)
    says, words = _told(state, found, part, sides)
    return {"value": found.value, "share": part, "says": says, "words": words}


def share(cls: type, found: Analysis, scale: float) -> float:
    """MAX's expected score. Without a known unit, `scale` is taken as a large advantage."""
    estimated = not (found.visits or found.proven or is_outcome(cls, found.score) or has_fractions(cls))
    if estimated and not hasattr(cls, "unit") and not getattr(cls, "points", False):
        found = found._replace(value=found.value * unit(cls) * TENFOLD / scale)  # type: ignore[operator]
    return expected_score(cls, found)


def _told(state: Any, found: Analysis, part: float, sides: list[str]) -> tuple[str, str]:
    cls = type(state)
    if outranks(cls) and (found.proven or is_outcome(cls, found.score)):
        return _outcome(cls, found, sides)
    if is_backgammon(cls):
        return _equity(state, found, sides)
    entry = entry_of(cls)
    expected = found.visits or has_fractions(cls) or kind(cls).chance
    if expected or entry is not None and entry.name not in COUNTED:
        per_cent = round(100 * part)
        return f"{per_cent}%", f"{sides[0]} may expect {per_cent}% of a win"
    usual = Counted("point", "points", getattr(cls, "unit", 1) if not getattr(cls, "points", False) else 1)
    return _amount(found, COUNTED[entry.name] if entry else usual, sides)


def _amount(found: Analysis, counted: Counted, sides: list[str]) -> tuple[str, str]:
    """An advantage, to a tenth of its unit, or in points of `evaluate`."""
    value: float = found.value / counted.worth  # type: ignore[operator]
    tenths = f"{value:+.1f}" if round(value, 1) else "0"
    says = tenths if counted.worth > 1 else value_text(round(value, 3))
    ahead = sides[0] if value > 0 else sides[1]
    sure = ", proven" if found.proven else ""
    amount = says.lstrip("+-")
    noun = counted.one if amount == "1" else counted.several
    return says, f"{ahead} is ahead by {amount} {noun}{sure}" if amount != "0" else f"even{sure}"


def _equity(state: Any, found: Analysis, sides: list[str]) -> tuple[str, str]:
    """The equity at the current cube."""
    value: float = found.value  # type: ignore[assignment]
    says = f"{equity(state, value):+.3f}"
    chances = f", and wins {round(100 * found.chances[0])}%" if found.chances else ""
    return says, f"{sides[0]} has an equity of {says}{chances}"


def _outcome(cls: type, found: Analysis, sides: list[str]) -> tuple[str, str]:
    """A decided game: mate in some moves, or won in some plies."""
    value: float = found.value  # type: ignore[assignment]
    if not value:
        return "draw", "a draw" if found.proven else "a draw, as far as was looked"
    plies = round(WIN * round(abs(value)) - abs(found.score)) if found.score else 0
    winner = sides[0] if value > 0 else sides[1]
    if is_ours(cls, "chess") and plies > 0:
        moves = (plies + 1) // 2
        return f"#{'' if value > 0 else '-'}{moves}", f"{winner} mates in {moves}"
    when = f" in {plies} {'ply' if plies == 1 else 'plies'}" if plies > 0 else ""
    return ("won" if value > 0 else "lost"), f"{winner} wins{when}"
