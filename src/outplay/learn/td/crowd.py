"""A run whose games are played in lockstep, on the CPU; `gpu.py` has the same on a GPU.

A run depends only on its settings here too: after each BURST of steps it looks whether a point of the curve is due, and
makes room for more rows if some moves did not fit.
"""

import time as clock
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import torch

from outplay.compile.errors import explained
from outplay.compile.runtime import flat
from outplay.freememory import require
from outplay.game import GameError, max_actions
from outplay.learn.folder import Folder, counted, undivided, wanted
from outplay.learn.td import lockstep
from outplay.learn.td.batch import BatchNet
from outplay.learn.td.lockstep import (
    BUSY,
    COLUMNS,
    COUNTER,
    KNOWN,
    LENGTH,
    NEXT,
    TOTALS,
    WAIT,
    Games,
    Rows,
    games_of,
    rows_of,
    width_of,
)  # fmt: skip
from outplay.learn.td.loop import Run
from outplay.learn.td.selfplay import COUNTS, FINISHED, LONGEST
from outplay.learn.td.settings import Settings
from outplay.search.protocol.control import explained as sensible
from outplay.search.valuenet.inputs import count_inputs

BURST = 50  # steps between two looks at the clock
DELAYS = 64  # the first games begin at one of so many steps, so that games are not all in the same phase
ROWS = 20  # a game, at first
MORE = 1.15  # times as many rows as were wanted, if there were too few or far too many


class Crowd(Run):
    """The progress of a run in lockstep."""

    device = "cpu"
    rows: Rows  # of torch's arrays, as those of the games
    native_rows: Rows  # the same memory, as our kernels take it

    def __init__(self, settings: Settings, folder: Folder, start: Any) -> None:
        self.is_made = False
        self.into = 0  # steps of the burst that a Ctrl-C broke off
        self.counted = np.zeros(COUNTS, np.int64)  # at the last point of the curve
        self.erred = 0.0
        super().__init__(settings, folder, start)
        self.bias, number, answers = count_inputs(start), settings.parallel, len(self.net.answers)
        self.student = BatchNet(self.net.layers, settings, self.device, width_of(self.bias))
        longest = LONGEST + 1 if getattr(type(start), "repetition", 0) else 1
        each = COLUMNS + 2 * len(flat(self.native)) + max_actions(type(start)) + longest  # words
        require(
            number * (16 * each + 4 * ROWS * width_of(self.bias)),  # each array twice, NumPy's and torch's
            f"{number:,} games in lockstep",
            "play fewer at a time (--parallel)",
        )
        games = games_of(flat(self.native), number, answers, max_actions(type(start)), longest)
        games.facts[:, WAIT] = 1 + np.arange(number) % DELAYS
        self.games = Games(*map(self.on_device, games))
        self.native_games = Games(*map(self.native_array, self.games))
        self.asked = self.native_array(self.on_device(self.plan))
        self.room = np.zeros(self.bias + 1, np.int64)  # for the words of a game on the CPU
        self.capacity = 0  # rows of new afterstates
        self.make_rows(max(max_actions(type(start)), ROWS * number))
        with self.watched():
            self.launch("begin", number, self.native_games, self.asked)
            self.play_step()  # everybody waits: the kernels are compiled
        self.is_made = True

    # --- arrays ---

    def on_device(self, array: np.ndarray) -> Any:
        """A copy, as torch's."""
        return torch.from_numpy(array.copy()).to(self.device)

    def native_array(self, tensor: Any) -> Any:
        """The same memory, as our kernels take it."""
        return tensor.numpy()

    def make_rows(self, capacity: int) -> None:
        """Room for so many new afterstates in a step."""
        self.capacity = capacity
        rows = rows_of(capacity + self.settings.parallel, self.bias, len(self.net.answers))
        self.rows = Rows(*map(self.on_device, rows))
        self.native_rows = Rows(*map(self.native_array, self.rows))

    # --- a step ---

    def launch(self, name: str, threads: int, *arguments: Any) -> None:
        """Run a kernel."""
        getattr(lockstep, name)(*arguments)

    def step(self) -> None:
        """A decision in every game, and what is learned from it."""
        self.play_step()
        alpha, number = self.alpha(), self.settings.parallel
        parts = (self.rows.inputs[:number], self.games.targets, self.games.learns)
        shares = (part.tensor_split(self.settings.updates) for part in parts)
        for inputs, targets, learns in zip(*shares, strict=True):
            self.student.learn(inputs, targets, learns, alpha)

    def play_step(self) -> None:
        """A decision in every game."""
        games, rows, scale = self.native_games, self.native_rows, float(self.net.layers.scale[0])
        number, all_rows = self.settings.parallel, len(self.rows.kinds)
        self.launch("deal", number, self.native, games, self.asked)
        torch.cumsum(self.games.counts, 0, out=self.games.ends)
        self.rows.inputs.zero_()
        self.write_rows(all_rows)
        self.student.answer(self.rows.inputs, self.rows.raw)
        self.launch("rate", all_rows, rows, scale)
        self.launch("settle", number, self.native, games, rows, scale, self.asked)

    def write_rows(self, number: int) -> None:
        self.launch("write", number, self.native, self.native_games, self.native_rows, self.room, self.bias)

    def alpha(self) -> Any:
        """The learning rate of a step, by the games that are over."""
        asked = self.settings
        share = (self.games.facts[:, TOTALS + FINISHED].sum() / max(asked.games - 1, 1)).clamp(max=1.0)
        return asked.alpha * torch.pow(asked.last_alpha / asked.alpha, share)

    # --- the run ---

    @property
    def beyond(self) -> int:
        return BURST * self.settings.parallel

    def games_until(self, last: int) -> None:
        """A burst of steps; whether these were enough is found out afterwards."""
        with self.watched():
            if self.is_made:
                self.burst()

    def burst(self) -> None:
        """On a CPU a burst of many games takes minutes: a Ctrl-C is heard after any of its steps."""
        while True:
            with undivided():
                self.step()
                self.into = (self.into + 1) % BURST
                if self.into == 0:
                    return self.look()

    def play(self) -> None:
        first, begin = self.game, clock.perf_counter()
        self.games_until(self.settings.mark(first))
        spent = clock.perf_counter() - begin
        self.seconds += spent
        self.rate = (self.game - first) / max(spent, 1e-9)

    def look(self) -> None:
        """See what was counted and learned, and whether there is room for all rows."""
        facts = self.games.facts
        if bool(facts[:, BUSY].any()):
            self.broken()
        totals = facts[:, TOTALS:].sum(0).cpu().numpy()
        self.mind.counts[:] = totals - self.counted
        self.mind.error[0] = self.student.error.item() - self.erred
        self.student.write(self.net.layers)
        rows = int(self.games.ends[-1].item())
        fitting = max(int(MORE * rows), max_actions(type(self.start)))
        if rows > self.capacity or 1.5 * fitting < self.capacity:
            self.make_rows(fitting)

    def broken(self) -> None:
        """A thread has stopped within a game; on the CPU its error was raised."""
        raise GameError(
            f"{type(self.start).__name__}: a game failed on the GPU; --device cpu reports the error"
        )

    @contextmanager
    def watched(self) -> Iterator[None]:
        """While kernels run: their errors are explained."""
        with explained(self.twin, self.native), sensible(type(self.start)):
            yield

    def count_anew(self) -> None:
        super().count_anew()
        self.counted = self.games.facts[:, TOTALS:].sum(0).cpu().numpy()
        self.erred = self.student.error.item()

    # --- checkpoints ---

    def kept(self) -> dict[str, np.ndarray]:
        """Within a burst, too: what is counted is then that of the last one, so that the run goes on to its end."""
        self.student.write(self.net.layers)
        student = {name: part.cpu().numpy() for name, part in self.student.kept().items()}
        return super().kept() | student | {
            "states": self.games.states.cpu().numpy(),
            "games": self.games.facts.cpu().numpy(),
            "keys": self.games.keys.cpu().numpy(),
            "counted": self.counted,
            "room": np.array([self.capacity, self.erred]),
            "into": np.array([self.into]),
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        super().restore(state)
        parts = self.student.kept() | {
            "states": self.games.states, "games": self.games.facts, "keys": self.games.keys,
        }  # fmt: skip
        for name, part in parts.items():
            part.copy_(torch.from_numpy(wanted(state[name], part.cpu().numpy())))
        self.counted[:] = wanted(state["counted"], self.counted)
        rows, self.erred = wanted(state["room"], np.zeros(2)).tolist()
        if not (0 < rows <= 1 << 31 and is_sound(self.games.facts)):
            raise ValueError("its games are damaged")
        (into,) = counted(state["into"].astype(float), 1) if "into" in state else [0]  # older ones have none
        self.into = int(into) % BURST
        self.make_rows(int(rows))
        self.student.set(self.net.layers)


def is_sound(facts: Any) -> bool:
    """Whether kernels may read the games of a checkpoint: no number below 0, and no game longer than one may be."""
    counters = [
        column for column in range(COLUMNS) if column not in (COUNTER, NEXT)
    ]  # random bits may be any number
    least, most = facts[:, counters].min(), facts.max(0).values
    return bool(least >= 0 and most[KNOWN] <= 1 and most[BUSY] == 0 and most[LENGTH] <= LONGEST)
