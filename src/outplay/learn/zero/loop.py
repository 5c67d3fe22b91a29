"""The training loop: play a move in all games, learn from the replay buffer, log the progress.

The whole course of a run is here, top to bottom. `Settings` has the numbers, `Games` plays,
`Learner` learns, `Folder` saves. Silver et al. 2018 (AlphaZero) and Danihelka et al. 2022 (the search at the root).
"""

import math
import time as clock
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from outplay.compile import twin
from outplay.compile.errors import explained
from outplay.game import kind, max_actions
from outplay.games import load
from outplay.learn.folder import NET, Folder, counted, undivided, wanted
from outplay.learn.zero.games import Games
from outplay.learn.zero.moves import CUT, DRAWS, FINISHED, FULL, MOVES, OUTCOME, UNKNOWN, WINS
from outplay.learn.zero.settings import Settings
from outplay.learn.zero.symmetry import symmetries_of
from outplay.search.mcts.grow import largest
from outplay.search.mcts.netfile import NetFile, save_net
from outplay.search.mcts.uct import endless
from outplay.search.mcts.view import view_of
from outplay.search.protocol import control
from outplay.search.protocol.search import refuse_kind

LOG_EVERY = 5.0  # seconds
SAVE_EVERY = 60.0
RANDOM_GAMES = 100  # their largest score is the unit of scores
FIRST = 4  # learning begins when the replay buffer holds so many batches

Report = Callable[[dict[str, Any]], None]


def train(settings: Settings, path: Path, report: Report, learner: Any = None, games: Any = None) -> None:
    """Train for the given minutes; an interrupted run saves, and resumes. `report` is called with each line of its log.

    By default `learner(view, settings, symmetries, scale)` trains a torch net, and
    `games(start, view, settings, evaluate)` plays on the settings' device.
    """
    start = load(settings.game).position()
    refuse_kind(type(start), "zero", chance=True, floats=True)
    folder = Folder(path, settings)
    with folder.open():
        with folder.beginning():
            view = view_of(start)
            scale = large_score(start)
            mind = (learner or torch_learner())(view, settings, symmetries_of(start, view), scale)
            table: Games = (games or games_on(settings.device))(start, view, settings, mind.evaluate)
            table.move(settings.simulations[0])  # compile before the clock starts
        run = Run(settings, folder, mind, table)
        run.resume()
        ended = run.share() >= 1.0
        try:
            while run.share() < 1.0:
                table.move(run.simulations())  # 1. a move in every game
                run.learn()  # 2. as many updates as it has earned
                run.tell(report)  # 3. log and checkpoint
        except KeyboardInterrupt:
            run.save()
            raise
        if not ended:  # it would tell of no move
            run.tell(report, last=True)
        weights = mind.weights()
        save_net(path / NET, NetFile(settings.game, view, settings.channels, settings.blocks, scale, weights))


class Run:
    """The progress of a run: its time, and its counts before the last start."""

    def __init__(self, settings: Settings, folder: Folder, mind: Any, table: Games) -> None:
        self.settings, self.folder, self.mind, self.table = settings, folder, mind, table
        self.before = 0.0  # seconds of earlier parts of the run
        self.counted = np.zeros(len(table.counts()), np.int64)  # then
        self.simulated = 0
        self.saving = 0.0  # seconds that the last checkpoint took
        self.began = self.told = self.saved = clock.perf_counter()
        self.told_before: tuple[float, Any] = (0.0, self.counted)
        self.earned, self.losses = 0.0, None

    def seconds(self) -> float:
        return self.before + clock.perf_counter() - self.began

    def share(self) -> float:
        """The share of the time that has passed."""
        return self.seconds() / (60 * self.settings.minutes)

    def simulations(self) -> int:
        """The simulations of the next move: few while the net is weak."""
        parts = self.settings.simulations
        chosen = parts[min(int(self.share() * len(parts)), len(parts) - 1)]
        self.simulated += chosen * self.settings.games
        return chosen

    def learn(self) -> None:
        """Do as many updates as are due: each row is used `reuse` times on average."""
        filled, batch = self.table.filled(), self.settings.batch
        if filled < FIRST * batch or not self.table_ready():
            return
        self.earned += self.settings.reuse * self.settings.games / batch
        # with a large `reuse` they would take longer than the run
        while self.earned >= 1.0 and (share := self.share()) < 1.0:
            with undivided():
                self.losses = self.mind.update(self.table.rows, self.table.policies, filled, share)
            self.earned -= 1.0
        self.mind.publish()

    def table_ready(self) -> bool:
        """Whether any game has ended: before that no result is known."""
        return bool(self.table.counts()[FINISHED] >= self.settings.games // 2) or bool(self.counted[FINISHED])

    def tell(self, report: Report, last: bool = False) -> None:
        """Write a line of the log and a checkpoint when they are due."""
        now = clock.perf_counter()
        if now - self.told >= LOG_EVERY or last:
            self.told = now
            line = self.line()
            self.folder.note(line)
            report(line)
        if now - self.saved >= max(SAVE_EVERY, 20 * self.saving) or last:
            self.save()
            self.saved = clock.perf_counter()
            self.saving = self.saved - now

    def line(self) -> dict[str, Any]:
        counts = self.counted + self.table.counts()
        seconds = self.seconds()
        then, earlier = self.told_before
        self.told_before = seconds, counts
        spent = max(seconds - then, 1e-9)
        losses = [None] * 3 if self.losses is None else [round(float(x), 4) for x in self.losses]
        if any(x is not None and not math.isfinite(x) for x in losses):
            raise ValueError("the loss is no longer finite: start over with a smaller --set rate=")
        finished = int(counts[FINISHED])
        return {
            "seconds": round(seconds, 1),
            "games": finished,
            "positions": int(counts[MOVES]),
            "updates": self.mind.updates,
            "simulations": self.simulated,
            "positions_per_second": round(float(counts[MOVES] - earlier[MOVES]) / spent),
            "policy": losses[0],
            "outcome": losses[1],
            "score": losses[2],
            "won_by_max": round(int(counts[WINS]) / max(finished, 1), 4),
            "drawn": round(int(counts[DRAWS]) / max(finished, 1), 4),
            "cut_off": int(counts[CUT]),
            "full_trees": int(counts[FULL]),
        }

    # --- checkpoints ---

    def save(self) -> None:
        """Write a checkpoint; after resuming, unfinished games start again."""
        filled = self.table.filled()
        state = {f"learner/{name}": value for name, value in self.mind.state().items()}
        state["rows"] = host(self.table.rows[:filled])
        state["policies"] = host(self.table.policies[:filled]).astype(np.float16)
        state["counts"] = self.counted + self.table.counts()
        state["numbers"] = np.array([self.seconds(), self.simulated, self.table.step], float)
        self.folder.save(state)

    def resume(self) -> None:
        """Resume from the last checkpoint, if there is one."""
        state = self.folder.load()
        if state is None:
            return
        with self.folder.resuming():
            self.before, simulated, step = counted(state["numbers"], 3)
            rows, policies = replayed(state, self.table, int(step))
            self.mind.load(
                {n.removeprefix("learner/"): v for n, v in state.items() if n.startswith("learner/")}
            )
            self.simulated, self.counted = int(simulated), wanted(state["counts"], self.counted)
        self.told_before = self.before, self.counted
        self.table.resume(rows, policies, int(step))
        self.began = self.told = self.saved = clock.perf_counter()


def replayed(state: dict[str, np.ndarray], table: Games, step: int) -> tuple[np.ndarray, np.ndarray]:
    """The replay buffer of a checkpoint after `step` steps; an error if it belongs to another run."""
    filled = min(step, table.length) * table.settings.games
    rows = wanted(state["rows"], np.zeros((filled, table.rows.shape[1]), np.int64))
    policies = wanted(state["policies"], np.zeros((filled, table.policies.shape[1]), np.float16))
    if np.abs(rows[:, table.view.words + OUTCOME]).max(initial=0) > UNKNOWN:
        raise ValueError("it has rows with an invalid outcome")
    return rows, policies.astype(np.float32)


def host(array: Any) -> np.ndarray:
    """An array in the CPU's memory."""
    return np.asarray(array.cpu() if hasattr(array, "cpu") else array)


def large_score(start: Any) -> float:
    """The largest score in some random games if the game is about points, otherwise 0."""
    if not getattr(type(start), "points", False) or kind(type(start)).players != 2:
        return 0.0
    compiled = twin(type(start))
    native = compiled.state(start)
    with explained(compiled, native), endless(type(start)), control.explained(type(start)):
        return float(largest(native, RANDOM_GAMES, np.zeros(max_actions(type(start)) + 1, np.int64))) or 1.0


def torch_learner() -> Any:
    """The learner with torch nets; a one-line error if torch is missing."""
    try:
        import torch
    except ImportError:
        raise ValueError(
            "training needs torch, which is not installed: pip install 'outplay[train]'"
        ) from None
    if not torch.cuda.is_available():
        torch.set_num_threads(1)  # nets for a CPU are small: more threads would only wait
    from outplay.learn.zero.learner import Learner

    return Learner


def games_on(device: str) -> Any:
    """The games on a device."""
    if device == "cpu":
        return Games
    from outplay.learn.zero.gpu import GPUGames  # needs numba-cuda and torch

    return GPUGames
