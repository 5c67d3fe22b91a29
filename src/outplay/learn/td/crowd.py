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
from outplay.game import GameError, max_actions
from outplay.learn.folder import Folder, wanted
from outplay.learn.td import lockstep
from outplay.learn.td.batch import BatchNet
from outplay.learn.td.lockstep import BUSY, COLUMNS, KNOWN, NUMBER, TOTALS, WAIT, width_of
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
    states: Any  # torch's arrays, as `make` makes them: of the games
    games: Any
    counts: Any
    ends: Any
    keys: Any
    targets: Any
    learns: Any
    inputs: Any  # of the rows
    kinds: Any
    raw: Any

    def __init__(self, settings: Settings, folder: Folder, start: Any) -> None:
        self.is_made = False
        self.counted = np.zeros(COUNTS, np.int64)  # at the last point of the curve
        self.erred = 0.0
        super().__init__(settings, folder, start)
        self.like, number = self.native, settings.parallel
        self.bias, words = count_inputs(start), np.array(flat(self.native), np.int64)
        self.width, answers = width_of(self.bias), len(self.net.answers)
        self.student = BatchNet(self.net.layers, settings, self.device, self.width)
        self.arrays: dict[str, Any] = {}
        longest = LONGEST + 1 if getattr(type(start), "repetition", 0) else 1
        self.make("asked", (len(self.plan),), torch.float64).copy_(torch.from_numpy(self.plan))
        # the last state is where games begin
        self.make("states", (number + 1, len(words))).copy_(torch.from_numpy(words))
        self.make("now", (number, len(words)))
        self.make("games", (number, COLUMNS))[:, WAIT] = torch.arange(number) % DELAYS
        self.make("counts", (number,))
        self.make("ends", (number,))
        self.make("actions", (number, max_actions(type(start)) + 1))
        self.make("keys", (number, longest))
        self.make("found", (number, answers), torch.float32)
        self.make("targets", (number, answers), torch.float32)
        self.make("learns", (number,), torch.float32)
        self.make("room", (self.bias + 1,))
        self.rows = 0
        self.make_rows(max(max_actions(type(start)), ROWS * number))
        with self.watched():
            self.launch("begin", number, "games", "asked")
            self.games[:, WAIT] += 1
            self.play_step()  # everybody waits: the kernels are compiled
        self.is_made = True

    # --- arrays ---

    def make(self, name: str, shape: tuple[int, ...], kind: torch.dtype = torch.int64) -> Any:
        """A new array of zeros, for torch and for our kernels."""
        made = torch.zeros(shape, dtype=kind, device=self.device)
        setattr(self, name, made)
        self.arrays[name] = self.native_array(made)
        return made

    def native_array(self, tensor: Any) -> Any:
        """The same memory, as our kernels take it."""
        return tensor.numpy()

    def make_rows(self, rows: int) -> None:
        """Room for so many new afterstates in a step."""
        self.rows = rows
        rows += self.settings.parallel
        self.make("inputs", (rows, self.width), torch.int16)
        self.make("kinds", (rows,), torch.int8)
        self.make("viewers", (rows,), torch.int8)
        self.make("values", (rows,), torch.float64)
        self.make("raw", (rows, len(self.net.answers)), torch.float32)

    # --- a step ---

    def launch(self, name: str, threads: int, *arguments: Any) -> None:
        """Run a kernel, with arrays by name."""
        found = [self.arrays[part] if isinstance(part, str) else part for part in arguments]
        getattr(lockstep, name)(*found)

    def step(self) -> None:
        """A decision in every game, and what is learned from it."""
        self.play_step()
        alpha, number = self.alpha(), self.settings.parallel
        parts = (self.inputs[:number], self.targets, self.learns)
        shares = (part.tensor_split(self.settings.updates) for part in parts)
        for inputs, targets, learns in zip(*shares, strict=True):
            self.student.learn(inputs, targets, learns, alpha)

    def play_step(self) -> None:
        """A decision in every game."""
        number = self.settings.parallel
        common = ("states", "now", "games", "counts")
        self.launch("deal", number, self.like, *common, "actions", "keys", "asked")
        torch.cumsum(self.counts, 0, out=self.ends)
        self.inputs.zero_()
        self.write_rows((self.like, *common, "ends", "actions", "keys"),
                        (self.bias, "inputs", "kinds", "viewers", "values"))  # fmt: skip
        self.student.answer(self.inputs, self.raw)
        scale = float(self.net.layers.scale[0])
        self.launch("rate", len(self.kinds), "kinds", "viewers", "values", "raw", scale)
        self.launch(
            "settle", number, self.like, *common, "ends", "actions", "kinds", "viewers", "values", "raw", "found",
            "targets", "learns", scale, "asked",
        )  # fmt: skip

    def write_rows(self, before: tuple[Any, ...], after: tuple[Any, ...]) -> None:
        self.launch("write", len(self.kinds), *before, "room", *after)

    def alpha(self) -> Any:
        """The learning rate of a step, by the games that are over."""
        asked = self.settings
        share = (self.games[:, TOTALS + FINISHED].sum() / max(asked.games - 1, 1)).clamp(max=1.0)
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
        for _ in range(BURST):
            self.step()

    def play(self) -> None:
        first, begin = self.game, clock.perf_counter()
        self.games_until(self.settings.mark(first))
        self.look()
        spent = clock.perf_counter() - begin
        self.seconds += spent
        self.rate = (self.game - first) / max(spent, 1e-9)

    def look(self) -> None:
        """See what was counted and learned, and whether there is room for all rows."""
        games = self.games
        if bool(games[:, BUSY].any()):
            self.broken()
        totals = games[:, TOTALS:].sum(0).cpu().numpy()
        self.mind.counts[:] = totals - self.counted
        self.mind.error[0] = self.student.error.item() - self.erred
        self.student.write(self.net.layers)
        rows = int(self.ends[-1].item())
        fitting = max(int(MORE * rows), max_actions(type(self.start)))
        if rows > self.rows or 1.5 * fitting < self.rows:
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

    def line(self) -> dict[str, Any]:
        told = super().line()
        self.counted = self.games[:, TOTALS:].sum(0).cpu().numpy()
        self.erred = self.student.error.item()
        return told

    # --- checkpoints ---

    def kept(self) -> dict[str, np.ndarray]:
        student = {name: part.cpu().numpy() for name, part in self.student.kept().items()}
        return super().kept() | student | {
            "states": self.states.cpu().numpy(),
            "games": self.games.cpu().numpy(),
            "keys": self.keys.cpu().numpy(),
            "counted": self.counted,
            "room": np.array([self.rows, self.erred]),
        }  # fmt: skip

    def restore(self, state: dict[str, np.ndarray]) -> None:
        super().restore(state)
        parts = self.student.kept() | {"states": self.states, "games": self.games, "keys": self.keys}
        for name, part in parts.items():
            part.copy_(torch.from_numpy(wanted(state[name], part.cpu().numpy())))
        self.counted[:] = wanted(state["counted"], self.counted)
        rows, self.erred = wanted(state["room"], np.zeros(2)).tolist()
        number = self.games[:, NUMBER]
        if not (0 < rows <= 1 << 31 and self.games[:, KNOWN].max() <= 1 and number.min() >= 0):
            raise ValueError("its games are damaged")
        self.make_rows(int(rows))
        self.student.set(self.net.layers)
