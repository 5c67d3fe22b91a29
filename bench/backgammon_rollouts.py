"""Backgammon beside rollouts that others made: what plays cost, at 0, 1 and 2 plies, and what our rollouts say.

`../shared/data/backgammon/rollouts_cubeless_half.jsonl` has positions after a play with their cubeless equities, each
rolled out to about 0.006 points. Neighbouring lines that can be plays of one roll are candidates of one decision. A
player's choice among them costs what the rollouts say of the best candidate, less what they say of its own. GNU
Backgammon chooses among the same candidates by its own equity after each, as many plies ahead.
"""

import json
import random
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from statistics import mean
from typing import Any, NamedTuple

from bench.measure import Row, Size, left_out
from outplay.games import Backgammon
from outplay.games.backgammon.side import BAR, NOBODY, Side, add, made, pips, total
from outplay.limits import Limits
from outplay.peers.gnubg import Gnubg
from outplay.search.valuenet.rollout import Rollout
from outplay.search.valuenet.td import TD

DATA = Path(__file__).parents[2] / "shared" / "data" / "backgammon" / "rollouts_cubeless_half.jsonl"
Judge = Callable[[Any], float]


class Candidate(NamedTuple):
    """A position after a play: O has played, and X is on roll."""

    state: Any
    equity: float  # O's, who has played


def run(size: Size) -> Iterator[Row]:
    if not DATA.exists():
        yield left_out("plays judged by rollouts", "GNU Backgammon", f"{DATA.name} is absent")
        return
    candidates = read(DATA)
    decisions = list(grouped(candidates))
    random.Random(1).shuffle(decisions)
    yield from plays(decisions[: size.pick(len(decisions), 100, 3)], size)
    yield rollouts(random.Random(2).sample(candidates, size.pick(100, 10, 2)), size)


def plays(decisions: list[list[Candidate]], size: Size) -> Iterator[Row]:
    """What the choices of both cost, at each number of plies."""
    for plies in (0, 1, 2):
        work = f"cost of {len(decisions)} plays, {plies}-ply, by rollouts"
        mine = cost(decisions, ours(plies))
        try:
            program = Gnubg(plies)
        except ValueError as error:
            yield left_out(work, "GNU Backgammon", error)
            continue
        theirs = cost(decisions, lambda state, program=program: -program.chances(state)[5])
        program.close()
        bound = 0.0 if plies == 2 and size is Size.FULL else None
        told = "{:.2f} thousandths of a point"
        yield Row(work, "GNU Backgammon", told.format(1000 * mine), told.format(1000 * theirs),
                  round(1000 * (mine - theirs), 2), "thousandths more", bound, True)  # fmt: skip


def ours(plies: int) -> Judge:
    """O's equity by our net, so many plies ahead."""
    looking = TD(plies=plies).looking(Backgammon())
    return lambda state: -looking.value(state, plies)[0]


def cost(decisions: list[list[Candidate]], judge: Judge) -> float:
    """What the choices of a judge cost on the average."""
    return mean(
        max(one.equity for one in decision) - max(decision, key=lambda one: judge(one.state)).equity
        for decision in decisions
    )


def rollouts(candidates: list[Candidate], size: Size) -> Row:
    """How far our rollouts lie from those that are given."""
    games = size.pick(144, 72, 2)
    search = Rollout.make({"games": games})
    found = [search.search(one.state, Limits()) for one in candidates]
    differences = [-one.value - given.equity for one, given in zip(found, candidates, strict=True)]
    return Row(
        f"our rollouts of {len(candidates)} positions, {games} games each",
        "rollouts given",
        f"{mean(differences):+.4f} on the average",
        "",
        round(mean(map(abs, differences)), 4),
        "points apart",
        note=f"our mean standard error {mean(one.error for one in found):.4f}, theirs about 0.006",
    )


# --- the file -----------------------------------------------------------------------------------------------------


def read(path: Path) -> list[Candidate]:
    return [candidate(**json.loads(line)) for line in path.read_text(encoding="utf-8").splitlines()]


def candidate(board: list[int], equity: float, **_: Any) -> Candidate:
    """26 numbers: the mover's checkers on its points, the other's negative; 0 is the other's bar, 25 its own."""
    mover, other = NOBODY, NOBODY
    for point in range(1, BAR):
        mover = several(mover, point, board[point])
        other = several(other, BAR - point, -board[point])
    mover, other = several(mover, BAR, abs(board[BAR])), several(other, BAR, abs(board[0]))
    return Candidate(Backgammon(other, mover, 0, 0), equity)


def several(side: Side, point: int, count: int) -> Side:
    for _ in range(count):
        side = add(side, point)
    return side


def grouped(candidates: list[Candidate]) -> Iterator[list[Candidate]]:
    """Neighbours that can be plays of one roll, where there is a choice."""
    group = candidates[:1]
    for before, after in pairwise(candidates):
        if not are_plays_of_one_roll(before.state, after.state):
            if len(group) > 1:
                yield group
            group = []
        group.append(after)
    if len(group) > 1:
        yield group


def are_plays_of_one_roll(a: Any, b: Any) -> bool:
    """Whether the mover has gone as many steps, and the other has lost nothing but blots."""
    same_points = made(a.own) & ~(1 << BAR) == made(b.own) & ~(1 << BAR)
    return pips(a.opp) == pips(b.opp) and total(a.opp) == total(b.opp) and same_points
