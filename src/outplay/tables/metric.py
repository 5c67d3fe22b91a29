"""Metrics: what the plies of a table count.

end          to the end of the game (chess: distance to mate)
conversion   to the next irreversible move of best play: a capture, a pawn move, or the end. Such a table is
             computed from those to the end, its own family's included. The fifty-move rule depends on it

If points are banked during the game (`banked`: kalah's stores), a family's table stores the future gain, and its
distance is that to the next family.
"""

from typing import Any

from outplay.game import offers

END, CONVERSION = "end", "conversion"
METRICS = (END, CONVERSION)


def usual(cls: Any) -> str:
    """The metric of the tables that a game's engine asks."""
    return CONVERSION if offers(cls, "banked") else END


def checked(metric: str, cls: Any) -> str:
    """The metric that is asked for, the usual one where the text is empty; a ValueError if there is no such metric."""
    if metric not in ("", *METRICS):
        raise ValueError(f"unknown metric {metric[:40]!r}: write {' or '.join(METRICS)}")
    if metric == END and usual(cls) != END:
        raise ValueError(f"tables of {cls.__name__} store future gains: their metric is {usual(cls)}")
    return metric or usual(cls)
