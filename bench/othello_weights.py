"""How the weights of Othello's evaluation are learnt: `python -m bench.othello_weights FOLDER OUT`.

FOLDER holds games of the WTHOR base (*.wtb); OUT is `src/outplay/games/othello.json`. Every position of every game
is fitted to the score that the game came to, from 24 empty squares on, and before that to the score with best play
from there, which the base tells. The loss is the mean square; each weight is drawn to 0 as PULL positions with that
score would draw it. Patterns that mirror each other share a weight. The games of every tenth number are held out.
"""

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from outplay.compile import kernel, twin
from outplay.games.othello import DISC, PHASES, WEIGHTS, Othello
from outplay.learn.tune import descend

PULL = 30.0
STEPS = 60
U = np.uint64
BASE3 = np.array([sum(3**i for i in range(9) if word >> i & 1) for word in range(512)])
DENSE = ("moves", "replies", "turn", "parity")


class Positions(NamedTuple):
    """Positions and the final scores of the games they are from, both as the player to move sees them."""

    own: np.ndarray  # (n,) uint64
    opp: np.ndarray
    score: np.ndarray  # (n,) float64
    game: np.ndarray  # (n,) int64

    @property
    def discs(self) -> np.ndarray:
        return np.bitwise_count(self.own | self.opp).astype(np.int64)

    @property
    def phase(self) -> np.ndarray:
        return np.minimum(PHASES - 1, (self.discs - 4) // 15)

    def where(self, chosen: np.ndarray) -> "Positions":
        return Positions(*(array[chosen] for array in self))


def read(folder: Path) -> Positions:
    """All positions of all games."""
    games, depths = [], []
    for path in sorted(folder.glob("*.wtb")):
        raw = path.read_bytes()
        count = int.from_bytes(raw[4:8], "little")
        games.append(np.frombuffer(raw, np.uint8, 68 * count, 16).reshape(count, 68).astype(np.int64))
        depths += [raw[14]] * count  # empty squares from which best play is known
    if not games:
        raise SystemExit(f"{folder} holds no games (*.wtb)")
    every = np.concatenate(games)
    own, opp, turn, game = (np.zeros(60 * len(every), np.int64) for _ in range(4))
    start = twin(Othello).state(Othello())
    n = replay(start, every[:, 8:], np.zeros(Othello.PASS, np.int64), own, opp, turn, game)
    own, opp, turn, game = own[:n], opp[:n], turn[:n], game[:n]
    empty = 64 - np.bitwise_count((own | opp).view(U)).astype(np.int64)
    black = np.where(empty >= np.array(depths)[game], every[game, 7], every[game, 6])
    score = (2 * black - 64) * np.where(turn == 0, 1, -1)
    return Positions(own.view(U), opp.view(U), score.astype(np.float64), game)


@kernel
def replay(start: Any, games: Any, actions: Any, own: Any, opp: Any, turn: Any, game: Any) -> int:
    """Write the positions of all games; how many there are.

    A move is 10 row + file, and 0 after the last one; passes are left out.
    """
    n = 0
    for g in range(len(games)):
        s = start
        for i in range(60):
            if games[g, i] == 0:
                break
            if s.actions(actions, 0) == 1 and actions[0] == 64:
                s = s.result(64)
            s = s.result(8 * (games[g, i] // 10 - 1) + games[g, i] % 10 - 1)
            own[n], opp[n], turn[n], game[n] = s.own, s.opp, s.turn, g
            n += 1
    return n


# --- the terms of evaluate, for many positions at once ---------------------------------------------------


def patterns(own: np.ndarray, opp: np.ndarray) -> Iterator[tuple[str, int, np.ndarray]]:
    """A group's name, its number of squares and the pattern there, for every place on the board."""

    def found(read: Callable[[np.ndarray], np.ndarray]) -> Callable[[Any], np.ndarray]:
        return lambda boards: BASE3[read(boards[0])] + 2 * BASE3[read(boards[1])]

    plain = own, opp
    crossed = transposed(own), transposed(opp)
    turned = own.byteswap(), opp.byteswap()
    mirror = mirrored(own), mirrored(opp)
    for row in range(8):
        name = ("edge", "second", "third", "fourth")[min(row, 7 - row)]
        for boards in (plain, crossed):
            yield name, 8, found(lambda x, row=row: x >> U(8 * row) & U(255))(boards)
    for down in range(-3, 4):
        squares = U(sum(1 << 9 * file + 8 * down for file in range(8) if 0 <= file + down < 8))
        shift = U(56 + max(0, -down))
        for boards in (plain, turned):
            read = found(lambda x, s=squares, n=shift: (x & s) * U(0x0101010101010101) >> n)
            yield f"diagonal{8 - abs(down)}", 8 - abs(down), read(boards)
    for boards in (plain, turned, mirror, tuple(x.byteswap() for x in mirror)):
        yield "corner", 9, found(lambda x: x & U(7) | x >> U(5) & U(0o70) | x >> U(10) & U(0o700))(boards)


def terms(own: np.ndarray, opp: np.ndarray) -> np.ndarray:
    """The counts that DENSE names, (n, 4)."""
    empty = np.bitwise_count(~(own | opp)) & 1
    counts = (mobility(own, opp), -mobility(opp, own), np.ones(len(own)), empty)
    return np.stack(counts, axis=1).astype(np.float64)


def mobility(own: np.ndarray, opp: np.ndarray) -> np.ndarray:
    found = np.zeros_like(own)
    for step, mask in (
        (1, 0x7E7E7E7E7E7E7E7E),
        (8, 0x00FFFFFFFFFFFF00),
        (7, 0x007E7E7E7E7E7E00),
        (9, 0x007E7E7E7E7E7E00),
    ):
        through, s = opp & U(mask), U(step)
        up, down = through & own << s, through & own >> s
        for _ in range(5):
            up, down = up | through & up << s, down | through & down >> s
        found |= up << s | down >> s
    return np.bitwise_count(found & ~(own | opp)).astype(np.float64)


def transposed(x: np.ndarray) -> np.ndarray:
    for step, mask in ((7, 0x00AA00AA00AA00AA), (14, 0x0000CCCC0000CCCC), (28, 0x00000000F0F0F0F0)):
        differ = (x ^ x >> U(step)) & U(mask)
        x = x ^ differ ^ differ << U(step)
    return x


def mirrored(x: np.ndarray) -> np.ndarray:
    for step, mask in ((1, 0x5555555555555555), (2, 0x3333333333333333), (4, 0x0F0F0F0F0F0F0F0F)):
        x = x >> U(step) & U(mask) | (x & U(mask)) << U(step)
    return x


def twins(name: str, squares: int) -> np.ndarray:
    """For each pattern the smaller of it and its mirror image."""
    every = np.arange(3**squares)
    order = (0, 3, 6, 1, 4, 7, 2, 5, 8) if name == "corner" else range(squares)[::-1]
    image = sum(every // 3**i % 3 * 3**place for place, i in enumerate(order))
    return np.minimum(every, image)


# --- the fit ---------------------------------------------------------------------------------------------


class Model(NamedTuple):
    """Where the weights of each group lie among all."""

    places: dict[str, tuple[int, int]]  # group -> (start, squares)
    dense: int  # where those of the counts begin
    size: int

    def columns(self, positions: Positions) -> np.ndarray:
        """The pattern weights that count at each position, (n, patterns) int32."""
        columns = []
        for name, squares, found in patterns(positions.own, positions.opp):
            start = self.places[name][0] + positions.phase * 3**squares
            columns.append((start + twins(name, squares)[found]).astype(np.int32))
        return np.stack(columns, axis=1)


def model() -> Model:
    places: dict[str, tuple[int, int]] = {}
    size = 0
    for name, squares, _ in patterns(np.zeros(1, U), np.zeros(1, U)):
        if name not in places:
            places[name] = size, squares
            size += PHASES * 3**squares
    return Model(places, size, size + PHASES * len(DENSE))


@kernel
def predict(columns: Any, firsts: Any, dense: Any, weights: Any, found: Any) -> None:
    for i in range(len(columns)):
        value = 0.0
        for j in range(columns.shape[1]):
            value += weights[columns[i, j]]
        for j in range(dense.shape[1]):
            value += dense[i, j] * weights[firsts[i] + j]
        found[i] = value


@kernel
def slopes(columns: Any, firsts: Any, dense: Any, errors: Any, found: Any) -> None:
    for i in range(len(columns)):
        for j in range(columns.shape[1]):
            found[columns[i, j]] += errors[i]
        for j in range(dense.shape[1]):
            found[firsts[i] + j] += dense[i, j] * errors[i]


class Data:
    """Positions with their features."""

    def __init__(self, plan: Model, positions: Positions) -> None:
        self.features = (
            plan.columns(positions),
            plan.dense + len(DENSE) * positions.phase,
            terms(positions.own, positions.opp),
        )
        self.score = positions.score

    def errors(self, weights: np.ndarray) -> np.ndarray:
        found = np.empty(len(self.score))
        predict(*self.features, weights, found)
        return found - self.score


def fit(plan: Model, train: Data, test: Data) -> np.ndarray:
    """The weights, in discs. Each is searched for in units of its own, by how often it counts."""
    n = len(train.score)
    columns, firsts, dense = train.features
    often = np.bincount(columns.ravel(), minlength=plan.size).astype(np.float64)
    slopes(columns[:, :0], firsts, dense**2, np.ones(n), often)
    units = 1 / np.sqrt(often + PULL)

    def cost(x: np.ndarray) -> tuple[float, np.ndarray]:
        weights = x * units
        errors = train.errors(weights)
        gradient = 2 * PULL * weights
        slopes(*train.features, 2 * errors, gradient)
        return float(errors @ errors + PULL * (weights @ weights)) / n, gradient * units / n

    start = x = np.zeros(plan.size)
    for step, (x, *_) in enumerate(descend(cost, start, STEPS), 1):
        if step % 10 == 0:
            held, learnt = (np.sqrt((data.errors(x * units) ** 2).mean()) for data in (test, train))
            print(f"step {step}: off by {learnt:.3f} discs, {held:.3f} in games held out", flush=True)
    return x * units


def groups(plan: Model, weights: np.ndarray) -> dict[str, list[int]]:
    """The weights by name, rounded, as `Othello.evaluate` reads them."""
    rounded = np.rint(DISC * weights).astype(int)
    counts = rounded[plan.dense :].reshape(PHASES, len(DENSE))
    named = {name: counts[:, i].tolist() for i, name in enumerate(DENSE)}
    for name, (start, squares) in plan.places.items():
        phases = rounded[start : start + PHASES * 3**squares].reshape(PHASES, 3**squares)
        named[name] = phases[:, twins(name, squares)].ravel().tolist()
    return named


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.othello_weights")
    parser.add_argument("folder", type=Path, help="the games: *.wtb")
    parser.add_argument("out", type=Path, help="the weights: a JSON file")
    options = parser.parse_args()
    positions, plan = read(options.folder), model()
    held = positions.game % 10 == 0
    print(f"{len(held):,} positions, {plan.size:,} weights", flush=True)
    train, test = (Data(plan, positions.where(chosen)) for chosen in (~held, held))
    weights = fit(plan, train, test)
    learnt = WEIGHTS.replace(**groups(plan, weights))
    verify(
        positions.where(np.flatnonzero(held)[::5000]),
        test.errors(weights)[::5000] + test.score[::5000],
        learnt,
    )
    learnt.save(options.out)


def verify(positions: Positions, expected: np.ndarray, learnt: Any) -> None:
    """The class's own evaluation with these weights is what was fitted, but for roundings."""
    for own, opp, value in zip(
        positions.own.view(np.int64), positions.opp.view(np.int64), expected, strict=True
    ):
        found = Othello(int(own), int(opp), 0).evaluate(learnt)
        assert abs(found - value) < 2, (found, value)


if __name__ == "__main__":
    main()
