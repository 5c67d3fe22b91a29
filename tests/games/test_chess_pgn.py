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
    assert again == game


def test_several_games_and_a_start_of_its_own() -> None:
    start = Chess.parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1")
    text = write_pgn(Played(start, (start.parse_action("O-O-O"),), {}))
    first, second = read_pgn(GAME + "\n" + text)
    assert (first.start, second.start) == (Chess(), start)
    assert list(read_pgn("")) == []


def test_a_game_that_cannot_be_replayed() -> None:
    with pytest.raises(ValueError, match="game 1: illegal san: 'Nf6'") as error:
        list(read_pgn("1. e4 e5 2. Nf6 *"))
    assert "\n" not in str(error.value)


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
