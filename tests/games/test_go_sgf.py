"""SGF: what is written is read again, what others write is understood, and what cannot be replayed is told."""

from pathlib import Path

import pytest

from outplay.gamefile import from_sgf, open_game, read_games, to_sgf
from outplay.games import Go, load
from outplay.games.go.sgf import read_sgf, result_text, sized, spec
from outplay.record import begin


def test_a_game_is_written_and_read() -> None:
    record = begin(load("go:size=5,komi=0,half=0"), "", "C3 B2 {why not} pass C2 D2 pass pass", first="Ann")
    text = to_sgf(record)
    assert "SZ[5]" in text
    assert "KM[0]" in text
    assert "PB[Ann]" in text
    assert f"RE[{result_text(record.state)}]" in text
    again = from_sgf(text)
    assert (again.game, again.actions, again.result) == (record.game, record.actions, record.result)
    assert again.comments == ((2, "why not"),)
    assert dict(again.headers)["first"] == "Ann"


def test_a_position_is_set_up() -> None:
    record = begin(load("go"), str(Go(opp=Go.points_of(1 << 20 | 1 << 60), ply=1)), "E5")
    text = to_sgf(record)
    assert "PL[W]" in text.upper()
    again = from_sgf(text)
    assert again.state == record.state
    assert again.start == record.start


def test_handicap_and_a_colour_that_moves_twice() -> None:
    played = read_sgf("(;GM[1]SZ[9]KM[0.5]HA[2]AB[cc][gg];W[ee];B[ce];B[dd];W[])")
    assert played.start.player() == 1
    assert played.start.KOMI == 0
    assert [played.start.action_text(action) for action in played.actions] == [
        "E5",
        "C5",
        "pass",
        "D6",
        "pass",
    ]


def test_what_follows_the_end_is_left_out() -> None:
    assert read_sgf("(;SZ[9];B[];W[];B[])").actions == (81, 81)


def test_variations_are_left_out() -> None:
    assert read_sgf("(;SZ[9];B[aa](;W[bb])(;W[cc]))").actions == (72, 64)


@pytest.mark.parametrize(
    ("komi", "parameters"), [(7.5, (7, 1)), (6, (6, 0)), (-3.5, (-4, 1)), (3.75, (7, 1)), (0, (0, 0))]
)
def test_komi(komi: float, parameters: tuple[int, int]) -> None:
    cls = sized(9, komi)
    assert parameters == (cls.KOMI, cls.HALF)


def test_the_name_of_a_game() -> None:
    assert spec(Go) == "go"
    assert load(spec(sized(13, 5.5))).cls is sized(13, 5.5)


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("hello", "not a game of Go as SGF"),
        ("(;", "not a game of Go as SGF"),
        ("(;SZ[25])", "unsupported board size 25x25"),
        ("(;SZ[9]KM[0.3])", "unsupported komi 0.3"),
        ("(;SZ[9];B[aa];W[aa])", "move 2: A9 is illegal"),
        ("(;SZ[9];B[aa];W[zz])", "move 2 cannot be read"),
        ("(;SZ[9]KM[x];B[aa])", "the komi cannot be read"),
        ("(;SZ[9]AB[zz])", "the stones of the start cannot be read"),
        ("(;SZ[9]PL[?])", "PL cannot be read"),
        ("(;GM[2]SZ[8];B[aa])", "GM names another game"),
        ("(;SZ[9];B[aa];AW[bb])", "stones are set up after move 1"),
        ("(;SZ[2]KM[0];B[ab];W[bb];B[aa];W[ba];B[ab];W[aa];B[ab])", "move 7: A1 repeats a position"),
    ],
)
def test_what_cannot_be_replayed(text: str, complaint: str) -> None:
    with pytest.raises(ValueError, match=complaint) as error:
        from_sgf(text)
    assert "\n" not in str(error.value)


def test_other_games_have_no_sgf() -> None:
    with pytest.raises(ValueError, match="SGF is for Go"):
        to_sgf(begin(load("tictactoe"), "", "a1"))


def test_files_are_opened_by_their_looks(tmp_path: Path) -> None:
    file = tmp_path / "game.sgf"
    file.write_text("(;SZ[5];B[cc];W[bb])")
    assert open_game(str(file)).actions == (12, 16)
    assert open_game(str(file), "", "A1").actions == (12, 16, 0)
    assert [record.actions for record in read_games(str(file))] == [(12, 16)]
