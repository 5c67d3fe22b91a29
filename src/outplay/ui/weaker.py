"""A weaker chess opponent: the engine limited by UCI_Elo."""

import re
from typing import Any

from outplay.games import is_ours
from outplay.limits import Analysis, Limits
from outplay.record import Record
from outplay.search.engine.engine import Engine
from outplay.ui.uci.strength import strength


class WeakerEngine:
    """The engine with fewer nodes and noise on its evaluations."""

    def __init__(self, elo: int, seed: int) -> None:
        self.name = f"engine ({elo} Elo)"
        self.strength = strength(elo)
        self.engine = Engine(noise=self.strength.noise)
        self.engine.seed = seed  # for the noise

    def __call__(self, record: Record, limits: Limits) -> Analysis:
        nodes = self.strength.nodes_at(record.state)
        return self.engine.search(record, Limits(nodes=nodes))


def elo_of(name: str) -> int | None:
    """The Elo of an opponent by its name in a saved game; None for any other."""
    named = re.fullmatch(r"engine \((\d+) Elo\)", name)
    return None if named is None else int(named[1])


def weaker(start: Any, elo: int, seed: int) -> WeakerEngine:
    """The opponent with this Elo; a ValueError if the game has no such scale."""
    if not is_ours(type(start), "chess"):
        raise ValueError("--elo is for chess: in other games limit --depth, --nodes or --time")
    return WeakerEngine(elo, seed)
