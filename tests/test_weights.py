"""Weights: named numbers that never change, read from and written to files, and what evaluate does with them."""

import pickle
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from outplay.game import GameError, Weights, adopt, fitting_weights, weights_of
from outplay.games import Checkers, Hexapawn, TicTacToe
from outplay.weights import Linear, NotLinear, Span

SOME = Weights(corners=80, squares=(1, -2, 3), turn=5)


def test_names_and_numbers() -> None:
    assert SOME.corners == 80 and SOME.squares[1] == -2
    assert SOME.flat() == [80, 1, -2, 3, 5] and len(SOME) == 5
    assert SOME.labels() == ["corners", "squares[0]", "squares[1]", "squares[2]", "turn"]
    assert SOME.layout() == {"corners": Span(0, None), "squares": Span(1, 3), "turn": Span(4, None)}
    assert SOME.block().tolist() == [80, 1, -2, 3, 5]
    assert SOME.block(floats=True).typecode == "d"
    assert repr(SOME) == "Weights(corners=80, squares=(1, -2, 3), turn=5)"
    assert repr(Weights(rows=tuple(range(9)))) == "Weights(rows=(0, 1, 2, 3, ... 9 numbers))"


def test_they_never_change() -> None:
    with pytest.raises(AttributeError, match=r"immutable: use replace\(corners=...\)"):
        SOME.corners = 1
    with pytest.raises(AttributeError, match="unknown weight edges; there are corners, squares, turn"):
        _ = SOME.edges
    other = SOME.replace(squares=[4, 5, 6])
    assert other.squares == (4, 5, 6) and SOME.squares == (1, -2, 3)
    assert other != SOME and other.replace(squares=(1, -2, 3)) == SOME
    assert hash(other.replace(squares=(1, -2, 3))) == hash(SOME)
    assert SOME.with_flat([1, 2, 3, 4, 5]) == Weights(corners=1, squares=(2, 3, 4), turn=5)
    assert pickle.loads(pickle.dumps(SOME)) == SOME


@pytest.mark.parametrize(
    ("groups", "complaint"),
    [
        ({"edges": 1}, "unknown weight edges; there are corners, squares, turn"),
        ({"corners": (1, 2)}, r"weight corners: expected a number, not \(1, 2\)"),
        ({"squares": 3}, "weight squares: expected a list of 3 numbers, not 3"),
        ({"squares": (1, 2)}, "weight squares: expected 3 numbers, not 2"),
        ({"turn": "much"}, "weight turn: 'much' is not a weight"),
        ({"turn": True}, "weight turn: True is not a weight"),
        ({"squares": (1, None, 2)}, "weight squares: None is not a weight"),
        ({"turn": 1 << 50}, "weight turn: .* is not a weight"),
        ({"turn": float("nan")}, "weight turn: nan is not a weight"),
    ],
)
def test_what_does_not_fit(groups: Any, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint):
        SOME.replace(**groups)


@pytest.mark.parametrize("name", ["replace", "flat", "_hidden", "symbolic"])
def test_names_that_are_taken(name: str) -> None:
    with pytest.raises(ValueError, match="choose another name"):
        Weights(**{name: 1})


def test_files(tmp_path: Path) -> None:
    file = tmp_path / "weights.json"
    SOME.save(file)
    assert file.read_text() == '{\n  "corners": 80,\n  "squares": [1, -2, 3],\n  "turn": 5\n}\n'
    assert Weights.load(file) == SOME
    for text, complaint in (
        ("[1, 2]", "is not a weights file"),
        ("{", "is not JSON"),
        ('{"a": "b"}', "'b' is not a weight"),
        ('{"a": []}', "a is an empty group"),
    ):
        file.write_text(text)
        with pytest.raises(ValueError, match=f"weights.json.*{complaint}"):
            Weights.load(file)


# --- of a class -----------------------------------------------------------------------------------------


def test_weights_of_a_class() -> None:
    assert weights_of(TicTacToe) is TicTacToe.weights
    assert weights_of(Hexapawn) is None
    assert fitting_weights(TicTacToe, Weights(open_lines=3)) == Weights(open_lines=3)
    part = fitting_weights(Checkers, Weights(kings=170))
    assert part == Checkers.weights.replace(kings=170)
    with pytest.raises(GameError, match="Hexapawn has no weights"):
        fitting_weights(Hexapawn, SOME)
    with pytest.raises(GameError, match="do not fit TicTacToe: unknown weight corners"):
        fitting_weights(TicTacToe, SOME)
    with pytest.raises(
        GameError, match=r"open_lines is 1.5, a float: round it, or declare `estimates = float`"
    ):
        fitting_weights(TicTacToe, Weights(open_lines=1.5))


def test_classes_must_take_their_weights() -> None:
    class Forgetful(NamedTuple):
        weights = Weights(a=1)
        left: int = 3

        def player(self) -> int:
            return 0

        def actions(self) -> range:
            return range(self.left)

        def result(self, action: int) -> "Forgetful":
            return Forgetful(action)

        def utility(self) -> int:
            return 0

        def evaluate(self) -> int:
            return self.weights.a

    with pytest.raises(GameError, match=r"write `def evaluate\(self, weights=weights\)`"):
        adopt(Forgetful)


# --- symbols --------------------------------------------------------------------------------------------


def test_symbols_show_coefficients() -> None:
    w = SOME.symbolic()
    form = 3 * w.corners - w.squares[2] // 4 + 7 - (2 - w.turn) * 2 + sum(w.squares)
    assert form.terms == {0: 3, 1: 1, 2: 1, 3: Fraction(3, 4), 4: 2}
    assert form.constant == 3
    assert form.value(SOME.flat()) == 3 * 80 + 1 - 2 + Fraction(9, 4) + 10 + 3
    assert len(w.squares) == 3
    with pytest.raises(AttributeError, match="unknown weight edges"):
        _ = w.edges


@pytest.mark.parametrize(
    "what",
    [
        lambda w: w.corners * w.turn,
        lambda w: max(w.corners, w.turn),
        lambda w: w.corners if w.corners else 0,
        lambda w: abs(w.corners),
        lambda w: w.corners == 3,
        lambda w: 3 / w.corners,
        lambda w: w.corners**2,
        lambda w: w.corners % 2,
        lambda w: int(w.corners),
        lambda w: w.corners / w.turn,
    ],
)
def test_all_else_is_refused(what: Any) -> None:
    with pytest.raises(NotLinear, match="evaluate must be linear in its weights"):
        what(SOME.symbolic())


numbers = st.integers(-50, 50)


@given(st.lists(numbers, min_size=5, max_size=5), numbers, numbers, numbers)
def test_linear_forms_compute_like_numbers(flat: list[int], a: int, b: int, c: int) -> None:
    def formula(w: Any) -> Any:
        return (
            a * w.corners - (w.squares[a % 3] + b) * c + (-w.turn if b > 0 else +w.turn) - (c - w.squares[0])
        )

    form = formula(SOME.symbolic())
    assert isinstance(form, Linear)
    assert form.value(flat) == formula(SOME.with_flat(flat))
