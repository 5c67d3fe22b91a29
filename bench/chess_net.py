"""How chess's net is learnt: `python -m bench.chess_net POSITIONS.npz... OUT.bin`.

`bench.chess_positions` makes the positions. What the named terms of the evaluation say of each is not touched; the net
is fitted to what they leave unexplained of the scores. Terms and net together are a chance to win, four pawns being
ten to one, and the loss is the mean square of its difference to the chance by the score. The slopes come from
backpropagation, the steps from Adam (Kingma, Ba 2015), on minibatches; the rate falls evenly to 0. Each thread finds
the slopes of its share of a minibatch.

The last twentieth of each file, which are games of their own, is held out. The loss there is told before and after,
also in balanced positions, and for the integers of OUT.bin, whose form is that of outplay/games/chess/net.py. A net
that has learnt its positions by heart, and so is worse than none there, is not written. Ctrl-C ends it with the net
so far.
"""

import argparse
import math
import os
import sys
import time
import zipfile
from collections.abc import Iterator
from concurrent.futures import Executor, ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from bench.chess_positions import FOUR_PAWNS, positive
from outplay.compile import kernel, twin
from outplay.compile.jit import ENABLED
from outplay.compile.program import NATIVE
from outplay.game import Block
from outplay.games.chess import Chess
from outplay.games.chess.evaluation import WHOLE
from outplay.games.chess.net import BUCKETS, FEATURES, UNITS
from outplay.nnue import MOST, OFFSET, ONE, POINT, bucket
from outplay.weights import Weights

OWN_KINGS = slice(4 * 64, 5 * 64)  # features
LN10 = math.log(10)
ZERO, UNIT = np.float32(0), np.float32(1)  # a unit's bounds
HELD_OUT = 20  # one in so many
BATCH = 16384
WARM_UP = 300  # steps until the rate is whole
MEAN, SQUARE, TINY = 0.9, 0.999, 1e-8  # Adam's
LARGEST_ROW = (OFFSET - 1) / ONE  # so that its integers are in bounds
LARGEST_WEIGHT = (2**15 - 1) / (FOUR_PAWNS * POINT)
BUCKET = np.array([bucket(pieces, BUCKETS) for pieces in range(MOST + 1)])

load_state, pointer = (NATIVE[name][ENABLED] for name in ("load_state", "pointer"))


class Data(NamedTuple):
    """Positions as the training sees them; values are for the mover, in units of four pawns."""

    rows: np.ndarray  # (n, 2, 32) int16: which rows of the net the pieces choose, in both views
    pieces: np.ndarray  # (n,) int64: how many there are
    bucket: np.ndarray  # (n,) int64: which weights count
    terms: np.ndarray  # (n,) float32: what the named terms say
    share: np.ndarray  # (n,) float32: how much of the net counts, less than 1 in drawish endings
    wanted: np.ndarray  # (n,) float32: the chance to win, by the score

    def part(self, chosen: Any) -> "Data":
        """Some of them, by a slice or a mask."""
        return Data(*(array[chosen] for array in self))


class Net(NamedTuple):
    """The numbers that are learnt, all float32; also their slopes. A unit's 1 is 1, a value's four pawns."""

    rows: np.ndarray  # (FEATURES, UNITS), as in net.bin
    start: np.ndarray  # (UNITS,): what the units are before rows are added
    weights: np.ndarray  # (BUCKETS, 2, UNITS): of the mover's and the other side's units
    bias: np.ndarray  # (BUCKETS,)

    def zeros(self) -> "Net":
        """Room for as many."""
        return Net(*map(np.zeros_like, self))


# --- positions --------------------------------------------------------------------------------------------


def read(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The words (n, 7) and scores (n,) of a file of `bench.chess_positions`; a ValueError if it is none."""
    try:
        with np.load(path) as file:
            words, scores = file["words"], file["scores"]
    except (KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile):
        raise ValueError(f"{path} is no file of positions, as bench.chess_positions writes them") from None
    if words.dtype != np.int64 or words.shape != (len(scores), 7) or scores.shape != (len(words),):
        raise ValueError(f"{path}: seven words and a score for each position are wanted")
    own, opp, kings = words[:, 0], words[:, 1], words[:, 6]
    fine = (count(own & kings) == 1) & (count(opp & kings) == 1) & (count(own | opp) <= MOST)
    if not fine.all():
        raise ValueError(f"{path}: row {np.argmin(fine)} is no position of chess")
    if len(words) < HELD_OUT:
        raise ValueError(f"{path} holds {len(words)} positions: {HELD_OUT} at least are wanted")
    return words, scores


def count(words: np.ndarray) -> np.ndarray:
    """How many bits each word has."""
    return np.bitwise_count(words.view(np.uint64))


def prepared(words: np.ndarray, scores: np.ndarray) -> Data:
    """All that the training needs to know of positions."""
    n = len(words)
    states = np.zeros((n, len(Chess._fields)), np.int64)  # nobody castles, White is to move
    states[:, : words.shape[1]] = words
    rows, pieces = np.zeros((n, 2, MOST), np.int16), np.zeros(n, np.int64)
    choose(states.ravel(), twin(Chess).state(Chess()), rows, pieces)
    terms = evaluated(states, Chess.weights) / FOUR_PAWNS
    bare = (count(words[:, 0]) == 1) | (count(words[:, 1]) == 1)  # the evaluation does not ask the net then
    share = np.where(bare, 0, evaluated(states, whole()) / WHOLE)
    chance = 1 / (1 + 10 ** (-scores / FOUR_PAWNS))
    return Data(rows, pieces, BUCKET[pieces], *(array.astype(np.float32) for array in (terms, share, chance)))


@kernel
def choose(states: Any, like: Any, rows: Any, pieces: Any) -> None:
    """Write which rows the pieces choose: the features that a search sees."""
    at = pointer(states)
    for i in range(len(pieces)):
        state, n = load_state(at, i * len(like), like), 0
        for square in range(64):
            if state.net_cells() >> square & 1:
                views = state.net_feature(square)
                rows[i, 0, n], rows[i, 1, n] = views & 0xFFFF, views >> 16
                n += 1
        pieces[i] = n


def evaluated(states: np.ndarray, weights: Weights) -> np.ndarray:
    """The compiled evaluation of all positions with these weights, and with a net that says nothing."""
    block, found = Block(Chess, weights), np.zeros(len(states), np.int64)
    evaluate_all(states.ravel(), twin(Chess).state(Chess()), block.address, found)
    return found


@kernel
def evaluate_all(states: Any, like: Any, weights: int, found: Any) -> None:
    at = pointer(states)
    for i in range(len(found)):
        found[i] = load_state(at, i * len(like), like).informed(weights, 0)


def whole() -> Weights:
    """Weights with which a position is worth its scale: WHOLE, or less where a lead wins nothing."""
    none = Chess.weights.with_flat([0] * len(Chess.weights))
    return none.replace(tempo=(WHOLE, WHOLE))


# --- the net ----------------------------------------------------------------------------------------------


@kernel
def see(chosen: Any, pieces: int, rows: Any, start: Any, units: Any) -> None:
    """Write one side's units: the rows that its pieces choose, added to what the units are before."""
    for j in range(UNITS):
        units[j] = start[j]
    for k in range(pieces):
        row = rows[chosen[k]]
        for j in range(UNITS):
            units[j] += row[j]


@kernel
def weigh(units: Any, weights: Any) -> Any:
    """What one side's units count."""
    value = ZERO
    for j in range(UNITS):
        unit = min(max(units[j], ZERO), UNIT)
        value += weights[j] * unit * unit
    return value


@kernel
def predict(data: Any, net: Any, found: Any) -> None:
    """Write the value of every position: the terms, and what the net adds."""
    chosen, pieces, bucket, terms, share, _ = data
    rows, start, weights, bias = net
    units = np.zeros(UNITS, np.float32)
    for i in range(len(found)):
        value = bias[bucket[i]]
        for side in range(2):
            see(chosen[i, side], pieces[i], rows, start, units)
            value += weigh(units, weights[bucket[i], side])
        found[i] = terms[i] + share[i] * value


@kernel
def slopes(data: Any, net: Any, found: Any) -> None:
    """Add the slopes of the squared errors, by each number of the net, to those in `found`.

    A chance p = 1 / (1 + 10^-v) has the slope ln 10 p (1 - p). From there the chain rule goes back through the net:
    a unit x between 0 and 1 counts w x^2, so that the slope is x^2 by w and 2 w x by x, and by every number that was
    added to x. Outside of these bounds x has no effect.
    """
    chosen, pieces, bucket, terms, share, wanted = data
    rows, start, weights, bias = net
    by_rows, by_start, by_weights, by_bias = found
    units = np.zeros((2, UNITS), np.float32)
    for i in range(len(pieces)):
        value = bias[bucket[i]]
        for side in range(2):
            see(chosen[i, side], pieces[i], rows, start, units[side])
            value += weigh(units[side], weights[bucket[i], side])
        p = 1 / (1 + math.exp(-LN10 * (terms[i] + share[i] * value)))
        slope = np.float32(2 * (p - wanted[i]) * LN10 * p * (1 - p) * share[i])
        by_bias[bucket[i]] += slope
        for side in range(2):
            by_unit = units[side]  # the unit itself, until its slope takes its place
            weight, by_weight = weights[bucket[i], side], by_weights[bucket[i], side]
            for j in range(UNITS):
                unit = min(max(by_unit[j], ZERO), UNIT)
                by_weight[j] += slope * unit * unit
                by_unit[j] = (slope + slope) * weight[j] * (unit if unit < UNIT else ZERO)
                by_start[j] += by_unit[j]
            for k in range(pieces[i]):
                row = by_rows[chosen[i, side, k]]
                for j in range(UNITS):
                    row[j] += by_unit[j]


def values(data: Data, net: Net) -> np.ndarray:
    found = np.zeros(len(data.pieces), np.float32)
    predict(data, net, found)
    return found


def loss(data: Data, found: np.ndarray) -> float:
    """The mean square of the difference between the chances to win by these values and by the scores."""
    return float(np.mean((1 / (1 + np.exp(-LN10 * found)) - data.wanted) ** 2))


# --- training ---------------------------------------------------------------------------------------------


def train(data: Data, net: Net, steps: int, rate: float, threads: int = 1, seed: int = 1) -> int:
    """Teach the net positions, which are in random order; how many steps were taken until Ctrl-C, if not all."""
    mean, square = net.zeros(), net.zeros()
    batch, step = min(BATCH, len(data.pieces)), 0
    starts = batches(len(data.pieces), batch, np.random.default_rng(seed))
    slopes(data.part(slice(0)), net, net.zeros())  # compiled before the clock runs
    with ThreadPoolExecutor(threads) as pool:
        try:
            for step, at in zip(counted(steps), starts, strict=False):
                found = slopes_of(data.part(slice(at, at + batch)), net, threads, pool)
                now = rate * min(1, step / WARM_UP) * (1 - step / (steps + 1))
                adam(net, found, mean, square, batch, step, now)
        except KeyboardInterrupt:
            pass
    return step


def beginning(dice: np.random.Generator) -> Net:
    """Small random numbers; most units somewhere between 0 and 1."""
    rows, weights = dice.normal(0, 0.05, (FEATURES, UNITS)), dice.normal(0, 0.03, (BUCKETS, 2, UNITS))
    return Net(*(x.astype(np.float32) for x in (rows, np.full(UNITS, 0.2), weights, np.zeros(BUCKETS))))


def batches(n: int, batch: int, dice: np.random.Generator) -> Iterator[int]:
    """Where minibatches begin: each once in random order, again and again."""
    while True:
        yield from (batch * dice.permutation(n // batch)).tolist()


def slopes_of(data: Data, net: Net, threads: int, pool: Executor) -> Net:
    """The slopes of the squared errors of a minibatch, each thread's of a share of it."""

    def find(ends: tuple[int, int]) -> Net:
        found = net.zeros()
        slopes(data.part(slice(*ends)), net, found)
        return found

    first, *others = pool.map(find, pairwise(np.linspace(0, len(data.pieces), threads + 1).astype(int)))
    for other in others:
        for total, share in zip(first, other, strict=True):
            total += share
    return first


def adam(net: Net, found: Net, mean: Net, square: Net, batch: int, step: int, rate: float) -> None:
    """One step against the slopes, each number's by its own usual size; all stay in the bounds of integers."""
    for x, slope, m, s in zip(net, found, mean, square, strict=True):
        slope /= batch
        m += (1 - MEAN) * (slope - m)
        s += (1 - SQUARE) * (slope * slope - s)
        x -= rate * (m / (1 - MEAN**step)) / (np.sqrt(s / (1 - SQUARE**step)) + TINY)
    np.clip(net.rows, -LARGEST_ROW, LARGEST_ROW, out=net.rows)
    np.clip(net.weights, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=net.weights)


def counted(steps: int) -> Iterator[int]:
    """The numbers of the steps, from 1 on; told on stderr."""
    begin = time.monotonic()
    try:
        for step in range(1, steps + 1):
            yield step
            spent = time.monotonic() - begin
            print(f"\r{step:,} of {steps:,} steps in {spent:.0f} s", end="", file=sys.stderr, flush=True)
    finally:
        print(file=sys.stderr)


# --- integers ---------------------------------------------------------------------------------------------


def integers(net: Net) -> np.ndarray:
    """The numbers of net.bin. There is one own king in each view: his rows hold what the units begin with."""
    rows = net.rows.copy()
    rows[OWN_KINGS] += net.start
    rows = np.clip(np.rint(rows * ONE), 1 - OFFSET, OFFSET - 1)
    weights, bias = np.rint(net.weights * FOUR_PAWNS * POINT), np.rint(net.bias * FOUR_PAWNS)
    return np.concatenate([rows.ravel(), weights.ravel(), bias]).astype("<i2")


def restored(numbers: np.ndarray) -> Net:
    """The net that numbers of net.bin stand for."""
    ends = (FEATURES * UNITS, (FEATURES + 2 * BUCKETS) * UNITS)
    rows, weights, bias = np.split(numbers.astype(np.float32), ends)
    return Net(
        rows.reshape(FEATURES, UNITS) / ONE,
        np.zeros(UNITS, np.float32),
        weights.reshape(BUCKETS, 2, UNITS) / (FOUR_PAWNS * POINT),
        bias / FOUR_PAWNS,
    )


def begun(path: Path) -> Net:
    """The net of a file like net.bin; a ValueError if it is none."""
    numbers = np.fromfile(path, "<i2")
    if len(numbers) != (FEATURES + 2 * BUCKETS) * UNITS + BUCKETS:
        raise ValueError(f"{path} is no net of {UNITS} units and {BUCKETS} buckets")
    return restored(numbers)


# --- the command ------------------------------------------------------------------------------------------


def split(files: list[tuple[np.ndarray, np.ndarray]], seed: int = 1) -> tuple[Data, Data]:
    """The positions to learn from, in random order, and those held out."""
    learnt, held = [], []
    for words, scores in files:
        end = len(scores) - len(scores) // HELD_OUT
        learnt.append((words[:end], scores[:end]))
        held.append((words[end:], scores[end:]))
    words, scores = map(np.concatenate, zip(*learnt, strict=True))
    order = np.random.default_rng(seed).permutation(len(scores))
    return prepared(words[order], scores[order]), prepared(*map(np.concatenate, zip(*held, strict=True)))


def report(held: Data, net: Net, rounded: Net) -> Iterator[str]:
    """The losses in positions held out."""
    odds = np.log10(held.wanted / (1 - held.wanted))
    balanced = (np.abs(odds) < 0.5) & (held.pieces >= MOST // 2)
    yield f"{'loss held out':16}{'all':>10}{'balanced':>10}"
    lines = ("terms alone", held.terms), ("with the net", values(held, net))
    for name, found in (*lines, ("in integers", values(held, rounded))):
        yield f"{name:16}{loss(held, found):10.6f}{loss(held.part(balanced), found[balanced]):10.6f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_net")
    parser.add_argument("positions", type=Path, nargs="+", help="files of bench.chess_positions")
    parser.add_argument("out", type=Path, help="the net: src/outplay/games/chess/net.bin")
    parser.add_argument("--steps", type=positive, default=20_000, help=f"each of {BATCH:,} positions")
    parser.add_argument("--rate", type=float, default=3e-3, help="of Adam, at most")
    parser.add_argument("--threads", type=positive, default=os.cpu_count() or 1)
    parser.add_argument("--from", type=Path, dest="start", metavar="NET.bin", help="go on from this net")
    options = parser.parse_args()
    if not options.out.parent.is_dir():
        raise SystemExit(f"there is no folder {options.out.parent}")
    try:
        net = begun(options.start) if options.start else beginning(np.random.default_rng(1))
        files = [read(path) for path in options.positions]
    except (OSError, ValueError) as error:
        raise SystemExit(str(error)) from None
    learnt, held = split(files)
    print(f"{len(learnt.pieces):,} positions to learn from, {len(held.pieces):,} held out", flush=True)
    steps = train(learnt, net, options.steps, options.rate, options.threads)
    passes = steps * min(BATCH, len(learnt.pieces)) / len(learnt.pieces)
    print(f"{steps:,} steps, each position about {passes:.1f} times")
    numbers = integers(net)
    rounded = restored(numbers)
    print(*report(held, net, rounded), sep="\n", flush=True)
    if loss(held, values(held, rounded)) >= loss(held, held.terms):
        raise SystemExit("worse than no net, so none is written: more positions are needed, or fewer steps")
    numbers.tofile(options.out)


if __name__ == "__main__":
    main()
