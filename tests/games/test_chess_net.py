"""The net of chess's evaluation: its formula, its symmetries, its bounds, and how it is learnt."""

import importlib.util
import random
import shutil
from array import array
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import ModuleType
from typing import Any

import chess
import numpy as np
import pytest

from bench import chess_net, chess_positions
from outplay.compile import kernel, twin
from outplay.games import Chess
from outplay.games.chess import net as engine
from outplay.games.chess.evaluation import WHOLE, scale
from outplay.nnue import LANES, MOST, NNUE, OFFSET, ONE, POINT, SQUARE, bucket
from outplay.search.engine import workspace
from outplay.search.engine.accumulator import learned
from outplay.search.engine.table import Table
from outplay.words import bswap, wrap

SHIPPED = Path(engine.__file__).with_name("net.bin")
NUMBERS = np.fromfile(SHIPPED, "<i2").astype(np.int64)
_rows, _weights, BIASES = np.split(NUMBERS, (12 * 64 * 128, (12 * 64 + 8 * 2) * 128))
ROWS, WEIGHTS = _rows.reshape(12, 64, 128), _weights.reshape(8, 2, 128)
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


ENDINGS = (  # with few pieces, which random games seldom come to
    "8/8/4k3/8/8/3K4/8/8 w - - 0 1",
    "8/5k2/8/2q5/8/8/1K3R2/8 b - - 0 1",
    "1k6/3p4/8/2r5/6P1/8/1B3K2/7Q b - - 0 1",
    "6k1/5ppp/8/8/1n6/8/PP3PPP/2K2B2 w - - 0 1",
    "2kr4/ppp2ppp/2n5/8/8/3B1N2/PPP2PPP/4R1K1 b - - 0 1",
)
POSITIONS = [*random_positions(5, every=9), *map(Chess.parse, ENDINGS)]


def pieces(state: Any) -> list[tuple[int, int, int]]:
    """The pieces that a FEN tells, as the mover sees them: side (0 is the mover's), kind and square."""
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
    seen = pieces(state)
    kept = min((len(seen) - 2) * 8 // 31, 7)
    total = 0
    for side in range(2):
        turned = [(whose ^ side, kind, square ^ 56 * side) for whose, kind, square in seen]
        (king,) = (square for whose, kind, square in turned if (whose, kind) == (0, KINDS.index("k")))
        mirror = 7 if king % 8 < 4 else 0
        units = sum(ROWS[6 * whose + kind, square ^ mirror] for whose, kind, square in turned)
        total += int(WEIGHTS[kept, side] @ (np.clip(units, 0, 255) ** 2 + 128 >> 8))
    return total // (254 * 64) + int(BIASES[kept])


@kernel
def compiled_value(s: Any, weights: int) -> int:
    return s.evaluate(weights)


@pytest.mark.lanes
def test_it_is_the_formula() -> None:
    found = [engine.net(state) for state in POSITIONS]
    assert found == [formula(state) for state in POSITIONS]
    assert max(found) > 50 and min(found) < -50  # it says something
    assert {bucket(len(pieces(state)), 8) for state in POSITIONS} == set(range(8))


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
    """What the net adds to the evaluation, which is White's: less in drawish endings, nothing against a bare king."""
    value = engine.net(state) * scale(state) // WHOLE
    if state.own == state.own & state.kings or state.opp == state.opp & state.kings:
        value = 0
    return -value if state.player() == 1 else value


@kernel
def kept_value(s: Any, ply: int, memory: Any) -> int:
    return learned(s, ply, memory)


@kernel
def informed_value(s: Any, weights: int, told: int) -> int:
    return s.informed(weights, told)


@pytest.mark.lanes
def test_a_search_that_keeps_sums_by_ply_sees_the_same() -> None:
    """Positions of different games in any order, at any ply, and those of one game at one ply after the other."""
    dice = random.Random(3)
    memory, compiled = workspace.new_memory(Chess, Table(1)), twin(Chess)
    weights = np.array(Chess.weights.flat(), np.int64)
    last = workspace.MAX_PLY + 1  # the last that there is room for
    at_random = [(dice.choice((0, 1, 2, last)), state) for state in POSITIONS]
    in_order = [*enumerate(random_positions(1, every=1, seed=4))]
    for ply, state in dice.sample(at_random, len(at_random)) + in_order + at_random:
        told = kept_value(compiled.state(state), ply, memory)
        assert told == formula(state)
        value = informed_value(compiled.state(state), weights.ctypes.data, told)
        assert value == compiled_value(compiled.state(state), weights.ctypes.data)


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
    """The rows of 32 pieces, each number with OFFSET added, stay below 16 bits; the rest, with a sign, within them."""
    assert np.abs(ROWS).max() < OFFSET
    assert MOST * (2 * OFFSET - 1) < 1 << 16 and MOST * (OFFSET - 1) < 1 << 15
    for word, four in zip(engine.ROWS, ROWS.reshape(-1, LANES).tolist(), strict=True):
        assert [word >> 16 * lane & 0xFFFF for lane in range(LANES)] == [OFFSET + x for x in four]


def test_no_sum_of_squares_overflows() -> None:
    """What a unit counts fits in 16 bits, the sum of all of them, with the largest weights there are, in 32."""
    assert SQUARE == 255 * 255 + 128 >> 8 == 254
    assert ONE * ONE + 128 < 1 << 16
    assert 2 * engine.UNITS * SQUARE * (2**15 - 1) < 1 << 31
    assert round(chess_net.LARGEST_WEIGHT * chess_net.FOUR_PAWNS * POINT) == 2**15 - 1


def test_other_nets_are_refused(tmp_path: Path) -> None:
    NUMBERS[1:].astype("<i2").tofile(tmp_path / "net.bin")
    with pytest.raises(ValueError, match="not a net with 768 features, 128 units and 8 buckets"):
        NNUE.load(tmp_path / "net.bin", 768, 128, 8)
    with pytest.raises(ValueError, match="no net of 128 units and 8 buckets"):
        chess_net.begun(tmp_path / "net.bin")


def test_a_damaged_net_is_refused(tmp_path: Path) -> None:
    damaged = NUMBERS.copy()
    damaged[1000] ^= 1 << 12  # a lane would run over into the next one
    damaged.astype("<i2").tofile(tmp_path / "net.bin")
    with pytest.raises(ValueError, match="a number in a row is not between -1024 and 1023"):
        NNUE.load(tmp_path / "net.bin", 768, 128, 8)


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
    assert found == pytest.approx(expected, abs=4)


def test_integers_are_kept() -> None:
    assert (chess_net.integers(chess_net.begun(SHIPPED)) == NUMBERS).all()


def test_integers_stay_in_bounds() -> None:
    """Also where start values and rows are too large together."""
    largest = [np.full_like(x, 100) for x in chess_net.restored(NUMBERS)]
    net = chess_net.Net(*largest)
    chess_net.adam(net, net.zeros(), net.zeros(), net.zeros(), 1, 1, 0)
    rows, weights, _ = np.split(chess_net.integers(net), (ROWS.size, ROWS.size + WEIGHTS.size))
    assert set(rows.tolist()) == {OFFSET - 1} and set(weights.tolist()) == {2**15 - 1}


def test_slopes_are_those_of_the_loss() -> None:
    """Backpropagation against differences of the loss itself, with units below, between and above their bounds."""
    data = as_data(POSITIONS, [100 * (i % 5) - 200 for i in range(len(POSITIONS))])
    net = chess_net.beginning(np.random.default_rng(5))
    net.start[:] = np.linspace(-1, 2, engine.UNITS)
    found = net.zeros()
    chess_net.slopes(data, net, found)
    for numbers, slope in zip(net, found, strict=True):
        numbers, slope = numbers.reshape(-1), slope.reshape(-1)  # views
        order = np.argsort(-np.abs(slope))
        for at in (*order[:3], *order[:: len(order) // 8 + 1]):
            expected = difference(data, net, numbers, at)
            assert slope[at] == pytest.approx(expected, rel=0.1, abs=0.02 * float(np.abs(slope).max()))


def difference(data: chess_net.Data, net: chess_net.Net, numbers: np.ndarray, at: int) -> float:
    """How fast the sum of the squared errors changes with one number of the net."""
    before, size = numbers[at], np.float32(0.01)
    losses = []
    for change in (size, -size):
        numbers[at] = before + change
        losses.append(len(data.pieces) * chess_net.loss(data, chess_net.values(data, net)))
    numbers[at] = before
    return (losses[0] - losses[1]) / (2 * float(size))


def test_threads_share_the_work() -> None:
    data = as_data(POSITIONS, [100 * (i % 5) - 200 for i in range(len(POSITIONS))])
    net = chess_net.beginning(np.random.default_rng(5))
    with ThreadPoolExecutor(3) as pool:
        alone, shared = (chess_net.slopes_of(data, net, threads, pool) for threads in (1, 3))
    for one, other in zip(alone, shared, strict=True):
        assert np.abs(one).max() > 0
        assert other == pytest.approx(one, rel=1e-3, abs=1e-5)


def test_learning_lowers_the_loss(tmp_path: Path) -> None:
    """A rule that the terms do not know is learnt: the mover's knights are worth a pawn and a half more."""
    states = random_positions(20, every=1, seed=7)
    knights = [(state.own & state.knights).bit_count() for state in states]
    words = np.array([state[:7] for state in states])
    terms = chess_net.FOUR_PAWNS * as_data(states, [0] * len(states)).terms
    scores = np.clip(terms + 150 * np.array(knights), -3000, 3000).astype(np.int16)
    learnt, held = chess_net.split([(words, scores)])
    net = chess_net.beginning(np.random.default_rng(1))
    assert chess_net.train(learnt, net, 150, 2e-2, threads=2) == 150
    numbers = chess_net.integers(net)
    rounded = chess_net.values(held, chess_net.restored(numbers))
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


# --- positions to learn from ------------------------------------------------------------------------------


def test_positions_are_those_of_the_game() -> None:
    for state in POSITIONS[::5]:
        assert chess_positions.words(chess.Board(str(state))) == list(state[:7])


def board_of(asked: str) -> chess.Board:
    """The position that a command of UCI tells."""
    fen, moves = asked.removeprefix("position fen ").split(" moves ")
    board = chess.Board(fen)
    for move in moves.split():
        board.push_uci(move)
    return board


def quiet_move(board: chess.Board) -> chess.Move:
    return [move for move in board.legal_moves if chess_positions.is_quiet(board, move)][-1]


@pytest.mark.parametrize(
    ("scores", "kept"),
    [
        ([20, 30, 901], 2),
        ([20, -901], 1),
        ([401], 0),  # not even from the start
        ([20, *[0] * 8], 8),
        ([20, *[0] * 7, 5, *[0] * 8], 16),
        ([20, 30, None], 2),  # no move is left
    ],
)
def test_a_game_is_played_until_it_is_decided(
    scores: list[int | None], kept: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chess_positions, "RANDOM_LATER", (0.0,))
    rows = array("q")
    game = chess_positions.play_one(chess.STARTING_FEN, random.Random(1), rows)
    board = board_of(next(game))
    for score in scores[:-1]:
        assert score is not None
        board = board_of(game.send(chess_positions.Look(score, quiet_move(board))))
    last = scores[-1]
    with pytest.raises(StopIteration):
        game.send(chess_positions.Look(last or 0, None if last is None else quiet_move(board)))
    assert rows[7::8].tolist() == scores[:kept]


def test_the_engine_is_told_the_position(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also when the line has become long, and is told from a later position."""
    monkeypatch.setattr(chess_positions, "RANDOM_LATER", (0.0,))
    monkeypatch.setattr(chess_positions, "TOLD", 5)
    rows = array("q")
    game = chess_positions.play_one(chess.STARTING_FEN, random.Random(1), rows)
    asked = next(game)
    for ply in range(30):
        board = board_of(asked)
        asked = game.send(chess_positions.Look(20, quiet_move(board)))
        assert rows[8 * ply :].tolist() == [*chess_positions.words(board), 20]
    assert chess.STARTING_FEN not in asked


@pytest.mark.parametrize(("answer", "stays"), [(200, True), (201, False), (None, False)])
def test_random_moves_that_lose_much_are_taken_back(
    answer: int | None, stays: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(chess_positions, "RANDOM_LATER", (1.0,))
    game = chess_positions.play_one(chess.STARTING_FEN, random.Random(1), array("q"))
    first = next(game)
    best = quiet_move(board_of(first))
    tried = game.send(chess_positions.Look(0, best))
    then = quiet_move(board_of(tried))
    after = game.send(chess_positions.Look(answer or 0, None if answer is None else then))
    assert tried.startswith(first) and tried != f"{first} {best}"
    assert after.startswith(tried) if stays else after == f"{first} {best}"


def test_what_an_engine_says() -> None:
    info = "info depth 1 score cp 16 nodes 20 pv e2e4\n", "info depth 2 score cp -31 nodes 70 pv d2d4\n"
    look = chess_positions.Look
    assert chess_positions.seen([*info, "bestmove d2d4 ponder d7d5\n"]) == look(
        -31, chess.Move.from_uci("d2d4")
    )
    assert chess_positions.seen(["info score mate -2\n", "bestmove d2d4\n"]).score == -chess_positions.MATE
    assert chess_positions.seen(["info depth 0 score mate 0\n", "bestmove (none)\n"]) == look(0, None)
    assert chess_positions.seen(["bestmove d2d4\n"]) == look(0, None)
