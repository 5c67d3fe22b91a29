"""How chess's net is learnt: `python -m bench.chess_net POSITIONS.npz... OUT.bin --seconds 75`.

`bench.chess_positions` makes the positions. What the named terms of the evaluation say of each is not touched; the net
is fitted to what they leave unexplained of the scores. Terms and net together are a chance to win, four pawns being
ten to one, and the loss is the mean square of its difference to the chance by the score. The slopes come from
backpropagation, the steps from Adam (Kingma, Ba 2015), on minibatches; the rate falls evenly to 0.

The last twentieth of each file, which are games of their own, is held out. The loss there is told before and after,
also in balanced positions, and for the integers of OUT.bin, whose form is that of outplay/games/chess/net.py. A net
that has learnt its positions by heart, and so is worse than none there, is not written. Ctrl-C ends it with the net
so far.
"""

import argparse
import math
import sys
import time
import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel, twin
from outplay.compile.jit import ENABLED
from outplay.compile.program import NATIVE
from outplay.game import Block
from outplay.games.chess import Chess
from outplay.games.chess.evaluation import WHOLE
from outplay.games.chess.net import OFFSET, ONE, POINT, UNITS
from outplay.weights import Weights

ROWS = 12 * 64
MEN = 32  # the most there can be
FOUR_PAWNS = 400
LN10 = math.log(10)
ZERO, UNIT = np.float32(0), np.float32(1)  # a unit's bounds
HELD_OUT = 20  # one in so many
BATCH = 8192
WARM_UP = 200  # steps until the rate is whole
MEAN, SQUARE, TINY = 0.9, 0.999, 1e-8  # Adam's
LARGEST_ROW = (OFFSET - 1) / ONE  # so that its integers are in bounds
LARGEST_WEIGHT = (2**15 - 1) / (FOUR_PAWNS * POINT)

load_state, pointer = (NATIVE[name][ENABLED] for name in ("load_state", "pointer"))


class Data(NamedTuple):
    """Positions as the training sees them; values are for the mover, in units of four pawns."""

    rows: np.ndarray  # (n, 2, 32) int16: which rows of the net the men choose, for both sides
    men: np.ndarray  # (n,) int64: how many there are
    terms: np.ndarray  # (n,) float32: what the named terms say
    share: np.ndarray  # (n,) float32: how much of the net counts, less than 1 in drawish endings
    wanted: np.ndarray  # (n,) float32: the chance to win, by the score

    def part(self, chosen: Any) -> "Data":
        """Some of them, by a slice or a mask."""
        return Data(*(array[chosen] for array in self))


class Net(NamedTuple):
    """The numbers that are learnt, all float32; also their slopes. A unit's 1 is 1, a value's four pawns."""

    rows: np.ndarray  # (768, UNITS), as in net.bin
    start: np.ndarray  # (UNITS,): what the units are before rows are added
    weights: np.ndarray  # (2, UNITS): of the mover's and the other side's units
    bias: np.ndarray  # (1,)

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
    fine = (count(own & kings) == 1) & (count(opp & kings) == 1) & (count(own | opp) <= MEN)
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
    rows, men = np.zeros((n, 2, MEN), np.int16), np.zeros(n, np.int64)
    choose(words, rows, men)
    terms = evaluated(words, Chess.weights.replace(net=0)) / FOUR_PAWNS
    share = evaluated(words, whole()) / WHOLE
    chance = 1 / (1 + 10 ** (-scores / FOUR_PAWNS))
    return Data(rows, men, *(array.astype(np.float32) for array in (terms, share, chance)))


@kernel
def choose(words: Any, rows: Any, men: Any) -> None:
    """Write which rows the men choose, as net.py tells: kind and square, each side's king on files a to d."""
    for i in range(len(words)):
        own, opp, _, knights, diagonal, straight, kings = words[i]
        mirror = other_mirror = n = 0
        for square in range(64):
            if kings >> square & square >> 2 & 1:
                if own >> square & 1:
                    mirror = 7
                else:
                    other_mirror = 7
        for square in range(64):
            if (own | opp) >> square & 1:
                kind = (knights >> square & 1) + 2 * (diagonal >> square & 1)
                kind += 3 * (straight >> square & 1) + 4 * (kings >> square & 1)
                side = 6 * (own >> square & 1)
                rows[i, 0, n] = (kind + 6 - side) * 64 + (square ^ mirror)
                rows[i, 1, n] = (kind + side) * 64 + (square ^ 56 ^ other_mirror)
                n += 1
        men[i] = n


def evaluated(words: np.ndarray, weights: Weights) -> np.ndarray:
    """The compiled evaluation of all positions with these weights."""
    like, block = twin(Chess).state(Chess()), Block(Chess, weights)
    states = np.zeros((len(words), len(Chess._fields)), np.int64)  # nobody castles, White is to move
    states[:, : words.shape[1]] = words
    found = np.zeros(len(words), np.int64)
    evaluate_all(states.ravel(), like, block.address, found)
    return found


@kernel
def evaluate_all(states: Any, like: Any, weights: int, found: Any) -> None:
    at = pointer(states)
    for i in range(len(found)):
        found[i] = load_state(at, i * len(like), like).weighed(weights)


def whole() -> Weights:
    """Weights with which a position is worth its scale: WHOLE, or less where a lead wins nothing."""
    none = Chess.weights.with_flat([0] * len(Chess.weights))
    return none.replace(tempo=(WHOLE, WHOLE))


# --- the net ----------------------------------------------------------------------------------------------


@kernel
def see(chosen: Any, men: int, rows: Any, start: Any, units: Any) -> None:
    """Write one side's units: the rows that its men choose, added to what the units are before."""
    units[:] = start
    for k in range(men):
        row = rows[chosen[k]]
        for j in range(len(units)):
            units[j] += row[j]


@kernel
def weigh(units: Any, weights: Any) -> Any:
    """What one side's units count."""
    value = ZERO
    for j in range(len(units)):
        unit = min(max(units[j], ZERO), UNIT)
        value += weights[j] * unit * unit
    return value


@kernel
def predict(data: Any, net: Any, found: Any) -> None:
    """Write the value of every position: the terms, and what the net adds."""
    chosen, men, terms, share, _ = data
    rows, start, weights, bias = net
    units = np.zeros(UNITS, np.float32)
    for i in range(len(found)):
        value = bias[0]
        for side in range(2):
            see(chosen[i, side], men[i], rows, start, units)
            value += weigh(units, weights[side])
        found[i] = terms[i] + share[i] * value


@kernel
def slopes(data: Any, net: Any, found: Any) -> None:
    """Add the slopes of the squared errors, by each number of the net, to those in `found`.

    A chance p = 1 / (1 + 10^-v) has the slope ln 10 p (1 - p). From there the chain rule goes back through the net:
    a unit x between 0 and 1 counts w x^2, so that the slope is x^2 by w and 2 w x by x, and by every number that was
    added to x. Outside of these bounds x has no effect.
    """
    chosen, men, terms, share, wanted = data
    rows, start, weights, bias = net
    by_rows, by_start, by_weights, by_bias = found
    units = np.zeros((2, UNITS), np.float32)
    for i in range(len(men)):
        value = bias[0]
        for side in range(2):
            see(chosen[i, side], men[i], rows, start, units[side])
            value += weigh(units[side], weights[side])
        p = 1 / (1 + math.exp(-LN10 * (terms[i] + share[i] * value)))
        slope = np.float32(2 * (p - wanted[i]) * LN10 * p * (1 - p) * share[i])
        by_bias[0] += slope
        for side in range(2):
            by_unit = units[side]  # the unit itself, until its slope takes its place
            for j in range(len(by_unit)):
                unit = min(max(by_unit[j], ZERO), UNIT)
                by_weights[side, j] += slope * unit * unit
                by_unit[j] = (slope + slope) * weights[side, j] * (unit if unit < UNIT else ZERO)
                by_start[j] += by_unit[j]
            for k in range(men[i]):
                row = by_rows[chosen[i, side, k]]
                for j in range(len(by_unit)):
                    row[j] += by_unit[j]


def values(data: Data, net: Net) -> np.ndarray:
    found = np.zeros(len(data.men), np.float32)
    predict(data, net, found)
    return found


def loss(data: Data, found: np.ndarray) -> float:
    """The mean square of the difference between the chances to win by these values and by the scores."""
    return float(np.mean((1 / (1 + np.exp(-LN10 * found)) - data.wanted) ** 2))


# --- training ---------------------------------------------------------------------------------------------


def train(data: Data, parts: Iterable[float], rate: float, seed: int = 1) -> tuple[Net, int]:
    """A net for positions in random order, and how many steps led to it; `parts`: how much is over before each."""
    dice = np.random.default_rng(seed)
    net = beginning(dice)
    mean, square = net.zeros(), net.zeros()
    batch, step = min(BATCH, len(data.men)), 0
    slopes(data.part(slice(0)), net, net.zeros())  # compiled before the clock runs
    try:
        for part, at in zip(parts, batches(len(data.men), batch, dice), strict=False):
            step += 1
            found, chosen = net.zeros(), data.part(slice(at, at + batch))
            slopes(chosen, net, found)
            adam(net, found, mean, square, batch, step, rate * (1 - part) * min(1, step / WARM_UP))
    except KeyboardInterrupt:
        pass
    return net, step


def beginning(dice: np.random.Generator) -> Net:
    """Small random numbers; most units somewhere between 0 and 1."""
    rows, weights = dice.normal(0, 0.1, (ROWS, UNITS)), dice.normal(0, 0.05, (2, UNITS))
    return Net(*(x.astype(np.float32) for x in (rows, np.full(UNITS, 0.3), weights, np.zeros(1))))


def batches(n: int, batch: int, dice: np.random.Generator) -> Iterator[int]:
    """Where minibatches begin: each once in random order, again and again."""
    while True:
        yield from (batch * dice.permutation(n // batch)).tolist()


def adam(net: Net, found: Net, mean: Net, square: Net, batch: int, step: int, rate: float) -> None:
    """One step against the slopes, each number's by its own usual size; all stay in the bounds of integers."""
    for x, slope, m, s in zip(net, found, mean, square, strict=True):
        slope /= batch
        m += (1 - MEAN) * (slope - m)
        s += (1 - SQUARE) * (slope * slope - s)
        x -= rate * (m / (1 - MEAN**step)) / (np.sqrt(s / (1 - SQUARE**step)) + TINY)
    np.clip(net.rows, -LARGEST_ROW, LARGEST_ROW, out=net.rows)
    np.clip(net.weights, -LARGEST_WEIGHT, LARGEST_WEIGHT, out=net.weights)


def elapsed(seconds: float) -> Iterator[float]:
    """How much of the time is over, from 0 to 1; told on stderr."""
    begin = time.monotonic()
    while (spent := time.monotonic() - begin) < seconds:
        print(f"\r{spent:.0f} of {seconds:.0f} s", end="", file=sys.stderr, flush=True)
        yield spent / seconds
    print(file=sys.stderr)


# --- integers ---------------------------------------------------------------------------------------------


def integers(net: Net) -> np.ndarray:
    """The numbers of net.bin. There is one own king on each side's board: his rows hold what the units begin with."""
    rows = net.rows.reshape(2, 6, 64, UNITS).copy()
    rows[0, 4] += net.start
    rows = np.clip(np.rint(rows * ONE), 1 - OFFSET, OFFSET - 1)
    weights, bias = np.rint(net.weights * FOUR_PAWNS * POINT), np.rint(net.bias * FOUR_PAWNS)
    return np.concatenate([rows.ravel(), weights.ravel(), bias]).astype("<i2")


def restored(numbers: np.ndarray) -> Net:
    """The net that numbers of net.bin stand for."""
    rows, weights, bias = np.split(numbers.astype(np.float32), (ROWS * UNITS, (ROWS + 2) * UNITS))
    return Net(
        rows.reshape(ROWS, UNITS) / ONE,
        np.zeros(UNITS, np.float32),
        weights.reshape(2, UNITS) / (FOUR_PAWNS * POINT),
        bias / FOUR_PAWNS,
    )


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
    balanced = (np.abs(odds) < 0.5) & (held.men >= MEN // 2)
    yield f"{'loss held out':16}{'all':>10}{'balanced':>10}"
    lines = ("terms alone", held.terms), ("with the net", values(held, net))
    for name, found in (*lines, ("in integers", values(held, rounded))):
        yield f"{name:16}{loss(held, found):10.6f}{loss(held.part(balanced), found[balanced]):10.6f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.chess_net")
    parser.add_argument("positions", type=Path, nargs="+", help="files of bench.chess_positions")
    parser.add_argument("out", type=Path, help="the net: src/outplay/games/chess/net.bin")
    parser.add_argument("--seconds", type=float, default=75)
    parser.add_argument("--rate", type=float, default=5e-3)
    options = parser.parse_args()
    if not options.out.parent.is_dir():
        raise SystemExit(f"there is no folder {options.out.parent}")
    try:
        files = [read(path) for path in options.positions]
    except (OSError, ValueError) as error:
        raise SystemExit(str(error)) from None
    learnt, held = split(files)
    print(f"{len(learnt.men):,} positions to learn from, {len(held.men):,} held out", flush=True)
    net, steps = train(learnt, elapsed(options.seconds), options.rate)
    print(f"{steps:,} steps, each position about {steps * BATCH / len(learnt.men):.1f} times")
    numbers = integers(net)
    rounded = restored(numbers)
    print(*report(held, net, rounded), sep="\n", flush=True)
    if loss(held, values(held, rounded)) >= loss(held, held.terms):
        raise SystemExit("worse than no net, so none is written: more positions are needed, or fewer seconds")
    numbers.tofile(options.out)


if __name__ == "__main__":
    main()
