"""The status of stones and the owner of points: from playouts with the game's policy."""

from typing import Any

from outplay.games.go.points import Points, either, without
from outplay.games.go.text import members
from outplay.search.mcts.playout import ends

GAMES = 200
SURE = 0.4  # a point is owned if its mean, -1 to 1, exceeds this


def ownership(state: Any) -> list[float]:
    """The mean final ownership of each point: 1 is always Black's, -1 always White's."""
    totals = [0] * state.POINTS
    for end in ends(resting(state), GAMES, seed=1):
        own, opp = areas(end)
        black, white = (own, opp) if end.player() == 0 else (opp, own)
        for point in range(state.POINTS):
            totals[point] += (black >> point & 1) - (white >> point & 1)
    return [total / GAMES for total in totals]


def resting(state: Any) -> Any:
    """The position without its passes, so that the game goes on."""
    return state._replace(passes=0, ply=state.ply & 1)


def areas(state: Any) -> tuple[int, int]:
    """The mover's area and the other's."""
    empty = state.empty()
    mine, others = state.reached(empty, state.own), state.reached(empty, state.opp)
    return (
        members(either(state.own, without(mine, others))),
        members(either(state.opp, without(others, mine))),
    )


def dead(state: Any, owners: list[float]) -> int:
    """The dead stones: most of their group's points become the opponent's."""
    found = 0
    for stones in (state.own, state.opp):
        sign = 1 if (stones is state.own) == (state.player() == 0) else -1
        for group in groups(state, stones):
            points = [point for point in range(state.POINTS) if members(group) >> point & 1]
            if sum(owners[point] for point in points) * sign < -SURE * len(points):
                found |= members(group)
    return found


def seki(state: Any, owners: list[float]) -> int:
    """The stones with uncertain status."""
    found = 0
    for stones in (state.own, state.opp):
        for group in groups(state, stones):
            points = [point for point in range(state.POINTS) if members(group) >> point & 1]
            if abs(sum(owners[point] for point in points)) <= SURE * len(points):
                found |= members(group)
    return found


def groups(state: Any, stones: Points) -> list[Points]:
    """The groups of one side's stones."""
    found = []
    left = stones
    while members(left):
        point = (members(left) & -members(left)).bit_length() - 1
        one = state.points_of(1 << point)
        group = either(one, state.reached(stones, one))
        found.append(group)
        left = without(left, group)
    return found


def cleared(state: Any) -> Any:
    """The position without its dead stones."""
    gone = state.points_of(dead(state, ownership(state)))
    return state._replace(own=without(state.own, gone), opp=without(state.opp, gone))
