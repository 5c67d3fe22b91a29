"""Backgammon's own net against GNU Backgammon, both without looking ahead: games for money without a cube.

Points a game with their 95 % interval; the net changes sides after each game. The package gnubg-nn has GNU Backgammon's
nets in this process, so that 100,000 games take minutes; the program itself plays fewer. With `--quick` fewer still.
"""

from collections.abc import Callable, Iterator
from typing import Any

from bench.measure import Row, Size, left_out
from outplay.games import Backgammon
from outplay.learn.td.trial import Table
from outplay.peers import gnubgnn
from outplay.peers.gnubg import Gnubg
from outplay.search.valuenet.td import own_net

WORK = "the net's games, 0-ply, without a cube"
NETS, PROGRAM = "gnubg-nn", "GNU Backgammon 0-ply"


def run(size: Size) -> Iterator[Row]:
    try:
        yield played(NETS, gnubgnn.chooser(gnubgnn.NET), size.pick(100_000, 5_000, 2), size)
    except ValueError as error:
        yield left_out(WORK, NETS, error)
    try:
        program = Gnubg(plies=0)
    except ValueError as error:
        yield left_out(WORK, PROGRAM, error)
        return

    def rival(s: Any) -> int:
        state = Backgammon(tuple(s.own), tuple(s.opp), s.turn, s.dice)
        actions = [*state.actions()]
        return actions[0] if len(actions) == 1 else state.parse_action(program.choose(state))

    yield played(PROGRAM, rival, size.pick(3000, 300, 2), size)
    program.close()


def played(peer: str, rival: Callable[[Any], int], games: int, size: Size) -> Row:
    score = Table(own_net(Backgammon.value_net), Backgammon()).play(rival, games)
    return Row(
        WORK,
        peer,
        f"{score.points:+.4f} +- {1.96 * score.error:.4f} ({100 * score.won:.1f} % won)",
        "",
        round(score.points, 4),
        "points a game",
        0.0 if size is Size.FULL else None,
        note=f"{score.games:,} games; 100,000 tell differences of 0.01",
    )
