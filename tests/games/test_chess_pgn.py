"""PGN and EPD."""

from pathlib import Path

import pytest

from outplay.games import Chess
from outplay.games.chess.pgn import Played, read_epd, read_pgn, write_pgn

GAME = (Path(__file__).parent.parent / "data" / "opera.pgn").read_text()


def test_a_game_there_and_back() -> None:
    (game,) = read_pgn(GAME)
    assert game.headers["White"] == "Morphy"
    assert len(game.actions) == 33
    state = game.start
    for action in game.actions:
        state = state.result(action)
    assert state.terminal()
    assert state.utility() == 1
    (again,) = read_pgn(write_pgn(game))
    assert again._replace(headers=game.headers) == game
    assert again.headers.items() >= game.headers.items()  # and those that every PGN has


def test_several_games_and_a_start_of_its_own() -> None:
    start = Chess.parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    text = write_pgn(Played(start, (start.parse_action("O-O-O"),), {}))
    first, second = read_pgn(GAME + "\n" + text)
    assert (first.start, second.start) == (Chess(), start)
    assert list(read_pgn("")) == []


def test_a_game_that_cannot_be_replayed() -> None:
    games = read_pgn("1. e4 * 1. e4 e5 2. Nf6 *")
    assert len(next(games).actions) == 1  # those before it are read
    with pytest.raises(ValueError, match="game 2: move 2 of White: 'Nf6' is not a legal move"):
        next(games)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("1. e4 e5 2. Nf6 *", "move 2 of White: 'Nf6' is not a legal move"),
        ("1. e4 garbage[[ 1-0", "move 1 of Black: 'garbage' cannot be read"),
        ("1. e4 ]] e5", "move 1 of Black: ']] e5' cannot be read"),
        ("1. e4 -- 2. d4", "move 1 of Black: '--' is not a legal move"),
        ("1. Nf3 d5 2. Nc3 d4 3. Nd2 *", "move 3 of White: 'Nd2' is not a legal move"),
        ("1. d4 d5 2. Nf3 Nf6 3. Nd2 *", "move 3 of White: 'Nd2' could be several moves"),
        ("1. e4)! e5", "move 1 of Black: a `)` without a `(`"),
        ("1. e4 (1. d4", "a variation has no end"),
        ('1. e4 (1. d4\n[Event "a "name" of it"]\n', "a variation has no end"),
        ("1. e4 {no end", "move 1 of Black: '{no end' cannot be read"),
        ('[Variant "Atomic"]\n\n1. e4 *', "unsupported variant 'Atomic'"),
        ('[FEN "nonsense"]\n\n1. e4 *', "not a chess position"),
    ],
)
def test_games_that_cannot_be_read(text: str, complaint: str, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(ValueError) as error:
        list(read_pgn(text))
    assert str(error.value).startswith("game 1: ") and complaint in str(error.value)
    assert "\n" not in str(error.value)
    assert not caplog.records  # python-chess would log it


def test_what_others_write_is_understood() -> None:
    text = """\ufeff% a remark
[White "Ann "the ox" Bee"]
[Variant "Chess960"]
[Result "0-1"]

1.e4!? $1 (1. d4 (1. c4 \u00b1) d5 {a} ) {b} {c} e5 2. Nf3 +- Nc6 3. Bb5 a6 4.O-O; the rest
4... axb5 0-1

[White "Cee"]
"""
    first, second = read_pgn(text)
    assert len(first.actions) == 8
    assert first.headers == {"White": 'Ann "the ox" Bee', "Variant": "Chess960", "Result": "0-1"}
    assert first.comments == ((1, "b c"),)
    assert (second.actions, second.headers) == ((), {"White": "Cee"})


def test_epd() -> None:
    puzzle = read_epd('2rr3k/pp3pp1/1nnqbN1p/3pN3/2pP4/2P3Q1/PPB4P/R4RK1 w - - bm Qg6; id "WAC.001";')
    assert [puzzle.state.action_text(action) for action in puzzle.best] == ["Qg6"]
    assert puzzle.avoid == ()
    assert puzzle.operations == {"id": "WAC.001"}


@pytest.mark.parametrize(
    "line", ["", "nonsense", "8/8/8/8/8/8/8/8 w - - bm e4;", "4k3/8/8/8/8/8/8/4K3 w - - bm Qg6;"]
)
def test_no_epd(line: str) -> None:
    with pytest.raises(ValueError) as error:
        read_epd(line)
    assert "\n" not in str(error.value)
