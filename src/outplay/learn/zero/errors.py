"""How often a net's moves lose value, compared with exact values.

The positions come from a file, or are all reachable ones of a small game. The solver computes the value of each, and
its value after the chosen move; values given in a file are trusted.
"""

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.files import read_text
from outplay.game import CHANCE, is_terminal, legal, parse
from outplay.search import solve
from outplay.search.mcts.network import Network
from outplay.search.mcts.puct import PUCT

BATCH = 256  # positions searched at a time
MOST_STATES = 20_000  # of a game that is enumerated
C = 2.5


class Errors(NamedTuple):
    """The moves that kept the value, and those that lost it."""

    positions: int
    simulations: int  # 0: the policy alone
    wrong: int

    @property
    def right(self) -> float:
        """The share of positions in which the move keeps the value."""
        return 1 - self.wrong / max(self.positions, 1)


def choices(network: Network, states: Sequence[Any], simulations: int) -> Iterator[int]:
    """The net's move at each state: by its policy alone (0 simulations), or by PUCT."""
    for begin in range(0, len(states), BATCH):
        part = list(states[begin : begin + BATCH])
        if simulations == 0:
            policy, _ = network.judge(part)
            for state, priors in zip(part, policy, strict=True):
                yield max(legal(state), key=lambda a, s=state, p=priors: p[network.view.place(s, a)])  # type: ignore[misc]
            continue
        search = PUCT(part, network, simulations, c=C)
        search.search(simulations)
        yield from search.choose()


def errors(
    network: Network, known: Sequence[tuple[Any, float | None]], simulations: int, seen: Callable[[int], None]
) -> Errors:
    """Count the moves that lose value; `known`: states, with their values for the mover if given."""
    wrong = 0
    states = [state for state, _ in known]
    for number, ((state, worth), action) in enumerate(
        zip(known, choices(network, states, simulations), strict=True), 1
    ):
        sign = 1 if state.player() == 0 else -1
        best = worth if worth is not None else np.sign(sign * solve(state).value)
        wrong += bool(np.sign(sign * value_of(state.result(action))) < best)
        seen(number)
    return Errors(len(known), simulations, wrong)


def value_of(state: Any) -> float:
    """MAX's value of a state."""
    return float(state.utility() if is_terminal(state) else solve(state).value)


def read_known(cls: type, path: Path) -> list[tuple[Any, float | None]]:
    """Positions, one per line; a number after one is its value for the mover, as in Pons's Connect Four sets."""
    found: list[tuple[Any, float | None]] = []
    for number, line in enumerate(read_text(str(path)).splitlines(), 1):
        text, _, score = line.strip().rpartition(" ")
        if not line.strip():
            continue
        try:
            told = float(np.sign(float(score))) if text else None
            found.append((parse(cls, text or line.strip()), told))
        except ValueError:
            try:
                found.append((parse(cls, line.strip()), None))
            except ValueError as error:
                raise ValueError(f"{path}, line {number}: {error}") from None
    if not found:
        raise ValueError(f"{path} contains no positions: expected one per line")
    return found


def reachable(start: Any) -> list[tuple[Any, float | None]]:
    """All reachable states in which a player moves; an error if there are too many."""
    seen, waiting = (
        {start: None},
        [start],
    )  # in the order found: not every class has states that can be sorted
    while waiting:
        state = waiting.pop()
        if is_terminal(state):
            continue
        for action in legal(state):
            after = state.result(action)
            if after not in seen:
                seen[after] = None
                waiting.append(after)
        if len(seen) > MOST_STATES:
            raise ValueError(
                f"{type(start).__name__} has more than {MOST_STATES:,} states: name a file with --positions"
            )
    return [(state, None) for state in seen if not is_terminal(state) and state.player() != CHANCE]
