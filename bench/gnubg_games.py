"""Backgammon's own net against GNU Backgammon, both without looking ahead: games for money without a cube.

Points a game with their 95 % interval; the net changes sides after each game. With `--quick` fewer games.
"""

from collections.abc import Iterator
from typing import Any

from bench.measure import Row, Size, left_out
from outplay.games import Backgammon
from outplay.learn.td.trial import Table
from outplay.peers.gnubg import Gnubg
from outplay.search.valuenet.td import own_net

WORK = "the net's games, 0-ply, without a cube"


def run(size: Size) -> Iterator[Row]:
    try:
        program = Gnubg(plies=0)
    except ValueError as error:
        yield left_out(WORK, "GNU Backgammon 0-ply", error)
        return

    def rival(s: Any) -> int:
        state = Backgammon(tuple(s.own), tuple(s.opp), s.turn, s.dice)
        actions = [*state.actions()]
        return actions[0] if len(actions) == 1 else state.parse_action(program.choose(state))

    score = Table(own_net(Backgammon.value_net), Backgammon()).play(rival, size.pick(3000, 300, 2))
    program.close()
    yield Row(
        WORK,
        "GNU Backgammon 0-ply",
        f"{score.points:+.3f} +- {1.96 * score.error:.3f} ({100 * score.won:.1f} % won)",
        "",
        round(score.points, 3),
        "points a game",
        0.0 if size is Size.FULL else None,
        note=f"{score.games:,} games; 100,000 would tell differences of 0.01",
    )
