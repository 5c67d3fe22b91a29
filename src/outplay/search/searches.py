"""The searches by name, and the default search of a game."""

import contextlib
from collections.abc import Mapping
from typing import Any

from outplay.game import GameError, kind, offers
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.search.mcts.batched import PUCTOnGPU, PUCTSearch, UCTOnGPU
from outplay.search.mcts.uct import UCT
from outplay.search.protocol.options import split
from outplay.search.protocol.search import Search
from outplay.search.textbook.deepening import AlphaBeta, AlphaBetaHard, Expectiminimax, MaxN, Minimax
from outplay.search.textbook.opponent import Expectimax
from outplay.search.valuenet.rollout import Rollout
from outplay.search.valuenet.td import TD

SEARCHES: dict[str, type[Search]] = {
    search.name: search
    for search in (
        Minimax,
        AlphaBeta,
        AlphaBetaHard,
        Engine,
        Expectiminimax,
        Expectimax,
        MaxN,
        UCT,
        PUCTSearch,
        UCTOnGPU,
        PUCTOnGPU,
        TD,
        Rollout,
    )
}


def named(name: str) -> type[Search]:
    """The search with that name."""
    if name not in SEARCHES:
        raise ValueError(f"unknown search {name!r}; choose from {', '.join(SEARCHES)}")
    return SEARCHES[name]


def textbook(cls: type) -> type[Search]:
    """The textbook search for a game."""
    what = kind(cls)
    return MaxN if what.players > 2 else Expectiminimax if what.chance else AlphaBeta


def fitting(cls: type, name: str | None = None) -> type[Search]:
    """The search with that name, if it supports the game; by default the textbook search."""
    search = textbook(cls) if name is None else named(name)
    search.refuse(cls)
    return search


def strongest(cls: type, name: str | None = None) -> type[Search]:
    """The search with that name; by default the engine if it supports the game, else the textbook search.

    For a game with a playout policy but no evaluation the default is UCT.
    """
    if name is not None:
        return fitting(cls, name)
    if offers(cls, "playout") and not offers(cls, "evaluate"):
        return fitting(cls, UCT.name)
    with contextlib.suppress(GameError):
        return fitting(cls, Engine.name)
    return fitting(cls)


def usual(cls: type, limits: Limits, lines: int = 1) -> type[Search]:
    """The default search: the textbook search for one line to a depth alone, else the strongest."""
    return fitting(cls) if lines == 1 and limits.nodes is None and limits.time is None else strongest(cls)


def made(text: str, given: Mapping[str, Any] | None = None) -> Search:
    """The search that a text names, `uct:c=1,threads=2`, with these options too."""
    name, options = split(text)
    return named(name).make({**options, **(given or {})})
