"""Boards as pictures: what a notebook shows, and what the page draws."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from outplay.game import Board
from outplay.games import TABLE, load
from outplay.games.tree import tree
from outplay.search.trace.record import record_search
from outplay.ui.boardsvg import SHAPES, draw, svg

NAME = "{http://www.w3.org/2000/svg}"


def parts(text: str, kind: str) -> list[ElementTree.Element]:
    return [e for e in ElementTree.fromstring(text).iter() if kind in e.get("class", "").split()]


@pytest.mark.parametrize("name", [entry.name for entry in TABLE])
def test_a_state_draws_itself(name: str) -> None:
    state = load(name).start or load("[[3,12,8],[2,4,6]]").start
    picture = ElementTree.fromstring(state._repr_svg_())
    assert picture.tag == f"{NAME}svg" and picture.find(f"{NAME}style") is not None


def test_cells_pieces_and_marks() -> None:
    board = Board(("k P", "  "), ("2", "1"), ("a", "b", "c"), ("P", "k"), True, marks=((0, 0),))
    text = draw(board, last=[(1, 0)], taken=[(0, 1)])
    assert len(parts(text, "cell")) == 5 and len(parts(text, "piece")) == 2
    assert [cell.get("data-at") for cell in parts(text, "last")] == ["1,0"]
    assert [cell.get("data-at") for cell in parts(text, "taken")] == ["0,1"]
    assert [cell.get("data-says") for cell in parts(text, "mark")] == ["a2: k"]


def test_flipped_boards_turn_but_pieces_do_not() -> None:
    board = Board(("X ", " O"), owners=("X", "O"))
    upright, flipped = (parts(draw(board, flipped=turn), "piece") for turn in (False, True))
    assert upright[0].get("transform") == flipped[1].get("transform")
    assert upright[0].get("data-at") == flipped[0].get("data-at") == "0,0"


def test_what_a_game_writes_cannot_become_markup() -> None:
    board = Board(("<&", '">'), ("<b>", "2"), ("'", '"'), note='"><script>')
    ElementTree.fromstring(draw(board))
    assert "<script>" not in draw(board)


def test_every_shape_is_drawn() -> None:
    symbols = "abcdefghijklmnopqrstuvwxyz"[: len(SHAPES)]
    shapes = {symbol: f"white {shape}" for symbol, shape in zip(symbols, SHAPES, strict=True)}
    assert len(parts(draw(Board((symbols,), shapes=shapes)), "white")) == len(SHAPES)


def test_a_trace_draws_its_tree() -> None:
    text = record_search(tree("[[3,12,8],[2,4,6],[14,5,2]]"), "alphabeta")._repr_svg_()
    assert ElementTree.fromstring(text).tag == f"{NAME}svg"


def test_games_without_a_board_are_words() -> None:
    nim = load(str(Path(__file__).parents[1] / "examples" / "nim.py")).start
    assert "Nim(heap=21, mover=0)" in svg(nim)
    assert not hasattr(nim, "_repr_svg_")


def test_a_winning_line_is_marked() -> None:
    won = load("connect4").position("4444333").board()
    assert won.marks == ()
    won = load("connect4").position("1212121").board()
    assert won.marks == ((2, 0), (3, 0), (4, 0), (5, 0))
    assert load("tictactoe").position("XXX/OO./... o").board().marks == ((0, 0), (0, 1), (0, 2))
