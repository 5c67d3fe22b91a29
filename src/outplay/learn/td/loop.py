"""The training loop: play and learn, test the net against fixed opponents, save checkpoints.

A run depends only on its settings, not on the clock: an interrupted and resumed run ends with the same net as an
uninterrupted one.
"""

import time as clock
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.compile.lane import again
from outplay.games import load
from outplay.learn.folder import CHECKPOINT, NET, Folder, counted, undivided, wanted
from outplay.learn.td.selfplay import CUT, FINISHED, MOVES, UPDATES, mind_for, play_games
from outplay.learn.td.settings import Settings, scale_of
from outplay.learn.td.trial import Table
from outplay.peers import gnubgnn
from outplay.search.protocol.control import explained as sensible
from outplay.search.protocol.search import refuse_kind
from outplay.search.valuenet.net import ValueNet

SAVE_EVERY = 30.0  # seconds
CHUNK = 0.5  # seconds of native code at a time: after it a Ctrl-C is heard
Report = Callable[[dict[str, Any]], None]


@again
def train(
    settings: Settings,
    path: Path,
    report: Report,
    progress: Report,
    minutes: float | None = None,
    make: "Callable[[Settings, Folder, Any], Run] | None" = None,
) -> bool:
    """Run to the last game, or for so many minutes; a run that was broken off goes on. Whether it is at its end.

    `report` is called with every line of the log, `progress` with the progress in between. `make` makes another kind
    of run than one of self-play.
    """
    start = load(settings.game).position()
    refuse_kind(type(start), "td", chance=True, floats=True)
    folder = Folder(path, settings.checked())
    with folder.open():
        with folder.beginning():
            run = (make or Run)(settings, folder, start)
        run.resume()
        end = clock.perf_counter() + (float("inf") if minutes is None else 60 * minutes)
        try:
            if run.is_due():  # a Ctrl-C came before it was told
                run.tell(report, progress)
            while run.game < settings.games and clock.perf_counter() < end:
                run.play()
                run.tell(report, progress)
        finally:
            run.save()
            run.net.save(path / NET)
    return run.game >= settings.games


class Run:
    """The progress of a run."""

    def __init__(self, settings: Settings, folder: Folder, start: Any) -> None:
        self.settings, self.folder, self.start = settings, folder, start
        self.twin = twin(type(start))
        self.native = self.twin.state(start)
        self.net = ValueNet.new(
            settings.game, start, settings.hidden, settings.seed % 2**32, scale_of(start), settings.second
        )
        if settings.base and not (folder.path / CHECKPOINT).exists():
            base = ValueNet.load(settings.base)
            base.refuse(start)
            self.net = base.within(self.net)
        self.mind = mind_for(start, self.net.layers, settings.lam)
        self.plan = settings.plan()
        self.seconds = 0.0  # of play alone
        self.rate = 0.0  # games per second
        self.since = 0, 0.0  # games and seconds at the last point of the curve
        self.chunk = 1
        self.saved = clock.perf_counter()
        self.games_until(0)  # compiles

    @property
    def game(self) -> int:
        """The next one; kernels count those that are done, so that a Ctrl-C after one of them loses nothing."""
        return self.since[0] + int(self.mind.counts[FINISHED])

    @property
    def beyond(self) -> int:
        """How many games a run may play beyond its last."""
        return 0

    def games_until(self, last: int) -> None:
        with explained(self.twin, self.native), sensible(type(self.start)):
            play_games(self.native, self.game, last, self.net.layers, self.plan, self.mind)

    def play(self) -> None:
        """Some games: as many as take about CHUNK seconds, and no more than up to the next point of the curve."""
        first, begin = self.game, clock.perf_counter()
        self.games_until(min(first + self.chunk, self.settings.mark(first)))
        spent = clock.perf_counter() - begin
        self.seconds += spent
        self.rate = (self.game - first) / max(spent, 1e-9)
        self.chunk = max(1, min(2 * self.chunk, int(self.rate * CHUNK)))

    def is_due(self) -> bool:
        """Whether a point of the curve is reached, and not yet in the log."""
        return self.game > self.since[0] and self.game >= self.settings.mark(self.since[0])

    def tell(self, report: Report, progress: Report) -> None:
        """A line of the log at a point of the curve, and a checkpoint now and then."""
        if self.is_due():
            line = self.line()
            with undivided():
                self.folder.note(line)
                self.count_anew()
                self.save()
            report(line)
        else:
            if clock.perf_counter() - self.saved > SAVE_EVERY:
                self.save()
            progress({"game": self.game, "games": self.settings.games, "games_per_second": round(self.rate)})

    @property
    def done(self) -> bool:
        return self.game >= self.settings.games

    def line(self) -> dict[str, Any]:
        """How the net stands, and against whom."""
        counts, games = self.mind.counts, self.game - self.since[0]
        line = {
            "seconds": round(self.seconds, 1),
            "games": self.game,
            "games_per_second": round(games / max(self.seconds - self.since[1], 1e-9), 1),
            "moves": round(int(counts[MOVES]) / games, 1),
            "cut_off": int(counts[CUT]),
            "error": round(float(self.mind.error[0]) / max(int(counts[UPDATES]), 1), 6),
            "alpha": round(self.settings.alpha_at(self.game), 6),
        }
        if not np.isfinite(self.net.layers.hidden).all():
            raise ValueError("the net's weights are no longer finite: start over with a smaller --alpha")
        table = Table(self.net, self.start)
        for name, rival in (
            ("random", None),
            ("pubeval", gnubgnn.chooser(gnubgnn.PUBEVAL) if gnubgnn.plays(type(self.start)) else None),
        ):
            if name == "random" or rival is not None:
                score = table.play(rival, self.settings.trial, self.settings.seed)
                line[name], line[f"{name}_error"] = round(score.points, 4), round(score.error, 4)
        return line

    def count_anew(self) -> None:
        """Begin to count for the next point of the curve."""
        self.since = self.game, self.seconds
        self.mind.counts[:] = 0
        self.mind.error[:] = 0

    # --- checkpoints ---

    def save(self) -> None:
        """Write a checkpoint."""
        self.folder.save(self.kept())
        self.saved = clock.perf_counter()

    def kept(self) -> dict[str, np.ndarray]:
        """All that is needed to go on."""
        return {
            **self.net.layers._asdict(),
            "counts": self.mind.counts,
            "error": self.mind.error,
            "numbers": np.array([self.seconds, *self.since]),
        }

    def resume(self) -> None:
        """Go on from the last checkpoint, if there is one."""
        state = self.folder.load()
        if state is None:
            return
        with self.folder.resuming():
            self.restore(state)

    def restore(self, state: dict[str, np.ndarray]) -> None:
        """Take over what a checkpoint holds."""
        for kept, part in (*zip(self.net.layers, self.net.layers._fields, strict=True),
                           (self.mind.counts, "counts"), (self.mind.error, "error")):  # fmt: skip
            kept[:] = wanted(state[part], kept)
        self.seconds, games, seconds = counted(state["numbers"], 3)
        self.since = int(games), seconds
        if not (self.net.layers.scale[0] > 0 and self.mind.counts.min() >= 0):
            raise ValueError("it counts below 0")
        if self.game > self.settings.games + self.beyond:
            raise ValueError(f"it has {self.game:,} games of {self.settings.games:,}")
