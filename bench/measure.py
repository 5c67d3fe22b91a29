"""How the benchmarks measure, and what they report.

No machine is quiet, so a speed alone says little. Ours and the peer's are measured in short turns, one after
the other, and what counts is the median of the ratios of neighbouring turns. Both run in one thread, and the
clock is the processor's time, which stands still while other programs have the processor.
"""

import asyncio
import statistics
from collections.abc import Callable, Coroutine
from concurrent.futures import ThreadPoolExecutor
from enum import Enum
from time import process_time
from typing import Any, NamedTuple, TypeVar

Speed = Callable[[], float]  # does some work; units a second
T = TypeVar("T")


def awaited(work: Coroutine[Any, Any, T]) -> T:
    """What a coroutine gives, in an event loop of its own: one may run in this thread (a browser's driver has one)."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()


class Size(Enum):
    """How much a benchmark does."""

    FULL = 0
    QUICK = 1  # fewer turns and positions
    SMOKE = 2  # as little as there is: does it run?

    def pick(self, full: T, quick: T, smoke: T) -> T:
        return (full, quick, smoke)[self.value]


class Row(NamedTuple):
    """One line of the report: a figure and the bound that it has to keep."""

    work: str
    peer: str  # who does the same work
    ours: str = ""  # our speed
    theirs: str = ""
    figure: float | None = None  # None: left out, `note` says why
    unit: str = "x"
    bound: float | None = None  # None: for information
    at_most: bool = False  # the bound is a ceiling, not a floor
    note: str = ""

    @property
    def ok(self) -> bool | None:
        """Whether the bound is kept; None where there is nothing to say."""
        if self.figure is None or self.bound is None:
            return None
        return self.figure <= self.bound if self.at_most else self.figure >= self.bound


class Turns(NamedTuple):
    """What came of measuring in turns: medians, units a second."""

    ours: float
    peer: float
    ratio: float


def left_out(work: str, peer: str, why: object) -> Row:
    """The peer is not there; the first line of `why` says what is missing."""
    named = f"{work}, {peer}" if peer else work
    return Row(work, peer, note=f"{named}: left out, {str(why).splitlines()[0]}")


def in_turns(ours: Speed, peer: Speed, turns: int) -> Turns:
    """Measure both in turns, each leading as often as the other, after one turn that is not counted."""
    ours(), peer()
    pairs: list[tuple[float, float]] = []
    for turn in range(turns):
        if turn % 2:
            pairs.append((ours(), peer()))
        else:
            second, first = peer(), ours()
            pairs.append((first, second))
    median = statistics.median
    mine, theirs = zip(*pairs, strict=True)
    return Turns(median(mine), median(theirs), median(m / t for m, t in pairs))


def speed_of(work: Callable[[], int], seconds: float) -> float:
    """Units a second of work that is repeated for some time; `work` returns how many units it did."""
    began = process_time()
    done = 0
    while (took := process_time() - began) < seconds or not done:
        done += work()
    return done / took


def ratio_row(work: str, peer: str, unit: str, turns: Turns, floor: float | None) -> Row:
    """Our speed as a multiple of the peer's."""
    ours, theirs = f"{short(turns.ours)} {unit}", f"{short(turns.peer)} {unit}"
    return Row(work, peer, ours, theirs, turns.ratio, "x", floor)


def short(number: float) -> str:
    """1234567 as `1.23 M`."""
    for size, letter in ((1e9, "G"), (1e6, "M"), (1e3, "k")):
        if number >= size:
            return f"{number / size:.3g} {letter}"
    return f"{number:.3g}"
