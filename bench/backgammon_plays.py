"""The plays of backgammon, as sets of the positions that they lead to, against gnubg-nn.

Positions come from random games and at random: any number of checkers of both sides, on any points, on the bar and
off. Each is compared for all 36 ordered rolls, of which `--count` says how many there are in all. No position may be
reached by two actions.
"""

import random
from collections.abc import Iterator
from typing import Any

from bench.measure import Row, Size, left_out
from outplay.games import Backgammon
from outplay.games.backgammon.side import BAR, Side, add, number

ROLLS = [(high, low) for high in range(1, 7) for low in range(1, high + 1)]
ORDERED = 36  # rolls of two dice that are told apart


def run(size: Size, count: int | None = None) -> Iterator[Row]:
    try:
        import gnubg_nn
    except ImportError as error:
        yield left_out("plays of backgammon", "gnubg-nn", error)
        return
    wanted = count or size.pick(1_000_000, 50_000, 500)
    compared = most = 0
    faults: list[str] = []
    for state in positions(random.Random(1)):
        for high, low in ROLLS:
            rolled = state._replace(dice=8 * high + low)
            plays, fault = compare(rolled, gnubg_nn)
            most = max(most, plays)
            faults += [str(rolled)] if fault else []
        compared += ORDERED
        if compared >= wanted:
            break
    note = f"first: {faults[0]}" if faults else ""
    ours = f"{compared:,} rolls, at most {most} plays"
    yield Row("plays of backgammon", "gnubg-nn", ours, "", len(faults), "differences", 0, True, note)


def compare(state: Any, gnubg_nn: Any) -> tuple[int, bool]:
    """How many plays there are, and whether they differ from those of gnubg-nn, in either order of the dice."""
    afterstates = [state.result(action) for action in state.actions()]
    reached = [gnubg_nn.key_of_board([numbers(after.own), numbers(after.opp)]) for after in afterstates]
    board, high, low = [numbers(state.opp), numbers(state.own)], state.dice >> 3, state.dice & 7
    theirs = set(gnubg_nn.moves(board, high, low))
    if set(gnubg_nn.moves(board, low, high)) != theirs:
        return len(reached), True
    if not theirs:  # no play
        return 0, [*state.actions()] != [0]
    return len(reached), set(reached) != theirs or len(set(reached)) < len(reached)


def numbers(side: Side) -> list[int]:
    """The checkers on points 1 to 24 and on the bar."""
    return [number(side, point) for point in range(1, BAR + 1)]


def positions(source: random.Random) -> Iterator[Any]:
    """Positions of random games, and as many at random."""
    while True:
        state: Any = Backgammon()
        while not state.terminal():
            if state.dice > 0:
                yield state
                yield anywhere(source)
            state = state.result(source.choice(list(state.actions())))


def anywhere(source: random.Random) -> Any:
    """Checkers of both sides at random; most of them near home in half of the positions."""
    far = source.choice((6, 12, 24, 24))
    points = source.sample(range(1, 25), 24)
    mine = {point for point in points[: source.randint(1, 23)] if point <= far}
    sides = []
    for free in (sorted(mine) or [1], [25 - point for point in points if point not in mine] or [24]):
        side: Side = (0, 0, 0, 0)
        for _ in range(source.randint(1, 15)):
            side = add(side, BAR if source.random() < 0.03 else source.choice(free))
        sides.append(side)
    if any(number(sides[0], point) and number(sides[1], 25 - point) for point in range(1, 25)):
        return anywhere(source)
    return Backgammon(sides[0], sides[1], source.randrange(2), 0)
