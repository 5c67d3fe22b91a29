"""TD-Gammon's set-up: 198 inputs, 40 hidden units, 300,000 games against itself; points a game against pubeval.

`outplay learn td backgammon --hidden 40` is the same run. What it says of seconds is the processor's time, so that it
does not depend on what else the machine does.
"""

import tempfile
from collections.abc import Iterator
from pathlib import Path
from time import process_time

from bench.measure import Row, Size, left_out
from outplay.games import Backgammon
from outplay.learn.folder import NET
from outplay.learn.td.loop import train
from outplay.learn.td.settings import Settings
from outplay.learn.td.trial import Table
from outplay.peers import gnubgnn
from outplay.search.valuenet.net import ValueNet

FLOOR = 0.2  # points a game after 300,000 games


def run(size: Size) -> Iterator[Row]:
    games, trial = size.pick(300_000, 20_000, 40), size.pick(10_000, 2_000, 10)
    if not gnubgnn.is_installed():
        yield left_out(
            "TD-Gammon's set-up", "pubeval", ModuleNotFoundError(f"No module named {gnubgnn.PACKAGE!r}")
        )
        return
    settings = Settings(
        "backgammon", games=games, hidden=40, trial=size.pick(500, 100, 5), points=size.pick(10, 4, 1)
    )
    with tempfile.TemporaryDirectory() as folder:
        begin = process_time()
        train(settings, Path(folder) / "run", lambda line: None, lambda line: None)
        seconds = process_time() - begin
        net = ValueNet.load(Path(folder) / "run" / NET)
    score = Table(net, Backgammon()).play(gnubgnn.chooser(gnubgnn.PUBEVAL), trial)
    yield Row(
        f"TD-Gammon's set-up, {games:,} games",
        "pubeval",
        f"{score.points:+.3f} +- {1.96 * score.error:.3f} ({100 * score.won:.1f} % won)",
        "",
        round(score.points, 3),
        "points a game",
        FLOOR if size is Size.FULL else None,
        False,
        f"{seconds:,.0f} s of the processor, {games / seconds:,.0f} games/s; {trial:,} games against pubeval",
    )
