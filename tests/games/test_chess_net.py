"""The net of chess's evaluation: its formula, its symmetries, its bounds, and how it is learnt."""

import importlib.util
import random
import shutil
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from bench import chess_net
from outplay.bits import bswap, wrap
from outplay.compile import kernel, twin
from outplay.games import Chess
from outplay.games.chess import net as engine
from outplay.games.chess.evaluation import WHOLE, scale

NUMBERS = np.fromfile(Path(engine.__file__).with_name("net.bin"), "<i2").astype(np.int64)
ROWS = NUMBERS[: 12 * 64 * engine.UNITS].reshape(12, 64, engine.UNITS)
WEIGHTS = NUMBERS[12 * 64 * engine.UNITS : -1].reshape(2, engine.UNITS)
KINDS = "pnbrkq"
MEN = ("own", "opp", "pawns", "knights", "diagonal", "straight", "kings")


def random_positions(games: int, every: int, seed: int = 1) -> list[Any]:
    dice = random.Random(seed)
    found = []
    for _ in range(games):
        state: Any = Chess()
        for ply in range(150):
            state = state.result(dice.choice(list(state.actions())))
            if state.terminal():
                break
            if ply % every == 0:
                found.append(state)
    return found


POSITIONS = random_positions(5, every=9)


def men(state: Any) -> list[tuple[int, int, int]]:
    """The men that a FEN tells, as the mover sees them: side (0 is the mover's), kind and square."""
    rows, mover, *_ = str(state).split()
    found = []
    for rank, row in enumerate(rows.split("/")):
        file = 0
        for letter in row:
            if letter.isdigit():
                file += int(letter)
                continue
            side = int(letter.isupper() != (mover == "w"))
            square = 8 * (7 - rank if mover == "w" else rank) + file
            found.append((side, KINDS.index(letter.lower()), square))
            file += 1
    return found


def formula(state: Any) -> int:
    """bias + sum of w * clip(row + row + ...)^2 over both sides, from the text of the position."""
    seen = men(state)
    total = 0
    for side in range(2):
        turned = [(whose ^ side, kind, square ^ 56 * side) for whose, kind, square in seen]
        (king,) = (square for whose, kind, square in turned if (whose, kind) == (0, KINDS.index("k")))
        mirror = 7 if king % 8 > 3 else 0
        units = sum(ROWS[6 * whose + kind, square ^ mirror] for whose, kind, square in turned)
        total += int(WEIGHTS[side] @ np.clip(units, 0, engine.ONE) ** 2)
    return total // (engine.ONE**2 * engine.POINT) + int(NUMBERS[-1])


@kernel
def compiled_value(s: Any, weights: int) -> int:
    return s.evaluate(weights)


@pytest.mark.lanes
def test_it_is_the_formula() -> None:
    found = [engine.net(state) for state in POSITIONS]
    assert found == [formula(state) for state in POSITIONS]
    assert len(found) > 36 and max(found) > 50 and min(found) < -50  # it says something


@pytest.mark.lanes
def test_plain_and_compiled_agree() -> None:
    """With no other weight than the net's."""
    weights = Chess.weights.with_flat([0] * len(Chess.weights)).replace(net=1)
    block, compiled = np.array(weights.flat(), np.int64), twin(Chess)
    for state in POSITIONS:
        value = counted(state)
        assert state.evaluate(weights) == value
        assert compiled_value(compiled.state(state), block.ctypes.data) == value


def counted(state: Any) -> int:
    """What the net adds to the evaluation, which is White's: less of it in drawish endings."""
    value = engine.net(state) * scale(state) // WHOLE
    return -value if state.player() == 1 else value


def test_left_and_right_are_equal() -> None:
    for state in POSITIONS:
        mirrored = state._replace(**{name: files_reversed(getattr(state, name)) for name in MEN}, special=0)
        assert engine.net(mirrored) == engine.net(state)


def test_colours_are_equal() -> None:
    """With the colours exchanged it is the same for the player to move."""
    for state in POSITIONS:
        rows, mover, *_ = str(state).split()
        exchanged = "/".join(reversed(rows.swapcase().split("/")))
        other = Chess.parse(f"{exchanged} {'b' if mover == 'w' else 'w'} - - 0 1")
        assert engine.net(other) == engine.net(state)


def files_reversed(squares: int) -> int:
    """The board with the a-file for the h-file."""
    turned = int(f"{squares & (1 << 64) - 1:064b}"[::-1], 2)  # by half a turn
    return bswap(wrap(turned))


def test_no_lane_overflows() -> None:
    """The rows of 32 men, each number with OFFSET added, stay below 16 bits."""
    assert np.abs(ROWS).max() < engine.OFFSET
    assert 32 * (2 * engine.OFFSET - 1) < 1 << 16
    for word, four in zip(engine.ROWS, ROWS.reshape(-1, 4).tolist(), strict=True):
        assert [word >> 16 * lane & 0xFFFF for lane in range(4)] == [engine.OFFSET + x for x in four]


def test_without_its_weight_the_terms_count() -> None:
    for state in POSITIONS[::5]:
        terms = state.evaluate(Chess.weights.replace(net=0))
        assert abs(state.evaluate() - terms - counted(state)) <= 1  # both are rounded


def test_explain_shows_it(outplay: Callable) -> None:
    state = POSITIONS[3]
    shown = outplay("explain", "chess", str(state)).out
    (line,) = (line.split() for line in shown.splitlines() if line.split()[:1] == ["net"])
    assert line[1] == "1" and int(line[-1]) == counted(state)


# --- learning ---------------------------------------------------------------------------------------------


def as_data(states: list[Any], scores: list[int]) -> chess_net.Data:
    return chess_net.prepared(np.array([state[:7] for state in states]), np.array(scores, np.int16))


def test_training_sees_what_the_engine_sees() -> None:
    """The shipped net, put back into floats, values positions as the evaluation does, but for roundings."""
    data = as_data(POSITIONS, [0] * len(POSITIONS))
    found = chess_net.FOUR_PAWNS * chess_net.values(data, chess_net.restored(NUMBERS))
    expected = [(-1) ** state.ply * state.evaluate() for state in POSITIONS]
    assert found == pytest.approx(expected, abs=2)


def test_integers_are_kept() -> None:
    assert (chess_net.integers(chess_net.restored(NUMBERS)) == NUMBERS).all()


def test_slopes_are_those_of_the_loss() -> None:
    """Backpropagation against differences of the loss itself."""
    data = as_data(POSITIONS, [100 * (i % 5) - 200 for i in range(len(POSITIONS))])
    net = chess_net.beginning(np.random.default_rng(5))
    found = net.zeros()
    chess_net.slopes(data, net, found)
    size, n = np.float32(0.01), len(POSITIONS)
    for numbers, slope in zip(net, found, strict=True):
        at = np.unravel_index(np.argmax(np.abs(slope)), slope.shape)
        losses = []
        for change in (size, -size):
            before = numbers[at]
            numbers[at] += change
            losses.append(n * chess_net.loss(data, chess_net.values(data, net)))
            numbers[at] = before
        assert slope[at] == pytest.approx((losses[0] - losses[1]) / (2 * size), rel=0.05)


def test_learning_lowers_the_loss(tmp_path: Path) -> None:
    """A rule that the terms do not know is learnt: the mover's knights are worth a pawn and a half more."""
    states = random_positions(20, every=1, seed=7)
    knights = [(state.own & state.knights).bit_count() for state in states]
    words = np.array([state[:7] for state in states])
    terms = chess_net.evaluated(words, Chess.weights.replace(net=0))
    scores = np.clip(terms + 150 * np.array(knights), -3000, 3000).astype(np.int16)
    learnt, held = chess_net.split([(words, scores)])
    net, steps = chess_net.train(learnt, np.linspace(0, 1, 150, endpoint=False), 5e-3)
    numbers = chess_net.integers(net)
    rounded = chess_net.values(held, chess_net.restored(numbers))
    assert steps == 150
    assert chess_net.loss(held, rounded) < chess_net.loss(held, held.terms) / 4
    assert chess_net.loss(held, rounded) == pytest.approx(
        chess_net.loss(held, chess_net.values(held, net)), 0.1
    )
    lines = list(chess_net.report(held, net, chess_net.restored(numbers)))
    assert [line[:12].strip() for line in lines] == [
        "loss held ou",
        "terms alone",
        "with the net",
        "in integers",
    ]

    numbers.tofile(tmp_path / "net.bin")
    made = reader_beside(tmp_path / "net.bin")
    state: Any = states[-1]
    data = as_data([state], [0])
    added = chess_net.values(data, chess_net.restored(numbers)) - data.terms
    assert made.net(state) * data.share[0] == pytest.approx(chess_net.FOUR_PAWNS * added[0], abs=2)


def reader_beside(file: Path) -> ModuleType:
    """The module that reads net.bin, as it would read this one."""
    copied = shutil.copy(engine.__file__, file.with_name("net.py"))
    spec = importlib.util.spec_from_file_location("net_beside", copied)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("arrays", "complaint"),
    [
        ({"w": np.zeros((30, 7), np.int64)}, "no file of positions"),
        ({"words": np.zeros((30, 6), np.int64), "scores": np.zeros(30, np.int16)}, "seven words"),
        ({"words": np.zeros((30, 7), np.int64), "scores": np.zeros(30, np.int16)}, "row 0 is no position"),
        ({"words": np.array([Chess()[:7]]), "scores": np.zeros(1, np.int16)}, "20 at least"),
    ],
)
def test_other_files_are_refused(tmp_path: Path, arrays: dict[str, np.ndarray], complaint: str) -> None:
    np.savez(tmp_path / "x.npz", **arrays)
    with pytest.raises(ValueError, match=complaint):
        chess_net.read(tmp_path / "x.npz")
