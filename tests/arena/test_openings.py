"""Openings from files of every kind, from random moves, and the order in which they are played."""

import gzip
import zipfile
from pathlib import Path

import pytest

from outplay.arena.openings import random_openings, read_openings
from outplay.arena.schedule import pairing
from outplay.games import load

SHARED = Path(__file__).parents[3] / "shared" / "data"


def texts(record) -> str:
    return " ".join(s.action_text(a) for s, a in zip(record.states(), record.actions, strict=False))


def test_moves_with_and_without_spaces(tmp_path: Path) -> None:
    file = tmp_path / "xot.txt"
    file.write_text("# balanced\nf5d6c4d3\n\nf5 f4\n")
    found = read_openings(load("othello"), str(file))
    assert [texts(found.opening(i)) for i in range(len(found))] == ["f5 d6 c4 d3", "f5 f4"]


def test_positions(tmp_path: Path) -> None:
    game = load("othello:size=4")
    position = str(game.start.result(next(game.start.actions())))
    file = tmp_path / "positions.txt"
    file.write_text(position + "\n")
    assert str(read_openings(game, str(file)).opening(0).start) == position


def test_saved_games(tmp_path: Path) -> None:
    file = tmp_path / "games"
    file.write_text("game: connect4\n\n4 4 3\n\ngame: connect4\nresult: 1\n\n1 2\n")
    found = read_openings(load("connect4"), str(file))
    assert [texts(found.opening(i)) for i in (0, 1)] == ["4 4 3", "1 2"]
    with pytest.raises(ValueError, match="contains a game of connect4, not of othello"):
        read_openings(load("othello"), str(file))


def test_json_like_the_checkers_ballots(tmp_path: Path) -> None:
    file = tmp_path / "ballots.json"
    file.write_text('{"all": {"01 9-13 21-17": "B:W17,22-32:B1-8,10-13"}}')
    found = read_openings(load("checkers"), str(file))
    assert len(found) == 1 and found.opening(0).start.player() == 0


EPD = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq -"
PGN = '[Event "x"]\n[Result "*"]\n\n1. e4 e5 2. Nf3 *\n\n[Event "y"]\n\n1. d4 d5 *\n'


def test_epd(tmp_path: Path) -> None:
    file = tmp_path / "book.epd"
    file.write_text(f'{EPD} hmvc 0; id "king\'s pawn";\n{EPD} 0 7\n')
    found = read_openings(load("chess"), str(file))
    assert [str(found.opening(i).start) for i in (0, 1)] == [f"{EPD} 0 1", f"{EPD} 0 7"]


def test_pgn_packed_and_plain(tmp_path: Path) -> None:
    pytest.importorskip("chess")
    (tmp_path / "book.pgn").write_text(PGN)
    (tmp_path / "book.pgn.gz").write_bytes(gzip.compress(PGN.encode()))
    with zipfile.ZipFile(tmp_path / "book.pgn.zip", "w") as packed:
        packed.writestr("book.pgn", PGN)
    for name in ("book.pgn", "book.pgn.gz", "book.pgn.zip"):
        found = read_openings(load("chess"), str(tmp_path / name))
        assert [texts(found.opening(i)) for i in (0, 1)] == ["e4 e5 Nf3", "d4 d5"]


@pytest.mark.parametrize(
    ("game", "file", "count"),
    [
        ("othello", "othello/xot_openingslarge.txt", 10784),
        ("checkers", "checkers/ballots/3move_english.json", 174),
        ("chess", "chess/books/2moves_v1.epd.zip", 40457),
    ],
)
def test_books_of_the_reference_data(game: str, file: str, count: int) -> None:
    if not (SHARED / file).is_file():
        pytest.skip(f"no {file}: the shared reference data is not here")
    found = read_openings(load(game), str(SHARED / file))
    assert len(found) == count
    for number in (0, count // 2, count - 1):
        assert found.opening(number).state.player() in (0, 1)


@pytest.mark.parametrize(
    ("name", "content", "complaint"),
    [
        ("a.txt", "# nothing\n", "contains no openings"),
        ("a.txt", "4 4 9\n", "a.txt, opening 1: .* is neither moves nor a position"),
        ("a.json", "{", "is not JSON"),
        ("a.zip", "no zip", "cannot be read"),
        ("a.txt", "1 2 1 2 1 2 1\n", "a.txt, opening 1: the game is over there"),
    ],
)
def test_files_that_hold_none(tmp_path: Path, name: str, content: str, complaint: str) -> None:
    (tmp_path / name).write_text(content)
    with pytest.raises(ValueError, match=complaint) as caught:
        read_openings(load("connect4"), str(tmp_path / name)).opening(0)
    assert "\n" not in str(caught.value)
    with pytest.raises(ValueError, match="no such file"):
        read_openings(load("connect4"), str(tmp_path / "none.txt"))


def test_random_openings_differ_and_repeat_with_their_seed() -> None:
    game = load("connect4")
    book, other = random_openings(game, 3, seed=2), random_openings(game, 3, seed=2)
    found = [book.opening(number).actions for number in range(40)]
    assert len(set(found)) == 40 and {len(actions) for actions in found} == {3}
    assert other.opening(39).actions == found[39]  # whichever is asked for first
    another = random_openings(game, 3, seed=3)
    assert found != [another.opening(number).actions for number in range(40)]


def test_random_openings_where_there_are_few() -> None:
    found = random_openings(load("tictactoe"), 1, seed=1)
    assert len({found.opening(i).actions for i in range(9)}) == 9
    with pytest.raises(ValueError, match="every game of tictactoe ends within 9 random plies; try fewer"):
        random_openings(load("tictactoe"), 9, seed=1).opening(0)


def test_every_opening_is_played_twice_with_the_sides_changed() -> None:
    games = [pairing(number, openings=5, seed=3) for number in range(20)]
    for one, other in zip(games[::2], games[1::2], strict=True):
        assert (one.pair, one.opening, one.dice) == (other.pair, other.opening, other.dice)
        assert (one.first, other.first) == (0, 1)
    assert sorted(game.opening for game in games[:10:2]) == list(range(5))
    assert sorted(game.opening for game in games[10::2]) == list(range(5))
    assert games == [pairing(number, openings=5, seed=3) for number in range(20)]
    assert len({game.dice for game in games}) == 10
    assert [pairing(n, 5, 3, in_order=True).opening for n in range(0, 10, 2)] == list(range(5))
