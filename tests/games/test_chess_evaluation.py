"""The evaluation of chess: the same for both sides, interpreted and compiled, and of sound judgement."""

import random
from typing import Any

import numpy as np
import pytest

from outplay.compile import kernel, twin
from outplay.explain import explain, linear
from outplay.games import Chess
from outplay.games.chess.evaluation import OPENING, WHOLE, phase, scale
from outplay.learn.coefficients import features
from outplay.weights import Weights

KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"


def value(board: str, mover: str = "w") -> int:
    """The value for White of a position without castling, by the named terms."""
    return Chess.parse(f"{board} {mover} - - 0 1").evaluate(Chess.weights.replace(net=0))


def random_positions(games: int, seed: int = 1) -> list[Chess]:
    rng = random.Random(seed)
    found = []
    for _ in range(games):
        state = Chess()
        for _ in range(120):
            state = state.result(rng.choice(list(state.actions())))
            if state.terminal():
                break
            found.append(state)
    return found


@kernel
def compiled_value(s: Any, weights: int) -> int:
    return s.evaluate(weights)


@pytest.mark.lanes
def test_plain_and_compiled_agree() -> None:
    states = random_positions(8)
    block = np.array(Chess.weights.flat(), np.int64)
    compiled = twin(Chess)
    assert [state.evaluate() for state in states] == [
        int(compiled_value(compiled.state(state), block.ctypes.data)) for state in states
    ]


def test_colours_are_equal() -> None:
    """With the colours exchanged and the other side to move, the value is the other side's."""
    for state in random_positions(5):
        rows, mover, *rest = str(state).split()
        exchanged = "/".join(reversed(rows.swapcase().split("/")))
        mirrored = Chess.parse(f"{exchanged} {'b' if mover == 'w' else 'w'} - - 0 1")
        assert mirrored.evaluate() == -state.evaluate(), rest


def test_it_is_linear_in_its_weights() -> None:
    states = random_positions(3)[::7]
    flat = Chess.weights.flat()
    for state in states:
        assert abs(linear(state, Chess.weights).value(flat) - state.evaluate()) < 1
    found = features(Chess, states).values(np.array(flat, float))
    assert found == pytest.approx([state.evaluate() for state in states], abs=1)


def test_every_weight_counts_somewhere() -> None:
    """All but squares and ranks where no pawn ever stands, and numbers of moves that are rare."""
    chases = [Chess.parse(f"{board} w - - 0 1") for board in ("8/8/8/3k4/8/8/8/KBN5", "8/8/8/3k4/8/8/8/KQ6")]
    found = features(Chess, random_positions(60, seed=2) + chases)
    counted = {Chess.weights.labels()[i].partition("[")[0] for i in np.unique(found.columns)}
    assert counted == set(Chess.weights.layout())


def test_the_weights_are_pairs_of_ints_in_one_file() -> None:
    weights = Chess.weights
    assert all(type(number) is int for number in weights.flat())
    layout = weights.layout()
    assert layout["pawn_squares"].size == layout["king_squares"].size == 2 * 64
    sizes = {name: layout[f"{name}_mobility"].size for name in ("knight", "bishop", "rook", "queen")}
    assert sizes == {"knight": 2 * 9, "bishop": 2 * 14, "rook": 2 * 15, "queen": 2 * 28}
    assert all(
        span.size is not None and span.size % 2 == 0
        for name, span in layout.items()
        if name not in ("chase", "net")
    )


def test_lecture_values_of_material() -> None:
    """With the teaching baseline as weights, a position is worth its material."""
    names = {"pawns": 100, "knights": 300, "bishops": 325, "rooks": 500, "queens": 900}
    lecture = Weights(
        **{
            name: names.get(name, 0) if size is None else (names.get(name, 0),) * size
            for name, (_, size) in Chess.weights.layout().items()
        }
    )
    assert Chess().evaluate(lecture) == 0
    assert Chess.parse("1nbqkbnr/pppppppp/8/8/8/8/1PPPPPPP/RNBQKBN1 w - - 0 1").evaluate(lecture) == -100
    assert Chess.parse("rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/R1BQKB1R w - - 0 1").evaluate(lecture) == 900 - 600


def test_phase_goes_from_opening_to_bare_kings() -> None:
    assert phase(Chess()) == OPENING
    assert phase(Chess.parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1")) == 0
    assert phase(Chess.parse("3qk3/8/8/8/8/8/8/RN2K3 w - - 0 1")) == 4 + 2 + 1


BETTER = [  # of two positions White prefers the first
    ("a queen up", "rnb1kbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"),
    ("pieces out", "rnbqkbnr/pppp1ppp/8/4p3/4P3/2N2N2/PPPP1PPP/R1BQKB1R", "rnbqkbnr/pppp1ppp/8/4p3/4P3/7N/PPPPNPPP/R1BQKB1R"),  # noqa: E501
    ("two bishops", "4k3/pp3ppp/3nb3/8/8/3BB3/PP3PPP/4K3", "4k3/pp3ppp/3nb3/8/8/3BN3/PP3PPP/4K3"),
    ("a passed pawn far on", "4k3/8/P7/8/8/7p/8/4K3", "4k3/8/8/8/P7/7p/8/4K3"),
    ("a passed pawn that is free", "8/4k3/P7/8/8/8/6p1/4K3", "k7/8/P7/8/8/8/6p1/4K3"),
    ("healthy pawns", "4k3/pp3ppp/8/8/8/8/PP3PPP/4K3", "4k3/pp3ppp/8/8/8/P7/P4PPP/4K3"),
    ("an open file", "4k3/pp2pppp/8/8/8/8/PP2PPPP/3RK3", "4k3/pp2pppp/8/8/8/8/PP2PPPP/R3K3"),
    ("a king behind pawns", "r2q1rk1/ppp2ppp/8/8/8/8/PPP2PPP/R2Q1RK1", "r2q1rk1/ppp2ppp/8/8/8/5PPP/PPP5/R2Q1RK1"),
    ("a king in the ending's centre", "8/pp3kpp/8/8/3K4/8/PP4PP/8", "8/pp3kpp/8/8/8/8/PP4PP/K7"),
    ("a king at the edge", "k7/8/8/8/3K4/8/8/7R", "8/8/8/8/3K1k2/8/8/7R"),
    ("a king in the bishop's corner", "k7/8/2K5/8/2N5/8/8/7B", "8/8/5K2/7k/2N5/8/8/7B"),
]  # fmt: skip


@pytest.mark.parametrize(("what", "good", "bad"), BETTER, ids=[row[0] for row in BETTER])
def test_judgements(what: str, good: str, bad: str) -> None:
    assert value(good) > value(bad), what


def test_drawish_material_is_scaled_down() -> None:
    opposite = Chess.parse("4k3/5b2/8/4p3/8/3PP3/3B4/4K3 w - - 0 1")
    same = Chess.parse("4k3/4b3/8/4p3/8/3PP3/3B4/4K3 w - - 0 1")
    assert scale(opposite) == WHOLE // 2 and scale(same) == WHOLE
    for board in ("4k3/8/8/8/8/8/4b3/R3K3", "4k3/8/8/8/8/8/8/1N2K1N1"):
        assert abs(value(board)) < 100
    assert value("4k3/8/8/8/8/8/8/R3K3") > 500


def test_explanations_add_up() -> None:
    state = Chess.parse(KIWIPETE)
    found = explain(state)
    total = sum(term.share for term in found.terms) + found.constant + found.rounding
    assert total == pytest.approx(found.value) and found.value == state.evaluate()
    assert {"pawns", "knight_mobility", "king_danger", "passed", "tempo"} <= {
        term.name for term in found.terms
    }
