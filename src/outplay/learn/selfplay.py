"""Positions from the engine's self-play, for tuning an evaluation without recorded games."""

import random
from collections.abc import Iterator
from typing import Any

from outplay.game import GameError, adopt_state, is_terminal, legal, offers
from outplay.learn.positions import Sample
from outplay.limits import Limits
from outplay.search.engine.engine import Engine
from outplay.weights import Weights

OPENING = 8  # random plies, so that games differ
LONGEST = 400  # plies; a longer game is a draw
MEGABYTES = 2  # of the engine's table: the searches are short


def self_play(
    start: Any, games: int, nodes: int = 2000, seed: int = 1, weights: Weights | None = None, done: int = 0
) -> Iterator[list[Sample]]:
    """The quiet positions of each game with its result, or its score in a game of points.

    The same seed gives the same games. A position is quiet if it has no `noisy` action. Positions of the random opening
    are excluded. `done`: the number of games played before.
    """
    start = adopt_state(start)
    Engine.refuse(type(start))
    if games < 1:
        raise ValueError(f"games must be 1 or more, not {games}")
    limits = Limits(nodes=nodes).checked()
    for game in range(done, games):
        opening = _opening(start, random.Random(f"{seed} {game}"))
        yield _game(Engine(MEGABYTES, weights=weights), opening, limits)


def _opening(start: Any, rng: random.Random) -> Any:
    """A position after some random plies, not terminal."""
    for _ in range(100):
        state = start
        for _ in range(OPENING):
            if is_terminal(state):
                break
            state = state.result(rng.choice(legal(state)))
        if not is_terminal(state):
            return state
    raise GameError(f"{type(start).__name__}: games end within {OPENING} random plies")


def _game(engine: Engine, state: Any, limits: Limits) -> list[Sample]:
    seen = []
    for _ in range(LONGEST):
        if is_terminal(state):
            break
        if not (offers(type(state), "noisy") and any(True for _ in state.noisy())):
            seen.append(state)
        found = engine.search(state, limits)
        assert found.action is not None
        state = state.result(found.action)
    utility = state.utility() if is_terminal(state) else 0
    if getattr(type(state), "points", False):
        return [Sample(position, score=float(utility)) for position in seen]
    result = 1.0 if utility > 0 else 0.0 if utility < 0 else 0.5
    return [Sample(position, result) for position in seen]
